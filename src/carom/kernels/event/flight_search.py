"""Extremes inside a stretch of flight, mode by mode in closed form: parts of it are settled by bounds or halved.

The rules are those of `peak_search`. `inner_peaks` first judges the stretch as a whole. Where each quantity has one
crest at most, the crest is found at once (`extreme`); where a bound fails, the stretch is searched part by part
(`search_parts`).
"""

from carom.kernels.event.flight import mode_after
from carom.kernels.event.floor_sums import floor_state
from carom.kernels.event.peak_search import (
    CLOSE,
    FINE,
    FINEST,
    ONE_CREST,
    PATIENCE,
    SETTLED,
    UNKNOWN,
    at_end,
    below,
    bound_mode,
    column_of,
    cubic_crest,
    nearer,
    summit,
    sways,
    sways_of,
    verdict,
    write_state,
)
from carom.kernels.rows import (
    FIRST,
    LAST,
    LEFT,
    LOAD,
    NOW,
    OMEGA,
    PEAKS,
    Q_END,
    RIGHT,
    SHAPE,
    SLOPE,
    SOUGHT,
    SQUARE,
    STATE,
    STEADY,
    SWAYS,
    TWICE,
    V_END,
    Q,
    V,
)
from carom.kernels.tables import Tables
from carom.kernels.types import Matrix, Vector, unit


@unit
def inner_peaks(begun: float, t: float, tables: Tables) -> None:
    """Raise the peaks that SOUGHT names by extremes inside a stretch of flight of length `t` (`peak_search`).

    Most stretches are settled as a whole, or have one crest at most; of the rest, parts are looked at.
    """
    modes, floors = tables.modes, tables.floors
    first, last = modes_sought(modes.shape[0], floors)
    for k in range(first, last):
        row = modes[k]
        write_state(row, LEFT, row[Q], row[V], begun)
        write_state(row, RIGHT, row[Q_END], row[V_END], begun + t)
        row[SWAYS], row[SWAYS + 1], row[SWAYS + 2], row[SWAYS + 3], row[SWAYS + 4] = sways(
            t, row[LEFT + 2], row[SLOPE] + row[LEFT + 4], row[OMEGA], row[SQUARE], row[TWICE]
        )  # fmt: skip
    known = SETTLED
    for d in range(floors.shape[0]):
        if floors[d, SOUGHT] > 0.0:
            known = max(known, judge_whole(d, t, tables))
    if known == SETTLED:
        return
    if known == UNKNOWN:
        first, last = modes_sought(modes.shape[0], floors)
        search_parts(begun, t, first, last, modes, floors)
        return
    for d in range(floors.shape[0]):
        for kind in range(3):
            if (int(floors[d, SOUGHT]) >> kind) & 1 == 1:  # what is still sought has one crest
                x0, d0 = start_of(kind, floors[d])
                x1, d1 = end_of(d, kind, tables)
                at = t * cubic_crest(x1 - x0, t * d0, t * d1)
                most = extreme(kind, d0 > 0.0, 0.0, at, t, begun, floors[d], modes)
                floors[d, PEAKS + kind] = max(floors[d, PEAKS + kind], most)


def modes_sought(many: int, floors: Matrix) -> tuple[int, int]:
    """Return the first of `many` modes that move what SOUGHT names, and the one after the last."""
    first, last = many, 0
    for d in range(floors.shape[0]):
        if floors[d, SOUGHT] > 0.0:
            first, last = min(first, int(floors[d, FIRST])), max(last, int(floors[d, LAST]))
    return first, last


def judge_whole(d: int, t: float, tables: Tables) -> int:
    """Return what is known of a degree of freedom in a stretch of flight as a whole; SOUGHT loses what is settled.

    What is known is SETTLED, ONE_CREST or UNKNOWN: the worst of the quantities sought.
    """
    modes, floor = tables.modes, tables.floors[d]
    ramp, twist, end_twist, s0, s1, s2, s3, s4 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for k in range(int(floor[FIRST]), int(floor[LAST])):
        row, weight = modes[k], floor[SHAPE + k]
        size = abs(weight)
        ramp += weight * row[SLOPE]
        twist += weight * row[LEFT + STATE]
        end_twist += weight * row[RIGHT + STATE]
        s0 += size * row[SWAYS]
        s1 += size * row[SWAYS + 1]
        s2 += size * row[SWAYS + 2]
        s3 += size * row[SWAYS + 3]
        s4 += size * row[SWAYS + 4]
    u, speed, relative, absolute, change = floor_state(d, Q_END, tables)
    u0, speed0, relative0, absolute0, change0 = (
        floor[NOW],
        floor[NOW + 1],
        floor[NOW + 2],
        floor[NOW + 3],
        floor[NOW + 4],
    )
    known, sought = SETTLED, int(floor[SOUGHT])
    for kind in range(3):
        if (sought >> kind) & 1 == 0:
            continue
        peak = floor[PEAKS + kind]
        if kind == 0:
            found = verdict(t, u0, speed0, relative0, u, speed, relative, s0, s1, s2, peak)
        elif kind == 1:
            found = verdict(t, speed0, relative0, change0 + ramp, speed, relative, change + ramp, s1, s2, s3, peak)
        else:
            found = verdict(t, absolute0, change0, twist, absolute, change, end_twist, s2, s3, s4, peak)
        known = max(known, found)
        if found == SETTLED:
            floor[SOUGHT] -= 1 << kind
    return known


def search_parts(begun: float, t: float, first: int, last: int, modes: Matrix, floors: Matrix) -> None:
    """Raise the peaks that SOUGHT names by extremes inside a stretch of flight, of which LEFT holds the start.

    Modes from `first` to `last` take part.
    """
    left, width, smallest, looks = 0.0, t, FINEST * t, 0
    while left < t:
        looks += 1
        if looks > PATIENCE:
            smallest = max(smallest, t / PATIENCE)
        right = left + width
        if right >= t:
            right, width = t, t - left
        look_right(begun, left, right, t, first, last, modes)
        known = SETTLED
        for d in range(floors.shape[0]):
            if floors[d, SOUGHT] > 0.0 and known != UNKNOWN:
                known = max(known, judge(width, floors[d], modes))
        if known == UNKNOWN and width > smallest:
            width *= 0.5
            continue
        if known == ONE_CREST:
            for d in range(floors.shape[0]):
                if floors[d, SOUGHT] > 0.0:
                    take_crests(begun, left, right, floors[d], modes)
        left = right
        width *= 2.0
        for k in range(first, last):
            for j in range(STATE + 1):
                modes[k, LEFT + j] = modes[k, RIGHT + j]


def look_right(begun: float, left: float, right: float, t: float, first: int, last: int, modes: Matrix) -> None:
    """Write the states of modes at the right end of a part of a flight of length `t`, and their bounds in it."""
    for k in range(first, last):
        row = modes[k]
        q, v = row[Q_END], row[V_END]
        if right < t:
            q, v = mode_after(row, row[Q], row[V], row[LOAD] + row[SLOPE] * begun, row[SLOPE], right)
        write_state(row, RIGHT, q, v, begun + right)
        bound_mode(row, begun + left, right - left)


def judge(width: float, floor: Vector, modes: Matrix) -> int:
    """Return what is known of a degree of freedom in a part of a flight; raise its peaks by the right end."""
    known, sought = SETTLED, int(floor[SOUGHT])
    for kind in range(3):
        if (sought >> kind) & 1 == 1 and known != UNKNOWN and not below(kind, floor[PEAKS + kind], floor, modes):
            x1, d1, b1 = at_end(kind, RIGHT, floor, modes)
            floor[PEAKS + kind] = max(floor[PEAKS + kind], abs(x1))
            x0, d0, b0 = at_end(kind, LEFT, floor, modes)
            leaves, slope_leaves, bend_leaves = sways_of(kind, floor, modes)
            found = verdict(
                width, x0, d0, b0, x1, d1, b1, leaves, slope_leaves, bend_leaves, floor[PEAKS + kind]
            )  # fmt: skip
            known = max(known, found)
    return known


def take_crests(begun: float, left: float, right: float, floor: Vector, modes: Matrix) -> None:
    """Raise the peaks of a degree of freedom by its crests in a part of a flight that has one at most of each."""
    for kind in range(3):
        if (int(floor[SOUGHT]) >> kind) & 1 == 1:
            x0, d0, b0 = at_end(kind, LEFT, floor, modes)
            x1, d1, b1 = at_end(kind, RIGHT, floor, modes)
            leaves, slope_leaves, bend_leaves = sways_of(kind, floor, modes)
            found = verdict(
                right - left, x0, d0, b0, x1, d1, b1, leaves, slope_leaves, bend_leaves, floor[PEAKS + kind]
            )  # fmt: skip
            if found == ONE_CREST:
                place = left + (right - left) * cubic_crest(x1 - x0, (right - left) * d0, (right - left) * d1)
                most = extreme(kind, d0 > 0.0, left, place, right, begun, floor, modes)
                floor[PEAKS + kind] = max(floor[PEAKS + kind], most)


def extreme(
    kind: int, rising: bool, low: float, at: float, high: float, begun: float, floor: Vector, modes: Matrix
) -> float:
    """Return the size of a quantity at its only crest between `low` and `high` of a stretch of flight.

    It is found by Newton's method within the bracket, which begins at `at`; from near enough, the parabola there tells
    the rest. `rising` says whether the slope is positive at `low`.
    """
    width, best = high - low, 0.0
    for iteration in range(60):
        if iteration % 8 == 7 or not low < at < high:
            at = 0.5 * (low + high)
        value, slope, bend = derivatives(kind, begun, at, floor, modes)
        best = max(best, abs(value))
        if abs(slope) <= CLOSE * width * abs(bend) or high - low <= FINE * width:
            return max(best, summit(value, slope, bend, high - low))
        at, low, high = nearer(at, low, high, (slope > 0.0) == rising, slope, bend)
    return best


def derivatives(kind: int, begun: float, at: float, floor: Vector, modes: Matrix) -> tuple[float, float, float]:
    """Return a quantity, its slope and its second derivative a time `at` into a stretch of flight."""
    value, slope, bend = 0.0, 0.0, 0.0
    for k in range(int(floor[FIRST]), int(floor[LAST])):
        row = modes[k]
        weight = floor[SHAPE + k]
        q, v = mode_after(row, row[Q], row[V], row[LOAD] + row[SLOPE] * begun, row[SLOPE], at)
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


def start_of(kind: int, floor: Vector) -> tuple[float, float]:
    """Return a quantity of a degree of freedom and its slope at the start of a flight, which NOW holds."""
    column = NOW + column_of(kind)
    return floor[column], floor[column + 1]


def end_of(d: int, kind: int, tables: Tables) -> tuple[float, float]:
    """Return a quantity of a degree of freedom and its slope at the end of a flight."""
    u, speed, relative, absolute, change = floor_state(d, Q_END, tables)
    if kind == 0:
        return u, speed
    return (speed, relative) if kind == 1 else (absolute, change)
