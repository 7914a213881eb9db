"""True extremes of degrees of freedom in flight."""

from carom.kernels.contact_peaks import ACCELERATION, DISPLACEMENT, VELOCITY
from carom.kernels.flight import move
from carom.kernels.rows import (
    BETWEEN,
    FIRST,
    LAST,
    LATER,
    LOAD,
    NOW,
    Q_END,
    SHAPE,
    SLOPE,
    SQUARE,
    STEADY,
    TRIAL,
    TWICE,
    W_END,
    Q,
    W,
)
from carom.kernels.types import Matrix, Vector

ABSOLUTE = 3  # within what is told of a degree of freedom; its slope comes behind it
NEAR = 1e-6  # of the slopes at the ends: an extreme counts as found


def tell(floor: Vector, modes: Matrix, state: int, relative: int, into: int) -> None:
    """Write displacement, velocity, relative and absolute acceleration and the slope of that from column `into` on.

    Columns `state` and `state + 1` of `modes` hold the state, column `relative` its q̈.
    """
    u, speed, rel, own, change = 0.0, 0.0, 0.0, 0.0, 0.0
    for k in range(int(floor[FIRST]), int(floor[LAST])):
        row = modes[k]
        weight = floor[SHAPE + k]
        q, v, w = row[state], row[state + 1], row[relative]
        u += weight * q
        speed += weight * v
        rel += weight * w
        own += weight * (row[STEADY] - row[SQUARE] * q - row[TWICE] * v)
        change -= weight * (row[SQUARE] * v + row[TWICE] * w)
    floor[into] = u
    floor[into + 1] = speed
    floor[into + 2] = rel
    floor[into + 3] = own
    floor[into + 4] = change


def flight_peaks(begun: float, t: float, modes: Matrix, floors: Matrix) -> None:
    """Raise the peaks by the true extremes over a stretch of flight of length `t` from time `begun` of the sample.

    NOW tells of the start of the stretch, and is left telling its end.
    """
    for d in range(floors.shape[0]):
        floor = floors[d]
        tell(floor, modes, Q_END, W_END, LATER)
        raise_peak(DISPLACEMENT, 0, begun, t, floor, modes)
        raise_peak(VELOCITY, 1, begun, t, floor, modes)
        raise_peak(ACCELERATION, ABSOLUTE, begun, t, floor, modes)
        for i in range(ABSOLUTE + 2):
            floor[NOW + i] = floor[LATER + i]


def raise_peak(peak: int, value: int, begun: float, t: float, floor: Vector, modes: Matrix) -> None:
    """Raise one peak over a stretch whose ends are told."""
    highest = max(abs(floor[NOW + value]), abs(floor[LATER + value]))
    if highest > floor[peak]:
        floor[peak] = highest
    d0 = floor[NOW + value + 1]
    d1 = floor[LATER + value + 1]
    if d0 * d1 < 0.0 and highest + 0.5 * t * max(abs(d0), abs(d1)) > floor[peak]:
        floor[peak] = max(floor[peak], extreme(value, d0, d1, begun, t, floor, modes))


def extreme(value: int, d0: float, d1: float, begun: float, t: float, floor: Vector, modes: Matrix) -> float:
    """Return the largest size of a quantity whose slope changes sign within a stretch of flight."""
    low, f_low = 0.0, d0
    high, f_high = t, d1
    best = 0.0
    for iteration in range(40):
        at = (low * f_high - high * f_low) / (f_high - f_low)
        if iteration % 4 == 3 or not low < at < high:
            at = 0.5 * (low + high)
        move(modes, begun, at, TRIAL)
        for k in range(modes.shape[0]):
            row = modes[k]
            load = row[LOAD] + row[SLOPE] * (begun + at)
            row[TRIAL + 2] = load - row[TWICE] * row[TRIAL + 1] - row[SQUARE] * row[TRIAL]
        tell(floor, modes, TRIAL, TRIAL + 2, BETWEEN)
        slope = floor[BETWEEN + value + 1]
        best = max(best, abs(floor[BETWEEN + value]))
        if abs(slope) <= NEAR * (abs(d0) + abs(d1)) or high - low <= 1e-9 * t:
            break
        if (slope > 0.0) == (d0 > 0.0):
            low, f_low = at, slope
        else:
            high, f_high = at, slope
    return best


def begin_peaks(modes: Matrix, floors: Matrix) -> None:
    """Tell where every degree of freedom is at the start of a stretch of flight."""
    for d in range(floors.shape[0]):
        tell(floors[d], modes, Q, W, NOW)
