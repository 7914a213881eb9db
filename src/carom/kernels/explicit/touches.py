"""From flight to contact: when in a stretch of flight the first contact closes, and how it begins.

A contact that began at δ = 0 without speed would stand still there. Its bodies therefore fly on until they overlap a
little, or until it shows that they only graze each other, by the rules of `event.slow_touches`.
"""

from carom.kernels.contact.collocation import TERMS
from carom.kernels.contact.impact_record import TINY_SPEED
from carom.kernels.contact.step import expand_mode
from carom.kernels.event.flight import series_at, series_crossing
from carom.kernels.event.slow_touches import MOST_CUTS, SLOW, is_gentle, presses, seems_at_rest, time_to_fly_on
from carom.kernels.explicit.flight import fly, move
from carom.kernels.explicit.rows import CROSSING, SURE_RATE
from carom.kernels.explicit.step_control import enter
from carom.kernels.explicit.sums import noise, overlap, reached
from carom.kernels.explicit.warp import agreed, anyone, contact_turns, meet, place, smallest, takes, turns
from carom.kernels.laws.power_law import overlap_scale, speed_scale
from carom.kernels.ledger import INSIDE, STEP, STEPS, TOLERANCE
from carom.kernels.rows import (
    CLOSED,
    EFFECTIVE_MASS,
    EXPANSION,
    GAP,
    NOISE,
    OPEN,
    Q_END,
    SCALE,
    SLOPE,
    SPEED,
    STATUS,
    TAYLOR,
    V_END,
    W_END,
    Q,
    V,
    W,
)
from carom.kernels.tables import Tables
from carom.kernels.types import Matrix, Vector, seldom, unit

NOBODY = -1
HARD_PULL = 100.0  # relative acceleration of bodies in flight [m/s²], up to which SURE_RATE holds
LEAST_FLIGHT = 1e-12  # shortest part of a stretch that is flown, as share of it: time has to go on


def look_ahead(t: float, length: float, modes: Matrix, contacts: Matrix) -> tuple[float, int]:
    """Return when in a stretch the first contact closes, or a released one opens, and which; −1: none.

    Every contact is searched over the whole stretch, and column CROSSING takes its time.
    """
    for turn in range(turns(modes.shape[0])):
        k = place(turn)
        if k < modes.shape[0]:
            expand_mode(modes[k], t, TERMS)
    meet()
    first = length
    for turn in range(contact_turns(contacts)):
        c = place(turn)
        if c < contacts.shape[0]:
            row = contacts[c]
            for p in range(TERMS):
                row[TAYLOR + p] = reached(c, modes, EXPANSION + p)
            row[TAYLOR] -= row[GAP]
            row[NOISE] = noise(c, row, modes)
            row[CROSSING] = series_crossing(1.0 if row[STATUS] == OPEN else -1.0, row, length)
            if row[CROSSING] >= 0.0:
                first = min(first, row[CROSSING])
    first = smallest(first)
    return first, crossing_by(0.0, first, NOBODY, contacts)


def crossing_by(begin: float, end: float, but: int, contacts: Matrix) -> int:
    """Return a contact, other than `but`, that closes or opens between two times of a stretch; −1: none."""
    whom = NOBODY
    for turn in range(contact_turns(contacts)):
        c = place(turn)
        if c < contacts.shape[0] and whom == NOBODY and c != but and begin <= contacts[c, CROSSING] <= end:
            whom = c
    return agreed(whom)


def surely_fast(at: float, dt: float, whom: int, row: Vector, modes: Matrix) -> bool:
    """Return whether a touch `at` this time of a stretch has speed, as its power series tells at once."""
    _, rate = series_at(row, at)
    pull = 2.0 * abs(row[TAYLOR + 2]) + (6.0 * abs(row[TAYLOR + 3]) + abs(reached(whom, modes, SLOPE))) * dt
    return bool(rate >= row[SURE_RATE] and pull <= HARD_PULL)


def speed_at_end(dt: float, whom: int, row: Vector, modes: Matrix) -> float:
    """Return a speed typical of an impact that would begin where the columns of the end are [m/s]."""
    pull = abs(reached(whom, modes, W_END)) + abs(reached(whom, modes, SLOPE)) * dt
    return max(speed_scale(row, row[EFFECTIVE_MASS], reached(whom, modes, V_END), pull), TINY_SPEED)


def stay_at_rest(t: float, at: float, left: float, dt: float, whom: int, row: Vector, modes: Matrix) -> bool:
    """Return whether bodies that touch `at` this time of a stretch are as near as rounding until it ends.

    The columns of the end hold the state at touch; where bodies seem to rest then, they take that at the end.
    """
    rest = left - at
    pull = abs(reached(whom, modes, W_END)) + abs(reached(whom, modes, SLOPE)) * dt
    depth = max(overlap(whom, row, modes, Q_END), 0.0)
    if not seems_at_rest(depth, reached(whom, modes, V_END), pull, rest, row[NOISE]):
        return False
    meet()
    move(t, left, modes)
    return bool(overlap(whom, row, modes, Q_END) <= row[NOISE])


def pressed_together(length: float, dt: float, modes: Matrix, contacts: Matrix) -> int:
    """Return a contact that has touched within `length` of a stretch and presses at its end, not by rounding alone.

    The columns of the end hold the state there; −1: none does.
    """
    found = NOBODY
    for turn in range(contact_turns(contacts)):
        c = place(turn)
        if c < contacts.shape[0] and found == NOBODY:
            row = contacts[c]
            touched = row[STATUS] == OPEN and 0.0 <= row[CROSSING] <= length
            if touched and presses(overlap(c, row, modes, Q_END), reached(c, modes, V_END), dt, row[NOISE]):
                found = c
    return agreed(found)


@seldom
def pass_slow_touch(
    t: float, at: float, left: float, dt: float, whom: int, tolerance: float, modes: Matrix, contacts: Matrix
) -> tuple[float, int]:
    """Return how far to fly in a stretch in which contact `whom` closes `at` that time, and which contact closes there.

    A touch with speed ends the flight. After one without, bodies fly on as long as no other contact closes, at most a
    small part of the contact's duration, and so far that they overlap little beside what its speed will make. Where
    they only brush each other, or are as near as rounding, they fly on until that is over.
    """
    row = contacts[whom]
    move(t, max(at, LEAST_FLIGHT * left), modes)
    speed = speed_at_end(dt, whom, row, modes)
    if reached(whom, modes, V_END) >= SLOW * speed:
        return at, whom
    depth, rate = max(overlap(whom, row, modes, Q_END), 0.0), reached(whom, modes, V_END)
    scale = overlap_scale(row, row[EFFECTIVE_MASS], speed)
    overrun = time_to_fly_on(depth, rate, reached(whom, modes, W_END), scale, speed, tolerance)
    if stay_at_rest(t, at, left, dt, whom, row, modes):
        overrun = left - at
    end = at
    for _ in range(MOST_CUTS):
        end = max(min(at + overrun, left), LEAST_FLIGHT * left)
        meet()
        move(t, end, modes)
        scale = overlap_scale(row, row[EFFECTIVE_MASS], speed_at_end(dt, whom, row, modes))
        if is_gentle(overlap(whom, row, modes, Q_END), scale, tolerance):
            break
        overrun *= 0.25
    sooner = end
    for turn in range(contact_turns(contacts)):
        c = place(turn)
        if c < contacts.shape[0] and c != whom and at <= contacts[c, CROSSING]:
            sooner = min(sooner, contacts[c, CROSSING])
    sooner = smallest(sooner)
    other = crossing_by(at, sooner, whom, contacts)
    meet()
    if other != NOBODY:
        return sooner, other
    return end, pressed_together(end, dt, modes, contacts)


def sure_rate(row: Vector) -> float:
    """Return the rate [m/s] above which a touch of bodies that are pulled by no more than HARD_PULL has speed."""
    return SLOW * max(speed_scale(row, row[EFFECTIVE_MASS], 0.0, HARD_PULL), TINY_SPEED)


def touch(now: float, dt: float, c: int, row: Vector, modes: Matrix) -> bool:
    """Enter the touch of contact `c` at time `now`, or that it is open again; return whether it was entered late.

    A rate that would move the overlap by less than rounding within a sample counts as none.
    """
    if row[STATUS] != OPEN:
        row[STATUS] = OPEN
        return False
    rate = reached(c, modes, V)
    pull = abs(reached(c, modes, W)) + abs(reached(c, modes, SLOPE)) * dt
    enter(now, rate if rate * dt > row[NOISE] else 0.0, pull, row)
    return bool(overlap(c, row, modes, Q) > INSIDE * row[SCALE] + row[NOISE])


@unit
def fly_to_touch(t: float, dt: float, begun: float, longest: float, tables: Tables) -> tuple[float, bool, bool]:
    """Fly from time `t` of a sample to its end, as far as series reach, or to the next touch.

    The sample began at time `begun` of the run; series reach over `longest`. Returns the time, whether a contact
    closed, and whether it did so too late.
    """
    modes, contacts, run = tables.modes, tables.contacts, tables.run
    left = min(dt - t, longest)
    length, whom = look_ahead(t, left, modes, contacts)
    if whom != NOBODY:
        run[STEPS] += 1.0
        row = contacts[whom]
        if row[STATUS] == OPEN and not surely_fast(length, dt, whom, row, modes):
            length, whom = pass_slow_touch(t, length, left, dt, whom, run[TOLERANCE], modes, contacts)
    length = max(length, LEAST_FLIGHT * left)
    fly(t, length, dt, tables)
    t = dt if length >= dt - t else t + length
    if whom == NOBODY:
        return t, False, False
    late = False
    if takes(whom):
        late = touch(begun + t, dt, whom, contacts[whom], modes)
    meet()
    row = contacts[whom]
    closed = row[STATUS] == CLOSED
    if closed:
        run[STEP] = min(run[STEP], row[SCALE] / row[SPEED])
    return t, closed, anyone(late)
