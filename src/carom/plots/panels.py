"""Draw a `FigureData`: any number of panels, laid out in millimetres so that nothing overlaps in print."""

from __future__ import annotations

import string
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from carom.plots.style import GREY, INK, MILLIMETRE, SERIES, WIDTHS, style
from carom.results import Curve, FigureData, Kind, Panel

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw"]

# room around the panels [mm]
LEFT = 12.5
RIGHT = 2.5
BOTTOM = 8.0
TOP = 2.5
TITLE = 4.0
GAP = 2.5
SEPARATE = 14.0  # between panels that do not share their axes
LEGEND = 5.0
FOOTER = 3.0


def draw(figure: FigureData) -> tuple[Figure, list[Axes]]:
    """Draw the figure in the house style; return it and its axes, in reading order.

    The figure belongs to no window and to no global state: save it, or show it in a notebook.
    """
    with style(), mpl.rc_context({"text.parse_math": not figure.plain}):
        fig, axes = _laid_out(figure)
        for i, (ax, panel) in enumerate(zip(axes, figure.panels, strict=True)):
            _draw_panel(ax, panel, narrow=figure.columns > 2)
            letter = f"({string.ascii_lowercase[i]}) " if len(figure.panels) > 1 else ""
            if letter or panel.title:
                ax.set_title(f"{letter}{panel.title}".rstrip(), loc="left")
            if figure.shared:
                _share(ax, i, figure)
        if figure.legend:
            _legend_below(fig, axes[0])
        fig.text(1.0, 0.0, f"{figure.source} ", ha="right", va="bottom", fontsize=5.5, color=GREY)
    return fig, axes


def _laid_out(figure: FigureData) -> tuple[Figure, list[Axes]]:
    """Return an empty figure whose panels stand where the millimetres say."""
    count = len(figure.panels)
    columns = min(figure.columns, count)
    rows = -(-count // columns)
    width = WIDTHS[figure.width]
    title = TITLE if count > 1 or any(panel.title for panel in figure.panels) else 0.0
    across = GAP if figure.shared else SEPARATE
    between = title + (GAP if figure.shared else SEPARATE)
    below = BOTTOM + FOOTER + (LEGEND if figure.legend else 0.0)
    panel_width = (width - LEFT - RIGHT - (columns - 1) * across) / columns
    panel_height = figure.aspect * panel_width
    height = TOP + title + rows * panel_height + (rows - 1) * between + below

    fig = Figure(figsize=(width * MILLIMETRE, height * MILLIMETRE))
    FigureCanvasAgg(fig)
    axes = []
    for i in range(count):
        row, column = divmod(i, columns)
        x = LEFT + column * (panel_width + across)
        y = height - TOP - title - panel_height - row * (panel_height + between)
        axes.append(fig.add_axes((x / width, y / height, panel_width / width, panel_height / height)))
    return fig, axes


def _draw_panel(ax: Axes, panel: Panel, narrow: bool) -> None:
    for curve in panel.curves:
        _draw_curve(ax, curve)
    ax.set_xlim(*panel.xlim)
    ax.set_ylim(*panel.ylim)
    ax.set_xlabel(panel.xlabel)
    ax.set_ylabel(panel.ylabel)
    ax.xaxis.set_major_locator(MaxNLocator(4 if narrow else 6, steps=[1, 2, 2.5, 5, 10]))
    ax.yaxis.set_major_locator(MaxNLocator(5 if narrow else 6, steps=[1, 2, 2.5, 5, 10]))
    for label in panel.labels:
        ax.text(label.x, label.y, label.text, ha=label.align, va="center", fontsize=7.0)
    if panel.legend:
        place: Any = panel.legend
        ax.legend(loc=place)


def _draw_curve(ax: Axes, curve: Curve) -> None:
    look = SERIES[curve.series % len(SERIES)]
    label = curve.label or "_nolegend_"
    if curve.kind is Kind.LEVEL:
        level = float(np.asarray(curve.y).ravel()[0])
        ax.axhline(level, color=INK, linewidth=0.7, dashes=(4, 2), label=label, zorder=1.5)
    elif curve.kind is Kind.AREA:
        ax.fill(curve.x, curve.y, color=look.colour, alpha=0.16, linewidth=0.0, label=label)
    elif curve.kind is Kind.REFERENCE:
        ax.plot(curve.x, curve.y, color=GREY, linewidth=0.6, label=label, zorder=1.5)
    elif curve.kind is Kind.POINTS:
        ax.plot(curve.x, curve.y, look.marker, color=look.colour, fillstyle="none", label=label)
    else:
        ax.plot(curve.x, curve.y, linestyle=look.dashes, color=look.colour, label=label)


def _share(ax: Axes, i: int, figure: FigureData) -> None:
    """Leave numbers and names to the outer panels."""
    columns = min(figure.columns, len(figure.panels))
    if i % columns:
        ax.set_ylabel("")
        ax.tick_params(labelleft=False)
    if i + columns < len(figure.panels):
        ax.set_xlabel("")
        ax.tick_params(labelbottom=False)


def _legend_below(fig: Figure, ax: Axes) -> None:
    handles, labels = ax.get_legend_handles_labels()
    height = fig.get_figheight() / MILLIMETRE
    fig.legend(handles, labels, loc="lower center", bbox_to_anchor=(0.5, (FOOTER - 0.5) / height), ncols=len(labels))
