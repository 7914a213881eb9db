"""Save a figure as files that are whole or not there."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from carom.plots.panels import draw
from carom.plots.style import style
from carom.results import FigureData
from carom.whole_files import whole_file

__all__ = ["FORMATS", "save"]

FORMATS = ("png", "pdf")


def save(figure: FigureData, folder: str | Path, formats: Sequence[str] = FORMATS) -> list[Path]:
    """Draw the figure and save it as ``folder/name.png``, ``….pdf``; return the paths.

    Each file is whole or not there. The source stands in the file's metadata too. The same figure gives the same bytes.
    """
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    with style():
        fig, _ = draw(figure)
        written = []
        for kind in formats:
            target = folder / f"{figure.name}.{kind}"
            with whole_file(target) as draft:
                fig.savefig(draft, format=kind, metadata=_metadata(figure, kind))
            written.append(target)
    return written


def _metadata(figure: FigureData, kind: str) -> dict[str, str | None]:
    if kind == "pdf":
        return {"Title": figure.title, "Subject": figure.source, "Creator": "carom", "CreationDate": None}
    if kind == "svg":
        return {"Title": figure.title, "Description": figure.source, "Creator": "carom", "Date": None}
    return {"Title": figure.title, "Description": figure.source, "Software": "carom"}
