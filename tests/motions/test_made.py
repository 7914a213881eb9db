"""Motions made to measure: what was asked is what comes, by measures that do not know the generator."""

from __future__ import annotations

import math

import numpy as np
import pytest

from carom.errors import InputError, RunError
from carom.motions import (
    Motion,
    get,
    match,
    mavroeidis_2003,
    response_spectrum,
    rezaeian_2010,
    rezaeian_2010_parameters,
    suite,
    support_motions,
)
from carom.motions.measures import arias, husid, significant_duration
from carom.motions.supports import harichandran_vanmarcke_1986, luco_wong_1986
from carom.motions.synthetic.filtered_noise import white_noise
from carom.motions.targets import asce7, ec8


def up_crossings(motion: Motion, around: float, half: float) -> float:
    """Zero up-crossings a second within `half` seconds of a time."""
    near = np.abs(motion.time - around) <= half
    a = motion.acceleration[near]
    return float(((a[:-1] < 0.0) & (a[1:] >= 0.0)).sum() / (2.0 * half))


@pytest.mark.parametrize(
    ("wanted", "slope"),
    [
        ({"arias": 0.6, "d5_95": 12.0, "t_mid": 8.0, "frequency": 5.0, "damping": 0.2}, -0.1),
        ({"arias": 0.05, "d5_95": 25.0, "t_mid": 14.0, "frequency": 2.5, "damping": 0.35}, 0.02),
        ({"arias": 2.0, "d5_95": 6.0, "t_mid": 5.0, "frequency": 8.0, "damping": 0.1}, 0.0),
        ({"arias": 0.02, "d5_95": 30.0, "t_mid": 15.0, "frequency": 0.9, "damping": 0.5}, 0.0),
    ],
)
def test_a_suite_has_the_intensity_duration_and_frequency_asked_for(wanted: dict[str, float], slope: float) -> None:
    motions = [rezaeian_2010(seed, slope=slope, **wanted) for seed in range(100, 130)]
    assert np.median([arias(motion) for motion in motions]) == pytest.approx(wanted["arias"], rel=0.1)
    assert np.median([significant_duration(m) for m in motions]) == pytest.approx(wanted["d5_95"], rel=0.1)
    frequencies = [up_crossings(motion, wanted["t_mid"], 0.3 * wanted["d5_95"]) for motion in motions]
    assert np.median(frequencies) == pytest.approx(wanted["frequency"], rel=0.1)
    middles = [m.time[np.searchsorted(husid(m), 0.45 * arias(m))] for m in motions]
    assert np.median(middles) == pytest.approx(wanted["t_mid"], rel=0.1)
    for motion in motions:
        assert abs(motion.velocity[-1]) < 1e-9
        assert abs(motion.displacement[-1]) < 1e-9


def test_realisations_repeat_by_seed_and_refuse_what_cannot_be() -> None:
    how = {"arias": 1.0, "d5_95": 10.0, "t_mid": 6.0, "frequency": 4.0}
    assert rezaeian_2010(3, **how) == rezaeian_2010(3, **how)
    assert rezaeian_2010(3, **how) != rezaeian_2010(4, **how)
    for change, part in (
        ({"frequency": 100.0}, "`frequency`"), ({"damping": 1.0}, "`damping`"), ({"d5_95": 1000.0}, "must stand to"),
        ({"arias": -1.0}, "`arias`"), ({"dt": 1e-9}, "samples|MB|GB|time step|frequency"),
    ):  # fmt: skip
        with pytest.raises(InputError, match=part):
            rezaeian_2010(1, **{**how, **change})


UNDIVIDED = {
    "arias": (-2.2962, 2.9440 / 7.0, -0.0707, -1.3564, -0.2654),
    "d5_95": (-6.1946, 0.9703, -0.7034, 0.0087, -0.0007),
    "t_mid": (-5.0105, 0.6625, -0.3450, 0.0139, -0.0002),
    "frequency": (2.2525, -0.2586, -0.0808, -0.0084, 0.0000),
    "slope": (-2.4886, 0.3440, 0.0441, 0.0026, -0.0001),
    "damping": (-0.2583, 0.1293, -0.4772, -0.0115, 0.0004),
}
"""SCEC Broadband Platform, rzz2015_gmpe: constant, by M, F, R [km] and V [m/s]; for the intensity by ln R and ln V."""


@pytest.mark.parametrize(("m", "r", "v", "fault"), [(7.35, 13.94, 659.6, "reverse"), (6.2, 60.0, 900.0, "strike-slip")])
def test_parameters_of_an_earthquake_are_those_of_the_broadband_platform(
    m: float, r: float, v: float, fault: str
) -> None:
    """The same regression with four decimals and M, R, V undivided: the last digit of V times 750 is ±0.04 of u."""
    from scipy import stats

    u = {}
    for name, (b0, by_m, by_f, by_r, by_v) in UNDIVIDED.items():
        far, stiff = (math.log(r / 25.0), math.log(v / 750.0)) if name == "arias" else (r, v)
        u[name] = b0 + by_m * m + by_f * (fault == "reverse") + by_r * far + by_v * stiff
    p = {name: stats.norm.cdf(value) for name, value in u.items()}
    zero = 4.8512 / 6.7729 * (1.0 - math.exp(-2.0 * 6.7729))
    assert p["slope"] < zero
    expected = {
        "arias": math.exp(-4.8255 + 1.4318 * u["arias"]) * 0.5 * math.pi * 9.80665,
        "d5_95": 5.0 + 40.0 * stats.beta.ppf(p["d5_95"], 1.1314, 2.4474),
        "t_mid": 0.5 + 39.5 * stats.beta.ppf(p["t_mid"], 1.5792, 3.6405),
        "frequency": stats.gamma.ppf(p["frequency"], 4.0982, scale=1.4330),
        "slope": math.log(p["slope"] * 6.7729 / 4.8512 + math.exp(-2.0 * 6.7729)) / 6.7729,
        "damping": 0.02 + 0.98 * stats.beta.ppf(p["damping"], 1.4250, 5.7208),
    }
    found = rezaeian_2010_parameters(magnitude=m, distance=r, vs30=v, fault=fault)
    assert list(found) == list(expected)
    for name, value in expected.items():
        assert found[name] == pytest.approx(value, rel=0.02 if name == "arias" else 0.05), name


def test_parameters_scatter_as_the_regression_says_and_make_motions() -> None:
    how = {"magnitude": 6.9, "distance": 40.0, "vs30": "700 m/s"}
    middle = rezaeian_2010_parameters(**how)
    drawn = [rezaeian_2010_parameters(**how, seed=seed) for seed in range(400)]
    for name, value in middle.items():
        above = np.mean([one[name] > value for one in drawn])
        assert above == pytest.approx(0.5, abs=0.08), name
    logs = np.log([one["arias"] for one in drawn])
    assert logs.std() == pytest.approx(1.4318 * math.hypot(0.274, 0.594), rel=0.1)
    assert np.corrcoef([one["d5_95"] for one in drawn], [one["t_mid"] for one in drawn])[0, 1] > 0.5
    for seed in range(3):
        assert rezaeian_2010(seed, **drawn[seed]).pga > 0.0
    for change, part in (
        ({"magnitude": 5.0}, "`magnitude`"), ({"distance": 20e3}, "kilometres"), ({"vs30": 300}, "firm ground"),
        ({"fault": "normal"}, "strike-slip, reverse"), ({"seed": -1}, "`seed`"),
    ):  # fmt: skip
        with pytest.raises(InputError, match=part):
            rezaeian_2010_parameters(**{**how, **change})


@pytest.mark.parametrize(("gamma", "phase"), [(2.0, 0.0), (1.5, 90.0), (3.0, 37.0)])
def test_the_pulse_is_the_published_velocity(gamma: float, phase: float) -> None:
    """(1) of the paper, written out: A/2·(1 + cos(2πf/γ·τ))·cos(2πf·τ + ν); the motion is integrated, not given."""
    motion = mavroeidis_2003("80 cm/s", 2.5, gamma=gamma, phase=phase, before=1.0, after=2.0, dt=0.002)
    tau = motion.time - 1.0 - 0.5 * gamma * 2.5
    f = 1.0 / 2.5
    expected = 0.4 * (1.0 + np.cos(2 * math.pi * f * tau / gamma)) * np.cos(2 * math.pi * f * tau + math.radians(phase))
    expected[np.abs(tau) > 0.5 * gamma * 2.5] = 0.0
    np.testing.assert_allclose(motion.velocity, expected, atol=5e-5)
    assert abs(motion.velocity[-1]) < 5e-5
    if phase == 0.0:
        assert motion.pgv == pytest.approx(0.8, rel=1e-4)
    if phase == 90.0:
        assert abs(motion.displacement[-1]) < 1e-4


def test_pulses_that_cannot_be() -> None:
    with pytest.raises(InputError, match="`gamma` of mavroeidis_2003"):
        mavroeidis_2003(1.0, 2.0, gamma=1.0)
    with pytest.raises(InputError, match="at most a tenth of the period"):
        mavroeidis_2003(1.0, 0.05)


@pytest.mark.parametrize(
    ("name", "target", "ends"),
    [
        ("default", ec8(ag="0.3 g", ground="C"), (0.1, 2.5)),
        ("thirty-05a", asce7(sds="1 g", sd1="0.6 g"), (0.2, 3.0)),
        ("thirty-01c", ec8(ag="0.3 g", ground="C"), (0.1, 3.0)),
    ],
)
def test_a_matched_motion_has_the_spectrum_and_does_not_drift(
    name: str, target: object, ends: tuple[float, float]
) -> None:
    start = next(motion for motion in (get("default"), *suite("thirty")) if motion.name == name)
    found = match(start, target, ends)
    periods = np.random.default_rng(1).uniform(*ends, 150)  # not those of the matching
    ratio = np.abs(response_spectrum(found.motion, periods, 0.05).psa / target.sa(periods) - 1.0)
    assert ratio.mean() < 0.05
    assert ratio.max() < 0.15
    assert found.mean_error < 0.05
    assert found.worst_error < 0.15
    moved = found.motion
    assert abs(moved.velocity[-1]) < 1e-9
    assert abs(moved.displacement[-1]) < 1e-9
    like = start.baseline_corrected().scaled(sa=float(target.sa(1.0)), period=1.0)
    assert moved.pgd < 4.0 * like.pgd
    assert "matched to" in moved.processing[-1]


def test_what_cannot_be_matched_says_how_far_it_came() -> None:
    with pytest.raises(RunError, match=r"match came to .* on average and .* at worst, not to 0.1% and 0.1%"):
        match(get("default"), ec8(ag="0.3 g"), (0.2, 1.0), mean=0.001, worst=0.001, rounds=2)
    with pytest.raises(InputError, match="must not exceed the record"):
        match(get("default"), ec8(ag="0.3 g"), (0.2, 100.0))
    with pytest.raises(InputError, match="must not begin below two time steps"):
        match(get("default"), ec8(ag="0.3 g"), (0.001, 1.0))


@pytest.mark.parametrize("model", [luco_wong_1986, harichandran_vanmarcke_1986])
def test_coherency_of_supports_is_the_model_s(model: object) -> None:
    """Estimated from long noise by Welch's averages: |S_jk|/√(S_jj·S_kk), between all pairs of three supports."""
    from scipy.signal import csd, welch

    noise = Motion(white_noise(1, 120_000), 0.01)
    places = [0.0, 150.0, 400.0]
    found = support_motions(noise, places, coherency=model, seed=5)
    assert found.motions[0] == noise
    for j, k in ((0, 1), (0, 2), (1, 2)):
        a, b = found.motions[j].acceleration, found.motions[k].acceleration
        f, cross = csd(a, b, fs=100.0, nperseg=200)
        _, first = welch(a, fs=100.0, nperseg=200)
        _, second = welch(b, fs=100.0, nperseg=200)
        band = (f >= 1.0) & (f <= 20.0)
        estimated = np.real(cross) / np.sqrt(first * second)
        np.testing.assert_allclose(estimated[band], model(f[band], places[k] - places[j]), atol=0.12)
        assert np.abs(estimated[band] - model(f[band], places[k] - places[j])).mean() < 0.04
        np.testing.assert_allclose(second[band].mean(), first[band].mean(), rtol=0.05)


def test_models_of_coherency_by_hand() -> None:
    """exp[−(2.5e-4·2π·2·100)²] = e^−0.0986960; at f = 0 θ is k: 0.736·exp(−2d·0.372192/(0.147·5210)) + …"""
    assert luco_wong_1986(np.array([2.0]), 100.0)[0] == pytest.approx(math.exp(-0.09869604))
    decay = 200.0 * (0.264 + 0.147 * 0.736) / 5210.0
    expected = 0.736 * math.exp(-decay / 0.147) + 0.264 * math.exp(-decay)
    assert harichandran_vanmarcke_1986(np.array([0.0]), 100.0)[0] == pytest.approx(expected)


def test_waves_pass_and_motions_keep_their_shape_in_time() -> None:
    motion = get("default")
    found = support_motions(motion, ["0 m", "50 m", "120 m"], velocity="400 m/s", seed=2)
    assert found.delays == (0.0, 0.125, 0.3)
    assert all(abs(one.velocity[-1] - motion.velocity[-1]) < 1e-9 for one in found.motions)
    far = [support_motions(motion, [0.0, 120.0], seed=seed).motions[1] for seed in range(15)]
    assert np.median([arias(one) for one in far]) == pytest.approx(arias(motion), rel=0.1)
    assert np.median([significant_duration(one) for one in far]) == pytest.approx(
        significant_duration(motion), rel=0.15
    )
    same = support_motions(motion, [0.0, 50.0], velocity=400.0, coherency=None)
    assert same.motions == (motion, motion)
    assert support_motions(motion, [(0, 0), (0, 30)], velocity=400.0).delays == (0.0, 0.0)
    with pytest.raises(InputError, match="must be one of luco-wong-1986"):
        support_motions(motion, [0.0, 10.0], coherency="mine")
    with pytest.raises(InputError, match="must give a number from 0 to 1 for each frequency"):
        support_motions(motion, [0.0, 10.0], coherency=lambda f, d: -f)


def test_a_problem_takes_the_supports_as_they_are() -> None:
    import carom

    towers = [carom.Oscillator(mass=1e5, stiffness=4e6, damping_ratio=0.05, name=name) for name in ("a", "b")]
    found = support_motions(get("default"), [0.0, 40.0], velocity=300.0)
    problem = carom.Problem(
        towers, contacts=[carom.Contact("a", "b", gap=0.5, law=carom.law("hertz", stiffness=1e9))],
        motion=dict(zip(("a", "b"), found.pairs, strict=True)),
    )  # fmt: skip
    result = carom.simulate(problem)
    assert float(result.peaks.displacement.min()) > 0.0
