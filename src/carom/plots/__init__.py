"""Draw a result, return the axes; save it as files."""

from __future__ import annotations

from carom.plots.energy import plot_energy
from carom.plots.envelopes import plot_envelopes, plot_floor_spectra
from carom.plots.files import save
from carom.plots.geometry import plot_geometry
from carom.plots.histories import plot_gap_and_force, plot_histories, plot_phase
from carom.plots.impacts import plot_loops, plot_timeline
from carom.plots.panels import draw
from carom.plots.penalty import plot_penalty
from carom.plots.style import style

__all__ = [
    "draw",
    "plot_energy",
    "plot_envelopes",
    "plot_floor_spectra",
    "plot_gap_and_force",
    "plot_geometry",
    "plot_histories",
    "plot_loops",
    "plot_penalty",
    "plot_phase",
    "plot_timeline",
    "save",
    "style",
]
