"""A section alone, without a page around it: its tables as CSV, its figures as PNG and PDF."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

from carom.plots import draw, style
from carom.reports.files import whole_files
from carom.results import FigureData
from carom.studies.section import Section

__all__ = ["section_data", "write_section"]


def write_section(section: Section, folder: Path) -> list[str]:
    """Write ``name.csv`` for each table and ``name.png``, ``name.pdf`` for each figure; return the files' names."""
    with whole_files(folder) as place:
        for table in section.tables:
            with (place / f"{table.name}.csv").open("w", encoding="utf-8", newline="") as stream:
                writer = csv.writer(stream, lineterminator="\n")
                writer.writerow(table.head)
                writer.writerows(table.rows)
        for figure in section.figures:
            axes: Any = draw(figure)[1] if isinstance(figure, FigureData) else figure.draw(figure.of)
            page = (axes if hasattr(axes, "figure") else axes[0]).figure
            with style():
                page.savefig(place / f"{figure.name}.png")
                page.savefig(place / f"{figure.name}.pdf", metadata={"Creator": "carom", "CreationDate": None})
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
