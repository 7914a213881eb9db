"""Impacts with gravity on: those that end pass the point where F = m g once, the others are held."""

from __future__ import annotations

import math

import numpy as np
import pytest

from carom.integrate.impact import impact
from carom.laws import law


@pytest.mark.parametrize("velocity", [0.5, 0.998, 1.0])
@pytest.mark.parametrize("gravity", [1.0, 9.80665])
@pytest.mark.parametrize("rtol", [1e-11, 1e-9, 1e-8])
def test_small_ball_separates(velocity: float, gravity: float, rtol: float) -> None:
    mass = math.pi / 6.0 * (5.0 / 32.0 * 0.0254) ** 3 * 7850.0
    hertzdamp = law("hertzdamp", stiffness=0.6e10, restitution=0.6)
    with_gravity = impact(hertzdamp, mass=mass, velocity=velocity, gravity=gravity, rtol=rtol)
    without = impact(hertzdamp, mass=mass, velocity=velocity)
    assert with_gravity.status == "separated"
    assert with_gravity.steps < 100
    assert with_gravity.peak_force == pytest.approx(without.peak_force, rel=2e-4)


@pytest.mark.parametrize("velocity", [0.0, 1e-6, 1e-3, 0.1])
@pytest.mark.parametrize("name", ["flores-2011", "jankowski-2005"])
def test_body_that_sinks_to_rest_is_held(name: str, velocity: float) -> None:
    """Strongly damped, it creeps towards δ where the spring carries it: that is its peak, and nothing is looped on."""
    hit = impact(law(name, stiffness=1e8, restitution=0.01), mass=1.0, velocity=velocity, gravity=9.81)
    assert hit.status == "held"
    assert hit.steps < 1000
    assert hit.peak_overlap == pytest.approx((9.81 / 1e8) ** (2 / 3), rel=1e-9)
    assert hit.peak_force > 9.81


def test_history_of_a_held_contact_has_no_holes() -> None:
    hit = impact(law("hertzdamp", stiffness=1e6, restitution=0.8), mass=50.0, velocity=1e-3, gravity=9.81)
    assert hit.status == "held"
    assert hit.history.force.notnull().all()


def test_elastic_body_set_down_is_held_not_plastic() -> None:
    for velocity in (0.0, 1e-11, 1e-9, 1e-8):
        assert impact(law("hertz", stiffness=1e8), mass=1.0, velocity=velocity, gravity=9.81).status == "held"


@pytest.mark.parametrize("name", ["jankowski-2005", "khatami-2019", "tsuji-1992", "flores-2011", "kelvin-voigt"])
def test_energy_balances_under_gravity(name: str) -> None:
    rng = np.random.default_rng(7)
    e, v, g = rng.uniform(0.01, 1.0, 500), 10 ** rng.uniform(-3, 1, 500), 10 ** rng.uniform(-1, 3, 500)
    many = impact(law(name, stiffness=1e8, restitution=e), mass=1.0, velocity=v, gravity=g)
    lost = many.approach_loss + many.restitution_loss
    apart = many.status == "separated"
    assert apart.sum() > 100
    assert set(many.status) <= {"separated", "held"}
    np.testing.assert_array_less(np.abs(many.energy_lost - lost)[apart] / (0.5 * v**2)[apart], 1e-9)
