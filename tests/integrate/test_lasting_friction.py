"""Rigid contacts that last, with Coulomb's friction: closed forms of sliding, sticking and rolling, event by event."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import carom

G = 9.81


def on_the_floor(mass, start, law, *, slips, load=(), dofs=("down", "x"), motion=None, influence=None, **more):
    """A body pressed on the ground by its weight, which slides along one tangent or two."""
    size = len(dofs)
    body = carom.Structure(
        mass, np.zeros((size, size)), damping_ratio=0.0, dofs=list(dofs), influence=influence or [0.0] * size,
        load=load or [G * mass[0]] + [0.0] * (size - 1), name="body",
    )  # fmt: skip
    names = dict(zip(("tangent", "second_tangent"), [(slip, None) for slip in slips], strict=False))
    contact = carom.Contact(("body", "down"), "ground", gap=0.0, law=law, **names)
    motion = carom.Motion(np.asarray(motion), dt=0.01) if motion is not None else None
    return carom.Problem(
        [body, carom.Ground(name="ground")], [contact], motion=motion, initial_velocity={"body": tuple(start)}, **more
    )


def newton(mu, e=0.0):
    return carom.law("newton", restitution=e, friction=mu)


@pytest.mark.parametrize(("inertia", "when", "speed"), [(0.5, 0.16989467, 2.0 / 3.0), (0.4, 0.14562400, 5.0 / 7.0)])
def test_a_sliding_wheel_begins_to_roll(inertia, when, speed):
    law = newton(0.2)
    slip = {"x": 1.0, "turn": 1.0}
    wheel = on_the_floor(
        [2.0, 2.0, 2.0 * inertia], (0.0, 1.0, 0.0), law, slips=[slip], dofs=("down", "x", "turn")
    )  # fmt: skip
    run = carom.simulate(wheel, duration=0.3)
    slides = run.time < when
    expected = np.where(slides, 1.0 - 0.2 * G * run.time, speed)
    assert when == pytest.approx((1.0 - speed) / (0.2 * G), rel=1e-7)
    assert run.velocity[:, 1] == pytest.approx(expected, abs=1e-12)
    assert run.velocity[-1, 1] + run.velocity[-1, 2] == pytest.approx(0.0, abs=1e-14)
    assert run.displacement[:, 0] == pytest.approx(0.0, abs=1e-14)
    assert run.force[1:, 0] == pytest.approx(2.0 * G, rel=1e-12)
    lost = 0.5 * 2.0 * (1.0 - speed)  # of the kinetic energy
    assert run.ledger["contact"][-1] == pytest.approx(lost, rel=1e-10)
    assert np.abs(run.ledger["residual"]).max() < 1e-12


def test_a_block_on_a_base_pulse():
    """A = 5 m/s² for 0.4 s, μ = 0.2: slip V²/(2μg)·(1 − μg/A)."""
    pulse = [5.0] * 41 + [0.0] * 100
    block = on_the_floor([3.0, 3.0], (0.0, 0.0), newton(0.2), slips=["x"], motion=pulse, influence=[0.0, 1.0])
    # the record falls from 5 to 0 within one sample: the ground goes on to 2.0 + 0.025 m/s
    run = carom.simulate(block)
    v, mu_g = 2.025, 0.2 * G
    ground = 0.5 * 5.0 * 0.4**2 + 2.0 * 0.01 + 0.5 * 5.0 * 0.01**2 * (2.0 / 3.0)
    stops = v / mu_g
    travelled = 0.5 * mu_g * stops**2
    whole = ground + v * (stops - 0.41) - travelled
    assert -run.displacement[-1, 1] == pytest.approx(whole, abs=1e-10)
    assert np.ptp(run.displacement[run.time > stops + 0.01, 1]) < 1e-14  # nothing creeps
    assert 2.0**2 / (2 * mu_g) * (1.0 - mu_g / 5.0) == pytest.approx(0.61936799, abs=5e-9)


@pytest.mark.parametrize(("mu", "slides"), [(0.3, True), (0.577, True), (0.578, False)])
def test_a_box_on_an_incline(mu, slides):
    """30°: 2.35628724 m/s² at μ = 0.3; it rests iff tan θ ≤ μ."""
    load = [2.0 * G * np.cos(np.pi / 6), 2.0 * G * 0.5]
    run = carom.simulate(on_the_floor([2.0, 2.0], (0.0, 0.0), newton(mu), slips=["x"], load=load), duration=1.0)
    rate = G * (0.5 - mu * np.cos(np.pi / 6)) if slides else 0.0
    assert run.displacement[:, 1] == pytest.approx(0.5 * rate * run.time**2, abs=1e-12)
    assert run.displacement[:, 0] == pytest.approx(0.0, abs=1e-14)
    if mu == 0.3:
        assert rate == pytest.approx(2.35628724, abs=5e-9)


def test_nothing_creeps_and_nothing_sinks():
    """Held inside the cone through 100 s of shaking: where MuJoCo creeps by 50 to 2300 µm/s."""
    rng = np.random.default_rng(1)
    shaking = rng.uniform(-1.0, 1.0, size=5001) * 0.99 * 0.3 * G
    body = on_the_floor([3.0, 3.0], (0.0, 0.0), newton(0.3), slips=["x"], motion=shaking, influence=[0.0, 1.0])
    body = body.replace(motion=carom.Motion(shaking, dt=0.02))
    run = carom.simulate(body)
    assert np.abs(run.displacement).max() < 1e-12
    assert run.force[1:, 0] == pytest.approx(3.0 * G, rel=1e-12)


def judge(motion, mu, start, dt):
    """A puck under ground acceleration along x and y, by SciPy; sticking where the ground is slow enough."""

    def slopes(t, s):
        ground = np.array([np.interp(t, dt * np.arange(len(row)), row) for row in motion])
        speed = np.hypot(s[2], s[3])
        return np.concatenate([s[2:], -ground - mu * G * s[2:] / speed])

    return solve_ivp(slopes, (0.0, dt * (len(motion[0]) - 1)), [0.0, 0.0, *start], rtol=1e-11, atol=1e-12).y[:, -1]


def test_friction_turns_with_the_slip_along_two_tangents():
    t = np.linspace(0.0, 2.0, 101)
    x, y = 6.0 * np.cos(2.0 * t), 6.0 * np.sin(2.0 * t)
    body = carom.Structure(
        [2.0] * 3, np.zeros((3, 3)), damping_ratio=0.0, dofs=["down", "x", "y"], load=[2.0 * G, 0.0, 0.0],
        influence=[[0, 0, 1.0], [1.0, 0, 0], [0, 1.0, 0]], name="body",
    )  # fmt: skip
    contact = carom.Contact(
        ("body", "down"), "ground", gap=0.0, law=newton(0.25), tangent="x", second_tangent="y"
    )  # fmt: skip
    motion = {"x": carom.Motion(x, dt=0.02), "y": carom.Motion(y, dt=0.02)}
    start = {"body": (0.0, 1.0, 0.5)}
    run = carom.simulate(carom.Problem([body, carom.Ground()], [contact], motion=motion, initial_velocity=start))
    expected = judge((x, y), 0.25, (1.0, 0.5), 0.02)
    assert np.hypot(*run.velocity[:, 1:].T).min() > 0.05
    assert [*run.displacement[-1, 1:], *run.velocity[-1, 1:]] == pytest.approx(expected, abs=1e-8)
    assert np.abs(run.ledger["residual"]).max() < 1e-9


def test_a_puck_that_ends_on_slow_ground_sticks_to_it():
    """Along two tangents slip ends without a change of sign; what is left of it does not creep."""
    t = np.linspace(0.0, 2.0, 101)
    body = carom.Structure(
        [2.0] * 3, np.zeros((3, 3)), damping_ratio=0.0, dofs=["down", "x", "y"], load=[2.0 * G, 0.0, 0.0],
        influence=[[0, 0, 1.0], [1.0, 0, 0], [0, 1.0, 0]], name="body",
    )  # fmt: skip
    contact = carom.Contact(("body", "down"), "ground", gap=0.0, law=newton(0.25), tangent="x", second_tangent="y")
    motion = {"x": carom.Motion(1.5 * np.cos(2.0 * t), dt=0.02), "y": carom.Motion(1.5 * np.sin(2.0 * t), dt=0.02)}
    start = {"body": (0.0, 1.0, 0.5)}
    run = carom.simulate(carom.Problem([body, carom.Ground()], [contact], motion=motion, initial_velocity=start))
    assert np.ptp(run.displacement[run.time > 1.0], axis=0).max() < 1e-13
    assert np.abs(run.ledger["residual"]).max() < 1e-9


@pytest.mark.parametrize("angle", [0.0, 0.3, 1.1])
def test_a_puck_comes_to_rest_whichever_way_tangents_lie(angle):
    c, s = np.cos(angle), np.sin(angle)
    slips = [{"x": c, "y": s}, {"x": -s, "y": c}]
    puck = on_the_floor([2.0] * 3, (0.0, 0.6, -0.8), newton(0.25), slips=slips, dofs=("down", "x", "y"))
    run = carom.simulate(puck, duration=1.0)
    way = np.array([0.6, -0.8]) / (2.0 * 0.25 * G)
    assert run.displacement[-1, 1:] == pytest.approx(way, abs=1e-10)
    assert run.velocity[-1] == pytest.approx(0.0, abs=1e-13)


@pytest.mark.parametrize("duration", [3.5, 4.0])
@pytest.mark.parametrize("name", ["newton", "poisson", "stronge"])
def test_a_ball_that_bounces_to_rest_and_slides_on(name, duration):
    """Friction of infinitely many impacts (6 N·s of normal impulse), then of the contact that lasts."""
    body = carom.Structure(
        [1.0, 1.0], np.zeros((2, 2)), damping_ratio=0.0, dofs=["down", "x"], load=[2.0, 0.0], name="ball"
    )
    law = carom.law(name, restitution=0.5, friction=0.01)
    contact = carom.Contact(("ball", "down"), "ground", gap=1.0, law=law, tangent="x")
    problem = carom.Problem([body, carom.Ground(name="ground")], [contact], initial_velocity={"ball": (0.0, 1.0)})
    run = carom.simulate(problem, duration=duration)
    assert run.evidence["came_to_rest"] == 1
    slid = 0.01 * 2.0 * (run.time[-1] - 1.0)  # gravity's whole impulse passes through the floor from the first touch on
    fall = 0.01 * 2.0  # and what the fall had gathered
    assert run.velocity[-1] == pytest.approx([0.0, 1.0 - slid - fall], abs=1e-7)
