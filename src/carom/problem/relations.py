"""What the contacts of a problem read: rows over the degrees of freedom of structures, and shares of the ground."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from carom.contact import Contact, Damper, Place
from carom.errors import InputError, refusal
from carom.problem.flat import Array, FlatProblem
from carom.structures.base import LinearStructure
from carom.structures.points import Reading

if TYPE_CHECKING:
    from carom.problem.problem import Problem

__all__ = [
    "Read", "SidesRead", "carried", "directed", "itself", "over_outputs", "read_alone", "read_normal", "read_tangent",
    "separate_mobilities", "spread_over_outputs",
]  # fmt: skip

TINY_SHARE = 1e-12
"""Shares of the ground that sum to less are rounding of none."""


class Read(NamedTuple):
    """One side of a contact: the structure, and what is read of it."""

    structure: int
    row: Array
    """Shape (dofs,)."""
    share: Array
    """Shape (3,): of the ground's displacement."""


SidesRead = tuple[Read, Read]


def read_alone(problem: Problem, place: Place) -> Read:
    """Return what is read at a place."""
    i = problem.index(place.structure)
    return Read(i, *problem.structures[i].read(place.at, place.direction))


def read_normal(problem: Problem, contact: Contact | Damper) -> SidesRead:
    """Return what both sides of a contact read across it, or those of a damper along it."""
    relation = contact.relation
    found = _both(problem, relation.a, relation.b)
    (i, row, _), (j, other, _) = found
    if i == j and np.array_equal(row, other):
        raise itself(problem.names[i], type(contact).__name__)
    for place in directed(problem, relation.a, relation.b):
        structure = problem.structure(place.structure)
        _refuse_force(structure, place, type(contact).__name__)
        _refuse_weightless(structure, place)
    return found


def _refuse_force(structure: LinearStructure, place: Place, what: str) -> None:
    """Refuse a contact or damper at a member force or a storey's shear, which have no motion."""
    if structure.unit_of(place.at) in ("N", "N m"):
        raise refusal(
            "place", f"{what} with {structure.owner}", "must be a place that moves", structure.place_name(place.at),
            "Forces are outputs: Problem(…, outputs=[…]).",
        )  # fmt: skip


def _refuse_weightless(structure: LinearStructure, place: Place) -> None:
    """Refuse a contact where only degrees of freedom without mass move."""
    if structure.massive and not structure.line and not structure.borne(place.at, place.direction).any():
        raise refusal(
            "contact", structure.owner, "must not be where nothing has mass", place.at,
            "A force there meets springs alone, and the bodies no effective mass. Give the place a mass.",
        )  # fmt: skip


def read_tangent(problem: Problem, contact: Contact, which: int = 0) -> SidesRead | None:
    """Return what both sides of a contact read along its first or second tangent; None where it has none."""
    relation = contact.relation
    tangent = (relation.tangent, relation.second_tangent)[which]
    if tangent is None:
        return None
    places = []
    for side, place in enumerate((relation.a, relation.b)):
        structure = problem.structure(place.structure)
        if structure.rigid and structure.dof_names:
            raise refusal(
                "tangent", f"contact with {structure.owner}", "must be left out for a wall fixed in space",
                tangent[side],
                "Its displacement has one direction only; use a wall that moves with the ground.",
            )  # fmt: skip
        places.append(Place(place.structure) if structure.rigid else relation.tangent_of(side, which))
    return _both(problem, *places)


def _both(problem: Problem, a: Place, b: Place) -> SidesRead:
    """Return what two places read; a direction that one of them has serves a point on the other side, too."""
    indices = [problem.index(place.structure) for place in (a, b)]
    found = [
        Read(i, *problem.structures[i].read(place.at, place.direction))
        for i, place in zip(indices, directed(problem, a, b), strict=True)
    ]
    for side, place in enumerate((a, b)):
        structure, other_side = problem.structures[indices[side]], found[1 - side]
        if structure.rigid and place.direction is None:  # every direction is alike to it: that which the other reads
            found[side] = Read(indices[side], *_alike(structure.read(place.at), other_side.share, structure.owner))
    return found[0], found[1]


def directed(problem: Problem, a: Place, b: Place) -> tuple[Place, Place]:
    """Return two places with their directions: a point takes that of the other side where it has none."""
    return _directed(problem, a, b.direction), _directed(problem, b, a.direction)


def _directed(problem: Problem, place: Place, other: object) -> Place:
    structure = problem.structure(place.structure)
    if place.direction is not None or other is None or structure.rigid or structure.location(place.at) is None:
        return place
    return place._replace(direction=other)


def _alike(own: Reading, share: Array, owner: str) -> Reading:
    """Return what a wall or the ground reads along the direction that the other side has."""
    if own.row.size and np.any(share[1:]):
        raise refusal(
            "direction", f"contact with {owner}", "must be x for a wall fixed in space", share.tolist(),
            "Its displacement has one direction only; use a wall that moves with the ground.",
        )  # fmt: skip
    return own if own.row.size else Reading(own.row, share)


def carried(problem: Problem, under: list[int], sides: list[SidesRead | None]) -> Array:
    """Return, shape (C, S, 3), what a unit displacement of each ground adds to each overlap or slip.

    On a common ground the two sides cancel, unless one of them does not ride on it as the other does.
    """
    found = np.zeros((len(sides), len(problem.supports), 3))
    for into, both in zip(found, sides, strict=True):
        if both is None or (under[both[0].structure] == under[both[1].structure] and both[0].share is both[1].share):
            continue
        for read, sign in zip(both, (1.0, -1.0), strict=True):
            into[under[read.structure]] += sign * read.share
    found[np.abs(found) < TINY_SHARE] = 0.0
    return found


def separate_mobilities(problem: Problem, sides: SidesRead) -> tuple[float, float]:
    """Return r M⁻¹ rᵀ [1/kg] of both sides; of one structure with both, all of it with the first."""
    a, b = sides
    first = problem.structures[a.structure]
    if a.structure == b.structure:
        return first.mobility(a.row - b.row), 0.0
    return first.mobility(a.row), problem.structures[b.structure].mobility(b.row)


def over_outputs(flat: FlatProblem, row: Array) -> Array:
    """Return a row over the modes as weights of the outputs; refuse one that the outputs do not tell."""
    weights = spread_over_outputs(flat.outputs, row)
    if not np.allclose(flat.outputs.T @ weights, row, rtol=0.0, atol=1e-9 * np.abs(row).max(initial=0.0)):
        raise InputError(
            "What moves there does not follow from the outputs that are kept. Add the place: Problem(…, outputs=[…])."
        )
    return weights


def spread_over_outputs(outputs: Array, rows: Array) -> Array:
    """Return the weights of the outputs, shape (O,) or (O, rows), that come nearest to rows over the modes.

    Forces among the outputs are millions of times as large as displacements: each counts in its own size.
    """
    size = np.linalg.norm(outputs, axis=1)
    size[size == 0.0] = 1.0
    found = np.linalg.lstsq((outputs / size[:, None]).T, rows.T, rcond=None)[0]
    return np.asarray(found / (size if found.ndim == 1 else size[:, None]), dtype=np.float64)


def itself(name: str, what: str = "Contact") -> InputError:
    """Return the refusal of a contact between a place and itself, or of `what` else."""
    return InputError(
        f"{what} joins '{name}' with itself. Its two sides must be different structures, or different places on one."
    )
