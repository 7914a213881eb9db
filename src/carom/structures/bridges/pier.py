"""A pier: one mass that moves along x and y, with a stiffness along the bridge and one across."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from carom.errors import refusal
from carom.structures.damped import Damped
from carom.structures.damping import Damping
from carom.structures.drawing.wireframe import Wireframe, of_points
from carom.structures.matrices import Array, frozen, symmetric
from carom.structures.points import Location
from carom.structures.torsional.plan import points_of
from carom.units import ANY, POSITIVE, number

__all__ = ["Pier"]


@dataclass(frozen=True, eq=False)
class Pier(Damped):
    """The top of a pier, with the mass that moves there; bearings stand on any point of it.

    Examples
    --------
    >>> import carom
    >>> pier = carom.Pier(mass="200 t", stiffness="60 MN/m", across="150 MN/m", damping_ratio=0.05, at=("15 m", 0))
    >>> pier.periods.round(3)
    array([0.363, 0.229])
    """

    mass: float
    """m [kg], > 0: of cap, and of the part of the columns that moves with it."""
    stiffness: float
    """k [N/m] along the pier's own x, > 0."""
    across: float | None = None
    """k [N/m] along its own y; None: as along x."""
    damping_ratio: Any = None
    """Ratio of critical damping: one for both, or one for each mode."""
    damping: Damping | Any = None
    """Instead of the ratio: Rayleigh, Caughey, or a matrix."""
    at: Any = (0.0, 0.0)
    """Where it stands in the world, x and y [m]."""
    angle: float = 0.0
    """How far its own axes are turned, counter-clockwise [rad]."""
    height: float = 0.0
    """Of its top above ground [m], for pictures."""
    name: str = ""

    def __post_init__(self) -> None:
        self._take_name()
        put = object.__setattr__
        for name, unit, within in (
            ("mass", "kg", POSITIVE), ("stiffness", "N/m", POSITIVE), ("angle", "rad", ANY), ("height", "m", ANY),
        ):  # fmt: skip
            put(self, name, number(getattr(self, name), unit, name=name, owner=self.owner, within=within))
        if self.across is not None:
            put(self, "across", number(self.across, "N/m", name="across", owner=self.owner, within=POSITIVE))
        at = points_of(self.at, "at", self.owner)
        if len(at) != 1:
            raise refusal("at", self.owner, "must be x and y", self.at)
        put(self, "at", at[0])
        self._take_damping(2)

    @property
    def dof_names(self) -> tuple[str, ...]:
        """Displacements along x and y of the world."""
        return ("ux", "uy")

    @cached_property
    def influence(self) -> Array:
        """ι: both ride on the ground."""
        return frozen(np.eye(2, 3))

    @cached_property
    def mass_matrix(self) -> Array:
        """m along both."""
        return frozen(self.mass * np.eye(2))

    @cached_property
    def stiffness_matrix(self) -> Array:
        """The two stiffnesses, turned by the angle."""
        c, s = math.cos(self.angle), math.sin(self.angle)
        turn = np.array([[c, -s], [s, c]])
        across = self.stiffness if self.across is None else self.across
        return frozen(symmetric(turn @ np.diag([self.stiffness, across]) @ turn.T))

    @property
    def points(self) -> Mapping[str, Location]:
        """Its top."""
        return {"top": self._located(*self.at)}

    def location(self, place: object = None) -> Location | None:
        """Return a point of the pier: its top, or any x and y of the world, all of which move alike."""
        if place in self.dof_names or isinstance(place, (Mapping, int)):
            return None
        if place is None or place == "top":
            return self._located(*self.at)
        return self._located(*points_of(place, "place", self.owner)[0])

    def wireframe(self) -> Wireframe | None:
        """Return a line from the ground to its top."""
        return of_points(self.points)

    def _located(self, x: float, y: float) -> Location:
        rows = np.zeros((3, 2))
        rows[:2] = np.eye(2)
        return Location((x, y, self.height), frozen(rows))
