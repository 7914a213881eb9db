"""Extremes inside a stretch of flight by polynomials, against the same sums of modes in closed form."""

from __future__ import annotations

import math

import numpy as np
import pytest

from carom.kernels.event.peak_search import sways
from carom.kernels.explicit.inner_peaks import Accelerations, Leaves, Terms, four_more, true_peak

LONGEST = 1.5  # ωt of the quickest mode


@pytest.mark.parametrize("seed", range(40))
def test_peaks_of_undamped_modes_under_a_ramp(seed: int) -> None:
    """q = a cos ωτ + b sin ωτ + (load + slope τ)/ω² and its derivatives, sampled finely."""
    rng = np.random.default_rng(seed)
    t = 0.02
    omegas = LONGEST / t * np.array([1.0, *rng.uniform(0.05, 1.0, 3)])
    cosines, sines, loads, slopes = rng.normal(size=(4, omegas.size)) / omegas[:, None].T ** 2
    loads, slopes = loads * omegas**2, slopes * omegas**2 / t

    def derivative(order: int, tau: np.ndarray) -> np.ndarray:
        angle = omegas * tau[:, None]
        turned = cosines * np.cos(angle + 0.5 * math.pi * order) + sines * np.sin(angle + 0.5 * math.pi * order)
        line = [(loads + slopes * tau[:, None]) / omegas**2, slopes / omegas**2 + 0.0 * angle]
        return np.sum(omegas**order * turned + (line[order] if order < 2 else 0.0), axis=1)

    ends = np.array([0.0, t])
    start, end = np.array([derivative(order, ends) for order in range(8)]).T
    terms = [start[p] * t**p / math.factorial(p) for p in range(8)]
    back = [end[p] * (-t) ** p / math.factorial(p) for p in range(8)]
    jerks = omegas**3 * (cosines * np.cos(1.5 * math.pi) + sines * np.sin(1.5 * math.pi))
    leaves = np.sum(
        [sways(t, -w * w * a, jerk, w, w * w, 0.0) for w, a, jerk in zip(omegas, cosines, jerks, strict=True)], axis=0
    )
    loaded = np.sum(loads), np.sum(slopes)
    absolute = start[2] - loaded[0], start[3] - loaded[1], end[2] - loaded[0] - loaded[1] * t, end[3] - loaded[1]
    fine = np.linspace(0.0, t, 20001)
    paths = [derivative(0, fine), derivative(1, fine), derivative(2, fine) - loaded[0] - loaded[1] * fine]
    for kind, path in enumerate(paths):
        peak = max(abs(path[0]), abs(path[-1]))
        found = true_peak(kind, peak, t, Terms(*terms), Terms(*back), Leaves(*leaves), Accelerations(*absolute))
        np.testing.assert_allclose(found, np.abs(path).max(), rtol=1e-8)


def test_terms_of_a_damped_mode() -> None:
    """Those of exp(−σ s) cos(s √(ω² − σ²))."""
    omega, sigma = 1.3, 0.4
    root = complex(-sigma, math.sqrt(omega**2 - sigma**2))
    exact = [(root**p).real / math.factorial(p) for p in range(8)]
    np.testing.assert_allclose(four_more(2.0 * sigma, omega**2, exact[2], exact[3]), exact[4:], rtol=1e-12)
