"""All facing floors of two neighbours at once, and facing edges of decks."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, Protocol, cast

import numpy as np

from carom.contact.bearing import Bearing
from carom.contact.contact import Contact, checked_law
from carom.contact.deck_facing import Outlined, deck_contacts, soil_bearings
from carom.contact.edges import Array, FacingEdges, facing_edges, outer_edge
from carom.contact.friction import Friction
from carom.contact.relation import Place
from carom.contact.solid_facing import Faced, solid_contacts
from carom.errors import refusal
from carom.joints import Joint
from carom.laws.base import CompliantLaw
from carom.laws.impulse import ImpulsiveLaw
from carom.quantity_text import is_quantity
from carom.units import array

__all__ = ["Facade", "Facing", "facing"]

Levels = tuple[int | float | None, int | float | None]
"""Floors, or heights [m], at which two neighbours meet; None: of a wall."""
LEVEL = 1e-3
"""Slabs whose heights differ by less [m] stand at the same height."""


class Facade(Protocol):
    """What a neighbour shows: its floors, their heights where known, and whether all of it moves alike."""

    @property
    def name(self) -> str:
        """What it is called."""

    @property
    def floors(self) -> int:
        """How many floors it has."""

    @property
    def slab_heights(self) -> tuple[float, ...] | None:
        """Their heights above the ground [m], where known; of frames those of rigid slabs."""

    @property
    def rigid(self) -> bool:
        """Whether all of it moves alike."""

    def outline(self, level: int | float) -> Array | None:
        """The corners of a slab in plan, counter-clockwise; None where it has no plan."""

    def place_at(self, level: int | float, x: float, y: float) -> tuple[int | float, object]:
        """How a contact names a point of a slab."""

    def place_name(self, place: object) -> str:
        """What a place is called."""


@dataclass(frozen=True)
class Facing:
    """One contact for every pair of facing floors; a `Problem`, which knows the floors, works them out."""

    left: str | int
    right: str | int
    gap: float | tuple[float, ...] | None = field(default=None, kw_only=True)
    """Distance at rest [m], one for all or one per pair, bottom to top. Of slabs that meet at two points, one for each
    of the two on all floors, or one for each on each floor. None, of decks: as they stand."""
    law: CompliantLaw | ImpulsiveLaw | None = field(default=None, kw_only=True)
    """None: of an abutment with backfill."""
    columns: bool = field(default=False, kw_only=True)
    """Whether a slab without a partner at its height meets the neighbour's columns there."""
    column_law: CompliantLaw | ImpulsiveLaw | None = field(default=None, kw_only=True)
    """The law where a slab meets columns; None: `law`."""
    friction: Friction | None = field(default=None, kw_only=True)
    """Of whatever has a plan, with a law that has a force; impulsive laws have theirs."""
    edges: tuple[object, object] = field(default=(None, None), kw_only=True)
    """Of decks: which edges face each other; None: the nearest that do. Of bodies in space: which faces; None: all."""

    def __post_init__(self) -> None:
        put = object.__setattr__
        edges = []
        for side, known in zip(("left", "right"), self.edges, strict=True):
            place = Place.of(getattr(self, side), name=side, owner="facing")
            edge = isinstance(place.at, str) and not is_quantity(place.at)
            if place.at is not None and not edge:
                raise refusal(side, "facing", "must be a structure, all its floors are meant", tuple(place)[:2])
            put(self, side, place.structure)
            edges.append(place.at if edge else known)
        put(self, "edges", tuple(edges))
        if self.gap is not None:
            gaps = array(self.gap, "m", name="gap", owner="facing")
            if gaps.ndim > 1:
                raise refusal("gap", "facing", "must be one number, or one for each pair of floors", self.gap)
            put(self, "gap", tuple(gaps.tolist()) if gaps.ndim else float(gaps))
        for law in self.laws:
            checked_law(law, "facing")
        if not isinstance(self.columns, bool):
            raise refusal("columns", "facing", "must be True or False", self.columns)
        if self.column_law is not None and not self.columns:
            raise refusal(
                "column_law", "facing", "must be left out where slabs meet slabs only", self.column_law.name,
                "Slabs meet columns with columns=True.",
            )  # fmt: skip

    @property
    def laws(self) -> tuple[CompliantLaw | ImpulsiveLaw, ...]:
        """The law of slabs, and that of columns where there is one."""
        return tuple(law for law in (self.law, self.column_law) if law is not None)

    def replace(self, **changes: Any) -> Facing:
        """Return a copy with some fields changed; ``law=`` sets that of columns too, and leaves backfill as it is."""
        if "law" in changes:
            changes.setdefault("column_law", None)
            if self.law is None:
                del changes["law"]
        return replace(self, **changes)

    def bearings(self, left: Facade, right: Facade) -> tuple[Bearing, ...]:
        """Return what the backfill of an abutment on one side does to the deck on the other."""
        soil = _soil(left, right)
        if soil is None or not isinstance(left, Outlined) or not isinstance(right, Outlined):
            return ()
        return soil_bearings(left, right, self.edges, self.gap, soil)

    def expand(self, left: Facade, right: Facade) -> tuple[Contact, ...]:
        """Return the contacts between two neighbours, bottom to top."""
        if isinstance(left, Outlined) and isinstance(right, Outlined):
            return self._decks(left, right)
        if isinstance(left, Faced) and isinstance(right, Faced):
            return solid_contacts(left, right, self.edges, self.gap, self.law, self.friction)
        self._refuse_what_decks_have(left, right)
        levels = self._levels(left, right)
        met = [meeting for at, bt in levels for meeting in _meetings(left, right, at, bt)]
        assert self.gap is not None  # refused above
        gaps = self.gap if isinstance(self.gap, tuple) else (self.gap,)
        each = len(met) // len(levels)
        if len(gaps) not in {1, each, len(met)} or (len(gaps) == 1 and isinstance(self.gap, tuple) and len(met) > 1):
            corners = "" if each == 1 else f", one for each of the {each} points where two slabs meet,"
            pairs = f"{len(levels)} pairs of floors" if each == 1 else f"{len(met)} points in all"
            raise refusal(
                "gap", _owner(left, right), f"must be one number{corners} or one for each of {pairs}", gaps,
            )  # fmt: skip
        found = []
        for k, (a, b, name, along) in enumerate(met):
            law = self.laws[-1 if isinstance(_level(a.at), float) or isinstance(_level(b.at), float) else 0]
            found.append(Contact(a, b, gap=gaps[k % len(gaps)], law=law, name=name, **self._sliding(law, along)))
        return tuple(found)

    def _sliding(self, law: CompliantLaw | ImpulsiveLaw, along: _Sides) -> dict[str, Any]:
        """Return what a contact has of friction; refuse it where nothing says how sides slide along each other."""
        impulsive = isinstance(law, ImpulsiveLaw)
        if not (law.friction > 0.0 if isinstance(law, ImpulsiveLaw) else self.friction is not None):
            return {}
        if along is None:
            raise refusal(
                "friction", law.name if impulsive else "facing",
                "must be 0 for facing floors without a plan, which do not slide along each other",
                getattr(law, "friction", self.friction),
                "Buildings that turn and frames with rigid slabs have one. Elsewhere write a Contact with a `tangent` "
                "for each place that can slide.",
            )  # fmt: skip
        return {"tangent": along} if impulsive else {"tangent": along, "friction": self.friction}

    def _decks(self, left: Outlined, right: Outlined) -> tuple[Contact, ...]:
        owner = f"facing({left.name!r}, {right.name!r})"
        if self.columns:
            raise refusal("columns", owner, "must be left out for decks", self.columns)
        if _soil(left, right) is None:
            return deck_contacts(left, right, self.edges, self.gap, self.law, self.friction)
        for name, value in (("law", self.law), ("friction", self.friction)):
            if value is not None:
                raise refusal(
                    name, owner, "must be left out where an abutment has backfill, which pushes back by its own rule",
                    value, "A backwall that is struck and has mass is a deck of its own, on bearings of backfill.",
                )  # fmt: skip
        return ()

    def _refuse_what_decks_have(self, left: Facade, right: Facade) -> None:
        """Refuse what only decks and abutments may leave out, or have."""
        owner = _owner(left, right)
        for name, value in (("gap", self.gap), ("law", self.law)):
            if value is None:
                raise refusal(name, owner, "must be given", None, "Only decks say by their places how far they stand.")
        if self.edges != (None, None):
            raise refusal("left, right", owner, "must be structures, all their floors are meant", self.edges)

    def _levels(self, left: Facade, right: Facade) -> list[Levels]:
        owner = _owner(left, right)
        if left.rigid and right.rigid:
            return [(None, None)]
        for side in (left, right):
            if not side.rigid and not _count(side):
                raise refusal(
                    "floors", owner, "must be known", side.name, "Write a Contact for each place that can meet."
                )
        if right.rigid:
            return [(floor, None) for floor in range(1, _count(left) + 1)]
        if left.rigid:
            return [(None, floor) for floor in range(1, _count(right) + 1)]
        ours, theirs = left.slab_heights, right.slab_heights
        if ours is None or theirs is None:
            if self.columns:
                missing = left.name if ours is None else right.name
                raise refusal("columns", owner, "must know the heights of both", missing, "Give `heights` to it.")
            return [(floor, floor) for floor in range(1, min(_count(left), _count(right)) + 1)]
        return _by_height(np.array(ours), np.array(theirs), self.columns, owner)


def facing(
    left: Any,
    right: Any,
    *,
    gap: Any = None,
    law: CompliantLaw | ImpulsiveLaw | None = None,
    columns: bool = False,
    column_law: CompliantLaw | ImpulsiveLaw | None = None,
    friction: Friction | None = None,
) -> Facing:
    """Pair all facing floors of two neighbours, `left` standing left of `right`.

    Slabs of buildings that turn (`carom.TorsionalBuilding`), and rigid slabs of frames in space, meet where edges of
    theirs face each other in plan: at both ends of the stretch along which they do, so that there are two contacts on
    each level.

    Decks (`carom.Deck`) and abutments meet where edges face each other in plan: every corner of one against the edge
    of the other, both ways, wherever both move, and only between the ends of that edge. Against an abutment with
    backfill the deck's corners press on soil.

    Floors of equal number meet; where both buildings have heights, floors of equal height, to a
    millimetre. With ``columns=True`` a slab without such a partner meets the neighbour's columns at its
    height. Every floor faces a wall.

    Parameters
    ----------
    left, right
        Structures by name or index; of decks an edge may be named, ``("span 1", "e")``.
    gap
        Distance at rest [m]: one for all, or one per pair, bottom to top. Between slabs that meet at two points also
        one for each of the two, the same on all levels, or for each of the two on each level; first the point on the
        right hand, seen from `left` to `right`: south before north for neighbours along x. Decks may leave it out: they
        stand as far apart as they are placed.
    law
        The law of every pair.
    columns
        Whether slabs may meet columns.
    column_law
        The law where they do: a column gives way before a slab does. By default `law`.
    friction
        Coulomb's, beside a law that has a force, of neighbours that have a plan: decks and abutments, buildings that
        turn, frames with rigid slabs. Slabs slide along each other horizontally.
    """
    return Facing(left, right, gap=gap, law=law, columns=columns, column_law=column_law, friction=friction)


def _by_height(ours: np.ndarray[Any, Any], theirs: np.ndarray[Any, Any], columns: bool, owner: str) -> list[Levels]:
    """Pair slabs at equal heights, and slabs with columns where asked; sorted upwards."""
    level = np.abs(ours[:, None] - theirs[None, :]) <= LEVEL
    found: list[tuple[float, int | float, int | float]] = [
        (float(ours[i]), int(i) + 1, int(j) + 1) for i, j in np.argwhere(level)
    ]
    if columns:
        free = np.flatnonzero(~level.any(axis=1) & (ours < theirs[-1]))
        found += [(float(ours[i]), int(i) + 1, float(ours[i])) for i in free]
        free = np.flatnonzero(~level.any(axis=0) & (theirs < ours[-1]))
        found += [(float(theirs[j]), float(theirs[j]), int(j) + 1) for j in free]
    if not found:
        raise refusal(
            "heights", owner, "must agree for some pair of floors", (ours.tolist(), theirs.tolist()),
            "Slabs meet columns with columns=True.",
        )  # fmt: skip
    return [(at, bt) for _, at, bt in sorted(found)]


_Sides = tuple[tuple[float, ...] | None, tuple[float, ...] | None] | None
"""Along what both sides of a contact slide; None: one that does not, or neither."""


class _Meeting(NamedTuple):
    """Two places that meet, and what their contact is called; empty: as its places are."""

    a: Place
    b: Place
    name: str = ""
    along: _Sides = None


def _meetings(left: Facade, right: Facade, at: int | float | None, bt: int | float | None) -> list[_Meeting]:
    """Return the places where two neighbours meet at a level: one, or of slabs that turn both ends of facing edges."""
    ours, theirs = (
        None if side.rigid or level is None else side.outline(level) for side, level in ((left, at), (right, bt))
    )
    if ours is None and theirs is None:
        return [_Meeting(Place(left.name, at), Place(right.name, bt))]
    found = _facing(ours, theirs)
    if found is None:
        raise refusal(
            "origin", _owner(left, right), "must place the two beside each other, with edges that face", "none that do",
            "Give `origin` (and `angle`) to the buildings, or write a Contact for each place that can meet.",
        )  # fmt: skip
    met = []
    for a, b in found.ends:
        places = [
            Place(side.name, level)
            if outline is None
            else Place(side.name, side.place_at(cast("int | float", level), *point.tolist()), found.direction)
            for side, level, outline, point in ((left, at, ours, a), (right, bt, theirs, b))
        ]
        label = " | ".join(
            side.name if place.at is None else f"{side.name} {side.place_name(place.at)}"
            for side, place in zip((left, right), places, strict=True)
        )
        # what has no plan moves along x only
        sides = [None if outline is None else found.along for outline in (ours, theirs)]
        met.append(_Meeting(places[0], places[1], label, (sides[0], sides[1])))
    return met


def _facing(ours: Array | None, theirs: Array | None) -> FacingEdges | None:
    """Return where two outlines face each other; one without a plan faces all of the other's edge, across x."""
    if ours is not None and theirs is not None:
        return facing_edges(ours, theirs)
    outline, sign = (theirs, -1.0) if ours is None else (ours, 1.0)
    assert outline is not None  # one of them has a plan
    ends = outer_edge(outline, np.array([sign, 0.0]))
    if ends is None:
        return None
    return FacingEdges("x", tuple((end, end) for end in (ends if sign > 0.0 else ends[::-1])))


def _count(side: Facade) -> int:
    return side.floors or len(side.slab_heights or ())


def _level(at: object) -> object:
    """Return the floor or the height of a place."""
    return at[0] if isinstance(at, tuple) else at


def _owner(left: Facade, right: Facade) -> str:
    return f"facing({left.name!r}, {right.name!r})"


def _soil(left: object, right: object) -> Joint | None:
    """Return the backfill of an abutment among the two sides."""
    for side in (left, right):
        found = getattr(side, "backfill", None)
        if isinstance(found, Joint):
            return found
    return None
