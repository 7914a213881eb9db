"""Calibration: Hertz's impact in closed form, made-up measurements whose parameters are known."""

from __future__ import annotations

import math

import numpy as np
import pytest

import carom
from carom.errors import InputError
from carom.studies.analyses import ANALYSES
from carom.studies.analyses.calibration import (
    calibrate_restitution,
    calibrate_stiffness,
    compare_laws,
    normalized_error,
    resampled_errors,
)
from tests.studies.analyses.tables import table_of

HIT = {"mass": 0.54, "velocity": 0.5}


def hertz_stiffness(peak: np.ndarray | float) -> np.ndarray | float:
    """F = K^{2/5} (5 m v²/4)^{3/5} solved for K."""
    return (peak / (1.25 * 0.54 * 0.5**2) ** 0.6) ** 2.5


def test_stiffness_of_hertz_in_closed_form() -> None:
    peaks = np.array([4600.0, 4700.0, 4750.0, 4900.0, 4650.0])
    found = calibrate_stiffness(carom.law("hertz", stiffness=1e9), peaks, seed=4, **HIT)
    assert found.value == pytest.approx(hertz_stiffness(peaks.mean()), rel=1e-8)
    drawn = peaks[np.random.default_rng(4).integers(0, 5, (1000, 5))].mean(axis=1)
    assert found.interval == pytest.approx(tuple(hertz_stiffness(np.quantile(drawn, [0.025, 0.975]))), rel=1e-6)


def test_one_peak_with_its_error() -> None:
    """d ln K = 5/2 d ln F: an error of 1 % is one of 2.5 %, times 1.96 to each side."""
    found = calibrate_stiffness(carom.law("hertz", stiffness=1e9), 4700.0, error=47.0, **HIT)
    half = 0.5 * math.log(found.interval[1] / found.interval[0])
    assert half == pytest.approx(1.96 * 0.025, rel=0.08)
    alone = calibrate_stiffness(carom.law("hertz", stiffness=1e9), 4700.0, **HIT)
    assert math.isnan(alone.interval[0])
    assert alone.table().rows[0][1] is None


def bouncing() -> carom.Problem:
    """A mass released against a wall: several impacts, each later for a smaller e."""
    left = carom.Oscillator(mass=4600, stiffness=2.11e6, damping_ratio=0.005, name="left")
    contact = carom.Contact("left", "wall", gap=0.01, law=carom.law("newton", restitution=0.6))
    return carom.Problem([left, carom.Wall(name="wall")], [contact], initial_displacement={"left": -0.03})


def test_restitution_from_times_of_impacts() -> None:
    problem = bouncing()
    truth = carom.simulate(problem.replace(law=carom.law("newton", restitution=0.63)), duration=2.0)
    times = truth.table["start"]
    assert times.size > 3
    clean = calibrate_restitution(problem, times, resamples=200)
    assert clean.value == pytest.approx(0.63, abs=1e-3)
    assert clean.interval[0] <= 0.631
    assert clean.interval[1] >= 0.629
    noisy = calibrate_restitution(
        problem, times + np.random.default_rng(0).normal(0.0, 2e-3, times.size), resamples=200
    )
    assert noisy.interval[0] - 0.01 <= 0.63 <= noisy.interval[1] + 0.01
    assert noisy.interval[1] - noisy.interval[0] > clean.interval[1] - clean.interval[0]


def test_normalized_error_by_hand() -> None:
    assert normalized_error([3.0, 4.0], [3.0, 4.0]) == 0.0
    assert normalized_error([3.0, 4.0], [0.0, 0.0]) == 100.0
    assert normalized_error([3.0, 4.0], [3.0, 3.0]) == pytest.approx(20.0)


def test_resampling_of_blocks_against_loops() -> None:
    rng = np.random.default_rng(2)
    f, g = rng.normal(size=50), rng.normal(size=(2, 50))
    found = resampled_errors(f, g, block=7, resamples=20, seed=9)
    starts = np.random.default_rng(9).integers(0, 44, (20, 8))
    for b in range(20):
        at = np.concatenate([np.arange(s, s + 7) for s in starts[b]])
        assert found[b] == pytest.approx([normalized_error(f[at], row[at]) for row in g])


def test_spread_of_the_error_of_independent_residuals() -> None:
    """NE² is σ²χ²/n over F²: its relative standard deviation is 1/√(2n)."""
    rng = np.random.default_rng(5)
    drawn = resampled_errors(np.ones(2000), 1.0 + 0.1 * rng.normal(size=2000), block=1)
    assert drawn.mean() == pytest.approx(10.0, rel=0.03)
    assert drawn.std() / drawn.mean() == pytest.approx(1.0 / math.sqrt(4000.0), rel=0.1)


def test_the_law_behind_a_measurement_wins() -> None:
    names = ("hertz", "flores-2011", "lankarani-nikravesh-1990", "jankowski-2005")
    laws = [
        carom.law(name, stiffness=2e10, **({} if name == "hertz" else {"restitution": 0.6})) for name in names
    ]  # fmt: skip
    hit = carom.impact(laws[1], **HIT)
    time = np.linspace(0.0, 1.05 * hit.duration, 300)
    force = np.where(time < hit.duration, hit.sample(np.minimum(time, hit.duration))["force"].values, 0.0)
    noise = np.random.default_rng(1).normal(0.0, 0.02 * force.max(), time.size)
    found = compare_laws(laws, time, force + noise, fit=False, **HIT)
    assert found.laws[int(found.error.argmin())] == "flores-2011"
    size = float(np.linalg.norm(noise) / np.linalg.norm(force + noise))
    assert found.error.min() == pytest.approx(100.0 * size, rel=1e-6)
    assert found.interval[1, 0] < found.error[1] < found.interval[1, 1]
    assert found.best[1] > 0.99
    fitted = compare_laws(laws, time, force, **HIT)
    np.testing.assert_allclose(fitted.computed.max(axis=1), force.max(), rtol=2e-3)  # every law at the measured peak
    assert fitted.section().tables[0].rows[0][0] == "flores-2011"


def test_of_a_study() -> None:
    """Force = 2 k + a shift for each motion: 10 is met at k = 5 in the mean."""
    k = np.tile(np.arange(1.0, 9.0), 20)
    shift = np.repeat(np.random.default_rng(0).normal(size=20), 8)
    shift -= shift.mean()
    table = table_of(stiffness=k, peak_force=2.0 * k + shift, motion=np.repeat(np.arange(20).astype(str), 8))
    found = ANALYSES.get("calibration").run(table, {"parameter": "stiffness", "measured": 10.0})
    assert found.found == pytest.approx([5.0])
    half = 0.5 * (found.interval[1] - found.interval[0])
    assert half == pytest.approx(1.96 * shift[::8].std() / math.sqrt(20.0) / 2.0, rel=0.15)
    never = ANALYSES.get("calibration").run(table, {"parameter": "stiffness", "measured": 99.0})
    assert any("not reached" in line for line in never.section().cautions)


@pytest.mark.parametrize(
    ("output", "plain", "worded"),
    [
        ("peak_force", (4e5, 1e4), ("400 kN", "10 kN")),
        ("displacement.left", (0.02, 0.001), ("20 mm", "1 mm")),
        ("acceleration.left", (9.80665, 0.980665), ("1 g", "0.1 g")),
    ],
)
def test_a_measurement_may_have_its_unit(output: str, plain: tuple[float, float], worded: tuple[str, str]) -> None:
    k, motion = np.tile(np.arange(1.0, 9.0), 5), np.repeat(list("abcde"), 8)
    table = table_of(None, None, **{"stiffness": k, output: plain[0] * k / 4.0, "motion": motion})
    found = []
    for measured, error in (plain, worded):
        options = {"parameter": "stiffness", "output": output, "measured": measured, "error": error, "resamples": 20}
        found.append(ANALYSES.get("calibration").run(table, options))
    assert found[0].found == pytest.approx([4.0])
    assert found[1].found == pytest.approx([4.0])
    assert found[1].interval == pytest.approx(found[0].interval)
    assert found[0].interval[0] < 4.0 < found[0].interval[1]  # from the error alone


def test_refusals() -> None:
    for options, said in (
        ({"measured": "400 mm"}, r"`measured` of analysis calibration.*400 mm"),
        ({"measured": 1.0, "error": "-1 kN"}, r"`error` of analysis calibration must not be negative"),
    ):
        with pytest.raises(InputError, match=said):
            ANALYSES.get("calibration").run(
                table_of(stiffness=[1.0], peak_force=[1.0]), {"parameter": "stiffness", **options}
            )
    law = carom.law("hertz", stiffness=1e9)
    with pytest.raises(InputError, match="must be positive"):
        calibrate_stiffness(law, [-1.0], **HIT)
    with pytest.raises(InputError, match="at least two"):
        calibrate_restitution(bouncing(), [0.1])
    with pytest.raises(InputError, match="not nought"):
        normalized_error([0.0, 0.0], [1.0, 1.0])
    with pytest.raises(InputError, match="at least eight"):
        compare_laws([law], [0.0, 1.0], [1.0, 2.0], **HIT)
    with pytest.raises(InputError, match="press somewhere"):
        compare_laws([law], np.arange(10.0), -np.ones(10), **HIT)
    with pytest.raises(InputError, match="several values"):
        ANALYSES.get("calibration").run(
            table_of(stiffness=[1.0], peak_force=[1.0]), {"parameter": "stiffness", "measured": 1.0}
        )
