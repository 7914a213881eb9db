"""Quick modes that still swing in contact: what the ripple they leave in the forces costs a plain step.

Three nodes follow a ripple of a few radians; of one that swings further they see some values, and no parabola through
them has its mean. Where nothing swings, and a mode only follows the load, steps may be as long as they like.
"""

import math

from carom.kernels.collocation import NODES, PARABOLAS, PLAIN, SPEEDS
from carom.kernels.contact_book import chi_of, slopes_of
from carom.kernels.power_law import STIFFNESS, elastic_force
from carom.kernels.rows import (
    AT_NODES,
    CLIMB,
    CLOSED,
    DEPTH,
    EFFECTIVE_MASS,
    LEVER,
    LIVELY,
    OMEGA,
    OVERLAP,
    PACE,
    QUICK,
    SLOPE,
    SQUARE,
    STATUS,
    TWICE,
    WORK,
    V,
    W,
)
from carom.kernels.types import Matrix, Vector

FOLLOWED = 1.0  # radians in a step that the nodes follow: the parabola's misses tell the rest
GAUSS = 1.0 / 2_016_000.0  # of θ⁶: what three nodes of Gauss miss of the mean of a cosine over θ radians
ASTRAY = 0.5  # and at most
LEAST_SWING = 1e-3  # of the impact's speed: less of a swing counts as this much
OWN_SHARE = 0.1  # of the error that a mode makes in itself: it does not grow as one in the impact does


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
        if row[QUICK] == 0.0 or angle < FOLLOWED:
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
                error = max(error, ripple / (contact[EFFECTIVE_MASS] * contact[LIVELY]))
                least = max(lever * swings, LEAST_SWING * contact[LIVELY])
                if least > 0.0:
                    error = max(error, OWN_SHARE * ripple * lever * abs(contact[LEVER + 2 * k + 1]) / least)
    return error


def unseen_work(
    k: int, h: float, q0: float, q1: float, area: float, moment: float, rates: int, weights: Vector, contacts: Matrix
) -> tuple[float, float]:
    """Enter what damping in contacts did to a mode in a plain step, in closed form, in place of what its nodes see.

    `area` and `moment` are the integrals of q and t·q; from `rates` on stand the velocities at the nodes. Returns
    the difference for contacts and for dashpots between modes [J].
    """
    taken, spent = 0.0, 0.0
    for c in range(contacts.shape[0]):
        row = contacts[c]
        if row[STATUS] == CLOSED:
            start, slope, bow, seen = 0.0, 0.0, 0.0, 0.0
            for j in range(NODES):
                overlap = max(row[OVERLAP + j], 0.0)
                force = row[AT_NODES + j] - elastic_force(row, overlap, math.sqrt(overlap))
                start += force * PARABOLAS[PLAIN, j, 0]
                slope += force * PARABOLAS[PLAIN, j, 1]
                bow += force * PARABOLAS[PLAIN, j, 2]
                seen += h * SPEEDS[PLAIN, j] * force * weights[rates + j]
            done = (start + slope + bow) * q1 - start * q0 - (slope * area + 2.0 * bow * moment / h) / h
            more = row[LEVER + 2 * k] * (done - seen)
            row[WORK] += more
            if row[STIFFNESS] == 0.0:
                spent += more
            else:
                taken += more
    return taken, spent
