"""Incremental dynamic analysis: made-up demands with known crossings, straight lines without contact."""

from __future__ import annotations

import math
from functools import partial

import numpy as np
import pytest

import carom
from carom.errors import InputError
from carom.studies.analyses.incremental import (
    Incremental,
    ScaledCurve,
    gathered,
    hunt_and_fill,
    incremental,
    percentiles_of,
)
from carom.studies.analyses.suite import suite_table
from tests.studies.analyses.tables import found_by, table_of
from tests.studies.analyses.test_amplification import neighbours

placed = partial(hunt_and_fill, first=0.1, step=0.2, growth=0.05, ceiling=4.0, runs=14, resolution=0.05)


def test_the_hunt_closes_in_on_the_limit() -> None:
    """Demand x² reaches 2 at √2, x at 2, 0.1 x never: one run of each motion a time, not more than allowed."""
    demands = [lambda x: x * x, lambda x: x, lambda x: 0.1 * x]
    rounds = []

    def evaluate(asked: list[tuple[int, float]]) -> list[float]:
        rounds.append(asked)
        return [demands[i](x) for i, x in asked]

    curves = placed(evaluate, ["a", "b", "c"], limit=2.0)
    assert len(rounds) == 14
    assert all(len({i for i, _ in asked}) == len(asked) for asked in rounds)
    for curve, crossing in zip(curves[:2], (math.sqrt(2.0), 2.0), strict=True):
        below = curve.intensity[curve.demand <= 2.0].max()
        above = curve.intensity[curve.demand > 2.0].min()
        assert below < crossing < above
        assert above - below <= 0.05 * above
        assert np.diff(curve.intensity[curve.demand <= 2.0]).max() < 0.4 * crossing  # the rest fills gaps
    assert curves[0].capacity(2.0) == pytest.approx(math.sqrt(2.0), rel=0.01)
    assert curves[1].capacity(2.0) == pytest.approx(2.0, rel=1e-12)
    assert curves[2].capacity(2.0) == math.inf
    assert curves[2].intensity.max() == 4.0
    assert np.isnan(curves[2].at(np.array([4.1]), 2.0))
    assert np.isinf(curves[0].at(np.array([4.1]), 2.0))


def test_failed_runs_are_no_demand() -> None:
    def evaluate(asked: list[tuple[int, float]]) -> list[float]:
        return [math.nan if x > 1.0 else x for _, x in asked]

    (curve,) = placed(evaluate, ["a"], limit=2.0)
    assert curve.failed.size >= 3
    assert curve.failed.min() > 1.0
    assert curve.demand.max() <= 1.0
    assert curve.capacity(2.0) == math.inf


def test_the_answer_is_the_demand_at_the_highest_intensity() -> None:
    def evaluate(asked: list[tuple[int, float]]) -> list[float]:
        return [1e6 * (i + 1) * x for i, x in asked]

    curves = placed(evaluate, ["a", "b", "c"], limit=math.inf)
    found = gathered(curves, math.inf, "peak_force [N]", "PGA [g]")
    said = "At PGA 4 g: peak_force 8 MN in the median, 5.28 MN to 10.72 MN at the 16th to 84th percentile."
    assert found.section().paragraphs[0] == said
    one = gathered(curves[:1], math.inf, "peak_force [N]", "PGA [g]")
    assert one.section().paragraphs[0] == "At PGA 4 g: peak_force 4 MN."


def test_percentiles_against_numpy() -> None:
    values = np.random.default_rng(1).lognormal(size=(31, 4))
    np.testing.assert_allclose(percentiles_of(values), np.percentile(values, [16, 50, 84], axis=0))
    values[:10, 0], values[0, 1] = np.inf, np.nan
    found = percentiles_of(values)
    assert np.isfinite(found[1, 0])
    assert np.isinf(found[2, 0])
    assert np.all(np.isnan(found[:, 1]))


def test_without_contact_curves_are_straight() -> None:
    """Displacement is SD/PGA times PGA: percentiles are those of the spectra."""
    motions = carom.motions.suite("thirty")[::5]
    found = incremental(neighbours(50.0), motions, demand="displacement.right", runs=6)
    slopes = [float(carom.response_spectrum(m, 0.7, 0.05).sd) / (m.pga / 9.80665) for m in motions]
    np.testing.assert_allclose(
        found.percentiles, np.percentile(slopes, [16, 50, 84])[:, None] * found.intensity, rtol=1e-9
    )
    by_sa = incremental(neighbours(50.0), motions, demand="displacement.right", intensity="sa", period=0.7, runs=4)
    w = 2.0 * math.pi / 0.7
    assert by_sa.percentiles[1, -1] * w**2 == pytest.approx(9.80665 * by_sa.intensity[-1], rel=0.02)  # SA ≈ ω² SD


def test_capacity_is_where_runs_reach_the_limit() -> None:
    motions = carom.motions.suite("thirty")[12:14]
    found = incremental(neighbours(0.02), motions, limit=2e6, runs=12, resolution=0.01)
    for motion, capacity in zip(motions, found.capacity, strict=True):
        run = carom.simulate(neighbours(0.02).replace(motion=motion.scaled(pga=f"{float(capacity)!r} g")))
        assert run.table["peak_force"].max() == pytest.approx(2e6, rel=0.05)
    assert found.section().tables


def test_of_a_study() -> None:
    motions = carom.motions.suite("thirty")[::10]
    table = suite_table(neighbours(0.02), motions, vary={"scale": [0.5, 1.0, 1.5, 2.0]})
    found = found_by("ida", Incremental, table, {"output": "displacement.left", "limit": 0.05})
    assert len(found.curves) == 3
    assert all(curve.intensity.size == 4 for curve in found.curves)
    curve = found.curves[1]
    assert curve.demand[1] == table["displacement.left"][(table["motion"] == curve.name) & (table["scale"] == 1.0)]


def test_refusals() -> None:
    motions = carom.motions.suite("thirty")[:2]
    with pytest.raises(InputError, match=r"Did you mean 'displacement\.left'"):
        incremental(neighbours(0.02), motions, demand="displacement.lef")
    with pytest.raises(InputError, match="period"):
        incremental(neighbours(0.02), motions, intensity="sa")
    with pytest.raises(InputError, match="at least 4"):
        incremental(neighbours(0.02), motions, runs=1)
    with pytest.raises(InputError, match="several values of pga"):
        found_by("ida", Incremental, table_of(pga=[1.0], motion=["a"], peak_force=[1.0]), {})
    assert np.isnan(ScaledCurve("a", np.empty(0), np.empty(0), np.ones(1)).at(np.ones(2))).all()
