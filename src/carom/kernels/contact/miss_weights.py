"""What a miss of a contact force does to structures that are stiff beside the contacts, in units of their own speed."""

import math

from carom.kernels.contact.extremes.columns import size_sum
from carom.kernels.contact.impact_record import TINY_SPEED
from carom.kernels.contact.ripple import evens_out
from carom.kernels.event.mode_columns import SPARE, column_at
from carom.kernels.rows import (
    CLOSED,
    FIRST,
    LAST,
    LEVER,
    OMEGA,
    OWN_ANSWER,
    OWN_RATE,
    PEAKS,
    QUICK,
    RECENT_SPEED,
    SHAPE,
    STATUS,
)
from carom.kernels.tables import Tables
from carom.kernels.types import Matrix, Vector

LEAST_OWN = 3e-3  # least speed of a structure beside which errors count, as share of the impact's speed
MISS_SHARE = 0.2  # share of what a miss of the force does to a structure of quick modes: most of it evens out


def weigh_misses(h: float, tables: Tables) -> None:
    """Write what a miss of a closed contact's force does to the velocity of what has quick modes, in units of its peak.

    A structure that is stiff beside the contacts moves far less than what strikes it, and its own peaks count too. The
    floor that counts is that to which a step of length `h` would do most.
    """
    modes, contacts, floors, wide = tables.modes, tables.contacts, tables.floors, tables.side_by_side
    for c in range(contacts.shape[0]):
        contact, most = contacts[c], 0.0
        contact[OWN_ANSWER] = 0.0
        if contact[STATUS] != CLOSED:
            continue
        begin, slowest = -1.0, math.inf
        if wide:
            lay_answers(contact, modes, tables.small)
        for d in range(floors.shape[0]):
            floor = floors[d]
            if floor[FIRST] != begin:
                begin, slowest = floor[FIRST], slowest_quick(floor, modes)
            if wide:
                answer = size_sum(floor, SPARE, modes.shape[0], tables.small)
            else:
                answer = 0.0
                for k in range(int(floor[FIRST]), int(floor[LAST])):
                    if modes[k, QUICK] != 0.0:
                        answer += abs(floor[SHAPE + k] * contact[LEVER + 2 * k + 1]) / modes[k, OMEGA]
            answer *= MISS_SHARE / max(floor[PEAKS + 1], LEAST_OWN * contact[RECENT_SPEED], TINY_SPEED)
            left = answer * evens_out(h * slowest)
            if left > most:
                most, contact[OWN_ANSWER], contact[OWN_RATE] = left, answer, slowest


def slowest_quick(floor: Vector, modes: Matrix) -> float:
    """Return the frequency of the slowest quick mode that moves a degree of freedom [rad/s]."""
    slowest = math.inf
    for k in range(int(floor[FIRST]), int(floor[LAST])):
        if modes[k, QUICK] != 0.0:
            slowest = min(slowest, modes[k, OMEGA])
    return slowest


def lay_answers(contact: Vector, modes: Matrix, small: Vector) -> None:
    """Write |push|/ω of quick modes, and 0 for others, into a column."""
    at = column_at(SPARE, modes.shape[0])
    for k in range(modes.shape[0]):
        quick = modes[k, QUICK] != 0.0
        small[at + k] = abs(contact[LEVER + 2 * k + 1]) / modes[k, OMEGA] if quick else 0.0
