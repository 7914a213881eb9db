"""Penalty laws with friction tend to the rigid answer as they stiffen: one oblique impact, damping calibrated."""

from __future__ import annotations

import numpy as np
import pytest

import carom


def thrown(law, **friction):
    """A wheel on springs that strikes a wall obliquely, sliding all the while: the springs give impacts a duration."""
    body = carom.Structure(
        [2.0, 2.0, 0.5], np.diag([2e3, 1e3, 0.0]), damping_ratio=0.0, dofs=["x", "y", "turn"],
        influence=[1.0, 0.0, 0.0], name="body",
    )  # fmt: skip
    slip = {"y": 1.0, "turn": 0.5}
    contact = carom.Contact(("body", "x"), "wall", gap=0.01, law=law, tangent=(slip, None), **friction)
    start = {"body": (1.0, 1.5, 0.3)}
    return carom.Problem([body, carom.Wall(name="wall")], [contact], initial_velocity=start)


@pytest.mark.parametrize("mu", [0.1, 0.25])
def test_one_oblique_impact(mu):
    rigid = carom.simulate(thrown(carom.law("stronge", restitution=0.6, friction=mu)), duration=0.05)
    off = []
    for stiffness in (1e8, 1e11):
        law = carom.law("hunt-crossley-exact", stiffness=stiffness, restitution=0.6)
        soft = carom.simulate(thrown(law, friction=carom.Friction(mu, stiffness_ratio=10.0)), duration=0.05)
        off.append(np.abs(soft.velocity[-1] - rigid.velocity[-1]).max())
    assert off[1] < 0.2 * off[0]
    assert off[1] < 0.01
