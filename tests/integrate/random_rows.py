"""Random rows of neighbours: oscillators, buildings and bodies with a stiff part, every law, with and without gaps."""

from __future__ import annotations

import math

import numpy as np

import carom
from carom.laws import laws
from carom.laws.families import ConstantDamping, RateScaledDamping

LAWS = [kind for kind in laws if kind.__module__.startswith("carom.laws.")]
DEFAULT = carom.motions.get("default")
SUITE = list(carom.motions.suite())


def random_law(rng: np.random.Generator) -> carom.laws.CompliantLaw:
    """One of the registered laws; pulling and the published v0 are among its options."""
    kind = LAWS[int(rng.integers(len(LAWS)))]
    stiffness = float(10 ** (rng.uniform(7, 9) if kind.n == 1.0 else rng.uniform(8.3, 10.3)))
    options: dict[str, object] = {}
    if issubclass(kind, ConstantDamping):
        options["damping"] = stiffness * 1e-3 ** (kind.n - kind.m) / 0.2 * rng.uniform(0.02, 0.8)
    elif kind.m is not None:
        options["restitution"] = float(rng.uniform(0.3, 0.95))
    if rng.random() < 0.3:
        options["tension"] = not kind.__dataclass_fields__["tension"].default
    if issubclass(kind, RateScaledDamping) and rng.random() < 0.15:
        options["v0"] = "published"
    return kind(stiffness=stiffness, **options)


def neighbour(rng: np.random.Generator, name: str, tall: bool) -> carom.Oscillator | carom.ShearBuilding:
    zeta = float(rng.uniform(0.0, 0.07)) if rng.random() < 0.9 else 0.0
    if not tall:
        mass, period = 10 ** rng.uniform(3, 5.5), float(rng.uniform(0.15, 1.5))
        return carom.Oscillator(mass=mass, period=period, damping_ratio=zeta, name=name)
    storeys, mass = int(rng.integers(2, 7)), 10 ** rng.uniform(4, 5)
    stiffness = float(mass * 10 ** rng.uniform(2.7, 3.8))
    return carom.ShearBuilding(
        masses=[mass] * storeys, stiffnesses=[stiffness] * storeys, damping_ratio=zeta, name=name
    )  # fmt: skip


def random_row(seed: int) -> carom.Problem:
    """Two to four neighbours under part of a built-in motion; half of the rows have no gap at all."""
    rng = np.random.default_rng(seed)
    count = int(rng.integers(2, 5))
    tall = [bool(rng.random() < 0.35) for _ in range(count)]
    alike = rng.random() < 0.15
    row = [neighbour(rng, f"s{i}", tall[i]) for i in range(count)]
    if alike and not any(tall):  # rounding alone moves them against each other
        row = [
            carom.Oscillator(mass=10 ** rng.uniform(3, 5), period=0.5, damping_ratio=0.05, name=f"s{i}")
            for i in range(count)
        ]
    together = rng.random() < 0.5
    floors = [len(each.masses) if high else 0 for each, high in zip(row, tall, strict=True)]
    contacts = []
    for i in range(count - 1):
        gap = 0.0 if together else float(rng.choice([0.0, rng.uniform(0, 0.05), rng.uniform(0, 0.005)]))
        law = random_law(rng)
        left, right = floors[i], floors[i + 1]
        if left and right and rng.random() < 0.5:
            contacts.append(carom.facing(f"s{i}", f"s{i + 1}", gap=gap, law=law))
            continue
        low = min(left, right)
        here = low or (int(rng.integers(1, left + 1)) if left else 0)
        there = low or (int(rng.integers(1, right + 1)) if right else 0)
        a, b = ((f"s{j}", floor) if floor else f"s{j}" for j, floor in ((i, here), (i + 1, there)))
        contacts.append(carom.Contact(a, b, gap=gap, law=law))
    motion = SUITE[int(rng.integers(len(SUITE)))] if rng.random() < 0.8 else DEFAULT
    start, length = int(rng.integers(0, 400)), int(rng.integers(300, 900))
    part = carom.Motion(np.asarray(motion.acceleration)[start : start + length], dt=motion.dt)
    pga = f"{rng.uniform(0.05, 0.8):.3f} g"
    thrown = {"initial_velocity": {"s0": [0.3] * max(floors[0], 1)}} if rng.random() < 0.25 else {}
    return carom.Problem(row, contacts, motion=part.scaled(pga=pga), **thrown)


def stiff_body(rng: np.random.Generator, name: str, zeta: float) -> carom.Structure:
    """4600 kg in two parts that vibrate against each other at 200 Hz to 32 kHz, most of them on a spring."""
    omega, small = 2.0 * math.pi * 10 ** rng.uniform(2.3, 4.5), 10 ** rng.uniform(1.3, 3.2)
    spring = 10 ** rng.uniform(5.5, 7) * (rng.random() < 0.8)
    joint = omega**2 * small * (4600.0 - small) / 4600.0
    stiffness = joint * np.array([[1.0, -1.0], [-1.0, 1.0]]) + np.diag([spring, 0.0])
    return carom.Structure([4600.0 - small, small], stiffness, damping_ratio=zeta, dofs=["main", "part"], name=name)


def stiff_pair(seed: int) -> carom.Problem:
    """A body with a stiff part thrown at its neighbour, which may have one too."""
    rng = np.random.default_rng(seed + 90000)
    zeta = float(rng.choice([0.0, 0.005, 0.02, 0.05]))
    left, plain = stiff_body(rng, "a", zeta), rng.random() < 0.5
    right = (
        carom.Oscillator(mass=3500, stiffness=5.31e6, damping_ratio=0.02, name="b")
        if plain
        else stiff_body(rng, "b", zeta)
    )
    law = random_law(rng)
    if rng.random() < 0.5:
        stiffness, e = 10 ** rng.uniform(7, 8.5), float(rng.uniform(0.3, 0.9))
        law = carom.law("kelvin-voigt", stiffness=stiffness, restitution=e, tension=bool(rng.random() < 0.5))
    here = ("a", "main" if rng.random() < 0.6 else "part")
    there = "b" if plain else ("b", "main" if rng.random() < 0.6 else "part")
    gap = float(rng.choice([0.0, 0.005]))
    motion = SUITE[int(rng.integers(len(SUITE)))]
    start = int(rng.integers(100, 500))
    part = carom.Motion(np.asarray(motion.acceleration)[start : start + 120], dt=motion.dt)
    contact = carom.Contact(here, there, gap=gap, law=law)
    return carom.Problem([left, right], [contact], motion=part, initial_velocity={"a": [0.3, 0.3]})
