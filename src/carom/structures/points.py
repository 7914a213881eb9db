"""Where on a structure something can be read: points with coordinates, directions, weights.

A point moves in space by three rows of numbers, one for each direction: u_x = rows[0]·u and so on, relative to the
ground. Read along a direction n it moves by n·rows·u, and rides on the ground by n itself: the ground share of a point
is geometric, whatever the structure below it does.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from carom.errors import refusal
from carom.structures.matrices import Array, frozen
from carom.units import array

__all__ = ["ALONG_X", "AXES", "Location", "Point", "Reading", "direction_of", "location_along_x", "location_rows"]

AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}
"""Directions by name: x from left to right, z upwards."""


ALONG_X = frozen(np.array(AXES["x"]))
"""The unit vector along x."""


class Reading(NamedTuple):
    """What a contact, a spring or an output reads of a structure."""

    row: Array
    """r, shape (dofs,): the displacement relative to the ground is r·u."""
    share: Array
    """Shape (3,): the displacement that a unit of ground displacement along x, y and z adds."""


class Location(NamedTuple):
    """A point of a structure, worked out."""

    position: tuple[float, float, float] | None
    """Coordinates x, y, z [m], where they are known."""
    rows: Array
    """Shape (3, dofs): how the point moves along x, y and z, relative to the ground."""
    borne: Array | None = None
    """The same without what follows from others, of a structure with degrees of freedom without mass: a force along a
    direction in which it is zero meets no mass. None: all have mass."""


@dataclass(frozen=True)
class Point:
    """A named point of a structure given by matrices: where it is, and how it moves along x, y and z.

    Each of `x`, `y` and `z` is the name of a degree of freedom, or weights of several; what is left out does not move
    relative to the ground. A slab's corner 3 m east and 2 m north of its master point:

    >>> import carom
    >>> corner = carom.Point((3.0, 2.0, 0.0), x={"ux": 1.0, "rz": -2.0}, y={"uy": 1.0, "rz": 3.0})
    """

    position: Any = None
    """Coordinates x, y, z [m]; None: not known."""
    x: Any = None
    y: Any = None
    z: Any = None

    def __post_init__(self) -> None:
        if self.position is not None:
            given = array(self.position, "m", name="position", owner="Point")
            if given.shape != (3,):
                raise refusal("position", "Point", "must be three coordinates x, y, z", self.position)
            object.__setattr__(self, "position", tuple(given.tolist()))
        for axis in AXES:
            weights = getattr(self, axis)
            if isinstance(weights, Mapping):
                object.__setattr__(self, axis, dict(weights))
        if self.x is None and self.y is None and self.z is None:
            raise refusal(
                "x, y, z", "Point", "must say for one direction at least how the point moves", None,
                'Write Point(x="ux"), or weights: Point(x={"ux": 1, "rz": -2}).',
            )  # fmt: skip


def location_along_x(row: Array, position: tuple[float, float, float] | None = None) -> Location:
    """Return a point that moves along x alone, by a row of the degrees of freedom."""
    rows = np.zeros((3, row.size))
    rows[0] = row
    return Location(position, frozen(rows))


def location_rows(name: str, point: Location) -> dict[str, Array]:
    """Return what results keep of a point: a row for each direction along which it moves, ``"corner x"`` and so on."""
    return {f"{name} {axis}": row for axis, row in zip(AXES, point.rows, strict=True) if row.any()}


def direction_of(given: object, owner: str) -> Array:
    """Return a unit vector, shape (3,), from ``"x"``, ``"-y"``, or two or three components of any length."""
    if isinstance(given, str):
        name = given.strip().lower()
        if name.lstrip("+-") in AXES and len(name) <= 2:
            return frozen(math.copysign(1.0, -1.0 if name[0] == "-" else 1.0) * np.array(AXES[name[-1]]))
    elif isinstance(given, (Sequence, np.ndarray)) and len(given) in (2, 3):
        vector = np.zeros(3)
        vector[: len(given)] = array(given, "", name="direction", owner=owner)
        length = float(np.linalg.norm(vector))
        if length > 0.0:
            return frozen(vector / length)
        raise refusal("direction", owner, "must not have the length zero", given)
    raise refusal(
        "direction", owner, "must be 'x', 'y' or 'z', with a sign if need be, or a vector", given,
        'Write "x", "-y" or (0.8, 0.6, 0).',
    )  # fmt: skip
