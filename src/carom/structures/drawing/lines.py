"""Lines by which a structure given by matrices is drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from carom.errors import UnknownNameError, refusal
from carom.structures.drawing.wireframe import Line
from carom.structures.points import Location
from carom.units import array

__all__ = ["taken_lines"]

WAY_OUT = 'Write [("foot", "roof"), ((0, 0, 0), "foot")].'


def taken_lines(given: Any, points: Mapping[str, Location], owner: str) -> tuple[Line, ...]:
    """Return pairs of ends as coordinates; refuse what is none."""
    if given is None:
        return ()
    rule = "must be pairs of points by name, or of coordinates"
    if isinstance(given, str) or not isinstance(given, (Sequence, np.ndarray)):
        raise refusal("lines", owner, rule, given, WAY_OUT)
    found: list[Line] = []
    for pair in given:
        if isinstance(pair, str) or not isinstance(pair, (Sequence, np.ndarray)) or len(pair) != 2:
            raise refusal("lines", owner, rule, pair, WAY_OUT)
        start, end = (_end(one, points, owner) for one in pair)
        found.append((start, end))
    return tuple(found)


def _end(given: Any, points: Mapping[str, Location], owner: str) -> tuple[float, float, float]:
    if isinstance(given, str):
        if given not in points:
            raise UnknownNameError(f"point of {owner}:", given, points)
        position = points[given].position
        if position is None:
            raise refusal("lines", owner, "must join points with coordinates", given)
        return position
    place = array(given, "m", name="lines", owner=owner)
    if place.shape != (3,):
        raise refusal("lines", owner, "must end at points by name, or at three coordinates", given, WAY_OUT)
    x, y, z = place.tolist()
    return x, y, z
