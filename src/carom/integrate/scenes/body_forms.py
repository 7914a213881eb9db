"""Bodies of a problem in space as they stand at the start, for pictures."""

from __future__ import annotations

from carom.problem import Problem
from carom.results.space.body_forms import BodyForm
from carom.structures.solids.solid import Solid

__all__ = ["body_forms_of"]


def body_forms_of(problem: Problem) -> tuple[BodyForm, ...]:
    """Return all bodies of a problem, moving and fixed; empty where nothing moves in space."""
    scene = problem.flat().scene
    if scene is None or not scene.spatial:
        return ()
    bodies = scene.body_structure.tolist()
    found = []
    for i, structure in enumerate(problem.structures):
        if not isinstance(structure, Solid) or not structure.marks:
            continue
        names = list(structure.marks)
        points = [(float(x), float(y), float(z)) for x, y, z in (structure.world(name) for name in names)]
        faces = tuple(tuple(names.index(corner) for corner in corners) for corners in structure.sides.values())
        nodes = {
            c: names.index(contact.a.at)
            for c, contact in enumerate(problem.pairs)
            if problem.index(contact.a.structure) == i and contact.a.at in names
        }
        found.append(BodyForm(structure.name, bodies.index(i) if i in bodies else -1, tuple(points), faces, nodes))
    return tuple(found)
