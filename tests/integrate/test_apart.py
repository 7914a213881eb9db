"""Many structures and many contacts: what is worked on apart has the same answer as all of it together."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import carom
from carom.integrate.schemes import event_driven
from carom.integrate.tables import apart
from carom.integrate.tables.general import tables_of
from carom.kernels import ledger
from carom.kernels.contact.near_contacts import bound_answers
from carom.kernels.event.engine import prepare

NEVER = 10**9
"""More structures or contacts than any problem has: all is worked on together."""
SHAKE = carom.Motion(4.0 * np.sin(np.cumsum(np.linspace(0.05, 0.35, 900))), dt=0.01)
LAWS = ("hertzdamp", "kelvin-voigt", "jankowski-2005", "linear")


def law_of(name: str) -> carom.laws.CompliantLaw:
    kind = carom.laws.laws.get(name)
    stiffness = 1e8 if kind.n == 1.0 else 2e9
    return kind(stiffness=stiffness) if kind.m is None else kind(stiffness=stiffness, restitution=0.65)


def row_of(count: int, law: str, gap: float, motion: carom.Motion = SHAKE) -> carom.Problem:
    """Oscillators in a row; no two have the same mass or period."""
    found = [
        carom.Oscillator(mass=3e3 + 3e3 * (0.618 * i % 1.0), period=0.3 + 0.5 * (0.382 * i % 1.0), damping_ratio=0.05)
        for i in range(count)
    ]
    contacts = [carom.Contact(i, i + 1, gap=gap, law=law_of(law)) for i in range(count - 1)]
    return carom.Problem(found, contacts, motion=motion)


def towers(storeys: int, gap: float = 0.01) -> carom.Problem:
    """Two buildings with all floors facing."""
    both = [
        carom.ShearBuilding(masses=[2e5] * storeys, stiffnesses=[k] * storeys, damping_ratio=0.05, name=name)
        for name, k in (("a", 3e8), ("b", 7e8))
    ]
    law = carom.law("hertzdamp", stiffness=1e10, restitution=0.65)
    return carom.Problem(both, [carom.facing("a", "b", gap=gap, law=law)], motion=SHAKE)


def run(monkeypatch: pytest.MonkeyPatch, problem: carom.Problem, many: int, rtol: float) -> carom.Simulation:
    """Run a problem by the general engine, parts of it apart where it has `many` of them."""
    monkeypatch.setattr(apart, "MANY", many)
    monkeypatch.setattr(apart, "MANY_CONTACTS", many)
    return carom.simulate(problem, rtol=rtol, path="general")


def same(found: carom.Simulation, wanted: carom.Simulation, rtol: float) -> None:
    """Hold all that a run tells to that of another one."""
    assert found.outcome == wanted.outcome
    np.testing.assert_allclose(found.extremes, wanted.extremes, rtol=rtol)
    for name in ("displacement", "velocity", "force"):
        values = getattr(wanted, name)
        np.testing.assert_allclose(getattr(found, name), values, atol=30.0 * rtol * np.abs(values).max(initial=0.0))
    np.testing.assert_array_equal(found.table["contact"], wanted.table["contact"])
    np.testing.assert_allclose(found.table["start"], wanted.table["start"], rtol=rtol)
    largest = wanted.table["peak_force"]
    np.testing.assert_allclose(found.table["peak_force"], largest, atol=30.0 * rtol * largest.max())
    most = max(np.abs(values).max() for values in wanted.ledger.values())
    for name, values in wanted.ledger.items():
        np.testing.assert_allclose(found.ledger[name], values, atol=rtol * most)


@pytest.mark.parametrize("law", LAWS)
def test_islands_have_the_answer_of_all_together(law: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Steps are others, and both are near the truth; at a strict tolerance they agree."""
    problem = row_of(14, law, 0.03)
    found, wanted = (run(monkeypatch, problem, many, rtol=1e-10) for many in (2, NEVER))
    assert wanted.table["start"].size > 10
    same(found, wanted, 1e-6)


def test_a_blow_runs_through_a_row_within_a_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    """The contacts behind the one that is struck close in the same sample: each island grows until all are in it."""
    count = 13
    balls = [carom.Oscillator(mass=1e3, period=2.0, damping_ratio=0.02, name=f"{i}") for i in range(count)]
    law = carom.law("hertz", stiffness=5e11)
    contacts = [carom.Contact(i, i + 1, gap=1e-5, law=law) for i in range(count - 1)]
    still = carom.Motion(np.zeros(60), dt=0.02)
    problem = carom.Problem(balls, contacts, motion=still, initial_velocity={"0": 1.0})
    found, wanted = (run(monkeypatch, problem, many, rtol=1e-9) for many in (2, NEVER))
    first = wanted.table["start"][: count - 1]
    assert first.max() - first.min() < 0.02
    assert found.displacement[:, -1].max() > 0.1
    same(found, wanted, 1e-5)


def test_a_contact_may_be_closed_at_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """It ties its structures together from the first sample on."""
    problem = row_of(12, "hertzdamp", 0.04)
    pressed = problem.replace(
        contacts=[*problem.contacts[:-1], problem.contacts[-1].replace(gap=-2e-4)], allow_overlap=True
    )
    found, wanted = (run(monkeypatch, pressed, many, rtol=1e-10) for many in (2, NEVER))
    assert wanted.table["start"].min() == 0.0
    same(found, wanted, 1e-6)


def test_of_many_contacts_few_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """Contacts that are left out are proved to stay open: the steps are the same, and so is the answer."""
    problem = towers(12)
    found, wanted = (run(monkeypatch, problem, many, rtol=1e-4) for many in (2, NEVER))
    assert wanted.table["start"].size > 20
    assert found.evidence["contact_steps"] == wanted.evidence["contact_steps"]
    same(found, wanted, 1e-9)


@pytest.mark.parametrize("kind", ["row", "towers"])
def test_tables_of_pairs_grow_with_contacts_that_close_at_once(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run that lacks room begins again with more of it, and has the answer of one that never lacked any."""
    problem = row_of(24, "hertzdamp", 0.01) if kind == "row" else towers(12)
    roomy = run(monkeypatch, problem, 2, rtol=1e-4)
    asked: list[tuple[int, int]] = []
    sized = apart.pairs_at_once

    def watched(contacts: int, wanted: int) -> int:
        asked.append((wanted, sized(contacts, wanted)))
        return asked[-1][1]

    monkeypatch.setattr(event_driven, "pairs_at_once", watched)
    monkeypatch.setattr(apart, "FEW_PAIRS", 1)
    found = run(monkeypatch, problem, 2, rtol=1e-4)
    assert asked[0] == (0, 1)
    assert 2 <= len(asked) <= 6
    assert all(size >= wanted > before for (_, before), (wanted, size) in itertools.pairwise(asked))
    same(found, roomy, 0.0)


def test_answers_to_impulses_are_bounded() -> None:
    """The bound is no less than Σ reach·push·h(τ) at any time of a sample, by the closed form of each mode."""
    flat = towers(9).flat()
    tables = tables_of(flat, by_structure=True)
    tables.run[ledger.TOLERANCE] = 1e-4
    near = apart.near_room(flat.reach.copy(), np.zeros((tables.floors.shape[0], flat.gap.size)), 1)
    for dt in (0.005, 0.02, 0.2):  # the last one is long for the quickest mode
        prepare(dt, False, flat.drives.which, tables)
        near.answers[:] = 0.0
        bound_answers(3, dt, tables, near)
        damped = np.sqrt(flat.omega**2 - flat.sigma**2)
        for t in np.linspace(0.0, dt, 41):
            answer = np.exp(-flat.sigma * t) * np.sin(damped * t) / damped
            assert (np.abs((flat.reach * answer) @ flat.push[3]) <= near.answers[3] + 1e-18).all()
        direct = dt * flat.reach[3] @ flat.push[3]
        assert near.answers[3, 3] <= 1.5 * direct
        if dt < 0.01:  # the wave has not come far
            assert near.answers[3, 7] < 1e-3 * direct


def test_outputs_in_any_order_keep_their_peaks() -> None:
    """Contact points stand behind the floors of all structures: each row of the extremes is that of its label."""
    n = 6
    spring = 4e7 * (2.0 * np.eye(n) - np.eye(n, k=1) - np.eye(n, k=-1))
    frames = [
        carom.Structure([2e4] * n, k * spring, damping_ratio=0.05, dofs=[f"u{i}" for i in range(n)], outputs=["u0"],
                        name=name)
        for name, k in (("a", 1.0), ("b", 3.0))
    ]  # fmt: skip
    law = carom.law("hertzdamp", stiffness=1e9, restitution=0.65)
    contacts = [carom.Contact(("a", f"u{i}"), ("b", f"u{i}"), gap=0.01, law=law) for i in (2, 4)]
    found = carom.simulate(carom.Problem(frames, contacts, motion=SHAKE), rtol=1e-6)
    sampled = np.abs(found.displacement).max(axis=0)
    assert len(found.dofs) == 6
    assert (found.extremes[:, 0] >= sampled).all()
    np.testing.assert_allclose(found.extremes[:, 0], sampled, rtol=0.05)


def test_contacts_in_tables_of_their_own_are_named_as_among_all() -> None:
    """Impacts, faults and the smallest loss tell the number of a contact among all."""
    impacts, account = np.zeros((4, ledger.IMPACT_SIZE)), np.zeros(ledger.RUN_SIZE)
    impacts[:, ledger.CONTACT] = (5.0, 0.0, 2.0, 7.0)
    account[ledger.IMPACTS], account[ledger.FAULT], account[ledger.FAULT_CONTACT] = 3.0, 2.0, 1.0
    account[ledger.LEAST_LOST], account[ledger.LEAST_CONTACT] = 4.0, 2.0
    ledger.name_contacts(1, 0.0, 4.0, np.array([11, 12, 13]), impacts, account)
    np.testing.assert_array_equal(impacts[:, ledger.CONTACT], (5.0, 11.0, 13.0, 7.0))
    assert account[ledger.FAULT_CONTACT] == 12.0
    assert account[ledger.LEAST_CONTACT] == 2.0


def test_parts_that_are_shaken_along_directions_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bodies in a row with masses that hang on them, and towers, whose modes three components of the ground drive."""
    random = np.random.default_rng(6)
    shakes = {
        axis: SHAKE.trimmed(end=2.0).scaled(factor=float(factor))
        for axis, factor in zip("xyz", (0.8, -0.6, 0.5), strict=True)
    }

    def sloping(mass: list[float], stiffness: np.ndarray, name: str, touches: int) -> carom.Structure:
        ways = np.tile([0.9, 0.3, 0.3], (len(mass), 1)) + 0.5 * random.normal(size=(len(mass), 3))
        ways[touches - 1] = [0.9, 0.3, 0.3]
        return carom.Structure(mass, stiffness, damping_ratio=0.05, influence=ways, name=name)

    bodies = []
    for i, one in enumerate(row_of(14, "hertzdamp", 0.01).structures):
        m, k = one.mass_matrix[0, 0], one.stiffness_matrix[0, 0]
        bodies.append(sloping([m, 0.3 * m], np.array([[1.2 * k, -0.2 * k], [-0.2 * k, 0.2 * k]]), str(i), 1))
    hits = [carom.Contact((str(i), 1), (str(i + 1), 1), gap=0.01, law=law_of("hertzdamp")) for i in range(13)]
    pair = [
        sloping(np.diag(one.mass_matrix).tolist(), one.stiffness_matrix, one.name, 12) for one in towers(12).structures
    ]
    tops = [carom.Contact(("a", 12), ("b", 12), gap=gap, law=law_of("hertzdamp")) for gap in (0.005, 0.01, 0.05)]
    for problem in (carom.Problem(bodies, hits, motion=shakes), carom.Problem(pair, tops, motion=shakes)):
        together = run(monkeypatch, problem, NEVER, rtol=1e-10)
        assert problem.flat().drives.support.size > 14
        assert together.table["start"].size > 5
        same(run(monkeypatch, problem, 2, rtol=1e-10), together, 1e-6)
