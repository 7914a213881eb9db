"""Scaling to a target, selection against all suites there are, sequences, rotation, RotD, Fourier, pulses."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest

import carom
from carom.errors import InputError
from carom.motions import (
    Motion,
    MotionSet,
    fourier_amplitude,
    get,
    pulse_indicator,
    rotate,
    rotd,
    scale_to_target,
    select,
    sequence,
    suite,
)
from carom.motions.measures import sa_avg
from carom.motions.targets import ec8
from carom.units import standard_gravity as G

RECORDS = Path(__file__).parents[3] / "shared" / "records"
GOAL = ec8(ag="0.3 g", ground="B")
RANGE = (0.3, 2.0)


def test_scale_to_pgv_and_sa_avg() -> None:
    motion = get("default")
    assert motion.scaled(pgv="25 cm/s").pgv == pytest.approx(0.25)
    periods = np.linspace(0.2, 2.0, 10)
    scaled = motion.scaled(sa_avg="0.4 g", periods=periods)
    by_hand = np.prod([scaled.sa(period) for period in periods]) ** 0.1
    assert by_hand == pytest.approx(0.4 * G)
    assert sa_avg(scaled, periods) == pytest.approx(0.4 * G)
    with pytest.raises(InputError, match="needs `sa_avg` and `periods` together"):
        motion.scaled(sa_avg="0.4 g")
    with pytest.raises(InputError, match="needs exactly one of"):
        motion.scaled(pga=1.0, pgv=1.0)


def test_one_motion_scaled_to_a_target() -> None:
    fit = scale_to_target(get("default"), GOAL, RANGE)
    ratio = fit.motions[0].spectrum(fit.periods).psa / GOAL.sa(fit.periods)
    assert np.log(ratio).mean() == pytest.approx(0.0, abs=1e-12)
    assert scale_to_target(get("default"), GOAL, RANGE, limits=(1.5, 2.0)).factors[0] == 1.5


def test_a_suite_reaches_its_floor() -> None:
    motions = suite("thirty")[:7]
    fit = scale_to_target(motions, GOAL, RANGE, limits=(0.05, 50.0), floor=0.9)
    assert fit.lowest == pytest.approx(0.9) or fit.lowest > 0.9
    together = scale_to_target(motions, GOAL, RANGE, limits=(0.05, 50.0), common=True)
    assert np.ptp(together.factors) == 0.0
    assert np.log(together.median / GOAL.sa(together.periods)).mean() == pytest.approx(0.0, abs=1e-12)
    with pytest.raises(InputError, match="`floor` of scale_to_target must be reached"):
        scale_to_target(motions, GOAL, RANGE, limits=(0.01, 0.1), floor=0.9)


@pytest.mark.parametrize("count", [1, 2, 3, 5])
def test_selection_against_every_suite_there_is(count: int) -> None:
    """The naive judge: all suites of `count` out of 12."""
    pool = suite("thirty")[::2][:12]
    found = select(pool, GOAL, RANGE, count, limits=(0.01, 100.0))
    logs = np.log(scale_to_target(pool, GOAL, RANGE, limits=(0.01, 100.0)).spectra / GOAL.sa(found.periods))
    errors = [
        np.sqrt((logs[list(places)].mean(axis=0) ** 2).mean()) for places in itertools.combinations(range(12), count)
    ]
    assert found.bound <= min(errors) * (1.0 + 1e-9)
    assert found.error <= np.percentile(errors, 3.0)
    assert found.error == pytest.approx(np.sqrt((logs[list(found.places)].mean(axis=0) ** 2).mean()))
    assert [motion.source for motion in found.motions] == [pool[place].source for place in found.places]


def test_selection_keeps_limits_and_events() -> None:
    pool = suite("thirty")
    found = select(pool, GOAL, RANGE, 5, limits=(0.5, 2.0))
    assert (found.factors >= 0.5).all()
    assert (found.factors <= 2.0).all()
    same = [motion.replace(event=f"event {k % 4}") for k, motion in enumerate(pool)]
    apart = select(same, GOAL, RANGE, 4, limits=(0.01, 100.0), one_per_event=True)
    assert len({motion.event for motion in apart.motions}) == 4
    with pytest.raises(InputError, match="only 4 can be found"):
        select(same, GOAL, RANGE, 5, limits=(0.01, 100.0), one_per_event=True)
    with pytest.raises(InputError, match="must be a whole number from 1 to"):
        select(pool, GOAL, RANGE, 31)


def test_a_sequence_is_its_parts_with_rest_between() -> None:
    main, after = get("default"), get("default").scaled(factor=0.5).resampled(0.005)
    joined = sequence([main, after], rest=20.0)
    assert joined.dt == 0.005
    assert joined.duration == pytest.approx(main.duration + after.duration + 20.0)
    gap = (joined.time > main.duration + 0.01) & (joined.time < main.duration + 19.9)
    assert np.abs(joined.acceleration[gap]).max() == 0.0
    assert np.abs(joined.velocity[gap]).max() < 1e-9
    assert joined.pga == pytest.approx(main.pga, rel=1e-3)
    with pytest.raises(InputError, match="must be two or more motions"):
        sequence([main])


def pair() -> MotionSet:
    motions = suite("thirty")[:2]
    count = min(motion.npts for motion in motions)
    cut = [motion.replace(acceleration=motion.acceleration[:count], station="") for motion in motions]
    return MotionSet((cut[0].replace(component="EW"), cut[1].replace(component="NS"), cut[0].replace(component="UP")))


def test_turning_back_and_forth() -> None:
    three = pair()
    np.testing.assert_allclose(rotate(three, 0).acceleration, three["EW"].acceleration)
    np.testing.assert_allclose(rotate(three, 90).acceleration, three["NS"].acceleration, atol=1e-14)
    np.testing.assert_allclose(
        rotate(three, "1.5707963267948966 rad").acceleration, three["NS"].acceleration, atol=1e-14
    )
    back = three.rotated(33.0).rotated(-33.0)
    np.testing.assert_allclose(back[1].acceleration, three["NS"].acceleration, atol=1e-12)
    assert back["UP"] == three["UP"]
    power = sum(motion.acceleration**2 for motion in three.rotated(57.0).components[:2])
    np.testing.assert_allclose(power, three["EW"].acceleration ** 2 + three["NS"].acceleration ** 2, atol=1e-12)
    with pytest.raises(InputError, match="must have two horizontal components"):
        rotate(three.components[:1], 10)


def test_rotd_equals_pyrotd() -> None:
    """pyrotd 0.6 works in the frequency domain: exact for a smooth record followed by enough silence."""
    pyrotd = pytest.importorskip("pyrotd", reason="pyrotd is not installed (extra 'peers')")
    smooth = [m.filtered(0.2, 12.0).tapered().resampled(0.002).padded(after=40.0) for m in pair().components[:2]]
    periods = np.array([0.2, 0.5, 1.0, 2.0])
    ours = rotd(smooth, periods)
    theirs = pyrotd.calc_rotated_spec_accels(
        smooth[0].dt, smooth[0].acceleration, smooth[1].acceleration, 1.0 / periods, 0.05, percentiles=[0, 50, 100]
    )
    for share in (50, 100):
        peer = theirs[theirs.percentile == share]
        peer = peer.spec_accel[np.argsort(1.0 / peer.osc_freq)]
        np.testing.assert_allclose(ours.percentile(share), peer, rtol=1e-3)
    assert (ours.rotd100 >= ours.rotd50).all()


def test_rotd_of_one_direction_is_known() -> None:
    """A motion along one line: the response at θ is |cos θ| of it, so RotD100 is it and RotD50 its median over θ."""
    motion = get("default")
    flat = MotionSet((motion.replace(component="x"), motion.replace(component="y").scaled(factor=1e-12)))
    found = rotd(flat, [0.5])
    assert found.rotd100 == pytest.approx(motion.spectrum([0.5]).psa, rel=1e-6)
    assert found.rotd50 == pytest.approx(motion.spectrum([0.5]).psa * np.median(np.abs(np.cos(np.radians(range(180))))))
    assert found.angle[0] == 0.0


def test_fourier_amplitudes_of_a_sine() -> None:
    """Ten whole cycles of 2 sin(2π·2t): |∫| = A·T/2 = 5 at 2 Hz, 0 at other whole multiples of 1/T."""
    at = np.arange(500) * 0.01
    motion = Motion(2.0 * np.sin(2.0 * np.pi * 2.0 * at), 0.01)
    found = fourier_amplitude(motion)
    assert found.amplitude[10] == pytest.approx(5.0)
    assert np.delete(found.amplitude, 10).max() < 1e-10
    np.testing.assert_allclose(fourier_amplitude(motion, [2.0, 3.0]).amplitude, [5.0, 0.0], atol=1e-10)
    real = get("default")
    parseval = 2.0 * (fourier_amplitude(real).amplitude[1:] ** 2).sum() / (real.npts * real.dt)
    assert parseval == pytest.approx((real.acceleration**2).sum() * real.dt, rel=1e-2)
    with pytest.raises(InputError, match="`frequencies`"):
        fourier_amplitude(motion, [60.0])


def test_konno_and_ohmachi_keep_what_is_flat() -> None:
    impulse = np.zeros(2000)
    impulse[3] = 1.0
    found = fourier_amplitude(Motion(impulse, 0.01), [0.5, 1.0, 10.0], smoothing=30)
    np.testing.assert_allclose(found.amplitude, 0.01, rtol=1e-9)


def test_a_pulse_is_found_and_noise_is_none() -> None:
    at = np.arange(4000) * 0.01
    velocity = 0.8 * np.exp(-(((at - 8.0) / 1.2) ** 2)) * np.cos(2.0 * np.pi * (at - 8.0) / 2.5)
    shaken = get("default").resampled(0.01).acceleration[:4000]
    noise = np.zeros(4000)
    noise[: shaken.size] = 0.3 * shaken
    found = pulse_indicator(Motion(np.gradient(velocity, 0.01) + noise, 0.01))
    assert found.pulse_like
    assert found.indicator > 0.99
    assert found.period == pytest.approx(2.5, rel=0.15)
    assert np.abs(found.velocity).max() == pytest.approx(0.8, rel=0.2)
    assert not pulse_indicator(get("default").scaled(pga="0.3 g")).pulse_like
    assert not pulse_indicator(Motion([0.0, 0.0, 0.0], 0.01)).pulse_like


@pytest.mark.skipif(not RECORDS.exists(), reason="the records are not part of the repository: ../shared/records")
@pytest.mark.parametrize(
    ("file", "period"), [("2", 3.84), ("12", 2.66), ("14", 3.00), ("15", 5.10), ("17", 1.23)]
)  # fmt: skip
def test_periods_of_pulses_as_published(file: str, period: float) -> None:
    """Baker (2007), table of pulse-like records, fault-normal: El Centro #6, Erzincan, Petrolia, Lucerne, Rinaldi.

    Here they are the recorded components nearest to it, and our scales are a grid of 5 %: within 8 %.
    """
    found = pulse_indicator(carom.read_motion(RECORDS / "peer_nearfault_pulse" / f"{file}.AT2"))
    assert found.pulse_like
    assert found.period == pytest.approx(period, rel=0.08)


@pytest.mark.skipif(not RECORDS.exists(), reason="the records are not part of the repository: ../shared/records")
def test_near_fault_records_with_pulses_are_told_from_those_without() -> None:
    """FEMA P-695's sets, sorted by Baker's criteria fault-normal; these are the components recorded."""
    found = {
        kind: [pulse_indicator(carom.read_motion(file)) for file in sorted((RECORDS / folder).glob("*.AT2"))]
        for kind, folder in (("with", "peer_nearfault_pulse"), ("without", "peer_nearfault_nopulse"))
    }
    assert len(found["with"]) == 22
    missed = [pulse for pulse in found["with"] if not pulse.pulse_like]
    assert len(missed) == 2
    assert all(pulse.pgv < 0.30 for pulse in missed)
    assert sum(pulse.indicator > 0.85 for pulse in found["with"]) == 21
    assert sum(pulse.pulse_like for pulse in found["without"]) <= 8
