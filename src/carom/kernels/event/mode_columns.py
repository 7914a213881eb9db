"""Modes of buildings in contact, side by side: power series q(τ) = Σ cₚ τᵖ of all modes, power by power.

Every power has a column of numbers, one for each mode. Neighbours lie next to each other in memory, and a processor
works on several at once. Long series cost little then, and reach over steps of a few radians: a mode somewhat quicker
than the contacts need not be treated on its own, and the quickest mode does not shorten the step. Modes that are quick
all the same (`contact.quick_modes`) have zeros here. In free motion the coefficients follow each other by

    p (p − 1) cₚ = −2σ (p − 1) cₚ₋₁ − ω² cₚ₋₂,      p ≥ 4,

and a contact force F adds −push Σ aₚ ∫ (h − s)ᵖ F(s) ds to the displacement at the end of a step of length h, where aₚ
are the coefficients of the answer to a unit impulse; the integrals are MOMENT of the contact.

A step in contact uses them in this order: `expand_columns` writes the free motion from its start, `overlap_columns`
adds it up to overlaps, and once the forces are known `carry_columns` writes the state at its end and `column_energies`
enters work and damping. `forced_columns` writes the motion inside the step, for its peaks. The columns lie in the
scratch behind what quick modes need (`contact.step`).
"""

from carom.kernels.contact.collocation import END, LONG, NODES, PARABOLAS, PLAIN, TERMS
from carom.kernels.contact.impact_record import closed_ones
from carom.kernels.contact.step import FEWEST_TERMS, LEFT_OUT, SMALL_SIZE, expand_mode
from carom.kernels.contact.step_curves import coefficient
from carom.kernels.event.flight import mode_after
from carom.kernels.modal.energy import energy_between, stiff_energy
from carom.kernels.modal.propagator import INVERSE
from carom.kernels.rows import (
    ANSWER,
    AT_END,
    AT_NODES,
    CLOSED,
    FORCE,
    FREE_OVERLAP,
    GAP,
    LEVER,
    LOAD,
    MASS,
    MOMENT,
    QUICK,
    SLOPE,
    SOFT,
    SQUARE,
    STATUS,
    STEADY,
    TAYLOR,
    TWICE,
    Q,
    V,
    W,
)
from carom.kernels.types import Matrix, Vector, in_any_order

LONG_ANGLE = 4.0
"""Turn ωh [rad] of the quickest mode over which long series serve: the first term left out is 4³²/32! = 7e-17, and
rounding grows by e⁴."""
STEP_ANGLE = 2.5
"""Longest turn ωh [rad] of the quickest mode in a step in contact: below π, so that no motion turns twice in it
unseen."""
BRIEF_ANGLE = 0.1
"""Turn ωh [rad] of a mode up to which quintics between the ends of a step give energies to many digits."""
STEP_PER_CONTACT = 1.0  # longest step in contact, as share of the typical duration of the slowest contact

FORCED_TERMS = 7
"""Number of terms to which a contact force, a quartic in time, adds directly: a quartic load moves a mass along powers
up to six. Later terms follow from these by the rule of free motion."""

PARABOLA = FREE_OVERLAP  # of a contact, once a plain step is solved: three numbers (`lay_parabola`)

# columns of modes
DAMPED = 0  # 2σ [1/s]
STIFF = 1  # ω² [1/s²]
END_Q = 2  # displacement at the end of a step
END_V = 3  # velocity at the end of a step
SPARE = 4  # three columns of scratch
ANSWERS = 7  # the answer to a unit impulse, h(τ) = Σ aₚ τᵖ
FREE_POWERS = ANSWERS + LONG  # the free motion from the start of a step
BACK_POWERS = FREE_POWERS + LONG  # the motion from the end of a stretch of flight or of a step back
LEAVING = BACK_POWERS + LONG  # how far free vibrations leave curves: six columns (`floor_bounds.lay_margins`)
MIDDLE = LEAVING + 6  # the state in the middle of a stretch of flight: eight columns (`middle_columns`)
MODE_COLUMNS = MIDDLE + 8  # how many columns there are


def long_terms(angle: float, rtol: float) -> int:
    """Return how many terms a long power series needs over this `angle` [rad], as `contact.step.terms_for` does."""
    left = 1.0
    for p in range(1, LONG):
        left *= angle * INVERSE[p]
        if left < LEFT_OUT * rtol:
            return max(p, FEWEST_TERMS)
    return LONG


def by_fours(terms: int) -> int:
    """Return a number of terms rounded up to a multiple of four: series side by side are added up in fours."""
    return 4 * ((terms + 3) // 4)


def column_at(i: int, count: int) -> int:
    """Return where in the scratch column `i` of `count` modes begins."""
    return SMALL_SIZE + i * count


def fill_columns(modes: Matrix, small: Vector) -> None:
    """Write the columns that never change."""
    count = modes.shape[0]
    for k in range(count):
        slow = 1.0 if modes[k, QUICK] == 0.0 else 0.0
        small[column_at(DAMPED, count) + k] = slow * modes[k, TWICE]
        small[column_at(STIFF, count) + k] = slow * modes[k, SQUARE]
        small[column_at(ANSWERS, count) + k] = 0.0
        small[column_at(ANSWERS + 1, count) + k] = slow
    follow(ANSWERS, 2, LONG, count, small)


def fill_pairs(modes: int, contacts: Matrix, pairs: Matrix, small: Vector) -> None:
    """Write how overlap c answers a unit impulse at contact d ≤ c."""
    count = contacts.shape[0]
    for c in range(count):
        for d in range(c + 1):
            fill_pair(modes, contacts[c], contacts[d], pairs[c * count + d], small)


def fill_pair(modes: int, row: Vector, other: Vector, pair: Vector, small: Vector) -> None:
    """Write how the overlap of one contact answers a unit impulse at another: a power series over modes not quick."""
    for p in range(LONG):
        at, total = column_at(ANSWERS + p, modes), 0.0
        for k in range(modes):
            total += row[LEVER + 2 * k] * other[LEVER + 2 * k + 1] * small[at + k]
        pair[ANSWER + p] = total


@in_any_order
def follow(first: int, start: int, stop: int, count: int, small: Vector) -> None:
    """Write powers from `start` up to `stop` of series of free motion, whose columns begin at `first`.

    The two powers before `start` are there already.
    """
    at = column_at(DAMPED, count)
    damped = small[at : at + count]
    at = column_at(STIFF, count)
    stiff = small[at : at + count]
    at = column_at(first + start, count)
    for p in range(start, stop):
        before, last = small[at - 2 * count : at - count], small[at - count : at]
        into = small[at : at + count]
        a, b = -INVERSE[p], -INVERSE[p] * INVERSE[p - 1]
        for k in range(count):
            into[k] = a * (damped[k] * last[k]) + b * (stiff[k] * before[k])
        at += count


def expand_columns(state: int, t: float, first: int, terms: int, modes: Matrix, small: Vector) -> None:
    """Write the free motion from a state on, time `t` of the sample, as power series; their columns begin at `first`.

    Quick modes are expanded on their own.
    """
    count = modes.shape[0]
    at = column_at(first, count)
    e0, e1 = small[at : at + count], small[at + count : at + 2 * count]
    e2, e3 = small[at + 2 * count : at + 3 * count], small[at + 3 * count : at + 4 * count]
    for k in range(count):
        row = modes[k]
        if row[QUICK] == 0.0:
            q, v = row[state], row[state + 1]
            slope, twice, square = row[SLOPE], row[TWICE], row[SQUARE]
            w = row[LOAD] + slope * t - twice * v - square * q
            e0[k], e1[k], e2[k] = q, v, 0.5 * w
            e3[k] = (slope - twice * w - square * v) * INVERSE[3] * 0.5
        else:
            e0[k], e1[k], e2[k], e3[k] = 0.0, 0.0, 0.0, 0.0
            expand_mode(row, t, TERMS)
    follow(first, 4, terms, count, small)


def forced_columns(h: float, t: float, terms: int, modes: Matrix, contacts: Matrix, small: Vector) -> None:
    """Write the motion in a solved plain step as power series from its end, time `t` of the sample.

    No mode is quick. Inside the step the forces are taken from the quartic through ends and nodes. The parabola with
    which the step was solved is as good at the end of the step only.
    """
    count = modes.shape[0]
    expand_columns(Q, t, BACK_POWERS, FORCED_TERMS, modes, small)
    at = column_at(BACK_POWERS, count)
    for c in range(contacts.shape[0]):
        row = contacts[c]
        if row[STATUS] == CLOSED:
            f0, f1, f2, f3, f4 = force_from_end(h, row)
            for k in range(count):
                push, twice, square = row[LEVER + 2 * k + 1], modes[k, TWICE], modes[k, SQUARE]
                e2 = -0.5 * push * f0  # what the force adds to powers two to six
                e3 = -(push * f1 + 2.0 * twice * e2) / 6.0
                e4 = -(push * f2 + 3.0 * twice * e3 + square * e2) / 12.0
                e5 = -(push * f3 + 4.0 * twice * e4 + square * e3) / 20.0
                e6 = -(push * f4 + 5.0 * twice * e5 + square * e4) / 30.0
                small[at + 2 * count + k] += e2
                small[at + 3 * count + k] += e3
                small[at + 4 * count + k] += e4
                small[at + 5 * count + k] += e5
                small[at + 6 * count + k] += e6
    follow(BACK_POWERS, FORCED_TERMS, terms, count, small)


def force_from_end(h: float, row: Vector) -> tuple[float, float, float, float, float]:
    """Return the force of a contact in a solved plain step as powers of time from its end [N/sᵖ], p up to four.

    The powers are those of the quartic through ends and nodes.
    """
    start, first, middle, last, end = row[FORCE], row[AT_NODES], row[AT_NODES + 1], row[AT_NODES + 2], row[AT_END]
    c1 = coefficient(PLAIN, 1, start, first, middle, last, end)
    c2 = coefficient(PLAIN, 2, start, first, middle, last, end)
    c3 = coefficient(PLAIN, 3, start, first, middle, last, end)
    c4 = coefficient(PLAIN, 4, start, first, middle, last, end)
    per_h = 1.0 / h
    per_h2, per_h3 = per_h * per_h, per_h * per_h * per_h
    return (
        end,
        (c1 + 2.0 * c2 + 3.0 * c3 + 4.0 * c4) * per_h,
        (c2 + 3.0 * c3 + 6.0 * c4) * per_h2,
        (c3 + 4.0 * c4) * per_h3,
        c4 * per_h2 * per_h2,
    )


def overlap_columns(
    first: int, start: int, after: int, terms: int, count: int, contacts: Matrix, small: Vector
) -> None:
    """Add up the motion whose columns begin at `first` to overlaps of contacts `start` up to `after`, in TAYLOR."""
    at = column_at(SPARE, count)
    reach = small[at : at + count]
    for c in range(start, after):
        row = contacts[c]
        for k in range(count):
            reach[k] = row[LEVER + 2 * k]
        for p in range(0, terms, 4):
            row[TAYLOR + p], row[TAYLOR + p + 1], row[TAYLOR + p + 2], row[TAYLOR + p + 3] = four_sums(
                reach, 0, first + p, count, small
            )  # fmt: skip
        row[TAYLOR] -= row[GAP]


@in_any_order
def four_sums(weights: Vector, start: int, first: int, count: int, small: Vector) -> tuple[float, float, float, float]:
    """Return the sums of four columns from `first` on, over modes from `start` on with these weights."""
    at, many = column_at(first, count) + start, weights.size
    e0, e1 = small[at : at + many], small[at + count : at + count + many]
    e2, e3 = small[at + 2 * count : at + 2 * count + many], small[at + 3 * count : at + 3 * count + many]
    s0, s1, s2, s3 = 0.0, 0.0, 0.0, 0.0
    for k in range(many):
        s0 += weights[k] * e0[k]
        s1 += weights[k] * e1[k]
        s2 += weights[k] * e2[k]
        s3 += weights[k] * e3[k]
    return s0, s1, s2, s3


@in_any_order
def one_sum(weights: Vector, values: Vector) -> float:
    """Return a sum of weighted numbers."""
    total = 0.0
    for k in range(weights.size):
        total += weights[k] * values[k]
    return total


@in_any_order
def carry_freely(h: float, terms: int, count: int, small: Vector) -> None:
    """Write where free motion leaves the modes that are not quick a time `h` after the start."""
    at = column_at(END_Q, count)
    q, v = small[at : at + count], small[at + count : at + 2 * count]
    for k in range(count):
        q[k] = 0.0
        v[k] = 0.0
    at, power, slower = column_at(FREE_POWERS, count), 1.0, 0.0
    for p in range(0, terms, 2):  # upwards: LLVM's check that columns do not overlap fails for columns taken downwards
        f, e = small[at : at + count], small[at + count : at + 2 * count]
        further = power * h
        rate, faster = p * slower, (p + 1.0) * power
        for k in range(count):
            q[k] += f[k] * power + e[k] * further
            v[k] += f[k] * rate + e[k] * faster
        slower, power = further, further * h
        at += 2 * count


def middle_columns(h: float, t: float, terms: int, modes: Matrix, small: Vector) -> None:
    """Write the states of modes in flight a time `h` after the start of a stretch, at time `t` of the sample.

    A state is the displacement with its first three derivatives, and the absolute acceleration with its first two. No
    mode is quick.
    """
    count = modes.shape[0]
    carry_freely(h, terms, count, small)
    ended, at = column_at(END_Q, count), column_at(MIDDLE, count)
    for k in range(count):
        row, q, v = modes[k], small[ended + k], small[ended + count + k]
        own = -row[SQUARE] * q - row[TWICE] * v
        w = row[LOAD] + row[SLOPE] * t + own
        change = -row[SQUARE] * v - row[TWICE] * w
        jerk = row[SLOPE] + change
        small[at + k], small[at + count + k], small[at + 2 * count + k] = q, v, w
        small[at + 3 * count + k], small[at + 4 * count + k] = jerk, row[STEADY] + own
        small[at + 5 * count + k], small[at + 6 * count + k] = change, -row[SQUARE] * w - row[TWICE] * jerk
        small[at + 7 * count + k] = 0.0


@in_any_order
def carry_columns(h: float, terms: int, count: int, contacts: Matrix, small: Vector) -> None:
    """Write where a solved step of length `h` leaves the modes that are not quick.

    The velocity is the derivative of the displacement (see the top of this file): MOMENT p − 1 times p takes the place
    of MOMENT p.
    """
    carry_freely(h, terms, count, small)
    at = column_at(END_Q, count)
    q, v, pushes = small[at : at + count], small[at + count : at + 2 * count], small[at + 2 * count : at + 3 * count]
    end = MOMENT + LONG * END
    for c in range(contacts.shape[0]):
        row = contacts[c]
        if row[STATUS] != CLOSED:
            continue
        for k in range(count):
            pushes[k] = row[LEVER + 2 * k + 1]
        at = column_at(ANSWERS, count)
        for p in range(0, terms, 2):  # a₀ = 0, so that what stands for MOMENT −1 does not count
            f, e = small[at : at + count], small[at + count : at + 2 * count]
            even, odd = row[end + p], row[end + p + 1]
            even_rate, odd_rate = p * row[end + max(p - 1, 0)], (p + 1.0) * even
            for k in range(count):
                q[k] -= pushes[k] * (f[k] * even + e[k] * odd)
                v[k] -= pushes[k] * (f[k] * even_rate + e[k] * odd_rate)
            at += 2 * count


def column_energies(
    kind: int, h: float, t: float, modes: Matrix, contacts: Matrix, small: Vector
) -> tuple[float, float]:
    """Let modes that are not quick be where a step leaves them; return work of loads and what damping took [J].

    None is a prescribed motion. In plain steps the forces are parabolas in time, and both follow in closed form, unless
    a mode turns so little that this would lose digits. Otherwise the mode is taken along a quintic between the ends.
    """
    count = modes.shape[0]
    first, after = closed_ones(contacts)
    if kind == PLAIN:
        for c in range(first, after):
            lay_parabola(h, contacts[c])
    at = column_at(END_Q, count)
    q1, v1 = small[at : at + count], small[at + count : at + 2 * count]
    work, lost = 0.0, 0.0
    for k in range(count):
        if modes[k, QUICK] == 0.0:
            gain, loss = energies_in_step(k, kind, h, t, q1[k], v1[k], first, after, modes, contacts)
            work += gain
            lost += loss
            modes[k, Q], modes[k, V] = q1[k], v1[k]
    return work, lost


def energies_in_step(
    k: int, kind: int, h: float, t: float, q: float, v: float, first: int, after: int, modes: Matrix, contacts: Matrix
) -> tuple[float, float]:
    """Return the work of the load on a mode that a solved step takes to `q` and `v`, and what damping took [J].

    Contacts from `first` on and before `after` may be closed; of plain steps their parabolas are laid.
    """
    row = modes[k]
    load = row[LOAD] + row[SLOPE] * t
    a, b, bow, last = 0.0, 0.0, 0.0, 0.0
    for c in range(first, after):
        if contacts[c, STATUS] == CLOSED:
            push = contacts[c, LEVER + 2 * k + 1]
            a += push * contacts[c, PARABOLA]
            b += push * contacts[c, PARABOLA + 1]
            bow += push * contacts[c, PARABOLA + 2]
            last += push * contacts[c, AT_END]
    brief = row[SQUARE] * h * h <= BRIEF_ANGLE * BRIEF_ANGLE
    if kind == PLAIN and not brief:
        work, lost, _, _ = stiff_energy(row, row[SOFT], row[Q], row[V], q, v, load, row[SLOPE], a, b, bow, h)
        return row[MASS] * work, row[MASS] * lost
    w = load + row[SLOPE] * h - row[TWICE] * v - row[SQUARE] * q - last
    work, lost = energy_between(row, row[W], q, v, w, load, h)
    if not brief:
        more, more_lost = beside_quintic(row, load, h)
        work, lost = work + more, lost + more_lost
    return work, lost


def beside_quintic(row: Vector, load: float, h: float) -> tuple[float, float]:
    """Return what Hermite's quintic misses of work and damping in the free motion of a mode over a step [J].

    The free motion has a closed form, and so has the miss. What contact forces add to the motion is smoother, and
    smaller: what the quintic misses of that is left out.
    """
    end_load = load + row[SLOPE] * h
    q, v = mode_after(row, row[Q], row[V], load, row[SLOPE], h)
    start = load - row[TWICE] * row[V] - row[SQUARE] * row[Q]
    end = end_load - row[TWICE] * v - row[SQUARE] * q
    work, lost = free_energies(row, q, v, load, h)
    told, told_lost = energy_between(row, start, q, v, end, load, h)
    return work - told, lost - told_lost


def free_energies(row: Vector, q: float, v: float, load: float, h: float) -> tuple[float, float]:
    """Return the work of the load on a mode that moves freely to `q` and `v`, and what damping took [J], exactly.

    A mode that hardly turns would lose digits so: it moves along a quintic.
    """
    if row[SQUARE] * h * h > BRIEF_ANGLE * BRIEF_ANGLE:
        work, lost, _, _ = stiff_energy(row, row[SOFT], row[Q], row[V], q, v, load, row[SLOPE], 0.0, 0.0, 0.0, h)
        return row[MASS] * work, row[MASS] * lost
    start = load - row[TWICE] * row[V] - row[SQUARE] * row[Q]
    end = load + row[SLOPE] * h - row[TWICE] * v - row[SQUARE] * q
    return energy_between(row, start, q, v, end, load, h)


def lay_parabola(h: float, row: Vector) -> None:
    """Write the force of a contact in a solved plain step as the parabola a + b t + c t² through its nodes."""
    per_power = 1.0  # h⁻ᵖ
    for p in range(3):
        row[PARABOLA + p] = 0.0
        for j in range(NODES):
            row[PARABOLA + p] += row[AT_NODES + j] * PARABOLAS[PLAIN, j, p] * per_power
        per_power /= h
