"""Draw a result, return the axes; save it as files."""

from __future__ import annotations

from carom.plots.files import save
from carom.plots.panels import draw
from carom.plots.runs.asked import plot_asked
from carom.plots.runs.energy import plot_energy
from carom.plots.runs.envelopes import plot_envelopes, plot_floor_spectra
from carom.plots.runs.geometry import plot_geometry
from carom.plots.runs.histories import plot_gap_and_force, plot_histories, plot_phase
from carom.plots.runs.impacts import plot_loops, plot_timeline
from carom.plots.space.decks import animate_decks, plot_bearings, plot_decks, plot_unseating
from carom.plots.space.frames import plot_frame
from carom.plots.space.girders import plot_girders
from carom.plots.space.slabs import (
    plot_plan_and_elevation,
    plot_slab_envelopes,
    plot_slab_histories,
    plot_slab_spectra,
)
from carom.plots.space.wire_models import animate_mode, plot_in_space, plot_mode
from carom.plots.studies.amplification import plot_amplification
from carom.plots.studies.calibration import plot_laws_against_test, plot_study_calibration
from carom.plots.studies.force_spectra import plot_force_spectra
from carom.plots.studies.fragility import plot_fragility
from carom.plots.studies.incremental import plot_incremental
from carom.plots.studies.law_spread import plot_law_spread
from carom.plots.studies.penalty import plot_penalty
from carom.plots.studies.sensitivity import plot_sensitivity
from carom.plots.studies.separation import plot_separation, plot_study_separation
from carom.plots.style import style

__all__ = [
    "animate_decks",
    "animate_mode",
    "draw",
    "plot_amplification",
    "plot_asked",
    "plot_bearings",
    "plot_decks",
    "plot_energy",
    "plot_envelopes",
    "plot_floor_spectra",
    "plot_force_spectra",
    "plot_fragility",
    "plot_frame",
    "plot_gap_and_force",
    "plot_geometry",
    "plot_girders",
    "plot_histories",
    "plot_in_space",
    "plot_incremental",
    "plot_law_spread",
    "plot_laws_against_test",
    "plot_loops",
    "plot_mode",
    "plot_penalty",
    "plot_phase",
    "plot_plan_and_elevation",
    "plot_sensitivity",
    "plot_separation",
    "plot_slab_envelopes",
    "plot_slab_histories",
    "plot_slab_spectra",
    "plot_study_calibration",
    "plot_study_separation",
    "plot_timeline",
    "plot_unseating",
    "save",
    "style",
]
