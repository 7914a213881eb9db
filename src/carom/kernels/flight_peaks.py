"""True extremes of degrees of freedom in flight."""

import math

from carom.kernels.flight import drift
from carom.kernels.floor_strips import EVERYBODY, keep_peaks, stirred, wake
from carom.kernels.floor_sums import SUMS, sum_all, tell
from carom.kernels.mode_strips import (
    BACK_POWERS,
    FREE_POWERS,
    LONG_ANGLE,
    by_fours,
    expand_strips,
    four_sums,
    long_terms,
)
from carom.kernels.rows import (
    FIRST,
    LAST,
    LOAD,
    NOW,
    PEAKS,
    Q_END,
    SHAPE,
    SLOPE,
    SQUARE,
    STEADY,
    TWICE,
    Q,
    V,
)
from carom.kernels.types import Matrix, Vector

ABSOLUTE = 3  # within a state: the absolute acceleration, and behind it its slope
CLOSE = 1e-4  # the same: the error of the parabola's crest is the cube of it
ROUNDED = 1e-10  # a tolerance at which a series leaves out what rounding would


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


def flight_peaks(begun: float, t: float, reach: float, modes: Matrix, floors: Matrix, small: Vector) -> None:
    """Raise the peaks by the true extremes over a stretch of flight of length `t` from time `begun` of the sample.

    NOW, or the strips of buildings, tell of the start of the stretch, and are left telling its end. `reach` is the
    length of a stretch over which power series of the modes from both its ends meet.
    """
    wide, many = small.size > SUMS, modes.shape[0]
    if wide:
        sum_all(Q_END, begun + t, modes, floors, small)
        if not stirred(t, EVERYBODY, many, floors.shape[0], small):
            return
        for d in range(floors.shape[0]):
            wake(d, many, floors, small)
    inside = False
    for d in range(floors.shape[0]):
        floor = floors[d]
        u, speed, relative, absolute, change = tell(d, Q_END, modes, floors, small)
        higher = rises(0, t, floor[NOW], floor[NOW + 1], u, speed, floor)
        faster = rises(1, t, floor[NOW + 1], floor[NOW + 2], speed, relative, floor)
        harder = rises(2, t, floor[NOW + 3], floor[NOW + 4], absolute, change, floor)
        inside = inside or higher or faster or harder
    if inside:
        inner_peaks(begun, t, reach, modes, floors, small)
    if wide:
        for d in range(floors.shape[0]):
            keep_peaks(d, many, floors, small)
        return
    for d in range(floors.shape[0]):
        floor = floors[d]
        floor[NOW], floor[NOW + 1], floor[NOW + 2], floor[NOW + 3], floor[NOW + 4] = tell(
            d, Q_END, modes, floors, small
        )  # fmt: skip


def inner_peaks(begun: float, t: float, reach: float, modes: Matrix, floors: Matrix, small: Vector) -> None:
    """Raise the peaks by extremes inside a stretch of flight."""
    terms = 0
    if t <= reach:
        terms = by_fours(long_terms(LONG_ANGLE * t / reach, ROUNDED))
        expand_strips(Q, begun, FREE_POWERS, terms, modes, small)
        expand_strips(Q_END, begun + t, BACK_POWERS, terms, modes, small)
    for d in range(floors.shape[0]):
        floor = floors[d]
        u, speed, relative, absolute, change = tell(d, Q_END, modes, floors, small)
        for kind in range(3):
            known = NOW + (ABSOLUTE if kind == 2 else kind)
            end = u if kind == 0 else speed if kind == 1 else absolute
            end_slope = speed if kind == 0 else relative if kind == 1 else change
            if rises(kind, t, floor[known], floor[known + 1], end, end_slope, floor):
                most = extreme(kind, end, end_slope, begun, t, terms, floor, modes, small)
                floor[PEAKS + kind] = max(floor[PEAKS + kind], most)


def under_tangents(start: float, slope: float, end: float, end_slope: float, t: float) -> float:
    """Return a size below which a crest between two ends lies: where the tangents there meet."""
    return abs(start + slope * (end - start - end_slope * t) / (slope - end_slope))


def rises(kind: int, t: float, start: float, slope: float, end: float, end_slope: float, floor: Vector) -> bool:
    """Raise one peak by a quantity at both ends of a stretch; return whether one between them may raise it more."""
    highest = max(abs(start), abs(end))
    if highest > floor[PEAKS + kind]:
        floor[PEAKS + kind] = highest
    turn = slope - end_slope  # as `under_tangents`, without a division
    tangents = abs(start * turn + slope * (end - start - end_slope * t))
    return slope * end_slope < 0.0 and tangents > floor[PEAKS + kind] * abs(turn)


def cubic_crest(rise: float, d0: float, d1: float) -> float:
    """Return where in (0, 1) a cubic is extreme that rises so much, with slopes of different signs at its ends."""
    bend = 3.0 * rise - 2.0 * d0 - d1
    root = math.sqrt(max(bend * bend - 3.0 * (d0 + d1 - 2.0 * rise) * d0, 0.0))
    below = root - bend if d0 > 0.0 else root + bend
    return abs(d0) / below if below > 0.0 else 0.0


def summit(value: float, slope: float, bend: float, width: float) -> float:
    """Return the size of the crest of the parabola at a place, 0 where that lies farther off than `width`."""
    if value * bend < 0.0 and abs(slope) < abs(bend) * width:
        return abs(value - 0.5 * slope * slope / bend)
    return 0.0


def nearer(at: float, low: float, high: float, before: bool, slope: float, bend: float) -> tuple[float, float, float]:
    """Return where Newton's method looks for a crest next, and what brackets it; `before`: it lies behind `at`."""
    better = at - slope / bend if bend != 0.0 else at if before else low
    return (better, at, high) if before else (better, low, at)


def derivatives(kind: int, begun: float, at: float, floor: Vector, modes: Matrix) -> tuple[float, float, float]:
    """Return a quantity, its slope and its second derivative a time `at` into a stretch of flight."""
    value, slope, bend = 0.0, 0.0, 0.0
    for k in range(int(floor[FIRST]), int(floor[LAST])):
        row = modes[k]
        weight = floor[SHAPE + k]
        q, v = drift(row, row[Q], row[V], row[LOAD] + row[SLOPE] * begun, row[SLOPE], at)
        own = -row[SQUARE] * q - row[TWICE] * v
        w = row[LOAD] + row[SLOPE] * (begun + at) + own
        change = -row[SQUARE] * v - row[TWICE] * w
        if kind == 0:
            value += weight * q
            slope += weight * v
            bend += weight * w
        elif kind == 1:
            value += weight * v
            slope += weight * w
            bend += weight * (row[SLOPE] + change)
        else:
            value += weight * (row[STEADY] + own)
            slope += weight * change
            bend -= weight * (row[SQUARE] * w + row[TWICE] * (row[SLOPE] + change))
    return value, slope, bend


def fit(
    kind: int, back: bool, value: float, slope: float, terms: int, floor: Vector, count: int, small: Vector
) -> None:
    """Write the power series of a quantity from one end of a stretch, where `value` and `slope` are known.

    Its coefficients come first in the scratch. Loads are linear in time: beyond the slope, absolute and relative
    accelerations are alike.
    """
    first, last = int(floor[FIRST]), int(floor[LAST])
    strips, shape = BACK_POWERS if back else FREE_POWERS, floor[SHAPE + first : SHAPE + last]
    for p in range(0, terms, 4):
        s0, s1, s2, s3 = four_sums(shape, first, strips + p, count, small)
        for i in range(4):
            at = p + i - kind
            if at >= 2:
                factor = 1.0 if kind == 0 else at + 1.0 if kind == 1 else (at + 1.0) * (at + 2.0)
                small[at] = factor * (s0 if i == 0 else s1 if i == 1 else s2 if i == 2 else s3)
    small[0], small[1] = value, slope


def within(
    kind: int, t: float, end: float, slope: float, terms: int, floor: Vector, count: int, small: Vector
) -> float:
    """Return the largest size of a quantity inside a stretch, by its power series from the end.

    A stretch is a few radians of the quickest mode: it is looked at in four parts.
    """
    fit(kind, True, end, slope, terms, floor, count, small)
    best, part = 0.0, 0.25 * t
    for i in range(1, 5):
        value, steep, _ = fitted(-i * part, terms - kind, small)
        best = max(best, abs(value))
        if steep * slope < 0.0:
            at = cubic_crest(end - value, part * steep, part * slope) - i
            top, rest, bend = fitted(at * part, terms - kind, small)
            best = max(best, abs(top))
            if top * bend < 0.0:
                best = max(best, abs(top - 0.5 * rest * rest / bend))
        end, slope = value, steep
    return best


def fitted(at: float, terms: int, small: Vector) -> tuple[float, float, float]:
    """Return a quantity, its slope and its second derivative by its power series."""
    value, slope, bend = 0.0, 0.0, 0.0
    for p in range(terms - 1, -1, -1):
        bend = bend * at + slope
        slope = slope * at + value
        value = value * at + small[p]
    return value, slope, 2.0 * bend


def extreme(
    kind: int, end: float, d1: float, begun: float, t: float, terms: int, floor: Vector, modes: Matrix, small: Vector
) -> float:
    """Return the largest size of a quantity whose slope changes sign within a stretch of flight.

    By Newton's method within the bracket, from where the cubic through both ends is extreme; from near enough, the
    parabola there tells the rest. Where the modes are expanded, power series from the nearer end tell the quantity.
    """
    known = NOW + (ABSOLUTE if kind == 2 else kind)
    start, d0 = floor[known], floor[known + 1]
    low, high = 0.0, t
    at = t * cubic_crest(end - start, t * d0, t * d1)
    best = 0.0
    back = False
    for iteration in range(40):
        if iteration % 8 == 7 or not low < at < high:
            at = 0.5 * (low + high)
        if terms > 0:
            if iteration == 0 or back != (at > 0.5 * t):
                back = at > 0.5 * t
                fit(kind, back, end if back else start, d1 if back else d0, terms, floor, modes.shape[0], small)
            value, slope, bend = fitted(at - t if back else at, terms - kind, small)
        else:
            value, slope, bend = derivatives(kind, begun, at, floor, modes)
        best = max(best, abs(value))
        if abs(slope) <= CLOSE * (abs(d0) + abs(d1)) or high - low <= 1e-9 * t:
            return max(best, summit(value, slope, bend, high - low))
        at, low, high = nearer(at, low, high, (slope > 0.0) == (d0 > 0.0), slope, bend)
    return best


def begin_peaks(t: float, modes: Matrix, floors: Matrix, small: Vector) -> None:
    """Tell where every degree of freedom is at the start of a stretch of flight, time `t` of the sample."""
    fill_state(modes, Q, t)
    if small.size > SUMS:
        sum_all(Q, t, modes, floors, small)
        return
    for d in range(floors.shape[0]):
        floor = floors[d]
        floor[NOW], floor[NOW + 1], floor[NOW + 2], floor[NOW + 3], floor[NOW + 4] = tell(d, Q, modes, floors, small)
