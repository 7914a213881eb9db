"""Settings in which a random problem may stand: what it drew stays as it was, what is new has numbers of its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from tests.judge.describe import Contact, Damper, Description, Law, Structure
from tests.judge.generate import highest, law_of, lighter, record
from tests.judge.laws import OVER_SPEED, exponent_of

LEAST = 0.1
"""Restitution: below it papi-2022 is not defined [–]."""
MILLIMETRE = 1e-3
"""[m]."""
LOOSE = 10.0
"""What stands for the frequency of a body without spring, beside a damper [rad/s]."""


def in_space(given: Description, seed: int) -> Description:
    """Under three components of ground motion.

    Degrees of freedom that may touch move along one direction, others each along its own: different modes of a building
    are then shaken by different rows of the ground's acceleration. Walls stand on the ground.
    """
    rng = np.random.default_rng([19, seed])
    along = rng.normal(size=3)
    along /= np.linalg.norm(along)
    touched = {place for contact in given.contacts for place in (contact.left, contact.right)}
    row = []
    for i, structure in enumerate(given.structures):
        ways = [along if (i, k + 1) in touched else rng.normal(size=3) for k in range(len(structure.masses))]
        influence = tuple((float(x), float(y), float(z)) for x, y, z in ways)
        wall = "wall" if structure.kind == "fixed wall" else structure.kind
        row.append(replace(structure, kind=wall, influence=influence or None))
    duration = (len(given.ground) - 1) * given.dt
    across = record(rng, given.dt, duration), record(rng, given.dt, duration)
    return replace(given, structures=tuple(row), across=across)


def with_dampers(given: Description, seed: int) -> Description:
    """With dashpots between floors of one structure or of two, or to the ground, weak to more than critical."""
    rng = np.random.default_rng([23, seed])
    rows = [i for i, structure in enumerate(given.structures) if structure.kind != "fixed wall"]
    moving = [i for i in rows if given.structures[i].masses]
    found: list[Damper] = []
    for _ in range(int(rng.integers(1, 4))):
        left = _place(rng, given, int(rng.choice(moving)))
        right = _place(rng, given, int(rng.choice(rows)))
        if left == right:
            continue
        mobility = sum(1.0 / given.structures[i].masses[k - 1] for i, k in (left, right) if given.structures[i].masses)
        rate = highest(given.structures[left[0]]) or LOOSE
        found.append(Damper(left, right, float(10 ** rng.uniform(-2.0, 0.5) * rate / mobility)))
    return replace(given, dampers=tuple(found))


def taller(given: Description, seed: int) -> Description:
    """With two to four times as many storeys, and with further bumpers beside contacts, of other laws and gaps."""
    rng = np.random.default_rng([29, seed])
    times = [int(rng.integers(2, 5)) if _may_grow(structure) else 1 for structure in given.structures]
    row = tuple(_grown(structure, n) for structure, n in zip(given.structures, times, strict=True))

    def up(place: tuple[int, int]) -> tuple[int, int]:
        return place[0], place[1] * times[place[0]]

    contacts = [replace(contact, left=up(contact.left), right=up(contact.right)) for contact in given.contacts]
    for contact in list(contacts):
        if rng.random() < 0.3:
            contacts.insert(int(rng.integers(len(contacts) + 1)), _bumper(rng, contact, row))
    return replace(given, structures=row, contacts=tuple(contacts))


def touching(given: Description, seed: int) -> Description:
    """Side by side without gaps, some leaning on their neighbours, most laws over v0, masses far apart."""
    rng = np.random.default_rng([31, seed])
    row = [replace(structure, displacement=None) for structure in given.structures]
    if rng.random() < 0.4:
        i = int(rng.choice([i for i, structure in enumerate(row) if structure.masses]))
        row[i] = lighter(row[i], 10 ** rng.uniform(-3.0, 2.0))
    for i, structure in enumerate(row):
        if structure.masses and rng.random() < 0.4:
            lean = 10 ** rng.uniform(-1.0, 1.0) * (1.0 if i < len(row) / 2 else -1.0)  # [m/s²], towards the middle
            row[i] = replace(structure, load=tuple(lean * mass for mass in structure.masses))
    contacts = []
    for contact in given.contacts:
        law = replace(contact.law, published=False)  # v* of a touch without speed
        if not law.function and rng.random() < 0.7:
            name = str(rng.choice(list(OVER_SPEED)))
            law = replace(law, name=name, restitution=float(rng.uniform(LEAST, 0.95)), damping=None)
            law = replace(law, stiffness=_as_stiff(contact.law, name))
        contacts.append(replace(contact, gap=0.0, law=law))
    return replace(given, structures=tuple(row), contacts=tuple(contacts))


SETTINGS: dict[str, Callable[[Description, int], Description]] = {
    "space": in_space, "dampers": with_dampers, "taller": taller, "touching": touching,
}  # fmt: skip
"""Options of the command line."""


def _as_stiff(law: Law, name: str) -> float:
    """The stiffness of a law with the exponent of `name` that presses as much at an overlap of a millimetre."""
    return float(law.stiffness * MILLIMETRE ** (exponent_of(law.name) - exponent_of(name)))


def _place(rng: np.random.Generator, given: Description, i: int) -> tuple[int, int]:
    return i, int(rng.integers(1, max(given.structures[i].dofs, 1) + 1))


def _may_grow(structure: Structure) -> bool:
    return structure.kind == "building" and (structure.rayleigh is not None or len(structure.ratios or ()) == 1)


def _grown(structure: Structure, times: int) -> Structure:
    """The same first period, about: each storey becomes so many, as heavy, and stiffer by the square."""

    def each(values: tuple[float, ...] | None, factor: float = 1.0) -> tuple[float, ...] | None:
        return None if values is None else tuple(factor * value for value in values for _ in range(times))

    return replace(
        structure, masses=each(structure.masses), stiffnesses=each(structure.stiffnesses, float(times**2)),
        load=each(structure.load), displacement=each(structure.displacement), velocity=each(structure.velocity),
    )  # fmt: skip


def _bumper(rng: np.random.Generator, contact: Contact, row: tuple[Structure, ...]) -> Contact:
    """A contact between the places of another one."""
    gap = contact.gap + (0.0 if rng.random() < 0.5 else float(10 ** rng.uniform(-5.0, -2.0)))
    if contact.law.function:
        return replace(contact, gap=gap)
    mobility = sum(1.0 / row[i].masses[k - 1] for i, k in (contact.left, contact.right) if row[i].masses)
    frequency = 20.0 * 10 ** rng.uniform(0.0, 2.7)  # [rad/s]
    return replace(contact, gap=gap, law=law_of(rng, 1.0 / mobility, frequency, None, gap))
