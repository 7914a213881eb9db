"""Quick modes that still swing in contact: what the ripple they leave in the forces costs a plain step.

Three nodes follow a ripple of a few radians; of one that swings further they see some values, and no parabola through
them has its mean. Where nothing swings, and a mode only follows the load, steps may be as long as they like.
"""

import math

from carom.kernels.contact.impact_record import chi_of, slopes_of
from carom.kernels.rows import (
    CLIMB,
    CLOSED,
    DEPTH,
    EFFECTIVE_MASS,
    LEVER,
    OMEGA,
    PACE,
    QUICK,
    RECENT_SPEED,
    SLOPE,
    SQUARE,
    STATUS,
    TWICE,
    V,
    W,
)
from carom.kernels.types import Matrix

FOLLOWED_BY_NODES = 1.0  # turn of a mode in a step [rad] that the nodes follow: the parabola's misses tell the rest
GAUSS = 1.0 / 2_016_000.0  # factor of θ⁶: what three nodes of Gauss miss of the mean of a cosine over θ radians
ASTRAY = 0.5  # the most that they miss of it
LEAST_SWING = 1e-3  # least swing that counts, as share of the impact's speed
OWN_CARE = 30.0
"""Factor on the error that a mode makes in itself. Of what a ripple does to the mode that made it a parabola misses
7 (θ/2)⁶/105² = 1e-5 θ⁶, twenty times what the nodes miss of its mean; and it does so alike in every step."""


def evens_out(angle: float) -> float:
    """Return what a miss of a force leaves in a mode that turns by `angle` [rad], as share of the most it can leave."""
    return min(1.0, angle * angle)


def swing(k: int, modes: Matrix, contacts: Matrix) -> float:
    """Return the amplitude of a mode's velocity about that with which it follows its load."""
    row = modes[k]
    climb = row[SLOPE]
    for c in range(contacts.shape[0]):
        if contacts[c, STATUS] == CLOSED:
            climb -= contacts[c, LEVER + 2 * k + 1] * contacts[c, CLIMB]
    behind, ahead = (row[W] + row[TWICE] * row[V]) / row[OMEGA], row[V] - climb / row[SQUARE]
    return math.sqrt(behind * behind + ahead * ahead)


def ripple_error(h: float, modes: Matrix, contacts: Matrix) -> float:
    """Return the error of a plain step's velocity, in units of the impact's own, by what swings when it begins.

    A ripple in the force comes back to the mode that made it. A stiff structure may move far less than what strikes it:
    what the ripple does to the mode counts beside its own swing too.
    """
    error = 0.0
    for k in range(modes.shape[0]):
        row = modes[k]
        angle = row[OMEGA] * h
        if row[QUICK] == 0.0 or angle < FOLLOWED_BY_NODES:
            continue
        swings = swing(k, modes, contacts)
        missed = min(ASTRAY, GAUSS * angle**6) * h * swings
        for c in range(contacts.shape[0]):
            contact = contacts[c]
            if contact[STATUS] == CLOSED:
                depth = contact[DEPTH]
                by_overlap, by_rate = slopes_of(
                    contact, chi_of(contact, contact[PACE]), depth, math.sqrt(depth), contact[PACE]
                )  # fmt: skip
                lever = abs(contact[LEVER + 2 * k])
                ripple = missed * lever * (by_overlap / row[OMEGA] + by_rate)
                error = max(error, ripple / (contact[EFFECTIVE_MASS] * contact[RECENT_SPEED]))
                least = max(lever * swings, LEAST_SWING * contact[RECENT_SPEED])
                if least > 0.0:
                    error = max(error, OWN_CARE * ripple * lever * abs(contact[LEVER + 2 * k + 1]) / least)
    return error
