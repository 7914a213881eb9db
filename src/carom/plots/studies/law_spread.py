"""What the choice of law does: laws beside each other, and the share of variance it explains."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes

from carom.plots.sheet import legend_above, sheet, worded
from carom.plots.style import GREY, SERIES, in_style

if TYPE_CHECKING:
    from carom.studies.analyses.law_spread import LawSpread

__all__ = ["plot_law_spread"]

OUTPUTS = 6
"""Outputs shown; the table has all."""


@in_style
def plot_law_spread(result: LawSpread, axes: Sequence[Axes] | None = None) -> Sequence[Axes]:
    """Draw each law's mean and range over the mean of all laws, and the shares of variance; return the two axes."""
    shown = result.outputs[:OUTPUTS]
    laws = shown[0].laws
    rows = max(len(laws), len(shown))
    owned = axes is None
    axes = sheet(1, 2, height=max(22.0 + 6.0 * rows, 40.0)) if axes is None else axes
    left, right = axes
    step = 0.7 / len(shown)
    for j, one in enumerate(shown):
        look = SERIES[j % len(SERIES)]
        scale = float(np.mean(one.mean)) or 1.0
        y = np.arange(len(laws)) + (j - 0.5 * (len(shown) - 1)) * step
        left.hlines(y, one.low / scale, one.high / scale, color=look.colour, linewidth=0.8)
        left.plot(one.mean / scale, y, look.marker, color=look.colour, markersize=3.2, label=worded(one.output)[1])
    left.axvline(1.0, color=GREY, linewidth=0.5, zorder=1.0)
    left.set_yticks(range(len(laws)), [_short(law) for law in laws])
    left.set(xlabel="Over the mean of all laws", ylim=(len(laws) - 0.4, -0.6))
    left.set_xlim(left=0.0)
    for j, one in enumerate(shown):
        look = SERIES[j % len(SERIES)]
        right.barh(j, one.whole, height=0.55, color=look.colour, alpha=0.30, linewidth=0.0)
        right.barh(j, one.own, height=0.55, color=look.colour, alpha=0.85, linewidth=0.0)
        right.plot(one.whole_interval, [j + 0.13] * 2, color="black", linewidth=0.9)
        right.plot(one.own_interval, [j - 0.13] * 2, color="black", linewidth=0.9, linestyle=(0, (2, 1)))
    right.set_yticks(range(len(shown)), [worded(one.output)[1].replace(", ", ",\n", 1) for one in shown], fontsize=6.0)
    right.set(xlabel="Share of variance: own (dark), whole (pale)", ylim=(max(len(shown), 2) - 0.4, -0.6))
    right.set_xlim(0.0, max(1.05 * max(max(one.whole, *one.whole_interval) for one in shown), 1e-3))
    for here in axes:
        here.tick_params(axis="y", length=0.0)
    room = right.get_position()
    right.set_position((room.x0 + 0.02, room.y0, room.width - 0.02, room.height))
    space = left.get_position()
    left.set_position((space.x0 + 0.07, space.y0, space.width - 0.07, space.height))
    if len(shown) > 1:
        legend_above(left, owned=owned)
    return axes


def _short(law: str) -> str:
    return law if len(law) <= 16 else law.replace("-", "-\n", 1)
