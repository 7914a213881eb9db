"""Which contacts carry an impulse: the linear complementarity problem 0 ≤ p ⊥ W p + b ≥ 0.

W = H J⁻¹ Hᵀ (langlade2021 (20)) has no negative directions; where contacts are redundant it is singular, and p is one
of several answers while W p + b is the only one. Two ways to it: projected Gauss-Seidel (langlade2021 (17)), cheap per
sweep and slow to converge where contacts hang together; and an active set in the manner of Lawson and Hanson, which
ends after finitely many steps with rounding errors alone.
"""

import math

from carom.kernels.endings import NOT_COMPLEMENTARY, SOLVED
from carom.kernels.types import Codes, Matrix, Vector

AUTO = 0
GAUSS_SEIDEL = 1
ACTIVE_SET = 2
LARGEST_DIRECT = 60
"""Contacts up to which AUTO takes the active set."""


PRECISION = 1e-13
SWEEPS = 100_000
DEPENDENT = 1e-11
"""A pivot below this part of its diagonal belongs to a contact that others already decide."""


def residual_of(n: int, w: Matrix, b: Vector, p: Vector) -> float:
    """Return the largest |p − max(0, p − ρ(W p + b))|, langlade2021 (21), with ρ = 1/W_αα: an impulse."""
    worst = 0.0
    for i in range(n):
        rate = b[i]
        for j in range(n):
            rate += w[i, j] * p[j]
        worst = max(worst, abs(p[i] - max(0.0, p[i] - rate / w[i, i])))
    return worst


def size_of(n: int, w: Matrix, b: Vector) -> float:
    """Return an impulse typical of the problem, by which residuals are judged."""
    found = 0.0
    for i in range(n):
        found = max(found, abs(b[i]) / w[i, i])
    return found


def gauss_seidel(noise: float, n: int, w: Matrix, b: Vector, p: Vector) -> int:
    """Sweep over the contacts until nothing changes; `p` holds a first guess and takes the answer.

    Changes that stand for rates below `noise` are none.
    """
    size = size_of(n, w, b)
    least = 0.0
    for i in range(n):
        least = max(least, noise / w[i, i])
    for _ in range(SWEEPS):
        moved = 0.0
        for i in range(n):
            rate = b[i]
            for j in range(n):
                if j != i:
                    rate += w[i, j] * p[j]
            found = max(0.0, -rate / w[i, i])  # (17), without the W_αα p_α that is printed in its sum
            moved = max(moved, abs(found - p[i]))
            size = max(size, found)
            p[i] = found
        if moved <= PRECISION * size + least and residual_of(n, w, b, p) <= 10.0 * (PRECISION * size + least):
            return SOLVED
    return NOT_COMPLEMENTARY


def solve(method: int, noise: float, n: int, w: Matrix, b: Vector, p: Vector, work: Matrix, kept: Codes) -> int:
    """Solve by the method asked for, or by size; one contact alone is a division. Rates below `noise` are none.

    Active set: let contacts in one by one, the most violated first, and out again where they would pull. `work` is
    (n, n + 2) or larger; `kept` lists those that carry, in the order they came.
    """
    if n == 1:
        p[0] = max(0.0, -b[0] / w[0, 0])
        return SOLVED
    if method == GAUSS_SEIDEL or (method == AUTO and n > LARGEST_DIRECT):
        for i in range(n):
            p[i] = 0.0
        return gauss_seidel(noise, n, w, b, p)
    trial, held = work.shape[1] - 2, work.shape[1] - 1
    count = 0
    for i in range(n):
        p[i] = 0.0
        work[i, held] = 0.0
    size = size_of(n, w, b)
    for _ in range(20 * n + 20):
        worst, whom = 10.0 * PRECISION * size, -1
        for i in range(n):
            if p[i] == 0.0 and work[i, held] == 0.0:
                rate = b[i]
                for j in range(n):
                    rate += w[i, j] * p[j]
                if -rate > noise and -rate / w[i, i] > worst:
                    worst, whom = -rate / w[i, i], i
        if whom < 0:
            break
        kept[count] = whom
        if not factored(count, w, work, kept):
            work[whom, held] = 1.0  # the others decide it: look at it again when they have changed
            continue
        count += 1
        entered = whom
        while count > 0:
            solved(count, b, work, kept, trial)
            share, first = 1.0, -1
            for k in range(count):
                i = kept[k]
                if work[k, trial] <= 0.0:
                    part = p[i] / (p[i] - work[k, trial]) if p[i] > work[k, trial] else 0.0
                    if part < share or first < 0:
                        share, first = part, k
            if first < 0:
                for k in range(count):
                    p[kept[k]] = work[k, trial]
                break
            for k in range(count):
                i = kept[k]
                p[i] += share * (work[k, trial] - p[i])
            p[kept[first]] = 0.0
            if kept[first] == entered:
                work[entered, held] = 1.0  # it came by rounding alone
            for k in range(first, count - 1):
                kept[k] = kept[k + 1]
            count -= 1
            for k in range(first, count):
                factored(k, w, work, kept)
        for i in range(n):
            if i != entered:
                work[i, held] = 0.0
    allowed = 1e-300
    for i in range(n):
        allowed = max(allowed, 1e-10 * size, 1e-10 * p[i], 10.0 * noise / w[i, i])
    return SOLVED if residual_of(n, w, b, p) <= allowed else NOT_COMPLEMENTARY


def factored(k: int, w: Matrix, work: Matrix, kept: Codes) -> bool:
    """Write row `k` of Cholesky's factor of W over the contacts kept; False where it depends on those before it."""
    for j in range(k + 1):
        total = w[kept[k], kept[j]]
        for i in range(j):
            total -= work[k, i] * work[j, i]
        if j < k:
            work[k, j] = total / work[j, j]
        else:
            if total <= DEPENDENT * w[kept[k], kept[k]]:
                return False
            work[k, k] = math.sqrt(total)
    return True


def solved(count: int, b: Vector, work: Matrix, kept: Codes, into: int) -> None:
    """Write the solution of W p = −b over the contacts kept to column `into`."""
    for k in range(count):
        total = -b[kept[k]]
        for j in range(k):
            total -= work[k, j] * work[j, into]
        work[k, into] = total / work[k, k]
    for k in range(count - 1, -1, -1):
        total = work[k, into]
        for j in range(k + 1, count):
            total -= work[j, k] * work[j, into]
        work[k, into] = total / work[k, k]
