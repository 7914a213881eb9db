"""Response spectra against closed forms, a naive oracle and invariants."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from carom.backends import compiled, compiled_with
from carom.errors import InputError
from carom.kernels.modal import spectrum as kernel
from carom.motions import Motion, MotionSet, default_periods, get, response_spectrum
from carom.motions.spectra import sa
from carom.units import standard_gravity
from tests.motions import naive


def noise(seed: int, count: int = 120, dt: float = 0.02) -> Motion:
    rng = np.random.default_rng(seed)
    fade = np.sin(np.pi * np.arange(count) / (count - 1)) ** 2
    fade[-1] = 0.0
    return Motion(rng.normal(size=count) * fade, dt)


def test_step_load_in_closed_form() -> None:
    """Ground accelerated at once and for ever: the first crest comes after half a damped period."""
    dt, period, ratio, a = 0.01, 0.75, 0.08, 1.7
    motion = Motion(np.full(400, a), dt)
    omega = 2.0 * math.pi / period
    overshoot = math.exp(-ratio * math.pi / math.sqrt(1.0 - ratio**2))
    spectrum = response_spectrum(motion, period, ratio)
    assert float(spectrum.sd) == pytest.approx(a / omega**2 * (1.0 + overshoot), rel=1e-12)
    # velocity peaks where tan(ωd t) = ωd/σ
    damped, decay = omega * math.sqrt(1 - ratio**2), ratio * omega
    t = math.atan2(damped, decay) / damped
    assert float(spectrum.sv) == pytest.approx(a / omega * math.exp(-decay * t), rel=1e-12)


def test_undamped_ramp_in_closed_form() -> None:
    """Under a ground acceleration s·t an undamped mode moves as −s/ω²·(t − sin(ωt)/ω)."""
    dt, period, slope = 0.013, 0.4, 2.0
    motion = Motion(slope * dt * np.arange(300), dt)
    omega = 2.0 * math.pi / period
    t = motion.duration
    largest = slope / omega**2 * (t - math.sin(omega * t) / omega)  # never falls: the end is the peak
    spectrum = response_spectrum(motion, period, 0.0)
    assert float(spectrum.sd) == pytest.approx(largest, rel=1e-12)
    assert float(spectrum.sv) == pytest.approx(2.0 * slope / omega**2, rel=1e-12)  # 1 − cos reaches 2


def test_triangle_pulse_by_quadrature() -> None:
    """Duhamel's integral of a triangular pulse by adaptive quadrature, peak found by golden section."""
    from scipy.integrate import quad
    from scipy.optimize import minimize_scalar

    dt, half, ratio = 0.02, 0.3, 0.05
    a = np.concatenate((np.linspace(0.0, 3.0, 16), np.linspace(2.8, 0.0, 15), np.zeros(40)))
    motion = Motion(a, dt)
    for period in (0.23, 0.61, 1.3):
        omega = 2.0 * math.pi / period
        damped = omega * math.sqrt(1.0 - ratio**2)

        def u(t: float, omega: float = omega, damped: float = damped) -> float:
            def inner(s: float) -> float:
                force = max(0.0, 3.0 * (1.0 - abs(s - half) / half))
                return force * math.exp(-ratio * omega * (t - s)) * math.sin(damped * (t - s)) / damped

            return quad(inner, 0.0, t, points=[p for p in (half, 2 * half) if p < t], epsabs=1e-14, limit=400)[0]

        grid = np.linspace(0.0, motion.duration, 300)
        values = [abs(u(t)) for t in grid]
        best = int(np.argmax(values))
        found = minimize_scalar(
            lambda t, u=u: -abs(u(t)), bounds=(grid[best - 1], grid[min(best + 1, 299)]), method="bounded",
            options={"xatol": 1e-9},
        )  # fmt: skip
        assert float(response_spectrum(motion, period, ratio).sd) == pytest.approx(-found.fun, rel=1e-10)


@pytest.mark.parametrize("damping", [0.0, 0.05, 0.4, 1.0, 2.5])
@pytest.mark.parametrize("period", [0.0015, 0.011, 0.02, 0.035, 0.06, 0.3, 1.7, 12.0])
def test_true_extremes_against_the_naive_oracle(period: float, damping: float) -> None:
    motion = noise(3)
    parts = 40 if period > 0.05 else math.ceil(40 * 0.05 / period)
    spectrum = response_spectrum(motion, period, damping)
    found = np.array([spectrum.sd, spectrum.sv, spectrum.sa], dtype=float)
    dense = naive.dense_response(motion, period, damping, parts).max(axis=0)
    missed = (2.0 * math.pi / period * (1.0 + 2.0 * damping) * motion.dt / parts) ** 2  # between grid points
    assert (found >= dense * (1.0 - 1e-11)).all()
    assert (found <= dense * (1.0 + missed + 0.5 / parts**2)).all()


def test_many_cycles_in_one_sample() -> None:
    """An undamped mode of 1/300 of the time step: u = −a/ω² at best, plus the ripple of each kink."""
    motion = noise(5, count=30, dt=0.03)
    period = 1e-4
    found = response_spectrum(motion, period, 0.0)
    dense = naive.dense_response(motion, period, 0.0, 12_000).max(axis=0)
    assert [float(found.sd), float(found.sv), float(found.sa)] == pytest.approx(list(dense), rel=3e-6)
    assert float(found.sd) >= dense[0] * (1 - 1e-11)


def test_vanishing_period_tends_to_the_ground() -> None:
    motion = noise(8)
    spectrum = response_spectrum(motion, [0.0, 1e-9, 1e-6, 1e-4], 0.05)
    assert spectrum.sa[0] == spectrum.psa[0] == motion.pga
    assert spectrum.sd[0] == spectrum.sv[0] == spectrum.psv[0] == 0.0
    np.testing.assert_allclose(spectrum.sa[1:], motion.pga, rtol=2e-3)


def test_a_very_long_period_tends_to_the_ground_displacement() -> None:
    motion = noise(9)
    spectrum = response_spectrum(motion, 1e5, 0.05)
    assert float(spectrum.sd) == pytest.approx(motion.pgd, rel=1e-3)
    assert float(spectrum.sv) == pytest.approx(motion.pgv, rel=1e-3)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.floats(0.01, 50.0), st.floats(0.004, 5.0), st.floats(0.0, 1.5))
def test_invariants(seed: int, factor: float, period: float, damping: float) -> None:
    motion = noise(seed, count=60)
    one = response_spectrum(motion, period, damping)
    scaled = response_spectrum(motion.scaled(factor=-factor), period, damping)
    later = response_spectrum(motion.padded(before=0.4), period, damping)
    finer = response_spectrum(motion.resampled(motion.dt / 3.0), period, damping)
    for name in ("sd", "sv", "sa", "psv", "psa"):
        value = float(getattr(one, name))
        assert float(getattr(scaled, name)) == pytest.approx(factor * value, rel=1e-9)
        assert float(getattr(later, name)) == pytest.approx(value, rel=1e-9)
        assert float(getattr(finer, name)) == pytest.approx(value, rel=1e-9)  # same straight lines
    sampled = naive.dense_response(motion, period, damping, 1).max(axis=0)
    assert ([float(one.sd), float(one.sv), float(one.sa)] >= sampled * (1 - 1e-9)).all()


def test_free_vibration_is_counted_when_asked() -> None:
    motion = Motion([0.0, 1.0, 0.0], 0.05)  # a pulse far shorter than the period
    period, ratio = 3.0, 0.02
    long = motion.padded(after=4.0 * period)
    during = response_spectrum(motion, period, ratio)
    after = response_spectrum(motion, period, ratio, free_vibration=True)
    whole = response_spectrum(long, period, ratio)
    assert float(after.sd) == pytest.approx(float(whole.sd), rel=1e-12)
    assert float(after.sa) == pytest.approx(float(whole.sa), rel=1e-12)
    assert float(during.sd) < 0.2 * float(after.sd)


@pytest.mark.parametrize("ratio", [0.0, 0.3, 1.0, 3.0])
def test_free_vibration_of_any_damping(ratio: float) -> None:
    motion = noise(12, count=30)
    after = response_spectrum(motion, 1.5, ratio, free_vibration=True)
    whole = response_spectrum(motion.padded(after=20.0), 1.5, ratio)
    assert float(after.sd) == pytest.approx(float(whole.sd), rel=1e-11)


def test_shapes_names_and_labels() -> None:
    motions = [noise(k).replace(source=f"m{k}.at2") for k in range(3)]
    spectrum = response_spectrum(motions, [0.1, 0.5], [0.02, 0.05])
    assert spectrum.sd.shape == (3, 2, 2)
    assert spectrum.names == ("m0", "m1", "m2")
    assert response_spectrum(motions[0], 0.5, 0.05).sa.shape == ()
    alone = response_spectrum(motions[1], [0.1, 0.5], 0.05)
    np.testing.assert_array_equal(spectrum.sa[1, 1], alone.sa)
    table = spectrum.to_xarray()
    assert float(table.psv.sel(motion="m1", damping=0.05, period=0.1)) == alone.psv[0]
    assert alone.to_xarray().sa.shape == (1, 1, 2)
    both = response_spectrum(MotionSet((motions[0], motions[1])), 0.5)
    assert both.sa.shape == (2,)
    assert alone.psv == pytest.approx(2 * np.pi / alone.periods * alone.sd, rel=1e-14)
    assert alone.psa == pytest.approx((2 * np.pi / alone.periods) ** 2 * alone.sd, rel=1e-14)


def test_blocks_do_not_matter() -> None:
    """More oscillators than one block and than one thread's share give what each gives alone."""
    motion = noise(4)
    periods = np.geomspace(0.02, 4.0, 300)
    many = response_spectrum(motion, periods, [0.01, 0.05])
    for k in (0, 31, 32, 299):
        alone = response_spectrum(motion, periods[k], 0.05)
        assert many.sv[1, k] == float(alone.sv)


def test_nothing_is_missed_by_the_bounds() -> None:
    """With every bound switched off each step is searched; the result is the same."""

    def always(lane, dt, omega, decay, tops, loads, peaks):
        return True

    def endless(w, jerk, omega, decay, h):
        return 1e300, 1e300

    def all_three(u, v, load, slope, omega, decay, soft, h, best_u, best_v, best_y):
        return True, True, True

    switched_off = {kernel._may_matter: always, kernel.bulge: endless, kernel.may_exceed: all_three}
    search_all = compiled_with(kernel.block_peaks, switched_off)
    run = compiled(kernel.block_peaks)
    lanes = kernel.LANES
    for seed, damping in ((1, 0.0), (2, 0.05), (3, 0.7), (4, 1.0), (5, 4.0)):
        motion = noise(seed, count=150)
        omega = 2.0 * np.pi / np.geomspace(0.004, 8.0, lanes)
        both = []
        for kernel_used in (run, search_all):
            scratch = [np.empty(s) for s in ((10, lanes), (kernel.CHUNK + 1, 2, lanes), (3, 2, lanes), (3, 5, lanes))]
            scratch += [np.empty((3, 2)), np.empty((3, lanes))]
            kernel_used(-motion.acceleration, motion.dt, omega, damping * omega, 0.0, *scratch)
            both.append(scratch[-1])
        np.testing.assert_allclose(both[0], both[1], rtol=1e-15)


def test_motion_methods() -> None:
    motion = get("default")
    assert motion.sa(0.0) == pytest.approx(0.5 * standard_gravity)
    assert motion.sa("0.5 s") == float(motion.spectrum(0.5).sa) == sa(motion, 0.5, 0.05)
    assert default_periods().size == motion.spectrum().sa.size == 200


@pytest.mark.parametrize(
    ("periods", "damping", "part"),
    [(-1.0, 0.05, "`periods`"), ([], 0.05, "`periods`"), (1.0, -0.1, "`damping`"), ([[1.0]], 0.05, "row")],
)
def test_refusals(periods: object, damping: object, part: str) -> None:
    with pytest.raises(InputError, match=part):
        response_spectrum(noise(1), periods, damping)
    with pytest.raises(InputError, match="needs a Motion"):
        response_spectrum([], periods, damping)
