"""What runs in space tell beside those in the plane: where bodies are and point, feet and forces of contacts."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from carom.backends import compiled
from carom.integrate.scenes.tables import scene_of
from carom.kernels.scene import rows
from carom.kernels.scene.tables import Motion, Plan, Writing
from carom.kernels.scene.writing import CONTACT_COLUMNS, W_READ
from carom.kernels.space import far
from carom.kernels.space import rows as space_rows
from carom.kernels.space.engine import SPACE_PARTS
from carom.problem import FlatProblem
from carom.structures.solids.rotations import matrix_of, product, rotation_vectors

__all__ = ["read_far", "room_for", "tell_rotations", "told"]

Array = npt.NDArray[np.float64]


def room_for(flat: FlatProblem, samples: int) -> tuple[Array, Array]:
    """Return room for what a run writes of contacts and bodies in space; without columns in the plane."""
    scene = scene_of(flat)
    views, turns = space_rows.W_VIEW * flat.gap.size, space_rows.ORIENTATION * len(scene.body_modes)
    return np.zeros((samples, views * scene.spatial)), np.zeros((samples, turns * scene.spatial))


def read_far(flat: FlatProblem, plan: Plan, motion: Motion, written: Writing) -> None:
    """Write what contacts read that slept at samples; once it is written, nothing is left to be read."""
    if scene_of(flat).spatial and not written.contacts[:, W_READ::CONTACT_COLUMNS].all():
        compiled(far.read_far, dict(SPACE_PARTS))(plan, motion, written)


def tell_rotations(flat: FlatProblem, motion: Motion, written: Writing) -> None:
    """Put rotation vectors, spins and their rates along the axes of the world where modes have those of the bodies.

    Peaks of rotations are the largest at samples.
    """
    scene = scene_of(flat)
    if not scene.spatial:
        return
    for b, modes in enumerate(scene.body_modes):
        own, scale = modes[3:], scene.body_scale[b, 3:]
        turned = turns_of(flat, written, b)
        first = matrix_of(scene.body_pose[b, 3:])
        now = matrix_of(written.turns[:, _columns(b)])
        written.q[:, own] = rotation_vectors(turned) @ first / scale
        for table in (written.v, written.own):
            table[:, own] = np.einsum("tij,tj->ti", now, table[:, own] * scale) @ first / scale
        rotations = np.flatnonzero(flat.outputs[:, own].any(axis=1))
        for k, table in enumerate((written.q, written.v, written.own)):
            reached = np.abs(table @ flat.outputs[rotations].T)
            motion.outputs[rotations, rows.PEAK + k] = np.nanmax(reached, axis=0, initial=0.0)


def turns_of(flat: FlatProblem, written: Writing, b: int) -> Array:
    """Return how far a body has turned from where it pointed at the start, as unit quaternions, shape (T, 4)."""
    start = scene_of(flat).body_pose[b, 3:]
    return product(written.turns[:, _columns(b)], start * (1.0, -1.0, -1.0, -1.0))


def told(flat: FlatProblem, written: Writing) -> dict[str, Any]:
    """Return what a record says of bodies and contacts in space."""
    scene, samples = scene_of(flat), len(written.q)
    if not scene.spatial:
        return {}
    views = written.views.reshape(samples, flat.gap.size, space_rows.W_VIEW)
    at = scene.body_modes[:, :3]
    return {
        "foot": views[..., :3].copy(), "pushed": views[..., 3:].copy(),
        "centre": scene.body_pose[None, :, :3] + written.q[:, at] * scene.body_scale[None, :, :3],
        "turned": np.stack(
            [turns_of(flat, written, b) for b in range(len(at))] or [np.zeros((samples, 4))], axis=1
        )[:, : len(at)],
        "bodies": tuple(flat.structure_names[i] for i in scene.body_structure),
    }  # fmt: skip


def _columns(b: int) -> slice:
    return slice(space_rows.ORIENTATION * b, space_rows.ORIENTATION * (b + 1))
