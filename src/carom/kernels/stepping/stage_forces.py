"""Forces at the stages of a step: the equations of an implicit scheme, in forces alone.

A linear structure answers forces linearly, so that overlap and rate of every joint at every stage are

    δ = δ_free − A·X,      δ̇ = δ̇_free − B·X,      X + held = law(δ, δ̇)

where a contact is closed, and for springs always (`held` is a spring's force when the step began, part of the free
motion; 0 for a contact). Unknowns are numbered stage by stage, joint by joint, the rows of one spring together. The
semismooth Newton method with a line search solves for X; a contact is switched by its state, not by the sign of δ, so
that a law with a jump has a solution. Where Newton's method does not settle (δ^{1/4} has an infinite slope at δ = 0),
each force in turn is bracketed and bisected.
"""

import math

from carom.kernels.elimination import factor, substitute
from carom.kernels.endings import NO_SOLUTION, SINGULAR, SOLVED
from carom.kernels.joints import FIRST, ROWS, RULE, Springs, follow, follow_rows
from carom.kernels.laws import power_law
from carom.kernels.laws.power_law import damping_factor, force, force_slopes
from carom.kernels.rows import CHI_APPROACH, CHI_RESTITUTION, FOLLOWS_ABOVE
from carom.kernels.stepping.rows import FORCE, OVERLAP, OVERLAP_END, RATE_END, TANGENT
from carom.kernels.types import Matrix, Vector

# rows of the scratch table, one column per unknown
FREE_OVERLAP = 0
FREE_RATE = 1
FORCES = 2
ACTIVE = 3
RESIDUAL = 4
CHANGE = 5
TRIED = 6
OVERLAP_NOW = 7  # under the forces last judged
RATE_NOW = 8
BY_OVERLAP = 9  # slopes of the law there
BY_RATE = 10
PLACE = 11  # numbers of the unknowns that Newton's method solves for together
RIGHT = 12
PIVOTS = 13  # of their matrix as it was last factored, with these slopes
KEPT_OVERLAP = 14
KEPT_RATE = 15
KEY = 16  # and for this map of a step, in the first column; 0: none
MATES = 17  # given: numbers of the other rows of the same spring, at the same stage; −1: none
ACROSS = 19  # slopes by the overlaps of the mates, and by their rates
KEPT_ACROSS = 23  # with which the matrix was last factored
SCRATCH_ROWS = 27

MOST_ITERATIONS = 40
MOST_SWEEPS = 60
MOST_HALVINGS = 200
CLOSE_ENOUGH = 1e-11  # of the largest force


def contact_law(row: Vector, overlap: float, rate: float) -> tuple[float, float, float]:
    """Return F, ∂F/∂δ and ∂F/∂δ̇ of a closed contact: slopes of one side where there are two.

    Beyond δ = 0 the spring is slack, and a dashpot goes on.
    """
    if rate > row[FOLLOWS_ABOVE]:
        chi = damping_factor(row, rate, 0.5 * rate)
    else:
        chi = row[CHI_APPROACH] if rate >= 0.0 else row[CHI_RESTITUTION]
    depth = max(overlap, 0.0)
    root = math.sqrt(depth)
    found = force(row, chi, depth, root, rate)
    if row[power_law.TENSION] == 0.0 and found < 0.0:
        return 0.0, 0.0, 0.0
    if depth == 0.0:
        return found, 0.0, chi if row[power_law.DAMPING_EXPONENT] == 0.0 else 0.0
    by_overlap, by_rate = force_slopes(row, chi, depth, root, rate)
    return found, by_overlap, by_rate


def respond(which: int, forces: int, first: int, last: int, answer: Matrix, work: Matrix) -> None:
    """Write overlaps (or rates) from unknown `first` on, under the forces before `last` in that row of `work`."""
    out, free = work[OVERLAP_NOW + which, first:], work[FREE_OVERLAP + which, first:]
    for u in range(out.size):
        out[u] = free[u]
    for w in range(last):
        f = work[forces, w]
        if f != 0.0:
            row = answer[w, first:]
            for u in range(out.size):
                out[u] -= f * row[u]


def has_wide(contacts: int, springs: Springs, joints: Matrix) -> bool:
    """Return whether a spring has several rows."""
    return joints.shape[1] - contacts > springs.kinds.shape[0]


def at_rest(contacts: int, springs: Springs, joints: Matrix, strongest: float) -> bool:
    """Return whether every spring keeps its force to the end of the step, as the free motion has it."""
    for p in range(springs.kinds.shape[0]):
        rule, j, rows = springs.kinds[p, RULE], contacts + springs.kinds[p, FIRST], springs.kinds[p, ROWS]
        if rows == 1:
            found, _, _ = follow(
                rule, springs.numbers[p], springs.memory[p], joints[OVERLAP_END, j], joints[RATE_END, j],
                springs.after[p],
            )  # fmt: skip
            if math.fabs(found - joints[FORCE, j]) > CLOSE_ENOUGH * strongest:
                return False
            continue
        follow_rows(
            rule, springs.numbers[p], springs.memory[p], joints[OVERLAP_END, j : j + rows],
            joints[RATE_END, j : j + rows], springs.after[p], springs.force, springs.by_d, springs.by_rate,
        )  # fmt: skip
        for a in range(rows):
            if math.fabs(springs.force[a] - joints[FORCE, j + a]) > CLOSE_ENOUGH * strongest:
                return False
    return True


def judge_rows(p: int, u: int, springs: Springs, work: Matrix) -> None:
    """Write force and slopes of a spring of several rows, the first of them unknown `u`."""
    rows = springs.kinds[p, ROWS]
    follow_rows(
        springs.kinds[p, RULE], springs.numbers[p], springs.memory[p], work[OVERLAP_NOW, u : u + rows],
        work[RATE_NOW, u : u + rows], springs.after[p], springs.force, springs.by_d, springs.by_rate,
    )  # fmt: skip
    for a in range(rows):
        work[BY_OVERLAP, u + a] = springs.by_d[a, a]
        work[BY_RATE, u + a] = springs.by_rate[a, a]
        for m in range(2):
            mate = int(work[MATES + m, u + a]) - u
            if mate >= 0:
                work[ACROSS + m, u + a] = springs.by_d[a, mate]
                work[ACROSS + 2 + m, u + a] = springs.by_rate[a, mate]


def judge(
    forces: int, first: int, last: int, near: bool, contacts: Matrix, springs: Springs, joints: Matrix, work: Matrix,
    answers: Matrix,
) -> tuple[float, float]:  # fmt: skip
    """Write X − law and slopes for the unknowns of stages first…last−1, 0 for idle ones; return the largest X − law.

    Behind it the largest force.
    `near`: contacts are among them, or springs that ask for rates.
    """
    touching, count = contacts.shape[0], joints.shape[1]
    for which in range(2 if near else 1):
        respond(which, forces, first * count, last * count, answers[which], work)
    worst, most = 0.0, 0.0
    for i in range(first, last):
        p, row = 0, 0  # spring, and row of it
        for joint in range(count):
            u = i * count + joint
            found, by_overlap, by_rate = 0.0, 0.0, 0.0
            if work[ACTIVE, u] == 0.0:
                work[RESIDUAL, u], work[BY_OVERLAP, u], work[BY_RATE, u] = 0.0, 0.0, 0.0
                continue
            if joint < touching:
                found, by_overlap, by_rate = contact_law(contacts[joint], work[OVERLAP_NOW, u], work[RATE_NOW, u])
            elif springs.kinds[p, ROWS] == 1:
                found, by_overlap, by_rate = follow(
                    springs.kinds[p, RULE], springs.numbers[p], springs.memory[p], work[OVERLAP_NOW, u],
                    work[RATE_NOW, u], springs.after[p],
                )  # fmt: skip
                found -= joints[FORCE, joint]
                p += 1
            else:
                if row == 0:
                    judge_rows(p, u, springs, work)
                found = springs.force[row] - joints[FORCE, joint]
                by_overlap, by_rate = work[BY_OVERLAP, u], work[BY_RATE, u]
                row += 1
                if row == springs.kinds[p, ROWS]:
                    p, row = p + 1, 0
            work[RESIDUAL, u] = work[forces, u] - found
            work[BY_OVERLAP, u] = by_overlap
            work[BY_RATE, u] = by_rate
            if not math.fabs(work[RESIDUAL, u]) < math.inf:
                return math.inf, most
            worst = max(worst, math.fabs(work[RESIDUAL, u]))
            most = max(most, math.fabs(work[forces, u]))
    return worst, most


def slope_across(u: int, w: int, work: Matrix, answers: Matrix) -> float:
    """Return what force `w` takes from force `u` by way of the other rows of the spring of `u`."""
    total = 0.0
    for m in range(2):
        mate = int(work[MATES + m, u])
        if mate >= 0:
            total += work[ACROSS + m, u] * answers[0, w, mate] + work[ACROSS + 2 + m, u] * answers[1, w, mate]
    return total


def across_kept(begin: int, end: int, work: Matrix) -> bool:
    """Return whether slopes across the rows of springs are those of the matrix last factored; keep them."""
    kept = True
    for u in range(begin, end):
        for m in range(4):
            kept = kept and work[ACROSS + m, u] == work[KEPT_ACROSS + m, u]
            work[KEPT_ACROSS + m, u] = work[ACROSS + m, u]
    return kept


def newton_change(
    first: int, last: int, joints: int, key: int, wide: bool, work: Matrix, answers: Matrix, matrix: Matrix
) -> bool:
    """Write Newton's change of the forces, from what was last judged; return whether there is one.

    Where a law is flat its force is what the law says; only the others are coupled, and all rows of a spring that has
    several (`wide`: there is one). As long as slopes stay what they were, and the map of the step (`key`), so do the
    factors of their matrix.
    """
    begin, end = first * joints, last * joints
    size, moved, known = 0, 0, work[KEY, 0] == key
    if wide:
        known = across_kept(begin, end, work) and known
    for u in range(begin, end):
        by_overlap, by_rate = work[BY_OVERLAP, u], work[BY_RATE, u]
        known = known and by_overlap == work[KEPT_OVERLAP, u] and by_rate == work[KEPT_RATE, u]
        work[CHANGE, u] = 0.0
        if by_overlap != 0.0 or by_rate != 0.0 or (wide and work[MATES, u] >= 0.0):
            work[PLACE, size] = u
            size += 1
        elif work[RESIDUAL, u] != 0.0:
            work[CHANGE, u] = -work[RESIDUAL, u]
            moved += 1
    if not known:
        for b in range(size):
            w = int(work[PLACE, b])
            for a in range(size):
                u = int(work[PLACE, a])
                matrix[b, a] = work[BY_OVERLAP, u] * answers[0, w, u] + work[BY_RATE, u] * answers[1, w, u]
                if wide:
                    matrix[b, a] += slope_across(u, w, work, answers)
            matrix[b, b] += 1.0
        work[KEY, 0] = 0.0
        if not factor(size, matrix, work[PIVOTS]):
            return False
        work[KEY, 0] = key
        for u in range(begin, end):
            work[KEPT_OVERLAP, u], work[KEPT_RATE, u] = work[BY_OVERLAP, u], work[BY_RATE, u]
    for a in range(size):
        u = int(work[PLACE, a])
        right = -work[RESIDUAL, u]
        if moved > 0:
            by_overlap, by_rate = work[BY_OVERLAP, u], work[BY_RATE, u]
            for w in range(begin, end):
                if work[CHANGE, w] != 0.0:
                    right -= (by_overlap * answers[0, w, u] + by_rate * answers[1, w, u]) * work[CHANGE, w]
                    if wide:
                        right -= slope_across(u, w, work, answers) * work[CHANGE, w]
        work[RIGHT, a] = right
    substitute(size, matrix, work[PIVOTS], work[RIGHT])
    for a in range(size):
        work[CHANGE, int(work[PLACE, a])] = work[RIGHT, a]
    return True


def branches_kept(first: int, last: int, contacts: int, key: int, joints: Matrix, work: Matrix) -> bool:
    """Return whether the matrix last factored is that of the springs' tangents when the step began."""
    count = joints.shape[1]
    if work[KEY, 0] != key:
        return False
    for i in range(first, last):
        for joint in range(count):
            u = i * count + joint
            slope = joints[TANGENT, joint] if joint >= contacts else 0.0
            if slope != work[KEPT_OVERLAP, u] or work[KEPT_RATE, u] != 0.0:
                return False
    return True


def ride_branches(first: int, last: int, joints: Matrix, work: Matrix, matrix: Matrix) -> None:
    """Add to the forces tried what they are where every spring stays on its tangent."""
    count, size = joints.shape[1], 0
    for i in range(first, last):
        for joint in range(count):
            u = i * count + joint
            slope = work[KEPT_OVERLAP, u]
            if slope != 0.0:
                work[RIGHT, size] = slope * (work[FREE_OVERLAP, u] - joints[OVERLAP, joint])
                size += 1
    substitute(size, matrix, work[PIVOTS], work[RIGHT])
    for a in range(size):
        work[TRIED, int(work[PLACE, a])] += work[RIGHT, a]


def largest(row: int, first: int, last: int, work: Matrix) -> float:
    """Return the largest magnitude among unknowns first…last−1 of a row of the scratch table."""
    found = 0.0
    for u in range(first, last):
        found = max(found, math.fabs(work[row, u]))
    return found


def solve_forces(
    first: int, last: int, near: bool, key: int, strongest: float, contacts: Matrix, springs: Springs, joints: Matrix,
    work: Matrix, answers: Matrix, matrix: Matrix,
) -> tuple[int, int]:  # fmt: skip
    """Solve for the active forces of stages first…last−1; return status and iterations.

    Springs that stay on the lines they were on, as most do, are done after one.
    """
    count, wide = joints.shape[1], has_wide(contacts.shape[0], springs, joints)
    begin, end = first * count, last * count
    for u in range(end):
        work[TRIED, u] = work[FORCES, u]
    worst, moved, share = math.inf, math.inf, 1.0
    iterations, status = 0, NO_SOLUTION
    if not (near or wide) and branches_kept(first, last, contacts.shape[0], key, joints, work):
        ride_branches(first, last, joints, work, matrix)
        iterations = 1
    while True:
        now, most = judge(TRIED, first, last, near, contacts, springs, joints, work, answers)
        enough = CLOSE_ENOUGH * max(strongest, most)
        better = now < worst or moved <= enough
        if not better and share > 1e-3:
            share *= 0.5
            for u in range(begin, end):
                work[TRIED, u] = work[FORCES, u] + share * work[CHANGE, u]
            continue
        if not better:
            break
        for u in range(begin, end):
            work[FORCES, u] = work[TRIED, u]
        if moved <= enough or now <= enough:
            return SOLVED, iterations
        if iterations == MOST_ITERATIONS:
            break
        if not newton_change(first, last, count, key, wide, work, answers, matrix):
            status = SINGULAR
            break
        iterations += 1
        worst, moved, share = now, largest(CHANGE, begin, end, work), 1.0
        for u in range(begin, end):
            work[TRIED, u] = work[FORCES, u] + work[CHANGE, u]
    if sweep(first, last, near, contacts, springs, joints, work, answers):
        status = SOLVED
    return status, iterations


def sweep(
    first: int, last: int, near: bool, contacts: Matrix, springs: Springs, joints: Matrix, work: Matrix,
    answers: Matrix,
) -> bool:  # fmt: skip
    """Bracket and bisect each force in turn, until none moves; return whether that came to pass."""
    begin, end = first * joints.shape[1], last * joints.shape[1]
    for _ in range(MOST_SWEEPS):
        moved = 0.0
        for u in range(begin, end):
            if work[ACTIVE, u] == 0.0:
                continue
            before, value = work[FORCES, u], 0.0
            low, high, reach = math.nan, math.nan, 0.0
            for _ in range(MOST_HALVINGS):
                work[FORCES, u] = value
                judge(FORCES, first, last, near, contacts, springs, joints, work, answers)
                excess = work[RESIDUAL, u]
                reach = 2.0 * reach if reach > 0.0 else math.fabs(excess)
                if excess > 0.0:
                    high = value
                elif excess < 0.0:
                    low = value
                else:
                    break
                value = -reach if math.isnan(low) else reach if math.isnan(high) else 0.5 * (low + high)
                if value in (low, high) or not math.fabs(value) < math.inf:
                    break
            if excess != 0.0 and not low < high:
                return False
            moved = max(moved, math.fabs(work[FORCES, u] - before))
        if moved <= CLOSE_ENOUGH * largest(FORCES, begin, end, work):
            return True
    return False
