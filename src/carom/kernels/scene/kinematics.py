"""Where anchors are, how they move, and what forces on them do to the modes: one kinematics and its transpose."""

import math

from carom.kernels.scene.rows import (
    ANCHOR_ROW,
    ANGLE,
    ARM_X,
    ARM_Y,
    COSINE,
    FX,
    FY,
    MOMENT,
    MOVED,
    PLANE_ROWS,
    POSE,
    SCALES,
    SINE,
    SPIN,
    VX,
    VY,
    X,
    Y,
)
from carom.kernels.scene.tables import Motion, Plan
from carom.kernels.types import Vector


def read(row: int, plan: Plan, x: Vector) -> float:
    """Return a row over the modes times x."""
    total = 0.0
    for i in range(plan.first[row], plan.first[row + 1]):
        total += plan.value[i] * x[plan.mode[i]]
    return total


def spread(row: int, force: float, plan: Plan, load: Vector) -> None:
    """Add a force along a row to the loads of the modes."""
    for i in range(plan.first[row], plan.first[row + 1]):
        load[plan.mode[i]] += force * plan.value[i]


def move_body(b: int, q: Vector, v: Vector, _give: Vector, plan: Plan, motion: Motion) -> None:
    """Work out where a body is and how it moves; in space it points where first-order states say."""
    body, shape = motion.bodies[b], plan.body_shape[b]
    for i in range(3):
        k = plan.body_modes[b, i]
        body[X + i] = shape[POSE + i] + shape[SCALES + i] * q[k]
        body[VX + i] = shape[SCALES + i] * v[k]
    body[COSINE], body[SINE] = math.cos(body[ANGLE]), math.sin(body[ANGLE])


def move_anchor(a: int, q: Vector, v: Vector, plan: Plan, motion: Motion) -> None:
    """Work out where an anchor is and how it moves, once its body has been moved."""
    anchor, b, row = motion.anchors[a], plan.anchor_body[a], plan.offsets[ANCHOR_ROW] + PLANE_ROWS * a
    moved = plan.first[row] < plan.first[row + PLANE_ROWS]
    if moved:
        for i in range(PLANE_ROWS):
            anchor[X + i], anchor[VX + i] = read(row + i, plan, q), read(row + i, plan, v)
    else:  # fixed to its body alone, or to the ground
        for i in range(X, SPIN + 1):
            anchor[i] = 0.0
    px, py = plan.anchor_point[a, 0], plan.anchor_point[a, 1]
    if b < 0:
        anchor[X] += px
        anchor[Y] += py
        return
    body = motion.bodies[b]
    arm_x, arm_y = body[COSINE] * px - body[SINE] * py, body[SINE] * px + body[COSINE] * py
    anchor[ARM_X], anchor[ARM_Y] = arm_x, arm_y
    anchor[X] += body[X] + arm_x
    anchor[Y] += body[Y] + arm_y
    anchor[ANGLE] += body[ANGLE]
    anchor[VX] += body[VX] - body[SPIN] * arm_y
    anchor[VY] += body[VY] + body[SPIN] * arm_x
    anchor[SPIN] += body[SPIN]


def move_all(q: Vector, v: Vector, give: Vector, plan: Plan, motion: Motion) -> None:
    """Move all bodies, and the anchors that are needed, without forces on them."""
    for b in range(plan.body_modes.shape[0]):
        move_body(b, q, v, give, plan, motion)
        clear_body(motion.bodies[b])
    for i in range(motion.listed[MOVED]):
        a = motion.moved[i]
        move_anchor(a, q, v, plan, motion)
        clear_anchor(motion.anchors[a])


def move_every(q: Vector, v: Vector, give: Vector, plan: Plan, motion: Motion) -> None:
    """Move all bodies and all anchors."""
    for b in range(plan.body_modes.shape[0]):
        move_body(b, q, v, give, plan, motion)
    for a in range(plan.anchor_body.shape[0]):
        move_anchor(a, q, v, plan, motion)


def clear_body(body: Vector) -> None:
    """Take away all forces on a body."""
    body[FX], body[FY], body[MOMENT] = 0.0, 0.0, 0.0


def clear_anchor(anchor: Vector) -> None:
    """Take away all forces on an anchor."""
    anchor[FX], anchor[FY], anchor[MOMENT] = 0.0, 0.0, 0.0


def load_modes(_v: Vector, plan: Plan, motion: Motion) -> None:
    """Add the forces on all anchors and bodies to the loads of the modes."""
    for i in range(motion.listed[MOVED]):
        a = motion.moved[i]
        anchor, b, row = motion.anchors[a], plan.anchor_body[a], plan.offsets[ANCHOR_ROW] + PLANE_ROWS * a
        if plan.first[row] < plan.first[row + PLANE_ROWS]:
            for k in range(PLANE_ROWS):
                spread(row + k, anchor[FX + k], plan, motion.load)
        if b >= 0:
            body = motion.bodies[b]
            body[FX] += anchor[FX]
            body[FY] += anchor[FY]
            body[MOMENT] += anchor[MOMENT] + anchor[ARM_X] * anchor[FY] - anchor[ARM_Y] * anchor[FX]
    for b in range(plan.body_modes.shape[0]):
        for k in range(3):
            motion.load[plan.body_modes[b, k]] += plan.body_shape[b, SCALES + k] * motion.bodies[b, FX + k]


def turn_bodies(_give: Vector, _v: Vector, _plan: Plan, _motion: Motion, _gives: Vector) -> None:
    """Write the rates of orientations that are first-order states; in the plane none are."""


def body_path(b: int, path: Vector, plan: Plan) -> float:
    """Return how far a point of a body moves in a step at most, by how far its modes do [m]."""
    x, y, turn = plan.body_modes[b, 0], plan.body_modes[b, 1], plan.body_modes[b, 2]
    shape = plan.body_shape[b]
    along, across = shape[SCALES] * path[x], shape[SCALES + 1] * path[y]
    return math.sqrt(along * along + across * across) + plan.reach[b] * shape[SCALES + 2] * path[turn]


def riding_path(a: int, path: Vector, plan: Plan) -> float:
    """Return how far rows over the modes move an anchor in a step at most [m]."""
    row = plan.offsets[ANCHOR_ROW] + PLANE_ROWS * a
    x, y = path_along(row, path, plan), path_along(row + 1, path, plan)
    return math.sqrt(x * x + y * y)


def path_along(row: int, path: Vector, plan: Plan) -> float:
    """Return how far a row over the modes moves in a step at most [m]."""
    total = 0.0
    for i in range(plan.first[row], plan.first[row + 1]):
        total += abs(plan.value[i]) * path[plan.mode[i]]
    return total
