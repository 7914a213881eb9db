"""Moreau-Jean stepping against closed forms, a naive second implementation and its own ledger."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from tests.integrate.bouncing import ball, fallen

import carom

DEFAULT = carom.motions.get("default")
SHAKE = carom.Motion(DEFAULT.acceleration[150:330], dt=DEFAULT.dt)


@pytest.mark.parametrize("dt", [1e-2, 1e-3, 1e-4])
def test_bouncing_ball(dt):
    run = carom.simulate(ball(), scheme="moreau-jean", dt=dt, sampling=dt, duration=3.5)
    exact, _ = fallen(run.time)
    assert run.evidence["time_step"] == pytest.approx(dt, rel=1e-12)
    assert np.abs(run.displacement[:, 0] - exact).max() <= 1.6 * dt
    energy = 0.5 * run.velocity[:, 0] ** 2 + 2.0 * (1.0 - run.displacement[:, 0])
    assert np.diff(energy).max() <= 0.05 * (2.0 * dt) ** 2
    assert np.abs(run.ledger["residual"]).max() < 1e-12


def test_error_of_the_ball_is_of_order_one():
    errors = []
    for dt in (1e-2, 5e-3, 2.5e-3, 1.25e-3):
        run = carom.simulate(ball(), scheme="moreau-jean", dt=dt, sampling=dt, duration=3.5)
        errors.append(np.abs(run.displacement[:, 0] - fallen(run.time)[0]).max())
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    assert orders == pytest.approx(1.0, abs=0.05)


def naive(problem: carom.Problem, e: float, h: float, steps: int, theta: float = 0.5, gamma: float = 1.5) -> np.ndarray:
    """Table 2 of langlade2021 in the structures' own coordinates with dense matrices; one contact."""
    blocks = [s for s in problem.structures if s.mass_matrix.size]
    n = sum(s.mass_matrix.shape[0] for s in blocks)
    m, c, k = (np.zeros((n, n)) for _ in range(3))
    at = 0
    for s in blocks:
        own = slice(at, at + s.mass_matrix.shape[0])
        m[own, own], c[own, own], k[own, own] = s.mass_matrix, s.damping_matrix, s.stiffness_matrix
        at = own.stop
    flat = problem.flat()
    hh = -(flat.reach @ np.linalg.pinv(flat.outputs))  # ġ = H q̇
    j = m + theta * h * c + (theta * h) ** 2 * k
    q, v = np.zeros(n), np.zeros(n)
    ground, dt = problem.motion.acceleration, problem.motion.dt
    found = [q]
    for i in range(steps):
        a = np.interp([i * h, (i + 1) * h], dt * np.arange(ground.size), ground).mean()
        g, rate = hh @ q + flat.gap, hh @ v
        r = -h * (c @ v + k @ (q + theta * h * v)) - h * (m @ np.ones(n)) * a
        free = v + np.linalg.solve(j, r)
        after = free
        if g[0] + gamma * h * rate[0] <= 0.0:
            w = (hh @ np.linalg.solve(j, hh.T))[0, 0]
            p = max(0.0, -(hh @ free + e * rate)[0] / w)
            after = free + np.linalg.solve(j, hh[0] * p)
        q = q + h * ((1 - theta) * v + theta * after)
        v = after
        found.append(q)
    return np.array(found)


@pytest.mark.parametrize("classical", [True, False])
def test_step_by_step_against_a_naive_implementation(classical):
    """Modal coordinates or not, coupled damping or not: the same steps."""
    if classical:
        left = carom.ShearBuilding(masses=[3000, 2500], stiffnesses=[4e6, 3e6], damping_ratio=0.03, name="left")
    else:
        left = carom.Structure(
            [3000.0, 2500.0], [[7e6, -3e6], [-3e6, 3e6]], damping=[[2e4, 0.0], [0.0, 1e3]], name="left", dofs=["1", "2"]
        )
    right = carom.Oscillator(mass=3500, stiffness=5.31e6, damping_ratio=0.02, name="right")
    contact = carom.Contact(
        ("left", 2 if classical else "2"), "right", gap=0.004, law=carom.law("newton", restitution=0.6)
    )
    problem = carom.Problem([left, right], [contact], motion=SHAKE)
    h = SHAKE.dt / 10
    run = carom.simulate(problem, scheme="moreau-jean", dt=h)
    slow = naive(problem, 0.6, h, 10 * (SHAKE.npts - 1))
    assert run.table["start"].size > 3
    assert run.displacement == pytest.approx(slow[::10], abs=1e-12)
    assert np.abs(run.ledger["residual"]).max() < 1e-9 * run.ledger["kinetic"].max()


def chain(velocities, e=1.0, law="newton", masses=None) -> carom.Problem:
    names = [f"b{i}" for i in range(len(velocities))]
    masses = masses or [1.0] * len(names)
    law = carom.law(law, restitution=e)
    return carom.Problem(
        [carom.Body(mass=m, name=name) for m, name in zip(masses, names, strict=True)],
        [carom.Contact(a, b, gap=0.0, law=law) for a, b in pairwise(names)],
        initial_velocity=dict(zip(names, velocities, strict=True)),
    )


@pytest.mark.parametrize("solver", ["auto", "gauss-seidel", "active-set"])
def test_three_touching_elastic_masses(solver):
    """Newton's law struck at once: −1/3, 2/3, 2/3."""
    run = carom.simulate(chain([1.0, 0.0, 0.0]), scheme="moreau-jean", dt=1e-3, duration=0.05, solver=solver)
    assert run.velocity[-1] == pytest.approx([-1 / 3, 2 / 3, 2 / 3], abs=1e-12)
    assert run.evidence["largest_relative_contact_residual"] < 1e-10


@pytest.mark.parametrize("law", ["newton", "poisson", "stronge"])
def test_momentum_is_kept_to_rounding(law):
    masses = [2.0, 0.7, 3.1, 1.9]
    run = carom.simulate(chain([1.0, 0.3, 0.0, -0.8], 0.6, law, masses), scheme="moreau-jean", dt=1e-3, duration=0.5)
    momentum = run.velocity @ np.array(masses)
    assert np.abs(momentum - momentum[0]).max() < 1e-13
    assert np.diff(run.ledger["kinetic"]).max() < 1e-12


def test_a_ball_at_rest_stays_and_carries_its_weight():
    problem = ball().replace(
        contacts=[carom.Contact("ball", "ground", gap=0.0, law=carom.law("newton", restitution=0.5))]
    )
    run = carom.simulate(problem, scheme="moreau-jean", dt=1e-3, duration=2.0, sampling=1e-2)
    assert np.abs(run.displacement).max() < 1e-5
    assert run.force[5:, 0].mean() == pytest.approx(2.0, rel=1e-2)


def test_projection_takes_overlaps_away():
    plain = carom.simulate(ball(), scheme="moreau-jean", dt=1e-2, sampling=1e-2, duration=3.5, gamma=0.5)
    firm = carom.simulate(
        ball(), scheme="moreau-jean", dt=1e-2, sampling=1e-2, duration=3.5, gamma=0.5, projection=True
    )
    assert -plain.gap.min() > 1e-3
    assert -firm.gap.min() < 1e-15


def test_restitution_follows_the_approach_velocity():
    law = carom.law("newton", restitution=[(0.0, 1.0), (2.0, 0.5)])
    run = carom.simulate(ball(law), scheme="moreau-jean", dt=1e-4, sampling=1e-4, duration=1.9)
    speeds = run.table["approach_velocity"], run.table["separation_velocity"]
    assert speeds[1][0] / speeds[0][0] == pytest.approx(0.5, abs=1e-3)


def test_accelerations_say_that_they_depend_on_the_step():
    run = carom.simulate(ball(), scheme="moreau-jean", dt=1e-3, duration=1.5)
    assert "depend on it" in run.evidence["cautions"][0]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"dt": -1.0}, "`dt` of moreau-jean must be positive"),
        ({"theta": 0.2}, "must lie in [0.5, 1]"),
        ({"solver": "lemke"}, "must be one of"),
        ({"projection": 1}, "True or False"),
    ],
)
def test_refusals(options, words):
    with pytest.raises(carom.InputError) as caught:
        carom.simulate(ball(), scheme="moreau-jean", duration=1.0, **options)
    assert words in str(caught.value)


def test_laws_with_a_stiffness_are_refused_with_the_way_out():
    with pytest.raises(
        carom.InputError, match=r"does not take contacts with a force.*Schemes that can: 'event'.*law=carom\.law"
    ):
        carom.simulate(ball(carom.law("hertz", stiffness=1e6)), scheme="moreau-jean", duration=1.0)


def test_a_run_is_saved_and_loaded(tmp_path):
    run = carom.simulate(ball(), scheme="moreau-jean", dt=1e-3, duration=1.5)
    again = carom.load(run.save(tmp_path / "ball.nc"))
    assert np.array_equal(again.displacement, run.displacement)
    assert again.evidence["cautions"] == run.evidence["cautions"]


def test_peaks_are_those_of_all_steps_however_few_are_kept():
    every = carom.simulate(ball(), scheme="moreau-jean", dt=1e-3, sampling=1e-3, duration=3.5)
    some = carom.simulate(ball(), scheme="moreau-jean", dt=1e-3, sampling=1e-2, duration=3.5)
    assert some.extremes == pytest.approx(every.extremes, rel=1e-12)
