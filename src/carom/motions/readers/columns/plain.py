"""What plain columns of numbers have in common: an optional first line ``count dt``, then the samples."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from carom.errors import InputError
from carom.motions.motion import Array, Motion
from carom.motions.readers._numbers import numbers_in
from carom.motions.readers.columns.shape import opens_with_count
from carom.motions.readers.document import Asked, Document

__all__ = ["Block", "block", "finish"]


@dataclass(frozen=True)
class Block:
    """The numbers of a file."""

    rows: list[list[float]]
    stop: int
    """Index of the line after the last number."""
    step: float | None = None
    """Time step [s] of a leading ``count dt`` line."""

    @property
    def flat(self) -> Array:
        """All numbers in reading order."""
        return np.array([value for row in self.rows for value in row])


def block(document: Document, asked: Asked, *, table: bool = False) -> Block:
    """Return the numbers of a document, a leading ``count dt`` line taken off and held against them."""
    if document.body == len(document.lines):
        first = document.lines[0].strip()[:60]
        raise InputError(f"{document.owner} must hold lines of numbers. Its first line is {first!r}.")
    rows, stop = numbers_in(document.lines, document.body, document.owner)
    if not opens_with_count(rows):
        return Block(rows, stop)
    (count, step), rest = rows[0], rows[1:]
    found = len(rest) if table else sum(len(row) for row in rest)
    if found != count and not asked.partial:
        raise InputError(
            f"{document.owner} must hold as many samples as its first line says, {count:.0f}. Got {found}. "
            "Take it from its source again, or pass partial=True (--partial) to use what is there."
        )
    return Block(rest, stop, step)


def finish(document: Document, values: Array, found: Block, asked: Asked) -> Motion:
    """Return the motion of samples without times: time step and unit from header or caller."""
    if values.size < 2:
        raise InputError(f"{document.owner} must hold at least two samples. Got {values.size}.")
    dt, notes = document.step(asked, found.step)
    factor, more = document.unit(asked)
    document.ignore_after(found.stop)
    return Motion(values * factor, dt, source=document.path.name, processing=notes + more)
