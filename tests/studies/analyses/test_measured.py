"""Measured impacts: filter, touch, force from acceleration, and what is fitted to the curve."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from scipy import signal

import carom
from carom.errors import InputError
from carom.studies.analyses.calibration import compare_laws
from carom.studies.analyses.measured import CHANNEL_CLASSES, channel_filter, measured_impact

Array = npt.NDArray[np.float64]

HIT = {"mass": 0.54, "velocity": 0.5}
STIFFNESS, RESTITUTION = 2e10, 0.7
LAW = carom.law("flores-2011", stiffness=STIFFNESS, restitution=RESTITUTION)
TOUCH = 5e-3 + 3.3e-7


def record(noise: float = 0.0, offset: float = 0.0, seed: int = 0) -> tuple[Array, Array, float]:
    """Return times [s] with 5 ms before touch, forces [N], and how long the contact lasts [s]."""
    hit = carom.impact(LAW, **HIT)
    time = np.arange(0.0, 8e-3, 1e-6)
    inside = (time > TOUCH) & (time < TOUCH + hit.duration)
    force = np.zeros(time.size)
    force[inside] = hit.sample(time[inside] - TOUCH)["force"].values
    scatter = np.random.default_rng(seed).normal(0.0, 1.0, time.size)
    return time, force + noise * force.max() * scatter + offset * force.max(), float(hit.duration)


@pytest.mark.parametrize("cfc", CHANNEL_CLASSES)
def test_channel_classes_against_scipy(cfc: int) -> None:
    """SciPy's own Butterworth design, of the corner that SAE J211 names, run forwards and backwards."""
    dt = 1e-5
    b, a = signal.butter(2, 2.0775 * cfc, fs=1.0 / dt)
    values = np.zeros(60000)
    values[30000] = 1.0
    np.testing.assert_allclose(channel_filter(values, dt, cfc), signal.filtfilt(b, a, values, padtype=None), atol=1e-15)


@pytest.mark.parametrize("cfc", CHANNEL_CLASSES)
def test_channel_classes_halve_the_power_at_their_limit(cfc: int) -> None:
    """SAE J211: −3 dB at 100, 300, 1000 and 1650 Hz; within half a decibel up to the class itself."""
    time = np.arange(0.0, 0.5, 1e-5)

    def gain(frequency: float) -> float:
        passed = channel_filter(np.sin(2.0 * np.pi * frequency * time), 1e-5, cfc)
        return 20.0 * np.log10(np.abs(passed[10000:40000]).max())

    assert gain({60: 100.0, 180: 300.0, 600: 1000.0, 1000: 1650.0}[cfc]) == pytest.approx(-3.0, abs=0.15)
    assert -0.5 < gain(cfc) < 0.0
    assert gain(10.0 * cfc) < -50.0


@pytest.mark.parametrize("noise", [0.0, 0.01, 0.03])
def test_the_touch_is_found(noise: float) -> None:
    time, force, lasts = record(noise, offset=0.01)
    found = measured_impact(time, force)
    assert found.found
    assert found.touch == pytest.approx(TOUCH, abs=0.05 * lasts)
    assert found.noise == pytest.approx(noise * force.max(), rel=0.1, abs=1e-6 * force.max())
    assert found.time[0] < 0.0 < found.time[-1] < 1.5 * lasts
    given = measured_impact(time, force, touch=f"{1e3 * TOUCH} ms")
    assert not given.found
    assert given.touch == pytest.approx(TOUCH, rel=1e-12)


def test_a_record_that_begins_with_touch_is_left_alone() -> None:
    time, force, _ = record()
    start = np.searchsorted(time, TOUCH)
    for times in (time[start:] - TOUCH, time[start:] + 12.0):  # since touch, or a clock
        found = measured_impact(times, force[start:])
        assert not found.found
        assert found.time[0] < 1e-6
        assert found.force.max() == force.max()


def test_force_from_acceleration() -> None:
    time, force, _ = record()
    one, two = measured_impact(time, force), measured_impact(time, acceleration=force / 0.54, mass="540 g")
    np.testing.assert_allclose(one.force, two.force, rtol=1e-12)


def test_stiffness_and_restitution_from_a_curve() -> None:
    """The law that made the curve is found again, and 95 % intervals hold it in most of thirty noisy tests."""
    start = carom.law("flores-2011", stiffness=1e9, restitution=0.3)
    held = np.zeros(2)
    for seed in range(30):
        time, force, _ = record(0.02, seed=seed)
        test = measured_impact(time, force)
        fit = compare_laws([start], test.time, test.force, fit="curve", resamples=300, **HIT).fits[0]
        assert fit.stiffness.value == pytest.approx(STIFFNESS, rel=0.03)
        assert fit.restitution is not None
        assert fit.restitution.value == pytest.approx(RESTITUTION, abs=0.02)
        assert test.touch + fit.shift == pytest.approx(TOUCH, abs=2e-6)
        for i, (fitted, true) in enumerate(((fit.stiffness, STIFFNESS), (fit.restitution, RESTITUTION))):
            held[i] += fitted.interval[0] < true < fitted.interval[1]
    assert held.min() >= 25  # of 30: where 95 % hold, chance leaves fewer in one case of 300


def test_a_law_without_damping_has_a_stiffness_only() -> None:
    time, force, _ = record()
    test = measured_impact(time, force)
    found = compare_laws([carom.law("hertz", stiffness=1e9)], test.time, test.force, fit="curve", **HIT)
    assert found.fits[0].restitution is None
    assert found.section().tables[1].rows[0][4] is None


def test_intervals_of_a_law_that_jumps_are_said_to_be_narrow() -> None:
    time, force, _ = record(0.01)
    test = measured_impact(time, force)
    laws = [carom.law(name, stiffness=1e9, restitution=0.5) for name in ("flores-2011", "kelvin-voigt")]
    (said,) = compare_laws(laws, test.time, test.force, fit="curve", **HIT).cautions
    assert said.startswith("Interval: the force of kelvin-voigt jumps at touch")


def test_what_is_doubtful_is_said() -> None:
    time, force, _ = record()
    test = measured_impact(time, force)
    law = [carom.law("hertz", stiffness=1e9)]
    assert compare_laws([LAW], test.time, test.force, **HIT).cautions == ()
    # the pre-trigger taken for contact, as if touch were at the first sample
    off = compare_laws([LAW], time, force, **HIT)
    assert off.error[0] > 100.0
    assert "Error: the best law is off by" in off.cautions[0]
    heavy = compare_laws(law, test.time, test.force, mass=540.0, velocity=0.5)
    assert any(caution.startswith("Impulse: the measured force carries") for caution in heavy.cautions)
    assert "Filter: CFC 600 lowers the peak" in measured_impact(time, force, cfc=600).cautions[0]
    cut = time < TOUCH + 1e-4
    assert "Record: it ends while the force is still" in measured_impact(time[cut], force[cut]).cautions[0]
    assert "Offset:" in measured_impact(time, *record(offset=0.1)[1:2]).cautions[0]


def test_refusals() -> None:
    time, force, _ = record()
    for words, given in (
        ("must press where it is largest", {"force": -force}),
        ("takes `force` or `acceleration`", {}),
        ("needs `mass`", {"acceleration": force}),
        ("must be one of 60, 180, 600, 1000", {"force": force, "cfc": 100}),
        ("must lie between the first sample and the peak", {"force": force, "touch": 7.0}),
    ):
        with pytest.raises(InputError, match=words):
            measured_impact(time, **given)
    with pytest.raises(InputError, match=r"at least eight samples of the contact\. Got 6"):
        measured_impact(time[::40], force[::40])
    with pytest.raises(InputError, match=r"a tenth of the sampling rate, 1000 Hz"):
        channel_filter(np.ones(100), 1e-3, 180)
    with pytest.raises(InputError, match="evenly spaced"):
        measured_impact(np.r_[time[:-1], 0.009], force, cfc=1000)
