"""Impulses of contacts struck together: the conditions themselves are the witness, and rows of masses by hand."""

from __future__ import annotations

import numpy as np
import pytest

from carom.backends import compiled
from carom.kernels import endings
from carom.kernels.rigid.impulses import complementarity as lcp
from carom.kernels.rigid.impulses import impulses

SOLVERS = (lcp.GAUSS_SEIDEL, lcp.ACTIVE_SET)


def strike(w, before, e, hypothesis=impulses.NEWTON, method=lcp.ACTIVE_SET):
    n = len(before)
    struck = np.zeros((impulses.SCRATCH_ROWS, n))
    struck[impulses.BEFORE] = struck[impulses.FREE] = before
    struck[impulses.RESTITUTION] = e
    status, residual = compiled(impulses.strike)(
        hypothesis, method, 0.0, n, np.ascontiguousarray(w), struck, np.zeros((n, n + 2)), np.zeros(n, dtype=np.int64)
    )
    return status, struck[impulses.IMPULSE].copy(), residual


def system(rng, contacts: int, redundant: bool):
    """A random H over random masses, a velocity, W; redundant: fewer bodies than contacts."""
    bodies = max(contacts // 2, 1) if redundant else contacts + 2
    h = rng.normal(size=(contacts, bodies))
    if redundant and contacts > 1:
        h[-1] = h[0]  # the same contact twice
    mass = rng.uniform(0.5, 20.0, size=bodies)
    v = rng.normal(size=bodies)
    return h, mass, v, (h / mass) @ h.T


@pytest.mark.parametrize("redundant", [False, True])
@pytest.mark.parametrize("method", SOLVERS)
def test_newton_meets_its_conditions_for_one_to_fifty_contacts(method, redundant):
    rng = np.random.default_rng(7)
    sizes = range(1, 51) if method == lcp.ACTIVE_SET else (1, 2, 3, 5, 8, 13)
    for contacts in sizes:
        h, mass, v, w = system(rng, contacts, redundant)
        e, before = 0.6, h @ v
        status, p, _ = strike(w, before, e, method=method)
        assert status == endings.SOLVED
        v_after = v + (h.T @ p) / mass
        slack = h @ v_after + e * before
        assert p.min() >= 0.0
        assert slack.min() >= -1e-10
        assert np.abs(p * slack).max() <= 1e-10 * max(p.max(), 1.0)
        assert mass @ v_after**2 <= mass @ v**2 * (1.0 + 1e-12)


@pytest.mark.parametrize("method", SOLVERS)
def test_elastic_impacts_keep_the_energy(method):
    rng = np.random.default_rng(11)
    for contacts in (1, 2, 4, 7):
        h, mass, v, w = system(rng, contacts, redundant=False)
        _, p, _ = strike(w, h @ v, 1.0, method=method)
        after = v + (h.T @ p) / mass
        assert mass @ after**2 == pytest.approx(mass @ v**2, rel=1e-10)


def row_of(masses):
    """Masses in a row, all touching: contact i between i and i + 1; the rate of its gap is v[i+1] − v[i]."""
    n = len(masses)
    h = np.zeros((n - 1, n))
    for i in range(n - 1):
        h[i, i], h[i, i + 1] = -1.0, 1.0
    return h


@pytest.mark.parametrize("hypothesis", [impulses.NEWTON, impulses.POISSON])
def test_three_equal_elastic_masses(hypothesis):
    """One strikes two that touch: −1/3, 2/3, 2/3 by hand from momentum, energy and equal rates."""
    h = row_of(np.ones(3))
    v = np.array([1.0, 0.0, 0.0])
    _, p, _ = strike(h @ h.T, h @ v, 1.0, hypothesis)
    assert v + h.T @ p == pytest.approx([-1 / 3, 2 / 3, 2 / 3], abs=1e-14)


@pytest.mark.parametrize("hypothesis", [impulses.NEWTON, impulses.POISSON, impulses.ENERGETIC])
@pytest.mark.parametrize("e", [0.0, 0.3, 1.0])
def test_two_bodies_agree_under_every_hypothesis(hypothesis, e):
    masses = np.array([2.0, 5.0])
    h, v = row_of(masses), np.array([1.5, -0.5])
    _, p, _ = strike((h / masses) @ h.T, h @ v, e, hypothesis)
    after = v + (h.T @ p) / masses
    assert after[1] - after[0] == pytest.approx(2.0 * e, abs=1e-14)
    assert masses @ after == pytest.approx(masses @ v, abs=1e-14)


def test_unequal_restitutions_can_create_energy_but_not_by_the_energetic_law():
    rng = np.random.default_rng(3)
    gained = 0
    for _ in range(400):
        h, mass, v, w = system(rng, 3, redundant=False)
        e = rng.uniform(0.0, 1.0, size=3)
        for hypothesis in (impulses.NEWTON, impulses.ENERGETIC):
            status, p, _ = strike(w, h @ v, e, hypothesis)
            assert status == endings.SOLVED
            after = v + (h.T @ p) / mass
            change = mass @ after**2 / (mass @ v**2) - 1.0
            if hypothesis == impulses.ENERGETIC:
                assert change <= 1e-12
                assert (h @ after).min() >= -1e-10
            else:
                gained += change > 1e-9
    assert gained > 0  # known of Newton's law


def test_the_two_solvers_leave_the_same_velocities():
    rng = np.random.default_rng(5)
    for contacts in (2, 5, 9):
        h, mass, v, w = system(rng, contacts, redundant=True)
        found = [v + h.T @ strike(w, h @ v, 0.5, method=method)[1] / mass for method in SOLVERS]
        assert found[0] == pytest.approx(found[1], abs=1e-9)


def test_sweeps_that_do_not_converge_say_so():
    """Two contacts that are almost one: Gauss-Seidel would need a thousand million sweeps, the active set two steps."""
    w = np.array([[1.0, 1.0 - 1e-9], [1.0 - 1e-9, 1.0]])
    before = np.array([-1.0, -1.0 - 2e-10])
    assert strike(w, before, 0.0, method=lcp.GAUSS_SEIDEL)[0] == endings.NOT_COMPLEMENTARY
    status, p, _ = strike(w, before, 0.0)
    assert status == endings.SOLVED
    assert w @ p + before == pytest.approx([0.0, 0.0], abs=1e-12)
