"""Inelastic storeys in a run: a second implementation by SciPy, energy, turning points, touches."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import carom

K, DY = 4e5, 0.01
DEFAULT = carom.motions.get("default")
SHAKE = carom.Motion(2.0 * DEFAULT.acceleration[:501], dt=DEFAULT.dt)


RO = carom.RambergOsgood(DY, offset=0.6, exponent=4.0)
YIELDING = [
    carom.Bilinear(DY, 0.1), carom.BoucWen(DY, 0.1, beta=0.3, exponent=2.0), RO, carom.Takeda(DY, 0.1, unloading=0.5)
]  # fmt: skip
every_rule = pytest.mark.parametrize("spring", YIELDING, ids=lambda spring: type(spring).__name__)


def tower(spring) -> carom.Problem:
    return carom.Problem(
        [carom.ShearBuilding(masses=[1000.0], stiffnesses=[K], damping_ratio=0.02, storeys=spring, name="a")],
        motion=SHAKE,
    )


@pytest.mark.parametrize("scheme", ["newmark", "hht-alpha", "rk4", "radau-iia-2", "gauss-2", "sdirk-3"])
def test_a_yielding_tower_against_scipy(scheme: str) -> None:
    """Elastic-plastic with hardening as a system with the plastic drift as a state."""
    a, m, c = 0.1, 1000.0, 2 * 0.02 * math.sqrt(K * 1000.0)

    def rate(t, y):
        u, v, z = y
        flows = (z >= DY and v > 0.0) or (z <= -DY and v < 0.0)
        ground = np.interp(t, SHAKE.dt * np.arange(SHAKE.npts), SHAKE.acceleration)
        return [v, -ground - (c * v + a * K * u + (1 - a) * K * z) / m, 0.0 if flows else v]

    other = solve_ivp(rate, (0.0, 5.0), [0.0, 0.0, 0.0], max_step=1e-3, rtol=1e-6, atol=1e-9)
    run = carom.simulate(tower(carom.Bilinear(DY, a)), scheme=scheme, dt=1e-4)
    assert run.extremes[0, 0] == pytest.approx(np.abs(other.y[0]).max(), rel=2e-3)
    assert run.displacement[-1, 0] == pytest.approx(other.y[0, -1], abs=2e-3 * run.extremes[0, 0])
    assert run.extremes[0, 0] > 2 * DY  # it did yield


@pytest.mark.parametrize("scheme", ["newmark", "radau-iia-2"])
@every_rule
def test_energy_goes_into_the_loops_and_never_comes_back(spring, scheme) -> None:
    run = carom.simulate(tower(spring), scheme=scheme, dt=1e-4)
    taken = run.ledger["hysteretic"]
    assert taken[0] == 0.0
    assert taken[-1] > 0.2 * run.ledger["input"].max()
    if isinstance(spring, carom.Bilinear):  # two springs side by side, one of which slips: never less
        assert np.diff(taken).min() > -1e-6 * taken[-1]
    assert np.abs(run.ledger["residual"]).max() < 1e-6 * run.ledger["input"].max()


@every_rule
def test_an_oscillator_may_have_such_a_spring(spring) -> None:
    one = carom.Oscillator(mass=1000.0, stiffness=K, damping_ratio=0.02, spring=spring, name="a")
    assert one.replace(mass=1000.0).spring == spring
    run = carom.simulate(carom.Problem([one], motion=SHAKE), scheme="newmark", dt=1e-3)
    storey = carom.simulate(tower(spring), scheme="newmark", dt=1e-3)
    np.testing.assert_allclose(run.displacement, storey.displacement, atol=1e-12)


@every_rule
def test_a_controlled_step_finds_the_turning_points(spring) -> None:
    fine = carom.simulate(tower(spring), scheme="radau-iia-2", dt=1e-5)
    run = carom.simulate(tower(spring), scheme="gauss-2", rtol=1e-7)
    assert run.extremes[0, 0] == pytest.approx(fine.extremes[0, 0], rel=1e-4)


def pair(storeys) -> carom.Problem:
    law = carom.law("hertzdamp", stiffness=3e9, restitution=0.6)
    left = carom.ShearBuilding(
        masses=[3e4] * 4, stiffnesses=[4e7] * 4, damping_ratio=0.03, name="left", storeys=storeys
    )
    right = carom.ShearBuilding(masses=[2e4] * 3, stiffnesses=[6e7] * 3, damping_ratio=0.03, name="right")
    return carom.Problem([left, right], [carom.facing("left", "right", gap=0.01, law=law)], motion=SHAKE)


@pytest.mark.parametrize("spring", [carom.Bilinear(0.008, 0.05), carom.Takeda(0.008, 0.05)])
def test_touches_of_yielding_buildings_are_located(spring) -> None:
    """Steps are divided until a touch falls to an end: a fixed step a thousand times shorter than a sample agrees."""
    fine = carom.simulate(pair(spring), scheme="radau-iia-3", dt=2e-5)
    run = carom.simulate(pair(spring), scheme="radau-iia-2", rtol=1e-7)
    assert run.evidence["rejected_steps"] > run.table["start"].size > 20
    assert run.evidence["steps"] < 0.1 * fine.evidence["steps"]
    assert run.table["start"][0] == pytest.approx(fine.table["start"][0], abs=1e-7)
    np.testing.assert_allclose(np.sort(run.table["start"]), np.sort(fine.table["start"]), atol=1e-5)
    np.testing.assert_allclose(run.extremes[:, 0], fine.extremes[:, 0], rtol=3e-5)
    assert np.abs(run.ledger["residual"]).max() < 1e-5 * run.ledger["input"].max()


def test_two_yielding_buildings_that_pound() -> None:
    soft = pair(carom.Bilinear(0.008, 0.05))
    coarse, fine, other = (
        carom.simulate(soft, scheme=scheme, dt=dt)
        for scheme, dt in (("newmark", 5e-4), ("newmark", 5e-5), ("radau-iia-3", 5e-5))
    )
    assert fine.table["start"].size > 3
    np.testing.assert_allclose(fine.extremes[:, 0], other.extremes[:, 0], rtol=1e-3)
    np.testing.assert_allclose(coarse.extremes[:, 0], fine.extremes[:, 0], rtol=2e-2)
    assert fine.ledger["hysteretic"][-1] > 0.0
    strong = pair(carom.Bilinear(10.0, 0.05))  # never yields: the linear building
    elastic = carom.simulate(pair(None), rtol=1e-9)
    np.testing.assert_allclose(
        carom.simulate(strong, scheme="newmark", dt=5e-5).extremes[:, 0], elastic.extremes[:, 0], rtol=2e-4
    )


def test_what_is_refused() -> None:
    with pytest.raises(carom.InputError, match="Schemes that can: 'newmark'"):
        carom.simulate(tower(carom.Bilinear(DY)))
    with pytest.raises(carom.InputError, match="`yield_drift` of Bilinear"):
        carom.Bilinear(-1.0)
    with pytest.raises(carom.InputError, match="`exponent` of RambergOsgood"):
        carom.RambergOsgood(DY, exponent=0.5)
    with pytest.raises(carom.InputError, match="`unloading` of Takeda"):
        carom.Takeda(DY, unloading=1.5)
    with pytest.raises(carom.InputError, match="`spring` of Oscillator"):
        carom.Oscillator(mass=1.0, stiffness=1.0, spring="bilinear")
    with pytest.raises(carom.InputError, match="`storeys` of"):
        carom.ShearBuilding(masses=[1.0, 1.0], stiffnesses=[1.0, 1.0], storeys=(carom.Bilinear(DY),))
