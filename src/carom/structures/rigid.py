"""What does not give way: the ground itself, and walls."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from carom.errors import refusal
from carom.structures.base import LinearStructure
from carom.structures.damping import Viscous
from carom.structures.matrices import Array, frozen
from carom.structures.points import Location, location_along_x

__all__ = ["Ground", "Wall"]


class Rigid(LinearStructure):
    """A structure whose every point moves alike, and which no contact force moves."""

    rigid: ClassVar[bool] = True
    line: ClassVar[bool] = True
    massive = False

    @property
    def dof_names(self) -> tuple[str, ...]:
        """None: its displacement relative to the ground is zero."""
        return ()

    @property
    def mass_matrix(self) -> Array:
        """Formal: one on the diagonal."""
        return frozen(np.eye(len(self.dof_names)))

    @property
    def stiffness_matrix(self) -> Array:
        """Zero."""
        return frozen(np.zeros((len(self.dof_names),) * 2))

    def row(self, place: object = None) -> Array:
        """Return the same row for every place: floors and heights need not be named, and may be."""
        if isinstance(place, bool) or not (place is None or isinstance(place, (int, float, str, np.number))):
            raise refusal("place", self.owner, "need not be said, every point of it moves alike", place)
        return frozen(np.ones(len(self.dof_names)))

    def location(self, place: object = None) -> Location | None:
        """Return the one point that stands for all of it."""
        return location_along_x(self.row(place))

    def _damping(self) -> Viscous:
        return Viscous(np.zeros((len(self.dof_names),) * 2))

    def _eigen(self) -> tuple[Array, Array]:
        return np.zeros(len(self.dof_names)), np.eye(len(self.dof_names))

    def _reduced(self, damping: Array) -> Array:
        return damping


@dataclass(frozen=True, eq=False)
class Ground(Rigid):
    """The ground: displacement relative to it is zero. The floor of a bouncing ball, an abutment."""

    name: str = "ground"

    def __post_init__(self) -> None:
        self._take_name()


@dataclass(frozen=True, eq=False)
class Wall(Rigid):
    """A rigid wall that moves with the ground, or stays fixed in space while the ground moves.

    A fixed wall has, relative to the ground, the displacement −u_g: a rigid mode that the ground motion
    drives and no contact force moves.
    """

    name: str = "wall"
    moving: bool = True
    """Whether it moves with the ground."""

    def __post_init__(self) -> None:
        self._take_name()
        given: object = self.moving
        if not isinstance(given, (bool, np.bool_)):
            rule = "must be True (with the ground) or False (fixed in space)"
            raise refusal("moving", self.owner, rule, given)
        object.__setattr__(self, "moving", bool(given))

    @property
    def dof_names(self) -> tuple[str, ...]:
        """None where it moves with the ground, else its displacement x relative to the ground."""
        return () if self.moving else ("x",)
