"""Flight of many modes by a warp: samples in one stride, touches located."""

import numpy as np

from carom.kernels.contact.collocation import TERMS
from carom.kernels.contact.step import expand_mode
from carom.kernels.event.flight import LEAST_NOISE, ROUNDED, series_crossing
from carom.kernels.explicit.pair_contact import enter
from carom.kernels.explicit.pair_run import propagate
from carom.kernels.explicit.warp import agreed, anyone, meet, place, smallest, total, turns
from carom.kernels.explicit.warp_rows import (
    CHANGE_END,
    CROSSING,
    END_LOAD,
    HERE,
    OWN_END,
    REACH,
    SHAKEN,
    THERE,
)
from carom.kernels.modal.energy import area_between
from carom.kernels.rows import (
    EXPANSION,
    GAP,
    LOAD,
    MASS,
    MOST_BEND,
    MOST_JERK,
    NOISE,
    OMEGA,
    OPEN,
    Q_END,
    SLOPE,
    SOFT,
    SQUARE,
    STATE,
    STATUS,
    STEADY,
    TAYLOR,
    TWICE,
    V_END,
    W_END,
    WIDEST,
    Q,
    V,
    W,
)
from carom.kernels.types import Codes, Matrix, Vector

NOBODY = -1
LONG_SERIES = 14  # terms: over an angle of one radian the next is 1e-11
RECIPROCALS = np.array([0.0, *(1.0 / p for p in range(1, LONG_SERIES))])
"""1/p by p: a GPU divides slowly."""


def overlap(c: int, row: Vector, modes: Matrix, q: int) -> float:
    """Return reach·q − gap of contact `c` [m]; column `q` holds the displacements."""
    found = -row[GAP]
    for k in range(modes.shape[0]):
        found += modes[k, REACH + c] * modes[k, q]
    return found


def noise(c: int, row: Vector, modes: Matrix) -> float:
    """Return an overlap of contact `c` that rounding may make [m]."""
    size = abs(row[GAP])
    for k in range(modes.shape[0]):
        size += abs(modes[k, REACH + c] * modes[k, Q])
    return ROUNDED * size + LEAST_NOISE


def reached(c: int, modes: Matrix, v: int) -> float:
    """Return the rate of contact `c`'s overlap, or what else of the modes column `v` holds."""
    found = 0.0
    for k in range(modes.shape[0]):
        found += modes[k, REACH + c] * modes[k, v]
    return found


def later(row: Vector, begun: float, t: float) -> tuple[float, float]:
    """Return displacement and velocity of a mode in flight after a time `t` > 0 from time `begun` of the sample."""
    twice, square = t * row[TWICE], t * t * row[SQUARE]
    pull = row[LOAD] + row[SLOPE] * begun - row[TWICE] * row[V] - row[SQUARE] * row[Q]
    before = 0.5 * t * t * pull
    term = (t * t * t * (row[SLOPE] - row[TWICE] * pull) - square * t * row[V]) / 6.0
    q = row[Q] + t * row[V] + before + term
    speed = t * row[V] + 2.0 * before + 3.0 * term
    for p in range(4, LONG_SERIES):
        before, term = term, -RECIPROCALS[p] * (twice * term + RECIPROCALS[p - 1] * square * before)
        q += term
        speed += p * term
    return q, speed / t


def write_end(row: Vector, q: float, v: float, load: float) -> None:
    """Write the state of a mode at the end of a stretch of flight."""
    own = -row[TWICE] * v - row[SQUARE] * q
    w = load + own
    row[Q_END], row[V_END], row[W_END] = q, v, w
    row[OWN_END] = row[STEADY] + own
    row[CHANGE_END] = -row[SQUARE] * v - row[TWICE] * w


def shake(i: int, per_dt: float, support: Codes, ground: Matrix, modes: Matrix) -> None:
    """Write the slopes of the loads over sample `i`, and their values at its end."""
    for turn in range(turns(modes.shape[0])):
        k = place(turn)
        if k < modes.shape[0]:
            row = modes[k]
            row[END_LOAD] = row[STEADY] - row[SHAKEN] * ground[support[k], i + 1]
            row[SLOPE] = (row[END_LOAD] - row[LOAD]) * per_dt


def glide(dt: float, modes: Matrix) -> tuple[float, float, bool]:
    """Propagate the modes over a whole sample, into the columns of its end.

    Returns a bound on how far any overlap can rise above its chord, this thread's part of the loads' work, and whether
    the state of one of its modes exceeds MOST_BEND or MOST_JERK.
    """
    bend, gain, grew = 0.0, 0.0, False
    for turn in range(turns(modes.shape[0])):
        k = place(turn)
        if k < modes.shape[0]:
            row = modes[k]
            q, v, w, load, slope = row[Q], row[V], row[W], row[LOAD], row[SLOPE]
            q1, v1 = propagate(row, q, v, w, slope)
            write_end(row, q1, v1, row[END_LOAD])
            jerk = slope - row[TWICE] * w - row[SQUARE] * v
            bend += row[WIDEST] * (abs(w) * (1.0 + row[OMEGA] * dt) + abs(jerk) * dt)
            grew = grew or abs(w) > row[MOST_BEND] or abs(jerk) > row[MOST_JERK]
            if row[SOFT] > 0.0:
                area = (0.5 * (load + row[END_LOAD]) * dt - (v1 - v) - row[TWICE] * (q1 - q)) * row[SOFT]
            else:
                area = area_between(q, q1, v, v1, w, row[W_END], dt)
            gain += row[MASS] * (row[END_LOAD] * q1 - load * q - slope * area)
    meet()
    return 0.125 * dt * dt * total(bend), gain, grew


def nearby(rise: float, modes: Matrix, contacts: Matrix) -> bool:
    """Note where overlaps are at the end of a sample; return whether any contact may have closed or opened in it."""
    near = False
    for turn in range(turns(contacts.shape[0])):
        c = place(turn)
        if c < contacts.shape[0]:
            row = contacts[c]
            row[THERE] = overlap(c, row, modes, Q_END)
            near = near or row[STATUS] != OPEN or not max(row[HERE], row[THERE]) + rise < 0.0
    return anyone(near)


def arrive(load: int, modes: Matrix) -> None:
    """Make the state at the end the present one; column `load` has the loads there that count from now on."""
    for turn in range(turns(modes.shape[0])):
        k = place(turn)
        if k < modes.shape[0]:
            row = modes[k]
            for j in range(STATE):
                row[Q + j] = row[Q_END + j]
            row[LOAD] = row[load]


def look_ahead(t: float, length: float, modes: Matrix, contacts: Matrix) -> tuple[float, int]:
    """Return when in a stretch the first contact closes, or a released one opens, and which; −1: none."""
    for turn in range(turns(modes.shape[0])):
        k = place(turn)
        if k < modes.shape[0]:
            expand_mode(modes[k], t, TERMS)
    meet()
    first = length
    for turn in range(turns(contacts.shape[0])):
        c = place(turn)
        if c < contacts.shape[0]:
            row = contacts[c]
            for p in range(TERMS):
                row[TAYLOR + p] = reached(c, modes, EXPANSION + p)
            row[TAYLOR] -= row[GAP]
            row[NOISE] = noise(c, row, modes)
            row[CROSSING] = series_crossing(1.0 if row[STATUS] == OPEN else -1.0, row, length)
            if row[CROSSING] >= 0.0:
                first = min(first, row[CROSSING])
    first = smallest(first)
    whom = NOBODY
    for turn in range(turns(contacts.shape[0])):
        c = place(turn)
        if c < contacts.shape[0] and whom == NOBODY and 0.0 <= contacts[c, CROSSING] <= first:
            whom = c
    whom = agreed(whom)
    return max(first, 1e-12 * length), whom


def touch(t: float, dt: float, c: int, row: Vector, modes: Matrix) -> bool:
    """Enter the touch of contact `c` at time `t`, or that it is open again; return whether it came without speed."""
    if row[STATUS] != OPEN:
        row[STATUS] = OPEN
        return False
    pull = abs(reached(c, modes, W)) + abs(reached(c, modes, SLOPE)) * dt
    return enter(t, reached(c, modes, V), pull, row)
