"""Complex modes and natural ones tell each other where a run with dashpots stands (`complex_flight`).

Whenever the first contact closes the state goes from complex modes to natural ones, `enter_contact`, and back with the
last one that opens, `enter_flight`; with it go the peaks.
"""

import math

from carom.kernels.contact.impact_record import TINY_SPEED
from carom.kernels.contact.present_state import settle, touch
from carom.kernels.event.engine import shake
from carom.kernels.event.flight import overlap_of, rate_of
from carom.kernels.event.flight_peaks import begin_peaks, fill_state
from carom.kernels.event.floor_bounds import keep_peaks
from carom.kernels.ledger import DAMPING, INPUT, JUMPED
from carom.kernels.modal.energy import modal_energy
from carom.kernels.rows import (
    CLOSED,
    LEVER,
    LOAD,
    OVERLAP,
    PARTICIPATION,
    PEAKS,
    RECENT_SPEED,
    SLOPE,
    SPEED,
    STATUS,
    STEADY,
    Q,
    V,
)
from carom.kernels.tables import Doubled, Shaking, Tables
from carom.kernels.types import Matrix, Vector


def ground_at(i: int, row: int, shaking: Shaking) -> tuple[float, float]:
    """Return the ground's acceleration at the start of sample `i` [m/s²], and its slope in that sample [m/s³]."""
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
