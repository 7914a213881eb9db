"""Joints and gauges: what they read of the motion, and what joints do to it."""

from carom.kernels.joints import DEFORMATION, PACE, TENSION, Springs, follow_all
from carom.kernels.scene.kinematics import read, spread
from carom.kernels.scene.rows import ANGLE, COSINE, FX, FY, LINK_ROW, MOMENT, REST, SINE, SPIN, TURN, VX, VY, X, Y
from carom.kernels.scene.tables import Motion, Plan
from carom.kernels.types import Vector


def direction(link: int, plan: Plan, motion: Motion) -> tuple[float, float, float]:
    """Return the direction of a link in the world, and the rate at which it turns."""
    ex, ey, body = plan.axes[link, X], plan.axes[link, Y], plan.links[link, 2]
    if body < 0:
        return ex, ey, 0.0
    row = motion.bodies[body]
    return row[COSINE] * ex - row[SINE] * ey, row[SINE] * ex + row[COSINE] * ey, row[SPIN]


def stretch(link: int, q: Vector, v: Vector, plan: Plan, motion: Motion) -> None:
    """Read the deformation of a link and its rate, once its anchors have been moved."""
    pull = motion.pull
    if plan.links[link, 0] < 0:
        row = plan.offsets[LINK_ROW] + link
        pull[DEFORMATION, link], pull[PACE, link] = read(row, plan, q) - plan.axes[link, REST], read(row, plan, v)
        return
    a, b = motion.anchors[plan.links[link, 0]], motion.anchors[plan.links[link, 1]]
    ex, ey, spin = direction(link, plan, motion)
    dx, dy, turn = a[X] - b[X], a[Y] - b[Y], plan.axes[link, TURN]
    pull[DEFORMATION, link] = ex * dx + ey * dy + turn * (a[ANGLE] - b[ANGLE]) - plan.axes[link, REST]
    rate = ex * (a[VX] - b[VX]) + ey * (a[VY] - b[VY]) + spin * (ex * dy - ey * dx)
    pull[PACE, link] = rate + turn * (a[SPIN] - b[SPIN])


def tighten(link: int, plan: Plan, motion: Motion) -> None:
    """Add the force of a joint's row to anchors, or to modes; the body whose axes it has takes the moment of it."""
    force = motion.pull[TENSION, link]
    if force == 0.0:
        return
    if plan.links[link, 0] < 0:
        spread(plan.offsets[LINK_ROW] + link, -force, plan, motion.load)
        return
    a, b = motion.anchors[plan.links[link, 0]], motion.anchors[plan.links[link, 1]]
    ex, ey, _ = direction(link, plan, motion)
    a[FX] -= force * ex
    a[FY] -= force * ey
    b[FX] += force * ex
    b[FY] += force * ey
    moment = force * plan.axes[link, TURN]
    a[MOMENT] -= moment
    b[MOMENT] += moment
    body = plan.links[link, 2]
    if body >= 0:
        motion.bodies[body, MOMENT] -= force * (ex * (a[Y] - b[Y]) - ey * (a[X] - b[X]))


def pull_joints(every: bool, q: Vector, v: Vector, plan: Plan, motion: Motion, springs: Springs) -> float:
    """Read the rows of all joints and add their forces; return the power that goes into them [W].

    Gauges are read where `every` link is wanted.
    """
    links = plan.links.shape[0]
    joints = links - plan.limits.shape[0]
    for link in range(links if every else joints):
        stretch(link, q, v, plan, motion)
    follow_all(springs, motion.pull)
    power = 0.0
    for link in range(joints):
        tighten(link, plan, motion)
        power += motion.pull[TENSION, link] * motion.pull[PACE, link]
    return power
