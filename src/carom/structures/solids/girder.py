"""A bridge girder in space: a rigid box of given length, width and depth, with skewed ends."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any

import numpy as np

from carom.errors import refusal
from carom.structures.base import one_of
from carom.structures.bridges.deck import SKEW
from carom.structures.matrices import Array, frozen
from carom.structures.solids.outline import Sides, take_points
from carom.structures.solids.rigid_body import DOFS, GRAVITY, MovingSolid
from carom.structures.solids.solid import CENTRE
from carom.units import POSITIVE, number

__all__ = ["Girder"]

PLAN = ("sw", "se", "ne", "nw")
LEVELS = ("bottom", "top")
FACES = {
    "w": ("nw bottom", "sw bottom", "sw top", "nw top"),
    "e": ("se bottom", "ne bottom", "ne top", "se top"),
    "s": ("sw bottom", "se bottom", "se top", "sw top"),
    "n": ("ne bottom", "nw bottom", "nw top", "ne top"),
    "bottom": ("nw bottom", "ne bottom", "se bottom", "sw bottom"),
    "top": ("sw top", "se top", "ne top", "nw top"),
}


@dataclass(frozen=True, eq=False, repr=False)
class Girder(MovingSolid):
    """A rigid girder: a box with x along it, y across and z upwards, whose ends may be skewed.

    Its corners are called as those of a deck, with their level: ``"sw bottom"``, ``"ne top"``. Its faces are the ends
    w and e, the sides s and n, bottom and top. A skew of +20° turns both ends clockwise by 20° from square, seen from
    above.

    Examples
    --------
    >>> import carom
    >>> span = carom.Girder(length="30 m", width="10 m", depth="2 m", mass="400 t", skew="20 deg", position=(15, 0, 8))
    >>> span.world("ne top").round(3)
    array([31.82,  5.  ,  9.  ])
    """

    length: float
    """Along its axis [m]."""
    width: float
    """Across its axis [m]."""
    depth: float
    """From its bottom to its top [m]."""
    mass: Any = None
    """[kg]."""
    density: Any = None
    """[kg/m³] of the whole box, in place of the mass: that of a hollow girder is its mass over its outer volume."""
    skew: float = 0.0
    """Of its ends [rad], clockwise from square seen from above."""
    position: Any = (0.0, 0.0, 0.0)
    """Where its middle stands at the start [m]."""
    orientation: Any = None
    """A rotation vector [rad], or a quaternion (w, x, y, z); None: along x."""
    velocity: Any = (0.0, 0.0, 0.0)
    """Of its middle at the start, relative to the ground [m/s]."""
    spin: Any = (0.0, 0.0, 0.0)
    """At the start, along the axes of the world [rad/s]."""
    gravity: Any = GRAVITY
    """Downwards [m/s²], or a vector."""
    extra: Mapping[str, tuple[float, float, float]] = field(default_factory=dict)
    """What `points` says, as it was taken."""
    name: str = ""

    def __init__(
        self,
        *,
        length: Any,
        width: Any,
        depth: Any,
        mass: Any = None,
        density: Any = None,
        skew: Any = 0.0,
        position: Any = (0.0, 0.0, 0.0),
        orientation: Any = None,
        velocity: Any = (0.0, 0.0, 0.0),
        spin: Any = (0.0, 0.0, 0.0),
        gravity: Any = GRAVITY,
        points: Mapping[str, Any] | None = None,
        extra: Mapping[str, Any] | None = None,
        name: str = "",
    ) -> None:
        """Take a girder; `points` names further points of it, x, y, z from its middle along its own axes [m]."""
        put = object.__setattr__
        put(self, "name", name)
        self._take_name()
        owner = self.owner
        for what, value in (("length", length), ("width", width), ("depth", depth)):
            put(self, what, number(value, "m", name=what, owner=owner, within=POSITIVE))
        if one_of(owner, mass=mass, density=density) == "mass":
            put(self, "density", None)
            put(self, "mass", number(mass, "kg", name="mass", owner=owner, within=POSITIVE))
        else:
            taken = number(density, "kg/m^3", name="density", owner=owner, within=POSITIVE)
            put(self, "density", None)
            put(self, "mass", taken * self.length * self.width * self.depth)
        put(self, "skew", number(skew, "rad", name="skew", owner=owner, within=SKEW))
        if abs(math.tan(self.skew)) * self.width >= self.length:
            raise refusal(
                "skew", owner, "must leave its ends apart: tan(skew)·width < length", self.skew,
                "Shorten the width, or lengthen the girder.",
            )  # fmt: skip
        given = {} if points is None and extra is None else points or extra
        put(self, "extra", take_points(given, owner, (CENTRE, *DOFS, *self._corners)))
        self._take_motion(position, orientation, velocity, spin, gravity)

    @property
    def _corners(self) -> dict[str, tuple[float, float, float]]:
        """The eight corners along its own axes from its middle [m]."""
        x, y, z = 0.5 * self.length, 0.5 * self.width, 0.5 * self.depth
        lean = y * math.tan(self.skew)
        plan = dict(zip(PLAN, ((-x - lean, -y), (x - lean, -y), (x + lean, y), (-x + lean, y)), strict=True))
        return {
            f"{name} {level}": (*plan[name], height)
            for level, height in zip(LEVELS, (-z, z), strict=True)
            for name in PLAN
        }

    @cached_property
    def marks(self) -> Mapping[str, tuple[float, float, float]]:
        """Its corners and the named points, along its own axes from its middle [m]."""
        return MappingProxyType({**self._corners, **self.extra})

    @cached_property
    def sides(self) -> Sides:
        """Its six faces."""
        return MappingProxyType(dict(FACES))

    @cached_property
    def tensor(self) -> Array:
        """Inertia of a uniform box about its middle, its ends skewed [kg·m²], shape (3, 3)."""
        lean = math.tan(self.skew)
        across = self.width**2 / 12.0
        second = np.diag([self.length**2 / 12.0 + lean**2 * across, across, self.depth**2 / 12.0])
        second[0, 1] = second[1, 0] = lean * across
        return frozen(float(self.mass) * (np.trace(second) * np.eye(3) - second))

    def __repr__(self) -> str:
        label = f" '{self.name}'" if self.name else ""
        skew = f", skew {math.degrees(self.skew):g}°" if self.skew else ""
        return f"<Girder{label}: {self.length:g} m × {self.width:g} m × {self.depth:g} m{skew}>"
