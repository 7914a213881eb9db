"""Who stands where in a problem: from left to right, at which heights, with which gaps."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping

import numpy as np

from carom.contact import Place
from carom.laws.impulse import ImpulsiveLaw
from carom.problem import Problem
from carom.results import Scene, Standing, Touch
from carom.structures.base import LinearStructure
from carom.studies.single.forms import forms_of, in_space

__all__ = ["scene_of"]

TURNING = (" rx", " ry", " rz")
"""How names of rotations end."""
STOREY = 3.0
"""Height of a storey [m] where none is given, for pictures alone."""


def scene_of(problem: Problem) -> Scene:
    """Return the scene: structures ordered from left to right as the contacts say, else as they were given."""
    order = _left_to_right(problem)
    flat = problem.flat()
    if in_space(problem):
        return _scene_in_space(problem, order)
    standings = {i: _standing(problem.structures[i], flat.dof_output[flat.dof_structure == i]) for i in order}
    for contact in problem.pairs:
        _raise(
            standings, (problem.index(contact.a.structure), contact.a), (problem.index(contact.b.structure), contact.b)
        )
    touches = []
    for contact, label in zip(problem.pairs, flat.contact_labels, strict=True):
        a, b = problem.index(contact.a.structure), problem.index(contact.b.structure)
        levels = _levels((standings[a], contact.a), (standings[b], contact.b))
        rigid = isinstance(contact.law, ImpulsiveLaw)
        touches.append(Touch(label, order.index(a), order.index(b), *levels, contact.gap, contact.law.title, rigid))
    return Scene(tuple(standings[i] for i in order), tuple(touches))


def _scene_in_space(problem: Problem, order: list[int]) -> Scene:
    """Return the scene of a problem in which something moves along y or z, or turns."""
    flat = problem.flat()
    space = forms_of(problem, order)
    standings, touches = [], []
    for i in order:
        dofs = flat.dof_output[flat.dof_structure == i]
        structure = problem.structures[i]
        one, form = _standing(structure, dofs), space.forms[i]
        if structure.floors and structure.floor_heights is None:
            form = dataclasses.replace(form, to_scale=False)
        turning = tuple(dof for dof, name in zip(one.dofs, one.floors, strict=True) if f" {name}".endswith(TURNING))
        standings.append(dataclasses.replace(one, form=form, turning=turning))
    for c, (contact, label) in enumerate(zip(problem.pairs, flat.contact_labels, strict=True)):
        sides = [problem.index(place.structure) for place in (contact.a, contact.b)]
        at = [float(space.forms[i].positions[point][2]) for i, point in zip(sides, space.points[c], strict=True)]
        rigid = isinstance(contact.law, ImpulsiveLaw)
        left, right = (order.index(i) for i in sides)
        touches.append(
            Touch(
                label, left, right, at[0], at[1], contact.gap, contact.law.title, rigid, space.points[c],
                space.normals[c],
            )
        )  # fmt: skip
    return Scene(tuple(standings), tuple(touches))


def _left_to_right(problem: Problem) -> list[int]:
    """Return the structures so that whoever is left of a contact comes first."""
    before: dict[int, set[int]] = {i: set() for i in range(len(problem.structures))}
    for contact in problem.pairs:
        a, b = problem.index(contact.a.structure), problem.index(contact.b.structure)
        if a != b:  # of an expansion joint both sides stand in one place
            before[b].add(a)
    order: list[int] = []
    while len(order) < len(before):
        free = [i for i in before if i not in order and before[i] <= set(order)]
        order.append(free[0] if free else min(set(before) - set(order)))  # a ring has no left end: as given
    return order


def _standing(structure: LinearStructure, dofs: np.ndarray[tuple[int], np.dtype[np.intp]]) -> Standing:
    heights = structure.floor_heights
    levels = heights if heights is not None else tuple(STOREY * (i + 1) for i in range(len(structure.dof_names)))
    if len(levels) != len(structure.dof_names):  # several degrees of freedom on a floor
        levels = tuple(np.repeat(levels, len(structure.dof_names) // len(levels)).tolist())
    shown = np.flatnonzero(dofs >= 0)  # of a large structure results keep a few degrees of freedom alone
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type(structure).__name__).lower()
    return Standing(
        structure.name, words, tuple(dofs[shown].tolist()), tuple(structure.dof_names[i] for i in shown),
        tuple(levels[i] for i in shown), heights is not None,
        structure.massive, _yield_drifts(structure),
    )  # fmt: skip


def _yield_drifts(structure: LinearStructure) -> tuple[float, ...]:
    storeys = getattr(structure, "storeys", None) or ()
    found = tuple(float(getattr(spring, "yield_drift", np.inf)) for spring in storeys)
    return found if np.isfinite(found).any() else ()


def _raise(standings: dict[int, Standing], *sides: tuple[int, Place]) -> None:
    """Draw a single mass of unknown height where its neighbour meets it."""
    for (i, _), (j, place) in (sides, sides[::-1]):
        one, other = standings[i], standings[j]
        level = _level(other, place)
        if len(one.dofs) == 1 and not one.measured and level is not None and (other.measured or len(other.dofs) > 1):
            standings[i] = dataclasses.replace(one, levels=(level,))


def _levels(*sides: tuple[Standing, Place]) -> tuple[float, float]:
    """Return the heights at which two sides meet; where one has no say, the other's."""
    found = [_level(standing, place) for standing, place in sides]
    given = [level for level in found if level is not None] or [STOREY]
    left, right = (given[0] if level is None else level for level in found)
    return left, right


def _level(standing: Standing, place: Place) -> float | None:
    at = place.at
    if not standing.moving or not standing.levels:
        return None
    if isinstance(at, (int, np.integer)) and int(at) <= len(standing.levels):
        return standing.levels[int(at) - 1]
    if isinstance(at, float):
        return at
    if isinstance(at, str) and at in standing.floors:
        return standing.levels[standing.floors.index(at)]
    if isinstance(at, Mapping):
        known = [standing.levels[standing.floors.index(dof)] for dof in at if dof in standing.floors]
        return float(np.mean(known)) if known else standing.levels[-1]
    return standing.levels[-1]
