"""One motion after another: main shock and aftershocks, with rest between them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from carom import units
from carom.budget import afford_samples
from carom.errors import refusal
from carom.motions.motion import Motion

__all__ = ["sequence"]


def sequence(motions: Sequence[Motion], *, rest: object = 30.0, ends: bool = True) -> Motion:
    """Return one motion that is several, one after the other.

    Parameters
    ----------
    motions
        Two or more, in their order. They are brought to the shortest of their time steps, along their straight lines.
    rest
        Time between the end of one and the beginning of the next [s]: long enough for the structures to come to rest.
    ends
        Whether each is made to end at rest first (`Motion.baseline_corrected`), without which the ground would drift
        through the pause.
    """
    owner = "sequence"
    given = list(motions)
    if len(given) < 2 or not all(isinstance(motion, Motion) for motion in given):
        raise refusal("motions", owner, "must be two or more motions", [type(one).__name__ for one in given])
    pause = units.number(rest, "s", name="rest", owner=owner, within=units.NONNEGATIVE)
    step = min(motion.dt for motion in given)
    afford_samples(sum(motion.duration + pause for motion in given) / step, way_out="Shorten the pause.")
    silence = np.zeros(max(round(pause / step) - 1, 0))
    parts = []
    for motion in given:
        whole = motion.baseline_corrected() if ends and motion.npts >= 4 else motion
        parts += [whole.resampled(step).acceleration, silence]
    names = ", then ".join(motion.name for motion in given)
    note = f"one after the other, {pause:g} s of rest between: {names}"
    return Motion(
        np.concatenate(parts[:-1]), step, component=given[0].component, event=given[0].event, station=given[0].station,
        source=" + ".join(motion.name for motion in given), processing=(note,),
    )  # fmt: skip
