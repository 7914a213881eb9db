"""How the points of all structures of a problem move in space: what pictures and ParaView take."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from carom.problem import Problem
from carom.results import Simulation
from carom.structures import LinearStructure
from carom.structures.drawing.wireframe import Wireframe

__all__ = ["SpaceHistory", "everything_kept", "space_history"]

Array = npt.NDArray[np.float64]

APART = 10.0
"""Distance [m] at which structures are drawn that say no place of their own."""
HEIGHT = 3.0
"""Height [m] of storeys that say none."""


class SpaceHistory(NamedTuple):
    """Points of all structures, P of them, and lines between them."""

    names: tuple[str, ...]
    positions: Array
    """Shape (P, 3) [m]."""
    edges: npt.NDArray[np.int64]
    """Shape (E, 2)."""
    structure: npt.NDArray[np.int64]
    """Index of the structure of each point, shape (P,)."""
    displacement: Array
    """Relative to the ground [m], shape (T, P, 3)."""


def everything_kept(problem: Problem) -> Problem:
    """Return the problem with histories of every degree of freedom."""
    if np.all(problem.flat().dof_output >= 0):
        return problem
    return problem.replace(
        structures=[
            structure if structure.outputs is None else structure.replace(outputs=list(structure.dof_names))
            for structure in problem.structures
        ]
    )


def space_history(problem: Problem, run: Simulation) -> SpaceHistory:
    """Return the points over time; `run` must keep every degree of freedom, as of `everything_kept`."""
    flat = problem.flat()
    parts: list[tuple[Wireframe, Array]] = []
    for i, structure in enumerate(problem.structures):
        if not structure.dof_names:
            continue
        columns = flat.dof_output[flat.dof_structure == i]
        form = structure.wireframe() or _upright(structure, APART * i)
        parts.append((form, np.einsum("pad,td->tpa", form.rows, run.displacement[:, columns])))
    firsts = np.cumsum([0, *(len(form.names) for form, _ in parts)])
    edges = [
        np.array(form.edges, dtype=np.int64).reshape(-1, 2) + first
        for (form, _), first in zip(parts, firsts[:-1], strict=True)
    ]
    movers = [i for i, structure in enumerate(problem.structures) if structure.dof_names]
    return SpaceHistory(
        tuple(f"{problem.names[i]} {name}" for i, (form, _) in zip(movers, parts, strict=True) for name in form.names),
        np.concatenate([form.positions for form, _ in parts]),
        np.concatenate(edges),
        np.concatenate([np.full(len(form.names), i) for i, (form, _) in zip(movers, parts, strict=True)]),
        np.concatenate([moved for _, moved in parts], axis=1),
    )  # fmt: skip


def _upright(structure: LinearStructure, x: float) -> Wireframe:
    """Return a column of floors above a point of the ground; structures of which no more is known move along x."""
    dofs = structure.dof_names
    given = getattr(structure, "heights", None)
    heights = list(given) if given is not None else [HEIGHT * (i + 1) for i in range(len(dofs))]
    rows = np.zeros((len(dofs) + 1, 3, len(dofs)))
    along = np.abs(structure.influence[:, 0]) > 0.0
    rows[1:, 0] = np.diag(np.where(along, 1.0, 0.0)) if structure.floors == 0 else np.eye(len(dofs))
    positions = np.array([[x, 0.0, z] for z in (0.0, *heights)])
    edges = tuple((i, i + 1) for i in range(len(dofs)))
    return Wireframe(("base", *dofs), positions, rows, edges, ())
