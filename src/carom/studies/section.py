"""What an analysis hands to the report: a title, words, figures and tables, without a word on how they are set."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from carom.results import FigureData, Table

__all__ = ["Picture", "Section"]


@dataclass(frozen=True, eq=False)
class Picture:
    """A figure that a function of `carom.plots` draws: ``draw(of)`` returns its axes.

    Studies know no drawing; name the function by `carom.registry.late`:
    ``Picture("fragility", late("carom.plots.studies.fragility:plot_fragility"), result, "Probability of contact.")``.
    """

    name: str
    """Name in the page, and of its files."""
    draw: Callable[[Any], Any]
    """Returns one Matplotlib axes, or several of one figure."""
    of: object
    """What it draws."""
    caption: str
    readable: bool = True
    """Whether values can be read off its labelled curves."""


@dataclass(frozen=True, eq=False)
class Section:
    """One part of a study's report."""

    title: str
    paragraphs: tuple[str, ...] = ()
    figures: tuple[Picture | FigureData, ...] = ()
    tables: tuple[Table, ...] = ()
    """Shown in the report, each written beside it as ``name.csv``."""
    cautions: tuple[str, ...] = ()
    """What the reader should know before the numbers are used."""
