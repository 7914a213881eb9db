"""Ground motion that runs along a row of structures: each hears it later by its distance over the wave's speed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from carom.errors import refusal
from carom.motions.motion import Motion
from carom.problem.ground.supports import take_ground
from carom.structures.base import LinearStructure
from carom.structures.bridges.deck import Deck
from carom.structures.points import direction_of
from carom.units import POSITIVE, number

__all__ = ["wave_passage"]

PARTS = 10
"""Delays are whole parts, so fine, of the motion's time step: motions of one problem share their samples."""


def wave_passage(
    structures: Iterable[LinearStructure],
    motion: Any,
    *,
    speed: float | str,
    direction: Any = "x",
    at: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return the motion of each structure's ground as `carom.Problem` takes it, with its delay.

    Parameters
    ----------
    structures
        Decks, piers and abutments, which know where they stand, and others named in `at`.
    motion
        One for all, as for `Problem`.
    speed
        Of the wave along the ground [m/s].
    direction
        Where it runs to.
    at
        Positions x and y [m] of structures that do not know theirs.

    Examples
    --------
    >>> import carom
    >>> piers = [carom.Pier(mass=1e5, stiffness=5e7, at=(x, 0), name=f"pier {x}") for x in (0, 60)]
    >>> ground = carom.wave_passage(piers, carom.motions.get("default"), speed="600 m/s")
    >>> [delay for _, delay in ground.values()]
    [0.0, 0.1]
    """
    owner = "wave_passage"
    pace = number(speed, "m/s", name="speed", owner=owner, within=POSITIVE)
    along = direction_of(direction, owner)[:2]
    support = take_ground(motion, owner, "must be a Motion, a MotionSet or directions to motions")
    steps = [one.dt for one in support.along if isinstance(one, Motion)]
    known = dict(at or {})
    distances = {one.name: float(_place(one, known) @ along) for one in structures}
    first = min(distances.values(), default=0.0)
    unit = min(steps, default=0.0) / PARTS
    found = {}
    for name, distance in distances.items():
        delay = (distance - first) / pace
        found[name] = (motion, round(round(delay / unit) * unit, 12) if unit else 0.0)
    return found


def _place(structure: LinearStructure, known: Mapping[str, Any]) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return where a structure stands [m], shape (2,)."""
    given = known.get(structure.name)
    if given is not None:
        return np.array([number(one, "m", name="at", owner="wave_passage") for one in given])
    if isinstance(structure, Deck):
        return structure.world("centre")
    own = getattr(structure, "at", None)
    if own is None:
        raise refusal(
            "at", "wave_passage", f"must say where {structure.owner} stands", None,
            f'Write at={{"{structure.name}": (0, 0)}}.',
        )  # fmt: skip
    return np.array(own, dtype=np.float64)
