"""A mass with another one on a very stiff spring: as accurate as without, hardly slower, and its energy balances."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from tests.integrate.promised import RIGHT, SHAKE, damped, imbalance, pair
from tests.naive import LAWS

import carom


def two_masses(frequency: float, small: float, spring: float) -> carom.Structure:
    """4600 kg in two parts that vibrate against each other, on a spring to the ground."""
    joint = (2.0 * math.pi * frequency) ** 2 * small * (4600.0 - small) / 4600.0
    stiffness = joint * np.array([[1.0, -1.0], [-1.0, 1.0]]) + np.diag([spring, 0.0])
    masses = [4600.0 - small, small]
    return carom.Structure(masses, stiffness, damping_ratio=0.02, dofs=["main", "part"], name="left")


def thrown(body: carom.Structure, place: str, law: carom.laws.CompliantLaw) -> carom.Problem:
    contact = carom.Contact(("left", place), "wall", gap=1e-3, law=law)
    return carom.Problem([body, carom.Wall("wall")], [contact], initial_velocity={"left": [0.3, 0.3]})


@pytest.mark.parametrize("frequency", [10e3, 100e3])
@pytest.mark.parametrize("name", ["hertzdamp", "ye-2009"])
def test_a_very_stiff_mode_costs_and_spoils_nothing(frequency: float, name: str) -> None:
    """46 kg that the building carries on a 10 kHz spring, against the building as one mass."""
    law = damped(name)
    spring = 2.11e6
    stiff = carom.Problem(
        [two_masses(frequency, 46.0, spring), RIGHT],
        [carom.Contact(("left", "main"), "right", gap=0.01, law=law)], motion=SHAKE,
    )  # fmt: skip
    run, plain, exact = carom.simulate(stiff), carom.simulate(pair(law)), carom.simulate(stiff, rtol=1e-11)
    assert run.table["start"].size == plain.table["start"].size > 3
    np.testing.assert_allclose(run.extremes[[0, 2], 0], plain.extremes[:, 0], rtol=1e-5)
    np.testing.assert_allclose(run.table["peak_force"], plain.table["peak_force"], rtol=1e-4)
    np.testing.assert_allclose(run.extremes[:, 0], exact.extremes[:, 0], rtol=1e-5)
    assert imbalance(run) < 1e-5
    assert run.evidence["contact_steps"] <= 1.3 * plain.evidence["contact_steps"]


def directly(body: carom.Structure, place: int, force, until: float) -> tuple[np.ndarray, float]:
    """One impact of `thrown` by solve_ivp: the state at the end, and the largest force."""
    inverse = np.linalg.inv(body.mass_matrix)

    def motion(_t: float, y: np.ndarray) -> np.ndarray:
        f = -body.stiffness_matrix @ y[:2] - body.damping_matrix @ y[2:]
        f[place] -= force(max(y[place], 0.0), y[2 + place])
        return np.concatenate([y[2:], inverse @ f])

    def apart(_t: float, y: np.ndarray) -> float:
        return y[place]

    apart.terminal, apart.direction = True, -1
    out = solve_ivp(
        motion, (0.0, until), [0.0, 0.0, 0.3, 0.3], method="DOP853", rtol=1e-10, atol=1e-13, events=apart,
        first_step=1e-8, dense_output=True,
    )  # fmt: skip
    assert out.t_events[0].size == 1
    t = np.linspace(0.0, out.t[-1], 20001)
    y = out.sol(t)
    return np.append(out.y[:, -1], out.t[-1]), max(force(max(a, 0.0), b) for a, b in y[[place, 2 + place]].T)


def struck(frequency: float, small: float, place: int, name: str) -> tuple[carom.results.Simulation, np.ndarray, float]:
    """A body of two parts that meets a wall: the engine's run, the end and the peak by direct integration."""
    body = two_masses(frequency, small, 0.0)
    law = damped(name)
    run = carom.simulate(thrown(body, ("main", "part")[place], law), duration=0.06, sampling=0.005)
    spelled = {"hertzdamp": "lankarani-nikravesh-1990"}.get(name, name)
    force = LAWS[spelled](law.stiffness, 0.6, float(body.mass_matrix[place, place]), 0.3)
    assert run.table["start"].size == 1
    return run, *directly(body, place, force, 0.06)


@pytest.mark.parametrize(
    ("frequency", "small", "place", "name"),
    [
        (10e3, 1000.0, 0, "hertzdamp"),
        (10e3, 1000.0, 1, "hertzdamp"),
        (10e3, 46.0, 0, "kelvin-voigt"),
        (10e3, 46.0, 1, "kelvin-voigt"),
        (10e3, 46.0, 1, "hertzdamp"),
        (1e3, 46.0, 0, "hertzdamp"),
        (1e3, 46.0, 1, "hertzdamp"),
        (1e3, 1000.0, 1, "hertzdamp"),
        (1e3, 1000.0, 0, "kelvin-voigt"),
    ],
)
def test_a_stiff_mode_in_the_way_of_the_force(frequency: float, small: float, place: int, name: str) -> None:
    """Forces that shake the body's own stiff mode, at its heavy part or at its light one."""
    run, end, peak = struck(frequency, small, place, name)
    assert run.table["duration"][0] == pytest.approx(end[-1], rel=1e-5)
    assert run.table["separation_velocity"][0] == pytest.approx(-end[2 + place], rel=1e-4)
    assert run.table["peak_force"][0] == pytest.approx(peak, rel=1e-4)


@pytest.mark.parametrize(
    ("frequency", "small", "place", "name"),
    [
        (10e3, 1000.0, 0, "hertzdamp"),
        (10e3, 1000.0, 1, "hertzdamp"),
        (10e3, 46.0, 0, "kelvin-voigt"),
        (1e3, 46.0, 0, "hertzdamp"),
        (10e3, 46.0, 1, "hertzdamp"),
        (1e3, 46.0, 1, "hertzdamp"),
        (1e3, 1000.0, 0, "kelvin-voigt"),
        (3e3, 1000.0, 0, "kelvin-voigt"),
        (1e3, 1000.0, 1, "hertzdamp"),
    ],
)
def test_energy_balances_with_a_stiff_mode(frequency: float, small: float, place: int, name: str) -> None:
    run, _, _ = struck(frequency, small, place, name)
    assert imbalance(run) < 1e-5


@pytest.mark.parametrize(("frequency", "place"), [(1e3, 0), (1e3, 1), (3e3, 0)])
def test_what_a_contact_takes_from_a_body_that_rings(frequency: float, place: int) -> None:
    """A jump of the force rings the stiff mode: what the contact takes, by direct integration of its power."""
    body, law, energy = two_masses(frequency, 1000.0, 0.0), damped("kelvin-voigt"), 0.5 * 4600.0 * 0.3**2
    force = LAWS["kelvin-voigt"](law.stiffness, 0.6, float(body.mass_matrix[place, place]), 0.3)
    inverse = np.linalg.inv(body.mass_matrix)

    def motion(_t: float, y: np.ndarray) -> np.ndarray:
        push = force(max(y[place], 0.0), y[2 + place])
        f = -body.stiffness_matrix @ y[:2] - body.damping_matrix @ y[2:4]
        f[place] -= push
        return np.concatenate([y[2:4], inverse @ f, [push * y[2 + place]]])

    def apart(_t: float, y: np.ndarray) -> float:
        return y[place]

    apart.terminal, apart.direction = True, -1
    out = solve_ivp(
        motion, (0.0, 0.06), [0.0, 0.0, 0.3, 0.3, 0.0], method="DOP853", rtol=1e-11, atol=1e-13, events=apart,
        first_step=1e-8,
    )  # fmt: skip
    for rtol in (1e-4, 1e-5, 1e-6, 1e-7, 1e-8):
        run = carom.simulate(
            thrown(body, ("main", "part")[place], law), duration=0.06, sampling=0.005, rtol=rtol
        )  # fmt: skip
        assert run.ledger["contact"][-1] == pytest.approx(out.y[4, -1], abs=10.0 * rtol * energy)
        assert imbalance(run) < 10.0 * rtol


def towers(storeys: int) -> carom.Problem:
    """Two of one mass and first period each, however many storeys; their roofs may meet."""
    row = []
    for name, period in (("soft", 1.2), ("stiff", 0.7)):
        unit = carom.ShearBuilding(masses=[3e6 / storeys] * storeys, stiffnesses=[1.0] * storeys, damping_ratio=0.05)
        stiffness = (float(unit.periods[0]) / period) ** 2
        row.append(unit.replace(stiffnesses=(stiffness,) * storeys, name=name))
    law = carom.law("hertzdamp", stiffness=2e10, restitution=0.65)
    contact = carom.Contact(("soft", storeys), ("stiff", storeys), gap=0.02, law=law)
    return carom.Problem(row, [contact], motion=carom.motions.get("default"))


def test_more_storeys_ask_for_few_more_steps() -> None:
    """Their quick modes follow the force within a step, and what it misses hardly stirs them (general engine)."""
    low, high = (carom.simulate(towers(storeys), duration=15.0, path="general") for storeys in (8, 40))
    for run in (low, high):
        assert run.evidence["contact_steps"] < 60 * run.evidence["impacts"]
    exact = carom.simulate(towers(40), duration=15.0, rtol=1e-10)
    assert high.table["start"].size == exact.table["start"].size > 3
    np.testing.assert_allclose(high.extremes[:, 0], exact.extremes[:, 0], rtol=1e-6)
    np.testing.assert_allclose(high.extremes[:, 1], exact.extremes[:, 1], rtol=1e-5)
    np.testing.assert_allclose(high.table["peak_force"], exact.table["peak_force"], rtol=1e-5)
    assert imbalance(high) < 1e-6
