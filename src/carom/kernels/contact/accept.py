"""The end of a solved step in contact: the modes are carried there, and work and impulse of its forces are entered.

With the forces F known, a mode ends a step of length h where its free motion leads and its answer Σ aₚ τᵖ to a unit
impulse adds,

    q(h) = q_free(h) − push Σ aₚ Mₚ,      v(h) = v_free(h) − push Σ p aₚ Mₚ₋₁,      Mₚ = ∫ (h − s)ᵖ F(s) ds.

The integrals Mₚ are the moments of the force (MOMENT).
Modes that are quick are accepted on their own (`quick_modes`), those of buildings side by side (`mode_columns`).
"""

import math
from typing import NamedTuple

from carom.kernels.contact.collocation import (
    END,
    FROM_TOUCH_4,
    LONG,
    MOMENTS,
    NODES,
    PLAIN,
    POINTS,
    POWERS,
    SPEEDS,
    TIMES,
    TO_PARTING_4,
)
from carom.kernels.contact.quick_modes import accept_quick
from carom.kernels.contact.step import SMALL_SIZE
from carom.kernels.contact.work import work_of
from carom.kernels.event.mode_columns import (
    ANSWERS,
    END_Q,
    END_V,
    FREE_POWERS,
    carry_columns,
    column_energies,
    energies_in_step,
    free_energies,
    lay_parabola,
)
from carom.kernels.laws.power_law import STIFFNESS
from carom.kernels.modal.propagator import INVERSE
from carom.kernels.rows import (
    AT_NODES,
    CLOSED,
    EXPANSION,
    FORCE,
    IMPULSE,
    LEVER,
    LOAD,
    MASS,
    MOMENT,
    QUICK,
    SERIES,
    SLOPE,
    SQUARE,
    STATUS,
    TOTAL_PUSH,
    TWICE,
    WORK,
    Q,
    V,
)
from carom.kernels.tables import Tables
from carom.kernels.types import Matrix, Vector, unit

FURTHER_TERMS = 6
"""Terms of a free motion behind those of a step's series, at its end: at a turn of 1 rad 1/15! = 8e-13 is left."""


class Series(NamedTuple):
    """Where the power series of a mode over a step stand."""

    table: Vector
    """The row of the mode, or the scratch where modes lie side by side."""
    answers: int
    """The place of the first coefficient of its answer to a unit impulse."""
    powers: int
    """The place of the first coefficient of its free motion."""
    stride: int
    """How far coefficients of one series are apart."""
    terms: int
    """How many coefficients a series has."""


@unit
def accept(kind: int, h: float, t: float, terms: int, tables: Tables) -> tuple[float, float, float]:
    """Carry the modes to the end of the step and enter work and impulse of its forces in the rows of the contacts.

    Returns the work of the loads, what modal damping took and what the contact forces did [J].
    """
    modes, contacts, small = tables.modes, tables.contacts, tables.small
    count = contacts.shape[0]
    taken = 0.0
    lost = 0.0
    prescribed = False
    for k in range(modes.shape[0]):
        prescribed = prescribed or modes[k, MASS] == 0.0
    # energies by quadrature ask for moments at the nodes too, others for those at the end alone
    first = 0 if kind in (FROM_TOUCH_4, TO_PARTING_4) or prescribed else END
    for c in range(count):
        row = contacts[c]
        if row[STATUS] != CLOSED:
            continue
        for j in range(NODES):
            given = h * SPEEDS[kind, j] * row[AT_NODES + j]
            row[IMPULSE] += given
            row[TOTAL_PUSH] += abs(given)
        done = work_of(kind, h, row)
        row[WORK] += done
        if row[STIFFNESS] == 0.0:
            lost += done  # a dashpot between modes
        else:
            taken += done
        power = 1.0
        for p in range(terms):
            power *= h
            for i in range(first, POINTS):
                total = 0.0
                for j in range(NODES):
                    total += MOMENTS[kind, p, NODES * i + j] * row[AT_NODES + j]
                row[MOMENT + LONG * i + p] = power * total
    wide = tables.side_by_side
    together = wide and first == END
    if kind == PLAIN and not together:
        for c in range(count):
            if contacts[c, STATUS] == CLOSED:
                lay_parabola(h, contacts[c])
    if wide:
        carry_columns(h, terms, modes.shape[0], contacts, small)
    work = 0.0
    if together:
        work, loss = column_energies(kind, h, t, modes, contacts, small)
        lost += loss
    for k in range(modes.shape[0]):
        row = modes[k]
        if row[QUICK] != 0.0:
            gain, loss, more = accept_quick(k, kind, h, t, modes, contacts, small)
            taken += more
        elif together:
            continue
        elif wide:
            place, many = SMALL_SIZE + k, modes.shape[0]
            q, v = small[place + END_Q * many], small[place + END_V * many]
            series = Series(small, place + ANSWERS * many, place + FREE_POWERS * many, many, terms)
            gain, loss = accept_slow(k, kind, h, t, q, v, series, modes, contacts)
        else:
            series = Series(row, SERIES, EXPANSION, 1, terms)
            q, v = carry(k, h, series, row, contacts)
            gain, loss = accept_slow(k, kind, h, t, q, v, series, modes, contacts)
        work += gain
        lost += loss
    return work, lost, taken


def carry(k: int, h: float, series: Series, row: Vector, contacts: Matrix) -> tuple[float, float]:
    """Return where a solved step leaves a mode that is not quick, by its power series.

    What a step lacks of a free vibration adds up from step to step, so the series of that goes on to its end.
    """
    q, v = series_at(h, series)
    before = series.table[series.powers + (series.terms - 2) * series.stride]
    last = series.table[series.powers + (series.terms - 1) * series.stride]
    power = math.pow(h, series.terms - 1.0)
    for p in range(series.terms, series.terms + FURTHER_TERMS):
        before, last = last, -INVERSE[p] * (row[TWICE] * last + row[SQUARE] * INVERSE[p - 1] * before)
        v += p * last * power
        power *= h
        q += last * power
    for c in range(contacts.shape[0]):
        push = contacts[c, LEVER + 2 * k + 1]
        if contacts[c, STATUS] == CLOSED and push != 0.0:
            for p in range(1, series.terms):
                share = push * series.table[series.answers + p * series.stride]
                q -= share * contacts[c, MOMENT + LONG * END + p]
                v -= share * p * contacts[c, MOMENT + LONG * END + p - 1]
    return q, v


def series_at(s: float, series: Series) -> tuple[float, float]:
    """Return the free motion of a mode a time `s` after the start of a step, and its slope."""
    table, powers, stride, terms = series.table, series.powers, series.stride, series.terms
    value, slope = table[powers + (terms - 1) * stride], 0.0
    for p in range(terms - 2, -1, -1):
        slope = slope * s + value
        value = value * s + table[powers + p * stride]
    return value, slope


def accept_slow(
    k: int, kind: int, h: float, t: float, q: float, v: float, series: Series, modes: Matrix, contacts: Matrix
) -> tuple[float, float]:
    """Let a mode be at `q` with velocity `v`, where the step leaves it; return its load's work and damping's [J].

    A prescribed motion does work too, through the contacts it pushes.
    """
    row = modes[k]
    load = row[LOAD] + row[SLOPE] * t
    end_load = load + row[SLOPE] * h
    if row[MASS] == 0.0:
        work, lost = work_by_nodes(k, kind, h, v, series, modes, contacts), 0.0
    elif kind in (FROM_TOUCH_4, TO_PARTING_4):  # what the forces change is smooth in s, the rest in time
        table, answers, stride = series.table, series.answers, series.stride
        free_q, free_v = series_at(h, series)
        work, lost = free_energies(row, free_q, free_v, load, h)
        area = 0.0
        for c in range(contacts.shape[0]):
            push = contacts[c, LEVER + 2 * k + 1]
            if contacts[c, STATUS] == CLOSED and push != 0.0:
                for p in range(1, series.terms - 1):
                    area -= (
                        push * table[answers + p * stride] * INVERSE[p + 1] * contacts[c, MOMENT + LONG * END + p + 1]
                    )
        work += row[MASS] * (end_load * (q - free_q) - row[SLOPE] * area)
        more = squares_by_nodes(k, kind, h, free_v, v, series, contacts)
        lost += row[MASS] * row[TWICE] * more
    else:
        work, lost = energies_in_step(k, kind, h, t, q, v, 0, contacts.shape[0], modes, contacts)
    row[Q] = q
    row[V] = v
    return work, lost


def work_by_nodes(k: int, kind: int, h: float, end: float, series: Series, modes: Matrix, contacts: Matrix) -> float:
    """Return what a prescribed motion does through the contacts it pushes over a solved step [J], by quadrature."""
    work = POWERS[kind, 0] * load_at(k, FORCE, contacts) * modes[k, V]
    for i in range(POINTS):
        v = end
        if i != END:
            free, forced = velocity_at(k, i, h * TIMES[kind, i], series, contacts)
            v = free + forced
        work += POWERS[kind, 1 + i] * load_at(k, AT_NODES + i, contacts) * v
    return h * work


def squares_by_nodes(
    k: int, kind: int, h: float, free_end: float, end: float, series: Series, contacts: Matrix
) -> float:
    """Return by how much forces change ∫ q̇² dt over a solved step, by quadrature in s."""
    total = POWERS[kind, 1 + END] * (end - free_end) * (end + free_end)
    for i in range(END):
        free, forced = velocity_at(k, i, h * TIMES[kind, i], series, contacts)
        total += POWERS[kind, 1 + i] * forced * (forced + 2.0 * free)
    return h * total


def load_at(k: int, forces: int, contacts: Matrix) -> float:
    """Return what pushes against a prescribed motion; column `forces` of the contacts holds their forces."""
    total = 0.0
    for c in range(contacts.shape[0]):
        if contacts[c, STATUS] == CLOSED:
            total += contacts[c, LEVER + 2 * k] * contacts[c, forces]
    return total


def velocity_at(k: int, i: int, s: float, series: Series, contacts: Matrix) -> tuple[float, float]:
    """Return the velocity of a mode at point `i` of a solved step, `s` after its start: free, and what forces add."""
    _, free = series_at(s, series)
    forced = 0.0
    for c in range(contacts.shape[0]):
        push = contacts[c, LEVER + 2 * k + 1]
        if contacts[c, STATUS] == CLOSED and push != 0.0:
            for p in range(1, series.terms):
                forced -= (
                    push * series.table[series.answers + p * series.stride] * p * contacts[c, MOMENT + LONG * i + p - 1]
                )
    return free, forced
