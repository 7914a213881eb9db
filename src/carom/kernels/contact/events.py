"""The events that may end a step in contact, and the step that ends just at an event.

At δ = 0 a contact separates. At δ̇ = 0 the law may have a kink. At F = 0 a contact that must not pull is released. An
open contact may close. Where χ follows the rate of a touch that gathers speed, the law has two more kinks: where that
begins and where it ends. A step must not go across any of these.

`first_event` finds the first event in a solved step, `land` repeats the step with other lengths until the event happens
at its end. That costs little, since the contact forces are the only unknowns of a step.
"""

import math

from carom.kernels.contact.collocation import END, PLAIN, POINTS, TANGENTS, TIMES, TO_PARTING_2, TO_PARTING_4
from carom.kernels.contact.impact_record import chi_of, lets_go_below
from carom.kernels.contact.quick_modes import add_quick
from carom.kernels.contact.ripple import ripple_error
from carom.kernels.contact.step import agree, form, guess, look_at, terms_for
from carom.kernels.contact.step_curves import crest, elapsed, time_slope
from carom.kernels.event.mode_columns import long_terms
from carom.kernels.laws import power_law
from carom.kernels.ledger import QUICK_MODES, QUICKEST, ROOM_AT, TOLERANCE
from carom.kernels.rows import (
    AT_END,
    AT_NODES,
    CLOSED,
    DEPTH,
    DIRECTION,
    FOLLOWS_ABOVE,
    FORCE,
    LAST_STRIDE,
    NOISE,
    OPEN,
    OVERLAP,
    PACE,
    PEAK_OVERLAP,
    RATE,
    SPEED,
    STATUS,
    TRIED_IN_VAIN,
)
from carom.kernels.tables import Tables
from carom.kernels.types import Matrix, Vector, unit

NO_CONTACT = -1

NOTHING = 0
PART = 1  # a contact separates at δ = 0
TURN = 2  # the direction changes, and with it the law
PULL = 3  # a contact without tension would pull
LEAD = 4  # the rate passes the one above which χ follows it
TOP = 5  # and is largest: from here on χ stays
MEET = 6  # an open contact closes

PLAIN_TRUST = 0.2  # factor on the error of a plain step: the quadrature is better than the parabola's misfit squared
GRADED_CARE = 4.0  # factor on the error of graded steps, which are less smooth than the estimate believes
BEYOND_SAVING = 2.0  # error over the tolerance, beyond which repeating a step with other lengths will not save it
SHORTEST = 1e-6  # length of a last step, in units of SCALE/SPEED, below which it is not shortened any more
SOON = 1e-6  # part of a step, within which an event counts as one before its start
ALMOST = 1e-3
"""Relative change of a step's length after which the next one of Newton's method would be its square. A parting counts
as found then; a touch is found finer, where the change is the square of this."""
CONVERGING = 0.05  # ratio of two changes by which Newton's method converges, unless an overlap only comes near zero
DIPPING = 0.5  # force at a node over the smaller one of both ends, below which a smaller one may hide beside the node
NOISY = 1e-6  # rate as part of the impact's speed, below which it may be rounding
NEARLY = 1e-7  # the same for a rate beside another one, or a time beside another one
EXACT = 1e-12  # relative change of a step's length at which an event counts as found
NOT_FOUND = -1.0  # stands for the time of an event that does not happen
AT_ONCE = -2.0  # stands for the error of a step before whose start the event would happen


@unit
def trial(kind: int, h: float, t: float, guessed: bool, tables: Tables) -> float:
    """Solve a step of this kind and length, from time `t` of the sample on; return its error, negative if it failed.

    `guessed` says whether the forces at the nodes hold a first guess already. Overlaps of open contacts are left to
    `look_at_ends`, except where modes are quick.
    """
    modes, contacts, pairs, run = tables.modes, tables.contacts, tables.pairs, tables.run
    quick = run[QUICK_MODES] > 0.0
    form(kind, h, terms_in(h, tables), quick, contacts, pairs)
    if quick:
        add_quick(kind, h, t, modes, contacts, pairs, tables.small)
    if not guessed:
        guess(kind, h, contacts)
    error = agree(kind, h, quick, contacts, pairs, tables.small[int(run[ROOM_AT]) :], run)
    if kind != PLAIN or error < 0.0:
        return GRADED_CARE * error
    error *= PLAIN_TRUST
    return max(error, ripple_error(h, modes, contacts)) if quick else error


def terms_in(h: float, tables: Tables) -> int:
    """Return how many terms the power series of a step have."""
    angle, tolerance = h * tables.run[QUICKEST], tables.run[TOLERANCE]
    return long_terms(angle, tolerance) if tables.side_by_side else terms_for(angle, tolerance)


def look_at_ends(kind: int, h: float, first: int, after: int, tables: Tables) -> None:
    """Write overlap and rate at the end of a solved step of those contacts from `first` to before `after` that are
    open."""
    if tables.run[QUICK_MODES] > 0.0:
        return  # `trial` did
    terms = 0
    for c in range(first, after):
        if tables.contacts[c, STATUS] != CLOSED:
            if terms == 0:
                terms = terms_in(h, tables)
            look_at(c, kind, h, END, POINTS, terms, tables.contacts, tables.pairs)


def value_at(event: int, kind: int, tolerance: float, row: Vector, point: int) -> float:
    """Return the function that falls through zero at the event, at a node or at the end of a solved step."""
    if event == TURN:
        return row[DIRECTION] * row[RATE + point]
    if event == PULL:
        return (row[AT_NODES + point] if point < END else row[AT_END]) - least_force(tolerance, row)
    if event == LEAD:
        return row[FOLLOWS_ABOVE] - row[RATE + point]
    if event == TOP:
        i = 1 + point
        if point == END and kind in (TO_PARTING_2, TO_PARTING_4):
            i = point  # there time stands still in s, and slopes are noise: that at the last node
        rise = TANGENTS[kind, i, 0] * row[PACE]
        for j in range(POINTS):
            rise += TANGENTS[kind, i, 1 + j] * row[RATE + j]
        return rise
    return row[OVERLAP + point] + row[NOISE] if event == PART else -row[OVERLAP + point]


def least_force(tolerance: float, row: Vector) -> float:
    """Return the force below which a contact without tension lets go in a step [N]."""
    return lets_go_below(tolerance, chi_of(row, row[PACE]), row)


def may_happen(event: int, row: Vector) -> bool:
    """Return whether this event can happen in a closed contact."""
    if event == TURN:
        return bool(row[power_law.RESTITUTION_SHARE] != 1.0)
    if event == LEAD:
        return bool(row[PACE] < (1.0 - NEARLY) * row[FOLLOWS_ABOVE] < row[FOLLOWS_ABOVE] < math.inf)
    if event == TOP:
        return bool((1.0 - NEARLY) * row[FOLLOWS_ABOVE] <= row[PACE])
    return event == PART or bool(row[power_law.TENSION] == 0.0)


def is_sure(event: int, row: Vector, point: int) -> bool:
    """Return whether a function below zero means its event, and is not rounding: the rate at that point decides."""
    if event in (LEAD, TOP):
        return bool(max(row[PACE], row[RATE + point]) > NOISY * row[SPEED])
    if event == TURN:
        return bool(abs(row[RATE + point]) > NEARLY * row[SPEED])
    least = NEARLY * row[SPEED] if row[PEAK_OVERLAP] == 0.0 else 0.0  # pressed by nothing yet, it leaves by noise alone
    return bool(row[RATE + point] < -least)


def was_in_vain(event: int, row: Vector) -> bool:
    """Return whether the step under way was to end at an event of a contact that did not come."""
    return bool((int(row[TRIED_IN_VAIN]) >> event) & 1)


def first_event(
    kind: int, h: float, tolerance: float, known: int, whose: int, contacts: Matrix
) -> tuple[int, int, float]:
    """Return the event that comes first in a solved step, its contact, and about when it happens.

    The step ends at event `known` of contact `whose`, which is left out, and so are events that were sought in vain.
    """
    event, whom, when = NOTHING, NO_CONTACT, h
    for c in range(contacts.shape[0]):
        row = contacts[c]
        if row[STATUS] == OPEN:
            if (known == MEET and c == whose) or was_in_vain(MEET, row):
                continue
            at = closing(h, row[DEPTH], row[PACE], row[OVERLAP + END], row[RATE + END], row[NOISE])
            if 0.0 <= at <= when:
                event, whom, when = MEET, c, at
        elif row[STATUS] == CLOSED:
            for candidate in range(PART, (TOP if row[FOLLOWS_ABOVE] < math.inf else PULL) + 1):
                if (candidate == known and c == whose) or was_in_vain(candidate, row):
                    continue
                if not may_happen(candidate, row):
                    continue
                before, last = 0.0, 0.0
                for i in range(POINTS):
                    value = value_at(candidate, kind, tolerance, row, i)
                    moment = h * TIMES[kind, i]
                    if value < 0.0 and is_sure(candidate, row, i):
                        share = last / (last - value) if last > 0.0 else 0.5
                        at = before + (moment - before) * share
                        if at < when or event == NOTHING:
                            event, whom, when = candidate, c, at
                        break
                    last = value
                    before = moment
                else:  # no node shows it
                    if candidate == PULL:
                        at = h * dips(kind, tolerance, row)
                        if at > 0.0 and (at < when or event == NOTHING):
                            event, whom, when = candidate, c, at
    return event, whom, when


def dips(kind: int, tolerance: float, row: Vector) -> float:
    """Return about when in a plain step a contact's force falls below zero between nodes, as a share of it; 0: never.

    It is then larger again at the end: one that only falls is seen there.
    """
    first, middle, last = row[AT_NODES], row[AT_NODES + 1], row[AT_NODES + 2]
    least = min(first, middle, last)
    if kind != PLAIN or row[RATE + 1] >= 0.0 or least > DIPPING * min(row[FORCE], row[AT_END]):
        return 0.0
    place, depth = crest(kind, -row[FORCE], -first, -middle, -last, -row[AT_END])
    return elapsed(kind, place) if 0.0 < place < 1.0 and -depth < least_force(tolerance, row) else 0.0


def closing(h: float, g0: float, pace: float, g1: float, end_pace: float, noise: float) -> float:
    """Return about when an overlap rises through zero in a step, or NOT_FOUND: it is a cubic between the ends.

    `noise` is what it may exceed zero by and still count as zero at the end.
    """
    r0, r1 = h * pace, h * end_pace
    if g0 >= 0.0 and r0 <= 0.0 and g1 < 0.0:
        return NOT_FOUND  # it has just parted
    if g1 >= noise:
        return h * g0 / (g0 - g1) if g0 < 0.0 else h
    if r0 > 0.0 > r1:
        b = 3.0 * (g1 - g0) - 2.0 * r0 - r1
        a = r0 + r1 - 2.0 * (g1 - g0)
        s = r0 / (r0 - r1)
        for _ in range(4):
            bend = 2.0 * b + 6.0 * a * s
            if bend != 0.0:
                s = min(max(s - (r0 + s * (2.0 * b + 3.0 * a * s)) / bend, 0.0), 1.0)
        least = noise if g0 >= 0.0 else 0.0  # bodies side by side that part come nearer by rounding alone
        if g0 + s * (r0 + s * (b + s * a)) > least:
            return h * s
    return NOT_FOUND


def slope_at_end(event: int, kind: int, h: float, row: Vector) -> float:
    """Return how fast the function of `value_at` falls at the end of a solved step, 0 where that is not known.

    Of an overlap it is the rate itself; of rates and forces, the slope of the quartic through ends and nodes.
    """
    if event == PART:
        return row[RATE + END]
    if event == MEET:
        return -row[RATE + END]
    if event == TOP or kind in (TO_PARTING_2, TO_PARTING_4):
        return 0.0
    start, points = (FORCE, AT_NODES) if event == PULL else (PACE, RATE)
    rise = TANGENTS[kind, POINTS, 0] * row[start]
    for j in range(POINTS):
        rise += TANGENTS[kind, POINTS, 1 + j] * row[points + j]
    rise /= h * time_slope(kind, 1.0)
    if event == TURN:
        return row[DIRECTION] * rise
    return rise if event == PULL else -rise


def land(
    event: int, whom: int, kind: int, at: float, high: float, t: float, guessed: bool, tables: Tables
) -> tuple[float, float, bool]:
    """Repeat a step until the event happens at its end; return its length or NOT_FOUND, its error, and whether it does.

    `at` is a first guess. Where the event does not happen before `high`, the step ends there.
    """
    row, tolerance = tables.contacts[whom], tables.run[TOLERANCE]
    start = at
    low, f_low, f_high = 0.0, 0.0, 0.0
    by_rate = event == PART or event == MEET  # the slope is known, and Newton's method at hand
    change = math.inf
    for iteration in range(60):
        error = trial(kind, at, t, guessed, tables)
        far_off = error > BEYOND_SAVING * tolerance and row[LAST_STRIDE] > SHORTEST
        if error < 0.0 or (not guessed and far_off):
            return NOT_FOUND, error, False
        guessed = True
        look_at_ends(kind, at, whom, whom + 1, tables)
        value = value_at(event, kind, tolerance, row, END)
        if value > 0.0:
            if at >= high:
                return at, error, False
            low, f_low = at, value
        else:
            high, f_high = at, value
            if high <= SOON * start and (event == TURN or low == 0.0):
                return NOT_FOUND, AT_ONCE, False
        bracketed = f_high < 0.0
        better = 0.5 * (low + high) if bracketed else high  # whether it comes at all is seen at the far end
        slope = slope_at_end(event, kind, at, row)
        steep = slope < 0.0
        if steep:
            better = at - value / slope
        elif not by_rate and f_low > 0.0 and bracketed and iteration % 4 != 3:
            steep = True
            better = (low * f_high - high * f_low) / (f_high - f_low)
        before, change = change, abs(better - at)
        fine = NEARLY if event == TOP else EXACT  # at a crest an error counts by its square
        if value == 0.0 or (steep and change <= fine * at) or (bracketed and high - low <= fine * at):
            return at, error, True
        if event == PART and steep and abs(value) <= row[NOISE]:  # where it was about to part, that is all there is
            return at, error, True
        near = (ALMOST if event == PART else ALMOST * ALMOST) * at
        if by_rate and steep and before <= near and change <= CONVERGING * before:
            return at, error, True
        if better >= high and not bracketed:
            better = high
        elif not low < better < high:
            better = 0.5 * (low + high)
        at = better
    return NOT_FOUND, 0.0, False
