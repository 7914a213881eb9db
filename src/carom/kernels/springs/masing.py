"""Ramberg and Osgood's curve (1943), and Masing's rule (1926) for what follows a reversal.

    skeleton   d/d_y = y (1 + η |y|^{r−1}),      y = f/f_y, f_y = k d_y

A branch from a reversal is the skeleton at twice its size. It ends where it meets the branch or skeleton that the
reversal left: a loop that closes is forgotten. Where more loops are open than the row holds, the innermost is.
"""

import math

from carom.kernels.springs.rows import (
    AT,
    BETA,
    COUNT,
    DIRECTION,
    HELD,
    LIMIT,
    MOST_POINTS,
    POINTS,
    POWER,
    STIFFNESS,
)
from carom.kernels.types import Vector


def level(x: float, share: float, power: float) -> float:
    """Return y ≥ 0 with y + η yʳ = x: Newton's method from above, where the curve bends its way."""
    y = x
    if share > 0.0 and x > 0.0:
        y = min(x, (x / share) ** (1.0 / power))
        for _ in range(60):
            rest = share * y ** (power - 1.0)
            step = (y + rest * y - x) / (1.0 + power * rest)
            y -= step
            if step <= 1e-15 * y:
                break
    return y


def branch(row: Vector, drift: float, keep: bool) -> tuple[float, float]:
    """Return f [N] at a drift, and df/dd [N/m]; `keep`: remember the reversals behind it.

    n of them are open; one more than the row counts: the point where the last step ended is a new one.
    """
    count = int(row[COUNT])
    sense, n = row[DIRECTION], count
    if drift != row[AT]:
        sense = 1.0 if drift > row[AT] else -1.0
        if sense == -row[DIRECTION]:
            n = count + 1
        while n >= 2 and sense * (drift - row[POINTS + 2 * (n - 2)]) > 0.0:
            n -= 2
        if n == 1:
            first = row[AT] if count == 0 else row[POINTS]
            if sense * (drift + first) > 0.0:
                n = 0
    size, d0, f0 = 1.0, 0.0, 0.0
    if n > 0:
        size = 2.0
        d0, f0 = row[AT], row[HELD]
        if n <= count:
            d0, f0 = row[POINTS + 2 * (n - 1)], row[POINTS + 2 * (n - 1) + 1]
    x = math.fabs(drift - d0) / (size * row[LIMIT])
    y = level(x, row[BETA], row[POWER])
    f = f0 + math.copysign(size * row[STIFFNESS] * row[LIMIT] * y, drift - d0)
    if keep:
        if n == count + 1:
            if n > MOST_POINTS:
                n -= 2
            row[POINTS + 2 * (n - 1)] = row[AT]
            row[POINTS + 2 * (n - 1) + 1] = row[HELD]
        row[COUNT] = float(n)
        row[DIRECTION] = sense
    return f, row[STIFFNESS] / (1.0 + row[BETA] * row[POWER] * y ** (row[POWER] - 1.0))
