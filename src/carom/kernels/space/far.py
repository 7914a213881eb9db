"""Contacts that slept at samples, read when somebody asks for their gaps: runs with far pairs do not pay for them."""

from carom.kernels.scene.contact_forces import approach
from carom.kernels.scene.kinematics import move_all, move_every
from carom.kernels.scene.rows import ALONG, OVERLAP
from carom.kernels.scene.step import ANYWHERE
from carom.kernels.scene.tables import Motion, Plan, Writing
from carom.kernels.scene.writing import CONTACT_COLUMNS, W_ALONG, W_GAP, W_READ, write_view
from carom.kernels.types import Vector


def leaves_far() -> bool:
    """Return that contacts that sleep are left to `read_far`."""
    return True


def move_read(q: Vector, v: Vector, give: Vector, plan: Plan, motion: Motion) -> None:
    """Move what near contacts and links need."""
    move_all(q, v, give, plan, motion)


def read_far(plan: Plan, motion: Motion, writing: Writing) -> int:
    """Write gaps and feet of contacts that slept at samples; return how many there were."""
    count, first = 0, 2 * motion.contacts.shape[0]
    for sample in range(writing.q.shape[0]):
        line, moved = writing.contacts[sample], False
        for c in range(motion.contacts.shape[0]):
            at = CONTACT_COLUMNS * c
            if line[at + W_READ] != 0.0:
                continue
            if not moved:
                for i in range(writing.turns.shape[1]):
                    motion.give[ANYWHERE, first + i] = writing.turns[sample, i]
                move_every(writing.q[sample], writing.v[sample], motion.give[ANYWHERE], plan, motion)
                moved = True
            approach(c, writing.q[sample], writing.v[sample], plan, motion)
            line[at + W_GAP], line[at + W_ALONG] = -motion.contacts[c, OVERLAP], motion.contacts[c, ALONG]
            line[at + W_READ] = 1.0
            write_view(c, motion, False, writing.views[sample])
            count += 1
    return count
