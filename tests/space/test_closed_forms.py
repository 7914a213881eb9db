"""Bodies in space against closed forms: tumbling, a top, sliding on an incline, sliding that ends in rolling."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import ellipj

import carom
from carom.structures.solids.rotations import matrix_of

G = 9.81
LAW = carom.law("kelvin-voigt", stiffness=1e7, restitution=0.3)


def test_free_tumbling_follows_jacobi() -> None:
    """Landau and Lifshitz, Mechanics, § 37: ω₁ = w₁ cn τ, ω₂ = w₂ sn τ, ω₃ = w₃ dn τ where L² > 2 E I₂."""
    i1, i2, i3 = 1.0, 2.0, 3.0
    w1, w3 = 0.4, 1.3
    energy2, momentum2 = i1 * w1**2 + i3 * w3**2, (i1 * w1) ** 2 + (i3 * w3) ** 2
    assert momentum2 > energy2 * i2
    w2 = np.sqrt((energy2 * i3 - momentum2) / (i2 * (i3 - i2)))
    pace = np.sqrt((i3 - i2) * (momentum2 - energy2 * i1) / (i1 * i2 * i3))
    share = (i2 - i1) * (energy2 * i3 - momentum2) / ((i3 - i2) * (momentum2 - energy2 * i1))
    tilt = (0.3, -0.5, 0.8)
    body = carom.RigidBody(mass=2.0, inertia=(i1, i2, i3), orientation=tilt, gravity=0, name="body")
    body = body.replace(spin=tuple(body.axes @ [w1, 0.0, w3]), velocity=(1.0, -2.0, 0.5))
    run = carom.simulate(carom.Problem([body]), duration=30.0, sampling=0.05, rtol=1e-10)
    sn, cn, dn, _ = ellipj(pace * run.time, share)
    turned = matrix_of(run.scene_record.turned[:, 0])
    own = np.einsum("tji,tj->ti", turned @ body.axes, run.velocity[:, 3:])
    np.testing.assert_allclose(own, np.stack([w1 * cn, w2 * sn, w3 * dn], axis=1), atol=1e-8)
    momentum = np.einsum("tij,tj->ti", turned @ body.axes, own * (i1, i2, i3))
    np.testing.assert_allclose(momentum, np.tile(momentum[0], (len(momentum), 1)), atol=1e-9)
    np.testing.assert_allclose(run.displacement[:, :3], np.outer(run.time, [1.0, -2.0, 0.5]), atol=1e-12)


def test_heavy_top_precesses_steadily() -> None:
    """A symmetric top whose tip stands on springs: Ω (I₃ω₃ − I₁Ω cos θ) = l m g + l m Ω² ρ cot θ, ρ of its centre."""
    mass, i1, i3, length, k, theta, pace = 0.5, 4e-3, 1e-3, 0.1, 2e4, 0.4, 2.0
    radius = length * np.sin(theta) / (1.0 - mass * pace**2 / k)
    moment = length * mass * (G + pace**2 * radius / np.tan(theta))
    own = (moment / pace + i1 * pace * np.cos(theta)) / i3  # ω₃, that of precession with it
    spin = (own - pace * np.cos(theta)) * np.array([np.sin(theta), 0.0, np.cos(theta)]) + [0.0, 0.0, pace]
    tip = np.array([mass * pace**2 * radius / k, 0.0, -mass * G / k])
    centre = tip + length * np.array([np.sin(theta), 0.0, np.cos(theta)])
    top = carom.RigidBody(
        mass=mass, inertia=(i1, i1, i3), points={"tip": (0, 0, -length)}, position=tuple(centre),
        orientation=(0, theta, 0), velocity=(0, pace * radius, 0), spin=tuple(spin), name="top",
    )  # fmt: skip
    # bearings are undeformed at the start, so the force in them at the start is a weight of its own beside them
    tied = carom.joints.Elastomeric(k, across=0.5 * k)
    force = np.array([-mass * pace**2 * radius, 0.0, mass * G])
    bearings = [carom.Bearing(("top", "tip"), "ground", rule=tied, along=axis) for axis in ("x", "z")]
    problem = carom.Problem([top], bearings=bearings)
    flat = problem.flat()
    rest = flat.scene.joint_rest + np.array([force[0], 0.0, force[2], 0.0]) / k
    object.__setattr__(flat, "scene", _with(flat.scene, joint_rest=rest))
    run = carom.simulate(problem, duration=10.0, sampling=0.05, rtol=1e-9)
    place = run.scene_record.centre[:, 0]
    angle = pace * run.time
    np.testing.assert_allclose(place[:, 2], centre[2], atol=1e-8)
    np.testing.assert_allclose(place[:, :2], radius * np.stack([np.cos(angle), np.sin(angle)], axis=1), atol=1e-8)


def _with(scene: object, **changes: object) -> object:
    from dataclasses import replace

    return replace(scene, **changes)


def test_box_slides_down_an_incline() -> None:
    slope, mu, mass = np.radians(30.0), 0.3, 10.0
    down, normal = np.array([-np.cos(slope), 0, -np.sin(slope)]), np.array([-np.sin(slope), 0, np.cos(slope)])
    plane = carom.FixedBody.plate((0, 0, 0), normal=tuple(normal), size=100)
    box = carom.Girder(length=1, width=0.6, depth=0.4, mass=mass, orientation=(0, -slope, 0), name="box")
    # as it slides: friction at the corners, 0.2 m below its centre, presses the front ones by 0.2 μ/1 of it more
    press, lever = mass * G * np.cos(slope), 0.2 * mu
    sink = {"w": (0.25 + 0.5 * lever) * press / 1e7, "e": (0.25 - 0.5 * lever) * press / 1e7}
    lean = np.arcsin((sink["w"] - sink["e"]) / 1.0)
    box = box.replace(
        orientation=(0, -slope - lean, 0), position=tuple((0.2 * np.cos(lean) - 0.5 * (sink["w"] + sink["e"])) * normal)
    )
    below = [
        carom.Contact(("box", f"{c} bottom"), "floor", face="face", law=LAW, friction=carom.Friction(mu))
        for c in ("sw", "se", "ne", "nw")
    ]
    problem = carom.Problem([box, plane], below, allow_overlap=True)
    run = carom.simulate(problem, duration=2.0, sampling=0.01, rtol=1e-9)
    along = run.velocity[:, :3] @ down
    assert along[-1] - along[100] == pytest.approx((G * (np.sin(slope) - mu * np.cos(slope))), rel=1e-8)
    assert G * (np.sin(slope) - mu * np.cos(slope)) == pytest.approx(2.35628724, abs=1e-8)
    pushed = run.scene_record.pushed[-1].sum(axis=0)
    np.testing.assert_allclose(pushed @ normal, press, rtol=1e-7)
    steep = problem.replace(contacts=[one.replace(friction=carom.Friction(0.6)) for one in below])
    held = carom.simulate(steep, duration=2.0, sampling=0.01)
    assert (held.scene_record.state[-1] == 1).all()
    assert np.abs(held.velocity[-50:, :3]).max() < 1e-6  # what is left of settling; nothing creeps
    creep = held.displacement[-1, :3] - held.displacement[100, :3]
    assert np.abs(creep).max() < 1e-9


@pytest.mark.parametrize(("share", "end", "when"), [(0.4, 5 / 7, 0.14562400), (0.5, 2 / 3, 0.16989467)])
def test_sliding_ends_in_rolling(share: float, end: float, when: float) -> None:
    """A sphere (2/5) and a disc or cylinder (1/2) at 1 m/s with μ = 0.2: rolling at 5/7 and 2/3 of it."""
    mass, radius = 2.0, 0.1
    ball = carom.RigidBody(
        mass=mass, inertia=(share * mass * radius**2,) * 3, radii={"centre": radius},
        position=(0, 0, radius - mass * G / 1e7), velocity=(0.6, 0.8, 0), name="ball",
    )  # fmt: skip
    floor = carom.FixedBody.plate((0, 0, 0), size=100)
    rub = carom.Friction(0.2, stiffness_ratio=100.0)
    contact = carom.Contact(("ball", "centre"), "floor", face="face", law=LAW, friction=rub)
    problem = carom.Problem([ball, floor], [contact], allow_overlap=True)
    run = carom.simulate(problem, duration=0.5, sampling=1e-3, rtol=1e-10)
    speed = run.velocity[:, :2] @ [0.6, 0.8]
    assert speed[-1] == pytest.approx(end, abs=1e-8)
    np.testing.assert_allclose(run.velocity[-1, 3:], np.array([-0.8, 0.6, 0.0]) * end / radius, atol=1e-7)
    sliding = run.time < when - 1e-3
    np.testing.assert_allclose(speed[sliding][1:], 1.0 - 0.2 * G * run.time[sliding][1:], atol=3e-7)  # spring at first
    assert run.time[run.scene_record.state[:, 0] == 1][-1] == run.time[-1]
    assert abs(run.ledger["residual"]).max() < 1e-10
