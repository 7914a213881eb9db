"""The explicit method of steps in contact: the pair of orders five and four by Tsitouras (2011).

Ch. Tsitouras, Runge-Kutta pairs of order 5(4) satisfying only the first column simplifying assumption, Computers and
Mathematics with Applications 62, 770-775. Of a linear vibration, which contacts nearly are, it misses a sixth of what
the pair of Dormand and Prince does; the tests hold it against the order conditions.

Over a step of length h time is h·T(s) as in `contact.collocation`: T(s) = s, or s² and s⁴ from a touch on, and their
mirror images towards a separation, so that laws with δ^{3/2} or δ^{1/4} are smooth in s. With q′ = h T′ v and
v′ = h T′ w the stages need accelerations alone:

    vᵢ = v₀ + h Σ BY_RATE w,      qᵢ = q₀ + h TIME v₀ + h² Σ BY_PLACE w
"""

import math

import numpy as np

from carom.kernels.contact.collocation import FROM_TOUCH_2, KINDS, PLAIN, TO_PARTING_2, Table, time_map
from carom.kernels.ledger import EVEN_FOURTH, EVEN_SQUARED
from carom.kernels.types import Vector, side_by_side

STAGES = 7
NODES = np.array([0.0, 0.161, 0.327, 0.9, 0.9800255409045097, 1.0, 1.0])
TABLEAU = np.array(
    [
        [0, 0, 0, 0, 0, 0, 0],
        [0.161, 0, 0, 0, 0, 0, 0],
        [-0.008480655492356989, 0.335480655492357, 0, 0, 0, 0, 0],
        [2.8971530571054935, -6.359448489975075, 4.3622954328695815, 0, 0, 0, 0],
        [5.325864828439257, -11.748883564062828, 7.4955393428898365, -0.09249506636175525, 0, 0, 0],
        [5.86145544294642, -12.92096931784711, 8.159367898576159, -0.071584973281401, -0.028269050394068383, 0, 0],
        [0.09646076681806523, 0.01, 0.4798896504144996, 1.379008574103742, -3.290069515436081, 2.324710524099774, 0],
    ]
)
FOURTH = TABLEAU[-1] - np.array(
    [
        -0.00178001105222577714, -0.0008164344596567469, 0.007880878010261995, -0.1447110071732629, 0.5823571654525552,
        -0.45808210592918697, 0.015151515151515152,
    ]
)  # fmt: skip
SIXTH = float(TABLEAU[-1] @ np.linalg.matrix_power(TABLEAU, 4) @ NODES)
"""What the method has of the sixth derivative of a linear motion, for 1/720."""
FREE_ERROR = abs(SIXTH - 1.0 / 720.0)
"""What a plain step misses of a free vibration, over (ωh)⁶ of its amplitude."""
UNSEEN = 0.03
"""What all steps of a run together may leave out of a free vibration unsaid, as share of the tolerance of one."""
UNSEEN_GRADED = 0.01
"""What one graded step may leave out of a free vibration unsaid, as share of the tolerance: an impact has two."""
ERROR_SQUARED = 1e-3
"""What a graded step misses of a free vibration, over (ωh)³ of its amplitude, where T(s) = s²."""
ERROR_FOURTH = 0.02
"""The same over (ωh)², where T(s) = s⁴."""
TAYLOR = np.array([1.0 / math.factorial(k) for k in range(13)])
"""Weights of the terms of a power series: behind the last one nothing is left at the turns allowed."""
FREE_SHARE = 0.25
"""What the method alone may miss of a free vibration in a step, as share of the tolerance. `left_out` adds it, so that
it counts only where contacts push the mode in other ways than along a straight line in time, and for peaks inside the
step, which are those of a quintic."""


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


BEYOND_6, BEYOND_7, BEYOND_8, BEYOND_9, BEYOND_10, BEYOND_11 = (
    1.0 / math.factorial(k) - (SIXTH if k == 6 else 0.0) for k in range(6, 12)
)
"""Weights of hᵏ times the k-th derivatives from the sixth on, of what a plain step of a linear motion leaves out: the
method has SIXTH of the sixth and nothing of higher ones. Behind the eleventh nothing is left at the turns allowed."""


def left_out(h: float, w: float, jerk: float, twice: float, square: float) -> tuple[float, float]:
    """Return what a plain step leaves out of displacement and velocity of a mode with this acceleration and jerk.

    Exact where the force on the mode is a straight line in time, as that of the ground: no vibration of a mode that a
    contact does not reach is lost in the steps of the contact, however many they are.
    """
    x, y = twice * h, square * h * h
    t2, t3 = h * h * w, h * h * h * jerk  # hᵏ times the k-th derivative of the displacement
    t4 = -(x * t3 + y * t2)
    t5 = -(x * t4 + y * t3)
    t6 = -(x * t5 + y * t4)
    t7 = -(x * t6 + y * t5)
    t8 = -(x * t7 + y * t6)
    t9 = -(x * t8 + y * t7)
    t10 = -(x * t9 + y * t8)
    t11 = -(x * t10 + y * t9)
    t12 = -(x * t11 + y * t10)
    place = BEYOND_6 * t6 + BEYOND_7 * t7 + BEYOND_8 * t8 + BEYOND_9 * t9 + BEYOND_10 * t10 + BEYOND_11 * t11
    change = BEYOND_6 * t7 + BEYOND_7 * t8 + BEYOND_8 * t9 + BEYOND_9 * t10 + BEYOND_10 * t11 + BEYOND_11 * t12
    return place, change / h


@side_by_side
def graded_left_out(kind: int, h: float, w: float, jerk: float, twice: float, square: float) -> tuple[float, float]:
    """Return what a graded step leaves out of displacement and velocity of a mode with this acceleration and jerk.

    In graded time a motion that is smooth in t turns by up to four times as much at one end, and of a load that grows
    with t the method has little: of a vibration at ωh = 0.3 it misses 0.5 % where T(s) = s⁴. Exact as `left_out` is:
    the power series of the motion, less the method applied to it. Of the velocity it is h times that.
    """
    x, y = twice * h, square * h * h
    begin, third = h * h * w, h * h * h * jerk  # hᵏ times the k-th derivative of the displacement
    ramp = third + x * begin  # of the load without which it would go on straight
    f0 = begin
    f1 = begin + ramp * TIME[kind, 1] - at_stage(kind, 1, 0, x, y) * f0
    f2 = begin + ramp * TIME[kind, 2] - (at_stage(kind, 2, 0, x, y) * f0 + at_stage(kind, 2, 1, x, y) * f1)
    f3 = begin + ramp * TIME[kind, 3] - at_stage(kind, 3, 0, x, y) * f0
    f3 -= at_stage(kind, 3, 1, x, y) * f1 + at_stage(kind, 3, 2, x, y) * f2
    f4 = begin + ramp * TIME[kind, 4] - (at_stage(kind, 4, 0, x, y) * f0 + at_stage(kind, 4, 1, x, y) * f1)
    f4 -= at_stage(kind, 4, 2, x, y) * f2 + at_stage(kind, 4, 3, x, y) * f3
    f5 = begin + ramp * TIME[kind, 5] - (at_stage(kind, 5, 0, x, y) * f0 + at_stage(kind, 5, 1, x, y) * f1)
    f5 -= at_stage(kind, 5, 2, x, y) * f2 + at_stage(kind, 5, 3, x, y) * f3 + at_stage(kind, 5, 4, x, y) * f4
    rate = -(BY_RATE[kind, 6, 0] * f0 + BY_RATE[kind, 6, 1] * f1 + BY_RATE[kind, 6, 2] * f2)
    rate -= BY_RATE[kind, 6, 3] * f3 + BY_RATE[kind, 6, 4] * f4 + BY_RATE[kind, 6, 5] * f5
    place = -(BY_PLACE[kind, 6, 0] * f0 + BY_PLACE[kind, 6, 1] * f1 + BY_PLACE[kind, 6, 2] * f2)
    place -= BY_PLACE[kind, 6, 3] * f3 + BY_PLACE[kind, 6, 4] * f4 + BY_PLACE[kind, 6, 5] * f5
    t4 = -(x * third + y * begin)
    t5 = -(x * t4 + y * third)
    t6 = -(x * t5 + y * t4)
    t7 = -(x * t6 + y * t5)
    t8 = -(x * t7 + y * t6)
    t9 = -(x * t8 + y * t7)
    t10 = -(x * t9 + y * t8)
    t11 = -(x * t10 + y * t9)
    t12 = -(x * t11 + y * t10)
    place += begin * TAYLOR[2] + third * TAYLOR[3] + t4 * TAYLOR[4] + t5 * TAYLOR[5] + t6 * TAYLOR[6] + t7 * TAYLOR[7]
    place += t8 * TAYLOR[8] + t9 * TAYLOR[9] + t10 * TAYLOR[10] + t11 * TAYLOR[11] + t12 * TAYLOR[12]
    rate += begin + third * TAYLOR[2] + t4 * TAYLOR[3] + t5 * TAYLOR[4] + t6 * TAYLOR[5] + t7 * TAYLOR[6]
    rate += t8 * TAYLOR[7] + t9 * TAYLOR[8] + t10 * TAYLOR[9] + t11 * TAYLOR[10] + t12 * TAYLOR[11]
    return place, rate


@side_by_side
def at_stage(kind: int, i: int, j: int, x: float, y: float) -> float:
    """Return what the acceleration at stage `j` takes from that at stage `i`; x is 2σh, y is (ωh)²."""
    return x * BY_RATE[kind, i, j] + y * BY_PLACE[kind, i, j]


def note_negligible_graded(tolerance: float, quickest: float, run: Vector) -> None:
    """Note the lengths of graded steps up to which what they leave out of a free vibration does not count.

    The highest of the modes' frequencies is `quickest` [rad/s].
    """
    share, slowest = UNSEEN_GRADED * tolerance, max(quickest, 1e-300)
    run[EVEN_SQUARED] = math.pow(share / ERROR_SQUARED, 1.0 / 3.0) / slowest
    run[EVEN_FOURTH] = math.sqrt(share / ERROR_FOURTH) / slowest


def even_up_to(kind: int, run: Vector) -> float:
    """Return the length of a graded step of this kind up to which what it leaves out does not count [s]."""
    return run[EVEN_SQUARED] if kind in (FROM_TOUCH_2, TO_PARTING_2) else run[EVEN_FOURTH]


def negligible(tolerance: float, quickest: float, lasting: float) -> float:
    """Return the length of a plain step [s] up to which what all of them leave out of free vibrations does not count.

    The highest of the modes' frequencies is `quickest` [rad/s], and contact takes no more than the time `lasting` [s].
    """
    return math.pow(UNSEEN * tolerance / (FREE_ERROR * math.pow(quickest, 6.0) * lasting), 0.2)


def longest_turn(tolerance: float) -> float:
    """Return the turn ωh [rad] of the quickest mode in a step, beyond which its free vibration would miss too much."""
    return math.pow(FREE_SHARE * tolerance / FREE_ERROR, 1.0 / 6.0)
