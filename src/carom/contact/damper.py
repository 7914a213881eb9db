"""A dashpot between any two places."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from carom.contact.relation import Place, Relation
from carom.units import NONNEGATIVE, number

__all__ = ["Damper"]


@dataclass(frozen=True)
class Damper:
    """Two places joined by a dashpot: F = c (u̇_a − u̇_b) holds both back, of one structure, of two, or to the ground.

    Places are written as for a `Contact`; where only one side says a direction, a point on the other side takes it as
    well. What a structure has in itself may also be said there: ``Structure(dashpots=[…])``.

    Examples
    --------
    >>> import carom
    >>> carom.Damper(("left", 3), ("right", 3), "200 kN*s/m").constant
    200000.0
    """

    a: Place
    b: Place
    constant: float
    """c [N·s/m], ≥ 0."""

    def __post_init__(self) -> None:
        put = object.__setattr__
        for side in ("a", "b"):
            put(self, side, Place.of(getattr(self, side), name=side, owner="Damper"))
        way_out = 'Write Damper("left", "right", "200 kN*s/m").'
        constant = number(
            self.constant, "N*s/m", name="constant", owner="Damper", within=NONNEGATIVE, way_out=way_out
        )  # fmt: skip
        put(self, "constant", constant)

    @property
    def relation(self) -> Relation:
        """What it reads of its two sides."""
        return Relation(self.a, self.b, 0.0)

    def replace(self, **changes: Any) -> Damper:
        """Return a copy with some fields changed."""
        return replace(self, **changes)
