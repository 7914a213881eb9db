"""Degrees of freedom: their states, and their true extremes in flight.

A thread has its own degrees of freedom, and looks for their extremes alone.
"""

from carom.kernels.event.peak_search import (
    CURVES,
    SIXTH,
    margin_of,
    quartic_hull,
    raise_largest,
    sextic_hull,
    sways,
)
from carom.kernels.explicit.inner_peaks import Accelerations, Leaves, Terms, four_more, true_peak
from carom.kernels.explicit.rows import (
    BACKWARDS,
    CHANGE_END,
    FIRST_MODE,
    LAST_MODE,
    LEEWAY,
    ONWARDS,
    SHAPES,
    SWAYS,
)
from carom.kernels.explicit.warp import anyone, meet, place, turns
from carom.kernels.rows import (
    CHANGE,
    EXPANSION,
    MOST_BEND,
    MOST_JERK,
    NOW,
    OMEGA,
    PEAKS,
    Q_END,
    SLOPE,
    SQUARE,
    TWICE,
    W_END,
    Q,
    W,
)
from carom.kernels.types import Matrix, Vector, often, seldom

TO_MIDDLE = 3.2  # what leaves a quintic by some share of s³(1 − s)³ has so much more in Bernstein's middle coefficient
TO_MIDDLE_OF_FOUR = 8.0 / 3.0  # the same of a cubic and s²(1 − s)²


def floor_state(floor: Vector, modes: Matrix, state: int) -> tuple[float, float, float, float, float]:
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
            u, speed, relative, absolute, change = floor_state(floor, modes, Q)
            raise_peaks(floor, u, speed, absolute)
            put_now(floor, u, speed, relative, absolute, change)


def end_peaks(floors: Matrix) -> None:
    """Complete the peaks at the end of a run; a pair has them in the units of modes until then (`pairs.peaks`)."""


@often
def flight_peaks(t: float, dt: float, grew: bool, modes: Matrix, floors: Matrix) -> None:
    """Raise the peaks by the true extremes over a stretch of flight of length `t`, no longer than a sample `dt`.

    `grew` says whether the state of one of this thread's modes at its start exceeds MOST_BEND or MOST_JERK.
    """
    if anyone(grew):
        find_leeway(dt, modes, floors)
    written = False
    for turn in range(turns(floors.shape[0])):
        d = place(turn)
        u, speed, relative, absolute, change, ramp, sought = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0
        if d < floors.shape[0]:
            floor = floors[d]
            u, speed, relative, absolute, change = floor_state(floor, modes, Q_END)
            raise_peaks(floor, u, speed, absolute)
            ramp = (relative - absolute - floor[NOW + 2] + floor[NOW + 3]) / t  # of its loads, linear in time
            sought = may_rise(t, u, speed, relative, absolute, change, ramp, floor)
        if anyone(sought > 0):
            if not written:
                write_terms(t, modes)
                written = True
            if sought > 0:
                raise_inside(sought, t, u, speed, relative, absolute, change, ramp, floors[d], modes)
        if d < floors.shape[0]:
            put_now(floors[d], u, speed, relative, absolute, change)


def outgrown(modes: Matrix) -> bool:
    """Return whether the present state in flight of one of this thread's modes exceeds MOST_BEND or MOST_JERK."""
    grew = False
    for turn in range(turns(modes.shape[0])):
        k = place(turn)
        if k < modes.shape[0]:
            row = modes[k]
            grew = grew or abs(row[W]) > row[MOST_BEND] or abs(row[SLOPE] + row[CHANGE]) > row[MOST_JERK]
    return grew


@seldom
def find_leeway(dt: float, modes: Matrix, floors: Matrix) -> None:
    """Raise MOST_BEND and MOST_JERK well beyond the present state in flight, and LEEWAY with them.

    In between, EXPANSION holds how far the modes leave their curves.
    """
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


@seldom
def write_terms(t: float, modes: Matrix) -> None:
    """Write what `raise_inside` needs of the modes over a stretch of flight of length `t`, whatever they move."""
    half, sixth = 0.5 * t * t, SIXTH * t * t * t
    for turn in range(turns(modes.shape[0])):
        k = place(turn)
        if k < modes.shape[0]:
            row = modes[k]
            jerk, end_jerk = row[SLOPE] + row[CHANGE], row[SLOPE] + row[CHANGE_END]
            twice, square = t * row[TWICE], t * t * row[SQUARE]
            c4, c5, c6, c7 = four_more(twice, square, half * row[W], sixth * jerk)
            row[ONWARDS], row[ONWARDS + 1], row[ONWARDS + 2], row[ONWARDS + 3] = c4, c5, c6, c7
            c4, c5, c6, c7 = four_more(-twice, square, half * row[W_END], -sixth * end_jerk)
            row[BACKWARDS], row[BACKWARDS + 1], row[BACKWARDS + 2], row[BACKWARDS + 3] = c4, c5, c6, c7
            bend, swing, second, third, fourth = sways(t, row[W], jerk, row[OMEGA], row[SQUARE], row[TWICE])
            row[SWAYS], row[SWAYS + 1], row[SWAYS + 2], row[SWAYS + 3], row[SWAYS + 4] = (
                bend,
                swing,
                second,
                third,
                fourth,
            )
    meet()


@seldom
def raise_inside(
    sought: int, t: float, u: float, speed: float, relative: float, absolute: float, change: float, ramp: float,
    floor: Vector, modes: Matrix,
) -> None:  # fmt: skip
    """Raise the peaks of the quantities sought by their extremes inside a stretch of flight; see `may_rise`.

    Of the displacement, x4 to z7 are terms of its series as `true_peak` has them, added up from those of the modes.
    """
    x4, x5, x6, x7, z4, z5, z6, z7 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    s0, s1, s2, s3, s4 = 0.0, 0.0, 0.0, 0.0, 0.0
    half, sixth = 0.5 * t * t, SIXTH * t * t * t
    k, last, shape = int(floor[FIRST_MODE]), int(floor[LAST_MODE]), SHAPES
    while k < last:
        row = modes[k]
        weight = floor[shape]
        x4 += weight * row[ONWARDS]
        x5 += weight * row[ONWARDS + 1]
        x6 += weight * row[ONWARDS + 2]
        x7 += weight * row[ONWARDS + 3]
        z4 += weight * row[BACKWARDS]
        z5 += weight * row[BACKWARDS + 1]
        z6 += weight * row[BACKWARDS + 2]
        z7 += weight * row[BACKWARDS + 3]
        size = abs(weight)
        s0 += size * row[SWAYS]
        s1 += size * row[SWAYS + 1]
        s2 += size * row[SWAYS + 2]
        s3 += size * row[SWAYS + 3]
        s4 += size * row[SWAYS + 4]
        k += 1
        shape += 1
    while sought > 0:  # threads that look for different quantities go together
        kind = 0 if sought & 1 == 1 else 1 if sought & 2 == 2 else 2
        sought -= 1 << kind
        # worked out anew for every quantity: kept for the next one they would take a thread's registers
        onwards = Terms(
            floor[NOW], t * floor[NOW + 1], half * floor[NOW + 2], sixth * (floor[NOW + 4] + ramp), x4, x5, x6, x7
        )
        backwards = Terms(u, -t * speed, half * relative, -sixth * (change + ramp), z4, z5, z6, z7)
        leaves, ends = Leaves(s0, s1, s2, s3, s4), Accelerations(floor[NOW + 3], floor[NOW + 4], absolute, change)
        floor[PEAKS + kind] = true_peak(kind, floor[PEAKS + kind], t, onwards, backwards, leaves, ends)
