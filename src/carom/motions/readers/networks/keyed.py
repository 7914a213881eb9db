"""Headers of lines ``KEY : value`` above columns of numbers."""

from __future__ import annotations

import re

import numpy as np

from carom.errors import InputError
from carom.motions.motion import Array
from carom.motions.readers._numbers import NUMBER, numbers_in, value_of
from carom.motions.readers.document import LONGEST_HEADER_LINE, Asked, Document, warn

__all__ = ["count_of", "counted", "joined", "keys_of", "positive", "table_of"]

MOST_STRAY = 10
"""Rows after the announced ones that are left out with a warning; more are refused."""


def keys_of(document: Document, until: int, sep: str = ":") -> dict[str, str]:
    """Return the fields of a header by their names in small letters; the first of a name counts."""
    found: dict[str, str] = {}
    for line in document.lines[:until]:
        key, mark, value = line[:LONGEST_HEADER_LINE].partition(sep)
        name = " ".join(key.strip(" #*").casefold().split())
        if mark and name and name not in found:
            found[name] = value.strip()
    return found


def positive(text: str) -> float | None:
    """Return the positive number that a field begins with, if it does."""
    found = re.match(rf"\s*/?\s*({NUMBER})", text)
    value = value_of(found[1]) if found else 0.0
    return value if 0.0 < value < 1e15 else None


def joined(said: dict[str, str], *keys: str) -> str:
    """Return the words of several fields, those that are there."""
    return " ".join(word for key in keys if (word := said.get(key, "").strip(" /")))


def count_of(text: str) -> int | None:
    """Return the whole number that a field begins with."""
    value = positive(text)
    return None if value is None else int(value)


def table_of(document: Document, first: int, width: int) -> tuple[Array, int]:
    """Return rows of `width` numbers from a line on, and the line after them."""
    rows, stop = numbers_in(document.lines, first, document.owner)
    for place, row in enumerate(rows):
        if len(row) != width:
            line = [at for at in range(first, stop) if document.lines[at].strip()][place]
            raise InputError(
                f"Line {line + 1} of {document.owner} must hold {width} numbers. Got {len(row)}: "
                f"{document.lines[line].strip()[:60]!r}."
            )
    if len(rows) < 2:
        raise InputError(f"{document.owner} must hold at least two samples below line {first}. Got {len(rows)}.")
    document.ignore_after(stop)
    return np.array(rows), stop


def counted(document: Document, found: int, said: int | None, asked: Asked) -> tuple[int, tuple[str, ...]]:
    """Return how many samples are taken, or refuse fewer or more than the header says."""
    if said is None or said == found:
        return found, ()
    few_more = said >= 2 and 0 < found - said <= MOST_STRAY
    if few_more:
        warn(f"{document.owner}: {found - said} rows more than the {said} that its header announces are left out.")
    elif not asked.partial or min(found, said) < 2:
        raise InputError(
            f"{document.owner} must hold the {said} samples its header announces. Got {found}. "
            "Take it from its source again, or pass partial=True (--partial) to use what is there."
        )
    return min(found, said), (f"{min(found, said)} samples taken, the file says {said}",)
