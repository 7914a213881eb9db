"""Coulomb's friction in an impact: normal and tangential impulses of contacts struck together.

Rates y of n contacts are listed normals first, then slips with their signs turned, so that all of them answer impulses
alike, y⁺ = y + W P. Each contact has

    0 ≤ p − least ⊥ y_n ≥ 0,      |λ| ≤ μ p,  λ = −μ p sign(y_t) where it slips

One contact alone is a choice between four cases. Several are swept block by block; once it is seen who slips and who
sticks, the equations of that choice give the answer to rounding. For one contact the course of an impact is known in
closed form too (Routh), normal impulse by normal impulse: Stronge's restitution needs it.
"""

import math

from carom.kernels.endings import NOT_COMPLEMENTARY, SOLVED
from carom.kernels.rigid.complementarity import PRECISION
from carom.kernels.types import Codes, Matrix, Vector

SWEEPS = 20_000
OPEN = 0
STICKS = 1
SLIPS_UP = 2  # λ = μ p
SLIPS_DOWN = 3  # λ = −μ p
NO_CASE = -1
EDGE = 1e-12
"""Conditions are checked to this part of the rates and impulses around."""
PHASES = 12
"""Of sliding, sticking, turning and compression in one impact."""


def one_contact(
    a: float, c: float, nn: float, nt: float, tt: float, mu: float, least: float
) -> tuple[int, float, float]:
    """Return the case of one contact, its normal impulse and its friction; rates a, c are those without them."""
    bound = mu * least
    drag = min(max(-(c + nt * least) / tt, -bound), bound) if tt > 0.0 else 0.0
    edge = EDGE * (abs(a) + abs(c) + nn * least)
    if a + nn * least + nt * drag >= -edge:
        return OPEN, least, drag
    if mu == 0.0 or tt <= 0.0:
        return SLIPS_UP, -a / nn, 0.0
    whole = nn * tt - nt * nt
    if whole > 0.0:
        p, drag = (nt * c - tt * a) / whole, (nt * a - nn * c) / whole
        if p >= least and abs(drag) <= mu * p:
            return STICKS, p, drag
    for case in (SLIPS_UP, SLIPS_DOWN):
        share = mu if case == SLIPS_UP else -mu
        if nn + share * nt > 0.0:
            p = -a / (nn + share * nt)
            if p >= least and (c + (nt + share * tt) * p) * share <= edge * mu:
                return case, p, share * p
    return NO_CASE, least, drag


def rough_residual(n: int, w: Matrix, b: Vector, mu: Vector, least: Vector, p: Vector) -> float:
    """Return by how much impulses differ from their projections on what is allowed, as langlade2021 (21)."""
    worst = 0.0
    for i in range(n):
        rate, slip = b[i], b[n + i]
        for j in range(2 * n):
            rate += w[i, j] * p[j]
            slip += w[n + i, j] * p[j]
        worst = max(worst, abs(p[i] - max(least[i], p[i] - rate / w[i, i])))
        if mu[i] > 0.0 and w[n + i, n + i] > 0.0:
            bound = mu[i] * p[i]
            worst = max(worst, abs(p[n + i] - min(max(p[n + i] - slip / w[n + i, n + i], -bound), bound)))
    return worst


def rough(
    noise: float, n: int, w: Matrix, b: Vector, mu: Vector, least: Vector, p: Vector, work: Matrix, cases: Codes
) -> int:
    """Write the 2n impulses to `p`; `work` is (2n, 2n + 1) or larger. Rates below `noise` are none.

    Every fourth sweep, if no contact changed its case, the equations of these cases are tried.
    """
    whole = 2 * n
    size, small = 1e-300, 0.0
    for i in range(n):
        small = max(small, noise / w[i, i])
        size = max(size, abs(b[i]) / w[i, i], least[i])
        p[i], p[n + i] = least[i], 0.0
    for sweep in range(SWEEPS):
        moved = 0.0
        same = sweep > 0
        for i in range(n):
            rate, slip = b[i], b[n + i]
            for j in range(whole):
                if j % n != i:
                    rate += w[i, j] * p[j]
                    slip += w[n + i, j] * p[j]
            case, push, drag = one_contact(rate, slip, w[i, i], w[i, n + i], w[n + i, n + i], mu[i], least[i])
            if case == NO_CASE:
                return NOT_COMPLEMENTARY
            same = same and case == cases[i]
            cases[i] = case
            moved = max(moved, abs(push - p[i]), abs(drag - p[n + i]))
            size = max(size, push)
            p[i], p[n + i] = push, drag
        if n == 1 or moved <= PRECISION * size + small:
            return SOLVED
        if not same or sweep % 4 != 3:
            continue
        for i in range(n):
            t = n + i
            for j in range(whole):
                work[i, j], work[t, j] = w[i, j], w[t, j]
            work[i, whole], work[t, whole] = -b[i], -b[t]
            if cases[i] == OPEN:
                for j in range(whole):
                    work[i, j] = 1.0 if j == i else 0.0
                work[i, whole] = least[i]
            if cases[i] != STICKS and (abs(p[t]) >= mu[i] * p[i] or p[i] == 0.0):
                share = math.copysign(mu[i], p[t])
                for j in range(whole):
                    work[t, j] = 1.0 if j == t else -share if j == i else 0.0
                work[t, whole] = 0.0
        if eliminated(whole, work):
            for i in range(whole):
                work[i, whole], p[i] = p[i], work[i, whole]
            for i in range(n):
                p[i] = max(p[i], least[i])
            if rough_residual(n, w, b, mu, least, p) <= 1e-12 * size + small:
                return SOLVED
            for i in range(whole):
                p[i] = work[i, whole]
    return SOLVED if rough_residual(n, w, b, mu, least, p) <= 1e-10 * size + 10.0 * small else NOT_COMPLEMENTARY


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


def routh(y: float, slip: float, nn: float, nt: float, tt: float, mu: float, e: float) -> tuple[float, float]:
    """Return normal impulse and friction of one impact followed impulse by impulse, ended by Stronge's restitution.

    y < 0 is the rate of the gap, `slip` the tangential rate (sign turned). While it slips λ grows with −μ sign(slip)
    per p, while it sticks with what holds it. Compression takes the work of the normal impulse until y = 0; the
    impact ends when restitution has given back e² of it.
    """
    p, drag, taken, given = 0.0, 0.0, 0.0, 0.0
    for _ in range(PHASES):
        if mu == 0.0 or tt <= 0.0:
            share = 0.0
        elif slip != 0.0:
            share = -math.copysign(mu, slip)
        elif abs(nt) <= mu * tt:
            share = -nt / tt  # sticks
        else:
            share = -math.copysign(mu, nt)  # begins to slip the other way
        pace, turn = nn + share * nt, nt + share * tt
        length = -slip / turn if slip * turn < 0.0 else math.inf  # until slipping ends
        wanted = 0.0
        if y < 0.0:
            stop = -y / pace if pace > 0.0 else math.inf
            step, ends = min(stop, length), False
            worked = step * (y + 0.5 * pace * step)
            taken -= worked
            halted = stop <= length
        else:
            wanted = e * e * taken - given
            root = y * y + 2.0 * pace * wanted
            full = 2.0 * wanted / (y + math.sqrt(root)) if root >= 0.0 and wanted > 0.0 else 0.0
            if root < 0.0:
                full = math.inf
            turned = -y / pace if pace < 0.0 else math.inf  # compressed a second time
            step = min(full, length, turned)
            ends = step == full
            given += step * (y + 0.5 * pace * step)
            halted = step == turned
        p += step
        drag += share * step
        slip = 0.0 if step == length else slip + turn * step
        y = 0.0 if halted else y + pace * step
        if ends:
            break
    return p, drag
