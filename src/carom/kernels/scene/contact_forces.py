"""What a contact reads of the motion, and what forces follow: law along the normal, friction along the face.

A node k against an edge a → b with t along it and the outward normal n on its right hand. With the share s of the way
from a to b at which k stands, g = n·(k − a) and the rate ω at which the edge turns, the matter of the face moves at k
with v = (1−s) v_a + s v_b + ω × (g n). Reactions on a and b are its transpose: force and moment are in equilibrium with
those on k.
"""

import math

from carom.kernels.contact.impact_record import chi_of
from carom.kernels.laws.power_law import elastic_force, force
from carom.kernels.rows import SCALE, SPEED
from carom.kernels.scene.kinematics import read, spread
from carom.kernels.scene.rows import (
    ALONG,
    CLOSING,
    CONTACT_ROWS,
    DISTANCE,
    FORCE,
    FRICTION,
    FRICTION_2,
    FX,
    FY,
    GIVE,
    GIVE_2,
    KINETIC,
    LENGTH,
    NORMAL_X,
    NORMAL_Y,
    OVERLAP,
    PRINTED,
    SLIDES,
    SLIDING,
    SLIP,
    SLIP_2,
    SMOOTH,
    TANGENT_DAMPING,
    TANGENT_STIFFNESS,
    TRIAL_FRICTION,
    VX,
    VY,
    X,
    Y,
)
from carom.kernels.scene.tables import Motion, Plan
from carom.kernels.types import Vector

ROUNDED = 1e-12
"""Rounding of slip, as share of the speed of an impact."""
AT_REST = 1e-6
"""Speed [m/s] below which the printed rule's friction fades, which knows no rest."""


def approach(c: int, q: Vector, v: Vector, plan: Plan, motion: Motion) -> None:
    """Read overlap, rates and place of a contact, once its anchors have been moved."""
    row = motion.contacts[c]
    if plan.places[c, 0] < 0:
        read_constant(c, q, v, plan, row)
        return
    node, a, b = motion.anchors[plan.places[c, 0]], motion.anchors[plan.places[c, 1]], motion.anchors[plan.places[c, 2]]
    tx, ty = b[X] - a[X], b[Y] - a[Y]
    length = math.sqrt(tx * tx + ty * ty)
    tx, ty = tx / length, ty / length
    nx, ny = ty, -tx
    rx, ry = node[X] - a[X], node[Y] - a[Y]
    share, gap = (tx * rx + ty * ry) / length, nx * rx + ny * ry
    beyond = max(max(-share, share - 1.0), 0.0) * length
    turn = -(nx * (b[VX] - a[VX]) + ny * (b[VY] - a[VY])) / length  # rate at which the edge turns; n is −90° from t
    ux = node[VX] - (1.0 - share) * a[VX] - share * b[VX] + turn * gap * ny
    uy = node[VY] - (1.0 - share) * a[VY] - share * b[VY] - turn * gap * nx
    row[LENGTH], row[ALONG], row[NORMAL_X], row[NORMAL_Y] = length, share, nx, ny
    row[OVERLAP], row[CLOSING] = -gap - plan.clearance[c], -(nx * ux + ny * uy)
    row[SLIP], row[SLIP_2] = tx * ux + ty * uy, 0.0
    row[DISTANCE] = math.sqrt(beyond * beyond + row[OVERLAP] * row[OVERLAP])


def read_constant(c: int, q: Vector, v: Vector, plan: Plan, row: Vector) -> None:
    """Read overlap and rates of a contact with constant rows."""
    first = CONTACT_ROWS * c
    row[OVERLAP], row[CLOSING] = read(first, plan, q) - plan.clearance[c], read(first, plan, v)
    row[SLIP], row[SLIP_2] = read(first + 1, plan, v), read(first + 2, plan, v)
    row[DISTANCE] = -row[OVERLAP]


def press(c: int, give: Vector, plan: Plan, row: Vector) -> None:
    """Work out the forces of a closed contact from overlap, rates and what its tangential springs give."""
    depth = max(row[OVERLAP], 0.0)
    root = math.sqrt(depth)
    row[FORCE] = force(row, chi_of(row, row[CLOSING]), depth, root, row[CLOSING])
    if row[SLIDING] == SMOOTH:
        row[FRICTION], row[FRICTION_2], row[GIVE], row[GIVE_2] = 0.0, 0.0, 0.0, 0.0
        return
    rub = plan.friction[c]
    k, damping = rub[TANGENT_STIFFNESS], rub[TANGENT_DAMPING]
    spring, spring_2 = k * give[2 * c], k * give[2 * c + 1]
    trial, trial_2 = spring + damping * row[SLIP], spring_2 + damping * row[SLIP_2]
    size = math.sqrt(trial * trial + trial_2 * trial_2)
    row[TRIAL_FRICTION] = size
    if row[SLIDING] != SLIDES:
        row[FRICTION], row[FRICTION_2] = trial, trial_2
        row[GIVE], row[GIVE_2] = row[SLIP], row[SLIP_2]
    elif rub[PRINTED] != 0.0:  # (8b), (9c): of the spring's normal force alone, against the slip
        pace = math.sqrt(row[SLIP] * row[SLIP] + row[SLIP_2] * row[SLIP_2]) + AT_REST
        share = rub[KINETIC] * elastic_force(row, depth, root) / pace
        row[FRICTION], row[FRICTION_2] = share * row[SLIP], share * row[SLIP_2]
        row[GIVE], row[GIVE_2] = 0.0, 0.0
    else:
        share = rub[KINETIC] * max(row[FORCE], 0.0) / size if size > 0.0 else 0.0
        row[FRICTION], row[FRICTION_2] = share * trial, share * trial_2
        row[GIVE], row[GIVE_2] = (row[FRICTION] - spring) / damping, (row[FRICTION_2] - spring_2) / damping


def push_apart(c: int, plan: Plan, motion: Motion) -> None:
    """Add the forces of a closed contact to anchors, or to modes."""
    row = motion.contacts[c]
    normal, friction = row[FORCE], row[FRICTION]
    if plan.places[c, 0] < 0:
        spread_constant(c, plan, motion)
        return
    node, a, b = motion.anchors[plan.places[c, 0]], motion.anchors[plan.places[c, 1]], motion.anchors[plan.places[c, 2]]
    nx, ny, share = row[NORMAL_X], row[NORMAL_Y], row[ALONG]
    fx, fy = normal * nx + friction * ny, normal * ny - friction * nx  # on the node; t is 90° from n
    node[FX] += fx
    node[FY] += fy
    couple = friction * (row[OVERLAP] + plan.clearance[c]) / row[LENGTH]  # friction acts at k, behind the face
    a[FX] -= (1.0 - share) * fx + couple * nx
    a[FY] -= (1.0 - share) * fy + couple * ny
    b[FX] -= share * fx - couple * nx
    b[FY] -= share * fy - couple * ny


def spread_constant(c: int, plan: Plan, motion: Motion) -> None:
    """Add the forces of a closed contact with constant rows to the loads of the modes."""
    row, first = motion.contacts[c], CONTACT_ROWS * c
    spread(first, -row[FORCE], plan, motion.load)
    if row[SLIDING] != SMOOTH:
        spread(first + 1, -row[FRICTION], plan, motion.load)
        spread(first + 2, -row[FRICTION_2], plan, motion.load)


def held(c: int, mu: float, normal: float, plan: Plan, row: Vector) -> float:
    """Return what friction holds [N]: the cone, and what rounding of slip makes of it in bodies that do not slide."""
    rub = plan.friction[c]
    rounding = rub[TANGENT_DAMPING] * row[SPEED] + rub[TANGENT_STIFFNESS] * row[SCALE]
    return mu * max(normal, 0.0) + ROUNDED * rounding
