"""True extremes of two modes and the force between them inside a step in contact.

Between the ends of a step a mode moves along the quintic in s that has its displacement, velocity and acceleration
there; where a quantity is largest is told by the cubic with its values and slopes.
"""

import math

import numpy as np

from carom.kernels.contact.collocation import KINDS, time_map
from carom.kernels.event.peak_search import cubic_crest
from carom.kernels.explicit.pair_step import END_BEND, END_CLIMB, END_DEPTH, END_FORCE, END_PACE, chi_now
from carom.kernels.laws.power_law import force
from carom.kernels.rows import (
    BEND,
    CLIMB,
    DEPTH,
    FORCE,
    LEVER,
    PACE,
    PEAK_FORCE,
    PEAK_OVERLAP,
    PEAKS,
    Q_END,
    SLOPE,
    SQUARE,
    STEADY,
    TWICE,
    V_END,
    W_END,
    Q,
    V,
    W,
)
from carom.kernels.types import Matrix, Vector

EDGES = np.array([time_map(kind, np.array([0.0, 1.0]))[1] for kind in range(KINDS)])
"""T′ at both ends, by kind."""
BENDS = np.array([[0.0, 0.0], [2.0, 2.0], [-2.0, -2.0], [0.0, 12.0], [-12.0, 0.0]])
"""T″ at both ends, by kind."""
HOPEFUL = 0.9  # share of the peak so far: a quantity that may exceed it is looked at closely


def between(kind: int, h: float, s: float, x0: float, f0: float, g0: float, x1: float, f1: float, g1: float) -> float:
    """Return a quantity inside a step from its values and first two derivatives in time at both ends."""
    first, last = h * EDGES[kind, 0], h * EDGES[kind, 1]
    d0, d1 = first * f0, last * f1
    e0 = h * BENDS[kind, 0] * f0 + first * first * g0
    e1 = h * BENDS[kind, 1] * f1 + last * last * g1
    rest = x1 - x0 - d0 - 0.5 * e0
    turn = d1 - d0 - e0
    twist = e1 - e0
    c3 = 10.0 * rest - 4.0 * turn + 0.5 * twist
    c4 = -15.0 * rest + 7.0 * turn - twist
    c5 = 6.0 * rest - 3.0 * turn + 0.5 * twist
    return x0 + s * (d0 + s * (0.5 * e0 + s * (c3 + s * (c4 + s * c5))))


def crest(kind: int, h: float, f0: float, g0: float, f1: float, g1: float) -> float:
    """Return where in a step a quantity with these values and slopes in time, of different signs, is stationary."""
    middle = g0 / (g0 - g1)
    d0, d1 = h * EDGES[kind, 0] * g0, h * EDGES[kind, 1] * g1
    back = d0 == 0.0  # graded time begins without slope
    s = cubic_crest(f0 - f1 if back else f1 - f0, -d1 if back else d0, -d0 if back else d1)
    s = 1.0 - s if back else s
    return s if 1e-6 < s < 1.0 - 1e-6 else middle


def force_inside(kind: int, h: float, s: float, chi: float, contact: Vector) -> float:
    """Return the contact force inside a step [N]; how its rate changes is told by the force alone."""
    mobility = contact[LEVER] * contact[LEVER + 1] + contact[LEVER + 2] * contact[LEVER + 3]
    depth = between(
        kind, h, s, contact[DEPTH], contact[PACE], contact[BEND], contact[END_DEPTH], contact[END_PACE],
        contact[END_BEND],
    )  # fmt: skip
    pace = between(
        kind, h, s, contact[PACE], contact[BEND], -mobility * contact[CLIMB], contact[END_PACE], contact[END_BEND],
        -mobility * contact[END_CLIMB],
    )  # fmt: skip
    depth = max(depth, 0.0)
    return force(contact, chi_now(contact, chi, pace), depth, math.sqrt(depth), pace)


def contact_peaks(kind: int, h: float, chi: float, modes: Matrix, contact: Vector, floors: Matrix) -> None:
    """Raise the peaks of the force, the overlap and both modes by their extremes in a step."""
    best = max(contact[FORCE], contact[END_FORCE])
    if contact[CLIMB] > 0.0 > contact[END_CLIMB]:
        s = crest(kind, h, contact[FORCE], contact[CLIMB], contact[END_FORCE], contact[END_CLIMB])
        best = max(best, force_inside(kind, h, s, chi, contact))
    contact[PEAK_FORCE] = max(contact[PEAK_FORCE], best)
    contact[PEAK_OVERLAP] = max(contact[PEAK_OVERLAP], contact[DEPTH], contact[END_DEPTH])
    for k in range(2):
        row, peaks = modes[k], floors[k]
        push = contact[LEVER + 2 * k + 1]
        raise_mode(kind, h, push * contact[CLIMB], push * contact[END_CLIMB], row, peaks)
        y0 = row[STEADY] - row[SQUARE] * row[Q] - row[TWICE] * row[V] - push * contact[FORCE]
        y1 = row[STEADY] - row[SQUARE] * row[Q_END] - row[TWICE] * row[V_END] - push * contact[END_FORCE]
        peaks[PEAKS + 2] = max(peaks[PEAKS + 2], abs(y0), abs(y1))
        d0 = -row[SQUARE] * row[V] - row[TWICE] * row[W] - push * contact[CLIMB]
        d1 = -row[SQUARE] * row[V_END] - row[TWICE] * row[W_END] - push * contact[END_CLIMB]
        if d0 * d1 < 0.0 and max(abs(y0), abs(y1)) + h * (abs(d0) + abs(d1)) > HOPEFUL * peaks[PEAKS + 2]:
            s = crest(kind, h, y0, d0, y1, d1)
            q = between(kind, h, s, row[Q], row[V], row[W], row[Q_END], row[V_END], row[W_END])
            jerk, end_jerk = row[SLOPE] + d0, row[SLOPE] + d1
            v = between(kind, h, s, row[V], row[W], jerk, row[V_END], row[W_END], end_jerk)
            own = row[STEADY] - row[SQUARE] * q - row[TWICE] * v
            peaks[PEAKS + 2] = max(peaks[PEAKS + 2], abs(own - push * force_inside(kind, h, s, chi, contact)))


def raise_mode(kind: int, h: float, climb: float, end_climb: float, row: Vector, peaks: Vector) -> None:
    """Raise the peaks of displacement and velocity of a mode in a step; `climb`: how fast the contact's load rises."""
    v, w, v1, w1 = row[V], row[W], row[V_END], row[W_END]
    peaks[PEAKS] = max(peaks[PEAKS], abs(row[Q_END]))
    if v * v1 < 0.0 and abs(row[Q_END]) + h * (abs(v) + abs(v1) + h * (abs(w) + abs(w1))) > peaks[PEAKS]:
        s = crest(kind, h, row[Q], v, row[Q_END], v1)
        peaks[PEAKS] = max(peaks[PEAKS], abs(between(kind, h, s, row[Q], v, w, row[Q_END], v1, w1)))
    peaks[PEAKS + 1] = max(peaks[PEAKS + 1], abs(v1))
    if w * w1 < 0.0:
        jerk = row[SLOPE] - row[TWICE] * w - row[SQUARE] * v - climb
        end_jerk = row[SLOPE] - row[TWICE] * w1 - row[SQUARE] * v1 - end_climb
        if abs(v1) + h * (abs(w) + abs(w1) + h * (abs(jerk) + abs(end_jerk))) > peaks[PEAKS + 1]:
            s = crest(kind, h, v, w, v1, w1)
            peaks[PEAKS + 1] = max(peaks[PEAKS + 1], abs(between(kind, h, s, v, w, jerk, v1, w1, end_jerk)))
