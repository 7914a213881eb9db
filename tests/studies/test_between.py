"""Peaks between samples, against those of a sine."""

from __future__ import annotations

import math

import numpy as np
import pytest

from carom.studies.between import largest_between, largest_of_each, with_rates


def test_the_peak_between_samples() -> None:
    """A sine sampled eight times a cycle: its amplitude to 1e-4, where the largest sample is 8 % short."""
    t = 0.0625 + np.arange(40) / 8.0
    w = 2.0 * math.pi
    moved = np.array([np.sin(w * t), w * np.cos(w * t), -(w**2) * np.sin(w * t)])
    assert largest_between(moved, 1.0 / 8.0) == pytest.approx(1.0, abs=1e-4)
    assert moved[0].max() < 0.93
    assert largest_between(-np.ones((3, 5)), 1.0) == 0.0


@pytest.mark.parametrize("phase", np.linspace(0.0, 0.9, 7))
def test_the_peak_between_samples_of_which_only_values_are_known(phase: float) -> None:
    """Fifty samples a cycle, where the largest sample is up to 2e-3 short."""
    cycle = 2.0 * math.pi / 50.0 * (phase + np.arange(225.0))
    peak = 0.05**2 / (8.0 * 0.04) + 0.04  # at cos = −A/(4B)
    values = -0.05 * np.cos(0.5 * cycle) - 0.04 * np.cos(cycle)
    assert largest_between(with_rates(np.sin(cycle), 0.01), 0.01) == pytest.approx(1.0, abs=1e-7)
    assert largest_between(with_rates(values, 0.01), 0.01) == pytest.approx(peak, rel=1e-7)
    assert largest_between(with_rates(np.cos(cycle[:20] - cycle[1]), 0.01), 0.01) == pytest.approx(1.0, abs=1e-5)


@pytest.mark.parametrize("count", [1, 2, 5])
def test_few_samples_have_a_largest(count: int) -> None:
    assert largest_between(with_rates(np.arange(1.0, count + 1.0), 0.1), 0.1) == pytest.approx(count)


def test_several_at_once_are_each_alone() -> None:
    """Peaks that cannot be the largest are not looked at closely; none is lost by that."""
    random = np.random.default_rng(7)
    time = np.arange(400) * 0.02
    waves = [
        np.sin(np.outer(time, random.uniform(1.0, 30.0, 6))) @ random.normal(size=6) - shift
        for shift in np.linspace(-1.0, 9.0, 12)
    ]
    several = largest_of_each(with_rates(np.array(waves).T, 0.02), 0.02)
    alone = [largest_between(with_rates(wave, 0.02), 0.02) for wave in waves]
    np.testing.assert_array_equal(several, alone)
    assert largest_of_each(with_rates(np.zeros((9, 0)), 0.02), 0.02).shape == (0,)
    fine = np.linspace(0.0, time[-1], 100_001)  # a cubic spline, much more finely
    from scipy.interpolate import CubicSpline

    splines = [max(float(CubicSpline(time, wave)(fine).max()), 0.0) for wave in waves]
    np.testing.assert_allclose(several, splines, atol=5e-3)
