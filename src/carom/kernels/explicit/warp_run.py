"""The fast path for many modes and contacts: the threads of a GPU's warp share one run; or one thread does it alone.

Equations, laws and records are those of `event.engine`. Contact is stepped explicitly (`warp_contact`), which is quick
where modes are slower than the contacts, as those of buildings are. A run that turns out to need more (a touch without
speed, a stiff mode) ends as UNUSUAL and is left to the general engine.
"""

from carom.kernels.contact.impact_record import open_book
from carom.kernels.endings import FINISHED, NO_FAULT, STEP_LIMIT, UNUSUAL
from carom.kernels.event.mode_table import LONGEST_ANGLE, TYPICAL_SPEED
from carom.kernels.explicit.pair_run import IMPULSE_ANSWER, RAMP_ANSWER, SPEED_ANSWER, STEP_ANSWER
from carom.kernels.explicit.warp import anyone, in_step, meet, place, smallest, takes, total, turns
from carom.kernels.explicit.warp_contact import count_impact, in_contact
from carom.kernels.explicit.warp_flight import (
    arrive,
    glide,
    later,
    look_ahead,
    nearby,
    overlap,
    shake,
    touch,
    write_end,
)
from carom.kernels.explicit.warp_floors import flight_peaks, note_floors, outgrown
from carom.kernels.explicit.warp_rows import (
    DEEPEST_HIT,
    END_LOAD,
    GUARDED_HITS,
    HERE,
    HITS,
    LARGEST,
    LEAST,
    REACH,
    SHAKEN,
    SUM_OF_IMPULSES,
    THERE,
)
from carom.kernels.laws.power_law import STIFFNESS, overlap_scale
from carom.kernels.ledger import (
    AT_FIRST,
    CONTACT_WORK,
    DAMPING,
    DEEPEST,
    FAULT,
    GUARDED,
    IMPACTS,
    INPUT,
    KINETIC,
    LARGEST_FORCE,
    LASTING,
    LEAST_LOST,
    LIMIT,
    NO_LOSS,
    RAPID,
    REACHED,
    REJECTED,
    STEP,
    STEPS,
    STRAIN,
    TOTAL_IMPULSE,
    UNHELD,
    begin_account,
    note_released,
    watch_balance,
)
from carom.kernels.modal.energy import SHORT_ANGLE, flight_work
from carom.kernels.modal.propagator import unit_responses
from carom.kernels.rows import (
    CHANGE,
    CLOSED,
    EFFECTIVE_MASS,
    LOAD,
    MASS,
    OMEGA,
    OWN,
    PARTICIPATION,
    SCALE,
    SIGMA,
    SLOPE,
    SOFT,
    SPEED,
    SQUARE,
    STATUS,
    STEADY,
    TWICE,
    W_END,
    WIDEST,
    Q,
    V,
    W,
)
from carom.kernels.tables import Shaking, Tables
from carom.kernels.types import Codes, Matrix, Vector

SLOWER = 1.0
"""Frequency of a mode over that of a typical impact, up to which this path takes it."""
LONGEST_SAMPLE = 1.5
"""Turn of a mode in a sample, ω·dt [rad], above which samples are too long for its series."""
TOGETHER = 8
"""Samples after which the runs of a GPU's block are in step again: one that searches a while may catch up."""


def begin(
    dt: float, scale: float, support: Codes, ground: Matrix, modes: Matrix, contacts: Matrix, run: Vector
) -> bool:
    """Work out what never changes, begin the books; return whether this path can take the run."""
    begin_account(run)
    run[STEP] = dt
    swift = 1e300
    for c in range(contacts.shape[0]):
        if contacts[c, STIFFNESS] > 0.0:
            rate = TYPICAL_SPEED / overlap_scale(contacts[c], contacts[c, EFFECTIVE_MASS], TYPICAL_SPEED)
            swift = min(swift, rate)
            run[RAPID] = max(run[RAPID], rate)
    unfit = False
    for turn in range(turns(modes.shape[0])):
        k = place(turn)
        if k < modes.shape[0]:
            row = modes[k]
            row[SQUARE] = row[OMEGA] * row[OMEGA]
            row[TWICE] = 2.0 * row[SIGMA]
            row[SOFT] = 1.0 / row[SQUARE] if row[OMEGA] * dt > SHORT_ANGLE else 0.0
            impulse, _, step, ramp = unit_responses(row[OMEGA], row[SIGMA], dt)
            row[SPEED_ANSWER] = impulse + row[TWICE] * step
            row[IMPULSE_ANSWER] = impulse
            row[STEP_ANSWER] = step
            row[RAMP_ANSWER] = ramp
            row[WIDEST] = 0.0
            for c in range(contacts.shape[0]):
                row[WIDEST] = max(row[WIDEST], abs(row[REACH + c]))
            row[SHAKEN] = scale * row[PARTICIPATION]
            row[LOAD] = row[STEADY] - row[SHAKEN] * ground[support[k], 0]
            own = -row[TWICE] * row[V] - row[SQUARE] * row[Q]
            row[W] = row[LOAD] + own
            row[OWN] = row[STEADY] + own
            row[CHANGE] = -row[SQUARE] * row[V] - row[TWICE] * row[W]
            rate = max(row[OMEGA], row[TWICE])
            unfit = unfit or rate * dt > LONGEST_SAMPLE or rate > SLOWER * swift
    meet()
    for turn in range(turns(contacts.shape[0])):
        c = place(turn)
        if c < contacts.shape[0]:
            row = contacts[c]
            open_book(row)
            row[LEAST] = NO_LOSS
            row[HERE] = overlap(c, row, modes, Q)
            unfit = unfit or row[STIFFNESS] <= 0.0 or row[HERE] >= 0.0
    return not anyone(unfit)


def own_energy(modes: Matrix) -> tuple[float, float]:
    """Return kinetic and strain energy of this thread's modes [J]."""
    kinetic, strain = 0.0, 0.0
    for turn in range(turns(modes.shape[0])):
        k = place(turn)
        if k < modes.shape[0]:
            row = modes[k]
            kinetic += 0.5 * row[MASS] * row[V] * row[V]
            strain += 0.5 * row[MASS] * row[SQUARE] * row[Q] * row[Q]
    return kinetic, strain


def fly(t: float, length: float, dt: float, modes: Matrix, floors: Matrix, run: Vector) -> None:
    """Move all by part of a sample of length `dt` from its time `t` on."""
    for turn in range(turns(modes.shape[0])):
        k = place(turn)
        if k < modes.shape[0]:
            row = modes[k]
            q, v = later(row, t, length)
            load, slope = row[LOAD] + row[SLOPE] * t, row[SLOPE]
            write_end(row, q, v, load + slope * length)
            run[INPUT] += flight_work(row, row[Q], row[V], row[W], q, v, row[W_END], load, slope, length)
    meet()
    flight_peaks(length, dt, outgrown(modes), modes, floors)
    meet()
    arrive(LOAD, modes)
    meet()


def fly_to_touch(
    t: float, dt: float, begun: float, longest: float, modes: Matrix, contacts: Matrix, floors: Matrix, run: Vector
) -> tuple[float, bool, bool]:
    """Fly from time `t` of a sample to its end, as far as series reach, or to the next touch.

    Returns the time, whether a contact closed, and whether it did so without speed.
    """
    left = min(dt - t, longest)
    length, whom = look_ahead(t, left, modes, contacts)
    fly(t, length, dt, modes, floors, run)
    t = dt if length >= dt - t else t + length
    if whom < 0:
        return t, False, False
    run[STEPS] += 1.0
    slow = False
    if takes(whom):
        slow = touch(begun + t, dt, whom, contacts[whom], modes)
    meet()
    row = contacts[whom]
    closed = row[STATUS] == CLOSED
    if closed:
        run[STEP] = min(run[STEP], row[SCALE] / row[SPEED])
    return t, closed, anyone(slow)


def close_account(run: Vector, modes: Matrix, contacts: Matrix) -> None:
    """Add up what the threads have of the run's account."""
    kinetic, strain = own_energy(modes)
    hits, impulses, guarded, lasting = 0.0, 0.0, 0.0, 0.0
    largest, deepest, least = 0.0, 0.0, NO_LOSS
    for turn in range(turns(contacts.shape[0])):
        c = place(turn)
        if c < contacts.shape[0]:
            row = contacts[c]
            if row[STATUS] == CLOSED:
                lasting += 1.0
                count_impact(row)
            hits += row[HITS]
            impulses += row[SUM_OF_IMPULSES]
            guarded += row[GUARDED_HITS]
            largest, deepest = max(largest, row[LARGEST]), max(deepest, row[DEEPEST_HIT])
            least = min(least, row[LEAST])
    run[KINETIC], run[STRAIN] = total(kinetic), total(strain)
    run[IMPACTS], run[TOTAL_IMPULSE], run[LARGEST_FORCE] = total(hits), total(impulses), -smallest(-largest)
    run[GUARDED], run[LASTING] = total(guarded), total(lasting)
    run[DEEPEST], run[LEAST_LOST] = -smallest(-deepest), smallest(least)
    run[AT_FIRST], run[UNHELD] = total(run[AT_FIRST]), -smallest(-run[UNHELD])
    run[INPUT], run[DAMPING], run[CONTACT_WORK] = total(run[INPUT]), total(run[DAMPING]), total(run[CONTACT_WORK])


def pound_warp(tables: Tables, shaking: Shaking) -> int:
    """Run one problem from the first to the last sample of the ground motion; return how it ended.

    The account of the run is that of `event.engine.pound`; the columns of tables are those of `warp_rows`.
    """
    modes, contacts, floors, run = tables.modes, tables.contacts, tables.floors, tables.run
    support, ground, scale, dt = shaking.support, shaking.ground, shaking.scale, shaking.dt
    if not begin(dt, scale, support, ground, modes, contacts, run):
        return UNUSUAL
    meet()
    count = contacts.shape[0]
    per_dt = 1.0 / dt
    quickest = 0.0
    for k in range(modes.shape[0]):
        quickest = max(quickest, modes[k, OMEGA], modes[k, TWICE])
    longest = LONGEST_ANGLE / quickest if quickest > 0.0 else dt
    run[RAPID] = max(run[RAPID], quickest)
    note_floors(modes, floors)
    meet()
    kinetic, strain = own_energy(modes)
    held, marked = kinetic + strain, 0.0  # energy and input when the flight began
    run[AT_FIRST] = held
    closed, touched = False, False
    for i in range(ground.shape[1] - 1):
        if i % TOGETHER == 0:
            in_step()
        shake(i, per_dt, support, ground, modes)
        if not closed:  # most samples: nobody is near
            rise, gain, grew = glide(dt, modes)
            if not nearby(rise, modes, contacts):
                flight_peaks(dt, dt, grew, modes, floors)
                run[INPUT] += gain
                meet()
                arrive(END_LOAD, modes)
                for turn in range(turns(count)):
                    c = place(turn)
                    if c < count:
                        contacts[c, HERE] = contacts[c, THERE]
                continue
        meet()
        t = 0.0
        while t < dt:
            if run[STEPS] + run[REJECTED] > run[LIMIT]:
                return STEP_LIMIT
            if not closed:
                t, closed, slow = fly_to_touch(t, dt, i * dt, longest, modes, contacts, floors, run)
                if slow:
                    return UNUSUAL
                if closed:
                    touched = True
                    kinetic, strain = own_energy(modes)
                    run[DAMPING] += run[INPUT] - marked - (kinetic + strain - held)
            else:
                t, closed, status = in_contact(t, dt, i * dt, touched, modes, contacts, floors, run)
                if status != FINISHED:
                    return status
                touched = False
                if not closed:
                    kinetic, strain = own_energy(modes)
                    held, marked = kinetic + strain, run[INPUT]
        for turn in range(turns(modes.shape[0])):
            k = place(turn)
            if k < modes.shape[0]:
                modes[k, LOAD] = modes[k, END_LOAD]
        for turn in range(turns(count)):
            c = place(turn)
            if c < count:
                contacts[c, HERE] = overlap(c, contacts[c], modes, Q)
                note_released(c, contacts[c, HERE], (i + 1) * dt, contacts[c], run)
        meet()
    if not closed:
        kinetic, strain = own_energy(modes)
        run[DAMPING] += run[INPUT] - marked - (kinetic + strain - held)
    meet()
    close_account(run, modes, contacts)
    run[REACHED] = (ground.shape[1] - 1) * dt
    watch_balance(run[REACHED], run)
    return UNUSUAL if run[FAULT] != NO_FAULT else FINISHED
