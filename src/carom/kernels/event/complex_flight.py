"""The loop of the event engine for damping that couples modes: flight in complex modes, contact in natural ones.

A run has two sets of tables. In flight complex modes move as modes that nothing couples (`integrate.complex_modes`,
which has the formulas), so that all of flight is that of any other run. In contact natural modes move, with dashpots
as contacts that never open. Whenever the first contact closes or the last one opens, the state goes from the one set
to the other (`enter_contact`, `enter_flight`), and with it the peaks.

What complex modes ask for beyond others:

- a load that is constant within a sample, since they feel the slope of the ground's acceleration: it comes in STEADY;
- the work of the loads, which act on sums of them; they carry no energy of their own (MASS = 0);
- the energy in flight, which is that of natural modes. The ledger of a sample in flight holds their sum with what
  damping took, as DAMPING; the caller, who has the histories, tells them apart.
"""

from carom.kernels.contact.present_state import accelerate
from carom.kernels.contact.run import in_contact
from carom.kernels.endings import FINISHED, NO_FAULT, STEP_LIMIT, UNTRUSTED
from carom.kernels.event.clear_flight import tiles_at
from carom.kernels.event.complex_clear_flight import clear_complex_flight, lay_lines
from carom.kernels.event.complex_states import (
    carry_peaks,
    enter_contact,
    enter_flight,
    find_natural,
    ground_at,
    shake_flight,
)
from carom.kernels.event.engine import CLEAR_FLIGHT_PAUSE, begin_closed, conclude, forces_now, glide, prepare, shake
from carom.kernels.event.flight import arrive, overlap_of
from carom.kernels.event.flight_peaks import begin_peaks, flight_peaks
from carom.kernels.event.mode_columns import LONG_ANGLE, fill_columns
from carom.kernels.event.mode_table import LONGEST_ANGLE
from carom.kernels.event.touches import fly_to_touch
from carom.kernels.laws.power_law import STIFFNESS
from carom.kernels.ledger import (
    AT_FIRST,
    DAMPING,
    FAULT,
    INPUT,
    LETS_FLY,
    LIMIT,
    RAPID,
    REACHED,
    REJECTED,
    STEPS,
    WRITTEN,
    note_released,
    write_balance,
)
from carom.kernels.modal.energy import flight_area, modal_energy
from carom.kernels.rows import CLOSED, FORCE, LOAD, OPEN, OVERLAP, Q_END, QUICK, SLOPE, STATUS, Q, V, W
from carom.kernels.tables import Doubled, Histories, Near, Shaking, Tables
from carom.kernels.types import Codes, Matrix


def pound_damped(tables: Tables, flight: Tables, doubled: Doubled, shaking: Shaking, histories: Histories) -> int:
    """Run one problem as `engine.pound` does; `tables` are those of natural modes, `flight` those of complex ones.

    Both share the account of the run. Histories take complex modes in samples of flight, else natural ones.
    """
    by_series, series_span, tiles = prepare_flight(shaking.dt, doubled.support, flight)
    prepare(shaking.dt, True, shaking.support, tables)
    tables.run[LETS_FLY] = 1.0
    lay_lines(tiles, tiles_at(flight.modes.shape[0], flight.floors.shape[0]), doubled, flight.small)
    status = march_damped(by_series, series_span, tiles, tables, flight, doubled, shaking, histories)
    carry_peaks(doubled, tables, flight, False)
    return conclude(status, tables, histories)


def prepare_flight(dt: float, support: Codes, flight: Tables) -> tuple[bool, float, int]:
    """Do what `engine.prepare` does for the tables of flight: no mode counts as quick, which matters in contact."""
    _, _, tiles = prepare(dt, False, support, flight)
    for k in range(flight.modes.shape[0]):
        flight.modes[k, QUICK] = 0.0
    if flight.side_by_side:
        fill_columns(flight.modes, flight.small)
    rapid = flight.run[RAPID]
    return rapid * dt <= LONGEST_ANGLE, 2.0 * LONG_ANGLE / rapid if flight.side_by_side and rapid > 0.0 else 0.0, tiles


def keep_start(modes: Matrix, doubled: Doubled) -> None:
    """Keep the state at the start of a stretch of flight, for its work."""
    for k in range(modes.shape[0]):
        for j in range(3):
            doubled.before[j, k] = modes[k, Q + j]


def work_done(i: int, begun: float, length: float, modes: Matrix, doubled: Doubled, shaking: Shaking) -> float:
    """Return the work of the loads over a stretch of flight of sample `i` that began at time `begun` of it [J]."""
    work = 0.0
    if length <= 0.0:
        return work
    for k in range(modes.shape[0]):
        by_ground, by_load = doubled.work[0, k], doubled.work[1, k]
        if by_ground == 0.0 and by_load == 0.0:
            continue
        row, q, v, w = modes[k], doubled.before[0, k], doubled.before[1, k], doubled.before[2, k]
        load = row[LOAD] + row[SLOPE] * begun
        area = flight_area(row, q, v, w, row[Q], row[V], row[W], load, row[SLOPE], length)
        first, slope = ground_at(i, doubled.support[k], shaking)
        first += slope * begun
        start, end = by_load - by_ground * first, by_load - by_ground * (first + slope * length)
        work += end * row[Q] - start * q + by_ground * slope * area
    return work


def presses(contacts: Matrix) -> bool:
    """Return whether a contact is closed; dashpots between modes, which always are, do not count."""
    found = False
    for c in range(contacts.shape[0]):
        found = found or (contacts[c, STATUS] == CLOSED and contacts[c, STIFFNESS] > 0.0)
    return found


def through_events(
    i: int, closed: bool, energy_before: float, input_before: float, by_series: bool, series_span: float,
    tables: Tables, flight: Tables, doubled: Doubled, shaking: Shaking, impacts: Matrix,
) -> tuple[int, bool, float, float]:  # fmt: skip
    """Do what `engine.from_event_to_event` does in sample `i`."""
    run, dt = tables.run, shaking.dt
    none, nothing = tables.contacts[:0], run[:0]
    near = Near(none, none, none, none, none, nothing, nothing, nothing, nothing, nothing)
    t, begun = 0.0, i * dt
    if closed:
        shake(i, shaking.scale, 1.0 / dt, shaking.support, shaking.ground, tables.modes)
    while t < dt:
        run[REACHED] = begun + t
        if run[FAULT] != NO_FAULT:
            return UNTRUSTED, closed, energy_before, input_before
        if run[STEPS] + run[REJECTED] > run[LIMIT]:
            return STEP_LIMIT, closed, energy_before, input_before
        if not closed:
            keep_start(flight.modes, doubled)
            start = t
            t, closed = fly_to_touch(t, dt, begun, by_series, series_span, flight)
            run[INPUT] += work_done(i, start, t - start, flight.modes, doubled, shaking)
            if closed:
                enter_contact(i, t, energy_before, input_before, tables, flight, doubled, shaking)
        else:
            t, status = in_contact(t, dt, begun, tables, tables, near, impacts)
            if status != FINISHED:
                run[REACHED] = begun + t
                return status, closed, energy_before, input_before
            closed = presses(tables.contacts)
            if not closed:
                energy_before, input_before = enter_flight(i, t, tables, flight, doubled, shaking)
    return FINISHED, closed, energy_before, input_before


def write_sample(
    i: int, closed: bool, balance: float, tables: Tables, flight: Tables, doubled: Doubled, histories: Histories
) -> None:
    """Write the state at sample `i`; `balance` is the energy when the last flight began, less the input until then."""
    run = tables.run
    if i < histories.q.shape[0]:
        modes = tables.modes if closed else flight.modes
        doubled.pressed[i] = 1.0 if closed else 0.0
        for k in range(modes.shape[0]):
            histories.q[i, k], histories.v[i, k] = modes[k, Q], modes[k, V]
        if closed:
            forces_now(tables.modes, tables.contacts, histories.force[i])
    if i < histories.ledger.shape[0]:
        if closed:
            kinetic, strain = modal_energy(tables.modes)
            write_balance(kinetic, strain, run[DAMPING], run, histories.ledger[i])
        else:
            write_balance(0.0, 0.0, run[DAMPING] + run[INPUT] + balance, run, histories.ledger[i])


def fly_over(i: int, series_span: float, flight: Tables, doubled: Doubled, shaking: Shaking) -> bool:
    """Fly over sample `i` where a bound proves that no contact closes in it; return whether it does."""
    modes, contacts, dt = flight.modes, flight.contacts, shaking.dt
    rise, _, outgrown = glide(dt, modes)
    clear = True
    for c in range(contacts.shape[0]):
        before = contacts[c, OVERLAP]
        contacts[c, OVERLAP] = overlap_of(contacts[c], modes, Q_END)
        clear = clear and contacts[c, STATUS] == OPEN and max(before, contacts[c, OVERLAP]) + rise < 0.0
    if clear:
        flight_peaks(0.0, dt, series_span, outgrown, flight)
        keep_start(modes, doubled)
        arrive(modes)
        flight.run[INPUT] += work_done(i, 0.0, dt, modes, doubled, shaking)
    return clear


def march_damped(
    by_series: bool, series_span: float, tiles: int, tables: Tables, flight: Tables, doubled: Doubled,
    shaking: Shaking, histories: Histories,
) -> int:  # fmt: skip
    """Go from sample to sample until the last one, or until the run cannot go on; return how it ended."""
    modes, contacts, run, dt = tables.modes, tables.contacts, tables.run, shaking.dt
    samples = shaking.ground.shape[1]
    shake(0, shaking.scale, 1.0 / dt, shaking.support, shaking.ground, modes)
    accelerate(0.0, FORCE, modes, contacts)
    begin_closed(dt, modes, contacts, run)
    kinetic, strain = modal_energy(modes)
    energy_before, input_before = kinetic + strain, 0.0  # when the flight began [J]
    run[AT_FIRST] = energy_before
    closed = presses(contacts)
    if closed:
        begin_peaks(0.0, tables)
    else:
        enter_flight(0, 0.0, tables, flight, doubled, shaking)
    i, next_try = 0, 0
    while True:
        balance = energy_before - input_before
        write_sample(i, closed, balance, tables, flight, doubled, histories)
        left_from = i  # the sample at which a clear flight begins
        if tiles > 0 and not closed and i >= next_try:
            i = clear_complex_flight(i, tiles, balance, flight, doubled, shaking, histories)
            next_try = i if i > left_from else i + CLEAR_FLIGHT_PAUSE
        run[WRITTEN] = i + 1.0
        if i == samples - 1:
            break
        if not closed:
            shake_flight(i, flight, doubled, shaking)
            if i > left_from:  # clear flights carry modes only, not the states of floors
                begin_peaks(0.0, flight)
            if fly_over(i, series_span, flight, doubled, shaking):
                i += 1
                continue
        status, closed, energy_before, input_before = through_events(
            i, closed, energy_before, input_before, by_series, series_span, tables, flight, doubled, shaking,
            histories.impacts,
        )  # fmt: skip
        if status != FINISHED:
            return status
        for c in range(flight.contacts.shape[0]):
            if not closed:
                flight.contacts[c, OVERLAP] = overlap_of(flight.contacts[c], flight.modes, Q)
                contacts[c, STATUS], contacts[c, OVERLAP] = flight.contacts[c, STATUS], flight.contacts[c, OVERLAP]
            else:
                contacts[c, OVERLAP] = overlap_of(contacts[c], modes, Q)
            note_released(c, contacts[c, OVERLAP], (i + 1) * dt, contacts[c], run)
        i += 1
    run[REACHED] = (samples - 1) * dt
    if not closed:
        find_natural(flight.modes, doubled, modes)
        kinetic, strain = modal_energy(modes)
        run[DAMPING] += run[INPUT] - input_before - (kinetic + strain - energy_before)
    return FINISHED
