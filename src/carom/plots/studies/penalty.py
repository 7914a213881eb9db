"""How penalty laws approach rigid contact."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes

from carom.plots.sheet import sheet
from carom.plots.style import INK, in_style, plain_log
from carom.results import PenaltyComparison

__all__ = ["plot_penalty"]

MARKS = "os^Dv<>"


@in_style
def plot_penalty(result: PenaltyComparison, axes: Axes | None = None) -> Axes:
    """Draw the difference from the rigid answer over the contact stiffness, one curve per law; return the axes."""
    axes = sheet(1, height=60.0)[0] if axes is None else axes
    for name, errors, mark in zip(result.laws, result.values["history"], np.resize(list(MARKS), 99), strict=False):
        axes.plot(result.stiffnesses, 100.0 * errors, marker=mark, markersize=3.5, label=name)
    axes.axhline(1.0, color=INK, linewidth=0.6, linestyle=":", label="1 %")
    axes.set(
        xscale="log", yscale="log", xlabel="Stiffness of the linear law of equal elastic peak [N/m]",
        ylabel="Difference from rigid contact [%]",
    )  # fmt: skip
    for axis in (axes.xaxis, axes.yaxis):
        plain_log(axis)
    axes.legend(loc="best")
    return axes
