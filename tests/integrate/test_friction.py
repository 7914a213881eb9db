"""Friction impulses in runs: oblique impacts and sliding blocks in closed form, energy from nothing in the ledger."""

from __future__ import annotations

import numpy as np
import pytest

import carom

SCHEMES = ({"scheme": "event"}, {"scheme": "moreau-jean", "dt": 1e-3})


def ball(law, at="x", tangent="y") -> carom.Problem:
    body = carom.Structure([2.0, 2.0], np.zeros((2, 2)), damping_ratio=0.0, dofs=["x", "y"], name="ball")
    contact = carom.Contact(("ball", at), "wall", gap=0.05, law=law, tangent=tangent)
    return carom.Problem([body, carom.Wall(name="wall")], [contact], initial_velocity={"ball": (1.0, 1.0)})


@pytest.mark.parametrize("how", SCHEMES)
@pytest.mark.parametrize("name", ["newton", "poisson", "stronge"])
@pytest.mark.parametrize(("mu", "left"), [(0.0, 1.0), (0.2, 0.7), (2.0, 0.0)])
def test_oblique_impact(how, name, mu, left):
    """A mass point: v_t⁺ = v_t − μ(1 + e) v_n while it slides, else it sticks."""
    run = carom.simulate(ball(carom.law(name, restitution=0.5, friction=mu)), duration=0.2, **how)
    assert run.velocity[-1] == pytest.approx([-0.5, left], abs=1e-12)
    assert run.impacts["friction_impulse"].values == pytest.approx([2.0 * (1.0 - left)], abs=1e-12)
    assert np.abs(run.ledger["residual"]).max() < 1e-13


def ball_in_space(law, turned=0.0) -> carom.Problem:
    """A sphere with spin that strikes a wall across x: degrees of freedom of its centre and rotations about y and z."""
    body = carom.Structure(
        [2.0, 2.0, 2.0, 0.8, 0.8], np.zeros((5, 5)), damping_ratio=0.0, dofs=["x", "y", "z", "ry", "rz"],
        influence=[1.0, 0.0, 0.0, 0.0, 0.0], name="ball",
    )  # fmt: skip
    c, s = np.cos(turned), np.sin(turned)
    slips = {"y": 1.0, "rz": 1.0}, {"z": 1.0, "ry": -1.0}  # of the point that touches, radius 1
    first = {name: c * slips[0].get(name, 0.0) + s * slips[1].get(name, 0.0) for name in ("y", "z", "ry", "rz")}
    second = {name: c * slips[1].get(name, 0.0) - s * slips[0].get(name, 0.0) for name in ("y", "z", "ry", "rz")}
    contact = carom.Contact(
        ("ball", "x"), "wall", gap=0.05, law=law, tangent=(first, None), second_tangent=(second, None)
    )
    start = {"ball": (1.0, 0.6, -0.8, 0.0, 0.0)}
    return carom.Problem([body, carom.Wall(name="wall")], [contact], initial_velocity=start)


@pytest.mark.parametrize("how", SCHEMES)
@pytest.mark.parametrize("name", ["newton", "poisson", "stronge"])
@pytest.mark.parametrize(("mu", "left"), [(0.0, 1.0), (0.1, 0.85), (0.5, 5.0 / 7.0)])
@pytest.mark.parametrize("turned", [0.0, 0.4])
def test_a_sphere_that_slides_obliquely(how, name, mu, left, turned):
    """v_n = v_t = 1, e = 0.5: friction runs against the slip, sticks iff μ ≥ 4/21, whichever way tangents lie."""
    run = carom.simulate(ball_in_space(carom.law(name, restitution=0.5, friction=mu), turned), duration=0.2, **how)
    assert run.velocity[-1, :3] == pytest.approx([-0.5, 0.6 * left, -0.8 * left], abs=1e-12)
    spin = run.velocity[-1, 3:5] * 0.4 / (left - 1.0) if mu else run.velocity[-1, 3:5]
    assert spin == pytest.approx([0.8, 0.6] if mu else [0.0, 0.0], abs=1e-11)
    c, s = np.cos(turned), np.sin(turned)
    drag = 2.0 * (1.0 - left) * np.array([0.6 * c - 0.8 * s, -0.6 * s - 0.8 * c])
    impacts = run.impacts
    found = [impacts["friction_impulse"].values[0], impacts["second_friction_impulse"].values[0]]
    assert found == pytest.approx(drag, abs=1e-12)
    assert np.abs(run.ledger["residual"]).max() < 1e-13


@pytest.mark.parametrize("how", SCHEMES)
def test_oblique_surface(how):
    """The same impact seen from axes turned by atan(3/4)."""
    law = carom.law("newton", restitution=0.5, friction=0.2)
    n, t = np.array([0.8, 0.6]), np.array([-0.6, 0.8])
    run = carom.simulate(ball(law, {"x": 0.8, "y": 0.6}, {"x": -0.6, "y": 0.8}), duration=0.2, **how)
    before = np.array([1.0, 1.0])
    normal, slip = n @ before, t @ before
    after = -0.5 * normal * n + np.sign(slip) * max(abs(slip) - 0.2 * 1.5 * normal, 0.0) * t
    assert run.velocity[-1, :2] == pytest.approx(after, abs=1e-12)
    assert run.dofs[2:] == ("ball at 0.8 x + 0.6 y",)  # the contact point is an output, too
    assert run.velocity[-1, 2] == pytest.approx(n @ after, abs=1e-12)


@pytest.mark.parametrize(("mu", "slides"), [(0.1, True), (0.5, False)])
def test_a_block_on_shaking_ground(mu, slides):
    """Ground that accelerates with 2 m/s²: the block is carried along, or left behind with 2 − μ g."""
    block = carom.Structure(
        [3.0, 3.0], np.zeros((2, 2)), damping_ratio=0.0, dofs=["down", "x"], influence=[0.0, 1.0],
        load=[3.0 * 9.81, 0.0], name="block",
    )  # fmt: skip
    law = carom.law("newton", restitution=0.0, friction=mu)
    contact = carom.Contact(("block", "down"), "ground", gap=0.0, law=law, tangent="x")
    motion = carom.Motion(np.full(101, 2.0), dt=0.01)
    problem = carom.Problem([block, carom.Ground(name="ground")], [contact], motion=motion)
    run = carom.simulate(problem, scheme="moreau-jean", dt=1e-3)
    slip = -0.5 * (2.0 - mu * 9.81) * run.time**2 if slides else 0.0 * run.time
    assert run.displacement[:, 1] == pytest.approx(slip, abs=1e-3)
    assert run.displacement[:, 0] == pytest.approx(0.0, abs=1e-12)
    assert run.force[5:, 0] == pytest.approx(3.0 * 9.81, rel=1e-9)
    assert np.abs(run.ledger["residual"]).max() < 1e-9


def spinning(law) -> carom.Problem:
    """A planar body that strikes off its centre, such that Newton's law with friction creates energy."""
    body = carom.Structure(
        [1.0, 1.0, 0.09], np.zeros((3, 3)), damping_ratio=0.0, dofs=["x", "y", "turn"], influence=[1.0, 0.0, 0.0],
        name="body",
    )  # fmt: skip
    contact = carom.Contact(
        ("body", {"x": 1.0, "turn": -0.7}), "wall", gap=0.01, law=law, tangent={"y": 1.0, "turn": -1.0}
    )
    start = {"body": (0.4, 0.2, -1.4)}
    return carom.Problem([body, carom.Wall(name="wall")], [contact], initial_velocity=start)


@pytest.mark.parametrize("how", SCHEMES)
def test_a_run_that_gains_energy_says_so(how):
    run = carom.simulate(spinning(carom.law("newton", restitution=0.6, friction=0.5)), duration=0.1, **how)
    assert run.ledger["kinetic"][-1] > run.ledger["kinetic"][0]
    assert run.ledger["created"][-1] == pytest.approx(run.ledger["kinetic"][0] - run.ledger["kinetic"][-1], rel=1e-9)
    assert run.evidence["energy_created"] > 0.0
    assert any("created" in words and "stronge" in words for words in run.evidence["cautions"])
    tame = carom.simulate(spinning(carom.law("stronge", restitution=0.6, friction=0.5)), duration=0.1, **how)
    assert tame.ledger["kinetic"][-1] < tame.ledger["kinetic"][0]
    assert "created" not in tame.ledger
    assert len(tame.evidence["cautions"]) == 1


@pytest.mark.parametrize(
    ("build", "words"),
    [
        (
            lambda: ball(carom.law("newton", restitution=0.5, friction=-0.1)),
            "`friction` of newton must not be negative",
        ),
        (lambda: ball(carom.law("newton", restitution=0.5, friction=0.1), tangent=None), "without a tangent"),
        (lambda: ball(carom.law("hertz", stiffness=1e6)), "must be left out for a law with a stiffness"),
        (
            lambda: carom.Contact("a", "b", gap=0.1, law=carom.law("newton", restitution=0.5), second_tangent="z"),
            "no first",
        ),
        (lambda: ball(carom.law("newton", restitution=0.5), tangent="z"), "z"),
        (lambda: ball(carom.law("newton", restitution=0.5), tangent=(None, None)), "must be a place"),
        (
            lambda: carom.Problem(
                [carom.Oscillator(mass=1.0, stiffness=1.0), carom.Oscillator(mass=1.0, stiffness=2.0)],
                [carom.facing(0, 1, gap=0.1, law=carom.law("newton", restitution=0.5, friction=0.1))],
            ),
            "must be 0 for facing floors without a plan",
        ),
    ],
)
def test_refusals(build, words):
    with pytest.raises(carom.InputError) as caught:
        build()
    assert words in str(caught.value)
