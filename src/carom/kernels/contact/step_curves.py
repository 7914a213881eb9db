"""Curves of a step in contact: polynomials in s through its ends and nodes, in time through its ends alone.

Time is h·T(s) (`collocation`): what contact forces make is smooth in s, also where a step begins at a touch or ends at
a separation.
"""

import math

from carom.kernels.contact.collocation import (
    EIGHTH,
    EIGHTH_WEIGHTS,
    FIVE,
    FROM_TOUCH_2,
    FROM_TOUCH_4,
    NODES,
    PLAIN,
    QUARTIC,
    TO_PARTING_2,
    TO_PARTING_4,
)


def coefficient(kind: int, p: int, f0: float, f1: float, f2: float, f3: float, f4: float) -> float:
    """Return the factor of s^p in the quartic through both ends and the nodes of a step."""
    low = QUARTIC[kind, p, 0] * f0 + QUARTIC[kind, p, 1] * f1
    return low + QUARTIC[kind, p, 2] * f2 + QUARTIC[kind, p, 3] * f3 + QUARTIC[kind, p, 4] * f4


def quartic_at(kind: int, s: float, f0: float, f1: float, f2: float, f3: float, f4: float) -> tuple[float, float]:
    """Return the quartic through both ends and the nodes, and its slope."""
    value, slope = 0.0, 0.0
    for p in range(NODES + 1, -1, -1):
        slope = slope * s + value
        value = value * s + coefficient(kind, p, f0, f1, f2, f3, f4)
    return value, slope


def share_of_time(kind: int, x: float) -> float:
    """Return s for a time, both as shares of the step: the inverse of T(s). Rounding may make a time more than all."""
    left = max(1.0 - x, 0.0)
    if kind == FROM_TOUCH_2:
        return math.sqrt(x)
    if kind == TO_PARTING_2:
        return 1.0 - math.sqrt(left)
    if kind == FROM_TOUCH_4:
        return math.sqrt(math.sqrt(x))
    if kind == TO_PARTING_4:
        return 1.0 - math.sqrt(math.sqrt(left))
    return x


def bend_at(kind: int, s: float, h: float, f0: float, f1: float, f2: float, f3: float, f4: float) -> float:
    """Return the second derivative in time of the same quartic where its slope is none."""
    bend = 0.0
    for p in range(NODES + 1, 1, -1):
        bend = bend * s + p * (p - 1.0) * coefficient(kind, p, f0, f1, f2, f3, f4)
    speed = h * time_slope(kind, s)
    return bend / (speed * speed)


def crest(kind: int, f0: float, f1: float, f2: float, f3: float, f4: float) -> tuple[float, float]:
    """Return where in [0, 1] the quartic through both ends and the nodes is largest, and how large.

    It is sought between the neighbours of the largest of the five, both of which are lower. The quartic need not bend
    down at the largest itself: where a step ends at a parting, what is smooth in time is flat in s.
    """
    largest, top = 0, f0
    for i in range(1, NODES + 2):
        value = f1 if i == 1 else f2 if i == 2 else f3 if i == 3 else f4
        if value > top:
            largest, top = i, value
    low, s, high = FIVE[kind, max(largest - 1, 0)], FIVE[kind, largest], FIVE[kind, min(largest + 1, NODES + 1)]
    c0 = f0
    c1 = coefficient(kind, 1, f0, f1, f2, f3, f4)
    c2 = coefficient(kind, 2, f0, f1, f2, f3, f4)
    c3 = coefficient(kind, 3, f0, f1, f2, f3, f4)
    c4 = coefficient(kind, 4, f0, f1, f2, f3, f4)
    for _ in range(12):
        slope = c1 + s * (2.0 * c2 + s * (3.0 * c3 + s * 4.0 * c4))
        bend = 2.0 * c2 + s * (6.0 * c3 + s * 12.0 * c4)
        if slope > 0.0:
            low = s
        else:
            high = s
        if not low < high:  # at an end of the step, towards which it rises
            break
        before, s = s, s - slope / bend if bend < 0.0 else 0.5 * (low + high)
        if not low <= s <= high:
            s = 0.5 * (low + high)
        if abs(s - before) < 1e-7:
            break
    return s, max(top, c0 + s * (c1 + s * (c2 + s * (c3 + s * c4))))


def velocity_extreme(
    h: float, kind: int, v0: float, v1: float, a0: float, a1: float, a2: float, a3: float, a4: float
) -> float:
    """Return the largest |v| where the acceleration, known at ends and nodes, changes sign inside a step; or zero.

    In steps from a touch or to a separation it is smooth in s, not in time.
    """
    best = 0.0
    for i in range(NODES + 1):
        left = a0 if i == 0 else a1 if i == 1 else a2 if i == 2 else a3
        right = a1 if i == 0 else a2 if i == 1 else a3 if i == 2 else a4
        if left * right < 0.0:
            s = FIVE[kind, i] + (FIVE[kind, i + 1] - FIVE[kind, i]) * left / (left - right)
            for _ in range(4):
                value, slope = quartic_at(kind, s, a0, a1, a2, a3, a4)
                if slope != 0.0:
                    s = min(max(s - value / slope, FIVE[kind, i]), FIVE[kind, i + 1])
            begun = 0.0 if s < 0.5 else 1.0  # from the nearer end
            gained = 0.0
            for g in range(EIGHTH.size):
                at = begun + (s - begun) * EIGHTH[g]
                value, _ = quartic_at(kind, at, a0, a1, a2, a3, a4)
                gained += EIGHTH_WEIGHTS[g] * value * time_slope(kind, at)
            best = max(best, abs((v0 if begun == 0.0 else v1) + h * (s - begun) * gained))
    return best


def cubic(s: float, f0: float, f1: float, d0: float, d1: float) -> float:
    """Return Hermite's cubic through two ends at a share of the way; `d0` and `d1` are slopes times the way."""
    rise = f1 - f0
    return f0 + s * (d0 + s * (3.0 * rise - 2.0 * d0 - d1 + s * (d0 + d1 - 2.0 * rise)))


def quintic_extreme(u0: float, u1: float, v0: float, v1: float, a0: float, a1: float, h: float) -> float:
    """Return |u| where Hermite's quintic through both ends of a step is extreme; v changes sign in between."""
    d0 = h * v0
    b0 = h * h * a0
    rest = u1 - u0 - d0 - 0.5 * b0
    turn = h * v1 - d0 - b0
    twist = h * h * a1 - b0
    c3 = 10.0 * rest - 4.0 * turn + 0.5 * twist
    c4 = -15.0 * rest + 7.0 * turn - twist
    c5 = 6.0 * rest - 3.0 * turn + 0.5 * twist
    low = 0.0
    high = 1.0
    s = v0 / (v0 - v1)
    for _ in range(60):
        slope = d0 + s * (b0 + s * (3.0 * c3 + s * (4.0 * c4 + s * 5.0 * c5)))
        if (slope > 0.0) == (v0 > 0.0):
            low = s
        else:
            high = s
        bend = b0 + s * (6.0 * c3 + s * (12.0 * c4 + s * 20.0 * c5))
        better = s - slope / bend if bend != 0.0 else low
        if not low < better < high:
            better = 0.5 * (low + high)
        if abs(better - s) < 1e-9:
            break
        s = better
    return abs(u0 + s * (d0 + s * (0.5 * b0 + s * (c3 + s * (c4 + s * c5)))))


def elapsed(kind: int, s: float) -> float:
    """Return T(s), the share of a step's time."""
    if kind == PLAIN:
        return s
    left = s if kind in (FROM_TOUCH_2, FROM_TOUCH_4) else 1.0 - s
    share = left * left
    if kind in (FROM_TOUCH_4, TO_PARTING_4):
        share *= share
    return share if kind in (FROM_TOUCH_2, FROM_TOUCH_4) else 1.0 - share


def time_slope(kind: int, s: float) -> float:
    """Return T′(s), how fast time goes with s, as share of the step."""
    if kind == PLAIN:
        return 1.0
    left = s if kind in (FROM_TOUCH_2, FROM_TOUCH_4) else 1.0 - s
    if kind in (FROM_TOUCH_4, TO_PARTING_4):
        return 4.0 * left * left * left
    return 2.0 * left
