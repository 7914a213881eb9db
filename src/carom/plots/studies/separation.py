"""The gaps that motions need, beside those that rules give."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes

from carom.plots.sheet import legend_above, prefix, sheet, single
from carom.plots.style import GREY, INK, SERIES, in_style

if TYPE_CHECKING:
    from carom.studies.analyses.separation import Separation
    from carom.studies.analyses.separation_study import StudySeparation

__all__ = ["plot_separation", "plot_study_separation"]


@in_style
def plot_separation(result: Separation, axes: Sequence[Axes] | None = None) -> Sequence[Axes]:
    """Draw contact probability over gap with the rules' mean gaps, and each rule's margins; return the two axes."""
    owned = axes is None
    axes = sheet(1, 2, height=55.0) if axes is None else axes
    chance, margins = axes
    largest = max(float(result.needed.max()), *(float(gaps.mean()) for gaps in result.rules.values())) or 1.0
    factor, unit = prefix(largest, "m")
    _chances(chance, result, factor, 1.08 * largest)
    chance.set(
        xlabel=f"Gap [{unit}]", ylabel="Probability of contact", xlim=(0.0, 1.08 * factor * largest), ylim=(0, 1.02)
    )
    for i, rule in enumerate(result.rules):
        look = SERIES[i + 1]
        values = result.margin(rule)
        values = values[np.isfinite(values)]
        spread = np.random.default_rng(i).uniform(-0.16, 0.16, values.size)  # so that equal ones stay visible
        margins.plot(values, i + spread, look.marker, color=look.colour, fillstyle="none", markersize=2.8,
                     markeredgewidth=0.6)  # fmt: skip
        if values.size:
            margins.plot([values.mean()] * 2, [i - 0.3, i + 0.3], color=INK, linewidth=1.4)
    margins.axvline(1.0, color=GREY, linewidth=0.6)
    margins.set_yticks(range(len(result.rules)), [rule.replace(" ", "\n") for rule in result.rules])
    margins.tick_params(axis="y", length=0.0)
    margins.set(xlabel="Gap by the rule over gap needed", ylim=(len(result.rules) - 0.5, -0.5))
    margins.set_xlim(left=0.0)
    legend_above(chance, owned=owned)
    return axes


def _chances(axes: Axes, result: Separation, factor: float, end: float) -> None:
    needed = np.sort(result.needed)
    x = np.concatenate([[0.0], needed, [end]])
    y = np.concatenate([1.0 - np.arange(needed.size + 1) / needed.size, [0.0]])
    axes.step(factor * x, y, where="post", color=SERIES[0].colour, label="this suite")
    if needed.size > 2 and needed[0] > 0.0:
        from scipy.special import ndtr  # a tenth of a second, which most figures need not wait for

        logs = np.log(needed)
        fine = np.linspace(1e-6 * end, end, 300)
        z = (np.log(fine) - logs.mean()) / max(float(logs.std(ddof=1)), 1e-12)
        axes.plot(factor * fine, ndtr(-z), color=GREY, linewidth=0.8, label="lognormal")
    for i, (rule, gaps) in enumerate(result.rules.items()):
        look = SERIES[i + 1]
        axes.axvline(factor * float(gaps.mean()), color=look.colour, linestyle=look.dashes, linewidth=0.9, label=rule)


@in_style
def plot_study_separation(result: StudySeparation, axes: Axes | None = None) -> Axes:
    """Draw the share of runs with contact over the gap, the gaps wanted and the rules' mean gaps; return the axes."""
    owned = axes is None
    axes = single(axes, height=58.0)
    factor, unit = (1.0, "–") if result.relative else prefix(float(result.levels.max()), "m")
    x = factor * result.levels
    look = SERIES[0]
    axes.plot(x, result.touching, look.marker, color=look.colour, fillstyle="none", label="runs of the study")
    axes.plot(x, result.smooth, color=look.colour, linewidth=0.9)
    for i, (p, gap, interval) in enumerate(zip(result.probabilities, result.gaps, result.intervals, strict=True)):
        if np.isfinite(gap):
            axes.plot(factor * interval, [p, p], color=INK, linewidth=1.6, solid_capstyle="butt")
            axes.plot(factor * gap, p, "o", color=INK, markersize=3.0, label=None if i else "gap for a probability")
    for i, (rule, (gap, _, _)) in enumerate(result.rules.items()):
        if gap <= 1.3 * float(result.levels.max()):
            look = SERIES[i + 1]
            axes.axvline(factor * gap, color=look.colour, linestyle=look.dashes, linewidth=0.9, label=rule)
    gap = "Factor on the gap" if result.relative else "Gap"
    axes.set(xlabel=f"{gap} [{unit}]", ylabel="Probability of contact", ylim=(0.0, 1.02))
    axes.set_xlim(left=0.0)
    legend_above(axes, owned=owned)
    return axes
