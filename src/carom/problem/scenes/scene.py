"""A scene as plain arrays: friction with compliant laws, bodies that turn, faces, joints between anchors.

It stands beside the arrays of a `FlatProblem` (``flat.scene``) and says what constant rows cannot. The state is the
same: the modal coordinates q of `FlatProblem`, relative to the ground of each support.

**Bodies.** A rigid body in the plane is a structure with three rigid modes (ω = 0) for x, y and rotation about z, as
any structure without stiffness has them. `body_modes` says which, `body_scale` how far a unit of each moves the body
(1/√m, 1/√m, 1/√I), `body_pose` where its centre of mass stands at q = 0. Turning by finite angles is in the anchors:
masses are constant in these coordinates, so nothing else changes.

**Anchors.** Everything acts between anchors. Anchor A stands at

    p = pose + scale·q + R(θ) point + rows·q        on a body
    p = point + rows·q                              elsewhere: of a structure, or of the ground

`anchor_rows` are linear and small: displacements and rotations of a point of a structure, and on several supports what
the displacement of its ground adds (the modes of `FlatProblem` with `modal_mass` 0; leave out on a common ground). A
force on an anchor loads the modes by the transpose.

**Contacts** are those of `FlatProblem`, in the same order. Without a face a contact has constant rows: overlap =
reach·q − gap, slip rates slide·q̇ and second_slide·q̇. With one it is a node against an edge a → b: with t along the edge
and the outward normal n on its right hand (a body's outline runs counter-clockwise),

    overlap = −n·(node − a) − clearance,      contact only while the node's projection lies between a and b.

`reach`, `push`, `slide` and `gap` of `FlatProblem` hold the same contact linearised at rest, for engines with small
displacements, and `effective_mass` is the one laws take.

**In space** (`spatial`) a body has six modes: x, y and z of its centre of mass in the world, and its spins about its
principal axes, whose displacements mean nothing: it points where a quaternion says (`kernels.space.bodies`). Masses and
moments of inertia stay constant; −ω × Iω is a load. Anchors on a body are given along its principal axes. A face has
four anchors a, b, c, d, counter-clockwise seen from outside (d = c of a triangle), and a node may carry a sphere
(`kernels.space.faces`). Directions of joints turn with a body, or stay.

**Joints** tie anchors a and b by a rule of `carom.joints`, one to three rows: d = e·(p_a − p_b) + turn·(φ_a − φ_b) −
rest, with e in the axes of a body, which it turns with, or of the world. The force f of a row acts on a along −f e, on
b along f e. Rotations φ are those of the bodies, or of rows of anchors.

**Gauges** read like rows of joints and have no force: their true extremes are kept, and when they first leave their
limits (unseating, opening of joints).

Who fills what: `carom.problem.scenes.frictions` fills friction and slips of all contacts; whoever states bodies (decks,
abutments) replaces bodies, anchors, faces, joints and gauges. What a problem has not stays as `nothing` makes it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from carom.kernels.scene.rows import FRICTION_SIZE
from carom.kernels.space.rows import BODY_MODES

__all__ = ["ANCHOR_ROWS", "FlatScene", "nothing"]

Array: TypeAlias = npt.NDArray[np.float64]
Integers: TypeAlias = npt.NDArray[np.int64]

ANCHOR_ROWS = 6
"""What an anchor's rows tell: displacement along x, y, z, rotation about x, y, z."""


@dataclass(frozen=True, eq=False, kw_only=True)
class FlatScene:
    """What a problem has beyond constant rows; read-only arrays.

    C contacts and N modes as in `FlatProblem`, B bodies, A anchors, J joints with P rows, G gauges.
    """

    friction: Array
    """Shape (C, 6), columns of `carom.kernels.scene.rows`; a row of zeros: no friction."""
    second_slide: Array
    """Shape (C, N): slip rate along a second tangent, second_slide·q̇; zero where there is none. (The first is
    ``FlatProblem.slide``.)"""
    node: Integers
    """The anchor that strikes, shape (C,); −1: a contact with constant rows."""
    face: Integers
    """The anchors of the face it strikes, shape (C, 4): a, b, −1, −1 of an edge in the plane."""
    clearance: Array
    """What lies before the face [m], shape (C,): a pad, a rounding; usually 0."""
    radius: Array
    """Of the sphere around the node [m], shape (C,); in space, usually 0."""
    overhang: Array
    """How far a face in space counts past its ends [m], shape (C,)."""
    begins_past: Integers
    """1: the node starts behind the plane of its face, but not in the body, shape (C,); in space."""

    body_modes: Integers
    """Which modes are x, y and rotation about z of each body, shape (B, 3); in space x, y, z and the three spins, shape
    (B, 6), −1 of those that it does not have."""
    body_scale: Array
    """Displacements [m, m, rad] by a unit of each of them, shape (B, 3) or (B, 6)."""
    body_pose: Array
    """x, y [m] of the centre of mass and angle [rad] at q = 0, shape (B, 3), in the world; in space x, y, z [m] and the
    quaternion (w, x, y, z) of the principal axes, shape (B, 7)."""
    body_structure: Integers
    """Index of the structure that each body is, shape (B,)."""

    anchor_body: Integers
    """The body that an anchor is fixed to, shape (A,); −1: none."""
    anchor_point: Array
    """Where it stands: from the centre of mass along the body's axes, or in the world at rest [m], shape (A, 3)."""
    anchor_rows: Array
    """What modes move it by in the world, linearly, shape (A, 6, N): x, y, z, rotations. Zero on a body without motion
    of its ground."""
    anchor_labels: tuple[str, ...]

    joint_rules: tuple[str, ...]
    """The rule of each joint, by its name in `carom.joints`."""
    joint_numbers: Array
    """What the rules take (`Joint.numbers`), shape (J, …), as wide as the one that takes most."""
    joint_rows: Integers
    """How many rows each joint has, shape (J,)."""
    joint_anchors: Integers
    """The anchors a and b of each joint, shape (J, 2)."""
    joint_body: Integers
    """The body whose axes the directions of a joint turn with, shape (J,); −1: those of the world."""
    joint_axes: Array
    """Of each row of all joints the direction e (x, y, z), in those axes, and the share of relative rotation, shape
    (P, 4)."""
    joint_rest: Array
    """What each row reads at no deformation, shape (P,)."""
    joint_labels: tuple[str, ...]

    gauge_anchors: Integers
    gauge_body: Integers
    gauge_axes: Array
    gauge_rest: Array
    """As of joints, one row each: shapes (G, 2), (G,), (G, 4), (G,)."""
    gauge_limits: Array
    """Between which values a gauge is expected, shape (G, 2); ±inf where there is no limit."""
    gauge_labels: tuple[str, ...]

    def __post_init__(self) -> None:
        for name, value in list(vars(self).items()):
            if isinstance(value, np.ndarray):
                kind = np.float64 if value.dtype.kind == "f" else np.int64
                locked = np.array(value, dtype=kind, order="C")
                locked.flags.writeable = False
                object.__setattr__(self, name, locked)

    @property
    def rubbing(self) -> npt.NDArray[np.bool_]:
        """Which contacts have friction, shape (C,)."""
        return np.asarray(self.friction.any(axis=1), dtype=np.bool_)

    @property
    def turning(self) -> bool:
        """Whether it has bodies that turn, faces, or joints and gauges between anchors: more than constant rows say."""
        return bool(self.body_structure.size or (self.node >= 0).any() or self.joint_rows.size or self.gauge_rest.size)

    @property
    def spatial(self) -> bool:
        """Whether bodies turn, and faces stand, in space; else in the plane."""
        return bool(self.body_modes.shape[1] == BODY_MODES)


def nothing(contacts: int, modes: int, *, spatial: bool = False) -> FlatScene:
    """Return a scene in which contacts have constant rows and no friction, in the plane or in space."""
    own, pose = (BODY_MODES, 7) if spatial else (3, 3)
    return FlatScene(
        friction=np.zeros((contacts, FRICTION_SIZE)), second_slide=np.zeros((contacts, modes)),
        node=np.full(contacts, -1), face=np.full((contacts, 4), -1), clearance=np.zeros(contacts),
        radius=np.zeros(contacts), overhang=np.zeros(contacts), begins_past=_numbers(contacts),
        body_modes=_numbers(0, own), body_scale=np.zeros((0, own)), body_pose=np.zeros((0, pose)),
        body_structure=_numbers(0),
        anchor_body=_numbers(0), anchor_point=np.zeros((0, 3)), anchor_rows=np.zeros((0, ANCHOR_ROWS, modes)),
        anchor_labels=(), joint_rules=(), joint_numbers=np.zeros((0, 0)), joint_rows=_numbers(0),
        joint_anchors=_numbers(0, 2), joint_body=_numbers(0), joint_axes=np.zeros((0, 4)), joint_rest=np.zeros(0),
        joint_labels=(), gauge_anchors=_numbers(0, 2), gauge_body=_numbers(0), gauge_axes=np.zeros((0, 4)),
        gauge_rest=np.zeros(0), gauge_limits=np.zeros((0, 2)), gauge_labels=(),
    )  # fmt: skip


def _numbers(*shape: int) -> Integers:
    return np.zeros(shape, dtype=np.int64)
