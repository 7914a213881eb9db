"""What storeys do, as places that results read and nothing can touch: drifts and shears.

``("drift", 3)`` is how far floor 3 moves beyond what is below it, at the same point in plan: at the floor's centre, or
``("drift", 3, "ne")`` at a point of it. ``("shear", 3)`` is the force that the storey below floor 3 carries: the sum of
elastic forces on all that is above, ``("shear", 1)`` that at the base.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from carom.errors import refusal
from carom.structures.matrices import Array, frozen
from carom.structures.points import Reading, direction_of

if TYPE_CHECKING:
    from carom.structures.base import LinearStructure

__all__ = ["StoreyPlace", "Storeys", "storey_of"]

DRIFT, SHEAR = "drift", "shear"


class StoreyPlace(NamedTuple):
    """A storey, by the number of the floor above it."""

    what: str
    """`DRIFT` or `SHEAR`."""
    number: int
    at: Any = None
    """A point of the floor; None: its centre."""

    @property
    def name(self) -> str:
        """``"drift 3"``, ``"drift 3 at ne"``."""
        return f"{self.what} {self.number}" + ("" if self.at is None else f" at {self.at}")

    @property
    def unit(self) -> str:
        """Of what is read."""
        return "N" if self.what == SHEAR else "m"

    def read(self, structure: LinearStructure, direction: Any) -> Reading:
        """Return its row along a direction, x by default; it does not ride on the ground."""
        along = direction_of("x" if direction is None else direction, structure.owner)
        if self.what == DRIFT:
            return Reading(frozen(along @ structure.drift_rows(self.number, self.at)), frozen(np.zeros(3)))
        if self.at is not None:
            raise refusal("place", structure.owner, 'must be ("shear", storey): of the whole storey', tuple(self))
        if structure.joints:
            raise refusal(
                "place", structure.owner, "must have elastic storeys where shears are read", self.name,
                "What joints carry is not in K·u; `peaks` of a run tells base shears of storeys that yield.",
            )  # fmt: skip
        above = structure.influence @ along * structure.above(self.number)
        row = above @ structure.stiffness_matrix
        return Reading(frozen(row), frozen(row @ structure.influence))


def storey_of(place: object) -> StoreyPlace | None:
    """Return the storey that a place says; None where it says something else."""
    if not isinstance(place, (tuple, list)) or len(place) not in (2, 3) or place[0] not in (DRIFT, SHEAR):
        return None
    number = place[1]
    if isinstance(number, bool) or not isinstance(number, (int, np.integer)):
        return None
    return StoreyPlace(place[0], int(number), place[2] if len(place) == 3 else None)


class Storeys:
    """What a structure says of its storeys; those with floors say more."""

    @property
    @abstractmethod
    def dof_names(self) -> tuple[str, ...]:
        """Names of the degrees of freedom."""

    @property
    def owner(self) -> str:
        """What errors call it."""
        raise NotImplementedError

    def drift_rows(self, storey: int, at: Any = None) -> Array:
        """Return how far a floor moves beyond what is below it, along x, y and z, shape (3, dofs); at a point of it."""
        rule = "must be on a structure whose floors are known where a drift is read"
        way_out = 'Read weights of two places instead: {"top": 1, "bottom": -1}.'
        raise refusal("place", self.owner, rule, ("drift", storey), way_out)

    def above(self, storey: int) -> Array:
        """Return 1 for each degree of freedom above a storey, 0 for others, shape (dofs,)."""
        if storey == 1:
            return np.ones(len(self.dof_names))
        rule = "must be 1 where floors are not known: the shear at the base"
        raise refusal("storey", self.owner, rule, storey)

    def _taken_storey(self, storey: int, count: int) -> int:
        if not 1 <= storey <= count:
            rule = f"must lie in 1…{count}" if count else "must be on a structure with floors"
            raise refusal("storey", self.owner, rule, storey, "The lowest storey is 1.")
        return storey

    def output_unit(self, name: str) -> str:
        """Return the unit of one of `outputs` by its name."""
        return self.unit_of(name)

    def unit_of(self, place: object = None) -> str:
        """Return the unit of what is read at a place: m, rad of a rotation, N and N·m of forces."""
        if (storey := storey_of(place)) is not None:
            return storey.unit
        if isinstance(place, Mapping):
            return next((self.unit_of(one) for one in place), "m")
        if isinstance(place, str) and place.startswith("mode "):
            return "kg^0.5 m"
        return "rad" if isinstance(place, str) and f" {place}".endswith((" rx", " ry", " rz")) else "m"
