"""Random problems of every kind that the engine takes; one seed, one problem."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from tests.judge.describe import Contact, Description, Law, Structure
from tests.judge.laws import CATALOGUE, FUNCTIONS, GIVEN, OVER_SPEED, SPRINGS, exponent_of

GRAVITY = 9.81
"""[m/s²]."""
STEPS = (0.002, 0.004, 0.005, 0.01, 0.01, 0.02, 0.02)
"""Samples of a record [s]."""
RADIANS = 6000.0
"""The quickest mode turns by at most about this much in a record; it limits what the judge spends."""
FAR = 10.0
"""Gap of a contact that is never reached [m]."""
IMPACT_SPEED = 0.3
"""[m/s]: turns a contact frequency into a stiffness of a law with n = 3/2."""


def problem(seed: int) -> Description:
    """The problem of a seed."""
    rng = np.random.default_rng([16, seed])
    dt = float(rng.choice(STEPS))
    count = int(rng.choice([2, 2, 2, 3, 3, 4, 5, 6]))
    function = str(rng.choice(list(FUNCTIONS))) if rng.random() < 0.08 else None
    scale = 10 ** rng.uniform(3.0, 5.5)  # [kg]
    row = [_structure(rng, scale, dt, plain=i < 1) for i in range(count)]
    if count > 2 and rng.random() < 0.3:
        light = int(rng.integers(1, count - 1))
        row[light] = lighter(row[light], 10 ** rng.uniform(-3.0, -1.0))
    row = _with_walls(rng, row)
    contacts = [_apart(contact, row) for contact in _contacts(rng, row, function)]
    if rng.random() < 0.05:  # pressed together from the start
        pressed = int(rng.integers(len(contacts)))
        overlap = contacts[pressed].gap - _rest_gap(contacts[pressed], row) + 10 ** rng.uniform(-5.0, -3.5)
        contacts[pressed] = replace(contacts[pressed], gap=contacts[pressed].gap - overlap)
    quickest = max(highest(structure) for structure in row)
    duration = min(float(rng.uniform(2.0, 6.0)), max(RADIANS / max(quickest, 1.0), 30.0 * dt))
    return Description(tuple(row), tuple(contacts), record(rng, dt, duration), dt)


# structures ------------------------------------------------------------------------------------------------


def _structure(rng: np.random.Generator, scale: float, dt: float, plain: bool) -> Structure:
    """An oscillator, a building, a building with a load or with damping that couples modes, or a body."""
    draw = rng.random()
    mass = scale * 10 ** rng.uniform(-0.5, 0.5)
    omega = 2.0 * math.pi / 10 ** rng.uniform(-1.0, 0.2)  # [rad/s]
    if draw < 0.12 and not plain:
        spring = mass * omega**2 if rng.random() < 0.4 else 0.0
        dashpot = 2.0 * 0.1 * math.sqrt(spring * mass) if spring else 0.0
        push = (float(mass * rng.uniform(-1.0, 1.0)),) if rng.random() < 0.3 else None
        found = Structure("body", (mass,), (spring,), matrix=((dashpot,),), load=push)
    elif draw < 0.5:
        found = Structure("oscillator", (mass,), (mass * omega**2,), ratios=(_ratio(rng),))
    else:
        found = _building(rng, mass, omega)
    if rng.random() < 0.06 and found.stiffnesses[0] > 0.0:
        found = _stiffer(found, 10 ** rng.uniform(0.3, 1.48) / (dt * highest(found)))
    return _thrown(rng, found)


def _building(rng: np.random.Generator, mass: float, omega: float) -> Structure:
    """Two to six storeys whose first mode is near omega."""
    n = int(rng.integers(2, 7))
    first = 2.0 * math.sin(math.pi / (2.0 * (2 * n + 1)))  # lowest ω of equal storeys over √(k/m)
    each = mass / n
    masses = tuple((each * rng.uniform(0.7, 1.3, n)).tolist())
    springs = tuple((each * (omega / first) ** 2 * rng.uniform(0.7, 1.3, n)).tolist())
    draw = rng.random()
    if draw < 0.15:  # damping that couples modes
        c = np.diag(2.0 * 0.04 * np.sqrt(np.array(masses) * np.array(springs)) * rng.uniform(0.1, 3.0, n))
        i, j = rng.integers(n, size=2)
        if i != j:
            row = np.zeros(n)
            row[i], row[j] = 1.0, -1.0
            c += 0.3 * math.sqrt(masses[0] * springs[0]) * np.outer(row, row)
        push = tuple((each * rng.uniform(-0.5, 0.5, n)).tolist()) if rng.random() < 0.3 else None
        return Structure("general", masses, springs, matrix=tuple(map(tuple, c.tolist())), load=push)
    if draw < 0.3:
        return Structure("building", masses, springs, rayleigh=(0.05 * omega, 0.02 / omega))
    ratios = (_ratio(rng),) if draw < 0.8 else tuple(rng.uniform(0.0, 0.1, n).tolist())
    return Structure("building", masses, springs, ratios=ratios)


def _ratio(rng: np.random.Generator) -> float:
    return float(rng.uniform(0.0, 0.08)) if rng.random() < 0.9 else 0.0


def _stiffer(structure: Structure, factor: float) -> Structure:
    """All frequencies times a factor, the damping ratios as they were."""
    springs = tuple(factor**2 * k for k in structure.stiffnesses)
    alpha, beta = structure.rayleigh or (0.0, 0.0)
    return replace(
        structure, stiffnesses=springs,
        rayleigh=None if structure.rayleigh is None else (factor * alpha, beta / factor),
        matrix=structure.matrix and tuple(tuple(factor * x for x in row) for row in structure.matrix),
    )  # fmt: skip


def _thrown(rng: np.random.Generator, structure: Structure) -> Structure:
    """One in five starts with a velocity, slower where it is stiff; one in twelve displaced."""
    n = structure.dofs
    slower = 1.0 / max(1.0, highest(structure) / 200.0)
    if rng.random() < 0.2:
        structure = replace(structure, velocity=tuple((slower * rng.uniform(-0.6, 0.6, n)).tolist()))
    if rng.random() < 0.08:
        most = min(0.01, 0.6 / max(highest(structure), 1.0))  # [m]
        structure = replace(structure, displacement=tuple((most * rng.uniform(-1.0, 1.0, n)).tolist()))
    return structure


def lighter(structure: Structure, share: float) -> Structure:
    """The same periods with a share of the mass."""

    def scaled(values: tuple[float, ...] | None) -> tuple[float, ...] | None:
        return None if values is None else tuple(share * value for value in values)

    matrix = None if structure.matrix is None else tuple(tuple(share * x for x in row) for row in structure.matrix)
    return replace(
        structure, masses=scaled(structure.masses), stiffnesses=scaled(structure.stiffnesses), matrix=matrix,
        load=scaled(structure.load),
    )  # fmt: skip


def _with_walls(rng: np.random.Generator, row: list[Structure]) -> list[Structure]:
    """Walls at either end, some of them fixed in space."""
    for end in (0, 1):
        if rng.random() < 0.2:
            wall = Structure("fixed wall" if rng.random() < 0.2 else "wall")
            row = [wall, *row] if end == 0 else [*row, wall]
    return row


def highest(structure: Structure) -> float:
    """A bound on the highest frequency [rad/s]."""
    if not structure.masses:
        return 0.0
    springs = (*structure.stiffnesses, 0.0)
    return max(math.sqrt(2.0 * (springs[i] + springs[i + 1]) / m) for i, m in enumerate(structure.masses))


# contacts --------------------------------------------------------------------------------------------------


def _contacts(rng: np.random.Generator, row: list[Structure], function: str | None) -> list[Contact]:
    gaps = str(rng.choice(["zero", "tiny", "tiny", "ordinary", "ordinary", "mixed", "mixed"]))
    found: list[Contact] = []
    for i in range(len(row) - 1):
        pairs = {(_floor(rng, row[i]), _floor(rng, row[i + 1]))}
        while rng.random() < 0.35 and len(pairs) < 4:
            pairs.add((_floor(rng, row[i]), _floor(rng, row[i + 1])))
        found += [_contact(rng, row, (i, a), (i + 1, b), gaps, function) for a, b in sorted(pairs)]
        if i + 2 < len(row) and rng.random() < 0.15:  # past a neighbour
            a, b = _floor(rng, row[i]), _floor(rng, row[i + 2])
            if row[i].masses or row[i + 2].masses:
                found.append(_contact(rng, row, (i, a), (i + 2, b), "ordinary", function))
    if rng.random() < 0.15:
        i = int(rng.integers(len(row) - 1))
        place = (i, _floor(rng, row[i])), (i + 1, _floor(rng, row[i + 1]))
        found.append(replace(_contact(rng, row, *place, "ordinary", function), gap=FAR))
    order = rng.permutation(len(found))
    return [found[k] for k in order]


def _rest_gap(contact: Contact, row: list[Structure]) -> float:
    """The gap for which the two sides just touch at the start [m]."""
    u = [row[i].displacement[floor - 1] if row[i].displacement else 0.0 for i, floor in (contact.left, contact.right)]
    return u[0] - u[1]


def _apart(contact: Contact, row: list[Structure]) -> Contact:
    """The contact, wide enough for what is displaced at the start."""
    return replace(contact, gap=contact.gap + max(_rest_gap(contact, row), 0.0))


def _floor(rng: np.random.Generator, structure: Structure) -> int:
    return int(rng.integers(1, max(structure.dofs, 1) + 1))


def _contact(
    rng: np.random.Generator, row: list[Structure], a: tuple[int, int], b: tuple[int, int], gaps: str,
    function: str | None,
) -> Contact:  # fmt: skip
    kind = str(rng.choice(["zero", "tiny", "ordinary"])) if gaps == "mixed" else gaps
    if kind == "zero":
        gap = 0.0
    elif kind == "tiny":
        gap = float(10 ** rng.uniform(-5.0, -3.0))
    else:
        gap = float(rng.uniform(0.001, 0.04))
    mobility = sum(1.0 / row[i].masses[floor - 1] for i, floor in (a, b) if row[i].masses)
    frequency = 20.0 * 10 ** rng.uniform(0.0, 2.7)  # [rad/s]
    return Contact(a, b, gap, law_of(rng, 1.0 / mobility, frequency, function, gap))


def law_of(rng: np.random.Generator, mass: float, frequency: float, function: str | None, gap: float) -> Law:
    if function is not None:
        return Law(function, tension=bool(rng.random() < 0.5), function=True)
    name = str(rng.choice(CATALOGUE))
    n = exponent_of(name)
    overlap = IMPACT_SPEED / frequency
    stiffness = float(mass * frequency**2 / overlap ** (n - 1.0))
    damping, restitution = None, None
    if name in GIVEN:
        damping = float(stiffness * overlap ** (n - GIVEN[name]) / IMPACT_SPEED * rng.uniform(0.02, 0.8))
        if name == "lee-herrmann-1993":
            damping /= mass
    elif name not in SPRINGS:
        restitution = float(rng.uniform(0.3, 0.95))
    published = name in OVER_SPEED and gap > 0.0 and rng.random() < 0.1
    return Law(name, stiffness, restitution, damping, bool(rng.random() < 0.6), published)


# records ---------------------------------------------------------------------------------------------------


def record(rng: np.random.Generator, dt: float, duration: float) -> tuple[float, ...]:
    """Sines under an envelope, or noise through an oscillator's filter; from rest to rest, 0.1 to 1 g."""
    samples = max(round(duration / dt), 20) + 1
    t = np.arange(samples) * dt
    if rng.random() < 0.5:
        a = np.zeros(samples)
        for _ in range(int(rng.integers(2, 9))):
            a += rng.uniform(0.3, 1.0) * np.sin(2 * math.pi * 10 ** rng.uniform(-0.3, 1.0) * t + rng.uniform(0, 6.3))
    else:
        noise = rng.normal(size=samples)
        omega, zeta = 2.0 * math.pi * rng.uniform(1.0, 4.0), 0.5
        a = np.zeros(samples)
        u = v = 0.0
        for i in range(samples):
            v += dt * (noise[i] - 2.0 * zeta * omega * v - omega**2 * u)
            u += dt * v
            a[i] = 2.0 * zeta * omega * v + omega**2 * u
    rise, fall = 0.15 * duration, 0.5 * duration
    envelope = np.where(t < rise, (t / rise) ** 2, np.where(t > fall, np.exp(-1.5 * (t - fall) / duration), 1.0))
    a *= envelope
    # the ground comes back to rest where it was: free bodies and walls fixed in space stay near
    parts = np.stack([envelope, envelope * t])
    ends = np.array([[np.sum(row), np.sum(row * (duration - t))] for row in (*parts, a)])
    a -= np.linalg.solve(ends[:2].T, ends[2]) @ parts
    a *= rng.uniform(0.1, 1.0) * GRAVITY / max(np.abs(a).max(), 1e-12)
    return tuple(a.tolist())
