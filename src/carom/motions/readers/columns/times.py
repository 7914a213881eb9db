"""Columns of times: even as printed, or put on an even step."""

from __future__ import annotations

import math

import numpy as np

from carom.errors import InputError
from carom.motions.motion import Array
from carom.motions.readers.document import Asked, Document, warn

__all__ = ["even_pairs", "even_step", "refuse_disorder", "resampled"]

MOST_ROWS = 50
"""Uneven times are not resampled to more than this many times their number."""
DIGITISED = 0.005
"""Time step [s] on which unevenly digitised films are put: 200 samples a second, that of the corrected volumes."""
PRINTED = 1e-3
"""Last digit [s] of their times."""


def even_pairs(
    document: Document, pairs: Array, notes: tuple[str, ...], asked: Asked
) -> tuple[Array, float, tuple[str, ...]]:
    """Return the accelerations of times and accelerations by turns, on an even step, and notes."""
    time, values = pairs[: pairs.size // 2 * 2].reshape(-1, 2).T
    if time.size < 2:
        raise InputError(f"{document.owner} must hold at least two samples. Got {time.size}.")
    refuse_disorder(document, time, rounded=True)
    step = even_step(time, np.full(time.size, PRINTED), None)
    if step is not None:
        return values, step, notes
    values, step, more = resampled(document, time, values, asked, DIGITISED)
    return values, step, notes + more


def refuse_disorder(document: Document, time: Array, *, rounded: bool = False) -> None:
    """Refuse times that do not grow; rounded ones may stay the same for a while."""
    steps = np.diff(time)
    back = np.flatnonzero(steps < 0.0 if rounded else steps <= 0.0)
    if time[-1] <= time[0]:
        back = np.array([time.size - 2])
    if back.size:
        place = int(back[0]) + 1
        raise InputError(
            f"Times of {document.owner} must grow from row to row. Got {time[place]:g} s after "
            f"{time[place - 1]:g} s in row {place + 1}. If the first column is no time, pass "
            'format="opensees" and dt=...'
        )


def even_step(time: Array, digit: Array, said: float | None) -> float | None:
    """Return the time step where the times are even, else nothing.

    It is the one of the header, or the shortest decimal, that explains every time as printed; failing that
    the mean, if no time is off by more than a fiftieth of it.
    """
    count = np.arange(time.size)
    mean = float((time[-1] - time[0]) / count[-1])
    if not math.isfinite(mean):
        return None
    slack = 0.51 * (digit + digit[0]) + 4e-16 * float(np.abs(time).max())
    shortest = [float(f"{mean:.{digits}e}") for digits in range(17)]
    for step in [said, *shortest]:
        if step and step < 1.5 * mean and (np.abs(time - time[0] - step * count) <= slack).all():
            return step
    return mean if np.abs(time - time[0] - mean * count).max() <= 0.02 * mean else None


def resampled(
    document: Document, time: Array, values: Array, asked: Asked, usual: float | None = None
) -> tuple[Array, float, tuple[str, ...]]:
    """Return samples on an even step: the one asked for, else the usual one of a format, else the median."""
    steps = np.diff(time)
    step = asked.dt or usual or float(f"{np.median(steps):.4g}")
    rows = (time[-1] - time[0]) / step
    if not rows < MOST_ROWS * time.size:
        raise InputError(
            f"Times of {document.owner} are uneven, from {steps.min():g} s to {steps.max():g} s apart. "
            "Pass the time step to resample to: dt=0.01 (--dt 0.01)."
        )
    even = time[0] + step * np.arange(math.floor(rows + 1e-9) + 1)
    if even.size < 2:
        raise InputError(f"`dt` of {document.owner} must be shorter than the record. Got {step:g} s.")
    warn(
        f"{document.owner}: times are uneven ({steps.min():g} s to {steps.max():g} s apart); "
        f"resampled along straight lines to {step:g} s."
    )
    note = f"resampled from uneven times to {step:g} s along straight lines"
    return np.interp(even, time, values), step, (note,)
