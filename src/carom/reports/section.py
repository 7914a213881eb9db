"""What a section holds, as files: its tables as CSV, its figures as PNG and PDF; for a page or without one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from carom.plots import draw
from carom.reports.drawn import Drawn
from carom.reports.runs.files import write_table
from carom.results import FigureData
from carom.studies.section import Picture, Section
from carom.whole_files import whole_files

__all__ = ["drawing", "section_data", "write_section"]


def drawing(figure: Picture | FigureData) -> Drawn:
    """Draw a figure of a section."""
    if isinstance(figure, FigureData):
        return Drawn(figure.name, draw(figure)[1], figure.title)
    return Drawn(figure.name, figure.draw(figure.of), figure.caption, figure.readable)


def write_section(section: Section, folder: Path) -> list[str]:
    """Write ``name.csv`` for each table and ``name.png``, ``name.pdf`` for each figure; return the files' names."""
    with whole_files(folder) as place:
        for table in section.tables:
            write_table(table, place / f"{table.name}.csv")
        for figure in section.figures:
            drawing(figure).save(place)
        return sorted(path.name for path in place.iterdir())


def section_data(section: Section) -> dict[str, Any]:
    """Return a section as programs read it: words, cautions, and each table as a list of rows by name."""
    return {
        "title": section.title,
        "words": list(section.paragraphs),
        "cautions": list(section.cautions),
        "tables": {table.name: table.records() for table in section.tables},
    }
