"""What a deck rests on: bearings by rules of `carom.joints`, and seats, off which its ends may slide."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from carom.contact.relation import Place
from carom.errors import refusal
from carom.joints import Joint
from carom.plain_text import refuse_controls
from carom.units import POSITIVE, number

__all__ = ["Bearing", "Seat"]


@dataclass(frozen=True)
class Bearing:
    """Rules of `carom.joints` between a point of a deck, and what it stands on.

    `a` is the deck with the point, by its name or by x and y in plan coordinates; `b` a pier, an abutment, another
    deck, or ``"ground"``, with a point where it has several. Points that stand apart at rest keep their distance: a
    bearing is undeformed at rest. Several rules act side by side, such as a pad and its stops.

    Examples
    --------
    >>> import carom
    >>> pad = carom.joints.Elastomeric(stiffness="3 MN/m")
    >>> carom.Bearing(("span", "sw"), "ground", rule=[pad, carom.joints.BearingStops("5 cm", "200 MN/m")]).rules[0]
    Elastomeric(stiffness=3000000.0, damping=0.0, across=None)
    """

    a: Place
    b: Place
    rule: Any = field(kw_only=True)
    """A joint, or a list of them."""
    along: Any = field(default=None, kw_only=True)
    """The first direction of rules, x, y or a vector, in the world at rest; None: along the axis of deck `a`. The
    second is a quarter of a turn counter-clockwise from it."""
    turning: bool = field(default=False, kw_only=True)
    """Whether these directions turn with deck `a`; else they stay, as those of what is fixed to a pier."""
    name: str = field(default="", kw_only=True)
    """A label for results; by default the two places."""

    def __post_init__(self) -> None:
        put = object.__setattr__
        for side in ("a", "b"):
            place = Place.of(getattr(self, side), name=side, owner="Bearing")
            if place.direction is not None:
                raise refusal(
                    side, "Bearing", "must be a place without a direction", getattr(self, side), "Say `along` instead."
                )
            put(self, side, place)
        if self.a.at is None:
            raise refusal(
                "a", "Bearing", "must name a point of the deck", self.a.structure, 'Write ("span 1", "sw") or '
                '("span 1", ("-14 m", "4 m")).',
            )  # fmt: skip
        given = list(self.rule) if isinstance(self.rule, (list, tuple)) else [self.rule]
        for rule in given:
            if not isinstance(rule, Joint) or rule.dimension > 2:
                raise refusal(
                    "rule", "Bearing", "must be a joint of one row or two, or a list of them", rule,
                    'A bearing carries by something: carom.joints.Elastomeric(stiffness="2 MN/m").',
                )  # fmt: skip
        if not given:
            raise refusal("rule", "Bearing", "must not be an empty list: it would have no capacity", self.rule)
        put(self, "rule", tuple(given) if isinstance(self.rule, (list, tuple)) else self.rule)
        if not isinstance(self.turning, bool):
            raise refusal("turning", "Bearing", "must be True or False", self.turning)
        if isinstance(self.along, (list, Sequence)) and not isinstance(self.along, str):
            put(self, "along", tuple(self.along))
        if not isinstance(self.name, str):
            raise refusal("name", "Bearing", "must be text", self.name)
        refuse_controls(self.name, "name", "Bearing")

    @property
    def rules(self) -> tuple[Joint, ...]:
        """The rules that act side by side."""
        return self.rule if isinstance(self.rule, tuple) else (self.rule,)

    def replace(self, **changes: Any) -> Bearing:
        """Return a copy with some fields changed."""
        return replace(self, **changes)


@dataclass(frozen=True)
class Seat:
    """What an end of a deck lies on: it is unseated once a corner of that end has left it.

    Examples
    --------
    >>> import carom
    >>> carom.Seat(("span", "w"), "pier 1", length="60 cm").length
    0.6
    """

    end: Place
    """A deck with one of its edges: ``("span 1", "w")``."""
    on: Place
    """A pier, an abutment, another deck, or ``"ground"``, with a point where it has several."""
    length: float = field(kw_only=True)
    """From the deck's end to the edge of the seat at rest, square to the end [m], > 0."""
    across: float | None = field(default=None, kw_only=True)
    """How far the end may move along itself to either side before it falls [m]; None: as far as it likes."""
    name: str = field(default="", kw_only=True)
    """A label for results; by default the end."""

    def __post_init__(self) -> None:
        put = object.__setattr__
        put(self, "end", Place.of(self.end, name="end", owner="Seat"))
        put(self, "on", Place.of(self.on, name="on", owner="Seat"))
        if self.end.at is None:
            raise refusal("end", "Seat", "must name an edge of the deck", self.end.structure, 'Write ("span 1", "w").')
        put(self, "length", number(self.length, "m", name="length", owner="Seat", within=POSITIVE))
        if self.across is not None:
            put(self, "across", number(self.across, "m", name="across", owner="Seat", within=POSITIVE))
        if not isinstance(self.name, str):
            raise refusal("name", "Seat", "must be text", self.name)
        refuse_controls(self.name, "name", "Seat")

    def replace(self, **changes: Any) -> Seat:
        """Return a copy with some fields changed."""
        return replace(self, **changes)
