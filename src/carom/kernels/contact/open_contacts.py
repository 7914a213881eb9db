"""Contacts that are open while others are closed: proofs that they stay open in a step.

In a step of length h an overlap stays below its ends plus h²/8 of the largest |δ̈|, and a rate between its ends up to
h/2 of it. What pushes an open contact are the modes it reads: their free motion, bounded by its start, and the forces
of closed contacts, known at the nodes. Where neither bound proves a step free of a touch, the cubic through both ends
tells in short steps. Where that does not either, the step is looked at from node to node, or where modes are quick in
parts; what is left then is tried again at half the length. A contact at whose touch a step ends is looked at likewise:
it may have touched before.
"""

import math

from carom.kernels.contact.collocation import END, NODES, POINTS, TIMES
from carom.kernels.contact.forced_modes import keep_start, mode_inside
from carom.kernels.contact.step import look_at
from carom.kernels.event.flight import noise_of, overlap_of, rate_of
from carom.kernels.ledger import PRESCRIBED, QUICK_MODES, RAPID, SUPPLY
from carom.kernels.rows import (
    AT_END,
    AT_NODES,
    CLOSED,
    DEPTH,
    EFFECTIVE_MASS,
    FORCE,
    GAP,
    LEVER,
    LOAD,
    MASS,
    NOISE,
    OMEGA,
    OPEN,
    OVERLAP,
    PACE,
    RATE,
    SCALE,
    SIGMA,
    SLOPE,
    SPEED,
    SQUARE,
    STATUS,
    TAYLOR,
    TRIAL,
    TWICE,
    WIDEST,
    Q,
    V,
)
from carom.kernels.types import Matrix, Vector, unit

BENDS = TRIAL  # of a mode in a step: bound of |q̈| [m/s²]
LIFTS = TRIAL + 1  # the |q̈| that would move it as far from its chord as it can come [m/s²]
INSIDE_NODES = 1.25  # largest force between nodes and ends of a step over the largest at them
ANSWERED = 3.0  # largest acceleration of a mode under a force, its own spring included, over that of its mass alone
AMPLITUDE_ANGLE = 8.0  # turn of a mode in a step [rad] above which its amplitude is the better bound
SHORT_ANGLE = 1.0 / 64.0  # turn of the quickest motion in a step [rad] up to which a cubic is right to many digits
ENERGY_SLACK = 1.1  # factor on the speed that all the energy would give: more than rounding and tolerance may bring
PART_ANGLE = 0.5  # turn of the quickest motion in a part of a step [rad]
MOST_PARTS = 64  # largest number of parts of a step
CUBIC_MISS = 0.02  # how far from the truth a cubic may be, over h²·|δ̈| times the square of the quickest turn


def look_at_open(expanded: bool, modes: Matrix, contacts: Matrix) -> None:
    """Write overlap and rate of open contacts at the start of a step; `expanded` says whether TAYLOR holds both."""
    for c in range(contacts.shape[0]):
        row = contacts[c]
        if row[STATUS] == CLOSED:
            continue
        if expanded:
            row[DEPTH], row[PACE] = row[TAYLOR], row[TAYLOR + 1]
        else:
            row[DEPTH], row[PACE] = overlap_of(row, modes, Q), rate_of(row, modes, V)


def bound_modes(h: float, t: float, modes: Matrix, contacts: Matrix) -> float:
    """Bound the accelerations of all modes in a solved step from time `t` of the sample on.

    Returns what they may lift any overlap by, as `LIFTS` does for one that reads each mode at its largest [m/s²].
    """
    widest = 0.0
    for k in range(modes.shape[0]):
        modes[k, BENDS] = 0.0
    for c in range(contacts.shape[0]):
        if contacts[c, STATUS] == CLOSED:
            most = INSIDE_NODES * largest_force(contacts[c])
            for k in range(modes.shape[0]):
                modes[k, BENDS] += abs(contacts[c, LEVER + 2 * k + 1]) * most
    for k in range(modes.shape[0]):
        row = modes[k]
        pushed = row[BENDS]
        w = row[LOAD] + row[SLOPE] * t - row[TWICE] * row[V] - row[SQUARE] * row[Q]
        jerk = abs(row[SLOPE] - row[TWICE] * w - row[SQUARE] * row[V])
        angle = row[OMEGA] * h
        row[BENDS] = abs(w) * (1.0 + angle) + jerk * h + ANSWERED * pushed
        row[LIFTS] = row[BENDS]
        if angle > AMPLITUDE_ANGLE and row[SIGMA] <= row[OMEGA]:
            free = 8.0 * (14.0 * abs(w) + 6.0 * jerk / row[OMEGA])  # twice the amplitude, as in `engine.glide`
            row[LIFTS] = min(row[LIFTS], (free + 32.0 * pushed) / (angle * angle))
        widest += row[WIDEST] * row[LIFTS]
    return widest


def largest_force(row: Vector) -> float:
    """Return the largest size of a contact's force at nodes and ends of a solved step [N]."""
    most = max(abs(row[FORCE]), abs(row[AT_END]))
    for j in range(NODES):
        most = max(most, abs(row[AT_NODES + j]))
    return most


def largest_turn(h: float, contacts: Matrix, run: Vector) -> float:
    """Return the turn of the quickest motion in a step [rad], that of the modes or that of a closed contact."""
    angle = run[RAPID] * h
    for c in range(contacts.shape[0]):
        row = contacts[c]
        if row[STATUS] == CLOSED and row[SCALE] > 0.0:
            angle = max(angle, h * row[SPEED] / row[SCALE])
    return angle


def cubic_top(h: float, g0: float, pace: float, g1: float, end_pace: float) -> float:
    """Return the largest value inside a step of the cubic with these values and rates at its ends."""
    return max(g0, g1, cubic_crest(h, g0, pace, g1, end_pace))


def cubic_crest(h: float, g0: float, pace: float, g1: float, end_pace: float) -> float:
    """Return the largest value inside a step at which that cubic turns down, or −∞ where it does not."""
    r0, r1 = h * pace, h * end_pace
    b = 3.0 * (g1 - g0) - 2.0 * r0 - r1
    a = r0 + r1 - 2.0 * (g1 - g0)
    square = b * b - 3.0 * a * r0
    if square <= 0.0 or (r0 <= 0.0 <= r1):
        return -math.inf
    down = math.sqrt(square) - b
    s = r0 / down if down != 0.0 else -1.0
    return g0 + s * (r0 + s * (b + s * a)) if 0.0 < s < 1.0 else -math.inf


def energy_speed(h: float, t: float, modes: Matrix, run: Vector) -> float:
    """Return the root of twice the energy that there may be in a step from time `t` of the sample on [√J].

    Loads add at most their impulse to it, of all modes together.
    """
    push = 0.0
    for k in range(modes.shape[0]):
        load = abs(modes[k, LOAD] + modes[k, SLOPE] * t) + abs(modes[k, SLOPE]) * h
        push += modes[k, MASS] * load * load
    return ENERGY_SLACK * (math.sqrt(2.0 * run[SUPPLY]) + h * math.sqrt(push))


@unit
def may_have_touched(
    kind: int, h: float, t: float, but: int, terms: int, modes: Matrix, contacts: Matrix, pairs: Matrix, run: Vector
) -> bool:
    """Return whether an open contact may have closed inside a solved step unseen; contact `but` closes at its end.

    That one may have closed before. Likewise whether a released one may have opened and come back. Power series have
    so many `terms`.
    """
    bounded, widest, fastest = False, 0.0, -1.0
    for c in range(contacts.shape[0]):
        row = contacts[c]
        if row[STATUS] == CLOSED:
            continue
        sign = 1.0 if row[STATUS] == OPEN else -1.0
        meets = c == but
        g0, g1 = sign * row[DEPTH], sign * row[OVERLAP + END]
        if fastest < 0.0:
            fastest = energy_speed(h, t, modes, run)
        far = -h * fastest / math.sqrt(row[EFFECTIVE_MASS])
        if run[PRESCRIBED] == 0.0 and max(g0, g1) < far:
            continue  # all the energy there is could not bring it so far
        if not bounded:
            widest = bound_modes(h, t, modes, contacts)
            bounded = True
        if not meets and max(g0, g1) + 0.125 * h * h * widest < 0.0:
            continue
        bend, lift = 0.0, 0.0
        for k in range(modes.shape[0]):
            reach = abs(row[LEVER + 2 * k])
            bend += reach * modes[k, BENDS]
            lift += reach * modes[k, LIFTS]
        if not meets and max(g0, g1) + 0.125 * h * h * lift < 0.0:
            continue
        row[NOISE] = noise_of(row, modes)
        pace, end_pace = sign * row[PACE], sign * row[RATE + END]
        angle = largest_turn(h, contacts, run)
        if meets:
            if only_nears(h, bend, angle, g0, pace, end_pace, row[NOISE]):
                continue
        elif stays_open(h, bend, angle, sign < 0.0, g0, pace, g1, end_pace, row[NOISE]):
            continue
        if run[QUICK_MODES] > 0.0:
            if not stays_open_in_parts(c, kind, h, t, bend, angle, meets, modes, contacts):
                return True
        else:
            look_at(c, kind, h, 0, END, terms, contacts, pairs)
            if not stays_open_between(kind, h, bend, angle, sign, meets, row):
                return True
    return False


def stays_open_between(kind: int, h: float, bend: float, angle: float, sign: float, meets: bool, row: Vector) -> bool:
    """Return whether `stays_open` is proved from node to node of a step; OVERLAP and RATE tell of the nodes.

    One that `meets` closes at the end of the step.
    """
    begin, g0, pace = 0.0, sign * row[DEPTH], sign * row[PACE]
    for i in range(POINTS):
        g1, end_pace, share = sign * row[OVERLAP + i], sign * row[RATE + i], TIMES[kind, i] - begin
        if meets and i == END:
            return only_nears(share * h, bend, share * angle, g0, pace, end_pace, row[NOISE])
        if not stays_open(share * h, bend, share * angle, sign < 0.0, g0, pace, g1, end_pace, row[NOISE]):
            return False
        if sign < 0.0 < g1 and sign * row[OVERLAP + END] <= 0.0:
            return False  # a released one that opened, and came back
        begin, g0, pace = TIMES[kind, i], g1, end_pace
    return True


def stays_open_in_parts(
    c: int, kind: int, h: float, t: float, bend: float, angle: float, meets: bool, modes: Matrix, contacts: Matrix
) -> bool:
    """Return whether `stays_open` is proved in parts of a step, short for the quickest motion, whose ends are exact.

    Nodes tell nothing of modes that swing between them. One that `meets` closes at the end of the step.
    """
    parts = int(angle / PART_ANGLE) + 1
    if parts > MOST_PARTS:
        return False
    keep_start(modes)
    row = contacts[c]
    sign, part = 1.0 if row[STATUS] == OPEN else -1.0, h / parts
    g0, pace, last = sign * row[DEPTH], sign * row[PACE], sign * row[OVERLAP + END]
    for i in range(1, parts):
        overlap, rate = overlap_inside(kind, h, t, i * part, row, modes, contacts)
        g1, end_pace = sign * overlap, sign * rate
        if not stays_open(part, bend, angle / parts, sign < 0.0, g0, pace, g1, end_pace, row[NOISE]):
            return False
        if sign < 0.0 < g1 and last <= 0.0:
            return False  # a released one that opened, and came back
        g0, pace = g1, end_pace
    end_pace = sign * row[RATE + END]
    if meets:
        return only_nears(part, bend, angle / parts, g0, pace, end_pace, row[NOISE])
    return stays_open(part, bend, angle / parts, sign < 0.0, g0, pace, last, end_pace, row[NOISE])


def overlap_inside(
    kind: int, h: float, t: float, late: float, row: Vector, modes: Matrix, contacts: Matrix
) -> tuple[float, float]:
    """Return overlap and rate of a contact `late` after the start of a solved step, which begins at time `t`."""
    overlap, rate = -row[GAP], 0.0
    for k in range(modes.shape[0]):
        reach = row[LEVER + 2 * k]
        if reach != 0.0:
            q, v = mode_inside(k, kind, h, t, late, modes, contacts)
            overlap += reach * q
            rate += reach * v
    return overlap, rate


def far_off(h: float, bend: float, g0: float, g1: float) -> bool:
    """Return whether an overlap, known at both ends of a step, surely stays below zero inside; `bend` bounds |δ̈|."""
    return max(g0, g1) + 0.125 * h * h * bend < 0.0


def stays_open(
    h: float, bend: float, angle: float, released: bool, g0: float, pace: float, g1: float, end_pace: float,
    noise: float,
) -> bool:  # fmt: skip
    """Return whether an overlap, known at both ends of a step, surely exceeds no `noise` inside it.

    `bend` bounds |δ̈|, `angle` is that of the quickest motion in the step. Of a released contact it is the overlap with
    its sign changed, and that may exceed zero for good: it is open then. One that opens and comes back must be seen.
    """
    if far_off(h, bend, g0, g1):
        return True
    middle = 0.5 * (pace + end_pace)
    if abs(middle) > 0.5 * h * bend and (middle < 0.0 or g1 < 0.0 or released):  # it only moves away, or comes nearer
        return True
    if angle < SHORT_ANGLE:
        return (released and g1 > 0.0) or cubic_top(h, g0, pace, g1, end_pace) <= noise
    return cubic_top(h, g0, pace, g1, end_pace) + CUBIC_MISS * h * h * bend * min(1.0, angle * angle) <= noise


def only_nears(h: float, bend: float, angle: float, g0: float, pace: float, end_pace: float, noise: float) -> bool:
    """Return whether an overlap that is zero at the end of a step was surely below zero before, but for `noise`.

    `bend` bounds |δ̈|. Within v/|δ̈| of the end, where it comes with the rate v, the overlap is below zero; before that
    it is at least v²/(2|δ̈|) away, or the cubic tells.
    """
    if 0.5 * (pace + end_pace) > 0.5 * h * bend:  # it only comes nearer
        return True
    top = cubic_crest(h, g0, pace, 0.0, end_pace)
    if angle < SHORT_ANGLE:
        return top <= noise
    miss = CUBIC_MISS * h * h * bend * min(1.0, angle * angle)
    leaves = g0 + miss <= 0.0 or (pace < 0.0 and 2.0 * bend * miss <= pace * pace)
    return bool(top + miss <= 0.0 and leaves and 2.0 * bend * miss <= end_pace * end_pace)
