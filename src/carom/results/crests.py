"""The largest values of histories that are known with their rates at samples, between the samples too."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["largest_between"]


def largest_between(
    values: npt.NDArray[np.float64], rates: npt.NDArray[np.float64], time: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]:
    """Return the largest |value| of each column at and between samples, shape (columns,).

    Between samples a history is the cubic through its values and rates at both ends. A smooth one of fifty samples a
    cycle is right to 1e-6. Where a rate jumps between two samples, as in an impact without duration, the cubic is an
    estimate: it errs by less than 0.15 of the jump times the time between the samples.
    """
    import numpy as np

    found: npt.NDArray[np.float64] = np.abs(values).max(axis=0)
    if time.size < 2:
        return found
    step = np.diff(time)[:, None]
    first, rise = rates[:-1] * step, np.diff(values, axis=0)
    # value + first·s + second·s² + third·s³ over 0 ≤ s ≤ 1
    second, third = 3.0 * rise - 2.0 * first - rates[1:] * step, first + rates[1:] * step - 2.0 * rise
    under = second * second - 3.0 * third * first
    root = np.sqrt(np.maximum(under, 0.0))
    # both roots without cancellation: one by this, the other by its product with the first
    whole = -(second + np.copysign(root, second))
    with np.errstate(divide="ignore", invalid="ignore"):
        for s in (whole / (3.0 * third), first / whole):
            inside = (under >= 0.0) & (s > 0.0) & (s < 1.0)
            crest = values[:-1] + np.where(inside, s, 0.0) * (first + s * (second + s * third))
            found = np.maximum(found, np.abs(np.where(inside, crest, 0.0)).max(axis=0))
    return found
