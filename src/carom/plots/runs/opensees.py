"""carom and OpenSees over time, and what lies between them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes

from carom.plots.sheet import legend_above, sheet
from carom.plots.style import GREY, INK, SERIES, in_style
from carom.results.comparisons.opensees import OpenSeesComparison

__all__ = ["plot_opensees"]


@in_style
def plot_opensees(result: OpenSeesComparison, axes: Sequence[Axes] | None = None) -> list[Axes]:
    """Draw the displacement that differs most, the force of the hardest contact, and all differences; return the axes.

    The lowest panel has the largest difference of any displacement over time, at both steps of OpenSees, and by how
    much OpenSees itself changes between them.
    """
    moved, pushed, apart = sheet(3, height=38.0, shared=True) if axes is None else list(axes)
    theirs = f"OpenSees, {1e3 * result.fine.step:g} ms"
    which = int(np.argmax(result.difference(result.fine)))
    for values, run, color, style, width, label in (
        (result.displacement, result.force, SERIES[0].colour, "-", 1.2, "carom"),
        (result.fine.displacement, result.fine.force, SERIES[1].colour, "--", 0.9, theirs),
    ):
        moved.plot(result.time, 1e3 * values[:, which], color=color, linestyle=style, linewidth=width, label=label)
        if result.contacts:
            hardest = int(np.argmax(result.force.max(axis=0)))
            pushed.plot(result.time, 1e-3 * run[:, hardest], color=color, linestyle=style, linewidth=width)
            pushed.set_ylabel("Contact force [kN]")
    moved.set_ylabel(f"{result.names[which]} [mm]")
    scale = np.maximum(np.abs(result.displacement).max(axis=0), np.finfo(float).tiny)
    between = result.fine.displacement - result.coarse.displacement
    for change, color, style, label in (
        (result.coarse.displacement - result.displacement, GREY, "-", f"at {1e3 * result.coarse.step:g} ms"),
        (result.fine.displacement - result.displacement, SERIES[1].colour, "-", f"at {1e3 * result.fine.step:g} ms"),
        (between, INK, ":", "between OpenSees' steps"),
    ):
        largest = np.maximum(np.abs(change / scale).max(axis=1), 1e-16)
        apart.plot(result.time, largest, color=color, linestyle=style, linewidth=0.9, label=label)
    top = max(float(result.difference(result.coarse).max()), 1e-9)
    apart.set(yscale="log", xlabel="Time [s]", ylabel="Difference over peak", ylim=(1e-6 * top, 40.0 * top))
    legend_above(moved)
    apart.legend(loc="upper right", ncols=3)
    return [moved, pushed, apart]
