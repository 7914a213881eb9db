"""Decks, abutments, bearings, seats and friction, as tables of a scenario."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Discriminator, Field, Tag

from carom.contact import Bearing, Friction, Seat
from carom.errors import UnknownNameError, refusal
from carom.joints import Joint
from carom.scenario.parts import Part
from carom.scenario.places import Direction, Side, place_of
from carom.scenario.quantities import Gap, Length, Listed, Mass, Quantity, Ratios, Stiffness, Time
from carom.scenario.structures.joint_parts import BEARING_RULES, joint_of, joint_parts
from carom.structures import Abutment, Deck, Pier
from carom.units import NONNEGATIVE, POSITIVE

if TYPE_CHECKING:
    from carom.structures.base import LinearStructure

__all__ = [
    "AbutmentFields", "BearingPart", "DeckFields", "FrictionPart", "PierFields", "SeatPart", "abutment_of",
    "bearings_of", "deck_of", "friction_of", "pier_of", "seat_of",
]  # fmt: skip

_SOILS = {name: kind for name, kind in BEARING_RULES.items() if hasattr(kind, "shared")}
_RULE_PARTS = joint_parts(BEARING_RULES.values(), "Bearing", "what holds the deck there")
_SOIL_PARTS = joint_parts(_SOILS.values(), "Abutment", "how the soil pushes back")

Point = Annotated[list[float], Quantity("m", listed=True)]
Angle = Annotated[float, Quantity("rad")]
Coefficient = Annotated[float, Quantity("", NONNEGATIVE)]


def _list_form(value: Any) -> str:
    return "list" if isinstance(value, list) else "one"


def _friction_form(value: Any) -> str:
    return "table" if isinstance(value, (dict, Part)) else "number"


if TYPE_CHECKING:
    Rules = Part | list[Part]
    Soil = Part
else:
    _Rule = Annotated[reduce(or_, _RULE_PARTS.values()), Field(discriminator="kind")]
    Rules = Annotated[
        Annotated[_Rule, Tag("one")] | Annotated[list[_Rule], Field(min_length=1), Tag("list")],
        Discriminator(_list_form),
    ]
    Soil = Annotated[reduce(or_, _SOIL_PARTS.values()), Field(discriminator="kind")]


class FrictionTable(Part):
    """Coulomb's friction, with what gives along the contact while it sticks."""

    static: Coefficient = Field(description="coefficient until it slides", examples=[0.3])
    kinetic: Coefficient | None = Field(
        default=None, description="coefficient while it slides; by default the static one", examples=[0.2]
    )
    stiffness_ratio: Annotated[float, Quantity("", POSITIVE)] | None = Field(
        default=None, description="stiffness along the contact over that across it, while it sticks", examples=[1.0]
    )
    stiffness: Annotated[float, Quantity("N/m", POSITIVE)] | None = Field(
        default=None, description="that stiffness itself, instead of the ratio", examples=["500 MN/m"]
    )
    restitution: Coefficient = Field(default=0.0, description="what the spring along it gives back", examples=[0.5])
    rule: str = Field(default="coulomb", description="coulomb, or zhu2002 as printed there", examples=["coulomb"])
    step: Time | None = Field(default=None, description="of the printed rule", examples=["1 ms"])


FrictionPart = Annotated[
    Annotated[Coefficient, Tag("number")] | Annotated[FrictionTable, Tag("table")], Discriminator(_friction_form)
]
"""One coefficient, or a table."""


class DeckFields(Part):
    """A rigid deck seen from above, which moves along x and y and turns as far as it likes.

    Its plan has coordinates of its own: x along the bridge, y across, the origin in the middle of length and width.
    """

    length: Length | None = Field(default=None, description="along its axis", examples=["30 m"])
    width: Length | None = Field(default=None, description="across its axis", examples=["10 m"])
    skew: Angle | None = Field(
        default=None, description="of its ends, clockwise from square: northern corners lie farther east",
        examples=["20 deg"],
    )  # fmt: skip
    plan: Annotated[list[Any], Listed(2)] | None = Field(
        default=None, description="instead of length, width and skew: the corners of a polygon",
        examples=[[[0, 0], [30, 0], [30, 10], [0, 10]]],
    )  # fmt: skip
    mass: Mass = Field(description="its mass", examples=["400 t"])
    inertia: Annotated[float, Quantity("kg*m^2", POSITIVE)] | None = Field(
        default=None, description="about the vertical axis through the centre of mass; by default that of a plate",
        examples=["30000 t*m^2"],
    )  # fmt: skip
    centre_of_mass: Point | None = Field(
        default=None, description="x and y in plan coordinates; by default the centroid", examples=[["0.5 m", 0]]
    )
    at: Point | None = Field(
        default=None, description="where the origin of its plan stands in the world, x and y", examples=[["30.05 m", 0]]
    )
    angle: Angle | None = Field(
        default=None, description="how far the plan is turned, counter-clockwise", examples=["5 deg"]
    )
    points: dict[str, Point] | None = Field(
        default=None, description="further points by name, x and y in plan coordinates",
        examples=[{"west bearing": ["-14 m", 0]}],
    )  # fmt: skip
    free: bool | None = Field(default=None, description="whether nothing holds it, and no bearing is meant")


class BesidePart(Part):
    """Where an abutment stands: in front of an edge of a deck, parallel to it."""

    deck: str = Field(description="name of the deck", examples=["span 1"])
    edge: str = Field(description="its edge: w, e, s or n; of a polygon edge 1, edge 2 …", examples=["w"])
    gap: Annotated[float, Quantity("m", NONNEGATIVE)] = Field(description="square to the edge", examples=["5 cm"])


class AbutmentFields(Part):
    """A straight face that stands on the ground, which deck ends strike and rest on; soil behind it, or none."""

    beside: BesidePart | None = Field(
        default=None, description="in front of which deck's edge it stands",
        examples=[{"deck": "span 1", "edge": "w", "gap": "5 cm"}],
    )  # fmt: skip
    at: Point | None = Field(
        default=None, description="instead: the middle of its face, x and y", examples=[["-15 m", 0]]
    )
    angle: Angle | None = Field(
        default=None, description="where the face looks, counter-clockwise from x: 0 of a western abutment",
        examples=["180 deg"],
    )  # fmt: skip
    width: Length | None = Field(default=None, description="of the face", examples=["12 m"])
    backfill: Soil | None = Field(
        default=None, description="soil that pushes back behind the whole face, instead of a law of impact",
        examples=[{"kind": "backfill", "stiffness": "200 MN/m", "capacity": "4 MN"}],
    )  # fmt: skip


class PierFields(Part):
    """The top of a pier, which moves along x and y."""

    mass: Mass = Field(description="that moves with its top", examples=["200 t"])
    stiffness: Stiffness = Field(description="along its own x", examples=["60 MN/m"])
    across: Stiffness | None = Field(
        default=None, description="stiffness along its own y; by default the same", examples=["150 MN/m"]
    )
    damping_ratio: Ratios | None = Field(
        default=None, description="ratio of critical damping, for both modes or one for each", examples=["5 %"]
    )
    at: Point | None = Field(default=None, description="where it stands, x and y", examples=[["15 m", 0]])
    angle: Angle | None = Field(
        default=None, description="how far its axes are turned, counter-clockwise", examples=["20 deg"]
    )
    height: Length | None = Field(default=None, description="of its top, for pictures", examples=["8 m"])


class BearingPart(Part):
    """Bearings of a deck: rules between points of it and what it stands on."""

    deck: str = Field(description="name of the deck", examples=["span 1"])
    at: list[str | Annotated[list[Any], Listed(1)]] = Field(
        min_length=1, description="points of the deck, a bearing at each: corners, named points, or x and y",
        examples=[["sw", "nw"]],
    )  # fmt: skip
    on: Side = Field(
        description='a pier, an abutment, another deck, or "ground"; or a place on it', examples=["pier 1"]
    )
    rule: Rules = Field(
        description="what holds the deck there; a list acts side by side",
        examples=[{"kind": "elastomeric", "stiffness": "3 MN/m"}],
    )
    along: Direction | None = Field(
        default=None, description="first direction of the rule; by default along the deck", examples=["y"]
    )
    turning: bool = Field(default=False, description="whether directions turn with the deck", examples=[True])
    label: str | None = Field(default=None, description="label in results", examples=["west pads"])


class SeatPart(Part):
    """What an end of a deck lies on: results tell whether a corner of it has left it."""

    deck: str = Field(description="name of the deck", examples=["span 1"])
    end: str = Field(description="its edge: w, e, s or n; of a polygon edge 1, edge 2 …", examples=["w"])
    on: Side = Field(description='a pier, an abutment, another deck, or "ground"', examples=["pier 1"])
    length: Length = Field(description="from the end to the edge of the seat, square to the end", examples=["60 cm"])
    across: Gap | None = Field(
        default=None, description="how far it may move along its end; by default as far as it likes", examples=["50 cm"]
    )
    label: str | None = Field(default=None, description="label in results", examples=["west seat"])


def deck_of(name: str, part: DeckFields) -> Deck:
    """Return the deck that a table states."""
    given = {key: value for key in DeckFields.model_fields if (value := getattr(part, key)) is not None}
    return Deck(**given, name=name)


def pier_of(name: str, part: PierFields) -> Pier:
    """Return the pier that a table states."""
    given = {key: value for key in PierFields.model_fields if (value := getattr(part, key)) is not None}
    return Pier(**given, name=name)


def abutment_of(name: str, part: AbutmentFields, structures: Mapping[str, LinearStructure]) -> Abutment:
    """Return the abutment that a table states, beside one of the structures or at a place of its own."""
    owner = f"Abutment '{name}'"
    backfill = None if part.backfill is None else _rule_of(part.backfill)
    if part.beside is None:
        if part.at is None:
            raise refusal(
                "beside", owner, "must be given, or `at` in its place", None,
                'Write beside = {deck = "span 1", edge = "w", gap = "5 cm"}.',
            )  # fmt: skip
        given = {key: value for key in ("at", "angle", "width") if (value := getattr(part, key)) is not None}
        return Abutment(**given, backfill=backfill, name=name)
    for key in ("at", "angle"):
        if (value := getattr(part, key)) is not None:
            raise refusal(key, owner, "must be left out where `beside` is given", value)
    deck = structures.get(part.beside.deck)
    if not isinstance(deck, Deck):
        decks = [one for one, structure in structures.items() if isinstance(structure, Deck)]
        raise UnknownNameError("deck", part.beside.deck, decks)
    return Abutment.beside(deck, part.beside.edge, gap=part.beside.gap, width=part.width, backfill=backfill, name=name)


def friction_of(given: float | FrictionTable | None) -> Friction | None:
    """Return the friction that a contact states."""
    if given is None or isinstance(given, float):
        return None if given is None else Friction(given)
    return Friction(**{name: value for name, value in given if value is not None})


def bearings_of(part: BearingPart) -> list[Bearing]:
    """Return the bearings that a table states, one for each point."""
    rules = [_rule_of(one) for one in (part.rule if isinstance(part.rule, list) else [part.rule])]
    below: Any = place_of(part.on)
    stated: dict[str, Any] = {"along": part.along, "turning": part.turning, "name": part.label or ""}
    points: list[Any] = [(part.deck, at if isinstance(at, str) else tuple(at)) for at in part.at]
    return [Bearing(point, below, rule=rules, **stated) for point in points]


def seat_of(part: SeatPart) -> Seat:
    """Return the seat that a table states."""
    end: Any = (part.deck, part.end)
    below: Any = place_of(part.on)
    return Seat(end, below, length=part.length, across=part.across, name=part.label or "")


def _rule_of(part: Any) -> Joint:
    return joint_of(part, BEARING_RULES[part.kind])
