"""True extremes of degrees of freedom in flight."""

from carom.kernels.flight import drift
from carom.kernels.floor_strips import find_leeway, keep_peaks, near_peaks, raise_peak, wake
from carom.kernels.floor_sums import BEGAN, LEEWAY, SEEKS, SUMS, strips_at, sum_all, tell
from carom.kernels.mode_strips import (
    BACK_POWERS,
    FREE_POWERS,
    LONG_ANGLE,
    MIDDLE,
    by_fours,
    expand_strips,
    four_sums,
    long_terms,
    middle_strips,
    one_sum,
    strip_at,
)
from carom.kernels.peak_search import (
    CLOSE,
    CURVES,
    FINE,
    FINEST,
    ONE_CREST,
    PATIENCE,
    ROUNDING,
    SETTLED,
    UNKNOWN,
    at_end,
    below,
    bends_one_way,
    bound_mode,
    column_of,
    cubic_crest,
    exceeds,
    margin_of,
    may_rise,
    nearer,
    raise_largest,
    sextic_hull,
    summit,
    sways,
    sways_of,
    verdict,
    write_state,
)
from carom.kernels.rows import (
    CURVE_MARGIN,
    FIRST,
    LAST,
    LEFT,
    LINES,
    LOAD,
    MARGIN,
    NOW,
    OMEGA,
    PEAKS,
    Q_END,
    RIGHT,
    SHAPE,
    SLOPE,
    SOUGHT,
    SPAN,
    SQUARE,
    STATE,
    STEADY,
    SWAYS,
    TWICE,
    V_END,
    Q,
    V,
)
from carom.kernels.types import Matrix, Vector

ABSOLUTE = 3  # within a state: the absolute acceleration, and behind it its slope
PART_ANGLE = 0.5  # [rad] of the quickest mode in a part of a stretch
FAR_BELOW = 1e-8  # a tolerance at which a series leaves out 1e-13 of the modes it adds up


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


def flight_peaks(
    begun: float, t: float, reach: float, fresh: bool, modes: Matrix, floors: Matrix, small: Vector
) -> None:
    """Raise the peaks by the true extremes over a stretch of flight of length `t` from time `begun` of the sample.

    NOW, or the strips of buildings, tell of the start of the stretch, and are left telling its end. `reach` is the
    length of a stretch over which power series of the modes from both its ends meet; `fresh` says whether modes move in
    ways not seen before (`peak_search.unseen`).
    """
    count = floors.shape[0]
    if small.size > SUMS:
        sum_all(Q_END, begun + t, modes, floors, small)
        building_peaks(begun, t, reach, modes, floors, small)
        return
    if fresh or (count > 0 and t > floors[0, SPAN]):
        find_margins(t, modes, floors)
    sought = 0.0
    for d in range(count):
        floor = floors[d]
        u, speed, relative, absolute, change = tell(d, Q_END, modes, floors, small)
        raise_ends(floor, u, speed, absolute)
        floor[SOUGHT] = may_rise(t, u, speed, relative, absolute, change, floor)
        sought += floor[SOUGHT]
        if floor[SOUGHT] == 0.0:
            put_now(floor, u, speed, relative, absolute, change)
    if sought > 0.0:
        inner_peaks(begun, t, modes, floors, small)
        for d in range(count):
            u, speed, relative, absolute, change = tell(d, Q_END, modes, floors, small)
            put_now(floors[d], u, speed, relative, absolute, change)


def building_peaks(begun: float, t: float, reach: float, modes: Matrix, floors: Matrix, small: Vector) -> None:
    """Raise the peaks of buildings by a stretch of flight, whose ends the strips tell."""
    many, count = modes.shape[0], floors.shape[0]
    find_leeway(t, modes, floors, small)
    if near_peaks(t, many, floors, small) == 0:
        return
    if t <= reach:
        series_crests(begun, t, LONG_ANGLE * t / reach, modes, floors, small)
        return
    for d in range(count):
        floors[d, SOUGHT] = small[strips_at(many) + SEEKS * count + d]
        wake(d, many, floors, small)
    inner_peaks(begun, t, modes, floors, small)
    for d in range(count):
        keep_peaks(d, many, floors, small)


def put_now(floor: Vector, u: float, speed: float, relative: float, absolute: float, change: float) -> None:
    """Note the state of a degree of freedom."""
    floor[NOW], floor[NOW + 1], floor[NOW + 2], floor[NOW + 3], floor[NOW + 4] = u, speed, relative, absolute, change


def find_margins(t: float, modes: Matrix, floors: Matrix) -> None:
    """Find how far degrees of freedom leave their chords in any stretch of flight no longer than `t`, or before.

    MOST_BEND and MOST_JERK are raised by the present state of modes that exceed them, well beyond it, so that they
    rarely have to be again; only what these modes add to the margins is changed, unless the stretch is the longest yet.
    """
    count = floors.shape[0]
    longer = count > 0 and t > floors[0, SPAN]
    if longer:
        for d in range(count):
            floors[d, SPAN] = t
            for kind in range(CURVES):
                floors[d, MARGIN + kind] = 0.0
            for kind in range(3):
                floors[d, CURVE_MARGIN + kind] = 0.0
    elif count > 0:
        t = floors[0, SPAN]
    for k in range(modes.shape[0]):
        row = modes[k]
        if not (longer or exceeds(row)):
            continue
        for kind in range(CURVES + 3):
            row[LINES + kind] = 0.0 if longer else margin_of(kind, t, row)
        if exceeds(row):
            raise_largest(row)
        for kind in range(CURVES + 3):
            row[LINES + kind] = margin_of(kind, t, row) - row[LINES + kind]
        for d in range(count):
            floor, size = floors[d], abs(floors[d, SHAPE + k])
            if size > 0.0:
                for kind in range(CURVES):
                    floor[MARGIN + kind] += size * row[LINES + kind]
                for kind in range(3):
                    floor[CURVE_MARGIN + kind] += size * row[LINES + CURVES + kind]


def raise_ends(floor: Vector, u: float, speed: float, absolute: float) -> None:
    """Raise the peaks of a degree of freedom by both ends of a flight; NOW holds its start."""
    floor[PEAKS] = max(floor[PEAKS], abs(floor[NOW]), abs(u))
    floor[PEAKS + 1] = max(floor[PEAKS + 1], abs(floor[NOW + 1]), abs(speed))
    floor[PEAKS + 2] = max(floor[PEAKS + 2], abs(floor[NOW + ABSOLUTE]), abs(absolute))


def series_crests(begun: float, t: float, angle: float, modes: Matrix, floors: Matrix, small: Vector) -> None:
    """Raise the peaks of buildings that SEEKS names by extremes inside a stretch of flight, by power series.

    Series from both ends meet in the middle, `angle` of the quickest mode away.
    """
    many, count = modes.shape[0], floors.shape[0]
    terms = by_fours(long_terms(angle, FAR_BELOW))
    expand_strips(Q, begun, FREE_POWERS, terms, modes, small)
    expand_strips(Q_END, begun + t, BACK_POWERS, terms, modes, small)
    middle_strips(0.5 * t, begun + 0.5 * t, terms, modes, small)
    base = strips_at(many)
    for d in range(count):
        seen = int(small[base + SEEKS * count + d])
        for kind in range(3):
            if (seen >> kind) & 1 == 1:
                leaves = small[base + (LEEWAY + (6 if kind == 2 else kind)) * count + d]
                most = crests(d, kind, t, terms, PART_ANGLE / angle, leaves, modes, floors, small)
                raise_peak(d, kind, most, base, floors, small)


def crests(
    d: int, kind: int, t: float, terms: int, smallest: float, leaves: float, modes: Matrix, floors: Matrix,
    small: Vector,
) -> float:  # fmt: skip
    """Return the largest size of a quantity of a building inside a stretch of flight, 0 where that is no new peak.

    The half at the higher end comes first: a crest is mostly there, and tells that none is in the other.
    """
    many, floor = modes.shape[0], floors[d]
    peak, best, half = floor[PEAKS + kind] * (1.0 + ROUNDING), 0.0, 0.5 * t
    x0, d0, b0 = told_by_strips(d, kind, False, t, many, floors, small)
    x1, d1, b1 = told_by_strips(d, kind, True, t, many, floors, small)
    if kind == 2 and not sextic_hull(t, x0, d0, b0, x1, d1, b1, leaves) > peak:
        return best
    first, last = int(floor[FIRST]), int(floor[LAST])
    x, slope, bend, _ = four_sums(
        floor[SHAPE + first : SHAPE + last], first, MIDDLE + (4 if kind == 2 else kind), many, small
    )
    later, leaves = abs(x1) > abs(x0), leaves / 64.0
    for back in (later, not later):
        way = -half if back else half
        if back:
            x0, d0, b0 = x1, d1, b1
        elif later:
            x0, d0, b0 = told_by_strips(d, kind, False, t, many, floors, small)
        if sextic_hull(way, x0, d0, b0, x, slope, bend, leaves) > peak:
            fit(kind, back, x0, d0, terms, floor, many, small)
            best = max(best, crests_of_half(way, terms - kind, smallest, leaves, x, slope, bend, peak, small))
            peak = max(best, peak)
    return best


def told_by_strips(
    d: int, kind: int, end: bool, t: float, many: int, floors: Matrix, small: Vector
) -> tuple[float, float, float]:  # fmt: skip
    """Return a quantity of a building, its slope and second derivative at an end of a stretch `t` long, expanded."""
    count, floor = floors.shape[0], floors[d]
    base = strips_at(many) + d
    at = base + column_of(kind) * count + (0 if end else BEGAN * count)
    if kind == 0:
        return small[at], small[at + count], small[at + 2 * count]
    if kind == 1:
        before = base + BEGAN * count
        relative, absolute = small[base + 2 * count] - small[before + 2 * count], small[base + 3 * count]
        ramp = (relative - absolute + small[before + 3 * count]) / t  # of the loads, linear in time
        return small[at], small[at + count], small[at + 3 * count] + ramp
    first, last = int(floor[FIRST]), int(floor[LAST])
    power = strip_at((BACK_POWERS if end else FREE_POWERS) + 2 + kind, many)
    return (
        small[at],
        small[at + count],
        24.0 * one_sum(floor[SHAPE + first : SHAPE + last], small[power + first : power + last]),
    )


def crests_of_half(
    way: float, terms: int, smallest: float, leaves: float, x_end: float, d_end: float, b_end: float, peak: float,
    small: Vector,
) -> float:  # fmt: skip
    """Return the largest size of a fitted quantity from 0 to `way`, where its end is known; 0: no new peak.

    Parts are halved until they have no new peak, or one crest at most, or are the `smallest` share: half a radian of
    the quickest mode, in which no curve turns twice but for crests that hardly differ.
    """
    best, left, width = 0.0, 0.0, 1.0
    x0, d0, b0 = small[0], way * small[1], 2.0 * way * way * small[2]
    while left < 1.0:
        right, x1, d1, b1 = left + width, x_end, d_end, b_end
        if right < 1.0:
            x1, d1, b1 = fitted(right * way, terms, small)
        d1, b1 = way * d1, way * way * b1
        if sextic_hull(width, x0, d0, b0, x1, d1, b1, leaves * width**6) > peak:
            p, q, bow, end_bow = width * d0, width * d1, width * width * b0, width * width * b1
            one = bends_one_way(x0, p, bow, x1, q, end_bow, leaves * width**6)
            if not one and width > smallest:
                width *= 0.5
                continue
            if one and p * q < 0.0:
                share = cubic_crest(x1 - x0, p, q)
                best = max(best, narrow_crest(left * way, width * way, p, share, terms, small))
            elif not one:
                best = max(best, crest_of_part(left * way, width * way, x0, p, bow, x1, q, end_bow, terms, small))
            peak = max(peak, best)
        left, x0, d0, b0 = right, x1, d1, b1
        width = min(2.0 * width, 1.0 - left)
    return best


def crest_of_part(
    begin: float, way: float, x0: float, d0: float, b0: float, x1: float, d1: float, b1: float, terms: int,
    small: Vector,
) -> float:  # fmt: skip
    """Return the largest size of a fitted quantity at a crest in a small part that begins at `begin`.

    A slope that keeps its sign may still vanish twice, where it is smallest in between: the part is divided there.
    """
    if d0 * d1 < 0.0:
        return narrow_crest(begin, way, d0, cubic_crest(x1 - x0, d0, d1), terms, small)
    if d0 * b0 < 0.0 and d1 * b1 > 0.0:
        least = b0 / (b0 - b1)
        _, dip, _ = fitted(begin + least * way, terms, small)
        if d0 * way * dip < 0.0:
            left = narrow_crest(begin, least * way, d0, 0.5, terms, small)
            return max(left, narrow_crest(begin + least * way, (1.0 - least) * way, dip * way, 0.5, terms, small))
    return 0.0


def narrow_crest(begin: float, way: float, d0: float, share: float, terms: int, small: Vector) -> float:
    """Return the size of a fitted quantity at its crest in a part, by Newton's method from a `share` of it on."""
    low, high, best = 0.0, 1.0, 0.0
    for _ in range(20):
        if not low < share < high:
            share = 0.5 * (low + high)
        value, slope, bend = fitted(begin + share * way, terms, small)
        slope, bend = way * slope, way * way * bend
        best = max(best, abs(value))
        if abs(slope) <= CLOSE * abs(bend):
            return max(best, summit(value, slope, bend, 1.0))
        if (slope > 0.0) == (d0 > 0.0):
            low = share
        else:
            high = share
        share = share - slope / bend if bend != 0.0 else 0.5 * (low + high)
    return best


def inner_peaks(begun: float, t: float, modes: Matrix, floors: Matrix, small: Vector) -> None:
    """Raise the peaks that SOUGHT names by extremes inside a stretch of flight (`peak_search`).

    Most stretches are settled as a whole, but for a crest; the rest is left to parts of them.
    """
    first, last = modes.shape[0], 0
    for d in range(floors.shape[0]):
        if floors[d, SOUGHT] > 0.0:
            first, last = min(first, int(floors[d, FIRST])), max(last, int(floors[d, LAST]))
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
            known = max(known, judge_whole(d, t, modes, floors, small))
    if known == SETTLED:
        return
    if known == UNKNOWN:
        search_parts(begun, t, first, last, modes, floors)
        return
    for d in range(floors.shape[0]):
        for kind in range(3):
            if (int(floors[d, SOUGHT]) >> kind) & 1 == 1:
                x0, d0 = told_of(kind, floors[d])
                x1, d1 = end_of(d, kind, modes, floors, small)
                at = t * cubic_crest(x1 - x0, t * d0, t * d1)
                most = extreme(kind, d0 > 0.0, 0.0, at, t, begun, floors[d], modes)
                floors[d, PEAKS + kind] = max(floors[d, PEAKS + kind], most)


def told_of(kind: int, floor: Vector) -> tuple[float, float]:
    """Return a quantity of a degree of freedom and its slope at the start of a flight, which NOW holds."""
    column = NOW + column_of(kind)
    return floor[column], floor[column + 1]


def end_of(d: int, kind: int, modes: Matrix, floors: Matrix, small: Vector) -> tuple[float, float]:
    """Return a quantity of a degree of freedom and its slope at the end of a flight."""
    u, speed, relative, absolute, change = tell(d, Q_END, modes, floors, small)
    if kind == 0:
        return u, speed
    return (speed, relative) if kind == 1 else (absolute, change)


def judge_whole(d: int, t: float, modes: Matrix, floors: Matrix, small: Vector) -> int:
    """Return what is known of a degree of freedom in a stretch of flight as a whole; SOUGHT loses what is settled."""
    floor = floors[d]
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
    u, speed, relative, absolute, change = tell(d, Q_END, modes, floors, small)
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
            q, v = drift(row, row[Q], row[V], row[LOAD] + row[SLOPE] * begun, row[SLOPE], right)
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


def rises(kind: int, t: float, start: float, slope: float, end: float, end_slope: float, floor: Vector) -> bool:
    """Raise one peak by a quantity at both ends of a stretch; return whether one between them may raise it more."""
    highest = max(abs(start), abs(end))
    if highest > floor[PEAKS + kind]:
        floor[PEAKS + kind] = highest
    turn = slope - end_slope  # a crest lies below where the tangents at both ends meet
    tangents = abs(start * turn + slope * (end - start - end_slope * t))
    return slope * end_slope < 0.0 and tangents > floor[PEAKS + kind] * abs(turn)


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
    kind: int, rising: bool, low: float, at: float, high: float, begun: float, floor: Vector, modes: Matrix
) -> float:
    """Return the size of a quantity at its only crest between `low` and `high` of a stretch of flight.

    By Newton's method within the bracket, from `at` on; from near enough, the parabola there tells the rest. `rising`
    says which sign the slope has at `low`.
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


def begin_peaks(t: float, modes: Matrix, floors: Matrix, small: Vector) -> None:
    """Tell where every degree of freedom is at the start of a stretch of flight, time `t` of the sample."""
    fill_state(modes, Q, t)
    if small.size > SUMS:
        sum_all(Q, t, modes, floors, small)
        return
    for d in range(floors.shape[0]):
        floor = floors[d]
        u, speed, relative, absolute, change = tell(d, Q, modes, floors, small)
        put_now(floor, u, speed, relative, absolute, change)
