"""Bodies in space that face each other: points of each against faces of the other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Protocol, runtime_checkable

import numpy as np

from carom.contact.contact import Contact
from carom.contact.deck_facing import TIE
from carom.contact.edges import Array
from carom.contact.friction import Friction
from carom.contact.relation import Place
from carom.errors import refusal
from carom.laws.base import CompliantLaw
from carom.laws.impulse import ImpulsiveLaw

__all__ = ["Faced", "solid_contacts"]


@runtime_checkable
class Faced(Protocol):
    """A body in space, moving or fixed."""

    @property
    def name(self) -> str:
        """What it is called."""

    @property
    def marks(self) -> Mapping[str, Any]:
        """Its points by name."""

    @property
    def sides(self) -> Mapping[str, tuple[str, ...]]:
        """Its faces by name, and their corners."""

    @property
    def sphere_radius(self) -> Mapping[str, float]:
        """Radii of points that are spheres."""

    def side(self, which: object) -> tuple[str, ...]:
        """The corners of a face."""

    def corners(self, which: object) -> Array:
        """The corners of a face in the world at rest."""

    def world(self, where: object = None) -> Array:
        """Where a point stands at rest."""


def solid_contacts(
    left: Faced,
    right: Faced,
    faces: tuple[object, object],
    gap: float | tuple[float, ...] | None,
    law: CompliantLaw | ImpulsiveLaw | None,
    friction: Friction | None,
) -> tuple[Contact, ...]:
    """Return the contacts of two bodies: points of the left one against faces of the right one, then the other way.

    Of a body whose face is named, that face and its corners are meant, else all points and all faces.
    """
    owner = f"facing({left.name!r}, {right.name!r})"
    if law is None:
        raise refusal("law", owner, "must be given", None)
    if isinstance(gap, tuple):
        raise refusal("gap", owner, "must be one number, or left out: as the two stand", gap)
    found = []
    for striker, struck, named, tie in ((left, right, faces, TIE), (right, left, faces[::-1], -TIE)):
        sides = tuple(struck.sides) if named[1] is None else (str(named[1]),)
        for side in sides:
            struck.side(side)  # refuses what it has not
            for node in _nodes(striker, named[0]):
                places = Place(striker.name, node), Place(struck.name)
                label = f"{striker.name} {node} | {struck.name} {side}"
                over = tie if _at_end(striker.world(node), struck.corners(side)) else 0.0
                found.append(
                    Contact(*places, gap=gap, law=law, friction=friction, face=side, overhang=over, name=label)
                )
    if not found:
        raise refusal("faces", owner, "must be there on one side, and points on the other", None)
    return tuple(found)


def _nodes(body: Faced, face: object) -> Iterator[str]:
    """Yield the points of a body that may strike: those of a face, or all, and spheres around its centre."""
    if face is not None:
        yield from dict.fromkeys(body.side(face))
        return
    yield from body.marks
    yield from (name for name in body.sphere_radius if name not in body.marks)


def _at_end(point: Array, corners: Array) -> bool:
    """Whether a point stands before an end of a face, to within `TIE` of it: one contact there holds, never both."""
    normal = np.cross(corners[2] - corners[0], corners[3] - corners[1])
    normal = normal / np.linalg.norm(normal)
    margins = []
    for i in range(4):
        along = corners[(i + 1) % 4] - corners[i]
        length = float(np.linalg.norm(along))
        if length > 0.0:
            margins.append(float(np.cross(normal, along) @ (point - corners[i])) / length)
    return abs(min(margins)) < TIE
