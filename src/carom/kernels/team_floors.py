"""Degrees of freedom of a team: their states, and their true extremes in flight.

A thread has its own degrees of freedom, and looks for their extremes alone. Inside a stretch each quantity is taken for
the polynomial of degree eleven that has its value and five derivatives at both ends, which it leaves by no more than
(ωt)¹²/(2¹² 12!) of a mode's amplitude: 7e-11 of the quickest modes over the longest samples of this lane.
"""

from carom.kernels.peak_search import (
    CLOSE,
    CURVES,
    FINE,
    FINEST,
    ONE_CREST,
    PATIENCE,
    SIXTH,
    THIRD,
    UNKNOWN,
    cubic_crest,
    margin_of,
    nearer,
    quartic_hull,
    raise_largest,
    sextic_hull,
    summit,
    sways,
    verdict,
)
from carom.kernels.rows import (
    CHANGE,
    EXPANSION,
    MOST_BEND,
    MOST_JERK,
    NOW,
    PEAKS,
    Q_END,
    SLOPE,
    SQUARE,
    TWICE,
    W_END,
    Q,
    W,
)
from carom.kernels.team import anyone, meet, place, turns
from carom.kernels.team_rows import CHANGE_END, FIRST_MODE, LAST_MODE, LEEWAY, SHAPES
from carom.kernels.types import Matrix, Vector

SEVENTH = 1.0 / 7.0
TO_MIDDLE = 3.2  # what leaves a quintic by some share of s³(1 − s)³ has so much more in Bernstein's middle coefficient
TO_MIDDLE_OF_FOUR = 8.0 / 3.0  # the same of a cubic and s²(1 − s)²


def tell(floor: Vector, modes: Matrix, state: int) -> tuple[float, float, float, float, float]:
    """Return displacement, velocity, relative and absolute acceleration and its slope, of a degree of freedom.

    The states of the modes begin at column `state`.
    """
    u, speed, relative, absolute, change = 0.0, 0.0, 0.0, 0.0, 0.0
    k, last, shape = int(floor[FIRST_MODE]), int(floor[LAST_MODE]), SHAPES
    while k < last:
        row = modes[k]
        weight = floor[shape]
        u += weight * row[state]
        speed += weight * row[state + 1]
        relative += weight * row[state + 2]
        absolute += weight * row[state + 3]
        change += weight * row[state + 4]
        k += 1
        shape += 1
    return u, speed, relative, absolute, change


def put_now(floor: Vector, u: float, speed: float, relative: float, absolute: float, change: float) -> None:
    """Note the state of a degree of freedom."""
    floor[NOW], floor[NOW + 1], floor[NOW + 2], floor[NOW + 3], floor[NOW + 4] = u, speed, relative, absolute, change


def raise_peaks(floor: Vector, u: float, speed: float, absolute: float) -> None:
    """Raise the peaks of a degree of freedom by a state of it."""
    floor[PEAKS] = max(floor[PEAKS], abs(u))
    floor[PEAKS + 1] = max(floor[PEAKS + 1], abs(speed))
    floor[PEAKS + 2] = max(floor[PEAKS + 2], abs(absolute))


def note_floors(modes: Matrix, floors: Matrix) -> None:
    """Note the present state of all degrees of freedom."""
    for turn in range(turns(floors.shape[0])):
        d = place(turn)
        if d < floors.shape[0]:
            floor = floors[d]
            u, speed, relative, absolute, change = tell(floor, modes, Q)
            raise_peaks(floor, u, speed, absolute)
            put_now(floor, u, speed, relative, absolute, change)


def flight_peaks(t: float, dt: float, modes: Matrix, floors: Matrix) -> None:
    """Raise the peaks by the true extremes over a stretch of flight of length `t`, no longer than a sample `dt`."""
    find_leeway(dt, modes, floors)
    for turn in range(turns(floors.shape[0])):
        d = place(turn)
        if d < floors.shape[0]:
            floor = floors[d]
            u, speed, relative, absolute, change = tell(floor, modes, Q_END)
            raise_peaks(floor, u, speed, absolute)
            ramp = (relative - absolute - floor[NOW + 2] + floor[NOW + 3]) / t  # of its loads, linear in time
            sought = may_rise(t, u, speed, relative, absolute, change, ramp, floor)
            if sought > 0:
                raise_inside(sought, t, u, speed, relative, absolute, change, ramp, floor, modes)
            put_now(floor, u, speed, relative, absolute, change)


def find_leeway(dt: float, modes: Matrix, floors: Matrix) -> None:
    """Raise MOST_BEND and MOST_JERK by the present state in flight, and LEEWAY where one of them grew.

    In between, EXPANSION holds how far the modes leave their curves.
    """
    grew = False
    for turn in range(turns(modes.shape[0])):
        k = place(turn)
        if k < modes.shape[0]:
            row = modes[k]
            grew = grew or abs(row[W]) > row[MOST_BEND] or abs(row[SLOPE] + row[CHANGE]) > row[MOST_JERK]
    if not anyone(grew):
        return
    for turn in range(turns(modes.shape[0])):
        k = place(turn)
        if k < modes.shape[0]:
            raise_largest(modes[k])
            for kind in range(3):
                modes[k, EXPANSION + kind] = margin_of(CURVES + kind, dt, modes[k])
    meet()
    for turn in range(turns(floors.shape[0])):
        d = place(turn)
        if d < floors.shape[0]:
            floor = floors[d]
            first = int(floor[FIRST_MODE])
            for kind in range(3):
                margin = 0.0
                for k in range(first, int(floor[LAST_MODE])):
                    margin += abs(floor[SHAPES + k - first]) * modes[k, EXPANSION + kind]
                floor[LEEWAY + kind] = margin * (TO_MIDDLE_OF_FOUR if kind == 2 else TO_MIDDLE)
    meet()


def may_rise(
    t: float, u: float, speed: float, relative: float, absolute: float, change: float, ramp: float, floor: Vector
) -> int:
    """Return which quantities of a degree of freedom may have a new peak inside a flight, 1, 2 and 4 added up.

    NOW holds its state at the start; that at the end, a time `t` later, is given, and the slope of its load.
    """
    u0, speed0, relative0, absolute0, change0 = (
        floor[NOW],
        floor[NOW + 1],
        floor[NOW + 2],
        floor[NOW + 3],
        floor[NOW + 4],
    )
    found = 0
    if sextic_hull(t, u0, speed0, relative0, u, speed, relative, floor[LEEWAY]) > floor[PEAKS]:
        found += 1
    bend, end_bend = change0 + ramp, change + ramp
    if sextic_hull(t, speed0, relative0, bend, speed, relative, end_bend, floor[LEEWAY + 1]) > floor[PEAKS + 1]:
        found += 2
    if quartic_hull(t, absolute0, change0, absolute, change, floor[LEEWAY + 2]) > floor[PEAKS + 2]:
        found += 4
    return found


def four_more(twice: float, square: float, c2: float, c3: float) -> tuple[float, float, float, float]:
    """Return the terms four to seven of a mode's power series from the two before; `twice` is 2σt, `square` (ωt)²."""
    c4 = -0.25 * (twice * c3 + THIRD * square * c2)
    c5 = -0.2 * (twice * c4 + 0.25 * square * c3)
    c6 = -SIXTH * (twice * c5 + 0.2 * square * c4)
    return c4, c5, c6, -SEVENTH * (twice * c6 + SIXTH * square * c5)


def raise_inside(
    sought: int, t: float, u: float, speed: float, relative: float, absolute: float, change: float, ramp: float,
    floor: Vector, modes: Matrix,
) -> None:  # fmt: skip
    """Raise the peaks of the quantities sought by their extremes inside a stretch of flight; see `may_rise`.

    x0 to x7 are the terms of a quantity's power series in s = τ/t from the start of the stretch on, z0 to z7 those in
    1 − s from its end back; s0 to s4 are how far displacement and its derivatives leave their chords.
    """
    x4, x5, x6, x7, z4, z5, z6, z7 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    s0, s1, s2, s3, s4 = 0.0, 0.0, 0.0, 0.0, 0.0
    half, sixth = 0.5 * t * t, SIXTH * t * t * t
    k, last, shape = int(floor[FIRST_MODE]), int(floor[LAST_MODE]), SHAPES
    while k < last:
        row = modes[k]
        weight = floor[shape]
        jerk = row[SLOPE] + row[CHANGE]
        twice, square = t * row[TWICE], t * t * row[SQUARE]
        c4, c5, c6, c7 = four_more(twice, square, half * row[W], sixth * jerk)
        x4 += weight * c4
        x5 += weight * c5
        x6 += weight * c6
        x7 += weight * c7
        c4, c5, c6, c7 = four_more(-twice, square, half * row[W_END], -sixth * (row[SLOPE] + row[CHANGE_END]))
        z4 += weight * c4
        z5 += weight * c5
        z6 += weight * c6
        z7 += weight * c7
        bend, swing, second, third, fourth = sways(t, row[W], jerk, row)
        size = abs(weight)
        s0 += size * bend
        s1 += size * swing
        s2 += size * second
        s3 += size * third
        s4 += size * fourth
        k += 1
        shape += 1
    absolute0, change0 = floor[NOW + 3], floor[NOW + 4]
    x0, x1, x2, x3 = floor[NOW], t * floor[NOW + 1], half * floor[NOW + 2], sixth * (change0 + ramp)
    z0, z1, z2, z3 = u, -t * speed, half * relative, -sixth * (change + ramp)
    rate = 1.0 / t
    for kind in range(3):
        if (sought >> kind) & 1 == 1:
            floor[PEAKS + kind] = inner_peak(
                x0, x1, x2, x3, x4, x5, z0, z1, z2, z3, z4, z5, s0, t * s1, t * t * s2, floor[PEAKS + kind]
            )  # fmt: skip
        # its derivative is the next quantity, but for the load, which absolute accelerations are without
        x0, x1, x2, x3 = rate * x1, 2.0 * rate * x2, 3.0 * rate * x3, 4.0 * rate * x4
        x4, x5, x6 = 5.0 * rate * x5, 6.0 * rate * x6, 7.0 * rate * x7
        z0, z1, z2, z3 = -rate * z1, -2.0 * rate * z2, -3.0 * rate * z3, -4.0 * rate * z4
        z4, z5, z6 = -5.0 * rate * z5, -6.0 * rate * z6, -7.0 * rate * z7
        s0, s1, s2, s3 = s1, s2, s3, s4
        if kind == 1:
            x0, x1, z0, z1 = absolute0, t * change0, absolute, -t * change


def inner_peak(
    x0: float, x1: float, x2: float, x3: float, x4: float, x5: float, z0: float, z1: float, z2: float, z3: float,
    z4: float, z5: float, leaves: float, slope_leaves: float, bend_leaves: float, peak: float,
) -> float:  # fmt: skip
    """Return the peak of a quantity, raised by extremes inside a stretch of flight, which here has the length one.

    Given are the terms of its series at both ends, and how far it, its slope and its second derivative leave their
    chords. The method is that of `flight_peaks.search_parts`; samples are short here, and bounds hold for all of a
    stretch.
    """
    a0, a1, a2, a3, a4, a5 = towards(x0, x1, x2, x3, x4, x5)
    b0, b1, b2, b3, b4, b5 = towards(z0, z1, z2, z3, z4, z5)
    value, slope, bend = x0, x1, 2.0 * x2
    left, width, looks = 0.0, 1.0, 0
    while left < 1.0:
        looks += 1
        right = left + width
        end_value, end_slope, end_bend = z0, -z1, 2.0 * z2
        if right < 1.0:
            end_value, end_slope, end_bend = between(right, a0, a1, a2, a3, a4, a5, b0, b1, b2, b3, b4, b5)
        else:
            right, width = 1.0, 1.0 - left
        peak = max(peak, abs(end_value))
        part = width * width
        found = verdict(
            width, value, slope, bend, end_value, end_slope, end_bend, part * leaves, part * slope_leaves,
            part * bend_leaves, peak,
        )  # fmt: skip
        if found == UNKNOWN and looks < PATIENCE and width > FINEST:
            width *= 0.5
            continue
        if found == ONE_CREST:
            low, high, rising = left, right, slope > 0.0
            at = left + width * cubic_crest(end_value - value, width * slope, width * end_slope)
            for iteration in range(60):
                if iteration % 8 == 7 or not low < at < high:
                    at = 0.5 * (low + high)
                there, tilt, bow = between(at, a0, a1, a2, a3, a4, a5, b0, b1, b2, b3, b4, b5)
                peak = max(peak, abs(there))
                if abs(tilt) <= CLOSE * width * abs(bow) or high - low <= FINE * width:
                    peak = max(peak, summit(there, tilt, bow, high - low))
                    break
                at, low, high = nearer(at, low, high, (tilt > 0.0) == rising, tilt, bow)
        left, value, slope, bend = right, end_value, end_slope, end_bend
        width *= 2.0
    return peak


def towards(
    x0: float, x1: float, x2: float, x3: float, x4: float, x5: float
) -> tuple[float, float, float, float, float, float]:
    """Return the first terms in s of a series over (1 − s)⁶."""
    return (
        x0,
        x1 + 6.0 * x0,
        x2 + 6.0 * x1 + 21.0 * x0,
        x3 + 6.0 * x2 + 21.0 * x1 + 56.0 * x0,
        x4 + 6.0 * x3 + 21.0 * x2 + 56.0 * x1 + 126.0 * x0,
        x5 + 6.0 * x4 + 21.0 * x3 + 56.0 * x2 + 126.0 * x1 + 252.0 * x0,
    )


def between(
    s: float, a0: float, a1: float, a2: float, a3: float, a4: float, a5: float, b0: float, b1: float, b2: float,
    b3: float, b4: float, b5: float,
) -> tuple[float, float, float]:  # fmt: skip
    """Return (1 − s)⁶ Σ a sᵖ + s⁶ Σ b (1 − s)ᵖ and its first two derivatives."""
    r = 1.0 - s
    a, slope_a, bend_a = five(s, a0, a1, a2, a3, a4, a5)
    b, slope_b, bend_b = five(r, b0, b1, b2, b3, b4, b5)
    r4, s4 = r * r * r * r, s * s * s * s
    return (
        r4 * r * r * a + s4 * s * s * b,
        r4 * r * (r * slope_a - 6.0 * a) - s4 * s * (s * slope_b - 6.0 * b),
        r4 * (r * (r * bend_a - 12.0 * slope_a) + 30.0 * a) + s4 * (s * (s * bend_b - 12.0 * slope_b) + 30.0 * b),
    )


def five(
    s: float, a0: float, a1: float, a2: float, a3: float, a4: float, a5: float
) -> tuple[float, float, float]:
    """Return a polynomial of degree five and its first two derivatives."""
    value = a0 + s * (a1 + s * (a2 + s * (a3 + s * (a4 + s * a5))))
    slope = a1 + s * (2.0 * a2 + s * (3.0 * a3 + s * (4.0 * a4 + s * 5.0 * a5)))
    bend = 2.0 * a2 + s * (6.0 * a3 + s * (12.0 * a4 + s * 20.0 * a5))
    return value, slope, bend
