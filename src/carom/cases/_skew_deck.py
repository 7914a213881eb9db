"""A skewed deck against its abutment: the closed forms, and the problem."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from carom.contact import facing
from carom.laws.catalogue import law
from carom.problem import Problem
from carom.structures import Abutment, Deck

__all__ = ["Hit", "after", "critical_friction", "critical_skew", "driven", "eta", "lasting", "random_hits"]


class Hit(NamedTuple):
    """A deck of length L and width W [m] with a skew α [rad], driven along its axis, with e and μ at its end."""

    length: float
    width: float
    skew: float
    restitution: float
    friction: float
    speed: float = 1.0

    @property
    def arms(self) -> tuple[float, float, float]:
        """ρ, s₁ and s₂ [m]: how far the end stands before the centre of mass, and its corners along it."""
        half, slant = 0.5 * self.length, 0.5 * self.width / math.cos(self.skew)
        return half * math.cos(self.skew), half * math.sin(self.skew) + slant, half * math.sin(self.skew) - slant

    @property
    def gyration(self) -> float:
        """I/m [m²]."""
        return (self.length**2 + (self.width / math.cos(self.skew)) ** 2) / 12.0

    @property
    def in_range(self) -> bool:
        """Whether sliding lasts through the impact, so that the closed forms hold."""
        rho, s1, s2 = self.arms
        e, mu, tan = self.restitution, self.friction, math.tan(self.skew)
        if s2 > mu * rho:
            inertia = self.gyration
            stopped = (1.0 + e) * (mu * (inertia + rho**2) - rho * s2) / (inertia + s2 * (s2 - mu * rho))
            return tan > stopped
        return tan > mu * (1.0 + e) and mu * rho < s1


def eta(hit: Hit) -> float:
    """Return η = sin 2α / (2W/L): without friction it rotates where this is above one."""
    return math.sin(2.0 * hit.skew) / (2.0 * hit.width / hit.length)


def critical_skew(length: float, width: float) -> float:
    """Return the skew [rad] at which η = 1."""
    return 0.5 * math.asin(2.0 * width / length)


def critical_friction(hit: Hit) -> float:
    """Return μ_c = tan α − (W/L)/cos² α: with less it rotates."""
    return math.tan(hit.skew) - hit.width / hit.length / math.cos(hit.skew) ** 2


def after(hit: Hit) -> float:
    """Return ω⁺ [rad/s] by impulse and momentum: the farther corner is struck, or both are and it does not turn."""
    rho, _, s2 = hit.arms
    arm = s2 - hit.friction * rho
    if arm <= 0.0:
        return 0.0
    normal = (1.0 + hit.restitution) * hit.speed * math.cos(hit.skew)
    return normal * arm / (hit.gyration + s2 * arm)


def driven(hit: Hit) -> Problem:
    """Return the deck 1 cm before an abutment that is wider than it, driven against it; nothing holds it."""
    deck = Deck(
        length=hit.length, width=hit.width, skew=hit.skew, mass=hit.length * hit.width * 1300.0, free=True, name="deck"
    )  # fmt: skip
    wall = Abutment.beside(deck, "e", gap=0.01, width=4.0 * hit.length, name="abutment")
    rigid = law("newton", restitution=hit.restitution, friction=hit.friction)
    pair = facing("deck", "abutment", law=rigid)
    return Problem((deck, wall), (pair,), initial_velocity={"deck": (hit.speed, 0.0, 0.0)})


def lasting(hit: Hit) -> dict[str, Any]:
    """Return how long to run: past the impact, in one sample."""
    duration = 0.02 / (hit.speed * math.cos(hit.skew))
    return {"duration": duration, "sampling": duration}


def random_hits(seed: int, count: int) -> list[Hit]:
    """Return random decks inside the range of the closed forms."""
    rng, found = np.random.default_rng(seed), list[Hit]()
    while len(found) < count:
        length, slender = rng.uniform(12.0, 60.0), rng.uniform(1.2, 8.0)
        hit = Hit(
            length, length / slender, math.radians(rng.uniform(3.0, 65.0)), rng.uniform(0.0, 1.0),
            rng.choice([0.0, 1.0]) * rng.uniform(0.0, 0.7), rng.uniform(0.1, 2.0),
        )  # fmt: skip
        if hit.in_range:
            found.append(hit)
    return found
