"""One step in contact: the contact forces at Gauss' nodes such that law and motion agree there.

    δ_c(t) = free motion − Σ_d ∫ answer_cd(t − s) F_d(s) ds,       F_c = law_c(δ_c, δ̇_c)  at three nodes

The modes enter through their exact answers alone (`collocation`), so that no frequency limits the step: slow modes by
power series, summed over modes once per run; quick ones one by one (`quick_modes`). Unknown are three forces per
closed contact, found by Newton's method contact by contact.
"""

import math

from carom.kernels.contact import collocation
from carom.kernels.contact.collocation import (
    END,
    FROM_TOUCH_4,
    MOMENTS,
    NODES,
    PLAIN,
    POINTS,
    TERMS,
    TIMES,
    TO_PARTING_4,
)
from carom.kernels.contact.impact_record import chi_of, closed_ones
from carom.kernels.contact.node_forces import at_point, crowd, find_forces
from carom.kernels.contact.ripple import evens_out
from carom.kernels.laws.power_law import force
from carom.kernels.ledger import CROWDED
from carom.kernels.modal.propagator import INVERSE
from carom.kernels.rows import (
    ANSWER,
    AT_END,
    AT_NODES,
    CLIMB,
    CLOSED,
    EFFECTIVE_MASS,
    ERROR_WEIGHT,
    EXPANSION,
    FORCE,
    FREE_OVERLAP,
    FREE_RATE,
    GAP,
    LEVER,
    LOAD,
    OVERLAP,
    OWN_ANSWER,
    OWN_RATE,
    PEAK_OVERLAP,
    QUICK,
    QUICK_ANSWER,
    QUICK_CUBE,
    QUICK_RATE,
    RATE,
    RATES,
    RATTLE_FORCE,
    RECENT_SPEED,
    SLOPE,
    SQUARE,
    STATUS,
    TAYLOR,
    TWICE,
    Q,
    V,
)
from carom.kernels.types import Matrix, Vector

FREE = 2 * POINTS * NODES  # scratch: how a quick mode answers forces at the nodes, then its free motion at the points
SMALL_SIZE = FREE + 2 * POINTS  # length of that scratch
MISS_CARE = 1.5
"""Factor on what a miss of the force leaves in modes quicker than the contact: misses inside a step are smaller than at
its ends, but add up from step to step."""
CUBIC = 1.0 / 840.0
"""Factor of (ωh)³. What a parabola through Gauss' nodes misses of a force is Legendre's third polynomial: in a mode it
leaves at most (ωh)³/840 of what the same force would leave in a mass."""
GRADED_MISS = 0.125
"""Share of a miss that counts where a fourth-power step begins or ends without force: its nodes are far from there."""
FAILED = -1.0  # stands for the error of a step whose forces were not found
FEWEST_TERMS = 4  # least number of terms: a load that is linear in time moves a mass along a cubic
LEFT_OUT = 1e-5  # first term left out of a series of displacements, as share of the tolerance
ADDING_UP = 1e-3  # the same of velocities, whose errors add up from step to step


def expand(t: float, terms: int, modes: Matrix, contacts: Matrix) -> None:
    """Write the free motion from the present state on, time `t` of the sample, as power series of so many terms.

    The series of the modes go to EXPANSION. Those of modes that are not quick add up to overlaps, in TAYLOR.
    """
    count = contacts.shape[0]
    for c in range(count):
        contacts[c, TAYLOR] = -contacts[c, GAP]
        for p in range(1, terms):
            contacts[c, TAYLOR + p] = 0.0
    for k in range(modes.shape[0]):
        row = modes[k]
        expand_mode(row, t, terms if row[QUICK] == 0.0 else TERMS)
        if row[QUICK] == 0.0:
            for c in range(count):
                reach = contacts[c, LEVER + 2 * k]
                for p in range(terms):
                    contacts[c, TAYLOR + p] += reach * row[EXPANSION + p]


def expand_mode(row: Vector, t: float, terms: int) -> None:
    """Write the free motion of a mode from its present state on as a power series."""
    twice = row[TWICE]
    square = row[SQUARE]
    slope = row[SLOPE]
    row[EXPANSION] = row[Q]
    row[EXPANSION + 1] = row[V]
    row[EXPANSION + 2] = 0.5 * (row[LOAD] + slope * t - twice * row[V] - square * row[Q])
    row[EXPANSION + 3] = (slope - 2.0 * twice * row[EXPANSION + 2] - square * row[V]) * INVERSE[3] * 0.5
    for p in range(4, terms):
        row[EXPANSION + p] = -INVERSE[p] * (
            twice * row[EXPANSION + p - 1] + square * INVERSE[p - 1] * row[EXPANSION + p - 2]
        )


def terms_for(angle: float, rtol: float) -> int:
    """Return how many terms the series need over a step of `angle` = ωh of the quickest mode in them.

    What they leave out is of the modes' own size, which may be many times that of an overlap. Velocities lack one term
    more, and what they lack adds up from step to step.
    """
    left = 1.0
    for p in range(1, TERMS):
        slower = left
        left *= angle / p
        if left < LEFT_OUT * rtol and slower < ADDING_UP * rtol:
            return max(p, FEWEST_TERMS)
    return TERMS


def form(kind: int, h: float, terms: int, open_too: bool, contacts: Matrix, pairs: Matrix) -> None:
    """Write free overlaps and rates at the nodes and the end, and how forces at the nodes change them.

    For open contacts only the end is written, and only if it is asked for. Quick modes are not included yet.
    """
    count = contacts.shape[0]
    for c in range(count):
        row = contacts[c]
        closed = row[STATUS] == CLOSED
        if not (closed or open_too):
            continue
        fly_freely(kind, h, 0 if closed else END, POINTS, terms, row)
        for d in range(c + 1):
            other = contacts[d, STATUS] == CLOSED
            if not (closed and other) and not (open_too and (closed or other)):
                continue
            pair = pairs[c * count + d]
            if closed and other:
                for i in range(POINTS * NODES):
                    pair[i] = 0.0
                    pair[RATES + i] = 0.0
                power = 1.0
                for p in range(1, terms):
                    power *= h
                    faster = p * power * pair[ANSWER + p]
                    further = h * power * pair[ANSWER + p]
                    for i in range(8):  # then four: as many at once as processors take, none of them masked
                        pair[i] += further * MOMENTS[kind, p, i]
                        pair[RATES + i] += faster * MOMENTS[kind, p - 1, i]
                    for i in range(8, POINTS * NODES):
                        pair[i] += further * MOMENTS[kind, p, i]
                        pair[RATES + i] += faster * MOMENTS[kind, p - 1, i]
            else:
                answer_at(kind, h, END, POINTS, terms, pair)


def fly_freely(kind: int, h: float, first: int, after: int, terms: int, row: Vector) -> None:
    """Write free overlap and rate of a contact at points from `first` up to `after` of a step."""
    for i in range(first, after):
        s = h * TIMES[kind, i]
        place = row[TAYLOR + terms - 1]
        rate = 0.0
        for p in range(terms - 2, -1, -1):
            rate = rate * s + place
            place = place * s + row[TAYLOR + p]
        row[FREE_OVERLAP + i] = place
        row[FREE_RATE + i] = rate


def answer_at(kind: int, h: float, first: int, after: int, terms: int, pair: Vector) -> None:
    """Write how forces at the nodes change overlap and rate of another contact at points from `first` up to `after`."""
    for i in range(first * NODES, after * NODES):
        place, rate, power = 0.0, 0.0, 1.0
        for p in range(1, terms):
            power *= h
            answer = power * pair[ANSWER + p]
            place += h * answer * MOMENTS[kind, p, i]
            rate += p * answer * MOMENTS[kind, p - 1, i]
        pair[i], pair[RATES + i] = place, rate


def look_at(c: int, kind: int, h: float, first: int, after: int, terms: int, contacts: Matrix, pairs: Matrix) -> None:
    """Write overlap and rate of an open contact at points from `first` up to `after` of a solved step.

    No mode is quick.
    """
    count = contacts.shape[0]
    begins, ends = closed_ones(contacts)
    fly_freely(kind, h, first, after, terms, contacts[c])
    for d in range(begins, ends):
        if contacts[d, STATUS] == CLOSED:
            answer_at(kind, h, first, after, terms, pairs[c * count + d if c >= d else d * count + c])
    for i in range(first, after):
        contacts[c, OVERLAP + i], contacts[c, RATE + i] = at_point(c, i, begins, ends, contacts, pairs)


def agree(kind: int, h: float, open_too: bool, contacts: Matrix, pairs: Matrix, room: Vector, run: Vector) -> float:
    """Solve for the forces at the nodes, given a first guess; return an estimate of the step's error or FAILED.

    `room` is scratch in which closed contacts are solved for together (`node_forces`).

    What they do to contacts that are open is written if it is asked for.

    The error is that of the velocity in units of the impact's own,

        ERROR_WEIGHT (h miss²/(F m) + MISS_CARE·miss·left)/RECENT_SPEED,

    with F the largest force in the step and m the effective mass. A parabola that misses the forces at both ends by a
    share ε of F leaves an error of ε² in Gauss' quadrature of a smooth force, which is twice as good as it
    interpolates; `left` is what a force of 1 N that misses leaves in modes quicker than the contact [m/s]. In modes
    quicker than the contacts such a miss evens out less: what it leaves in them counts as it is, and in units of their
    own structure's speed too (OWN_ANSWER). Where bodies only rattle while they lean on each other, ε is the miss over
    the force that rattles (RATTLE_FORCE), not over the one they hold.

    Contacts that had to be solved for together since one last touched (CROWDED) share their bodies (`crowd`): each has
    but a part of its mass m, and speed and force that belong to that part. Their misses add up.
    """
    if not find_forces(h, contacts, pairs, room, run):
        return FAILED
    count = contacts.shape[0]
    first, after = closed_ones(contacts)
    error = 0.0
    for c in range(count):
        row = contacts[c]
        if row[STATUS] != CLOSED:
            if open_too:
                row[OVERLAP + END], row[RATE + END] = at_point(c, END, first, after, contacts, pairs)
            continue
        for i in range(POINTS):
            row[OVERLAP + i], row[RATE + i] = at_point(c, i, first, after, contacts, pairs)
        overlap = max(row[OVERLAP + END], 0.0)
        rate = row[RATE + END]
        last = force(row, chi_of(row, rate), overlap, math.sqrt(overlap), rate)
        row[AT_END] = last
        first_miss = row[FORCE]
        last_miss = last
        largest = max(abs(first_miss), abs(last))
        for j in range(NODES):
            at = row[AT_NODES + j]
            largest = max(largest, abs(at))
            first_miss -= collocation.AT_START[kind, j] * at
            last_miss -= collocation.AT_END[kind, j] * at
        if largest > 0.0:
            miss = max(abs(first_miss), abs(last_miss))
            if kind == FROM_TOUCH_4:
                miss = max(abs(last_miss), GRADED_MISS * abs(first_miss))
            elif kind == TO_PARTING_4:
                miss = max(abs(first_miss), GRADED_MISS * abs(last_miss))
            even = h * miss * miss / (min(largest, max(row[RATTLE_FORCE], miss)) * row[EFFECTIVE_MASS])
            if run[CROWDED] != 0.0:
                sharing = crowd(c, first, after, contacts, pairs)
                even *= sharing * sharing
            if row[QUICK_ANSWER] > 0.0:
                left = row[QUICK_ANSWER] * evens_out(h * row[QUICK_RATE])
                if kind == PLAIN:
                    left = min(left, CUBIC * h * h * h * h * row[QUICK_CUBE])
                even += MISS_CARE * miss * left
                error = max(error, MISS_CARE * miss * row[OWN_ANSWER] * evens_out(h * row[OWN_RATE]))
            error = max(error, row[ERROR_WEIGHT] * even / row[RECENT_SPEED])
    return error


def guess(kind: int, h: float, contacts: Matrix) -> None:
    """Write a first guess of the forces at the nodes: along the tangent at the start, or the law on the free motion.

    The law is taken in the first step after a touch, where there is no tangent yet.
    """
    for c in range(contacts.shape[0]):
        row = contacts[c]
        if row[STATUS] == CLOSED:
            for j in range(NODES):
                if row[PEAK_OVERLAP] == 0.0:
                    overlap = max(row[FREE_OVERLAP + j], 0.0)
                    rate = row[FREE_RATE + j]
                    row[AT_NODES + j] = force(row, chi_of(row, rate), overlap, math.sqrt(overlap), rate)
                else:
                    row[AT_NODES + j] = row[FORCE] + row[CLIMB] * h * TIMES[kind, j]
