"""What the commands print: tables for people, one JSON object for programs."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any, TextIO

from carom.plain_text import escaped, visible
from carom.reports.runs.files import plain
from carom.results import Cell, Table

__all__ = ["print_json", "print_table", "say", "terminal"]


def say(text: str, *, to: TextIO | None = None) -> None:
    """Print a line, of which no terminal obeys anything; `to` stdout by default."""
    print(visible(text), file=to)


def print_json(data: dict[str, Any]) -> None:
    """Print one JSON object to stdout, and nothing else; numbers JSON does not have become null."""
    import json

    text = json.dumps(plain(data), ensure_ascii=False, allow_nan=False, indent=2)
    print(escaped(text))


def terminal() -> Any:
    """Return the console to print tables on: coloured at a terminal, plain and wide in a pipe."""
    from rich.console import Console

    class Plain(Console):
        """Prints what it is given, and obeys nothing in it."""

        def render(self, *args: Any, **kwargs: Any) -> Iterator[Any]:
            for segment in super().render(*args, **kwargs):
                yield segment if segment.control else segment._replace(text=visible(segment.text))

    return Plain(highlight=False, width=None if sys.stdout.isatty() else 140)


def print_table(console: Any, table: Table) -> None:
    """Print a table below an empty line, numbers to four digits."""
    from rich.table import Table as Shape

    shape = Shape(*map(_shown, table.head), title=_shown(table.title), title_justify="left", box=None, pad_edge=False)
    for row in table.rows:
        shape.add_row(*map(_shown, row))
    console.print()
    console.print(shape)


def _shown(cell: Cell) -> str:
    if cell is None or cell != cell:
        return "–"
    return f"{cell:.4g}" if isinstance(cell, float) else str(cell).replace("[", "\\[")
