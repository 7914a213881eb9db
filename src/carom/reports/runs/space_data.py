"""What the turnable picture of structures in space is told: `space_view.js` of `carom.web` reads it."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from carom.plots.sheet import look_of
from carom.plots.space.girders import paths
from carom.plots.space.layout import Layout, form_of
from carom.results import Form, Pounding, Standing, Touch
from carom.units import si
from carom.web import packed

__all__ = ["space_data"]

Array = npt.NDArray[np.float64]
Integers = npt.NDArray[np.intp]

STILL = "#9aa0a6"
"""Colour of what does not move."""
NONE = 1e-9
"""A smaller share of a result does not move a point."""
EVERY = 2
"""Forces in members are told for every second picture."""
KINDS = (("axial force", "N", True), ("shear", "N", False), ("bending moment", "N m", False))
"""What is told of members: name, unit, and whether it has a sign."""


def space_data(result: Pounding, frames: Integers) -> dict[str, Any]:
    """Return structures, their motion through samples of the results, contacts."""
    forms, near, spreads, magnified = _placed(result)
    parts = zip(result.scene.standings, forms, near, spreads, strict=True)
    return {
        "space": True,
        "samples": int(frames.size),
        "magnified": magnified,
        "structures": [_structure(result, *part, frames) for part in parts],
        "contacts": [
            {"left": [touch.left, touch.points[0]], "right": _other_side(result, touch)}
            for touch in result.scene.touches
        ],
    }


def _placed(result: Pounding) -> tuple[list[Form], list[Array], list[Array], float]:
    """Return how all stand, where they are drawn, by how much gaps move that when enlarged, and how much that is.

    Bodies in space lie on each other: they are drawn to scale.
    """
    if result.run.body_forms:
        forms = [form_of(result, i) for i in range(len(result.scene.standings))]
        return forms, [form.positions for form in forms], [np.zeros_like(form.positions) for form in forms], 1.0
    layout = Layout(result, swaying=True)
    beyond = max(layout.amplification, 2.0)
    near, far = layout.at(1.0), layout.at(beyond)
    return layout.forms, near, [(b - a) / (beyond - 1.0) for a, b in zip(near, far, strict=True)], layout.amplification


def _other_side(result: Pounding, touch: Touch) -> list[int]:
    """Return what a contact is drawn to: the point on the right, or of a node against a face the node itself."""
    if result.run.body_forms:
        return [touch.left, touch.points[0]]
    return [touch.right, touch.points[1]]


def _structure(
    result: Pounding, standing: Standing, form: Form, points: Array, spread: Array, frames: Integers
) -> dict[str, Any]:
    strokes = form.strokes
    rows, motion, slabs = _moving(result, standing, form, frames)
    count = motion.shape[1]
    return {
        "name": standing.name,
        "colour": look_of(result, standing)["color"] if standing.moving else STILL,
        "moves": standing.moving,
        "results": count,
        "points": packed(points),
        "spread": packed(spread),
        "rows": packed(rows, "i2"),
        "motion": packed(motion, "i2"),
        "strokes": packed([point for stroke in strokes for point in stroke], "u2"),
        "lengths": packed([len(stroke) for stroke in strokes], "u1"),
        "members": 0 if form.forces is None else len(form.forces.names),
        "slabs": slabs,
        "feet": _feet(form) if standing.moving else [],
        "modes": [{"frequency": mode.frequency, "shape": packed(mode.shape)} for mode in form.modes],
        "forces": _forces(form, result, frames[::EVERY]),
    }


def _moving(result: Pounding, standing: Standing, form: Form, frames: Integers) -> tuple[Array, Array, list[list[int]]]:
    """Return what results do to points, the results at samples, and areas that are filled.

    Bodies in space turn as far as they like: of them the displacements of all points themselves are told.
    """
    record = result.run.scene_record
    solid = next((one for one in result.run.body_forms if one.name == standing.name), None)
    if record is None or solid is None or len(solid.points) != len(form.names):
        rows = form.rows.reshape(3 * len(form.names), len(form.outputs))
        motion = result.run.displacement[frames][:, list(form.outputs)]
        return rows, motion, [list(level.corners) for level in form.levels]
    moved = paths(solid, record, frames).reshape(len(frames), -1)
    return np.eye(moved.shape[1]), moved, [list(corners) for corners in solid.faces]


def _feet(form: Form) -> list[int]:
    """Return the ends of members that do not move."""
    still = ~(np.abs(form.rows).max(axis=(1, 2), initial=0.0) > NONE)
    return sorted({end for edge in form.edges for end in edge if still[end]})


def _forces(form: Form, result: Pounding, frames: Integers) -> dict[str, Any] | None:
    found = form.member_forces(result.run, frames)
    if found is None:
        return None
    kinds = []
    for k, (name, unit, signed) in enumerate(KINDS):
        largest = float(np.abs(found[..., k]).max(initial=0.0))
        steps = np.rint(found[..., k] * (127.0 / (largest or 1.0))).astype(int)
        kinds.append(
            {"name": name, "signed": signed, "largest": largest, "words": si(largest, unit, 3),
             "values": packed(steps, "i1")}
        )  # fmt: skip
    return {"every": EVERY, "kinds": kinds}
