"""Laws beside a test, and where a study meets a measurement."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes

from carom.plots.sheet import legend_above, prefix, single, worded
from carom.plots.style import GREY, INK, SERIES, in_style, plain_log

if TYPE_CHECKING:
    from carom.studies.analyses.calibration import LawComparison
    from carom.studies.analyses.calibration_study import StudyCalibration

__all__ = ["plot_laws_against_test", "plot_study_calibration"]

SHOWN = 6
"""Laws drawn, those of least error; the table has all."""


@in_style
def plot_laws_against_test(result: LawComparison, axes: Axes | None = None) -> Axes:
    """Draw the measured force as points, each law as a curve with its normalized error; return the axes."""
    owned = axes is None
    axes = single(axes, height=58.0)
    factor, unit = prefix(float(result.measured.max()), "N")
    pace, second = prefix(float(result.time[-1]), "s")
    few = np.unique(np.linspace(0, result.time.size - 1, 60).astype(int))
    axes.plot(pace * result.time[few], factor * result.measured[few], "o", color=INK, fillstyle="none", markersize=2.6,
              markeredgewidth=0.5, label="measured")  # fmt: skip
    for look, i in zip(SERIES, np.argsort(result.error, kind="stable")[:SHOWN], strict=False):
        low, high = result.interval[i]
        axes.plot(pace * result.time, factor * result.computed[i], color=look.colour, linestyle=look.dashes,
                  label=f"{result.laws[i]}: {result.error[i]:.3g} % ({low:.3g} to {high:.3g})")  # fmt: skip
    axes.axhline(0.0, color=GREY, linewidth=0.4, zorder=1.0)
    axes.set(xlabel=f"Time since touch [{second}]", ylabel=f"Force [{unit}]")
    axes.set_xlim(left=pace * min(float(result.time[0]), 0.0))
    legend_above(axes, owned=owned)
    return axes


@in_style
def plot_study_calibration(result: StudyCalibration, axes: Axes | None = None) -> Axes:
    """Draw the mean output over the parameter, and the measurement where they meet; return the axes."""
    owned = axes is None
    axes = single(axes, height=55.0)
    factor, ylabel = worded(result.output, float(np.abs(result.mean).max()))
    look = SERIES[0]
    axes.plot(
        result.values, factor * result.mean, look.marker, linestyle="-", color=look.colour, label="mean of the runs"
    )
    axes.axhline(factor * result.measured, color=INK, linewidth=0.7, linestyle=(0, (4, 2)), label="measured")
    for value in result.found:
        axes.axvline(float(value), color=SERIES[1].colour, linewidth=0.8)
    if np.isfinite(result.interval[0]):
        axes.axvspan(*result.interval, color=SERIES[1].colour, alpha=0.18, linewidth=0.0, label="interval")
    if result.values[0] > 0.0 and result.values[-1] > 30.0 * result.values[0]:
        axes.set_xscale("log")
        plain_log(axes.xaxis)
    axes.set(xlabel=worded(result.parameter)[1], ylabel=ylabel)
    legend_above(axes, owned=owned)
    return axes
