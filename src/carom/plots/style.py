"""The look of all figures, said once: `with style(): …`. The user's own settings are never touched."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import wraps
from typing import Any, NamedTuple, ParamSpec, TypeVar

import matplotlib as mpl
from matplotlib.axis import Axis
from matplotlib.ticker import LogFormatterSciNotation

from carom.results import Simulation, Width

__all__ = ["GREY", "INK", "MILLIMETRE", "SERIES", "WIDTHS", "Look", "in_style", "plain_log", "style"]

P = ParamSpec("P")
R = TypeVar("R")

MILLIMETRE = 1.0 / 25.4  # in
WIDTHS = {Width.SINGLE: 85.0, Width.DOUBLE: 175.0}
"""Printed width [mm]."""

RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")

INK = "#1a1a1a"
GREY = "#8c8c8c"


class Look(NamedTuple):
    """How one series is told from the others, in colour and in grey print."""

    colour: str
    dashes: Any
    marker: str


# Okabe and Ito's colours, which the colour-blind tell apart too; yellow, too pale for a thin line, is left out
SERIES = (
    Look("#0072B2", "-", "o"),
    Look("#D55E00", (0, (5, 1.6)), "s"),
    Look("#009E73", (0, (5, 1.4, 1, 1.4)), "^"),
    Look("#CC79A7", (0, (1.2, 1.1)), "D"),
    Look("#000000", "-", "v"),
    Look("#E69F00", (0, (7, 2)), "P"),
    Look("#56B4E9", (0, (4, 1.2, 1, 1.2, 1, 1.2)), "X"),
    Look("#7A4E9E", (0, (2.4, 1.2)), "*"),
)

RC: dict[Any, Any] = {
    "font.family": "STIXGeneral",  # comes with Matplotlib, hence looks alike everywhere
    "mathtext.fontset": "stix",
    "text.parse_math": False,  # a name with dollars is a name; what is mathematics says so
    "font.size": 8.0,
    "axes.titlesize": 8.0,
    "axes.labelsize": 8.0,
    "xtick.labelsize": 7.0,
    "ytick.labelsize": 7.0,
    "legend.fontsize": 7.0,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "axes.linewidth": 0.5,
    "axes.labelpad": 2.5,
    "axes.titlepad": 3.5,
    "axes.unicode_minus": True,
    "xtick.direction": "in",
    "ytick.direction": "in",
    "xtick.top": True,
    "ytick.right": True,
    "xtick.major.width": 0.5,
    "ytick.major.width": 0.5,
    "xtick.major.size": 2.5,
    "ytick.major.size": 2.5,
    "lines.linewidth": 1.1,
    "lines.markersize": 3.6,
    "legend.frameon": False,
    "legend.handlelength": 2.6,
    "legend.labelspacing": 0.3,
    "legend.borderaxespad": 0.5,
    "pdf.fonttype": 42,  # text stays text
    "savefig.dpi": 200,
}


def style() -> AbstractContextManager[None]:
    """Return a context in which Matplotlib draws in the house style."""
    return mpl.rc_context(RC)


class PlainLogFormatter(LogFormatterSciNotation):
    """Decades as 10⁸, in plain letters: mathematics is switched off, since names are drawn as they are."""

    def __call__(self, x: float, pos: int | None = None) -> str:
        """Return the label of a tick."""
        text = super().__call__(x, pos).replace(r"$\mathdefault{", "").removesuffix("}$")
        return re.sub(r"\^\{(.*?)\}", lambda power: power[1].translate(RAISED), text).replace(r"\times", "·")


def plain_log(axis: Axis) -> None:
    """Number a logarithmic axis."""
    axis.set_major_formatter(PlainLogFormatter())
    axis.set_minor_formatter(PlainLogFormatter(labelOnlyBase=False, minor_thresholds=(1.0, 0.4)))


def in_style(draw: Callable[P, R]) -> Callable[P, R]:
    """Let a function draw in the house style, as a decorator; where it draws a run, it has it beside its twin."""

    @wraps(draw)
    def drawn(*args: P.args, **kwargs: P.kwargs) -> R:
        given: Any = args
        if args and isinstance(args[0], Simulation):
            given = (args[0].assessed(), *args[1:])
        with style():
            return draw(*given, **kwargs)

    return drawn
