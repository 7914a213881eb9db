"""What a section holds, as files: its tables as CSV, its figures as PNG and PDF; for a page or without one."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

from carom.plain_text import cell
from carom.plots import draw
from carom.reports.drawn import Drawn
from carom.results import FigureData
from carom.studies.section import Picture, Section, Table
from carom.whole_files import whole_files

__all__ = ["drawing", "section_data", "write_section", "write_table"]


def drawing(figure: Picture | FigureData) -> Drawn:
    """Draw a figure of a section."""
    if isinstance(figure, FigureData):
        return Drawn(figure.name, draw(figure)[1], figure.title)
    return Drawn(figure.name, figure.draw(figure.of), figure.caption, figure.readable)


def write_table(table: Table, folder: Path) -> None:
    """Write a table as ``name.csv``."""
    with (folder / f"{table.name}.csv").open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerows([cell(value) for value in row] for row in (table.head, *table.rows))


def write_section(section: Section, folder: Path) -> list[str]:
    """Write ``name.csv`` for each table and ``name.png``, ``name.pdf`` for each figure; return the files' names."""
    with whole_files(folder) as place:
        for table in section.tables:
            write_table(table, place)
        for figure in section.figures:
            drawing(figure).save(place)
        return sorted(path.name for path in place.iterdir())


def section_data(section: Section) -> dict[str, Any]:
    """Return a section as programs read it: words, cautions, and each table as a list of rows by name."""
    return {
        "title": section.title,
        "words": list(section.paragraphs),
        "cautions": list(section.cautions),
        "tables": {
            table.name: [dict(zip(table.head, row, strict=True)) for row in table.rows] for table in section.tables
        },
    }
