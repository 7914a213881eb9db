"""A solved step in contact made good: the modes carried to its end, its work and impulses entered in the books."""

from carom.kernels.collocation import (
    END,
    FROM_TOUCH_4,
    MOMENTS,
    NODES,
    POINTS,
    POWERS,
    SPEEDS,
    TERMS,
    TIMES,
    TO_PARTING_4,
)
from carom.kernels.modal_energy import energy_between
from carom.kernels.power_law import STIFFNESS
from carom.kernels.quick_modes import accept_quick
from carom.kernels.rows import (
    AT_END,
    AT_NODES,
    CLOSED,
    EXPANSION,
    FORCE,
    IMPULSE,
    LEVER,
    LOAD,
    MASS,
    MOMENT,
    PACE,
    QUICK,
    RATE,
    SERIES,
    SLOPE,
    SQUARE,
    STATUS,
    TWICE,
    WORK,
    Q,
    V,
)
from carom.kernels.types import Matrix, Vector


def accept(
    kind: int, h: float, t: float, terms: int, modes: Matrix, contacts: Matrix, weights: Vector
) -> tuple[float, float, float]:
    """Carry the modes to the end of the step and enter work and impulse of its forces in the book.

    Returns the work of the loads, what modal damping took and what the contact forces did [J].
    """
    count = contacts.shape[0]
    taken = 0.0
    lost = 0.0
    prescribed = False
    for k in range(modes.shape[0]):
        prescribed = prescribed or modes[k, MASS] == 0.0
    for c in range(count):
        row = contacts[c]
        if row[STATUS] != CLOSED:
            continue
        done = POWERS[kind, 0] * row[FORCE] * row[PACE] + POWERS[kind, 4] * row[AT_END] * row[RATE + END]
        for j in range(NODES):
            row[IMPULSE] += h * SPEEDS[kind, j] * row[AT_NODES + j]
            done += POWERS[kind, 1 + j] * row[AT_NODES + j] * row[RATE + j]
        row[WORK] += h * done
        if row[STIFFNESS] == 0.0:
            lost += h * done  # a dashpot between modes
        else:
            taken += h * done
        power = 1.0
        first = 0 if kind in (FROM_TOUCH_4, TO_PARTING_4) or prescribed else END
        for p in range(terms):
            power *= h
            for i in range(first, POINTS):
                total = 0.0
                for j in range(NODES):
                    total += MOMENTS[kind, p, NODES * i + j] * row[AT_NODES + j]
                row[MOMENT + TERMS * i + p] = power * total
    work = 0.0
    for k in range(modes.shape[0]):
        row = modes[k]
        if row[QUICK] != 0.0:
            gain, loss = accept_quick(k, kind, h, t, modes, contacts, weights)
        else:
            gain, loss = accept_slow(k, kind, h, t, terms, modes, contacts)
        work += gain
        lost += loss
    return work, lost, taken


def accept_slow(
    k: int, kind: int, h: float, t: float, terms: int, modes: Matrix, contacts: Matrix
) -> tuple[float, float]:
    """Carry a mode to the end of the step by power series; return the work of its load and what damping took [J].

    A prescribed motion does work too, through the contacts it pushes.
    """
    row = modes[k]
    q = row[EXPANSION + terms - 1]
    v = 0.0
    for p in range(terms - 2, -1, -1):
        v = v * h + q
        q = q * h + row[EXPANSION + p]
    last = 0.0
    for c in range(contacts.shape[0]):
        push = contacts[c, LEVER + 2 * k + 1]
        if contacts[c, STATUS] == CLOSED and push != 0.0:
            last += push * contacts[c, AT_END]
            for p in range(1, terms):
                share = push * row[SERIES + p]
                q -= share * contacts[c, MOMENT + TERMS * END + p]
                v -= share * p * contacts[c, MOMENT + TERMS * END + p - 1]
    if kind in (FROM_TOUCH_4, TO_PARTING_4) or row[MASS] == 0.0:
        work, lost = energy_by_nodes(k, kind, h, t, terms, v, modes, contacts)
    else:
        load = row[LOAD] + row[SLOPE] * t
        w = load + row[SLOPE] * h - row[TWICE] * v - row[SQUARE] * q - last
        work, lost = energy_between(row, q, v, w, load, h)
    row[Q] = q
    row[V] = v
    return work, lost


def energy_by_nodes(
    k: int, kind: int, h: float, t: float, terms: int, end: float, modes: Matrix, contacts: Matrix
) -> tuple[float, float]:
    """Return what a load brings in through a mode and what damping takes over a solved step [J], by quadrature."""
    row = modes[k]
    v = row[V]
    work = POWERS[kind, 0] * load_at(k, FORCE, t, modes, contacts) * v
    lost = POWERS[kind, 0] * v * v
    for i in range(POINTS):
        s = h * TIMES[kind, i]
        v = end if i == END else velocity_at(k, i, s, terms, modes, contacts)
        work += POWERS[kind, 1 + i] * load_at(k, AT_NODES + i, t + s, modes, contacts) * v
        lost += POWERS[kind, 1 + i] * v * v
    return h * work, h * row[MASS] * row[TWICE] * lost


def load_at(k: int, forces: int, t: float, modes: Matrix, contacts: Matrix) -> float:
    """Return the load that brings energy in through a mode: its own, or of a prescribed motion the contact forces.

    Column `forces` of the contacts holds these at time `t` of the sample.
    """
    row = modes[k]
    if row[MASS] != 0.0:
        return row[LOAD] + row[SLOPE] * t
    total = 0.0
    for c in range(contacts.shape[0]):
        if contacts[c, STATUS] == CLOSED:
            total += contacts[c, LEVER + 2 * k] * contacts[c, forces]
    return total


def velocity_at(k: int, i: int, s: float, terms: int, modes: Matrix, contacts: Matrix) -> float:
    """Return the velocity of a mode at point `i` of a solved step, `s` after its start."""
    row = modes[k]
    v = 0.0
    for p in range(terms - 1, 0, -1):
        v = v * s + p * row[EXPANSION + p]
    for c in range(contacts.shape[0]):
        push = contacts[c, LEVER + 2 * k + 1]
        if contacts[c, STATUS] == CLOSED and push != 0.0:
            for p in range(1, terms):
                v -= push * row[SERIES + p] * p * contacts[c, MOMENT + TERMS * i + p - 1]
    return v
