"""Edges of slabs that face each other in plan, and where on them two slabs can touch first: at the ends."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

__all__ = ["Array", "FacingEdges", "facing_edges", "outer_edge"]

Array = npt.NDArray[np.float64]

ALMOST_PARALLEL = math.cos(math.radians(10.0))
"""Edges face each other where their normals are opposite to within ten degrees."""
SAME = 1e-3
"""Lengths below which two edges lie on one line, or overlap by nothing [m]."""


class FacingEdges(NamedTuple):
    """Where two slabs face each other: the direction across, and the ends of the stretch along which they do."""

    direction: Any
    """From the left slab to the right one: ``"x"``, ``"-y"`` or two components."""
    ends: tuple[tuple[Array, Array], ...]
    """Points on the left and on the right slab, that on the right hand first, seen from left to right."""

    @property
    def along(self) -> tuple[float, float]:
        """The horizontal direction in which they slide along each other, on the left hand of `direction`."""
        if isinstance(self.direction, str):
            sign = -1.0 if self.direction[0] == "-" else 1.0
            return (-sign, 0.0) if self.direction[-1] == "y" else (0.0, sign)
        x, y = self.direction[:2]
        return -y, x


class _Edges(NamedTuple):
    """The edges of a polygon, counter-clockwise."""

    start: Array
    along: Array
    """Unit vectors."""
    normal: Array
    """Outwards."""
    length: Array


def facing_edges(ours: Array, theirs: Array) -> FacingEdges | None:
    """Return where the outlines of two slabs, (V, 2) in the world, face each other nearest; None where they do not."""
    left, right = _edges(ours), _edges(theirs)
    found: list[tuple[float, int, float, float]] = []  # distance, edge of ours, stretch along it
    for i, j in np.argwhere(left.normal @ right.normal.T <= -ALMOST_PARALLEL):
        ends = [right.start[j] + share * right.length[j] * right.along[j] - left.start[i] for share in (0.0, 1.0)]
        along = sorted(float(end @ left.along[i]) for end in ends)
        low, high = max(along[0], 0.0), min(along[1], float(left.length[i]))
        distance = float(np.mean([end @ left.normal[i] for end in ends]))
        if high - low > SAME and distance >= -SAME:
            found.append((distance, int(i), low, high))
    if not found:
        return None
    nearest, edge, *_ = min(found)
    stretches = [
        (low + at, high + at)
        for distance, i, low, high in found
        if distance - nearest <= SAME and left.normal[i] @ left.normal[edge] >= ALMOST_PARALLEL
        for at in [float((left.start[i] - left.start[edge]) @ left.along[edge])]
    ]
    points = []
    for at in (min(low for low, _ in stretches), max(high for _, high in stretches)):
        point = left.start[edge] + at * left.along[edge]
        points.append((_on(left, point, left.normal[edge]), _on(right, point, -left.normal[edge])))
    return FacingEdges(_direction(left.normal[edge]), tuple(points))


def outer_edge(outline: Array, direction: Array) -> tuple[Array, Array] | None:
    """Return the ends of the outermost edge towards a direction, that on the right hand first; None: there is none."""
    edges = _edges(outline)
    reach = np.where(edges.normal @ direction >= ALMOST_PARALLEL, edges.start @ direction, -np.inf)
    edge = int(reach.argmax())
    if not np.isfinite(reach[edge]):
        return None
    return edges.start[edge], edges.start[edge] + edges.length[edge] * edges.along[edge]


def _edges(outline: Array) -> _Edges:
    span = np.roll(outline, -1, axis=0) - outline
    length = np.hypot(span[:, 0], span[:, 1])
    along = span / length[:, None]
    return _Edges(outline, along, np.stack([along[:, 1], -along[:, 0]], axis=1), length)


def _on(edges: _Edges, point: Array, normal: Array) -> Array:
    """Return the point of those edges that look in a direction which is nearest to a point."""
    looking = np.flatnonzero(edges.normal @ normal >= ALMOST_PARALLEL)
    shares = np.clip(np.sum((point - edges.start[looking]) * edges.along[looking], axis=1), 0.0, edges.length[looking])
    on_each = edges.start[looking] + shares[:, None] * edges.along[looking]
    found: Array = on_each[np.hypot(*(on_each - point).T).argmin()]
    return found


def _direction(normal: Array) -> Any:
    """Return a unit vector as a user would write it."""
    for name, axis in (("x", (1.0, 0.0)), ("-x", (-1.0, 0.0)), ("y", (0.0, 1.0)), ("-y", (0.0, -1.0))):
        if np.abs(normal - axis).max() < 1e-12:
            return name
    return tuple(normal.tolist())
