"""Structures in space, as data: where their points stand, and how results move them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from carom.results.simulation import Simulation

    Array = npt.NDArray[np.float64]

__all__ = ["Form", "FormLevel"]


@dataclass(frozen=True, eq=False)
class FormLevel:
    """A slab, or points at one height."""

    name: str
    height: float
    """[m]."""
    corners: tuple[int, ...]
    """Points around it, counter-clockwise."""
    centre: int
    """The point that stands for it."""
    turning: Array
    """What the outputs add to its rotation about the vertical axis [rad], shape (outputs,)."""


@dataclass(frozen=True, eq=False)
class Form:
    """A structure in space: P points that K outputs of the results move."""

    names: tuple[str, ...]
    """Of the points."""
    positions: Array
    """Shape (P, 3) [m]."""
    outputs: tuple[int, ...]
    """Which results."""
    rows: Array
    """Displacement of the points along x, y and z per unit of each output, shape (P, 3, K)."""
    edges: tuple[tuple[int, int], ...]
    levels: tuple[FormLevel, ...]

    @property
    def extent(self) -> float:
        """Largest dimension in plan [m]."""
        plan = self.positions[:, :2]
        return float((plan.max(axis=0) - plan.min(axis=0)).max())

    def history(self, run: Simulation, row: Array, quantity: str = "displacement") -> Array:
        """Return over time what a row of the outputs reads of displacement, velocity or acceleration."""
        used = row.nonzero()[0]
        found: Array = getattr(run, quantity)[:, [self.outputs[k] for k in used.tolist()]] @ row[used]
        return found

    def peak(self, run: Simulation, row: Array, column: int) -> float:
        """Return the largest value of a row, sign apart; exact where it is one output, else the largest sample.

        `column` is 0 for displacement, 1 for velocity, 2 for acceleration.
        """
        used = [k for k, weight in enumerate(row) if weight]
        if len(used) == 1:
            return float(abs(row[used[0]]) * run.extremes[self.outputs[used[0]], column])
        quantity = ("displacement", "velocity", "acceleration")[column]
        return float(abs(self.history(run, row, quantity)).max(initial=0.0))
