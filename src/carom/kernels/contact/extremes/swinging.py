"""True extremes inside a step in contact where modes are quick: they swing in ways that no nodes of the step tell.

The motion inside a solved step is known exactly: every mode moves freely from the start of the step and answers forces
that are quartics (`forced_modes`). Where bounds do not rule out a new peak, that motion is looked at in parts short
enough for the quickest mode that counts, and every crest is narrowed down. Forces in between are those of the law at
the overlaps found, which are far better known than a parabola knows a force; or of quartics (`inner_forces`).
"""

import math
from typing import NamedTuple

from carom.kernels.contact.extremes import columns as inside_columns
from carom.kernels.contact.extremes.columns import column_sum, lay_constants, look_columns, size_sum
from carom.kernels.contact.extremes.inner_forces import by_quartic, choose_inner
from carom.kernels.contact.forced_modes import mode_inside
from carom.kernels.contact.impact_record import chi_of, slopes_of
from carom.kernels.contact.open_contacts import ANSWERED, INSIDE_NODES, largest_force
from carom.kernels.contact.step_curves import elapsed
from carom.kernels.event.flight import overlap_of, rate_of
from carom.kernels.event.floor_bounds import keep_peaks
from carom.kernels.event.mode_columns import column_at
from carom.kernels.event.peak_search import column_of, cubic_crest
from carom.kernels.laws.power_law import force
from carom.kernels.rows import (
    BY_QUARTIC,
    CLOSED,
    CREST,
    CREST_FORCE,
    EXPANSION,
    FIRST,
    FREE_OVERLAP,
    LAST,
    LEVER,
    LOAD,
    NOW,
    OMEGA,
    PEAKS,
    Q_END,
    SHAPE,
    SIGMA,
    SLOPE,
    SOUGHT,
    SQUARE,
    STATE,
    STATUS,
    STEADY,
    TRIAL,
    TWICE,
    V_END,
    Q,
    V,
)
from carom.kernels.tables import Tables
from carom.kernels.types import Matrix, Vector, unit

# the two times for which states and forces are kept, and the first columns of the states there where modes are worked
# on one by one: q, q̇, q̈, −ω²q − 2σq̇ + constant load and its slope
PART_END = 0  # the end of a part of a step: TRIAL
BETWEEN = 1  # a time inside it
BETWEEN_STATE = EXPANSION
FORCES = FREE_OVERLAP  # forces of the contacts at both times, each with its slope in time
# how far a mode can leave its chords in a step: q, q̇, −ω²q − 2σq̇; while the states are not in use
LEAVES = EXPANSION

BOUNDS = inside_columns.PART_END  # nine columns of modes, while the states are not in use

PART_ANGLE = 0.5  # turn of the quickest mode that counts in a part of a step [rad]
FEWEST_PARTS = 4  # parts of a step, at least
MOST_PARTS = 2000  # parts of a step, at most
COUNTS = 1e-6  # share of a mode in a peak, above which its swings are looked at closely
TRIES = 8  # iterations that narrow a crest down, at most
INSIDE = 1e-6
"""Distance from the ends, as share of a step, where slopes are taken: at the very ends a law may have others."""
NEARBY = 0.2  # distance from the crest of a force, as part of a step, within which another quantity misses as much
NEAR = 1e-7  # rise that is left to a crest, as part of its size, below which a parabola gives the rest
FLAT = 1e-8  # rise that may be left in a crest, as part of a peak


def bound_swings(h: float, t: float, modes: Matrix, contacts: Matrix) -> None:
    """Bound how far every mode can leave its chords in a solved step that begins at time `t` of the sample."""
    for k in range(modes.shape[0]):
        row = modes[k]
        pushed = 0.0
        for c in range(contacts.shape[0]):
            if contacts[c, STATUS] == CLOSED:
                pushed += abs(contacts[c, LEVER + 2 * k + 1]) * largest_force(contacts[c])
        pushed *= INSIDE_NODES
        q, v = row[Q_END], row[V_END]
        w = row[LOAD] + row[SLOPE] * t - row[TWICE] * v - row[SQUARE] * q
        jerk = row[SLOPE] - row[TWICE] * w - row[SQUARE] * v
        omega = row[OMEGA]
        bend = abs(w) + h * math.sqrt(jerk * jerk + omega * omega * w * w) + ANSWERED * pushed
        far, fast = 0.125 * h * h * bend, 0.5 * h * bend
        if omega * h > 1.0 and row[SIGMA] <= omega:
            swing = abs(w) + abs(jerk) / omega + 2.0 * row[SIGMA] / omega * abs(w) + ANSWERED * pushed
            far, fast = min(far, 2.0 * swing / row[SQUARE]), min(fast, 2.0 * swing / omega)
        row[LEAVES], row[LEAVES + 1] = far, fast
        row[LEAVES + 2] = row[SQUARE] * far + row[TWICE] * fast


def parts_of(h: float, tables: Tables) -> int:
    """Return in how many parts a step must be looked at; none where bounds prove that no peak rises inside.

    SOUGHT tells which peaks of a degree of freedom may rise: 1, 2 and 4 added up.
    """
    modes, contacts, floors = tables.modes, tables.contacts, tables.floors
    many, most, sought = modes.shape[0], 0.0, False
    if tables.side_by_side:
        lay_bounds(modes, tables.small)
    for d in range(floors.shape[0]):
        floor = floors[d]
        high, fast, hard = (
            bounds_side_by_side(floor, many, tables.small) if tables.side_by_side else bounds(floor, modes)
        )
        for c in range(contacts.shape[0]):
            if contacts[c, STATUS] == CLOSED:
                hard += abs(floor[SHAPE + many + c]) * INSIDE_NODES * largest_force(contacts[c])
        floor[SOUGHT] = 1.0 if high > floor[PEAKS] else 0.0
        floor[SOUGHT] += 2.0 if fast > floor[PEAKS + 1] else 0.0
        floor[SOUGHT] += 4.0 if hard > floor[PEAKS + 2] else 0.0
        if floor[SOUGHT] > 0.0:
            most, sought = max(most, h * quickest_that_counts(floor, modes)), True
    if not sought:
        return 0
    return min(max(int(most / PART_ANGLE) + 1, FEWEST_PARTS), MOST_PARTS)


def bounds(floor: Vector, modes: Matrix) -> tuple[float, float, float]:
    """Bound |displacement|, |velocity| and |acceleration| of a degree of freedom in a step, contact forces left out."""
    u0, u1, v0, v1, y0, y1, far, fast, hard = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for k in range(int(floor[FIRST]), int(floor[LAST])):
        row, shape = modes[k], floor[SHAPE + k]
        u0, u1 = u0 + shape * row[Q_END], u1 + shape * row[Q]
        v0, v1 = v0 + shape * row[V_END], v1 + shape * row[V]
        y0 += shape * (row[STEADY] - row[SQUARE] * row[Q_END] - row[TWICE] * row[V_END])
        y1 += shape * (row[STEADY] - row[SQUARE] * row[Q] - row[TWICE] * row[V])
        size = abs(shape)
        far, fast, hard = far + size * row[LEAVES], fast + size * row[LEAVES + 1], hard + size * row[LEAVES + 2]
    return max(abs(u0), abs(u1)) + far, max(abs(v0), abs(v1)) + fast, max(abs(y0), abs(y1)) + hard


def lay_bounds(modes: Matrix, small: Vector) -> None:
    """Write what `bounds` adds up into columns."""
    many = modes.shape[0]
    at = column_at(BOUNDS, many)
    for k in range(many):
        row, place = modes[k], at + k
        small[place], small[place + many] = row[Q_END], row[Q]
        small[place + 2 * many], small[place + 3 * many] = row[V_END], row[V]
        small[place + 4 * many] = row[STEADY] - row[SQUARE] * row[Q_END] - row[TWICE] * row[V_END]
        small[place + 5 * many] = row[STEADY] - row[SQUARE] * row[Q] - row[TWICE] * row[V]
        for j in range(3):
            small[place + (6 + j) * many] = row[LEAVES + j]


def bounds_side_by_side(floor: Vector, many: int, small: Vector) -> tuple[float, float, float]:
    """Do what `bounds` does, from columns of `many` modes."""
    u0, u1 = column_sum(floor, BOUNDS, many, small), column_sum(floor, BOUNDS + 1, many, small)
    v0, v1 = column_sum(floor, BOUNDS + 2, many, small), column_sum(floor, BOUNDS + 3, many, small)
    y0, y1 = column_sum(floor, BOUNDS + 4, many, small), column_sum(floor, BOUNDS + 5, many, small)
    far, fast = size_sum(floor, BOUNDS + 6, many, small), size_sum(floor, BOUNDS + 7, many, small)
    hard = size_sum(floor, BOUNDS + 8, many, small)
    return max(abs(u0), abs(u1)) + far, max(abs(v0), abs(v1)) + fast, max(abs(y0), abs(y1)) + hard


def quickest_that_counts(floor: Vector, modes: Matrix) -> float:
    """Return the frequency of the quickest mode whose swings count in a peak of a degree of freedom [rad/s]."""
    most = 0.0
    for k in range(int(floor[FIRST]), int(floor[LAST])):
        row, size = modes[k], abs(floor[SHAPE + k])
        if row[OMEGA] > most and (
            size * row[LEAVES] > COUNTS * floor[PEAKS]
            or size * row[LEAVES + 1] > COUNTS * floor[PEAKS + 1]
            or size * row[LEAVES + 2] > COUNTS * floor[PEAKS + 2]
        ):
            most = row[OMEGA]
    return most


def look(kind: int, h: float, t: float, late: float, when: int, tables: Tables) -> None:
    """Write the states of all modes and the forces of the contacts `late` after the start of a step, at time `t`.

    `when` says which of the two times kept that is.
    """
    modes, contacts, forces = tables.modes, tables.contacts, FORCES + 2 * when
    if tables.side_by_side:
        look_columns(kind, h, t, late, inside_columns.PART_END + STATE * when, forces, tables)
        return
    state = BETWEEN_STATE if when == BETWEEN else TRIAL
    many = modes.shape[0]
    for k in range(many):
        row = modes[k]
        row[state], row[state + 1] = mode_inside(k, kind, h, t, late, modes, contacts)
        own = -row[SQUARE] * row[state] - row[TWICE] * row[state + 1]
        row[state + 2], row[state + 3] = row[LOAD] + row[SLOPE] * (t + late) + own, row[STEADY] + own
    for c in range(contacts.shape[0]):
        row = contacts[c]
        row[forces] = 0.0
        if row[STATUS] == CLOSED:
            if row[BY_QUARTIC] != 0.0:
                row[forces], row[forces + 1] = by_quartic(kind, h, late, row)
            else:
                overlap, rate = max(overlap_of(row, modes, state), 0.0), rate_of(row, modes, state + 1)
                row[forces] = force(row, chi_of(row, rate), overlap, math.sqrt(overlap), rate)
            for k in range(many):
                modes[k, state + 2] -= row[LEVER + 2 * k + 1] * row[forces]
    for k in range(many):
        row = modes[k]
        row[state + 4] = -row[SQUARE] * row[state + 1] - row[TWICE] * row[state + 2]
    for c in range(contacts.shape[0]):
        row = contacts[c]
        if row[STATUS] != CLOSED:
            row[forces + 1] = 0.0
        elif row[BY_QUARTIC] == 0.0:
            overlap, rate = max(overlap_of(row, modes, state), 0.0), rate_of(row, modes, state + 1)
            by_overlap, by_rate = slopes_of(row, chi_of(row, rate), overlap, math.sqrt(overlap), rate)
            climb = by_overlap * rate + by_rate * rate_of(row, modes, state + 2)
            row[forces + 1] = climb if math.isfinite(climb) else 0.0


def quantity(kind: int, when: int, floor: Vector, tables: Tables) -> tuple[float, float]:
    """Return displacement (kind 0), velocity (1) or absolute acceleration (2) of a degree of freedom, and its slope."""
    modes, contacts, forces = tables.modes, tables.contacts, FORCES + 2 * when
    value, slope = 0.0, 0.0
    many = modes.shape[0]
    if tables.side_by_side:
        at = inside_columns.PART_END + STATE * when + column_of(kind)
        value, slope = column_sum(floor, at, many, tables.small), column_sum(floor, at + 1, many, tables.small)
    else:
        at = (BETWEEN_STATE if when == BETWEEN else TRIAL) + column_of(kind)
        for k in range(int(floor[FIRST]), int(floor[LAST])):
            value += floor[SHAPE + k] * modes[k, at]
            slope += floor[SHAPE + k] * modes[k, at + 1]
    if kind == 2:
        for c in range(contacts.shape[0]):
            share = floor[SHAPE + many + c]
            value -= share * contacts[c, forces]
            slope -= share * contacts[c, forces + 1]
    return value, slope


class Part(NamedTuple):
    """A part of a step between whose ends a quantity has a crest: there its slopes have different signs."""

    begin: float
    """When it begins, after the start of the step [s]."""
    width: float
    """How long it is [s]."""
    x0: float
    """The quantity at its start."""
    d0: float
    """The slope of the quantity in time at its start."""
    x1: float
    """The quantity at its end."""
    d1: float
    """The slope at its end."""


@unit
def swinging_peaks(kind: int, h: float, t: float, tables: Tables) -> None:
    """Raise the peaks by what lies inside a step of length `h` from time `t` of the sample on.

    The columns of the end hold the state at its start, those of the present that at its end. Between its ends a
    quantity is largest at a crest: ends of parts need not be known well.
    """
    modes, contacts, floors = tables.modes, tables.contacts, tables.floors
    bound_swings(h, t, modes, contacts)
    parts = parts_of(h, tables)
    if parts == 0:
        return
    choose_inner(h, modes, contacts)
    if tables.side_by_side:
        lay_constants(t, modes, tables.small)
    first, last = INSIDE * h, (1.0 - INSIDE) * h
    part = (last - first) / parts
    look(kind, h, t, first, PART_END, tables)
    for d in range(floors.shape[0]):
        for which in range(3):
            if (int(floors[d, SOUGHT]) >> which) & 1 == 1:
                x0, d0 = quantity(which, PART_END, floors[d], tables)
                keep_left(which, x0, d0, floors[d])
    for i in range(parts):
        begin = first + i * part
        look(kind, h, t, begin + part, PART_END, tables)
        for d in range(floors.shape[0]):
            floor = floors[d]
            left = (floor[NOW], floor[NOW + 1], floor[NOW + 2], floor[NOW + 3], floor[NOW + 4])
            for which in range(3):
                if (int(floor[SOUGHT]) >> which) & 1 == 0:
                    continue
                x0, d0 = left[column_of(which)], left[column_of(which) + 1]
                x1, d1 = quantity(which, PART_END, floor, tables)
                peak = floor[PEAKS + which]
                if d0 * d1 < 0.0 and max(abs(x0), abs(x1)) + part * max(abs(d0), abs(d1)) > peak:
                    around = Part(begin, part, x0, d0, x1, d1)
                    best, at = narrowed(which, kind, h, t, around, peak, floor, tables)
                    if which == 2:
                        best += missed(kind, h, t, at, x0, floor, tables)
                    floor[PEAKS + which] = max(peak, best)
                keep_left(which, x1, d1, floor)
    if tables.side_by_side:
        for d in range(floors.shape[0]):
            keep_peaks(d, modes.shape[0], floors, tables.small)


def keep_left(which: int, value: float, slope: float, floor: Vector) -> None:
    """Keep a quantity at the left end of a part, and its slope, where NOW stands: that is written anew afterwards.

    The slope of the displacement stands where the velocity does.
    """
    at = NOW + column_of(which)
    floor[at], floor[at + 1] = value, slope


def narrowed(
    which: int, kind: int, h: float, t: float, part: Part, best: float, floor: Vector, tables: Tables
) -> tuple[float, float]:
    """Return the size of a quantity at its crest in a part of a step, and when that is; `best` is its peak so far."""
    begin, width, x0, d0, x1, d1 = part
    found, at = 0.0, begin
    for _ in range(TRIES):
        place = cubic_crest(x1 - x0, width * d0, width * d1)
        if not 1e-3 < place < 1.0 - 1e-3:
            place = 0.5
        at = begin + place * width
        look(kind, h, t, at, BETWEEN, tables)
        x, slope = quantity(which, BETWEEN, floor, tables)
        found = max(found, abs(x))
        if abs(slope) * width <= FLAT * best:
            break
        if (slope > 0.0) == (d0 > 0.0):
            begin, width, x0, d0 = at, begin + width - at, x, slope
        else:
            width, x1, d1 = at - begin, x, slope
    return found, at


def missed(kind: int, h: float, t: float, at: float, sign: float, floor: Vector, tables: Tables) -> float:
    """Return what a step misses of the size of an absolute acceleration `at` after its start; `sign` is its own.

    Steps are far better at their ends than within. Where a force is largest it was found by a step that ends there;
    what the force within misses of that, it misses nearby too.
    """
    total, many = 0.0, tables.modes.shape[0]
    for c in range(tables.contacts.shape[0]):
        row, share = tables.contacts[c], floor[SHAPE + many + c]
        if share != 0.0 and row[STATUS] == CLOSED and row[CREST] > 0.0:
            late = h * elapsed(kind, row[CREST])
            if abs(late - at) < NEARBY * h:
                look(kind, h, t, late, BETWEEN, tables)
                total -= share * (row[CREST_FORCE] - row[FORCES + 2 * BETWEEN])
    return total if sign > 0.0 else -total


def acceleration_at(kind: int, h: float, t: float, late: float, bend: float, floor: Vector, tables: Tables) -> float:
    """Return the size of an absolute acceleration at a crest about `late` after the start of a step [m/s²].

    `bend` is about the second derivative of the size there, below zero; two looks know it better. The crest is sought
    by Newton's method; an end of the step that is reached has been looked at before.
    """
    best, before, rose = 0.0, 0.0, math.inf
    if tables.side_by_side:
        lay_constants(t, tables.modes, tables.small)
    for _ in range(TRIES):
        look(kind, h, t, late, BETWEEN, tables)
        value, slope = quantity(2, BETWEEN, floor, tables)
        best = max(best, abs(value))
        rise = slope if value > 0.0 else -slope
        bend = bend_between(before, rose, late, rise, bend)
        more = -0.5 * rise * rise / bend
        if more <= NEAR * abs(value):
            return abs(value) + more + missed(kind, h, t, late, value, floor, tables)
        before, rose = late, rise
        late -= rise / bend
        if not 0.0 < late < h:
            return best
    return best


def bend_between(before: float, rose: float, now: float, rise: float, bend: float) -> float:
    """Return the second derivative of a quantity by its slopes at two times; `bend` where they do not tell a crest.

    A slope `rose` that is infinite stands for none.
    """
    if math.isfinite(rose) and (rise - rose) * (now - before) < 0.0:
        return (rise - rose) / (now - before)
    return bend
