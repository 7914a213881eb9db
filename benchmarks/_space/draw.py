"""Random problems of the design space: pairs, rows of oscillators, buildings with facing floors.

Everything is drawn from a seed; nothing is looked at before it is drawn, and nothing that was drawn is left out.
"""

from __future__ import annotations

import math
from functools import cache
from typing import NamedTuple

import numpy as np

import carom

KINDS = ("pair", "row", "buildings")
PERIODS = (0.1, 3.0)
"""Natural period of an oscillator, first period of a building [s]; as likely in each octave."""
MASSES = (1e3, 1e7)
"""Mass of an oscillator, or of a floor [kg]; as likely in each decade."""
MASS_RATIO = 100.0
"""Largest ratio of two neighbours' masses."""
DAMPING_RATIOS = (0.0, 0.2)
STIFFNESS_RATIOS = (0.5, 1000.0)
"""Contact stiffness over that of the stiffer structure (a building's: of its storey); as likely in each decade."""
SECANT_AT = 1e-3
"""Overlap at which a law of Hertz's kind is as stiff as a linear one by its secant [m]."""
GAPS = (0.0, 0.1)
"""[m]."""
TOUCHING = 0.1
"""Share of the problems whose structures stand side by side without a gap."""
RESTITUTION = (0.1, 1.0)
CALIBRATED_AT = 0.2
"""Speed of the impact for which such laws are calibrated [m/s]."""
STEPS = (0.002, 0.005, 0.01, 0.02)
"""Time steps of the ground motions [s]."""
PGA = (0.1, 1.5)
"""Peak ground acceleration [g]; as likely in each octave."""
DURATION = 30.0
"""Length of every motion [s]."""
ROW = (3, 6)
"""Oscillators in a row, fewest and most."""
STOREYS = (2, 30)
GRAVITY = 9.80665


class Drawn(NamedTuple):
    """One problem of the space."""

    kind: str
    seed: int
    problem: carom.Problem
    motion: carom.Motion
    structures: tuple[carom.Oscillator | carom.ShearBuilding, ...]
    law: carom.laws.CompliantLaw
    gap: float
    record: int
    """Which of the thirty built-in motions shakes it."""


def log_uniform(rng: np.random.Generator, low: float, high: float) -> float:
    """Return a number that is as likely in every octave between `low` and `high`."""
    return float(math.exp(rng.uniform(math.log(low), math.log(high))))


def draw(kind: str, seed: int, dt: float | None = None) -> Drawn:
    """Return the problem of this kind and seed; with `dt` its motion has this time step instead of a drawn one."""
    rng = np.random.default_rng([KINDS.index(kind), seed])
    record, motion = motion_of(rng, dt)
    if kind == "buildings":
        structures, stiffest = buildings(rng)
    else:
        structures, stiffest = oscillators(rng, 2 if kind == "pair" else int(rng.integers(ROW[0], ROW[1] + 1)))
    law = law_of(rng, stiffest, mass_between(*structures[:2]))
    gap = 0.0 if rng.random() < TOUCHING else float(rng.uniform(*GAPS))
    if kind == "buildings":
        contacts = [carom.facing("left", "right", gap=gap, law=law)]
    else:
        contacts = [carom.Contact(i, i + 1, gap=gap, law=law) for i in range(len(structures) - 1)]
    return Drawn(kind, seed, carom.Problem(structures, contacts, motion=motion), motion, structures, law, gap, record)


def motion_of(rng: np.random.Generator, dt: float | None) -> tuple[int, carom.Motion]:
    """Return which of the thirty built-in motions, and it at a time step and with a peak acceleration of its own."""
    which, step = int(rng.integers(30)), float(rng.choice(STEPS))
    scaled = log_uniform(rng, *PGA) * GRAVITY
    return which, resampled(which, dt or step).scaled(pga=scaled)


@cache
def resampled(which: int, dt: float) -> carom.Motion:
    """Return a built-in motion of thirty seconds at a time step."""
    found = carom.motions.suite("thirty")[which]
    found = found.padded(after=max(DURATION - found.duration, 0.0)).trimmed(end=DURATION)
    return found if abs(found.dt / dt - 1.0) < 1e-12 else found.resampled(dt)


def masses(rng: np.random.Generator, count: int) -> list[float]:
    """Return masses of neighbours, none more than MASS_RATIO times another."""
    low, high = (math.log(bound) for bound in MASSES)
    width = math.log(MASS_RATIO)
    lowest = rng.uniform(low, high - width)
    return [float(math.exp(x)) for x in rng.uniform(lowest, lowest + width, count)]


def oscillators(rng: np.random.Generator, count: int) -> tuple[tuple[carom.Oscillator, ...], float]:
    """Return a row of oscillators, and the stiffness of the stiffest [N/m]."""
    row = tuple(
        carom.Oscillator(
            mass=mass,
            period=log_uniform(rng, *PERIODS),
            damping_ratio=float(rng.uniform(*DAMPING_RATIOS)),
            name=f"o{i}",
        )
        for i, mass in enumerate(masses(rng, count))
    )
    return row, max(one.mass * (2.0 * math.pi / one.period) ** 2 for one in row)


def buildings(rng: np.random.Generator) -> tuple[tuple[carom.ShearBuilding, ...], float]:
    """Return two buildings of equal storeys, and the larger stiffness of a storey [N/m]."""
    made, stiffest = [], 0.0
    for name, mass in zip(("left", "right"), masses(rng, 2), strict=True):
        storeys = int(rng.integers(STOREYS[0], STOREYS[1] + 1))
        first = 2.0 * math.sin(math.pi / (2.0 * (2 * storeys + 1)))  # ω₁ = first·√(k/m) of equal storeys
        stiffness = mass * (2.0 * math.pi / (log_uniform(rng, *PERIODS) * first)) ** 2
        ratio = float(rng.uniform(*DAMPING_RATIOS))
        made.append(
            carom.ShearBuilding(
                masses=[mass] * storeys, stiffnesses=[stiffness] * storeys, damping_ratio=ratio, name=name
            )
        )
        stiffest = max(stiffest, stiffness)
    return tuple(made), stiffest


def mass_between(left: carom.Oscillator | carom.ShearBuilding, right: carom.Oscillator | carom.ShearBuilding) -> float:
    """Return the effective mass of two oscillators, or of a floor of each of two buildings [kg]."""
    a, b = (one.mass if isinstance(one, carom.Oscillator) else float(one.masses[0]) for one in (left, right))
    return a * b / (a + b)


def law_of(rng: np.random.Generator, stiffest: float, mass: float) -> carom.laws.CompliantLaw:
    """Return a law of the catalogue for a contact beside a structure this stiff [N/m], with this effective mass [kg].

    Laws that publish no relation to restitution are calibrated for an ordinary impact.
    """
    laws = sorted(carom.laws.laws, key=lambda law: law.name)
    kind = laws[int(rng.integers(len(laws)))]
    secant = stiffest * log_uniform(rng, *STIFFNESS_RATIOS)
    restitution = float(rng.uniform(*RESTITUTION))
    stiffness = secant / SECANT_AT ** (kind.n - 1.0)
    law = kind(stiffness=stiffness) if kind.m is None else kind(stiffness=stiffness, restitution=restitution)
    return law.calibrated(mass=mass, velocity=CALIBRATED_AT) if getattr(law, "empirical", False) else law
