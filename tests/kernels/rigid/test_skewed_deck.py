"""A skewed deck that strikes its abutment: it rotates exactly when the criterion says, and as fast (2,000 decks).

Closed forms after Dimitrakopoulos (Nonlinear Dynamics 60, 2010), derived anew; beyond their range, where sliding stops
before the impact ends, every choice of cases is tried (`every_case`).
"""

from __future__ import annotations

import numpy as np
import pytest

from carom.kernels import endings
from carom.kernels.rigid.impulses import impulses
from tests.kernels.rigid.every_case import impact
from tests.kernels.rigid.test_friction import strike

NAMES = {"newton": impulses.NEWTON, "poisson": impulses.POISSON, "stronge": impulses.ENERGETIC}


class Deck:
    """Both corners of the skewed end, in axes along the abutment's normal and the abutment."""

    def __init__(self, length, width, skew, e, mu, m=1.0, u=1.0):
        self.e, self.mu, self.m, self.u, self.skew = e, mu, m, u, skew
        half, end = 0.5 * length, 0.5 * width / np.cos(skew)
        self.rho, middle = half * np.cos(skew), half * np.sin(skew)
        self.s1, self.s2 = middle + end, middle - end
        self.inertia = m * (length**2 + (width / np.cos(skew)) ** 2) / 12.0
        s = np.array([self.s1, self.s2])
        normals, tangents = np.array([[-1.0, 0.0, x] for x in s]), np.array([[0.0, -1.0, -self.rho] for _ in s])
        self.rows = np.vstack([normals, tangents])  # rates of the gaps, slips with their signs turned
        self.mass = np.array([m, m, self.inertia])
        self.v = np.array([u * np.cos(skew), u * np.sin(skew), 0.0])

    @property
    def w(self):
        return (self.rows / self.mass) @ self.rows.T

    def rotation(self, p):
        return float((self.rows.T @ p)[2] / self.inertia)

    def after(self):
        """ω⁺ while sliding lasts; None where it stops first."""
        m, e, mu, rho, s2 = self.m, self.e, self.mu, self.rho, self.s2
        turned = self.inertia + m * s2 * (s2 - mu * rho)
        if s2 - mu * rho > 0.0:
            lasts = np.tan(self.skew) > (1.0 + e) * (mu * (self.inertia + m * rho**2) - m * rho * s2) / turned
            return (1.0 + e) * m * self.u * np.cos(self.skew) * (s2 - mu * rho) / turned if lasts else None
        return 0.0 if np.tan(self.skew) > mu * (1.0 + e) and mu * rho < self.s1 else None

    def criterion(self):
        """Whether it rotates, from skew and slenderness alone."""
        slender = self.rho / np.cos(self.skew) * 2.0, (self.s1 - self.s2) * np.cos(self.skew)
        ratio = slender[1] / slender[0]
        return np.sin(2.0 * self.skew) / (2.0 * ratio) > 1.0, np.tan(self.skew) - ratio / np.cos(self.skew) ** 2


def random_deck(rng):
    return Deck(
        rng.uniform(10.0, 60.0), rng.uniform(5.0, 15.0), np.deg2rad(rng.uniform(2.0, 65.0)), rng.uniform(0.0, 1.0),
        rng.choice([0.0, rng.uniform(0.0, 0.8)]),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("skew", "mu", "expected"),
    [(20.0, 0.0, 0.0), (30.0, 0.0, 0.02517385), (30.0, 0.1, 0.00639368), (30.0, 0.2, 0.0)],
)
@pytest.mark.parametrize("name", NAMES)
def test_known_decks(name, skew, mu, expected):
    deck = Deck(30.0, 10.0, np.deg2rad(skew), 0.5, mu)
    status, p = strike(NAMES[name], deck.w, deck.rows @ deck.v, deck.e, np.full(2, mu))
    assert status == endings.SOLVED
    assert deck.rotation(p) == pytest.approx(expected, abs=5e-9)


def test_the_criterion():
    assert np.sin(np.deg2rad(40.0)) / (2.0 / 3.0) == pytest.approx(0.96418, abs=5e-6)
    rotates, critical = Deck(30.0, 10.0, np.deg2rad(30.0), 0.5, 0.0).criterion()
    assert rotates
    assert critical == pytest.approx(0.13291, abs=5e-6)


@pytest.mark.parametrize("name", NAMES)
def test_two_thousand_decks_rotate_exactly_when_the_criterion_says(name):
    rng, decided, rotated = np.random.default_rng(24), 0, 0
    while decided < 2000:
        deck = random_deck(rng)
        expected = deck.after()
        if expected is None:
            continue
        decided += 1
        without, critical = deck.criterion()
        assert (expected > 0.0) == (without and deck.mu < critical)
        status, p = strike(NAMES[name], deck.w, deck.rows @ deck.v, deck.e, np.full(2, deck.mu))
        assert status == endings.SOLVED
        assert deck.rotation(p) == pytest.approx(expected, abs=1e-10)
        rotated += expected > 0.0
    assert 600 < rotated < 1600


@pytest.mark.parametrize("name", ["newton", "poisson"])
def test_where_sliding_stops_first_a_second_code_decides(name):
    rng, decided = np.random.default_rng(25), 0
    while decided < 150:
        deck = random_deck(rng)
        if deck.mu == 0.0 or deck.after() is not None:
            continue
        decided += 1
        mu, y = np.full(2, deck.mu), deck.rows @ deck.v
        status, p = strike(NAMES[name], deck.w, y, deck.e, mu)
        assert status == endings.SOLVED
        rates = [deck.rotation(one) for one in impact(name, deck.w, y, deck.e, mu)]
        assert rates
        assert min(abs(rate - deck.rotation(p)) for rate in rates) < 1e-9


@pytest.mark.parametrize("name", ["newton", "poisson"])
def test_random_impacts_of_two_and_three_contacts_against_every_case(name):
    """What is found is one of the answers there are; mostly there is one."""
    rng, several = np.random.default_rng(26), 0
    for _ in range(120):
        n = int(rng.integers(1, 4))
        g, mass = rng.normal(size=(2 * n, 2 * n + 2)), rng.uniform(0.5, 20.0, size=2 * n + 2)
        mu, e = rng.uniform(0.0, 0.8, size=n), rng.uniform(0.0, 1.0)
        w, y = (g / mass) @ g.T, g @ rng.normal(size=2 * n + 2)
        status, p = strike(NAMES[name], w, y, e, mu)
        if status != endings.SOLVED:
            continue
        known = impact(name, w, y, e, mu)
        several += len(known) > 1
        assert any(np.allclose(p, one, atol=1e-8 * (1.0 + np.abs(p).max())) for one in known)
    assert several < 12
