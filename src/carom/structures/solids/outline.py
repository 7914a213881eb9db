"""Named points and plane faces of a body in space, taken and checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from carom.errors import UnknownNameError, refusal
from carom.structures.matrices import Array
from carom.units import array

__all__ = ["Sides", "face_fault", "inside_out", "take_faces", "take_points"]

Sides = Mapping[str, tuple[str, ...]]
"""Faces by name: the names of their corners, counter-clockwise seen from outside."""

WARPED = 1e-3
"""How far the corners of a face may stand off its plane, as share of its longest diagonal."""
THIN = 1e-6
"""Area of a face below which it is none, as share of the square of its longest diagonal."""


def take_points(given: Any, owner: str, taken: Sequence[str] = ()) -> Mapping[str, tuple[float, float, float]]:
    """Return named points, x, y and z [m] each."""
    if not isinstance(given, Mapping):
        raise refusal("points", owner, "must map names to x, y and z", given, 'Write {"toe": (1.2, 0, -0.4)}.')
    found = {}
    for name, where in given.items():
        if not isinstance(name, str) or not name.strip() or name in taken:
            kept = f" and other than {', '.join(taken)}" if taken else ""
            raise refusal("points", owner, f"must have names that are text{kept}", name)
        point = array(where, "m", name=f"points, {name}", owner=owner)
        if point.shape != (3,):
            raise refusal(f"points, {name}", owner, "must be three coordinates x, y, z", where)
        x, y, z = point.tolist()
        found[name] = (x, y, z)
    return MappingProxyType(found)


def take_faces(given: Any, points: Mapping[str, tuple[float, float, float]], owner: str) -> Sides:
    """Return named faces; refuse those that no node can be seen from."""
    if not isinstance(given, Mapping):
        raise refusal(
            "faces", owner, "must map names to the names of three or four points", given,
            'Write {"end": ["a", "b", "c", "d"]}, counter-clockwise seen from outside.',
        )  # fmt: skip
    found = {}
    for name, corners in given.items():
        if not isinstance(name, str) or not name.strip():
            raise refusal("faces", owner, "must have names that are text", name)
        if isinstance(corners, str) or not isinstance(corners, Sequence) or len(corners) not in (3, 4):
            raise refusal(
                f"faces, {name}", owner, "must name three or four points", corners,
                "A face with more corners is several faces.",
            )  # fmt: skip
        for corner in corners:
            if corner not in points:
                raise UnknownNameError(f"point in face {name!r} of {owner}:", corner, points)
        places = np.array([points[corner] for corner in corners])
        fault = face_fault(places)
        if fault is not None:
            raise refusal(f"faces, {name}", owner, *fault)
        if inside_out(places, np.array(list(points.values()))):
            raise refusal(
                f"faces, {name}", owner, "must name its corners counter-clockwise seen from outside", list(corners),
                "All other points lie before it: write them in the other order.",
            )  # fmt: skip
        found[name] = tuple(corners)
    return MappingProxyType(found)


def face_fault(places: Array) -> tuple[str, object, str] | None:
    """Return what is wrong with the corners of a face, shape (3 or 4, 3): the rule, the value, the way out."""
    closed = places if len(places) == 4 else places[[0, 1, 2, 2]]
    first, second = closed[2] - closed[0], closed[3] - closed[1]
    size = max(float(np.linalg.norm(first)), float(np.linalg.norm(second)), 1e-300)
    normal = np.cross(first, second)
    area = float(np.linalg.norm(normal))
    if area <= THIN * size**2:
        return (
            "must span an area",
            0.5 * area,
            "Its corners lie on a line, or cross over: go round it corner by corner.",
        )
    normal = normal / area
    off = float(np.abs((closed - closed.mean(axis=0)) @ normal).max())
    if off > WARPED * size:
        way_out = "Split it into two triangles, or move a corner into the plane of the others."
        return (
            f"must be plane: its corners may stand off it by {WARPED:g} of its diagonal, {WARPED * size:.3g} m",
            off,
            way_out,
        )
    steps = [closed[(i + 1) % 4] - closed[i] for i in range(4)]
    steps = [step for step in steps if np.linalg.norm(step) > 0.0]
    turns = [float(np.cross(step, steps[(i + 1) % len(steps)]) @ normal) for i, step in enumerate(steps)]
    if min(turns) < -THIN * size**2:
        return "must be convex", min(turns) / size**2, "Split it where it goes inwards."
    return None


def inside_out(places: Array, points: Array) -> bool:
    """Return whether all points of a body lie on the outer side of a face, and some clear of it."""
    closed = places if len(places) == 4 else places[[0, 1, 2, 2]]
    normal = np.cross(closed[2] - closed[0], closed[3] - closed[1])
    normal = normal / np.linalg.norm(normal)
    before = (points - closed.mean(axis=0)) @ normal
    size = float(np.linalg.norm(closed[2] - closed[0]))
    return bool(before.min(initial=0.0) >= -2.0 * WARPED * size and before.max(initial=0.0) > 10.0 * WARPED * size)
