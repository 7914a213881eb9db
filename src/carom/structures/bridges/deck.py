"""A bridge deck seen from above: a rigid plate that moves along x and y and turns, as far as it likes.

To the contract of linear structures it is a free body with three degrees of freedom, the displacements of its centre of
mass and its rotation. What turns by more than a little is for engines that know its plan (`turning`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np

from carom.errors import UnknownNameError, refusal
from carom.structures.base import LinearStructure, one_of
from carom.structures.damping import Viscous
from carom.structures.drawing.wireframe import Wireframe, level_of
from carom.structures.matrices import Array, frozen
from carom.structures.points import Location
from carom.structures.torsional.plan import CORNERS, EDGES, Plan, is_point, points_of
from carom.units import POSITIVE, Range, number

__all__ = ["Deck"]

SKEW = Range(-math.radians(80.0), math.radians(80.0), low_open=False, high_open=False)
CENTRE = "centre"


@dataclass(frozen=True, eq=False, repr=False)
class Deck(LinearStructure):
    """A rigid deck in plan, of the degrees of freedom ``ux``, ``uy`` of its centre of mass, and ``rz``.

    Its plan has coordinates of its own, x along the bridge and y across, with the origin in the middle of a deck of
    `length` and `width`; `at` and `angle` place them in the world. A skew of +20° turns both ends clockwise by 20° from
    square, seen from above: the north corners ne and nw lie farther east than se and sw. Corners are called sw, se, ne
    and nw, edges w, e, s and n, by their numbers where a `plan` is given.

    Examples
    --------
    >>> import carom
    >>> span = carom.Deck(length="30 m", width="10 m", skew="20 deg", mass="400 t", points={"west bearing": (-14, 0)})
    >>> span.dof_names
    ('ux', 'uy', 'rz')
    >>> span.world("ne").round(3)
    array([16.82,  5.  ])
    """

    length: float | None = None
    """Along its axis [m]."""
    width: float | None = None
    """Across its axis [m]."""
    skew: float = 0.0
    """Of its ends [rad], clockwise from square; ``"20 deg"``."""
    plan: Any = None
    """Instead of length, width and skew: the corners of a polygon, x and y [m] each."""
    mass: float | None = None
    """[kg], > 0."""
    inertia: float | None = None
    """About the vertical axis through the centre of mass [kg·m²]; None: that of a uniform plate."""
    centre_of_mass: Any = None
    """In plan coordinates [m]; None: the centroid of the plan."""
    at: Any = (0.0, 0.0)
    """Where the origin of its plan stands in the world, x and y [m]."""
    angle: float = 0.0
    """How far the plan is turned, counter-clockwise [rad]."""
    marks: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    """What `points` says, as it was taken."""
    name: str = ""
    free: bool = False
    """Whether nothing supports it: a single body in an impact test. A deck that is not free needs bearings."""
    turning: ClassVar[bool] = True

    def __init__(
        self,
        *,
        length: Any = None,
        width: Any = None,
        skew: Any = 0.0,
        plan: Any = None,
        mass: Any = None,
        inertia: Any = None,
        centre_of_mass: Any = None,
        at: Any = (0.0, 0.0),
        angle: Any = 0.0,
        points: Mapping[str, Any] | None = None,
        marks: Mapping[str, Any] | None = None,
        name: str = "",
        free: bool = False,
    ) -> None:
        """Take a deck; `points` names further points of it, x and y [m] in plan coordinates."""
        put = object.__setattr__
        put(self, "name", name)
        self._take_name()
        form = one_of(self.owner, length=length, plan=plan)
        owner = self.owner
        if form == "plan":
            for what, value in (("width", width), ("skew", skew or None)):
                if value is not None:
                    raise refusal(what, owner, "must be left out where `plan` has the corners", value)
            put(self, "plan", Plan.of(plan, owner).vertices)
        for what, value in (("length", length), ("width", width)):
            given = number(value, "m", name=what, owner=owner, within=POSITIVE) if form == "length" else None
            put(self, what, given)
        if form == "length":
            put(self, "plan", None)
        put(self, "skew", number(skew, "rad", name="skew", owner=owner, within=SKEW))
        put(self, "mass", number(mass, "kg", name="mass", owner=owner, within=POSITIVE))
        taken = None if inertia is None else number(inertia, "kg*m^2", name="inertia", owner=owner, within=POSITIVE)
        put(self, "inertia", taken)
        put(self, "at", _one_point(at, "at", owner))
        put(self, "angle", number(angle, "rad", name="angle", owner=owner))
        if not isinstance(free, bool):
            raise refusal("free", owner, "must be True or False", free)
        put(self, "free", free)
        put(self, "centre_of_mass", None)
        if centre_of_mass is not None:
            put(self, "centre_of_mass", _one_point(centre_of_mass, "centre_of_mass", owner))
        put(self, "marks", self._take_points({} if points is None and marks is None else points or marks))

    def _take_points(self, given: Any) -> Mapping[str, tuple[float, float]]:
        if not isinstance(given, Mapping):
            raise refusal("points", self.owner, "must map names to x and y", given, 'Write {"bearing": (-14, 0)}.')
        taken = (*self.corner_names, *self.edge_names, CENTRE, *self.dof_names)
        for name in given:
            if not isinstance(name, str) or not name.strip() or name in taken:
                raise refusal("points", self.owner, f"must have other names than {', '.join(taken)}", name)
        return MappingProxyType(
            {name: _one_point(where, f"points, {name}", self.owner) for name, where in given.items()}
        )

    # geometry, at rest ---------------------------------------------------------------------------------

    @cached_property
    def corners(self) -> Array:
        """The corners in plan coordinates [m], counter-clockwise, shape (V, 2)."""
        if self.plan is not None:
            plan = Plan(self.plan)
            return plan.corners if plan.counter_clockwise else frozen(plan.corners[::-1].copy())
        assert self.length is not None  # one of the two forms
        assert self.width is not None
        x, y = 0.5 * self.length, 0.5 * self.width
        lean = y * math.tan(self.skew)
        return frozen(np.array([[-x - lean, -y], [x - lean, -y], [x + lean, y], [-x + lean, y]]))

    @property
    def corner_names(self) -> tuple[str, ...]:
        """What the corners are called, in their order."""
        return CORNERS if self.plan is None else tuple(f"corner {i}" for i in range(1, len(self.plan) + 1))

    @property
    def edge_names(self) -> tuple[str, ...]:
        """What the edges are called; edge i of a polygon leads from corner i to the next, counter-clockwise."""
        return tuple(EDGES) if self.plan is None else tuple(f"edge {i}" for i in range(1, len(self.plan) + 1))

    def edge(self, which: object) -> tuple[int, int]:
        """Return the corners between which an edge lies, counter-clockwise, by its name or its number from 1."""
        count = len(self.corners)
        if isinstance(which, int) and not isinstance(which, bool) and 1 <= which <= count:
            return which - 1, which % count
        if not isinstance(which, str) or which.strip().lower() not in self.edge_names:
            raise UnknownNameError(f"edge of {self.owner}:", str(which), self.edge_names)
        name = which.strip().lower()
        if self.plan is None:
            first, second = EDGES[name]
            i, j = CORNERS.index(first), CORNERS.index(second)
            return (i, j) if j == (i + 1) % 4 else (j, i)
        i = self.edge_names.index(name)
        return i, (i + 1) % count

    @cached_property
    def _plan(self) -> Plan:
        return Plan(tuple((float(x), float(y)) for x, y in self.corners))

    @cached_property
    def centre(self) -> tuple[float, float]:
        """The centre of mass in plan coordinates [m]."""
        if self.centre_of_mass is not None:
            x, y = self.centre_of_mass
            return x, y
        return (0.0, 0.0) if self.plan is None else self._plan.centroid

    @cached_property
    def turning_inertia(self) -> float:
        """About the vertical axis through the centre of mass [kg·m²]; of a uniform plate where it is not given."""
        assert self.mass is not None  # never left out
        if self.inertia is not None:
            return self.inertia
        off = np.array(self.centre) - self._plan.centroid
        return self.mass * (self._plan.radius**2 + float(off @ off))

    def local(self, where: object) -> tuple[float, float]:
        """Return the plan coordinates of a corner, an edge's middle, a named point, or x and y."""
        if isinstance(where, str):
            name = where.strip()
            if name in self.marks:
                return self.marks[name]
            low = name.lower()
            if low == CENTRE:
                return self.centre
            if low in self.corner_names:
                x, y = self.corners[self._corner_index(low)].tolist()
                return x, y
            if low in self.edge_names:
                x, y = self.corners[list(self.edge(low))].mean(axis=0).tolist()
                return x, y
            known = (*self.corner_names, *self.edge_names, CENTRE, *self.marks)
            raise UnknownNameError(f"point of {self.owner}:", where, known)
        if not is_point(where):
            rule = f"must be one of {', '.join(self.corner_names)}, a named point, or x and y in plan coordinates"
            raise refusal("place", self.owner, rule, where)
        return _one_point(where, "place", self.owner)

    def _corner_index(self, name: str) -> int:
        if self.plan is None:
            return CORNERS.index(name)
        i = self.corner_names.index(name)
        return i if Plan(self.plan).counter_clockwise else len(self.plan) - 1 - i

    def world(self, where: object) -> Array:
        """Return where a point stands in the world at rest [m], shape (2,)."""
        return frozen(np.array(self.at) + self._axes @ np.array(self.local(where)))

    def arm(self, where: object) -> Array:
        """Return a point from the centre of mass, along the axes of the world at rest [m], shape (2,)."""
        return frozen(self._axes @ (np.array(self.local(where)) - np.array(self.centre)))

    @property
    def outlined(self) -> Array:
        """The corners in the world at rest [m], counter-clockwise, shape (V, 2)."""
        return frozen(np.array(self.at) + self.corners @ self._axes.T)

    @cached_property
    def _axes(self) -> Array:
        c, s = math.cos(self.angle), math.sin(self.angle)
        return np.array([[c, -s], [s, c]])

    # the contract of a linear structure ----------------------------------------------------------------

    @property
    def dof_names(self) -> tuple[str, ...]:
        """Displacements of the centre of mass along x and y, and the rotation about the vertical axis."""
        return ("ux", "uy", "rz")

    @cached_property
    def influence(self) -> Array:
        """ι: the displacements ride on the ground, the rotation does not."""
        return frozen(np.eye(3) * (1.0, 1.0, 0.0))

    @cached_property
    def mass_matrix(self) -> Array:
        """Mass and inertia on the diagonal."""
        return frozen(np.diag([self.mass, self.mass, self.turning_inertia]).astype(np.float64))

    @property
    def stiffness_matrix(self) -> Array:
        """Zero: it rests on bearings."""
        return frozen(np.zeros((3, 3)))

    @cached_property
    def points(self) -> Mapping[str, Location]:
        """Corners, the centre of mass and the named points."""
        return MappingProxyType({name: self._located(name) for name in (*self.corner_names, CENTRE, *self.marks)})

    def location(self, place: object = None) -> Location | None:
        """Return a point of the deck; None where the place is a degree of freedom or weights."""
        if place is None or isinstance(place, (Mapping, int)) or place in self.dof_names:
            return None
        return self._located(place)

    def _located(self, where: object) -> Location:
        """Return a point with its rows for small rotations."""
        (x, y), (ax, ay) = self.world(where).tolist(), self.arm(where).tolist()
        rows = np.array([[1.0, 0.0, -ay], [0.0, 1.0, ax], [0.0, 0.0, 0.0]])
        return Location((x, y, 0.0), frozen(rows))

    def place_name(self, place: object) -> str:
        """Return what a place is called behind the deck's name."""
        if isinstance(place, str):
            return place
        if is_point(place):
            x, y = self.local(place)
            return f"({x:g}, {y:g})"
        return super().place_name(place)

    def place_at(self, level: int | float, x: float, y: float) -> tuple[int | float, object]:
        """Return the plan coordinates of a point of the world; a deck has one level."""
        return level, tuple((self._axes.T @ (np.array([x, y]) - self.at)).tolist())

    def wireframe(self) -> Wireframe | None:
        """Return its outline, as one level."""
        names = list(self.corner_names)
        positions = [np.array(self.points[name].position) for name in names]
        rows = [np.array(self.points[name].rows) for name in names]
        around = tuple(range(len(names)))
        level = level_of("deck", around, positions, rows, names)
        edges = tuple((i, (i + 1) % len(around)) for i in around)
        return Wireframe(tuple(names), np.array(positions), np.array(rows), edges, (level,) if level else ())

    def replace(self, **changes: Any) -> Deck:
        """Return a copy with some parameters changed."""
        names = [entry.name for entry in fields(self)]
        known = {*names, "points"}
        for name in changes:
            if name not in known:
                raise UnknownNameError(f"field of {self.owner}:", name, known)
        kept: dict[str, Any] = {name: getattr(self, name) for name in names} | changes
        return Deck(**kept)

    def _damping(self) -> Viscous:
        return Viscous(np.zeros((3, 3)))

    def _eigen(self) -> tuple[Array, Array]:
        return np.zeros(3), np.diag(1.0 / np.sqrt(np.diag(self.mass_matrix)))

    def __repr__(self) -> str:
        label = f" '{self.name}'" if self.name else ""
        size = f"{len(self.corners)} corners" if self.length is None else f"{self.length:g} m × {self.width:g} m"
        skew = f", skew {math.degrees(self.skew):g}°" if self.skew else ""
        return f"<Deck{label}: {size}{skew}>"


def _one_point(given: Any, name: str, owner: str) -> tuple[float, float]:
    found = points_of(given, name, owner)
    if len(found) != 1:
        raise refusal(name, owner, "must be x and y", given)
    return found[0]
