"""An abutment: a face in plan that stands on the ground, what deck ends strike and rest on."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np

from carom.errors import refusal
from carom.joints import Joint
from carom.structures.bridges.deck import Deck
from carom.structures.matrices import Array, frozen
from carom.structures.points import Location
from carom.structures.rigid import Rigid
from carom.structures.torsional.plan import is_point, points_of
from carom.units import ANY, NONNEGATIVE, POSITIVE, number

__all__ = ["Abutment"]

WIDER = 1.0
"""By how much an abutment that was placed beside a deck reaches past each of its corners [m]."""


@dataclass(frozen=True, eq=False, repr=False)
class Abutment(Rigid):
    """A straight face in plan that rides on its ground and gives way to nothing.

    Its own coordinates are x out of the face, towards the bridge, and y along it. With `backfill`, what strikes the
    face is pushed back by soil instead of by a law of impact: `facing` needs no law then. A backwall that has mass is a
    deck of its own, on bearings of backfill.

    Examples
    --------
    >>> import carom
    >>> span = carom.Deck(length="30 m", width="10 m", skew="20 deg", mass="400 t", name="span")
    >>> west = carom.Abutment.beside(span, "w", gap="5 cm", name="west")
    >>> west.ends.round(2)
    array([[-17.21, -5.92],
           [-12.89,  5.96]])
    """

    at: Any = (0.0, 0.0)
    """The middle of the face in the world, x and y [m]."""
    width: float = 12.0
    """Of the face [m], > 0."""
    angle: float = 0.0
    """Where the face looks, counter-clockwise from x [rad]: 0 of a western abutment, ``"180 deg"`` of an eastern."""
    backfill: Any = None
    """The soil behind the whole face, a rule such as `carom.joints.Backfill`; None: rigid."""
    name: str = "abutment"

    def __post_init__(self) -> None:
        self._take_name()
        put = object.__setattr__
        at = points_of(self.at, "at", self.owner)
        if len(at) != 1:
            raise refusal("at", self.owner, "must be x and y", self.at)
        put(self, "at", at[0])
        for name, unit, within in (("width", "m", POSITIVE), ("angle", "rad", ANY)):
            put(self, name, number(getattr(self, name), unit, name=name, owner=self.owner, within=within))
        if self.backfill is not None and not (isinstance(self.backfill, Joint) and self.backfill.dimension == 1):
            raise refusal(
                "backfill", self.owner, "must be a joint of one row", self.backfill,
                'Write carom.joints.Backfill(stiffness="200 MN/m", capacity="4 MN").',
            )  # fmt: skip

    @classmethod
    def beside(
        cls, deck: Deck, edge: object, *, gap: Any, width: Any = None, backfill: Joint | None = None, name: str = ""
    ) -> Self:
        """Return the abutment in front of a deck's edge, parallel to it, a metre wider at each end if not told else."""
        owner = f"Abutment beside {deck.owner}"
        away = number(gap, "m", name="gap", owner=owner, within=NONNEGATIVE)
        start, end = deck.outlined[list(deck.edge(edge))]
        along = end - start
        length = float(np.hypot(*along))
        outward = np.array([along[1], -along[0]]) / length
        middle = 0.5 * (start + end) + away * outward
        wide = length + 2.0 * WIDER if width is None else number(width, "m", name="width", owner=owner, within=POSITIVE)
        looks = math.atan2(-outward[1], -outward[0])
        return cls(
            at=tuple(middle.tolist()), width=wide, angle=looks, backfill=backfill, name=name or f"abutment {edge}"
        )

    @cached_property
    def normal(self) -> Array:
        """The unit vector out of the face, shape (2,)."""
        return frozen(np.array([math.cos(self.angle), math.sin(self.angle)]))

    @cached_property
    def ends(self) -> Array:
        """Both ends of the face in the world [m], the bridge on the right hand from one to the other; shape (2, 2)."""
        along = 0.5 * self.width * np.array([-self.normal[1], self.normal[0]])
        return frozen(np.array([self.at - along, self.at + along]))

    def world(self, where: object) -> Array:
        """Return where a point stands in the world [m], shape (2,); None is the middle of the face."""
        if where is None:
            return frozen(np.array(self.at))
        if where in self.corner_names:
            return frozen(self.ends[self.corner_names.index(str(where))])
        if not is_point(where):
            raise refusal("place", self.owner, "must be x and y, out of the face and along it", where)
        out, along = points_of(where, "place", self.owner)[0]
        n = self.normal
        return frozen(np.array(self.at) + out * n + along * np.array([-n[1], n[0]]))

    @property
    def outlined(self) -> Array:
        """The face as an outline of two corners, shape (2, 2)."""
        return self.ends

    @property
    def corner_names(self) -> tuple[str, ...]:
        """What the ends of the face are called, in their order."""
        return ("right end", "left end")

    def edge(self, which: object) -> tuple[int, int]:
        """Return the ends of its one edge, the face."""
        if which not in (None, "face", 1):
            raise refusal("edge", self.owner, "must be 'face', the one it has", which)
        return 0, 1

    def place_at(self, level: int | float, x: float, y: float) -> tuple[int | float, object]:
        """Return the coordinates out of the face and along it of a point of the world."""
        off = np.array([x, y]) - self.at
        n = self.normal
        return level, (float(off @ n), float(off @ [-n[1], n[0]]))

    def row(self, place: object = None) -> Array:
        """Return no numbers: it has no degrees of freedom."""
        return frozen(np.zeros(0))

    def location(self, place: object = None) -> Location | None:
        """Return a point of it, which rides on the ground."""
        x, y = self.world(place).tolist()
        return Location((x, y, 0.0), frozen(np.zeros((3, 0))))

    @property
    def dof_names(self) -> tuple[str, ...]:
        """None: it moves with the ground."""
        return ()

    def __repr__(self) -> str:
        return f"<Abutment '{self.name}': {self.width:g} m wide>"
