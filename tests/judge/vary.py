"""The same problem told otherwise: outputs must not change, or change by known factors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np

from tests.judge.describe import Contact, Damper, Description, Law, Structure
from tests.judge.generate import FAR, problem
from tests.judge.laws import GIVEN, exponent_of

BESIDE = "another problem beside it"
Joined = TypeVar("Joined", Contact, Damper)
ANOTHER = 1_000_000
"""Added to a seed for the problem that is put beside."""


@dataclass(frozen=True)
class Variant:
    """A problem told otherwise, and how its outputs become those of the original."""

    name: str
    problem: Description
    dofs: np.ndarray
    """Where each degree of freedom of the original is found."""
    contacts: np.ndarray
    """Where each contact of the original is found."""
    factors: tuple[float, float, float, float] = (1.0, 1.0, 1.0, 1.0)
    """By which displacement, velocity, acceleration and force were multiplied."""
    later: int = 0
    """Samples by which all is later."""

    def back(self, outputs: np.ndarray) -> np.ndarray:
        """Outputs in the order and units of the original."""
        n = sum(structure.dofs for structure in self.problem.structures)
        peaks = [outputs[kind * n + self.dofs] / self.factors[kind] for kind in range(3)]
        return np.concatenate([*peaks, outputs[3 * n + self.contacts] / self.factors[3]])


def variants(given: Description, seed: int) -> list[Variant]:
    """Every way to tell this problem otherwise that leaves its outputs as they are."""
    rng = np.random.default_rng([17, seed])
    found = [contacts_permuted(given, rng), structures_permuted(given, rng), mirrored(given), far_contact(given, rng)]
    for maybe in (later(given, rng), other_units(given, rng), beside(given, seed)):
        if maybe is not None:
            found.append(maybe)
    return found


def _same(given: Description) -> tuple[np.ndarray, np.ndarray]:
    return np.arange(sum(s.dofs for s in given.structures)), np.arange(len(given.contacts))


def _along(given: Description, told: Callable[[tuple[float, ...]], Any]) -> Any:
    """The records along y and z told otherwise, where there are any."""
    return None if given.across is None else tuple(told(row) for row in given.across)


def gaps_shifted(given: Description, shift: float) -> Description:
    """All gaps wider by `shift` [m]."""
    return replace(given, contacts=tuple(replace(contact, gap=contact.gap + shift) for contact in given.contacts))


def contacts_permuted(given: Description, rng: np.random.Generator) -> Variant:
    """Contacts in another order."""
    order = rng.permutation(len(given.contacts))
    if len(order) > 1 and np.array_equal(order, np.arange(len(order))):
        order = order[::-1]
    told = replace(given, contacts=tuple(given.contacts[i] for i in order))
    return Variant("contacts in another order", told, _same(given)[0], np.argsort(order))


def structures_permuted(given: Description, rng: np.random.Generator) -> Variant:
    """Structures in another order."""
    order = rng.permutation(len(given.structures))
    place = np.argsort(order)

    def moved(one: Joined) -> Joined:
        return replace(one, left=(int(place[one.left[0]]), one.left[1]), right=(int(place[one.right[0]]), one.right[1]))

    told = replace(
        given, structures=tuple(given.structures[i] for i in order),
        contacts=tuple(moved(c) for c in given.contacts), dampers=tuple(moved(d) for d in given.dampers),
    )  # fmt: skip
    firsts = told.firsts
    dofs = [firsts[place[i]] + k for i, structure in enumerate(given.structures) for k in range(structure.dofs)]
    return Variant("structures in another order", told, np.array(dofs), _same(given)[1])


def mirrored(given: Description) -> Variant:
    """Left for right."""

    def turned(values: tuple[float, ...] | None) -> tuple[float, ...] | None:
        return None if values is None else tuple(-value for value in values)

    structures = tuple(
        replace(s, load=turned(s.load), displacement=turned(s.displacement), velocity=turned(s.velocity))
        for s in given.structures
    )
    contacts = tuple(replace(c, left=c.right, right=c.left) for c in given.contacts)
    across = _along(given, turned)
    told = replace(given, structures=structures, contacts=contacts, ground=turned(given.ground) or (), across=across)
    return Variant("mirrored", told, *_same(given))


def far_contact(given: Description, rng: np.random.Generator) -> Variant:
    """A contact more, never reached, first or last in the list."""
    model = given.contacts[int(rng.integers(len(given.contacts)))]
    first = bool(rng.random() < 0.5)
    far = replace(model, gap=FAR + 1.0)
    told = replace(given, contacts=(far, *given.contacts) if first else (*given.contacts, far))
    dofs, contacts = _same(given)
    return Variant("a far contact added", told, dofs, contacts + int(first))


def later(given: Description, rng: np.random.Generator) -> Variant | None:
    """After some samples of rest; only for what starts from rest."""
    moved = any(s.load or s.displacement or s.velocity for s in given.structures)
    moved = moved or any(contact.gap < 0.0 for contact in given.contacts)
    if moved or any(row[0] != 0.0 for row in (given.ground, *(given.across or ()))):
        return None
    count = int(rng.integers(1, 40))
    told = replace(
        given, ground=(0.0,) * count + given.ground, across=_along(given, lambda row: (0.0,) * count + row)
    )  # fmt: skip
    return Variant("later by whole samples", told, *_same(given), later=count)


def other_units(given: Description, rng: np.random.Generator) -> Variant | None:
    """Lengths, times and masses in other units, by powers of two; functions have units of their own."""
    if any(contact.law.function for contact in given.contacts):
        return None
    length, time, mass = (2.0 ** float(k) for k in rng.integers(-3, 4, size=3))
    force = mass * length / time**2

    def scaled(values: tuple[float, ...] | None, factor: float) -> tuple[float, ...] | None:
        return None if values is None else tuple(factor * value for value in values)

    def structure(s: Structure) -> Structure:
        return replace(
            s, masses=scaled(s.masses, mass), stiffnesses=scaled(s.stiffnesses, mass / time**2),
            rayleigh=None if s.rayleigh is None else (s.rayleigh[0] / time, s.rayleigh[1] * time),
            matrix=None if s.matrix is None else tuple(scaled(row, mass / time) for row in s.matrix),
            load=scaled(s.load, force), displacement=scaled(s.displacement, length),
            velocity=scaled(s.velocity, length / time),
        )  # fmt: skip

    def law(one: Law) -> Law:
        damping = one.damping
        if damping is not None and one.name in GIVEN:
            damping *= mass / (time * length ** GIVEN[one.name])
            if one.name == "lee-herrmann-1993":
                damping /= mass
        return replace(one, stiffness=one.stiffness * force / length ** exponent_of(one.name), damping=damping)

    told = Description(
        tuple(structure(s) for s in given.structures),
        tuple(Contact(c.left, c.right, c.gap * length, law(c.law)) for c in given.contacts),
        scaled(given.ground, length / time**2) or (), given.dt * time,
        _along(given, lambda row: scaled(row, length / time**2)),
        tuple(replace(damper, constant=damper.constant * mass / time) for damper in given.dampers),
    )  # fmt: skip
    return Variant("other units", told, *_same(given), factors=(length, length / time, length / time**2, force))


def beside(given: Description, seed: int) -> Variant | None:
    """Another problem, independent of this one, in the same run."""
    other = problem(seed + ANOTHER)
    if any(contact.law.function for contact in (*given.contacts, *other.contacts)):
        return None
    shift = len(other.structures)

    def moved(one: Joined) -> Joined:
        return replace(one, left=(one.left[0] + shift, one.left[1]), right=(one.right[0] + shift, one.right[1]))

    told = replace(
        given, structures=other.structures + given.structures,
        contacts=other.contacts + tuple(moved(c) for c in given.contacts),
        dampers=tuple(moved(d) for d in given.dampers),
    )  # fmt: skip
    dofs, order = _same(given)
    return Variant(BESIDE, told, dofs + sum(s.dofs for s in other.structures), order + len(other.contacts))
