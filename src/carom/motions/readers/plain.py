"""What plain columns of numbers have in common: an optional first line ``count dt``, then the samples."""

from __future__ import annotations

import numpy as np

from carom.errors import InputError
from carom.motions.motion import Array, Motion
from carom.motions.readers._numbers import numbers_in
from carom.motions.readers.document import Asked, Document
from carom.motions.readers.shape import count_and_step

__all__ = ["Block", "block", "finish"]


class Block:
    """The numbers of a file, row by row, with the count and time step of a leading ``count dt`` line."""

    def __init__(self, document: Document, *, columns: int | None = None) -> None:
        if document.body == len(document.lines):
            raise InputError(
                f"{document.owner} must hold lines of numbers. Its first line is "
                f"{document.lines[0].strip()[:60]!r}."
            )
        self.rows, self.stop = numbers_in(document.lines, document.body, document.owner)
        self.step: float | None = None
        self.line = document.body
        lead = self.rows[0]
        if len(self.rows) > 2 and count_and_step(lead):
            rest = sum(len(row) for row in self.rows[1:])
            paired = columns == 2 and len(self.rows[1]) == 2
            if lead[0] == (rest // 2 if paired else rest):
                self.step, self.rows = lead[1], self.rows[1:]

    @property
    def flat(self) -> Array:
        """All numbers in reading order."""
        return np.array([value for row in self.rows for value in row])

    @property
    def widths(self) -> set[int]:
        """How many numbers the lines hold, the last one aside."""
        return {len(row) for row in self.rows[:-1]} or {len(self.rows[0])}


def block(document: Document, *, columns: int | None = None) -> Block:
    """Return the numbers of a document."""
    return Block(document, columns=columns)


def finish(document: Document, values: Array, found: Block, asked: Asked) -> Motion:
    """Return the motion of samples without times: time step and unit from header or caller."""
    if values.size < 2:
        raise InputError(f"{document.owner} must hold at least two samples. Got {values.size}.")
    dt, notes = document.step(asked, found.step)
    factor, more = document.unit(asked)
    document.ignore_after(found.stop)
    return Motion(values * factor, dt, source=document.path.name, processing=notes + more)
