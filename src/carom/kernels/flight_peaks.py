"""True extremes of degrees of freedom in flight."""

from carom.kernels.flight import drift
from carom.kernels.floor_sums import SUMS, tell, tell_all
from carom.kernels.rows import (
    FIRST,
    LAST,
    LOAD,
    NOW,
    PEAKS,
    Q_END,
    SLOPE,
    SQUARE,
    STATE,
    STEADY,
    TRIAL,
    TWICE,
    Q,
    V,
)
from carom.kernels.types import Matrix, Vector

ABSOLUTE = 3  # within a state: the absolute acceleration, and behind it its slope
NEAR = 1e-5  # of the slopes at the ends: the value's error is the square of it


def fill_state(modes: Matrix, state: int, t: float) -> None:
    """Complete the states that begin at column `state`: accelerations from displacements and velocities.

    `t` is the time of the sample; contact forces are none.
    """
    for k in range(modes.shape[0]):
        row = modes[k]
        own = -row[SQUARE] * row[state] - row[TWICE] * row[state + 1]
        row[state + 2] = row[LOAD] + row[SLOPE] * t + own
        row[state + 3] = row[STEADY] + own
        row[state + 4] = -row[SQUARE] * row[state + 1] - row[TWICE] * row[state + 2]


def flight_peaks(begun: float, t: float, modes: Matrix, floors: Matrix, small: Vector) -> None:
    """Raise the peaks by the true extremes over a stretch of flight of length `t` from time `begun` of the sample.

    NOW tells of the start of the stretch, and is left telling its end.
    """
    tell_all(Q_END, modes, floors, small)
    count = floors.shape[0]
    sums = small[SUMS:]
    for d in range(count):
        floor = floors[d]
        u, speed, relative = sums[d], sums[count + d], sums[2 * count + d]
        absolute, change = sums[3 * count + d], sums[4 * count + d]
        raise_peak(0, 0, begun, t, u, speed, floor, modes)
        raise_peak(1, 1, begun, t, speed, relative, floor, modes)
        raise_peak(2, ABSOLUTE, begun, t, absolute, change, floor, modes)
        floor[NOW] = u
        floor[NOW + 1] = speed
        floor[NOW + 2] = relative
        floor[NOW + 3] = absolute
        floor[NOW + 4] = change


def under_tangents(start: float, slope: float, end: float, end_slope: float, t: float) -> float:
    """Return a size below which a crest between two ends lies: where the tangents there meet."""
    return abs(start + slope * (end - start - end_slope * t) / (slope - end_slope))


def raise_peak(
    kind: int, value: int, begun: float, t: float, end: float, end_slope: float, floor: Vector, modes: Matrix
) -> None:
    """Raise one peak over a stretch: the quantity in column `value` of the state, and at its end as given."""
    slope = floor[NOW + value + 1]
    highest = max(abs(floor[NOW + value]), abs(end))
    if highest > floor[PEAKS + kind]:
        floor[PEAKS + kind] = highest
    if slope * end_slope < 0.0 and under_tangents(floor[NOW + value], slope, end, end_slope, t) > floor[PEAKS + kind]:
        floor[PEAKS + kind] = max(floor[PEAKS + kind], extreme(value, slope, end_slope, begun, t, floor, modes))


def extreme(value: int, d0: float, d1: float, begun: float, t: float, floor: Vector, modes: Matrix) -> float:
    """Return the largest size of a quantity whose slope changes sign within a stretch of flight."""
    low, f_low = 0.0, d0
    high, f_high = t, d1
    best = 0.0
    for iteration in range(40):
        at = (low * f_high - high * f_low) / (f_high - f_low)
        if iteration % 4 == 3 or not low < at < high:
            at = 0.5 * (low + high)
        for k in range(int(floor[FIRST]), int(floor[LAST])):
            row = modes[k]
            row[TRIAL], row[TRIAL + 1] = drift(row, row[Q], row[V], row[LOAD] + row[SLOPE] * begun, row[SLOPE], at)
        fill_state(modes, TRIAL, begun + at)
        u, speed, relative, absolute, change = tell(floor, modes, TRIAL)
        slope = speed if value == 0 else relative if value == 1 else change
        best = max(best, abs(u if value == 0 else speed if value == 1 else absolute))
        if abs(slope) <= NEAR * (abs(d0) + abs(d1)) or high - low <= 1e-9 * t:
            break
        if (slope > 0.0) == (d0 > 0.0):
            low, f_low = at, slope
        else:
            high, f_high = at, slope
    return best


def begin_peaks(t: float, modes: Matrix, floors: Matrix, small: Vector) -> None:
    """Tell where every degree of freedom is at the start of a stretch of flight, time `t` of the sample."""
    fill_state(modes, Q, t)
    tell_all(Q, modes, floors, small)
    count = floors.shape[0]
    for d in range(count):
        for j in range(STATE):
            floors[d, NOW + j] = small[SUMS + j * count + d]
