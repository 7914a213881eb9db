"""Words for Markdown pages: tables, and text that stands in them as it is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

CONTENTS = "```{{toctree}}\n:maxdepth: 1\n:hidden:\n\n{names}\n```"


def cell(text: object) -> str:
    """Return text as it may stand in a cell of a table."""
    return str(text).replace("\n", " ").replace("|", "\\|").replace("<", "&lt;").strip()


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a table; nothing where there are no rows."""
    lines = ["| " + " | ".join(cell(entry) for entry in row) + " |" for row in rows]
    if not lines:
        return ""
    return "\n".join([f"| {' | '.join(head)} |", "|" + " --- |" * len(head), *lines])


def code(text: object) -> str:
    """Return a word as code; nothing for nothing."""
    return f"`{text}`" if str(text) else ""


def contents(names: Iterable[str]) -> str:
    """Return a hidden list of the pages below one."""
    return CONTENTS.format(names="\n".join(names))
