"""True extremes of degrees of freedom in a step in contact without quick modes.

The absolute acceleration of a degree of freedom is what its modes give by themselves, its own part, less the forces of
the contacts that push it: a = own − Σ share·F. The own part is smooth; forces are known at the ends and nodes of the
step. Ends count at once. Inside, a quantity is searched only where a polynomial through ends and nodes comes near a
peak: in plain steps of buildings by power series (`series_peaks`), else by the polynomial, which a closer look
replaces where it makes a new peak (`acceleration_crest`).
"""

import math
from typing import NamedTuple

from carom.kernels.contact.collocation import PLAIN, TIMES
from carom.kernels.contact.extremes.forces import force_within
from carom.kernels.contact.extremes.inner_forces import by_quartic, choose_inner
from carom.kernels.contact.extremes.swinging import NEAR, NEARBY, TRIES, acceleration_at, bend_between
from carom.kernels.contact.forced_modes import lay_courses
from carom.kernels.contact.impact_record import chi_of, closed_ones, slopes_of
from carom.kernels.contact.step_curves import (
    bend_at,
    crest,
    cubic,
    elapsed,
    quartic_at,
    quintic_extreme,
    velocity_extreme,
)
from carom.kernels.event.floor_bounds import cubic_may_rise, fill_start, keep_peaks, note_candidates
from carom.kernels.event.floor_sums import SEEKS, floor_columns_at, floor_state, sum_all
from carom.kernels.event.mode_columns import BACK_POWERS, force_from_end, forced_columns, overlap_columns
from carom.kernels.event.series_crests import fit, fitted, within
from carom.kernels.laws.power_law import force
from carom.kernels.rows import (
    AT_END,
    AT_NODES,
    BY_QUARTIC,
    CLOSED,
    CREST,
    CREST_FORCE,
    FORCE,
    NOW,
    PEAKS,
    SHAPE,
    STATUS,
    TAYLOR,
    Q,
)
from carom.kernels.tables import Tables
from carom.kernels.types import Matrix, Vector, unit

RECORD = 1.0 - 1e-3  # part of a peak, from which on a value of a polynomial through the nodes may be a new peak
LEAVES_NODES = 0.3
"""How far a quantity exceeds the largest of its nodes, as share of what it varies by in the step. A parabola does so by
0.09 at most, a whole sine by 0.27."""
DISPLACEMENT = PEAKS
VELOCITY = PEAKS + 1
ACCELERATION = PEAKS + 2


class Course(NamedTuple):
    """A quantity at the start of a step, at its three nodes and at its end."""

    start: float
    first: float
    middle: float
    last: float
    end: float


@unit
def contact_peaks(h: float, kind: int, t: float, terms: int, forces: int, tables: Tables) -> None:
    """Raise the peaks of degrees of freedom by a step of length `h`.

    NOW, or the columns of buildings, hold the states at its start, and afterwards those at its end; accelerations
    among them are without contact forces. Between the ends displacements are taken from Hermite's quintic;
    accelerations are known at the nodes, where the forces are, and velocities follow from them. Unless `terms` is
    zero, power series of so many terms from the end of the step, time `t` of the sample, replace the quintic, and
    where no contact pushes also the other two. With `h` = 0 only the present state counts. Column `forces` of the
    contacts holds the forces at the end.
    """
    modes, contacts, floors, small = tables.modes, tables.contacts, tables.floors, tables.small
    wide, many, count = tables.side_by_side, modes.shape[0], floors.shape[0]
    seeks = floor_columns_at(many) + SEEKS * count
    if wide:
        sum_all(Q, t, modes, floors, small)
        note_candidates(h, h > 0.0 and terms == 0, many, count, small)
    inside = False
    begins, ends = closed_ones(contacts)
    for d in range(count):
        if wide:
            if small[seeks + d] == 0.0:
                continue
            fill_start(d, many, floors, small)
        floor = floors[d]
        u, speed, relative, own, change = floor_state(d, Q, tables)
        pushed, alone = 0.0, True
        for c in range(begins, ends):
            share = floor[SHAPE + modes.shape[0] + c]
            if share != 0.0 and contacts[c, STATUS] == CLOSED:
                pushed += share * contacts[c, forces]
                alone = False
        end = own - pushed
        if wide:
            relative -= pushed
        floor[DISPLACEMENT] = max(floor[DISPLACEMENT], abs(u))
        floor[VELOCITY] = max(floor[VELOCITY], abs(speed))
        floor[ACCELERATION] = max(floor[ACCELERATION], abs(end))
        u0, speed0, relative0 = floor[NOW], floor[NOW + 1], floor[NOW + 2]
        if terms > 0:
            inside = inside or rises(0, h, u0, speed0, u, speed, floor)
        elif h > 0.0 and speed * speed0 < 0.0:
            most = quintic_extreme(u0, u, speed0, speed, relative0, relative, h)
            floor[DISPLACEMENT] = max(floor[DISPLACEMENT], most)
        if terms > 0 and alone:
            inside = inside or rises(1, h, speed0, relative0, speed, relative, floor)
            inside = inside or rises(2, h, floor[NOW + 3], floor[NOW + 4], own, change, floor)
        elif h > 0.0 and not (alone and calm(h, own, change, speed, floor)):
            start, first, middle, last = inner_accelerations(
                h, kind, own, change, 0, many, begins, ends, contacts, floor, small
            )
            course = Course(start, first, middle, last, end)
            most = max(abs(first), abs(middle), abs(last))
            hard = may_crest(course, floor[ACCELERATION])
            if max(abs(speed0), abs(speed)) + h * (most + abs(relative0 - start)) > floor[VELOCITY]:
                lag, turn = relative0 - start, relative - end - relative0 + start  # of the ground, linear in time
                first_relative = first + lag + turn * TIMES[kind, 0]
                middle_relative = middle + lag + turn * TIMES[kind, 1]
                last_relative = last + lag + turn * TIMES[kind, 2]
                most = velocity_extreme(
                    h, kind, speed0, speed, relative0, first_relative, middle_relative, last_relative, relative
                )  # fmt: skip
                if terms > 0:
                    inside = inside or most > RECORD * floor[VELOCITY]
                else:
                    floor[VELOCITY] = max(floor[VELOCITY], most)
            if hard and terms > 0:
                inside = True
            elif hard:
                most = acceleration_crest(h, kind, t - h, own, change, 0, course, floor, tables)
                floor[ACCELERATION] = max(floor[ACCELERATION], most)
        if wide:
            small[floor_columns_at(many) + 2 * count + d] = relative
            keep_peaks(d, many, floors, small)
        else:
            floor[NOW], floor[NOW + 1], floor[NOW + 2], floor[NOW + 3], floor[NOW + 4] = u, speed, relative, own, change
    if inside:
        series_peaks(h, t, terms, tables)


def may_crest(course: Course, peak: float) -> bool:
    """Return whether a quantity may be larger than `peak` inside a step.

    What is smooth exceeds the largest of its nodes by no more than a share of what it varies by.
    """
    start, first, middle, last, end = course
    most = max(start, first, middle, last, end)
    least = min(start, first, middle, last, end)
    return max(abs(first), abs(middle), abs(last)) + LEAVES_NODES * (most - least) >= RECORD * peak


def rises(kind: int, t: float, start: float, slope: float, end: float, end_slope: float, floor: Vector) -> bool:
    """Raise one peak by a quantity at both ends of a stretch; return whether one between them may raise it more."""
    highest = max(abs(start), abs(end))
    if highest > floor[PEAKS + kind]:
        floor[PEAKS + kind] = highest
    return cubic_may_rise(start, t * slope, end, t * end_slope, floor[PEAKS + kind])


def series_peaks(h: float, t: float, terms: int, tables: Tables) -> None:
    """Raise the peaks in a plain step by power series; SEEKS says whose."""
    modes, contacts, floors, small = tables.modes, tables.contacts, tables.floors, tables.small
    count = modes.shape[0]
    seeks = floor_columns_at(count) + SEEKS * floors.shape[0]
    forced_columns(h, t, terms, modes, contacts, small)
    choose_inner(h, modes, contacts)
    begins, ends = closed_ones(contacts)
    overlap_columns(BACK_POWERS, begins, ends, terms, count, contacts, small)
    for d in range(floors.shape[0]):
        if small[seeks + d] == 0.0:
            continue
        floor = floors[d]
        u, speed, relative, own, change = floor_state(d, Q, tables)
        if rises(0, h, floor[NOW], floor[NOW + 1], u, speed, floor):
            floor[DISPLACEMENT] = max(floor[DISPLACEMENT], within(0, h, u, speed, terms, floor, count, small))
        pushed, alone = 0.0, True
        f2, f3, f4 = 0.0, 0.0, 0.0
        for c in range(contacts.shape[0]):
            row, share = contacts[c], floor[SHAPE + count + c]
            if share != 0.0 and row[STATUS] == CLOSED:
                alone = False
                pushed += share * row[AT_END]
                _, _, second, third, fourth = force_from_end(h, row)
                f2, f3, f4 = f2 + share * second, f3 + share * third, f4 + share * fourth
        if rises(1, h, floor[NOW + 1], floor[NOW + 2], speed, relative, floor):
            floor[VELOCITY] = max(floor[VELOCITY], within(1, h, speed, relative, terms, floor, count, small))
        if alone:
            if rises(2, h, floor[NOW + 3], floor[NOW + 4], own, change, floor):
                most = within(2, h, own, change, terms, floor, count, small)
                floor[ACCELERATION] = max(floor[ACCELERATION], most)
        else:
            fit(2, True, own, change, terms, floor, count, small)
            small[2] += f2  # the series tells of all, and this is what contact forces leave out
            small[3] += f3
            small[4] += f4
            start, first, middle, last = inner_accelerations(
                h, PLAIN, own, change, terms, count, begins, ends, contacts, floor, small
            )
            course = Course(start, first, middle, last, own - pushed)
            if may_crest(course, floor[ACCELERATION]):
                most = acceleration_crest(h, PLAIN, t - h, own, change, terms, course, floor, tables)
                floor[ACCELERATION] = max(floor[ACCELERATION], most)
        keep_peaks(d, count, floors, small)


def calm(h: float, own: float, change: float, speed: float, floor: Vector) -> bool:
    """Return whether a degree of freedom that no contact pushes surely reaches no peak inside a step but at its ends.

    Hermite's cubic exceeds its ends by no more than a quarter of its steeper slope times the way.
    """
    speed0, relative0, own0, change0 = floor[NOW + 1], floor[NOW + 2], floor[NOW + 3], floor[NOW + 4]
    most = max(abs(own0), abs(own)) + 0.25 * h * max(abs(change0), abs(change))
    slow = max(abs(speed0), abs(speed)) + h * (most + abs(relative0 - own0)) <= floor[VELOCITY]
    return bool(slow and most < 0.95 * floor[ACCELERATION])


def own_within(s: float, h: float, own: float, change: float, terms: int, floor: Vector, small: Vector) -> float:
    """Return the acceleration without contact forces, a share `s` into a step.

    It is taken from its power series from the end, fitted before; without `terms` from Hermite's cubic from NOW to
    `own`, whose slope at the end is `change`.
    """
    if terms > 0:
        value, _, _ = fitted((s - 1.0) * h, terms - 2, small)
        return value
    return cubic(s, floor[NOW + 3], own, h * floor[NOW + 4], h * change)


def inner_accelerations(
    h: float, kind: int, own: float, change: float, terms: int, modes: int, begins: int, ends: int, contacts: Matrix,
    floor: Vector, small: Vector,
) -> tuple[float, float, float, float]:  # fmt: skip
    """Return the absolute acceleration at the start of a step and at its nodes [m/s²].

    Contacts from `begins` on push, up to that before `ends`.
    """
    start = floor[NOW + 3]
    first = own_within(TIMES[kind, 0], h, own, change, terms, floor, small)
    middle = own_within(TIMES[kind, 1], h, own, change, terms, floor, small)
    last = own_within(TIMES[kind, 2], h, own, change, terms, floor, small)
    for c in range(begins, ends):
        row = contacts[c]
        share = floor[SHAPE + modes + c]
        if share != 0.0 and row[STATUS] == CLOSED:
            start -= share * row[FORCE]
            first -= share * row[AT_NODES]
            middle -= share * row[AT_NODES + 1]
            last -= share * row[AT_NODES + 2]
    return start, first, middle, last


def acceleration_crest(
    h: float, kind: int, t: float, own: float, change: float, terms: int, course: Course, floor: Vector, tables: Tables
) -> float:
    """Return the largest |absolute acceleration| inside a step [m/s²], by the quartic through its ends and nodes.

    Where a force is largest all is known better: what the quartic misses there, it misses where it is largest itself.
    Where that makes a new peak, the motion inside the step tells it instead: by series where there are `terms`, else
    mode by mode. The step begins at time `t` of the sample.
    """
    start, first, middle, last, end = course
    contacts, small = tables.contacts, tables.small
    many = tables.modes.shape[0]
    sign = 1.0 if max(first, middle, last) > -min(first, middle, last) else -1.0
    place, top = crest(kind, sign * start, sign * first, sign * middle, sign * last, sign * end)
    best, nearest = top, 1.0
    for c in range(contacts.shape[0]):
        row = contacts[c]
        away = abs(row[CREST] - place)
        if row[STATUS] == CLOSED and row[CREST] > 0.0 and floor[SHAPE + many + c] != 0.0 and away < nearest:
            at = elapsed(kind, row[CREST])
            left = own_within(at, h, own, change, terms, floor, small) - floor[SHAPE + many + c] * row[CREST_FORCE]
            for other in range(contacts.shape[0]):
                share = floor[SHAPE + many + other]
                if other != c and contacts[other, STATUS] == CLOSED and share != 0.0:
                    left -= share * force_within(kind, row[CREST], contacts[other])
            there, _ = quartic_at(kind, row[CREST], sign * start, sign * first, sign * middle, sign * last, sign * end)
            best, nearest = sign * left + top - there, away
    if best > RECORD * floor[ACCELERATION] and 0.0 < place < 1.0:
        bend = bend_at(kind, place, h, sign * start, sign * first, sign * middle, sign * last, sign * end)
        if bend < 0.0 and terms > 0:
            return size_by_series(place, h, terms, bend, many, contacts, floor, small)
        if bend < 0.0:
            lay_courses(kind, contacts)
            choose_inner(h, tables.modes, contacts)
            return acceleration_at(kind, h, t, h * elapsed(kind, place), bend, floor, tables)
    return best


def size_by_series(
    s: float, h: float, terms: int, bend: float, many: int, contacts: Matrix, floor: Vector, small: Vector
) -> float:
    """Return the size of an absolute acceleration at its crest about a share `s` into a plain step [m/s²].

    What contact forces leave out is told by its power series, fitted before; forces by the law at overlaps that have
    series too. `bend` is about the second derivative of the size there; two looks know it better. By Newton's method;
    an end that is reached has been looked at before.
    """
    best, before, rose = 0.0, 0.0, math.inf
    for _ in range(TRIES):
        at = (s - 1.0) * h
        value, slope, _ = fitted(at, terms - 2, small)
        for c in range(contacts.shape[0]):
            row, share = contacts[c], floor[SHAPE + many + c]
            if share != 0.0 and row[STATUS] == CLOSED:
                load, climb = force_by_series(at, h, terms, row)
                value -= share * load
                slope -= share * climb
        best = max(best, abs(value))
        rise = slope if value > 0.0 else -slope
        bend = bend_between(before, rose, at, rise, bend)
        more = -0.5 * rise * rise / bend
        if more <= NEAR * abs(value):
            missed = missed_by_series(s, h, terms, many, contacts, floor)
            return abs(value) + more + (missed if value > 0.0 else -missed)
        before, rose = at, rise
        s -= rise / (bend * h)
        if not 0.0 < s < 1.0:
            break
    return best


def missed_by_series(s: float, h: float, terms: int, many: int, contacts: Matrix, floor: Vector) -> float:
    """Return what a plain step misses of an absolute acceleration inside, as `swinging.missed` does [m/s²]."""
    total = 0.0
    for c in range(contacts.shape[0]):
        row, share = contacts[c], floor[SHAPE + many + c]
        if share != 0.0 and row[STATUS] == CLOSED and row[CREST] > 0.0 and abs(row[CREST] - s) < NEARBY:
            load, _ = force_by_series((row[CREST] - 1.0) * h, h, terms, row)
            total -= share * (row[CREST_FORCE] - load)
    return total


def force_by_series(at: float, h: float, terms: int, row: Vector) -> tuple[float, float]:
    """Return the force of a contact and its slope in time, a time `at` from the end of a plain step.

    By the law at the overlap that its series in TAYLOR tells, or by the quartic (`inner_forces`).
    """
    if row[BY_QUARTIC] != 0.0:
        return by_quartic(PLAIN, h, h + at, row)
    overlap, rate, bend = fitted(at, terms, row[TAYLOR : TAYLOR + terms])
    overlap = max(overlap, 0.0)
    chi, root = chi_of(row, rate), math.sqrt(overlap)
    by_overlap, by_rate = slopes_of(row, chi, overlap, root, rate)
    climb = by_overlap * rate + by_rate * bend
    return force(row, chi, overlap, root, rate), climb if math.isfinite(climb) else 0.0
