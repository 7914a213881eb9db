"""Incremental dynamic analysis: every motion's curve, and their percentiles."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes

from carom.plots.sheet import legend_above, single, worded
from carom.plots.style import GREY, INK, SERIES, in_style

if TYPE_CHECKING:
    from carom.studies.analyses.incremental import Incremental

__all__ = ["plot_incremental"]

MOST = 200
"""Curves drawn one by one; of more an even choice."""


@in_style
def plot_incremental(result: Incremental, axes: Axes | None = None) -> Axes:
    """Draw intensity over demand: thin each motion, thick the percentiles, crosses for failed runs; return the axes."""
    owned = axes is None
    axes = single(axes, height=62.0)
    finite = np.concatenate([curve.demand for curve in result.curves])
    largest = float(finite.max()) or 1.0
    factor, xlabel = worded(result.xlabel, largest)
    some = [result.curves[i] for i in np.unique(np.linspace(0, len(result.curves) - 1, MOST).astype(int))]
    alpha = 0.7 if len(some) < 60 else 0.35
    for i, curve in enumerate(some):
        x, y = factor * np.concatenate([[0.0], curve.demand]), np.concatenate([[0.0], curve.intensity])
        axes.plot(x, y, color=GREY, linewidth=0.5, alpha=alpha, label=None if i else "single motions")
    for values, word, look in zip(result.percentiles, ("16 %", "50 %", "84 %"), SERIES, strict=False):
        there = np.isfinite(values)
        axes.plot(factor * np.concatenate([[0.0], values[there]]), np.concatenate([[0.0], result.intensity[there]]),
                  color=look.colour, linestyle=look.dashes, linewidth=1.4, label=word)  # fmt: skip
    failed = np.concatenate([curve.failed for curve in result.curves])
    if failed.size:
        axes.plot(np.full(failed.size, 0.975), failed, "x", color="#D55E00", markersize=3.5, markeredgewidth=0.8,
                  transform=axes.get_yaxis_transform(), label="failed runs")  # fmt: skip
    if math.isfinite(result.limit):
        axes.axvline(factor * result.limit, color=INK, linewidth=0.6, linestyle=(0, (4, 2)), label="limit")
    axes.set(xlabel=xlabel, ylabel=worded(result.ylabel)[1])
    edge = min(1.6 * result.limit, 1.05 * largest)
    axes.set_xlim(0.0, factor * edge)
    axes.set_ylim(bottom=0.0)
    legend_above(axes, owned=owned)
    return axes
