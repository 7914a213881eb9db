"""Step-by-step schemes on pounding: closed forms without contact, the event-driven engine with it."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import carom
from carom.integrate.schemes import schemes
from carom.integrate.schemes.base import Task, options_of
from carom.integrate.schemes.stepping import StepMap, march
from carom.integrate.simulate import ground_of
from carom.integrate.tableaux import tableaux
from carom.results import Outcome, Simulation

STEPPED = [name for name in schemes.names() if "dt" in options_of(schemes.get(name)) and name != "moreau-jean"]
METHODS = {method.name: method for method in tableaux}
ORDER = {name: METHODS[name].order if name in METHODS else 2 for name in STEPPED}
IN_CONTACT = ORDER | {"lagged-force": 1}
every = pytest.mark.parametrize("scheme", STEPPED)

DEFAULT = carom.motions.get("default")
TEN_SECONDS = carom.Motion(DEFAULT.acceleration[:1001], dt=DEFAULT.dt)
TOWERS = [
    carom.Oscillator(mass=4600, stiffness=2.11e6, damping_ratio=0.02, name="left"),
    carom.Oscillator(mass=3500, stiffness=5.31e6, damping_ratio=0.02, name="right"),
]
LAWS = {
    "hertz": carom.law("hertz", stiffness=2e9),
    "hertzdamp": carom.law("lankarani-nikravesh-1990", stiffness=2e9, restitution=0.65),
    "kelvin-voigt": carom.law("kelvin-voigt", stiffness=5e7, restitution=0.65),
    "kelvin-voigt, no tension": carom.law("kelvin-voigt", stiffness=5e7, restitution=0.65, tension=False),
    "mahmoud-jankowski": carom.law("mahmoud-jankowski-2011", stiffness=5e7, restitution=0.65),
    "jankowski": carom.law("jankowski-2005", stiffness=2e9, restitution=0.65),
    "tsuji": carom.law("tsuji-1992", stiffness=2e9, restitution=0.65),
}


def pair(law, gap=0.01, motion=TEN_SECONDS, **more):
    return carom.Problem(TOWERS, [carom.Contact("left", "right", gap=gap, law=law)], motion=motion, **more)


def released(law):
    return pair(law, 0.02, None, initial_displacement={"left": -0.034})


def off(run, reference) -> float:
    return float(np.abs(run.extremes[:, 0] / reference.extremes[:, 0] - 1.0).max())


def test_all_are_there() -> None:
    others = {"lagged-force", "newmark", "newmark-linear", "central-difference", "hht-alpha", "generalised-alpha"}
    assert set(STEPPED) >= others | set(METHODS)


@every
def test_order_on_a_smooth_problem(scheme: str) -> None:
    """A damped oscillator let go: u = e^{−σt}(cos ω_d t + σ/ω_d sin ω_d t)."""
    omega, zeta, end = 2.0 * math.pi, 0.05, 1.0
    tower = carom.Oscillator(mass=2.0, stiffness=2.0 * omega**2, damping_ratio=zeta)
    problem = carom.Problem([tower], initial_displacement={"structure 0": 1.0})
    sigma, damped = zeta * omega, omega * math.sqrt(1.0 - zeta**2)
    u = math.exp(-sigma * end) * (math.cos(damped * end) + sigma / damped * math.sin(damped * end))
    v = -math.exp(-sigma * end) * omega**2 / damped * math.sin(damped * end)
    parts = {1: 4000, 2: 400, 3: 100, 4: 50, 5: 20, 6: 12, 8: 6}[ORDER[scheme]]
    errors = []
    for count in (parts, 2 * parts):
        run = carom.simulate(problem, scheme=scheme, duration=end, sampling=end, dt=end / count)
        errors.append(math.hypot(omega * (run.displacement[-1, 0] - u), run.velocity[-1, 0] - v))
    assert math.log2(errors[0] / errors[1]) == pytest.approx(ORDER[scheme], abs=0.1)


@pytest.fixture(scope="module")
def references():
    return {name: carom.simulate(pair(LAWS[name]), rtol=1e-11) for name in ("hertz", "hertzdamp")}


@every
@pytest.mark.parametrize("law", ["hertz", "hertzdamp"])
def test_ten_seconds_of_pounding_agree_with_the_event_driven_engine(scheme: str, law: str, references) -> None:
    reference = references[law]
    assert reference.table["start"].size > 15
    problem = pair(LAWS[law])
    if IN_CONTACT[scheme] == 1:  # an error of 1e-5 would take a billion steps: two runs, extrapolated
        coarse, fine = (carom.simulate(problem, scheme=scheme, dt=dt) for dt in (4e-6, 2e-6))
        peaks = 2.0 * fine.extremes[:, 0] - coarse.extremes[:, 0]
        assert np.abs(peaks / reference.extremes[:, 0] - 1.0).max() < 1e-5
        return
    run = carom.simulate(problem, scheme=scheme, dt=2e-5)
    assert off(run, reference) < 1e-5
    assert run.table["start"].size == reference.table["start"].size
    np.testing.assert_allclose(run.table["start"], reference.table["start"], atol=1e-4)
    np.testing.assert_allclose(run.table["impulse"].sum(), reference.table["impulse"].sum(), rtol=2e-3)
    energy = run.ledger["input"].max()
    assert np.abs(run.ledger["residual"]).max() < 1e-4 * energy
    assert run.ledger["contact"][-1] == pytest.approx(reference.ledger["contact"][-1], abs=1e-3 * energy)


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("scheme", ["newmark", "hht-alpha", "rk4", "radau-iia-2", "gauss-2", "burrage", "sdirk-3"])
def test_the_tolerance_is_kept_with_every_kind_of_law(scheme: str, law: str) -> None:
    problem = released(LAWS[law])
    reference = carom.simulate(problem, duration=2.0, sampling=0.01, rtol=1e-10)
    run = carom.simulate(problem, scheme=scheme, duration=2.0, sampling=0.01, rtol=1e-8)
    assert off(run, reference) < 3e-5
    assert run.table["start"].size == reference.table["start"].size
    assert run.evidence["rejected_steps"] > 0  # touches were looked for


@pytest.mark.parametrize("law", ["kelvin-voigt", "mahmoud-jankowski", "jankowski"])
def test_laws_that_jump_converge_all_the_same(law: str) -> None:
    problem = released(LAWS[law])
    reference = carom.simulate(problem, duration=2.0, sampling=0.01, rtol=1e-10)
    for scheme in ("newmark", "radau-iia-2"):
        errors = [
            off(carom.simulate(problem, scheme=scheme, duration=2.0, sampling=0.01, dt=dt), reference)
            for dt in (1e-3, 1e-6)
        ]
        assert errors[0] > 10.0 * errors[1]
        assert errors[1] < 5e-5


def buildings(law):
    left = carom.ShearBuilding(masses=[3e4] * 4, stiffnesses=[4e7] * 4, damping_ratio=0.03, name="left")
    right = carom.ShearBuilding(masses=[2e4] * 3, stiffnesses=[6e7] * 3, damping_ratio=0.03, name="right")
    shake = carom.Motion(2.0 * DEFAULT.acceleration[150:650], dt=DEFAULT.dt)
    return carom.Problem([left, right], [carom.facing("left", "right", gap=0.01, law=law)], motion=shake)


@pytest.mark.parametrize("scheme", ["newmark", "rk4", "lobatto-iiic-3", "sdirk-2", "gauss-3"])
def test_several_contacts_at_once(scheme: str) -> None:
    problem = buildings(carom.law("hertzdamp", stiffness=3e9, restitution=0.6))
    reference = carom.simulate(problem, rtol=1e-9)
    assert len(set(reference.table["contact"])) > 1
    run = carom.simulate(problem, scheme=scheme, dt=2e-5)
    assert off(run, reference) < 1e-4
    np.testing.assert_allclose(run.displacement, reference.displacement, atol=1e-4 * reference.extremes[:, 0].max())


@given(
    scheme=st.sampled_from(STEPPED),
    stiffness=st.floats(1e8, 1e10),
    restitution=st.floats(0.3, 1.0),
    gap=st.floats(0.0, 0.02),
    ratio=st.floats(0.3, 3.0),
)
@settings(max_examples=60, deadline=None)
def test_any_problem_by_any_scheme(scheme, stiffness, restitution, gap, ratio) -> None:
    law = carom.law("hertzdamp", stiffness=stiffness, restitution=restitution)
    towers = [TOWERS[0], carom.Oscillator(mass=3500, stiffness=5.31e6 * ratio, damping_ratio=0.02, name="right")]
    problem = carom.Problem(
        towers, [carom.Contact("left", "right", gap=gap, law=law)], initial_displacement={"left": -0.02}
    )
    reference = carom.simulate(problem, duration=0.3, sampling=0.01, rtol=1e-9)
    run = carom.simulate(problem, scheme=scheme, duration=0.3, sampling=0.01, dt=1e-5)
    first_order = IN_CONTACT[scheme] == 1
    scale = max(reference.extremes[:, 0].max(), 1e-3)
    assert np.abs(run.displacement - reference.displacement).max() < (0.1 if first_order else 1e-3) * scale
    assert run.ledger["contact"][-1] > -1e-6 * abs(run.ledger["strain"][0])  # no energy out of a damped contact


def stopped(run: Simulation) -> float:
    """Return when a failed run stopped [s]; there is history up to there, and none after."""
    reached = run.evidence["reached"]
    known = run.time <= reached + 1e-12
    samples = int(known.sum())
    for values in (run.displacement, run.velocity, run.acceleration, run.force, run.gap, *run.ledger.values()):
        assert np.isfinite(values[: samples - 1]).all()  # the last may be what was not finite
        assert np.isnan(values[samples:]).all()
    return reached


def test_fast_modes_of_an_explicit_scheme_end_the_run_with_its_history() -> None:
    stiff = carom.Oscillator(mass=1.0, stiffness=1e10, damping_ratio=0.01, name="stiff")
    problem = carom.Problem([stiff], initial_displacement={"stiff": 1e-3})
    run = carom.simulate(problem, scheme="rk4", duration=1.0, sampling=0.01, dt=1e-3, fail="return")
    assert run.outcome is Outcome.NOT_FINITE
    assert 0.0 < stopped(run) < 1.0
    with pytest.raises(carom.RunError, match="range of floating-point"):
        carom.simulate(problem, scheme="rk4", duration=1.0, sampling=0.01, dt=1e-3)
    quiet = carom.simulate(problem, scheme="radau-iia-2", duration=1.0, sampling=0.01, dt=1e-3)
    assert abs(quiet.displacement[-1, 0]) < 1e-6


def crafted(answer: float) -> StepMap:
    """Return free flight for which a force on the end of a step moves it the wrong way, so much per newton."""

    def table(h: float, omega: np.ndarray, sigma: np.ndarray) -> np.ndarray:
        rows = np.zeros((omega.size, 5, 6))
        rows[:, (0, 2), 0] = rows[:, (1, 3), 1] = 1.0
        rows[:, (0, 2), 1] = h
        rows[:, 0, 5] = answer
        return rows

    return StepMap(name="crafted", order=1, weights=np.ones(1), blocks=((0, 1),), table=table)


@pytest.mark.parametrize(
    ("share", "rtol", "outcome"),
    [(-1.0, None, Outcome.SINGULAR), (-2.0, None, Outcome.NO_SOLUTION), (-2.0, 1e-6, Outcome.NO_SOLUTION)],
)
def test_stage_equations_that_cannot_be_solved(share, rtol, outcome) -> None:
    """F = K(δ + F·a/K): singular for a = 1; for a = 2 the only root is negative, and there the spring is slack."""
    ball = carom.Body(mass=1.0, name="ball")
    problem = carom.Problem(
        [ball, carom.Wall()], [carom.Contact("ball", 1, gap=0.1, law=carom.law("linear", stiffness=1e4))],
        initial_velocity={"ball": 1.0},
    )  # fmt: skip
    flat = problem.flat()
    ground, dt = ground_of(flat, 0.2, 0.01)
    task = Task(flat, ground, dt, rtol or 1e-6, 1000)
    run = march(task, crafted(share * 1e-4), None if rtol else dt)
    assert run.outcome is outcome
    assert run.evidence["reached"] == pytest.approx(0.1, abs=0.011)
    known = run.time <= stopped(run) + 1e-12
    np.testing.assert_allclose(run.displacement[known, 0], run.time[known], atol=1e-12)  # the flight is kept


def runaway() -> tuple[carom.Problem, float]:
    """Return an oscillator that yields, turns and then has no path on, and how far back it comes, in yield drifts.

    Bouc-Wen with β = −1, γ = 2, n = 2 unloads by dz/ds = 3z² − 1 (in d_y): from z = 1 it runs away to infinity within
    ∫ dz/(3z² − 1) = ln((√3 + 1)/(√3 − 1))/(2√3). Nothing forbids these numbers, and no step leads past that drift.
    """
    spring = carom.BoucWen(0.01, 0.0, beta=-1.0, exponent=2.0)
    tower = carom.Oscillator(mass=1000.0, stiffness=1e6, damping_ratio=0.0, name="tower", spring=spring)
    problem = carom.Problem([tower], initial_velocity={"tower": 1.5})
    return problem, math.log((math.sqrt(3.0) + 1.0) / (math.sqrt(3.0) - 1.0)) / (2.0 * math.sqrt(3.0))


@pytest.mark.parametrize(
    ("how", "outcome"), [({"dt": 1e-4}, Outcome.NO_SOLUTION), ({"rtol": 1e-5}, Outcome.STEP_UNDERFLOW)]
)
@pytest.mark.parametrize("scheme", ["newmark", "radau-iia-2"])
def test_a_storey_that_runs_away_ends_the_run_with_its_history(scheme: str, how, outcome: Outcome) -> None:
    problem, back = runaway()
    run = carom.simulate(problem, scheme=scheme, duration=1.0, sampling=1e-4, fail="return", **how)
    assert run.outcome is outcome
    assert 0.0 < stopped(run) < 1.0
    returned = run.extremes[0, 0] - run.displacement[np.isfinite(run.displacement[:, 0])][-1, 0]
    assert returned == pytest.approx(0.01 * back, abs=5e-5)  # but for the last sample
    with pytest.raises(carom.RunError, match=f"{outcome.text[:30]}.*at t = {run.evidence['reached']:.9g} s"):
        carom.simulate(problem, scheme=scheme, duration=1.0, sampling=1e-4, **how)


def test_a_step_that_underflows_says_when() -> None:
    problem = released(LAWS["kelvin-voigt"])
    run = carom.simulate(problem, scheme="newmark", duration=2.0, sampling=0.01, rtol=1e-12, fail="return")
    assert run.outcome is Outcome.STEP_UNDERFLOW
    touch = carom.simulate(problem, duration=2.0, sampling=0.01).table["start"][0]
    assert run.evidence["reached"] == pytest.approx(touch, abs=1e-6)  # the force jumps there
    assert stopped(run) == run.evidence["reached"]
    with pytest.raises(carom.RunError, match=f"step became too short.*at t = {touch:.3f}"):
        carom.simulate(problem, scheme="newmark", duration=2.0, sampling=0.01, rtol=1e-12)


TRIED = [{"scheme": "newmark", "dt": 1e-4}, {"scheme": "rk4"}, {"scheme": "radau-iia-2"}]


@pytest.mark.parametrize("how", TRIED, ids=lambda how: how["scheme"])
def test_contacts_closed_at_the_end_are_impacts(how: dict[str, object]) -> None:
    """Two oscillators, of which the ground holds one against a wall: rows by start, the last one not ended."""
    push = carom.Motion(-np.concatenate([np.linspace(0.0, 2.0, 20), np.full(120, 2.0)]), dt=0.01)
    law = carom.law("kelvin-voigt", stiffness=1e8, restitution=0.3)
    row = [carom.Oscillator(mass=1e5, period=period, damping_ratio=0.05, name=f"T {period}") for period in (0.9, 0.2)]
    contacts = [carom.Contact(one.name, "wall", gap=gap, law=law) for one, gap in zip(row, (5e-4, 2e-3), strict=True)]
    problem = carom.Problem([*row, carom.Wall("wall")], contacts, motion=push)
    run, event = carom.simulate(problem, **how), carom.simulate(problem, rtol=1e-9)
    assert run.table["start"].size == event.table["start"].size == run.evidence["impacts"]
    assert (np.diff(run.table["start"]) >= 0.0).all()
    assert run.table["ended"].tolist() == event.table["ended"].tolist()
    assert run.evidence["closed_at_end"] == event.evidence["closed_at_end"] == int(run.in_contact.sum()) > 0
    assert (np.isnan(run.table["separation_velocity"]) == run.in_contact).all()
    assert not run.table["guarded"].any()
    for name in ("start", "duration", "impulse", "energy_lost"):
        np.testing.assert_allclose(run.table[name], event.table[name], rtol=2e-2, err_msg=name)
    assert run.evidence["smallest_energy_lost"] == pytest.approx(event.evidence["smallest_energy_lost"], rel=2e-2)


@pytest.mark.parametrize("how", TRIED, ids=lambda how: how["scheme"])
def test_the_guard_is_counted(how: dict[str, object]) -> None:
    """A body lies on a wall and gravity begins to press it on: the touch has no speed."""
    body = carom.Body(mass=1e3, gravity=9.81, name="body")

    def run(v0: str) -> Simulation:
        law = carom.law("hunt-crossley-1975", stiffness=1e9, restitution=0.8, v0=v0)
        contact = carom.Contact("body", "wall", gap=1e-9, law=law)
        return carom.simulate(
            carom.Problem([body, carom.Wall("wall")], [contact]), duration=0.2, sampling=1e-3, **how
        )  # fmt: skip

    guarded = run("guarded")
    assert guarded.evidence["guarded_impacts"] == int(guarded.table["guarded"].sum()) > 0
    assert "guard on v0" in guarded.evidence["cautions"][0]
    assert run("published").evidence["guarded_impacts"] == 0


@pytest.mark.parametrize("scheme", ["burrage", "newmark", "radau-iia-2", "lobatto-iiic-3"])
def test_laws_that_do_not_pull_never_pull(scheme: str) -> None:
    """Burrage's second stage lies beyond the step, perhaps beyond the contact."""
    for law in ("hertz", "hertzdamp", "jankowski", "kelvin-voigt, no tension"):
        run = carom.simulate(pair(LAWS[law]), scheme=scheme, dt=1e-3)
        assert run.force.min() >= 0.0
        assert run.table["impulse"].min() > 0.0


def test_velocity_peaks_are_found_between_steps() -> None:
    """u = cos ωt with ω = 2π: the largest speed falls between steps of a seventh of a second by Gauss's four stages."""
    tower = carom.Oscillator(mass=1.0, stiffness=(2.0 * math.pi) ** 2, damping_ratio=0.0)
    problem = carom.Problem([tower], initial_displacement={"structure 0": 1.0})
    run = carom.simulate(problem, scheme="gauss-4", duration=1.0, sampling=1.0 / 14.0, dt=1.0 / 14.0)
    at_steps = np.abs(run.velocity).max()
    assert at_steps < 2.0 * math.pi * 0.98
    assert run.extremes[0, 1] == pytest.approx(2.0 * math.pi, rel=1e-3)


def test_the_step_limit_holds_for_a_controlled_step() -> None:
    run = carom.simulate(released(LAWS["hertz"]), scheme="newmark", duration=2.0, step_limit=50, fail="return")
    assert run.outcome is Outcome.STEP_LIMIT
    assert 0.0 < stopped(run) < 2.0


def test_damped_schemes_damp_and_others_do_not() -> None:
    tower = carom.Oscillator(mass=1.0, stiffness=1e8, damping_ratio=0.0)
    problem = carom.Problem([tower], initial_displacement={"structure 0": 1.0})
    left = {}
    for scheme, options in (("newmark", {}), ("hht-alpha", {"alpha": -0.2}), ("generalised-alpha", {"rho": 0.5})):
        run = carom.simulate(problem, scheme=scheme, duration=2.0, sampling=0.01, dt=0.01, **options)
        left[scheme] = float((run.ledger["kinetic"] + run.ledger["strain"])[-1] / run.ledger["strain"][0])
    assert left["newmark"] == pytest.approx(1.0, rel=1e-9)
    assert left["hht-alpha"] < 1e-6
    assert left["generalised-alpha"] < 1e-12


def test_what_is_refused() -> None:
    problem = released(LAWS["hertz"])
    for options, said in (
        ({"scheme": "newmark", "dt": -1.0}, "`dt` of scheme 'newmark'"),
        ({"scheme": "newmark", "step": 1e-3}, "Unknown option of scheme 'newmark'"),
        ({"scheme": "hht", "alpha": 0.3}, "`alpha` of scheme 'hht-alpha'"),
        ({"scheme": "generalised-alpha", "rho": 2.0}, "`rho` of scheme 'generalised-alpha'"),
        ({"scheme": "newmarc"}, "Did you mean 'newmark'"),
    ):
        with pytest.raises(carom.InputError, match=said):
            carom.simulate(problem, duration=1.0, **options)


@pytest.mark.parametrize("scheme", ["newmark", "rk4", "lobatto-iiic-2"])
def test_the_compiled_kernel_equals_the_plain_one(scheme: str, monkeypatch: pytest.MonkeyPatch) -> None:
    problem = released(LAWS["jankowski"])
    for how in ({"dt": 1e-3}, {"rtol": 1e-4}):
        fast = carom.simulate(problem, scheme=scheme, duration=0.2, sampling=0.01, **how)
        with monkeypatch.context() as patched:
            patched.setenv("CAROM_BACKEND", "python")
            plain = carom.simulate(problem, scheme=scheme, duration=0.2, sampling=0.01, **how)
        np.testing.assert_allclose(fast.displacement, plain.displacement, atol=1e-10)
        np.testing.assert_allclose(fast.table["impulse"], plain.table["impulse"], rtol=1e-6)


def test_impulsive_laws_are_refused() -> None:
    problem = carom.Problem(
        [carom.Body(mass=1.0, name="ball"), carom.Wall()],
        [carom.Contact("ball", 1, gap=0.1, law=carom.law("newton", restitution=0.5))],
        initial_velocity={"ball": 1.0},
    )
    with pytest.raises(carom.InputError, match=r"Schemes that can: .*'moreau-jean'"):
        carom.simulate(problem, scheme="newmark", duration=0.2, dt=0.01)


@pytest.mark.parametrize("scheme", ["newmark", "burrage", "moreau-jean"])
def test_a_step_longer_than_a_quarter_of_the_shortest_period_is_told(scheme: str) -> None:
    """Crozet's rule, langlade2021 section 1; 0.2 s of the one, 0.1 s of the other: 25 ms are the most."""
    sides = [carom.Oscillator(mass=1e3, period=t, damping_ratio=0.05, name=n) for t, n in ((0.2, "a"), (0.1, "b"))]
    law = carom.law("newton", restitution=0.6) if scheme == "moreau-jean" else carom.law("linear", stiffness=1e6)
    problem = carom.Problem(sides, [carom.Contact("a", "b", gap=0.1, law=law)], initial_displacement={"a": -0.01})
    told = [
        any("quarter of the shortest period, 0.1 s" in caution for caution in run.evidence.get("cautions", ()))
        for run in (
            carom.simulate(problem, scheme=scheme, dt=dt, duration=1.0, sampling=dt) for dt in (0.05, 0.025, 0.01)
        )
    ]
    assert told == [True, False, False]
