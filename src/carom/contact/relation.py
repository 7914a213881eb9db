"""How overlap and slip of a contact follow from displacements: the geometry, apart from the law.

A relation reads both sides of a contact. Here it is a constant row of numbers, the small-displacement relation that
all schemes take:

    overlap = (r_a·u_a + s_a·u_g) − (r_b·u_b + s_b·u_g′) − gap

with rows r over the degrees of freedom and shares s of the ground's displacement under each side. What force follows
from overlap and rate is for the law to say.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from carom.errors import refusal

__all__ = ["Place", "Relation"]


class Place(NamedTuple):
    """A structure, by name or by index from 0, where on it, and along which direction."""

    structure: str | int
    at: object = None
    """A floor (1 …), a height such as ``"2.4 m"``, a point, a degree of freedom, weights of several, or nothing where
    there is one."""
    direction: object = None
    """``"x"``, ``"-y"`` or a vector, along which a point is read; None: along x. Weights have theirs already."""

    @classmethod
    def of(cls, given: object, *, name: str, owner: str) -> Place:
        """Take a place: ``"left"``, ``0``, ``("left", 3)``, ``("left", "2.4 m")``, ``("left", "corner", "y")``."""
        parts = tuple(given) if isinstance(given, (tuple, list)) and len(given) in (2, 3) else (given,)
        structure, at, direction = (*parts, None, None)[:3]
        known = not isinstance(structure, bool) and isinstance(structure, (str, int, np.integer))
        if not known or not (direction is None or isinstance(direction, (str, tuple, list, np.ndarray))):
            raise refusal(
                name, owner, "must be a structure, or a structure and a place on it and perhaps a direction", given,
                'Write "left", 0, ("left", 3), ("left", "2.4 m") or ("left", "corner", "y").',
            )  # fmt: skip
        structure = structure if isinstance(structure, str) else int(structure)
        direction = tuple(np.asarray(direction).tolist()) if isinstance(direction, (list, np.ndarray)) else direction
        return cls(structure, dict(at) if isinstance(at, Mapping) else at, direction)


class Relation(NamedTuple):
    """The geometry of a contact: what it reads of its two sides."""

    a: Place
    """Left side."""
    b: Place
    """Right side."""
    gap: float
    """Distance at rest [m]."""
    tangent: tuple[Any, Any] | None = None
    """Where sliding is read on both sides; None: nowhere."""
    second_tangent: tuple[Any, Any] | None = None
    """Where sliding along a second direction is read, in space; None: nowhere."""

    def tangent_of(self, side: int, which: int = 0) -> Place:
        """Return where a side's sliding is read: another place of the structure, or of a point another direction."""
        tangent = (self.tangent, self.second_tangent)[which]
        assert tangent is not None
        place, at = (self.a, self.b)[side], tangent[side]
        if place.direction is not None:
            return place._replace(direction=at)
        return place._replace(at=at)
