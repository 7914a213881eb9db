"""True extremes of forces and degrees of freedom inside a step in contact.

Between the ends of a step a mode moves along the quintic in s that has its displacement, velocity and acceleration
there; where a quantity is largest is told by the cubic with its values and slopes.
"""

import math

import numpy as np

from carom.kernels.contact.collocation import KINDS, time_map
from carom.kernels.event.peak_search import cubic_crest
from carom.kernels.explicit.floors import floor_state, put_now, raise_peaks
from carom.kernels.explicit.rows import (
    CHANGE_END,
    CHI,
    END_BEND,
    END_CLIMB,
    END_DEPTH,
    END_FORCE,
    END_JERK,
    END_PACE,
    FIRST_MODE,
    JERK,
    LAST_MODE,
    REACH,
    SHAPES,
)
from carom.kernels.explicit.step_control import chi_now
from carom.kernels.explicit.warp import meet, place, turns
from carom.kernels.laws.power_law import force
from carom.kernels.rows import (
    BEND,
    CHANGE,
    CLIMB,
    CLOSED,
    DEPTH,
    FORCE,
    MASS,
    NOW,
    PACE,
    PEAK_FORCE,
    PEAK_OVERLAP,
    PEAKS,
    Q_END,
    SLOPE,
    SQUARE,
    STATUS,
    STEADY,
    TWICE,
    V_END,
    W_END,
    Q,
    V,
    W,
)
from carom.kernels.types import Matrix, Vector, seldom

EDGES = np.array([time_map(kind, np.array([0.0, 1.0]))[1] for kind in range(KINDS)])
"""T′ at both ends, by kind."""
BENDS = np.array([[0.0, 0.0], [2.0, 2.0], [-2.0, -2.0], [0.0, 12.0], [-12.0, 0.0]])
"""T″ at both ends, by kind."""
RECORD = 1.0 - 1e-3  # share of the peak so far: where a quantity about its crest is so large, the crest itself is found
ASIDE = 0.1  # how far from where a crest should be it is looked at too, as share of the step
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


def cubic(kind: int, h: float, s: float, x0: float, f0: float, x1: float, f1: float) -> float:
    """Return the size, inside a step, of the cubic in s with these values and slopes in time at its ends."""
    first, last = h * EDGES[kind, 0] * f0, h * EDGES[kind, 1] * f1
    return abs(x0 + s * (first + s * (3.0 * (x1 - x0) - 2.0 * first - last + s * (2.0 * (x0 - x1) + first + last))))


def force_inside(kind: int, h: float, s: float, row: Vector) -> float:
    """Return the force of a contact inside a step [N]."""
    depth = between(kind, h, s, row[DEPTH], row[PACE], row[BEND], row[END_DEPTH], row[END_PACE], row[END_BEND])
    pace = between(kind, h, s, row[PACE], row[BEND], row[JERK], row[END_PACE], row[END_BEND], row[END_JERK])
    depth = max(depth, 0.0)
    return force(row, chi_now(row, row[CHI], pace), depth, math.sqrt(depth), pace)


def acceleration_inside(kind: int, h: float, s: float, floor: Vector, modes: Matrix, contacts: Matrix) -> float:
    """Return the absolute acceleration of a degree of freedom inside a step [m/s²]."""
    first, last = int(floor[FIRST_MODE]), int(floor[LAST_MODE])
    found = 0.0
    for k in range(first, last):
        row = modes[k]
        q = between(kind, h, s, row[Q], row[V], row[W], row[Q_END], row[V_END], row[W_END])
        jerk, end_jerk = row[SLOPE] + row[CHANGE], row[SLOPE] + row[CHANGE_END]
        v = between(kind, h, s, row[V], row[W], jerk, row[V_END], row[W_END], end_jerk)
        found += floor[SHAPES + k - first] * (row[STEADY] - row[TWICE] * v - row[SQUARE] * q)
    for c in range(contacts.shape[0]):
        if contacts[c, STATUS] == CLOSED:
            answer = 0.0
            for k in range(first, last):
                answer += floor[SHAPES + k - first] * modes[k, REACH + c] * modes[k, MASS]
            if answer != 0.0:
                found -= answer * force_inside(kind, h, s, contacts[c])
    return found


@seldom
def acceleration_crest(
    kind: int, h: float, s: float, size: float, floor: Vector, modes: Matrix, contacts: Matrix
) -> float:
    """Return the largest |absolute acceleration| of a degree of freedom about a share `s` of a step [m/s²].

    There it has this `size`; a parabola through that and a value on either side tells where it is largest.
    """
    most, aside = size, min(ASIDE, 0.5 * s, 0.5 * (1.0 - s))
    for _ in range(2):
        before = abs(acceleration_inside(kind, h, s - aside, floor, modes, contacts))
        behind = abs(acceleration_inside(kind, h, s + aside, floor, modes, contacts))
        bend = before - 2.0 * size + behind
        most = max(most, before, behind)
        if bend >= 0.0:
            return most
        s += aside * min(max(0.5 * (before - behind) / bend, -1.0), 1.0)
        size = abs(acceleration_inside(kind, h, s, floor, modes, contacts))
        most = max(most, size)
        aside = min(0.2 * aside, 0.5 * s, 0.5 * (1.0 - s))
    return most


def deepest(kind: int, h: float, row: Vector) -> float:
    """Return the largest overlap of a contact in a step [m]."""
    if not row[PACE] > 0.0 > row[END_PACE]:
        return max(row[DEPTH], row[END_DEPTH])
    s = crest(kind, h, row[DEPTH], row[PACE], row[END_DEPTH], row[END_PACE])
    return between(kind, h, s, row[DEPTH], row[PACE], row[BEND], row[END_DEPTH], row[END_PACE], row[END_BEND])


def force_peaks(kind: int, h: float, row: Vector) -> None:
    """Raise the peaks of a contact's force and overlap by their extremes in a step."""
    best = max(row[FORCE], row[END_FORCE])
    if row[CLIMB] > 0.0 > row[END_CLIMB]:
        s = crest(kind, h, row[FORCE], row[CLIMB], row[END_FORCE], row[END_CLIMB])
        best = max(best, force_inside(kind, h, s, row))
    row[PEAK_FORCE] = max(row[PEAK_FORCE], best)
    row[PEAK_OVERLAP] = max(row[PEAK_OVERLAP], deepest(kind, h, row))


def write_jerks(c: int, row: Vector, modes: Matrix) -> None:
    """Write the third derivative of a contact's overlap at both ends of a step."""
    ramp, start, end = 0.0, 0.0, 0.0
    for k in range(modes.shape[0]):
        mode = modes[k]
        reach = mode[REACH + c]
        ramp += reach * mode[SLOPE]
        start += reach * mode[CHANGE]
        end += reach * mode[CHANGE_END]
    row[JERK], row[END_JERK] = ramp + start, ramp + end


def crests(
    kind: int, h: float, u: float, speed: float, relative: float, absolute: float, change: float, floor: Vector,
    modes: Matrix, contacts: Matrix,
) -> None:  # fmt: skip
    """Raise the peaks of a degree of freedom by its extremes inside a step, NOW holding its start; given is its end."""
    swift, strong = abs(floor[NOW + 1]) + abs(speed), abs(floor[NOW + 2]) + abs(relative)
    if floor[NOW + 1] * speed < 0.0 and abs(u) + h * (swift + h * strong) > floor[PEAKS]:
        s = crest(kind, h, floor[NOW], floor[NOW + 1], u, speed)
        best = between(kind, h, s, floor[NOW], floor[NOW + 1], floor[NOW + 2], u, speed, relative)
        floor[PEAKS] = max(floor[PEAKS], abs(best))
    if floor[NOW + 2] * relative < 0.0:
        ramp = (relative - absolute - floor[NOW + 2] + floor[NOW + 3]) / h  # of its loads
        jerk, end_jerk = floor[NOW + 4] + ramp, change + ramp
        if abs(speed) + h * (strong + h * (abs(jerk) + abs(end_jerk))) > floor[PEAKS + 1]:
            s = crest(kind, h, floor[NOW + 1], floor[NOW + 2], speed, relative)
            best = between(kind, h, s, floor[NOW + 1], floor[NOW + 2], jerk, speed, relative, end_jerk)
            floor[PEAKS + 1] = max(floor[PEAKS + 1], abs(best))
    sharp = h * (abs(floor[NOW + 4]) + abs(change))
    near = max(abs(floor[NOW + 3]), abs(absolute)) + sharp > HOPEFUL * floor[PEAKS + 2]
    if floor[NOW + 4] * change < 0.0 and near:
        s = crest(kind, h, floor[NOW + 3], floor[NOW + 4], absolute, change)
        if cubic(kind, h, s, floor[NOW + 3], floor[NOW + 4], absolute, change) > HOPEFUL * floor[PEAKS + 2]:
            best = abs(acceleration_inside(kind, h, s, floor, modes, contacts))
            if best > RECORD * floor[PEAKS + 2]:
                best = max(best, acceleration_crest(kind, h, s, best, floor, modes, contacts))
            floor[PEAKS + 2] = max(floor[PEAKS + 2], best)


def contact_peaks(kind: int, h: float, modes: Matrix, contacts: Matrix, floors: Matrix) -> None:
    """Raise the peaks of forces, overlaps and degrees of freedom by their extremes in a step."""
    for turn in range(turns(contacts.shape[0])):
        c = place(turn)
        if c < contacts.shape[0]:
            row = contacts[c]
            if row[STATUS] == CLOSED:
                write_jerks(c, row, modes)
                force_peaks(kind, h, row)
    meet()
    for turn in range(turns(floors.shape[0])):
        d = place(turn)
        if d < floors.shape[0]:
            floor = floors[d]
            u, speed, relative, absolute, change = floor_state(floor, modes, Q_END)
            crests(kind, h, u, speed, relative, absolute, change, floor, modes, contacts)
            raise_peaks(floor, u, speed, absolute)
            put_now(floor, u, speed, relative, absolute, change)
