"""The impacts themselves: force over overlap, and when which contact was hit how hard."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes

from carom.plots.sheet import brief, prefix, sheet, single
from carom.plots.style import GREY, INK, SERIES, in_style
from carom.results import Pounding, Width

__all__ = ["plot_loops", "plot_timeline"]


MOST = 12
"""Contacts in a timeline: those hit hardest."""


@in_style
def plot_loops(result: Pounding, axes: Axes | None = None) -> Axes:
    """Draw the force over the overlap for the hardest impact of each contact; return the axes."""
    axes = single(axes)
    overlap, length = prefix(max((float(loop.overlap.max(initial=0.0)) for loop in result.loops), default=0.0), "m")
    force, unit = prefix(max((float(loop.force.max(initial=0.0)) for loop in result.loops), default=0.0), "N")
    for loop, look in zip(result.loops, SERIES, strict=False):
        start = result.run.table["start"][loop.impact]
        axes.plot(
            overlap * loop.overlap, force * loop.force, color=look.colour, linestyle=look.dashes,
            label=f"{brief(loop.contact, 40)}, {start:.2f} s",
        )  # fmt: skip
    axes.axhline(0.0, color=GREY, linewidth=0.4, zorder=1.0)
    axes.set(xlabel=f"Overlap [{length}]", ylabel=f"Force [{unit}]")
    axes.set_xlim(left=0.0)
    if result.loops:
        top = axes.get_ylim()[1]
        axes.set_ylim(top=top * (1.06 + 0.09 * len(result.loops)))
        axes.legend(loc="upper left", fontsize=6.0)
    return axes


@in_style
def plot_timeline(result: Pounding, axes: Axes | None = None) -> Axes:
    """Draw all impacts over time, a row for each contact, the height of a stroke how hard it was; return the axes.

    A bar along the row: in contact until the run ends.
    """
    run = result.run
    rows = [c for c in range(len(run.contacts)) if result.per_contact[run.contacts[c]]]
    if len(rows) > MOST:
        hit = [float(result.blows[run.table["contact"] == c].max()) for c in rows]
        rows = sorted(rows[i] for i in np.argsort(hit)[-MOST:].tolist())
    rows = rows or list(range(len(run.contacts)))
    axes = sheet(1, height=max(8.0 * len(rows), 16.0), width=Width.DOUBLE)[0] if axes is None else axes
    largest = float(result.blows.max(initial=0.0))
    factor, unit = prefix(largest, result.blow_unit)
    for row, c in enumerate(reversed(rows)):
        here = run.table["contact"] == c
        height = 0.62 * result.blows[here] / (largest or 1.0)
        axes.axhline(row, color=GREY, linewidth=0.4, zorder=1.0)
        axes.vlines(run.table["start"][here], row, row + height, color="#D55E00", linewidth=1.2)
        axes.plot(run.table["start"][here], row + height, "o", color=INK, markersize=2.2, markeredgewidth=0.0)
        said = f"{brief(run.contacts[c], 90)}: {int(here.sum())}×"
        if here.any():
            said += f", up to {factor * result.blows[here].max():.3g} {unit}"
        if (lasting := here & run.in_contact).any():
            axes.hlines(row, run.table["start"][lasting], run.time[-1], color="#D55E00", linewidth=2.4, zorder=1.5)
            said += ", in contact at the end"
        axes.annotate(said, (0.0, row + 0.95), xycoords=axes.get_yaxis_transform(), xytext=(3, 0),
                      textcoords="offset points", ha="left", va="top", fontsize=6.5,
                      bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.6, "alpha": 0.8})  # fmt: skip
    axes.set(xlabel="Time [s]", ylim=(-0.15, len(rows) + 0.05), xlim=(float(run.time[0]), float(run.time[-1])))
    axes.set_yticks(np.empty(0))
    return axes
