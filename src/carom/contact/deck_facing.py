"""Decks that face each other, and abutments: corners against the facing edge, both ways."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np

from carom.contact.bearing import Bearing
from carom.contact.contact import Contact
from carom.contact.edges import Array
from carom.contact.friction import Friction
from carom.contact.relation import Place
from carom.errors import refusal
from carom.joints import Joint
from carom.laws.base import CompliantLaw
from carom.laws.impulse import ImpulsiveLaw

__all__ = ["Outlined", "deck_contacts", "soil_bearings"]

FACING = math.cos(math.radians(45.0))
"""Edges of decks face each other where their normals are opposite to within so much."""
TIE = 0.01
"""Where corner stands against corner, to within this beside the gap [m], one of the two contacts there reaches so far
past the end of its edge, and the other ends so much before: one of them holds, never both."""


@runtime_checkable
class Outlined(Protocol):
    """A deck, or an abutment, in plan."""

    @property
    def name(self) -> str:
        """What it is called."""

    @property
    def outlined(self) -> Array:
        """Its corners in the world at rest, counter-clockwise."""

    @property
    def corner_names(self) -> tuple[str, ...]:
        """What they are called."""

    def edge(self, which: object) -> tuple[int, int]:
        """The corners between which an edge lies."""

    def place_at(self, level: int | float, x: float, y: float) -> tuple[int | float, object]:
        """How a contact names a point of it."""


class _Face(NamedTuple):
    """An edge of a side: its number, where it starts, its direction, its normal outwards, its length."""

    side: Outlined
    number: int
    start: Array
    along: Array
    normal: Array
    length: float

    @classmethod
    def of(cls, side: Outlined, number: int) -> _Face:
        corners = side.outlined
        start = corners[number]
        span = corners[(number + 1) % len(corners)] - start
        length = float(np.hypot(*span))
        along = span / length
        return cls(side, number, start, along, np.array([along[1], -along[0]]), length)

    @property
    def corners(self) -> tuple[int, int]:
        return self.number, (self.number + 1) % len(self.side.outlined)

    def coordinates(self, point: Array) -> tuple[float, float]:
        """Return how far along the edge a point lies, and how far before it."""
        off = point - self.start
        return float(off @ self.along), float(off @ self.normal)


def deck_contacts(
    left: Outlined,
    right: Outlined,
    edges: tuple[object, object],
    gap: float | tuple[float, ...] | None,
    law: CompliantLaw | ImpulsiveLaw | None,
    friction: Friction | None,
) -> tuple[Contact, ...]:
    """Return the contacts of two sides: those at the right end of the facing edges first, seen from left to right."""
    ours, theirs = _faces(left, right, edges)
    owner = f"facing({left.name!r}, {right.name!r})"
    if law is None:
        raise refusal("law", owner, "must be given, where no backfill stands behind the face", None)
    gaps = gap if isinstance(gap, tuple) else (gap, gap)
    if len(gaps) != 2:
        raise refusal("gap", owner, "must be one number, or one for each of the two ends", gap)
    slips = friction is not None or (isinstance(law, ImpulsiveLaw) and law.friction > 0.0)
    found = []
    for end, asked in enumerate(gaps):
        for face, node, tie in _strikes(ours, theirs, end):
            striker, corner = node
            point = striker.side.outlined[corner]
            at, away = face.coordinates(point)
            foot = face.start + at * face.along
            direction = tuple((-face.normal).tolist())
            place = face.side.place_at(0, *foot.tolist())[1]
            name = striker.side.corner_names[corner]
            sides = Place(striker.side.name, name, direction), Place(face.side.name, place, direction)
            label = f"{striker.side.name} {name} | {face.side.name}"
            along = (tuple(face.along.tolist()),) * 2 if slips else None
            contact = Contact(*sides, gap=away if asked is None else asked, law=law, friction=friction, tangent=along)
            found.append(contact.replace(edge=face.number + 1, overhang=tie, name=label))
    return tuple(found)


def soil_bearings(
    left: Outlined, right: Outlined, edges: tuple[object, object], gap: float | tuple[float, ...] | None, soil: Joint
) -> tuple[Bearing, ...]:
    """Return what the backfill of an abutment is to a deck: half of it at each corner of the deck's end."""
    ours, theirs = _faces(left, right, edges)
    deck, face = (theirs, ours) if len(ours.side.outlined) == 2 else (ours, theirs)
    gaps = gap if isinstance(gap, tuple) else (gap, gap)
    if len(gaps) != 2:
        owner = f"facing({left.name!r}, {right.name!r})"
        raise refusal("gap", owner, "must be one number, or one for each of the two ends", gap)
    half = soil.shared(2) if hasattr(soil, "shared") else soil
    found = []
    for end, asked in enumerate(gaps):
        corner = deck.corners[end if deck is ours else 1 - end]
        point = deck.side.outlined[corner]
        at, away = face.coordinates(point)
        distance = away if asked is None else asked
        rule = _with_gap(half, distance)
        name = deck.side.corner_names[corner]
        foot = face.start + at * face.along
        sides = Place(deck.side.name, name), Place(face.side.name, face.side.place_at(0, *foot.tolist())[1])
        label = f"{deck.side.name} {name} | {face.side.name}"
        found.append(Bearing(*sides, rule=rule, along=tuple((-face.normal).tolist()), name=label))
    return tuple(found)


def _with_gap(soil: Any, distance: float) -> Any:
    """Return soil that is so much farther away [m]; a rule without a gap begins where it is."""
    return replace(soil, gap=soil.gap + distance) if hasattr(soil, "gap") else soil


def _strikes(ours: _Face, theirs: _Face, end: int) -> Iterator[tuple[_Face, tuple[_Face, int], float]]:
    """Yield what may strike at one end, 0 the right one: a face, the corner that strikes it, and its overhang."""
    corner_of_ours, corner_of_theirs = ours.corners[end], theirs.corners[1 - end]
    ours_at, before = theirs.coordinates(ours.side.outlined[corner_of_ours])
    theirs_at, _ = ours.coordinates(theirs.side.outlined[corner_of_theirs])
    ends = min(abs(ours_at), abs(ours_at - theirs.length)), min(abs(theirs_at), abs(theirs_at - ours.length))
    tied = max(ends) < TIE + abs(before)
    if not _beyond(ours, ours_at, theirs):
        yield theirs, (ours, corner_of_ours), TIE if tied else 0.0
    if not _beyond(theirs, theirs_at, ours):
        yield ours, (theirs, corner_of_theirs), -TIE if tied else 0.0


def _beyond(striker: _Face, at: float, face: _Face) -> bool:
    """Whether the end of an abutment's face stands clear of the deck's edge, so that it never strikes it."""
    return len(striker.side.outlined) == 2 and not -TIE < at < face.length + TIE


def _faces(left: Outlined, right: Outlined, edges: tuple[object, object]) -> tuple[_Face, _Face]:
    """Return the facing edges: those that were named, or the nearest that face each other."""
    sides = []
    for side, named in zip((left, right), edges, strict=True):
        numbers = range(len(side.outlined)) if named is None else (side.edge(named)[0],)
        if len(side.outlined) == 2:
            numbers = (side.edge(named)[0],)
        sides.append([_Face.of(side, number) for number in numbers])
    found: list[tuple[float, int, _Face, _Face]] = []
    for ours in sides[0]:
        for theirs in sides[1]:
            away = [theirs.coordinates(ours.side.outlined[corner]) for corner in ours.corners]
            distance = float(np.mean([before for _, before in away]))
            low, high = sorted(along for along, _ in away)
            shared = min(high, theirs.length) - max(low, 0.0)
            opposed = float(ours.normal @ theirs.normal) <= -FACING
            if opposed and shared > 0.0 and distance > -0.5 * min(ours.length, theirs.length):
                found.append((abs(distance), len(found), ours, theirs))
    if not found:
        way_out = 'Give `at` (and `angle`) to the decks, or name the edges: facing(("span 1", "e"), ("span 2", "w")).'
        rule = "must place the two beside each other, with edges that face"
        raise refusal("at", f"facing({left.name!r}, {right.name!r})", rule, "none that do", way_out)
    _, _, ours, theirs = min(found, key=lambda one: one[:2])
    return ours, theirs
