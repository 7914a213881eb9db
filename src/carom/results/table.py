"""A table as plain data: what is in it, without a word on how it is shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

__all__ = ["Cell", "Table"]

Cell: TypeAlias = str | float | int | None
"""Text, a number as it is (who shows it rounds it, a file has all digits), or None where there is nothing."""


@dataclass(frozen=True)
class Table:
    """A table of a report, a terminal or a file; the first column names the row."""

    name: str
    """Name of its file, such as ``fragility-parameters``."""
    title: str
    head: tuple[str, ...]
    """Names of the columns, units in brackets: ``"median [m/s2]"``."""
    rows: tuple[tuple[Cell, ...], ...]

    def records(self) -> list[dict[str, Cell]]:
        """Return its rows, each by the names of the columns."""
        return [dict(zip(self.head, row, strict=True)) for row in self.rows]
