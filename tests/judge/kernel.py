"""The judge's integrator: Dormand and Prince's order eight in physical coordinates, stopping at every event.

All compiled functions stand in this one file: Numba's cache of a caller does not see a change of another file.

The state is u, u̇ and, for each contact, impulse ∫F dt and work ∫F δ̇ dt. A step keeps to one smooth branch of every
law (`marks` say which); after it all contacts are searched for the first instant at which a branch ends, the step
is taken again up to there, and the branch is changed.
"""

import math

import numpy as np
from numba import njit
from scipy.integrate._ivp import dop853_coefficients as tableau

STAGES = 12
A = np.ascontiguousarray(tableau.A)
B = np.ascontiguousarray(tableau.B)
C = np.ascontiguousarray(tableau.C)
D = np.ascontiguousarray(tableau.D)
E3 = np.ascontiguousarray(tableau.E3)
E5 = np.ascontiguousarray(tableau.E5)
TERMS = 7  # of the dense output

# columns of a law
K, N, CHI, M, OVER_SPEED, APPROACH_ONLY, TENSION, PUBLISHED, FUNCTION = range(9)

# columns of the marks of a contact
STATUS, TOUCH_SPEED, TOP_SPEED, DIRECTION, FOLLOWS, BEGAN, PEAK, SCALE, LARGEST, CARRIED = range(10)
MARKS = 10
OPEN, CLOSED, RELEASED = 0.0, 1.0, 2.0

# what may end a branch
NOTHING, TOUCH, REARM, PART, LET_GO, TURN, FOLLOW, CREST = range(8)

# columns of the table of impacts
CONTACT, START, END, PEAK_FORCE, IMPULSE, WORK, APPROACH, UNFINISHED = range(8)

# how a run ends
DONE, TOO_LONG, NOT_FINITE, STUCK = range(4)

POINTS = 16  # looked at in a step, in search of an event
GRID = 9  # points of a step at which all readings are taken, in search of crests
AT_ONCE = 400  # events without time between them before the run counts as stuck
SMALL = 1e-13  # of the largest displacement or speed: below it a sign is noise
PULLS = 1e-10  # of a contact's largest force: what one that is all but gone may seem to pull
GROWTH = 5.0  # largest ratio of one step to the step before
SHRINK = 0.15  # smallest


@njit(cache=True)
def raised(x, p):
    """x^p, continued below zero: by itself for whole powers, by zero for others."""
    if p == 1.0:
        return x
    if p == 0.0:
        return 1.0
    if x <= 0.0:
        return 0.0
    if p == 1.5:
        return x * math.sqrt(x)
    if p == 0.5:
        return math.sqrt(x)
    if p == 0.25:
        return math.sqrt(math.sqrt(x))
    return x**p


@njit(cache=True)
def contact_force(laws, marks, c, x, rate):
    """The force of a closed contact on its present branch [N]."""
    if laws[c, FUNCTION] == 1.0:
        return 6e8 * raised(x, 1.5) + 8e7 * x * rate
    force = laws[c, K] * raised(x, laws[c, N])
    if laws[c, CHI] == 0.0 or (laws[c, APPROACH_ONLY] == 1.0 and marks[c, DIRECTION] < 0.0):
        return force
    if laws[c, OVER_SPEED] == 0.0:
        return force + laws[c, CHI] * raised(x, laws[c, M]) * rate
    if marks[c, FOLLOWS] == 1.0:  # v* is half the rate itself
        return force + 2.0 * laws[c, CHI] * raised(x, laws[c, M])
    speed = marks[c, TOUCH_SPEED]
    if laws[c, PUBLISHED] == 0.0:
        speed = max(speed, 0.5 * marks[c, TOP_SPEED])
    if speed <= 0.0:
        return force
    return force + laws[c, CHI] / speed * raised(x, laws[c, M]) * rate


@njit(cache=True, inline="always")
def read_by(where, weights, c, y, shift, gap):
    """What a contact reads, left less right, of entries that are `shift` beyond the displacements; less its gap."""
    x = -gap
    for k in range(where.shape[1]):
        if where[c, k] >= 0:
            x += weights[c, k] * y[shift + where[c, k]]
    return x


@njit(cache=True, inline="always")
def overlap_at(system, c, y):
    return read_by(system[6], system[7], c, y, 0, system[8][c])


@njit(cache=True, inline="always")
def difference(system, c, y, shift):
    return read_by(system[6], system[7], c, y, shift, 0.0)


@njit(cache=True)
def mobility_of(where, weights, mobility, c):
    """Inverse of the mass that a contact feels [1/kg]."""
    found = 0.0
    for k in range(where.shape[1]):
        if where[c, k] >= 0:
            found += weights[c, k] ** 2 * mobility[where[c, k]]
    return found


@njit(cache=True)
def derivative(system, marks, ground, y, out):
    """Rates of change of the whole state; `ground` is what each degree of freedom takes along of its acceleration."""
    low, high, stiffness, damping, load, mobility, where, weights = system[:8]
    laws = system[9]
    n = low.size
    count = where.shape[0]
    for i in range(n):
        w = load[i] - ground[i]
        for j in range(low[i], high[i]):
            w -= stiffness[i, j] * y[j] + damping[i, j] * y[n + j]
        out[i] = y[n + i]
        out[n + i] = w
    for c in range(count):
        force, rate = 0.0, 0.0
        if marks[c, STATUS] == CLOSED:
            rate = difference(system, c, y, n)
            force = contact_force(laws, marks, c, overlap_at(system, c, y), rate)
            for k in range(where.shape[1]):
                i = where[c, k]
                if i >= 0:
                    out[n + i] -= weights[c, k] * mobility[i] * force
        out[2 * n + c] = force
        out[2 * n + count + c] = force * rate


@njit(cache=True)
def combine(h, row, count, y, rates, out):
    """y + h Σ row·rates over the first `count` stages."""
    for i in range(y.size):
        out[i] = y[i]
    for j in range(count):
        share = h * row[j]
        if share != 0.0:
            for i in range(y.size):
                out[i] += share * rates[j, i]


@njit(cache=True)
def advance(system, marks, g0, slope, t, h, y, rates, y1, scratch):
    """One step of length h from y; rates[0] holds the derivative at its start, rates[12] that at its end."""
    for s in range(1, STAGES):
        combine(h, A[s], s, y, rates, scratch)
        derivative(system, marks, g0 + slope * (t + C[s] * h), scratch, rates[s])
    combine(h, B, STAGES, y, rates, y1)
    derivative(system, marks, g0 + slope * (t + h), y1, rates[STAGES])


@njit(cache=True)
def step_error(h, rates, weights):
    """Estimated error over the tolerance, the largest over degrees of freedom."""
    worst = 0.0
    for i in range(weights.size):
        five, three = 0.0, 0.0
        for j in range(STAGES + 1):
            five += E5[j] * rates[j, i]
            three += E3[j] * rates[j, i]
        five *= h * weights[i]
        three *= h * weights[i]
        if five == 0.0 and three == 0.0:
            continue
        size = five * five / math.sqrt(five * five + 0.01 * three * three)
        if not size <= worst:
            worst = size
    return worst


@njit(cache=True)
def densify(system, marks, g0, slope, t, h, y, rates, y1, dense, scratch):
    """Write the polynomial of a step: three more stages, then seven rows."""
    size = y.size
    for s in range(STAGES + 1, STAGES + 4):
        combine(h, A[s], s, y, rates, scratch)
        derivative(system, marks, g0 + slope * (t + C[s] * h), scratch, rates[s])
    for i in range(size):
        change = y1[i] - y[i]
        dense[0, i] = change
        dense[1, i] = h * rates[0, i] - change
        dense[2, i] = 2.0 * change - h * (rates[STAGES, i] + rates[0, i])
        for r in range(4):
            total = 0.0
            for j in range(STAGES + 4):
                total += D[r, j] * rates[j, i]
            dense[3 + r, i] = h * total


@njit(cache=True)
def curve(p, base, s):
    """Value of the polynomial at the share s of the step."""
    y = 0.0
    for i in range(TERMS):
        y += p[TERMS - 1 - i]
        y *= s if i % 2 == 0 else 1.0 - s
    return base + y


@njit(cache=True)
def state_at(y, dense, s, out):
    for i in range(y.size):
        out[i] = curve(dense[:, i], y[i], s)


@njit(cache=True)
def curves_of(system, c, dense, n, px, pr):
    """Polynomials of a contact's overlap and rate."""
    for r in range(TERMS):
        px[r] = difference(system, c, dense[r], 0)
        pr[r] = difference(system, c, dense[r], n)


@njit(cache=True)
def beyond(event, s, laws, marks, c, px, x0, pr, r0):
    """A function that turns positive where the event happens."""
    if event == TOUCH:
        return curve(px, x0, s)
    if event in (PART, REARM):
        return -curve(px, x0, s)
    if event == TURN:
        return -marks[c, DIRECTION] * curve(pr, r0, s)
    if event == FOLLOW:
        return curve(pr, r0, s) - max(2.0 * marks[c, TOUCH_SPEED], marks[c, TOP_SPEED])
    if event == LET_GO:
        return -contact_force(laws, marks, c, curve(px, x0, s), curve(pr, r0, s))
    d = 1e-4  # CREST: where the rate falls again
    return (curve(pr, r0, s - d) - curve(pr, r0, s + d)) / (2.0 * d)


@njit(cache=True)
def first_beyond(event, noise, laws, marks, c, px, x0, pr, r0):
    """Share of the step at which the event happens first, or 2 where it does not."""
    low, here = 0.0, beyond(event, 0.0, laws, marks, c, px, x0, pr, r0)
    before = here
    found = -1.0
    for k in range(1, POINTS + 1):
        s = k / POINTS
        value = beyond(event, s, laws, marks, c, px, x0, pr, r0)
        if k > 1 and before <= here and here >= value and here <= noise and 2.0 * here - before - value > 0.0:
            rise = (value - before) ** 2 / (8.0 * (2.0 * here - before - value))
            if here + 2.0 * rise + 1e-3 * abs(here - before) > noise:  # a crest between the points may reach it
                a, b = (k - 2) / POINTS, s
                for _ in range(50):
                    one, two = a + 0.382 * (b - a), a + 0.618 * (b - a)
                    if beyond(event, one, laws, marks, c, px, x0, pr, r0) > beyond(
                        event, two, laws, marks, c, px, x0, pr, r0
                    ):
                        b = two
                    else:
                        a = one
                top = 0.5 * (a + b)
                if beyond(event, top, laws, marks, c, px, x0, pr, r0) > noise:
                    low, found = (k - 2) / POINTS, top
                    break
        if value > noise:
            low, found = (k - 1) / POINTS, s
            break
        before, here = here, value
    if found < 0.0:
        return 2.0
    if beyond(event, low, laws, marks, c, px, x0, pr, r0) >= 0.0:
        return low
    high = found
    for _ in range(70):
        middle = 0.5 * (low + high)
        if beyond(event, middle, laws, marks, c, px, x0, pr, r0) > 0.0:
            high = middle
        else:
            low = middle
    return high


@njit(cache=True)
def near(system, c, h, y, rates, y1, n):
    """Whether an open contact might touch within the step; rates hold δ̈ at both ends."""
    x0, x1 = overlap_at(system, c, y), overlap_at(system, c, y1)
    speed = max(abs(difference(system, c, y, n)), abs(difference(system, c, y1, n)))
    pull = max(abs(difference(system, c, rates[0], n)), abs(difference(system, c, rates[STAGES], n)))
    return max(x0, x1) + 2.0 * h * speed + 2.0 * h * h * pull >= 0.0


@njit(cache=True)
def earliest(system, marks, sizes, y, dense, n, px, pr):
    """The first event of a step: which, of which contact, at which share of the step."""
    best, event, whom = 2.0, NOTHING, -1
    laws = system[9]
    for c in range(marks.shape[0]):
        curves_of(system, c, dense, n, px, pr)
        x0, r0 = overlap_at(system, c, y), difference(system, c, y, n)
        far, fast = SMALL * sizes[0], SMALL * sizes[1]
        for which in range(TOUCH, CREST + 1):
            noise = far
            if which == TOUCH:
                wanted = marks[c, STATUS] == OPEN
            elif which == REARM:
                wanted = marks[c, STATUS] == RELEASED
                noise = 0.0
            elif marks[c, STATUS] != CLOSED:
                continue
            elif which == PART:
                wanted = True
            elif which == LET_GO:
                wanted = laws[c, TENSION] == 0.0
                noise = PULLS * marks[c, LARGEST]
            elif which == TURN:
                wanted = laws[c, APPROACH_ONLY] == 1.0
                noise = fast
            elif laws[c, OVER_SPEED] == 0.0 or laws[c, PUBLISHED] == 1.0:
                continue
            elif which == FOLLOW:
                wanted = marks[c, FOLLOWS] == 0.0
                noise = fast
            else:
                wanted = marks[c, FOLLOWS] == 1.0
                noise = fast
            if not wanted:
                continue
            s = first_beyond(which, noise, laws, marks, c, px, x0, pr, r0)
            if s < best:
                best, event, whom = s, which, c
    return best, event, whom


@njit(cache=True)
def miss(event, law, mark, x, rate, pull):
    """How far a state is from the event, and how fast that changes; a rate of zero: not to be corrected."""
    if event in (TOUCH, PART, REARM):
        return x, rate
    if event == TURN:
        return rate, pull
    if event == FOLLOW:
        return rate - max(2.0 * mark[TOUCH_SPEED], mark[TOP_SPEED]), pull
    return 0.0, 0.0


@njit(cache=True)
def change_branch(event, c, now, system, marks, y, n, sizes, table, filled):
    """Do what an event asks for; returns the number of impacts in the table."""
    mark, law = marks[c], system[9][c]
    rate = difference(system, c, y, n)
    count = marks.shape[0]
    if event == TOUCH:
        mark[STATUS] = CLOSED
        mark[TOUCH_SPEED] = rate if rate > SMALL * sizes[1] else 0.0
        mark[TOP_SPEED] = mark[TOUCH_SPEED]
        mark[DIRECTION] = 1.0 if rate >= 0.0 else -1.0  # pressed at the start, it may be parting already
        follows = law[OVER_SPEED] == 1.0 and law[PUBLISHED] == 0.0 and mark[TOUCH_SPEED] == 0.0
        follows = follows and overlap_at(system, c, y) <= SMALL * sizes[0]  # pressed at the start: v* is still zero
        mark[FOLLOWS] = 1.0 if follows else 0.0
        mark[BEGAN] = now
        mark[PEAK] = 0.0
        y[2 * n + c] = 0.0
        y[2 * n + count + c] = 0.0
    elif event == REARM:
        mark[STATUS] = OPEN
    elif event in (PART, LET_GO):
        mark[STATUS] = RELEASED if event == LET_GO and overlap_at(system, c, y) > SMALL * sizes[0] else OPEN
        filled = enter(c, now, 0.0, marks, y, n, table, filled)
    elif event == TURN:
        mark[DIRECTION] = -mark[DIRECTION]
    elif event == FOLLOW:
        mark[FOLLOWS] = 1.0
    else:
        mark[FOLLOWS] = 0.0
        mark[TOP_SPEED] = max(mark[TOP_SPEED], rate)
    return filled


@njit(cache=True)
def speed_before(system, c, y, n):
    """With what speed bodies that overlap at the start have touched, if all that their spring holds was motion then."""
    law, mobility = system[9][c], mobility_of(system[6], system[7], system[5], c)
    x, rate = overlap_at(system, c, y), difference(system, c, y, n)
    held = law[K] * raised(x, law[N] + 1.0) / (law[N] + 1.0)
    return math.sqrt(rate * rate + 2.0 * held * mobility)


@njit(cache=True)
def enter(c, now, unfinished, marks, y, n, table, filled):
    """Write an impact into the table, while there is room."""
    if filled < table.shape[0]:
        row = table[filled]
        row[CONTACT], row[START], row[END], row[PEAK_FORCE] = c, marks[c, BEGAN], now, marks[c, PEAK]
        row[IMPULSE], row[WORK] = y[2 * n + c], y[2 * n + marks.shape[0] + c]
        row[APPROACH], row[UNFINISHED] = marks[c, TOUCH_SPEED], unfinished
    marks[c, CARRIED] += y[2 * n + c]
    return filled + 1


@njit(cache=True)
def reading(kind, i, system, marks, ground, y, out):
    """|u|, |u̇|, |absolute acceleration| of degree of freedom i (`out` holds the rates), or force of contact i."""
    n = system[0].size
    if kind == 0:
        return abs(y[i])
    if kind == 1:
        return abs(y[n + i])
    if kind == 2:
        return abs(out[n + i] + ground[i])
    return out[2 * n + i]


@njit(cache=True)
def note_ends(system, marks, ground, y, rate, peaks):
    """Raise the peaks to the values of a state."""
    n = system[0].size
    for i in range(n):
        for kind in range(3):
            peaks[kind * n + i] = max(peaks[kind * n + i], reading(kind, i, system, marks, ground, y, rate))
    for c in range(marks.shape[0]):
        if marks[c, STATUS] == CLOSED:
            marks[c, PEAK] = max(marks[c, PEAK], rate[2 * n + c])


@njit(cache=True)
def crest(kind, i, system, marks, g0, slope, t, h, y, dense, middle, scratch, out):
    """The largest value of a reading around the share `middle` of a step: two finer grids, then a parabola."""
    width = 1.0 / 8.0
    best = 0.0
    for refinement in range(3):
        spacing = width / 4.0
        top, at = -1.0, middle
        last, left, right = 0.0, 0.0, 0.0
        for k in range(-4, 5):
            s = middle + k * spacing
            if s < 0.0 or s > 1.0:
                continue
            state_at(y, dense, s, scratch)
            ground = g0 + slope * (t + s * h)
            derivative(system, marks, ground, scratch, out)
            value = reading(kind, i, system, marks, ground, scratch, out)
            if value > top:
                top, at, left, right = value, s, last, -1.0
            elif right < 0.0:
                right = value
            last = value
        middle, width = at, spacing
        best = max(best, top)
        bend = 2.0 * top - left - right
        if refinement == 2 and 0.0 < at < 1.0 and left > 0.0 and right > 0.0 and bend > 0.0:
            best = max(best, top + min((right - left) ** 2 / (8.0 * bend), 0.25 * bend))
    return best


@njit(cache=True)
def note_crests(system, marks, g0, slope, t, h, y, rates, y1, dense, peaks, values, scratch, out):
    """Raise the peaks to the true extremes inside a step, where they may pass what is known."""
    n = system[0].size
    last = GRID - 1
    for k in range(GRID):
        s = k / last
        ground = g0 + slope * (t + s * h)
        if k == 0:
            read_all(system, marks, ground, y, rates[0], values[k])
        elif k == last:
            read_all(system, marks, ground, y1, rates[STAGES], values[k])
        else:
            state_at(y, dense, s, scratch)
            derivative(system, marks, ground, scratch, out)
            read_all(system, marks, ground, scratch, out, values[k])
    for q in range(3 * n + marks.shape[0]):
        top = 0
        for k in range(1, GRID):
            if values[k, q] > values[top, q]:
                top = k
        if top == 0 and 4.0 * values[1, q] - 3.0 * values[0, q] - values[2, q] <= 0.0:
            continue
        if top == last and 4.0 * values[last - 1, q] - 3.0 * values[last, q] - values[last - 2, q] <= 0.0:
            continue
        kind = min(q // n, 3)
        i = q - kind * n
        known = marks[i, PEAK] if kind == 3 else peaks[q]
        if 1.01 * values[top, q] > known:
            value = crest(kind, i, system, marks, g0, slope, t, h, y, dense, top / last, scratch, out)
            if kind == 3:
                marks[i, PEAK] = max(known, value)
            else:
                peaks[q] = max(known, value)


@njit(cache=True)
def read_all(system, marks, ground, y, rate, out):
    """All readings of a state; those of open contacts are zero."""
    n = system[0].size
    for i in range(n):
        for kind in range(3):
            out[kind * n + i] = reading(kind, i, system, marks, ground, y, rate)
    for c in range(marks.shape[0]):
        out[3 * n + c] = rate[2 * n + c]


@njit(cache=True)
def may_rise(system, marks, ground, ground1, y, rates, y1, peaks):
    """Whether some reading may have a crest inside the step beyond the known peak."""
    n = system[0].size
    for i in range(n):
        for kind in range(3):
            one = reading(kind, i, system, marks, ground, y, rates[0])
            two = reading(kind, i, system, marks, ground1, y1, rates[STAGES])
            if 1.25 * max(one, two) + abs(one - two) > peaks[kind * n + i]:
                return True
    for c in range(marks.shape[0]):
        if marks[c, STATUS] == CLOSED:
            one, two = rates[0, 2 * n + c], rates[STAGES, 2 * n + c]
            if 1.25 * max(one, two) + abs(one - two) > marks[c, PEAK]:
                return True
    return False


@njit(cache=True)
def weigh(system, marks, tolerance, speeds, paces, weights):
    """One over the error allowed: of speeds a share of each floor's speed, of displacements that over a frequency."""
    n = system[0].size
    for i in range(n):
        square = system[2][i, i]
        for c in range(marks.shape[0]):
            if marks[c, STATUS] == CLOSED:
                for k in range(system[6].shape[1]):
                    if system[6][c, k] == i:
                        square += paces[c] * system[7][c, k] ** 2 * system[5][i]
        allowed = tolerance * speeds[i]
        weights[i] = math.sqrt(square) / allowed if square > 1.0 else 1.0 / allowed
        weights[n + i] = 1.0 / allowed


@njit(cache=True)
def run(system, start, record, dt, tolerance, paces, reference, longest, limit, at_samples, carried, table):
    """Follow the whole record. Returns how it ended, evaluations, impacts and the samples that were reached.

    `paces` [N/m] are typical tangent stiffnesses of the contacts, `reference` [m/s] a typical speed, `longest` [s]
    the longest step. At every sample `at_samples` gets the peaks so far, |u|, |u̇|, |acceleration| and contact forces,
    and `carried` the impulses of the contacts so far [N·s].
    """
    n, count = system[0].size, system[6].shape[0]
    size = 2 * n + 2 * count
    marks = np.zeros((count, MARKS))
    rates = np.zeros((STAGES + 4, size))
    dense = np.zeros((TERMS, size))
    y, y1, scratch, out = np.zeros(size), np.zeros(size), np.zeros(size), np.zeros(size)
    px, pr = np.zeros(TERMS), np.zeros(TERMS)
    peaks = np.zeros(3 * n)
    weights, speeds = np.zeros(2 * n), np.zeros(n)
    sizes = np.zeros(2)
    values = np.zeros((GRID, 3 * n + count))
    for i in range(2 * n):
        y[i] = start[i]
    for i in range(n):
        sizes[0] = max(sizes[0], abs(y[i]))
    sizes[0] = max(sizes[0], 1e-3 * reference)
    sizes[1] = reference
    filled, spent, h = 0, 0, min(longest, 0.05 * dt)
    slope = (record[1] - record[0]) / dt
    for c in range(count):
        if overlap_at(system, c, y) > 0.0:
            filled = change_branch(TOUCH, c, 0.0, system, marks, y, n, sizes, table, filled)
            marks[c, TOP_SPEED] = 2.0 * speed_before(system, c, y, n)
    derivative(system, marks, record[0], y, rates[0])
    note_ends(system, marks, record[0], y, rates[0], peaks)
    reached = 0
    for sample in range(record.shape[0] - 1):
        g0 = record[sample]
        slope = (record[sample + 1] - g0) / dt
        t = 0.0
        at_once = 0
        derivative(system, marks, g0, y, rates[0])
        while t < dt:
            for i in range(n):
                speeds[i] = max(max(peaks[n + i], 1e-2 * sizes[1]), 1e-300)
                sizes[0] = max(sizes[0], peaks[i])
                sizes[1] = max(sizes[1], peaks[n + i])
            weigh(system, marks, tolerance, speeds, paces, weights)
            h = min(h, longest)
            left = dt - t
            last = h >= left * (1.0 - 1e-12)
            length = left if last else (0.5 * left if h > 0.5 * left else h)
            advance(system, marks, g0, slope, t, length, y, rates, y1, scratch)
            spent += STAGES
            if spent > limit:
                return TOO_LONG, spent, filled, reached
            error = step_error(length, rates, weights)
            if not math.isfinite(error):
                if length < 1e-15 * dt:
                    return NOT_FINITE, spent, filled, reached
                h = 0.1 * length
                continue
            factor = min(max(0.9 * max(error, 1e-30) ** -0.125, SHRINK), GROWTH)
            if error > 1.0 and length > 1e-13 * dt:
                h = length * min(factor, 0.9)
                continue
            if factor > 1.0 or not last:
                h = max(h, length * factor) if last else length * factor
            watched = False
            for c in range(count):
                if marks[c, STATUS] != OPEN or near(system, c, length, y, rates, y1, n):
                    watched = True
                    break
            ready = False
            event, whom = NOTHING, -1
            if watched:
                densify(system, marks, g0, slope, t, length, y, rates, y1, dense, scratch)
                ready = True
                share, event, whom = earliest(system, marks, sizes, y, dense, n, px, pr)
                if event != NOTHING:
                    last = False
                    length *= share
                    if length > 0.0:
                        for _ in range(4):  # land on it
                            advance(system, marks, g0, slope, t, length, y, rates, y1, scratch)
                            spent += STAGES
                            off, pace = miss(
                                event, system[9][whom], marks[whom], overlap_at(system, whom, y1),
                                difference(system, whom, y1, n), difference(system, whom, rates[STAGES], n),
                            )  # fmt: skip
                            if pace == 0.0 or abs(off) > 1e-3 * abs(pace) * length:
                                break
                            length -= off / pace
                            if abs(off) <= 1e-15 * abs(pace) * dt or length <= 0.0:
                                break
                        length = max(length, 0.0)
                        advance(system, marks, g0, slope, t, length, y, rates, y1, scratch)
                        spent += STAGES
                        ready = False
            if length > 0.0:
                ground, ground1 = g0 + slope * t, g0 + slope * (t + length)
                note_ends(system, marks, ground, y, rates[0], peaks)
                note_ends(system, marks, ground1, y1, rates[STAGES], peaks)
                if may_rise(system, marks, ground, ground1, y, rates, y1, peaks):
                    if not ready:
                        densify(system, marks, g0, slope, t, length, y, rates, y1, dense, scratch)
                    note_crests(system, marks, g0, slope, t, length, y, rates, y1, dense, peaks, values, scratch, out)
                for i in range(size):
                    y[i] = y1[i]
                    rates[0, i] = rates[STAGES, i]
                at_once = 0
            t = dt if last else t + length
            for c in range(count):
                if marks[c, STATUS] == CLOSED:
                    marks[c, LARGEST] = max(marks[c, LARGEST], marks[c, PEAK])
                    if marks[c, FOLLOWS] == 1.0:
                        marks[c, TOP_SPEED] = max(marks[c, TOP_SPEED], difference(system, c, y, n))
            if event != NOTHING:
                at_once += 1
                if at_once > AT_ONCE:
                    return STUCK, spent, filled, reached
                filled = change_branch(event, whom, sample * dt + t, system, marks, y, n, sizes, table, filled)
                derivative(system, marks, g0 + slope * t, y, rates[0])
                note_ends(system, marks, g0 + slope * t, y, rates[0], peaks)
                if event == TOUCH:
                    law = system[9][whom]
                    mass = mobility_of(system[6], system[7], system[5], whom)
                    smooth = law[FUNCTION] == 0.0 and law[N] == 1.0
                    h = min(h, (1e-2 if smooth else 1e-5) / math.sqrt(paces[whom] * mass))
        reached = sample + 1
        for q in range(3 * n):
            at_samples[reached, q] = peaks[q]
        for c in range(count):
            if marks[c, STATUS] == CLOSED:
                marks[c, LARGEST] = max(marks[c, LARGEST], marks[c, PEAK])
            at_samples[reached, 3 * n + c] = marks[c, LARGEST]
            under_way = y[2 * n + c] if marks[c, STATUS] == CLOSED else 0.0
            carried[reached, c] = marks[c, CARRIED] + under_way
    for c in range(count):
        if marks[c, STATUS] == CLOSED:
            filled = enter(c, (record.shape[0] - 1) * dt, 1.0, marks, y, n, table, filled)
    return DONE, spent, filled, reached
