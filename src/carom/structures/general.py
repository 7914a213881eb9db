"""Any linear structure, by its matrices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, cast

import numpy as np
from scipy import linalg

from carom.errors import refusal
from carom.joints import Joint
from carom.structures.condensation import Condensed, condensed
from carom.structures.damped import Damped
from carom.structures.damping import Damping
from carom.structures.drawing.lines import taken_lines
from carom.structures.drawing.wireframe import Wireframe, of_points
from carom.structures.matrices import Array, frozen, square
from carom.structures.points import AXES, Location, Point, Reading, location_rows
from carom.units import NONNEGATIVE, array, number, require

__all__ = ["Structure"]

KEPT_BELOW = 100
"""Degrees of freedom: with fewer, results keep every one; with more, those that are asked for and contact points."""

RIDES = 1e-9
"""Difference of shares of the ground that is rounding."""


@dataclass(frozen=True, eq=False, repr=False)
class Structure(Damped):
    """M ü + C u̇ + K u = −M ι a_g + p, with named degrees of freedom.

    M must be positive definite but for rows of zeros: degrees of freedom without mass follow from the others by
    statics, exactly, and are no degrees of freedom any more; they are places still (`followers`). K may have rigid
    modes. `influence` ι says how each degree of freedom moves with the ground: along x, one number each (a
    rotation has 0), or along x, y and z, three. By default all move along x.

    C is classical damping (`damping_ratio`, `damping`) plus `dashpots`: each acts on a row of its own, and
    costs steps in contact as much as one contact more. A full matrix as `damping` may couple all modes, and costs them
    as many. Between contacts a run flies in complex modes whatever their number (docs/places.md).

    Examples
    --------
    >>> import carom
    >>> bridge = carom.Structure([2.0, 1.0], [[3.0, -1.0], [-1.0, 1.0]], dofs=["pier", "deck"], name="bridge")
    >>> bridge.row("deck")
    array([0., 1.])
    """

    mass_matrix: Array = None  # type: ignore[assignment]
    """M [kg], symmetric, positive definite; a row of numbers is its diagonal."""
    stiffness_matrix: Array = None  # type: ignore[assignment]
    """K [N/m], symmetric, without negative directions."""
    damping_ratio: float | tuple[float, ...] | None = None
    """ζ [–], ≥ 0: the same in every mode, or one per mode, lowest first."""
    damping: Damping | Array | None = None
    """`Rayleigh`, `Caughey` or a matrix C [N·s/m], classical or not."""
    influence: Array = None  # type: ignore[assignment]
    """ι [–], one per degree of freedom, or three."""
    load: Array = None  # type: ignore[assignment]
    """Constant forces p [N], one per degree of freedom."""
    dofs: tuple[str, ...] | None = None
    """Names of the degrees of freedom; ``dof 1``, ``dof 2``, … by default."""
    name: str = ""
    dashpots: Any = ()
    """Pairs of a place and c [N·s/m], ≥ 0. A place is what `row` takes; of two, ``("pier", "deck")``, their difference
    counts."""
    springs: Any = ()
    """Pairs of a place and a joint of `carom.joints` that acts there beyond K: a place as for `dashpots`, or for joints
    of two and three dimensions a list of as many."""
    points: Any = None
    """Names to `Point`: where contacts and outputs may be, along any direction."""
    lines: Any = None
    """How it is drawn: pairs of points by name, or of coordinates x, y, z [m] where nothing moves."""
    outputs: Any = None
    """What results keep: a list of degrees of freedom and points, or names for places. By default every degree of
    freedom below 100, and contact points always."""
    followers: Any = None
    """Degrees of freedom without mass by name: how they follow from the others. Worked out from the matrices."""

    def __post_init__(self) -> None:
        self._take_name()
        put = object.__setattr__
        for needed in ("mass_matrix", "stiffness_matrix"):
            require(getattr(self, needed), needed, self.owner, "Give both matrices, in kg and N/m.")
        mass = array(self.mass_matrix, "kg", name="mass_matrix", owner=self.owner)
        mass = np.diag(np.atleast_1d(mass)) if mass.ndim <= 1 else mass
        n = mass.shape[0]
        mass = square(mass, n, name="mass_matrix", owner=self.owner)
        stiffness = array(self.stiffness_matrix, "N/m", name="stiffness_matrix", owner=self.owner)
        stiffness = square(np.atleast_2d(stiffness), n, name="stiffness_matrix", owner=self.owner)
        put(self, "followers", MappingProxyType(dict(self.followers or {})))
        put(self, "dofs", self._names(n))
        put(self, "influence", self._influence(n))
        put(self, "load", self._load(n))
        put(self, "dashpots", self._take_dashpots())
        put(self, "springs", self._take_springs())
        put(self, "points", self._take_points(n))
        put(self, "lines", taken_lines(self.lines, self.points, self.owner))
        if not mass.any(axis=1).all():
            mass, stiffness = self._condense(mass, stiffness)
            n = mass.shape[0]
        least = float(linalg.eigvalsh(mass, subset_by_index=[0, 0])[0])
        if least <= 1e-14 * np.abs(mass).max():
            raise refusal(
                "mass_matrix", self.owner, "must be positive definite", least,
                "Degrees of freedom without mass have rows of zeros.",
            )  # fmt: skip
        put(self, "mass_matrix", frozen(mass))
        put(self, "stiffness_matrix", frozen(stiffness))
        put(self, "outputs", self._take_outputs(n))
        self._take_damping(n)
        if not self.large:
            self.modes()  # refuses what cannot be

    @property
    def dof_names(self) -> tuple[str, ...]:
        """Names of the degrees of freedom, as given."""
        return cast("tuple[str, ...]", self.dofs)

    def wireframe(self) -> Wireframe | None:
        """Return how it is drawn in space: its lines, or else uprights below its points."""
        return None if self.line else of_points(self.points, self.lines)

    def row(self, place: object = None) -> Array:
        """Return r, shape (dofs,), with u(place) = r·u; degrees of freedom without mass are places too."""
        if isinstance(place, str) and place in self.followers:
            return cast("Array", self.followers[place].row)
        if self.followers and isinstance(place, (int, np.integer)) and not isinstance(place, bool):
            raise refusal("place", self.owner, "must be a name, for it has degrees of freedom without mass", place)
        return super().row(place)

    def read(self, place: object = None, direction: object = None) -> Reading:
        """Return what is read at a place along a direction."""
        if direction is None and isinstance(place, str) and place in self.followers:
            return cast("Reading", self.followers[place])
        found = super().read(place, direction)
        if self.followers and isinstance(place, Mapping):
            unit = {
                dof: number(weight, "", name=f"weight of {dof!r}", owner=self.owner) for dof, weight in place.items()
            }
            share = sum((weight * self.read(dof).share for dof, weight in unit.items()), np.zeros(3))
            return Reading(found.row, frozen(share))
        return found

    def borne(self, place: object = None, direction: object = None) -> Array:
        """Return the part of the row at a place that degrees of freedom with mass have by themselves."""
        if isinstance(place, str) and place in self.followers:
            return np.zeros(len(self.dof_names))
        if self.followers and isinstance(place, Mapping):
            return self.row({dof: weight for dof, weight in place.items() if dof not in self.followers})
        return super().borne(place, direction)

    def _condense(self, mass: Array, stiffness: Array) -> tuple[Array, Array]:
        """Leave degrees of freedom without mass out of all that was taken; return M and K of the others."""
        names, put = self.dof_names, object.__setattr__
        try:
            found = condensed(mass, stiffness)
        except linalg.LinAlgError:
            raise refusal(
                "stiffness_matrix", self.owner, "must hold every degree of freedom without mass",
                [name for name, row in zip(names, mass, strict=True) if not row.any()], "Give it a mass or a spring.",
            ) from None  # fmt: skip
        if not found.kept.size:
            raise refusal("mass_matrix", self.owner, "must have a mass somewhere", 0.0)
        for what, rows in (("dashpots", [row for row, _ in self.dashpots]), ("springs", [r for r, _ in self.springs])):
            if any(np.any(row[..., found.left]) for row in rows):
                raise refusal(
                    what, self.owner, "must not act on degrees of freedom without mass", [names[i] for i in found.left],
                    "Such a force moves them at once. Give them a mass.",
                )  # fmt: skip
        put(self, "damping", self._damping_of(found))
        followers = {
            names[i]: Reading(frozen(found.recover[i]), frozen(self.influence[i])) for i in found.left.tolist()
        }
        put(self, "followers", MappingProxyType({**self.followers, **followers}))
        put(self, "points", MappingProxyType({
            name: Location(point.position, frozen(point.rows @ found.recover), frozen(point.rows[:, found.kept]))
            for name, point in self.points.items()
        }))  # fmt: skip
        put(self, "load", frozen(self.load @ found.recover))
        put(self, "influence", frozen(self.influence[found.kept]))
        put(self, "dashpots", tuple((frozen(row[found.kept]), constant) for row, constant in self.dashpots))
        put(self, "springs", tuple((frozen(rows[:, found.kept]), joint) for rows, joint in self.springs))
        put(self, "dofs", tuple(names[i] for i in found.kept))
        return found.mass, found.stiffness

    def _damping_of(self, found: Condensed) -> Any:
        """Return `damping` without degrees of freedom without mass, on which it must not act."""
        given: Any = self.damping
        n = found.recover.shape[0]
        if isinstance(given, Damping) or np.shape(given) != (n, n):
            return given
        matrix = array(given, "N*s/m", name="damping", owner=self.owner)
        if matrix[found.left].any() or matrix[:, found.left].any():
            raise refusal(
                "damping", self.owner, "must not act on degrees of freedom without mass",
                [self.dof_names[i] for i in found.left], "Their motion would have a memory. Give them a mass.",
            )  # fmt: skip
        return matrix[np.ix_(found.kept, found.kept)]

    def _influence(self, n: int) -> Array:
        asked: object = self.influence
        if asked is None:
            return frozen(np.tile(AXES["x"], (n, 1)))
        given = array(asked, "", name="influence", owner=self.owner)
        if given.shape not in ((n,), (n, 3)):
            rule = f"must be one number for each of {n} degrees of freedom, or three: along x, y and z"
            raise refusal("influence", self.owner, rule, asked)
        return frozen(given if given.ndim == 2 else np.outer(given, AXES["x"]))

    def _load(self, n: int) -> Array:
        asked: object = self.load
        if asked is None:
            return frozen(np.zeros(n))
        given = array(asked, "N", name="load", owner=self.owner)
        if given.shape != (n,):
            raise refusal("load", self.owner, f"must be one number for each of {n} degrees of freedom", asked)
        return frozen(given.copy())

    def _take_dashpots(self) -> tuple[tuple[Array, float], ...]:
        rule = "must be a list of pairs: a place, or two, and a constant [N·s/m]"
        way_out = 'Write [("deck", 1e5), (("pier", "deck"), 2e5)].'
        found = []
        for place, value in self._pairs("dashpots", rule, way_out):
            constant = number(value, "N*s/m", name="dashpots", owner=self.owner, within=NONNEGATIVE)
            row = self._row_of(place)
            if not row.any():
                raise refusal("dashpots", self.owner, "must join two different places", place)
            found.append((row, constant))
        return tuple(found)

    def _take_springs(self) -> tuple[tuple[Array, Joint], ...]:
        rule = "must be a list of pairs: places, and a joint that acts there"
        way_out = 'Write [(("pier", "deck"), carom.Bilinear("1 cm").bound_to("2 MN/m"))].'
        found = []
        for places, joint in self._pairs("springs", rule, way_out):
            if not isinstance(joint, Joint):
                raise refusal("springs", self.owner, rule, (places, joint), way_out)
            several = [places] if joint.dimension == 1 and np.ndim(places) < 2 else list(places)
            if len(several) != joint.dimension:
                told = f"must have {joint.dimension} places for a joint '{joint.name}'"
                raise refusal("springs", self.owner, told, len(several))
            joint.numbers()  # refuses what is not complete
            found.append((frozen(np.array([self._row_of(place) for place in several])), joint))
        return tuple(found)

    def _pairs(self, name: str, rule: str, way_out: str) -> list[tuple[Any, Any]]:
        """Return a field that is a list of pairs; refuse another."""
        given: Any = getattr(self, name)
        if not isinstance(given, Sequence) or isinstance(given, str):
            raise refusal(name, self.owner, rule, given, way_out)
        for pair in given:
            if not isinstance(pair, Sequence) or isinstance(pair, str) or len(pair) != 2:
                raise refusal(name, self.owner, rule, pair, way_out)
        return [(first, second) for first, second in given]

    def _row_of(self, place: Any) -> Array:
        """Return the row of a place, of the difference of two, or as it is given."""
        n = len(self.dof_names)
        if isinstance(place, np.ndarray):
            if place.shape != (n,):
                raise refusal("row", self.owner, f"must have one weight for each of {n} degrees of freedom", place)
            return frozen(array(place, "", name="row", owner=self.owner).copy())
        if isinstance(place, (tuple, list)) and len(place) == 2:
            return frozen(self.row(place[0]) - self.row(place[1]))
        return self.row(place)

    def _take_points(self, n: int) -> Mapping[str, Location]:
        given: Any = {} if self.points is None else self.points
        if not isinstance(given, Mapping) or not all(isinstance(name, str) and name.strip() for name in given):
            raise refusal("points", self.owner, "must map names to points", given, 'Write {"corner": Point(x="ux")}.')
        found = {}
        for name, point in given.items():
            if name in self.dof_names:
                raise refusal("points", self.owner, "must not be called like a degree of freedom", name)
            if isinstance(point, Location) and point.rows.shape == (3, n):  # of a structure that is copied
                found[name] = point
                continue
            if not isinstance(point, Point):
                raise refusal("points", self.owner, "must map names to points", point, 'Write Point(x="ux").')
            rows = [np.zeros(n) if way is None else self.row(way) for way in (point.x, point.y, point.z)]
            found[name] = Location(point.position, frozen(np.array(rows)))
        return MappingProxyType(found)

    def _take_outputs(self, n: int) -> Mapping[str, Array] | None:
        given: Any = self.outputs
        if given is None:
            return None if n < KEPT_BELOW else MappingProxyType({})
        if isinstance(given, str) or not isinstance(given, (Mapping, Sequence)):
            raise refusal(
                "outputs", self.owner, "must be a list of degrees of freedom and points, or names for places", given,
                'Write ["deck"], or {"drift": {"deck": 1, "pier": -1}}.',
            )  # fmt: skip
        if not isinstance(given, Mapping):
            given = {str(name): name for name in given}
        found: dict[str, Array] = {}
        for name, place in given.items():
            if isinstance(place, str) and place in self.points:
                found |= location_rows(place, self.points[place])
            else:
                found[name] = self._row_of(place)
                if isinstance(place, str) and place in self.followers:
                    self._refuse_other_ride(place)
        return MappingProxyType(found)

    def _refuse_other_ride(self, follower: str) -> None:
        """Refuse an output whose share of the ground is another than that of the places it follows."""
        row, share = self.followers[follower]
        if np.abs(share - row @ self.influence).max() > RIDES:
            raise refusal(
                "outputs", self.owner, "must ride on the ground as what they follow does", follower,
                "It is held to the ground itself: its absolute acceleration is no sum of theirs. Give it a mass.",
            )  # fmt: skip

    def _names(self, n: int) -> tuple[str, ...]:
        if self.dofs is None:
            return tuple(f"dof {i}" for i in range(1, n + 1))
        given: Any = self.dofs
        if isinstance(given, str) or not isinstance(given, Sequence) or len(given) != n:
            raise refusal("dofs", self.owner, f"must be {n} names, one for each degree of freedom", given)
        if not all(isinstance(dof, str) and dof.strip() for dof in given) or len(set(given)) < n:
            raise refusal("dofs", self.owner, "must be different, non-empty names", given)
        return tuple(given)

    def __repr__(self) -> str:
        label = f" '{self.name}'" if self.name else ""
        return f"<Structure{label}: {len(self.dof_names)} degrees of freedom>"
