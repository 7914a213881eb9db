"""One step in contact of two modes that share one contact: explicit, of order five, on power laws of time.

The method is the pair of orders five and four by Dormand and Prince (1980). Over a step of length h time is h·T(s) as
in `collocation`: T(s) = s, or s² and s⁴ from a touch on, and their mirror images towards a separation, so that laws
with δ^{3/2} or δ^{1/4} are smooth in s. With q′ = h T′ v and v′ = h T′ w the stages need accelerations alone:

    vᵢ = v₀ + h Σ BY_RATE w,      qᵢ = q₀ + h TIME v₀ + h² Σ BY_PLACE w
"""

import math

import numpy as np

from carom.kernels.contact.collocation import KINDS, PLAIN, Table, time_map
from carom.kernels.laws.power_law import damping_factor, damping_force, elastic_force, force_slopes
from carom.kernels.rows import (
    BEND,
    DEPTH,
    FORCE,
    HELD,
    LEVER,
    LOAD,
    MASS,
    OVERLAP,
    PACE,
    Q_END,
    QUICK_ANSWER,
    QUICK_RATE,
    RESISTS,
    SCALE,
    SLOPE,
    SPEED,
    SQUARE,
    TRIED_IN_VAIN,
    TWICE,
    V_END,
    W_END,
    Q,
    V,
    W,
)
from carom.kernels.types import Matrix, Vector, often

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

# columns of the contact at the end of the step, beside those at its start
END_DEPTH = OVERLAP
END_PACE = OVERLAP + 1
END_BEND = OVERLAP + 2
END_FORCE = OVERLAP + 3
END_CLIMB = OVERLAP + 4
# and what the step adds up
STEP_IMPULSE = OVERLAP + 5
STEP_WORK = OVERLAP + 6
STEP_INPUT = OVERLAP + 7
STEP_LOST = OVERLAP + 8
LOWEST = OVERLAP + 9  # the least force of a stage in restitution, and when
LOWEST_AT = OVERLAP + 10
FOLLOWING = OVERLAP + 11  # 1: χ follows the rate, a touch with little speed gathers some
# in columns that only the general engine needs
END_HELD = TRIED_IN_VAIN  # energy in the spring at the end of the step [J]
END_RESISTS = QUICK_ANSWER  # and the damping part of the force there [N]
PER_POWER = QUICK_RATE  # 1/(n + 1), worked out once


def chi_now(contact: Vector, chi: float, pace: float) -> float:
    """Return χ at this rate, `chi` unless it follows it."""
    return damping_factor(contact, pace, 0.5 * pace) if contact[FOLLOWING] > 0.0 else chi


@often
def climb_of(contact: Vector, chi: float, depth: float, pace: float, bend: float) -> float:
    """Return dF/dt [N/s]; where χ follows the rate their product is constant."""
    by_overlap, by_rate = force_slopes(contact, chi, depth, math.sqrt(depth), pace)
    return by_overlap * pace + (0.0 if contact[FOLLOWING] > 0.0 else by_rate * bend)


def stride(kind: int, h: float, t: float, chi: float, modes: Matrix, contact: Vector, stages: Vector) -> float:
    """Try a step from time `t` of the sample; return its error in units of the impact's speed and overlap.

    Writes the state at its end, and what forces and loads do meanwhile.
    """
    a, b = modes[0], modes[1]
    reach_a, push_a = contact[LEVER], contact[LEVER + 1]
    reach_b, push_b = contact[LEVER + 2], contact[LEVER + 3]
    mobility = reach_a * push_a + reach_b * push_b
    square_a, square_b = a[SQUARE], b[SQUARE]
    twice_a, twice_b = a[TWICE], b[TWICE]
    mass_a, mass_b = a[MASS], b[MASS]
    h2 = h * h
    wa, wb = a[W], b[W]
    qa, qb, va, vb = a[Q], b[Q], a[V], b[V]
    start, speed = contact[DEPTH], contact[PACE]
    depth, pace, load, pressed = start, speed, contact[FORCE], start
    bend = contact[BEND]
    stages[0] = wa
    stages[STAGES] = wb
    stages[2 * STAGES] = bend
    share = SHARE[kind, 0]
    impulse = share * load
    spring, resists = load - contact[RESISTS], contact[RESISTS]
    spent = share * resists * pace
    gained = share * (mass_a * (a[LOAD] + a[SLOPE] * t) * va + mass_b * (b[LOAD] + b[SLOPE] * t) * vb)
    lost = share * (mass_a * twice_a * va * va + mass_b * twice_b * vb * vb)
    miss, astray = MISS[kind, 0] * bend, MISS[kind, 0] * pace
    lowest, lowest_at = 0.0, 0.0
    for i in range(1, STAGES):
        late = h * TIME[kind, i]
        qa, qb, va, vb, depth, pace = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        for j in range(i):
            by_rate, by_place = BY_RATE[kind, i, j], BY_PLACE[kind, i, j]
            va += by_rate * stages[j]
            vb += by_rate * stages[STAGES + j]
            qa += by_place * stages[j]
            qb += by_place * stages[STAGES + j]
            pace += by_rate * stages[2 * STAGES + j]
            depth += by_place * stages[2 * STAGES + j]
        qa = a[Q] + late * a[V] + h2 * qa
        qb = b[Q] + late * b[V] + h2 * qb
        va = a[V] + h * va
        vb = b[V] + h * vb
        # overlap and rate have sums of their own: the way to the next force is as short as it can be
        depth = start + late * speed + h2 * depth
        pace = speed + h * pace
        pressed = max(depth, 0.0)
        root = math.sqrt(pressed)
        chi = chi_now(contact, chi, pace)
        spring = elastic_force(contact, pressed, root)
        resists = damping_force(contact, chi, pressed, root, pace)
        load = spring + resists
        load_a = a[LOAD] + a[SLOPE] * (t + late)
        load_b = b[LOAD] + b[SLOPE] * (t + late)
        wa = load_a - twice_a * va - square_a * qa
        wb = load_b - twice_b * vb - square_b * qb
        bend = reach_a * wa + reach_b * wb - mobility * load
        wa -= push_a * load
        wb -= push_b * load
        stages[i] = wa
        stages[STAGES + i] = wb
        stages[2 * STAGES + i] = bend
        share = SHARE[kind, i]
        impulse += share * load
        spent += share * resists * pace
        gained += share * (mass_a * load_a * va + mass_b * load_b * vb)
        lost += share * (mass_a * twice_a * va * va + mass_b * twice_b * vb * vb)
        miss += MISS[kind, i] * bend
        astray += MISS[kind, i] * pace
        if load < lowest and pace < 0.0:
            lowest, lowest_at = load, late
    a[Q_END], a[V_END], a[W_END] = qa, va, wa
    b[Q_END], b[V_END], b[W_END] = qb, vb, wb
    contact[END_DEPTH] = depth
    contact[END_PACE] = pace
    contact[END_FORCE] = load
    contact[END_BEND] = bend
    contact[STEP_IMPULSE] = h * impulse
    contact[END_HELD] = spring * pressed * contact[PER_POWER]
    contact[END_RESISTS] = resists
    contact[STEP_WORK] = contact[END_HELD] - contact[HELD] + h * spent  # by the law, as `contact.work`
    contact[STEP_INPUT] = h * gained
    contact[STEP_LOST] = h * lost
    contact[LOWEST] = lowest
    contact[LOWEST_AT] = lowest_at
    contact[END_CLIMB] = climb_of(contact, chi, max(depth, 0.0), pace, bend)
    # the one may vanish by chance where the other does not
    return max(abs(h * miss) / contact[SPEED], abs(h * astray) / contact[SCALE])
