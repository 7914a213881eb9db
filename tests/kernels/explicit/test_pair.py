"""The explicit engine on pairs against the general engine, which takes other steps by other formulas."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from scipy.linalg import expm

import carom
from carom.integrate.engine import GENERAL, PAIR, SEVERAL, Engine, run_alone
from carom.integrate.ensembles import batches
from carom.integrate.tables.explicit import explicit_engine, tables_for
from carom.integrate.tables.general import no_histories, tables_of
from carom.kernels import endings, ledger, rows
from carom.kernels.contact.collocation import KINDS, time_map
from carom.kernels.endings import UNUSUAL
from carom.kernels.explicit import tableau

DEFAULT = carom.motions.get("default")
NAMES = list(carom.laws.laws.names())
SHAKE = carom.Motion(DEFAULT.acceleration[100:1100], dt=DEFAULT.dt, source="a third of the default")


def problem(law: carom.laws.CompliantLaw, gap: float = 0.01, periods=(0.6, 0.3), **more) -> carom.Problem:
    left = carom.Oscillator(mass=4600, period=periods[0], damping_ratio=0.05, name="left")
    right = carom.Oscillator(mass=3500, period=periods[1], damping_ratio=0.05, name="right")
    return carom.Problem([left, right], [carom.Contact("left", "right", gap=gap, law=law)], **{"motion": SHAKE, **more})


def run(engine: Engine, given: carom.Problem, rtol: float):
    """Return how a run ended, its account and its peaks."""
    flat = given.flat()
    tables = tables_of(flat) if engine is GENERAL else tables_for(flat)
    tables.run[ledger.TOLERANCE], tables.run[ledger.LIMIT] = rtol, 1e6
    code = run_alone(engine, tables, flat.support, flat.driven, flat.dt, no_histories())
    return code, tables.run, tables.floors[:, rows.PEAKS : rows.PEAKS + 3]


def law_of(name: str, stiffness: float = 1e9, restitution: float = 0.6):
    """A law by name; linear ones are softer, and those without a relation to restitution are calibrated."""
    kind = carom.laws.laws.get(name)
    scaled = 0.04 * stiffness if kind.n == 1.0 else stiffness
    law = kind(stiffness=scaled, **({} if kind.m is None else {"restitution": restitution}))
    return law.calibrated(mass=2000.0, velocity=0.3) if getattr(law, "empirical", False) else law


def test_the_tableau_has_orders_five_and_four() -> None:
    a, c = tableau.TABLEAU, tableau.NODES
    np.testing.assert_allclose(a.sum(axis=1), c, atol=1e-15)
    trees = [  # Butcher's conditions up to order four
        (lambda b: b.sum(), 1), (lambda b: b @ c, 1 / 2), (lambda b: b @ c**2, 1 / 3), (lambda b: b @ a @ c, 1 / 6),
        (lambda b: b @ c**3, 1 / 4), (lambda b: (b * c) @ a @ c, 1 / 8), (lambda b: b @ a @ c**2, 1 / 12),
        (lambda b: b @ a @ a @ c, 1 / 24),
    ]  # fmt: skip
    fifth = [
        (lambda b: b @ c**4, 1 / 5), (lambda b: (b * c**2) @ a @ c, 1 / 10), (lambda b: b @ (a @ c) ** 2, 1 / 20),
        (lambda b: (b * c) @ a @ c**2, 1 / 15), (lambda b: b @ a @ c**3, 1 / 20),
        (lambda b: (b * c) @ a @ a @ c, 1 / 30), (lambda b: b @ a @ (c * (a @ c)), 1 / 40),
        (lambda b: b @ a @ a @ c**2, 1 / 60), (lambda b: b @ a @ a @ a @ c, 1 / 120),
    ]  # fmt: skip
    for condition, value in trees:
        assert condition(a[-1]) == pytest.approx(value, abs=1e-14)
        assert condition(tableau.FOURTH) == pytest.approx(value, abs=1e-14)
    for condition, value in fifth:
        assert condition(a[-1]) == pytest.approx(value, abs=1e-14)
    assert any(abs(condition(tableau.FOURTH) - value) > 1e-4 for condition, value in fifth)


@pytest.mark.parametrize("kind", range(KINDS))
def test_places_have_nothing_of_the_stage_before(kind: int) -> None:
    """`pairs.step.stride` counts on it, behind the first stage: the overlap is known one stage before its rate."""
    for i in range(2, tableau.STAGES):
        assert np.all(tableau.BY_PLACE[kind, i, i - 1 :] == 0.0)


def free_step(h: float, twice: float, square: float, start: np.ndarray, ramp: float, kind: int = 0) -> np.ndarray:
    """Return displacement and velocity after a step of q̈ = ramp·t − 2σ q̇ − ω² q, by the method alone."""
    q, v = start
    w = np.zeros(tableau.STAGES)
    for i in range(tableau.STAGES):
        late = h * tableau.TIME[kind, i]
        there = q + late * v + h * h * tableau.BY_PLACE[kind, i] @ w, v + h * tableau.BY_RATE[kind, i] @ w
        w[i] = ramp * late - twice * there[1] - square * there[0]
    return np.array(there)


def left_out_of(kind: int, h: float, w: float, jerk: float, twice: float, square: float) -> np.ndarray:
    """Return what a step of any kind leaves out."""
    if kind == 0:
        return np.array(tableau.left_out(h, w, jerk, twice, square))
    return np.array(tableau.graded_left_out(kind, h, w, jerk, twice, square)) / np.array([1.0, h])


@pytest.mark.parametrize("kind", range(KINDS))
@pytest.mark.parametrize(("turn", "ratio"), [(0.1, 0.0), (0.5, 0.05), (0.9, 0.05), (0.9, 0.3)])
def test_what_a_step_leaves_out_of_a_vibration_is_known(turn: float, ratio: float, kind: int) -> None:
    omega, start, ramp = 7.0, np.array([0.3, -1.1]), 4.0
    h, twice, square = turn / omega, 2.0 * ratio * omega, omega * omega
    w = -twice * start[1] - square * start[0]
    missing = left_out_of(kind, h, w, ramp - twice * w - square * start[1], twice, square)
    found = free_step(h, twice, square, start, ramp, kind)
    # by the matrix exponential of q, q̇, t and 1
    matrix = np.array([[0.0, 1.0, 0.0, 0.0], [-square, -twice, ramp, 0.0], [0.0, 0.0, 0.0, 1.0], [0.0] * 4])
    exact = (expm(h * matrix) @ np.array([*start, 0.0, 1.0]))[:2]
    scale = np.array([1.0, omega])
    assert np.all(np.abs(found + missing - exact) < 1e-9 * scale)
    assert np.abs((found - exact) / scale).max() > (1e-7 if turn > 0.2 else 1e-12)  # by itself it is not exact


@pytest.mark.parametrize("kind", range(1, KINDS))
def test_what_graded_steps_may_leave_out_unsaid_does_not_count(kind: int) -> None:
    tolerance, omega = 1e-4, 20.0
    run = np.zeros(ledger.RUN_SIZE)
    tableau.note_negligible_graded(tolerance, omega, run)
    h, worst = tableau.even_up_to(kind, run), 0.0
    for phase in np.linspace(0.0, np.pi, 60):
        start = np.array([np.cos(phase), -omega * np.sin(phase)])
        turned = phase + omega * h
        exact = np.array([np.cos(turned), -omega * np.sin(turned)])
        found = free_step(h, 0.0, omega * omega, start, 0.0, kind)
        worst = max(worst, float(np.abs((found - exact) / np.array([1.0, omega])).max()))
    assert 0.2 * tableau.UNSEEN_GRADED * tolerance < worst < 1.1 * tableau.UNSEEN_GRADED * tolerance


def test_steps_that_leave_it_out_lose_no_more_than_they_may() -> None:
    tolerance, omega, lasting = 1e-4, 20.0, 30.0
    h = tableau.negligible(tolerance, omega, lasting)
    state = np.array([1.0, 0.0])
    steps = int(lasting / h)
    step = np.column_stack([free_step(h, 0.0, omega * omega, unit, 0.0) for unit in np.eye(2)])
    state = np.linalg.matrix_power(step, steps) @ state
    exact = np.array([np.cos(omega * h * steps), -omega * np.sin(omega * h * steps)])
    error = np.abs((state - exact) / np.array([1.0, omega])).max()
    assert 0.1 * tableau.UNSEEN * tolerance < error < 1.1 * tableau.UNSEEN * tolerance


@pytest.mark.parametrize("kind", range(KINDS))
def test_a_graded_step_is_the_method_on_graded_time(kind: int) -> None:
    """With a constant acceleration the stages give v = v₀ + w·t and q = q₀ + v₀·t + w·t²/2 at the end of the step."""
    end = tableau.STAGES - 1
    assert tableau.TIME[kind, end] == pytest.approx(1.0, abs=1e-14)
    np.testing.assert_allclose(tableau.BY_RATE[kind].sum(axis=1), tableau.TIME[kind], atol=1e-14)
    assert tableau.BY_PLACE[kind, end].sum() == pytest.approx(0.5, abs=1e-14)
    assert np.all(np.triu(tableau.BY_RATE[kind]) == 0.0)
    assert tableau.SHARE[kind].sum() == pytest.approx(1.0, abs=1e-14)
    assert tableau.MISS[kind].sum() == pytest.approx(0.0, abs=1e-14)
    assert time_map(kind, np.array([0.0, 1.0]))[0] == pytest.approx([0.0, 1.0])


@pytest.mark.parametrize("name", NAMES)
def test_every_law_as_the_general_engine_has_it(name: str) -> None:
    made = problem(law_of(name))
    code, account, peaks = run(PAIR, made, 1e-7)
    expected_code, expected, expected_peaks = run(GENERAL, made, 1e-9)
    assert code == expected_code == endings.FINISHED
    assert account[ledger.IMPACTS] == expected[ledger.IMPACTS] > 3
    np.testing.assert_allclose(peaks, expected_peaks, rtol=2e-5)
    for column in (ledger.LARGEST_FORCE, ledger.TOTAL_IMPULSE):
        np.testing.assert_allclose(account[column], expected[column], rtol=2e-5)
    np.testing.assert_allclose(
        account[: ledger.LEDGER_SIZE], expected[: ledger.LEDGER_SIZE], rtol=2e-5, atol=2e-5 * expected[ledger.INPUT]
    )


@pytest.mark.parametrize("name", ["hertzdamp", "kelvin-voigt", "jankowski-2005"])
def test_converges_and_balances(name: str) -> None:
    _, exact, exact_peaks = run(GENERAL, problem(law_of(name)), 1e-10)
    errors = []
    for rtol in (1e-4, 1e-6, 1e-8):
        code, account, peaks = run(PAIR, problem(law_of(name)), rtol)
        assert code == endings.FINISHED
        errors.append(np.abs(peaks / exact_peaks - 1.0)[:, 0].max())
        parts = account[ledger.KINETIC] + account[ledger.STRAIN] + account[ledger.DAMPING]
        residual = account[ledger.INPUT] - parts - account[ledger.CONTACT_WORK]
        assert abs(residual) < 10 * rtol * account[ledger.INPUT]
    assert errors[0] < 1e-4
    assert errors[1] < 1e-6
    assert errors[2] < 1e-7
    assert exact[ledger.IMPACTS] > 3


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@given(
    name=st.sampled_from(NAMES),
    gap=st.floats(0.0, 0.04),
    stiffness=st.floats(5e7, 2e10),
    restitution=st.floats(0.2, 0.95),
    first=st.floats(0.1, 3.0),
    second=st.floats(0.1, 3.0),
)
def test_random_pairs(name, gap, stiffness, restitution, first, second) -> None:
    made = problem(law_of(name, stiffness, restitution), gap, (first, second))
    code, account, peaks = run(PAIR, made, 1e-6)
    expected_code, expected, expected_peaks = run(GENERAL, made, 1e-8)
    assert expected_code == endings.FINISHED
    if code == UNUSUAL:  # damping without bound held bodies that met without speed: long, and better stepped by others
        assert gap < 1e-6
        return
    assert code == endings.FINISHED
    change = 1e-8 * expected_peaks[:, 0].max()  # of the gap, which may be zero
    _, _, moved = run(GENERAL, made.replace(gap=gap + change), 1e-8)
    amplified = np.abs(moved / expected_peaks - 1.0).max() / 1e-8
    assume(amplified < 20.0)
    bound = 3e-5 * max(1.0, amplified)
    np.testing.assert_allclose(peaks, expected_peaks, rtol=bound)
    np.testing.assert_allclose(account[ledger.LARGEST_FORCE], expected[ledger.LARGEST_FORCE], rtol=bound)


@pytest.mark.parametrize("name", ["kuwabara-kono-1987", "tsuji-1992", "jankowski-2005"])
def test_velocity_peaks_soon_after_a_touch(name: str) -> None:
    """The fastest moment lies in the first step of a contact, where the acceleration is smooth in √t only."""
    made = problem(law_of(name, 2e8, 0.40625), 0.015625, (0.75, 0.375))
    _, _, exact = run(PAIR, made, 1e-10)
    for rtol, error in ((1e-4, 1e-4), (1e-6, 1e-6), (1e-8, 1e-7)):
        np.testing.assert_allclose(run(GENERAL, made, rtol)[2][:, 1], exact[:, 1], rtol=error)


def test_what_it_does_not_take() -> None:
    quick = problem(law_of("hertzdamp"), periods=(0.6, 0.002))  # 31 radians a sample
    assert run(PAIR, quick, 1e-6)[0] == UNUSUAL
    overlapping = problem(law_of("hertzdamp"), gap=-0.001, allow_overlap=True)
    assert run(PAIR, overlapping, 1e-6)[0] == UNUSUAL


def test_a_pair_is_two_modes_that_each_move_a_degree_of_freedom() -> None:
    made = problem(law_of("hertzdamp"))
    assert explicit_engine(made.flat()) is PAIR
    tower = carom.ShearBuilding(masses=[1e4, 1e4], stiffnesses=[1e7, 1e7], damping_ratio=0.05, name="tower")
    contact = carom.Contact(("tower", 2), "wall", gap=0.01, law=law_of("hertzdamp"))
    assert explicit_engine(carom.Problem([tower, carom.Wall(name="wall")], [contact], motion=SHAKE).flat()) is SEVERAL
    assert explicit_engine(carom.Problem([tower], motion=SHAKE).flat()) is None


SOFT = {"hertzdamp": 5e8, "hertz": 2e7, "kelvin-voigt": 2e6, "jankowski-2005": 1e7, "lee-wang-1983": 2e7}
"""Contacts about as stiff as the structures themselves, in which bodies stay for many samples."""


@pytest.mark.parametrize("gap", [0.0, 0.005])
@pytest.mark.parametrize("name", SOFT)
def test_soft_contacts_and_no_gap(name: str, gap: float) -> None:
    """Long contacts, touches without speed, bodies that stand side by side at the start."""
    kind = carom.laws.laws.get(name)
    made = problem(kind(stiffness=SOFT[name], **({} if kind.m is None else {"restitution": 0.6})), gap)
    code, account, peaks = run(PAIR, made, 1e-7)
    expected_code, expected, expected_peaks = run(GENERAL, made, 1e-9)
    assert code == expected_code == endings.FINISHED
    assert account[ledger.IMPACTS] == expected[ledger.IMPACTS] > 3
    np.testing.assert_allclose(peaks, expected_peaks, rtol=2e-5)
    np.testing.assert_allclose(account[ledger.LARGEST_FORCE], expected[ledger.LARGEST_FORCE], rtol=2e-5)


@pytest.mark.parametrize("tension", [True, False])
@pytest.mark.parametrize("name", ["hertzdamp", "kelvin-voigt", "jankowski-2005", "papi-2022"])
def test_histories_impacts_and_ledger_are_those_of_the_general_engine(name: str, tension: bool) -> None:
    made = problem(law_of(name).replace(tension=tension), gap=0.006)
    quick, general = (carom.simulate(made, rtol=1e-8, path=path) for path in ("quick", "general"))
    assert (quick.evidence["path"], general.evidence["path"]) == ("pair", "general")
    for history in ("displacement", "velocity", "acceleration", "force", "gap"):
        ours, theirs = getattr(quick, history), getattr(general, history)
        np.testing.assert_allclose(ours, theirs, atol=1e-5 * np.abs(theirs).max())
    for column, values in general.table.items():
        scale = np.abs(np.nan_to_num(values.astype(float))).max()
        np.testing.assert_allclose(quick.table[column].astype(float), values.astype(float), atol=1e-5 * scale)
    for name_of, values in general.ledger.items():
        np.testing.assert_allclose(quick.ledger[name_of], values, atol=1e-5 * general.ledger["input"].max())


def test_a_contact_that_is_closed_at_the_end_is_a_row() -> None:
    left = carom.Oscillator(mass=4600, period=0.6, damping_ratio=0.05, name="left")
    right = carom.Oscillator(mass=3500, period=0.3, damping_ratio=0.05, name="right")
    contact = carom.Contact("left", "right", gap=0.0, law=carom.law("linear", stiffness=1e6))
    push = carom.Motion(-3.0 * np.ones(400), dt=0.01)
    made = carom.Problem([left, right], [contact], motion=push)
    quick, general = (carom.simulate(made, path=path) for path in ("quick", "general"))
    assert quick.evidence["path"] == "pair"
    assert quick.evidence["closed_at_end"] == general.evidence["closed_at_end"]
    np.testing.assert_array_equal(quick.table["ended"], general.table["ended"])


def test_ensembles_finish_what_is_left() -> None:
    """Periods of which one is too short for the explicit engine: runs are those of `simulate`, to tolerance."""
    made = problem(law_of("hertzdamp"))
    many = carom.ensemble(made, vary={"right.period": [0.3, 0.002], "gap": [0.008, 0.012, 3.0]}, rtol=1e-7)
    assert many.failed == 0
    for i, period in enumerate((0.3, 0.002)):
        for j, gap in enumerate((0.008, 0.012, 3.0)):
            right = made.structures[1].replace(period=period)
            single = carom.simulate(made.replace(structures=(made.structures[0], right), gap=gap), rtol=1e-7)
            one = many.dataset.isel({"right.period": i, "gap": j})
            for name in ("displacement", "velocity", "acceleration"):
                np.testing.assert_allclose(one[name], single.peaks[name], rtol=2e-5)
            assert int(one.impacts) == single.table["start"].size


def test_ensembles_of_pairs_take_it(monkeypatch: pytest.MonkeyPatch) -> None:
    taken = []
    original = batches.on_cpu
    monkeypatch.setattr(batches, "on_cpu", lambda engine, *rest: (taken.append(engine.path), original(engine, *rest)))
    carom.ensemble(problem(law_of("hertzdamp")), vary={"gap": [0.01, 0.02]}, rtol=1e-4)
    assert taken == ["pair"]


def test_a_pair_that_never_meets_is_its_own_twin() -> None:
    many = carom.ensemble(problem(law_of("hertz")), vary={"gap": [0.9, 3.0], "scale": [0.5, 1.0]}, rtol=1e-4, twin=True)
    for name in ("displacement_ratio", "velocity_ratio", "acceleration_ratio"):
        assert (many.dataset[name].values == 1.0).all()


def test_touches_that_gather_speed() -> None:
    """Strong motions push bodies that hardly touch: χ follows the rate for a while, then stays."""
    gaps, scales = np.linspace(0.002, 0.02, 12), (1.0, 2.5)
    made = problem(law_of("hertzdamp"), periods=(0.8, 0.3))
    for rtol, apart in ((1e-5, 1e-4), (1e-8, 1e-7)):
        left = []
        for scale in scales:
            for gap in gaps:
                case = made.replace(gap=float(gap), motion=SHAKE.scaled(factor=scale))
                code, account, peaks = run(PAIR, case, rtol)
                assert code == endings.FINISHED
                expected = run(GENERAL, case, 1e-10)
                left.append(np.abs(peaks[:, 0] / expected[2][:, 0] - 1.0).max())
                assert abs(balance(account)) < 10 * rtol * account[ledger.INPUT]
        assert np.median(left) < apart


def balance(account: np.ndarray) -> float:
    """Return what the account does not explain of the input."""
    spent = (ledger.KINETIC, ledger.STRAIN, ledger.DAMPING, ledger.CONTACT_WORK)
    return float(account[ledger.INPUT] - sum(account[column] for column in spent))
