"""All facing floors of two neighbours at once."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import numpy as np

from carom.contact.contact import Contact, checked_law
from carom.contact.relation import Place
from carom.errors import refusal
from carom.laws.base import CompliantLaw
from carom.laws.impulse import ImpulsiveLaw
from carom.units import array

__all__ = ["Facade", "Facing", "facing"]

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
    def floor_heights(self) -> tuple[float, ...] | None:
        """Their heights above the ground [m], where known."""

    @property
    def rigid(self) -> bool:
        """Whether all of it moves alike."""


@dataclass(frozen=True)
class Facing:
    """One contact for every pair of facing floors; a `Problem`, which knows the floors, works them out."""

    left: str | int
    right: str | int
    gap: float | tuple[float, ...] = field(kw_only=True)
    """Distance at rest [m], one for all or one per pair, bottom to top."""
    law: CompliantLaw | ImpulsiveLaw = field(kw_only=True)
    columns: bool = field(default=False, kw_only=True)
    """Whether a slab without a partner at its height meets the neighbour's columns there."""
    column_law: CompliantLaw | ImpulsiveLaw | None = field(default=None, kw_only=True)
    """The law where a slab meets columns; None: `law`."""

    def __post_init__(self) -> None:
        put = object.__setattr__
        for side in ("left", "right"):
            place = Place.of(getattr(self, side), name=side, owner="facing")
            if place.at is not None:
                raise refusal(side, "facing", "must be a structure, all its floors are meant", tuple(place)[:2])
            put(self, side, place.structure)
        gaps = array(self.gap, "m", name="gap", owner="facing")
        if gaps.ndim > 1:
            raise refusal("gap", "facing", "must be one number, or one for each pair of floors", self.gap)
        put(self, "gap", tuple(gaps.tolist()) if gaps.ndim else float(gaps))
        for law in self.laws:
            checked_law(law, "facing")
            if isinstance(law, ImpulsiveLaw) and law.friction > 0.0:
                raise refusal(
                    "friction", law.name, "must be 0 for facing floors, which have no tangent", law.friction,
                    "Write a Contact with a `tangent` for each place that can slide.",
                )  # fmt: skip
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
        return (self.law,) if self.column_law is None else (self.law, self.column_law)

    def replace(self, **changes: Any) -> Facing:
        """Return a copy with some fields changed; ``law=`` sets that of columns too."""
        if "law" in changes:
            changes.setdefault("column_law", None)
        return replace(self, **changes)

    def expand(self, left: Facade, right: Facade) -> tuple[Contact, ...]:
        """Return the contacts between two neighbours, bottom to top."""
        places = self._places(left, right)
        gaps = self.gap if isinstance(self.gap, tuple) else (self.gap,) * len(places)
        if len(gaps) != len(places):
            raise refusal(
                "gap", f"facing({left.name!r}, {right.name!r})",
                f"must be one number, or one for each of {len(places)} pairs of floors", gaps,
            )  # fmt: skip
        found = []
        for (at, bt), gap in zip(places, gaps, strict=True):
            law = self.laws[-1] if isinstance(at, float) or isinstance(bt, float) else self.law
            found.append(Contact((left.name, at), (right.name, bt), gap=gap, law=law))  # type: ignore[arg-type]
        return tuple(found)

    def _places(self, left: Facade, right: Facade) -> list[tuple[int | float | None, int | float | None]]:
        owner = f"facing({left.name!r}, {right.name!r})"
        if left.rigid and right.rigid:
            return [(None, None)]
        for side in (left, right):
            if not side.rigid and not side.floors:
                raise refusal(
                    "floors", owner, "must be known", side.name, "Write a Contact for each place that can meet."
                )
        if right.rigid:
            return [(floor, None) for floor in range(1, left.floors + 1)]
        if left.rigid:
            return [(None, floor) for floor in range(1, right.floors + 1)]
        ours, theirs = left.floor_heights, right.floor_heights
        if ours is None or theirs is None:
            if self.columns:
                missing = left.name if ours is None else right.name
                raise refusal("columns", owner, "must know the heights of both", missing, "Give `heights` to it.")
            return [(floor, floor) for floor in range(1, min(left.floors, right.floors) + 1)]
        return _by_height(np.array(ours), np.array(theirs), self.columns, owner)


def facing(
    left: str | int,
    right: str | int,
    *,
    gap: Any,
    law: CompliantLaw | ImpulsiveLaw,
    columns: bool = False,
    column_law: CompliantLaw | ImpulsiveLaw | None = None,
) -> Facing:
    """Pair all facing floors of two neighbours, `left` standing left of `right`.

    Floors of equal number meet; where both buildings have heights, floors of equal height, to a
    millimetre. With ``columns=True`` a slab without such a partner meets the neighbour's columns at its
    height. Every floor faces a wall.

    Parameters
    ----------
    left, right
        Structures by name or index.
    gap
        Distance at rest [m]: one for all, or one per pair, bottom to top.
    law
        The law of every pair.
    columns
        Whether slabs may meet columns.
    column_law
        The law where they do: a column gives way before a slab does. By default `law`.
    """
    return Facing(left, right, gap=gap, law=law, columns=columns, column_law=column_law)


def _by_height(
    ours: np.ndarray[Any, Any], theirs: np.ndarray[Any, Any], columns: bool, owner: str
) -> list[tuple[int | float | None, int | float | None]]:
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
