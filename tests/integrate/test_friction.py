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


def test_contacts_at_rest_slide_without_friction_event_by_event_and_say_so():
    body = carom.Structure(
        [1.0, 1.0], np.zeros((2, 2)), damping_ratio=0.0, dofs=["down", "x"], load=[2.0, 0.0], name="ball"
    )
    law = carom.law("newton", restitution=0.5, friction=0.01)
    contact = carom.Contact(("ball", "down"), "ground", gap=1.0, law=law, tangent="x")
    problem = carom.Problem([body, carom.Ground(name="ground")], [contact], initial_velocity={"ball": (0.0, 1.0)})
    run = carom.simulate(problem, duration=3.5)
    # 2 (1 + e) of normal impulse at the first touch, half as much at each of the following: 6 N·s in all
    assert run.velocity[-1] == pytest.approx([0.0, 1.0 - 0.01 * 6.0], abs=1e-7)  # but for rebounds that rounding hides
    assert any("without friction" in words for words in run.evidence["cautions"])


@pytest.mark.parametrize(
    ("build", "words"),
    [
        (
            lambda: ball(carom.law("newton", restitution=0.5, friction=-0.1)),
            "`friction` of newton must not be negative",
        ),
        (lambda: ball(carom.law("newton", restitution=0.5, friction=0.1), tangent=None), "without a tangent"),
        (lambda: ball(carom.law("hertz", stiffness=1e6)), "must be left out for a law with a stiffness"),
        (lambda: ball(carom.law("newton", restitution=0.5), tangent="z"), "z"),
        (lambda: ball(carom.law("newton", restitution=0.5), tangent=(None, None)), "must be a place"),
        (
            lambda: carom.facing(0, 1, gap=0.1, law=carom.law("newton", restitution=0.5, friction=0.1)),
            "must be 0 for facing floors",
        ),
    ],
)
def test_refusals(build, words):
    with pytest.raises(carom.InputError) as caught:
        build()
    assert words in str(caught.value)
