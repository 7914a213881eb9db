"""The plan of a slab: a polygon with named corners and edges, its centroid and its radius of gyration."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from carom.errors import UnknownNameError, refusal
from carom.structures.matrices import Array, frozen
from carom.units import array

__all__ = ["CORNERS", "EDGES", "Plan", "is_point", "points_of"]

CORNERS = ("sw", "se", "ne", "nw")
"""Corners of a rectangle, counter-clockwise from the origin of its plan; x points east, y north."""
EDGES = {"s": ("sw", "se"), "e": ("se", "ne"), "n": ("ne", "nw"), "w": ("nw", "sw")}
"""Edges of a rectangle, which stand for their middles."""
ON_EDGE = 1e-9
"""Of the extent of a slab: points that lie no farther outside are on its edge."""


@dataclass(frozen=True)
class Plan:
    """A polygon in plan coordinates, corner after corner."""

    vertices: tuple[tuple[float, float], ...]
    """[m], in the order given, clockwise or not."""
    rectangle: bool = False
    """Whether its corners are called sw, se, ne and nw; else by their numbers from 1."""

    @classmethod
    def of(cls, given: Any, owner: str) -> Plan:
        """Take a list of vertices; refuse fewer than three, an edge of no length, and edges that cross."""
        vertices = points_of(given, "plan", owner)
        if len(vertices) < 3:
            raise refusal("plan", owner, "must have at least three vertices", given)
        found = cls(vertices)
        corners = np.array(vertices)
        if np.any(np.hypot(*(np.roll(corners, -1, axis=0) - corners).T) <= ON_EDGE * found.extent.max()):
            raise refusal("plan", owner, "must not have an edge without length", given)
        if _crosses(corners) or abs(found._signed_area) <= ON_EDGE * found.extent.max() ** 2:
            raise refusal("plan", owner, "must be a polygon whose edges do not cross, corner after corner", given)
        return found

    @classmethod
    def of_rectangle(cls, width: float, depth: float) -> Plan:
        """Return a rectangle from (0, 0) to (width, depth)."""
        return cls(((0.0, 0.0), (width, 0.0), (width, depth), (0.0, depth)), rectangle=True)

    @cached_property
    def corners(self) -> Array:
        """The vertices, shape (V, 2)."""
        return frozen(np.array(self.vertices))

    @cached_property
    def extent(self) -> Array:
        """Dimensions along x and y [m]."""
        corners = np.array(self.vertices)
        return frozen(corners.max(axis=0) - corners.min(axis=0))

    @cached_property
    def _edges(self) -> tuple[Array, Array, Array]:
        """Start and end of each edge, and their cross product: twice a signed area."""
        start = self.corners - self.corners[0]
        end = np.roll(start, -1, axis=0)
        return start, end, start[:, 0] * end[:, 1] - start[:, 1] * end[:, 0]

    @cached_property
    def _signed_area(self) -> float:
        return 0.5 * float(self._edges[2].sum())

    @property
    def counter_clockwise(self) -> bool:
        """Whether its corners go round that way, seen from above."""
        return self._signed_area > 0.0

    @property
    def area(self) -> float:
        """[m²]."""
        return abs(self._signed_area)

    @cached_property
    def centroid(self) -> tuple[float, float]:
        """Centre of area [m]; of a rectangle exactly its middle."""
        if self.rectangle:
            width, depth = self.vertices[2]
            return 0.5 * width, 0.5 * depth
        start, end, cross = self._edges
        x, y = self.corners[0] + ((start + end) * cross[:, None]).sum(axis=0) / (6.0 * self._signed_area)
        return float(x), float(y)

    @cached_property
    def radius(self) -> float:
        """Radius of gyration about the centroid [m], of a uniform slab."""
        with np.errstate(over="ignore", invalid="ignore"):  # sizes beyond floats are refused where they are used
            start, end, cross = self._edges
            about_first = np.sum((start**2 + start * end + end**2).sum(axis=1) * cross) / (12.0 * self._signed_area)
            squared = about_first - np.sum((np.array(self.centroid) - self.corners[0]) ** 2)
        return math.sqrt(squared)

    @property
    def names(self) -> tuple[str, ...]:
        """What its corners are called, in their order."""
        return CORNERS if self.rectangle else tuple(f"corner {i}" for i in range(1, len(self.vertices) + 1))

    def point(self, where: object, owner: str) -> tuple[float, float]:
        """Return the coordinates of a corner by its name or number, the middle of an edge, or a point on the slab."""
        if isinstance(where, str):
            return self._named(where, owner)
        if isinstance(where, (int, np.integer)) and not isinstance(where, bool):
            if not 1 <= where <= len(self.vertices):
                raise refusal("corner", owner, f"must lie in 1…{len(self.vertices)}", where)
            return self.vertices[int(where) - 1]
        if not is_point(where):
            rule = f"must be {self._known}, or x and y in plan coordinates"
            raise refusal("place", owner, rule, where)
        ((x, y),) = points_of(where, "place", owner)
        if not self.holds(x, y):
            low, high = self.corners.min(axis=0), self.corners.max(axis=0)
            rule = f"must lie on the slab, x {low[0]:g} to {high[0]:g} m and y {low[1]:g} to {high[1]:g} m at most"
            raise refusal("place", owner, rule, where, "Coordinates are those of the plan.")
        return x, y

    def holds(self, x: float, y: float) -> bool:
        """Whether a point lies on the slab, its edges included."""
        at = np.array([x, y])
        start, end = self.corners, np.roll(self.corners, -1, axis=0)
        along, off = end - start, at - start
        share = np.clip((off * along).sum(axis=1) / (along**2).sum(axis=1), 0.0, 1.0)
        if np.hypot(*(off - share[:, None] * along).T).min() <= ON_EDGE * self.extent.max():
            return True
        crossed = (start[:, 1] > y) != (end[:, 1] > y)
        with np.errstate(divide="ignore", invalid="ignore"):
            right = start[:, 0] + off[:, 1] / along[:, 1] * along[:, 0] > x
        return bool(np.count_nonzero(crossed & right) % 2)

    def name_of(self, x: float, y: float) -> str | None:
        """Return the name of the corner at a point; None where there is none."""
        off = np.hypot(*(self.corners - (x, y)).T)
        nearest = int(off.argmin())
        return self.names[nearest] if off[nearest] <= ON_EDGE * self.extent.max() else None

    def _named(self, where: str, owner: str) -> tuple[float, float]:
        name = where.strip().lower()
        if name in self.names:
            return self.vertices[self.names.index(name)]
        if self.rectangle and name in EDGES:
            (x0, y0), (x1, y1) = (self.vertices[CORNERS.index(corner)] for corner in EDGES[name])
            return 0.5 * (x0 + x1), 0.5 * (y0 + y1)
        raise UnknownNameError(f"corner of {owner}:", where, (*self.names, *(EDGES if self.rectangle else ())))

    @property
    def _known(self) -> str:
        if self.rectangle:
            return "one of 'sw', 'se', 'ne', 'nw', the middle of an edge 's', 'e', 'n', 'w'"
        return f"the number of a corner, 1…{len(self.vertices)}"


def is_point(given: object) -> bool:
    """Whether something is two coordinates, and no list of points."""
    if not isinstance(given, (Sequence, np.ndarray)) or isinstance(given, str) or len(given) != 2:
        return False
    return all(isinstance(part, str) or np.ndim(part) == 0 for part in given)


def points_of(given: Any, name: str, owner: str) -> tuple[tuple[float, float], ...]:
    """Take a point, x and y [m], or a list of points."""
    if is_point(given):
        given = (given,)
    if not isinstance(given, (Sequence, np.ndarray)) or isinstance(given, str) or not all(map(is_point, given)):
        raise refusal(name, owner, "must be x and y, or a list of such pairs", given, 'Write ("3 m", "2.5 m").')
    found = [array(point, "m", name=name, owner=owner).tolist() for point in given]
    return tuple((float(x), float(y)) for x, y in found)


def _crosses(corners: Array) -> bool:
    """Whether two edges that are no neighbours meet."""
    n = len(corners)
    ends = np.roll(corners, -1, axis=0)
    pairs = ((i, j) for i in range(n) for j in range(i + 2, n - (i == 0)))
    return any(_meet(corners[i], ends[i], corners[j], ends[j]) for i, j in pairs)


def _meet(a: Array, b: Array, c: Array, d: Array) -> bool:
    """Whether the stretches ab and cd have a point in common."""
    if np.any(np.maximum(a, b) < np.minimum(c, d)) or np.any(np.maximum(c, d) < np.minimum(a, b)):
        return False
    sides = [_side(a, b, c) * _side(a, b, d), _side(c, d, a) * _side(c, d, b)]
    return max(sides) <= 0.0


def _side(a: Array, b: Array, c: Array) -> float:
    """Positive where c lies left of the way from a to b."""
    return float((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))
