"""What was asked to be kept of a run, over time."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes

from carom.errors import InputError
from carom.plots.sheet import WITHOUT, brief, mark_hits, prefix, sheet
from carom.plots.style import GREY, SERIES, in_style
from carom.results import Pounding

__all__ = ["plot_asked"]

MOST = 6
"""Results that one figure shows."""
WORDS = {"m": "Displacement", "rad": "Rotation", "N": "Force", "N m": "Moment"}


@in_style
def plot_asked(result: Pounding, axes: Sequence[Axes] | None = None) -> Sequence[Axes]:
    """Draw the first six results that were asked for over time, with and without contact; return the axes."""
    shown = result.asked[:MOST]
    if not shown:
        raise InputError("Nothing was asked for. Name places in the outputs of the problem.")
    axes = sheet(len(shown), height=26.0, shared=True) if axes is None else axes
    time = result.run.time
    for here, one in zip(axes, shown, strict=True):
        with_, without = (run.displacement[:, one.output] for run in (result.run, result.twin))
        largest = float(max(np.abs(with_).max(), np.abs(without).max()))
        factor, unit = prefix(largest, one.unit)
        here.plot(time, factor * with_, color=SERIES[0].colour, linewidth=0.8, label="with contact")
        here.plot(time, factor * without, **{**WITHOUT, "linewidth": 0.7}, label="without contact", zorder=1.8)
        here.axhline(0.0, color=GREY, linewidth=0.3, zorder=1.0)
        limit = 1.25 * max(factor * largest, 1e-30)
        here.set(ylabel=f"{WORDS[one.unit]} [{unit}]", ylim=(-limit, limit), xlim=(time[0], time[-1]))
        mark_hits(here, result.run.table["start"])
        here.text(0.008, 0.05, brief(one.label, 80), transform=here.transAxes, ha="left", va="bottom", fontsize=7.0,
                  bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.8, "alpha": 0.8})  # fmt: skip
    axes[0].legend(loc="lower right", ncols=3, bbox_to_anchor=(1.0, 0.98), borderaxespad=0.0)
    axes[-1].set_xlabel("Time [s]")
    return axes
