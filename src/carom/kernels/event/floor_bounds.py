"""Whether a degree of freedom of buildings may reach a new peak in a stretch of time, judged side by side.

Hardly any does. The columns of `floor_sums` hold the states at both ends of the stretch and the peaks so far; a bound
says how far each quantity can leave the curve through its ends. Only where the bound exceeds a peak is the row of that
degree of freedom filled in and searched for its true extreme.

In flight the bounds are proofs: `lay_margins` once, then `find_leeway` and `near_peaks` for each stretch. In contact
`note_candidates` takes a quantity for a cubic, with some room to spare.
"""

import math

from carom.kernels.event.floor_sums import (
    BEGAN,
    BLOCK_END,
    FLOOR_COLUMNS,
    HIGHEST,
    LEEWAY,
    PUSHED,
    SEEKS,
    floor_columns_at,
)
from carom.kernels.event.mode_columns import LEAVING, column_at
from carom.kernels.event.peak_search import ROUNDING, quartic_hull, sextic_hull
from carom.kernels.rows import FIRST, LAST, NOW, OMEGA, PEAKS, SHAPE, SLOPE, SQUARE, STATE, TWICE, V, W
from carom.kernels.types import Matrix, Vector, side_by_side

RAISED = 8  # added to what `seeks` returns where a quantity has a new peak at an end of the stretch
LEAVES_ENDS = 0.3
"""How far a quantity exceeds its larger end inside a step in contact, as share of the steeper slope times the step. A
cubic does so by 0.25 at most."""
OCTAGON = math.sqrt(2.0) - 1.0  # √(a² + b²) ≤ max(a, b) + OCTAGON·min(a, b), for a and b not below zero
AMPLITUDE_TURN = 9.0  # turn of a mode in a stretch, (ω + 2σ)·t [rad], above which its amplitude is the better bound


def cubic_may_rise(start: float, rise: float, end: float, end_rise: float, peak: float) -> bool:
    """Return whether a quantity may be larger than `peak` between both ends of a step.

    `rise` and `end_rise` are its slopes there times the step. Hermite's cubic, which a quantity is close to in steps of
    a few radians, has no crest inside where both lead the way of the chord and none is more than three times as steep
    (Fritsch and Carlson 1980); and it leaves the ends by no more than a quarter of the steeper one.
    """
    chord = end - start
    steep = max(abs(rise), abs(end_rise))
    one_way = (rise * chord >= 0.0) & (end_rise * chord >= 0.0) & (steep <= 3.0 * abs(chord))
    return (max(abs(start), abs(end)) + LEAVES_ENDS * steep > peak) & (not one_way)


def note_candidates(t: float, everyone: bool, modes: int, count: int, small: Vector) -> None:
    """Write into SEEKS which degrees of freedom to look at after a step in contact `t` long; the others get 0.

    They are those that contacts push and those with a peak that may rise, at the end of the step or inside it: the rule
    is that of `cubic_may_rise`, here side by side. With `everyone` all are looked at.
    """
    base = floor_columns_at(modes)
    seeks, pushed = (
        small[base + SEEKS * count : base + (SEEKS + 1) * count],
        small[base + PUSHED * count : base + (PUSHED + 1) * count],
    )
    for i in range(count):
        seeks[i] = 1.0 if everyone else pushed[i]
    for kind in range(3):
        value = base + (3 if kind == 2 else kind) * count
        end, end_slope = small[value : value + count], small[value + count : value + 2 * count]
        value += BEGAN * count
        start, slope = small[value : value + count], small[value + count : value + 2 * count]
        value = base + (HIGHEST + kind) * count
        highest = small[value : value + count]
        for i in range(count):
            chord, rise, end_rise = end[i] - start[i], t * slope[i], t * end_slope[i]
            steep = max(abs(rise), abs(end_rise))
            one_way = (rise * chord >= 0.0) & (end_rise * chord >= 0.0) & (steep <= 3.0 * abs(chord))
            above = max(abs(start[i]), abs(end[i])) + LEAVES_ENDS * steep > highest[i]
            seeks[i] += int((abs(end[i]) > highest[i]) | (above & (not one_way)))


def lay_margins(modes: Matrix, floors: Matrix, small: Vector) -> None:
    """Lay out how far the free part of each mode leaves curves, as multiples of `swing`, √(w′² + ω²w²) with w = q̈.

    The swing never grows in flight. Six columns of modes from LEAVING on take

    - 0, 1, 2: amplitudes of displacement, velocity and acceleration per swing, times the largest |shape| of the mode;
    - 3, 4: the largest sixth derivative of a free vibration over its amplitude, by 14400, and the fourth by 144 (see
      `peak_search.sextic_hull` and `quartic_hull`);
    - 5: ω + 2σ [1/s].
    """
    many = modes.shape[0]
    at = column_at(LEAVING, many)
    for k in range(many):
        omega, twice = modes[k, OMEGA], modes[k, TWICE]
        top = 0.0
        for d in range(floors.shape[0]):
            if int(floors[d, FIRST]) <= k < int(floors[d, LAST]):
                top = max(top, abs(floors[d, SHAPE + k]))
        pace = omega if omega > 0.0 else twice
        before, size = 1.0, pace
        for n in range(1, 6):
            before, size = size, twice * size + omega * omega * before
            if n == 3:
                small[at + 4 * many + k] = size / 144.0
        small[at + 3 * many + k] = size / 14400.0
        small[at + 5 * many + k] = omega + twice
        more = 1.0 + twice / omega if omega > 0.0 else 1.0
        amplitude = top / pace if pace > 0.0 else 0.0
        for kind in (2, 1, 0):
            small[at + kind * many + k] = amplitude
            amplitude *= more / pace if pace > 0.0 else 0.0


def find_leeway(t: float, modes: Matrix, floors: Matrix, small: Vector) -> None:
    """Note how far quantities of buildings leave curves in a stretch of flight `t` long, from the present state.

    Seven columns from LEEWAY on take how far modes that turn little leave curves: 0 and 1 displacement and velocity
    quintics, 2 acceleration a cubic, 6 acceleration a quintic. Columns 3, 4 and 5 take how far the three leave any such
    curve in modes that turn far. Such a mode is no larger than its amplitude, and its share in the hull of the
    quintic no larger than 1 + 0.4·turn + 0.05·turn² amplitudes (`peak_search.quintic_hull`).
    """
    count, many = floors.shape[0], modes.shape[0]
    base, at = floor_columns_at(many), column_at(LEAVING, many)
    third = t * t * t
    start = 0
    while start < count:
        q0, q1, q2, c2, s0, s1, s2 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        for k in range(int(floors[start, FIRST]), int(floors[start, LAST])):
            row = modes[k]
            w = row[W]
            jerk = row[SLOPE] - row[TWICE] * w - row[SQUARE] * row[V]
            a, b = abs(jerk), row[OMEGA] * abs(w)
            swing = max(a, b) + OCTAGON * min(a, b)  # √(a² + b²), or up to 8 % more
            a0, a1, a2 = small[at + k], small[at + many + k], small[at + 2 * many + k]
            turn = t * small[at + 5 * many + k]
            if turn <= AMPLITUDE_TURN:
                sixth, fourth = third * third * small[at + 3 * many + k], third * t * small[at + 4 * many + k]
                q0 += a0 * (sixth * swing)
                q1 += a1 * (sixth * swing)
                q2 += a2 * (sixth * swing)
                c2 += a2 * (fourth * swing)
            else:
                size = swing * (2.0 + turn * (0.4 + 0.05 * turn))
                s0 += a0 * size
                s1 += a1 * size
                s2 += a2 * size
        stop = int(small[base + BLOCK_END * count + start])
        for d in range(base + LEEWAY * count + start, base + LEEWAY * count + stop):
            small[d], small[d + count], small[d + 2 * count] = q0, q1, c2
            small[d + 3 * count], small[d + 4 * count], small[d + 5 * count] = s0, s1, s2
            small[d + 6 * count] = q2
        start = stop


def near_peaks(t: float, modes: int, floors: Matrix, small: Vector) -> int:
    """Raise peaks by the ends of a stretch of flight `t` long; return how many may rise more inside: SEEKS says whose.

    Hardly any does: all are looked at side by side first, and nothing is written. Where one may rise, all are looked at
    again, one by one.
    """
    count, base = floors.shape[0], floor_columns_at(modes)
    columns = small[base : base + FLOOR_COLUMNS * count].reshape((FLOOR_COLUMNS, count))
    found, per_t = 0, 1.0 / t
    for i in range(count):
        found += int(seeks(i, t, per_t, columns) != 0)
    if found == 0:
        return 0
    found = 0
    for d in range(count):
        seen = seeks(d, t, per_t, columns)
        if seen >= RAISED:
            for kind in range(3):
                at = 3 if kind == 2 else kind
                raise_peak(d, kind, max(abs(columns[at, d]), abs(columns[BEGAN + at, d])), base, floors, small)
        columns[SEEKS, d] = seen % RAISED
        found += int(seen % RAISED > 0)
    return found


@side_by_side
def seeks(i: int, t: float, per_t: float, columns: Matrix) -> int:
    """Return which quantities of a degree of freedom may have a new peak inside a flight: 1, 2 and 4 added up.

    `per_t` is 1/t; RAISED is added where one has a new peak at an end.
    """
    u, v, w, y, change = columns[0, i], columns[1, i], columns[2, i], columns[3, i], columns[4, i]
    u0, v0, w0, y0 = columns[BEGAN, i], columns[BEGAN + 1, i], columns[BEGAN + 2, i], columns[BEGAN + 3, i]
    change0 = columns[BEGAN + 4, i]
    ramp = (w - y - w0 + y0) * per_t  # of the loads, linear in time
    far, fast, hard = max(abs(u0), abs(u)), max(abs(v0), abs(v)), max(abs(y0), abs(y))
    most, most_v, most_y = columns[HIGHEST, i], columns[HIGHEST + 1, i], columns[HIGHEST + 2, i]
    raised = (far > most) | (fast > most_v) | (hard > most_y)
    most, most_v, most_y = max(far, most), max(fast, most_v), max(hard, most_y)
    inside = sextic_hull(t, u0, v0, w0, u, v, w, columns[LEEWAY, i]) + columns[LEEWAY + 3, i]
    inside_v = sextic_hull(t, v0, w0, change0 + ramp, v, w, change + ramp, columns[LEEWAY + 1, i])
    inside_y = quartic_hull(t, y0, change0, y, change, columns[LEEWAY + 2, i])
    more = 1.0 + ROUNDING
    found = int(inside > more * most) + 2 * int(inside_v + columns[LEEWAY + 4, i] > more * most_v)
    return found + 4 * int(inside_y + columns[LEEWAY + 5, i] > more * most_y) + RAISED * int(raised)


def raise_peak(d: int, kind: int, most: float, base: int, floors: Matrix, small: Vector) -> None:
    """Raise a peak of a degree of freedom, in its row and in the column."""
    at = base + (HIGHEST + kind) * floors.shape[0] + d
    if most > small[at]:
        small[at] = most
        floors[d, PEAKS + kind] = most


def fill_start(d: int, modes: int, floors: Matrix, small: Vector) -> None:
    """Copy the state of a degree of freedom at the start of a stretch from the columns into NOW of its row."""
    at, count = floor_columns_at(modes) + BEGAN * floors.shape[0] + d, floors.shape[0]
    for j in range(STATE):
        floors[d, NOW + j] = small[at + j * count]


def keep_peaks(d: int, modes: int, floors: Matrix, small: Vector) -> None:
    """Copy the peaks of a degree of freedom from its row into the columns."""
    at, count = floor_columns_at(modes) + HIGHEST * floors.shape[0] + d, floors.shape[0]
    for j in range(3):
        small[at + j * count] = floors[d, PEAKS + j]
