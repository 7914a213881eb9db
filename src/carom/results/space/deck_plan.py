"""Decks as they stand at rest, as data: what pictures from above and the table of seats need besides histories."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["DeckOutline", "DeckPlan", "FaceLine", "PlanPoint", "SeatPlace"]

Point = tuple[float, float]


@dataclass(frozen=True)
class DeckOutline:
    """A deck."""

    name: str
    centre: Point
    """Its centre of mass in the world [m]."""
    corners: tuple[Point, ...]
    """From the centre of mass, in the world at rest [m], counter-clockwise."""
    dofs: tuple[int, int, int]
    """Displacements along x and y and rotation, as positions in the results."""


@dataclass(frozen=True)
class FaceLine:
    """The face of an abutment."""

    name: str
    ends: tuple[Point, Point]
    """In the world [m], the bridge on the right hand."""
    soil: bool
    """Whether backfill stands behind it."""


@dataclass(frozen=True)
class PlanPoint:
    """A point where something acts: a contact's node, or a bearing."""

    label: str
    deck: int
    """Which deck carries it; −1: it stands on the ground."""
    at: Point
    """From the centre of mass of the deck, or in the world [m]."""
    face: int = -1
    """Which deck's edge a node strikes; −1: what stands on the ground."""
    line: int = -1
    """Which abutment's face a node strikes; −1: none."""
    normal: Point = (0.0, 0.0)
    """Of that edge, outwards, at rest."""
    column: int = -1
    """Of a contact its place in the results, of a bearing its first row among those of joints."""
    rows: int = 0
    """How many rows a bearing has, with all its rules."""


@dataclass(frozen=True)
class SeatPlace:
    """A seat."""

    name: str
    deck: str
    corners: tuple[str, str]
    """Of the end that lies on it."""
    length: float
    across: float
    """[m]; infinite where there is no limit."""
    gauge: int
    """The first of its five gauges: both corners along, both across, the rotation."""


@dataclass(frozen=True)
class DeckPlan:
    """All that stands in the plan."""

    decks: tuple[DeckOutline, ...] = ()
    faces: tuple[FaceLine, ...] = ()
    nodes: tuple[PlanPoint, ...] = ()
    bearings: tuple[PlanPoint, ...] = ()
    seats: tuple[SeatPlace, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {name: [vars(one) for one in getattr(self, name)] for name in _KINDS}

    @classmethod
    def of(cls, stated: Mapping[str, Any]) -> DeckPlan:
        """Return it from plain data."""
        found = {name: tuple(kind(**_tuples(one)) for one in stated.get(name, [])) for name, kind in _KINDS.items()}
        return cls(**found)


_KINDS: dict[str, Any] = {
    "decks": DeckOutline, "faces": FaceLine, "nodes": PlanPoint, "bearings": PlanPoint, "seats": SeatPlace,
}  # fmt: skip


def _tuples(stated: Mapping[str, Any]) -> dict[str, Any]:
    """Return fields with lists as tuples, also inside lists."""

    def frozen(value: Any) -> Any:
        return tuple(frozen(one) for one in value) if isinstance(value, (list, tuple)) else value

    return {name: frozen(value) for name, value in stated.items()}
