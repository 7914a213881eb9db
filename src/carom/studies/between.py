"""The largest value of a history that is known at its samples, between them too."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

__all__ = ["largest_between", "largest_of_each", "with_rates"]

Array = npt.NDArray[np.float64]

BISECTIONS = 60


def largest_between(moved: Array, dt: float) -> float:
    """Return the largest value between and at samples, at least 0.

    `moved` holds values, their rate and the rate of that, shape (3, samples). Between samples the history is the
    polynomial of degree five through what they are at both ends; a peak lies where the rate falls through nought.
    """
    return float(largest_of_each(moved[:, :, None], dt)[0])


def largest_of_each(moved: Array, dt: float) -> Array:
    """Return the same of several histories, shape (3, samples, columns)."""
    values, rate, change = moved
    best: Array = values.max(axis=0, initial=0.0)
    there, column = np.nonzero((rate[:-1] > 0.0) & (rate[1:] <= 0.0))
    p0, v0, a0 = values[there, column], rate[there, column] * dt, change[there, column] * dt * dt
    p1, v1, a1 = values[there + 1, column], rate[there + 1, column] * dt, change[there + 1, column] * dt * dt
    d, e, f = p1 - p0 - v0 - 0.5 * a0, v1 - v0 - a0, a1 - a0
    c3, c4, c5 = 10.0 * d - 4.0 * e + 0.5 * f, -15.0 * d + 7.0 * e - f, 6.0 * d - 3.0 * e + 0.5 * f
    powers = np.array([v0, 0.5 * a0, c3, c4, c5])
    higher = p0 + np.maximum(powers, 0.0).sum(axis=0) > best[column]  # no peak between lies above this sum
    p0, column = p0[higher], column[higher]
    v0, b0, c3, c4, c5 = powers[:, higher]
    low, high = np.zeros(p0.size), np.ones(p0.size)
    for _ in range(BISECTIONS if p0.size else 0):
        s = 0.5 * (low + high)
        rising = v0 + s * (2.0 * b0 + s * (3.0 * c3 + s * (4.0 * c4 + s * 5.0 * c5))) > 0.0
        low, high = np.where(rising, s, low), np.where(rising, high, s)
    s = 0.5 * (low + high)
    np.maximum.at(best, column, p0 + s * (v0 + s * (b0 + s * (c3 + s * (c4 + s * c5)))))
    return best


def with_rates(values: Array, dt: float) -> Array:
    """Return a history with its rates by differences of fourth order, for `largest_between`: shape (3, samples).

    Of several histories, shape (samples, columns), it is (3, samples, columns). At fifty samples a cycle the peaks of a
    sum of harmonics are right to 1e-7, and to 1e-5 beside the two ends, where differences are of lower order.
    """
    size = values.shape[0]
    if size < 5:  # too few for such differences
        return np.stack([values, np.zeros_like(values), np.zeros_like(values)])
    before, left, here, right, after = (values[k : size - 4 + k] for k in range(5))
    rate = np.gradient(values, dt, edge_order=2, axis=0)
    rate[2:-2] = (before - after + 8.0 * (right - left)) / (12.0 * dt)
    change = np.gradient(rate, dt, axis=0)
    change[2:-2] = (16.0 * (left + right) - before - after - 30.0 * here) / (12.0 * dt * dt)
    return np.stack([values, rate, change])
