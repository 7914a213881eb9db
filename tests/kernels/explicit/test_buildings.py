"""Buildings in the explicit engine against the general one, which takes other steps by other formulas."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from benchmarks._space import draw
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import carom
from carom.integrate.engine import BUILDINGS
from carom.integrate.tables.general import works_side_by_side
from carom.kernels.contact.events import MEET, NOTHING, PART, TURN
from carom.kernels.explicit.buildings.step import stays_far
from carom.kernels.explicit.contact import comes_back, earliest, happen, settled_at_once
from carom.kernels.explicit.rows import BOUND, END_BEND, END_DEPTH, END_PACE, EVENT, FOLLOWING, HERE, THERE
from carom.kernels.explicit.step_control import falls_at, first_event
from carom.kernels.explicit.touches import NOBODY
from carom.kernels.laws import power_law
from carom.kernels.laws.power_law import RESTITUTION_SHARE
from carom.kernels.ledger import STEP, TOLERANCE
from carom.kernels.rows import (
    BEND,
    CLOSED,
    DEPTH,
    DIRECTION,
    FOLLOWS_ABOVE,
    NOISE,
    OPEN,
    PACE,
    PEAK_OVERLAP,
    SCALE,
    STATUS,
    contact_size,
)
from carom.kernels.tables import Histories
from tests.kernels.explicit.test_several import NAMES, SHAKE, building, compare, law_of

SLOWLY = carom.Motion(SHAKE.resampled(0.02).acceleration[:400], dt=0.02, source="long samples")


def neighbours(law: Any, tall: int = 7, low: int = 5, **more: Any) -> carom.Problem:
    both = [building("left", tall, 2e7), building("right", low, 4e7)]
    return carom.Problem(both, [carom.facing("left", "right", gap=0.01, law=law)], **{"motion": SHAKE, **more})


def both_ways(problem: carom.Problem, rtol: float) -> tuple[carom.Simulation, carom.Simulation]:
    """A run by each engine; the explicit one has taken its own."""
    quick, general = (carom.simulate(problem, rtol=rtol, path=path) for path in ("quick", "general"))
    assert quick.evidence["path"] == BUILDINGS.path == "several modes"
    assert general.evidence["path"] == "general"
    return quick, general


@pytest.mark.parametrize("name", NAMES)
def test_every_law_as_the_general_engine_has_it(name: str) -> None:
    problem = neighbours(law_of(name))
    assert works_side_by_side(problem.flat())
    compare(problem, [0.008, 0.5], 1e-7, peaks=2e-5, force=2e-4)


def test_single_runs_and_ensembles_are_the_same_to_the_last_digit() -> None:
    problem = neighbours(law_of("jankowski-2005"))
    many = carom.ensemble(problem, vary={"gap": [0.008, 0.01]})
    assert many.evidence["paths"] == {"several modes": 2}
    for i, gap in enumerate((0.008, 0.01)):
        one = carom.simulate(problem.replace(gap=gap))
        np.testing.assert_array_equal(many.extremes[i], one.extremes)
        assert many.account["impacts"][i] == len(one.table["start"])


def test_modes_that_turn_far_in_a_sample_are_taken() -> None:
    problem = neighbours(law_of("hertzdamp"), 9, 6, motion=SLOWLY)
    assert problem.flat().omega.max() * SLOWLY.dt > 1.5
    quick, general = both_ways(problem, 1e-8)
    assert len(quick.table["start"]) == len(general.table["start"]) > 0
    np.testing.assert_allclose(quick.extremes, general.extremes, rtol=1e-5)
    np.testing.assert_allclose(quick.displacement, general.displacement, atol=1e-6 * general.extremes[:, 0].max())


def test_the_ledger_closes_beside_a_wall_that_moves() -> None:
    wall = carom.Wall(name="wall", moving=False)
    tower = building("tower", 9, 2e7)
    contacts = [carom.Contact("wall", ("tower", 9), gap=0.004, law=law_of("hunt-crossley-1975"))]
    quick, general = both_ways(carom.Problem([wall, tower], contacts, motion=SHAKE), 1e-7)
    assert len(quick.table["start"]) > 0
    whole = general.ledger["input"].max()
    for name, values in general.ledger.items():
        np.testing.assert_allclose(quick.ledger[name], values, atol=1e-5 * whole)


def test_a_row_of_buildings_of_which_each_contact_reads_two() -> None:
    row = [building(f"b{i}", floors, k) for i, (floors, k) in enumerate(((5, 2e7), (9, 5e7), (4, 1e7)))]
    law = law_of("hertzdamp")
    contacts = [carom.facing(f"b{i}", f"b{i + 1}", gap=0.006, law=law) for i in range(2)]
    quick, general = both_ways(carom.Problem(row, contacts, motion=SHAKE), 1e-8)
    np.testing.assert_allclose(quick.extremes, general.extremes, rtol=1e-5)
    np.testing.assert_allclose(quick.table["impulse"].sum(), general.table["impulse"].sum(), rtol=1e-5)


def test_modes_much_quicker_than_contacts_are_left_to_the_general_engine() -> None:
    stiff = [building("left", 5, 2e7), building("right", 5, 4e13)]
    contacts = [carom.facing("left", "right", gap=0.01, law=law_of("hertzdamp"))]
    problem = carom.Problem(stiff, contacts, motion=SHAKE)
    run = carom.simulate(problem)
    assert run.evidence["path"] == "general"
    np.testing.assert_array_equal(run.extremes, carom.simulate(problem, path="general").extremes)


def equal_storeys(name: str, storeys: int, mass: float, stiffness: float, ratio: float) -> carom.ShearBuilding:
    return carom.ShearBuilding(
        masses=[mass] * storeys, stiffnesses=[stiffness] * storeys, damping_ratio=ratio, name=name
    )


@pytest.mark.parametrize("case", ["comes back within a step", "turns behind another's event"])
def test_runs_that_had_to_be_left_to_the_general_engine(case: str) -> None:
    """Problems of `benchmarks/_space/draw.py`, seeds 39 and 1082, that ended in a step that could not be had."""
    motion = carom.motions.suite("thirty")[19]
    if case == "comes back within a step":
        left = equal_storeys("left", 27, 42634.0, 1.35e8, 0.105)
        right = equal_storeys("right", 6, 1.511e6, 9.018e9, 0.143)
        law, gap, pga = carom.law("flores-2011", stiffness=1.538e13, restitution=0.523), 0.0, 10.9
    else:
        left = equal_storeys("left", 21, 29828.0, 9.37e7, 0.0492)
        right = equal_storeys("right", 10, 198071.0, 1.736e9, 0.0977)
        law, gap, pga = carom.law("jankowski-2005", stiffness=1.369e13, restitution=0.487), 0.0311, 5.57
    problem = carom.Problem(
        [left, right], [carom.facing("left", "right", gap=gap, law=law)], motion=motion.scaled(pga=pga)
    )
    quick = carom.simulate(problem)
    assert quick.evidence["path"] == "several modes"
    assert np.abs(quick.ledger["residual"]).max() < 1e-3 * quick.ledger["input"].max()


def test_when_bodies_that_parted_touch_again() -> None:
    def overlap(t: float) -> float:  # zero as they part, at 1e-3, and as they touch again, at 1
        return (t - 1.0) * (t - 1e-3) * (t + 2.0)

    def rate(t: float) -> float:
        return (t - 1e-3) * (t + 2.0) + (t - 1.0) * (t + 2.0) + (t - 1.0) * (t - 1e-3)

    at = comes_back(1.5, overlap(0.0), rate(0.0), overlap(1.5), rate(1.5))
    assert at == pytest.approx(1.0, rel=1e-3)
    assert comes_back(1.0, 1e-9, -1.0, 0.1, -0.5) == 0.5  # and back again at the end: look sooner


def a_contact(columns: dict[int, float]) -> np.ndarray:
    row = np.zeros(contact_size(2))
    row[power_law.STIFFNESS], row[power_law.EXPONENT] = 1e9, 1.0
    row[STATUS], row[SCALE], row[DIRECTION], row[NOISE] = CLOSED, 1e-3, 1.0, 1e-15
    for column, value in columns.items():
        row[column] = value
    return row


def test_what_presses_does_not_part_and_what_is_apart_does() -> None:
    none, run = np.empty((0, 11)), np.zeros(60)
    lines = Histories(none, none, none, none, none)
    pressing = a_contact({HERE: 1e-7, DEPTH: 1e-7, PACE: 1e-3, PEAK_OVERLAP: 1e-5})
    happen(0, PART, 1.0, 0.01, pressing, lines, run)
    assert pressing[STATUS] == CLOSED
    apart = a_contact({HERE: -1e-7, PACE: 1e-3, PEAK_OVERLAP: 1e-5})
    assert settled_at_once(0, 1.0, apart, lines, run)
    assert apart[STATUS] != CLOSED


def an_open_contact(here: float, pace: float, there: float, end_pace: float) -> np.ndarray:
    row = a_contact({HERE: here, PACE: pace, THERE: there, END_PACE: end_pace, BOUND: 10.0})
    row[STATUS] = OPEN
    return row


def test_bodies_that_are_not_yet_apart_in_a_short_step_do_not_touch_in_it() -> None:
    """Ten against eight storeys with a gap of 10.98039 mm ended in a search for that touch."""
    parts = an_open_contact(2.4e-8, -0.15, 0.9e-8, -0.15)
    event, _, _ = earliest(1e-7, 1e-4, 1e-4, NOTHING, NOBODY, parts[None])
    assert event == NOTHING
    back = an_open_contact(2.4e-8, -0.15, 3e-8, 0.15)
    event, whom, _ = earliest(1e-6, 1e-4, 1e-4, NOTHING, NOBODY, back[None])
    assert (event, whom) == (MEET, 0)


def test_a_touch_that_is_located_at_the_end_of_a_step_hides_no_other() -> None:
    """Ten against eight storeys with a gap of 19.73222 mm: one contact was entered deep inside another's last step."""
    located = an_open_contact(-1e-8, -0.1, 1e-9, 0.1)  # the cubic would place its touch at 99 % of the step, or before
    other = an_open_contact(-1e-4, 0.1, 1e-6, 0.1)
    event, whom, when = earliest(1e-3, 1e-4, 1e-4, MEET, 0, np.array([located, other]))
    assert (event, whom) == (MEET, 1)
    assert when == pytest.approx(0.99e-3, rel=1e-2)


def test_a_contact_that_turned_behind_the_event_of_another_knows_its_direction() -> None:
    none, run = np.empty((0, 11)), np.zeros(60)
    run[TOLERANCE], run[STEP] = 1e-4, 1e-3
    lines = Histories(none, none, none, none, none)
    turned = a_contact({HERE: 1e-4, DEPTH: 1e-4, PACE: -1e-3, BEND: -5.0, PEAK_OVERLAP: 1e-4})
    assert settled_at_once(0, 1.0, turned, lines, run)
    assert turned[DIRECTION] == -1.0
    at_rest = a_contact({HERE: 1e-4, DEPTH: 1e-4, PACE: -1e-9, BEND: 5.0, PEAK_OVERLAP: 1e-4})
    assert not settled_at_once(0, 1.0, at_rest, lines, run)
    assert at_rest[DIRECTION] == 1.0
    comes_late = a_contact({HERE: 1e-4, DEPTH: 1e-4, PACE: -1e-3, BEND: 5.0, PEAK_OVERLAP: 1e-4})
    assert settled_at_once(0, 1.0, comes_late, lines, run)  # in a fifth of a step
    assert comes_late[DIRECTION] == -1.0


def test_a_rate_beyond_the_one_that_chi_follows_counts_at_once() -> None:
    """Another contact's event may end a step just behind the moment at which χ begins to follow."""
    none, run = np.empty((0, 11)), np.zeros(60)
    lines = Histories(none, none, none, none, none)
    for bend, follows in ((5.0, 1.0), (-5.0, 0.0)):  # a rate that falls was the largest one
        row = a_contact({HERE: 1e-4, DEPTH: 1e-4, PACE: 2e-3, BEND: bend, FOLLOWS_ABOVE: 1e-3, PEAK_OVERLAP: 1e-4})
        assert settled_at_once(0, 1.0, row, lines, run)
        assert row[FOLLOWING] == follows
        assert not settled_at_once(0, 1.0, row, lines, run)


def test_a_contact_that_is_to_close_is_not_told_by_its_bounds() -> None:
    """A step is shortened to its touch until a bound would say that it stays open; its rate there must be its own."""
    for event, far in ((NOTHING, True), (MEET, False)):
        row = a_contact({STATUS: OPEN, HERE: -1e-6, PACE: 0.5, EVENT: event})
        assert stays_far(1e-6, 1.0, row) is far


def test_no_event_ends_a_step_that_has_not_begun() -> None:
    """A rate that rises from next to nothing before it falls: Newton's method looks for its fall before the step."""
    row = a_contact({DEPTH: 1e-5, PACE: 5e-6, BEND: 1.0, FOLLOWS_ABOVE: np.inf, RESTITUTION_SHARE: 0.0})
    row[END_DEPTH], row[END_PACE], row[END_BEND] = 1e-5, -1e-5, -2e-4
    assert falls_at(4e-4, row[PACE], row[BEND], row[END_PACE], row[END_BEND]) == 0.0
    event, when = first_event(4e-4, 1e-6, row)
    assert event == TURN
    assert 0.0 < when < 1e-6
    row[PACE] = -2e-5  # on its way back to its direction, nearer to it at the end
    assert first_event(4e-4, 1e-6, row)[0] == NOTHING


@pytest.mark.parametrize(("seed", "duration"), [(99117000010, 0.5), (99117000006, 6.1)])
def test_many_contacts_that_turn_and_gather_speed_together_stay_with_explicit_steps(seed: int, duration: float) -> None:
    """Without gaps all close in the first sample; damping of the approach alone has them turn together."""
    problem = draw.draw("buildings", seed).problem
    quick, general = (carom.simulate(problem, rtol=1e-4, duration=duration, path=path) for path in ("quick", "general"))
    assert quick.evidence["path"] == BUILDINGS.path
    assert len(quick.table["start"]) > 20
    np.testing.assert_allclose(quick.extremes[:, 0], general.extremes[:, 0], rtol=2e-3)


@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    name=st.sampled_from(NAMES), tall=st.integers(4, 14), low=st.integers(2, 12), gap=st.floats(0.0, 0.03),
    scale=st.floats(0.3, 2.0), restitution=st.floats(0.3, 0.95), wide=st.booleans(),
)  # fmt: skip
def test_any_buildings_balance_their_energy_and_agree(
    name: str, tall: int, low: int, gap: float, scale: float, restitution: float, wide: bool
) -> None:
    motion = (SLOWLY if wide else SHAKE).scaled(factor=scale)
    problem = neighbours(law_of(name, restitution=restitution), tall, low, motion=motion).replace(gap=gap)
    run = carom.simulate(problem, rtol=1e-6)
    left = run.ledger["residual"]
    assert np.abs(left).max() <= 1e-4 * run.ledger["input"].max()
    exact, moved = (
        carom.simulate(problem.replace(gap=one), rtol=1e-9, path="general") for one in (gap, gap + 1e-7)
    )  # fmt: skip
    rough = carom.simulate(problem, rtol=1e-6, path="general")
    peaks = exact.extremes[:, 0]
    shaky = np.abs(moved.extremes[:, 0] / peaks - 1.0).max() / (1e-7 / peaks.max())
    grazed = 3.0 * np.abs(rough.extremes[:, 0] / peaks - 1.0).max()
    assert np.abs(run.extremes[:, 0] / peaks - 1.0).max() < 30e-6 * max(1.0, shaky) + grazed
