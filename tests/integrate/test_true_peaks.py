"""Peaks in flight against matrix exponentials, from a hundredth of a radian to a hundred radians a sample."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from scipy.linalg import expm
from tests.integrate.exponential_peaks import systems, true_peaks

import carom
from carom.backends import compiled
from carom.kernels import rows
from carom.kernels.event import mode_table, peak_search

DT = 0.02
EXACT = 1e-9
DAMPING = (0.0, 0.02, 0.05, 0.3, 1.0, 1.6)
LAW = carom.law("hertzdamp", stiffness=3e9, restitution=0.6)


def structure(rng: np.random.Generator, angles: np.ndarray, name: str, damping: tuple[float, ...]) -> carom.Structure:
    """A structure with these angles ω·dt, in random shapes, in half of all cases under a constant load."""
    count = angles.size
    shapes = np.linalg.qr(rng.normal(size=(count, count)))[0]
    return carom.Structure(
        np.ones(count),
        (shapes * (angles / DT) ** 2) @ shapes.T,
        damping_ratio=tuple(float(each) for each in rng.choice(damping, count)),
        load=rng.normal(size=count) * rng.integers(2),
        name=name,
    )


def shaking(rng: np.random.Generator) -> carom.Motion:
    """A burst, or a record that wanders off."""
    burst = rng.normal(size=24) * np.hanning(24)
    return carom.Motion(burst if rng.random() < 0.7 else np.cumsum(rng.normal(size=24)), dt=DT)


def lone(seed: int) -> carom.Problem:
    """One structure of one to nine modes, the quickest between 0.01 and 100 radians a sample."""
    rng = np.random.default_rng(seed)
    count, top = int(rng.choice([1, 1, 2, 3, 5, 9])), 10 ** rng.uniform(-2.0, 2.0)
    angles = np.sort(top * 10 ** rng.uniform(-1.5, 0.0, count))
    if count > 1 and rng.random() < 0.2:
        angles[0] = 0.0
    start = {"s": tuple(rng.normal(size=count) * rng.choice([0.0, 0.1]))}
    return carom.Problem([structure(rng, angles, "s", DAMPING)], [], motion=shaking(rng), initial_velocity=start)


def pair(seed: int) -> carom.Problem:
    """Two oscillators that never meet, slow enough for the lane of pairs."""
    rng = np.random.default_rng(seed)
    angles = 10 ** rng.uniform(-2.0, math.log10(0.5), 2)
    both = [
        carom.Oscillator(
            mass=1e5, period=2.0 * math.pi * DT / angle, damping_ratio=min(float(rng.choice(DAMPING)), 0.25 / angle),
            name=name,
        )
        for angle, name in zip(angles, "ab", strict=True)
    ]  # fmt: skip
    start = {"a": (rng.normal() * rng.choice([0.0, 0.1]),)}
    far = carom.Contact("a", "b", gap=1e4, law=LAW)
    return carom.Problem(both, [far], motion=shaking(rng), initial_velocity=start)


def team(seed: int) -> carom.Problem:
    """Two or three structures of one to five modes that never meet, slow enough for the lane of teams."""
    rng = np.random.default_rng(seed)
    row = []
    for name in "abc"[: int(rng.integers(2, 4))]:
        top = 10 ** rng.uniform(-1.0, math.log10(1.5))
        angles = np.sort(top * 10 ** rng.uniform(-1.2, 0.0, int(rng.integers(1, 6))))
        row.append(structure(rng, angles, name, (0.0, 0.03, 0.4)))
    far = [carom.Contact((a.name, 1), (b.name, 1), gap=1e4, law=LAW) for a, b in pairwise(row)]
    return carom.Problem(row, far, motion=shaking(rng))


@pytest.mark.parametrize("seed", range(40))
def test_peaks_of_a_run_are_true(seed: int) -> None:
    problem = lone(seed)
    np.testing.assert_allclose(carom.simulate(problem).extremes, true_peaks(problem), rtol=EXACT)


@pytest.mark.parametrize("make", [pair, team])
@pytest.mark.parametrize("seed", range(12))
def test_peaks_of_an_ensemble_are_true(make: type, seed: int) -> None:
    problem = make(seed)
    found = carom.ensemble(problem, zip={"gap": [1e4]}).extremes[0]
    np.testing.assert_allclose(found, true_peaks(problem), rtol=EXACT)


@pytest.mark.parametrize(("make", "seed"), [(pair, 308), (pair, 150), (pair, 71), (team, 136), (team, 70), (team, 41)])
def test_crests_between_slopes_of_one_sign_are_found(make: type, seed: int) -> None:
    """In these a slope changes sign twice in the sample of a peak."""
    problem = make(seed)
    found = carom.ensemble(problem, zip={"gap": [1e4]}).extremes[0]
    np.testing.assert_allclose(found, true_peaks(problem), rtol=EXACT)


@pytest.mark.parametrize("angle", [0.01, 0.3, 1.0, 3.0, 2.0 * math.pi, 30.0, 100.0])
@pytest.mark.parametrize("damping", [0.0, 0.05, 1.0, 1.6])
def test_response_spectra_are_true(angle: float, damping: float) -> None:
    motion = carom.Motion(np.random.default_rng(3).normal(size=40), dt=DT)
    period = 2.0 * math.pi * DT / angle
    oscillator = carom.Oscillator(mass=1.0, period=period, damping_ratio=damping)
    spectrum = carom.response_spectrum(motion, [period], damping)
    found = [float(np.ravel(each)[0]) for each in (spectrum.sd, spectrum.sv, spectrum.sa)]
    np.testing.assert_allclose([found], true_peaks(carom.Problem([oscillator], [], motion=motion)), rtol=EXACT)


def test_a_quick_oscillator_under_a_coarse_record() -> None:
    """Its period is the time step; a response spectrum finds the same peaks by other means."""
    motion = carom.motions.get("default")
    quick = carom.Oscillator(mass=1e3, period=motion.dt, damping_ratio=0.05)
    found = carom.simulate(carom.Problem([quick], [], motion=motion)).extremes
    spectrum = carom.response_spectrum(motion, [motion.dt], 0.05)
    np.testing.assert_allclose(found[0], [np.ravel(each)[0] for each in (spectrum.sd, spectrum.sv, spectrum.sa)])


def test_a_body_that_only_damping_holds() -> None:
    body = carom.Body(mass=1e3, damping=4e5, gravity=1.0, name="body")
    problem = carom.Problem([body], [], motion=carom.Motion(np.sin(np.arange(40.0)), dt=DT))
    np.testing.assert_allclose(carom.simulate(problem).extremes, true_peaks(problem), rtol=EXACT)


@pytest.mark.parametrize("seed", range(60))
def test_no_quantity_leaves_its_chord_or_its_line_further_than_told(seed: int) -> None:
    """Bounds of one mode over a part of a flight, known from its left end, against the mode sampled finely."""
    rng = np.random.default_rng(seed)
    width, omega = 1.0, 10 ** rng.uniform(-2.0, 2.0) * (rng.random() < 0.95)
    sigma = float(rng.choice(DAMPING)) * max(omega, 0.3)
    modes = np.zeros((1, rows.MODE_SIZE))
    row = modes[0]
    row[rows.OMEGA], row[rows.SIGMA], row[rows.MASS] = omega, sigma, 1.0
    mode_table.prepare_modes(width, 1.0, modes, np.zeros((0, rows.contact_size(1))))
    row[rows.LOAD], row[rows.SLOPE], row[rows.STEADY] = rng.normal(size=3)
    scale = max(omega, 0.1)
    state = np.array([rng.normal() / scale**2, rng.normal() / scale, row[rows.LOAD], row[rows.SLOPE]])
    times = np.linspace(0.0, width, 4001)
    carry, matrix = compiled(peak_search.write_state), systems(row[[rows.OMEGA]], row[[rows.SIGMA]])[0]
    step = expm(matrix * times[1])
    path = [state]
    for _ in times[1:]:
        path.append(step @ path[-1])
    states = np.array(path)
    w = (states @ matrix.T)[:, 1]
    jerk = (states @ matrix.T @ matrix.T)[:, 1]
    snap = (states @ matrix.T @ matrix.T @ matrix.T)[:, 1]
    crackle = (states @ matrix.T @ matrix.T @ matrix.T @ matrix.T)[:, 1]
    own = row[rows.STEADY] + w - states[:, 2]
    carry(row, rows.LEFT, states[0, 0], states[0, 1], 0.0)
    carry(row, rows.RIGHT, states[-1, 0], states[-1, 1], width)
    compiled(peak_search.bound_mode)(row, 0.0, width)
    for i, values in enumerate((states[:, 0], states[:, 1], w, jerk, snap)):
        slack = 1e-8 * (np.abs(values).max() + np.abs(crackle).max() * 1e-3)
        assert leaves(values, values[0], values[-1]) <= row[rows.SWAYS + i] + slack
        row[rows.MOST_BEND], row[rows.MOST_JERK] = abs(w[0]), abs(jerk[0])
        assert leaves(values, values[0], values[-1]) <= compiled(peak_search.margin_of)(i, width, row) + slack
    for kind, values in enumerate((states[:, 0], states[:, 1], own)):
        start, end, most = row[rows.LINES + 3 * kind : rows.LINES + 3 * kind + 3]
        assert leaves(values, start, end) <= most + 1e-8 * np.abs(values).max()


def leaves(values: np.ndarray, start: float, end: float) -> float:
    """How far values leave a straight line."""
    return float(np.abs(values - np.linspace(start, end, values.size)).max())
