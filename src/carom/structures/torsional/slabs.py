"""Slabs with plans that stand in the world, and the points of them that can be touched."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import Any

import numpy as np

from carom.errors import UnknownNameError, refusal
from carom.structures.damped import Damped
from carom.structures.drawing.wireframe import Level, Wireframe
from carom.structures.matrices import Array, frozen
from carom.structures.points import Location
from carom.structures.storeys import storey_of
from carom.structures.torsional.plan import Plan
from carom.units import number

__all__ = ["Slabs"]

DRAWN_STOREY = 3.0
"""Height of a storey [m] in pictures, where none is given."""
DIGITS = 12
"""Decimals of a metre to which a point found in plan is named."""


class Slabs(Damped):
    """Floors that move along x and y and turn: places of them. Each has three degrees of freedom, ux, uy and rz."""

    origin: Any
    angle: Any
    heights: Any

    @property
    @abstractmethod
    def plans(self) -> tuple[Plan, ...]:
        """The plans of the slabs, in plan coordinates."""

    @property
    @abstractmethod
    def mass_centres(self) -> Array:
        """Centres of mass in plan coordinates [m], shape (floors, 2): they move by ux and uy."""

    @property
    def floors(self) -> int:
        """Number of slabs."""
        return len(self.plans)

    @property
    def floor_heights(self) -> tuple[float, ...] | None:
        """Heights of the slabs above ground [m], where given."""
        found: tuple[float, ...] | None = self.heights
        return found

    @cached_property
    def dof_names(self) -> tuple[str, ...]:
        """``floor 1 ux``, ``floor 1 uy``, ``floor 1 rz``, ``floor 2 ux``, …"""
        return tuple(f"floor {i} {way}" for i in range(1, self.floors + 1) for way in ("ux", "uy", "rz"))

    @cached_property
    def _axes(self) -> Array:
        """The building's x and y as columns, in the world; exact where it is not turned or by right angles."""
        c, s = math.cos(self.angle), math.sin(self.angle)
        c, s = (float(round(v)) if abs(v - round(v)) < 1e-15 else v for v in (c, s))
        return np.array([[c, -s], [s, c]])

    def in_world(self, x: float, y: float) -> tuple[float, float]:
        """Return where a point of the plan stands in the world [m]."""
        moved = self._axes @ (x, y) + self.origin
        return float(moved[0]), float(moved[1])

    def in_plan(self, x: float, y: float) -> tuple[float, float]:
        """Return the plan coordinates of a point of the world [m]."""
        moved = self._axes.T @ (np.array([x, y]) - self.origin)
        return float(moved[0]), float(moved[1])

    def outline(self, level: int | float = 1) -> Array:
        """Return the corners of a slab in the world, shape (V, 2), counter-clockwise; for a height the slab above."""
        floor, _ = self._level(level)
        plan = self.plans[floor - 1]
        corners = plan.corners if plan.counter_clockwise else plan.corners[::-1]
        return frozen(corners @ self._axes.T + self.origin)

    def place_at(self, level: int | float, x: float, y: float) -> tuple[int | float, object]:
        """Return how a contact names the point of a slab at x and y in the world: as a corner, where it is one."""
        at = tuple(round(value, DIGITS) + 0.0 for value in self.in_plan(x, y))
        return level, self.plans[self._level(level)[0] - 1].name_of(*at) or at

    @cached_property
    def points(self) -> Mapping[str, Location]:
        """The centres of mass, ``"floor 2"``, and the corners, ``"floor 2 ne"``."""
        found: dict[str, Location] = {}
        for floor, plan in enumerate(self.plans, 1):
            found[f"floor {floor}"] = self._at(floor, self.mass_centres[floor - 1])
            for name, corner in zip(plan.names, plan.vertices, strict=True):
                found[f"floor {floor} {name}"] = self._at(floor, np.array(corner))
        return MappingProxyType(found)

    def location(self, place: object = None) -> Location | None:
        """Return a floor's centre of mass, 2 or ``"floor 2"``, or a point of a slab or of a column.

        A point is ``(level, where)``: a floor or a height such as ``"4.5 m"``, and a corner ``"ne"`` or 3, the middle
        of an edge ``"e"``, or x and y in plan coordinates. Degrees of freedom and weights are no point.
        """
        if place is None or isinstance(place, Mapping) or (isinstance(place, str) and place in self.dof_names):
            return None
        if isinstance(place, str):
            if place in self.points:
                return self.points[place]
            if place.strip()[:1].isdigit():
                raise refusal("place", self.owner, self._place_rule(), place, f'Write ({place!r}, "ne").')
            raise UnknownNameError(f"place on {self.owner}:", place, (*self.points, *self.dof_names))
        if isinstance(place, (tuple, list)) and len(place) == 2:
            level = self._taken_level(place[0])
            plan = self.plans[self._level(level)[0] - 1]
            return self._at(level, np.array(plan.point(place[1], f"floor {self._level(level)[0]} of {self.owner}")))
        if isinstance(place, (int, np.integer)) and not isinstance(place, bool):
            floor, _ = self._level(self._taken_level(place))
            return self._at(floor, self.mass_centres[floor - 1])
        raise refusal("place", self.owner, self._place_rule(), place)

    def drift_rows(self, storey: int, at: Any = None) -> Array:
        """Return how far a slab moves beyond the one below, at its centre of mass or a point of it; shape (3, dofs)."""
        i = self._taken_storey(storey, self.floors) - 1
        point = (
            self.mass_centres[i] if at is None else np.array(self.plans[i].point(at, f"floor {storey} of {self.owner}"))
        )
        top = self._at(storey, point).rows
        return top - self._at(storey - 1, point).rows if i else top

    def above(self, storey: int) -> Array:
        """Return 1 for each degree of freedom of the slabs above a storey, 0 for others."""
        floors = np.repeat(np.arange(1, self.floors + 1), 3)
        return (floors >= self._taken_storey(storey, self.floors)).astype(float)

    def wireframe(self) -> Wireframe:
        """Return how the building is drawn: slabs, and uprights at their corners; without heights, storeys of 3 m."""
        names: list[str] = []
        positions: list[Array] = []
        rows: list[Array] = []
        edges: list[tuple[int, int]] = []
        levels: list[Level] = []
        heights = self.heights or tuple(DRAWN_STOREY * floor for floor in range(1, self.floors + 1))
        under = [*self.plans[:1], *self.plans]  # the ground floor is as the first slab
        below: Sequence[int] = ()
        for floor, (plan, height) in enumerate(zip(under, (0.0, *heights), strict=True)):
            first = len(positions)
            for name, corner in zip(plan.names, plan.vertices, strict=True):
                names.append(f"floor {floor} {name}" if floor else f"ground {name}")
                positions.append(np.array([*self.in_world(*corner), height]))
                rows.append(self._at(floor, np.array(corner)).rows if floor else np.zeros((3, 3 * self.floors)))
            around = range(first, len(positions))
            if floor:
                edges += zip(below, around, strict=True) if len(below) == len(around) else ()
                centre = self.mass_centres[floor - 1]
                names.append(f"floor {floor}")
                positions.append(np.array([*self.in_world(*centre.tolist()), height]))
                rows.append(self._at(floor, centre).rows)
                corners = tuple(around) if plan.counter_clockwise else tuple(reversed(around))
                turning = np.eye(3 * self.floors)[3 * floor - 1]
                levels.append(Level(f"floor {floor}", corners, len(positions) - 1, turning))
            below = around
        return Wireframe(tuple(names), np.array(positions), np.array(rows), tuple(edges), tuple(levels))

    def row(self, place: object = None) -> Array:
        """Return r with u(place) = r·u; of a point along x, other directions by `read`."""
        point = self.location(place)
        return super().row(place) if point is None else frozen(point.rows[0])

    def place_name(self, place: object) -> str:
        """Return what a place is called behind the building's name: ``"floor 2"``, ``"floor 2 ne"``."""
        if storey_of(place) is not None:
            return super().place_name(place)
        if isinstance(place, (int, np.integer)):
            return f"floor {place}"
        if isinstance(place, (tuple, list)) and len(place) == 2:
            level = self._taken_level(place[0])
            plan = self.plans[self._level(level)[0] - 1]
            at = plan.point(place[1], self.owner)
            where = place[1] if isinstance(place[1], str) else plan.name_of(*at) or "({:g}, {:g})".format(*at)
            return f"{self.place_name(level)} {where}"
        return super().place_name(place)

    def _at(self, level: int | float, plan_point: Array) -> Location:
        """Return a point of a slab, or of an upright column between two slabs."""
        floor, share = self._level(level)
        rows = np.zeros((3, 3 * self.floors))
        for i, weight in ((floor - 1, share), (floor - 2, 1.0 - share)):
            if weight and i >= 0:
                x, y = self._axes @ (plan_point - self.mass_centres[i])
                rows[:2, 3 * i : 3 * i + 3] += weight * np.array([[1.0, 0.0, -y], [0.0, 1.0, x]])
        height = level if isinstance(level, float) else None if self.heights is None else self.heights[floor - 1]
        position = None if height is None else (*self.in_world(*plan_point.tolist()), height)
        return Location(position, frozen(rows + 0.0))

    def _taken_level(self, given: Any) -> int | float:
        """Take a floor (1 …) or a height, a float or text with a unit."""
        if isinstance(given, (int, np.integer)) and not isinstance(given, bool):
            return int(given)
        return number(given, "m", name="height", owner=self.owner)

    def _level(self, level: int | float) -> tuple[int, float]:
        """Return the floor at a level or above it, and the share of its motion; the rest is that of the floor below."""
        if isinstance(level, int):
            if not 1 <= level <= self.floors:
                rule = f"must lie in 1…{self.floors}"
                raise refusal("floor", self.owner, rule, level, "The first slab above ground is 1.")
            return level, 1.0
        if self.heights is None:
            raise refusal("heights", self.owner, "must be given before a height can be touched", level,
                          "Give the heights of its slabs above ground [m].")  # fmt: skip
        if not 0.0 < level <= self.heights[-1]:
            raise refusal("height", self.owner, f"must lie in (0, {self.heights[-1]:g}] m", level)
        levels = np.array([0.0, *self.heights])
        i = int(np.searchsorted(levels, level))
        return i, float((level - levels[i - 1]) / (levels[i] - levels[i - 1]))

    def _place_rule(self) -> str:
        return (
            f'must be a floor (1…{self.floors}), a point such as (2, "ne") or (2, (3.0, 4.5)), or a degree of freedom'
        )
