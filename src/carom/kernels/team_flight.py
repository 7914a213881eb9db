"""Flight of many modes by a team: samples in one stride, touches located, true extremes of all degrees of freedom."""

import numpy as np

from carom.kernels.collocation import TERMS
from carom.kernels.contact_step import expand_mode
from carom.kernels.flight import series_crossing
from carom.kernels.flight_peaks import NEAR, under_tangents
from carom.kernels.ledger import INPUT
from carom.kernels.modal_energy import area_between, flight_work
from carom.kernels.pair import propagate
from carom.kernels.pair_contact import enter
from carom.kernels.rows import (
    EXPANSION,
    FIRST,
    GAP,
    LAST,
    LOAD,
    MASS,
    NOW,
    OMEGA,
    OPEN,
    PEAKS,
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
from carom.kernels.team import anyone, lane, lanes, meet, total
from carom.kernels.team_rows import (
    CHANGE_END,
    CROSSING,
    END_LOAD,
    HERE,
    OWN_END,
    RAMP,
    REACH,
    SHAKEN,
    THERE,
)
from carom.kernels.types import Codes, Matrix, Vector

ABSOLUTE = 3  # within a state
LONG_SERIES = 14  # terms: over an angle of one radian the next is 1e-11
RECIPROCALS = np.array([0.0, *(1.0 / p for p in range(1, LONG_SERIES))])
"""1/p by p: a GPU divides slowly."""


def overlap(c: int, row: Vector, modes: Matrix, q: int) -> float:
    """Return reach·q − gap of contact `c` [m]; column `q` holds the displacements."""
    found = -row[GAP]
    for k in range(modes.shape[0]):
        found += modes[k, REACH + c] * modes[k, q]
    return found


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
    for k in range(lane(), modes.shape[0], lanes()):
        row = modes[k]
        row[END_LOAD] = row[STEADY] - row[SHAKEN] * ground[support[k], i + 1]
        row[SLOPE] = (row[END_LOAD] - row[LOAD]) * per_dt


def glide(dt: float, modes: Matrix) -> tuple[float, float]:
    """Propagate the modes over a whole sample, into the columns of its end.

    Returns a bound on how far any overlap can rise above its chord, and this thread's part of the loads' work.
    """
    bend, gain = 0.0, 0.0
    for k in range(lane(), modes.shape[0], lanes()):
        row = modes[k]
        q, v, w, load, slope = row[Q], row[V], row[W], row[LOAD], row[SLOPE]
        q1, v1 = propagate(row, q, v, w, slope)
        write_end(row, q1, v1, row[END_LOAD])
        jerk = slope - row[TWICE] * w - row[SQUARE] * v
        bend += row[WIDEST] * (abs(w) * (1.0 + row[OMEGA] * dt) + abs(jerk) * dt)
        if row[SOFT] > 0.0:
            area = (0.5 * (load + row[END_LOAD]) * dt - (v1 - v) - row[TWICE] * (q1 - q)) * row[SOFT]
        else:
            area = area_between(q, q1, v, v1, w, row[W_END], dt)
        gain += row[MASS] * (row[END_LOAD] * q1 - load * q - slope * area)
    meet()
    return 0.125 * dt * dt * total(bend), gain


def nearby(rise: float, modes: Matrix, contacts: Matrix) -> bool:
    """Note where overlaps are at the end of a sample; return whether any contact may have closed or opened in it."""
    near = False
    for c in range(lane(), contacts.shape[0], lanes()):
        row = contacts[c]
        row[THERE] = overlap(c, row, modes, Q_END)
        near = near or row[STATUS] != OPEN or not max(row[HERE], row[THERE]) + rise < 0.0
    return anyone(near)


def arrive(load: int, modes: Matrix) -> None:
    """Make the state at the end the present one; column `load` has the loads there that count from now on."""
    for k in range(lane(), modes.shape[0], lanes()):
        row = modes[k]
        for j in range(STATE):
            row[Q + j] = row[Q_END + j]
        row[LOAD] = row[load]


def tell(d: int, floor: Vector, count: int, modes: Matrix, state: int) -> tuple[float, float, float, float, float]:
    """Return displacement, velocity, relative and absolute acceleration and its slope, of degree of freedom `d`.

    `count` contacts; the states of the modes begin at column `state`.
    """
    shape = REACH + 2 * count + d
    u, speed, relative, absolute, change = 0.0, 0.0, 0.0, 0.0, 0.0
    for k in range(int(floor[FIRST]), int(floor[LAST])):
        row = modes[k]
        weight = row[shape]
        u += weight * row[state]
        speed += weight * row[state + 1]
        relative += weight * row[state + 2]
        absolute += weight * row[state + 3]
        change += weight * row[state + 4]
    return u, speed, relative, absolute, change


def put_now(floor: Vector, u: float, speed: float, relative: float, absolute: float, change: float) -> None:
    """Note the state of a degree of freedom, and raise its peaks by it."""
    floor[NOW], floor[NOW + 1], floor[NOW + 2], floor[NOW + 3], floor[NOW + 4] = u, speed, relative, absolute, change
    floor[PEAKS] = max(floor[PEAKS], abs(u))
    floor[PEAKS + 1] = max(floor[PEAKS + 1], abs(speed))
    floor[PEAKS + 2] = max(floor[PEAKS + 2], abs(absolute))


def note_floors(count: int, modes: Matrix, floors: Matrix) -> None:
    """Note the present state of all degrees of freedom."""
    for d in range(lane(), floors.shape[0], lanes()):
        floor = floors[d]
        u, speed, relative, absolute, change = tell(d, floor, count, modes, Q)
        put_now(floor, u, speed, relative, absolute, change)


def flight_peaks(begun: float, t: float, count: int, modes: Matrix, floors: Matrix) -> None:
    """Raise the peaks by the true extremes over a stretch of flight of length `t` from time `begun` of the sample."""
    for d in range(lane(), floors.shape[0], lanes()):
        floor = floors[d]
        u, speed, relative, absolute, change = tell(d, floor, count, modes, Q_END)
        crest(0, d, begun, t, floor[NOW], floor[NOW + 1], u, speed, count, floor, modes)
        crest(1, d, begun, t, floor[NOW + 1], floor[NOW + 2], speed, relative, count, floor, modes)
        crest(2, d, begun, t, floor[NOW + 3], floor[NOW + 4], absolute, change, count, floor, modes)
        put_now(floor, u, speed, relative, absolute, change)


def crest(
    kind: int, d: int, begun: float, t: float, start: float, slope: float, end: float, end_slope: float, count: int,
    floor: Vector, modes: Matrix,
) -> None:  # fmt: skip
    """Raise one peak by what lies inside a stretch of flight."""
    if slope * end_slope < 0.0 and under_tangents(start, slope, end, end_slope, t) > floor[PEAKS + kind]:
        best = extreme(kind, d, slope, end_slope, begun, t, count, floor, modes)
        floor[PEAKS + kind] = max(floor[PEAKS + kind], best)


def extreme(
    kind: int, d: int, d0: float, d1: float, begun: float, t: float, count: int, floor: Vector, modes: Matrix
) -> float:
    """Return the largest size of a quantity whose slope changes sign within a stretch of flight."""
    shape = REACH + 2 * count + d
    low, f_low, high, f_high = 0.0, d0, t, d1
    best = 0.0
    for iteration in range(40):
        at = (low * f_high - high * f_low) / (f_high - f_low)
        if iteration % 4 == 3 or not low < at < high:
            at = 0.5 * (low + high)
        value, slope = 0.0, 0.0
        for k in range(int(floor[FIRST]), int(floor[LAST])):
            row = modes[k]
            q, v = later(row, begun, at)
            own = -row[TWICE] * v - row[SQUARE] * q
            w = row[LOAD] + row[SLOPE] * (begun + at) + own
            if kind == 0:
                value += row[shape] * q
                slope += row[shape] * v
            elif kind == 1:
                value += row[shape] * v
                slope += row[shape] * w
            else:
                value += row[shape] * (row[STEADY] + own)
                slope -= row[shape] * (row[SQUARE] * v + row[TWICE] * w)
        best = max(best, abs(value))
        if abs(slope) <= NEAR * (abs(d0) + abs(d1)) or high - low <= 1e-9 * t:
            break
        if (slope > 0.0) == (d0 > 0.0):
            low, f_low = at, slope
        else:
            high, f_high = at, slope
    return best


def look_ahead(t: float, length: float, modes: Matrix, contacts: Matrix) -> tuple[float, int]:
    """Return when in a stretch the first contact closes, or a released one opens, and which; −1: none."""
    for k in range(lane(), modes.shape[0], lanes()):
        expand_mode(modes[k], t, TERMS)
    meet()
    for c in range(lane(), contacts.shape[0], lanes()):
        row = contacts[c]
        for p in range(TERMS):
            row[TAYLOR + p] = reached(c, modes, EXPANSION + p)
        row[TAYLOR] -= row[GAP]
        row[CROSSING] = series_crossing(1.0 if row[STATUS] == OPEN else -1.0, row, length)
    meet()
    first, whom = length, -1
    for c in range(contacts.shape[0]):
        at = contacts[c, CROSSING]
        if at >= 0.0 and (at < first or (whom < 0 and at <= first)):
            first, whom = at, c
    return max(first, 1e-12 * length), whom


def fly(t: float, length: float, count: int, modes: Matrix, floors: Matrix, run: Vector) -> None:
    """Move all by part of a sample from its time `t` on."""
    for k in range(lane(), modes.shape[0], lanes()):
        row = modes[k]
        q, v = later(row, t, length)
        load, slope = row[LOAD] + row[SLOPE] * t, row[SLOPE]
        write_end(row, q, v, load + slope * length)
        run[INPUT] += flight_work(row, row[Q], row[V], row[W], q, v, row[W_END], load, slope, length)
    meet()
    flight_peaks(t, length, count, modes, floors)
    meet()
    arrive(LOAD, modes)
    meet()


def touch(t: float, dt: float, c: int, row: Vector, modes: Matrix) -> bool:
    """Enter the touch of contact `c` at time `t`, or that it is open again; return whether it came without speed."""
    if row[STATUS] != OPEN:
        row[STATUS] = OPEN
        return False
    pull = abs(reached(c, modes, W)) + abs(reached(c, modes, SLOPE)) * dt
    return enter(t, reached(c, modes, V), pull, row)


def ramps(count: int, modes: Matrix, floors: Matrix) -> None:
    """Note how fast the loads of all degrees of freedom change over the sample."""
    for d in range(lane(), floors.shape[0], lanes()):
        found = 0.0
        for k in range(int(floors[d, FIRST]), int(floors[d, LAST])):
            found += modes[k, REACH + 2 * count + d] * modes[k, SLOPE]
        floors[d, RAMP] = found
