"""True extremes inside a step in contact where modes are quick: they swing in ways that no nodes of the step tell.

The motion inside a solved step is known exactly: every mode moves freely from the start of the step and answers forces
that are quartics (`forced_modes`). Where bounds do not rule out a new peak, that motion is looked at in parts short
enough for the quickest mode that counts, and every crest is narrowed down. Forces in between are those of the law at
the overlaps found, which are far better known than a parabola knows a force.
"""

import math
from typing import NamedTuple

from carom.kernels.contact.forced_modes import lay_moments, mode_inside
from carom.kernels.contact.impact_record import chi_of, slopes_of
from carom.kernels.contact.open_contacts import ANSWERED, INSIDE_NODES, largest_force
from carom.kernels.contact.step_curves import elapsed
from carom.kernels.event.flight import overlap_of, rate_of
from carom.kernels.event.floor_bounds import keep_peaks
from carom.kernels.event.mode_columns import END_Q, carry_columns, column_at
from carom.kernels.event.peak_search import column_of, cubic_crest
from carom.kernels.laws.power_law import force
from carom.kernels.ledger import FREE_TERMS
from carom.kernels.rows import (
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
    QUICK,
    SHAPE,
    SIGMA,
    SLOPE,
    SOUGHT,
    SQUARE,
    STATUS,
    STEADY,
    TRIAL,
    TWICE,
    V_END,
    Q,
    V,
)
from carom.kernels.tables import Tables
from carom.kernels.types import Matrix, Vector

# states of the modes at two times, the end of a part and a time inside it: q, q̇, q̈, −ω²q − 2σq̇ + constant load and
# its slope
PART_END = TRIAL
BETWEEN = EXPANSION
# forces of the contacts then, each with its slope in time; overlap and rate at the time that is looked at
PART_END_FORCE = FREE_OVERLAP
BETWEEN_FORCE = FREE_OVERLAP + 2
SEEN_OVERLAP = FREE_OVERLAP + 4
SEEN_RATE = FREE_OVERLAP + 5
# how far a mode can leave its chords in a step: q, q̇, −ω²q − 2σq̇; while the states are not in use
LEAVES = EXPANSION

PART_ANGLE = 0.5  # turn of the quickest mode that counts in a part of a step [rad]
FEWEST_PARTS = 4  # parts of a step, at least
MOST_PARTS = 2000  # parts of a step, at most
COUNTS = 1e-6  # share of a mode in a peak, above which its swings are looked at closely
TRIES = 8  # iterations that narrow a crest down, at most
INSIDE = 1e-6
"""Distance from the ends, as share of a step, where slopes are taken: at the very ends a law may have others."""
NEARBY = 0.2  # distance from the crest of a force, as part of a step, within which another quantity misses as much
NEAR = 0.02  # distance from a crest, as part of a step, within which a parabola gives the rest
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


def parts_of(h: float, modes: Matrix, contacts: Matrix, floors: Matrix) -> int:
    """Return in how many parts a step must be looked at; none where bounds prove that no peak rises inside.

    SOUGHT tells which peaks of a degree of freedom may rise: 1, 2 and 4 added up.
    """
    many, most, sought = modes.shape[0], 0.0, 0.0
    for d in range(floors.shape[0]):
        floor, angle = floors[d], 0.0
        u0, u1, v0, v1, y0, y1, far, fast, hard = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        for k in range(int(floor[FIRST]), int(floor[LAST])):
            row, shape = modes[k], floor[SHAPE + k]
            u0, u1 = u0 + shape * row[Q_END], u1 + shape * row[Q]
            v0, v1 = v0 + shape * row[V_END], v1 + shape * row[V]
            y0 += shape * (row[STEADY] - row[SQUARE] * row[Q_END] - row[TWICE] * row[V_END])
            y1 += shape * (row[STEADY] - row[SQUARE] * row[Q] - row[TWICE] * row[V])
            a, b, c = abs(shape) * row[LEAVES], abs(shape) * row[LEAVES + 1], abs(shape) * row[LEAVES + 2]
            far, fast, hard = far + a, fast + b, hard + c
            turn = row[OMEGA] * h
            if turn > angle and (
                a > COUNTS * floor[PEAKS] or b > COUNTS * floor[PEAKS + 1] or c > COUNTS * floor[PEAKS + 2]
            ):
                angle = turn
        for c in range(contacts.shape[0]):
            if contacts[c, STATUS] == CLOSED:
                hard += abs(floor[SHAPE + many + c]) * INSIDE_NODES * largest_force(contacts[c])
        floor[SOUGHT] = 1.0 if max(abs(u0), abs(u1)) + far > floor[PEAKS] else 0.0
        floor[SOUGHT] += 2.0 if max(abs(v0), abs(v1)) + fast > floor[PEAKS + 1] else 0.0
        floor[SOUGHT] += 4.0 if max(abs(y0), abs(y1)) + hard > floor[PEAKS + 2] else 0.0
        if floor[SOUGHT] > 0.0:
            most, sought = max(most, angle), 1.0
    if sought == 0.0:
        return 0
    return min(max(int(most / PART_ANGLE) + 1, FEWEST_PARTS), MOST_PARTS)


def look(kind: int, h: float, t: float, late: float, state: int, forces: int, tables: Tables) -> None:
    """Write the states of all modes and the forces of the contacts `late` after the start of a step, at time `t`."""
    modes, contacts = tables.modes, tables.contacts
    many, terms = modes.shape[0], int(tables.run[FREE_TERMS])
    if tables.side_by_side:
        lay_moments(kind, h, late, terms, contacts)
        carry_columns(late, terms, many, contacts, tables.small)
    at = column_at(END_Q, many)
    for k in range(many):
        if tables.side_by_side and modes[k, QUICK] == 0.0:
            modes[k, state], modes[k, state + 1] = tables.small[at + k], tables.small[at + many + k]
        else:
            modes[k, state], modes[k, state + 1] = mode_inside(k, kind, h, t, late, modes, contacts)
    for k in range(many):
        row = modes[k]
        own = -row[SQUARE] * row[state] - row[TWICE] * row[state + 1]
        row[state + 2], row[state + 3] = row[LOAD] + row[SLOPE] * (t + late) + own, row[STEADY] + own
    for c in range(contacts.shape[0]):
        row = contacts[c]
        row[forces] = 0.0
        if row[STATUS] == CLOSED:
            overlap, rate = max(overlap_of(row, modes, state), 0.0), rate_of(row, modes, state + 1)
            row[forces] = force(row, chi_of(row, rate), overlap, math.sqrt(overlap), rate)
            row[SEEN_OVERLAP], row[SEEN_RATE] = overlap, rate
            for k in range(many):
                modes[k, state + 2] -= row[LEVER + 2 * k + 1] * row[forces]
    for k in range(many):
        row = modes[k]
        row[state + 4] = -row[SQUARE] * row[state + 1] - row[TWICE] * row[state + 2]
    for c in range(contacts.shape[0]):
        row = contacts[c]
        row[forces + 1] = 0.0
        if row[STATUS] == CLOSED:
            overlap, rate = row[SEEN_OVERLAP], row[SEEN_RATE]
            by_overlap, by_rate = slopes_of(row, chi_of(row, rate), overlap, math.sqrt(overlap), rate)
            climb = by_overlap * rate + by_rate * rate_of(row, modes, state + 2)
            row[forces + 1] = climb if math.isfinite(climb) else 0.0


def quantity(kind: int, state: int, forces: int, floor: Vector, modes: Matrix, contacts: Matrix) -> tuple[float, float]:
    """Return displacement (kind 0), velocity (1) or absolute acceleration (2) of a degree of freedom, and its slope."""
    value, slope = 0.0, 0.0
    at = state + (3 if kind == 2 else kind)
    for k in range(int(floor[FIRST]), int(floor[LAST])):
        value += floor[SHAPE + k] * modes[k, at]
        slope += floor[SHAPE + k] * modes[k, at + 1]
    if kind == 2:
        for c in range(contacts.shape[0]):
            share = floor[SHAPE + modes.shape[0] + c]
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


def swinging_peaks(kind: int, h: float, t: float, tables: Tables) -> None:
    """Raise the peaks by what lies inside a step of length `h` from time `t` of the sample on.

    The columns of the end hold the state at its start, those of the present that at its end. Between its ends a
    quantity is largest at a crest: ends of parts need not be known well.
    """
    modes, contacts, floors = tables.modes, tables.contacts, tables.floors
    bound_swings(h, t, modes, contacts)
    parts = parts_of(h, modes, contacts, floors)
    if parts == 0:
        return
    first, last = INSIDE * h, (1.0 - INSIDE) * h
    part = (last - first) / parts
    look(kind, h, t, first, PART_END, PART_END_FORCE, tables)
    for d in range(floors.shape[0]):
        for which in range(3):
            if (int(floors[d, SOUGHT]) >> which) & 1 == 1:
                x0, d0 = quantity(which, PART_END, PART_END_FORCE, floors[d], modes, contacts)
                keep_left(which, x0, d0, floors[d])
    for i in range(parts):
        begin = first + i * part
        look(kind, h, t, begin + part, PART_END, PART_END_FORCE, tables)
        for d in range(floors.shape[0]):
            floor = floors[d]
            for which in range(3):
                if (int(floor[SOUGHT]) >> which) & 1 == 0:
                    continue
                x0, d0 = left_of(which, floor)
                x1, d1 = quantity(which, PART_END, PART_END_FORCE, floor, modes, contacts)
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
    """Keep a quantity at the left end of a part, and its slope, where NOW stands: that is written anew afterwards."""
    at = NOW + column_of(which)
    floor[at], floor[at + 1] = value, slope


def left_of(which: int, floor: Vector) -> tuple[float, float]:
    """Return what `keep_left` keeps."""
    at = NOW + column_of(which)
    return floor[at], floor[at + 1]


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
        look(kind, h, t, at, BETWEEN, BETWEEN_FORCE, tables)
        x, slope = quantity(which, BETWEEN, BETWEEN_FORCE, floor, tables.modes, tables.contacts)
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
                look(kind, h, t, late, BETWEEN, BETWEEN_FORCE, tables)
                total -= share * (row[CREST_FORCE] - row[BETWEEN_FORCE])
    return total if sign > 0.0 else -total


def acceleration_at(kind: int, h: float, t: float, late: float, bend: float, floor: Vector, tables: Tables) -> float:
    """Return the size of an absolute acceleration at a crest about `late` after the start of a step [m/s²].

    `bend` is about the second derivative of the size there, below zero. Where the crest is not near it is sought by
    Newton's method; an end of the step that is reached has been looked at before.
    """
    best = 0.0
    for _ in range(TRIES):
        look(kind, h, t, late, BETWEEN, BETWEEN_FORCE, tables)
        value, slope = quantity(2, BETWEEN, BETWEEN_FORCE, floor, tables.modes, tables.contacts)
        best = max(best, abs(value))
        rise = slope if value > 0.0 else -slope
        if abs(slope) <= NEAR * h * abs(bend):
            found = abs(value) - 0.5 * slope * slope / bend
            return found + missed(kind, h, t, late, value, floor, tables)
        late -= rise / bend
        if not 0.0 < late < h:
            return best
    return best
