"""Impacts with two tangents: Coulomb's true cone, its conditions, axes turned, and the course of an impact by SciPy."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from carom.backends import compiled
from carom.kernels import endings
from carom.kernels.rigid.impulses import impulses, one_contact
from carom.kernels.rigid.impulses.hodograph import COURSE_COLUMNS, COURSE_ROWS

HYPOTHESES = (impulses.NEWTON, impulses.POISSON, impulses.ENERGETIC)


def strike(hypothesis, w, before, e, mu, tangents=2):
    size = len(before)
    n = size // (1 + tangents)
    struck = np.zeros((impulses.SCRATCH_ROWS, size))
    struck[impulses.BEFORE] = struck[impulses.FREE] = before
    struck[impulses.RESTITUTION, :n], struck[impulses.ROUGHNESS, :n] = e, mu
    status, left = compiled(impulses.strike_rough)(
        hypothesis, 0.0, n, tangents, np.ascontiguousarray(w), struck, np.zeros((size, size + 2)),
        np.zeros(size, dtype=np.int64), np.zeros((COURSE_ROWS, COURSE_COLUMNS)),
    )  # fmt: skip
    assert status != endings.SOLVED or left <= 1e-9 * (1.0 + np.abs(struck[impulses.IMPULSE]).max())
    return status, struck[impulses.IMPULSE].copy()


def body(rng):
    """A rigid body struck at one point: rows of normal and two tangents over its six velocities, masses, velocities."""
    r = rng.uniform(-1.0, 1.0, size=3)
    rows = [np.concatenate([axis, np.cross(r, axis)]) for axis in (np.eye(3)[2], np.eye(3)[0], np.eye(3)[1])]
    mass = np.concatenate([np.ones(3), rng.uniform(0.04, 0.4, size=3)])
    g, v = np.array(rows), rng.normal(size=6)
    return g, mass, v if g[0] @ v < 0.0 else -v


def holds(w, start, least, mu, p, size):
    """Assert Coulomb's conditions on one block: rates after the impulses and the impulses themselves."""
    y = start + w @ p
    n = len(mu)
    for i in range(n):
        assert p[i] >= least[i] - 1e-10 * size
        assert y[i] >= -1e-10
        assert abs((p[i] - least[i]) * y[i]) <= 1e-9 * size
        drag, slip = p[[n + i, 2 * n + i]], y[[n + i, 2 * n + i]]
        assert np.hypot(*drag) <= mu[i] * p[i] + 1e-10 * size
        speed = np.hypot(*slip)
        if speed > 1e-8:
            assert drag == pytest.approx(-mu[i] * p[i] * slip / speed, abs=1e-8 * size)


@pytest.mark.parametrize("mu", [0.0, 0.1, 0.4, 1.5, 20.0])
def test_one_contact_meets_coulombs_conditions_however_strongly_turning_couples(mu):
    rng = np.random.default_rng(5)
    seen = set()
    for _ in range(2000):
        g = rng.normal(size=(3, 3)) * rng.uniform(0.02, 3.0, size=3)[:, None]
        w = g @ g.T  # any positive definite W, Painlevé's couplings included
        a, c1, c2 = rng.normal(size=3)
        least = rng.choice([0.0, rng.uniform(0.0, 2.0)])
        case, *p = compiled(one_contact.two_tangents)(
            a, c1, c2, w[0, 0], w[0, 1], w[0, 2], w[1, 1], w[1, 2], w[2, 2], mu, least
        )
        assert case != one_contact.NO_CASE
        seen.add(case)
        holds(w, np.array([a, c1, c2]), [least], [mu], np.array(p), 1.0 + np.abs(p).max())
    assert seen == ({one_contact.OPEN, one_contact.SLIPS} if mu == 0.0 else {0, 1, 2})


def test_a_tangent_that_nothing_moves():
    """Planar bodies seen in space: the second tangent has no mobility; sliding along it goes on."""
    rng = np.random.default_rng(6)
    for _ in range(500):
        a, c = -rng.uniform(0.1, 1.0), rng.normal()
        g = rng.normal(size=(2, 2))
        (nn, nt), (_, tt) = g @ g.T
        mu = rng.uniform(0.0, 1.5)
        _, p, drag = one_contact.one_tangent(a, c, nn, nt, tt, mu, 0.0)
        _, *found = one_contact.two_tangents(a, c, 0.0, nn, nt, 0.0, tt, 0.0, 0.0, mu, 0.0)
        assert found == pytest.approx([p, drag, 0.0], rel=1e-9, abs=1e-12)
        carried = rng.normal()  # the wall runs along the second tangent
        case, *found = one_contact.two_tangents(a, c, carried, nn, nt, 0.0, tt, 0.0, 0.0, mu, 0.0)
        w = np.array([[nn, nt, 0.0], [nt, tt, 0.0], [0.0, 0.0, 0.0]])
        assert case == one_contact.SLIPS
        holds(w, np.array([a, c, carried]), [0.0], [mu], np.array(found), 1.0 + np.abs(found).max())


@pytest.mark.parametrize("hypothesis", HYPOTHESES)
def test_one_tangent_is_the_plane_of_two(hypothesis):
    rng = np.random.default_rng(7)
    for _ in range(300):
        g = rng.normal(size=(2, 3))
        w, y = np.zeros((3, 3)), np.zeros(3)
        w[:2, :2], w[2, 2] = g @ g.T, rng.uniform(0.1, 3.0)
        y[:2] = g @ rng.normal(size=3)
        y[0] = -abs(y[0])
        e, mu = rng.uniform(0.0, 1.0), rng.uniform(0.0, 1.2)
        status, flat = strike(hypothesis, w[:2, :2], y[:2], e, mu, tangents=1)
        also, found = strike(hypothesis, w, y, e, mu)
        assert status == also == endings.SOLVED
        assert found == pytest.approx([*flat, 0.0], rel=1e-11, abs=1e-11)


@pytest.mark.parametrize("hypothesis", HYPOTHESES)
def test_an_impact_does_not_see_how_its_tangents_lie(hypothesis):
    rng = np.random.default_rng(8)
    for _ in range(200):
        g, mass, v = body(rng)
        e, mu, angle = rng.uniform(0.0, 1.0), rng.uniform(0.0, 1.2), rng.uniform(0.0, 7.0)
        turn = np.eye(3)
        turn[1:, 1:] = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
        w, y = (g / mass) @ g.T, g @ v
        _, one = strike(hypothesis, w, y, e, mu)
        _, other = strike(hypothesis, turn @ w @ turn.T, turn @ y, e, mu)
        assert turn.T @ other == pytest.approx(one, abs=1e-11 * (1.0 + one[0]))


def test_energy_of_single_impacts_in_space():
    """Newton's law with friction creates some in a few of a hundred, Poisson's and Stronge's in none."""
    rng, gained = np.random.default_rng(9), dict.fromkeys(HYPOTHESES, 0)
    for _ in range(2000):
        g, mass, v = body(rng)
        e, mu = rng.uniform(0.0, 1.0, size=2)
        for hypothesis in HYPOTHESES:
            status, p = strike(hypothesis, (g / mass) @ g.T, g @ v, e, mu)
            after = v + (g.T @ p) / mass
            assert status == endings.SOLVED
            assert np.hypot(p[1], p[2]) <= mu * p[0] + 1e-12
            assert g[0] @ after >= -1e-12
            gained[hypothesis] += mass @ after**2 > mass @ v**2 * (1.0 + 1e-11)
    assert 0 < gained[impulses.NEWTON] < 100
    assert gained[impulses.POISSON] == gained[impulses.ENERGETIC] == 0


class Course:
    """Routh's course over the normal impulse by SciPy: rates, friction and work of the normal impulse as its state."""

    def __init__(self, w, mu):
        self.w, self.mu, self.hold, self.goal = w, mu, -np.linalg.solve(w[1:, 1:], w[1:, 0]), np.inf
        for event in (self.closed, self.stops, self.full):
            event.__func__.terminal = True

    def slopes(self, p, s):
        slip = s[1:3]
        beyond = max(np.hypot(*self.hold) / self.mu, 1.0)  # in a plane it leaves straight where it cannot stick
        ratio = self.hold / beyond if np.hypot(*slip) < 1e-10 else -self.mu * slip / np.hypot(*slip)
        return np.array([*(self.w @ np.array([1.0, *ratio])), *ratio, s[0]])

    def closed(self, p, s):
        return s[0]

    def stops(self, p, s):
        return np.hypot(s[1], s[2]) - 1e-10

    def full(self, p, s):
        return s[5] - self.goal

    def until(self, p, s, ends):
        """Follow it until `ends`; a slip that stops sticks."""
        while True:
            events = [ends, self.stops] if np.hypot(s[1], s[2]) > 2e-10 else [ends]
            run = solve_ivp(self.slopes, (p, p + 100.0), s, method="DOP853", rtol=1e-12, atol=1e-13, events=events)
            p, s = run.t[-1], run.y[:, -1].copy()
            if run.t_events[0].size:
                return p, s
            s[1:3] = 0.0


def course(w, y, e, mu):
    """Return the impulses at the end: restitution has returned e² of the work of compression."""
    follow = Course(w, mu)
    p, s = follow.until(0.0, np.array([*y, 0.0, 0.0, 0.0]), follow.closed)
    follow.goal = s[5] * (1.0 - e * e)
    s[0] = 1e-16
    p, s = follow.until(p, s, follow.full)
    return np.array([p, s[3], s[4]])


def test_one_impact_follows_rouths_course_along_its_hodograph():
    rng, judged, stuck = np.random.default_rng(10), 0, 0
    while judged < 25:
        g, mass, v = body(rng)
        e, mu = rng.uniform(0.0, 1.0), rng.uniform(0.05, 1.0)
        w, y = (g / mass) @ g.T, g @ v
        if np.hypot(*np.linalg.solve(w[1:, 1:], w[1:, 0])) > mu:
            continue
        judged += 1
        _, p = strike(impulses.ENERGETIC, w, y, e, mu)
        assert p == pytest.approx(course(w, y, e, mu), abs=3e-9 * (1.0 + p[0]))
        stuck += np.hypot(*(y + w @ p)[1:]) < 1e-9
    assert 3 <= stuck <= 22


def test_a_slip_that_stops_and_cannot_stick_leaves_straight():
    """In a plane Routh's course reverses the slip (closed form); turned in space it is the same course."""
    w = np.array([[1.0, 0.9, 0.0], [0.9, 1.0, 0.0], [0.0, 0.0, 0.7]])
    y = np.array([-1.0, -0.05, 0.0])
    flat = strike(impulses.ENERGETIC, w[:2, :2], y[:2], 0.5, 0.3, tangents=1)[1]
    after = y[:2] + w[:2, :2] @ flat
    assert after[1] > 0.0  # reversed
    angle = 0.83
    turn = np.eye(3)
    turn[1:, 1:] = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
    found = turn.T @ strike(impulses.ENERGETIC, turn @ w @ turn.T, turn @ y, 0.5, 0.3)[1]
    assert found == pytest.approx([*flat, 0.0], abs=1e-11)


@pytest.mark.parametrize("hypothesis", HYPOTHESES)
def test_several_contacts_on_the_true_cone(hypothesis):
    """Random systems: Coulomb's conditions, no approach left, no energy from nothing under Poisson and Stronge."""
    rng, solved = np.random.default_rng(11), 0
    for _ in range(60):
        n = int(rng.integers(2, 6))
        g, mass = rng.normal(size=(3 * n, 3 * n + 2)), rng.uniform(0.5, 20.0, size=3 * n + 2)
        v, mu = rng.normal(size=3 * n + 2), rng.uniform(0.0, 0.6, size=n)
        w, y = (g / mass) @ g.T, g @ v
        status, p = strike(hypothesis, w, y, 0.6, mu)
        if status != endings.SOLVED:  # an outcome of the run
            continue
        solved += 1
        after = v + (g.T @ p) / mass
        if hypothesis == impulses.NEWTON:
            holds(w, y + np.concatenate([0.6 * y[:n], np.zeros(2 * n)]), np.zeros(n), mu, p, 1.0 + p[:n].max())
        else:
            assert (g @ after)[:n].min() >= -1e-10
            assert (np.hypot(p[n : 2 * n], p[2 * n :]) <= mu * p[:n] + 1e-10 * p.max()).all()
            assert mass @ after**2 <= mass @ v**2 * (1.0 + 1e-12)
    assert solved >= 57


@pytest.mark.parametrize("mu", [0.05, 0.2, 0.4, 0.55, 0.7])
@pytest.mark.parametrize("slip", [-0.1, -0.5, -1.5, 0.3])
def test_a_rod_that_strikes_at_45_degrees_by_stronge(mu, slip):
    """Its slip reverses where μ < W_nt/W_tt = 0.6, sticks above; against the course by SciPy, and in turned axes."""
    x, y, inertia = 0.5 * np.cos(np.pi / 4), 0.5 * np.sin(np.pi / 4), 1.0 / 12.0
    w = np.array(
        [[1.0 + x * x / inertia, x * y / inertia, 0.0], [x * y / inertia, 1.0 + y * y / inertia, 0.0], [0, 0, 1.0]]
    )
    rates = np.array([-1.0, slip, 0.0])
    expected = course(w, rates, 0.5, mu)
    flat = strike(impulses.ENERGETIC, w[:2, :2], rates[:2], 0.5, mu, tangents=1)[1]
    assert flat == pytest.approx(expected[:2], abs=1e-8)
    assert w[0, 1] / w[1, 1] == pytest.approx(0.6)
    after = rates[:2] + w[:2, :2] @ flat
    if slip == -0.1 and mu < 0.6:
        assert after[1] > 0.01  # it has reversed
    if slip == -0.1 and mu > 0.6:
        assert after[1] == pytest.approx(0.0, abs=1e-12)
    turn = np.eye(3)
    turn[1:, 1:] = [[np.cos(1.0), -np.sin(1.0)], [np.sin(1.0), np.cos(1.0)]]
    found = turn.T @ strike(impulses.ENERGETIC, turn @ w @ turn.T, turn @ rates, 0.5, mu)[1]
    assert found == pytest.approx(expected, abs=1e-8)
