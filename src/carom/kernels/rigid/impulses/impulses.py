"""What an impact does: impulses of contacts struck together, by the hypothesis chosen.

Rates are of gaps, negative while bodies approach. `before` are those before the impact, `free` those after it if there
were no impulses (the same where the impact takes no time); after it they are ``free + W p``. With friction the n rates
and impulses of the normals are followed by those of the first tangents, then of the second ones where there are two,
and W has two or three times as many rows.

In a time step impulses p work against the mean of the rates before and after, ½(before + free + W p). They take as much
energy as an impact without duration would that found the rates ½(before + free), those of the middle of the step:
Poisson's and Stronge's hypotheses are applied there, and what they say of energy holds for steps of any length.
Newton's speaks of rates before and after and is applied to them, as langlade2021 does.
"""

import math

from carom.kernels.endings import SOLVED
from carom.kernels.rigid.impulses.complementarity import AUTO, residual_of, solve
from carom.kernels.rigid.impulses.friction import rough, rough_residual
from carom.kernels.rigid.impulses.hodograph import DRAG, DRAG_ACROSS, GIVEN_ROW, NOW, PRESSED, routh, routh_turning
from carom.kernels.types import Codes, Matrix, Vector

NEWTON = 0
POISSON = 1
ENERGETIC = 2

COUPLED = 1e-24
"""Contacts hang together where the square of what an impulse on one does to the other is more than this part of what
impulses do on themselves."""

SCRATCH_ROWS = 10
"""Rows of `struck`, below, with a column for every contact and then for every tangent."""
BEFORE = 0
FREE = 1
RESTITUTION = 2
IMPULSE = 3
COMPRESSION = 4
RIGHT = 5
ROUGHNESS = 6
LEAST = 7
AFTER = 8
MIDDLE = 9


def restitution_at(row: Vector, speed: float) -> float:
    """Return e at an approach velocity; `row` holds the count of pairs, then velocity and e of each.

    A straight line between pairs, constant beyond them.
    """
    count = int(row[0])
    if count == 1 or speed <= row[1]:
        return row[2]
    if speed >= row[2 * count - 1]:
        return row[2 * count]
    low, high = 0, count - 1
    while high - low > 1:
        middle = (low + high) // 2
        if row[1 + 2 * middle] <= speed:
            low = middle
        else:
            high = middle
    start = row[1 + 2 * low]
    share = (speed - start) / (row[1 + 2 * high] - start)
    return row[2 + 2 * low] + share * (row[2 + 2 * high] - row[2 + 2 * low])


def grouped(first: int, n: int, many: int, active: Codes, w: Matrix) -> int:
    """Bring behind contact `first` of the list all that impulses on it move; return where its group ends.

    Groups know nothing of each other: an impact of one does not depend on what another does at the same moment.
    """
    last, i = first + 1, first
    while i < last:
        for j in range(last, n):
            a, b = active[i], active[j]
            hangs = False
            for s in range(a, w.shape[0], many):  # tangents too
                for t in range(b, w.shape[0], many):
                    hangs = hangs or w[s, t] * w[s, t] > COUPLED * w[s, s] * w[t, t]
            if hangs:
                active[j], active[last] = active[last], b
                last += 1
        i += 1
    return last


def moved(size: int, w: Matrix, start: Vector, p: Vector, into: Vector) -> None:
    """Write the rates after impulses."""
    for i in range(size):
        total = start[i]
        for j in range(size):
            total += w[i, j] * p[j]
        into[i] = total


def strike(
    hypothesis: int, method: int, noise: float, n: int, w: Matrix, struck: Matrix, work: Matrix, kept: Codes
) -> tuple[int, float]:
    """Write the impulses of `n` contacts to row IMPULSE of `struck`; return whether solved, and the residual R_c.

    Rows of `struck`: rates before and without impulses, e, and room for what is found, one column per contact. Rates
    below `noise` are rounding: a row jammed between walls contradicts itself by as much.
    """
    if hypothesis == NEWTON:
        for i in range(n):
            struck[RIGHT, i] = struck[FREE, i] + struck[RESTITUTION, i] * struck[BEFORE, i]
        status = solve(method, noise, n, w, struck[RIGHT], struck[IMPULSE], work, kept)
        return status, residual_of(n, w, struck[RIGHT], struck[IMPULSE])

    middle, pressed, right, found = struck[MIDDLE], struck[COMPRESSION], struck[RIGHT], struck[IMPULSE]
    for i in range(n):
        middle[i] = 0.5 * (struck[BEFORE, i] + struck[FREE, i])
    # compression: the approach is stopped
    first = solve(method, noise, n, w, middle, pressed, work, kept)
    scale = 1.0 if hypothesis == POISSON else energetic_scale(n, w, struck)
    for i in range(n):
        pressed[i] *= 1.0 + scale * struck[RESTITUTION, i]
    allowed = min(energy_taken(n, w, middle, pressed), 0.0)
    # restitution, and what keeps bodies from interpenetrating after it
    moved(n, w, struck[FREE], pressed, right)
    second = solve(method, noise, n, w, right, found, work, kept)
    residual = residual_of(n, w, right, found)
    for i in range(n):
        found[i] += pressed[i]
    third = SOLVED
    if energy_taken(n, w, middle, found) < allowed:
        third = turn_back(allowed, method, noise, n, n, w, struck, work, kept)
    return max(first, second, third), residual


def energy_taken(n: int, w: Matrix, middle: Vector, p: Vector) -> float:
    """Return the energy that impulses take from a motion: p against the mean of the rates before and after."""
    taken = 0.0
    for i in range(n):
        rate = middle[i]
        for j in range(n):
            rate += 0.5 * w[i, j] * p[j]
        taken -= p[i] * rate
    return taken


def turn_back(
    allowed: float, method: int, noise: float, n: int, size: int, w: Matrix, struck: Matrix, work: Matrix, kept: Codes
) -> int:
    """Mend impulses of a step that would create energy, `size` of them with those of tangents; return whether solved.

    Contacts that separate at the start of a step and are pressed together within it would be stopped against their
    rate: p·ġ > 0. Elastic impulses without friction, by which they turn round in the step, take nothing; the first
    impulses on the way to these that take as much as `allowed` are the answer.
    """
    middle, right, found, elastic = struck[MIDDLE], struck[RIGHT], struck[IMPULSE], struck[AFTER]
    for i in range(n):
        right[i] = 2.0 * middle[i]
    status = solve(method, noise, n, w, right, elastic, work, kept)
    for i in range(n, size):
        elastic[i] = 0.0
    missing, slope, bend = allowed - energy_taken(size, w, middle, found), 0.0, 0.0
    for i in range(size):
        rate, change = middle[i], 0.0
        for j in range(size):
            rate += w[i, j] * found[j]
            change += w[i, j] * (elastic[j] - found[j])
        slope -= (elastic[i] - found[i]) * rate
        bend += 0.5 * (elastic[i] - found[i]) * change
    root = slope * slope - 4.0 * bend * missing
    share = 1.0
    if root >= 0.0 and slope > 0.0:
        share = min(2.0 * missing / (slope + math.sqrt(root)), 1.0)
    for i in range(size):
        found[i] += share * (elastic[i] - found[i])
    return status


def energetic_scale(n: int, w: Matrix, struck: Matrix) -> float:
    """Return s such that restitution along s·e·p_c returns Σ e² w_α, w_α the work compression took at a contact."""
    taken = 0.0
    returned = 0.0
    square = 0.0
    for i in range(n):
        p, e = struck[COMPRESSION, i], struck[RESTITUTION, i]
        work = -0.5 * p * struck[MIDDLE, i]
        taken += work
        returned += e * e * max(work, 0.0)
        for j in range(n):
            square += e * p * w[i, j] * struck[RESTITUTION, j] * struck[COMPRESSION, j]
    returned = min(returned, taken)
    return math.sqrt(2.0 * returned / square) if square > 0.0 and returned > 0.0 else 0.0


def strike_rough(
    hypothesis: int, noise: float, n: int, tangents: int, w: Matrix, struck: Matrix, work: Matrix, kept: Codes,
    course: Matrix,
) -> tuple[int, float]:  # fmt: skip
    """The same with friction, row ROUGHNESS of `struck`; W, rates and impulses have the tangents behind the normals.

    Newton: one complementarity problem. Poisson (Glocker and Pfeiffer): compression and restitution are one each, the
    second returning at least e·p_c. Stronge: one contact follows Routh's course; of several, compression is one
    problem and restitution another along s·e·p_c, s the largest up to which normal impulses return no more than
    Σ e² w_α, w_α what they took: of contacts that slide on, or of which one alone is pressed, this is Stronge's own.
    """
    mu, least, found, pressed = struck[ROUGHNESS], struck[LEAST], struck[IMPULSE], struck[COMPRESSION]
    right, after, middle = struck[RIGHT], struck[AFTER], struck[MIDDLE]
    status, size = SOLVED, n * (1 + tangents)
    for i in range(n):
        least[i] = 0.0
    for i in range(size):
        pressed[i] = 0.0
        middle[i] = 0.5 * (struck[BEFORE, i] + struck[FREE, i])
        right[i] = struck[FREE, i]
        if i < n:
            right[i] += struck[RESTITUTION, i] * struck[BEFORE, i]
    if hypothesis == ENERGETIC and n == 1:
        if middle[0] < 0.0:
            one_course(tangents, w, struck, course)
    elif hypothesis != NEWTON:
        status = rough(noise, n, tangents, w, middle, mu, least, pressed, work, kept)
        scale = 1.0
        if hypothesis == ENERGETIC:
            scale = rough_scale(noise, n, tangents, w, struck, work, kept)
        for i in range(n):
            least[i] = scale * struck[RESTITUTION, i] * pressed[i]
    if hypothesis != NEWTON:
        moved(size, w, struck[FREE], pressed, right)
    status = max(status, rough(noise, n, tangents, w, right, mu, least, found, work, kept))
    residual = rough_residual(n, tangents, w, right, mu, least, found)
    for i in range(size):
        found[i] += pressed[i]
    if hypothesis != NEWTON and energy_taken(size, w, middle, found) < 0.0:
        allowed = 0.0
        if hypothesis == POISSON:  # what it creates itself, in an impact at the middle of the step
            moved(size, w, middle, pressed, right)
            status = max(status, rough(noise, n, tangents, w, right, mu, least, after, work, kept))
            for i in range(size):
                after[i] += pressed[i]
            allowed = min(energy_taken(size, w, middle, after), 0.0)
        if energy_taken(size, w, middle, found) < allowed:
            status = max(status, turn_back(allowed, AUTO, noise, n, size, w, struck, work, kept))
    return status, residual


def one_course(tangents: int, w: Matrix, struck: Matrix, course: Matrix) -> None:
    """Write the impulses of one contact by Routh's course to row COMPRESSION of `struck`."""
    middle, pressed, mu, e = struck[MIDDLE], struck[COMPRESSION], struck[ROUGHNESS, 0], struck[RESTITUTION, 0]
    if tangents == 1:
        pressed[0], pressed[1] = routh(middle[0], middle[1], w[0, 0], w[0, 1], w[1, 1], mu, e)
    else:
        given = course[GIVEN_ROW]
        given[0], given[1], given[2] = w[0, 0], w[0, 1], w[0, 2]
        given[3], given[4], given[5], given[6] = w[1, 1], w[1, 2], w[2, 2], mu
        routh_turning(middle[0], middle[1], middle[2], e, given, course)
        pressed[0], pressed[1], pressed[2] = course[NOW, PRESSED], course[NOW, DRAG], course[NOW, DRAG_ACROSS]


def rough_scale(noise: float, n: int, tangents: int, w: Matrix, struck: Matrix, work: Matrix, kept: Codes) -> float:
    """Return the largest s up to which normal impulses return no more than Σ e² w_α, nor all more than was lost."""
    mu, least, found, pressed = struck[ROUGHNESS], struck[LEAST], struck[IMPULSE], struck[COMPRESSION]
    right, after, middle = struck[RIGHT], struck[AFTER], struck[MIDDLE]
    size = n * (1 + tangents)
    moved(size, w, middle, pressed, right)
    lost, allowed = 0.0, 0.0
    for i in range(size):
        worked = -0.5 * pressed[i] * (middle[i] + right[i])
        lost += worked
        if i < n:
            allowed += struck[RESTITUTION, i] ** 2 * max(worked, 0.0)
    low, high = 0.0, 2.0 if min(allowed, lost) > 0.0 else 0.0
    while high - low > 1e-15:
        scale = 0.5 * (low + high)
        for i in range(n):
            least[i] = scale * struck[RESTITUTION, i] * pressed[i]
        solved = rough(noise, n, tangents, w, right, mu, least, found, work, kept)
        moved(size, w, right, found, after)
        returned, gained = 0.0, 0.0
        for i in range(size):
            worked = 0.5 * found[i] * (right[i] + after[i])
            gained += worked
            returned += worked if i < n else 0.0
        if solved == SOLVED and returned <= allowed and gained <= lost:
            low = scale
        else:
            high = scale
    return low
