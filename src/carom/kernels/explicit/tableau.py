"""The explicit method of steps in contact: the pair of orders five and four by Dormand and Prince (1980).

Over a step of length h time is h·T(s) as in `contact.collocation`: T(s) = s, or s² and s⁴ from a touch on, and their
mirror images towards a separation, so that laws with δ^{3/2} or δ^{1/4} are smooth in s. With q′ = h T′ v and
v′ = h T′ w the stages need accelerations alone:

    vᵢ = v₀ + h Σ BY_RATE w,      qᵢ = q₀ + h TIME v₀ + h² Σ BY_PLACE w
"""

import math

import numpy as np

from carom.kernels.contact.collocation import KINDS, PLAIN, Table, time_map

STAGES = 7
NODES = np.array([0.0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1.0, 1.0])
TABLEAU = np.array(
    [
        [0, 0, 0, 0, 0, 0, 0],
        [1 / 5, 0, 0, 0, 0, 0, 0],
        [3 / 40, 9 / 40, 0, 0, 0, 0, 0],
        [44 / 45, -56 / 15, 32 / 9, 0, 0, 0, 0],
        [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729, 0, 0, 0],
        [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656, 0, 0],
        [35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84, 0],
    ]
)
FOURTH = np.array([5179 / 57600, 0, 7571 / 16695, 393 / 640, -92097 / 339200, 187 / 2100, 1 / 40])
FREE_ERROR = 1.0 / 3600.0
"""What a plain step misses of a free vibration, over (ωh)⁶ of its amplitude: 1/600 of the method less 1/720."""
FREE_SHARE = 1.0
"""What the method alone may miss of a free vibration in a step, as share of the tolerance. `left_out` adds it, so that
it counts only where contacts push the mode in other ways than along a straight line in time."""


def _weights(kind: int) -> tuple[Table, Table, Table]:
    """Return for each stage its time and the weights of earlier accelerations in its velocity and displacement.

    In graded time the part of a constant acceleration, s⁴ or s⁸, is beyond the method; it is known, and what is added
    to the weights of the first stage makes it exact. The rest is the method on q and v less that part.
    """
    times, speeds = time_map(kind, NODES)
    by_rate = TABLEAU * speeds
    by_place = by_rate @ by_rate
    if kind != PLAIN:
        by_rate[:, 0] += times - by_rate.sum(axis=1)
        by_place[:, 0] += 0.5 * times**2 - by_place.sum(axis=1)
    return times, by_rate, by_place


TIME, BY_RATE, BY_PLACE = (np.array(table) for table in zip(*map(_weights, range(KINDS)), strict=True))
"""When a stage is, in units of h (kind, stage), and the weights (kind, stage, earlier stage)."""
_SPEEDS = np.array([time_map(kind, NODES)[1] for kind in range(KINDS)])
SHARE = TABLEAU[-1] * _SPEEDS
"""Weights of an integral over the step (kind, stage)."""
MISS = (TABLEAU[-1] - FOURTH) * _SPEEDS
"""The difference of both orders (kind, stage)."""


_AFTER = np.arange(6, 12)
BEYOND = np.array([1.0 / math.factorial(k) for k in _AFTER]) - np.where(_AFTER == 6, 1.0 / 600.0, 0.0)
"""Weights of hᵏ times the k-th derivatives from the sixth on, of what a plain step of a linear motion leaves out: the
method has 1/600 of the sixth and nothing of higher ones. Behind the eleventh nothing is left at the turns allowed."""


def left_out(h: float, w: float, jerk: float, twice: float, square: float) -> tuple[float, float]:
    """Return what a plain step leaves out of displacement and velocity of a mode with this acceleration and jerk.

    Exact where the force on the mode is a straight line in time, as that of the ground: no vibration of a mode that a
    contact does not reach is lost in the steps of the contact, however many they are.
    """
    here, after = w, jerk
    for _ in range(4):  # from the second derivative to the sixth
        here, after = after, -twice * after - square * here
    place, rate, power = 0.0, 0.0, math.pow(h, 6.0)
    for k in range(BEYOND.size):
        place += BEYOND[k] * power * here
        rate += BEYOND[k] * power * after
        here, after = after, -twice * after - square * here
        power *= h
    return place, rate


def longest_turn(tolerance: float) -> float:
    """Return the turn ωh [rad] of the quickest mode in a step, beyond which its free vibration would miss too much."""
    return math.pow(FREE_SHARE * tolerance / FREE_ERROR, 1.0 / 6.0)
