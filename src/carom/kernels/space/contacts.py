"""Nodes against faces in a scene in space, in place of nodes against edges: what they read, and who takes the force."""

import math

from carom.kernels.scene.contact_forces import read_constant, spread_constant
from carom.kernels.scene.rows import (
    ALONG,
    CLOSING,
    DISTANCE,
    FORCE,
    FRICTION,
    FRICTION_2,
    LENGTH,
    OVERLAP,
    SLIP,
    SLIP_2,
)
from carom.kernels.scene.tables import Motion, Plan
from carom.kernels.space.faces import push_face, rates_at_face, see_face
from carom.kernels.space.rows import (
    CORNERS,
    FOOT,
    GAP,
    MARGIN,
    NODE,
    NORMAL,
    OVERHANG,
    RADIUS,
    ROUND,
    TANGENT,
    TANGENT_2,
    VIEW,
    VIEW_SIZE,
    W_VIEW,
)
from carom.kernels.types import Vector

SEAM = 1e-9
"""How far past its ends every face counts, as share of its outline: a node that strikes the seam of two faces meets one
of them at least."""


def approach(c: int, q: Vector, v: Vector, plan: Plan, motion: Motion) -> None:
    """Read overlap, rates and place of a contact, once its anchors have been moved."""
    row, places = motion.contacts[c], plan.places[c]
    if places[NODE] < 0:
        read_constant(c, q, v, plan, row)
        return
    node, anchors, view = motion.anchors[places[NODE]], motion.anchors, row[VIEW : VIEW + VIEW_SIZE]
    a, b = anchors[places[CORNERS]], anchors[places[CORNERS + 1]]
    far, last = anchors[places[CORNERS + 2]], anchors[places[CORNERS + 3]]
    see_face(node, a, b, far, last, view)
    leaves, row[SLIP], row[SLIP_2] = rates_at_face(node, a, b, far, last, row[RADIUS], view)
    margin = view[MARGIN] + row[OVERHANG] + SEAM * view[ROUND]
    beyond = max(-margin, 0.0)
    row[LENGTH], row[ALONG] = view[ROUND], margin / (view[ROUND] + 4.0 * abs(row[OVERHANG]))
    row[OVERLAP], row[CLOSING] = row[RADIUS] - view[GAP] - plan.clearance[c], -leaves
    row[DISTANCE] = math.sqrt(beyond * beyond + row[OVERLAP] * row[OVERLAP])


def push_apart(c: int, plan: Plan, motion: Motion) -> None:
    """Add the forces of a closed contact to anchors, or to modes."""
    row, places = motion.contacts[c], plan.places[c]
    if places[NODE] < 0:
        spread_constant(c, plan, motion)
        return
    anchors = motion.anchors
    push_face(
        row[FORCE], row[FRICTION], row[FRICTION_2], row[RADIUS], row[VIEW : VIEW + VIEW_SIZE], anchors[places[NODE]],
        anchors[places[CORNERS]], anchors[places[CORNERS + 1]], anchors[places[CORNERS + 2]],
        anchors[places[CORNERS + 3]],
    )  # fmt: skip


def write_view(c: int, motion: Motion, closed: bool, line: Vector) -> None:
    """Write the foot of a node on its face, and the force on the node along the axes of the world."""
    row, at = motion.contacts[c], W_VIEW * c
    for i in range(3):
        line[at + i], line[at + 3 + i] = row[VIEW + FOOT + i], 0.0
        if closed:
            line[at + 3 + i] = row[FORCE] * row[VIEW + NORMAL + i] - row[FRICTION] * row[VIEW + TANGENT + i]
            line[at + 3 + i] -= row[FRICTION_2] * row[VIEW + TANGENT_2 + i]
