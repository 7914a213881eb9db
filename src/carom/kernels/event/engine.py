"""The loop of the event engine: flight from sample to sample, touches, contact, and the account of it all.

    q̈ + 2σ q̇ + ω² q = load − participation·a_g(t) − pushᵀ F,      overlap = reach·q − gap

`pound` runs one problem: `prepare` works out what never changes, `march` goes from sample to sample. Most samples are
flown over at once (`clear_flight`, or `glide` with a bound that proves them free of touches). In any other sample
`fly_to_touch` flies to the next touch, and `contact.run.in_contact` steps closed contacts until all are open. The
docstring of `carom.kernels.event` gives the overview. What stands under `leaves_out(near)` concerns problems with many
contacts, whose steps look only at those that may close; for all others it is compiled away (`contact.left_out`).

Damping is not integrated in flight. What it took follows from the balance of energy,

    energy lost = work of the loads since the flight began − (E now − E when it began),   E: kinetic and strain energy,

so that the ledger of a run (`ledger.watch_balance`) tests its steps in contact, and not its flights.
"""

import math

from carom.kernels.contact.impact_record import TINY_SPEED, chi_of, open_book, renew
from carom.kernels.contact.left_out import find_slack, gather_near, leaves_out, put_back_near, write_overlaps
from carom.kernels.contact.present_state import accelerate, enter_touch
from carom.kernels.contact.run import in_contact
from carom.kernels.endings import COMES_NEAR, FINISHED, NEEDS_ROOM, NO_FAULT, STEP_LIMIT, UNTRUSTED
from carom.kernels.event.clear_flight import clear_flight, lay_tiles, scratch_size
from carom.kernels.event.flight import arrive, noise_of, overlap_of, rate_of
from carom.kernels.event.flight_peaks import begin_peaks, flight_peaks
from carom.kernels.event.floor_bounds import lay_margins
from carom.kernels.event.floor_sums import copy_shapes
from carom.kernels.event.mode_columns import LONG_ANGLE, STEP_ANGLE, STEP_PER_CONTACT, fill_columns, fill_pairs
from carom.kernels.event.mode_table import LONGEST_ANGLE, QUICK_FROM, prepare_modes, prepare_pairs, series_angle
from carom.kernels.event.touches import fly_to_touch
from carom.kernels.laws.power_law import STIFFNESS, force, stored_energy
from carom.kernels.ledger import (
    AT_FIRST,
    DAMPING,
    FAULT,
    IMPACTS,
    INPUT,
    JUMPED,
    KINETIC,
    LEAST_LOST,
    LIMIT,
    LONGEST,
    PRESCRIBED,
    PRESSED,
    QUICK_MODES,
    QUICKEST,
    RAPID,
    REACHED,
    REJECTED,
    ROOM_AT,
    STEP,
    STEPS,
    STRAIN,
    TOLERANCE,
    WRITTEN,
    begin_account,
    end_run,
    name_contacts,
    note_released,
    watch_balance,
    write_balance,
)
from carom.kernels.modal.energy import area_between, modal_energy
from carom.kernels.rows import (
    CHANGE_END,
    CLOSED,
    EFFECTIVE_MASS,
    FORCE,
    HELD,
    LOAD,
    MASS,
    MOST_BEND,
    MOST_JERK,
    NOISE,
    OMEGA,
    OPEN,
    OVERLAP,
    OWN_END,
    PARTICIPATION,
    PROPAGATOR,
    Q_END,
    QUICK,
    SIGMA,
    SLOPE,
    SOFT,
    SQUARE,
    STATUS,
    STEADY,
    STORED_AT_START,
    TWICE,
    V_END,
    W_END,
    WIDEST,
    Q,
    V,
    W,
)
from carom.kernels.tables import Histories, Near, Shaking, Tables
from carom.kernels.types import Codes, Matrix, Vector, side_by_side, unit

CLEAR_FLIGHT_PAUSE = 4
"""Number of samples to wait after a clear flight has failed, before buildings try one again."""
AMPLITUDE_ANGLE = 8.0
"""Turn of a mode in a sample, ω·dt [rad], above which the amplitude of its free vibration bounds how far it leaves its
chord better than its derivatives do."""


def shake(i: int, scale: float, per_dt: float, support: Codes, ground: Matrix, modes: Matrix) -> None:
    """Write the loads on the modes in sample `i`: their values at its start, and their slopes."""
    for k in range(modes.shape[0]):
        row = modes[k]
        first = scale * ground[support[k], i]
        row[LOAD] = row[STEADY] - row[PARTICIPATION] * first
        row[SLOPE] = row[PARTICIPATION] * (first - scale * ground[support[k], i + 1]) * per_dt


def glide(dt: float, modes: Matrix) -> tuple[float, float, bool]:
    """Propagate all modes over a whole sample, into the columns of its end.

    Returns a bound on how far any overlap can rise above its chord [m], the work of the loads [J], and whether a mode
    exceeds the accelerations for which the margins of the peaks hold (`peak_search.margins_outgrown`).

    An overlap leaves its chord by no more than dt²/8 times its largest second derivative, which is at most

        Σ |reach| (|q̈| (1 + ω dt) + |q⃛| dt),        q̈ and its slope q⃛ at the start of the sample,

    since q⃛² + ω²q̈² never grows in flight. A mode that turns far leaves its chord by no more than twice its amplitude,
    (14 |q̈| + 6 |q⃛|/ω)/ω² (`extremes.leaves_chord`).
    """
    bend = 0.0
    work = 0.0
    outgrown = False
    for k in range(modes.shape[0]):
        lift, done, more = glide_mode(dt, modes[k])
        bend += lift
        work += done
        outgrown = outgrown | more
    return 0.125 * dt * dt * bend, work, outgrown


@side_by_side
def glide_mode(dt: float, row: Vector) -> tuple[float, float, bool]:
    """Propagate one mode over a whole sample; return what `glide` adds up: |δ̈| [m/s²] at most, work, and whether."""
    q, v, w = row[Q], row[V], row[W]
    load, slope = row[LOAD], row[SLOPE]
    end_load = load + slope * dt
    twice, square = row[TWICE], row[SQUARE]
    p = PROPAGATOR
    q1 = row[p] * q + row[p + 1] * v + row[p + 2] * load + row[p + 3] * end_load
    v1 = row[p + 4] * q + row[p + 5] * v + row[p + 6] * load + row[p + 7] * end_load
    own = -twice * v1 - square * q1
    w1 = end_load + own
    row[Q_END] = q1
    row[V_END] = v1
    row[W_END] = w1
    row[OWN_END] = row[STEADY] + own
    row[CHANGE_END] = -square * v1 - twice * w1
    jerk = abs(slope - twice * w - square * v)
    outgrown = (abs(w) > row[MOST_BEND]) | (jerk > row[MOST_JERK])
    angle = row[OMEGA] * dt
    bend_bound = abs(w) * (1.0 + angle) + jerk * dt  # of |q̈| anywhere in the sample
    if angle > AMPLITUDE_ANGLE and row[SIGMA] <= row[OMEGA]:
        # twice the amplitude, as the |q̈| of which dt²/8 would be as much
        bend_bound = min(bend_bound, 8.0 * (14.0 * abs(w) + 6.0 * jerk / row[OMEGA]) / (angle * angle))
    if row[SOFT] > 0.0:  # area = ∫ q dt, from the equation of motion integrated over the sample
        area = (0.5 * (load + end_load) * dt - (v1 - v) - twice * (q1 - q)) * row[SOFT]
    else:
        area = area_between(q, q1, v, v1, w, w1, dt)
    return row[WIDEST] * bend_bound, row[MASS] * (end_load * q1 - load * q - slope * area), outgrown


def forces_now(modes: Matrix, contacts: Matrix, found: Vector) -> None:
    """Write the contact forces of the present state to `found` [N]."""
    for c in range(contacts.shape[0]):
        row = contacts[c]
        found[c] = 0.0
        if row[STATUS] == CLOSED:
            overlap = max(overlap_of(row, modes, Q), 0.0)
            rate = rate_of(row, modes, V)
            found[c] = force(row, chi_of(row, rate), overlap, math.sqrt(overlap), rate)


def quick_from(wide: bool) -> float:
    """Return from which multiple of the slowest contact's frequency on a mode counts as quick."""
    return QUICK_FROM if wide else 1.0


@unit
def prepare(dt: float, together: bool, support: Codes, tables: Tables) -> tuple[bool, float, int]:
    """Work out what never changes in a run, and begin its account and the records of its contacts.

    `together` says whether steps look at all contacts: then all pairs of them are laid out here. `support` says which
    row of ground acceleration drives a mode.

    `wide` is `tables.side_by_side`: the modes of buildings are worked on several at once, from columns and tiles.

    Returns whether power series of TERMS terms reach over a whole sample; the length of the longest stretch over which
    the long power series of buildings, from both its ends, meet in the middle [s], 0 where there are none; and how many
    tiles the modes of buildings take (`clear_flight`).
    """
    modes, contacts, pairs, floors = tables.modes, tables.contacts, tables.pairs, tables.floors
    small, run, wide = tables.small, tables.run, tables.side_by_side
    tolerance = run[TOLERANCE]
    begin_account(run)
    run[ROOM_AT] = scratch_size(modes.shape[0], contacts.shape[0], wide, floors)
    run[QUICKEST], contact_rate = prepare_modes(dt, quick_from(wide), modes, contacts)
    tiles = 0
    if wide:
        fill_columns(modes, small)
        copy_shapes(support, modes, floors, small)
        lay_margins(modes, floors, small)
        tiles = lay_tiles(dt, support, modes, contacts, floors, small)
    if together and wide:
        fill_pairs(modes.shape[0], contacts, pairs, small)
    elif together:
        prepare_pairs(modes, contacts, pairs)
    rapid = 0.0
    for k in range(modes.shape[0]):
        run[QUICK_MODES] += modes[k, QUICK]
        rapid = max(rapid, modes[k, OMEGA], modes[k, TWICE])
        if modes[k, MASS] == 0.0:
            run[PRESCRIBED] += 1.0
    angle = STEP_ANGLE if wide else series_angle(tolerance)
    for c in range(contacts.shape[0]):
        open_book(contacts[c])
        if contacts[c, STIFFNESS] == 0.0:  # dashpots have no error of their own
            angle = series_angle(tolerance)
    run[LONGEST] = angle / run[QUICKEST] if run[QUICKEST] > 0.0 else math.inf
    if wide and contact_rate < math.inf:  # beside quick modes peaks are known no better than in short steps
        run[LONGEST] = min(
            run[LONGEST], (STEP_PER_CONTACT if run[QUICK_MODES] == 0.0 else LONGEST_ANGLE) / contact_rate
        )
    run[STEP], run[RAPID] = dt, rapid
    if run[QUICK_MODES] > 0.0:
        return False, 0.0, tiles
    return rapid * dt <= LONGEST_ANGLE, 2.0 * LONG_ANGLE / rapid if wide and rapid > 0.0 else 0.0, tiles


def pound(tables: Tables, shaking: Shaking, histories: Histories) -> int:
    """Run one problem from the first to the last sample of the ground motion; return how it ended.

    Columns Q and V of the modes hold the initial state and take the last one; `run` holds the settings and takes the
    account. Histories are written where they have rows, up to where the run came.
    """
    none, nothing = tables.contacts[:0], tables.run[:0]
    near = Near(none, none, none, none, none, nothing, nothing, nothing, nothing, nothing)
    return pound_near(tables, near, shaking, histories)


def pound_near(tables: Tables, near: Near, shaking: Shaking, histories: Histories) -> int:
    """Do what `pound` does; where there are contacts in `near`, steps look at those that may close in a sample."""
    by_series, series_span, tiles = prepare(shaking.dt, not leaves_out(near), shaking.support, tables)
    status = march(by_series, series_span, tiles, tables, near, shaking, histories)
    return conclude(status, tables, histories)


def conclude(status: int, tables: Tables, histories: Histories) -> int:
    """Close the account of a run that ended so; return how it ended, with all that was found wrong."""
    run = tables.run
    run[KINETIC], run[STRAIN] = modal_energy(tables.modes)
    if status == FINISHED:
        watch_balance(run[REACHED], run)
    end_run(run[REACHED], tables.contacts, histories.impacts, run)
    return UNTRUSTED if run[FAULT] != NO_FAULT and status == FINISHED else status


def begin_closed(dt: float, modes: Matrix, contacts: Matrix, run: Vector) -> bool:
    """Close the contacts that overlap at the start by more than rounding; return whether there are any.

    The problem states them so; they are no fault of the run.
    """
    closed = False
    for c in range(contacts.shape[0]):
        row = contacts[c]
        row[OVERLAP], row[NOISE] = overlap_of(row, modes, Q), noise_of(row, modes)
        if row[STATUS] == OPEN and row[OVERLAP] > row[NOISE]:
            enter_touch(0.0, dt, TINY_SPEED, row, modes, run)
            row[STORED_AT_START] = stored_energy(row, row[OVERLAP], math.sqrt(row[OVERLAP]))
            row[HELD] = row[STORED_AT_START]
            # a law takes half the largest rate for v0 (`power_law.reference_rate`), hence the factor
            renew(row, 2.0 * speed_before(rate_of(row, modes, V), row))
            run[PRESSED] += row[STORED_AT_START]
            run[JUMPED] = 1.0
            closed = True
    return closed


def speed_before(rate: float, row: Vector) -> float:
    """Return the speed of touch [m/s] that would have led to the present state, had the spring alone acted.

    Laws with χ/v0 ask for it in a contact that is closed at the start. Without it v0 of bodies that begin at rest would
    be zero, and the damping would hold them like glue.
    """
    return math.sqrt(rate * rate + 2.0 * row[HELD] / row[EFFECTIVE_MASS])


def from_event_to_event(
    begun: float, dt: float, closed: bool, energy_before: float, input_before: float, by_series: bool,
    series_span: float, tables: Tables, near: Near, impacts: Matrix,
) -> tuple[int, bool, float, float]:  # fmt: skip
    """Go through a sample that may hold a touch, or in which contacts are closed; return how that ended.

    The sample is `dt` long and begins at time `begun` of the run; `by_series` and `series_span` are what `prepare`
    found. `closed` says whether a contact is closed; `energy_before` and `input_before` are the energy of the modes and
    the input when the last flight began [J]. All three are returned as they are at the end of the sample.
    """
    modes, contacts, run = tables.modes, tables.contacts, tables.run
    t, known = 0.0, False  # known: whether this sample's bounds on contacts that may close have been worked out
    while t < dt:
        run[REACHED] = begun + t
        if run[FAULT] != NO_FAULT:
            return UNTRUSTED, closed, energy_before, input_before
        if run[STEPS] + run[REJECTED] > run[LIMIT]:
            return STEP_LIMIT, closed, energy_before, input_before
        if not closed:
            t, closed = fly_to_touch(t, dt, begun, by_series, series_span, tables)
            if closed:  # the flight ends: enter what damping took in it
                run[JUMPED] = 1.0
                kinetic, strain = modal_energy(modes)
                run[DAMPING] += run[INPUT] - input_before - (kinetic + strain - energy_before)
        else:
            part = tables
            if leaves_out(near):
                if not known:
                    find_slack(t, dt, tables, near)
                    known = True
                many = gather_near(tables, near)
                if many < 0:
                    return NEEDS_ROOM, closed, energy_before, input_before
                part = Tables(
                    modes, near.contacts[:many], near.pairs[: many * many], tables.floors, tables.small, run, True
                )
            line, fault, least = int(run[IMPACTS]), run[FAULT], run[LEAST_LOST]
            t, status = in_contact(t, dt, begun, part, tables, near, impacts)
            if leaves_out(near):
                put_back_near(contacts, near)
                name_contacts(line, fault, least, near.members, impacts, run)
                if status == COMES_NEAR:
                    continue
            if status != FINISHED:
                run[REACHED] = begun + t
                return status, closed, energy_before, input_before
            closed = False
            for c in range(contacts.shape[0]):
                closed = closed or contacts[c, STATUS] == CLOSED
            if not closed:  # the next flight begins
                begin_peaks(t, tables)
                kinetic, strain = modal_energy(modes)
                energy_before, input_before = kinetic + strain, run[INPUT]
    return FINISHED, closed, energy_before, input_before


def march(
    by_series: bool, series_span: float, tiles: int, tables: Tables, near: Near, shaking: Shaking,
    histories: Histories,
) -> int:  # fmt: skip
    """Go from sample to sample until the last one, or until the run cannot go on; return how it ended.

    `by_series`, `series_span` and `tiles` are what `prepare` found.
    """
    modes, contacts, run = tables.modes, tables.contacts, tables.run
    support, ground, scale, dt = shaking.support, shaking.ground, shaking.scale, shaking.dt
    samples = ground.shape[1]
    per_dt = 1.0 / dt
    shake(0, scale, per_dt, support, ground, modes)
    accelerate(0.0, FORCE, modes, contacts)
    closed = begin_closed(dt, modes, contacts, run)
    begin_peaks(0.0, tables)
    kinetic, strain = modal_energy(modes)
    energy_before, input_before = kinetic + strain, 0.0  # when the flight began [J]
    run[AT_FIRST] = energy_before

    i, next_try = 0, 0
    while True:
        if i < histories.q.shape[0]:
            if closed:
                forces_now(modes, contacts, histories.force[i])
            for k in range(modes.shape[0]):
                histories.q[i, k] = modes[k, Q]
                histories.v[i, k] = modes[k, V]
        if i < histories.ledger.shape[0]:
            kinetic, strain = modal_energy(modes)
            lost_in_flight = 0.0 if closed else run[INPUT] - input_before - (kinetic + strain - energy_before)
            write_balance(kinetic, strain, run[DAMPING] + lost_in_flight, run, histories.ledger[i])
        left_from = i  # the sample at which a clear flight begins
        if tiles > 0 and not closed and i >= next_try:
            i = clear_flight(i, tiles, energy_before - input_before, tables, shaking, histories)
            next_try = i if i > left_from else i + CLEAR_FLIGHT_PAUSE
        run[WRITTEN] = i + 1.0
        if i == samples - 1:
            break
        shake(i, scale, per_dt, support, ground, modes)
        if i > left_from:  # clear flights carry modes only, not the states of floors
            begin_peaks(0.0, tables)

        if not closed:  # in most samples no contact comes near to closing
            rise, work, outgrown = glide(dt, modes)
            clear = True
            if leaves_out(near):
                write_overlaps(Q_END, OVERLAP + 1, tables, near)
            for c in range(contacts.shape[0]):
                before = contacts[c, OVERLAP]
                contacts[c, OVERLAP] = (
                    contacts[c, OVERLAP + 1] if leaves_out(near) else overlap_of(contacts[c], modes, Q_END)
                )
                clear = clear and contacts[c, STATUS] == OPEN and max(before, contacts[c, OVERLAP]) + rise < 0.0
            if clear:
                flight_peaks(0.0, dt, series_span, outgrown, tables)
                run[INPUT] += work
                arrive(modes)
                i += 1
                continue

        status, closed, energy_before, input_before = from_event_to_event(
            i * dt, dt, closed, energy_before, input_before, by_series, series_span, tables, near,
            histories.impacts,
        )  # fmt: skip
        if status != FINISHED:
            return status
        if leaves_out(near):
            write_overlaps(Q, OVERLAP, tables, near)
        for c in range(contacts.shape[0]):
            if not leaves_out(near):
                contacts[c, OVERLAP] = overlap_of(contacts[c], modes, Q)
            note_released(c, contacts[c, OVERLAP], (i + 1) * dt, contacts[c], run)
        i += 1
    run[REACHED] = (samples - 1) * dt
    if not closed:
        kinetic, strain = modal_energy(modes)
        run[DAMPING] += run[INPUT] - input_before - (kinetic + strain - energy_before)
    return FINISHED
