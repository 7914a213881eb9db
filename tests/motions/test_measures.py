"""Intensity measures against closed forms and dense quadrature."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from carom.errors import InputError
from carom.motions import Motion, get, response_spectrum
from carom.motions import measures as m
from carom.motions.synthetic import harmonic
from carom.units import standard_gravity

samples = st.lists(st.floats(-8, 8).map(lambda x: round(x, 3)), min_size=4, max_size=25)


def dense(motion: Motion, parts: int = 4000) -> tuple[np.ndarray, float]:
    fine = np.interp(
        np.linspace(0, motion.npts - 1, (motion.npts - 1) * parts + 1),
        range(motion.npts),
        motion.acceleration,
    )
    return fine, motion.dt / parts


def test_one_triangle_in_closed_form() -> None:
    """A triangle of height 3 and width 2: ∫a² = 6, ∫|a| = 3."""
    motion = Motion([0.0, 3.0, 0.0], 1.0)
    assert m.arias(motion) == pytest.approx(math.pi / (2 * standard_gravity) * 6.0, rel=1e-15)
    assert m.cav(motion) == pytest.approx(3.0, rel=1e-15)
    assert m.pgv(motion) == pytest.approx(3.0, rel=1e-15)
    # a(t) = 3t: half of the energy comes by the crest, 5 % where t³ = 0.1
    assert m.significant_duration(motion, 0.05, 0.5) == pytest.approx(1.0 - 0.1 ** (1 / 3), rel=1e-13)
    assert m.significant_duration(motion, 0.05, 0.95) == pytest.approx(2.0 - 2 * 0.1 ** (1 / 3), rel=1e-13)
    assert m.bracketed_duration(motion, 1.0) == pytest.approx(4.0 / 3.0, rel=1e-14)


def test_zero_crossing_in_closed_form() -> None:
    motion = Motion([1.0, -3.0], 0.8)  # crosses zero at a quarter
    assert m.cav(motion) == pytest.approx(0.5 * 0.2 * 1.0 + 0.5 * 0.6 * 3.0, rel=1e-15)
    assert m.pgv(motion) == pytest.approx(0.8, rel=1e-15)  # |−0.8| at the end, 0.1 at the crossing
    hump = Motion([1.0, -1.0], 0.8)
    assert hump.velocity[-1] == 0.0
    assert m.pgv(hump) == pytest.approx(0.2, rel=1e-15)  # only between the samples


def test_displacement_turns_between_samples() -> None:
    motion = Motion([1.0, -3.0, -1.0], 1.0)  # v = t − 2t², zero at ½: d = ⅛ − 1/12
    first = Motion(motion.acceleration[:2], 1.0)
    assert first.velocity[-1] == -1.0
    assert abs(first.displacement[-1]) == pytest.approx(1 / 6)
    assert m.pgd(first) == pytest.approx(1 / 6, rel=1e-14)
    pulse = Motion([2.0, -4.0, 2.0, 0.0], 0.7)
    fine, step = dense(pulse, 20_000)
    v = np.concatenate(([0.0], np.cumsum(0.5 * step * (fine[1:] + fine[:-1]))))
    d = np.cumsum(0.5 * step * (v[1:] + v[:-1]))
    assert m.pgd(pulse) == pytest.approx(np.abs(d).max(), rel=1e-7)


@settings(max_examples=40, deadline=None)
@given(samples)
def test_against_dense_quadrature(values: list[float]) -> None:
    motion = Motion(values, 0.3)
    fine, step = dense(motion)
    v = np.concatenate(([0.0], np.cumsum(0.5 * step * (fine[1:] + fine[:-1]))))
    d = np.concatenate(([0.0], np.cumsum(0.5 * step * (v[1:] + v[:-1]))))
    assert m.cav(motion) == pytest.approx(np.abs(fine[1:] + fine[:-1]).sum() * step / 2, abs=1e-5)
    square = (fine[:-1] ** 2 + fine[:-1] * fine[1:] + fine[1:] ** 2).sum() * step / 3
    assert m.arias(motion) == pytest.approx(math.pi / (2 * standard_gravity) * square, rel=1e-9, abs=1e-12)
    assert m.pgv(motion) == pytest.approx(np.abs(v).max(), abs=1e-6)
    assert m.pgd(motion) == pytest.approx(np.abs(d).max(), abs=1e-6)
    assert m.pgv(motion) >= np.abs(motion.velocity).max()
    assert m.pgd(motion) >= np.abs(motion.displacement).max()
    above = np.flatnonzero(np.abs(fine) >= 1.0)
    width = (above[-1] - above[0]) * step if above.size else 0.0
    sampled = np.flatnonzero(np.abs(motion.acceleration) >= 1.0)
    if sampled.size:
        assert m.bracketed_duration(motion, 1.0) == pytest.approx(width, abs=2.1 * step)


@settings(max_examples=40, deadline=None)
@given(samples)
def test_significant_duration_by_interpolation(values: list[float]) -> None:
    motion = Motion(values, 0.3)
    if np.abs(motion.acceleration).max() < 0.01:
        return
    fine, step = dense(motion)
    growth = np.concatenate(([0.0], np.cumsum(step / 3 * (fine[:-1] ** 2 + fine[:-1] * fine[1:] + fine[1:] ** 2))))
    times = np.interp((0.05, 0.95), growth / growth[-1], step * np.arange(growth.size))
    assert m.significant_duration(motion) == pytest.approx(times[1] - times[0], abs=1e-3)


def test_harmonic() -> None:
    motion = harmonic(2.0, 1.0, duration=20.0, dt=0.002)
    assert m.mean_period(motion) == pytest.approx(0.5, rel=2e-2)
    assert m.arias(motion) == pytest.approx(
        math.pi / (2 * standard_gravity) * 10.0, rel=2e-4
    )  # straight lines cut the crests
    assert m.predominant_period(motion) == pytest.approx(0.5, rel=0.03)


def test_housner_converges() -> None:
    motion = get("default")
    periods = np.linspace(0.1, 2.5, 4801)
    psv = response_spectrum(motion, periods).psv
    assert m.housner(motion) == pytest.approx(float(np.trapezoid(psv, periods)), rel=1e-4)


def test_all_at_once_and_silence() -> None:
    motion = get("default")
    found = motion.measures().as_dict()
    assert found["pga"] == motion.pga
    assert found["d5_75"] < found["d5_95"] < found["bracketed"] < motion.duration
    silent = m.measure(Motion(np.zeros(50), 0.01))
    assert silent.arias == silent.d5_95 == silent.bracketed == silent.housner == 0.0
    assert math.isnan(silent.mean_period)


def test_refusals() -> None:
    motion = get("default")
    with pytest.raises(InputError, match="`high` of significant_duration"):
        m.significant_duration(motion, 0.5, 0.2)
    with pytest.raises(InputError, match="`threshold`"):
        m.bracketed_duration(motion, -1.0)
