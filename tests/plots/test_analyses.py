"""Figures of analyses: nothing leaves the page, crowded and empty ones too, and the user's settings stay."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from carom import plots
from carom.studies.analyses import StudyTable
from carom.studies.analyses.amplification import Amplification
from carom.studies.analyses.calibration import LawComparison
from carom.studies.analyses.calibration_study import StudyCalibration
from carom.studies.analyses.force_spectra import ForceSpectra
from carom.studies.analyses.fragility_study import Fragility
from carom.studies.analyses.incremental import Incremental, ScaledCurve, gathered
from carom.studies.analyses.law_spread import LawSpread
from carom.studies.analyses.sensitivity import Indices, MorrisEffects, Sensitivity, tornado
from carom.studies.analyses.separation import Separation, rule_gaps
from carom.studies.analyses.separation_study import StudySeparation
from tests.studies.analyses.tables import found_by, table_of

RNG = np.random.default_rng(0)


def within_the_page(drawn: Axes | Sequence[Axes]) -> Figure:
    axes = [drawn] if isinstance(drawn, Axes) else list(drawn)
    figure = axes[0].figure
    assert isinstance(figure, Figure)
    canvas = figure.canvas
    assert isinstance(canvas, FigureCanvasAgg)
    canvas.draw()
    for one in axes:
        box = one.get_tightbbox(canvas.get_renderer())
        assert box is not None
        assert box.x0 >= -0.5
        assert box.y0 >= -0.5
        assert box.x1 <= figure.bbox.x1 + 0.5
        assert box.y1 <= figure.bbox.y1 + 0.5
        if one.get_xlabel():
            assert one.get_xlabel()[0].isupper() or one.get_xlabel()[0] == "$"
    return figure


def study(laws: int, *, failed: float = 0.0) -> StudyTable:
    """Motions by laws by levels, forces that grow with PGA."""
    names = [
        "jankowski-2005",
        "lankarani-nikravesh-1990",
        "kelvin-voigt",
        "hertz",
        "flores-2011",
        "ye-2009",
        "tsuji-1992",
    ]
    motion, law, level = (x.ravel() for x in np.meshgrid(np.arange(20), np.arange(laws), np.arange(1, 13)))
    pga = 0.8 * level
    force = 1e6 * pga * (1.0 + 0.2 * law) * RNG.lognormal(0.0, 0.3, pga.size)
    status = np.where(RNG.random(pga.size) < failed, "step-limit", "finished").astype(object)
    table = table_of(
        {"pga": "m/s2", "peak_force": "N", "gap": "m"}, status,
        motion=np.array([f"m{i}" for i in motion], dtype=object), pga=pga, gap=0.02 * level,
        law=np.array(names, dtype=object)[law], peak_force=force,
        impacts=(RNG.random(pga.size) < pga / 10.0) * 3.0,
        **{"displacement.left": 0.01 * pga, "no_pounding.displacement.left": 0.008 * pga + 1e-4},
    )  # fmt: skip
    return replace(table, parameters=("law", "pga"), outputs=("peak_force", "impacts", "displacement.left"))


@pytest.mark.parametrize(("laws", "failed"), [(1, 0.0), (3, 0.05), (7, 0.0)])
def test_fragility(laws: int, failed: float) -> None:
    table = study(laws, failed=failed)
    result = found_by("fragility", Fragility, table, {"by": "law", "output": "peak_force", "limit": 5e6})
    within_the_page(plots.plot_fragility(result))


@pytest.mark.parametrize("by", [[], ["law"]])
@pytest.mark.parametrize("over", ["pga", "law"])
def test_amplification(by: list[str], over: str) -> None:
    by = [name for name in by if name != over]
    result = found_by("amplification", Amplification, study(7), {"by": by, "over": over})
    within_the_page(plots.plot_amplification(result))


@pytest.mark.parametrize("laws", [2, 7])
@pytest.mark.parametrize("output", ["peak_force", ["peak_force", "impacts", "peak_force", "impacts"]])
def test_law_spread(laws: int, output: object) -> None:
    result = found_by("law-spread", LawSpread, study(laws), {"output": output})
    within_the_page(plots.plot_law_spread(result))


def test_incremental() -> None:
    result = found_by("ida", Incremental, study(7, failed=0.05), {"limit": 6e6})
    within_the_page(plots.plot_incremental(result))
    silent = gathered([ScaledCurve("a", np.ones(1), np.zeros(1), np.ones(2))], math.inf, "peak_force [N]", "PGA [m/s²]")
    within_the_page(plots.plot_incremental(silent))


def test_separation() -> None:
    result = found_by("separation", StudySeparation, study(1), {"resamples": 20})
    within_the_page(plots.plot_study_separation(result))
    for needed in (np.zeros(3), RNG.lognormal(-3.0, 0.5, 30)):
        peaks = np.stack([needed, needed], axis=1)
        rules = rule_gaps(needed, needed, 0.1)
        nothing = np.full(1, np.nan)
        found = Separation(
            tuple("abc" * 10)[: needed.size], "left | right", 0.02, needed, peaks, rules, 0.1, (0.1,), nothing, nothing,
            np.full((1, 2), np.nan), 0.95,
        )  # fmt: skip
        within_the_page(plots.plot_separation(found))


def test_force_spectra() -> None:
    a, b = (x.ravel() for x in np.meshgrid(np.linspace(0.1, 2.0, 8), np.linspace(0.1, 2.0, 8)))
    for force in (1e6 * np.abs(a - b), np.zeros(64)):
        table = table_of(None, None, **{"left.period": a, "right.period": b, "peak_force": force})
        result = found_by("force-spectra", ForceSpectra, table, {"left": "left.period", "right": "right.period"})
        within_the_page(plots.plot_force_spectra(result))


@pytest.mark.parametrize("count", [1, 4, 30])
def test_sensitivity(count: int) -> None:
    names = [f"structures.left.parameter{i}" for i in range(count)]
    points = RNG.random((400, count))
    swing = tornado(points, 1e6 * points @ np.arange(count), names)
    rows = np.linspace(0.5, 0.0, count)
    indices = Indices(tuple(names), rows, 0.1 * rows, rows, 0.1 * rows, 0.95, 400, 0, "indices")
    effects = MorrisEffects(tuple(names), rows, rows, 0.1 * rows, rows, 0.95, 10, 0)
    for given in ((indices, None), (None, effects), (None, None)):
        within_the_page(plots.plot_sensitivity(Sensitivity("peak_force [N]", *given, swing, 0)))


@pytest.mark.parametrize(("force", "said"), [(0.0, "Nothing touches: peak force is 0"), (2e5, "The same in every run")])
def test_a_tornado_without_bars_says_why(force: float, said: str) -> None:
    names = ["gap", "scale", "left.mass"]
    swing = tornado(RNG.random((50, 3)), np.full(50, force), names)
    axes = plots.plot_sensitivity(Sensitivity("peak_force [N]", None, None, swing, 0))
    within_the_page(axes)
    assert any(text.get_text().startswith(said) for text in axes[0].texts)


def test_calibration() -> None:
    table = table_of({"peak_force": "N"}, None, stiffness=np.arange(1.0, 9.0), peak_force=1e6 * np.arange(1.0, 9.0))
    for measured in (4.5e6, 1e9):
        result = found_by("calibration", StudyCalibration, table, {"parameter": "stiffness", "measured": measured})
        within_the_page(plots.plot_study_calibration(result))
    time = np.linspace(0.0, 1e-3, 200)
    force = 1e3 * np.sin(math.pi * time / 1e-3)
    names = tuple(f"a law with a long name {i}" for i in range(9))
    laws = LawComparison(
        names, np.ones(9), np.arange(9.0), np.ones((9, 2)), np.ones(9) / 9.0, 0.95, time, force,
        np.outer(np.linspace(0.5, 1.5, 9), force), True,
    )  # fmt: skip
    within_the_page(plots.plot_laws_against_test(laws))


def test_every_analysis_draws_into_given_axes() -> None:
    figure = Figure()
    FigureCanvasAgg(figure)
    axes: Any = figure.subplots()
    result = found_by("fragility", Fragility, study(7), {"by": "law", "output": "peak_force", "limit": 5e6})
    size = figure.get_size_inches().tolist()
    assert plots.plot_fragility(result, axes) is axes
    assert figure.get_size_inches().tolist() == size
