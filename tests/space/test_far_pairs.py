"""Contacts that sleep wake in time: touches at the moment that closed forms say, however fast and from however far."""

from __future__ import annotations

import numpy as np
import pytest

import carom

LAW = carom.law("kelvin-voigt", stiffness=1e8, restitution=0.8)


@pytest.mark.parametrize("speed", [0.01, 3.0, 400.0])
def test_a_ball_from_afar_touches_when_it_must(speed: float) -> None:
    away, radius = 40.0 * speed**0.5, 0.1
    ball = carom.RigidBody(
        mass=5.0, inertia=(0.02,) * 3, radii={"centre": radius}, velocity=(speed, 0, 0), gravity=0, name="ball"
    )
    walls = [
        carom.FixedBody.plate((away + 5.0 * i, 30.0 * (i % 2), 0), normal="-x", size=20, name=f"wall {i}")
        for i in range(6)
    ]
    contacts = [carom.Contact("ball", wall.name, face="face", law=LAW) for wall in walls]
    problem = carom.Problem([ball, *walls], contacts)
    when = (away - radius) / speed
    run = carom.simulate(problem, duration=1.2 * when, sampling=when / 50.0)
    assert run.table["start"].size == 1
    assert run.table["start"][0] == pytest.approx(when, rel=1e-9)
    gap = run.gap[:, 1]  # of a wall that it passes by, which slept
    np.testing.assert_allclose(gap, away + 5.0 - run.displacement[:, 0] - radius, rtol=1e-12)


def test_the_tip_of_a_rod_that_spins_far_away_is_not_missed() -> None:
    """A rod of 2 m that turns at 50 rad/s drifts to a wall: its tip touches as x + cos(ωt) reaches it first."""
    rod = carom.RigidBody(
        mass=10.0, inertia=(0.1, 3.4, 3.4), points={"tip": (1, 0, 0), "tail": (-1, 0, 0)}, velocity=(0.5, 0, 0),
        spin=(0, 0, 50.0), gravity=0, name="rod",
    )  # fmt: skip
    wall = carom.FixedBody.plate((4.0, 0, 0), normal="-x", size=20, name="wall")
    contacts = [carom.Contact(("rod", end), "wall", face="face", law=LAW) for end in ("tip", "tail")]
    run = carom.simulate(carom.Problem([rod, wall], contacts), duration=8.0, sampling=0.05, rtol=1e-9)
    time = np.linspace(5.8, 6.3, 500_001)
    beyond = 0.5 * time + np.abs(np.cos(50.0 * time)) > 4.0
    assert run.table["start"][0] == pytest.approx(time[beyond.argmax()], abs=2e-6)


def test_supports_that_move_apart_carry_what_stands_on_them() -> None:
    """A wall on a ground of its own strikes a body at rest in space: only the difference of the grounds counts."""
    step = carom.Motion(np.concatenate([np.full(51, -2.0), np.zeros(150)]), dt=0.01)  # 1 m/s towards −x after 0.5 s
    body = carom.RigidBody(mass=1e3, inertia=(100.0,) * 3, points={"p": (0.5, 0, 0)}, gravity=0, name="body")
    wall = carom.FixedBody.plate((0.9, 0, 0), normal="-x", size=5, name="wall")
    contact = carom.Contact(("body", "p"), "wall", face="face", law=LAW)
    problem = carom.Problem([body, wall], [contact], motion={"body": None, "wall": step})
    run = carom.simulate(problem, duration=1.5)
    assert run.table["start"][0] == pytest.approx(0.5 + (0.4 - 0.25) / 1.0, abs=2e-2)
    assert run.velocity[-1, 0] < -1.0 * 1.79  # (1 + e) times the speed of the wall
