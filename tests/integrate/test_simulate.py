"""The event-driven engine against closed forms, a naive second implementation, and its own ledger."""

from __future__ import annotations

import gc
import itertools
import math
import weakref

import numpy as np
import pytest
from tests.integrate.promised import DEFAULT, SHAKE, damped, pair
from tests.naive import LAWS
from tests.naive_pounding import NaiveContact, naive_pounding

import carom


def naive_of(problem: carom.Problem, name: str, stiffness: float, e: float):
    """The same problem for the naive implementation, from the structures' own matrices."""
    blocks = [s for s in problem.structures if s.mass_matrix.size]
    sizes = [s.mass_matrix.shape[0] for s in blocks]
    n = sum(sizes)
    mass, damping, stiff = (np.zeros((n, n)) for _ in range(3))
    at = 0
    for s, size in zip(blocks, sizes, strict=True):
        own = slice(at, at + size)
        mass[own, own], damping[own, own], stiff[own, own] = s.mass_matrix, s.damping_matrix, s.stiffness_matrix
        at += size
    flat = problem.flat()
    rows = flat.reach @ np.linalg.pinv(flat.outputs)
    contacts = [
        NaiveContact(
            row=rows[c],
            gap=float(flat.gap[c]),
            build=lambda v, c=c: LAWS[name](stiffness, e, float(flat.effective_mass[c]), v),
        )
        for c in range(flat.gap.size)
    ]
    zero = np.zeros(n)
    ground = problem.motion.acceleration
    return naive_pounding(mass, damping, stiff, contacts, ground, problem.motion.dt, zero, zero)


def compare(problem: carom.Problem, name: str, stiffness: float, e: float, rtol: float = 1e-6) -> None:
    fast = carom.simulate(problem, rtol=rtol)
    slow = naive_of(problem, name, stiffness, e)
    assert fast.outcome.word == "finished"
    np.testing.assert_allclose(fast.extremes[:, 0], slow.peaks, rtol=2e-5)
    np.testing.assert_allclose(fast.displacement, slow.displacement, atol=2e-5 * slow.peaks.max())
    finished = sorted(zip(fast.table["contact"], fast.table["start"], fast.table["peak_force"], strict=True))
    expected = sorted((c, start, peak) for c, start, _, peak in slow.impacts)
    assert len(finished) == len(expected) > 0
    np.testing.assert_allclose([row[1] for row in finished], [row[1] for row in expected], rtol=1e-6)
    largest = max(row[2] for row in expected)
    np.testing.assert_allclose([row[2] for row in finished], [row[2] for row in expected], atol=1e-4 * largest)


def test_without_contact_it_is_the_response_spectrum() -> None:
    oscillator = carom.Oscillator(mass=3.0, period=0.7, damping_ratio=0.05)
    run = carom.simulate(carom.Problem([oscillator], motion=DEFAULT))
    spectrum = carom.response_spectrum(DEFAULT, [0.7], damping=0.05)
    assert run.extremes[0, 0] == pytest.approx(float(np.ravel(spectrum.sd)[0]), rel=1e-9)
    assert run.extremes[0, 2] == pytest.approx(float(np.ravel(spectrum.sa)[0]), rel=1e-9)
    assert np.abs(run.energy.residual).max() < 1e-12 * float(run.energy.input[-1])


@pytest.mark.parametrize(
    ("name", "stiffness"),
    [
        ("lankarani-nikravesh-1990", 2e9),
        ("kelvin-voigt", 8e7),
        ("jankowski-2005", 2e9),
        ("tsuji-1992", 2e9),
        ("mahmoud-jankowski-2011", 8e7),
    ],
)
def test_two_oscillators_against_the_naive_implementation(name: str, stiffness: float) -> None:
    law = carom.law(name, stiffness=stiffness, restitution=0.6)
    compare(pair(law), name, stiffness, 0.6)


def test_three_in_a_row_against_the_naive_implementation() -> None:
    law = carom.law("hertzdamp", stiffness=2e9, restitution=0.6)
    towers = [
        carom.Oscillator(mass=4600, stiffness=2.11e6, damping_ratio=0.02, name="a"),
        carom.Oscillator(mass=3500, stiffness=5.31e6, damping_ratio=0.02, name="b"),
        carom.Oscillator(mass=5200, stiffness=1.40e6, damping_ratio=0.02, name="c"),
    ]
    contacts = [carom.Contact("a", "b", gap=0.01, law=law), carom.Contact("b", "c", gap=0.008, law=law)]
    compare(carom.Problem(towers, contacts, motion=SHAKE), "lankarani-nikravesh-1990", 2e9, 0.6)


def test_facing_floors_against_the_naive_implementation() -> None:
    law = carom.law("hertzdamp", stiffness=2e9, restitution=0.65)
    tall = carom.ShearBuilding(masses=[2e4] * 4, stiffnesses=[3e7] * 4, damping_ratio=0.05, name="tall")
    low = carom.ShearBuilding(masses=[2e4] * 3, stiffnesses=[6e7] * 3, damping_ratio=0.05, name="low")
    problem = carom.Problem([tall, low], [carom.facing("tall", "low", gap=0.006, law=law)], motion=SHAKE)
    compare(problem, "lankarani-nikravesh-1990", 2e9, 0.65)


def test_tightening_the_tolerance_converges_and_energy_balances() -> None:
    problem = pair(carom.law("hertzdamp", stiffness=2e9, restitution=0.6), motion=DEFAULT)
    exact = carom.simulate(problem, rtol=1e-11)
    before = math.inf
    for rtol in (1e-4, 1e-6, 1e-8):
        run = carom.simulate(problem, rtol=rtol)
        error = np.abs(run.extremes[:, 0] / exact.extremes[:, 0] - 1.0).max()
        assert error <= min(before, 10 * rtol)
        before = max(error, 1e-13)
        assert np.abs(run.energy.residual).max() < 10 * rtol * float(run.energy.input[-1])
        assert run.table["start"].size == exact.table["start"].size


@pytest.mark.parametrize("name", ["hertzdamp", "kelvin-voigt", "ye-2009", "jankowski-2005"])
def test_accelerations_are_largest_within_steps_and_converge(name: str) -> None:
    """Near, not at, the crest of a force, which ends no step of its own."""
    problem = pair(damped(name), motion=DEFAULT)
    exact = carom.simulate(problem, rtol=1e-11).extremes[:, 2]
    for rtol, error in ((1e-4, 1e-4), (1e-6, 2e-5), (1e-8, 1e-6)):
        np.testing.assert_allclose(carom.simulate(problem, rtol=rtol).extremes[:, 2], exact, rtol=error)


def test_a_free_body_meets_a_wall_as_in_a_single_impact() -> None:
    law = carom.law("flores-2011", stiffness=2.46e10, restitution=0.7)
    hit = carom.impact(law, mass=0.54, velocity=0.5)
    ball = carom.Body(mass=0.54, name="ball")
    problem = carom.Problem(
        [ball, carom.Wall("wall")], [carom.Contact("ball", "wall", gap=0.01, law=law)], initial_velocity={"ball": 0.5}
    )
    run = carom.simulate(problem, duration=0.03, sampling=1e-3, rtol=1e-9)
    assert run.table["start"][0] == pytest.approx(0.02, rel=1e-12)
    for column, value in (
        ("peak_force", hit.peak_force),
        ("peak_overlap", hit.peak_overlap),
        ("duration", hit.duration),
        ("energy_lost", hit.energy_lost),
        ("separation_velocity", 0.5 * hit.restitution),
        ("impulse", 0.54 * 0.5 * (1 + hit.restitution)),
    ):
        assert run.table[column][0] == pytest.approx(value, rel=1e-7), column
    assert run.velocity[-1, 0] == pytest.approx(-0.5 * hit.restitution, rel=3e-8)


def test_a_ball_bounces_under_gravity() -> None:
    """Flights between impacts on a stiff elastic floor: 2v/g apart, energy kept."""
    ball = carom.Body(mass=1.0, gravity=2.0, name="ball")
    law = carom.law("hertz", stiffness=1e12)
    problem = carom.Problem([ball, carom.Wall("floor")], [carom.Contact("ball", "floor", gap=1.0, law=law)])
    run = carom.simulate(problem, duration=6.5, sampling=0.05, rtol=1e-9)
    np.testing.assert_allclose(run.table["start"], [1.0, 3.0, 5.0], rtol=1e-3)
    np.testing.assert_allclose(run.table["approach_velocity"], 2.0, rtol=1e-9)
    assert np.abs(run.energy.residual).max() < 1e-8


def test_touch_inside_one_sample_is_not_missed() -> None:
    """An oscillator that touches and leaves within one sample of a coarse record."""
    law = carom.law("hertz", stiffness=1e8)
    reed = carom.Oscillator(mass=1.0, frequency=200.0, damping_ratio=0.0, name="reed")
    ground = carom.Ground("stop")
    calm = carom.Motion(np.array([1e-12, 0.0, 0.0, 0.0]), dt=0.05)
    problem = carom.Problem(
        [reed, ground], [carom.Contact("reed", "stop", gap=0.00099, law=law)], motion=calm,
        initial_displacement={"reed": -0.001},
    )  # fmt: skip
    run = carom.simulate(problem, rtol=1e-8)
    assert run.table["start"].size >= 25  # about one per period of 5 ms over 0.15 s
    assert np.abs(run.energy.residual).max() < 1e-7 * float(run.energy.strain[0])


def test_sustained_contact_and_release_without_tension() -> None:
    """Pressed together by gravity, the body comes to rest on the floor and stays in contact."""
    body = carom.Body(mass=10.0, gravity=9.81, name="body")
    law = carom.law("kelvin-voigt", stiffness=1e5, restitution=0.3, tension=False)
    problem = carom.Problem([body, carom.Wall("floor")], [carom.Contact("body", "floor", gap=0.05, law=law)])
    run = carom.simulate(problem, duration=3.0, sampling=0.01)
    assert run.force[-1, 0] == pytest.approx(98.1, rel=1e-4)
    assert run.displacement[-1, 0] == pytest.approx(0.05 + 98.1 / 1e5, rel=1e-6)


def test_exchange_of_motion() -> None:
    """zhu2002 test 1: equal masses and springs at zero gap exchange their motion every half period."""
    towers = [carom.Oscillator(mass=1.0, stiffness=4 * math.pi**2, damping_ratio=0.0, name=n) for n in ("a", "b")]
    law = carom.law("hertz", stiffness=1e11)
    problem = carom.Problem(
        towers, [carom.Contact("a", "b", gap=0.0, law=law)], initial_velocity={"a": 1.0}
    )  # fmt: skip
    run = carom.simulate(problem, duration=2.0, sampling=0.01, rtol=1e-9)
    energy = 0.5 * run.velocity**2 + 2 * math.pi**2 * run.displacement**2
    assert energy[25, 1] == pytest.approx(0.5, rel=1e-3)  # b swings in the first half period
    assert energy[75, 0] == pytest.approx(0.5, rel=1e-3)  # a in the second


def test_refusals() -> None:
    problem = pair(carom.law("hertz", stiffness=1e9))
    for arguments, message in (
        ({"scheme": "newmarc"}, "Unknown scheme 'newmarc'"),
        ({"rtol": 1.0}, "`rtol` of simulate"),
        ({"fail": "no"}, "`fail` of simulate"),
        ({"step_limit": 0}, "`step_limit` of simulate"),
        ({"sampling": 0.01 * math.pi}, "simple multiple or part of the record's"),
        ({"duration": -1}, "`duration` of simulate must be positive"),
    ):
        with pytest.raises(carom.InputError, match=message):
            carom.simulate(problem, **arguments)
    with pytest.raises(carom.InputError, match="needs `duration`"):
        carom.simulate(problem.replace(motion=None))
    with pytest.raises(carom.InputError, match=r"must be a carom\.Problem"):
        carom.simulate("problem")


def test_a_run_that_cannot_keep_its_promise_says_so() -> None:
    problem = pair(carom.law("hertzdamp", stiffness=2e9, restitution=0.6))
    with pytest.raises(carom.RunError, match="step limit"):
        carom.simulate(problem, step_limit=2)
    assert carom.simulate(problem, step_limit=2, fail="return").outcome.failed


def test_touching_neighbours_and_chatter() -> None:
    """Structures that stand without a gap touch without speed, chatter and press: nothing spins, energy balances."""
    rng = np.random.default_rng(11)
    for name in ("linear", "zhiying-qishao-2006", "tsuji-1992", "jankowski-2005", "kelvin-voigt"):
        damped = {} if name == "linear" else {"restitution": 0.5}
        law = carom.law(name, stiffness=3e7 if name in ("linear", "kelvin-voigt") else 4e8, tension=False, **damped)
        row = [
            carom.Oscillator(mass=10 ** rng.uniform(3, 5), period=10 ** rng.uniform(-1, 0.4), damping_ratio=0.03)
            for _ in range(3)
        ]
        contacts = [carom.Contact(i, i + 1, gap=0.0, law=law) for i in range(2)]
        run = carom.simulate(carom.Problem(row, contacts, motion=DEFAULT.scaled(pga="0.3 g")))
        assert run.outcome.word == "finished"
        assert run.table["start"].size > 10
        assert np.abs(run.energy.residual).max() < 1e-5 * float(run.energy.input.max())


@pytest.mark.parametrize("name", [name for name in carom.laws.laws.names() if name != "hertz"])
def test_every_law_keeps_the_ledger(name: str) -> None:
    kind = carom.laws.laws.get(name)
    linear = kind.n == 1.0
    law = kind(stiffness=8e7 if linear else 2e9, **({} if kind.m is None else {"restitution": 0.6}))
    if getattr(law, "empirical", False):
        law = law.calibrated(mass=2000.0, velocity=0.3)
    run = carom.simulate(pair(law))
    assert run.table["start"].size > 0
    assert np.abs(run.energy.residual).max() < 1e-5 * float(run.energy.input.max())
    assert float(run.energy.contact[-1]) == pytest.approx(float(run.table["energy_lost"].sum()), rel=1e-6, abs=1e-3)
    # momentum: each impulse is what the force history carries, equal and opposite by construction of the modes
    assert (run.table["impulse"] > 0.0).all()
    assert (run.table["separation_velocity"] <= run.table["approach_velocity"] * 1.5).all()


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_a_touch_at_speed_beside_two_without(order: tuple[int, int, int]) -> None:
    """Bodies side by side touch without speed, and are let go a little further before their contacts begin.

    Meanwhile another strikes at speed: it touches when it has crossed its gap, whatever the order of the contacts.
    """
    motion = carom.Motion(np.linspace(0.0, 2.0, 3), dt=0.01)
    speed, gap = 0.42, 4.7e-5
    structures = [carom.Oscillator(mass=4e3, period=0.1 + 0.2 * (i % 2), name=name) for i, name in enumerate("abcd")]
    structures += [carom.Body(mass=2e3, name="ball"), carom.Wall("wall")]
    soft, stiff = (carom.law("hertzdamp", stiffness=k, restitution=0.6) for k in (1e8, 4e12))
    contacts = [
        carom.Contact("a", "b", gap=0.0, law=soft),
        carom.Contact("ball", "wall", gap=gap, law=stiff),
        carom.Contact("c", "d", gap=0.0, law=stiff),
    ]
    problem = carom.Problem(structures, [contacts[i] for i in order], motion, initial_velocity={"ball": speed})
    run = carom.simulate(problem, rtol=1e-8)
    struck = run.table["contact"] == order.index(1)
    assert run.table["start"][struck][0] == pytest.approx(gap / speed, rel=1e-5)
    assert run.table["approach_velocity"][struck][0] == pytest.approx(speed, rel=1e-5)


def test_a_run_is_freed_when_nobody_holds_it() -> None:
    """Without the collector of cycles: histories are large, and many runs follow each other."""
    run = carom.simulate(pair(carom.law("hertzdamp", stiffness=2e9, restitution=0.6)))
    seen = weakref.ref(run), weakref.ref(run.displacement)
    gc.disable()
    try:
        del run
        assert [one() for one in seen] == [None, None]
    finally:
        gc.enable()
