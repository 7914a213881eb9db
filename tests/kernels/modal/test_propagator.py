"""The propagator against mpmath with 120 digits, and against itself."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from carom.backends import compiled
from carom.kernels.modal.propagator import advance, fill_propagator, further_responses, unit_responses

PRECISION = 4e-15  # of the largest term; what double precision leaves
FURTHER_PRECISION = 3e-12  # where answers to higher powers of time follow by dividing by ω²


def exact(omega: float, decay: float, t: float) -> list[float]:
    """h, h′ and H₁ to H₅ as divided differences of the exponential, in 120 digits."""
    with mpmath.workdps(120):
        w, s, t = mpmath.mpf(omega), mpmath.mpf(decay), mpmath.mpf(t)
        spread = mpmath.sqrt(mpmath.mpc(s * s - w * w))
        if spread == 0:
            spread = mpmath.mpf(10) ** -40 / t

        def phi(root: object, order: int) -> object:
            if abs(root * t) < mpmath.mpf(10) ** -15:
                return sum(root**j * t ** (j + order) / mpmath.factorial(j + order) for j in range(10))
            first = sum((root * t) ** j / mpmath.factorial(j) for j in range(order))
            return (mpmath.exp(root * t) - first) / root**order

        a, b = -s + spread, -s - spread
        rate = (a * phi(a, 0) - b * phi(b, 0)) / (2 * spread)
        h, *others = ((phi(a, k) - phi(b, k)) / (2 * spread) for k in range(6))
        return [float(mpmath.re(value)) for value in (h, rate, *others)]


def scales(omega: float, decay: float, t: float) -> np.ndarray:
    """The size each function can reach: the measure for its error."""
    w, c = max(omega, 1e-300), max(2.0 * decay, 1e-300)
    soft = 1 / w**2 if omega > 1e-150 else np.inf
    sizes = [min(t**n * t, t**n / c, t ** (n - 1) * soft) / math.factorial(n) for n in range(1, 6)]
    return np.array([min(t, 1 / w, 1 / c), 1.0, *sizes[:2], *sizes[2:]])


def error(omega: float, decay: float, t: float) -> float:
    found = unit_responses(omega, decay, t)
    wrong = np.abs(np.array(found) - exact(omega, decay, t)[:4]) / scales(omega, decay, t)[:4]
    return float(wrong.max() / max(1.0, omega * t))  # an angle of many radians is itself rounded


def further_error(omega: float, decay: float, t: float) -> float:
    _, _, step, ramp = unit_responses(omega, decay, t)
    found = further_responses(omega, decay, t, step, ramp)
    wrong = np.abs(np.array(found) - exact(omega, decay, t)[4:]) / scales(omega, decay, t)[4:]
    return float(wrong.max() / max(1.0, omega * t))


@pytest.mark.parametrize("t", [1e-7, 1e-3, 0.01, 0.5, 20.0])
@pytest.mark.parametrize("angle", [0.0, 1e-9, 1e-4, 0.03, 0.999, 1.001, 3.0, 40.0, 2e4])
@pytest.mark.parametrize("ratio", [0.0, 0.05, 0.7, 1 - 1e-9, 1.0, 1 + 1e-12, 1.0001, 1.41, 1.42, 30.0])
def test_all_regimes(ratio: float, angle: float, t: float) -> None:
    assert error(angle / t, ratio * angle / t, t) < PRECISION
    assert further_error(angle / t, ratio * angle / t, t) < FURTHER_PRECISION


@pytest.mark.parametrize("z", [0.0, 1e-12, 1e-3, 0.49, 0.51, 0.999, 1.001, 7.0, 900.0])
def test_rigid_modes_with_and_without_damping(z: float) -> None:
    t = 0.02
    assert error(0.0, z / t, t) < PRECISION
    assert further_error(0.0, z / t, t) < FURTHER_PRECISION
    if z == 0.0:
        assert unit_responses(0.0, 0.0, t) == pytest.approx((t, 1.0, t * t / 2, t**3 / 6), rel=1e-15)


@settings(max_examples=150, deadline=None)
@given(st.floats(-8, 3), st.floats(-8, 3), st.floats(-6, 2))
@example(-0.5164025822067674, -0.08072071394585378, 0.0)  # 5e-11 where higher powers were divided by too small an ω²
@example(-0.4921875, -0.5, 0.0)
def test_anywhere(angle: float, z: float, t: float) -> None:
    length = 10.0**t
    assert error(10.0**angle / length, 10.0**z / length, length) < PRECISION
    assert further_error(10.0**angle / length, 10.0**z / length, length) < FURTHER_PRECISION


@settings(max_examples=100, deadline=None)
@given(st.floats(0, 80), st.floats(0, 80), st.floats(0.01, 2), st.floats(0.01, 2))
def test_two_steps_are_one(omega: float, decay: float, first: float, second: float) -> None:
    start = (0.3, -0.7, 1.1, 0.4)
    u, v = advance(*start, omega, decay, first)
    u, v = advance(u, v, start[2] + start[3] * first, start[3], omega, decay, second)
    whole = advance(*start, omega, decay, first + second)
    assert (u, v) == pytest.approx(whole, rel=1e-11, abs=1e-11 * (1 + omega))


def test_the_row_is_the_step() -> None:
    row = np.empty(8)
    for omega, decay in ((0.0, 0.0), (0.0, 3.0), (12.0, 0.6), (12.0, 12.0), (2.0, 50.0)):
        fill_propagator(omega, decay, 0.04, row)
        u, v, p0, p1 = 0.2, -1.0, 0.9, -0.4
        expected = advance(u, v, p0, (p1 - p0) / 0.04, omega, decay, 0.04)
        assert row[:4] @ [u, v, p0, p1] == pytest.approx(expected[0], rel=1e-13)
        assert row[4:] @ [u, v, p0, p1] == pytest.approx(expected[1], rel=1e-13)


def test_energy_of_an_undamped_mode_is_kept() -> None:
    omega, u, v = 7.3, 0.4, -1.9
    before = v * v + (omega * u) ** 2
    for _ in range(10_000):
        u, v = advance(u, v, 0.0, 0.0, omega, 0.0, 0.013)
    assert v * v + (omega * u) ** 2 == pytest.approx(before, rel=1e-11)


def test_compiled_equals_plain() -> None:
    run = compiled(advance)
    for omega, decay, t in ((3.0, 0.1, 0.2), (0.0, 0.4, 5.0), (50.0, 80.0, 0.3), (1e-5, 1e-6, 0.01)):
        args = (0.1, 0.2, -0.3, 4.0, omega, decay, t)
        assert run(*args) == pytest.approx(advance(*args), rel=1e-14)


def test_a_step_load_answers_in_closed_form() -> None:
    omega, ratio, t = 5.0, 0.1, 0.77
    damped = omega * math.sqrt(1 - ratio**2)
    fade = math.exp(-ratio * omega * t)
    u = (1 - fade * (math.cos(damped * t) + ratio * omega / damped * math.sin(damped * t))) / omega**2
    assert advance(0.0, 0.0, 1.0, 0.0, omega, ratio * omega, t)[0] == pytest.approx(u, rel=1e-14)
