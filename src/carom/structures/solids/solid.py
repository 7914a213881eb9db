"""What all bodies in space have in common: named points, faces, and where they stand."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from types import MappingProxyType
from typing import Any

import numpy as np

from carom.errors import UnknownNameError, refusal
from carom.structures.base import LinearStructure
from carom.structures.drawing.wireframe import Wireframe
from carom.structures.matrices import Array, frozen
from carom.structures.points import Location
from carom.structures.solids.rotations import matrix_of
from carom.structures.torsional.plan import is_point
from carom.units import array

__all__ = ["CENTRE", "Solid"]

CENTRE = "centre"
"""The name of the centre of mass, or of the origin of what is fixed."""


class Solid(LinearStructure):
    """A body with points and faces, given along its own axes from its centre; `position` and `orientation` place it."""

    position: Any
    """x, y, z [m] of its centre in the world at rest."""
    orientation: Any
    """The quaternion (w, x, y, z) from its own axes to the world's at rest."""
    marks: Any
    """All named points, along its own axes from its centre [m]."""
    sides: Any
    """All faces by name: their corners, counter-clockwise seen from outside (`Sides`)."""

    @property
    def sphere_radius(self) -> Mapping[str, float]:
        """Radii [m] of points that are round; others are sharp."""
        return {}

    @cached_property
    def axes(self) -> Array:
        """Its own axes in the world at rest, as columns, shape (3, 3)."""
        return frozen(matrix_of(self.orientation))

    def local(self, where: object) -> Array:
        """Return a point along the body's own axes from its centre [m], shape (3,): by name, or x, y and z there."""
        if where is None or where == CENTRE:
            return np.zeros(3)
        if isinstance(where, str):
            if where not in self.marks:
                raise UnknownNameError(f"point of {self.owner}:", where, (CENTRE, *self.marks))
            return np.array(self.marks[where])
        if isinstance(where, (tuple, list, np.ndarray)) and len(where) == 3:
            return array(where, "m", name="place", owner=self.owner)
        raise refusal("place", self.owner, "must be a named point, or x, y and z along its own axes", where)

    def world(self, where: object = None) -> Array:
        """Return where a point stands in the world at rest [m], shape (3,)."""
        return frozen(np.array(self.position) + self.axes @ self.local(where))

    def side(self, which: object) -> tuple[str, ...]:
        """Return the corners of a face by its name."""
        if not isinstance(which, str) or which not in self.sides:
            raise UnknownNameError(f"face of {self.owner}:", str(which), self.sides)
        found: tuple[str, ...] = self.sides[which]
        return found

    def corners(self, which: object) -> Array:
        """Return the corners of a face in the world at rest [m], shape (4, 3); of a triangle the last one twice."""
        names = self.side(which)
        return frozen(np.array([self.world(name) for name in (*names, names[-1])[:4]]))

    @cached_property
    def points(self) -> Mapping[str, Location]:
        """The centre and all named points."""
        return MappingProxyType({name: self._located(name) for name in (CENTRE, *self.marks)})

    def location(self, place: object = None) -> Location | None:
        """Return a point of the body; None where the place is a degree of freedom or weights."""
        if isinstance(place, (Mapping, int)) or (isinstance(place, str) and place in self.dof_names):
            return None
        return self._located(place)

    def _located(self, where: object) -> Location:
        raise NotImplementedError

    def place_name(self, place: object) -> str:
        """Return what a place is called behind the body's name."""
        if isinstance(place, str):
            return place
        if is_point(place):
            return "(" + ", ".join(f"{x:g}" for x in self.local(place).tolist()) + ")"
        return super().place_name(place)

    def wireframe(self) -> Wireframe | None:
        """Return its points and the edges of its faces."""
        names = list(self.marks)
        if not names:
            return None
        edges = set()
        for corners in self.sides.values():
            for one, other in zip(corners, (*corners[1:], corners[0]), strict=True):
                i, j = names.index(one), names.index(other)
                edges.add((min(i, j), max(i, j)))
        positions = np.array([self.points[name].position for name in names])
        rows = np.array([self.points[name].rows for name in names])
        return Wireframe(tuple(names), positions, rows, tuple(sorted(edges)), ())
