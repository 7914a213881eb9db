"""Modes quicker than the contacts: each on its own, by power series over short steps and in closed form over long ones.

In closed form a force that is a parabola in time has exact answers. In steps that begin at a touch or end at a
separation the force is a parabola in s instead, and its answer is a quadrature that follows a few radians of the mode;
beyond that a mode follows the force so closely that a parabola in time is good enough.
"""

from carom.kernels.collocation import (
    AGES,
    END,
    FINE,
    MOMENTS,
    NODES,
    PARABOLAS,
    PLAIN,
    POINTS,
    POWERS,
    SHARES,
    TERMS,
    TIMES,
)
from carom.kernels.contact_step import FREE
from carom.kernels.flight import drift
from carom.kernels.modal_energy import stiff_energy
from carom.kernels.mode_table import LONGEST_ANGLE
from carom.kernels.propagator import unit_responses
from carom.kernels.rows import (
    AT_NODES,
    CLOSED,
    EXPANSION,
    FREE_OVERLAP,
    FREE_RATE,
    LEVER,
    LOAD,
    MASS,
    OMEGA,
    QUICK,
    RATES,
    SERIES,
    SIGMA,
    SLOPE,
    SQUARE,
    STATUS,
    TWICE,
    Q,
    V,
)
from carom.kernels.types import Matrix, Vector

FOLLOWED = 8.0  # radians over a step that the quadrature follows to many digits
STIFF_ANGLE = 2.0  # beyond it, energies come from the balance of the mode; in plain steps wherever that is exact


def angle_of(row: Vector, h: float) -> float:
    """Return the radians of a mode in a step."""
    return max(row[OMEGA], row[TWICE]) * h


def quick_weights(row: Vector, kind: int, h: float, first: int, weights: Vector) -> None:
    """Write what a mode makes, at points from `first` on, of unit forces at the nodes.

    Displacements at 3i + j, velocities RATES further on.
    """
    angle = angle_of(row, h)
    if angle <= LONGEST_ANGLE:
        series_weights(row, kind, h, weights)
        return
    for i in range(first, POINTS):
        at = NODES * i
        for j in range(NODES):
            weights[at + j] = 0.0
            weights[RATES + at + j] = 0.0
        if kind == PLAIN or angle > FOLLOWED:
            t = h * TIMES[kind, i]
            impulse, _, step, ramp = unit_responses(row[OMEGA], row[SIGMA], t)
            bow = (0.5 * t * t - step - row[TWICE] * ramp) / row[SQUARE]  # H₃ = ∫H₂, from the equation of motion
            write_parabola(kind, h, i, impulse, step, ramp, bow, weights)
        else:
            for g in range(FINE):
                impulse, rate, _, _ = unit_responses(row[OMEGA], row[SIGMA], h * AGES[kind, i, g])
                for j in range(NODES):
                    weights[at + j] += h * impulse * SHARES[kind, i, g, j]
                    weights[RATES + at + j] += h * rate * SHARES[kind, i, g, j]


def series_weights(row: Vector, kind: int, h: float, weights: Vector) -> None:
    """Write what `quick_weights` tells of all points of a step that is short for the mode."""
    for j in range(2 * NODES * POINTS):
        weights[j] = 0.0
    power = 1.0
    for p in range(1, TERMS):
        power *= h
        answer = power * row[SERIES + p]
        for j in range(NODES * POINTS):
            weights[j] += answer * h * MOMENTS[kind, p, j]
            weights[RATES + j] += p * answer * MOMENTS[kind, p - 1, j]


def free_at(row: Vector, h: float, t: float, s: float) -> tuple[float, float]:
    """Return displacement and velocity of a mode `s` after time `t` of the sample, without contact forces.

    `h` is the length of the step.
    """
    if angle_of(row, h) > LONGEST_ANGLE:
        return drift(row, row[Q], row[V], row[LOAD] + row[SLOPE] * t, row[SLOPE], s)
    q = row[EXPANSION + TERMS - 1]
    v = 0.0
    for p in range(TERMS - 2, -1, -1):
        v = v * s + q
        q = q * s + row[EXPANSION + p]
    return q, v


def write_parabola(
    kind: int, h: float, i: int, impulse: float, step: float, ramp: float, bow: float, weights: Vector
) -> None:
    """Write what a mode makes of forces that are a parabola in time, from its answers at point `i`."""
    at = NODES * i
    per = 1.0 / h
    for j in range(NODES):
        a, b, c = PARABOLAS[kind, j, 0], PARABOLAS[kind, j, 1] * per, 2.0 * PARABOLAS[kind, j, 2] * per * per
        weights[at + j] = a * step + b * ramp + c * bow
        weights[RATES + at + j] = a * impulse + b * step + c * ramp


def add_quick(kind: int, h: float, t: float, modes: Matrix, contacts: Matrix, pairs: Matrix, weights: Vector) -> None:
    """Add what quick modes contribute to free overlaps, and to how forces change them."""
    count = contacts.shape[0]
    for k in range(modes.shape[0]):
        row = modes[k]
        if row[QUICK] == 0.0:
            continue
        quick_weights(row, kind, h, 0, weights)
        for i in range(POINTS):
            weights[FREE + 2 * i], weights[FREE + 2 * i + 1] = free_at(row, h, t, h * TIMES[kind, i])
        for i in range(POINTS):
            q, v = weights[FREE + 2 * i], weights[FREE + 2 * i + 1]
            for c in range(count):
                contacts[c, FREE_OVERLAP + i] += contacts[c, LEVER + 2 * k] * q
                contacts[c, FREE_RATE + i] += contacts[c, LEVER + 2 * k] * v
        for c in range(count):
            closed = contacts[c, STATUS] == CLOSED
            for d in range(c + 1):
                other = contacts[d, STATUS] == CLOSED
                share = contacts[c, LEVER + 2 * k] * contacts[d, LEVER + 2 * k + 1]
                if share != 0.0 and (closed or other):
                    pair = pairs[c * count + d]
                    if closed and other:
                        for i in range(POINTS * NODES):
                            pair[i] += share * weights[i]
                            pair[RATES + i] += share * weights[RATES + i]
                    else:
                        for i in range(END * NODES, POINTS * NODES):
                            pair[i] += share * weights[i]
                            pair[RATES + i] += share * weights[RATES + i]


def accept_quick(
    k: int, kind: int, h: float, t: float, modes: Matrix, contacts: Matrix, weights: Vector
) -> tuple[float, float]:
    """Carry a quick mode to the end of the step; return the work of its load and what its damping took [J]."""
    row = modes[k]
    angle = angle_of(row, h)
    stiff = angle > STIFF_ANGLE or (kind == PLAIN and angle > LONGEST_ANGLE)
    quick_weights(row, kind, h, END if stiff else 0, weights)
    work, lost = 0.0, 0.0
    if not stiff:
        v = row[V]
        work = h * POWERS[kind, 0] * (row[LOAD] + row[SLOPE] * t) * v
        lost = h * POWERS[kind, 0] * row[TWICE] * v * v
        for i in range(POINTS):
            s = h * TIMES[kind, i]
            q, v = free_at(row, h, t, s)
            _, v = pushed(k, i, q, v, contacts, weights)
            work += h * POWERS[kind, 1 + i] * (row[LOAD] + row[SLOPE] * (t + s)) * v
            lost += h * POWERS[kind, 1 + i] * row[TWICE] * v * v
    q, v = free_at(row, h, t, h)
    q, v = pushed(k, END, q, v, contacts, weights)
    if stiff:
        a, b, bow = 0.0, 0.0, 0.0
        for c in range(contacts.shape[0]):
            if contacts[c, STATUS] == CLOSED:
                for j in range(NODES):
                    part = contacts[c, LEVER + 2 * k + 1] * contacts[c, AT_NODES + j]
                    a += part * PARABOLAS[kind, j, 0]
                    b += part * PARABOLAS[kind, j, 1]
                    bow += part * PARABOLAS[kind, j, 2]
        load = row[LOAD] + row[SLOPE] * t
        work, lost = stiff_energy(row, row[Q], row[V], q, v, load, row[SLOPE], a, b / h, bow / (h * h), h)
    row[Q] = q
    row[V] = v
    return row[MASS] * work, row[MASS] * lost


def pushed(k: int, i: int, q: float, v: float, contacts: Matrix, weights: Vector) -> tuple[float, float]:
    """Return displacement and velocity of a quick mode at point `i` of a solved step, from those without forces."""
    for c in range(contacts.shape[0]):
        if contacts[c, STATUS] == CLOSED:
            for j in range(NODES):
                part = contacts[c, LEVER + 2 * k + 1] * contacts[c, AT_NODES + j]
                q -= part * weights[NODES * i + j]
                v -= part * weights[RATES + NODES * i + j]
    return q, v
