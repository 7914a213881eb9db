"""Steps in contact of one contact: how long they are, which event ends them, and how they are shortened to end there.

What several contacts make of it together is in `contact`.
"""

import math

from carom.kernels.contact.collocation import PLAIN
from carom.kernels.contact.events import LEAD, MEET, NOTHING, PART, PULL, TOP, TURN
from carom.kernels.contact.impact_record import close, lets_go_below, renew
from carom.kernels.explicit.rows import (
    CHI,
    END_BEND,
    END_CLIMB,
    END_DEPTH,
    END_FORCE,
    END_PACE,
    FOLLOWING,
    LOWEST,
    LOWEST_AT,
)
from carom.kernels.laws import power_law
from carom.kernels.laws.power_law import damping_factor, force, force_slopes
from carom.kernels.ledger import LONGEST, STEP
from carom.kernels.rows import (
    BEND,
    CLIMB,
    DEPTH,
    DIRECTION,
    EFFECTIVE_MASS,
    FOLLOWS_ABOVE,
    FORCE,
    LAST_STRIDE,
    PACE,
    PARTING_KIND,
    PEAK_OVERLAP,
    SCALE,
    SPEED,
    STRIDE,
    TOUCH_KIND,
)
from carom.kernels.types import Vector, often, seldom

SAFETY = 0.8  # factor on the length that the error of the last step would allow
STRETCH = 1.05  # factor by which steps are stretched for fewer equal ones to end at the end of the sample
FEW = 3.0
"""How many equal steps are looked for at most. Of many the number would be a matter of rounding: where the step before
was one of them, and the next may be GROWTH times as long, what remains is often a whole number of these."""
GROWTH = 4.0  # largest ratio of the length of a step to that of the one before
NOISE = 1e-12  # rounding, as share
NEARLY = 1e-9  # excess over the largest rate so far, as share of it, that does not count
LOOKS = 8  # parts of a step, between which a force that falls and rises again is looked at
SOON = 1e-3  # where to look first for what seems to happen at the very start of a step, as share of the step


def enter(now: float, rate: float, pull: float, contact: Vector) -> None:
    """Enter a touch with this rate and relative acceleration; without any rate, χ follows what it gathers."""
    close(contact, rate, pull, now)
    contact[FOLLOWING] = 1.0 if contact[FOLLOWS_ABOVE] <= 0.0 else 0.0


def chi_now(contact: Vector, chi: float, pace: float) -> float:
    """Return χ at this rate, `chi` unless it follows it."""
    return damping_factor(contact, pace, 0.5 * pace) if contact[FOLLOWING] > 0.0 else chi


@often
def climb_of(contact: Vector, chi: float, depth: float, pace: float, bend: float) -> float:
    """Return dF/dt [N/s]; where χ follows the rate their product is constant."""
    by_overlap, by_rate = force_slopes(contact, chi, depth, math.sqrt(depth), pace)
    return by_overlap * pace + (0.0 if contact[FOLLOWING] > 0.0 else by_rate * bend)


def choose(remaining: float, contact: Vector, run: Vector) -> tuple[int, float, bool]:
    """Return kind and length of the next step, and whether it is to end at δ = 0."""
    unit = contact[SCALE] / contact[SPEED]
    kind = PLAIN
    h = min(run[STEP], run[LONGEST])
    if contact[PEAK_OVERLAP] == 0.0:
        kind = int(contact[TOUCH_KIND])
        h = min(contact[STRIDE] * unit, run[LONGEST])
    elif contact[PACE] < 0.0:
        inside = contact[PACE] * contact[PACE] - 2.0 * contact[DEPTH] * contact[BEND]
        if inside >= 0.0:
            nearest = 2.0 * contact[DEPTH] / (math.sqrt(inside) - contact[PACE])
            if contact[CLIMB] < 0.0:  # the force fades: the next term, by one step of Newton's method
                jerk = -contact[CLIMB] / contact[EFFECTIVE_MASS]
                rate = contact[PACE] + nearest * (contact[BEND] + 0.5 * nearest * jerk)
                if rate < 0.0:
                    nearest -= nearest * nearest * nearest * jerk / (6.0 * rate)
            if nearest <= remaining:
                reach = min(contact[LAST_STRIDE] * unit, run[LONGEST] / 1.2)
                if nearest <= 1.2 * reach:
                    return int(contact[PARTING_KIND]), nearest, True
                h = min(h, max(0.5 * nearest, nearest - reach))  # leave as much as one step can end
    longest = min(STRETCH * h, run[LONGEST])
    if remaining < FEW * longest:
        h = remaining / math.ceil(remaining / longest)
    return kind, h, False


def falls_at(h: float, x0: float, f0: float, x1: float, f1: float) -> float:
    """Return about when in a step a quantity falls from x0 ≥ 0 to x1 < 0: where the cubic with its slopes does."""
    d0, d1 = h * f0, h * f1
    b = 3.0 * (x1 - x0) - 2.0 * d0 - d1
    a = d0 + d1 - 2.0 * (x1 - x0)
    s = x0 / (x0 - x1)
    for _ in range(3):
        slope = d0 + s * (2.0 * b + 3.0 * a * s)
        if slope < 0.0:
            s = min(max(s - (x0 + s * (d0 + s * (b + s * a))) / slope, 0.0), 1.0)
    return h * s


@seldom
def look_for_dip(h: float, contact: Vector) -> None:
    """Note the least force in restitution between the stages of a step in which the force falls and rises again.

    Overlap and rate are the cubics through what they are, and how they change, at both ends.
    """
    for i in range(1, LOOKS):
        s = i / LOOKS
        r, rise = 1.0 - s, s * s * (3.0 - 2.0 * s)
        depth = contact[DEPTH] + rise * (contact[END_DEPTH] - contact[DEPTH])
        depth += h * s * r * (r * contact[PACE] - s * contact[END_PACE])
        pace = contact[PACE] + rise * (contact[END_PACE] - contact[PACE])
        pace += h * s * r * (r * contact[BEND] - s * contact[END_BEND])
        if pace < 0.0 < depth:
            load = force(contact, contact[CHI], depth, math.sqrt(depth), pace)
            if load < contact[LOWEST]:
                contact[LOWEST], contact[LOWEST_AT] = load, s * h


def first_event(h: float, tolerance: float, contact: Vector) -> tuple[int, float]:
    """Return what happens first in a step that is tried, and about when: not at its very start, where no step ends."""
    event, when = NOTHING, h
    if contact[END_DEPTH] < 0.0 and (contact[END_PACE] < 0.0 or contact[DEPTH] > 0.0):
        event = PART
        when = falls_at(h, contact[DEPTH], contact[PACE], contact[END_DEPTH], contact[END_PACE])
    if contact[power_law.RESTITUTION_SHARE] != 1.0:
        way = contact[DIRECTION]
        before, after = way * contact[PACE], way * contact[END_PACE]
        if after < min(before, 0.0):  # a rate on its way back to its direction has turned already
            at = 0.5 * h
            if before > 0.0:
                at = falls_at(h, before, way * contact[BEND], after, way * contact[END_BEND])
            if at < when or event == NOTHING:
                event, when = TURN, at
    if contact[power_law.TENSION] == 0.0 and contact[PACE] < 0.0 and contact[CLIMB] < 0.0 < contact[END_CLIMB]:
        look_for_dip(h, contact)
    if contact[power_law.TENSION] == 0.0 and contact[LOWEST] < 0.0:
        least = lets_go_below(tolerance, contact[CHI], contact)
        if contact[LOWEST] < least:
            at = contact[LOWEST_AT]
            if contact[FORCE] > least:
                at *= (contact[FORCE] - least) / (contact[FORCE] - contact[LOWEST])
            if at < when or event == NOTHING:
                event, when = PULL, at
    at = h
    other = NOTHING
    if contact[FOLLOWING] > 0.0:
        if contact[END_BEND] < 0.0:
            other = TOP
            at = h * contact[BEND] / (contact[BEND] - contact[END_BEND]) if contact[BEND] > 0.0 else 0.0
    elif contact[END_PACE] > contact[FOLLOWS_ABOVE]:
        other = LEAD
        at = h * (contact[FOLLOWS_ABOVE] - contact[PACE]) / (contact[END_PACE] - contact[PACE])
    if other != NOTHING and (at < when or event == NOTHING):
        event, when = other, at
    return event, max(when, SOON * h)


def value_and_slope(event: int, length: float, tolerance: float, contact: Vector) -> tuple[float, float]:
    """Return what falls through zero at an event, at the end of a step that is tried, and how fast."""
    if event == TURN:
        return contact[DIRECTION] * contact[END_PACE], contact[DIRECTION] * contact[END_BEND]
    if event == PULL:
        return contact[END_FORCE] - lets_go_below(tolerance, contact[CHI], contact), contact[END_CLIMB]
    if event == LEAD:
        return contact[FOLLOWS_ABOVE] - contact[END_PACE], -contact[END_BEND]
    if event == TOP:
        return contact[END_BEND], (contact[END_BEND] - contact[BEND]) / length
    return contact[END_DEPTH], contact[END_PACE]


def fineness(event: int, tolerance: float, contact: Vector) -> float:
    """Return how near to an event a step must end, in its lengths: what is missed counts by its square.

    Unless the force jumps there, as that of a dashpot does at a touch and at separation.
    """
    jumps = contact[power_law.DAMPING_EXPONENT] == 0.0 and contact[power_law.DAMPING] != 0.0
    if event == LEAD or event == TOP or (jumps and (event == PART or event == MEET)):  # noqa: SIM109 a GPU would walk through a tuple
        return 0.1 * tolerance
    return 0.1 * math.sqrt(tolerance)


def closer(
    at: float, low: float, high: float, fine: float, value: float, slope: float
) -> tuple[float, float, float, bool]:
    """Return a better length for a step that is to end at an event, what brackets it, and whether this one does.

    `value` falls through zero at the event; it and its slope are those at the end of a step of length `at`.
    """
    if value > 0.0:
        low = at
    else:
        high = at
    better = at - value / slope if slope < 0.0 else 0.5 * (low + high)
    if abs(better - at) <= fine * at or high - low <= NOISE * high:
        return at, low, high, True
    if not low < better < high:
        better = high if value > 0.0 and better >= high else 0.5 * (low + high)
    return better, low, high, False


def factor_for(error: float, tolerance: float) -> float:
    """Return by how much to change a step's length; the fourth root errs little from the fifth and costs far less."""
    return SAFETY * math.sqrt(math.sqrt(tolerance / error))


@seldom
def follow(event: int, contact: Vector) -> None:
    """Let χ follow the rate from now on, or keep it as the largest rate has left it."""
    contact[FOLLOWING] = 1.0 if event == LEAD and contact[BEND] > 0.0 else 0.0
    if contact[FOLLOWING] == 0.0:
        renew(contact, contact[PACE])
        contact[FOLLOWS_ABOVE] *= 1.0 + NEARLY
