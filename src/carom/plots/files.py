"""Save a figure as files that are whole or not there."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from carom.plots.panels import draw
from carom.plots.style import style
from carom.results import FigureData

__all__ = ["FORMATS", "save"]

FORMATS = ("png", "pdf")


def save(figure: FigureData, folder: str | Path, formats: Sequence[str] = FORMATS) -> list[Path]:
    """Draw the figure and save it as ``folder/name.png``, ``….pdf``; return the paths.

    Each file is written under another name first and then renamed: an interruption leaves nothing half-written.
    The source stands in the file's metadata too. The same figure gives the same bytes.
    """
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    with style():
        fig, _ = draw(figure)
        written = []
        for kind in formats:
            target = folder / f"{figure.name}.{kind}"
            unfinished = folder / f".{figure.name}.{os.getpid()}.{kind}"
            try:
                fig.savefig(unfinished, format=kind, metadata=_metadata(figure, kind))
                unfinished.replace(target)
            except BaseException:
                unfinished.unlink(missing_ok=True)
                raise
            written.append(target)
    return written


def _metadata(figure: FigureData, kind: str) -> dict[str, str | None]:
    if kind == "pdf":
        return {"Title": figure.title, "Subject": figure.source, "Creator": "carom", "CreationDate": None}
    if kind == "svg":
        return {"Title": figure.title, "Description": figure.source, "Creator": "carom", "Date": None}
    return {"Title": figure.title, "Description": figure.source, "Software": "carom"}
