"""An ordinary impact with gravity on passes the point where F = m g once, and goes on to its end."""

from __future__ import annotations

import math

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
