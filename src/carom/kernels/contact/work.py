"""The work of contact forces in an accepted step, by the law and not by the forces at the nodes.

The difference between the two, which is the error of the step, then shows in the residual of the energy ledger.
"""

import math

from carom.kernels.contact.collocation import END, NODES, PARABOLAS, PLAIN, POINTS, PRODUCTS, SPEEDS
from carom.kernels.laws.power_law import DAMPING_EXPONENT, STIFFNESS, elastic_force, stored_energy
from carom.kernels.rows import (
    AT_NODES,
    CLOSED,
    DEPTH,
    FORCE,
    HELD,
    LEVER,
    OVERLAP,
    PACE,
    RATE,
    RESISTANCE,
    STATUS,
    WORK,
    Q,
    V,
)
from carom.kernels.types import Matrix, Vector


def work_of(kind: int, h: float, row: Vector) -> float:
    """Return what a contact takes in a solved step [J]: what its spring holds more, and what its damping dissipates."""
    end, before = max(row[OVERLAP + END], 0.0), row[HELD]
    row[HELD] = stored_energy(row, end, math.sqrt(end))
    row[RESISTANCE] = row[FORCE] - elastic_force(row, row[DEPTH], math.sqrt(row[DEPTH]))
    for i in range(POINTS):
        overlap = max(row[OVERLAP + i], 0.0)
        row[RESISTANCE + 1 + i] = row[AT_NODES + i] - elastic_force(row, overlap, math.sqrt(overlap))
    return row[HELD] - before + resisted(kind, h, row[PACE], row, RATE, row)


def resisted(kind: int, h: float, start: float, rates: Vector, first: int, row: Vector) -> float:
    """Return what the damping part of a contact's force does to a motion in a step made good [J].

    The motion's velocity is `start` at first; those at nodes and end stand in `rates` from `first` on. The square of a
    rate swings twice as fast as the rate, too fast for three nodes: in a dashpot force and velocity are quartics in s.
    Other laws have δᵐ, which is no quartic where δ is small.
    """
    total = 0.0
    if row[DAMPING_EXPONENT] != 0.0:
        for j in range(NODES):
            total += SPEEDS[kind, j] * row[RESISTANCE + 1 + j] * rates[first + j]
        return h * total
    for i in range(POINTS + 1):
        rate = PRODUCTS[kind, i, 0] * start
        for j in range(POINTS):
            rate += PRODUCTS[kind, i, 1 + j] * rates[first + j]
        total += row[RESISTANCE + i] * rate
    return h * total


def unseen_work(
    k: int, h: float, q1: float, area: float, moment: float, rates: int, weights: Vector, modes: Matrix,
    contacts: Matrix,
) -> tuple[float, float]:  # fmt: skip
    """Enter what damping in contacts did to a mode in a plain step, in closed form, in place of what `work_of` saw.

    `q1` is where the mode ends, `area` and `moment` are the integrals of q and t·q; from `rates` on stand its
    velocities at nodes and end. Returns the difference for contacts and for dashpots between modes [J].
    """
    taken, spent = 0.0, 0.0
    q0, v0 = modes[k, Q], modes[k, V]
    for c in range(contacts.shape[0]):
        row = contacts[c]
        if row[STATUS] == CLOSED:
            start, slope, bow = 0.0, 0.0, 0.0
            for j in range(NODES):
                force = row[RESISTANCE + 1 + j]
                start += force * PARABOLAS[PLAIN, j, 0]
                slope += force * PARABOLAS[PLAIN, j, 1]
                bow += force * PARABOLAS[PLAIN, j, 2]
            done = (start + slope + bow) * q1 - start * q0 - (slope * area + 2.0 * bow * moment / h) / h
            more = row[LEVER + 2 * k] * (done - resisted(PLAIN, h, v0, weights, rates, row))
            row[WORK] += more
            if row[STIFFNESS] == 0.0:
                spent += more
            else:
                taken += more
    return taken, spent
