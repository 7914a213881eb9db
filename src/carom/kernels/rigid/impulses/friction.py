"""Coulomb's friction in an impact: normal and tangential impulses of contacts struck together.

Rates y of n contacts are listed normals first, then slips with their signs turned, those along the second tangents
last where there are two; all of them answer impulses alike, y⁺ = y + W P. Each contact has

    0 ≤ p − least ⊥ y_n ≥ 0,      |λ| ≤ μ p,  λ = −μ p y_t/|y_t| where it slips

One contact alone is a choice between cases (`one_contact`). Several are swept block by block; once it is seen who slips
and who sticks, Newton's method on the equations of that choice gives the answer to rounding; with one tangent they are
linear.
"""

import math

from carom.kernels.endings import NOT_COMPLEMENTARY, SOLVED
from carom.kernels.rigid.impulses.complementarity import PRECISION
from carom.kernels.rigid.impulses.one_contact import NO_CASE, OPEN, STICKS, one_tangent, two_tangents
from carom.kernels.types import Codes, Matrix, Vector

SWEEPS = 20_000
SWEEPS_IN_SPACE = 1_000
"""With two tangents, where Newton's method does most of the work."""
POLISHES = 12
"""Steps of Newton's method at a time."""
GOLDEN = 0.618033988749895
SILVER = 0.414213562373095
"""Parts of one whose multiples spread evenly."""
HALVES = 4
"""How often one of them is halved until it gains."""
SHARED = 1e-9
"""Part of itself by which each equation gives way in such a step: of contacts that share what they bear, nobody's part
is decided by the others."""


def rough_residual(n: int, tangents: int, w: Matrix, b: Vector, mu: Vector, least: Vector, p: Vector) -> float:
    """Return by how much impulses differ from their projections on what is allowed, as langlade2021 (21)."""
    worst, whole = 0.0, n * (1 + tangents)
    for i in range(n):
        rate = b[i]
        for j in range(whole):
            rate += w[i, j] * p[j]
        worst = max(worst, abs(p[i] - max(least[i], p[i] - rate / w[i, i])))
        soft = 0.0  # one for both tangents, so that the projection is on a disc
        for t in range(n + i, whole, n):
            soft = max(soft, w[t, t])
        if mu[i] > 0.0 and soft > 0.0:
            wanted, length = 0.0, 0.0
            for t in range(n + i, whole, n):
                length = math.hypot(length, p[t] - rate_of(t, whole, w, b, p) / soft)
            bound = mu[i] * p[i]
            share = bound / length if length > bound else 1.0
            for t in range(n + i, whole, n):
                wanted = p[t] - rate_of(t, whole, w, b, p) / soft
                worst = max(worst, abs(p[t] - share * wanted))
    return worst


def rate_of(row: int, whole: int, w: Matrix, b: Vector, p: Vector) -> float:
    """Return one rate after the impulses."""
    rate = b[row]
    for j in range(whole):
        rate += w[row, j] * p[j]
    return rate


def rough(
    noise: float, n: int, tangents: int, w: Matrix, b: Vector, mu: Vector, least: Vector, p: Vector, work: Matrix,
    cases: Codes,
) -> int:  # fmt: skip
    """Write the impulses to `p`; `work` has a row for each and two columns more. Rates below `noise` are none.

    Every fourth sweep, if no contact changed its case, the equations of these cases are tried.
    """
    whole = n * (1 + tangents)
    size, small = 1e-300, 0.0
    for i in range(n):
        small = max(small, noise / w[i, i])
        size = max(size, abs(b[i]) / w[i, i], least[i])
        p[i] = least[i]
    for t in range(n, whole):
        p[t] = 0.0
    for sweep in range(SWEEPS if tangents == 1 else SWEEPS_IN_SPACE):
        moved = 0.0
        same = sweep > 0
        for i in range(n):
            case, change = swept(i, n, tangents, w, b, mu, least, p)
            if case == NO_CASE:
                return NOT_COMPLEMENTARY
            same = same and case == cases[i]
            cases[i] = case
            moved, size = max(moved, change), max(size, p[i])
        if n == 1 or moved <= PRECISION * size + small:
            return SOLVED
        if sweep % 4 != 3 or not (same or tangents == 2):
            continue
        kept = work.shape[1] - 1
        for i in range(whole):
            work[i, kept] = p[i]
        if tangents == 2:
            if corrected(1e-12 * size + small, n, w, b, mu, least, p, work):
                return SOLVED
            scatter(sweep // 4, size, n, mu, least, p)
            if corrected(1e-12 * size + small, n, w, b, mu, least, p, work):
                return SOLVED
        elif (
            polished(n, w, b, mu, least, p, work, cases)
            and rough_residual(n, tangents, w, b, mu, least, p) <= 1e-12 * size + small
        ):
            return SOLVED
        for i in range(whole):
            p[i] = work[i, kept]
    left = rough_residual(n, tangents, w, b, mu, least, p)
    return SOLVED if left <= 1e-10 * size + 10.0 * small else NOT_COMPLEMENTARY


def swept(
    i: int, n: int, tangents: int, w: Matrix, b: Vector, mu: Vector, least: Vector, p: Vector
) -> tuple[int, float]:
    """Solve one contact while the others keep their impulses; return its case and how much its impulses changed."""
    whole, t = n * (1 + tangents), n + i
    rate, slip, across = b[i], b[t], 0.0
    for j in range(whole):
        if j % n != i:
            rate += w[i, j] * p[j]
            slip += w[t, j] * p[j]
    if tangents == 1:
        case, push, drag = one_tangent(rate, slip, w[i, i], w[i, t], w[t, t], mu[i], least[i])
        change = max(abs(push - p[i]), abs(drag - p[t]))
        p[i], p[t] = push, drag
    else:
        s = 2 * n + i
        across = b[s]
        for j in range(whole):
            if j % n != i:
                across += w[s, j] * p[j]
        case, push, drag, drift = two_tangents(
            rate, slip, across, w[i, i], w[i, t], w[i, s], w[t, t], w[t, s], w[s, s], mu[i], least[i]
        )
        change = max(abs(push - p[i]), abs(drag - p[t]), abs(drift - p[s]))
        p[i], p[t], p[s] = push, drag, drift
    return case, change


def polished(n: int, w: Matrix, b: Vector, mu: Vector, least: Vector, p: Vector, work: Matrix, cases: Codes) -> bool:
    """Solve the equations of the cases found, with one tangent; False where they do not decide."""
    whole = 2 * n
    for i in range(n):
        for j in range(whole):
            work[i, j] = w[i, j]
        work[i, whole] = -b[i]
        if cases[i] == OPEN:
            for j in range(whole):
                work[i, j] = 1.0 if j == i else 0.0
            work[i, whole] = least[i]
        t = n + i
        for j in range(whole):
            work[t, j] = w[t, j]
        work[t, whole] = -b[t]
        if cases[i] == STICKS or (p[i] > 0.0 and abs(p[t]) < mu[i] * p[i] * (1.0 - 1e-9)):
            continue
        share = math.copysign(mu[i], p[t])
        for j in range(whole):
            work[t, j] = 1.0 if j == t else -share if j == i else 0.0
        work[t, whole] = 0.0
    if not eliminated(whole, work):
        return False
    for i in range(whole):
        p[i] = work[i, whole]
    for i in range(n):
        p[i] = max(p[i], least[i])
    return True


def corrected(allowed: float, n: int, w: Matrix, b: Vector, mu: Vector, least: Vector, p: Vector, work: Matrix) -> bool:
    """Take steps of Newton's method on what `rough_residual` measures, with two tangents; return whether it is gone.

    The projections are as Alart and Curnier have them: which contacts stick, and which slide whither, may change on
    the way. A step that gains nothing is halved.
    """
    whole = 3 * n
    left = rough_residual(n, 2, w, b, mu, least, p)
    for _ in range(POLISHES):
        if left <= allowed:
            return True
        projections(n, w, b, mu, least, p, work)
        if not eliminated(whole, work):
            return False
        share, before = 1.0, left
        for i in range(whole):
            p[i] -= work[i, whole]
        left = rough_residual(n, 2, w, b, mu, least, p)
        for _ in range(HALVES):
            if left <= before:
                break
            share *= 0.5
            for i in range(whole):
                p[i] += share * work[i, whole]
            left = rough_residual(n, 2, w, b, mu, least, p)
    return left <= allowed


def scatter(which: int, size: float, n: int, mu: Vector, least: Vector, p: Vector) -> None:
    """Write impulses from which Newton's method has not begun yet: spread evenly, and the same in every run."""
    for i in range(n):
        share, angle = (GOLDEN * (which * n + i + 1)) % 1.0, 2.0 * math.pi * ((SILVER * (which * n + i + 1)) % 1.0)
        p[i] = least[i] + size * share
        p[n + i], p[2 * n + i] = mu[i] * p[i] * math.cos(angle), mu[i] * p[i] * math.sin(angle)


def projections(n: int, w: Matrix, b: Vector, mu: Vector, least: Vector, p: Vector, work: Matrix) -> None:
    """Write by how much impulses differ from their projections, and how that answers them, as equations of a step."""
    whole = 3 * n
    for i in range(n):
        t, s = n + i, 2 * n + i
        rate, x, y = rate_of(i, whole, w, b, p), rate_of(t, whole, w, b, p), rate_of(s, whole, w, b, p)
        soft = max(w[t, t], w[s, s])
        for j in range(whole):
            work[i, j] = work[t, j] = work[s, j] = 0.0
        work[i, i] = work[t, t] = work[s, s] = 1.0
        work[i, whole], work[t, whole], work[s, whole] = p[i] - least[i], p[t], p[s]
        if p[i] - rate / w[i, i] > least[i]:
            for j in range(whole):
                work[i, j] = w[i, j] / w[i, i]
            work[i, i] += SHARED
            work[i, whole] = rate / w[i, i]
        bound = mu[i] * max(p[i], 0.0)
        if bound <= 0.0 or soft <= 0.0:
            continue
        u1, u2 = p[t] - x / soft, p[s] - y / soft
        length = math.hypot(u1, u2)
        if length <= bound:
            for j in range(whole):
                work[t, j], work[s, j] = w[t, j] / soft, w[s, j] / soft
            work[t, t] += SHARED
            work[s, s] += SHARED
            work[t, whole], work[s, whole] = x / soft, y / soft
            continue
        u1, u2, turn = u1 / length, u2 / length, bound / length
        for j in range(whole):  # how the slip across the direction of sliding turns it
            across = turn * ((u1 * w[s, j] - u2 * w[t, j]) / soft)
            across -= turn * ((u1 if j == s else 0.0) - (u2 if j == t else 0.0))
            work[t, j] -= u2 * across
            work[s, j] += u1 * across
        work[t, i] -= mu[i] * u1
        work[s, i] -= mu[i] * u2
        work[t, whole], work[s, whole] = p[t] - bound * u1, p[s] - bound * u2


def eliminated(size: int, work: Matrix) -> bool:
    """Solve the equations in `work` by elimination, the answer in its column `size`; False where they do not decide."""
    for k in range(size):
        best = k
        for i in range(k + 1, size):
            if abs(work[i, k]) > abs(work[best, k]):
                best = i
        if abs(work[best, k]) < 1e-13:
            return False
        for j in range(k, size + 1):
            work[k, j], work[best, j] = work[best, j], work[k, j]
        for i in range(k + 1, size):
            part = work[i, k] / work[k, k]
            for j in range(k, size + 1):
                work[i, j] -= part * work[k, j]
    for k in range(size - 1, -1, -1):
        for j in range(k + 1, size):
            work[k, size] -= work[k, j] * work[j, size]
        work[k, size] /= work[k, k]
    return True
