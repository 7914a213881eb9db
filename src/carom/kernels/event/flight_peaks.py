"""True extremes of degrees of freedom in flight.

Peaks are kept of three quantities, which the kernels number: 0 displacement, 1 velocity, 2 absolute acceleration.

`begin_peaks` notes every state at the start of a stretch, `flight_peaks` raises the peaks at its end. Both ends of the
stretch count at once. What lies between them is searched only where a bound does not rule out a new peak: for
structures of few modes margins that hold for all stretches (`find_margins`), for buildings bounds of this stretch
(`floor_bounds`). The search itself is by power series for buildings in short stretches (`series_crests`), else by the
closed forms of the modes (`flight_search`).
"""

from carom.kernels.event.flight_search import inner_peaks
from carom.kernels.event.floor_bounds import fill_start, find_leeway, keep_peaks, near_peaks
from carom.kernels.event.floor_sums import SEEKS, floor_columns_at, floor_state, sum_all
from carom.kernels.event.mode_columns import LONG_ANGLE
from carom.kernels.event.peak_search import CURVES, exceeds, margin_of, may_rise, raise_largest
from carom.kernels.event.series_crests import series_crests
from carom.kernels.rows import (
    CURVE_MARGIN,
    LINES,
    LOAD,
    MARGIN,
    NOW,
    PEAKS,
    Q_END,
    SHAPE,
    SLOPE,
    SOUGHT,
    SPAN,
    SQUARE,
    STEADY,
    TWICE,
    Q,
)
from carom.kernels.tables import Tables
from carom.kernels.types import Matrix, Vector, side_by_side, unit

ABSOLUTE = 3  # within a state: the absolute acceleration, and behind it its slope


def fill_state(modes: Matrix, state: int, t: float) -> None:
    """Complete the states of modes that begin at column `state`: accelerations from displacements and velocities.

    `t` is the time of the sample. No contact force acts. Of a floor the absolute acceleration is

        Σ shape·(q̈ + participation·a_g) = Σ shape·(steady load − ω²q − 2σq̇),

    summed over its modes, where Σ shape·participation is 1 of all of them; of fewer it is what they carry.
    """
    for k in range(modes.shape[0]):
        row = modes[k]
        own = -row[SQUARE] * row[state] - row[TWICE] * row[state + 1]
        row[state + 2] = row[LOAD] + row[SLOPE] * t + own
        row[state + 3] = row[STEADY] + own
        row[state + 4] = -row[SQUARE] * row[state + 1] - row[TWICE] * row[state + 2]


@unit
def flight_peaks(begun: float, t: float, series_span: float, outgrown: bool, tables: Tables) -> None:
    """Raise the peaks by the true extremes over a stretch of flight of length `t` from time `begun` of the sample.

    NOW, or the columns of buildings, hold the states at the start of the stretch, and afterwards those at its end.
    `series_span` is the length of the longest stretch over which power series of the modes from both its ends meet [s];
    `outgrown` says whether a mode exceeds the accelerations for which margins hold (`peak_search.margins_outgrown`).
    """
    modes, floors, small = tables.modes, tables.floors, tables.small
    count = floors.shape[0]
    if tables.side_by_side:
        sum_all(Q_END, begun + t, modes, floors, small)
        building_peaks(begun, t, series_span, tables)
        return
    if outgrown or (count > 0 and t > floors[0, SPAN]):
        find_margins(t, modes, floors)
    sought = 0.0
    for d in range(count):
        sought += floor_peaks(d, t, tables)
    if sought > 0.0:
        inner_peaks(begun, t, tables)
        for d in range(count):
            u, speed, relative, absolute, change = floor_state(d, Q_END, tables)
            put_now(floors[d], u, speed, relative, absolute, change)


@side_by_side
def floor_peaks(d: int, t: float, tables: Tables) -> float:
    """Raise the peaks of a degree of freedom by both ends of a stretch of flight; return what is sought inside.

    That is 0 where margins prove that nothing rises there (SOUGHT); NOW then takes the state at the end.
    """
    floor = tables.floors[d]
    u, speed, relative, absolute, change = floor_state(d, Q_END, tables)
    raise_ends(floor, u, speed, absolute)
    floor[SOUGHT] = may_rise(t, u, speed, relative, absolute, change, floor)
    if floor[SOUGHT] == 0.0:
        put_now(floor, u, speed, relative, absolute, change)
    return floor[SOUGHT]


def building_peaks(begun: float, t: float, series_span: float, tables: Tables) -> None:
    """Raise the peaks of buildings by a stretch of flight, whose ends stand in the columns (`floor_sums`)."""
    modes, floors, small = tables.modes, tables.floors, tables.small
    many, count = modes.shape[0], floors.shape[0]
    find_leeway(t, modes, floors, small)
    if near_peaks(t, many, floors, small) == 0:
        return
    if t <= series_span:
        series_crests(begun, t, LONG_ANGLE * t / series_span, modes, floors, small)
        return
    for d in range(count):
        floors[d, SOUGHT] = small[floor_columns_at(many) + SEEKS * count + d]
        fill_start(d, many, floors, small)
    inner_peaks(begun, t, tables)
    for d in range(count):
        keep_peaks(d, many, floors, small)


def put_now(floor: Vector, u: float, speed: float, relative: float, absolute: float, change: float) -> None:
    """Note the state of a degree of freedom."""
    floor[NOW], floor[NOW + 1], floor[NOW + 2], floor[NOW + 3], floor[NOW + 4] = u, speed, relative, absolute, change


def find_margins(t: float, modes: Matrix, floors: Matrix) -> None:
    """Find how far degrees of freedom leave their chords in any stretch of flight no longer than `t`, or before.

    A margin is the sum over modes of |shape| times what each leaves its chord by at most, which follows from MOST_BEND
    and MOST_JERK. Where the present state of a mode exceeds these, they are raised well beyond it, so that they rarely
    have to be again. Only what these modes add to the margins is changed, unless the stretch is the longest yet.

    Columns LINES, which the search uses only later, take what a mode adds.
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


def begin_peaks(t: float, tables: Tables) -> None:
    """Note the state of every degree of freedom at the start of a stretch of flight, time `t` of the sample."""
    fill_state(tables.modes, Q, t)
    if tables.side_by_side:
        sum_all(Q, t, tables.modes, tables.floors, tables.small)
        return
    for d in range(tables.floors.shape[0]):
        u, speed, relative, absolute, change = floor_state(d, Q, tables)
        put_now(tables.floors[d], u, speed, relative, absolute, change)
