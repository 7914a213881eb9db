"""True extremes of degrees of freedom of buildings, by power series.

The series of a quantity is the sum of those of its modes (`mode_columns`). In flight there are two, from both ends of a
stretch, which meet in its middle. In a plain step in contact one series, from its end, reaches over all of it.

`fit` writes the series of one quantity to the start of the scratch and `fitted` evaluates it. `way` is a time with its
sign: series from the end of a stretch run backwards, and theirs is negative. x, d and b are a quantity, its slope and
its second derivative; `leaves` bounds how far it leaves a quintic (`peak_search.sextic_hull`).
"""

from carom.kernels.event.floor_bounds import raise_peak
from carom.kernels.event.floor_sums import BEGAN, LEEWAY, SEEKS, floor_columns_at
from carom.kernels.event.mode_columns import (
    BACK_POWERS,
    FREE_POWERS,
    MIDDLE,
    by_fours,
    column_at,
    expand_columns,
    four_sums,
    long_terms,
    middle_columns,
    one_sum,
)
from carom.kernels.event.peak_search import CLOSE, ROUNDING, bends_one_way, column_of, cubic_crest, sextic_hull, summit
from carom.kernels.rows import FIRST, LAST, PEAKS, Q_END, SHAPE, Q
from carom.kernels.types import Matrix, Vector

PART_ANGLE = 0.5  # turn of the quickest mode in the smallest part of a stretch that is looked at [rad]
SERIES_TOLERANCE = 1e-8  # relative tolerance of the series: they leave out 1e-13 of the modes (`long_terms`)


def series_crests(begun: float, t: float, angle: float, modes: Matrix, floors: Matrix, small: Vector) -> None:
    """Raise the peaks of buildings that SEEKS names by extremes inside a stretch of flight, by power series.

    Series from both ends meet in the middle, `angle` of the quickest mode away.
    """
    many, count = modes.shape[0], floors.shape[0]
    terms = by_fours(long_terms(angle, SERIES_TOLERANCE))
    expand_columns(Q, begun, FREE_POWERS, terms, modes, small)
    expand_columns(Q_END, begun + t, BACK_POWERS, terms, modes, small)
    middle_columns(0.5 * t, begun + 0.5 * t, terms, modes, small)
    base = floor_columns_at(many)
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
    x0, d0, b0 = quantity_at_end(d, kind, False, t, many, floors, small)
    x1, d1, b1 = quantity_at_end(d, kind, True, t, many, floors, small)
    if kind == 2 and not sextic_hull(t, x0, d0, b0, x1, d1, b1, leaves) > peak:
        return best
    first, last = int(floor[FIRST]), int(floor[LAST])
    x, slope, bend, _ = four_sums(
        floor[SHAPE + first : SHAPE + last], first, MIDDLE + (4 if kind == 2 else kind), many, small
    )
    later, leaves = abs(x1) > abs(x0), leaves / 64.0  # it goes with the sixth power of the length
    for back in (later, not later):
        way = -half if back else half
        if back:
            x0, d0, b0 = x1, d1, b1
        elif later:
            x0, d0, b0 = quantity_at_end(d, kind, False, t, many, floors, small)
        if sextic_hull(way, x0, d0, b0, x, slope, bend, leaves) > peak:
            fit(kind, back, x0, d0, terms, floor, many, small)
            best = max(best, crests_of_half(way, terms - kind, smallest, leaves, x, slope, bend, peak, small))
            peak = max(best, peak)
    return best


def quantity_at_end(
    d: int, kind: int, end: bool, t: float, many: int, floors: Matrix, small: Vector
) -> tuple[float, float, float]:  # fmt: skip
    """Return a quantity of a building, its slope and its second derivative at the start or the `end` of a stretch.

    The stretch is `t` long, and the series of its modes are expanded.
    """
    count, floor = floors.shape[0], floors[d]
    base = floor_columns_at(many) + d
    at = base + column_of(kind) * count + (0 if end else BEGAN * count)
    if kind == 0:
        return small[at], small[at + count], small[at + 2 * count]
    if kind == 1:
        before = base + BEGAN * count
        relative, absolute = small[base + 2 * count] - small[before + 2 * count], small[base + 3 * count]
        ramp = (relative - absolute + small[before + 3 * count]) / t  # of the loads, linear in time
        return small[at], small[at + count], small[at + 3 * count] + ramp
    first, last = int(floor[FIRST]), int(floor[LAST])
    power = column_at((BACK_POWERS if end else FREE_POWERS) + 2 + kind, many)  # the fourth: 4! c₄ is q⁗
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


def fit(
    kind: int, back: bool, value: float, slope: float, terms: int, floor: Vector, count: int, small: Vector
) -> None:
    """Write the power series of a quantity from one end of a stretch, where `value` and `slope` are known.

    Its coefficients come first in the scratch. Loads are linear in time: beyond the slope, absolute and relative
    accelerations are alike.
    """
    first, last = int(floor[FIRST]), int(floor[LAST])
    columns, shape = BACK_POWERS if back else FREE_POWERS, floor[SHAPE + first : SHAPE + last]
    for p in range(0, terms, 4):
        s0, s1, s2, s3 = four_sums(shape, first, columns + p, count, small)
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
