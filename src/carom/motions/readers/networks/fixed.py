"""Numbers in columns of fixed width, as Fortran wrote them: run together, blank, fewer or more than announced."""

from __future__ import annotations

import re

import numpy as np

from carom.errors import InputError
from carom.motions.motion import Array
from carom.motions.readers._numbers import NUMBER, row, value_of
from carom.motions.readers.document import Asked, Document

__all__ = ["block_of", "fields", "skip_numbers", "width_in"]

_ONE = re.compile(NUMBER)
_WORDS = re.compile(r"[A-Za-z]{2}|^/|^\s*$")
_FORMAT = re.compile(r"\(\s*(?:1x\s*,\s*)?\d{0,3}\s*[efdgi]\s*(\d{1,2})(?:\.\d{1,2})?\s*\)", re.IGNORECASE)


def width_in(text: str, usual: int) -> int:
    """Return the width of a column in a Fortran format such as ``(8f10.3)``; the usual one where there is none."""
    found = _FORMAT.search(text)
    return int(found[1]) if found and int(found[1]) > 0 else usual


def fields(line: str, width: int) -> tuple[list[float], int] | None:
    """Return the numbers of a line in columns of `width`, and how many were blank; None: it holds anything else.

    Numbers apart from each other are taken as they stand. Where they are fewer than the columns, some ran together or
    are blank, and the line is cut into its columns.
    """
    text = line.rstrip()
    values = row(text)
    columns = -(-len(text) // width)
    if values is not None and len(values) >= columns:
        return values, 0
    cut, blank = [], 0
    lead = len(text) % width if len(text) > width and len(text) % width < 3 else 0
    edges = range(lead, len(text), width)
    for edge in edges:
        piece = text[edge : edge + width].strip()
        if not piece:
            blank += 1
            cut.append(0.0)
        elif _ONE.fullmatch(piece):
            cut.append(value_of(piece))
        else:
            return None if values is None else (values, 0)
    return (cut, blank) if not text[:lead].strip() else None if values is None else (values, 0)


def block_of(
    document: Document,
    first: int,
    count: int,
    width: int,
    asked: Asked,
    *,
    what: str = "samples",
    last: bool = True,
) -> tuple[Array, int, tuple[str, ...]]:
    """Return `count` numbers from line `first` on, the line after them, and notes.

    Fewer or more are refused with the line, unless part of a record is asked for. Zeros that fill the last line up
    are no numbers too many; with `last` no numbers may stand in the line after it.
    """
    values: list[float] = []
    blanks, place, width_of_last = 0, first, 0
    lines = document.lines
    while place < len(lines) and len(values) < count:
        line = lines[place]
        if line.strip():
            found = fields(line, width)
            if found is None:
                break
            values += found[0]
            blanks += found[1]
            width_of_last = len(found[0])
        place += 1
    taken = np.array(values)
    if not np.isfinite(taken).all():
        raise _not_finite(document, first, place, width)
    more = last and _more_numbers(document, place, width)
    surplus = taken[count:]
    note: tuple[str, ...] = ()
    if taken.size < count or more or (surplus.size and (surplus.size >= width_of_last or surplus.any())):
        if not asked.partial or min(taken.size, count) < 2:
            raise _wrong_count(document, first, place, taken.size, count, more, what)
        note = (f"{min(taken.size, count)} {what} taken, the file says {count}",)
    if blanks:
        note += (f"{blanks} blank fields taken as zero",)
    return taken[:count], skip_numbers(document, place) if more else place, note


def skip_numbers(document: Document, place: int) -> int:
    """Return the next line that holds words, a marker or nothing."""
    lines = document.lines
    while place < len(lines) and not _WORDS.search(lines[place]):
        place += 1
    return place


def _more_numbers(document: Document, place: int, width: int) -> bool:
    """Tell whether numbers go on."""
    return place < len(document.lines) and bool(document.lines[place].strip()) and (
        fields(document.lines[place][:400], width) is not None
    )  # fmt: skip


def _wrong_count(
    document: Document, first: int, place: int, found: int, count: int, more: bool, what: str
) -> InputError:
    way_out = "Take it from its source again, or pass partial=True (--partial) to use what is there."
    if found >= count:
        tail = " go on after them" if more else ""
        return InputError(
            f"{document.owner} is at odds with its header: it announces {count} {what}, and "
            f"{'numbers' + tail if more else f'line {place} holds more'}. {way_out}"
        )
    seen = repr(document.lines[place].strip()[:60]) if place < len(document.lines) else "the end of the file"
    return InputError(
        f"{document.owner} is truncated: its header announces {count} {what} from line {first + 1} on, {found} are "
        f"there. Line {place + 1} has {seen}. {way_out}"
    )


def _not_finite(document: Document, first: int, stop: int, width: int) -> InputError:
    for place in range(first, stop):
        found = fields(document.lines[place], width)
        if found is not None and not np.isfinite(found[0]).all():
            break
    return InputError(
        f"Line {place + 1} of {document.owner} must hold finite numbers. Got {document.lines[place].strip()[:60]!r}. "
        "The record is damaged there; take it from its source again."
    )
