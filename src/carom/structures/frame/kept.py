"""What results keep of a frame: degrees of freedom, points and forces that its `outputs` name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from carom.errors import refusal
from carom.structures.frame.statics import is_force
from carom.structures.general import KEPT_BELOW, RIDES
from carom.structures.matrices import Array
from carom.structures.points import location_rows

if TYPE_CHECKING:
    from carom.structures.frame.frame import Frame

__all__ = ["kept_rows"]


def kept_rows(frame: Frame) -> Mapping[str, Array] | None:
    """Return the rows that results keep of a frame, by name: those it asks for; None: every degree of freedom."""
    given: Any = frame.outputs
    if given is None:
        return None if len(frame.dof_names) < KEPT_BELOW else MappingProxyType({})
    if isinstance(given, str) or not isinstance(given, (Mapping, Sequence)):
        raise refusal("outputs", frame.owner, "must be a list of places, or names for them", given,
                      'Write ["roof"], or {"base moment": ("c1", "my", "start")}.')  # fmt: skip
    named = given if isinstance(given, Mapping) else {_told(place): place for place in given}
    found: dict[str, Array] = {}
    for name, place in named.items():
        found |= _rows_at(frame, str(name), place)
    return MappingProxyType(found)


def _rows_at(frame: Frame, name: str, place: Any) -> dict[str, Array]:
    """Return what results keep of a place, by name; of a point its directions.

    Results take an output to ride on the ground by r·ι, which what has no mass and follows others does not.
    """
    point = None if isinstance(place, Mapping) or is_force(place) else frame.location(place)
    if point is not None:
        rows, shares = location_rows(name, point), np.eye(3)[point.rows.any(axis=1)]
    else:
        reading = frame.read(place)
        rows, shares = {name: reading.row}, reading.share[None]
    if is_force(place):
        return rows  # which rides on nothing
    rides = {
        way: row
        for (way, row), share in zip(rows.items(), shares, strict=True)
        if np.abs(share - row @ frame.influence).max() <= RIDES
    }
    if rows and not rides:
        raise refusal(
            "outputs", frame.owner, "must be places that ride on the ground as degrees of freedom do", place,
            "It has no mass and follows what has: its acceleration would lack a part of the ground's. Put a node "
            "with a mass there, however small.",
        )  # fmt: skip
    return rides


def _told(place: Any) -> str:
    return " ".join(map(str, place)) if isinstance(place, tuple) else str(place)
