"""Decks of a problem as they stand at rest, for pictures and for the table of seats."""

from __future__ import annotations

import math

import numpy as np

from carom.problem import Problem
from carom.problem.labels import distinct_labels
from carom.problem.scenes.decks import seat_label, standing
from carom.problem.scenes.scene import FlatScene
from carom.results.space.deck_plan import DeckOutline, DeckPlan, FaceLine, PlanPoint, SeatPlace
from carom.structures import Abutment, Deck

__all__ = ["deck_plan_of"]


def deck_plan_of(problem: Problem) -> DeckPlan | None:
    """Return what stands in the plan of a problem; None where nothing in it turns."""
    flat = problem.flat()
    scene = flat.scene
    if scene is None or not scene.turning or scene.spatial:
        return None
    decks, faces = [], []
    for i, structure in enumerate(problem.structures):
        if isinstance(structure, Deck):
            x, y = structure.world("centre").tolist()
            dofs = flat.dof_output[flat.dof_structure == i].tolist()
            corners = _points(structure.outlined - structure.world("centre"))
            decks.append(DeckOutline(structure.name, (x, y), corners, (dofs[0], dofs[1], dofs[2])))
        elif isinstance(structure, Abutment):
            start, end = _points(structure.ends)
            faces.append(FaceLine(structure.name, (start, end), structure.backfill is not None))
    return DeckPlan(
        tuple(decks),
        tuple(faces),
        _nodes(problem, scene, [one.name for one in faces]),
        _bearings(scene),
        _seats(problem),
    )


def _nodes(problem: Problem, scene: FlatScene, faces: list[str]) -> tuple[PlanPoint, ...]:
    still = np.zeros(scene.anchor_rows.shape[2])
    found = []
    for c in np.flatnonzero(scene.node >= 0).tolist():
        start, end = (standing(scene, anchor, still) for anchor in scene.face[c, :2])
        along = (end - start) / np.hypot(*(end - start))
        x, y, _ = scene.anchor_point[scene.node[c]].tolist()
        label, node, face = problem.flat().contact_labels[c], scene.node[c], scene.face[c, 0]
        normal = float(along[1]), -float(along[0])
        bodies = int(scene.anchor_body[node]), int(scene.anchor_body[face])
        against = problem.structure(problem.pairs[c].b.structure).name
        line = faces.index(against) if against in faces else -1
        found.append(PlanPoint(label, bodies[0], (x, y), face=bodies[1], line=line, normal=normal, column=c))
    return tuple(found)


def _bearings(scene: FlatScene) -> tuple[PlanPoint, ...]:
    """Return where bearings are: rules side by side at one pair of anchors are one."""
    found: dict[tuple[int, int], PlanPoint] = {}
    first = 0
    for j, (a, b) in enumerate(scene.joint_anchors.tolist()):
        rows = int(scene.joint_rows[j])
        x, y, _ = scene.anchor_point[a].tolist()
        label = scene.joint_labels[j].partition(": ")[0]
        before = found.get((a, b))
        if before is None:
            found[a, b] = PlanPoint(label, int(scene.anchor_body[a]), (x, y), column=first, rows=rows)
        else:
            found[a, b] = PlanPoint(label, before.deck, before.at, column=before.column, rows=before.rows + rows)
        first += rows
    return tuple(found.values())


def _seats(problem: Problem) -> tuple[SeatPlace, ...]:
    labels = distinct_labels(seat_label(problem, seat) for seat in problem.seats)
    found = []
    for k, (seat, label) in enumerate(zip(problem.seats, labels, strict=True)):
        deck = problem.structure(seat.end.structure)
        assert isinstance(deck, Deck)  # refused otherwise
        first, second = (deck.corner_names[i] for i in deck.edge(seat.end.at))
        across = math.inf if seat.across is None else seat.across
        found.append(SeatPlace(label, deck.name, (first, second), seat.length, across, 5 * k))
    return tuple(found)


def _points(array: np.ndarray) -> tuple[tuple[float, float], ...]:
    return tuple((x, y) for x, y in array.tolist())
