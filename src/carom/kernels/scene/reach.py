"""How quick bodies can be within a step, at most.

Within a step displacements are quintics (`scene.step`). Their second derivatives are cubics, which stay between the
least and the largest of the four numbers that Bernstein's form has of them. From there follow bounds on speeds and
accelerations of anchors, and on d²δ/dt² of overlaps.
"""

import math

from carom.kernels.scene import clock
from carom.kernels.scene.kinematics import read
from carom.kernels.scene.rows import (
    ANCHOR_ROW,
    AT_END,
    AT_START,
    CONTACT_ROWS,
    LENGTH,
    LIVELIEST,
    PLANE_ROWS,
    QUICKEST,
    SCALES,
    X,
    Y,
)
from carom.kernels.scene.tables import Motion, Plan

SPEED = 0  # rows of `Motion.bounds`
ACCELERATION = 1


def bound_motion(plan: Plan, motion: Motion) -> None:
    """Write how quick modes and anchors are in the step, at most, and how far the scene may have moved by its end."""
    h, now, end, bounds = motion.clock[clock.LENGTH], motion.now, motion.end, motion.bounds
    for k in range(motion.load.size):
        most = bend_of(
            now[0, k], h * now[1, k], h * h * now[2, k], end[0, k], h * end[1, k], h * h * end[2, k]
        )  # fmt: skip
        bounds[SPEED, k] = max(abs(now[1, k]), abs(end[1, k])) + 0.5 * most / h
        bounds[ACCELERATION, k] = most / (h * h)
    fastest = 0.0
    for a in range(plan.anchor_body.shape[0]):
        bound_anchor(a, plan, motion)
        fastest = max(fastest, motion.anchors[a, QUICKEST])
    motion.clock[clock.AHEAD] = motion.clock[clock.TRAVEL] + 2.0 * h * fastest


def bend_of(u0: float, v0: float, w0: float, u1: float, v1: float, w1: float) -> float:
    """Return a bound on |d²u/ds²| of the quintic through both ends, with derivatives by shares of the step."""
    rise, ramp, bend = u1 - u0 - v0 - 0.5 * w0, v1 - v0 - w0, w1 - w0
    c3, c4 = 10.0 * rise - 4.0 * ramp + 0.5 * bend, 7.0 * ramp - 15.0 * rise - bend
    return max(max(abs(w0), abs(w1)), max(abs(w0 + 2.0 * c3), abs(w0 + 4.0 * (c3 + c4))))


def bound_anchor(a: int, plan: Plan, motion: Motion) -> None:
    """Write how quick an anchor is in the step, at most."""
    row, b = plan.offsets[ANCHOR_ROW] + PLANE_ROWS * a, plan.anchor_body[a]
    speed, acceleration = 0.0, 0.0
    for i in range(plan.first[row + X], plan.first[row + Y + 1]):
        speed += abs(plan.value[i]) * motion.bounds[SPEED, plan.mode[i]]
        acceleration += abs(plan.value[i]) * motion.bounds[ACCELERATION, plan.mode[i]]
    if b >= 0:
        kx, ky, kr = plan.body_modes[b, 0], plan.body_modes[b, 1], plan.body_modes[b, 2]
        sx, sy, sr = plan.body_shape[b, SCALES], plan.body_shape[b, SCALES + 1], abs(plan.body_shape[b, SCALES + 2])
        px, py = plan.anchor_point[a, 0], plan.anchor_point[a, 1]
        arm, spin = math.sqrt(px * px + py * py), sr * motion.bounds[SPEED, kr]
        vx, vy = sx * motion.bounds[SPEED, kx], sy * motion.bounds[SPEED, ky]
        ax, ay = sx * motion.bounds[ACCELERATION, kx], sy * motion.bounds[ACCELERATION, ky]
        speed += math.sqrt(vx * vx + vy * vy) + arm * spin
        acceleration += math.sqrt(ax * ax + ay * ay) + arm * (sr * motion.bounds[ACCELERATION, kr] + spin * spin)
    motion.anchors[a, QUICKEST], motion.anchors[a, LIVELIEST] = speed, acceleration


def bend_of_overlap(c: int, plan: Plan, motion: Motion) -> float:
    """Return a bound on |d²δ/ds²| of an open contact in the step, s its share."""
    row, h = motion.contacts[c], motion.clock[clock.LENGTH]
    if plan.places[c, 0] < 0:
        first = CONTACT_ROWS * c
        return bend_of(
            row[AT_START], h * row[AT_START + 1], h * h * read(first, plan, motion.now[2]),
            row[AT_END], h * row[AT_END + 1], h * h * read(first, plan, motion.end[2]),
        )  # fmt: skip
    node, a, b = motion.anchors[plan.places[c, 0]], motion.anchors[plan.places[c, 1]], motion.anchors[plan.places[c, 2]]
    # δ = −n·r with r = k − a; the edge turns at ω, at most by what its ends do to each other
    spin = (a[QUICKEST] + b[QUICKEST]) / row[LENGTH]
    turn = (a[LIVELIEST] + b[LIVELIEST]) / row[LENGTH]
    pace = node[QUICKEST] + a[QUICKEST]
    reach = abs(row[AT_END + 3]) * row[LENGTH] + abs(row[AT_END]) + h * (pace + spin * row[LENGTH])
    most = node[LIVELIEST] + a[LIVELIEST] + 2.0 * spin * pace + (turn + spin * spin) * reach
    return h * h * most
