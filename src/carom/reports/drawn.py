"""A figure that was drawn, with its caption: for a page, and as files for print."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from matplotlib.axes import Axes

from carom.plots import style

__all__ = ["Drawn"]


@dataclass(frozen=True)
class Drawn:
    """A figure, drawn."""

    key: str
    """Name in the page, and of its files."""
    axes: Axes | Sequence[Axes]
    caption: str
    readable: bool = True
    """Whether values can be read off its curves."""

    @property
    def figure(self) -> Any:
        """The figure that the axes stand in."""
        return self.axes.figure if isinstance(self.axes, Axes) else self.axes[0].figure

    def save(self, folder: Path) -> None:
        """Save it as ``key.png`` and ``key.pdf``; the same figure gives the same bytes."""
        about = {"Title": self.caption, "Creator": "carom", "CreationDate": None}
        with style():
            self.figure.savefig(folder / f"{self.key}.png")
            self.figure.savefig(folder / f"{self.key}.pdf", metadata=about)
