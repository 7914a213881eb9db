"""Joints and gauges in space, in place of those in the plane: what they read, and what joints do."""

import math

from carom.kernels.joints import DEFORMATION, PACE, TENSION
from carom.kernels.scene import rows as scene
from carom.kernels.scene.kinematics import read, spread
from carom.kernels.scene.tables import Motion, Plan
from carom.kernels.space.orientation import to_world
from carom.kernels.space.rows import FX, MX, ROTATION, SPIN, TURNED, VX, X
from carom.kernels.types import Vector


def direction_in_space(link: int, plan: Plan, motion: Motion) -> tuple[float, float, float]:
    """Return the direction of a link in the world."""
    axis, body = plan.axes[link], plan.links[link, 2]
    if body < 0:
        return axis[0], axis[1], axis[2]
    return to_world(motion.bodies[body, ROTATION : ROTATION + 9], axis[0], axis[1], axis[2])


def heading(a: int, plan: Plan, motion: Motion) -> tuple[float, float]:
    """Return the angle in plan of an anchor, that of its body's first axis, and its rate [rad, rad/s]."""
    anchor, b = motion.anchors[a], plan.anchor_body[a]
    if b < 0:
        return anchor[TURNED + 2], anchor[SPIN + 2]
    body = motion.bodies[b]
    x, y, z = body[ROTATION], body[ROTATION + 3], body[ROTATION + 6]
    p, q, r = body[SPIN], body[SPIN + 1], body[SPIN + 2]
    flat = x * x + y * y
    rate = (x * (r * x - p * z) - y * (q * z - r * y)) / flat if flat > 0.0 else 0.0
    return math.atan2(y, x), rate


def stretch(link: int, q: Vector, v: Vector, plan: Plan, motion: Motion) -> None:
    """Read the deformation of a link and its rate, once its anchors have been moved."""
    pull = motion.pull
    if plan.links[link, 0] < 0:
        row = plan.offsets[scene.LINK_ROW] + link
        pull[DEFORMATION, link] = read(row, plan, q) - plan.axes[link, scene.REST]
        pull[PACE, link] = read(row, plan, v)
        return
    first, second = plan.links[link, 0], plan.links[link, 1]
    a, b, rest = motion.anchors[first], motion.anchors[second], plan.axes[link, scene.REST]
    if plan.axes[link, scene.TURN] != 0.0:
        one, its_rate = heading(first, plan, motion)
        other, other_rate = heading(second, plan, motion)
        turned = one - other - rest
        pull[DEFORMATION, link] = turned - 2.0 * math.pi * math.floor(turned / (2.0 * math.pi) + 0.5)
        pull[PACE, link] = its_rate - other_rate
        return
    ex, ey, ez = direction_in_space(link, plan, motion)
    dx, dy, dz = a[X] - b[X], a[X + 1] - b[X + 1], a[X + 2] - b[X + 2]
    rate = ex * (a[VX] - b[VX]) + ey * (a[VX + 1] - b[VX + 1]) + ez * (a[VX + 2] - b[VX + 2])
    body = plan.links[link, 2]
    if body >= 0:  # the direction turns with it: (ω × e)·d = ω·(e × d)
        spin = motion.bodies[body]
        rate += spin[SPIN] * (ey * dz - ez * dy) + spin[SPIN + 1] * (ez * dx - ex * dz)
        rate += spin[SPIN + 2] * (ex * dy - ey * dx)
    pull[DEFORMATION, link], pull[PACE, link] = ex * dx + ey * dy + ez * dz - rest, rate


def tighten(link: int, plan: Plan, motion: Motion) -> None:
    """Add the force of a joint's row to anchors, or to modes; the body whose axes it has takes the moment of it."""
    force = motion.pull[TENSION, link]
    if force == 0.0:
        return
    if plan.links[link, 0] < 0:
        spread(plan.offsets[scene.LINK_ROW] + link, -force, plan, motion.load)
        return
    a, b = motion.anchors[plan.links[link, 0]], motion.anchors[plan.links[link, 1]]
    ex, ey, ez = direction_in_space(link, plan, motion)
    a[FX] -= force * ex
    a[FX + 1] -= force * ey
    a[FX + 2] -= force * ez
    b[FX] += force * ex
    b[FX + 1] += force * ey
    b[FX + 2] += force * ez
    body = plan.links[link, 2]
    if body >= 0:
        dx, dy, dz = a[X] - b[X], a[X + 1] - b[X + 1], a[X + 2] - b[X + 2]
        row = motion.bodies[body]
        row[MX] -= force * (ey * dz - ez * dy)
        row[MX + 1] -= force * (ez * dx - ex * dz)
        row[MX + 2] -= force * (ex * dy - ey * dx)
