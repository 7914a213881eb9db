"""Bodies in space with rigid contacts: the records that their kernels take, and what comes out of poses."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from carom.kernels.rigid import moving, space
from carom.kernels.space.rows import ORIENTATION
from carom.problem import FlatProblem
from carom.problem.scenes.scene import FlatScene
from carom.structures.solids.rotations import matrix_of, product, rotation_vectors

__all__ = ["in_space", "is_spatial", "of_bodies", "placed", "poses_of", "rotations_of", "told"]

Array = npt.NDArray[np.float64]


def is_spatial(flat: FlatProblem) -> bool:
    """Whether bodies turn, and faces stand, in space."""
    return flat.scene is not None and flat.scene.spatial


def in_space(scene: moving.Scene, given: FlatScene, modes: int) -> moving.Scene:
    """Return a scene laid out as kernels of bodies in space take it (`kernels.rigid.space`)."""
    anchors, bodies, samples = given.anchor_body.size, given.body_structure.size, len(scene.samples)
    placed = np.zeros((anchors, space.PLACED_SIZE))
    placed[:, space.MOVES] = given.anchor_rows.any(axis=(1, 2))
    edges = np.zeros((given.node.size, space.FACE_SIZE))
    edges[:, moving.PAST], edges[:, space.OVERHANG] = given.begins_past, given.overhang
    views = np.full((samples, space.SEEN_SIZE * given.node.size), np.nan)
    return scene._replace(
        face=given.face.copy(), radius=given.radius.copy(), body_scale=np.hstack([given.body_scale, given.body_pose]),
        anchor_rows=given.anchor_rows.reshape(-1, modes).copy(), bodies=np.zeros((bodies, space.TWISTED_SIZE)),
        anchors=placed, edges=edges,
        views=views, poses=np.full((samples, space.POSE_SIZE * bodies), np.nan),
    )  # fmt: skip


def poses_of(scene: moving.Scene) -> Array:
    """Return where bodies were at every sample, x, y, z and the quaternion (w, x, y, z), shape (T, B, 7)."""
    return scene.poses.reshape(len(scene.poses), -1, space.POSE_SIZE)


def turns_of(poses: Array) -> Array:
    """Return how far bodies have turned since the start, as unit quaternions, shape (T, B, 4)."""
    return product(poses[..., -ORIENTATION:], poses[:1, :, -ORIENTATION:] * (1.0, -1.0, -1.0, -1.0))


def told(flat: FlatProblem, scene: moving.Scene, force: Array, friction: Array) -> dict[str, Any]:
    """Return what a record says of bodies and contacts in space; forces and friction are means over samples."""
    given, samples = flat.scene, len(scene.poses)
    if given is None or not given.spatial:
        return {}
    poses, seen = poses_of(scene), scene.views.reshape(samples, -1, 4, 3)
    pushed = force[..., None] * seen[:, :, 1] - (np.nan_to_num(friction)[..., None] * seen[:, :, 2:]).sum(axis=2)
    return {
        "foot": seen[:, :, 0].copy(), "pushed": pushed, "centre": poses[..., :3].copy(), "turned": turns_of(poses),
        "bodies": tuple(flat.structure_names[i] for i in given.body_structure),
    }  # fmt: skip


def of_bodies(flat: FlatProblem) -> list[list[int]]:
    """Return for each body the outputs that are its six degrees of freedom, −1 where one is not kept."""
    assert flat.scene is not None  # only of bodies
    return [flat.dof_output[flat.dof_structure == which].tolist() for which in flat.scene.body_structure.tolist()]


def rotations_of(flat: FlatProblem) -> list[int]:
    """Return the outputs that are rotations of bodies in space."""
    return [i for outputs in of_bodies(flat) for i in outputs[3:] if i >= 0] if is_spatial(flat) else []


def placed(flat: FlatProblem, poses: Array, q: Array, v: Array) -> tuple[Array, Array]:
    """Return outputs and their rates from modes and poses: of bodies rotation vectors and spins in the world.

    Outputs have the shape (T, O), modes (T, N), poses (T, B, 7). Rotation vectors are since the start, of angles up
    to π.
    """
    displacement, velocity = q @ flat.outputs.T, v @ flat.outputs.T
    scene = flat.scene
    if scene is None or not scene.spatial:
        return displacement, velocity
    for b, outputs in enumerate(of_bodies(flat)):
        turned = poses[:, b, -ORIENTATION:]
        since = rotation_vectors(turns_of(poses)[:, b])
        own = v[:, scene.body_modes[b, 3:]] * scene.body_scale[b, 3:]
        spin = np.einsum("tij,tj->ti", matrix_of(turned), own)
        for i, output in enumerate(outputs[3:]):
            if output >= 0:
                displacement[:, output], velocity[:, output] = since[:, i], spin[:, i]
    return displacement, velocity
