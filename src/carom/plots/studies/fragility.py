"""Fragility curves with their bands, and the fractions they were fitted to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes

from carom.plots.sheet import legend_above, single
from carom.plots.style import GREY, SERIES, in_style

if TYPE_CHECKING:
    from carom.studies.analyses.fragility_study import Fragility

__all__ = ["plot_fragility"]


@in_style
def plot_fragility(result: Fragility, axes: Axes | None = None) -> Axes:
    """Draw probability over intensity, shaded bands, observed fractions as points; return the axes.

    Points are joined levels where there are many; ticks along the upper edge say where runs failed.
    """
    owned = axes is None
    axes = single(axes, height=60.0)
    levels = np.concatenate([curve.levels for curve in result.curves])
    low, high = float(levels.min()), float(levels.max())
    x = np.linspace(low - 0.25 * (high - low) if low > 0.3 * high else 0.0, high, 300)
    x = np.maximum(x, 1e-9 * high)
    crowded = len(result.curves) > 3
    for i, curve in enumerate(result.curves):
        look = SERIES[i % len(SERIES)]
        axes.fill_between(x, *curve.band(x), color=look.colour, alpha=0.10 if crowded else 0.18, linewidth=0.0)
        axes.plot(x, curve.probability(x), color=look.colour, linestyle=look.dashes, label=curve.title or None)
        at, share, _ = curve.observed()
        axes.plot(at, share, look.marker, color=look.colour, fillstyle="none", markeredgewidth=0.6,
                  markersize=2.4 if crowded else 3.2)  # fmt: skip
    failed = np.unique(np.concatenate([curve.levels[curve.failed > 0] for curve in result.curves]))
    if failed.size:
        axes.plot(failed, np.full(failed.size, 0.985), "|", color=GREY, transform=axes.get_xaxis_transform(),
                  markersize=4.0, label="failed runs at")  # fmt: skip
    axes.set(xlabel=result.xlabel, ylabel=result.ylabel, xlim=(float(x[0]), high), ylim=(0.0, 1.02))
    if crowded:
        legend_above(axes, owned=owned)
    elif failed.size or any(curve.title for curve in result.curves):
        axes.legend(loc="upper right" if result.curves[0].falling else "lower right")
    return axes
