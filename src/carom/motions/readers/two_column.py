"""Time and acceleration in columns: blanks, tabs, commas or semicolons between, header lines above or none.

Times are taken as even when every printed time is explained by one step; the step is then the shortest
decimal that does so. Uneven times are resampled along straight lines, with a warning. Lines ``# key: value``
above the numbers, as carom writes them, give component, event, station and processing back.
"""

from __future__ import annotations

import math
import re
import warnings

import numpy as np

from carom.errors import CaromWarning, InputError
from carom.motions.motion import Array, Motion
from carom.motions.readers.base import Reader, reader
from carom.motions.readers.document import Asked, Document
from carom.motions.readers.plain import Block, block
from carom.motions.readers.shape import looks_like_a_table

_KEY = re.compile(r"^#\s*(component|event|station|source|processing)\s*:\s?(.*)$")
_PRINTED = re.compile(r"[+-]?\d*\.?(\d*)(?:[EeDd]([+-]?\d+))?")
MOST_ROWS = 50
"""Uneven times are not resampled to more than this many times their number."""


@reader("two-column", aliases=("csv", "table", "time-acceleration"), about="time and acceleration in columns")
class TwoColumn(Reader):
    """A table with a time column."""

    def recognises(self, document: Document) -> int:
        """The first of several columns grows from line to line."""
        return 70 if looks_like_a_table(document) else 0

    def read(self, document: Document, asked: Asked) -> Motion:
        """Read the table and settle its time step."""
        found = block(document, columns=2)
        table = _table(document, found)
        values = table[:, _column(document, table.shape[1], asked)]
        factor, notes = document.unit(asked)
        time = table[:, 0]
        _refuse_disorder(document, time)
        step = _even_step(time, _resolution(document), document.said_step)
        if step is None:
            values, step, more = _resampled(document, time, values, asked)
        else:
            step, more = document.step(asked, step)
        document.ignore_after(found.stop)
        kept: dict[str, list[str]] = {}
        for line in document.lines[: document.body]:
            if said := _KEY.match(line):
                kept.setdefault(said[1], []).append(said[2].rstrip())
        history = tuple(kept.pop("processing", ()))
        told = {key: words[-1] for key, words in kept.items()}
        told.setdefault("source", document.path.name)
        return Motion(
            values * factor, step, start=float(time[0]), processing=history + notes + more, **told
        )  # fmt: skip


def _table(document: Document, found: Block) -> Array:
    width = len(found.rows[0])
    for place, row in enumerate(found.rows):
        if len(row) != width or width < 2:
            raise InputError(
                f"Row {place + 1} of the numbers in {document.owner} must hold "
                f"{max(width, 2)} columns. Got {len(row)}."
                + (" The file seems truncated there." if place == len(found.rows) - 1 else "")
            )
    if len(found.rows) < 2:
        raise InputError(f"{document.owner} must hold at least two samples. Got {len(found.rows)}.")
    return np.array(found.rows)


def _column(document: Document, width: int, asked: Asked) -> int:
    if asked.column is not None:
        if asked.column > width:
            raise InputError(f"`column` of {document.owner} must be at most {width}. Got {asked.column}.")
        return asked.column - 1
    if width == 2:
        return 1
    names = re.split(r"[,;\t]", document.lines[document.body - 1]) if document.body else []
    named = [place for place, name in enumerate(names) if re.search(r"\bacc", name, re.IGNORECASE)]
    if len(names) == width and len(named) == 1:
        return named[0]
    raise InputError(
        f"{document.owner} has {width} columns. Say which one is the acceleration: column=2 (--column 2)."
    )


def _refuse_disorder(document: Document, time: Array) -> None:
    back = np.flatnonzero(np.diff(time) <= 0.0)
    if back.size:
        place = int(back[0]) + 1
        raise InputError(
            f"Times of {document.owner} must grow from row to row. Got {time[place]:g} s after "
            f"{time[place - 1]:g} s in row {place + 1}. If the first column is no time, pass "
            'format="opensees" and dt=...'
        )


def _resolution(document: Document) -> float:
    """Return the last digit in which the times are printed [s], the coarsest of some."""
    finest = 0.0
    filled = [line for line in document.lines[document.body :] if line.strip()][:400]
    for line in filled[1:]:
        word = re.split(r"[\s,;]+", line.strip())[0]
        if printed := _PRINTED.match(word):
            exponent = int(printed[2] or 0) - len(printed[1])
            finest = max(finest, 10.0 ** max(min(exponent, 300), -300))
    trailing = {len(p[1]) for line in filled[1:] if (p := _PRINTED.match(line.strip())) and "." in line}
    return finest if len(trailing) == 1 else min(finest, 1e-3)


def _even_step(time: Array, digit: float, said: float | None) -> float | None:
    """Return the time step where one explains all printed times, that of the header first; else nothing."""
    count = time.size - 1
    mean = (time[-1] - time[0]) / count
    if not math.isfinite(mean) or mean <= 0.0:
        return None
    slack = min(0.51 * digit, 0.02 * mean) + 4e-16 * float(np.abs(time).max())
    if np.abs(time - (time[0] + mean * np.arange(time.size))).max() > 2.0 * slack:
        return None
    if said is not None and abs(said - mean) * count <= 2.0 * slack:
        return said
    for digits in range(17):
        step = float(f"{mean:.{digits}e}")
        if abs(step - mean) * count <= 2.0 * slack:
            return step
    return float(mean)


def _resampled(
    document: Document, time: Array, values: Array, asked: Asked
) -> tuple[Array, float, tuple[str, ...]]:
    steps = np.diff(time)
    step = asked.dt if asked.dt is not None else float(f"{np.median(steps):.4g}")
    rows = (time[-1] - time[0]) / step
    if not rows < MOST_ROWS * time.size:
        raise InputError(
            f"Times of {document.owner} are uneven, from {steps.min():g} s to {steps.max():g} s apart. "
            "Pass the time step to resample to: dt=0.01 (--dt 0.01)."
        )
    even = time[0] + step * np.arange(math.floor(rows + 1e-9) + 1)
    if even.size < 2:
        raise InputError(f"`dt` of {document.owner} must be shorter than the record. Got {step:g} s.")
    warnings.warn(
        f"{document.owner}: times are uneven ({steps.min():g} s to {steps.max():g} s apart); "
        f"resampled along straight lines to {step:g} s.",
        CaromWarning,
        stacklevel=5,
    )
    note = f"resampled from uneven times to {step:g} s along straight lines"
    return np.interp(even, time, values), step, (note,)
