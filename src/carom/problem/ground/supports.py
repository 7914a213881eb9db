"""The grounds that structures stand on, and the one time base of their motions."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from carom.budget import FLOAT, afford
from carom.errors import InputError, refusal
from carom.motions.motion import Motion, MotionSet
from carom.problem.flat import Array
from carom.structures.points import AXES
from carom.units import NONNEGATIVE, number

__all__ = ["Support", "common_base", "says_directions", "take_ground", "take_support"]

FINEST = 100
"""The common time step of several motions is at least this part of the smallest."""
WAYS = (
    "Samples become a motion by carom.Motion(acceleration, dt), files by carom.read_motion(path); several components "
    'are written {"x": east, "y": north, "z": up}.'
)


class Support(NamedTuple):
    """The ground under a structure: motions along x, y and z that arrive after a delay [s]; None: at rest along it."""

    x: Motion | None
    y: Motion | None = None
    z: Motion | None = None
    delay: float = 0.0

    @classmethod
    def under(cls, motion: Motion | MotionSet | Support | None) -> Support:
        """Return the ground that moves along x by a motion, along the axes of a set, or as it is given."""
        if isinstance(motion, Support):
            return motion
        return cls.of(motion.axes) if isinstance(motion, MotionSet) else cls(motion)

    @classmethod
    def of(cls, along: Iterable[Motion | None]) -> Support:
        """Return the ground that moves so along x, y and z."""
        x, y, z = along
        return cls(x, y, z)

    @property
    def along(self) -> tuple[Motion | None, Motion | None, Motion | None]:
        """The motions along x, y and z."""
        return self.x, self.y, self.z

    @property
    def name(self) -> str:
        """A short name for tables and legends."""
        return " + ".join(dict.fromkeys(motion.name for motion in self.motions)) or "at rest"

    @property
    def motions(self) -> tuple[Motion, ...]:
        """Those that there are."""
        return tuple(motion for motion in self.along if motion is not None)


def take_ground(given: Any, owner: str, rule: str) -> Support:
    """Take what is given as the motion of a ground, without a delay; `rule` says what may be given."""
    if given is None or isinstance(given, (Motion, MotionSet, Support)):
        return Support.under(given)
    if not isinstance(given, Mapping) or not says_directions(given):
        raise refusal("motion", owner, rule, given, WAYS)
    for axis, motion in given.items():
        if not isinstance(motion, Motion):
            raise refusal(
                "motion", owner, f"must have a carom.Motion along {axis}", motion, "Leave out what is at rest."
            )
    return Support.of(given.get(axis) for axis in AXES)


def take_support(given: Any, which: object) -> Support:
    """Take what is given as the motion of a structure, alone or with a delay."""
    if isinstance(given, Support):
        return given
    motion, delay = given if isinstance(given, tuple) and len(given) == 2 else (given, 0.0)
    rule = "must be a Motion, a MotionSet, directions to motions, any of them with a delay as a pair, or None"
    found = take_ground(motion, f"structure {which!r}", rule)
    owner = f"the motion of structure {which!r}"
    late = number(delay, "s", name="delay", owner=owner, within=NONNEGATIVE)
    return found._replace(delay=late) if found.motions else found


def says_directions(given: Mapping[Any, Any]) -> bool:
    """Whether a mapping is one from directions: every key is ``"x"``, ``"y"`` or ``"z"``."""
    return bool(given) and all(isinstance(key, str) and key in AXES for key in given)


def common_base(supports: tuple[Support, ...]) -> tuple[Array, float, float]:
    """Return accelerations (S, 3, T), time step and start on a base that holds every sample of every motion.

    Motions are read as straight lines between samples, so a finer base changes nothing; before its first
    sample and after its last a ground does not accelerate.
    """
    shaken = [
        ((s, axis), motion, support.delay)
        for s, support in enumerate(supports)
        for axis, motion in enumerate(support.along)
        if motion is not None
    ]
    if not shaken:
        return np.zeros((len(supports), 3, 0)), 0.0, 0.0
    start = min(motion.start + delay for _, motion, delay in shaken)
    unit = min(motion.dt for _, motion, _ in shaken)
    _afford(len(shaken), max((motion.start + delay - start + motion.duration) / unit for _, motion, delay in shaken))
    steps = [_ratio(motion.dt / unit, motion) for _, motion, _ in shaken]
    offsets = [_ratio((motion.start + delay - start) / unit, motion) for _, motion, delay in shaken]
    part = math.lcm(*(ratio.denominator for ratio in (*steps, *offsets)))
    if part > FINEST:
        raise _uneven(f"steps and delays that meet only on 1/{part} of the smallest step")
    size = max(
        int(o * part) + (m.npts - 1) * int(s * part) for (_, m, _), s, o in zip(shaken, steps, offsets, strict=True)
    )
    _afford(3 * len(supports), size)
    ground = np.zeros((len(supports), 3, size + 1))
    for (place, motion, _), step, offset in zip(shaken, steps, offsets, strict=True):
        at = int(offset * part) + int(step * part) * np.arange(motion.npts)
        ground[place] = np.interp(np.arange(size + 1), at, motion.acceleration, left=0.0, right=0.0)
    return ground, unit / part, start


def _afford(rows: int, samples: float) -> None:
    """Refuse a ground that rests for good before it moves."""
    afford(
        5.0 * FLOAT * rows * min(samples, 1e300), what="The motion of the ground",
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
