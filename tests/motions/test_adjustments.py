from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from carom.errors import InputError
from carom.motions import Motion, get
from carom.motions.synthetic import harmonic
from carom.units import standard_gravity


@pytest.fixture(scope="module")
def default() -> Motion:
    return get("default")


def test_scaling(default: Motion) -> None:
    assert default.scaled(factor=-2.0).pga == 2.0 * default.pga
    assert default.scaled(pga="0.3 g").pga == pytest.approx(0.3 * standard_gravity, rel=1e-14)
    to = default.scaled(sa="0.8 g", period=0.7, damping=0.02)
    assert to.sa(0.7, 0.02) == pytest.approx(0.8 * standard_gravity, rel=1e-12)
    assert to.processing[-1].startswith("scaled by ")
    assert "Sa(0.7 s)" in to.processing[-1]
    assert len(to.processing) == len(default.processing) + 1


@pytest.mark.parametrize(
    ("how", "part"),
    [
        ({}, "exactly one"), ({"factor": 2, "pga": 1}, "exactly one"), ({"sa": 1.0}, "`period` together"),
        ({"pga": -1.0}, "`pga`"), ({"factor": 1, "period": 1.0}, "together"), ({"pga": "much"}, "`pga`"),
    ],
)  # fmt: skip
def test_scaling_refusals(default: Motion, how: dict[str, object], part: str) -> None:
    with pytest.raises(InputError, match=part):
        default.scaled(**how)


def test_silence_cannot_be_scaled() -> None:
    with pytest.raises(InputError, match="zero everywhere"):
        Motion([0.0, 0.0], 0.1).scaled(pga=1.0)


def test_trim_keeps_times(default: Motion) -> None:
    cut = default.trimmed(2.0, 5.0)
    assert cut.start == pytest.approx(2.0)
    assert cut.npts == 301
    np.testing.assert_array_equal(cut.acceleration, default.acceleration[200:501])
    assert default.trimmed().npts == default.npts
    assert default.trimmed(end=1.0).npts == 101
    with pytest.raises(InputError, match="at least two samples of"):
        default.trimmed(30.0, 40.0)


def test_pad_keeps_times(default: Motion) -> None:
    longer = default.padded(before=0.995, after="2 s")
    assert longer.start == pytest.approx(-1.0)
    assert longer.npts == default.npts + 300
    assert longer.trimmed(0.0, 25.0).acceleration == pytest.approx(default.acceleration)
    with pytest.raises(InputError, match="`after` of pad must not be negative"):
        default.padded(after=-1.0)
    with pytest.raises(InputError, match=r"samples\); 1 GB are allowed\. Pad it by less"):
        default.padded(after=1e12)


def test_taper() -> None:
    flat = Motion(np.ones(101), 0.01)
    soft = flat.tapered(fraction=0.1)
    assert soft.acceleration[0] == soft.acceleration[-1] == pytest.approx(0.0, abs=1e-15)
    np.testing.assert_allclose(soft.acceleration[10:91], 1.0)
    assert soft.acceleration[5] == pytest.approx(0.5)
    assert flat.tapered(fraction=0.1, start=False).acceleration[0] == 1.0
    with pytest.raises(InputError, match="`fraction`"):
        flat.tapered(fraction=0.7)


def test_finer_sampling_follows_the_straight_lines(default: Motion) -> None:
    fine = default.resampled(0.002)
    np.testing.assert_allclose(fine.acceleration[::5], default.acceleration, atol=1e-12)
    assert fine.pgv == pytest.approx(default.pgv, rel=1e-12)
    assert fine.sa(0.3) == pytest.approx(default.sa(0.3), rel=1e-10)
    assert default.resampled(default.dt) is default


def test_coarser_sampling_does_not_alias() -> None:
    """60 Hz sampled at 0.01 s would show up at 40 Hz; 5 Hz must pass untouched."""
    dt = 0.001
    low, high = (harmonic(f, 1.0, duration=10.0, dt=dt) for f in (5.0, 60.0))
    both = Motion(low.acceleration + high.acceleration, dt).resampled(0.01)
    middle = slice(200, 800)
    np.testing.assert_allclose(both.acceleration[middle], low.acceleration[::10][middle], atol=3e-4)
    assert both.dt == 0.01
    assert "low-passed at 45 Hz" in both.processing[-1]


def test_odd_ratios(default: Motion) -> None:
    odd = default.resampled(0.015)
    assert odd.dt == 0.015
    assert odd.npts == 1667
    assert odd.sa(1.0) == pytest.approx(default.sa(1.0), rel=0.02)
    with pytest.raises(InputError, match="whole numbers up to 1000"):
        default.resampled(0.01 * np.pi)
    with pytest.raises(InputError, match="shorter than the record"):
        default.resampled(100.0)
    with pytest.raises(InputError, match=r"samples\); 1 GB are allowed\. Lengthen the time step"):
        default.resampled(1e-12)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.floats(-3, 3), min_size=5, max_size=60))
def test_rest_at_the_end(values: list[float]) -> None:
    rest = Motion(values, 0.05).baseline_corrected()
    size = 1.0 + np.abs(rest.acceleration).max()
    assert abs(rest.velocity[-1]) < 1e-12 * size
    assert abs(rest.displacement[-1]) < 1e-12 * size
    assert rest.acceleration[0] == values[0]
    assert rest.acceleration[-1] == values[-1]


def test_polynomial_baselines(default: Motion) -> None:
    t = default.time
    for order, drift in ((0, 0.2 + 0.0 * t), (1, 0.1 - 0.01 * t), (2, 1e-3 * t * t)):
        moved = default.replace(acceleration=default.acceleration + drift)
        mended = moved.baseline_corrected(method="polynomial", order=order)
        straight = default.baseline_corrected(method="polynomial", order=order)
        np.testing.assert_allclose(mended.acceleration, straight.acceleration, atol=1e-10)
        mended = moved.baseline_corrected(method="velocity", order=order)
        straight = default.baseline_corrected(method="velocity", order=order)
        np.testing.assert_allclose(mended.acceleration, straight.acceleration, atol=1e-7)  # a parabola of samples
    with pytest.raises(InputError, match="`method`"):
        default.baseline_corrected(method="magic")
    with pytest.raises(InputError, match="`order`"):
        default.baseline_corrected(method="polynomial", order=9)


def test_band_pass_is_acausal_and_selective() -> None:
    dt = 0.005
    t = dt * np.arange(8001)
    slow, mid, fast = (np.sin(2 * np.pi * f * t) for f in (0.02, 2.0, 40.0))
    passed = Motion(slow + mid + fast, dt).filtered(0.2, 15.0)
    np.testing.assert_allclose(passed.acceleration[2000:6000], mid[2000:6000], atol=5e-3)
    # forwards and backwards, the filter of order n is 6 dB down at its corner
    corner = Motion(np.sin(2 * np.pi * 5.0 * t), dt).filtered(high=5.0)
    assert np.abs(corner.acceleration[2000:6000]).max() == pytest.approx(0.5, rel=1e-3)
    back = Motion(passed.acceleration[::-1].copy(), dt)
    assert "bandpass 0.2 to 15 Hz" in passed.processing[-1]
    assert back.npts == 8001


def test_filtering_does_not_depend_on_the_direction_of_time(default: Motion) -> None:
    turned = default.replace(acceleration=default.acceleration[::-1].copy())
    once, again = default.filtered(0.1, 25.0), turned.filtered(0.1, 25.0)
    np.testing.assert_allclose(once.acceleration[::-1], again.acceleration, atol=1e-6)


@pytest.mark.parametrize(
    ("how", "part"),
    [
        ({}, "corner frequency"), ({"low": 60.0}, "Nyquist"),
        ({"low": 5.0, "high": 2.0}, "must be below `high`"),
        ({"low": 1.0, "order": 0}, "`order`"), ({"high": -2.0}, "`high`"),
    ],
)  # fmt: skip
def test_band_pass_refusals(default: Motion, how: dict[str, object], part: str) -> None:
    with pytest.raises(InputError, match=part):
        default.filtered(**how)


def test_trimming_to_times_far_outside() -> None:
    motion = Motion([0.0, 1.0, 0.0], dt=0.1)
    assert motion.trimmed(-1e308, 1e308).npts == 3
    with pytest.raises(InputError, match="must enclose"):
        motion.trimmed(1e308)
