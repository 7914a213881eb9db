"""Structures in space, as data: where their points stand, and how results move them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from carom.results.simulation import Simulation

    Array = npt.NDArray[np.float64]

__all__ = ["Form", "FormForces", "FormLevel", "FormMode"]

SAME_PLACE = 1e-3
"""Points that are closer stand at one place [m]."""


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
class FormForces:
    """Forces in members, which are the first edges of a form, by what its outputs do."""

    names: tuple[str, ...]
    """Of the M members."""
    rows: Array
    """Axial force, tension positive, two shear forces [N]; two bending moments at the start, two at the end [N·m], per
    unit of each output, shape (M, 7, K)."""


@dataclass(frozen=True, eq=False)
class FormMode:
    """A mode of a structure."""

    frequency: float
    """[Hz]."""
    shape: Array
    """Of the outputs, shape (K,)."""


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
    bends: tuple[tuple[int, ...], ...] = ()
    """Of the first edges: points between their ends, through which they bend."""
    forces: FormForces | None = None
    modes: tuple[FormMode, ...] = ()
    """The lowest ones."""
    to_scale: bool = True
    """Whether heights are those of the structure, and not only drawn."""

    @property
    def strokes(self) -> tuple[tuple[int, ...], ...]:
        """The points along each edge."""
        bent = (*self.bends, *((),) * (len(self.edges) - len(self.bends)))
        return tuple((a, *between, b) for (a, b), between in zip(self.edges, bent, strict=True))

    def member_forces(self, run: Simulation, frames: Any = slice(None)) -> Array | None:
        """Return axial force [N], shear [N] and bending moment [N·m] of members at samples, shape (T, M, 3).

        Axial forces are positive in tension; shear and moment are without sign, over both local axes, moments at the
        end where they are larger. All count from the start of the run. None where nothing is known of members.
        """
        import numpy as np

        if self.forces is None:
            return None
        seven = np.einsum("mfk,tk->tmf", self.forces.rows, run.displacement[frames][:, list(self.outputs)])
        ends = np.stack([np.hypot(seven[..., i], seven[..., i + 1]) for i in (1, 3, 5)], axis=-1)
        return np.stack([seven[..., 0], ends[..., 0], ends[..., 1:].max(axis=-1)], axis=-1)

    @property
    def extent(self) -> float:
        """Largest dimension in plan [m]."""
        plan = self.positions[:, :2]
        return float((plan.max(axis=0) - plan.min(axis=0)).max())

    def drift_rows(self, k: int) -> tuple[Array, Array]:
        """Return what slab k moves beyond the one below it, along x and y: of its centre (2, K), its corners (…, 2, K).

        What is below is read at the same place in plan: at a point that stands there, else as a rigid slab moves.
        """
        import numpy as np

        level, below = self.levels[k], self._below(k)
        points = [level.centre, *level.corners]
        rows = np.array(self.rows[points, :2])
        if below is not None:
            near = np.abs(self.positions[:, 2] - below.height) < SAME_PLACE
            for row, at in zip(rows, self.positions[points, :2], strict=True):
                apart = np.where(near, np.linalg.norm(self.positions[:, :2] - at, axis=1), np.inf)
                x, y = at - self.positions[below.centre, :2]
                rigid = self.rows[below.centre, :2] + np.outer([-y, x], below.turning)
                row -= self.rows[apart.argmin(), :2] if apart.min() < SAME_PLACE else rigid
        return rows[0], rows[1:]

    def _below(self, k: int) -> FormLevel | None:
        """Return the next slab below slab k; of several at one height the one that is nearest in plan."""
        level = self.levels[k]
        lower = [one for one in self.levels if one.height < level.height - SAME_PLACE]
        top = max((one.height for one in lower), default=0.0)
        apart = {
            float(abs(self.positions[one.centre, :2] - self.positions[level.centre, :2]).sum()): one
            for one in lower
            if one.height > top - SAME_PLACE
        }
        return apart[min(apart)] if apart else None

    def storey_height(self, k: int) -> float:
        """Return how far slab k is above the next one below it, or the ground [m]."""
        below = self._below(k)
        return self.levels[k].height - (0.0 if below is None else below.height)

    def crest(self, run: Simulation, rows: Array) -> Array:
        """Return the largest value of rows (…, K) of displacement, sign apart, between samples too; shape (…,)."""
        from carom.results.crests import largest_between

        flat = rows.reshape(-1, rows.shape[-1])
        moved, rates = (getattr(run, name)[:, list(self.outputs)] @ flat.T for name in ("displacement", "velocity"))
        found: Array = largest_between(moved, rates, run.time).reshape(rows.shape[:-1])
        return found

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
