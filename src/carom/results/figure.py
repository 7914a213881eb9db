"""A figure as plain data: what a paper draws, panel by panel, without a word on how it is drawn."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["Curve", "FigureData", "Kind", "Label", "Panel", "Width"]


class Kind(StrEnum):
    """What a curve is, so that every figure draws it alike."""

    LINE = "line"
    REFERENCE = "reference"
    """A thin grey line to compare with."""
    POINTS = "points"
    LEVEL = "level"
    """A horizontal line at the first y, such as a measured peak whose history is not published."""
    AREA = "area"
    """The area that the curve encloses."""


class Width(StrEnum):
    """How wide a figure is in print."""

    SINGLE = "single"
    """One column, 85 mm."""
    DOUBLE = "double"
    """Both columns, 175 mm."""


@dataclass(frozen=True, eq=False)
class Curve:
    """One curve; curves of the same `series` look the same in every panel."""

    x: npt.ArrayLike
    y: npt.ArrayLike
    label: str = ""
    kind: Kind = Kind.LINE
    series: int = 0


@dataclass(frozen=True)
class Label:
    """A few words at a point of a panel, in the units of its axes."""

    x: float
    y: float
    text: str
    align: str = "center"
    """Which side of the text stands at x: left, center or right."""


@dataclass(frozen=True, eq=False)
class Panel:
    """One pair of axes. Words may hold mathematics between dollar signs."""

    xlabel: str
    ylabel: str
    curves: tuple[Curve, ...]
    title: str = ""
    xlim: tuple[float | None, float | None] = (None, None)
    ylim: tuple[float | None, float | None] = (None, None)
    labels: tuple[Label, ...] = ()
    legend: str = ""
    """Where the panel's legend stands, in Matplotlib's words; empty: none."""


@dataclass(frozen=True, eq=False)
class FigureData:
    """A figure: its panels in reading order, and where it comes from."""

    name: str
    """Name of its files."""
    title: str
    source: str
    """Such as ``"after alves2015 Fig. 3"``."""
    panels: tuple[Panel, ...]
    columns: int = 1
    width: Width = Width.SINGLE
    aspect: float = 0.75
    """Height over width of a panel."""
    shared: bool = False
    """Whether the panels share their axes: numbers and names then stand at the outer ones only."""
    legend: bool = False
    """One legend below all panels, for the curves that carry a label."""
    plain: bool = False
    """Whether dollar signs are drawn as such: names that users chose stand in its words."""
