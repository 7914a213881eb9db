"""Flight of many modes: whole samples in one stride while nobody is near, parts of a sample up to a touch.

`pairs.flight` has the same for two modes by hand.
"""

import numpy as np

from carom.kernels.explicit.floors import flight_peaks, outgrown
from carom.kernels.explicit.histories import keeps, write_sample
from carom.kernels.explicit.rows import (
    CHANGE_END,
    END_LOAD,
    HERE,
    IMPULSE_ANSWER,
    OWN_END,
    RAMP_ANSWER,
    SHAKEN,
    SPEED_ANSWER,
    STEP_ANSWER,
    THERE,
)
from carom.kernels.explicit.sums import overlap
from carom.kernels.explicit.warp import anyone, in_step, meet, place, total, turns
from carom.kernels.ledger import INPUT
from carom.kernels.modal.energy import area_between, flight_work
from carom.kernels.rows import (
    LOAD,
    MASS,
    MOST_BEND,
    MOST_JERK,
    OMEGA,
    OPEN,
    Q_END,
    SLOPE,
    SOFT,
    SQUARE,
    STATE,
    STATUS,
    STEADY,
    TWICE,
    V_END,
    W_END,
    WIDEST,
    Q,
    V,
    W,
)
from carom.kernels.tables import Histories, Shaking, Tables
from carom.kernels.types import Codes, Matrix, Vector

LONG_SERIES = 14  # terms: over an angle of one radian the next is 1e-11
RECIPROCALS = np.array([0.0, *(1.0 / p for p in range(1, LONG_SERIES))])
"""1/p by p: a GPU divides slowly."""
TOGETHER = 8
"""Samples after which the runs of a GPU's block are in step again: one that searches a while may catch up."""


def propagate(row: Vector, q: float, v: float, w: float, slope: float) -> tuple[float, float]:
    """Return displacement and velocity of a mode at the end of a whole sample, from its state and its load's slope.

    With the answers h, H₁ and H₂ to a unit impulse, step and ramp (`propagator`), and q̈ = w at the start,
    q = q₀ + (h + 2σH₁) v₀ + H₁ w + H₂ s and v = v₀ + h w + H₁ (s − ω² v₀).
    """
    step = row[STEP_ANSWER]
    return (
        q + row[SPEED_ANSWER] * v + step * w + row[RAMP_ANSWER] * slope,
        v + row[IMPULSE_ANSWER] * w + step * (slope - row[SQUARE] * v),
    )


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


def move(begun: float, length: float, modes: Matrix) -> None:
    """Move all modes in flight by a time `length` from time `begun` of the sample, into the columns of the end."""
    for turn in range(turns(modes.shape[0])):
        k = place(turn)
        if k < modes.shape[0]:
            row = modes[k]
            q, v = later(row, begun, length)
            write_end(row, q, v, row[LOAD] + row[SLOPE] * (begun + length))
    meet()


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


def fly_clear(
    i: int, energy_before: float, input_before: float, tables: Tables, shaking: Shaking, histories: Histories
) -> int:
    """Fly over whole samples from sample `i` on while a bound proves that nobody touches; return where that ends.

    There the loads of the sample are written, and contacts are looked at more closely; or the record has ended.
    `energy_before` and `input_before` are what `histories.write_sample` asks for.
    """
    modes, contacts, floors, run = tables.modes, tables.contacts, tables.floors, tables.run
    dt, count = shaking.dt, tables.contacts.shape[0]
    while i < shaking.ground.shape[1] - 1:
        if i % TOGETHER == 0:
            in_step()
        shake(i, 1.0 / dt, shaking.support, shaking.ground, modes)
        rise, gain, grew = glide(dt, modes)
        if nearby(rise, modes, contacts):
            break
        flight_peaks(dt, dt, grew, modes, floors)
        run[INPUT] += gain
        meet()
        arrive(END_LOAD, modes)
        for turn in range(turns(count)):
            c = place(turn)
            if c < count:
                contacts[c, HERE] = contacts[c, THERE]
        i += 1
        if keeps(histories):
            write_sample(i, False, energy_before, input_before, tables, histories)
    meet()
    return i


def fly(t: float, length: float, dt: float, tables: Tables) -> None:
    """Fly on by part of a sample of length `dt` from its time `t` on: peaks, the work of the loads, the new state."""
    modes, run = tables.modes, tables.run
    move(t, length, modes)
    for turn in range(turns(modes.shape[0])):
        k = place(turn)
        if k < modes.shape[0]:
            row = modes[k]
            load = row[LOAD] + row[SLOPE] * t
            run[INPUT] += flight_work(
                row, row[Q], row[V], row[W], row[Q_END], row[V_END], row[W_END], load, row[SLOPE], length
            )
    flight_peaks(length, dt, outgrown(modes), modes, tables.floors)
    meet()
    arrive(LOAD, modes)
    meet()
