"""Pounding force response spectra: maps over the periods of two neighbours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes

from carom.plots.sheet import prefix, sheet, worded
from carom.plots.style import in_style

if TYPE_CHECKING:
    from carom.studies.analyses.force_spectra import ForceSpectra

__all__ = ["plot_force_spectra"]


SMOOTH = 12
"""Periods on each side from which lines of equal value say more than the cells."""


@in_style
def plot_force_spectra(result: ForceSpectra, axes: Sequence[Axes] | None = None) -> Sequence[Axes]:
    """Draw the mean peak force and the displacement ratios over both periods, light for small; return the axes."""
    panels: list[tuple[str, Any]] = []
    factor, unit = prefix(float(np.nanmax(result.force, initial=0.0)), "N")
    panels.append((f"Mean peak force [{unit}]", factor * result.force))
    panels += [(f"{worded(name)[1]}, ratio", values) for name, values in result.amplification.items()][:2]
    axes = sheet(1, len(panels), height=48.0 if len(panels) == 3 else 55.0) if axes is None else axes
    for here, (title, values) in zip(axes, panels, strict=True):
        there = np.ma.masked_invalid(values.T)
        drawn = here.pcolormesh(result.left, result.right, there, cmap="cividis_r", shading="nearest", rasterized=True)
        here.set(xlim=(max(here.get_xlim()[0], 0.0), None), ylim=(max(here.get_ylim()[0], 0.0), None))
        if min(values.shape) >= SMOOTH and np.ptp(values[np.isfinite(values)]) > 0.0:
            lines = here.contour(result.left, result.right, there, levels=5, colors="black", linewidths=0.4)
            here.clabel(lines, fontsize=5.5, fmt="%.3g", inline_spacing=1.0)
        box = here.get_position()
        here.set_position((box.x0, box.y0, 0.86 * box.width, box.height))
        place = here.figure.add_axes((box.x0 + 0.885 * box.width, box.y0, 0.035 * box.width, box.height))
        bar = here.figure.colorbar(drawn, cax=place)
        bar.outline.set_linewidth(0.4)
        bar.ax.tick_params(labelsize=6.0, width=0.4, length=2.0)
        here.set_title(title, loc="left")
        here.set(xlabel=_period(result.labels[0]), ylabel=_period(result.labels[1]) if here is axes[0] else "")
    return axes


def _period(label: str) -> str:
    """Return ``Period, left [s]`` for ``left.period [s]``."""
    name, _, unit = label.partition(" [")
    who, _, what = name.rpartition(".")
    return f"Period, {who} [{unit}" if what == "period" and who else worded(label)[1]
