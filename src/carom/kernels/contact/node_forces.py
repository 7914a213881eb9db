"""Forces of closed contacts at the nodes of a step such that law and motion agree there.

Newton's method finds them contact by contact, again and again: three unknowns at a time. Bodies that are light or
turn easily beside stiff contacts, such as both corners of a slab that leans on them, pass on to one contact most of
what another one does, and such rounds come nearer only slowly. Where the measured rate says that many more would be
needed, all closed contacts are solved for together.
"""

import math

from carom.kernels.contact.collocation import END, NODES
from carom.kernels.contact.impact_record import chi_of, closed_ones, slopes_of
from carom.kernels.elimination import factor, substitute
from carom.kernels.laws.power_law import force
from carom.kernels.ledger import CROWDED, TOLERANCE
from carom.kernels.rows import (
    AT_NODES,
    CLOSED,
    EFFECTIVE_MASS,
    FREE_OVERLAP,
    FREE_RATE,
    RATES,
    RECENT_SPEED,
    STATUS,
)
from carom.kernels.types import Matrix, Vector

ROUNDS = 40  # number of rounds of Newton's method after which a step counts as too long
MOST_TOGETHER = 64  # largest number of closed contacts that are solved for together
MOST_ROUNDS_TOGETHER = 8  # rounds that all contacts are solved for together in, at most: kinks of laws may keep it up
FIRST_ROUNDS = 10
"""Rounds contact by contact after which their rate is known: a touch shows one at first that does not last."""
FEW_ROUNDS = 20  # rounds contact by contact to come that a solution together is not yet worth its cost for
SOLVED_SQUARE = 0.1
"""Change of a round, over the root of the tolerance, after which the next one, its square, is of no account."""
SEEN = 3  # numbers that are kept of each node before that: by how much law and motion disagree, and the law's slopes
NOT_SOLVABLE = -1.0  # stands for the change of a round that did not change anything


def room_together(closed: int) -> int:
    """Return the length of the scratch in which so many closed contacts are solved for together."""
    size = NODES * closed
    return size * (SEEN + size + 2)


def at_point(c: int, i: int, first: int, after: int, contacts: Matrix, pairs: Matrix) -> tuple[float, float]:
    """Return overlap and rate of a contact at point `i` from the forces at the nodes.

    The contacts that push lie from `first` to before `after` (`closed_ones`).
    """
    count = contacts.shape[0]
    overlap = contacts[c, FREE_OVERLAP + i]
    rate = contacts[c, FREE_RATE + i]
    for d in range(first, after):
        if contacts[d, STATUS] == CLOSED:
            pair = pairs[c * count + d if c >= d else d * count + c]
            for j in range(NODES):
                load = contacts[d, AT_NODES + j]
                overlap -= pair[NODES * i + j] * load
                rate -= pair[RATES + NODES * i + j] * load
    return overlap, rate


def misfit(c: int, i: int, first: int, after: int, contacts: Matrix, pairs: Matrix) -> tuple[float, float, float]:
    """Return by how much law and force of a contact disagree at node `i` [N], and the law's slopes there."""
    row = contacts[c]
    overlap, rate = at_point(c, i, first, after, contacts, pairs)
    overlap = max(overlap, 0.0)
    root = math.sqrt(overlap)
    chi = chi_of(row, rate)
    by_overlap, by_rate = 0.0, 0.0
    if overlap > 0.0:
        by_overlap, by_rate = slopes_of(row, chi, overlap, root, rate)
    return force(row, chi, overlap, root, rate) - row[AT_NODES + i], by_overlap, by_rate


def newton(c: int, into: int, first: int, after: int, contacts: Matrix, pairs: Matrix, room: Vector) -> float:
    """Improve the forces of one contact by a step of Newton's method; return the largest change [N].

    With `into` from 0 on, all contacts are to be solved for together: then what law and motion disagree by at each
    node, and the slopes of the law there, are all that is written, into the room from there on.
    """
    row = contacts[c]
    own = pairs[c * contacts.shape[0] + c]
    r0, s0, d0 = misfit(c, 0, first, after, contacts, pairs)
    r1, s1, d1 = misfit(c, 1, first, after, contacts, pairs)
    r2, s2, d2 = misfit(c, 2, first, after, contacts, pairs)
    if into >= 0:
        room[into], room[into + 1], room[into + 2] = r0, s0, d0
        room[into + 3], room[into + 4], room[into + 5] = r1, s1, d1
        room[into + 6], room[into + 7], room[into + 8] = r2, s2, d2
        return 0.0
    a00 = 1.0 + s0 * own[0] + d0 * own[RATES]
    a01 = s0 * own[1] + d0 * own[RATES + 1]
    a02 = s0 * own[2] + d0 * own[RATES + 2]
    a10 = s1 * own[3] + d1 * own[RATES + 3]
    a11 = 1.0 + s1 * own[4] + d1 * own[RATES + 4]
    a12 = s1 * own[5] + d1 * own[RATES + 5]
    a20 = s2 * own[6] + d2 * own[RATES + 6]
    a21 = s2 * own[7] + d2 * own[RATES + 7]
    a22 = 1.0 + s2 * own[8] + d2 * own[RATES + 8]
    m0 = a11 * a22 - a12 * a21
    m1 = a12 * a20 - a10 * a22
    m2 = a10 * a21 - a11 * a20
    inverse = 1.0 / (a00 * m0 + a01 * m1 + a02 * m2)
    x0 = inverse * (r0 * m0 + r1 * (a02 * a21 - a01 * a22) + r2 * (a01 * a12 - a02 * a11))
    x1 = inverse * (r0 * m1 + r1 * (a00 * a22 - a02 * a20) + r2 * (a02 * a10 - a00 * a12))
    x2 = inverse * (r0 * m2 + r1 * (a01 * a20 - a00 * a21) + r2 * (a00 * a11 - a01 * a10))
    row[AT_NODES] += x0
    row[AT_NODES + 1] += x1
    row[AT_NODES + 2] += x2
    return max(abs(x0), abs(x1), abs(x2))


def newton_together(first: int, after: int, h: float, contacts: Matrix, pairs: Matrix, room: Vector) -> float:
    """Improve the forces of all closed contacts by a step of Newton's method for them together.

    The room holds what `newton` wrote of each. Returns the largest change, as speed in units of the contact's own, or
    NOT_SOLVABLE.
    """
    closed = 0
    for c in range(first, after):
        if contacts[c, STATUS] == CLOSED:
            closed += 1
    size = NODES * closed
    at = SEEN * size
    matrix = room[at : at + size * size].reshape((size, size))
    at += size * size
    right, pivots = room[at : at + size], room[at + size : at + 2 * size]
    u = 0
    for c in range(first, after):
        if contacts[c, STATUS] == CLOSED:
            for i in range(NODES):
                right[u] = room[SEEN * u]
                write_tangent(u, c, i, first, after, contacts, pairs, room, matrix)
                u += 1
    if not factor(size, matrix, pivots):
        return NOT_SOLVABLE
    substitute(size, matrix, pivots, right)
    change, u = 0.0, 0
    for c in range(first, after):
        row = contacts[c]
        if row[STATUS] == CLOSED:
            kick = h / (row[EFFECTIVE_MASS] * row[RECENT_SPEED])
            for i in range(NODES):
                row[AT_NODES + i] += right[u]
                change = max(change, kick * abs(right[u]))
                u += 1
    return change


def write_tangent(
    u: int, c: int, i: int, first: int, after: int, contacts: Matrix, pairs: Matrix, room: Vector, matrix: Matrix
) -> None:
    """Write how what law and motion of contact `c` disagree by at node `i`, unknown `u`, answers all forces.

    It is a row of the equations; their columns are the rows of `matrix` (`elimination`).
    """
    by_overlap, by_rate = room[SEEN * u + 1], room[SEEN * u + 2]
    count, w = contacts.shape[0], 0
    for d in range(first, after):
        if contacts[d, STATUS] == CLOSED:
            pair = pairs[c * count + d if c >= d else d * count + c]
            for j in range(NODES):
                matrix[w, u] = by_overlap * pair[NODES * i + j] + by_rate * pair[RATES + NODES * i + j]
                w += 1
    matrix[u, u] += 1.0


def find_forces(h: float, contacts: Matrix, pairs: Matrix, room: Vector, run: Vector) -> bool:
    """Solve for the forces at the nodes of a step, given a first guess; return whether they were found.

    `room` is scratch in which closed contacts are solved for together, which CROWDED notes.
    """
    rtol = run[TOLERANCE]
    first, after = closed_ones(contacts)
    closed = 0
    for c in range(first, after):
        if contacts[c, STATUS] == CLOSED:
            closed += 1
    enough = SOLVED_SQUARE * math.sqrt(rtol)  # alone or together, Newton's method squares the change
    left = MOST_ROUNDS_TOGETHER if 1 < closed <= MOST_TOGETHER and room_together(closed) <= room.size else 0
    looked_at = FIRST_ROUNDS - 2 if run[CROWDED] == 0.0 else 0
    together, before = False, 1.0
    for done in range(ROUNDS):
        change, into = 0.0, 0 if together else -1
        for c in range(first, after):
            if contacts[c, STATUS] == CLOSED:
                kick = h / (contacts[c, EFFECTIVE_MASS] * contacts[c, RECENT_SPEED])
                change = max(change, kick * newton(c, into, first, after, contacts, pairs, room))
                into += SEEN * NODES if together else 0
        if together:
            run[CROWDED] = 1.0
            change = newton_together(first, after, h, contacts, pairs, room)
            left = left - 1 if change >= 0.0 else 0
        if not change < 1e12:
            return False
        if 0.0 <= change <= (enough if together or closed == 1 else rtol):
            return True
        if left == 0:
            together = False
        elif done > looked_at and not together:
            together = change * min(change / before, 1.0) ** min(FEW_ROUNDS, ROUNDS - done) > rtol
        before = change
    return False


def crowd(c: int, first: int, after: int, contacts: Matrix, pairs: Matrix) -> float:
    """Return how far all closed contacts push the bodies of one in a step by equal forces, as multiple of its own push.

    So many contacts share the mass that the one counts as its own.
    """
    count, own, all_of_them = contacts.shape[0], 0.0, 0.0
    for d in range(first, after):
        if contacts[d, STATUS] == CLOSED:
            pair, moved = pairs[c * count + d if c >= d else d * count + c], 0.0
            for j in range(NODES):
                moved += pair[NODES * END + j]
            all_of_them += abs(moved)
            if c == d:
                own = abs(moved)
    return all_of_them / own if own > 0.0 else 1.0
