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
from carom.kernels.propagator import INVERSE
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
    W,
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
            gain, loss, more = accept_quick(k, kind, h, t, modes, contacts, weights)
            taken += more
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
    free_q, free_v, last, area = q, v, 0.0, 0.0
    for c in range(contacts.shape[0]):
        push = contacts[c, LEVER + 2 * k + 1]
        if contacts[c, STATUS] == CLOSED and push != 0.0:
            last += push * contacts[c, AT_END]
            for p in range(1, terms):
                share = push * row[SERIES + p]
                q -= share * contacts[c, MOMENT + TERMS * END + p]
                v -= share * p * contacts[c, MOMENT + TERMS * END + p - 1]
                if p < terms - 1:
                    area -= share * INVERSE[p + 1] * contacts[c, MOMENT + TERMS * END + p + 1]
    load = row[LOAD] + row[SLOPE] * t
    end_load = load + row[SLOPE] * h
    if row[MASS] == 0.0:
        work, lost = work_by_nodes(k, kind, h, terms, v, modes, contacts), 0.0
    elif kind in (FROM_TOUCH_4, TO_PARTING_4):  # what the forces change is smooth in s, the rest in time
        free_w = end_load - row[TWICE] * free_v - row[SQUARE] * free_q
        work, lost = energy_between(row, 2.0 * row[EXPANSION + 2], free_q, free_v, free_w, load, h)
        work += row[MASS] * (end_load * (q - free_q) - row[SLOPE] * area)
        lost += row[MASS] * row[TWICE] * squares_by_nodes(k, kind, h, terms, free_v, v, modes, contacts)
    else:
        w = end_load - row[TWICE] * v - row[SQUARE] * q - last
        work, lost = energy_between(row, row[W], q, v, w, load, h)
    row[Q] = q
    row[V] = v
    return work, lost


def work_by_nodes(k: int, kind: int, h: float, terms: int, end: float, modes: Matrix, contacts: Matrix) -> float:
    """Return what a prescribed motion does through the contacts it pushes over a solved step [J], by quadrature."""
    work = POWERS[kind, 0] * load_at(k, FORCE, contacts) * modes[k, V]
    for i in range(POINTS):
        v = end
        if i != END:
            free, forced = velocity_at(k, i, h * TIMES[kind, i], terms, modes, contacts)
            v = free + forced
        work += POWERS[kind, 1 + i] * load_at(k, AT_NODES + i, contacts) * v
    return h * work


def squares_by_nodes(
    k: int, kind: int, h: float, terms: int, free_end: float, end: float, modes: Matrix, contacts: Matrix
) -> float:
    """Return by how much forces change ∫ q̇² dt over a solved step, by quadrature in s."""
    total = POWERS[kind, 1 + END] * (end - free_end) * (end + free_end)
    for i in range(END):
        free, forced = velocity_at(k, i, h * TIMES[kind, i], terms, modes, contacts)
        total += POWERS[kind, 1 + i] * forced * (forced + 2.0 * free)
    return h * total


def load_at(k: int, forces: int, contacts: Matrix) -> float:
    """Return what pushes against a prescribed motion; column `forces` of the contacts holds their forces."""
    total = 0.0
    for c in range(contacts.shape[0]):
        if contacts[c, STATUS] == CLOSED:
            total += contacts[c, LEVER + 2 * k] * contacts[c, forces]
    return total


def velocity_at(k: int, i: int, s: float, terms: int, modes: Matrix, contacts: Matrix) -> tuple[float, float]:
    """Return the velocity of a mode at point `i` of a solved step, `s` after its start: free, and what forces add."""
    row = modes[k]
    v = 0.0
    for p in range(terms - 1, 0, -1):
        v = v * s + p * row[EXPANSION + p]
    forced = 0.0
    for c in range(contacts.shape[0]):
        push = contacts[c, LEVER + 2 * k + 1]
        if contacts[c, STATUS] == CLOSED and push != 0.0:
            for p in range(1, terms):
                forced -= push * row[SERIES + p] * p * contacts[c, MOMENT + TERMS * i + p - 1]
    return v, forced
