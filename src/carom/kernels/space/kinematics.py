"""Kinematics of scenes in space, in place of those in the plane: bodies, anchors, what forces on them do to the modes.

Orientations are first-order states behind what springs of friction give: four numbers of each body.
"""

import math

from carom.kernels.explicit.tableau import MISS, STAGES
from carom.kernels.scene import clock
from carom.kernels.scene import rows as scene
from carom.kernels.scene.kinematics import path_along, read, spread
from carom.kernels.scene.step import ANYWHERE, AT_THE_END, NOW, RATE_AT_END, RATE_NOW
from carom.kernels.scene.tables import Motion, Plan
from carom.kernels.space.bodies import carry_anchor, hand_over, load_body, own_spin, stand_body
from carom.kernels.space.orientation import quaternion_rate
from carom.kernels.space.rows import (
    ANCHOR_ROWS,
    ARM,
    BODY_MODES,
    FX,
    MX,
    ORIENTATION,
    SCALES,
    SPIN,
    TURNED,
    VX,
    X,
)
from carom.kernels.types import Vector


def first_turn(b: int, motion: Motion) -> int:
    """Return where the quaternion of a body begins among the first-order states."""
    return 2 * motion.contacts.shape[0] + ORIENTATION * b


def move_body(b: int, q: Vector, v: Vector, give: Vector, plan: Plan, motion: Motion) -> None:
    """Work out where a body is and how it moves."""
    at = first_turn(b, motion)
    stand_body(q, v, give[at : at + ORIENTATION], plan.body_modes[b], plan.body_shape[b], motion.bodies[b])


def move_anchor(a: int, q: Vector, v: Vector, plan: Plan, motion: Motion) -> None:
    """Work out where an anchor is and how it moves, once its body has been moved."""
    anchor, b, row = motion.anchors[a], plan.anchor_body[a], plan.offsets[scene.ANCHOR_ROW] + ANCHOR_ROWS * a
    for i in range(3):
        anchor[X + i], anchor[VX + i], anchor[SPIN + i], anchor[TURNED + i] = 0.0, 0.0, 0.0, 0.0
    if plan.first[row] < plan.first[row + ANCHOR_ROWS]:
        for i in range(3):
            anchor[X + i], anchor[VX + i] = read(row + i, plan, q), read(row + i, plan, v)
            anchor[TURNED + i], anchor[SPIN + i] = read(row + 3 + i, plan, q), read(row + 3 + i, plan, v)
    point = plan.anchor_point[a]
    if b >= 0:
        carry_anchor(point[0], point[1], point[2], motion.bodies[b], anchor)
        return
    for i in range(3):
        anchor[X + i] += point[i]
        anchor[ARM + i] = 0.0


def clear_body(body: Vector) -> None:
    """Take away all forces on a body."""
    for i in range(3):
        body[FX + i], body[MX + i] = 0.0, 0.0


def clear_anchor(anchor: Vector) -> None:
    """Take away all forces on an anchor."""
    for i in range(3):
        anchor[FX + i], anchor[MX + i] = 0.0, 0.0


def load_modes(v: Vector, plan: Plan, motion: Motion) -> None:
    """Add the forces on all anchors and bodies, and what spins do, to the loads of the modes."""
    for i in range(motion.listed[scene.MOVED]):
        a = motion.moved[i]
        anchor, b, row = motion.anchors[a], plan.anchor_body[a], plan.offsets[scene.ANCHOR_ROW] + ANCHOR_ROWS * a
        if plan.first[row] < plan.first[row + ANCHOR_ROWS]:
            for k in range(ANCHOR_ROWS):  # forces, then moments
                spread(row + k, anchor[FX + k], plan, motion.load)
        if b >= 0:
            hand_over(anchor, motion.bodies[b])
    for b in range(plan.body_modes.shape[0]):
        load_body(v, plan.body_modes[b], plan.body_shape[b], motion.bodies[b], motion.load)


def turn_bodies(give: Vector, v: Vector, plan: Plan, motion: Motion, gives: Vector) -> None:
    """Write the rates of all quaternions."""
    for b in range(plan.body_modes.shape[0]):
        at, modes, shape = first_turn(b, motion), plan.body_modes[b], plan.body_shape[b]
        rate = quaternion_rate(
            give[at : at + ORIENTATION], own_spin(0, v, modes, shape), own_spin(1, v, modes, shape),
            own_spin(2, v, modes, shape),
        )  # fmt: skip
        for i in range(ORIENTATION):
            gives[at + i] = rate[i]


def body_path(b: int, path: Vector, plan: Plan) -> float:
    """Return how far a point of a body moves in a step at most, by how far its modes do [m]."""
    squares, turns = 0.0, 0.0
    for i in range(BODY_MODES):
        k = plan.body_modes[b, i]
        if k >= 0:
            along = plan.body_shape[b, SCALES + i] * path[k]
            if i < 3:
                squares += along * along
            else:
                turns += along * along
    return math.sqrt(squares) + plan.reach[b] * math.sqrt(turns)


def riding_path(a: int, path: Vector, plan: Plan) -> float:
    """Return how far rows over the modes move an anchor in a step at most [m]."""
    row, squares = plan.offsets[scene.ANCHOR_ROW] + ANCHOR_ROWS * a, 0.0
    for i in range(3):
        along = path_along(row + i, path, plan)
        squares += along * along
    return math.sqrt(squares)


def place_turns(share: float, plan: Plan, motion: Motion) -> None:
    """Write all quaternions at a share of the step: quintics through rates and accelerations at both ends."""
    h, give, s = motion.clock[clock.LENGTH], motion.give, share
    for b in range(plan.body_modes.shape[0]):
        at = first_turn(b, motion)
        bend0 = bend(b, NOW, RATE_NOW, motion.now, plan, motion)
        bend1 = bend(b, AT_THE_END, RATE_AT_END, motion.end, plan, motion)
        for i in range(ORIENTATION):
            k = at + i
            c1, c2 = h * give[RATE_NOW, k], 0.5 * h * h * bend0[i]
            rise = give[AT_THE_END, k] - give[NOW, k] - c1 - c2
            ramp = h * give[RATE_AT_END, k] - c1 - 2.0 * c2
            last = h * h * bend1[i] - 2.0 * c2
            c3, c4 = 10.0 * rise - 4.0 * ramp + 0.5 * last, 7.0 * ramp - 15.0 * rise - last
            c5 = 6.0 * rise - 3.0 * ramp + 0.5 * last
            give[ANYWHERE, k] = give[NOW, k] + s * (c1 + s * (c2 + s * (c3 + s * (c4 + s * c5))))


def bend(b: int, place: int, rate: int, state: Vector, plan: Plan, motion: Motion) -> tuple[float, float, float, float]:
    """Return d²Q/dt² = ½ (dQ/dt∘ω + Q∘dω/dt) of a body at an end of the step."""
    at, modes, shape = first_turn(b, motion), plan.body_modes[b], plan.body_shape[b]
    v, w = state[1], state[2]
    first = quaternion_rate(
        motion.give[rate, at : at + ORIENTATION], own_spin(0, v, modes, shape), own_spin(1, v, modes, shape),
        own_spin(2, v, modes, shape),
    )  # fmt: skip
    second = quaternion_rate(
        motion.give[place, at : at + ORIENTATION], own_spin(0, w, modes, shape), own_spin(1, w, modes, shape),
        own_spin(2, w, modes, shape),
    )  # fmt: skip
    return first[0] + second[0], first[1] + second[1], first[2] + second[2], first[3] + second[3]


def miss_of_turns(kind: int, most: float, plan: Plan, motion: Motion) -> float:
    """Return the square of what both orders differ by in orientations, in units of the speeds of the structures.

    A quaternion that is wrong by ε turns its body by 2ε, and moves its mass as the spin 2ε/h would in the step.
    """
    found = 0.0
    for b in range(plan.body_modes.shape[0]):
        at, inertia, total = first_turn(b, motion), 0.0, 0.0
        for i in range(3, BODY_MODES):
            if plan.body_modes[b, i] >= 0:
                inertia = max(inertia, plan.body_shape[b, SCALES + i] ** -2.0)
        for i in range(at, at + ORIENTATION):
            rate = 0.0
            for s in range(STAGES):
                rate += MISS[kind, s] * motion.gives[s, i]
            total += rate * rate
        found = max(found, 4.0 * total * inertia / most)
    return found
