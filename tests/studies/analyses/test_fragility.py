"""Fragility: parameters of made-up data come back, with the coverage that is stated."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.special import ndtr
from scipy.stats import norm

from carom.errors import InputError
from carom.studies.analyses import ANALYSES, check_analyses
from carom.studies.analyses.fragility import fragility_curve, fragility_of_counts
from carom.studies.analyses.fragility_study import Fragility
from carom.studies.analyses.statistics.lognormal import fit_counts
from tests.studies.analyses.tables import found_by, table_of

MEDIAN, BETA = 0.6, 0.45


def made_up(seed: int, levels: int = 12, each: int = 25, *, falling: bool = False) -> tuple[np.ndarray, np.ndarray]:
    x = np.repeat(np.linspace(0.1, 1.5, levels), each)
    p = norm.cdf(np.log(x / MEDIAN) / BETA)
    yes = np.random.default_rng(seed).random(x.size) < (1.0 - p if falling else p)
    return x, yes


def naive_fit(x: np.ndarray, yes: np.ndarray) -> tuple[float, float]:
    """The likelihood run by run, climbed by a method without derivatives."""

    def loss(theta: np.ndarray) -> float:
        z = (np.log(x) - theta[0]) / math.exp(theta[1])
        return -float(np.where(yes, norm.logcdf(z), norm.logsf(z)).sum())

    best = minimize(loss, [0.0, 0.0], method="Nelder-Mead", options={"xatol": 1e-10, "fatol": 1e-12, "maxiter": 4000})
    return math.exp(best.x[0]), math.exp(best.x[1])


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_fit_is_the_maximum_of_the_likelihood(seed: int) -> None:
    x, yes = made_up(seed)
    curve = fragility_curve(x, yes)
    median, beta = naive_fit(x, yes)
    assert curve.median == pytest.approx(median, rel=1e-7)
    assert curve.beta == pytest.approx(beta, rel=1e-7)


def test_two_levels_have_a_closed_form() -> None:
    """A line through two points: Φ⁻¹ of the two fractions."""
    found = fit_counts(np.log([0.5, 1.0]), np.array([[30.0, 80.0]]), np.array([[100.0, 100.0]]))
    slope = (norm.ppf(0.8) - norm.ppf(0.3)) / math.log(2.0)
    assert found.slope[0] == pytest.approx(slope, rel=1e-9)
    assert found.log_median[0] == pytest.approx(-norm.ppf(0.8) / slope, rel=1e-9)


def test_standard_errors_are_those_of_the_curvature() -> None:
    """Second differences of the likelihood written run by run."""
    x, yes = made_up(5)
    levels, at = np.unique(x, return_inverse=True)
    fit = fit_counts(np.log(levels), np.bincount(at, yes), np.bincount(at))

    def loss(a: float, b: float) -> float:
        z = (np.log(x) - a) / math.exp(b)
        return -float(np.where(yes, norm.logcdf(z), norm.logsf(z)).sum())

    a, b, h = float(fit.log_median[0]), math.log(float(fit.beta[0])), 1e-4
    aa = (loss(a + h, b) - 2.0 * loss(a, b) + loss(a - h, b)) / h**2
    bb = (loss(a, b + h) - 2.0 * loss(a, b) + loss(a, b - h)) / h**2
    ab = (loss(a + h, b + h) - loss(a + h, b - h) - loss(a - h, b + h) + loss(a - h, b - h)) / (4.0 * h**2)
    covariance = np.linalg.inv([[aa, ab], [ab, bb]])
    assert fit.error_log_median[0] == pytest.approx(math.sqrt(covariance[0, 0]), rel=1e-4)
    assert fit.error_log_beta[0] == pytest.approx(math.sqrt(covariance[1, 1]), rel=1e-4)


@pytest.mark.parametrize(("levels", "each"), [(12, 25), (30, 3), (12, 5), (60, 1)])
def test_stated_coverage_over_200_seeds(levels: int, each: int) -> None:
    """Of 200 intervals at 95 % between 179 and 199 hold the truth: the central 99.9 % of the binomial distribution."""
    held = np.zeros(3, dtype=int)
    medians, betas = [], []
    for seed in range(200):
        curve = fragility_curve(*made_up(seed, levels, each))
        low, high = curve.band(0.4)
        held += [
            curve.median_interval.low <= MEDIAN <= curve.median_interval.high,
            curve.beta_interval.low <= BETA <= curve.beta_interval.high,
            low <= norm.cdf(math.log(0.4 / MEDIAN) / BETA) <= high,
        ]
        medians.append(curve.median)
        betas.append(curve.beta)
    assert np.all((held >= 179) & (held <= 199)), held
    assert np.mean(medians) == pytest.approx(MEDIAN, rel=0.02)
    assert np.mean(betas) == pytest.approx(BETA, rel=0.05)


def test_coverage_with_60_runs() -> None:
    """Six truths and two ways to place 60 runs, 1,200 data sets: 93.1 to 96.9 % is 99.9 % of the binomial distribution.

    Intervals by resampling held 91 to 92 % in such sets, and 72 % of the betas at worst.
    """
    held, count = np.zeros(3, dtype=int), 0
    for median, beta in ((0.6, 0.3), (0.6, 0.45), (0.6, 0.7), (1.0, 0.45), (1.0, 0.6), (0.4, 0.4)):
        for x in (np.repeat(np.linspace(0.1, 1.5, 12), 5), np.repeat(np.geomspace(0.15, 2.4, 10), 6)):
            p = norm.cdf(np.log(x / median) / beta)
            for seed in range(100):
                try:
                    curve = fragility_curve(x, np.random.default_rng([seed, int(1e3 * median)]).random(x.size) < p)
                except InputError:  # a step tells the runs apart
                    continue
                low, high = curve.band(0.4)
                held += [
                    curve.median_interval.low <= median <= curve.median_interval.high,
                    curve.beta_interval.low <= beta <= curve.beta_interval.high,
                    low <= norm.cdf(math.log(0.4 / median) / beta) <= high,
                ]
                count += 1
    assert count > 1100
    assert np.all((held > 0.931 * count) & (held < 0.969 * count)), held / count


def test_coverage_when_runs_of_one_motion_hang_together() -> None:
    """Each of 40 motions shifts the median: intervals from single runs would be far too narrow."""
    held, wide = 0, []
    for seed in range(60):
        rng = np.random.default_rng(seed)
        shift = np.repeat(rng.normal(0.0, 0.3, 40), 20)
        x = np.tile(np.geomspace(0.1, 3.0, 20), 40)
        yes = rng.random(x.size) < norm.cdf((np.log(x / MEDIAN) - shift) / 0.3)
        motion = np.repeat(np.arange(40), 20)
        curve = fragility_curve(x, yes, clusters=motion)
        held += curve.median_interval.low <= MEDIAN <= curve.median_interval.high
        single = fragility_curve(x, yes).median_interval
        wide.append((curve.median_interval.high - curve.median_interval.low) / (single.high - single.low))
    assert held >= 50  # 99.9 % of the binomial distribution of 60 with 0.95
    assert np.mean(wide) > 1.5


def test_a_falling_curve_is_the_mirror_of_a_rising_one() -> None:
    x, yes = made_up(3)
    rising = fragility_curve(x, yes)
    falling = fragility_curve(x, ~yes, falling=True)
    assert falling.median == pytest.approx(rising.median, rel=1e-9)
    np.testing.assert_allclose(falling.probability([0.3, 0.9]), 1.0 - rising.probability([0.3, 0.9]), atol=1e-9)


def test_failed_runs_stand_apart() -> None:
    x, yes = made_up(4)
    failed = np.random.default_rng(0).random(x.size) < 0.1
    wild = np.where(failed, ~yes, yes)  # whatever is said of failed runs must not count
    curve = fragility_curve(x, wild, failed=failed)
    assert curve.median == fragility_curve(x[~failed], yes[~failed]).median
    assert curve.failed.sum() == failed.sum()
    assert curve.if_failed.low == pytest.approx(fragility_curve(x, yes & ~failed).median, rel=1e-9)
    assert curve.if_failed.high == pytest.approx(fragility_curve(x, yes | failed).median, rel=1e-9)
    assert curve.if_failed.high < curve.median < curve.if_failed.low


def test_counts_are_runs_told_together() -> None:
    x, yes = made_up(6)
    levels, at = np.unique(x, return_inverse=True)
    counted = fragility_of_counts(levels, np.bincount(at, yes), np.bincount(at), failed=np.ones(12))
    curve = fragility_curve(x, yes)
    assert (counted.median, counted.beta) == (curve.median, curve.beta)
    assert counted.failed.sum() == 12
    with pytest.raises(InputError, match="not be more than finished"):
        fragility_of_counts([1.0, 2.0], [3, 4], [2, 4])
    with pytest.raises(InputError, match="whole numbers"):
        fragility_of_counts([1.0, 2.0], [0.5, 1], [2, 4])


@given(factor=st.floats(1e-6, 1e6), power=st.floats(0.2, 5.0))
@settings(max_examples=25, deadline=None)
def test_units_and_powers_of_the_intensity(factor: float, power: float) -> None:
    """x → c·xᵖ takes the median along and multiplies beta by p: a curve in g is the one in m/s²."""
    x, yes = made_up(8)
    curve, other = fragility_curve(x, yes), fragility_curve(factor * x**power, yes)
    assert other.median == pytest.approx(factor * curve.median**power, rel=1e-7)
    assert other.beta == pytest.approx(power * curve.beta, rel=1e-7)


def test_gathered_levels_change_nothing_to_speak_of() -> None:
    rng = np.random.default_rng(7)
    x = np.exp(rng.normal(math.log(0.6), 0.7, 20_000))
    yes = rng.random(x.size) < norm.cdf(np.log(x / MEDIAN) / BETA)
    curve = fragility_curve(x, yes)
    assert curve.median == pytest.approx(MEDIAN, rel=0.02)
    levels = np.log(curve.levels)
    exact = fit_counts(levels, curve.exceeding, curve.finished)
    width = math.log(curve.median_interval.high / curve.median_interval.low) / (2.0 * 1.96)
    assert width == pytest.approx(float(exact.error_log_median[0]), rel=0.15)


X, YES = made_up(0)


@pytest.mark.parametrize(
    ("x", "yes", "words"),
    [
        (X, np.zeros(X.size), "none of 300"),
        (X, np.ones(X.size), "all of 300"),
        (X, X > 0.7, "between 0.609091 and 0.736364"),
        (X, X < 0.7, "does not rise|step tells apart"),
        (X[:5], YES[:5], "only 5 finished"),
        (np.ones(20), np.arange(20) % 2, "all runs are at x = 1"),
        ([], [], "at least one"),
        (X - 0.1, YES, "must be positive"),
        (np.where(X > 1.0, np.nan, X), YES, "must be finite"),
        (X[:20], YES, "20 values"),
        (X, ~YES, "does not rise"),
    ],
)
def test_refusals(x: object, yes: object, words: str) -> None:
    with pytest.raises(InputError, match=words):
        fragility_curve(x, yes)


def test_of_a_study() -> None:
    x, yes = made_up(1)
    status = np.where(np.arange(x.size) % 50 == 0, "failed", "finished")
    table = table_of({"pga": "m/s²"}, status, pga=x, impacts=np.where(yes, 3.0, 0.0), law=["hertz"] * x.size)
    result = ANALYSES.get("fragility").run(table, {"by": "law"})
    section = result.section()
    assert section.tables[0].rows[0][0] == "contact, law = hertz"
    assert any("6 failed runs" in line for line in section.cautions)
    with pytest.raises(InputError, match="Did you mean 'limit'"):
        check_analyses({"fragility": {"limits": 3.0}})
    with pytest.raises(InputError, match="Unknown column 'force'"):
        ANALYSES.get("fragility").run(table, {"output": "force"})


def test_a_study_says_its_curve_as_engineers_do() -> None:
    """PGA in g, the median first: a table in m/s² with the median 0.3 g by construction."""
    rng = np.random.default_rng(3)
    x = rng.uniform(0.05, 1.0, 4000) * 9.80665
    yes = rng.random(x.size) < ndtr(np.log(x / (0.3 * 9.80665)) / 0.4)
    table = table_of({"pga": "m/s2"}, ["finished"] * x.size, pga=x, impacts=np.where(yes, 3.0, 0.0))
    found = ANALYSES.get("fragility").run(table, {})
    (curve,) = found.curves
    assert curve.median == pytest.approx(0.3, rel=0.05)
    assert found.xlabel == "PGA [g]"
    low, high = curve.median_interval
    told = (
        f"Contact in half of the runs at PGA {curve.median:.3g} g (95 %: {low:.3g} to {high:.3g}), β {curve.beta:.2g}."
    )
    assert found.section().paragraphs[0] == told


def test_motions_scaled_to_one_intensity_are_one_level() -> None:
    """They have it but for the rounding of factors."""
    level = np.repeat([0.1, 0.2, 0.3, 0.4], 8) * 9.80665
    pga = level * (1.0 + np.resize([0.0, 2e-16, -2e-16], level.size))
    assert np.unique(pga).size > 4
    hits = np.random.default_rng(3).random(level.size) < level / 5.0
    table = table_of(units={"pga": "m/s2"}, pga=pga, impacts=hits.astype(float))
    found = found_by("fragility", Fragility, table, {})
    assert found.curves[0].levels == pytest.approx([0.1, 0.2, 0.3, 0.4], rel=1e-12)
