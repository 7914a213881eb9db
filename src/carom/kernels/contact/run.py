"""Contact from touch to separation: step after step, until all contacts are open or the sample ends.

`in_contact` is the loop. `take_stock` closes contacts that overlap and opens those that must not pull, `attempt` solves
the next step up to the first event in it, and a step that keeps the tolerance is accepted. Then forces, rates and
accelerations of the new state are written (`settle` of `present_state`, or `carry_on` where nothing happened at the end
of the step).
"""

from carom.kernels.contact.accept import accept
from carom.kernels.contact.collocation import END, FROM_TOUCH_2, FROM_TOUCH_4, PLAIN, POINTS, TO_PARTING_2, TO_PARTING_4
from carom.kernels.contact.events import (
    AT_ONCE,
    LEAD,
    MEET,
    NEARLY,
    NO_CONTACT,
    NOTHING,
    PART,
    PULL,
    SHORTEST,
    TOP,
    TURN,
    first_event,
    is_sure,
    land,
    least_force,
    look_at_ends,
    trial,
)
from carom.kernels.contact.extremes.floors import contact_peaks
from carom.kernels.contact.extremes.forces import find_crests, note_peaks
from carom.kernels.contact.extremes.swinging import swinging_peaks
from carom.kernels.contact.forced_modes import keep_start, lay_courses
from carom.kernels.contact.impact_record import TINY_SPEED, renew
from carom.kernels.contact.left_out import leaves_out, use_slack
from carom.kernels.contact.miss_weights import weigh_misses
from carom.kernels.contact.open_contacts import look_at_open, may_have_touched
from carom.kernels.contact.present_state import SURELY, accelerate, carry_on, settle, touch
from carom.kernels.contact.step import expand, terms_for
from carom.kernels.contact.step_curves import elapsed
from carom.kernels.contact.step_lengths import GATHERED, choose, grow, halve, refuse, rescale
from carom.kernels.endings import COMES_NEAR, FINISHED, NO_FAULT, NOT_FINITE, STEP_LIMIT, UNTRUSTED
from carom.kernels.event.flight import noise_of, overlap_of, rate_of
from carom.kernels.event.mode_columns import (
    FORCED_TERMS,
    FREE_POWERS,
    by_fours,
    expand_columns,
    long_terms,
    overlap_columns,
)
from carom.kernels.laws import power_law
from carom.kernels.laws.power_law import STIFFNESS
from carom.kernels.ledger import (
    CONTACT_WORK,
    DAMPING,
    FAULT,
    FREE_TERMS,
    INPUT,
    JUMPED,
    LETS_FLY,
    LIMIT,
    LONGEST,
    QUICK_MODES,
    QUICKEST,
    REJECTED,
    STEP,
    STEPS,
    TOLERANCE,
    end_contact,
    note_supply,
    watch_momentum,
)
from carom.kernels.rows import (
    AT_END,
    BEND,
    BOTTOM,
    BOTTOM_OVERLAP,
    CLOSED,
    CREST,
    CREST_FORCE,
    DEPTH,
    DIRECTION,
    EFFECTIVE_MASS,
    FOLLOWS_ABOVE,
    FORCE,
    LAST_STRIDE,
    LEVER,
    NOISE,
    OPEN,
    OVERLAP,
    PACE,
    PARTING_KIND,
    PEAK_OVERLAP,
    RATE,
    REACHABLE_SPEED,
    RECENT_SPEED,
    RELEASED,
    SAVED,
    SCALE,
    SPEED,
    STATUS,
    TAYLOR,
    TOP_RATE,
    TRIED_IN_VAIN,
    Q,
    V,
    W,
)
from carom.kernels.tables import Near, Tables
from carom.kernels.types import Matrix, Vector, unit

ROUNDING = 1e-4  # overlap that may be left where a contact parted, as part of the scale of its last impact
NOTHING_AT_ALL = 1e-6  # overlap that cannot be told from none, as part of the overlap that rounding may make
ROUGH = 1e-5  # tolerance from which on a polynomial through a step finds the largest overlap well enough
KEPT_SPEED = 0.9  # share of RECENT_SPEED that a contact which stands still keeps from step to step
KEPT_STICKING = 0.97  # the same for a contact that its damping holds at rest, as the guard on v0 may: no error moves it
LEAST_RECENT_SPEED = 2e-2  # share of the speed that an impact may have, below which RECENT_SPEED does not fade
MOST_AGAIN = 14  # doublings of a margin, at most: χ then follows a rate that is larger by 3e-3 of it
POLYNOMIAL_TURN = 0.5  # turn of the quickest mode in a step [rad] up to which polynomials tell its peaks
HOPELESS = 1e3  # error over the tolerance, beyond which it is no use to look for events in a step


@unit
def attempt(t: float, remaining: float, tables: Tables) -> tuple[int, float, float, int, int, int]:
    """Try the next step up to the first event in it.

    Returns kind, length (negative: failed), error, event, its contact, and the contact whose parting it aimed at.
    """
    modes, contacts, small, run = tables.modes, tables.contacts, tables.small, tables.run
    tolerance, wide = run[TOLERANCE], tables.side_by_side
    kind, length, parting = choose(remaining, contacts, run)
    farthest = min(2.0 * length, remaining, max(length, run[LONGEST]))  # a step aimed at a parting may grow that long
    if wide:
        terms = by_fours(long_terms(farthest * run[QUICKEST], tolerance))
        expand_columns(Q, t, FREE_POWERS, terms, modes, small)
        overlap_columns(FREE_POWERS, 0, contacts.shape[0], terms, modes.shape[0], contacts, small)
        run[FREE_TERMS] = terms
    else:
        expand(t, terms_for(farthest * run[QUICKEST], tolerance), modes, contacts)
    aim = parting
    event, whom = NOTHING, NO_CONTACT
    for c in range(contacts.shape[0]):
        contacts[c, TRIED_IN_VAIN] = 0.0
    look_at_open(wide and run[QUICK_MODES] == 0.0, modes, contacts)
    if parting != NO_CONTACT:
        event, whom = PART, parting
        length, error, found = land(PART, parting, kind, length, farthest, t, False, tables)
        if not found and length > 0.0:
            give_up(PART, contacts[parting])
            event, whom = NOTHING, NO_CONTACT
    else:
        error = trial(kind, length, t, False, tables)
    look_at_ends(kind, length, 0, contacts.shape[0], tables)
    for _ in range(2 * MEET * contacts.shape[0]):  # an event found may uncover an earlier one
        if length <= 0.0 or not 0.0 <= error <= HOPELESS * tolerance:
            break
        other, contact, when = first_event(kind, length, tolerance, event, whom, contacts)
        if other == NOTHING:
            break
        if other == PART and kind == PLAIN:
            kind = int(contacts[contact, PARTING_KIND])
        elif other == TOP and kind in (TO_PARTING_2, TO_PARTING_4):  # where they end, slopes in s are none
            kind = PLAIN
        full = length
        length, error, found = land(other, contact, kind, when, full, t, True, tables)
        look_at_ends(kind, length, 0, contacts.shape[0], tables)
        if length <= 0.0 or (found and (other != PULL or is_sure(PULL, contacts[contact], END))):
            event, whom = other, contact
        else:  # the step ends as before; or sooner: bodies that come nearer do not pull
            give_up(other, contacts[contact])
    return kind, length, error, event, whom, aim


def give_up(event: int, row: Vector) -> None:
    """Note that an event of a contact was sought in the step under way, and does not happen in it."""
    row[TRIED_IN_VAIN] = float(int(row[TRIED_IN_VAIN]) | (1 << event))


def sharpen(kind: int, length: float, t: float, tables: Tables) -> None:
    """Take crests inside a step from shorter steps that end there: a step is far better at its end than within."""
    contacts = tables.contacts
    part = kind if kind in (FROM_TOUCH_2, FROM_TOUCH_4) else PLAIN
    count = contacts.shape[0]
    for c in range(count):
        for i in range(TAYLOR - OVERLAP):
            contacts[c, SAVED + i] = contacts[c, OVERLAP + i]
    for c in range(count):
        row = contacts[c]
        if row[STATUS] != CLOSED:
            continue
        if row[CREST] > 0.0:
            h = length * elapsed(kind, row[CREST])
            if trial(part, h, t, True, tables) >= 0.0:
                row[CREST_FORCE] = row[AT_END]
        if row[BOTTOM] > 0.0 and tables.run[TOLERANCE] < ROUGH:
            h = length * elapsed(kind, row[BOTTOM])
            if trial(part, h, t, True, tables) >= 0.0:
                row[BOTTOM_OVERLAP] = row[OVERLAP + END]
    for c in range(count):
        for i in range(TAYLOR - OVERLAP):
            contacts[c, OVERLAP + i] = contacts[c, SAVED + i]


def take_stock(
    t: float, until: float, begun: float, modes: Matrix, contacts: Matrix, impacts: Matrix, run: Vector
) -> tuple[int, bool]:
    """Close contacts that overlap and have not just parted; open those that must not pull or have never pressed.

    Returns how many are closed, and whether any changed. Where a run may fly with dashpots between modes, these do not
    count (LETS_FLY).
    """
    closed = 0
    changed = False
    for c in range(contacts.shape[0]):
        row = contacts[c]
        if row[STATUS] == OPEN:
            overlap = overlap_of(row, modes, Q)
            if overlap > ROUNDING * row[SCALE] or (overlap >= 0.0 and presses(overlap, until, row, modes)):
                touch(c, begun + t, until, TINY_SPEED, row, modes, run)
                changed = True
        elif row[STATUS] == CLOSED and row[PACE] <= 0.0:
            pulls = row[power_law.TENSION] == 0.0 and row[FORCE] < least_force(run[TOLERANCE], row)
            if pulls or (
                row[DEPTH] <= 0.0
                and (never_pressed(row) or surely_parts(row) or overlap_of(row, modes, Q) <= -row[NOISE])
            ):
                end_contact(c, row[DEPTH] > row[NOISE], begun + t, row[PACE], row, impacts, run)
                changed = True
        elif row[STATUS] == CLOSED and row[PEAK_OVERLAP] > 0.0 and overlap_of(row, modes, Q) < -row[NOISE]:
            end_contact(c, False, begun + t, row[PACE], row, impacts, run)  # apart, though coming nearer again
            changed = True
        if row[STATUS] == CLOSED and (row[STIFFNESS] > 0.0 or run[LETS_FLY] == 0.0):
            closed += 1
    if changed:
        run[STEPS] += 1.0
        settle(t, modes, contacts)
    return closed, changed


def never_pressed(row: Vector) -> bool:
    """Return whether bodies that met without speed move apart again, and have overlapped by rounding only."""
    return bool(row[PACE] < 0.0 and row[BEND] <= 0.0 and row[PEAK_OVERLAP] <= row[NOISE])


def surely_parts(row: Vector) -> bool:
    """Return whether bodies move apart beyond rounding within the time of their impact.

    Contacts alike, such as those of both corners of a slab, part at the same moment: the step that ends at one of them
    leaves the other as near as rounding, and no step leads to a moment that is over.
    """
    return bool(row[PACE] < -SURELY * row[SPEED] and -row[PACE] * row[SCALE] > row[NOISE] * row[SPEED])


def presses(overlap: float, span: float, row: Vector, modes: Matrix) -> bool:
    """Return whether bodies that stand side by side come nearer, and not by rounding alone within a time `span`."""
    rate = rate_of(row, modes, V)
    return rate > 0.0 and max(overlap, rate * span) > NOTHING_AT_ALL * noise_of(row, modes)


def fade(row: Vector) -> None:
    """Let the speed that errors are counted in fade to that of the last steps."""
    kept = KEPT_SPEED if row[FOLLOWS_ABOVE] > row[RECENT_SPEED] else KEPT_STICKING
    lately = max(kept * row[RECENT_SPEED], LEAST_RECENT_SPEED * row[REACHABLE_SPEED])
    for i in range(POINTS):
        lately = max(lately, abs(row[RATE + i]))
    row[RECENT_SPEED] = lately


def stay_behind(again: int, row: Vector) -> None:
    """Let χ, which follows a rate that is largest now, follow it again only where the rate becomes larger still.

    How much larger doubles with every time `again` that this happened without a step between: a rate may rise while χ
    stays, and fall once χ follows.
    """
    by = 2.0 * NEARLY * 2.0 ** min(again, MOST_AGAIN)
    row[FOLLOWS_ABOVE] = max((1.0 + by) * row[FOLLOWS_ABOVE], NEARLY * TINY_SPEED)


def passed_on(row: Vector, other: Vector, modes: Matrix) -> float:
    """Return the speed that an impact in one contact may give to another that reads the same modes, `row`'s [m/s]."""
    answer = 0.0  # [1/kg]
    for k in range(modes.shape[0]):
        answer += abs(row[LEVER + 2 * k] * other[LEVER + 2 * k + 1])
    return min(1.0, 2.0 * other[EFFECTIVE_MASS] * answer) * other[SPEED]


def at_once(
    t: float, until: float, begun: float, event: int, whom: int, again: int, modes: Matrix, contacts: Matrix,
    impacts: Matrix, run: Vector,
) -> bool:  # fmt: skip
    """Let an event happen that would come before the next step begins; return whether a contact closed or opened.

    `again` counts how often that was so since the last step. A body that stands beside another and is pushed into it
    closes a contact that has neither overlap nor speed: its speed is then taken from the contacts that push the bodies.
    """
    row = contacts[whom]
    if event == TURN:
        row[DIRECTION] = -row[DIRECTION]
        return False
    if event == LEAD:
        row[FOLLOWS_ABOVE] = row[PACE]
        return False
    if event == TOP:
        renew(row, row[PACE])
        stay_behind(again, row)
        return False
    if event == MEET:
        fastest = TINY_SPEED
        for c in range(contacts.shape[0]):
            if contacts[c, STATUS] == CLOSED and contacts[c, STIFFNESS] > 0.0:
                fastest = max(fastest, passed_on(row, contacts[c], modes))
        touch(whom, begun + t, until, fastest, row, modes, run)
    else:
        inside = overlap_of(row, modes, Q) > row[NOISE]
        end_contact(whom, event == PULL and inside, begun + t, rate_of(row, modes, V), row, impacts, run)
    settle(t, modes, contacts)
    return True


@unit
def in_contact(
    t: float, until: float, begun: float, tables: Tables, whole: Tables, near: Near, impacts: Matrix
) -> tuple[float, int]:
    """Step closed contacts until the time `until` of the sample, or until all are open; return the time and a status.

    `begun` is the time at which the sample began. The contacts of `tables` are those of `whole`, or those `near` enough
    to be looked at; where others come near the status is COMES_NEAR.
    """
    modes, contacts, run, wide = tables.modes, tables.contacts, tables.run, tables.side_by_side
    settle(t, modes, contacts)
    note_supply(run)
    jumped, again, fresh = run[JUMPED] != 0.0, 0, True
    while t < until:
        closed, changed = take_stock(t, until, begun, modes, contacts, impacts, run)
        if closed == 0:
            return t, FINISHED
        if run[QUICK_MODES] > 0.0 and (fresh or changed):
            weigh_misses(run[STEP], tables)
            fresh = False
        if jumped or changed:  # a force that jumps is largest at once
            contact_peaks(0.0, PLAIN, t, 0, FORCE, tables)
            jumped = False
        if run[FAULT] != NO_FAULT:
            return t, UNTRUSTED
        if run[STEPS] + run[REJECTED] > run[LIMIT]:
            return t, STEP_LIMIT
        kind, length, error, event, whom, aim = attempt(t, until - t, tables)
        most = run[TOLERANCE]
        if aim != NO_CONTACT and contacts[aim, LAST_STRIDE] <= SHORTEST:
            most *= HOPELESS  # all that is left is an overlap of rounding
        if length <= 0.0 or not 0.0 <= error <= most:
            if error == AT_ONCE:
                jumped = at_once(t, until, begun, event, whom, again, modes, contacts, impacts, run) or jumped
                again += 1
            refuse(length, error, aim, contacts, run)
            if not run[STEP] > 1e-15 * until:
                return t, NOT_FINITE
            continue
        angle = length * run[QUICKEST]
        terms = by_fours(long_terms(angle, run[TOLERANCE])) if wide else terms_for(angle, run[TOLERANCE])
        but = whom if event == MEET else NO_CONTACT
        if run[QUICK_MODES] > 0.0:
            lay_courses(kind, contacts)
        if may_have_touched(kind, length, t, but, terms, modes, contacts, tables.pairs, run):
            halve(length, aim, contacts, run)
            continue
        if leaves_out(near) and use_slack(kind, length, until, tables, whole, near):
            return t, COMES_NEAR
        last, again = length >= until - t, 0
        grow(kind, length, error, last, event, whom, contacts, run)
        if find_crests(kind, contacts):
            sharpen(kind, length, t, tables)
        note_peaks(contacts)
        keep_start(modes)
        work, lost, taken = accept(kind, length, t, terms, tables)
        run[INPUT] += work
        note_supply(run)
        run[DAMPING] += lost
        run[CONTACT_WORK] += taken
        t = until if last else t + length
        accelerate(t, AT_END, modes, contacts)
        if run[QUICK_MODES] > 0.0 or (wide and kind != PLAIN and angle > POLYNOMIAL_TURN):
            swinging_peaks(kind, length, t - length, tables)
            contact_peaks(0.0, PLAIN, t, 0, AT_END, tables)
        else:
            inside = max(terms, by_fours(FORCED_TERMS)) if kind == PLAIN and wide else 0
            contact_peaks(length, kind, t, inside, AT_END, tables)
        jumped = event in (PART, PULL) or event == MEET
        if event in (PART, PULL):
            row, rate = contacts[whom], rate_of(contacts[whom], modes, V)
            watch_momentum(whom, rate, row[RATE + END], begun + t, row, run)
            inside = overlap_of(row, modes, Q) > row[NOISE]
            if event == PULL or rate <= 0.0 or not inside:  # bodies that still press do not part
                end_contact(whom, event == PULL and inside, begun + t, rate, row, impacts, run)
        elif event == TURN:  # at rest, where it goes is for the acceleration to say
            contacts[whom, DIRECTION] = 1.0 if rate_of(contacts[whom], modes, W) >= 0.0 else -1.0
        elif event == MEET and rate_of(contacts[whom], modes, V) > 0.0:
            touch(whom, begun + t, until, TINY_SPEED, contacts[whom], modes, run)
        firm = event == NOTHING
        for c in range(contacts.shape[0]):
            row = contacts[c]
            if row[STATUS] == RELEASED and overlap_of(row, modes, Q) <= row[NOISE]:
                row[STATUS] = OPEN
            elif row[STATUS] == CLOSED:
                if row[STIFFNESS] == 0.0:
                    row[SPEED] = max(row[SPEED], abs(row[RATE + END]))
                    row[RECENT_SPEED] = row[SPEED]
                elif abs(row[RATE + END]) > GATHERED * row[SPEED]:
                    rescale(abs(row[RATE + END]), row)  # others struck it: no error counts beside the new speed
                else:
                    fade(row)
                if row[TOP_RATE] > row[FOLLOWS_ABOVE]:
                    renew(row, row[TOP_RATE])
                    firm = False
                if event == TOP and c == whom:
                    stay_behind(0, row)
        if firm:
            carry_on(modes, contacts)
        else:
            settle(t, modes, contacts)
    run[JUMPED] = 1.0 if jumped else 0.0
    return t, FINISHED
