"""One step in contact of many modes and contacts: the explicit method of `tableau`.

A stage goes from modes to contacts and back: displacements and velocities of the modes give overlaps and their rates,
these the forces, and these the modes' accelerations. `pairs.step` has the same for two modes by hand.
"""

import math

from carom.kernels.contact.collocation import PLAIN
from carom.kernels.contact.impact_record import closed_ones
from carom.kernels.explicit.floors import note_floors
from carom.kernels.explicit.peaks import contact_peaks
from carom.kernels.explicit.rows import (
    ASTRAY,
    BOUND,
    CHANGE_END,
    CHI,
    END_BEND,
    END_CLIMB,
    END_DEPTH,
    END_FORCE,
    END_HELD,
    END_PACE,
    END_RESISTS,
    GAINED,
    HERE,
    LOST,
    LOWEST,
    LOWEST_AT,
    MISSED,
    OWN_END,
    PER_POWER,
    REACH,
    STAGE,
    STAGE_FORCE,
    STAGE_Q,
    STAGE_V,
    STEP_IMPULSE,
    STEP_WORK,
    THERE,
    WILDEST,
)
from carom.kernels.explicit.step_control import chi_now, climb_of
from carom.kernels.explicit.sums import overlap, reached
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
from carom.kernels.explicit.warp import among, meet, place, smallest, turns
from carom.kernels.laws.power_law import both_parts
from carom.kernels.ledger import DAMPING, INPUT
from carom.kernels.rows import (
    BEND,
    CHANGE,
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
    MASS,
    OWN,
    PACE,
    PEAK_OVERLAP,
    Q_END,
    RESISTS,
    SCALE,
    SLOPE,
    SPEED,
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
from carom.kernels.tables import Tables
from carom.kernels.types import Matrix, Vector, seldom

KEPT = 0.5  # share of its overlap that a contact keeps in a step in which its force is smooth in time
BETWEEN_STAGES = 2.0  # times the largest acceleration at a stage: what one may be between them


def pushing(contacts: Matrix) -> tuple[int, int]:
    """Return the first contact that may push, and the one behind the last: others have no force."""
    first, after = closed_ones(contacts)
    return among(first, after, contacts.shape[0])


def against(row: Vector, first: int, after: int, contacts: Matrix, column: int) -> float:
    """Return reach·F of a mode, of what `column` of contacts from `first` on holds, to that before `after`."""
    found = 0.0
    for c in range(first, after):
        found += row[REACH + c] * contacts[c, column]
    return found


def pressed(row: Vector, first: int, after: int, contacts: Matrix, column: int) -> float:
    """Return push·F on a mode, as `against` does: forces do not move what is prescribed."""
    return row[MASS] * against(row, first, after, contacts, column)


def power_in(row: Vector, load: float, push: float, v: float) -> float:
    """Return the power that a mode brings in [W]: that of its load, or of a prescribed motion against contacts."""
    return (row[MASS] * load + (1.0 - row[MASS]) * push) * v


def settle_force(overlap: float, rate: float, row: Vector) -> None:
    """Write the present overlap of a contact, its rate, and its force."""
    row[HERE], row[PACE], row[FORCE] = overlap, rate, 0.0
    if row[STATUS] == CLOSED:
        depth = max(overlap, 0.0)
        row[DEPTH] = depth
        row[CHI] = chi_now(row, row[CHI_APPROACH] if row[DIRECTION] > 0.0 else row[CHI_RESTITUTION], rate)
        spring, resists = both_parts(row, row[CHI], depth, math.sqrt(depth), rate)
        row[HELD], row[RESISTS] = spring * depth * row[PER_POWER], resists
        row[FORCE] = spring + resists


def settle_climb(bend: float, row: Vector) -> None:
    """Write the second derivative of a contact's overlap, and how its force changes."""
    row[BEND], row[CLIMB] = bend, 0.0
    if row[STATUS] == CLOSED:
        climb = climb_of(row, row[CHI], row[DEPTH], row[PACE], bend)
        row[CLIMB] = climb if math.isfinite(climb) else 1.0  # a δ^{1/4} law rises infinitely fast at touch


def settle(t: float, tables: Tables) -> None:
    """Write overlaps, forces and accelerations of the present state, time `t` of the sample."""
    modes, contacts, floors = tables.modes, tables.contacts, tables.floors
    first, after = pushing(contacts)
    for turn in range(turns(contacts.shape[0])):
        c = place(turn)
        if c < contacts.shape[0]:
            row = contacts[c]
            settle_force(overlap(c, row, modes, Q), reached(c, modes, V), row)
    meet()
    for turn in range(turns(modes.shape[0])):
        k = place(turn)
        if k < modes.shape[0]:
            row = modes[k]
            own = -row[TWICE] * row[V] - row[SQUARE] * row[Q] - pressed(row, first, after, contacts, FORCE)
            row[W] = row[LOAD] + row[SLOPE] * t + own
            row[OWN] = row[STEADY] + own
    meet()
    for turn in range(turns(contacts.shape[0])):
        c = place(turn)
        if c < contacts.shape[0]:
            settle_climb(reached(c, modes, W), contacts[c])
    meet()
    for turn in range(turns(modes.shape[0])):
        k = place(turn)
        if k < modes.shape[0]:
            row = modes[k]
            row[CHANGE] = -row[SQUARE] * row[V] - row[TWICE] * row[W] - pressed(row, first, after, contacts, CLIMB)
    meet()
    note_floors(modes, floors)
    meet()


def press(i: int, kind: int, late: float, depth: float, pace: float, row: Vector) -> None:
    """Write the force of a closed contact at stage `i`, `late` after the start of the step, by its overlap and rate."""
    chi = chi_now(row, row[CHI], pace)
    overlapping = max(depth, 0.0)
    spring, resists = both_parts(row, chi, overlapping, math.sqrt(overlapping), pace)
    load = spring + resists
    row[STAGE_FORCE] = load
    row[STEP_IMPULSE] += SHARE[kind, i] * load
    row[STEP_WORK] += SHARE[kind, i] * resists * pace
    if load < row[LOWEST] and pace < 0.0:
        row[LOWEST], row[LOWEST_AT] = load, late
    if i == STAGES - 1:
        row[END_DEPTH], row[END_PACE], row[END_FORCE] = depth, pace, load
        row[END_HELD], row[END_RESISTS] = spring * overlapping * row[PER_POWER], resists


def begin_press(share: float, row: Vector) -> None:
    """Enter what a contact does at the first stage, whose weight is `share`."""
    row[STEP_IMPULSE] = share * row[FORCE]
    row[STEP_WORK] = share * row[RESISTS] * row[PACE]  # of contacts that are open it does not count
    row[STAGE_FORCE], row[LOWEST], row[LOWEST_AT] = 0.0, 0.0, 0.0


def begin_step(kind: int, t: float, modes: Matrix, contacts: Matrix) -> None:
    """Enter the first stage, which is the present."""
    first, after = pushing(contacts)
    share, miss = SHARE[kind, 0], MISS[kind, 0]
    for turn in range(turns(contacts.shape[0])):
        c = place(turn)
        if c < contacts.shape[0]:
            begin_press(share, contacts[c])
    for turn in range(turns(modes.shape[0])):
        k = place(turn)
        if k < modes.shape[0]:
            row = modes[k]
            row[STAGE], row[WILDEST] = row[W], abs(row[W])
            push = against(row, first, after, contacts, FORCE)
            row[GAINED] = share * power_in(row, row[LOAD] + row[SLOPE] * t, push, row[V])
            row[LOST] = share * row[V] * row[V]
            row[MISSED], row[ASTRAY] = miss * row[W], miss * row[V]


def smooth(h: float, row: Vector) -> bool:
    """Return whether the force of a contact is smooth in time in a graded step of length `h`: it goes on throughout."""
    end = row[DEPTH] + h * (row[PACE] + 0.5 * h * row[BEND])
    return bool(row[STATUS] == CLOSED and row[PEAK_OVERLAP] > 0.0 and end > KEPT * row[DEPTH])


def smooth_motion(h: float, row: Vector, first: int, after: int, contacts: Matrix) -> tuple[float, float]:
    """Return acceleration and jerk of a mode at the start of a graded step, without what begins or ends in it."""
    w, jerk = row[W], row[CHANGE] + row[SLOPE]
    for c in range(first, after):
        if contacts[c, FORCE] + contacts[c, CLIMB] != 0.0 and not smooth(h, contacts[c]):
            push = row[MASS] * row[REACH + c]
            w += push * contacts[c, FORCE]
            jerk += push * (contacts[c, CLIMB] - row[TWICE] * contacts[c, FORCE])
    return w, jerk


def left_behind(kind: int, h: float, row: Vector, first: int, after: int, contacts: Matrix) -> tuple[float, float]:
    """Return what the method leaves out of displacement and velocity of a mode at the end of a step."""
    if kind == PLAIN:
        return left_out(h, row[W], row[CHANGE] + row[SLOPE], row[TWICE], row[SQUARE])
    return graded_left_behind(kind, h, row, first, after, contacts)


@seldom
def graded_left_behind(
    kind: int, h: float, row: Vector, first: int, after: int, contacts: Matrix
) -> tuple[float, float]:
    """Do what `left_behind` does, for a graded step."""
    w, jerk = smooth_motion(h, row, first, after, contacts)
    place_left, rate_left = graded_left_out(kind, h, w, jerk, row[TWICE], row[SQUARE])
    return place_left, rate_left / h


def stride(kind: int, h: float, t: float, tables: Tables) -> float:
    """Try a step from time `t` of the sample; return its error in units of the impacts' speeds and overlaps.

    Writes the state at its end, and what forces and loads do meanwhile.
    """
    modes, contacts = tables.modes, tables.contacts
    begin_step(kind, t, modes, contacts)
    first, after = pushing(contacts)
    run = tables.run
    for i in range(1, STAGES):
        late = h * TIME[kind, i]
        for turn in range(turns(modes.shape[0])):
            k = place(turn)
            if k < modes.shape[0]:
                row = modes[k]
                q, v, j = 0.0, 0.0, 0
                while j + 1 < i:  # two at a time: a GPU waits once for the numbers of both
                    v = v + BY_RATE[kind, i, j] * row[STAGE + j] + BY_RATE[kind, i, j + 1] * row[STAGE + j + 1]
                    q = q + BY_PLACE[kind, i, j] * row[STAGE + j] + BY_PLACE[kind, i, j + 1] * row[STAGE + j + 1]
                    j += 2
                if j < i:
                    v += BY_RATE[kind, i, j] * row[STAGE + j]
                    q += BY_PLACE[kind, i, j] * row[STAGE + j]
                row[STAGE_Q] = row[Q] + late * row[V] + h * h * q
                row[STAGE_V] = row[V] + h * v
                if i == STAGES - 1 and (kind == PLAIN or h > even_up_to(kind, run)):
                    place_left, rate_left = left_behind(kind, h, row, first, after, contacts)
                    row[STAGE_Q] += place_left
                    row[STAGE_V] += rate_left
        meet()
        for turn in range(turns(contacts.shape[0])):
            c = place(turn)
            if c < contacts.shape[0] and contacts[c, STATUS] == CLOSED:
                row = contacts[c]
                press(i, kind, late, overlap(c, row, modes, STAGE_Q), reached(c, modes, STAGE_V), row)
        meet()
        for turn in range(turns(modes.shape[0])):
            k = place(turn)
            if k < modes.shape[0]:
                row = modes[k]
                v = row[STAGE_V]
                load = row[LOAD] + row[SLOPE] * (t + late)
                push = against(row, first, after, contacts, STAGE_FORCE)
                w = load - row[TWICE] * v - row[SQUARE] * row[STAGE_Q] - row[MASS] * push
                row[STAGE + i] = w
                row[WILDEST] = max(row[WILDEST], abs(w))
                row[GAINED] += SHARE[kind, i] * power_in(row, load, push, v)
                row[LOST] += SHARE[kind, i] * v * v
                row[MISSED] += MISS[kind, i] * w
                row[ASTRAY] += MISS[kind, i] * v
    for turn in range(turns(modes.shape[0])):
        k = place(turn)
        if k < modes.shape[0]:
            row = modes[k]
            row[W_END] = row[STAGE + STAGES - 1]
            row[GAINED] *= h
            row[LOST] *= h * row[MASS] * row[TWICE]
    meet()
    error = 0.0
    for turn in range(turns(contacts.shape[0])):
        c = place(turn)
        if c < contacts.shape[0]:
            missed = end_stride(h, c, contacts[c], modes)
            error = max(error, missed) if math.isfinite(missed) else math.inf
    meet()
    return -smallest(-error)


def end_stride(h: float, c: int, row: Vector, modes: Matrix) -> float:
    """Write what a contact has at the end of a step that is tried; return its error."""
    there, pace, bend, missed, astray, wildest = -row[GAP], 0.0, 0.0, 0.0, 0.0, 0.0
    for k in range(modes.shape[0]):
        mode = modes[k]
        reach = mode[REACH + c]
        there += reach * mode[Q_END]
        pace += reach * mode[V_END]
        bend += reach * mode[W_END]
        missed += reach * mode[MISSED]
        astray += reach * mode[ASTRAY]
        wildest += abs(reach) * mode[WILDEST]
    if row[STATUS] != CLOSED:
        end_open(there, pace, bend, wildest, row)
        return 0.0
    return end_press(h, bend, missed, astray, row)


def end_open(there: float, pace: float, bend: float, wildest: float, row: Vector) -> None:
    """Write what an open contact has at the end of a step; `wildest` bounds its |δ̈| at the stages."""
    row[END_BEND], row[END_CLIMB] = bend, 0.0
    row[THERE], row[END_PACE], row[END_FORCE] = there, pace, 0.0
    row[BOUND] = BETWEEN_STAGES * wildest


def end_press(h: float, bend: float, missed: float, astray: float, row: Vector) -> float:
    """Write what a closed contact has at the end of a step, behind its last stage; return the step's error in it.

    `missed` and `astray` are what both orders of the method differ by in the rate and in the overlap, over h.
    """
    row[END_BEND] = bend
    row[THERE] = row[END_DEPTH]
    row[STEP_IMPULSE] *= h
    row[STEP_WORK] = row[END_HELD] - row[HELD] + h * row[STEP_WORK]  # by the law, as `contact.work`
    chi = chi_now(row, row[CHI], row[END_PACE])
    row[END_CLIMB] = climb_of(row, chi, max(row[END_DEPTH], 0.0), row[END_PACE], bend)
    return row[ERROR_WEIGHT] * max(abs(h * missed) / row[SPEED], abs(h * astray) / row[SCALE])


def is_pushed(row: Vector, first: int, after: int, contacts: Matrix) -> bool:
    """Return whether a closed contact among those from `first` on, to that before `after`, reaches a mode."""
    found = False
    for c in range(first, after):
        found = found or (contacts[c, STATUS] == CLOSED and row[REACH + c] != 0.0)
    return found


def lost_alone(row: Vector) -> float:
    """Return what damping took in a step from a mode that no contact pushes [J]: what is missing from its energy.

    As in flight: its motion is exact (`left_behind`), and no error of a contact keeps steps short enough for the sum
    over stages, which sees a vibration that dies away in a few steps only roughly.
    """
    before = row[V] * row[V] + row[SQUARE] * row[Q] * row[Q]
    after = row[V_END] * row[V_END] + row[SQUARE] * row[Q_END] * row[Q_END]
    return row[GAINED] - 0.5 * row[MASS] * (after - before)


def end_step(kind: int, h: float, t: float, tables: Tables) -> None:
    """Enter a step that is made good: extremes inside it, and what its loads brought in and damping took."""
    modes, contacts, run = tables.modes, tables.contacts, tables.run
    first, after = pushing(contacts)
    for turn in range(turns(modes.shape[0])):
        k = place(turn)
        if k < modes.shape[0]:
            row = modes[k]
            row[OWN_END] = row[W_END] - (row[LOAD] + row[SLOPE] * (t + h)) + row[STEADY]
            row[CHANGE_END] = (
                -row[SQUARE] * row[V_END] - row[TWICE] * row[W_END] - pressed(row, first, after, contacts, END_CLIMB)
            )
            run[INPUT] += row[GAINED]
            run[DAMPING] += row[LOST] if is_pushed(row, first, after, contacts) else lost_alone(row)
    meet()
    contact_peaks(kind, h, modes, contacts, tables.floors)
