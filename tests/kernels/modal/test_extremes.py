"""Extremes inside a step against dense sampling, and the bounds that spare the search."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from carom.backends import compiled
from carom.kernels.modal.extremes import bulge, may_exceed, peak_inside
from carom.kernels.modal.propagator import advance

DENSE = 4001


def quantities(u: float, v: float, load: float, slope: float, omega: float, decay: float, h: float) -> np.ndarray:
    """u, u′ and y at DENSE times of the step."""
    run = compiled(advance)
    states = np.array([run(u, v, load, slope, omega, decay, t) for t in np.linspace(0.0, h, DENSE)])
    y = -(omega**2) * states[:, 0] - 2.0 * decay * states[:, 1]
    return np.column_stack((states, y))


signed = st.floats(-3.0, 3.0)
ratios = st.one_of(st.just(0.0), st.floats(0.0, 0.2), st.floats(0.2, 0.99), st.just(1.0), st.floats(1.0, 6.0))


@settings(max_examples=150, deadline=None)
@given(signed, signed, signed, signed, st.floats(0.05, 250.0), ratios)
def test_the_largest_extremum_is_found(
    u: float, v: float, load: float, slope: float, angle: float, ratio: float
) -> None:
    """The step spans 0.05 to 250 radians; states of the size of the static answer make crests compete."""
    h = 1.0
    omega = angle / h
    decay = ratio * omega
    step = (u / omega**2, v / omega, load, slope, omega, decay, h)
    dense = np.abs(quantities(*step))
    end = advance(*step[:2], load, slope, omega, decay, h)
    spacing = (omega * (1.0 + 2.0 * ratio) * h / (DENSE - 1)) ** 2
    for kind in range(3):
        ends = max(dense[0, kind], dense[-1, kind])
        found = max(ends, compiled(peak_inside)(kind, *step[:2], *end, *step[2:], 0.0))
        size = dense[:, kind].max()
        largest = abs(load) + abs(slope) + abs(u) + abs(v)  # of the terms that make the answer up
        slack = 1e-9 * largest * (1.0 / omega**2, 1.0 / omega, 1.0)[kind] + 1e-300
        assert found >= size * (1.0 - 1e-12) - slack
        assert found <= size * (1.0 + spacing) + spacing * largest * (1.0 / omega**2, 1.0 / omega, 1.0)[kind] + slack


@settings(max_examples=100, deadline=None)
@given(signed, signed, signed, signed, st.floats(0.01, 60.0), ratios)
def test_bounds_bound(u: float, v: float, load: float, slope: float, omega: float, ratio: float) -> None:
    h, decay = 1.0, ratio * omega
    values = quantities(u, v, load, slope, omega, decay, h)
    w = load - 2.0 * decay * v - omega**2 * u
    rise, rush = bulge(w, slope - 2.0 * decay * w - omega**2 * v, omega, decay, h)
    limits = (rise, rush, omega**2 * rise + 2.0 * decay * rush)
    chord = np.linspace(0.0, 1.0, DENSE)
    for k in range(3):
        left = values[:, k] - (values[0, k] + chord * (values[-1, k] - values[0, k]))
        assert np.abs(left).max() <= limits[k] * (1.0 + 1e-9) + 1e-9 * (1.0 + np.abs(values[:, k]).max())
    tops = np.abs(values).max(axis=0) * (1.0 - 1e-6) - 1e-6
    if omega * h > 1.0 and tops.min() > 0.0:
        assert all(may_exceed(u, v, load, slope, omega, decay, 1.0 / omega**2, h, *tops))


def test_known_crest() -> None:
    """Under a sudden load an undamped mode first stands still after half a period, at 2p/ω²."""
    omega, load = 4.0, 3.0
    h = 1.2 * math.pi / omega
    end = advance(0.0, 0.0, load, 0.0, omega, 0.0, h)
    found = peak_inside(0, 0.0, 0.0, *end, load, 0.0, omega, 0.0, h, 0.0)
    assert found == pytest.approx(2.0 * load / omega**2, rel=1e-15)
    assert peak_inside(0, 0.0, 0.0, *end, load, 0.0, omega, 0.0, h, 99.0) == 99.0


def test_rigid_modes() -> None:
    """Thrown up against a constant pull, u = vt − t²/2, and with a dashpot; both turn once."""
    end = advance(0.0, 1.0, -1.0, 0.0, 0.0, 0.0, 3.0)
    assert peak_inside(0, 0.0, 1.0, *end, -1.0, 0.0, 0.0, 0.0, 3.0, 0.0) == pytest.approx(0.5, rel=1e-14)
    step = (0.0, 1.0, -1.0, 0.0, 0.0, 0.25, 3.0)
    end = advance(*step)
    found = peak_inside(0, 0.0, 1.0, *end, -1.0, 0.0, 0.0, 0.25, 3.0, 0.0)
    # v = −2 + 3e^{−t/2} vanishes at 2·ln(3/2); u = −2t + 6(1 − e^{−t/2})
    t = 2.0 * math.log(1.5)
    assert found == pytest.approx(-2.0 * t + 6.0 * (1.0 - math.exp(-t / 2.0)), rel=1e-13)
