"""One contact with Coulomb's friction, in closed form: open, sticking or sliding.

    y⁺ = y + W P,      0 ≤ p − least ⊥ y_n⁺ ≥ 0,      |λ| ≤ μ p,  λ = −μ p y_t⁺/|y_t⁺| where it slides

Tangential rates y_t have their signs turned with those of the normals, so that impulses P = (p, λ) work on all alike.
With one tangent sliding has two directions. With two, λ = −μ p s on the true cone, s the unit vector of sliding, and

    p = −y_n/(W_nn − μ w·s),      y_t + p (w − μ W_tt s) = σ s,  σ ≥ 0,      w = W_tn:

what stands across s must vanish, a trigonometric polynomial of the second degree (`sliding_direction`). W with
negative directions apart, a contact has an answer however strongly turning couples normal and tangent (Painlevé); it
may have several, of which sticking is taken, else the one that slides on in the direction without impulses.
"""

import math

from carom.kernels.rigid.impulses.sliding_direction import END, START, next_direction

OPEN = 0
STICKS = 1
SLIPS_UP = 2  # λ = μ p
SLIPS_DOWN = 3  # λ = −μ p
SLIPS = 2  # with two tangents: somewhere
NO_CASE = -1
EDGE = 1e-12
"""Conditions are checked to this part of the rates and impulses around."""
FLAT = 1e-14
"""A tangent whose pivot is below this part of the largest mobility moves nothing by itself."""


def one_tangent(
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
        if nn + share * nt != 0.0:
            p = -a / (nn + share * nt)
            if p >= least and (c + (nt + share * tt) * p) * share <= edge * mu:
                return case, p, share * p
    return NO_CASE, least, drag


def held_back(c1: float, c2: float, t11: float, t12: float, t22: float, bound: float) -> tuple[float, float]:
    """Return the friction under a given pressure, |λ| ≤ `bound`: it holds, or the slip that is left runs against it."""
    if bound <= 0.0:
        return 0.0, 0.0
    l1, l2, holds = sticking(c1, c2, t11, t12, t22)
    if holds and math.hypot(l1, l2) <= bound:
        return l1, l2
    best, x, y = -math.inf, 0.0, 0.0
    at = next_direction(0.0, c2, -c1, -bound * t12, 0.5 * bound * (t11 - t22), START, END)
    while at < math.inf:
        s1, s2 = math.cos(at), math.sin(at)
        left = s1 * (c1 - bound * (t11 * s1 + t12 * s2)) + s2 * (c2 - bound * (t12 * s1 + t22 * s2))
        if left > best:
            best, x, y = left, -bound * s1, -bound * s2
        at = next_direction(0.0, c2, -c1, -bound * t12, 0.5 * bound * (t11 - t22), at, END)
    return x, y


def sticking(c1: float, c2: float, t11: float, t12: float, t22: float) -> tuple[float, float, bool]:
    """Return the friction that stops a slip, and whether it does; a tangent without mobility takes none."""
    size = max(t11, t22)
    if size <= 0.0:
        return 0.0, 0.0, c1 == 0.0 and c2 == 0.0
    whole = t11 * t22 - t12 * t12
    if whole > FLAT * size * size:
        return (t12 * c2 - t22 * c1) / whole, (t12 * c1 - t11 * c2) / whole, True
    # one direction moves: along (t11, t12) or (t12, t22)
    x, y = (t11, t12) if t11 >= t22 else (t12, t22)
    length = math.hypot(x, y)
    x, y = x / length, y / length
    drag = -(x * c1 + y * c2) / (t11 + t22)
    across = abs(x * c2 - y * c1)
    return drag * x, drag * y, across <= EDGE * (abs(c1) + abs(c2))


def two_tangents(
    a: float, c1: float, c2: float, nn: float, n1: float, n2: float, t11: float, t12: float, t22: float, mu: float,
    least: float,
) -> tuple[int, float, float, float]:  # fmt: skip
    """Return the case of one contact, its normal impulse and its friction along both tangents."""
    edge = EDGE * (abs(a) + abs(c1) + abs(c2) + nn * least)
    l1, l2 = held_back(c1 + n1 * least, c2 + n2 * least, t11, t12, t22, mu * least)
    if a + nn * least + n1 * l1 + n2 * l2 >= -edge:
        return OPEN, least, l1, l2
    if mu == 0.0 or max(t11, t22) <= 0.0:
        return SLIPS, -a / nn, 0.0, 0.0
    # sticking: the slip is stopped while p does what it does, λ = h − g p
    h1, h2, holds = sticking(c1, c2, t11, t12, t22)
    g1, g2, follows = sticking(n1, n2, t11, t12, t22)
    pace = nn + n1 * g1 + n2 * g2
    if holds and follows and pace > 0.0:
        p = -(a + n1 * h1 + n2 * h2) / pace
        x, y = h1 + g1 * p, h2 + g2 * p
        if p >= least and math.hypot(x, y) <= mu * p:
            return STICKS, p, x, y
    # sliding: across s nothing is left
    k0 = 0.5 * mu * (c1 * n2 - c2 * n1)
    kc, ks = nn * c2 - a * n2, a * n1 - nn * c1
    kc2 = a * mu * t12 - 0.5 * mu * (c1 * n2 + c2 * n1)
    ks2 = 0.5 * mu * (a * (t22 - t11) + c1 * n1 - c2 * n2)
    best, p, x, y = -math.inf, -1.0, 0.0, 0.0
    at = next_direction(k0, kc, ks, kc2, ks2, START, END)
    while at < math.inf:
        s1, s2 = math.cos(at), math.sin(at)
        pace = nn - mu * (n1 * s1 + n2 * s2)
        if pace != 0.0:
            push = -a / pace
            left = s1 * (c1 + push * (n1 - mu * (t11 * s1 + t12 * s2)))
            left += s2 * (c2 + push * (n2 - mu * (t12 * s1 + t22 * s2)))
            along = c1 * s1 + c2 * s2
            if push >= least and left >= -edge and along > best:
                best, p, x, y = along, push, -mu * push * s1, -mu * push * s2
        at = next_direction(k0, kc, ks, kc2, ks2, at, END)
    if p < 0.0:
        return NO_CASE, least, l1, l2
    return SLIPS, p, x, y
