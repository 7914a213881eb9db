"""The largest value of a history that is known at its samples, between them too."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

__all__ = ["largest_between", "with_rates"]

Array = npt.NDArray[np.float64]

BISECTIONS = 60


def largest_between(moved: Array, dt: float) -> float:
    """Return the largest value between and at samples, at least 0.

    `moved` holds values, their rate and the rate of that, shape (3, samples). Between samples the history is the
    polynomial of degree five through what they are at both ends; a peak lies where the rate falls through nought.
    """
    values, rate, change = moved
    best = max(float(values.max(initial=0.0)), 0.0)
    there = np.flatnonzero((rate[:-1] > 0.0) & (rate[1:] <= 0.0))
    if not there.size:
        return best
    p0, v0, a0 = values[there], rate[there] * dt, change[there] * dt * dt
    p1, v1, a1 = values[there + 1], rate[there + 1] * dt, change[there + 1] * dt * dt
    d, e, f = p1 - p0 - v0 - 0.5 * a0, v1 - v0 - a0, a1 - a0
    c3, c4, c5 = 10.0 * d - 4.0 * e + 0.5 * f, -15.0 * d + 7.0 * e - f, 6.0 * d - 3.0 * e + 0.5 * f
    low, high = np.zeros(there.size), np.ones(there.size)
    for _ in range(BISECTIONS):
        s = 0.5 * (low + high)
        rising = v0 + s * (a0 + s * (3.0 * c3 + s * (4.0 * c4 + s * 5.0 * c5))) > 0.0
        low, high = np.where(rising, s, low), np.where(rising, high, s)
    s = 0.5 * (low + high)
    tops = p0 + s * (v0 + s * (0.5 * a0 + s * (c3 + s * (c4 + s * c5))))
    return max(best, float(tops.max()))


def with_rates(values: Array, dt: float) -> Array:
    """Return a history with its rates by differences of fourth order, for `largest_between`: shape (3, samples).

    At fifty samples a cycle the peaks of a sum of harmonics are right to 1e-7, and to 1e-5 beside the two ends, where
    differences are of lower order.
    """
    if values.size < 5:  # too few for such differences
        return np.stack([values, np.zeros_like(values), np.zeros_like(values)])
    before, left, here, right, after = (values[k : values.size - 4 + k] for k in range(5))
    rate = np.gradient(values, dt, edge_order=2)
    rate[2:-2] = (before - after + 8.0 * (right - left)) / (12.0 * dt)
    change = np.gradient(rate, dt)
    change[2:-2] = (16.0 * (left + right) - before - after - 30.0 * here) / (12.0 * dt * dt)
    return np.stack([values, rate, change])
