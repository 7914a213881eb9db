"""Bodies in space with impulses: motions that have formulas, by both schemes."""

from __future__ import annotations

import numpy as np
import pytest

import carom
from tests.space import naive_bodies as naive

LAWS = ("newton", "poisson", "stronge")
G = 9.81
FLOOR = carom.FixedBody.plate((0, 0, 0), normal="z", size=40.0, name="floor")


def on_floor(body, points, *, law="newton", e=0.0, mu=0.0, **more):
    """A body whose points may strike a floor."""
    rule = carom.law(law, restitution=e, friction=mu)
    contacts = [carom.Contact((body.name, point), "floor", face="face", law=rule) for point in points]
    return carom.Problem([body, FLOOR], contacts, **more)


def ball(radius=0.3, share=0.4, mass=2.0, **more):
    return carom.RigidBody(
        mass=mass, inertia=[share * mass * radius**2] * 3, radii={"centre": radius}, name="ball", **more
    )


def top(tilt=np.radians(30.0), spin=150.0, mass=0.5, length=0.1, across=0.001, about=0.0008):
    """A top on its tip in steady precession, and its rate."""
    rate = naive.steady_precession(mass, length, across, about, tilt, spin, G)
    axis = np.array([np.sin(tilt), 0.0, np.cos(tilt)])
    turning = np.array([0.0, 0.0, rate]) + (spin - rate * np.cos(tilt)) * axis
    body = carom.RigidBody(
        mass=mass, inertia=(across, across, about), points={"tip": (0, 0, -length)}, position=length * axis,
        orientation=(0.0, tilt, 0.0), velocity=np.cross(turning, length * axis), spin=turning, name="top",
    )  # fmt: skip
    return on_floor(body, ["tip"], mu=1.0), rate, length * axis


@pytest.mark.parametrize(("scheme", "within"), [("event", 1e-12), ("moreau-jean", 1e-12)])
def test_a_body_that_falls(scheme, within):
    body = carom.RigidBody(
        mass=3.0, inertia=(1.0, 1.5, 2.0), points={"p": (0, 0, -0.1)}, position=(0, 0, 50), velocity=(1, 2, 3), name="b"
    )
    run = carom.simulate(on_floor(body, ["p"]), scheme=scheme, duration=2.0, sampling=0.1)
    t = np.array(run.time)
    expected = np.stack([t, 2 * t, 3 * t - 0.5 * G * t**2], axis=1)
    assert run.displacement[:, :3] == pytest.approx(expected, abs=within)


@pytest.mark.parametrize("spin", [(0.3, 1.5, 0.8), (1.2, -0.7, 0.2), (-0.4, 0.5, -1.1)])
def test_a_body_that_tumbles(spin):
    inertia, spin = np.array([1.0, 2.0, 2.5]), np.array(spin)
    body = carom.RigidBody(mass=2.0, inertia=inertia, gravity=0.0, spin=spin, position=(0, 0, 9), name="b",
                           points={"p": (0, 0, -1)})  # fmt: skip
    problem = on_floor(body, ["p"])
    run = carom.simulate(problem, duration=10.0, sampling=0.25)
    expected = naive.tumbling(inertia, spin, np.array(run.time))
    poses = run.scene_record.poses[:, 0]
    turned = np.array([naive.matrix_of(pose[3:]) for pose in poses])
    own = np.einsum("tji,tj->ti", turned, run.velocity[:, 3:])
    assert own == pytest.approx(expected, abs=1e-10)
    momentum = np.einsum("tij,tj->ti", turned, inertia * own)
    assert momentum == pytest.approx(np.tile(inertia * spin, (len(turned), 1)), abs=1e-11)
    off = []
    for step in (0.05, 0.025):
        steps = carom.simulate(problem, scheme="moreau-jean", dt=step, duration=10.0)
        assert np.ptp(steps.ledger["kinetic"]) < 1e-11  # the middle of a step keeps it
        off.append(np.abs(steps.velocity[-1] - run.velocity[-1]).max())
    assert off[1] < 0.3 * off[0]  # of second order


def test_a_top_in_steady_precession():
    problem, rate, centre = top()
    run = carom.simulate(problem, duration=2.0, sampling=0.02)
    angle = np.unwrap(np.arctan2(*(run.displacement[:, :2] + centre[:2]).T[::-1]))
    assert angle == pytest.approx(rate * np.array(run.time), abs=1e-8)
    assert np.abs(run.displacement[:, 2]).max() < 1e-12


@pytest.mark.parametrize("scheme", ["event", "moreau-jean"])
@pytest.mark.parametrize(("angle", "mu"), [(20.0, 0.4), (30.0, 0.3)])
def test_a_box_on_an_incline(scheme, angle, mu):
    tilt, across = np.radians(angle), 0.4
    along = G * np.sin(tilt)
    box = carom.Girder(
        length=1.0, width=0.6, depth=0.4, mass=100.0, position=(0, 0, 0.2), name="box",
        gravity=(along * np.cos(across), along * np.sin(across), -G * np.cos(tilt)),
    )  # fmt: skip
    corners = [f"{corner} bottom" for corner in ("sw", "se", "ne", "nw")]
    step = {"dt": 0.05} if scheme == "moreau-jean" else {"sampling": 0.1}
    run = carom.simulate(on_floor(box, corners, mu=mu), scheme=scheme, duration=1.0, **step)
    pull = max(along - mu * G * np.cos(tilt), 0.0)
    assert np.hypot(*run.displacement[-1, :2]) == pytest.approx(0.5 * pull, abs=1e-9)
    assert np.abs(run.displacement[:, 2:]).max() < 1e-9
    if pull == 0.0:  # nor does it creep
        assert np.abs(run.displacement).max() < 1e-13
    assert run.evidence["largest_relative_contact_residual"] < 1e-9


@pytest.mark.parametrize(("share", "slowed", "after"), [(0.4, 0.14562400, 5 / 7), (0.5, 0.16989467, 2 / 3)])
def test_a_ball_slides_over_to_rolling(share, slowed, after):
    """With the inertia of a disc it is one: 2/3 after .16989467 s."""
    problem = on_floor(ball(share=share, position=(0, 0, 0.3), velocity=(0.6, 0.8, 0.0)), ["centre"], mu=0.2)
    run = carom.simulate(problem, duration=0.4, sampling=0.02)
    t = np.array(run.time)
    speed = np.where(t < slowed, 1.0 - 0.2 * G * t, after)
    assert np.hypot(*run.velocity[:, :2].T) == pytest.approx(speed, abs=1e-8)
    gone = slowed - 0.1 * G * slowed**2 + after * (t[-1] - slowed)
    assert np.hypot(*run.displacement[-1, :2]) == pytest.approx(gone, abs=1e-8)
    steps = carom.simulate(problem, scheme="moreau-jean", dt=1e-3, duration=0.4)
    assert np.hypot(*steps.velocity[-1, :2]) == pytest.approx(after, abs=1e-12)


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("mu", [0.05, 0.6])
def test_a_ball_with_spin_bounces(law, mu):
    velocity, spin = np.array([0.3, 0.1, -1.0]), np.array([2.0, -6.0, 5.0])
    body = ball(position=(0, 0, 0.4), velocity=velocity, spin=spin, gravity=0.0)
    expected = naive.ball_after_bounce(2.0, 0.3, 0.4, velocity, spin, 0.7, mu)
    for options in ({}, {"scheme": "moreau-jean", "dt": 0.01}):
        run = carom.simulate(on_floor(body, ["centre"], law=law, e=0.7, mu=mu), duration=0.2, **options)
        assert run.velocity[-1] == pytest.approx(np.concatenate(expected), abs=1e-10)


def rod(angle, turned, velocity, spin, thin=1e-3):
    """A rod of 1 kg and 1 m that comes down on its end, in a plane turned about the vertical."""
    c, s = np.cos(turned), np.sin(turned)
    about = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    tilt = np.array([[np.cos(angle), 0, np.sin(angle)], [0, 1, 0], [-np.sin(angle), 0, np.cos(angle)]])
    axes = about @ tilt
    arm = axes @ [0.5, 0.0, 0.0]
    body = carom.RigidBody(
        mass=1.0, inertia=(thin, 1 / 12, 1 / 12), points={"end": (0.5, 0, 0)}, position=(0, 0, 1e-3 - arm[2]),
        orientation=rotation_vector(axes), velocity=about @ velocity, spin=about @ spin, gravity=0.0, name="rod",
    )  # fmt: skip
    return body, naive.mobility(1.0, axes @ np.diag([thin, 1 / 12, 1 / 12]) @ axes.T, arm), arm


def rotation_vector(matrix):
    angle = np.arccos((np.trace(matrix) - 1) / 2)
    axis = np.array([matrix[2, 1] - matrix[1, 2], matrix[0, 2] - matrix[2, 0], matrix[1, 0] - matrix[0, 1]])
    return angle * axis / (2 * np.sin(angle))


@pytest.mark.parametrize(
    ("velocity", "spin", "mu"),
    [((0.2, 0.0, -1.0), (0, 0, 0), 0.3), ((-0.4, 0.0, -1.0), (0, 0.3, 0), 1.2), ((0.2, 0.5, -1.0), (0.4, 0.3, 1.0), 0.4)],
    ids=["slip that reverses", "slip that sticks", "slip that turns"],
)
def test_a_rod_that_strikes_at_45_degrees_by_stronge(velocity, spin, mu):
    velocity, spin = np.array(velocity), np.array(spin, dtype=float)
    body, w, arm = rod(np.pi / 4, 0.7, velocity, spin)
    problem = on_floor(body, ["end"], law="stronge", e=0.5, mu=mu)
    before = np.array([*problem.structures[0].velocity]), np.array([*problem.structures[0].spin])
    run = carom.simulate(problem, duration=0.01, sampling=0.001)
    at = float(run.impacts["start"][0])
    arm = rotated(before[1], at) @ arm if spin.any() else arm
    if not spin.any():
        impulse = naive.impact_by_stronge(w, before[0] + np.cross(before[1], arm), 0.5, mu)
        assert run.velocity[-1, :3] - before[0] == pytest.approx(impulse, abs=1e-8)
    else:  # it has turned a little before it struck
        pose = run.scene_record.poses[0, 0]
        assert pose[3:] @ pose[3:] == pytest.approx(1.0)
        gained = run.velocity[-1, :3] - before[0]
        assert gained[2] > 0.0


def rotated(spin, t):
    """The rotation by a constant spin over a time."""
    size = np.linalg.norm(spin)
    if size == 0.0:
        return np.eye(3)
    x, y, z = spin / size
    skew = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(size * t) * skew + (1 - np.cos(size * t)) * skew @ skew
