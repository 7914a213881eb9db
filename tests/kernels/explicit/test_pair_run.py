"""The fast path for pairs against the general engine, which takes other steps by other formulas."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import carom
from carom.backends import compiled
from carom.integrate import batches
from carom.integrate.tables import no_histories, tables_of
from carom.kernels import endings, ledger, rows
from carom.kernels.contact.collocation import KINDS, time_map
from carom.kernels.endings import UNUSUAL
from carom.kernels.event import engine as pounding
from carom.kernels.explicit import pair_run as pair
from carom.kernels.explicit import pair_step
from carom.kernels.tables import Shaking

DEFAULT = carom.motions.get("default")
NAMES = list(carom.laws.laws.names())
SHAKE = carom.Motion(DEFAULT.acceleration[100:1100], dt=DEFAULT.dt, source="a third of the default")


def problem(law: carom.laws.CompliantLaw, gap: float = 0.01, periods=(0.6, 0.3), **more) -> carom.Problem:
    left = carom.Oscillator(mass=4600, period=periods[0], damping_ratio=0.05, name="left")
    right = carom.Oscillator(mass=3500, period=periods[1], damping_ratio=0.05, name="right")
    return carom.Problem([left, right], [carom.Contact("left", "right", gap=gap, law=law)], **{"motion": SHAKE, **more})


def run(kernel, given: carom.Problem, rtol: float):
    """Return how a run ended, its account and its peaks."""
    flat = given.flat()
    tables = tables_of(flat)
    tables.run[ledger.TOLERANCE], tables.run[ledger.LIMIT] = rtol, 1e6
    shaking, nothing = Shaking(flat.support, flat.line_ground, 1.0, flat.dt), no_histories()
    code = compiled(kernel)(tables, shaking, nothing.impacts if kernel is pair.pound_pair else nothing)
    return code, tables.run, tables.floors[:, rows.PEAKS : rows.PEAKS + 3]


def law_of(name: str, stiffness: float = 1e9, restitution: float = 0.6):
    """A law by name; linear ones are softer, and those without a relation to restitution are calibrated."""
    kind = carom.laws.laws.get(name)
    scaled = 0.04 * stiffness if kind.n == 1.0 else stiffness
    law = kind(stiffness=scaled, **({} if kind.m is None else {"restitution": restitution}))
    return law.calibrated(mass=2000.0, velocity=0.3) if getattr(law, "empirical", False) else law


def test_the_tableau_has_orders_five_and_four() -> None:
    a, c = pair_step.TABLEAU, pair_step.NODES
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
        assert condition(pair_step.FOURTH) == pytest.approx(value, abs=1e-14)
    for condition, value in fifth:
        assert condition(a[-1]) == pytest.approx(value, abs=1e-14)
    assert any(abs(condition(pair_step.FOURTH) - value) > 1e-4 for condition, value in fifth)


@pytest.mark.parametrize("kind", range(KINDS))
def test_a_graded_step_is_the_method_on_graded_time(kind: int) -> None:
    """With a constant acceleration the stages give v = v₀ + w·t and q = q₀ + v₀·t + w·t²/2 at the end of the step."""
    end = pair_step.STAGES - 1
    assert pair_step.TIME[kind, end] == pytest.approx(1.0, abs=1e-14)
    np.testing.assert_allclose(pair_step.BY_RATE[kind].sum(axis=1), pair_step.TIME[kind], atol=1e-14)
    assert pair_step.BY_PLACE[kind, end].sum() == pytest.approx(0.5, abs=1e-14)
    assert np.all(np.triu(pair_step.BY_RATE[kind]) == 0.0)
    assert pair_step.SHARE[kind].sum() == pytest.approx(1.0, abs=1e-14)
    assert pair_step.MISS[kind].sum() == pytest.approx(0.0, abs=1e-14)
    assert time_map(kind, np.array([0.0, 1.0]))[0] == pytest.approx([0.0, 1.0])


@pytest.mark.parametrize("name", NAMES)
def test_every_law_as_the_general_engine_has_it(name: str) -> None:
    for gap in (0.01, 0.012, 0.014):  # with one of them no touch is without speed, which the lane leaves to others
        made = problem(law_of(name), gap)
        code, account, peaks = run(pair.pound_pair, made, 1e-7)
        if code != UNUSUAL:
            break
    expected_code, expected, expected_peaks = run(pounding.pound, made, 1e-9)
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
    _, exact, exact_peaks = run(pounding.pound, problem(law_of(name)), 1e-10)
    errors = []
    for rtol in (1e-4, 1e-6, 1e-8):
        code, account, peaks = run(pair.pound_pair, problem(law_of(name)), rtol)
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
    gap=st.floats(0.002, 0.04),
    stiffness=st.floats(2e8, 5e9),
    restitution=st.floats(0.4, 0.95),
    first=st.floats(0.2, 1.5),
    second=st.floats(0.15, 0.8),
)
def test_random_pairs(name, gap, stiffness, restitution, first, second) -> None:
    made = problem(law_of(name, stiffness, restitution), gap, (first, second))
    code, account, peaks = run(pair.pound_pair, made, 1e-6)
    assume(code != UNUSUAL)
    expected_code, expected, expected_peaks = run(pounding.pound, made, 1e-8)
    assert code == expected_code == endings.FINISHED
    _, _, moved = run(pounding.pound, made.replace(gap=gap * (1 + 1e-8)), 1e-8)
    amplified = np.abs(moved / expected_peaks - 1.0).max() / 1e-8
    assume(amplified < 20.0)
    np.testing.assert_allclose(peaks, expected_peaks, rtol=3e-5)
    np.testing.assert_allclose(account[ledger.LARGEST_FORCE], expected[ledger.LARGEST_FORCE], rtol=3e-5)


@pytest.mark.parametrize("name", ["kuwabara-kono-1987", "tsuji-1992", "jankowski-2005"])
def test_velocity_peaks_soon_after_a_touch(name: str) -> None:
    """The fastest moment lies in the first step of a contact, where the acceleration is smooth in √t only."""
    made = problem(law_of(name, 2e8, 0.40625), 0.015625, (0.75, 0.375))
    _, _, exact = run(pair.pound_pair, made, 1e-10)
    for rtol, error in ((1e-4, 1e-4), (1e-6, 1e-6), (1e-8, 1e-7)):
        np.testing.assert_allclose(run(pounding.pound, made, rtol)[2][:, 1], exact[:, 1], rtol=error)


def test_what_the_lane_does_not_take() -> None:
    soft = law_of("hertzdamp")
    quick = problem(soft, periods=(0.6, 0.002))  # 31 radians a sample
    assert run(pair.pound_pair, quick, 1e-6)[0] == UNUSUAL
    overlapping = problem(soft, gap=0.0)
    assert run(pair.pound_pair, overlapping, 1e-6)[0] == UNUSUAL


def test_ensembles_finish_what_the_lane_leaves() -> None:
    """Periods of which one is too short for the lane: each run is that of `simulate`, to what the tolerance grants."""
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


def test_pairs_take_the_lane(monkeypatch: pytest.MonkeyPatch) -> None:
    taken = []
    original = batches.on_cpu
    monkeypatch.setattr(
        batches, "on_cpu", lambda kernel, *rest: (taken.append(kernel.__name__), original(kernel, *rest))
    )
    carom.ensemble(problem(law_of("hertzdamp")), vary={"gap": [0.01, 0.02]}, rtol=1e-4)
    assert taken[0] == "pair_batch"


def test_a_pair_that_never_meets_is_its_own_twin() -> None:
    many = carom.ensemble(problem(law_of("hertz")), vary={"gap": [0.9, 3.0], "scale": [0.5, 1.0]}, rtol=1e-4, twin=True)
    for name in ("displacement_ratio", "velocity_ratio", "acceleration_ratio"):
        assert (many.dataset[name].values == 1.0).all()


def test_touches_that_gather_speed_stay_in_the_lane() -> None:
    """Strong motions push bodies that hardly touch: χ follows the rate for a while, then stays."""
    gaps, scales = np.linspace(0.002, 0.02, 12), (1.0, 2.5)
    made = problem(law_of("hertzdamp"), periods=(0.8, 0.3))
    for rtol, apart in ((1e-5, 1e-4), (1e-8, 1e-7)):
        left = []
        for scale in scales:
            for gap in gaps:
                case = made.replace(gap=float(gap), motion=SHAKE.scaled(factor=scale))
                code, account, peaks = run(pair.pound_pair, case, rtol)
                assert code == endings.FINISHED
                expected = run(pounding.pound, case, 1e-10)
                left.append(np.abs(peaks[:, 0] / expected[2][:, 0] - 1.0).max())
                assert abs(balance(account)) < 10 * rtol * account[ledger.INPUT]
        assert np.median(left) < apart


def balance(account: np.ndarray) -> float:
    """Return what the account does not explain of the input."""
    spent = (ledger.KINETIC, ledger.STRAIN, ledger.DAMPING, ledger.CONTACT_WORK)
    return float(account[ledger.INPUT] - sum(account[column] for column in spent))
