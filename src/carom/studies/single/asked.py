"""What was asked to be kept of a run, and shears at the base of structures in space: which results, in which unit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from carom.contact import Place
from carom.problem import FlatProblem, Problem
from carom.problem.labels import output_label, place_label
from carom.problem.outputs import dof_of
from carom.results import Asked, BaseShear
from carom.structures.base import LinearStructure

__all__ = ["asked_of", "base_places", "base_shears"]

LEVEL = ("x", "y")


def asked_of(problem: Problem) -> tuple[Asked, ...]:
    """Return the outputs that the problem and its structures name, in their order; none is told twice."""
    flat = problem.flat()
    found = dict(_of_structures(problem))
    for place in problem.outputs:
        label = place_label(problem, place)
        at = _position(problem, flat, place, label)
        if at is not None:
            found[label] = Asked(label, at, flat.output_units[at])
    return tuple(found.values())


def _of_structures(problem: Problem) -> Iterator[tuple[str, Asked]]:
    labels, units = problem.flat().output_labels, problem.flat().output_units
    for structure in problem.structures:
        for name in structure.outputs or ():
            label = output_label(structure.name, structure.dof_names, name)
            if label in labels:
                yield label, Asked(label, at := labels.index(label), units[at])


def base_places(structure: LinearStructure) -> list[Place]:
    """Return the shears at the base of a structure along x and y, where the ground shakes it; none where joints act."""
    if not structure.massive or structure.rigid or structure.turning or structure.joints:
        return []
    places = [Place(structure.name, ("shear", 1), axis) for axis in LEVEL]
    return [one for one in places if np.any(structure.read(one.at, one.direction).row)]


def base_shears(problem: Problem) -> tuple[BaseShear, ...]:
    """Return which results are shears at the base."""
    flat = problem.flat()
    found = []
    for structure in problem.structures:
        for place in base_places(structure):
            at = _position(problem, flat, place, place_label(problem, place))
            if at is not None:
                found.append(BaseShear(structure.name, str(place.direction), at))
    return tuple(found)


def _position(problem: Problem, flat: FlatProblem, place: Place, label: str) -> int | None:
    """Return which result a place is: its own, or a degree of freedom that is kept anyway; None: none."""
    if label in flat.output_labels:
        return flat.output_labels.index(label)
    if isinstance(place.at, Mapping):
        return None
    i = problem.index(place.structure)
    dof = dof_of(problem.structures[i].read(place.at, place.direction).row)
    if dof < 0:
        return None
    kept = int(flat.dof_output[flat.dof_structure == i][dof])
    return kept if kept >= 0 else None
