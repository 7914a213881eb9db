"""Bodies in space with impulses: motions that have formulas, by both schemes."""

from __future__ import annotations

import numpy as np
import pytest
from tests.space import naive_bodies as naive

import carom

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


def top(tilt=0.5, spin=150.0, mass=0.5, length=0.1, across=0.001, about=0.0008):
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
    turned = np.array([naive.matrix_of(quaternion) for quaternion in run.scene_record.turned[:, 0]])
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
    x, y = (run.displacement[:, :2] + centre[:2]).T
    angle = np.unwrap(np.arctan2(y, x))
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
    problem = on_floor(body, ["centre"], law=law, e=0.7, mu=mu)
    run = carom.simulate(problem, duration=0.2, sampling=0.1)
    assert run.velocity[-1] == pytest.approx(np.concatenate(expected), abs=1e-12)
    off = []
    for step in (0.01, 0.001):  # of first order: the ball turns while the step lasts in which it strikes
        steps = carom.simulate(problem, scheme="moreau-jean", dt=step, duration=0.2)
        assert steps.velocity[-1, :3] == pytest.approx(expected[0], abs=1e-10)
        off.append(np.abs(steps.velocity[-1, 3:] - expected[1]).max())
    assert off[0] < 0.01
    assert off[1] < 0.2 * off[0]


@pytest.mark.parametrize(
    ("velocity", "spin", "mu"),
    [((0.2, 0, -1.0), (0, 0, 0), 0.3), ((-0.4, 0, -1.0), (0, 0.3, 0), 1.2), ((0.2, 0.5, -1.0), (0.4, 0.3, 1.0), 0.4)],
    ids=["slip that reverses", "slip that sticks", "slip that turns"],
)
def test_a_rod_that_strikes_at_45_degrees_by_stronge(velocity, spin, mu):
    """In a plane turned about the vertical, beside the course of the impact by SciPy."""
    c, s, half = np.cos(0.7), np.sin(0.7), np.sqrt(0.5)
    about = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    axes = about @ np.array([[half, 0, half], [0, 1, 0], [-half, 0, half]])
    tensor, arm = axes @ np.diag([1e-3, 1 / 12, 1 / 12]) @ axes.T, axes @ [0.5, 0.0, 0.0]
    velocity, spin = about @ velocity, about @ np.array(spin, dtype=float)
    body = carom.RigidBody(
        mass=1.0, inertia=tensor, points={"end": arm}, position=(0, 0, -arm[2]), velocity=velocity, spin=spin,
        gravity=0.0, name="rod",
    )  # fmt: skip
    run = carom.simulate(on_floor(body, ["end"], law="stronge", e=0.5, mu=mu), duration=0.01, sampling=0.005)
    at_end = velocity + np.cross(spin, arm)
    impulse = naive.impact_by_stronge(naive.mobility(1.0, tensor, arm), at_end, 0.5, mu)
    assert run.velocity[-1, :3] - velocity == pytest.approx(impulse, abs=1e-8)


def tumbling_box(about, origin, law):
    """A girder that falls on a floor of its size, with both turned and shifted."""
    spin, velocity = about @ [0.5, 2.0, 0.3], about @ [0.3, -0.2, -1.0]
    tilt = np.array([[0.8, 0.0, 0.6], [0.0, 1.0, 0.0], [-0.6, 0.0, 0.8]])
    box = carom.Girder(
        length=1.0, width=0.6, depth=0.4, mass=100.0, position=origin + about @ [0.1, 0.2, 0.7], velocity=velocity,
        orientation=rotation_vector(about @ tilt), spin=spin, gravity=about @ [0.0, 0.0, -G], name="box",
    )  # fmt: skip
    floor = carom.FixedBody.plate(origin, normal=about[:, 2], size=8.0, name="floor")
    rule = carom.law(law, restitution=0.5, friction=0.3)
    return carom.Problem([box, floor], [carom.Contact(("box", p), "floor", face="face", law=rule) for p in box.marks])


def rotation_vector(matrix):
    angle = np.arccos((np.trace(matrix) - 1) / 2)
    axis = np.array([matrix[2, 1] - matrix[1, 2], matrix[0, 2] - matrix[2, 0], matrix[1, 0] - matrix[0, 1]])
    return angle * axis / (2 * np.sin(angle))


@pytest.mark.parametrize("scheme", ["event", "moreau-jean"])
def test_a_scene_turned_and_shifted_gives_the_same(scheme):
    step = {"dt": 0.005} if scheme == "moreau-jean" else {"sampling": 0.01}
    axis = np.array([1.0, -2.0, 0.5]) / np.sqrt(5.25)
    skew = np.cross(np.eye(3), axis)
    about = np.eye(3) + np.sin(1.1) * skew.T + (1 - np.cos(1.1)) * skew @ skew
    runs = [
        carom.simulate(tumbling_box(*where, "stronge"), scheme=scheme, duration=0.45, **step)
        for where in ((np.eye(3), np.zeros(3)), (about, np.array([3.0, -5.0, 2.0])))
    ]
    one, other = (run.displacement.reshape(-1, 2, 3) for run in runs)
    before = np.array(runs[0].time) < 0.38  # then it rattles to rest: rebounds of 1e-13 m are made of rounding
    assert (other @ about)[before] == pytest.approx(one[before], abs=1e-12)
    assert other @ about == pytest.approx(one, abs=1e-7)
    counts = [int((run.impacts["approach_velocity"] > 1e-3).sum()) for run in runs]
    assert counts[0] == counts[1] > 1
    energy = runs[0].ledger
    assert np.abs(energy["residual"]).max() < 1e-8 * energy["input"].max()


@pytest.mark.parametrize("law", LAWS)
def test_plane_scenes_are_those_of_the_plane(law):
    """A deck that strikes its abutment, and a body in space of the same mass, inertia and corners."""
    rule = carom.law(law, restitution=0.5, friction=0.1)
    deck = carom.Deck(length=30.0, width=10.0, skew=np.radians(30.0), mass=4e5, name="span", free=True)
    east = carom.Abutment.beside(deck, "e", gap=0.05, name="east")
    start = {"span": (1.0, 0.1, 0.02)}
    plane = carom.simulate(
        carom.Problem([deck, east], [carom.facing("span", "east", law=rule)], initial_velocity=start),
        duration=1.0, sampling=0.05,
    )  # fmt: skip
    corners = {name: (*deck.local(name), 0.0) for name in deck.corner_names}
    inertia = deck.turning_inertia
    body = carom.RigidBody(
        mass=4e5, inertia=(inertia, inertia, inertia), points=corners, gravity=0.0, velocity=(1.0, 0.1, 0.0),
        spin=(0.0, 0.0, 0.02), name="span",
    )  # fmt: skip
    (x1, y1), (x2, y2) = east.outlined
    ends = {"a": (x1, y1, -5.0), "b": (x2, y2, -5.0), "c": (x2, y2, 5.0), "d": (x1, y1, 5.0)}
    wall = carom.FixedBody(points=ends, faces={"face": ("a", "b", "c", "d")}, name="east")
    contacts = [carom.Contact(("span", corner), "east", face="face", law=rule) for corner in ("se", "ne")]
    space = carom.simulate(carom.Problem([body, wall], contacts), duration=1.0, sampling=0.05)
    assert space.velocity[:, [0, 1, 5]] == pytest.approx(plane.velocity, abs=1e-9)
    assert space.displacement[:, [0, 1, 5]] == pytest.approx(plane.displacement, abs=1e-9)
    assert np.abs(space.displacement[:, 2:5]).max() < 1e-12
