"""The ledger closes below 10·rtol of initial plus input energy, whatever stands in the row, and runs end."""

from __future__ import annotations

import numpy as np
import pytest
from tests.integrate.promised import imbalance
from tests.integrate.random_rows import random_row, stiff_pair

import carom
from carom.laws import laws
from carom.laws.families import ConstantDamping

TOLERANCES = (1e-4, 1e-6, 1e-8, 1e-9)
# where it once did not close: series too short for sustained contact, quick modes, touches of fourth-power laws …
ONCE_OPEN = (31, 35, 40, 50, 89, 91, 153, 258, 325, 374, 397, 419, 593, 666, 768, 888, 997)
# … and a touch as slow as rounding under χ/v0 as published, which spun
ONCE_SPUN = (738,)
STIFF_ONCE_OPEN = (8, 10, 11, 26, 28, 30, 40, 44, 50, 65, 72, 109, 132, 141, 148)


def allowed(rtol: float) -> float:
    """Work of contacts is taken from their laws: at the tightest tolerances all errors of a run show in the ledger."""
    return (10.0 if rtol >= 1e-8 else 15.0) * rtol


def closes(problem: carom.Problem, rtol: float) -> bool:
    run = carom.simulate(problem, rtol=rtol, step_limit=100_000)
    return run.outcome.word == "finished" and imbalance(run) < allowed(rtol)


@pytest.mark.parametrize("rtol", TOLERANCES)
def test_rows_of_neighbours(rtol: float) -> None:
    assert [seed for seed in (*range(60), *ONCE_OPEN, *ONCE_SPUN) if not closes(random_row(seed), rtol)] == []


@pytest.mark.parametrize("rtol", TOLERANCES)
def test_bodies_with_a_stiff_part(rtol: float) -> None:
    assert [seed for seed in (*range(40), *STIFF_ONCE_OPEN) if not closes(stiff_pair(seed), rtol)] == []


@pytest.mark.parametrize("rtol", [1e-10, 1e-11, 1e-12])
def test_the_tightest_tolerances_end_no_run(rtol: float) -> None:
    """A contact that parts slowly under χ/v0 as published: the overlap left in its last step is rounding's.

    It begins without speed, so that v0, and with it how many impacts follow, is that of the moment it is entered at.
    """
    run = carom.simulate(random_row(183), rtol=rtol, step_limit=100_000)
    assert (run.table["ended"] == 1.0).sum() > 20
    assert imbalance(run) < allowed(rtol)


@pytest.mark.parametrize("name", ["tsuji-1992", "jankowski-2005", "khatami-2019", "bordbar-hyppanen-2007", "hertz"])
def test_a_single_impact(name: str) -> None:
    """All of the energy goes into one impact: laws with δ^{1/4} begin it with steps of the fourth power."""
    kind = laws.get(name)
    damping = {"damping": 1.2e6} if issubclass(kind, ConstantDamping) else {"restitution": 0.6}
    law = kind(stiffness=2e9, **({} if kind.m is None else damping))
    body = carom.Oscillator(mass=4600, period=0.5, damping_ratio=0.05, name="body")
    contact = carom.Contact("body", "wall", gap=1e-3, law=law)
    problem = carom.Problem([body, carom.Wall("wall")], [contact], initial_velocity={"body": 0.3})
    exact = carom.simulate(problem, duration=0.04, sampling=0.04, rtol=1e-12)
    for rtol in (1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10):
        run = carom.simulate(problem, duration=0.04, sampling=0.04, rtol=rtol)
        assert run.table["start"].size == 1
        assert imbalance(run) < allowed(rtol)
        np.testing.assert_allclose(run.velocity[-1, 0], exact.velocity[-1, 0], rtol=30.0 * rtol)


def test_answers_converge_in_rows() -> None:
    """Peaks against those at 1e-11: a chance may help a loose tolerance, none helps most rows."""
    errors = []
    for seed in range(24):
        problem = random_row(seed)
        exact = carom.simulate(problem, rtol=1e-11).extremes[:, 0]
        peaks = [carom.simulate(problem, rtol=rtol).extremes[:, 0] for rtol in TOLERANCES]
        errors.append([np.abs(peak - exact).max() / exact.max() for peak in peaks])
    loose, usual, fine, finest = np.median(errors, axis=0) / TOLERANCES
    assert max(loose, usual, fine, finest) < 2.0
    falls = np.array(errors)[:, 1:] <= np.maximum(np.array(errors)[:, :-1], 3.0 * np.array(TOLERANCES[1:]))
    assert falls.mean() > 0.95


def test_what_no_contact_reaches_keeps_its_vibration() -> None:
    """Steps of a contact that lasts are not allowed to wear down an oscillator that swings beside it, undamped."""
    omega, swing, push = 90.0, 0.01, 0.5
    ringer = carom.Oscillator(mass=5e3, stiffness=5e3 * omega**2, damping_ratio=0.0, name="ringer")
    leaner = carom.Oscillator(mass=5e3, period=2.0, damping_ratio=0.05, name="leaner")
    law = laws.get("kelvin-voigt")(stiffness=1e6, restitution=0.6)
    contacts = [carom.Contact("leaner", "wall", gap=0.0, law=law), carom.Contact("ringer", "wall", gap=1.0, law=law)]
    motion = carom.Motion(np.full(2001, -push), dt=0.005)
    problem = carom.Problem(
        [leaner, ringer, carom.Wall("wall")], contacts, motion, initial_displacement={"ringer": swing}
    )
    run = carom.simulate(problem, rtol=1e-6)
    assert run.evidence["path"] == "several modes"
    assert run.table["duration"].sum() > 0.9 * run.time[-1]
    at_rest = push / omega**2
    free = at_rest + (swing - at_rest) * np.cos(omega * run.time)
    np.testing.assert_allclose(run.displacement[:, 1], free, atol=1e-9)
    assert imbalance(run) < 1e-7


@pytest.mark.parametrize("rtol", [1e-4, 1e-6])
def test_many_elastic_impacts_of_a_pair(rtol: float) -> None:
    """What a step in contact loses has the same sign in each of three hundred impacts that are alike."""
    ringer = carom.Oscillator(mass=5e3, stiffness=5e3 * 90.0**2, damping_ratio=0.0, name="ringer")
    leaner = carom.Oscillator(mass=5e3, period=2.0, damping_ratio=0.0, name="leaner")
    contact = carom.Contact("leaner", "ringer", gap=0.0, law=laws.get("linear")(stiffness=1e7))
    start = {"leaner": 1.6e-4, "ringer": 1.0e-3}
    problem = carom.Problem(
        [leaner, ringer], [contact], carom.Motion(np.full(4001, -0.5), dt=0.005), initial_displacement=start
    )
    run = carom.simulate(problem, rtol=rtol)
    assert run.evidence["path"] == "pair"
    assert run.evidence["impacts"] > 200
    assert imbalance(run) < allowed(rtol)


@pytest.mark.parametrize("law", ["hunt-crossley-1975", "jankowski-2005"])
@pytest.mark.parametrize("moving", [True, False])
def test_what_damping_takes_of_a_building_beside_a_contact_that_lasts(law: str, moving: bool) -> None:
    """Steps in contact are long for the building: it turns by some radians in one of them."""
    tower = carom.ShearBuilding(masses=[1.2e4] * 5, stiffnesses=[2e8] * 5, damping_ratio=0.05, name="tower")
    leaner = carom.Oscillator(mass=5e3, period=2.0, damping_ratio=0.05, name="leaner")
    soft = laws.get(law)(stiffness=2e9, restitution=0.6)
    contacts = [
        carom.Contact("leaner", "wall", gap=0.0, law=soft),
        carom.Contact(("tower", 5), "wall", gap=9, law=soft),
    ]
    towards = carom.Motion(np.full(21, -0.5 if moving else 0.5), dt=0.02)
    problem = carom.Problem(
        [tower, leaner, carom.Wall("wall", moving=moving)], contacts, towards,
        initial_velocity={"tower": [0.4, -0.3, 0.2, -0.4, 0.5]},
    )  # fmt: skip
    run = carom.simulate(problem, rtol=1e-6, path="general")
    assert run.table["duration"].sum() > 0.5 * run.time[-1]
    assert imbalance(run) < 1e-9


@pytest.mark.parametrize("storeys", [2, 5])
def test_what_damping_takes_of_a_building_beside_a_contact_that_lasts_in_explicit_steps(storeys: int) -> None:
    """No contact reaches the building: no error of one keeps steps short while it swings out."""
    tower = carom.ShearBuilding(
        masses=[1.2e4] * storeys, stiffnesses=[2e7] * storeys, damping_ratio=0.1, name="tower"
    )  # fmt: skip
    leaner = carom.Oscillator(mass=5e3, period=2.0, damping_ratio=0.05, name="leaner")
    soft = laws.get("kelvin-voigt")(stiffness=1e6, restitution=0.6)
    contacts = [
        carom.Contact("leaner", "wall", gap=0.0, law=soft),
        carom.Contact(("tower", storeys), "wall", gap=9.0, law=soft),
    ]
    problem = carom.Problem(
        [tower, leaner, carom.Wall("wall")], contacts, carom.Motion(np.full(401, -0.5), dt=0.005),
        initial_velocity={"tower": [0.4, -0.3, 0.2, -0.4, 0.5][:storeys]},
    )  # fmt: skip
    run = carom.simulate(problem, rtol=1e-6)
    assert run.evidence["path"] == "several modes"
    assert run.table["duration"].sum() > 0.9 * run.time[-1]
    assert imbalance(run) < 1e-9
