"""What the event-driven engine promises: convergence, balance, no touch missed. Stiff modes have their own file."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.linalg import expm
from tests.integrate.promised import DEFAULT, HERTZDAMP, LEFT, RIGHT, SHAKE, damped, imbalance, pair
from tests.naive import LAWS
from tests.naive_pounding import NaiveContact, naive_pounding

import carom
from carom.laws import laws


def error(run: carom.results.Simulation, exact: carom.results.Simulation) -> float:
    return float(np.abs(run.displacement - exact.displacement).max() / np.abs(exact.displacement).max())


TOLERANCES = (1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9)
SEVERAL = ("hertzdamp", "kelvin-voigt", "jankowski-2005", "tsuji-1992", "mahmoud-jankowski-2011", "linear")


@pytest.mark.parametrize("name", SEVERAL)
def test_answers_converge_as_the_tolerance_falls(name: str) -> None:
    problem = pair(damped(name))
    exact = carom.simulate(problem, rtol=1e-12)
    errors = []
    for rtol in TOLERANCES:
        run = carom.simulate(problem, rtol=rtol)
        assert run.table["start"].size == exact.table["start"].size > 3
        assert imbalance(run) < 10.0 * rtol
        errors.append(error(run, exact))
    assert errors[0] < 1e-3
    assert errors[2] < 1e-5
    assert errors[-1] < 1e-7
    for before, after in zip(errors[:-2], errors[2:], strict=True):  # over two decades it falls, by chance not over one
        assert after < before


def row_of_three(law: carom.laws.CompliantLaw) -> carom.Problem:
    middle = carom.Oscillator(mass=5200, stiffness=1.4e6, damping_ratio=0.02, name="last")
    contacts = [carom.Contact("left", "right", gap=0.01, law=law), carom.Contact("right", "last", gap=0.008, law=law)]
    return carom.Problem([LEFT, RIGHT, middle], contacts, motion=SHAKE)


def floors(law: carom.laws.CompliantLaw) -> carom.Problem:
    tall = carom.ShearBuilding(masses=[2e4] * 4, stiffnesses=[3e7] * 4, damping_ratio=0.05, name="tall")
    low = carom.ShearBuilding(masses=[2e4] * 3, stiffnesses=[6e7] * 3, damping_ratio=0.05, name="low")
    return carom.Problem([tall, low], [carom.facing("tall", "low", gap=0.006, law=law)], motion=SHAKE)


def fixed_wall(law: carom.laws.CompliantLaw) -> carom.Problem:
    wall = carom.Wall("wall", moving=False)
    return carom.Problem([wall, LEFT], [carom.Contact("wall", "left", gap=0.005, law=law)], motion=SHAKE)


def delayed(law: carom.laws.CompliantLaw) -> carom.Problem:
    return pair(law, motion={"left": SHAKE, "right": (SHAKE, 0.05)})


@pytest.mark.parametrize("name", ["hertzdamp", "kelvin-voigt", "jankowski-2005"])
@pytest.mark.parametrize("build", [row_of_three, floors, fixed_wall, delayed])
@pytest.mark.parametrize("rtol", [1e-4, 1e-6, 1e-8])
def test_energy_balances(build, name: str, rtol: float) -> None:
    run = carom.simulate(build(damped(name)), rtol=rtol)
    assert run.table["start"].size > 0
    assert imbalance(run) < 10.0 * rtol


@pytest.mark.parametrize("name", SEVERAL)
def test_momentum_is_exchanged_equal_and_opposite(name: str) -> None:
    """Three free bodies in a row: what the impulses take from one they give to the next, and the sum stays."""
    masses = np.array([3.0, 7.0, 2.0])
    bodies = [carom.Body(mass=m, name=n) for m, n in zip(masses, "abc", strict=True)]
    law = laws.get(name)(stiffness=1e6, **({} if name == "linear" else {"restitution": 0.6}))
    contacts = [carom.Contact("a", "b", gap=0.001, law=law), carom.Contact("b", "c", gap=0.002, law=law)]
    problem = carom.Problem(bodies, contacts, initial_velocity={"a": 1.0, "c": -0.5})
    run = carom.simulate(problem, duration=0.2, sampling=0.01)
    momentum = run.velocity * masses
    assert run.table["start"].size >= 2
    np.testing.assert_allclose(momentum.sum(axis=1), 3.0 - 1.0, rtol=1e-13)
    first, second = (run.table["impulse"][run.table["contact"] == c].sum() for c in (0, 1))
    np.testing.assert_allclose(momentum[-1] - momentum[0], [-first, first - second, second], rtol=1e-9, atol=1e-12)


# touches inside one sample, contact that lasts, no gap


def test_several_impacts_inside_one_sample() -> None:
    """A ball between two elastic walls, half sines in closed form; the record's sample is the whole run."""
    mass, k, speed, room = 2.0, 8e6, 1.5, 0.03
    law = carom.law("linear", stiffness=k)
    ball = carom.Body(mass=mass, name="ball")
    contacts = [carom.Contact("ball", "right", gap=room, law=law), carom.Contact("left", "ball", gap=room, law=law)]
    walls = [carom.Wall("left"), carom.Wall("right")]
    problem = carom.Problem([walls[0], ball, walls[1]], contacts, initial_velocity={"ball": speed})
    run = carom.simulate(problem, duration=0.2, sampling=0.2, rtol=1e-9)
    assert run.time.size == 2
    touching, flying = math.pi * math.sqrt(mass / k), 2.0 * room / speed
    starts = room / speed + np.arange(5) * (touching + flying)
    np.testing.assert_allclose(run.table["start"], starts, rtol=1e-8)
    np.testing.assert_allclose(run.table["contact"], [0, 1, 0, 1, 0])
    np.testing.assert_allclose(run.table["duration"], touching, rtol=1e-7)
    np.testing.assert_allclose(run.table["peak_force"], speed * math.sqrt(k * mass), rtol=1e-7)
    np.testing.assert_allclose(
        run.extremes[0], [room + speed * math.sqrt(mass / k), speed, speed * math.sqrt(k / mass)]
    )


def test_contact_without_gap_that_lasts_under_a_constant_load() -> None:
    """Two oscillators pressed together from rest at zero gap never part: one linear system, by its exponential."""
    k, e, load = 8e7, 0.3, 3e4
    law = carom.law("kelvin-voigt", stiffness=k, restitution=e)
    masses, springs = np.array([4600.0, 3500.0]), np.array([2.11e6, 5.31e6])
    c = -2.0 * math.log(e) / math.hypot(math.pi, math.log(e)) * math.sqrt(k * masses.prod() / masses.sum())
    pushed = carom.Structure([masses[0]], [[springs[0]]], damping_ratio=0.02, load=[load], name="left")
    problem = carom.Problem([pushed, RIGHT], [carom.Contact("left", "right", gap=0.0, law=law)])
    run = carom.simulate(problem, duration=1.0, sampling=0.05)
    joint = np.array([[1.0, -1.0], [-1.0, 1.0]])
    a = np.zeros((5, 5))
    a[:2, 2:4] = np.eye(2)
    a[2:4, :2] = -(np.diag(springs) + k * joint) / masses[:, None]
    a[2:4, 2:4] = -(np.diag(0.04 * np.sqrt(springs * masses)) + c * joint) / masses[:, None]
    a[2, 4] = load / masses[0]
    expected = np.array([expm(a * t) @ [0, 0, 0, 0, 1.0] for t in run.time])
    (row,) = zip(*(run.table[name] for name in ("start", "duration", "ended")), strict=True)
    assert row == pytest.approx((0.0, 1.0, 0.0), abs=1e-4)  # one impact, which has not ended
    assert np.isnan(run.table["separation_velocity"]).all()
    carried = 0.05 * (run.force.sum() - 0.5 * (run.force[0] + run.force[-1]).sum())  # by the trapezium rule
    assert run.table["impulse"][0] == pytest.approx(carried, rel=0.05)
    size = np.abs(expected[:, :2]).max()
    np.testing.assert_allclose(run.displacement, expected[:, :2], atol=1e-6 * size)
    overlap, rate = expected[1:, 0] - expected[1:, 1], expected[1:, 2] - expected[1:, 3]
    np.testing.assert_allclose(run.force[1:, 0], k * overlap + c * rate, rtol=1e-5)
    assert imbalance(run) < 1e-5


@pytest.mark.parametrize("name", ["hertzdamp", "jankowski-2005", "kelvin-voigt"])
def test_zero_gap_against_the_naive_implementation(name: str) -> None:
    law = damped(name)
    problem = pair(law, gap=0.0, motion=None, initial_displacement={"left": -0.02})
    run = carom.simulate(problem, duration=0.6, sampling=0.01)
    masses, springs = np.array([4600.0, 3500.0]), np.array([2.11e6, 5.31e6])
    spelled = {"hertzdamp": "lankarani-nikravesh-1990"}.get(name, name)
    mass = masses.prod() / masses.sum()
    contact = NaiveContact(np.array([1.0, -1.0]), 0.0, lambda v: LAWS[spelled](law.stiffness, 0.6, mass, v))
    slow = naive_pounding(
        np.diag(masses), np.diag(0.04 * np.sqrt(springs * masses)), np.diag(springs), [contact], np.zeros(61), 0.01,
        np.array([-0.02, 0.0]), np.zeros(2), parts=6,
    )  # fmt: skip
    assert len(slow.impacts) == run.table["start"].size > 2
    np.testing.assert_allclose(run.displacement, slow.displacement, atol=1e-5 * 0.02)
    np.testing.assert_allclose(run.table["peak_force"], [row[3] for row in slow.impacts], rtol=1e-4)


def touching_row(seed: int) -> carom.Problem:
    """Two to four oscillators without gaps; every other row has equal periods: its bodies move alike but for noise."""
    rng = np.random.default_rng(seed)
    count = int(rng.integers(2, 5))
    periods = [0.5] * count if seed % 2 else rng.uniform(0.15, 1.2, count).tolist()
    row = [
        carom.Oscillator(mass=10 ** rng.uniform(3, 5), period=period, damping_ratio=0.05, name=f"o{i}")
        for i, period in enumerate(periods)
    ]
    names = [str(rng.choice([*SEVERAL, "ye-2009", "flores-2011"])) for _ in range(count - 1)]
    contacts = [carom.Contact(f"o{i}", f"o{i + 1}", gap=0.0, law=damped(name)) for i, name in enumerate(names)]
    more = {"initial_velocity": {"o0": 0.3}} if seed % 3 == 0 else {}
    return carom.Problem(row, contacts, motion=SHAKE, **more)


@pytest.mark.parametrize("seed", range(24))
def test_bodies_that_stand_side_by_side(seed: int) -> None:
    """One pushes the next, which closes a contact that has neither overlap nor speed; or rounding alone moves them."""
    problem = touching_row(seed)
    for rtol in (1e-4, 1e-6, 1e-9):
        run = carom.simulate(problem, rtol=rtol, step_limit=20_000)
        assert run.outcome.word == "finished"
        assert -run.gap.min() < 0.01  # nobody walks through another


def test_a_push_along_a_row_without_gaps() -> None:
    """Three free bodies side by side, the first thrown at the others: springs of Hertz by direct integration."""
    masses, k, speed = np.array([3.0, 7.0, 2.0]), 1e6, 0.5
    bodies = [carom.Body(mass=m, name=n) for m, n in zip(masses, "abc", strict=True)]
    law = carom.law("hertz", stiffness=k)
    contacts = [carom.Contact("a", "b", gap=0.0, law=law), carom.Contact("b", "c", gap=0.0, law=law)]
    problem = carom.Problem(bodies, contacts, initial_velocity={"a": speed})
    run = carom.simulate(problem, duration=0.2, sampling=0.02, rtol=1e-8)

    def motion(_t: float, y: np.ndarray) -> np.ndarray:
        first, second = (k * max(y[i] - y[i + 1], 0.0) ** 1.5 for i in (0, 1))
        return np.concatenate([y[3:], np.array([-first, first - second, second]) / masses])

    out = solve_ivp(
        motion, (0.0, 0.2), [0.0] * 3 + [speed, 0.0, 0.0], method="DOP853", rtol=1e-11, atol=1e-14, t_eval=run.time,
        max_step=1e-4,
    )  # fmt: skip
    np.testing.assert_allclose(run.velocity, out.y[3:].T, atol=1e-7 * speed)
    np.testing.assert_allclose(run.displacement, out.y[:3].T, atol=1e-7 * speed * 0.2)


def test_noise_does_not_spin() -> None:
    """Equal periods and no gap: the bodies move alike, and a small limit is either enough or said to be reached."""
    for seed in (1, 3, 5, 7, 11):
        run = carom.simulate(touching_row(seed), rtol=1e-9, step_limit=200, fail="return")
        assert run.outcome.word in ("finished", "step-limit")
        assert run.evidence["contact_steps"] + run.evidence["rejected_steps"] <= 220


def test_damping_that_couples_modes_against_the_naive_implementation() -> None:
    """A dashpot between the first floor and the ground alone: not classical, and the floors pound."""
    c = np.array([[3e5, -1e4], [-1e4, 1e4]])
    tall = carom.Structure([2e4, 2e4], [[6e7, -3e7], [-3e7, 3e7]], damping=c, dofs=["one", "two"], name="tall")
    assert not tall.classical
    problem = carom.Problem(
        [tall, RIGHT], [carom.Contact(("tall", "two"), "right", gap=0.005, law=HERTZDAMP)], motion=SHAKE
    )  # fmt: skip
    run = carom.simulate(problem)
    mass, stiff, damping = np.diag([2e4, 2e4, 3500.0]), np.zeros((3, 3)), np.zeros((3, 3))
    stiff[:2, :2], damping[:2, :2] = tall.stiffness_matrix, c
    stiff[2, 2], damping[2, 2] = 5.31e6, 0.04 * math.sqrt(5.31e6 * 3500.0)
    effective = 1.0 / (1.0 / 2e4 + 1.0 / 3500.0)
    contact = NaiveContact(
        np.array([0.0, 1.0, -1.0]), 0.005, lambda v: LAWS["lankarani-nikravesh-1990"](2e9, 0.6, effective, v)
    )  # fmt: skip
    slow = naive_pounding(
        mass, damping, stiff, [contact], SHAKE.acceleration, SHAKE.dt, np.zeros(3), np.zeros(3), parts=8
    )
    assert len(slow.impacts) == run.table["start"].size > 2
    np.testing.assert_allclose(run.extremes[:, 0], slow.peaks, rtol=1e-5)
    np.testing.assert_allclose(run.table["peak_force"], [row[3] for row in slow.impacts], rtol=1e-4)
    assert imbalance(run) < 1e-5


# ways to ask


@pytest.fixture
def _own_names():
    laws.names()  # which finds the members, lest they go with what a test adds
    before = dict(laws._members), dict(laws._aliases), dict(laws._lookup)
    yield
    laws._members, laws._aliases, laws._lookup = before


@pytest.mark.usefixtures("_own_names")
def test_a_python_function_equals_the_same_law_of_the_power_form(monkeypatch: pytest.MonkeyPatch) -> None:
    """Uncompiled: the engine would be compiled for this one law."""

    @carom.register_law("my-kuwabara-kono")
    def mine(overlap: float, rate: float) -> float:
        return math.sqrt(overlap) * (2e9 * overlap + 4e6 * rate)

    power = carom.law("kuwabara-kono-1987", stiffness=2e9, damping=4e6)
    two = carom.simulate(pair(power))
    monkeypatch.setenv("CAROM_BACKEND", "python")
    one = carom.simulate(pair(carom.law("my-kuwabara-kono")))
    assert one.table["start"].size == two.table["start"].size > 3
    np.testing.assert_allclose(one.extremes[:, 0], two.extremes[:, 0], rtol=1e-5)
    np.testing.assert_allclose(one.table["peak_force"], two.table["peak_force"], rtol=1e-4)
    assert imbalance(one) < 1e-5


@pytest.mark.parametrize("sampling", [0.002, 0.0025, 0.015, 0.01, 0.03])
def test_sampling_of_the_history_leaves_the_answer(sampling: float) -> None:
    plain, other = carom.simulate(pair()), carom.simulate(pair(), sampling=sampling)
    assert np.allclose(np.diff(other.time), sampling)
    assert other.time.size == 1 + math.floor((SHAKE.npts - 1) * 0.01 / sampling + 1e-9)
    assert other.table["start"].size == plain.table["start"].size
    np.testing.assert_allclose(other.extremes[:, 0], plain.extremes[:, 0], rtol=1e-5)
    np.testing.assert_allclose(other.table["peak_force"], plain.table["peak_force"], rtol=1e-4)
    _, here, there = np.intersect1d(np.round(plain.time, 9), np.round(other.time, 9), return_indices=True)
    assert here.size > 50
    np.testing.assert_allclose(other.displacement[there], plain.displacement[here], atol=1e-7)
    if sampling in (0.01, 0.03):  # the very same steps
        np.testing.assert_array_equal(other.extremes, plain.extremes)
        np.testing.assert_array_equal(other.displacement[there], plain.displacement[here])


def tall_towers(name: str) -> carom.Problem:
    """Two of twenty-four storeys that meet at their tops."""
    motion = carom.Motion(4.0 * np.sin(5.0 * np.arange(0.0, 2.5, 0.02)) * np.hanning(125), dt=0.02)
    law = carom.law("hertzdamp", stiffness=2e10, restitution=0.7)
    if name == "kelvin-voigt":
        law = carom.law("kelvin-voigt", stiffness=3e8, restitution=0.7)
    towers = [
        carom.ShearBuilding(masses=[1e5] * 24, stiffnesses=[k] * 24, damping_ratio=0.05, name=which)
        for which, k in (("soft", 8e8), ("stiff", 3e9))
    ]
    contact = carom.Contact(("soft", 24), ("stiff", 24), gap=0.01, law=law)
    return carom.Problem(towers, [contact], motion=motion)


@pytest.mark.parametrize("name", ["hertzdamp", "kelvin-voigt"])
def test_peaks_of_tall_buildings_are_true_extremes(name: str) -> None:
    """Several radians of the quickest mode in a sample, a fifth of one in finer ones.

    Fine samples come close to every peak, none exceeds it, and the peaks do not depend on them.
    """
    problem = tall_towers(name)
    coarse = carom.simulate(problem, rtol=1e-9)
    fine = carom.simulate(problem, rtol=1e-9, sampling=0.001)
    assert coarse.table["start"].size == fine.table["start"].size > 1
    for quantity, tolerance in (("displacement", 1e-9), ("velocity", 2e-8), ("acceleration", 1e-7)):
        peaks = coarse.peaks[quantity].values
        np.testing.assert_allclose(peaks, fine.peaks[quantity].values, rtol=tolerance)
        samples = np.abs(fine.history[quantity].values).max(axis=0)
        assert (samples <= peaks * (1.0 + tolerance)).all()
        if quantity != "acceleration":  # forces are quicker than any sample
            assert (samples >= 0.99 * peaks).all()


@pytest.mark.parametrize("name", ["hertzdamp", "kelvin-voigt"])
def test_peaks_in_contact_follow_the_tolerance(name: str) -> None:
    """Inside long steps, too, where polynomials through their nodes would miss 1e-4 of an acceleration."""
    problem = tall_towers(name)
    found, truth = carom.simulate(problem, rtol=1e-6), carom.simulate(problem, rtol=1e-11)
    for quantity, tolerance in (("displacement", 1e-7), ("velocity", 2e-6), ("acceleration", 1e-5)):
        np.testing.assert_allclose(found.peaks[quantity].values, truth.peaks[quantity].values, rtol=tolerance)


def test_sampling_that_does_not_fit_is_refused() -> None:
    for sampling in (0.01 * math.sqrt(2.0), 1e-6):
        with pytest.raises(carom.InputError, match=r"`sampling` of simulate.*part of the record's 0\.01 s"):
            carom.simulate(pair(), sampling=sampling)


def test_two_runs_are_equal_bit_for_bit() -> None:
    for problem in (pair(), row_of_three(damped("jankowski-2005")), fixed_wall(damped("kelvin-voigt"))):
        one, two = carom.simulate(problem), carom.simulate(problem)
        for name in ("displacement", "velocity", "acceleration", "force", "gap", "extremes"):
            np.testing.assert_array_equal(getattr(one, name), getattr(two, name), err_msg=name)
        for table in ("table", "ledger"):
            for name, values in getattr(one, table).items():
                np.testing.assert_array_equal(values, getattr(two, table)[name], err_msg=name)


def test_a_step_limit_reached_says_so() -> None:
    needed = carom.simulate(pair()).evidence
    limit = (needed["contact_steps"] + needed["rejected_steps"]) // 2
    with pytest.raises(carom.RunError, match="step limit"):
        carom.simulate(pair(), step_limit=limit)
    run = carom.simulate(pair(), step_limit=limit, fail="return")
    assert run.outcome.failed
    assert "step limit" in run.outcome.text
    assert limit <= run.evidence["contact_steps"] + run.evidence["rejected_steps"] <= limit + 20
    enough = needed["contact_steps"] + needed["rejected_steps"] + 1
    assert not carom.simulate(pair(), step_limit=enough).outcome.failed


# peaks between samples


def low_pair(law: carom.laws.CompliantLaw) -> carom.Problem:
    towers = [
        carom.ShearBuilding(masses=[2.5e4] * 2, stiffnesses=[k] * 2, damping_ratio=0.05, name=name)
        for k, name in ((3.46e7, "soft"), (6.92e7, "stiff"))
    ]
    contacts = [carom.Contact(("soft", 2), ("stiff", 2), gap=0.02, law=law)]
    return carom.Problem(towers, contacts, motion=DEFAULT.scaled(pga="0.5 g"))


@pytest.mark.parametrize("name", ["hertzdamp", "kelvin-voigt", "jankowski-2005"])
@pytest.mark.parametrize("build", [pair, low_pair, floors])
@pytest.mark.parametrize("quantity", ["displacement", "velocity", "acceleration"])
def test_peaks_are_not_below_the_samples(build, name: str, quantity: str) -> None:
    """The same run sampled every 0.1 ms is the witness: no peak is below it, and smooth ones are hardly above."""
    problem = build(damped(name))
    fine = carom.simulate(problem, sampling=1e-4, rtol=1e-9)
    sampled = np.abs(getattr(fine, quantity)).max(axis=0)
    excess = carom.simulate(problem, rtol=1e-8).peaks[quantity].values / sampled - 1.0
    assert excess.min() > -1e-5
    assert excess.max() < 1e-5 or quantity == "acceleration"


# a touch that gathers speed: long contacts of heavy neighbours that stand close


GATHERS = carom.Motion(DEFAULT.acceleration[100:160], dt=DEFAULT.dt)
HEAVY, SPRINGS, CLOSE = np.array([239614.3, 70709.2]), np.array([1.269e9, 2.739e7]), 1e-4


def close_pair(law: carom.laws.CompliantLaw) -> carom.Problem:
    towers = [
        carom.Oscillator(mass=m, stiffness=k, damping_ratio=0.02, name=name)
        for m, k, name in zip(HEAVY, SPRINGS, ("left", "right"), strict=True)
    ]
    return carom.Problem(towers, [carom.Contact("left", "right", gap=CLOSE, law=law)], motion=GATHERS)


@pytest.mark.parametrize(
    ("law", "parameter"),
    [
        (carom.law("hertz", stiffness=4.06e8), 0.0),
        (carom.law("kuwabara-kono-1987", stiffness=4.06e8, damping=3e6), 3e6),
        (carom.law("zhiying-qishao-2006", stiffness=4.06e8, restitution=0.6, v0="published"), 0.6),
        (carom.law("flores-2011", stiffness=4.06e8, restitution=0.6, v0="published"), 0.6),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_long_contacts_against_the_naive_implementation(law: carom.laws.CompliantLaw, parameter: float) -> None:
    effective = HEAVY.prod() / HEAVY.sum()
    contact = NaiveContact(
        np.array([1.0, -1.0]), CLOSE, lambda v: LAWS[law.name](law.stiffness, parameter, effective, v)
    )  # fmt: skip
    slow = naive_pounding(
        np.diag(HEAVY), np.diag(0.04 * np.sqrt(SPRINGS * HEAVY)), np.diag(SPRINGS), [contact], GATHERS.acceleration,
        GATHERS.dt, np.zeros(2), np.zeros(2), parts=6,
    )  # fmt: skip
    run = carom.simulate(close_pair(law))
    assert run.table["start"].size == len(slow.impacts) > 0
    np.testing.assert_allclose(run.displacement, slow.displacement, atol=1e-5 * slow.peaks.max())
    np.testing.assert_allclose(run.table["peak_force"], [row[3] for row in slow.impacts], rtol=1e-4)


@pytest.mark.parametrize("name", ["zhiying-qishao-2006", "flores-2011", "hertzdamp"])
def test_a_guarded_touch_that_gathers_speed_converges(name: str) -> None:
    """Where v0 is guarded, χ follows the rate up to its largest and stays: steps end where it begins and stops."""
    problem = close_pair(carom.law(name, stiffness=4.06e8, restitution=0.6))
    exact = carom.simulate(problem, rtol=1e-12)
    for rtol in (1e-4, 1e-6, 1e-8, 1e-10):
        run = carom.simulate(problem, rtol=rtol)
        assert error(run, exact) < rtol
        assert imbalance(run) < 10.0 * rtol


def test_a_contact_that_parts_while_coming_nearer_again() -> None:
    """Overlap below zero with a rate above it at the end of a step: apart, and not an impact without an end."""
    motion = next(motion for motion in carom.motions.suite() if motion.name == "thirty-10c").scaled(factor=1.3)
    left = carom.Oscillator(mass=4600, period=0.7208244828200643, damping_ratio=0.05, name="left")
    right = carom.Oscillator(mass=3500, period=0.3, damping_ratio=0.05, name="right")
    law = carom.law("hertzdamp", stiffness=2e9, restitution=0.6744679015219212)
    contact = carom.Contact("left", "right", gap=0.0185055148873365, law=law)
    problem = carom.Problem([left, right], [contact], motion=motion)
    assert carom.simulate(problem, rtol=1e-4).table["start"].size == pytest.approx(99, abs=1)
