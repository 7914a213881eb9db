"""Degrees of freedom of a team: their states, and their true extremes in flight.

A thread has its own degrees of freedom, but all threads look for an extreme together, each with its own modes.
"""

from carom.kernels.peak_search import (
    CLOSE,
    CURVES,
    FINE,
    FINEST,
    ONE_CREST,
    PATIENCE,
    SETTLED,
    UNKNOWN,
    cubic_crest,
    margin_of,
    may_rise,
    moved,
    nearer,
    raise_largest,
    summit,
    sways,
    verdict,
)
from carom.kernels.rows import (
    CHANGE,
    CURVE_MARGIN,
    EXPANSION,
    FIRST,
    LAST,
    LOAD,
    MARGIN,
    MOST_BEND,
    MOST_JERK,
    NOW,
    PEAKS,
    Q_END,
    SLOPE,
    SPAN,
    SQUARE,
    STEADY,
    TWICE,
    V_END,
    W_END,
    Q,
    V,
    W,
)
from carom.kernels.team import agreed, anyone, meet, place, smallest, takes, told, total, turns
from carom.kernels.team_flight import NOBODY
from carom.kernels.team_rows import CHANGE_END, RAMP, REACH
from carom.kernels.types import Matrix, Vector

ABSOLUTE = 3  # within a state
CREST_TERMS = 13  # of a power series over half a sample, up to 0.75 radians: the next is 7e-11 of a velocity


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
    find_margins(t, count, modes, floors)
    for turn in range(turns(floors.shape[0])):
        d = place(turn)
        u, speed, relative, absolute, change = 0.0, 0.0, 0.0, 0.0, 0.0
        ramp, twist, end_twist, s0, s1, s2, s3, s4 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        sought = 0  # 1, 2, 4: a crest of displacement, of velocity, of acceleration
        if d < floors.shape[0]:
            floor = floors[d]
            u, speed, relative, absolute, change = tell(d, floor, count, modes, Q_END)
            raise_peaks(floor, u, speed, absolute)
            sought = may_rise(t, u, speed, relative, absolute, change, floor)
            if sought > 0:
                sought, ramp, twist, end_twist, s0, s1, s2, s3, s4 = unsettled(
                    sought, t, REACH + count + d, u, speed, relative, absolute, change, floor, modes
                )  # fmt: skip
        while anyone(sought > 0):
            whom = agreed(d if sought > 0 else NOBODY)
            kind = int(told(2.0 if sought >= 4 else 1.0 if sought >= 2 else 0.0, whom))
            peak, x0, d0, b0 = 0.0, 0.0, 0.0, 0.0
            if takes(whom):
                peak = floors[whom, PEAKS + kind]
                start = NOW + (ABSOLUTE if kind == 2 else kind)
                x0, d0 = floors[whom, start], floors[whom, start + 1]
                b0 = floors[whom, NOW + 2] if kind == 0 else floors[whom, NOW + 4] + ramp if kind == 1 else twist
            peak, x0, d0, b0 = told(peak, whom), told(x0, whom), told(d0, whom), told(b0, whom)
            x1 = told(u if kind == 0 else speed if kind == 1 else absolute, whom)
            d1 = told(speed if kind == 0 else relative if kind == 1 else change, whom)
            b1 = told(relative if kind == 0 else change + ramp if kind == 1 else end_twist, whom)
            leaves = told(s0 if kind == 0 else s1 if kind == 1 else s2, whom)
            slope_leaves = told(s1 if kind == 0 else s2 if kind == 1 else s3, whom)
            bend_leaves = told(s2 if kind == 0 else s3 if kind == 1 else s4, whom)
            best = inner_peak(
                kind, REACH + count + whom, begun, t, x0, d0, b0, x1, d1, b1, leaves, slope_leaves, bend_leaves, peak,
                floors[whom], modes,
            )  # fmt: skip
            if takes(whom):
                floors[whom, PEAKS + kind] = best
                sought -= 1 << kind
        if d < floors.shape[0]:
            put_now(floors[d], u, speed, relative, absolute, change)


def find_margins(t: float, count: int, modes: Matrix, floors: Matrix) -> None:
    """Raise MOST_BEND and MOST_JERK by the present state in flight, and MARGIN where one of them or the flight grew.

    In between, EXPANSION holds how far the modes leave their chords and curves.
    """
    first = place(0)
    grew = first < floors.shape[0] and t > floors[first, SPAN]
    for turn in range(turns(modes.shape[0])):
        k = place(turn)
        if k < modes.shape[0]:
            row = modes[k]
            grew = grew or abs(row[W]) > row[MOST_BEND] or abs(row[SLOPE] + row[CHANGE]) > row[MOST_JERK]
    if not anyone(grew):
        return
    span = t
    if first < floors.shape[0]:
        span = max(t, floors[first, SPAN])
    span = -smallest(-span)
    for turn in range(turns(modes.shape[0])):
        k = place(turn)
        if k < modes.shape[0]:
            raise_largest(modes[k])
            for kind in range(CURVES + 3):
                modes[k, EXPANSION + kind] = margin_of(kind, span, modes[k])
    meet()
    for turn in range(turns(floors.shape[0])):
        d = place(turn)
        if d < floors.shape[0]:
            floor = floors[d]
            floor[SPAN] = span
            for kind in range(CURVES + 3):
                margin = 0.0
                k, last = int(floor[FIRST]), int(floor[LAST])
                while k < last:
                    margin += abs(modes[k, REACH + count + d]) * modes[k, EXPANSION + kind]
                    k += 1
                floor[MARGIN + kind if kind < CURVES else CURVE_MARGIN + kind - CURVES] = margin
    meet()


def unsettled(
    sought: int, t: float, shape: int, u: float, speed: float, relative: float, absolute: float, change: float,
    floor: Vector, modes: Matrix,
) -> tuple[int, float, float, float, float, float, float, float, float]:  # fmt: skip
    """Return which of the quantities sought may have a new peak inside a stretch of flight; the end is given.

    Then come the slope of its load, the second derivative of its acceleration at both ends, and how far displacement,
    velocity, acceleration and two more derivatives leave their chords.
    """
    ramp, twist, end_twist = 0.0, 0.0, 0.0
    s0, s1, s2, s3, s4 = 0.0, 0.0, 0.0, 0.0, 0.0
    k, last = int(floor[FIRST]), int(floor[LAST])
    while k < last:
        row = modes[k]
        weight = row[shape]
        jerk, end_jerk = row[SLOPE] + row[CHANGE], row[SLOPE] + row[CHANGE_END]
        ramp += weight * row[SLOPE]
        twist -= weight * (row[SQUARE] * row[W] + row[TWICE] * jerk)
        end_twist -= weight * (row[SQUARE] * row[W_END] + row[TWICE] * end_jerk)
        bend, swing, second, third, fourth = sways(t, row[W], jerk, row)
        s0 += abs(weight) * bend
        s1 += abs(weight) * swing
        s2 += abs(weight) * second
        s3 += abs(weight) * third
        s4 += abs(weight) * fourth
        k += 1
    speed0, relative0, change0 = floor[NOW + 1], floor[NOW + 2], floor[NOW + 4]
    left = 0
    if sought & 1 == 1:
        found = verdict(t, floor[NOW], speed0, relative0, u, speed, relative, s0, s1, s2, floor[PEAKS])
        left += 0 if found == SETTLED else 1
    if sought & 2 == 2:
        bend, end_bend = change0 + ramp, change + ramp
        found = verdict(t, speed0, relative0, bend, speed, relative, end_bend, s1, s2, s3, floor[PEAKS + 1])
        left += 0 if found == SETTLED else 2
    if sought & 4 == 4:
        start = floor[NOW + ABSOLUTE]
        found = verdict(t, start, change0, twist, absolute, change, end_twist, s2, s3, s4, floor[PEAKS + 2])
        left += 0 if found == SETTLED else 4
    return left, ramp, twist, end_twist, s0, s1, s2, s3, s4


def inner_peak(
    kind: int, shape: int, begun: float, t: float, x0: float, d0: float, b0: float, x2: float, d2: float, b2: float,
    leaves: float, slope_leaves: float, bend_leaves: float, peak: float, floor: Vector, modes: Matrix,
) -> float:  # fmt: skip
    """Return the peak of a quantity, raised by extremes inside a stretch of flight; all threads must come here.

    Given are it, its slope and its second derivative at both ends, and how far each leaves its chord over the stretch.
    The method is that of `flight_peaks.search_parts`; samples are short here, and bounds hold for all of a stretch.
    """
    left, width, looks = 0.0, t, 0
    while left < t:
        looks += 1
        right = left + width
        if right >= t:
            right, width = t, t - left
        x1, d1, b1 = x2, d2, b2
        if right < t:
            x1, d1, b1 = derivatives(kind, shape, begun, right, t, floor, modes)
        peak = max(peak, abs(x1))
        part = (width / t) * (width / t)
        found = verdict(
            width, x0, d0, b0, x1, d1, b1, part * leaves, part * slope_leaves, part * bend_leaves, peak
        )  # fmt: skip
        if found == UNKNOWN and looks < PATIENCE and width > FINEST * t:
            width *= 0.5
            continue
        if found == ONE_CREST:
            at = left + width * cubic_crest(x1 - x0, width * d0, width * d1)
            peak = max(peak, extreme(kind, shape, d0 > 0.0, left, at, right, begun, t, floor, modes))
        left, x0, d0, b0 = right, x1, d1, b1
        width *= 2.0
    return peak


def extreme(
    kind: int, shape: int, rising: bool, low: float, at: float, high: float, begun: float, t: float, floor: Vector,
    modes: Matrix,
) -> float:  # fmt: skip
    """Return the size of a quantity at its only crest between `low` and `high`, as `flight_peaks.extreme` does."""
    width = high - low
    best = 0.0
    for iteration in range(60):
        if iteration % 8 == 7 or not low < at < high:
            at = 0.5 * (low + high)
        there, slope, bend = derivatives(kind, shape, begun, at, t, floor, modes)
        best = max(best, abs(there))
        if abs(slope) <= CLOSE * width * abs(bend) or high - low <= FINE * width:
            return max(best, summit(there, slope, bend, high - low))
        at, low, high = nearer(at, low, high, (slope > 0.0) == rising, slope, bend)
    return best


def derivatives(
    kind: int, shape: int, begun: float, at: float, t: float, floor: Vector, modes: Matrix
) -> tuple[float, float, float]:
    """Return a quantity, its slope and its second derivative a time `at` into a stretch of flight of length `t`.

    By power series from its nearer end. Column `shape` has the shapes of its degree of freedom.
    """
    first, last = int(floor[FIRST]), int(floor[LAST])
    value, slope, bend = 0.0, 0.0, 0.0
    for turn in range(turns(modes.shape[0])):
        k = place(turn)
        if first <= k < last:
            row = modes[k]
            weight = row[shape]
            load = row[LOAD] + row[SLOPE] * begun
            if at > 0.5 * t:
                q, v = moved(row, row[Q_END], row[V_END], load + row[SLOPE] * t, at - t, CREST_TERMS)
            else:
                q, v = moved(row, row[Q], row[V], load, at, CREST_TERMS)
            own = -row[SQUARE] * q - row[TWICE] * v
            w = load + row[SLOPE] * at + own
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
