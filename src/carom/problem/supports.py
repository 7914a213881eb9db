"""The grounds that structures stand on, and the one time base of their motions."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from carom.budget import FLOAT, afford
from carom.errors import InputError, refusal
from carom.motions.motion import Motion
from carom.problem.flat import Array
from carom.units import NONNEGATIVE, number

__all__ = ["Support", "along_x", "common_base", "take_support"]

FINEST = 100
"""The common time step of several motions is at least this part of the smallest."""


class Support(NamedTuple):
    """The ground under a structure: a motion that arrives after a delay [s], or none (at rest)."""

    motion: Motion | None
    delay: float = 0.0


def take_support(given: Any, which: object) -> Support:
    """Take what is given as the motion of a structure."""
    motion, delay = given if isinstance(given, tuple) and len(given) == 2 else (given, 0.0)
    if motion is not None and not isinstance(motion, Motion):
        raise refusal("motion", f"structure {which!r}", "must be a Motion, (Motion, delay) or None", given)
    owner = f"the motion of structure {which!r}"
    return Support(motion, number(delay, "s", name="delay", owner=owner, within=NONNEGATIVE) if motion else 0.0)


def common_base(supports: tuple[Support, ...]) -> tuple[Array, float, float]:
    """Return accelerations (S, 3, T), time step and start on a base that holds every sample of every motion.

    Motions are read as straight lines between samples, so a finer base changes nothing; before its first
    sample and after its last a ground does not accelerate.
    """
    shaken = [(s.motion, s.delay) for s in supports if s.motion is not None]
    if not shaken:
        return np.zeros((len(supports), 3, 0)), 0.0, 0.0
    start = min(motion.start + delay for motion, delay in shaken)
    unit = min(motion.dt for motion, _ in shaken)
    _afford(len(supports), max((motion.start + delay - start + motion.duration) / unit for motion, delay in shaken))
    steps = [_ratio(motion.dt / unit, motion) for motion, _ in shaken]
    offsets = [_ratio((motion.start + delay - start) / unit, motion) for motion, delay in shaken]
    part = math.lcm(*(ratio.denominator for ratio in (*steps, *offsets)))
    if part > FINEST:
        raise _uneven(f"steps and delays that meet only on 1/{part} of the smallest step")
    size = max(
        int(o * part) + (m.npts - 1) * int(s * part) for (m, _), s, o in zip(shaken, steps, offsets, strict=True)
    )
    _afford(len(supports), size)
    ground = np.zeros((len(supports), size + 1))
    rows = iter(zip(steps, offsets, strict=True))
    for row, support in zip(ground, supports, strict=True):
        if support.motion is not None:
            step, offset = next(rows)
            at = int(offset * part) + int(step * part) * np.arange(support.motion.npts)
            row[:] = np.interp(np.arange(size + 1), at, support.motion.acceleration, left=0.0, right=0.0)
    return along_x(ground), unit / part, start


def along_x(ground: Array) -> Array:
    """Return accelerations (S, T) along x as three components, shape (S, 3, T)."""
    found = np.zeros((ground.shape[0], 3, ground.shape[1]))
    found[:, 0] = ground
    return found


def _afford(supports: int, samples: float) -> None:
    """Refuse a ground that rests for good before it moves."""
    afford(
        5.0 * FLOAT * supports * min(samples, 1e300), what="The motion of the ground",
        because=f"{float(min(samples, 1e300)):.3g} samples on a common time step",
        way_out="Shorten the delay, or round it to whole samples of the motion.",
    )  # fmt: skip


def _ratio(value: float, motion: Motion) -> Fraction:
    found = Fraction(value).limit_denominator(FINEST)
    if abs(float(found) - value) > 1e-9 * max(1.0, value):
        raise _uneven(f"{motion!r} at {value:g} steps")
    return found


def _uneven(what: str) -> InputError:
    return refusal(
        "motion", "Problem", "must have time steps and delays with a common measure", what,
        "Resample the motions to one time step, and round the delays to parts of it.",
    )  # fmt: skip
