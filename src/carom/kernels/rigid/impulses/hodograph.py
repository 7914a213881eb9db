"""The course of one impact with friction, normal impulse by normal impulse (Routh), ended by Stronge's restitution.

While it slides λ grows with −μ s per p, s the unit vector of the slip c; while it sticks, with what holds it.
Compression takes the work of the normal impulse until the rate y of the gap is zero; the impact ends when restitution
has given back e² of it. Rates are as in `friction`: slips with their signs turned.

With one tangent the course is made of straight lines. With two, slip turns while it slides, along the hodograph
dc/dp = w − μ W_tt s. With dp = |c| dτ nothing is singular where slip ends,

    dc/dτ = |c| w − μ W_tt c,      dp/dτ = |c|,      dλ/dτ = −μ c,

and a Runge-Kutta method of order eight follows it to rounding; the step is cut where compression or the impact ends.
"""

import math

from carom.kernels.explicit.single_impacts.dormand_prince import ESTIMATE_3, ESTIMATE_5, SOLUTION, STAGES, TABLE
from carom.kernels.rigid.impulses.one_contact import sticking
from carom.kernels.rigid.impulses.sliding_direction import END, START, next_direction
from carom.kernels.types import Matrix, Vector

PHASES = 12
"""Of sliding, sticking, turning and compression in one impact."""
PRECISION = 1e-14
"""Error of a step, as part of the slip."""
STOPPED = 1e-15
"""A slip that has come down to this part of the largest so far has stopped."""
STEPS = 5_000
CUTS = 60
"""Trials to cut a step where something ends."""

# what ends a stretch
SLIP_ENDS = 0
TURNS = 1  # from compression to restitution, or back
GIVEN = 2  # restitution has given what it should

# columns of `course`: a row for the slopes of each stage, two of states, and one for what is given
SLIP = 0
ACROSS = 1
PRESSED = 2
DRAG = 3
DRAG_ACROSS = 4
WORK = 5  # of the normal impulse in this stretch
STATE = 6
COURSE_COLUMNS = 8
NOW = STAGES
THEN = STAGES + 1
GIVEN_ROW = STAGES + 2
COURSE_ROWS = STAGES + 3

# what is given: W of the contact, its friction and the rate of the gap before the impact
NN = 0
N1 = 1
N2 = 2
T11 = 3
T12 = 4
T22 = 5
MU = 6
RATE = 7


def routh(y: float, slip: float, nn: float, nt: float, tt: float, mu: float, e: float) -> tuple[float, float]:
    """Return normal impulse and friction of one impact with one tangent; y < 0."""
    p, drag, taken, given = 0.0, 0.0, 0.0, 0.0
    for _ in range(PHASES):
        sticks = slip == 0.0 and abs(nt) <= mu * tt
        if mu == 0.0 or tt <= 0.0:
            share = 0.0
        elif sticks:
            share = -nt / tt
        else:  # slips, or begins to
            share = -math.copysign(mu, slip if slip != 0.0 else nt)
        pace, turn = nn + share * nt, 0.0 if sticks else nt + share * tt  # rounding would be a slip
        length = -slip / turn if slip * turn < 0.0 else math.inf  # until slipping ends
        step, gained, halted, ends = straight(y, pace, length, e * e * taken - given)
        taken, given = (taken - gained, given) if y < 0.0 else (taken, given + gained)
        p += step
        drag += share * step
        slip = 0.0 if step == length else slip + turn * step
        y = 0.0 if halted else y + pace * step
        if ends:
            break
    return p, drag


def straight(y: float, pace: float, length: float, wanted: float) -> tuple[float, float, bool, bool]:
    """Return how far a course goes on which y grows with `pace` per p, and the work of p on the way.

    It goes on to `length`, to where y is zero (third answer), or to where restitution has given `wanted` (fourth).
    """
    if y < 0.0:
        stop = -y / pace if pace > 0.0 else math.inf
        step = min(stop, length)
        return step, step * (y + 0.5 * pace * step), stop <= length, False
    root = y * y + 2.0 * pace * wanted
    full = 2.0 * wanted / (y + math.sqrt(root)) if root >= 0.0 and wanted > 0.0 else 0.0
    if root < 0.0:
        full = math.inf
    turned = -y / pace if pace < 0.0 else math.inf  # compressed a second time
    step = min(full, length, turned)
    return step, step * (y + 0.5 * pace * step), step == turned, step == full


def routh_turning(y: float, c1: float, c2: float, e: float, given: Vector, course: Matrix) -> None:
    """Write normal impulse and friction of one impact with two tangents to row NOW of `course`; y < 0.

    `given` is W of the contact and μ, columns NN to MU; `course` is scratch.
    """
    now, mu = course[NOW], given[MU]
    n1, n2, t11, t12, t22 = given[N1], given[N2], given[T11], given[T12], given[T22]
    given[RATE] = y
    for k in range(STATE):
        now[k] = 0.0
    now[SLIP], now[ACROSS] = c1, c2
    taken, back, opening = 0.0, 0.0, False
    rough = mu > 0.0 and max(t11, t22) > 0.0
    h1, h2, _ = sticking(n1, n2, t11, t12, t22)
    if not rough:
        h1, h2 = 0.0, 0.0
    sticks = math.hypot(h1, h2) <= mu
    for _ in range(PHASES):
        wanted = e * e * taken - back
        if opening and wanted <= 0.0:
            break
        now[WORK] = 0.0
        if rough and (now[SLIP] != 0.0 or now[ACROSS] != 0.0):
            ending = slide(opening, wanted, given, course)
        else:
            s1, s2, gain = h1, h2, 0.0
            if rough and not sticks:
                at, gain = leaving(n1, n2, t11, t12, t22, mu)
                s1, s2 = -mu * math.cos(at), -mu * math.sin(at)
            start = rate_of_gap(now, given)
            start = max(start, 0.0) if opening else start
            step, now[WORK], _, full = straight(start, given[NN] + n1 * s1 + n2 * s2, math.inf, wanted)
            now[PRESSED] += step
            now[DRAG] += s1 * step
            now[DRAG_ACROSS] += s2 * step
            if gain > 0.0:
                now[SLIP], now[ACROSS] = -gain * step * s1 / mu, -gain * step * s2 / mu
            ending = GIVEN if full else TURNS
        if opening:
            back += now[WORK]
        else:
            taken -= now[WORK]
        if ending == TURNS:
            opening = not opening
        elif ending == GIVEN:
            break


def rate_of_gap(state: Vector, given: Vector) -> float:
    """Return y after the impulses so far."""
    return given[RATE] + given[NN] * state[PRESSED] + given[N1] * state[DRAG] + given[N2] * state[DRAG_ACROSS]


def leaving(n1: float, n2: float, t11: float, t12: float, t22: float, mu: float) -> tuple[float, float]:
    """Return the direction in which a contact begins to slip that cannot stick, and how fast slip grows with p."""
    best, phi = -math.inf, math.atan2(n2, n1)
    at = next_direction(0.0, n2, -n1, -mu * t12, 0.5 * mu * (t11 - t22), START, END)
    while at < math.inf:
        s1, s2 = math.cos(at), math.sin(at)
        gain = s1 * (n1 - mu * (t11 * s1 + t12 * s2)) + s2 * (n2 - mu * (t12 * s1 + t22 * s2))
        if gain > best:
            best, phi = gain, at
        at = next_direction(0.0, n2, -n1, -mu * t12, 0.5 * mu * (t11 - t22), at, END)
    return phi, max(best, 0.0)


def slide(opening: bool, wanted: float, given: Vector, course: Matrix) -> int:
    """Follow the slip until something ends, in row NOW of `course`; return what."""
    now, then = course[NOW], course[THEN]
    largest = speed = math.hypot(now[SLIP], now[ACROSS])
    tau = 0.02 / (math.hypot(given[N1], given[N2]) + given[MU] * (given[T11] + given[T22]))
    for _ in range(STEPS):
        error = stepped(tau, given, course)
        allowed = PRECISION * speed
        if error > allowed:
            tau *= max(0.2, 0.9 * (allowed / error) ** 0.125)
            continue
        goal = SLIP_ENDS
        if beyond(TURNS, opening, wanted, then, given) >= 0.0:
            goal = TURNS
        elif opening and beyond(GIVEN, opening, wanted, then, given) >= 0.0:
            goal = GIVEN
        if goal != SLIP_ENDS:
            cut(goal, opening, tau, wanted, given, course)
        for k in range(STATE):
            now[k] = then[k]
        if goal != SLIP_ENDS:
            return goal
        speed = math.hypot(now[SLIP], now[ACROSS])
        largest = max(largest, speed)
        if speed <= STOPPED * largest:
            break
        tau *= min(4.0, 0.9 * (allowed / error) ** 0.125) if error > 0.0 else 4.0
    now[SLIP] = now[ACROSS] = 0.0
    return SLIP_ENDS


def beyond(goal: int, opening: bool, wanted: float, state: Vector, given: Vector) -> float:
    """Return by how much a state is beyond where a stretch ends; negative before."""
    if goal == GIVEN:
        return state[WORK] - wanted
    return -rate_of_gap(state, given) if opening else rate_of_gap(state, given)


def cut(goal: int, opening: bool, tau: float, wanted: float, given: Vector, course: Matrix) -> None:
    """Shorten a step so that it ends where it meets its goal: regula falsi with halved ends (Illinois)."""
    low, high, side = 0.0, tau, 0
    under = beyond(goal, opening, wanted, course[NOW], given)
    above = beyond(goal, opening, wanted, course[THEN], given)
    for _ in range(CUTS):
        if above <= 0.0 or under >= 0.0 or high - low <= 1e-16 * tau:
            break
        at = (low * above - high * under) / (above - under)
        stepped(at, given, course)
        value = beyond(goal, opening, wanted, course[THEN], given)
        if value >= 0.0:
            high, above = at, value
            under *= 0.5 if side == 1 else 1.0
            side = 1
        else:
            low, under = at, value
            above *= 0.5 if side == -1 else 1.0
            side = -1
        if abs(value) <= 1e-16 * abs(given[RATE] if goal == TURNS else wanted):
            break


def stepped(tau: float, given: Vector, course: Matrix) -> float:
    """Take one step from row NOW to row THEN; return the error of the slip."""
    now, then, mu = course[NOW], course[THEN], given[MU]
    for i in range(STAGES):
        for k in range(STATE):
            then[k] = now[k]
            for j in range(i):
                then[k] += tau * TABLE[j, i] * course[j, k]
        speed, row = math.hypot(then[SLIP], then[ACROSS]), course[i]
        row[SLIP] = speed * given[N1] - mu * (given[T11] * then[SLIP] + given[T12] * then[ACROSS])
        row[ACROSS] = speed * given[N2] - mu * (given[T12] * then[SLIP] + given[T22] * then[ACROSS])
        row[PRESSED], row[DRAG], row[DRAG_ACROSS] = speed, -mu * then[SLIP], -mu * then[ACROSS]
        row[WORK] = rate_of_gap(then, given) * speed
    third, fifth = 0.0, 0.0
    for k in range(STATE):
        then[k] = now[k]
        rough, fine = 0.0, 0.0
        for j in range(STAGES):
            then[k] += tau * TABLE[j, SOLUTION] * course[j, k]
            rough += tau * TABLE[j, ESTIMATE_3] * course[j, k]
            fine += tau * TABLE[j, ESTIMATE_5] * course[j, k]
        if k <= ACROSS:
            third, fifth = math.hypot(third, rough), math.hypot(fifth, fine)
    return fifth * fifth / math.hypot(fifth, 0.1 * third) if fifth > 0.0 else 0.0
