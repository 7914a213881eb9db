"""What schemes say they can, against what they do: nothing is refused that they claim, all else with a way out."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import carom
from carom.citation import Source
from carom.integrate.schemes import schemes
from carom.integrate.schemes.base import all_can, can_of, options_of, refuse_beyond_scheme
from carom.integrate.schemes.capability import ENSEMBLE, WORDS, needs_of, refuse_beyond
from carom.laws.base import FunctionLaw
from carom.studies.vectors import kernel_takes

SHAKE = carom.motions.harmonic(amplitude=4.0, frequency=1.6, duration=2.0, dt=0.01)
FORCE = carom.law("kelvin-voigt", stiffness=2e7, restitution=0.6)
IMPULSE = carom.law("newton", restitution=0.6)
M, K, DY, A = 2e4, 8e6, 0.01, 0.1
C = np.array([[6e4, -1e4], [-1e4, 4e4]])
"""Damping of two storeys that couples their modes."""


def problem(*, law: carom.Law = FORCE, yields: bool = False, coupled: bool = False) -> carom.Problem:
    storeys = carom.Bilinear(DY, A) if yields else None
    damping = {"damping": C} if coupled else {"damping_ratio": 0.03}
    left = carom.ShearBuilding(masses=[M, M], stiffnesses=[K, K], storeys=storeys, name="left", **damping)
    right = carom.Oscillator(mass=3e4, period=0.3, damping_ratio=0.02, name="right")
    contact = carom.Contact(("left", 2), "right", gap=0.01, law=law)
    return carom.Problem([left, right], [contact], motion=SHAKE)


def sliding() -> carom.Problem:
    """A body that strikes a wall aslant: friction is there for impulsive laws alone."""
    body = carom.Structure(
        [2.0, 2.0], np.zeros((2, 2)), damping_ratio=0.0, dofs=["x", "y"], influence=[1.0, 0.0], name="ball"
    )
    law = carom.law("newton", restitution=0.5, friction=0.3)
    contact = carom.Contact(("ball", "x"), "wall", gap=0.05, law=law, tangent="y")
    speeds = {"ball": (1.0, 0.5)}
    return carom.Problem([body, carom.Wall(name="wall")], [contact], initial_velocity=speeds, motion=SHAKE)


def own_law() -> carom.Law:
    """A law that is a Python function, not in the catalogue."""
    about: dict[str, object] = dict.fromkeys(("name", "title", "formula", "damping_formula"), "own")
    about["source"] = Source("the test", "own", "unverified")
    about["function"] = staticmethod(lambda overlap, rate: 2e7 * overlap)
    return dataclasses.dataclass(frozen=True, kw_only=True)(type("Own", (FunctionLaw,), about))()


ASKS = {
    "compliant": problem(),
    "impulsive": problem(law=IMPULSE),
    "friction": sliding(),
    "yielding": problem(yields=True),
    "coupled_damping": problem(coupled=True),
    "functions": problem(law=own_law()),
}
"""For each feature a problem that needs it."""


@pytest.mark.parametrize("name", ["event", "moreau-jean", "newmark", "hht-alpha", "radau-iia-2", "rk4", "lagged-force"])
@pytest.mark.parametrize("feature", ASKS)
def test_schemes_do_what_they_say(name: str, feature: str, monkeypatch: pytest.MonkeyPatch) -> None:
    can, asked = can_of(schemes.get(name)), ASKS[feature]
    other = IMPULSE if not can.compliant else None
    if other is not None and feature in ("yielding", "coupled_damping"):
        asked = asked.replace(law=other)
    step = {"dt": 5e-4} if "dt" in options_of(schemes.get(name)) else {}
    if feature == "functions" and can.functions:
        monkeypatch.setenv("CAROM_BACKEND", "python")  # the same text, uncompiled: a short run is quicker so
        asked = asked.replace(motion=SHAKE.trimmed(end=0.3))
    if getattr(can, feature):
        assert carom.simulate(asked, scheme=name, **step).outcome.word == "finished"
        return
    with pytest.raises(carom.InputError) as refused:
        carom.simulate(asked, scheme=name, **step)
    told = str(refused.value)
    assert f"scheme='{name}' does not take" in told
    assert WORDS[feature] in told
    able = told.split("Schemes that can: ")[1].split("'")[1]
    assert getattr(can_of(schemes.get(able)), feature)


def test_a_scheme_that_says_nothing_is_asked_for_everything() -> None:
    from carom.integrate.schemes.capability import ANYTHING

    assert all(getattr(ANYTHING, feature) for feature in ASKS)


def test_three_components_are_refused_where_a_scheme_takes_one() -> None:
    flat = problem().flat()
    ground, participation = flat.ground.copy(), flat.participation.copy()
    ground[:, 1], participation[:, 1] = ground[:, 0], 0.5 * participation[:, 0]
    both = dataclasses.replace(flat, ground=ground, participation=participation)
    assert (flat.components, both.components) == ((0,), (0, 1))
    assert needs_of(both)["three_components"] == "x, y"
    refuse_beyond_scheme("event", both)
    one = dataclasses.replace(can_of(schemes.get("event")), components=1)
    with pytest.raises(carom.InputError, match="does not take ground motion along more than one of x, y and z"):
        refuse_beyond(lambda: "another", one, needs_of(both), all_can)
    across = dataclasses.replace(both, ground=ground * np.array([0.0, 1.0, 0.0])[:, None])
    assert across.components == (1,)
    assert "three_components" not in needs_of(across)
    np.testing.assert_array_equal(across.drives.share, participation[:, 1])
    np.testing.assert_array_equal(across.driven, ground[:, 1])


@pytest.mark.parametrize("feature", ASKS)
def test_ensembles_do_what_the_table_says(feature: str) -> None:
    asked = ASKS[feature]
    if getattr(ENSEMBLE, feature):
        assert carom.ensemble(asked, vary={"scale": [0.5, 1.0]}).evidence["runs"] == 2
        assert kernel_takes(asked, "event-driven")
        assert not kernel_takes(asked, "newmark")
        return
    assert not kernel_takes(asked, "event")
    with pytest.raises(carom.InputError) as refused:
        carom.ensemble(asked, vary={"scale": [0.5, 1.0]})
    told = str(refused.value)
    assert told.startswith("ensemble does not take ")
    assert f"{WORDS[feature]} (" in told
    assert "carom.simulate does, one run at a time. Schemes that can: " in told
    assert "\n" not in told
    able = told.split("Schemes that can: ")[1].split("'")[1]
    assert getattr(can_of(schemes.get(able)), feature)


@pytest.mark.parametrize(
    ("varied", "words"),
    [
        ({"left.storeys": [None, carom.Bilinear(DY, A)]}, r"storeys that yield, or stops \(left\)"),
        ({"law": [FORCE, IMPULSE]}, r"impulsive contacts \(newton\)"),
    ],
)
def test_what_is_varied_is_held_to_the_table_too(varied: dict[str, list[object]], words: str) -> None:
    with pytest.raises(carom.InputError, match=f"ensemble does not take {words}"):
        carom.ensemble(problem(), vary=varied)


def test_forces_and_impulses_in_one_problem_are_refused() -> None:
    one = problem()
    mixed = one.replace(contacts=[*one.contacts, carom.Contact(("left", 1), "right", gap=0.02, law=IMPULSE)])
    with pytest.raises(carom.InputError, match="either impulsive laws or laws with a stiffness"):
        carom.simulate(mixed)


@pytest.mark.parametrize("scheme", ["newmark", "radau-iia-2"])
def test_coupled_damping_step_by_step_is_that_of_the_event_engine(scheme: str) -> None:
    exact = carom.simulate(problem(coupled=True), rtol=1e-9)
    run = carom.simulate(problem(coupled=True), scheme=scheme, dt=2e-5)
    assert exact.table["start"].size > 2
    assert run.force.shape == exact.force.shape
    assert run.table["start"].size == exact.table["start"].size
    np.testing.assert_allclose(run.extremes, exact.extremes, rtol=2e-3)
    np.testing.assert_allclose(run.extremes[:, 0], exact.extremes[:, 0], rtol=2e-4)
    for entry in ("damping", "contact"):
        assert run.ledger[entry][-1] == pytest.approx(exact.ledger[entry][-1], rel=1e-3)
    assert np.abs(run.ledger["residual"]).max() < 1e-5 * run.ledger["input"].max()
    free = carom.simulate(problem(), rtol=1e-9)
    assert abs(free.extremes[0, 0] / exact.extremes[0, 0] - 1.0) > 1e-2  # it does matter


def test_yielding_with_coupled_damping_and_contact_against_scipy() -> None:
    """All three at once, as a system with plastic drifts as states and the contact as a force."""
    ground = SHAKE.acceleration
    mass, k_right = 3e4, 3e4 * (2.0 * math.pi / 0.3) ** 2
    c_right = 2.0 * 0.02 * math.sqrt(k_right * mass)
    both = 1.0 / (1.0 / M + 1.0 / mass)
    ratio = -math.log(0.6) / math.sqrt(math.pi**2 + math.log(0.6) ** 2)
    dashpot = 2.0 * ratio * math.sqrt(2e7 * both)

    def rate(t: float, y: np.ndarray) -> list[float]:
        u, v, z = y[:3], y[3:6], y[6:8]
        drift, pace = np.array([u[0], u[1] - u[0]]), np.array([v[0], v[1] - v[0]])
        shear = A * K * drift + (1.0 - A) * K * z
        over, over_rate = u[1] - u[2] - 0.01, v[1] - v[2]
        push = 2e7 * over + dashpot * over_rate if over > 0.0 else 0.0
        a = -np.interp(t, SHAKE.dt * np.arange(SHAKE.npts), ground)
        damped = C @ v[:2]
        w = [
            a - (shear[0] - shear[1] + damped[0]) / M,
            a - (shear[1] + damped[1] + push) / M,
            a - (k_right * u[2] + c_right * v[2] - push) / mass,
        ]
        flows = ((z >= DY) & (pace > 0.0)) | ((z <= -DY) & (pace < 0.0))
        return [*v, *w, *np.where(flows, 0.0, pace)]

    other = solve_ivp(rate, (0.0, 2.0), np.zeros(8), max_step=2e-4, rtol=1e-7, atol=1e-10)
    run = carom.simulate(problem(yields=True, coupled=True), scheme="newmark", dt=2e-5)
    assert run.table["start"].size > 2
    assert run.ledger["hysteretic"][-1] > 0.0
    np.testing.assert_allclose(run.extremes[:, 0], np.abs(other.y[:3]).max(axis=1), rtol=5e-3)
