"""How a problem becomes arrays: the modes of its structures, and what contacts read of them.

Several supports: each structure moves relative to its own ground, and a contact between two of them also feels the
difference of the ground displacements. These are rigid modes of their own, driven by the ground and moved by no force,
exactly like a wall that is fixed in space; nothing else in the arrays changes. A ground displacement is the double
integral of its acceleration from rest, drift of the baseline included.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from carom.contact import Contact
from carom.errors import InputError, refusal
from carom.laws.base import FunctionLaw
from carom.laws.impulse import ImpulsiveLaw
from carom.problem.flat import Array, FlatProblem
from carom.problem.joints import packed_joints
from carom.problem.labels import contact_label, distinct_labels, dof_label
from carom.problem.supports import common_base

if TYPE_CHECKING:
    from carom.problem.problem import Problem

__all__ = ["flatten", "itself"]

Sides: TypeAlias = tuple[tuple[int, Array], tuple[int, Array]]


def flatten(problem: Problem) -> FlatProblem:
    """Return the arrays of a problem; refuse contacts that cannot be."""
    sides = [_sides(problem, contact) for contact in problem.pairs]
    under = [problem.supports.index(problem.support_of(name)) for name in problem.names]
    tangents = [_tangents(problem, contact) for contact in problem.pairs]
    carried, dragged = _carried(problem, sides, tangents, under)
    crossing = np.flatnonzero(carried.any(axis=0) | dragged.any(axis=0))
    modes = [structure.modes() for structure in problem.structures]
    columns = _slices([found.omega.size for found in modes])
    rows = _slices([len(structure.dof_names) for structure in problem.structures])
    own, total = columns[-1].stop, columns[-1].stop + crossing.size

    omega, sigma, participation, load, modal_mass, q0, v0 = np.zeros((7, total))
    mode_structure, support = np.full((2, total), -1)
    shapes, damping = np.zeros((rows[-1].stop, total)), np.zeros((total, total))
    for i, (structure, found, at) in enumerate(zip(problem.structures, modes, columns, strict=True)):
        momenta = structure.mass_matrix @ found.shapes
        rest = np.zeros(len(structure.dof_names))
        omega[at], sigma[at] = found.omega, found.sigma
        participation[at] = structure.influence @ momenta
        load[at] = structure.load @ found.shapes
        modal_mass[at] = float(structure.massive)
        mode_structure[at], support[at] = i, under[i]
        shapes[rows[i], at] = found.shapes
        damping[at, at] = structure.modal_damping
        q0[at] = problem.initial_displacement.get(structure.name, rest) @ momenta
        v0[at] = problem.initial_velocity.get(structure.name, rest) @ momenta
    participation[own:], support[own:] = -1.0, crossing  # q = u_g of that support

    labels = distinct_labels(contact_label(problem, contact) for contact in problem.pairs)
    reach, laws, gap, mobility = (np.zeros((len(sides), *size)) for size in ((total,), (8,), (), (2,)))
    effective_mass = np.zeros(len(sides))
    slide = np.zeros_like(reach)
    reach[:, own:], slide[:, own:] = carried[:, crossing], dragged[:, crossing]
    for c, (contact, pair) in enumerate(zip(problem.pairs, sides, strict=True)):
        for (i, row), sign in zip(pair, (1.0, -1.0), strict=True):
            reach[c, columns[i]] = sign * (row @ modes[i].shapes)
        for (i, row), sign in zip(tangents[c] or (), (1.0, -1.0), strict=False):
            slide[c, columns[i]] = sign * (row @ modes[i].shapes)
        mobility[c] = [problem.structures[i].mobility(row) for i, row in pair]
        both = mobility[c, 0] + mobility[c, 1]
        if both == 0.0:
            raise InputError(f"Contact {labels[c]!r} joins two places that no force moves. Give one a mass.")
        _refuse_overlap(problem, contact, pair, labels[c])
        gap[c], effective_mass[c] = contact.gap, 1.0 / both
        if isinstance(contact.law, (FunctionLaw, ImpulsiveLaw)):
            laws[c] = math.nan
        else:
            laws[c] = contact.law.power_form(effective_mass[c]).packed()

    classical = all(structure.classical for structure in problem.structures)
    ground, dt, start = common_base(problem.supports)
    return FlatProblem(
        omega=omega, sigma=sigma, participation=participation, load=load, modal_mass=modal_mass,
        mode_structure=mode_structure, support=support,
        classical=classical, damping=np.zeros((0, 0)) if classical else damping,
        reach=reach, push=reach * modal_mass, slide=slide, gap=gap, laws=laws, mobility=mobility,
        effective_mass=effective_mass, q0=q0, v0=v0, shapes=shapes,
        dof_structure=np.repeat(np.arange(len(rows)), [at.stop - at.start for at in rows]),
        dof_labels=tuple(dof_label(s.name, s.dof_names, dof) for s in problem.structures for dof in s.dof_names),
        contact_labels=labels, ground=ground, dt=dt, start=start,
        **packed_joints(problem.structures, modes, columns, total),
    )  # fmt: skip


def _carried(
    problem: Problem, sides: list[Sides], tangents: list[Sides | None], under: list[int]
) -> tuple[Array, Array]:
    """Return, shape (C, S) each, what a unit displacement of each ground adds to each overlap and to each slip.

    On a common ground the two sides cancel, unless one of them does not ride on it. Where directions are told apart
    by a tangent, ground and walls move with the ground along the direction that the other side reads.
    """
    carried, dragged = np.zeros((2, len(sides), len(problem.supports)))
    for c, (pair, tangent) in enumerate(zip(sides, tangents, strict=True)):
        for into, rows in ((carried[c], pair), (dragged[c], tangent)):
            if rows is None:
                continue
            shares = [problem.structures[i].ground_share(row) for i, row in rows]
            if tangent is not None:
                rigid = [problem.structures[i].rigid for i, _ in rows]
                shares = [shares[1 - side] if rigid[side] else shares[side] for side in (0, 1)]
            for (i, _), share, sign in zip(rows, shares, (1.0, -1.0), strict=True):
                into[under[i]] += sign * share
    for found in (carried, dragged):
        found[np.abs(found) < 1e-12] = 0.0  # shares that sum to one but for rounding
    return carried, dragged


def _sides(problem: Problem, contact: Contact) -> Sides:
    """Return, for a and b, the index of the structure and the row of the place on it."""
    a, b = problem.index(contact.a.structure), problem.index(contact.b.structure)
    if a == b:
        raise itself(problem.names[a])
    return (a, problem.structures[a].row(contact.a.at)), (b, problem.structures[b].row(contact.b.at))


def _tangents(problem: Problem, contact: Contact) -> Sides | None:
    """Return the same for the places where sliding is read."""
    if contact.tangent is None:
        return None
    found = []
    for place, at in zip((contact.a, contact.b), contact.tangent, strict=True):
        i = problem.index(place.structure)
        structure = problem.structures[i]
        if structure.rigid and structure.dof_names:
            raise refusal(
                "tangent", f"contact with {structure.owner}", "must be left out for a wall fixed in space", at,
                "Its displacement has one direction only; use a wall that moves with the ground.",
            )  # fmt: skip
        found.append((i, structure.row(None if structure.rigid else at)))
    return found[0], found[1]


def _refuse_overlap(problem: Problem, contact: Contact, sides: Sides, label: str) -> None:
    ua, ub = (float(row @ problem.initial_displacement.get(problem.names[i], np.zeros(row.size))) for i, row in sides)
    closing = ua - ub
    if not problem.allow_overlap and closing - contact.gap > 1e-12 * max(abs(ua), abs(ub), abs(contact.gap)):
        raise refusal(
            "gap", f"contact {label!r}",
            f"must be at least the initial closing u_a − u_b = {closing:g} m, else the two overlap at rest",
            contact.gap, "Widen it, or pass allow_overlap=True.",
        )  # fmt: skip


def itself(name: str) -> InputError:
    """Return the refusal of a contact between a structure and itself."""
    return InputError(f"Contact joins '{name}' with itself. Its two sides must be different structures.")


def _slices(sizes: list[int]) -> list[slice]:
    """Return consecutive slices of the given sizes."""
    ends = np.cumsum(sizes).tolist()
    return [slice(end - size, end) for end, size in zip(ends, sizes, strict=True)]
