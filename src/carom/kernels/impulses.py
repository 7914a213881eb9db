"""What an impact does: impulses of contacts struck together, by the hypothesis chosen.

Rates are of gaps, negative while bodies approach. `before` are those before the impact, `free` those after it if there
were no impulses (the same where the impact takes no time); after it they are ``free + W p``.
"""

import math

from carom.kernels.complementarity import residual_of, solve
from carom.kernels.types import Codes, Matrix, Vector

NEWTON = 0
POISSON = 1
ENERGETIC = 2

SCRATCH_COLUMNS = 6
"""Columns of a struck contact in `struck`, below."""
BEFORE = 0
FREE = 1
RESTITUTION = 2
IMPULSE = 3
COMPRESSION = 4
RIGHT = 5


def restitution_at(row: Vector, speed: float) -> float:
    """Return e at an approach velocity; `row` holds the count of pairs, then velocity and e of each.

    A straight line between pairs, constant beyond them.
    """
    count = int(row[0])
    if count == 1 or speed <= row[1]:
        return row[2]
    if speed >= row[2 * count - 1]:
        return row[2 * count]
    low, high = 0, count - 1
    while high - low > 1:
        middle = (low + high) // 2
        if row[1 + 2 * middle] <= speed:
            low = middle
        else:
            high = middle
    start = row[1 + 2 * low]
    share = (speed - start) / (row[1 + 2 * high] - start)
    return row[2 + 2 * low] + share * (row[2 + 2 * high] - row[2 + 2 * low])


def strike(
    hypothesis: int, method: int, n: int, w: Matrix, struck: Matrix, work: Matrix, kept: Codes
) -> tuple[int, float]:
    """Write the impulses of `n` contacts to row IMPULSE of `struck`; return whether solved, and the residual R_c.

    Rows of `struck`: rates before and without impulses, e, and room for what is found, one column per contact.
    """
    if hypothesis == NEWTON:
        for i in range(n):
            struck[RIGHT, i] = struck[FREE, i] + struck[RESTITUTION, i] * struck[BEFORE, i]
        status = solve(method, n, w, struck[RIGHT], struck[IMPULSE], work, kept)
        return status, residual_of(n, w, struck[RIGHT], struck[IMPULSE])

    # compression: the approach is stopped
    first = solve(method, n, w, struck[BEFORE], struck[COMPRESSION], work, kept)
    scale = 1.0 if hypothesis == POISSON else energetic_scale(n, w, struck)
    for i in range(n):
        struck[COMPRESSION, i] *= 1.0 + scale * struck[RESTITUTION, i]
    # restitution, and what keeps bodies from interpenetrating after it
    for i in range(n):
        struck[RIGHT, i] = struck[FREE, i]
        for j in range(n):
            struck[RIGHT, i] += w[i, j] * struck[COMPRESSION, j]
    second = solve(method, n, w, struck[RIGHT], struck[IMPULSE], work, kept)
    residual = residual_of(n, w, struck[RIGHT], struck[IMPULSE])
    for i in range(n):
        struck[IMPULSE, i] += struck[COMPRESSION, i]
    return max(first, second), residual


def energetic_scale(n: int, w: Matrix, struck: Matrix) -> float:
    """Return s such that restitution along s·e·p_c returns Σ e² w_α, w_α the work compression took at a contact."""
    taken = 0.0
    returned = 0.0
    square = 0.0
    for i in range(n):
        p, e = struck[COMPRESSION, i], struck[RESTITUTION, i]
        work = -0.5 * p * struck[BEFORE, i]
        taken += work
        returned += e * e * max(work, 0.0)
        for j in range(n):
            square += e * p * w[i, j] * struck[RESTITUTION, j] * struck[COMPRESSION, j]
    returned = min(returned, taken)
    return math.sqrt(2.0 * returned / square) if square > 0.0 and returned > 0.0 else 0.0
