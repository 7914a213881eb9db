"""Impacts with friction: conditions, random planar impacts and a course of impact integrated in small steps."""

from __future__ import annotations

import numpy as np
import pytest

from carom.backends import compiled
from carom.kernels import endings
from carom.kernels.rigid.impulses import complementarity as lcp
from carom.kernels.rigid.impulses import hodograph, impulses

HYPOTHESES = (impulses.NEWTON, impulses.POISSON, impulses.ENERGETIC)


def strike(hypothesis, w, before, e, mu, tangents=1):
    size = len(before)
    n = size // (1 + tangents)
    struck = np.zeros((impulses.SCRATCH_ROWS, size))
    struck[impulses.BEFORE] = struck[impulses.FREE] = before
    struck[impulses.RESTITUTION, :n], struck[impulses.ROUGHNESS, :n] = e, mu
    status, _ = compiled(impulses.strike_rough)(
        hypothesis,
        0.0,
        n,
        tangents,
        np.ascontiguousarray(w),
        struck,
        np.zeros((size, size + 2)),
        np.zeros(size, dtype=np.int64),
        np.zeros((hodograph.COURSE_ROWS, hodograph.COURSE_COLUMNS)),
    )
    return status, struck[impulses.IMPULSE].copy()


def planar(rng):
    """A rigid body in the plane that strikes a wall with one point: directions, mass and velocity (x, y, rotation)."""
    x, y = rng.uniform(-1.0, 1.0, size=2)
    directions = np.array([[0.0, 1.0, x], [1.0, 0.0, -y]])
    mass = np.array([1.0, 1.0, rng.uniform(0.2, 0.6) ** 2])
    v = rng.normal(size=3)
    return directions, mass, v if directions[0] @ v < 0.0 else -v


def test_newton_with_friction_creates_energy_in_two_of_a_hundred_planar_impacts_stronge_in_none():
    rng, runs = np.random.default_rng(0), 4000
    gained = dict.fromkeys(HYPOTHESES, 0)
    for _ in range(runs):
        g, mass, v = planar(rng)
        e, mu = rng.uniform(0.0, 1.0, size=2)
        for hypothesis in HYPOTHESES:
            status, p = strike(hypothesis, (g / mass) @ g.T, g @ v, e, mu)
            after = v + (g.T @ p) / mass
            assert status == endings.SOLVED
            assert abs(p[1]) <= mu * p[0] + 1e-12
            assert g[0] @ after >= -1e-12
            change = mass @ after**2 / (mass @ v**2) - 1.0
            gained[hypothesis] += change > 1e-9
            if hypothesis == impulses.ENERGETIC:
                assert change <= 1e-12
    assert 0.01 < gained[impulses.NEWTON] / runs < 0.04  # known: about two of a hundred
    assert gained[impulses.ENERGETIC] == 0


def test_newton_with_friction_meets_its_conditions():
    rng = np.random.default_rng(4)
    for _ in range(200):
        g, mass, v = planar(rng)
        e, mu = rng.uniform(0.0, 1.0, size=2)
        _, p = strike(impulses.NEWTON, (g / mass) @ g.T, g @ v, e, mu)
        rate, slip = g @ (v + (g.T @ p) / mass)
        assert rate == pytest.approx(-e * (g[0] @ v), abs=1e-12)
        assert abs(slip) < 1e-12 or p[1] == pytest.approx(-mu * p[0] * np.sign(slip), abs=1e-12)


def course(u, w, e, mu, step=2e-5):
    """Routh's course in small steps of the normal impulse, ended where restitution has returned e² of the work."""
    u, p, taken, given = np.array(u), np.zeros(2), 0.0, 0.0
    while True:
        hold = -w[0, 1] / w[1, 1]
        moving = abs(u[1]) > 2.0 * step * w[1, 1] * (mu + abs(hold))
        share = -mu * np.sign(u[1]) if moving else hold if abs(hold) <= mu else np.sign(hold) * mu
        new = u + step * w @ np.array([1.0, share])
        work = 0.5 * step * (u[0] + new[0])
        taken, given = (taken - work, given) if u[0] < 0.0 else (taken, given + work)
        u, p = new, p + step * np.array([1.0, share])
        if u[0] >= 0.0 and given >= e * e * taken:
            return p


def test_one_impact_follows_rouths_course():
    rng = np.random.default_rng(2)
    for _ in range(12):
        g, mass, v = planar(rng)
        e, mu = rng.uniform(0.2, 0.9), rng.uniform(0.05, 0.8)
        w, u = (g / mass) @ g.T, g @ v
        found = compiled(hodograph.routh)(u[0], u[1], w[0, 0], w[0, 1], w[1, 1], mu, e)
        assert np.array(found) == pytest.approx(course(u, w, e, mu), abs=2e-3 * found[0] + 1e-4)


def test_without_friction_stronge_is_newton_for_one_contact():
    p, drag = hodograph.routh(-2.0, 0.7, 0.5, 0.1, 0.8, 0.0, 0.6)
    assert p == pytest.approx(1.6 * 2.0 / 0.5, rel=1e-14)
    assert drag == 0.0


@pytest.mark.parametrize("hypothesis", HYPOTHESES)
def test_several_contacts_with_friction(hypothesis):
    """Random systems: Coulomb's cone, no approach left, and no energy from nothing under Poisson and Stronge."""
    rng = np.random.default_rng(6)
    solved = 0
    for _ in range(60):
        n = int(rng.integers(2, 7))
        g, mass = rng.normal(size=(2 * n, 2 * n + 2)), rng.uniform(0.5, 20.0, size=2 * n + 2)
        v, mu = rng.normal(size=2 * n + 2), rng.uniform(0.0, 0.6, size=n)
        status, p = strike(hypothesis, (g / mass) @ g.T, g @ v, 0.6, mu)
        if status != endings.SOLVED:  # an outcome of the run
            continue
        solved += 1
        after = v + (g.T @ p) / mass
        assert p[:n].min() >= 0.0
        assert (np.abs(p[n:]) <= mu * p[:n] + 1e-10 * p.max()).all()
        slack = (g @ after)[:n] + (0.6 * (g @ v)[:n] if hypothesis == impulses.NEWTON else 0.0)
        assert slack.min() >= -1e-10
        if hypothesis != impulses.NEWTON:
            assert mass @ after**2 <= mass @ v**2 * (1.0 + 1e-12)
    assert solved >= 57


def test_without_friction_the_rough_solver_agrees_with_the_plain_one():
    rng = np.random.default_rng(8)
    for contacts in (1, 2, 5):
        g, mass, v = rng.normal(size=(contacts, 12)), rng.uniform(0.5, 5.0, size=12), rng.normal(size=12)
        w = np.zeros((2 * contacts, 2 * contacts))
        w[:contacts, :contacts] = (g / mass) @ g.T
        before = np.concatenate([g @ v, np.zeros(contacts)])
        plain = np.zeros((impulses.SCRATCH_ROWS, contacts))
        plain[impulses.BEFORE] = plain[impulses.FREE] = g @ v
        plain[impulses.RESTITUTION] = 0.5
        for hypothesis in (impulses.NEWTON, impulses.ENERGETIC):
            compiled(impulses.strike)(
                hypothesis, lcp.AUTO, 0.0, contacts, np.ascontiguousarray((g / mass) @ g.T), plain,
                np.zeros((contacts, contacts + 2)), np.zeros(contacts, dtype=np.int64),
            )  # fmt: skip
            _, p = strike(hypothesis, w, before, 0.5, 0.0)
            assert p[:contacts] == pytest.approx(plain[impulses.IMPULSE], abs=1e-9)
