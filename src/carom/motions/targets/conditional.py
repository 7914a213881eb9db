"""The conditional mean spectrum: what to expect elsewhere when the acceleration at one period is given.

    ln Sa(T) = μ(T) + ρ(T, T*)·ε(T*)·σ(T)

Baker (2011), Journal of Structural Engineering 137(3), 322-331; the correlation ρ by Baker and Jayaram (2008),
Earthquake Spectra 24(1), 299-317, equations (3) to (6), for 0.01 to 10 s. The mean μ and the standard deviation σ of
ln Sa come from a ground-motion model that the caller has.
"""

from __future__ import annotations

import math

import numpy as np

from carom import units
from carom.errors import refusal
from carom.motions.motion import Array
from carom.motions.quantities import acceleration
from carom.motions.targets.base import Target, table

__all__ = ["conditional_mean", "correlation"]

PERIODS = units.Range(0.01, 10.0, low_open=False, high_open=False)
"""Periods of the correlation [s]."""


def correlation(first: object, second: object) -> float:
    """Return the correlation of ε at two periods [s]."""
    ends = [units.number(t, "s", name="period", owner="correlation", within=PERIODS) for t in (first, second)]
    low, high = min(ends), max(ends)
    c1 = 1.0 - math.cos(math.pi / 2.0 - 0.366 * math.log(high / max(low, 0.109)))
    c2 = 0.0
    if high < 0.2:
        c2 = 1.0 - 0.105 * (1.0 - 1.0 / (1.0 + math.exp(100.0 * high - 5.0))) * (high - low) / (high - 0.0099)
    c3 = c2 if high < 0.109 else c1
    c4 = c1 + 0.5 * (math.sqrt(c3) - c3) * (1.0 + math.cos(math.pi * low / 0.109))
    if high < 0.109:
        return c2
    if low > 0.109:
        return c1
    return min(c2, c4) if high < 0.2 else c4


def conditional_mean(
    periods: object, median: object, sigma: object, *, at: object, sa: object = None, epsilon: object = None
) -> Target:
    """Return the conditional mean spectrum.

    Parameters
    ----------
    periods
        Periods of the ground-motion model [s], 0.01 to 10 s, growing.
    median, sigma
        Its median of Sa [m/s²] and standard deviation of ln Sa [–] at them.
    at
        T*, the period whose acceleration is given [s].
    sa, epsilon
        That acceleration [m/s², or "0.5 g"], or how many standard deviations it lies above the median.
    """
    owner = "conditional_mean"
    axis = units.array(periods, "s", name="periods", owner=owner, within=PERIODS)
    middle = units.array(median, "m/s²", name="median", owner=owner, within=units.POSITIVE)
    spread = units.array(sigma, "", name="sigma", owner=owner, within=units.POSITIVE)
    if not axis.shape == middle.shape == spread.shape or axis.ndim != 1 or axis.size < 2:
        raise refusal("median", owner, "and sigma must be rows as long as periods", (middle.shape, spread.shape))
    star = units.number(at, "s", name="at", owner=owner, within=PERIODS)
    if (sa is None) == (epsilon is None):
        raise refusal("epsilon", owner, "must be given, or `sa` in its place", epsilon)
    if sa is not None:
        here = [float(np.interp(math.log(star), np.log(axis), row)) for row in (np.log(middle), spread)]
        above = (math.log(acceleration(sa, name="sa", owner=owner)) - here[0]) / here[1]
    else:
        above = units.number(epsilon, "", name="epsilon", owner=owner)
    rho: Array = np.array([correlation(period, star) for period in axis])
    return table(axis, middle * np.exp(rho * above * spread), name=f"conditional mean, T* {star:g} s, ε {above:.3g}")
