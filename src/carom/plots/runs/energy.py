"""Where the energy went."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes

from carom.plots.sheet import mark_hits, prefix, sheet
from carom.plots.style import INK, in_style
from carom.results import Pounding

__all__ = ["plot_energy"]

PARTS = (
    ("damping", "damping", "#9ecae1", ""),
    ("hysteretic", "yielding", "#e0c56e", "...."),
    ("contact", "contact", "#D55E00", ""),
    ("strain", "strain", "#dddddd", "////"),
    ("kinetic", "kinetic", "#f7f7f7", ""),
)


@in_style
def plot_energy(result: Pounding, axes: Axes | None = None) -> Axes:
    """Draw the energy ledger over time: what came in, and what became of it, stacked; return the axes."""
    axes = sheet(1, height=45.0)[0] if axes is None else axes
    run = result.run
    begin = run.ledger["kinetic"][0] + run.ledger["strain"][0]
    came = run.ledger["input"] + begin
    factor, unit = prefix(float(came.max()), "J")
    every = max(1, run.time.size // 1500)
    below = np.zeros(run.time[::every].size)
    for key, label, colour, hatch in PARTS:
        if key not in run.ledger:
            continue
        top = below + factor * run.ledger[key][::every]
        axes.fill_between(run.time[::every], below, top, facecolor=colour, edgecolor=INK, hatch=hatch, linewidth=0.25,
                          label=label)  # fmt: skip
        below = top
    axes.plot(run.time, factor * came, color=INK, linewidth=1.1, label="input")
    mark_hits(axes, run.table["start"])
    axes.set(
        xlabel="Time [s]", ylabel=f"Energy [{unit}]", xlim=(run.time[0], run.time[-1]),
        ylim=(0.0, 1.15 * factor * float(came.max()) or 1.0),
    )  # fmt: skip
    axes.legend(loc="lower right", ncols=7, bbox_to_anchor=(1.0, 1.0), borderaxespad=0.2)
    return axes
