"""Contact forces at the stages of a step: the equations of an implicit scheme, in forces alone.

Rows are contacts, and springs inside structures that are not linear (`hysteresis`), which are never open.
A linear structure answers forces linearly, so that overlap and rate of every contact at every stage are

    δ = δ_free − A·F,      δ̇ = δ̇_free − B·F,      F = law(δ, δ̇) where the contact is closed

Unknowns are numbered contact by contact, stage by stage. The semismooth Newton method solves for the forces; a
contact is switched by its state, not by the sign of δ, so that a law with a jump has a solution. Where Newton's method
does not settle (δ^{1/4} has an infinite slope at δ = 0), each force in turn is bracketed and bisected.
"""

import math

from carom.kernels import power_law
from carom.kernels.hysteresis import KIND, SPRING_SIZE, added_force
from carom.kernels.power_law import damping_factor, force, force_slopes
from carom.kernels.rows import CHI_APPROACH, CHI_RESTITUTION, FOLLOWS_ABOVE
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
SCRATCH_ROWS = 9

MOST_ITERATIONS = 40
MOST_SWEEPS = 60
CLOSE_ENOUGH = 1e-11  # of the largest force

SOLVED = 0
NO_SOLUTION = 5
SINGULAR = 6


def chi_at(row: Vector, rate: float) -> float:
    """Return χ of a closed contact at this rate."""
    if rate > row[FOLLOWS_ABOVE]:
        return damping_factor(row, rate, 0.5 * rate)
    return row[CHI_APPROACH] if rate >= 0.0 else row[CHI_RESTITUTION]


def closed_force(row: Vector, overlap: float, rate: float) -> float:
    """Return the force of a closed contact [N]; beyond δ = 0 the spring is slack, and a dashpot goes on."""
    inside = row.size - SPRING_SIZE
    if row[inside + KIND] != 0.0:
        return added_force(row, inside, overlap)[0]
    depth = max(overlap, 0.0)
    found = force(row, chi_at(row, rate), depth, math.sqrt(depth), rate)
    return max(found, 0.0) if row[power_law.TENSION] == 0.0 else found


def closed_slopes(row: Vector, overlap: float, rate: float) -> tuple[float, float]:
    """Return ∂F/∂δ and ∂F/∂δ̇ of a closed contact: those of one side where there are two."""
    inside = row.size - SPRING_SIZE
    if row[inside + KIND] != 0.0:
        return added_force(row, inside, overlap)[1], 0.0
    chi = chi_at(row, rate)
    depth = max(overlap, 0.0)
    root = math.sqrt(depth)
    if row[power_law.TENSION] == 0.0 and force(row, chi, depth, root, rate) < 0.0:
        return 0.0, 0.0
    if depth == 0.0:
        return 0.0, chi if row[power_law.DAMPING_EXPONENT] == 0.0 else 0.0
    return force_slopes(row, chi, depth, root, rate)


def at_stage(u: int, which: int, forces: int, work: Matrix, answer: Matrix) -> float:
    """Return overlap (or rate) of an unknown's contact at its stage, under the forces in that row of `work`."""
    found = work[which, u]
    for w in range(work.shape[1]):
        f = work[forces, w]
        if f != 0.0:
            found -= answer[u, w] * f
    return found


def defect(
    first: int, last: int, forces: int, stages: int, contacts: Matrix, work: Matrix, overlaps: Matrix, rates: Matrix
) -> float:
    """Write F − law for the active unknowns of stages first…last−1; return the largest."""
    worst = 0.0
    for u in range(work.shape[1]):
        work[RESIDUAL, u] = 0.0
        if work[ACTIVE, u] != 0.0 and first <= u % stages < last:
            row = contacts[u // stages]
            overlap = at_stage(u, FREE_OVERLAP, forces, work, overlaps)
            rate = 0.0  # of a spring it does not matter
            if row[row.size - SPRING_SIZE + KIND] == 0.0:
                rate = at_stage(u, FREE_RATE, forces, work, rates)
            work[OVERLAP_NOW, u] = overlap
            work[RATE_NOW, u] = rate
            work[RESIDUAL, u] = work[forces, u] - closed_force(row, overlap, rate)
            worst = max(worst, abs(work[RESIDUAL, u]))
    return worst


def eliminate(size: int, matrix: Matrix) -> bool:
    """Solve in place with pivoting; the right side is column `size` and takes the solution."""
    for i in range(size):
        best = i
        for r in range(i + 1, size):
            if abs(matrix[r, i]) > abs(matrix[best, i]):
                best = r
        if not abs(matrix[best, i]) > 1e-14:
            return False
        if best != i:
            for k in range(i, size + 1):
                matrix[i, k], matrix[best, k] = matrix[best, k], matrix[i, k]
        for r in range(i + 1, size):
            share = matrix[r, i] / matrix[i, i]
            if share != 0.0:
                for k in range(i, size + 1):
                    matrix[r, k] -= share * matrix[i, k]
    for i in range(size - 1, -1, -1):
        value = matrix[i, size]
        for k in range(i + 1, size):
            value -= matrix[i, k] * matrix[k, size]
        matrix[i, size] = value / matrix[i, i]
    return True


def newton_change(
    first: int, last: int, stages: int, contacts: Matrix, work: Matrix, overlaps: Matrix, rates: Matrix, matrix: Matrix
) -> bool:
    """Write Newton's change of the active forces, at the overlaps last judged; return whether there is one."""
    size = 0
    for u in range(work.shape[1]):
        work[CHANGE, u] = 0.0
        if work[ACTIVE, u] == 0.0 or not first <= u % stages < last:
            continue
        by_overlap, by_rate = closed_slopes(contacts[u // stages], work[OVERLAP_NOW, u], work[RATE_NOW, u])
        column = 0
        flat = by_overlap == 0.0 and by_rate == 0.0
        for w in range(work.shape[1]):
            if work[ACTIVE, w] != 0.0 and first <= w % stages < last:
                matrix[size, column] = 0.0 if flat else by_overlap * overlaps[u, w] + by_rate * rates[u, w]
                if w == u:
                    matrix[size, column] += 1.0
                column += 1
        size += 1
    at = 0
    for u in range(work.shape[1]):
        if work[ACTIVE, u] != 0.0 and first <= u % stages < last:
            matrix[at, size] = -work[RESIDUAL, u]
            at += 1
    if not eliminate(size, matrix):
        return False
    at = 0
    for u in range(work.shape[1]):
        if work[ACTIVE, u] != 0.0 and first <= u % stages < last:
            work[CHANGE, u] = matrix[at, size]
            at += 1
    return True


def largest_force(work: Matrix, row: int) -> float:
    """Return the largest |force| of a row of the scratch table."""
    found = 0.0
    for u in range(work.shape[1]):
        found = max(found, abs(work[row, u]))
    return found


def solve_forces(
    first: int, last: int, stages: int, contacts: Matrix, work: Matrix, overlaps: Matrix, rates: Matrix, matrix: Matrix
) -> tuple[int, int]:
    """Solve for the active forces of stages first…last−1; return status and iterations."""
    worst = defect(first, last, FORCES, stages, contacts, work, overlaps, rates)
    if worst <= CLOSE_ENOUGH * largest_force(work, FORCES):  # nothing touches, nothing yields
        return SOLVED, 0
    for iteration in range(MOST_ITERATIONS):
        if worst == 0.0:
            return SOLVED, iteration
        if not newton_change(first, last, stages, contacts, work, overlaps, rates, matrix):
            break
        share = 1.0
        while True:
            for u in range(work.shape[1]):
                work[TRIED, u] = work[FORCES, u] + share * work[CHANGE, u]
            now = defect(first, last, TRIED, stages, contacts, work, overlaps, rates)
            if now < worst or share < 1e-3:
                break
            share *= 0.5
        small = largest_force(work, CHANGE) <= CLOSE_ENOUGH * largest_force(work, TRIED)
        if now < worst or small:
            for u in range(work.shape[1]):
                work[FORCES, u] = work[TRIED, u]
        if small or now <= CLOSE_ENOUGH * largest_force(work, FORCES):
            return SOLVED, iteration + 1
        if not now < worst:
            break
        worst = now
    return sweep(first, last, stages, contacts, work, overlaps, rates)


def sweep(
    first: int, last: int, stages: int, contacts: Matrix, work: Matrix, overlaps: Matrix, rates: Matrix
) -> tuple[int, int]:
    """Bracket and bisect each force in turn, until none moves."""
    for turn in range(MOST_SWEEPS):
        moved = 0.0
        for u in range(work.shape[1]):
            if work[ACTIVE, u] != 0.0 and first <= u % stages < last:
                before = work[FORCES, u]
                work[FORCES, u] = bisected(u, contacts[u // stages], work, overlaps, rates)
                if math.isnan(work[FORCES, u]):
                    return NO_SOLUTION, MOST_ITERATIONS + turn
                moved = max(moved, abs(work[FORCES, u] - before))
        if moved <= CLOSE_ENOUGH * largest_force(work, FORCES):
            return SOLVED, MOST_ITERATIONS + turn
    return NO_SOLUTION, MOST_ITERATIONS + MOST_SWEEPS


def excess(u: int, value: float, row: Vector, work: Matrix, overlaps: Matrix, rates: Matrix) -> float:
    """Return F − law if this one force were `value`."""
    work[FORCES, u] = value
    overlap = at_stage(u, FREE_OVERLAP, FORCES, work, overlaps)
    return value - closed_force(row, overlap, at_stage(u, FREE_RATE, FORCES, work, rates))


def bisected(u: int, row: Vector, work: Matrix, overlaps: Matrix, rates: Matrix) -> float:
    """Return the force at which F − law changes sign, the others kept; NaN where it does not."""
    reach = abs(excess(u, 0.0, row, work, overlaps, rates))
    if reach == 0.0:
        return 0.0
    low, high = -reach, reach
    for _ in range(60):
        below = excess(u, low, row, work, overlaps, rates)
        above = excess(u, high, row, work, overlaps, rates)
        if below <= 0.0 <= above:
            break
        if below > 0.0:
            low *= 2.0
        if above < 0.0:
            high *= 2.0
    else:
        return math.nan
    for _ in range(100):
        middle = 0.5 * (low + high)
        if middle in (low, high):
            break
        if excess(u, middle, row, work, overlaps, rates) > 0.0:
            high = middle
        else:
            low = middle
    return 0.5 * (low + high)
