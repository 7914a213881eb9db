"""Structures as they stand in space: their points, moved by the results, placed beside each other by their contacts."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from carom.contact import Contact, Place
from carom.problem import Problem
from carom.problem.relations import read_normal
from carom.results import Form, FormForces, FormLevel
from carom.structures.base import LinearStructure
from carom.structures.drawing.wireframe import Wireframe
from carom.studies.single.asked import base_places
from carom.studies.single.drawn_basis import DrawnBasis, drawn_outputs

__all__ = ["Forms", "forms_of", "in_space", "with_drawn"]

Array = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Vector = tuple[float, float, float]
Spots = dict[tuple[int, int], Array]
"""Where the sides of contacts stand, by the number of a contact and its side, 0 or 1."""

APART = 0.5
"""Sides of a contact that stand farther from their gap than this share of a structure's size have coordinates of their
own."""
STEEP = 0.7
"""A direction with a larger vertical part is one of falling."""
OVER = 1.06
"""How high a wall is drawn, of the height where it is met."""
SAME = 1e-9
"""Points that lie closer [m] are one."""
SLENDER = 0.5
"""Width of a building of which heights alone are known, as a share of its height."""
THIN = 0.06
"""Thickness of a wall, as a share of what stands beside it."""


class Forms(NamedTuple):
    """How structures stand in space, and where they meet."""

    forms: dict[int, Form]
    """By the index of the structure."""
    points: tuple[tuple[int, int], ...]
    """Of each contact, the points of both sides."""
    normals: tuple[Vector, ...]
    """Of each contact, from the left side to the right one."""


def in_space(problem: Problem) -> bool:
    """Whether something of a problem moves otherwise than along x alone."""
    return any(not structure.line and structure.wireframe() is not None for structure in problem.structures)


def with_drawn(problem: Problem) -> Problem:
    """Return the problem with outputs by which its structures can be drawn; itself where all moves along x."""
    if not in_space(problem):
        return problem
    places = [
        Place(structure.name, output)
        for i, structure in enumerate(problem.structures)
        if not structure.line and (frame := structure.wireframe()) is not None
        for output in drawn_outputs(problem, i, frame)
    ]
    places += [
        place
        for structure in problem.structures
        if not structure.line and structure.wireframe() is not None
        for place in base_places(structure)
    ]
    return problem.replace(outputs=(*problem.outputs, *places)) if places else problem


def forms_of(problem: Problem, order: Sequence[int]) -> Forms:
    """Return how the structures of a problem stand in space."""
    flat = problem.flat()
    kept = {i: flat.dof_output[flat.dof_structure == i] for i in order}
    normals = tuple(_normal(problem, contact) for contact in problem.pairs)
    found: dict[int, Form] = {}
    bases: dict[int, DrawnBasis] = {}
    for i in order:
        structure = problem.structures[i]
        frame = None if structure.line else structure.wireframe()
        if frame is not None:
            bases[i] = DrawnBasis.of(problem, i)
            found[i] = _form(frame, bases[i])
    spots = _beside(problem, found, _spots(problem, found), normals)
    size = max(form.extent for form in found.values()) or 1.0
    for i in order:
        if i not in found:
            found[i] = _stand_in(problem, i, kept[i], size, spots, normals)
    points: list[tuple[int, int]] = []
    for c, contact in enumerate(problem.pairs):
        both = []
        for side, place in enumerate((contact.a, contact.b)):
            i = problem.index(place.structure)
            found[i], at = _with_point(problem.structures[i], found[i], place, spots[c, side], bases.get(i))
            both.append(at)
        points.append((both[0], both[1]))
    return Forms(found, tuple(points), normals)


def _form(frame: Wireframe, basis: DrawnBasis) -> Form:
    """Return a form by the results that are kept; what these do not tell stays where it is."""
    levels = tuple(
        FormLevel(one.name, float(frame.positions[one.centre][2]), one.corners, one.centre, basis.rows(one.turning))
        for one in frame.levels
    )
    forces = None if frame.forces is None else FormForces(frame.forces.names, basis.rows(frame.forces.rows))
    return Form(
        frame.names, frame.positions, basis.outputs, basis.rows(frame.rows), frame.edges, levels, frame.bends, forces,
        basis.modes,
    )  # fmt: skip


def _normal(problem: Problem, contact: Contact) -> Vector:
    """Return the unit vector across a contact, from the left side to the right one."""
    for read in read_normal(problem, contact):
        length = float(np.linalg.norm(read.share))
        if length > 0.0:
            x, y, z = (read.share / length).tolist()
            return x, y, z
    return 1.0, 0.0, 0.0


def _spots(problem: Problem, forms: Mapping[int, Form]) -> Spots:
    """Return where sides of contacts stand, those of structures that know it."""
    found: Spots = {}
    for c, contact in enumerate(problem.pairs):
        for side, place in enumerate((contact.a, contact.b)):
            i = problem.index(place.structure)
            if i in forms:
                found[c, side] = _spot(problem.structures[i], forms[i], place)
    return found


def _spot(structure: LinearStructure, form: Form, place: Place) -> Array:
    """Return where a place stands; of weights, that of the topmost level."""
    location = structure.location(place.at)
    if location is not None and location.position is not None:
        return np.array(location.position)
    if location is not None:  # a corner of a building without heights: as it is drawn
        frame = structure.wireframe()
        assert frame is not None  # it has a form
        return np.array(form.positions[int(np.abs(frame.rows - location.rows).max(axis=(1, 2)).argmin())])
    return np.array(form.positions[form.levels[-1].centre if form.levels else -1])


def _beside(problem: Problem, forms: dict[int, Form], spots: Spots, normals: Sequence[Vector]) -> Spots:
    """Move structures until their gaps are as stated, one after the other; return where sides of contacts stand then.

    Coordinates that do not agree with a gap at all are a structure's own: its side is then put where it is met.
    """
    shifts = {next(iter(forms)): np.zeros(3)}
    while True:
        meetings: dict[int, list[Array]] = {}
        for c, contact in enumerate(problem.pairs):
            a, b = problem.index(contact.a.structure), problem.index(contact.b.structure)
            if a not in forms or b not in forms or (a in shifts) == (b in shifts):
                continue
            normal = np.array(normals[c])
            apart = spots[c, 0] - spots[c, 1] + contact.gap * normal  # what b lacks
            known, free, lacks = (a, b, apart) if a in shifts else (b, a, -apart)
            lacks = lacks + shifts[known]
            own = np.linalg.norm(lacks[:2]) > APART * max(forms[free].extent, forms[known].extent)
            meetings.setdefault(free, []).append(
                lacks * [1.0, 1.0, abs(normal[2])] if own else (lacks @ normal) * normal
            )
        for i, moves in meetings.items():
            shifts[i] = np.mean(moves, axis=0)
        if not meetings:
            break
    for i, shift in shifts.items():
        forms[i] = dataclasses.replace(forms[i], positions=forms[i].positions + shift)
    sides = {(c, s): problem.index((one.a, one.b)[s].structure) for c, one in enumerate(problem.pairs) for s in (0, 1)}
    return {key: at + shifts.get(sides[key], 0.0) for key, at in spots.items()}


def _stand_in(
    problem: Problem, i: int, outputs: Integers, size: float, spots: Spots, normals: Sequence[Vector]
) -> Form:
    """Return a box or a plate for a structure that knows no place of its own: beside what it meets."""
    structure = problem.structures[i]
    met: list[tuple[Array, Array]] = []  # a point of its face, and the way from the face inwards
    for c, contact in enumerate(problem.pairs):
        for side, place in enumerate((contact.a, contact.b)):
            if problem.index(place.structure) != i:
                continue
            inwards = np.array(normals[c]) * (1.0 if side else -1.0)
            other = spots.get((c, 1 - side))
            at = np.zeros(3) if other is None else other + inwards * contact.gap
            spots[c, side] = at
            met.append((at, inwards))
    moving = structure.massive and bool(structure.dof_names)
    inwards = met[0][1] if met else np.array([1.0, 0.0, 0.0])
    middle = np.mean([at for at, _ in met], axis=0) if met else np.array([2.0 * size, 0.0, 0.0])
    upright = abs(inwards[2]) < STEEP
    along = np.array([-inwards[1], inwards[0], 0.0]) if upright else np.array([0.0, 1.0, 0.0])
    across = inwards if upright else np.array([1.0, 0.0, 0.0])
    reach = max((abs(float((at - middle) @ along)) for at, _ in met), default=0.0) + 0.5 * SLENDER * size
    thick = (SLENDER if moving else THIN) * size
    start, end = (0.0, thick) if upright else (-reach, reach)
    plan = [middle + s * across + t * along for s, t in ((start, -reach), (end, -reach), (end, reach), (start, reach))]
    top = max((float(at[2]) for at, _ in met), default=0.3 * size)
    heights = list(structure.floor_heights or ()) if moving else []
    heights = heights or ([top * (k + 1) / max(len(outputs), 1) for k in range(max(len(outputs), 1))] if moving else [])
    return _box(np.array(plan), heights or [OVER * top if upright else top], outputs if moving else outputs[:0])


def _box(plan: Array, heights: Sequence[float], outputs: Integers) -> Form:
    """Return slabs of one plan above each other; each has a degree of freedom along x, or none."""
    kept = np.flatnonzero(outputs >= 0)
    positions: list[Array] = []
    rows: list[Array] = []
    edges: list[tuple[int, int]] = []
    levels: list[FormLevel] = []
    names: list[str] = []
    for floor, height in enumerate((0.0, *heights)):
        around = tuple(range(len(positions), len(positions) + 4))
        row = np.zeros((3, kept.size))
        if floor and floor - 1 in kept:
            row[0, int(np.flatnonzero(kept == floor - 1)[0])] = 1.0
        for k, corner in enumerate((*plan, plan.mean(axis=0))):
            positions.append(np.array([corner[0], corner[1], height]))
            rows.append(row)
            names.append(f"floor {floor} corner {k + 1}" if k < 4 else f"floor {floor}")
        if floor:
            edges += [(j - 5, j) for j in around]
            turning = np.zeros(kept.size)
            levels.append(FormLevel(f"floor {floor}", height, around, around[-1] + 1, turning))
    shown = tuple(outputs[kept].tolist())
    return Form(tuple(names), np.array(positions), shown, np.array(rows), tuple(edges), tuple(levels))


def _with_point(
    structure: LinearStructure, form: Form, place: Place, spot: Array, basis: DrawnBasis | None
) -> tuple[Form, int]:
    """Return a form with the point of a contact among its points, and which one it is."""
    same = np.flatnonzero(np.linalg.norm(form.positions - spot, axis=1) < SAME)
    if same.size:
        return form, int(same[0])
    location = structure.location(place.at)
    if location is not None and basis is not None:
        rows = basis.rows(location.rows)
    else:  # weights, or what does not move: as the point nearest to it
        rows = form.rows[int(np.linalg.norm(form.positions - spot, axis=1).argmin())]
    found = dataclasses.replace(
        form, names=(*form.names, structure.place_name(place.at)), positions=np.vstack([form.positions, spot]),
        rows=np.concatenate([form.rows, rows[None]]),
    )  # fmt: skip
    return found, len(form.names)
