"""A measured impact made ready for comparison: force from acceleration, filter, offset, and when the bodies touched.

The channel classes are those of SAE J211-1 (appendix C, also ISO 6487): a Butterworth filter of second order run
forwards and backwards, which makes it of fourth order and without phase.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.signal import lfilter, lfilter_zi

from carom.errors import InputError, refusal
from carom.studies.analyses.columns import Array, checked_pair
from carom.units import POSITIVE, number

__all__ = ["CHANNEL_CLASSES", "MeasuredImpact", "channel_filter", "measured_impact"]

CHANNEL_CLASSES = (60, 180, 600, 1000)
"""CFC of SAE J211: the filter passes all below so many hertz and halves the power at 5/3 of it."""
SAMPLES_PER_CLASS = 10.0
"""SAE J211 asks for samples at ten times the CFC or faster."""
RISE = 0.1
"""The rise of the force begins where it last was below this share of the peak."""
QUIET = 0.5
"""Samples count as quiet that lie before that by this share of the rise."""
FEWEST_QUIET = 5
"""Quiet samples from which offset and noise can be told."""
NOISE = 4.0
"""The force has risen where it exceeds so many standard deviations of the quiet samples …"""
LEAST = 0.02
"""… and this share of the peak."""
AROUND = 0.3
"""Samples are kept before touch and beyond the end of contact for this share of its duration."""
CUT = 0.03
"""A filter may lower the peak by so much before a caution is due."""
OFFSET = 0.02
"""The same of an offset, as a share of the peak."""


@dataclass(frozen=True, eq=False)
class MeasuredImpact:
    """One impact, with a little of the rest before and after it."""

    time: Array
    """[s] since touch."""
    force: Array
    """[N], pressure positive, without offset."""
    touch: float
    """When the bodies touched, in the time of the record [s]."""
    found: bool
    """Whether the touch was looked for and found; otherwise the record is taken to begin with it."""
    noise: float
    """Standard deviation of the force before touch [N]; NaN where nothing was recorded before."""
    cautions: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """How the touch is known, in a sentence."""
        if self.found:
            return f"Touch found at {self.touch:.6g} s of the record."
        return f"Touch taken at {self.touch:.6g} s of the record."


def channel_filter(values: Array, dt: float, channel_class: int) -> Array:
    """Return samples `dt` [s] apart, filtered by a channel class of SAE J211: fourth order, no phase.

    The coefficients are those that the standard prints, of the bilinear transform with ω_d = 2π · 2.0775 · CFC.
    """
    if channel_class not in CHANNEL_CLASSES:
        known = ", ".join(map(str, CHANNEL_CLASSES))
        raise refusal("cfc", "channel_filter", f"must be one of {known}", channel_class)
    rate = 1.0 / dt
    if rate < SAMPLES_PER_CLASS * channel_class:
        rule = f"must be at most a tenth of the sampling rate, {rate:.4g} Hz, as SAE J211 asks"
        raise refusal("cfc", "channel_filter", rule, channel_class, "Choose a lower class, or leave the filter out.")
    warped = math.tan(math.pi * 2.0775 * channel_class * dt)
    scale = 1.0 + math.sqrt(2.0) * warped + warped**2
    a0 = warped**2 / scale
    b1, b2 = -2.0 * (warped**2 - 1.0) / scale, (-1.0 + math.sqrt(2.0) * warped - warped**2) / scale
    above, below = np.array([a0, 2.0 * a0, a0]), np.array([1.0, -b1, -b2])
    steady = lfilter_zi(above, below)
    forwards, _ = lfilter(above, below, values, zi=steady * values[0])
    backwards, _ = lfilter(above, below, forwards[::-1], zi=steady * forwards[-1])
    found: Array = backwards[::-1]
    return found


def measured_impact(
    time: object,
    force: object = None,
    *,
    acceleration: object = None,
    mass: float | str | None = None,
    cfc: int | None = None,
    touch: float | str | None = None,
) -> MeasuredImpact:
    """Return a measured impact, its times counted from touch.

    Parameters
    ----------
    time
        Times of the record [s], rising; the touch may lie anywhere.
    force
        Measured contact force [N], pressure positive.
    acceleration
        Instead of it: acceleration of a body of `mass` away from the other [m/s²]; the force is their product.
    mass
        Of the body that carries the accelerometer [kg].
    cfc
        Channel class of SAE J211 by which to filter: 60, 180, 600 or 1000; None: as measured.
    touch
        When the bodies touched, in the time of the record [s]; None: it is looked for.
    """
    owner = "measured_impact"
    if (force is None) == (acceleration is None):
        raise InputError(f"{owner} takes `force` or `acceleration`, one of them.")
    given = "acceleration" if force is None else "force"
    times, values = checked_pair(time, acceleration if force is None else force, owner, ("time", given))
    if times.size < 8 or np.any(np.diff(times) <= 0.0):
        raise refusal("time", owner, "must be at least eight rising times", times.size)
    if force is None:
        if mass is None:
            raise InputError(f"{owner} needs `mass` to make a force of an acceleration.")
        values = number(mass, "kg", name="mass", owner=owner, within=POSITIVE) * values
    if not values.max() >= -values.min() or not values.max() > 0.0:
        largest = float(values[np.abs(values).argmax()])
        way_out = (
            "Pressure is positive. Turn the sign of a sensor that counts otherwise (on the command line: --reverse)."
        )
        raise refusal(given, owner, "must press where it is largest", largest, way_out)
    cautions: list[str] = []
    if cfc is not None:
        values = _filtered(times, values, cfc, cautions)
    start, found, noise, offset = _touch(times, values, touch)
    values = values - offset
    peak = float(values.max())
    if abs(offset) > OFFSET * peak:
        cautions.append(f"Offset: {offset:.3g} N, {100 * offset / peak:.2g} % of the peak, before touch; taken off.")
    over = _end(times, values, noise)
    around = AROUND * (over - start)
    if over == times[-1] and values[-1] > 2.0 * LEAST * peak:
        cautions.append(
            f"Record: it ends while the force is still {values[-1]:.3g} N, {100 * values[-1] / peak:.0f} % of the "
            "peak; the end of the contact is missing."
        )
    kept = (times >= start - around) & (times <= over + around)
    inside = int(np.sum((times >= start) & (times <= over)))
    if inside < 8:
        raise refusal("time", owner, "must hold at least eight samples of the contact", inside, "Sample faster.")
    return MeasuredImpact(times[kept] - start, values[kept], start, found, noise, tuple(cautions))


def _filtered(times: Array, values: Array, cfc: int, cautions: list[str]) -> Array:
    steps = np.diff(times)
    if np.ptp(steps) > 0.02 * steps.mean():
        rule = "must be evenly spaced for a filter"
        raise refusal("time", "measured_impact", rule, [float(steps.min()), float(steps.max())])
    filtered = channel_filter(values, float(steps.mean()), cfc)
    lost = 1.0 - float(filtered.max() / values.max())
    if lost > CUT:
        cautions.append(
            f"Filter: CFC {cfc} lowers the peak by {100 * lost:.2g} %. Where that is not noise the impact is too short "
            "for this class; take a higher one."
        )
    return filtered


def _touch(times: Array, values: Array, given: Any) -> tuple[float, bool, float, float]:
    """Return when the bodies touch, whether that was found, and noise and offset of the force before."""
    top = int(values.argmax())
    low = np.flatnonzero(values[:top] < RISE * values[top])
    begin = int(low[-1]) if low.size else 0
    quiet = values[times < times[begin] - QUIET * (times[top] - times[begin])]
    noise = offset = math.nan
    if quiet.size >= FEWEST_QUIET:
        offset = float(np.median(quiet))
        noise = 1.4826 * float(np.median(np.abs(quiet - offset)))
    if given is not None:
        start = number(given, "s", name="touch", owner="measured_impact")
        if not times[0] <= start < times[top]:
            rule = f"must lie between the first sample and the peak, {times[0]:.6g} s and {times[top]:.6g} s"
            raise refusal("touch", "measured_impact", rule, given)
        return start, False, noise, 0.0 if math.isnan(offset) else offset
    if math.isnan(offset):  # nothing before touch was recorded: times count from it, or the record begins with it
        since_touch = 0.0 <= times[0] <= times[top] - times[0]
        return 0.0 if since_touch else float(times[0]), False, noise, 0.0
    risen = _crossing(times, values - offset, top, max(NOISE * noise, LEAST * (values[top] - offset)))
    further = _crossing(times, values - offset, top, max(2.0 * NOISE * noise, 2.0 * LEAST * (values[top] - offset)))
    # the line through both meets zero as far before the first as the second lies after it
    return max(2.0 * risen - further, float(times[0])), True, noise, offset


def _crossing(times: Array, values: Array, top: int, level: float) -> float:
    """Return when the values last rise through a level before sample `top`."""
    below = np.flatnonzero(values[:top] <= level)
    if not below.size:
        return float(times[0])
    i = int(below[-1])
    return float(times[i] + (level - values[i]) / (values[i + 1] - values[i]) * (times[i + 1] - times[i]))


def _end(times: Array, values: Array, noise: float) -> float:
    """Return when the contact that peaks highest is over, or the record is."""
    top = int(values.argmax())
    level = max(LEAST * float(values[top]), 0.0 if math.isnan(noise) else NOISE * noise)
    after = np.flatnonzero(values[top:] <= level)
    return float(times[top + int(after[0])] if after.size else times[-1])
