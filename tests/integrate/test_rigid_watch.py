"""Runs with impulsive laws watch themselves: engines made blind or wrong are found out; failed runs say when.

The faults are put into copies of the kernels.
"""

from __future__ import annotations

import numpy as np
import pytest
from tests.integrate.random_rigid import random_rigid

import carom
from carom.integrate.schemes import event_impulsive, impulsive, moreau_jean
from carom.kernels import endings
from carom.kernels.rigid.events import impacts as rigid_impacts
from carom.kernels.rigid.impulses import impulses as impulse_kernels
from carom.kernels.rigid.moreau_jean import plain_contact
from carom.kernels.rigid.rows import LISTED
from carom.results import Outcome

NEWTON = carom.law("newton", restitution=0.5)


def thrown(law=NEWTON, gap=0.05) -> carom.Problem:
    """A body of 2 kg thrown at a wall with 1 m/s."""
    return carom.Problem(
        [carom.Body(mass=2.0, name="ball"), carom.Ground(name="wall")],
        [carom.Contact("ball", "wall", gap=gap, law=law)],
        initial_velocity={"ball": 1.0},
    )


def blind_flight(length, _held, _kept, _reach, _contacts, _series, _reaction, _pulls, _overlap):
    """See nothing close."""
    return length, False


def blind_prediction(_ahead, _reach, _modes, contacts, _active):
    """Predict nothing to close."""
    for c in range(contacts.shape[0]):
        contacts[c, LISTED] = 0.0
    return 0


def lively(_hypothesis, _method, _noise, n, w, struck, _work, _kept):
    """Give back more than was taken: three times the approach."""
    for i in range(n):
        struck[impulse_kernels.IMPULSE, i] = -4.0 * struck[impulse_kernels.BEFORE, i] / w[i, i]
    return endings.SOLVED, 0.0


def uncompiled(function):
    """Stand where kernels are compiled: these copies run as Python."""
    return function


def test_a_contact_that_is_flown_through_event_by_event(monkeypatch):
    blind = plain_contact.rewired(rigid_impacts.bounce, "blind_bounce", next_event=blind_flight)
    monkeypatch.setattr(event_impulsive, "compiled", uncompiled)
    monkeypatch.setattr(event_impulsive.rigid_impacts, "bounce", blind)
    run = carom.simulate(thrown(), duration=0.2, sampling=0.01, fail="return")
    assert run.outcome is Outcome.UNTRUSTED
    fault = run.evidence["fault"]
    assert "overlaps" in fault["what"]
    assert fault["contact"] == "ball | wall"
    assert fault["time"] == run.evidence["reached"] == pytest.approx(0.06)
    assert fault["value"] == pytest.approx(0.01)
    with pytest.raises(carom.RunError, match=r"contradicts itself.*t = 0.06 s"):
        carom.simulate(thrown(), duration=0.2, sampling=0.01)


def test_a_contact_that_is_flown_through_by_moreau_jean(monkeypatch):
    blind = plain_contact.rewired(plain_contact.march, "blind_march", predicted=blind_prediction)
    monkeypatch.setattr(moreau_jean, "compiled", uncompiled)
    monkeypatch.setattr(moreau_jean.plain_contact, "march", blind)
    run = carom.simulate(thrown(), scheme="moreau-jean", dt=0.01, duration=0.2, fail="return")
    assert run.outcome is Outcome.UNTRUSTED
    assert "overlaps" in run.evidence["fault"]["what"]
    assert run.evidence["fault"]["time"] == pytest.approx(0.06)


@pytest.mark.parametrize("scheme", ["event", "moreau-jean"])
@pytest.mark.parametrize("law", ["newton", "poisson", "stronge"])
def test_an_impact_that_creates_energy(monkeypatch, scheme, law):
    bounce = plain_contact.rewired(rigid_impacts.bounce, "lively_bounce", strike=lively)
    march = plain_contact.rewired(plain_contact.march, "lively_march", strike=lively)
    monkeypatch.setattr(event_impulsive, "compiled", uncompiled)
    monkeypatch.setattr(moreau_jean, "compiled", uncompiled)
    monkeypatch.setattr(event_impulsive.rigid_impacts, "bounce", bounce)
    monkeypatch.setattr(moreau_jean.plain_contact, "march", march)
    problem = thrown(carom.law(law, restitution=0.5))
    run = carom.simulate(problem, scheme=scheme, duration=0.2, sampling=0.01, fail="return")
    assert run.outcome is Outcome.UNTRUSTED
    fault = run.evidence["fault"]
    assert "gave more energy than it took" in fault["what"]
    assert fault["contact"] == "ball | wall"
    assert fault["value"] == pytest.approx(0.5 * 2.0 * (9.0 - 1.0))
    assert run.evidence["smallest_energy_lost"] == pytest.approx(-8.0)


def test_momentum_and_energy_that_do_not_add_up():
    """Histories told wrongly on purpose: the same checks that every run passes."""
    problem = thrown()
    flat = problem.flat()
    run = carom.simulate(problem, duration=0.2, sampling=0.01)
    row = np.zeros(impulsive.rows.RUN_SIZE)
    row[impulsive.rows.REACHED], row[impulsive.rows.LARGEST_ENERGY] = 0.2, 1.0
    ground, v = np.zeros((1, 21)), run.velocity / flat.outputs[0, 0]
    given = (row, flat, ground, 0.01)
    assert impulsive.fault_of(*given, v, run.force, np.zeros((0, 1)), run.ledger, 0.0, True) is None
    told = impulsive.fault_of(*given, v, 1.001 * run.force, np.zeros((0, 1)), run.ledger, 0.0, True)
    assert "momentum" in told["what"]
    assert told["contact"] == "ball | wall"
    missing = {**run.ledger, "residual": run.ledger["residual"] + 1e-3 * (run.time > 0.1)}
    told = impulsive.fault_of(*given, v, run.force, np.zeros((0, 1)), missing, 0.0, True)
    assert "unaccounted" in told["what"]
    assert told["time"] == pytest.approx(0.11)


@pytest.mark.parametrize("scheme", ["event", "moreau-jean"])
def test_a_contact_stated_as_overlapping_is_no_fault(scheme):
    """An oscillator pressed against a wall by 1 mm, at rest there: k u = force until it is let go."""
    side = carom.Oscillator(mass=1e3, stiffness=1e6, damping_ratio=0.02, name="side")
    contact = carom.Contact("side", "wall", gap=0.001, law=NEWTON)
    problem = carom.Problem(
        [side, carom.Ground(name="wall")], [contact], initial_displacement={"side": 0.002}, allow_overlap=True
    )
    run = carom.simulate(problem, scheme=scheme, duration=0.5)
    assert run.outcome is Outcome.FINISHED
    assert "fault" not in run.evidence


@pytest.mark.parametrize("scheme", ["event", "moreau-jean"])
def test_impacts_by_start_and_contacts_still_closed_at_the_end(scheme):
    """A stack of two balls comes to rest: both contacts are rows that have not ended, and count."""
    balls = [carom.Body(mass=1.0, gravity=9.81, name=name) for name in ("upper", "lower")]
    contacts = [
        carom.Contact("upper", "lower", gap=0.1, law=NEWTON), carom.Contact("lower", "ground", gap=0.2, law=NEWTON)
    ]  # fmt: skip
    problem = carom.Problem([*balls, carom.Ground(name="ground")], contacts)
    run = carom.simulate(problem, scheme=scheme, duration=3.0, sampling=1e-3)
    table = run.table
    assert np.all(np.diff(table["start"]) >= 0.0)
    assert run.evidence["impacts"] == table["start"].size
    resting = table["ended"] == 0.0
    assert sorted(table["contact"][resting]) == [0.0, 1.0]
    assert table["start"][resting] + table["duration"][resting] == pytest.approx([3.0, 3.0])
    assert np.all(table["impulse"][resting] > 9.81 * 0.5)
    assert np.all(table["ended"][~resting] == 1.0)


def rattling() -> carom.Problem:
    """A body between two walls 1 mm apart, elastic: an impact every millisecond."""
    law = carom.law("newton", restitution=1.0)
    walls = [carom.Ground(name="left"), carom.Body(mass=1.0, name="ball"), carom.Ground(name="right")]
    contacts = [carom.Contact("left", "ball", gap=0.0005, law=law), carom.Contact("ball", "right", gap=0.0005, law=law)]
    return carom.Problem(walls, contacts, initial_velocity={"ball": 1.0})


def test_a_run_at_its_step_limit_says_when_and_goes_no_further():
    with pytest.raises(carom.RunError, match=r"step limit.*t = 0.0\d+ s"):
        carom.simulate(rattling(), duration=1.0, sampling=1e-2, step_limit=100)
    run = carom.simulate(rattling(), duration=1.0, sampling=1e-2, step_limit=100, fail="return")
    reached = run.evidence["reached"]
    assert 0.04 < reached < 0.06
    done = run.time <= reached
    for values in (run.displacement, run.velocity, run.acceleration, run.force, run.gap, *run.ledger.values()):
        assert np.all(np.isfinite(values[done]))
        assert np.all(np.isnan(values[~done]))
    assert run.extremes[0, :2] == pytest.approx([0.0005, 1.0])
    assert run.table["start"].max() <= reached


def test_a_run_beyond_all_numbers_keeps_what_came_before():
    body = carom.Body(mass=1.0, gravity=1e300, name="body")
    contact = carom.Contact("body", "wall", gap=1e307, law=NEWTON)
    problem = carom.Problem([body, carom.Ground(name="wall")], [contact], initial_velocity={"body": 1e150})
    for scheme in ("event", "moreau-jean"):
        run = carom.simulate(problem, scheme=scheme, duration=10.0, sampling=0.5, fail="return")
        assert run.outcome is Outcome.NOT_FINITE
        assert np.isnan(run.displacement[-1]).all()
        assert np.isfinite(run.extremes[:, :2]).all()
        assert run.evidence["reached"] < 10.0


def test_no_fault_in_random_problems():
    for seed in range(200):
        problem = random_rigid(seed)
        for options in ({}, {"scheme": "moreau-jean", "dt": problem.motion.dt / (1 + seed % 3)}):
            run = carom.simulate(problem, **options)
            assert "fault" not in run.evidence
