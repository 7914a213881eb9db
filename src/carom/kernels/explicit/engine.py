"""The loop of the explicit engine: flight from sample to sample, touches, contact in explicit steps, the account.

Equations, laws and records are those of `event.engine`, which is the general engine and the judge of this one:

    q̈ + 2σ q̇ + ω² q = load − participation·a_g(t) − pushᵀ F,      overlap = reach·q − gap

Here contact is stepped by an explicit Runge-Kutta method, which is quick where no mode is much quicker than the
contacts. One loop and one state machine serve all: one thread or the threads of a GPU's warp (`warp`), many modes or
two by hand (`pairs.parts` lists what the compiler puts in their places), with histories or without. A run that
turns out to need more ends as UNUSUAL and is left to the general engine.
"""

import math

from carom.kernels.contact.impact_record import open_book
from carom.kernels.endings import FINISHED, NO_FAULT, UNUSUAL
from carom.kernels.event.mode_table import LONGEST_ANGLE, TYPICAL_SPEED
from carom.kernels.explicit.contact import count_impact, in_contact
from carom.kernels.explicit.flight import TOGETHER, fly_clear, shake
from carom.kernels.explicit.floors import end_peaks, note_floors
from carom.kernels.explicit.histories import keeps, write_sample
from carom.kernels.explicit.rows import (
    DEEPEST_HIT,
    END_LOAD,
    EVEN_FREE,
    GUARDED_HITS,
    HERE,
    HITS,
    IMPULSE_ANSWER,
    LARGEST,
    LEAST,
    PER_POWER,
    RAMP_ANSWER,
    REACH,
    SHAKEN,
    SPEED_ANSWER,
    STEP_ANSWER,
    SUM_OF_IMPULSES,
    SURE_RATE,
)
from carom.kernels.explicit.sums import noise, overlap
from carom.kernels.explicit.tableau import longest_turn, negligible, note_negligible_graded
from carom.kernels.explicit.touches import fly_to_touch, sure_rate
from carom.kernels.explicit.warp import anyone, contact_turns, in_step, meet, place, smallest, total, turns
from carom.kernels.laws.power_law import EXPONENT, STIFFNESS, overlap_scale
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
    LONGEST,
    NO_LOSS,
    QUICKEST,
    RAPID,
    REACHED,
    REJECTED,
    STEP,
    STEPS,
    STRAIN,
    TOLERANCE,
    TOTAL_IMPULSE,
    UNHELD,
    WRITTEN,
    begin_account,
    note_released,
    watch_balance,
    write_line,
)
from carom.kernels.modal.energy import SHORT_ANGLE
from carom.kernels.modal.propagator import unit_responses
from carom.kernels.rows import (
    CHANGE,
    CLOSED,
    EFFECTIVE_MASS,
    LOAD,
    MASS,
    NOISE,
    OMEGA,
    OWN,
    PARTICIPATION,
    SIGMA,
    SOFT,
    SQUARE,
    STATUS,
    STEADY,
    TWICE,
    WIDEST,
    Q,
    V,
    W,
)
from carom.kernels.tables import Histories, Shaking, Tables
from carom.kernels.types import Matrix, unit

QUICKER = 20.0
"""Frequency of a mode over that of a typical impact, up to which explicit steps pay: its turn limits their length."""
LONGEST_SAMPLE = 1.5
"""Turn of a mode in a sample, ω·dt [rad], above which samples are too long for the search for its peaks."""


def begin_modes(shaking: Shaking, tables: Tables) -> float:
    """Work out what never changes in the modes of this thread; return the highest of their frequencies [rad/s]."""
    modes, dt, quickest = tables.modes, shaking.dt, 0.0
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
            for c in range(tables.contacts.shape[0]):
                row[WIDEST] = max(row[WIDEST], abs(row[REACH + c]))
            row[SHAKEN] = shaking.scale * row[PARTICIPATION]
            row[LOAD] = row[STEADY] - row[SHAKEN] * shaking.ground[shaking.support[k], 0]
            own = -row[TWICE] * row[V] - row[SQUARE] * row[Q]
            row[W] = row[LOAD] + own
            row[OWN] = row[STEADY] + own
            row[CHANGE] = -row[SQUARE] * row[V] - row[TWICE] * row[W]
            quickest = max(quickest, row[OMEGA], row[TWICE])
    meet()
    return quickest


@unit
def begin(shaking: Shaking, tables: Tables) -> bool:
    """Work out what never changes, begin the account; return whether this engine can take the run."""
    modes, contacts, run = tables.modes, tables.contacts, tables.run
    begin_account(run)
    quickest = -smallest(-begin_modes(shaking, tables))
    swift, swiftest, unfit = 1e300, 0.0, False
    for turn in range(contact_turns(contacts)):
        c = place(turn)
        if c < contacts.shape[0]:
            row = contacts[c]
            open_book(row)
            row[LEAST] = NO_LOSS
            row[PER_POWER] = 1.0 / (row[EXPONENT] + 1.0)
            row[HERE], row[NOISE] = overlap(c, row, modes, Q), noise(c, row, modes)
            if row[STIFFNESS] > 0.0:
                row[SURE_RATE] = sure_rate(row)
                rate = TYPICAL_SPEED / overlap_scale(row, row[EFFECTIVE_MASS], TYPICAL_SPEED)
                swift, swiftest = min(swift, rate), max(swiftest, rate)
            unfit = unfit or row[STIFFNESS] <= 0.0 or row[HERE] > row[NOISE]
    swift = smallest(swift)
    run[STEP], run[QUICKEST] = shaking.dt, quickest
    run[LONGEST] = longest_turn(run[TOLERANCE]) / quickest if quickest > 0.0 else math.inf
    lasting = shaking.dt * shaking.ground.shape[1]
    run[EVEN_FREE] = negligible(run[TOLERANCE], quickest, lasting) if quickest > 0.0 else math.inf
    note_negligible_graded(run[TOLERANCE], quickest, run)
    run[RAPID] = max(quickest, -smallest(-swiftest))
    meet()
    return not (anyone(unfit) or quickest * shaking.dt > LONGEST_SAMPLE or quickest > QUICKER * swift)


def own_energies(modes: Matrix) -> tuple[float, float]:
    """Return kinetic and strain energy of this thread's modes [J]."""
    kinetic, strain = 0.0, 0.0
    for turn in range(turns(modes.shape[0])):
        k = place(turn)
        if k < modes.shape[0]:
            row = modes[k]
            kinetic += 0.5 * row[MASS] * row[V] * row[V]
            strain += 0.5 * row[MASS] * row[SQUARE] * row[Q] * row[Q]
    return kinetic, strain


def own_energy(modes: Matrix) -> float:
    """Return the energy of this thread's modes [J]."""
    kinetic, strain = own_energies(modes)
    return kinetic + strain


def close_account(now: float, tables: Tables, histories: Histories) -> None:
    """Add up what the threads have of the run's account; contacts that are closed at the end count as impacts."""
    modes, contacts, run = tables.modes, tables.contacts, tables.run
    kinetic, strain = own_energies(modes)
    hits, impulses, guarded, lasting = 0.0, 0.0, 0.0, 0.0
    largest, deepest, least = 0.0, 0.0, NO_LOSS
    for turn in range(contact_turns(contacts)):
        c = place(turn)
        if c < contacts.shape[0]:
            row = contacts[c]
            if row[STATUS] == CLOSED:
                lasting += 1.0
                count_impact(row)
                if keeps(histories):
                    write_line(int(run[IMPACTS]), c, 0.0, now, math.nan, row, histories.impacts)
                    run[IMPACTS] += 1.0
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


def end_sample(now: float, tables: Tables) -> None:
    """Make the end of a sample the start of the next, at time `now`, and note overlaps that nothing holds."""
    modes, contacts = tables.modes, tables.contacts
    for turn in range(turns(modes.shape[0])):
        k = place(turn)
        if k < modes.shape[0]:
            modes[k, LOAD] = modes[k, END_LOAD]
    for turn in range(contact_turns(contacts)):
        c = place(turn)
        if c < contacts.shape[0]:
            contacts[c, HERE] = overlap(c, contacts[c], modes, Q)
            note_released(c, contacts[c, HERE], now, contacts[c], tables.run)
    meet()


def march(tables: Tables, shaking: Shaking, histories: Histories) -> int:
    """Go from sample to sample until the last one, or until the run cannot go on; return how it ended."""
    modes, run = tables.modes, tables.run
    dt, last = shaking.dt, shaking.ground.shape[1] - 1
    longest = LONGEST_ANGLE / run[QUICKEST] if run[QUICKEST] > 0.0 else dt
    energy_before, input_before = own_energy(modes), 0.0  # when the flight began [J]
    run[AT_FIRST] = energy_before
    i, closed, touched = 0, False, False
    while True:
        if keeps(histories):
            write_sample(i, closed, energy_before, input_before, tables, histories)
        if not closed:  # most samples: nobody is near
            i = fly_clear(i, energy_before, input_before, tables, shaking, histories)
        run[WRITTEN] = i + 1.0
        if i == last:
            break
        if closed:
            if i % TOGETHER == 0:
                in_step()
            shake(i, 1.0 / dt, shaking.support, shaking.ground, modes)
            meet()
        t = 0.0  # a sample that may hold a touch, or in which contacts are closed: from event to event
        while t < dt:
            run[REACHED] = i * dt + t
            if run[STEPS] + run[REJECTED] > run[LIMIT]:
                return UNUSUAL  # the general engine may need fewer, or says so
            if not closed:
                t, closed, late = fly_to_touch(t, dt, i * dt, longest, tables)
                if late:
                    return UNUSUAL
                if closed:  # the flight ends: enter what damping took in it
                    touched = True
                    run[DAMPING] += run[INPUT] - input_before - (own_energy(modes) - energy_before)
            else:
                t, closed, status = in_contact(t, dt, i * dt, touched, tables, histories)
                if status != FINISHED:
                    return status
                touched = False
                if not closed:  # the next flight begins
                    energy_before, input_before = own_energy(modes), run[INPUT]
        i += 1
        end_sample(i * dt, tables)
    run[REACHED] = last * dt
    if not closed:
        run[DAMPING] += run[INPUT] - input_before - (own_energy(modes) - energy_before)
    meet()
    return FINISHED


def pound(tables: Tables, shaking: Shaking, histories: Histories) -> int:
    """Run one problem from the first to the last sample of the ground motion; return how it ended.

    Columns Q and V of the modes hold the initial state and take the last one; `run` holds the settings and takes the
    account. Histories are written where they have rows. Only runs that end as FINISHED are worth keeping.
    """
    run = tables.run
    if not begin(shaking, tables):
        return UNUSUAL
    note_floors(tables.modes, tables.floors)
    meet()
    status = march(tables, shaking, histories)
    if status != FINISHED:
        return status
    close_account(run[REACHED], tables, histories)
    end_peaks(tables.floors)
    watch_balance(run[REACHED], run)
    return UNUSUAL if run[FAULT] != NO_FAULT else FINISHED
