"""What is known of a problem whose structures have few of their modes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from carom.contact import Contact, Damper, Place
from carom.errors import refusal
from carom.problem.modal_terms import initial_state
from carom.problem.relations import SidesRead, directed
from carom.structures.base import LinearStructure
from carom.structures.reduced import At, ReducedStructure

if TYPE_CHECKING:
    from carom.problem.problem import Problem

__all__ = [
    "Reduction",
    "forced_places",
    "reduction_cautions",
    "refuse_lost_start",
    "refuse_unnamed_places",
    "stood_for",
    "told",
]

LOST = 1e-6
"""Share of a start, or of the mobility of a place in contact, that few modes may leave out."""


ROUGH = 0.01
"""Error of peaks, as share of the largest of their kind, from which on a run says so in a caution."""


class Reduction(NamedTuple):
    """How the modes of a problem were chosen, and what those that are left out change."""

    cutoff: float
    """Modes up to this frequency are kept [Hz]."""
    rtol: float | None
    """Error of contact forces that was asked for; None where the cut-off was given."""
    estimate: float | None
    """Largest error of the forces of the first impacts, relative to each; None where there was none to compare."""
    impacts: int
    """How many impacts were compared."""
    beside: str
    """What they were compared with."""
    contact_frequency: float | None
    """One over twice the duration of an impact at the speeds of the trial, its bodies free [Hz]."""
    peaks: Mapping[str, float] = {}
    """Largest errors of the peaks of all outputs up to then, by kind, relative to the largest of their kind."""
    changed: bool = False
    """Whether the problem was changed since: the estimate is that of the problem as it was."""


def told(problem: Problem) -> dict[str, Any] | None:
    """Return what the evidence of a run says of a reduced problem; None where all modes are there."""
    few = [one for one in problem.structures if isinstance(one, ReducedStructure)]
    if not few:
        return None
    found: dict[str, Any] = {
        "modes": {one.name: one.kept_modes for one in few},
        "of": {one.name: len(one.dof_names) for one in few},
        "vectors": {one.name: one.vectors for one in few},
    }
    if problem.reduction is not None:
        return found | problem.reduction._asdict() | {"peaks": dict(problem.reduction.peaks)}
    return found | {"cutoff": {one.name: one.cutoff for one in few}, "estimate": None}


def reduction_cautions(problem: Problem) -> list[str]:
    """Return what is to be said beside the results of a reduced problem: what is off, or not known to be right."""
    if not any(isinstance(one, ReducedStructure) for one in problem.structures):
        return []
    found = problem.reduction
    if found is None or found.estimate is None:
        way_out = "Problem.reduced(…) estimates it" if found is None else "a trial needs contacts that meet"
        return [f"Few modes: what those that are left out change was not estimated; {way_out}."]
    rough = {kind: error for kind, error in found.peaks.items() if error > ROUGH}
    if not rough:
        return []
    listed = " and ".join(f"{kind} by up to {error:.2g}" for kind, error in rough.items())
    before = ", before the problem was changed" if found.changed else ""
    return [
        f"Few modes: in the trial{before} forces were off by {found.estimate:.1g} of each, but peaks of {listed} of "
        f"the largest. Ask for both, as by reduced({found.rtol or 1e-3:g}, peaks=0.01), or take all modes."
    ]


def forced_places(problem: Problem, structure: int) -> list[At]:
    """Return where contacts and dampers act on a structure: places with their directions, each once."""
    found: list[At] = []
    acting: list[Contact | Damper] = [*problem.pairs, *problem.dampers]
    for pair in acting:
        for place in _places_of(problem, pair):
            one = At(place.at, place.direction)
            if problem.index(place.structure) == structure and one not in found:
                found.append(one)
    return found


def _places_of(problem: Problem, contact: Contact | Damper) -> Sequence[Place]:
    relation = contact.relation
    found = list(directed(problem, relation.a, relation.b))
    if relation.tangent is not None:
        sides = [
            Place(place.structure) if problem.structure(place.structure).rigid else relation.tangent_of(side)
            for side, place in enumerate((relation.a, relation.b))
        ]
        found += directed(problem, *sides)
    return found


def stood_for(structure: LinearStructure) -> LinearStructure:
    """Return a structure with all its modes."""
    return structure.structure if isinstance(structure, ReducedStructure) else structure


def refuse_lost_start(problem: Problem, structure: LinearStructure) -> None:
    """Refuse a start of a structure with few modes that these do not hold."""
    if not isinstance(structure, ReducedStructure):
        return
    names = ("initial_displacement", "initial_velocity")
    shapes, mass = structure.modes().shapes, structure.mass_matrix
    for name, start in zip(names, initial_state(problem, structure), strict=True):
        lost = start - shapes @ (shapes.T @ (mass @ start))
        if float(lost @ mass @ lost) > LOST**2 * float(start @ mass @ start):
            raise refusal(
                name, structure.owner, "must be among what its few modes hold", "another shape",
                "Say it before Problem.reduced(…), or name it: structure.reduced(…, shapes=…).",
            )  # fmt: skip


def refuse_unnamed_places(problem: Problem, sides: SidesRead, whose: str) -> None:
    """Refuse a contact or damper on a structure with few modes, at a place where these are not made exact."""
    a, b = sides
    rows = {a.structure: a.row - b.row} if a.structure == b.structure else {a.structure: a.row, b.structure: b.row}
    for i, row in rows.items():
        structure = problem.structures[i]
        if not isinstance(structure, ReducedStructure):
            continue
        own, whole = float(np.sum((row @ structure.modes().shapes) ** 2)), structure.mobility(row)
        if abs(own - whole) > LOST * whole:
            raise refusal(
                "places", structure.owner, f"must have those of {whose}", list(structure.places),
                "Name them: structure.reduced([…], cutoff); or let Problem.reduced(…) do it.",
            )  # fmt: skip
