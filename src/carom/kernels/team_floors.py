"""Degrees of freedom of a team: their states, and their true extremes in flight.

A thread has its own degrees of freedom, but all threads look for an extreme together, each with its own modes.
"""

from carom.kernels.flight_peaks import CLOSE, cubic_crest, nearer, summit, under_tangents
from carom.kernels.rows import (
    FIRST,
    LAST,
    LOAD,
    NOW,
    PEAKS,
    Q_END,
    SLOPE,
    SQUARE,
    STEADY,
    TWICE,
    Q,
)
from carom.kernels.team import agreed, anyone, place, takes, told, total, turns
from carom.kernels.team_flight import NOBODY, later
from carom.kernels.team_rows import RAMP, REACH
from carom.kernels.types import Matrix, Vector

ABSOLUTE = 3  # within a state


def tell(d: int, floor: Vector, count: int, modes: Matrix, state: int) -> tuple[float, float, float, float, float]:
    """Return displacement, velocity, relative and absolute acceleration and its slope, of degree of freedom `d`.

    `count` contacts; the states of the modes begin at column `state`.
    """
    shape = REACH + count + d
    u, speed, relative, absolute, change = 0.0, 0.0, 0.0, 0.0, 0.0
    k, last = int(floor[FIRST]), int(floor[LAST])
    while k < last:
        row = modes[k]
        weight = row[shape]
        u += weight * row[state]
        speed += weight * row[state + 1]
        relative += weight * row[state + 2]
        absolute += weight * row[state + 3]
        change += weight * row[state + 4]
        k += 1
    return u, speed, relative, absolute, change


def ramps(count: int, modes: Matrix, floors: Matrix) -> None:
    """Note how fast the loads of all degrees of freedom change over the sample."""
    for turn in range(turns(floors.shape[0])):
        d = place(turn)
        if d < floors.shape[0]:
            found = 0.0
            k, last = int(floors[d, FIRST]), int(floors[d, LAST])
            while k < last:
                found += modes[k, REACH + count + d] * modes[k, SLOPE]
                k += 1
            floors[d, RAMP] = found


def put_now(floor: Vector, u: float, speed: float, relative: float, absolute: float, change: float) -> None:
    """Note the state of a degree of freedom."""
    floor[NOW], floor[NOW + 1], floor[NOW + 2], floor[NOW + 3], floor[NOW + 4] = u, speed, relative, absolute, change


def raise_peaks(floor: Vector, u: float, speed: float, absolute: float) -> None:
    """Raise the peaks of a degree of freedom by a state of it."""
    floor[PEAKS] = max(floor[PEAKS], abs(u))
    floor[PEAKS + 1] = max(floor[PEAKS + 1], abs(speed))
    floor[PEAKS + 2] = max(floor[PEAKS + 2], abs(absolute))


def note_floors(count: int, modes: Matrix, floors: Matrix) -> None:
    """Note the present state of all degrees of freedom."""
    for turn in range(turns(floors.shape[0])):
        d = place(turn)
        if d < floors.shape[0]:
            floor = floors[d]
            u, speed, relative, absolute, change = tell(d, floor, count, modes, Q)
            raise_peaks(floor, u, speed, absolute)
            put_now(floor, u, speed, relative, absolute, change)


def flight_peaks(begun: float, t: float, count: int, modes: Matrix, floors: Matrix) -> None:
    """Raise the peaks by the true extremes over a stretch of flight of length `t` from time `begun` of the sample."""
    for turn in range(turns(floors.shape[0])):
        d = place(turn)
        u, speed, relative, absolute, change = 0.0, 0.0, 0.0, 0.0, 0.0
        sought = 0  # 1, 2, 4: the crest of displacement, of velocity, of acceleration
        if d < floors.shape[0]:
            floor = floors[d]
            u, speed, relative, absolute, change = tell(d, floor, count, modes, Q_END)
            raise_peaks(floor, u, speed, absolute)
            if may_crest(floor[NOW], floor[NOW + 1], u, speed, t, floor[PEAKS]):
                sought += 1
            if may_crest(floor[NOW + 1], floor[NOW + 2], speed, relative, t, floor[PEAKS + 1]):
                sought += 2
            if may_crest(floor[NOW + 3], floor[NOW + 4], absolute, change, t, floor[PEAKS + 2]):
                sought += 4
        while anyone(sought > 0):
            whom = agreed(d if sought > 0 else NOBODY)
            kind = int(told(2.0 if sought >= 4 else 1.0 if sought >= 2 else 0.0, whom))
            end = told(u if kind == 0 else speed if kind == 1 else absolute, whom)
            slope = told(speed if kind == 0 else relative if kind == 1 else change, whom)
            best = extreme(kind, whom, end, slope, begun, t, count, floors[whom], modes)
            if takes(whom):
                floors[whom, PEAKS + kind] = max(floors[whom, PEAKS + kind], best)
                sought -= 1 << kind
        if d < floors.shape[0]:
            put_now(floors[d], u, speed, relative, absolute, change)


def may_crest(start: float, slope: float, end: float, end_slope: float, t: float, peak: float) -> bool:
    """Return whether a quantity may have a crest above its peak so far inside a stretch of flight."""
    return slope * end_slope < 0.0 and under_tangents(start, slope, end, end_slope, t) > peak


def extreme(
    kind: int, d: int, end: float, d1: float, begun: float, t: float, count: int, floor: Vector, modes: Matrix
) -> float:
    """Return the largest size of a quantity whose slope changes sign within a stretch of flight.

    The method is that of `flight_peaks.extreme`.
    """
    value = ABSOLUTE if kind == 2 else kind
    start, d0 = floor[NOW + value], floor[NOW + value + 1]
    low, high = 0.0, t
    at = t * cubic_crest(end - start, t * d0, t * d1)
    best = 0.0
    for iteration in range(40):
        if iteration % 8 == 7 or not low < at < high:
            at = 0.5 * (low + high)
        there, slope, bend = derivatives(kind, REACH + count + d, begun, at, floor, modes)
        best = max(best, abs(there))
        if abs(slope) <= CLOSE * (abs(d0) + abs(d1)) or high - low <= 1e-9 * t:
            return max(best, summit(there, slope, bend, high - low))
        at, low, high = nearer(at, low, high, (slope > 0.0) == (d0 > 0.0), slope, bend)
    return best


def derivatives(
    kind: int, shape: int, begun: float, at: float, floor: Vector, modes: Matrix
) -> tuple[float, float, float]:
    """Return a quantity, its slope and its second derivative a time `at` into a stretch of flight.

    Column `shape` has the shapes of its degree of freedom.
    """
    first, last = int(floor[FIRST]), int(floor[LAST])
    value, slope, bend = 0.0, 0.0, 0.0
    for turn in range(turns(modes.shape[0])):
        k = place(turn)
        if first <= k < last:
            row = modes[k]
            weight = row[shape]
            q, v = later(row, begun, at)
            own = -row[SQUARE] * q - row[TWICE] * v
            w = row[LOAD] + row[SLOPE] * (begun + at) + own
            change = -row[SQUARE] * v - row[TWICE] * w
            jerk = row[SLOPE] + change
            if kind == 2:
                value += weight * (row[STEADY] + own)
                slope += weight * change
                bend -= weight * (row[SQUARE] * w + row[TWICE] * jerk)
            else:
                value += weight * (q if kind == 0 else v)
                slope += weight * (v if kind == 0 else w)
                bend += weight * (w if kind == 0 else jerk)
    return total(value), total(slope), total(bend)
