"""By which results a structure is drawn: degrees of freedom that are kept, and modes where it has many."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from scipy import linalg

from carom.problem.labels import output_label
from carom.results import FormMode
from carom.structures import MOST_DRAWN

if TYPE_CHECKING:
    from carom.problem import Problem
    from carom.structures import LinearStructure
    from carom.structures.drawing.wireframe import Wireframe

__all__ = ["DrawnBasis", "drawn_outputs"]

Array = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

MOST = 100
"""Degrees of freedom that are kept for a picture, of one structure; of a larger one those of its slabs, and modes."""
MODES_SHOWN = 12
"""Modes that a picture can show."""
SOFT = 1e-6
"""Springs to the ground that hold what floats, as a share of the highest mode's."""


def drawn_outputs(problem: Problem, i: int, frame: Wireframe) -> Iterator[str]:
    """Return what results must keep, beside what they do, so that a structure can be drawn."""
    structure, flat = problem.structures[i], problem.flat()
    kept = flat.dof_output[flat.dof_structure == i] >= 0
    names = structure.dof_names
    needed = np.ones(len(names), dtype=bool)
    if len(names) > MOST:
        centres = [row for level in frame.levels for row in (*frame.rows[level.centre], level.turning)]
        needed = np.abs(np.array(centres).reshape(-1, len(names))).max(axis=0, initial=0.0) > 0.5
        yield from (f"mode {k}" for k in range(1, structure.lowest_modes.omega.size + 1))
    yield from (names[i] for i in np.flatnonzero(needed & ~kept))


@dataclass(frozen=True, eq=False)
class DrawnBasis:
    """K results y of a structure, by which its displacements are drawn: u = shapes·y.

    Exact where all degrees of freedom are kept, and at those that are. The others move in the modes that are kept, and
    follow what these leave of the former by statics.
    """

    outputs: tuple[int, ...]
    """Which results."""
    shapes: Array
    """Shape (dofs, K)."""
    modes: tuple[FormMode, ...]

    @classmethod
    def of(cls, problem: Problem, i: int) -> DrawnBasis:
        """Return the results of a problem's structure."""
        structure, flat = problem.structures[i], problem.flat()
        dofs = flat.dof_output[flat.dof_structure == i]
        kept = np.flatnonzero(dofs >= 0)
        labels = {label: k for k, label in enumerate(flat.output_labels)}
        told = (output_label(structure.name, structure.dof_names, f"mode {k}") for k in range(1, MOST_DRAWN + 1))
        modal = [labels[label] for label in told if label in labels and kept.size < dofs.size]
        shown = structure.lowest_modes if structure.massive and dofs.size else None
        shapes = _shapes(structure, kept, len(modal))
        outputs = (*dofs[kept].tolist(), *modal)
        found: list[FormMode] = []
        for k in range(0 if shown is None else min(MODES_SHOWN, shown.omega.size)):
            assert shown is not None  # there are modes
            y = np.zeros(len(outputs))
            y[: kept.size] = shown.shapes[kept, k]
            if k < len(modal):
                y[kept.size + k] = 1.0
            found.append(FormMode(float(shown.omega[k] / (2.0 * np.pi)), y))
        return cls(outputs, shapes, tuple(found) if modal or kept.size == dofs.size else ())

    def rows(self, rows: Array) -> Array:
        """Return rows over all degrees of freedom, shape (…, dofs), as rows over the results, (…, K)."""
        found: Array = rows @ self.shapes
        return found


def _shapes(structure: LinearStructure, kept: Integers, modal: int) -> Array:
    """Return what each result moves: degrees of freedom that are kept, then modes."""
    n = len(structure.dof_names)
    alone = np.eye(n)[:, kept]
    if not modal:
        return alone
    modes = structure.lowest_modes
    if not kept.size:
        return modes.shapes[:, :modal]
    stiffness = structure.stiffness_matrix + SOFT * modes.omega[-1] ** 2 * structure.mass_matrix
    answers = linalg.solve(stiffness, alone, assume_a="pos")
    follow: Array = linalg.solve(answers[kept], answers.T, assume_a="sym").T
    return np.hstack([follow, modes.shapes[:, :modal] - follow @ modes.shapes[kept, :modal]])
