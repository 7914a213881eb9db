"""Time and acceleration in columns: blanks, tabs, commas or semicolons between, header lines above or none.

Times are taken as even when every printed time is explained by one step; the step is then the shortest
decimal that does so. Uneven times are resampled along straight lines, with a warning. Lines ``# key: value``
above the numbers, as carom writes them, give component, event, station and processing back.
"""

from __future__ import annotations

import re

import numpy as np

from carom.errors import InputError
from carom.motions.motion import Array, Motion
from carom.motions.readers.base import Reader, reader
from carom.motions.readers.columns.plain import Block, block
from carom.motions.readers.columns.shape import looks_like_a_table
from carom.motions.readers.columns.times import even_step, refuse_disorder, resampled
from carom.motions.readers.document import Asked, Document

_KEY = re.compile(r"^#\s*(component|event|station|source|processing)\s*:\s?(.*)$")
_PRINTED = re.compile(r"[+-]?(\d*)\.?(\d*)(?:[EeDd]([+-]?\d+))?")
_TIME = re.compile(
    r"\W*(?:time|zeit|temps|tiempo|tempo|t)\b[^,;\t]*?[\[(]\s*(ms|mil|[µμu]s|min|s)\w*\s*[\])]", re.IGNORECASE
)
PER_SECOND = {"mil": 1e3, "ms": 1e3, "µs": 1e6, "μs": 1e6, "us": 1e6, "min": 1.0 / 60.0, "s": 1.0}
"""How many of a unit, by the beginning of its name, make a second."""


@reader("two-column", aliases=("csv", "table", "time-acceleration"), about="time and acceleration in columns")
class TwoColumn(Reader):
    """A table with a time column."""

    def recognises(self, document: Document) -> int:
        """The first of several columns grows from line to line."""
        return 70 if looks_like_a_table(document) else 0

    def read(self, document: Document, asked: Asked) -> Motion:
        """Read the table and settle its time step."""
        found = block(document, asked, table=True)
        table = _table(document, found)
        values = table[:, _column(document, table.shape[1], asked)]
        factor, notes = document.unit(asked)
        time, per_second = table[:, 0], _per_second(document)
        refuse_disorder(document, time / per_second)
        promised = None if document.said_step is None else document.said_step * per_second
        step = even_step(time, _rounding(document, found.stop, time), promised)
        if step is None:
            values, step, more = resampled(document, time / per_second, values, asked)
        else:
            step, more = document.step(asked, step / per_second)
        document.ignore_after(found.stop)
        kept: dict[str, list[str]] = {}
        for line in document.lines[: document.body]:
            if said := _KEY.match(line):
                kept.setdefault(said[1], []).append(said[2].rstrip())
        history = tuple(kept.pop("processing", ()))
        told = {key: words[-1] for key, words in kept.items()}
        told.setdefault("source", document.path.name)
        return Motion(
            values * factor, step, start=float(time[0]) / per_second, processing=history + notes + more, **told
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
    names = re.split(r"[,;\t]", document.header.split("\n")[-1]) if document.body else []
    named = [place for place, name in enumerate(names) if re.search(r"\bacc", name, re.IGNORECASE)]
    if len(names) == width and len(named) == 1:
        return named[0]
    raise InputError(f"{document.owner} has {width} columns. Say which one is the acceleration: column=2 (--column 2).")


def _per_second(document: Document) -> float:
    """Return how many of the units in which a header has its times make a second; 1 where it names none."""
    named = _TIME.match(document.header.split("\n")[-1]) if document.body else None
    return 1.0 if named is None else PER_SECOND[named[1].lower()]


def _rounding(document: Document, stop: int, time: Array) -> Array:
    """Return the unit of the last digit [s] to which each time was rounded when it was printed.

    A print has so many decimals, or so many significant digits; the largest of both seen anywhere count,
    since zeros at the end may have been left out.
    """
    decimals, significant = 0, 1
    filled = [line.lstrip() for line in document.lines[document.body : stop] if line.strip()]
    for line in filled[-time.size :]:
        if printed := _PRINTED.match(line):
            decimals = max(decimals, len(printed[2]) - int((printed[3] or "0")[:4]))
            significant = max(significant, len((printed[1] + printed[2]).lstrip("0")))
    size = np.floor(np.log10(np.maximum(np.abs(time), 1e-300))) + 1.0
    return 10.0 ** np.clip(np.maximum(-decimals, size - significant), -300.0, 300.0)
