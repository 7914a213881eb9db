"""Contact of two modes at one point, from touch to separation, in explicit steps."""

import math

from carom.kernels.contact.collocation import PLAIN
from carom.kernels.contact.events import LEAD, MEET, NOTHING, PART, PULL, TOP, TURN
from carom.kernels.contact.impact_record import close, renew
from carom.kernels.endings import FINISHED, STEP_LIMIT, UNUSUAL
from carom.kernels.explicit.pair_peaks import contact_peaks
from carom.kernels.explicit.pair_step import (
    END_BEND,
    END_CLIMB,
    END_DEPTH,
    END_FORCE,
    END_HELD,
    END_PACE,
    END_RESISTS,
    FOLLOWING,
    LOWEST,
    LOWEST_AT,
    PER_POWER,
    STEP_IMPULSE,
    STEP_INPUT,
    STEP_LOST,
    STEP_WORK,
    chi_now,
    climb_of,
    stride,
)
from carom.kernels.laws import power_law
from carom.kernels.laws.power_law import damping_force, elastic_force
from carom.kernels.ledger import (
    CONTACT_WORK,
    DAMPING,
    INPUT,
    LIMIT,
    REJECTED,
    STEP,
    STEPS,
    TOLERANCE,
    end_contact,
    note_supply,
)
from carom.kernels.rows import (
    BEND,
    CHI_APPROACH,
    CHI_RESTITUTION,
    CLIMB,
    DEPTH,
    DIRECTION,
    FOLLOWS_ABOVE,
    FORCE,
    GAP,
    HELD,
    IMPULSE,
    LAST_STRIDE,
    LEVER,
    LOAD,
    PACE,
    PARTING_KIND,
    PEAK_FORCE,
    PEAK_OVERLAP,
    Q_END,
    RESISTS,
    SCALE,
    SLOPE,
    SPEED,
    SQUARE,
    STRIDE,
    TOUCH_KIND,
    TWICE,
    V_END,
    W_END,
    WORK,
    Q,
    V,
    W,
)
from carom.kernels.types import Matrix, Vector

SLOW = 1e-3  # rate of a touch, as share of the impact's typical speed, below which it counts as one without speed
SAFETY = 0.8  # factor on the length that the error of the last step would allow
GROWTH = 4.0  # largest ratio of the length of a step to that of the one before
TRUST = 4.0  # factor on the error of a plain step: errors of the steps of many impacts add up
CARE = 15.0  # factor on the error of a graded step, of which the estimate tells less
HOPELESS = 10.0  # error over the tolerance, beyond which it is no use to look for events in a step
NOISE = 1e-12  # rounding in a force, as share of the impact's largest
PATIENCE = 200  # number of steps refused in one sample after which the run is left to the general engine
NEARLY = 1e-9  # excess over the largest rate so far, as share of it, that does not count
SOON = 1e-3  # where to look first for what seems to happen at the very start of a step, as share of the step
EARLY = 1e-2  # length of a first step, as share of a typical contact, that is not shortened for the sake of a crest


def enter(now: float, rate: float, pull: float, contact: Vector) -> bool:
    """Enter a touch with this rate and relative acceleration; return whether it came without speed."""
    close(contact, rate, pull, now)
    contact[FOLLOWING] = 0.0
    return bool(rate < SLOW * contact[SPEED])


def settle(t: float, modes: Matrix, contact: Vector) -> float:
    """Write overlap, force and accelerations of the present state; return χ."""
    a, b = modes[0], modes[1]
    depth = max(contact[LEVER] * a[Q] + contact[LEVER + 2] * b[Q] - contact[GAP], 0.0)
    pace = contact[LEVER] * a[V] + contact[LEVER + 2] * b[V]
    chi = contact[CHI_APPROACH] if contact[DIRECTION] > 0.0 else contact[CHI_RESTITUTION]
    chi = chi_now(contact, chi, pace)
    spring = elastic_force(contact, depth, math.sqrt(depth))
    contact[HELD] = spring * depth * contact[PER_POWER]
    contact[RESISTS] = damping_force(contact, chi, depth, math.sqrt(depth), pace)
    load = spring + contact[RESISTS]
    a[W] = a[LOAD] + a[SLOPE] * t - a[TWICE] * a[V] - a[SQUARE] * a[Q] - contact[LEVER + 1] * load
    b[W] = b[LOAD] + b[SLOPE] * t - b[TWICE] * b[V] - b[SQUARE] * b[Q] - contact[LEVER + 3] * load
    contact[DEPTH] = depth
    contact[PACE] = pace
    contact[FORCE] = load
    contact[BEND] = contact[LEVER] * a[W] + contact[LEVER + 2] * b[W]
    climb = climb_of(contact, chi, depth, pace, contact[BEND])
    contact[CLIMB] = climb if math.isfinite(climb) else 1.0  # a δ^{1/4} law rises infinitely fast at touch
    return chi


def choose(remaining: float, contact: Vector, run: Vector) -> tuple[int, float, bool]:
    """Return kind and length of the next step, and whether it is to end at δ = 0."""
    unit = contact[SCALE] / contact[SPEED]
    kind = PLAIN
    h = run[STEP]
    if contact[PEAK_OVERLAP] == 0.0:
        kind = int(contact[TOUCH_KIND])
        h = contact[STRIDE] * unit
    elif contact[PACE] < 0.0:
        inside = contact[PACE] * contact[PACE] - 2.0 * contact[DEPTH] * contact[BEND]
        if inside >= 0.0:
            nearest = 2.0 * contact[DEPTH] / (math.sqrt(inside) - contact[PACE])
            if nearest <= remaining:
                reach = contact[LAST_STRIDE] * unit
                if nearest <= 1.2 * reach:
                    return int(contact[PARTING_KIND]), nearest, True
                h = min(h, max(0.5 * nearest, nearest - reach))  # leave as much as one step can end
    if remaining < 1.3 * h:
        h = remaining
    elif remaining < 2.0 * h:
        h = 0.5 * remaining
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


def first_event(h: float, contact: Vector) -> tuple[int, float]:
    """Return what happens first in a step that is tried, and about when."""
    event, when = NOTHING, h
    if contact[END_DEPTH] < 0.0 and contact[END_PACE] < 0.0:
        event = PART
        at = falls_at(h, contact[DEPTH], contact[PACE], contact[END_DEPTH], contact[END_PACE])
        when = max(at, SOON * h)
    if contact[power_law.RESTITUTION_SHARE] != 1.0:
        way = contact[DIRECTION]
        before, after = way * contact[PACE], way * contact[END_PACE]
        if after < 0.0:
            at = 0.5 * h
            if before > 0.0:
                at = falls_at(h, before, way * contact[BEND], after, way * contact[END_BEND])
            if at < when or event == NOTHING:
                event, when = TURN, at
    if contact[power_law.TENSION] == 0.0 and contact[LOWEST] < -NOISE * contact[PEAK_FORCE]:
        at = contact[LOWEST_AT]
        if contact[FORCE] > 0.0:
            at *= contact[FORCE] / (contact[FORCE] - contact[LOWEST])
        if at < when or event == NOTHING:
            event, when = PULL, at
    at = h
    other = NOTHING
    if contact[FOLLOWING] > 0.0:
        if contact[END_BEND] < 0.0:
            other = TOP
            at = h * contact[BEND] / (contact[BEND] - contact[END_BEND]) if contact[BEND] > 0.0 else SOON * h
    elif contact[END_PACE] > contact[FOLLOWS_ABOVE]:
        other = LEAD
        at = max(h * (contact[FOLLOWS_ABOVE] - contact[PACE]) / (contact[END_PACE] - contact[PACE]), SOON * h)
    if other != NOTHING and (at < when or event == NOTHING):
        event, when = other, at
    return event, when


def value_and_slope(event: int, length: float, contact: Vector) -> tuple[float, float]:
    """Return what falls through zero at an event, at the end of a step that is tried, and how fast."""
    if event == TURN:
        return contact[DIRECTION] * contact[END_PACE], contact[DIRECTION] * contact[END_BEND]
    if event == PULL:
        return contact[END_FORCE] + NOISE * contact[PEAK_FORCE], contact[END_CLIMB]
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


def refuse(length: float, error: float, aimed: bool, contact: Vector, run: Vector) -> None:
    """Shorten the next step of its kind after one that missed the tolerance."""
    run[REJECTED] += 1.0
    shrink = 0.3
    if error > run[TOLERANCE]:
        shrink = min(max(0.2, factor_for(error, run[TOLERANCE])), 0.7)
    unit = contact[SCALE] / contact[SPEED]
    if aimed:
        contact[LAST_STRIDE] = min(contact[LAST_STRIDE], length / unit) * shrink
        run[STEP] = min(run[STEP], max(contact[LAST_STRIDE] * unit, 0.5 * length))
    elif contact[PEAK_OVERLAP] == 0.0:
        contact[STRIDE] = shrink * length / unit
    else:
        run[STEP] = shrink * length


def grow(length: float, error: float, last: bool, event: int, contact: Vector, run: Vector) -> None:
    """Choose the length of the next step of its kind after a good one; one that had to end somewhere says little."""
    run[STEPS] += 1.0
    factor = min(GROWTH, factor_for(error, run[TOLERANCE])) if error > 0.0 else GROWTH
    unit = contact[SCALE] / contact[SPEED]
    if event == PART:
        contact[LAST_STRIDE] = max(contact[LAST_STRIDE], min(factor * length / unit, 4.0))
    if contact[PEAK_OVERLAP] == 0.0:
        if not last and event == NOTHING:
            contact[STRIDE] = min(factor * length / unit, 4.0)
        run[STEP] = max(factor * length, 0.5 * contact[STRIDE] * unit)
    elif last or event != NOTHING:
        run[STEP] = max(run[STEP], length * factor)
    else:
        run[STEP] = length * factor


def follow(event: int, contact: Vector) -> None:
    """Let χ follow the rate from now on, or keep it as the largest rate has left it."""
    contact[FOLLOWING] = 1.0 if event == LEAD and contact[BEND] > 0.0 else 0.0
    if contact[FOLLOWING] == 0.0:
        renew(contact, contact[PACE])
        contact[FOLLOWS_ABOVE] *= 1.0 + NEARLY


def arrive(contact: Vector, modes: Matrix) -> None:
    """Make the end of the step the present."""
    for k in range(2):
        row = modes[k]
        row[Q], row[V], row[W] = row[Q_END], row[V_END], row[W_END]
    contact[DEPTH] = max(contact[END_DEPTH], 0.0)
    contact[PACE] = contact[END_PACE]
    contact[BEND] = contact[END_BEND]
    contact[FORCE] = contact[END_FORCE]
    contact[HELD] = contact[END_HELD]
    contact[RESISTS] = contact[END_RESISTS]
    contact[CLIMB] = contact[END_CLIMB]


def in_touch(
    t: float, until: float, begun: float, modes: Matrix, contact: Vector, floors: Matrix, small: Vector,
    nothing: Matrix, run: Vector,
) -> tuple[float, bool, int]:  # fmt: skip
    """Step the closed contact until the time `until` of the sample or until it opens.

    Returns the time, whether it is still closed, and a status.
    """
    chi = settle(t, modes, contact)
    tolerance = run[TOLERANCE]
    refused = 0
    fresh, aimed = True, False
    kind, event, length, low, high = PLAIN, NOTHING, 0.0, 0.0, 0.0
    # every turn tries one step: a new one, or the last one again with another length, to end it at an event
    while t < until:
        if fresh:
            if contact[PACE] <= 0.0:
                pulls = contact[power_law.TENSION] == 0.0 and contact[FORCE] < 0.0
                if pulls or contact[DEPTH] <= 0.0:
                    end_contact(0, contact[DEPTH] > 0.0, begun + t, contact[PACE], contact, nothing, run)
                    return t, False, FINISHED
            if run[STEPS] + run[REJECTED] > run[LIMIT]:
                return t, True, STEP_LIMIT
            kind, length, aimed = choose(until - t, contact, run)
            event = PART if aimed else NOTHING
            low, high = 0.0, min(2.0 * length, until - t)
        error = (TRUST if kind == PLAIN else CARE) * stride(kind, length, t, chi, modes, contact, small)
        fresh = True
        if error <= tolerance or (event != NOTHING and error <= HOPELESS * tolerance):
            value, slope = value_and_slope(event, length, contact)
            if event != NOTHING and not (length >= high and value > 0.0):
                fine = fineness(event, tolerance, contact)
                better, low, high, found = closer(length, low, high, fine, value, slope)
                if not found:
                    length, fresh = better, False
                    refused += 1
                    if refused > PATIENCE:
                        return t, True, UNUSUAL
                    continue
            elif event != NOTHING:
                event = NOTHING  # it does not come about in this step
            other, when = first_event(length, contact)
            if other != NOTHING and other != event:
                event, high, low, length, fresh = other, length, 0.0, when, False
                if event == PART and kind == PLAIN:
                    kind = int(contact[PARTING_KIND])
                continue
        early = kind != PLAIN and contact[PEAK_OVERLAP] == 0.0 and contact[END_CLIMB] < 0.0
        if early and contact[STRIDE] > EARLY:
            error = math.inf  # the crest of the force is not looked for so near a touch
        if not error <= tolerance:
            refuse(length, error, aimed, contact, run)
            refused += 1
            if refused > PATIENCE:
                return t, True, UNUSUAL
            continue
        last = length >= until - t
        grow(length, error, last, event, contact, run)
        contact_peaks(kind, length, chi, modes, contact, floors)
        contact[IMPULSE] += contact[STEP_IMPULSE]
        contact[WORK] += contact[STEP_WORK]
        run[CONTACT_WORK] += contact[STEP_WORK]
        run[INPUT] += contact[STEP_INPUT]
        note_supply(run)
        run[DAMPING] += contact[STEP_LOST]
        arrive(contact, modes)
        t = until if last else t + length
        if event == PART or event == PULL:  # noqa: SIM109 a GPU would walk through a tuple
            end_contact(0, event == PULL, begun + t, contact[PACE], contact, nothing, run)
            return t, False, FINISHED
        if event == TURN:  # at rest, where it goes is for the acceleration to say
            contact[DIRECTION] = 1.0 if contact[BEND] >= 0.0 else -1.0
            chi = settle(t, modes, contact)
        elif event == LEAD or event == TOP:  # noqa: SIM109 a GPU would walk through a tuple
            follow(event, contact)
            chi = settle(t, modes, contact)
    return t, True, FINISHED
