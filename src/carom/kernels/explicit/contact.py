"""Contacts from the first touch until all are open again, in explicit steps.

`in_contact` is the loop and its state machine, for one contact as for many, on a thread or on a warp. What one contact
would like of a step is in `step_control`, the step itself in `step`, or by hand for two modes in `pairs.step`.
"""

import math

from carom.kernels.contact.collocation import PLAIN
from carom.kernels.contact.events import LEAD, MEET, NOT_FOUND, NOTHING, PART, PULL, TOP, TURN, closing
from carom.kernels.contact.impact_record import TINY_SPEED, lets_go_below
from carom.kernels.contact.open_contacts import far_off, only_nears, stays_open
from carom.kernels.contact.run import NOTHING_AT_ALL
from carom.kernels.contact.step_lengths import GATHERED, rescale
from carom.kernels.endings import FINISHED, UNUSUAL
from carom.kernels.explicit.flight import arrive
from carom.kernels.explicit.histories import keeps
from carom.kernels.explicit.rows import (
    AIMED,
    BOUND,
    CHI,
    DEEPEST_HIT,
    END_BEND,
    END_CLIMB,
    END_DEPTH,
    END_FORCE,
    END_HELD,
    END_PACE,
    END_RESISTS,
    EVENT,
    FOLLOWING,
    GUARDED_HITS,
    HERE,
    HITS,
    LARGEST,
    LEAST,
    STEP_IMPULSE,
    STEP_WORK,
    SUM_OF_IMPULSES,
    THERE,
    WANTED,
    WHEN,
)
from carom.kernels.explicit.step import end_step, settle, stride
from carom.kernels.explicit.step_control import (
    GROWTH,
    SOON,
    choose,
    closer,
    enter,
    factor_for,
    fineness,
    first_event,
    follow,
    value_and_slope,
)
from carom.kernels.explicit.touches import NOBODY
from carom.kernels.explicit.warp import agreed, anyone, contact_turns, meet, place, smallest, takes
from carom.kernels.laws import power_law
from carom.kernels.laws.power_law import overlap_scale
from carom.kernels.ledger import (
    CONTACT_WORK,
    IMPACTS,
    INSIDE,
    LIMIT,
    RAPID,
    REJECTED,
    STEP,
    STEPS,
    TOLERANCE,
    was_guarded,
    write_line,
)
from carom.kernels.rows import (
    BEND,
    CLIMB,
    CLOSED,
    DEPTH,
    DIRECTION,
    EFFECTIVE_MASS,
    FOLLOWS_ABOVE,
    FORCE,
    HELD,
    IMPULSE,
    LAST_STRIDE,
    LOAD,
    NOISE,
    OPEN,
    PACE,
    PARTING_KIND,
    PEAK_FORCE,
    PEAK_OVERLAP,
    RELEASED,
    RESISTS,
    SCALE,
    SPEED,
    STATUS,
    STRIDE,
    WORK,
)
from carom.kernels.tables import Histories, Tables
from carom.kernels.types import Matrix, Vector, seldom, unit

TRUST = 2.0  # factor on the error of a plain step: errors of the steps of many impacts add up
CARE = 12.0  # factor on the error of a graded step, of which the estimate tells less
HOPELESS = 10.0  # error over the tolerance, beyond which it is no use to look for events in a step
PATIENCE = 200  # steps refused in one sample, for each contact, after which the run is left to the general engine
FORGIVEN = 4  # how many of them a step that is made good makes up for: a few are tried for every event
BEGUN = 0.2 * INSIDE  # overlap with which a contact may begin while others are closed, in units of its scale
EARLY = 1e-2  # length of a first step, as share of a typical contact, that is not shortened for the sake of a crest

UNPROVED = 7  # what may happen in a step: an open contact may have closed in it unseen


def count_impact(row: Vector) -> None:
    """Enter an impact in the book of its contact."""
    row[HITS] += 1.0
    row[SUM_OF_IMPULSES] += row[IMPULSE]
    row[LARGEST] = max(row[LARGEST], row[PEAK_FORCE])
    row[LEAST] = min(row[LEAST], row[WORK])
    row[DEEPEST_HIT] = max(row[DEEPEST_HIT], row[PEAK_OVERLAP] / row[SCALE])
    if was_guarded(row):
        row[GUARDED_HITS] += 1.0


def end_contact(c: int, released: bool, now: float, row: Vector, histories: Histories, run: Vector) -> None:
    """End the record of an impact; a contact `released` with an overlap closes again only after that has gone."""
    count_impact(row)
    if keeps(histories):
        write_line(int(run[IMPACTS]), c, 1.0, now, row[PACE], row, histories.impacts)
        run[IMPACTS] += 1.0
    row[STATUS] = RELEASED if released else OPEN


@seldom
def begin_contact(now: float, span: float, row: Vector) -> bool:
    """Enter a touch while others are closed; return whether it is entered late.

    A rate that would move the overlap by less than rounding within `span` [s] counts as none.
    """
    enter(now, row[PACE] if row[PACE] * span > row[NOISE] else 0.0, abs(row[BEND]), row)
    return bool(row[HERE] > INSIDE * row[SCALE] + row[NOISE])


def any_closed(contacts: Matrix) -> bool:
    """Return whether a contact is closed."""
    found = False
    for turn in range(contact_turns(contacts)):
        c = place(turn)
        if c < contacts.shape[0]:
            found = found or contacts[c, STATUS] == CLOSED
    return anyone(found)


def presses(span: float, row: Vector) -> bool:
    """Return whether bodies that stand side by side come nearer, and not by rounding alone within a time `span` [s]."""
    return bool(row[PACE] > 0.0 and max(row[HERE], row[PACE] * span) > NOTHING_AT_ALL * row[NOISE])


def settled_at_once(c: int, now: float, row: Vector, histories: Histories, run: Vector) -> bool:
    """Do to a closed contact what happens before the next step begins; return whether there was anything.

    A step that ends at an event of one contact may end just behind that of another.
    """
    way = row[DIRECTION]
    if row[PACE] <= 0.0:
        pulls = row[power_law.TENSION] == 0.0 and row[FORCE] < lets_go_below(run[TOLERANCE], row[CHI], row)
        if pulls or row[DEPTH] <= 0.0:
            end_contact(c, row[DEPTH] > row[NOISE], now, row, histories, run)
            return True
    elif row[PEAK_OVERLAP] > 0.0 and row[HERE] < -row[NOISE]:  # apart, though coming nearer again
        end_contact(c, False, now, row, histories, run)
        return True
    if row[FOLLOWING] > 0.0 and row[BEND] <= 0.0 < row[PACE]:
        follow(TOP, row)
        return True
    if row[FOLLOWING] <= 0.0 and row[PACE] > row[FOLLOWS_ABOVE]:
        follow(LEAD, row)
        return True
    if row[power_law.RESTITUTION_SHARE] != 1.0 and way * row[PACE] < 0.0:
        soon = math.sqrt(run[TOLERANCE]) * run[STEP]  # more than a step that ends at a turn may miss it by
        if way * row[BEND] <= 0.0 or abs(row[PACE]) > soon * abs(row[BEND]):
            row[DIRECTION] = -way
            return True
    return False


def at_once(now: float, span: float, contacts: Matrix, histories: Histories, run: Vector) -> tuple[bool, bool]:
    """End contacts that part or would pull already, begin those that press; settle whether χ follows the rate.

    `span` is the length of a sample [s]. Returns whether there were any, and whether one was entered late.
    """
    changed, late = False, False
    for turn in range(contact_turns(contacts)):
        c = place(turn)
        if c < contacts.shape[0]:
            row = contacts[c]
            if row[STATUS] == CLOSED:
                changed = settled_at_once(c, now, row, histories, run) or changed
            elif row[STATUS] == OPEN and row[HERE] >= 0.0 and presses(span, row):
                late = begin_contact(now, span, row) or late
                changed = True
    return anyone(changed), anyone(late)


def choose_together(remaining: float, contacts: Matrix, run: Vector) -> tuple[int, float, int, bool]:
    """Return kind and length of the next step, the contact it is to end at δ = 0, and whether one begins."""
    length, touch, begins = remaining, PLAIN, False
    for turn in range(contact_turns(contacts)):
        c = place(turn)
        if c < contacts.shape[0] and contacts[c, STATUS] == CLOSED:
            row = contacts[c]
            kind, h, aimed = choose(remaining, row, run)
            row[WANTED], row[AIMED] = h, 1.0 if aimed else 0.0
            length = min(length, h)
            if row[PEAK_OVERLAP] == 0.0:
                begins, touch = True, max(touch, kind)
    length = smallest(length)
    whom = NOBODY
    for turn in range(contact_turns(contacts)):
        c = place(turn)
        if c < contacts.shape[0] and contacts[c, STATUS] == CLOSED:
            row = contacts[c]
            if whom == NOBODY and row[AIMED] > 0.0 and row[WANTED] <= length:
                whom = c
    whom = agreed(whom)
    if anyone(begins):
        return -int(smallest(-float(touch))), length, whom, True
    return (PLAIN if whom == NOBODY else int(contacts[whom, PARTING_KIND])), length, whom, False


def comes_back(h: float, g0: float, pace: float, g1: float, end_pace: float) -> float:
    """Return about when in a step bodies that have just parted touch again: where the overlap last rises through zero.

    Overlap and rate are given at both ends, and the cubic between them is taken: by Newton's method from the end.
    """
    r0, r1 = h * pace, h * end_pace
    b = 3.0 * (g1 - g0) - 2.0 * r0 - r1
    a = r0 + r1 - 2.0 * (g1 - g0)
    s = 1.0
    for _ in range(4):
        slope = r0 + s * (2.0 * b + 3.0 * a * s)
        if slope <= 0.0:  # they have turned back already
            return 0.5 * h * s
        s = max(s - (g0 + s * (r0 + s * (b + s * a))) / slope, 0.0)
    return h * s


def touch_fineness(length: float, row: Vector) -> float:
    """Return how near to a touch a step must end, in its lengths: overlaps with which contacts begin are small ones."""
    scale = overlap_scale(row, row[EFFECTIVE_MASS], max(row[END_PACE], TINY_SPEED))
    return BEGUN * scale / (max(row[END_PACE], TINY_SPEED) * length)


def earliest(
    h: float, angle: float, tolerance: float, event_there: int, there: int, contacts: Matrix
) -> tuple[int, int, float]:
    """Return what happens first in a step that is tried, to which contact, and about when.

    `angle` is that of the quickest motion in the step. What happens to contact `there` at its end, `event_there`, has
    been located: the cubic between the ends might place it before what others do in the step, and hide that.
    """
    first = math.inf
    for turn in range(contact_turns(contacts)):
        c = place(turn)
        if c < contacts.shape[0]:
            row = contacts[c]
            event, when = NOTHING, math.inf
            if row[STATUS] == CLOSED:
                event, when = first_event(h, tolerance, row)
            elif row[STATUS] == OPEN:
                at = closing(h, row[HERE], row[PACE], row[THERE], row[END_PACE], 0.0)
                if row[HERE] >= 0.0 > row[PACE] and row[THERE] > 0.0:
                    at = NOT_FOUND  # they have just parted, and in a short step they may not yet be apart
                    if row[END_PACE] > 0.0 or row[THERE] > row[HERE]:
                        at = comes_back(h, row[HERE], row[PACE], row[THERE], row[END_PACE])
                if at != NOT_FOUND:
                    event, when = MEET, max(at, SOON * h)
                elif not far_off(h, row[BOUND], row[HERE], row[THERE]) and not stays_open(
                    h, row[BOUND], angle, False, row[HERE], row[PACE], row[THERE], row[END_PACE], row[NOISE]
                ):  # fmt: skip
                    event, when = UNPROVED, 0.5 * h
            elif row[STATUS] == RELEASED and not stays_open(
                h, row[BOUND], angle, True, -row[HERE], -row[PACE], -row[THERE], -row[END_PACE], row[NOISE]
            ):  # fmt: skip
                event, when = UNPROVED, 0.5 * h
            if c == there and event == event_there:
                when = h  # it is located
            row[EVENT], row[WHEN] = event, when if event != NOTHING else math.inf
            first = min(first, row[WHEN])
    first = smallest(first)
    whom = NOBODY
    for turn in range(contact_turns(contacts)):
        c = place(turn)
        if c < contacts.shape[0] and whom == NOBODY and contacts[c, EVENT] != NOTHING and contacts[c, WHEN] <= first:
            whom = c
    whom = agreed(whom)
    meet()
    return (NOTHING, NOBODY, h) if whom == NOBODY else (int(contacts[whom, EVENT]), whom, first)


def came_near(h: float, angle: float, row: Vector) -> bool:
    """Return whether a contact that closes at the end of a step surely had not closed in it before."""
    return only_nears(h, row[BOUND], angle, row[HERE], row[PACE], row[END_PACE], row[NOISE])


def falling(event: int, length: float, tolerance: float, row: Vector) -> tuple[float, float]:
    """Return what falls through zero at an event, at the end of a step that is tried, and how fast."""
    if event == MEET:
        return -row[THERE], -row[END_PACE]
    return value_and_slope(event, length, tolerance, row)


@seldom
def refuse(length: float, error: float, aimed: int, begins: bool, contacts: Matrix, run: Vector) -> None:
    """Shorten the next step of its kind after one that missed the tolerance."""
    run[REJECTED] += 1.0
    shrink = 0.3
    if error > run[TOLERANCE]:
        shrink = min(max(0.2, factor_for(error, run[TOLERANCE])), 0.8)
    if aimed != NOBODY:
        row = contacts[aimed]
        unit = row[SCALE] / row[SPEED]
        shorter = min(row[LAST_STRIDE], length / unit) * shrink
        run[STEP] = min(run[STEP], max(shorter * unit, 0.5 * length))
        meet()
        if takes(aimed):
            row[LAST_STRIDE] = shorter
    if begins:
        for turn in range(contact_turns(contacts)):
            c = place(turn)
            if c < contacts.shape[0]:
                row = contacts[c]
                if row[STATUS] == CLOSED and row[PEAK_OVERLAP] == 0.0:
                    row[STRIDE] = shrink * length * row[SPEED] / row[SCALE]
    elif aimed == NOBODY:
        run[STEP] = shrink * length


def grow(length: float, error: float, last: bool, event: int, whom: int, contacts: Matrix, run: Vector) -> None:
    """Choose the length of the next step of its kind after a good one; one that had to end somewhere says little."""
    run[STEPS] += 1.0
    factor = min(GROWTH, factor_for(error, run[TOLERANCE])) if error > 0.0 else GROWTH
    for turn in range(contact_turns(contacts)):
        c = place(turn)
        if c < contacts.shape[0]:
            row = contacts[c]
            parts = event == PART and c == whom
            begun = row[PEAK_OVERLAP] == 0.0 and event == NOTHING and not last
            if row[STATUS] == CLOSED and (parts or begun):
                strides = min(factor * length * row[SPEED] / row[SCALE], 4.0)
                if parts:
                    row[LAST_STRIDE] = max(row[LAST_STRIDE], strides)
                else:
                    row[STRIDE] = strides
    if last or event != NOTHING:
        run[STEP] = max(run[STEP], factor * length)
    else:
        run[STEP] = factor * length


def accept(kind: int, length: float, t: float, tables: Tables) -> None:
    """Enter a step in the books and make its end the present."""
    modes, contacts, run = tables.modes, tables.contacts, tables.run
    end_step(kind, length, t, tables)
    for turn in range(contact_turns(contacts)):
        c = place(turn)
        if c < contacts.shape[0]:
            row = contacts[c]
            row[PACE], row[BEND], row[HERE] = row[END_PACE], row[END_BEND], row[THERE]
            row[FORCE], row[CLIMB] = row[END_FORCE], row[END_CLIMB]
            if row[STATUS] == CLOSED:
                row[IMPULSE] += row[STEP_IMPULSE]
                row[WORK] += row[STEP_WORK]
                run[CONTACT_WORK] += row[STEP_WORK]
                row[DEPTH] = max(row[END_DEPTH], 0.0)
                row[HELD], row[RESISTS] = row[END_HELD], row[END_RESISTS]
                if abs(row[PACE]) > GATHERED * row[SPEED]:
                    rescale(abs(row[PACE]), row)  # others struck it: no error counts beside the new speed
            elif row[STATUS] == RELEASED and row[HERE] <= 0.0:
                row[STATUS] = OPEN
    meet()
    arrive(LOAD, modes)
    meet()


def happen(c: int, event: int, now: float, span: float, row: Vector, histories: Histories, run: Vector) -> bool:
    """Do to a contact what an event does; return whether it is a touch that is entered late."""
    comes = row[PACE] > 0.0  # bodies that come nearer do not pull, and those that press do not part
    if (event == PART and not (comes and row[HERE] > row[NOISE])) or (event == PULL and not comes):
        end_contact(c, event == PULL and row[DEPTH] > row[NOISE], now, row, histories, run)
    elif event == TURN:  # at rest, where it goes is for the acceleration to say
        row[DIRECTION] = 1.0 if row[BEND] >= 0.0 else -1.0
    elif event == LEAD or event == TOP:  # noqa: SIM109 a GPU would walk through a tuple
        follow(event, row)
    elif event == MEET and row[PACE] > 0.0:
        return begin_contact(now, span, row)
    return False


def too_early(kind: int, contacts: Matrix) -> bool:
    """Return whether the crest of a force lies so near its touch that the step must be shorter."""
    if kind == PLAIN:
        return False
    found = False
    for turn in range(contact_turns(contacts)):
        c = place(turn)
        if c < contacts.shape[0]:
            row = contacts[c]
            fresh = row[STATUS] == CLOSED and row[PEAK_OVERLAP] == 0.0
            found = found or (fresh and row[END_CLIMB] < 0.0 and row[STRIDE] > EARLY)
    return anyone(found)


@unit
def in_contact(
    t: float, until: float, begun: float, touched: bool, tables: Tables, histories: Histories
) -> tuple[float, bool, int]:
    """Step all until the time `until` of the sample or until the last contact opens; `touched`: one has just closed.

    Returns the time, whether a contact is still closed, and a status.
    """
    contacts, run = tables.contacts, tables.run
    tolerance, patience = run[TOLERANCE], PATIENCE * contacts.shape[0]
    refused = 0
    stale, fresh, begins, aimed = touched, True, False, NOBODY
    kind, event, whom, length, low, high = PLAIN, NOTHING, NOBODY, 0.0, 0.0, 0.0
    # every turn tries one step: a new one, or the last one again with another length, to end it at an event
    while True:
        if stale:  # forces have changed at once
            meet()
            settle(t, tables)
            stale = False
            if not any_closed(contacts):
                return t, False, FINISHED
        if t >= until:
            return t, True, FINISHED
        if fresh:
            stale, late = at_once(begun + t, until, contacts, histories, run)
            if late:
                return t, True, UNUSUAL
            if stale:
                continue
            if run[STEPS] + run[REJECTED] > run[LIMIT]:
                return t, True, UNUSUAL  # the general engine may need fewer, or says so
            kind, length, aimed, begins = choose_together(until - t, contacts, run)
            event, whom = PART if aimed != NOBODY else NOTHING, aimed
            low, high = 0.0, min(2.0 * length, until - t)
        error = (TRUST if kind == PLAIN else CARE) * stride(kind, length, t, tables)
        fresh = True
        if error <= tolerance or (event != NOTHING and error <= HOPELESS * tolerance):
            if event != NOTHING:
                value, slope = falling(event, length, tolerance, contacts[whom])
                if not (length >= high and value > 0.0):
                    fine = fineness(event, tolerance, contacts[whom])
                    if event == MEET:
                        fine = min(fine, touch_fineness(length, contacts[whom]))
                    better, low, high, found = closer(length, low, high, fine, value, slope)
                    if not found:
                        length, fresh = better, False
                        refused += 1
                        meet()
                        if refused > patience:
                            return t, True, UNUSUAL
                        continue
                else:
                    event, whom = NOTHING, NOBODY  # it does not come about in this step
            other, other_whom, when = earliest(length, length * run[RAPID], tolerance, event, whom, contacts)
            if other == UNPROVED or (event == MEET and not came_near(length, length * run[RAPID], contacts[whom])):
                refuse(length, 0.0, aimed, begins, contacts, run)
                refused += 1
                meet()
                if refused > patience:
                    return t, True, UNUSUAL
                continue
            if other != NOTHING and (other != event or other_whom != whom) and when < length:
                event, whom, high, low, length, fresh = other, other_whom, length, 0.0, when, False
                if event == PART and kind == PLAIN:
                    kind = int(contacts[whom, PARTING_KIND])
                meet()
                continue
        if too_early(kind, contacts):
            error = math.inf
        if not error <= tolerance:
            refuse(length, error, aimed, begins, contacts, run)
            refused += 1
            meet()
            if refused > patience:
                return t, True, UNUSUAL
            continue
        last = length >= until - t
        grow(length, error, last, event, whom, contacts, run)
        refused = max(refused - FORGIVEN, 0)
        accept(kind, length, t, tables)
        t = until if last else t + length
        if event != NOTHING:
            late = False
            if takes(whom):
                late = happen(whom, event, begun + t, until, contacts[whom], histories, run)
            if anyone(late):
                return t, True, UNUSUAL
            stale = True
