"""Event-driven rigid contacts against closed forms and a naive second implementation."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from tests.integrate.bouncing import ball, fallen
from tests.integrate.naive_rigid import pounding

import carom

DEFAULT = carom.motions.get("default")
SHAKE = carom.Motion(DEFAULT.acceleration[150:330], dt=DEFAULT.dt)
MASS, STIFFNESS, RATIO = (4600.0, 3500.0), (2.11e6, 5.31e6), 0.02


def pair(law, gap=0.01, motion=SHAKE, **start) -> carom.Problem:
    sides = [
        carom.Oscillator(mass=m, stiffness=k, damping_ratio=RATIO, name=name)
        for m, k, name in zip(MASS, STIFFNESS, ("left", "right"), strict=True)
    ]
    return carom.Problem(sides, [carom.Contact("left", "right", gap=gap, law=law)], motion=motion, **start)


@pytest.mark.parametrize("sampling", [1e-3, 0.07, 0.5])
def test_bouncing_ball_through_its_accumulation(sampling):
    run = carom.simulate(ball(), duration=3.5, sampling=sampling)
    place, speed = fallen(run.time)
    assert np.abs(run.displacement[:, 0] - place).max() < 1e-13
    away = np.abs(run.time[:, None] - (3.0 - 2.0 ** -np.arange(-1.0, 40.0))).min(axis=1) > 1e-9  # off the jumps
    assert np.abs(run.velocity[:, 0] - speed)[away].max() < 1e-6
    assert run.evidence["came_to_rest"] == 1
    rest = run.time > 3.0 + sampling + 1e-9
    assert run.force[rest, 0] == pytest.approx(np.full(rest.sum(), 2.0), rel=1e-12)  # its weight
    assert np.abs(run.ledger["residual"]).max() < 1e-12


def test_impact_times_of_the_ball_are_exact():
    starts = carom.simulate(ball(), duration=3.5, sampling=0.01).table["start"]
    assert starts[:12] == pytest.approx(3.0 - 2.0 ** (1.0 - np.arange(12)), abs=1e-14)


@pytest.mark.parametrize("e", [0.2, 0.6, 1.0])
def test_two_oscillators_under_a_record(e):
    run = carom.simulate(pair(carom.law("newton", restitution=e)))
    c = [2 * RATIO * np.sqrt(k * m) for m, k in zip(MASS, STIFFNESS, strict=True)]
    slow, hits = pounding(MASS, STIFFNESS, c, 0.01, e, SHAKE.acceleration, SHAKE.dt, (0.0, 0.0))
    assert len(hits) >= 3
    assert run.table["start"] == pytest.approx(SHAKE.start + hits, abs=1e-7)
    assert run.displacement == pytest.approx(slow, abs=1e-8)
    assert np.abs(run.ledger["residual"]).max() < 1e-10 * run.ledger["input"].max()


def test_plastic_oscillators_stay_together_until_the_force_would_pull():
    """Pressed together by 2 mm at rest, pulled apart, let go and shaken: several stretches of contact."""
    run = carom.simulate(pair(carom.law("plastic"), gap=-0.002, initial_displacement={"left": -0.01}))
    c = [2 * RATIO * np.sqrt(k * m) for m, k in zip(MASS, STIFFNESS, strict=True)]
    slow, hits = pounding(MASS, STIFFNESS, c, -0.002, 0.0, SHAKE.acceleration, SHAKE.dt, (-0.01, 0.0))
    assert run.table["start"] == pytest.approx(SHAKE.start + hits, abs=1e-7)
    assert np.sum(run.table["duration"] > 1e-3) > 3
    assert run.force.min() >= 0.0
    assert run.displacement == pytest.approx(slow, abs=1e-8)
    assert np.abs(run.ledger["residual"]).max() < 1e-10 * run.ledger["input"].max()


def test_two_oscillators_settle_into_contact():
    """Pressed together at the end: u = (k1 u1 + k2 u2)/(k1 + k2), and the reaction is what closes the gap of −4 mm."""
    left = carom.Oscillator(mass=4600, stiffness=2.11e6, damping_ratio=0.3, name="left")
    right = carom.Oscillator(mass=3500, stiffness=5.31e6, damping_ratio=0.3, name="right")
    contact = carom.Contact("left", "right", gap=-0.004, law=carom.law("newton", restitution=0.5))
    problem = carom.Problem([left, right], [contact], initial_displacement={"left": -0.02})
    run = carom.simulate(problem, duration=4.0)
    force = 0.004 / (1 / 2.11e6 + 1 / 5.31e6)
    assert run.evidence["came_to_rest"] >= 1
    assert run.force[-1, 0] == pytest.approx(force, rel=1e-9)
    assert run.displacement[-1] == pytest.approx([-force / 2.11e6, force / 5.31e6], rel=1e-9)
    assert run.gap.min() > -1e-15


def chain(velocities, *, gap=0.0, e=1.0, law="newton", masses=None) -> carom.Problem:
    names = [f"b{i}" for i in range(len(velocities))]
    built = carom.law(law, restitution=e)
    return carom.Problem(
        [carom.Body(mass=m, name=n) for m, n in zip(masses or [1.0] * len(names), names, strict=True)],
        [carom.Contact(a, b, gap=gap, law=built) for a, b in pairwise(names)],
        initial_velocity=dict(zip(names, velocities, strict=True)),
    )


def test_newtons_cradle_touching_and_apart():
    """Touching: struck at once, −1/3, 2/3, 2/3. With gaps, however small: one after the other, 0, 0, 1."""
    touching = carom.simulate(chain([1.0, 0.0, 0.0]), duration=0.1)
    assert touching.velocity[-1] == pytest.approx([-1 / 3, 2 / 3, 2 / 3], abs=1e-13)
    apart = carom.simulate(chain([1.0, 0.0, 0.0], gap=1e-6), duration=0.1)
    assert apart.velocity[-1] == pytest.approx([0.0, 0.0, 1.0], abs=1e-13)


def test_simultaneous_impacts_from_both_sides():
    """Two outer bodies reach the middle one at the same moment: it stays, they turn around."""
    run = carom.simulate(chain([1.0, 0.0, -1.0], gap=0.05, e=0.6), duration=0.2, sampling=0.01)
    assert run.velocity[-1] == pytest.approx([-0.6, 0.0, 0.6], abs=1e-12)
    assert run.evidence["most_contacts_at_once"] == 2


@pytest.mark.parametrize("law", ["newton", "poisson", "stronge"])
def test_momentum_is_kept_and_energy_not_created(law):
    masses = [2.0, 0.7, 3.1, 1.9]
    problem = chain([1.0, 0.3, 0.0, -0.8], gap=0.03, e=0.6, law=law, masses=masses)
    run = carom.simulate(problem, duration=1.0)
    momentum = run.velocity @ np.array(masses)
    assert np.abs(momentum - momentum[0]).max() < 1e-13
    assert np.diff(run.ledger["kinetic"]).max() < 1e-13
    assert np.abs(run.ledger["residual"]).max() < 1e-13


def test_a_stack_comes_to_rest_under_its_weight():
    """Two balls above each other: both contacts accumulate; the lower one carries twice the weight."""
    law = carom.law("newton", restitution=0.4)
    balls = [carom.Body(mass=1.0, gravity=9.81, name=name) for name in ("upper", "lower")]
    contacts = [carom.Contact("upper", "lower", gap=0.1, law=law), carom.Contact("lower", "ground", gap=0.2, law=law)]
    run = carom.simulate(carom.Problem([*balls, carom.Ground(name="ground")], contacts), duration=3.0)
    assert run.force[-1] == pytest.approx([9.81, 19.62], rel=1e-9)
    assert run.displacement[-1] == pytest.approx([0.3, 0.2], abs=1e-12)


def test_moreau_jean_converges_to_it():
    problem = pair(carom.law("newton", restitution=0.6))
    exact = carom.simulate(problem).displacement
    errors = [
        np.abs(carom.simulate(problem, scheme="moreau-jean", dt=SHAKE.dt / n).displacement - exact).max()
        for n in (40, 160, 640)
    ]
    assert errors[2] < 0.2 * errors[1] < 0.2 * errors[0]


def test_damping_that_couples_modes_is_followed():
    """The same building by its modes and, its damping a full matrix that happens to be classical, by coupled ones."""
    building = carom.ShearBuilding(masses=[3000, 2500], stiffnesses=[4e6, 3e6], damping_ratio=0.03, name="left")
    skew = np.array(building.damping_matrix) + np.diag([1e3, 0.0])
    coupled = carom.Structure(
        building.mass_matrix, building.stiffness_matrix, damping=skew, dofs=["1", "2"], name="left"
    )
    contact = carom.Contact(("left", "2"), "wall", gap=0.003, law=carom.law("newton", restitution=0.5))
    problem = carom.Problem([coupled, carom.Ground(name="wall")], [contact], motion=SHAKE)
    run = carom.simulate(problem)
    fine = carom.simulate(problem, scheme="moreau-jean", dt=SHAKE.dt / 2000)
    assert run.table["start"].size > 2
    assert run.displacement == pytest.approx(fine.displacement, abs=2e-3 * np.abs(run.displacement).max())
    assert np.abs(run.ledger["residual"]).max() < 1e-10 * run.ledger["input"].max()


def test_a_mixture_with_stiff_laws_is_refused():
    law = carom.law("newton", restitution=0.5), carom.law("hertz", stiffness=1e8)
    problem = chain([1.0, 0.0, 0.0])
    contacts = [contact.replace(law=one) for contact, one in zip(problem.contacts, law, strict=True)]
    with pytest.raises(carom.InputError, match=r"not both\. Got newton and hertz\. Set one for all"):
        carom.simulate(problem.replace(contacts=contacts), duration=0.1)


def test_different_hypotheses_are_refused():
    problem = chain([1.0, 0.0, 0.0])
    laws = carom.law("newton", restitution=0.5), carom.law("poisson", restitution=0.5)
    contacts = [contact.replace(law=one) for contact, one in zip(problem.contacts, laws, strict=True)]
    with pytest.raises(carom.InputError, match="share their hypothesis"):
        carom.simulate(problem.replace(contacts=contacts), duration=0.1)


def test_random_rows_between_walls():
    """Oscillators, bodies and buildings between walls under a record: no overlap, no energy unaccounted for."""
    rng = np.random.default_rng(0)
    for _ in range(40):
        row: list = [carom.Ground(name="left")]
        for i in range(int(rng.integers(2, 6))):
            kind, mass, stiffness = int(rng.integers(0, 3)), rng.uniform(1e3, 5e3), rng.uniform(1e5, 5e6)
            if kind == 0:
                row.append(carom.Oscillator(mass=mass, stiffness=stiffness, damping_ratio=0.03, name=f"s{i}"))
            elif kind == 1:
                row.append(carom.Body(mass=mass, gravity=rng.uniform(-2.0, 2.0), name=f"s{i}"))
            else:
                row.append(
                    carom.ShearBuilding(
                        masses=[mass] * 3, stiffnesses=[stiffness] * 3, damping_ratio=0.03, name=f"s{i}"
                    )
                )
        row.append(carom.Ground(name="right"))
        places = [(s.name, 3) if isinstance(s, carom.ShearBuilding) else s.name for s in row]
        law = carom.law(
            str(rng.choice(["newton", "poisson", "stronge"])), restitution=float(rng.choice([0, 0.2, 0.8, 1]))
        )
        gap = float(rng.choice([0.001, 0.01]))
        contacts = [carom.Contact(a, b, gap=gap, law=law) for a, b in pairwise(places)]
        run = carom.simulate(carom.Problem(row, contacts, motion=SHAKE), step_limit=20_000)
        scale = max(run.ledger["input"].max(), run.ledger["kinetic"].max())
        assert np.abs(run.ledger["residual"]).max() < 1e-9 * scale
        assert run.gap.min() > -1e-10 * np.abs(run.displacement).max()
        assert run.evidence["largest_energy_gain"] < 1e-12 * scale


@pytest.mark.parametrize("count", [2, 3, 5])
def test_neighbours_of_equal_period_without_a_gap_move_as_if_alone(count):
    """Their overlap is noise: no touch can be proved away, and none matters."""
    law = carom.law("newton", restitution=0.6)
    sides = [
        carom.Oscillator(mass=1e3 * (i + 1), stiffness=2e6 * (i + 1), damping_ratio=0.05, name=f"s{i}")
        for i in range(count)
    ]
    contacts = [carom.Contact(i, i + 1, gap=0.0, law=law) for i in range(count - 1)]
    run = carom.simulate(carom.Problem(sides, contacts, motion=DEFAULT), step_limit=1000)
    apart = carom.simulate(carom.Problem(sides, [contact.replace(gap=1.0) for contact in contacts], motion=DEFAULT))
    assert run.displacement == pytest.approx(apart.displacement, abs=1e-12)


def test_rows_jammed_between_walls_stay():
    """No gap anywhere: nothing moves, whichever way the ground pushes."""
    rng = np.random.default_rng(1)
    for _ in range(30):
        size, law = int(rng.integers(2, 6)), carom.law("newton", restitution=float(rng.choice([0.0, 0.8, 1.0])))
        row = [
            carom.Oscillator(mass=rng.uniform(1e3, 5e3), stiffness=rng.uniform(1e5, 5e6), damping_ratio=0.03)
            for _ in range(size)
        ]
        walled = [carom.Ground(name="left"), *row, carom.Ground(name="right")]
        contacts = [carom.Contact(i, i + 1, gap=0.0, law=law) for i in range(size + 1)]
        run = carom.simulate(carom.Problem(walled, contacts, motion=SHAKE), step_limit=1000)
        assert np.abs(run.displacement).max() < 1e-12
        masses = np.array([side.mass for side in row])
        pushed = run.force[:, 0] - run.force[:, -1]  # the walls carry all masses along
        mean = 0.5 * (SHAKE.acceleration[1:] + SHAKE.acceleration[:-1])
        assert pushed[1:] == pytest.approx(masses.sum() * mean, abs=1e-9 * masses.sum())
