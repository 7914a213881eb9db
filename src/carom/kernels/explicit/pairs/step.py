"""One step in contact of two modes that share one contact, by hand: what `step` does for many.

Each mode is an oscillator's own, of modal mass 1: a contact pushes it by what it reaches of it.
"""

import math

from carom.kernels.contact.collocation import PLAIN
from carom.kernels.explicit.pairs.peaks import contact_peaks
from carom.kernels.explicit.rows import (
    CHI,
    END_BEND,
    END_CLIMB,
    END_DEPTH,
    END_FORCE,
    END_HELD,
    END_PACE,
    END_RESISTS,
    EVEN_FREE,
    HERE,
    LOWEST,
    LOWEST_AT,
    PER_POWER,
    REACH,
    STEP_IMPULSE,
    STEP_INPUT,
    STEP_LOST,
    STEP_WORK,
    THERE,
)
from carom.kernels.explicit.step_control import chi_now, climb_of
from carom.kernels.explicit.tableau import (
    BY_PLACE,
    BY_RATE,
    MISS,
    SHARE,
    STAGES,
    TIME,
    even_up_to,
    graded_left_out,
    left_out,
)
from carom.kernels.laws.power_law import damping_force, elastic_force
from carom.kernels.ledger import DAMPING, INPUT
from carom.kernels.rows import (
    BEND,
    CHI_APPROACH,
    CHI_RESTITUTION,
    CLIMB,
    CLOSED,
    DEPTH,
    DIRECTION,
    ERROR_WEIGHT,
    FORCE,
    GAP,
    HELD,
    LOAD,
    PACE,
    Q_END,
    RESISTS,
    SCALE,
    SLOPE,
    SPEED,
    SQUARE,
    STATUS,
    TWICE,
    V_END,
    W_END,
    Q,
    V,
    W,
)
from carom.kernels.tables import Tables
from carom.kernels.types import Vector, seldom


def settle(t: float, tables: Tables) -> None:
    """Write overlap, force and accelerations of the present state, time `t` of the sample."""
    a, b, contact = tables.modes[0], tables.modes[1], tables.contacts[0]
    reach_a, reach_b = a[REACH], b[REACH]
    here = reach_a * a[Q] + reach_b * b[Q] - contact[GAP]
    pace = reach_a * a[V] + reach_b * b[V]
    load, depth = 0.0, max(here, 0.0)
    if contact[STATUS] == CLOSED:
        chi = contact[CHI_APPROACH] if contact[DIRECTION] > 0.0 else contact[CHI_RESTITUTION]
        contact[CHI] = chi_now(contact, chi, pace)
        spring = elastic_force(contact, depth, math.sqrt(depth))
        contact[HELD] = spring * depth * contact[PER_POWER]
        contact[RESISTS] = damping_force(contact, contact[CHI], depth, math.sqrt(depth), pace)
        load = spring + contact[RESISTS]
    a[W] = a[LOAD] + a[SLOPE] * t - a[TWICE] * a[V] - a[SQUARE] * a[Q] - reach_a * load
    b[W] = b[LOAD] + b[SLOPE] * t - b[TWICE] * b[V] - b[SQUARE] * b[Q] - reach_b * load
    contact[HERE], contact[DEPTH], contact[PACE], contact[FORCE] = here, depth, pace, load
    contact[BEND] = reach_a * a[W] + reach_b * b[W]
    contact[CLIMB] = 0.0
    if contact[STATUS] == CLOSED:
        climb = climb_of(contact, contact[CHI], depth, pace, contact[BEND])
        contact[CLIMB] = climb if math.isfinite(climb) else 1.0  # a δ^{1/4} law rises infinitely fast at touch


@seldom
def graded_left_behind(kind: int, h: float, load: float, row: Vector) -> tuple[float, float]:
    """Return what a graded step leaves out of a mode's motion without its contact, which has the force `load` [N]."""
    free = row[W] + row[REACH] * load
    jerk = row[SLOPE] - row[TWICE] * free - row[SQUARE] * row[V]
    place, rate = graded_left_out(kind, h, free, jerk, row[TWICE], row[SQUARE])
    return place, rate / h


def stride(kind: int, h: float, t: float, tables: Tables) -> float:
    """Try a step from time `t` of the sample; return its error in units of the impact's speed and overlap.

    Writes the state at its end, and what forces and loads do meanwhile.
    """
    a, b, contact, stages = tables.modes[0], tables.modes[1], tables.contacts[0], tables.small
    reach_a, reach_b = a[REACH], b[REACH]
    mobility = reach_a * reach_a + reach_b * reach_b
    chi = contact[CHI]
    square_a, square_b = a[SQUARE], b[SQUARE]
    twice_a, twice_b = a[TWICE], b[TWICE]
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
    gained = share * ((a[LOAD] + a[SLOPE] * t) * va + (b[LOAD] + b[SLOPE] * t) * vb)
    lost = share * (twice_a * va * va + twice_b * vb * vb)
    miss, astray = MISS[kind, 0] * bend, MISS[kind, 0] * pace
    lowest, lowest_at = 0.0, 0.0
    more_qa, more_va, more_qb, more_vb = 0.0, 0.0, 0.0, 0.0
    if kind == PLAIN and h > tables.run[EVEN_FREE]:  # known at once, and so no part of the way from stage to stage
        jerk_a = a[SLOPE] - twice_a * wa - square_a * va - reach_a * contact[CLIMB]
        jerk_b = b[SLOPE] - twice_b * wb - square_b * vb - reach_b * contact[CLIMB]
        more_qa, more_va = left_out(h, wa, jerk_a, twice_a, square_a)
        more_qb, more_vb = left_out(h, wb, jerk_b, twice_b, square_b)
    elif kind != PLAIN and h > even_up_to(kind, tables.run):  # without the contact, which begins or ends in the step
        more_qa, more_va = graded_left_behind(kind, h, load, a)
        more_qb, more_vb = graded_left_behind(kind, h, load, b)
    for i in range(1, STAGES):
        late = h * TIME[kind, i]
        qa, qb, va, vb, depth, pace = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        if i == 1:  # where the stage before has a share in places: of graded time, see `tableau`
            by_place = BY_PLACE[kind, i, 0]
            qa, qb, depth = by_place * wa, by_place * wb, by_place * bend
        for j in range(i - 1):
            by_rate, by_place = BY_RATE[kind, i, j], BY_PLACE[kind, i, j]
            va += by_rate * stages[j]
            vb += by_rate * stages[STAGES + j]
            qa += by_place * stages[j]
            qb += by_place * stages[STAGES + j]
            pace += by_rate * stages[2 * STAGES + j]
            depth += by_place * stages[2 * STAGES + j]
        qa = a[Q] + late * a[V] + h2 * qa
        qb = b[Q] + late * b[V] + h2 * qb
        # overlap and rate have sums of their own, and the stage before comes last: the way to the next force is as
        # short as it can be
        depth = start + late * speed + h2 * depth
        by_rate = h * BY_RATE[kind, i, i - 1]
        va = a[V] + h * va + by_rate * wa
        vb = b[V] + h * vb + by_rate * wb
        pace = speed + h * pace + by_rate * bend
        if i == STAGES - 1:
            qa, va, qb, vb = qa + more_qa, va + more_va, qb + more_qb, vb + more_vb
            depth += reach_a * more_qa + reach_b * more_qb
            pace += reach_a * more_va + reach_b * more_vb
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
        wa -= reach_a * load
        wb -= reach_b * load
        stages[i] = wa
        stages[STAGES + i] = wb
        stages[2 * STAGES + i] = bend
        share = SHARE[kind, i]
        impulse += share * load
        spent += share * resists * pace
        gained += share * (load_a * va + load_b * vb)
        lost += share * (twice_a * va * va + twice_b * vb * vb)
        miss += MISS[kind, i] * bend
        astray += MISS[kind, i] * pace
        if load < lowest and pace < 0.0:
            lowest, lowest_at = load, late
    a[Q_END], a[V_END], a[W_END] = qa, va, wa
    b[Q_END], b[V_END], b[W_END] = qb, vb, wb
    contact[END_DEPTH], contact[THERE] = depth, depth
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
    weight = h * contact[ERROR_WEIGHT] / (contact[SPEED] * contact[SCALE])  # at hand before the last stage is
    return weight * max(abs(miss) * contact[SCALE], abs(astray) * contact[SPEED])


def end_step(kind: int, h: float, t: float, tables: Tables) -> None:  # noqa: ARG001 the signature is that of many modes
    """Enter a step that is made good: extremes inside it, and what its loads brought in and damping took."""
    contact, run = tables.contacts[0], tables.run
    contact_peaks(kind, h, tables.modes, contact, tables.floors)
    run[INPUT] += contact[STEP_INPUT]
    run[DAMPING] += contact[STEP_LOST]
