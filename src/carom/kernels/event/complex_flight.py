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

import math

from carom.kernels.contact.impact_record import TINY_SPEED
from carom.kernels.contact.run import accelerate, in_contact, settle, touch
from carom.kernels.endings import FINISHED, NO_FAULT, STEP_LIMIT, UNTRUSTED
from carom.kernels.event.clear_flight import BEGIN as TILE_BEGIN
from carom.kernels.event.clear_flight import (
    CONSTANT_LOAD,
    DAMPED,
    END,
    END_LOAD,
    PARTICIPATES,
    SOFTNESS,
    START,
    STIFF,
    STOP,
    TILE,
    WIDTH,
    WORK,
    carry_tiles,
    find_largest_shapes,
    line_sum,
    load_tiles,
    overlap_at_end,
    store_tiles,
    tiles_at,
    write_histories,
)
from carom.kernels.event.engine import (
    CLEAR_FLIGHT_PAUSE,
    begin_closed,
    conclude,
    forces_now,
    glide,
    prepare,
    shake,
)
from carom.kernels.event.flight import arrive, overlap_of, rate_of
from carom.kernels.event.flight_peaks import begin_peaks, fill_state, flight_peaks
from carom.kernels.event.floor_bounds import keep_peaks
from carom.kernels.event.mode_columns import LONG_ANGLE, fill_columns
from carom.kernels.event.mode_table import LONGEST_ANGLE
from carom.kernels.event.touches import fly_to_touch
from carom.kernels.laws.power_law import STIFFNESS
from carom.kernels.ledger import (
    AT_FIRST,
    DAMPING,
    FAULT,
    INPUT,
    JUMPED,
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
from carom.kernels.modal.energy import area_between, flight_area, modal_energy
from carom.kernels.rows import (
    CLOSED,
    FORCE,
    LEVER,
    LOAD,
    OPEN,
    OVERLAP,
    PARTICIPATION,
    PEAKS,
    Q_END,
    QUICK,
    RECENT_SPEED,
    SLOPE,
    SPEED,
    STATUS,
    STEADY,
    Q,
    V,
    W,
)
from carom.kernels.tables import Doubled, Histories, Near, Shaking, Tables
from carom.kernels.types import Codes, Matrix, Vector, unit

LAG = WIDTH  # lines that complex modes have beside those of their tiles, behind the first: constant loads
BY_GROUND = 2 * WIDTH
BY_LOAD = 3 * WIDTH
LINES = 4  # how many there are


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


def ground_at(i: int, row: int, shaking: Shaking) -> tuple[float, float]:
    """Return the ground's acceleration at sample `i` [m/s²], and its slope in the sample behind it [m/s³]."""
    first = shaking.scale * shaking.ground[row, i]
    return first, (shaking.scale * shaking.ground[row, i + 1] - first) / shaking.dt


def shake_flight(i: int, flight: Tables, doubled: Doubled, shaking: Shaking) -> None:
    """Write the loads on complex modes in sample `i`, and what follows from them at its start."""
    modes = flight.modes
    for k in range(modes.shape[0]):
        row = modes[k]
        first, slope = ground_at(i, doubled.support[k], shaking)
        row[STEADY] = doubled.steady[k] - doubled.lags[k] * slope
        row[LOAD], row[SLOPE] = row[STEADY] - row[PARTICIPATION] * first, -row[PARTICIPATION] * slope
    fill_state(modes, Q, 0.0)


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


def multiply(matrix: Matrix, first: int, after: int, by: Vector, into: Vector) -> None:
    """Add rows from `first` up to `after` of a matrix, each times a number of `by`, to `into`."""
    width = into.shape[0]
    for i in range(first, after):
        row, factor = matrix[i], by[i - first]
        for j in range(width):
            into[j] += factor * row[j]


def find_natural(flight: Matrix, doubled: Doubled, modes: Matrix) -> None:
    """Write displacements and velocities of natural modes from those of complex ones."""
    many, count = flight.shape[0], modes.shape[0]
    given, found = doubled.room[0, :many], doubled.room[1, :count]
    for j in range(2):
        for k in range(many):
            given[k] = flight[k, Q + j]
        for k in range(count):
            found[k] = 0.0
        multiply(doubled.shapes, 0, many, given, found)
        for k in range(count):
            modes[k, Q + j] = found[k]


def find_complex(i: int, t: float, modes: Matrix, doubled: Doubled, shaking: Shaking, flight: Matrix) -> None:
    """Write displacements and velocities of complex modes from those of natural ones, at time `t` of sample `i`."""
    many, count = flight.shape[0], modes.shape[0]
    given, found = doubled.room[0, :count], doubled.room[1, : 2 * many]
    for k in range(2 * many):
        found[k] = 0.0
    for j in range(2):
        for k in range(count):
            given[k] = modes[k, Q + j]
        multiply(doubled.states, j * count, (j + 1) * count, given, found)
    for k in range(many):
        first, slope = ground_at(i, doubled.support[k], shaking)
        flight[k, Q] = found[k]
        flight[k, V] = found[many + k] + doubled.starts[k] - doubled.lags[k] * (first + slope * t)


def carry_peaks(doubled: Doubled, home: Tables, flight: Tables, out: bool) -> None:
    """Raise the peaks of degrees of freedom in the tables of flight to those of contact, `out`, or the other way."""
    for d in range(flight.floors.shape[0]):
        to = doubled.floors[d]
        for j in range(PEAKS, PEAKS + 3):
            most = max(flight.floors[d, j], home.floors[to, j])
            if out:
                flight.floors[d, j] = most
            else:
                home.floors[to, j] = most
    into = flight if out else home
    if into.side_by_side:
        for d in range(into.floors.shape[0]):
            keep_peaks(d, into.modes.shape[0], into.floors, into.small)


def enter_contact(
    i: int, t: float, energy_before: float, input_before: float, tables: Tables, flight: Tables, doubled: Doubled,
    shaking: Shaking,
) -> None:  # fmt: skip
    """Go from flight to contact at time `t` of sample `i`, and enter what damping took since the flight began.

    A dashpot counts its errors in the largest rate that it has had. Of the flight that is now taken to be as much as
    its modes would make, moving as fast as they do, in any phase.
    """
    modes, contacts, run, dt = tables.modes, tables.contacts, tables.run, shaking.dt
    shake(i, shaking.scale, 1.0 / dt, shaking.support, shaking.ground, modes)
    find_natural(flight.modes, doubled, modes)
    kinetic, strain = modal_energy(modes)
    run[DAMPING] += run[INPUT] - input_before - (kinetic + strain - energy_before)
    count = flight.contacts.shape[0]
    for c in range(count, contacts.shape[0]):
        row, squares = contacts[c], 0.0
        for k in range(modes.shape[0]):
            rate = row[LEVER + 2 * k] * modes[k, V]
            squares += rate * rate
        row[SPEED] = max(row[SPEED], abs(rate_of(row, modes, V)), math.sqrt(squares))
        row[RECENT_SPEED] = row[SPEED]
    for c in range(count):
        if flight.contacts[c, STATUS] != CLOSED:
            contacts[c, STATUS] = flight.contacts[c, STATUS]
    settle(t, modes, contacts)
    for c in range(count):
        if flight.contacts[c, STATUS] == CLOSED:
            touch(c, i * dt + t, dt, TINY_SPEED, contacts[c], modes, run)
    carry_peaks(doubled, tables, flight, False)
    begin_peaks(t, tables)
    run[JUMPED] = 1.0


def enter_flight(
    i: int, t: float, tables: Tables, flight: Tables, doubled: Doubled, shaking: Shaking
) -> tuple[float, float]:
    """Go from contact to flight at time `t` of sample `i`; return the energy of the modes and the input by now [J]."""
    find_complex(i, t, tables.modes, doubled, shaking, flight.modes)
    shake_flight(i, flight, doubled, shaking)
    for c in range(flight.contacts.shape[0]):
        flight.contacts[c, STATUS] = tables.contacts[c, STATUS]
        flight.contacts[c, OVERLAP] = overlap_of(flight.contacts[c], flight.modes, Q)
    carry_peaks(doubled, tables, flight, True)
    begin_peaks(t, flight)
    kinetic, strain = modal_energy(tables.modes)
    return kinetic + strain, tables.run[INPUT]


def presses(contacts: Matrix) -> bool:
    """Return whether a contact is closed; dashpots between modes, which always are, do not count."""
    found = False
    for c in range(contacts.shape[0]):
        found = found or (contacts[c, STATUS] == CLOSED and contacts[c, STIFFNESS] > 0.0)
    return found


def lay_lines(tiles: int, at: int, doubled: Doubled, small: Vector) -> None:
    """Lay out what complex modes ask for beyond others in lines of eight, as the tiles lie, which begin at `at`."""
    for n in range(tiles):
        tile = small[at : at + TILE]
        begin, line = int(tile[TILE_BEGIN]), n * LINES * WIDTH
        for j in range(int(tile[STOP]) - begin):
            doubled.lines[line + j] = doubled.steady[begin + j]
            doubled.lines[line + LAG + j] = doubled.lags[begin + j]
            doubled.lines[line + BY_GROUND + j] = doubled.work[0, begin + j]
            doubled.lines[line + BY_LOAD + j] = doubled.work[1, begin + j]
        at += TILE


def slope_tiles(i: int, tiles: int, at: int, doubled: Doubled, shaking: Shaking, small: Vector) -> None:
    """Write the loads that tiles take in sample `i`, and the accelerations under them at its start."""
    for n in range(tiles):
        tile = small[at : at + TILE]
        lines = doubled.lines[n * LINES * WIDTH : (n + 1) * LINES * WIDTH]
        first, slope = ground_at(i, doubled.support[int(tile[TILE_BEGIN])], shaking)
        for j in range(WIDTH):
            constant = lines[j] - lines[LAG + j] * slope
            load = constant - tile[PARTICIPATES + j] * first
            tile[CONSTANT_LOAD + j], tile[END_LOAD + j] = constant, load
            tile[END + 2 * WIDTH + j] = (
                load - tile[DAMPED + j] * tile[END + WIDTH + j] - tile[STIFF + j] * tile[END + j]
            )
        at += TILE


def tile_work(i: int, tiles: int, at: int, doubled: Doubled, shaking: Shaking, small: Vector) -> float:
    """Return the work of the loads in sample `i`, which tiles have been carried over [J]."""
    work, dt = 0.0, shaking.dt
    for n in range(tiles):
        tile = small[at : at + TILE]
        lines = doubled.lines[n * LINES * WIDTH : (n + 1) * LINES * WIDTH]
        first, slope = ground_at(i, doubled.support[int(tile[TILE_BEGIN])], shaking)
        last = first + slope * dt
        for j in range(WIDTH):
            q, v, w = tile[START + j], tile[START + WIDTH + j], tile[START + 2 * WIDTH + j]
            q1, v1, w1 = tile[END + j], tile[END + WIDTH + j], tile[END + 2 * WIDTH + j]
            loads = 2.0 * tile[END_LOAD + j] + tile[PARTICIPATES + j] * (last - first)  # at both ends
            soft = tile[SOFTNESS + j]
            area = (0.5 * loads * dt - (v1 - v) - tile[DAMPED + j] * (q1 - q)) * soft
            area = area if soft > 0.0 else area_between(q, q1, v, v1, w, w1, dt)
            by_ground, by_load = lines[BY_GROUND + j], lines[BY_LOAD + j]
            done = (by_load - by_ground * last) * q1 - (by_load - by_ground * first) * q + by_ground * slope * area
            tile[WORK + j] = done
        work += line_sum(WORK, tile)
        at += TILE
    return work


@unit
def clear_complex_flight(
    i: int, tiles: int, balance: float, flight: Tables, doubled: Doubled, shaking: Shaking, histories: Histories
) -> int:
    """Do what `clear_flight.clear_flight` does, of complex modes."""
    modes, contacts, floors, small, run = flight.modes, flight.contacts, flight.floors, flight.small, flight.run
    at = tiles_at(modes.shape[0], floors.shape[0])
    for c in range(contacts.shape[0]):
        if contacts[c, STATUS] != OPEN:
            return i
    begun, last = i, shaking.ground.shape[1] - 1
    find_largest_shapes(i, modes.shape[0], floors, small)
    load_tiles(i, tiles, at, shaking.scale, doubled.support, shaking.ground, modes, small)
    clear = True
    while i < last and clear:
        slope_tiles(i, tiles, at, doubled, shaking, small)
        clear, rise, _, _, _ = carry_tiles(
            i, tiles, at, shaking.scale, shaking.dt, doubled.support, shaking.ground, modes, small
        )  # fmt: skip
        for c in range(contacts.shape[0]):
            if clear:
                contacts[c, OVERLAP + 1] = overlap_at_end(c, tiles, at, contacts, small)
                clear = max(contacts[c, OVERLAP], contacts[c, OVERLAP + 1]) + rise < 0.0
        if clear:
            run[INPUT] += tile_work(i, tiles, at, doubled, shaking, small)
            i += 1
            for c in range(contacts.shape[0]):
                contacts[c, OVERLAP] = contacts[c, OVERLAP + 1]
            if i < histories.ledger.shape[0]:
                write_balance(0.0, 0.0, run[DAMPING] + run[INPUT] + balance, run, histories.ledger[i])
            if i < histories.q.shape[0]:
                write_histories(i, tiles, at, small, histories.q, histories.v)
    if i > begun:
        store_tiles(END if clear else START, tiles, at, modes, small)
    return i


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
