"""The motion of buildings inside a solved step in contact, their modes side by side (`event.mode_columns`).

It is what `swinging` looks at. Columns stand where the power series of flights do, which no step asks for while it is
looked at.
"""

import math

from carom.kernels.contact.extremes.inner_forces import by_quartic
from carom.kernels.contact.forced_modes import lay_moments, mode_inside
from carom.kernels.contact.impact_record import chi_of, slopes_of
from carom.kernels.event.mode_columns import BACK_POWERS, END_Q, by_fours, carry_columns, column_at, long_terms, one_sum
from carom.kernels.laws.power_law import force
from carom.kernels.ledger import FREE_TERMS, QUICKEST, TOLERANCE
from carom.kernels.rows import (
    BY_QUARTIC,
    CLOSED,
    FIRST,
    FREE_OVERLAP,
    GAP,
    LAST,
    LEVER,
    LOAD,
    QUICK,
    SHAPE,
    SLOPE,
    SQUARE,
    STATUS,
    STEADY,
    TWICE,
)
from carom.kernels.tables import Tables
from carom.kernels.types import Matrix, Vector, in_any_order

CONSTANTS = BACK_POWERS  # ω², 2σ, the constant load, the load at the start of the step and its slope: five columns
PART_END = CONSTANTS + 5  # states at the end of a part of a step; behind them those at a time inside it
FINER = (
    1e-4  # tolerance to which series are long enough, as share of the run's: accelerations take ω² of what they lack
)
# of a contact: overlap and rate at the time that is looked at
SEEN_OVERLAP = FREE_OVERLAP + 4
SEEN_RATE = FREE_OVERLAP + 5


def lay_constants(t: float, modes: Matrix, small: Vector) -> None:
    """Write the columns that do not change in a step that begins at time `t` of the sample."""
    many = modes.shape[0]
    at = column_at(CONSTANTS, many)
    for k in range(many):
        row = modes[k]
        small[at + k], small[at + many + k], small[at + 2 * many + k] = row[SQUARE], row[TWICE], row[STEADY]
        small[at + 3 * many + k], small[at + 4 * many + k] = row[LOAD] + row[SLOPE] * t, row[SLOPE]


@in_any_order
def reach_sum(row: Vector, values: Vector) -> float:
    """Return Σ reach·x of a contact."""
    total = 0.0
    for k in range(values.size):
        total += row[LEVER + 2 * k] * values[k]
    return total


def look_columns(kind: int, h: float, t: float, late: float, state: int, forces: int, tables: Tables) -> None:
    """Write the states of all modes and the forces of the contacts `late` after the start of a step, at time `t`.

    The states are q, q̇, q̈, −ω²q − 2σq̇ + constant load and its slope: five columns from `state` on. Column `forces` of
    the contacts takes the force, the one behind it its slope in time.
    """
    modes, contacts, small = tables.modes, tables.contacts, tables.small
    many, run = modes.shape[0], tables.run
    terms = min(int(run[FREE_TERMS]), by_fours(long_terms(late * run[QUICKEST], FINER * run[TOLERANCE])))
    lay_moments(kind, h, late, terms, contacts)
    carry_columns(late, terms, many, contacts, small)
    at = column_at(END_Q, many)
    for k in range(many):
        if modes[k, QUICK] != 0.0:
            small[at + k], small[at + many + k] = mode_inside(k, kind, h, t, late, modes, contacts)
    fill_columns_inside(late, state, many, small)
    at = column_at(state, many)
    q, v, w = small[at : at + many], small[at + many : at + 2 * many], small[at + 2 * many : at + 3 * many]
    for c in range(contacts.shape[0]):
        row = contacts[c]
        row[forces] = 0.0
        if row[STATUS] == CLOSED:
            if row[BY_QUARTIC] != 0.0:
                row[forces], row[forces + 1] = by_quartic(kind, h, late, row)
            else:
                overlap, rate = max(reach_sum(row, q) - row[GAP], 0.0), reach_sum(row, v)
                row[forces] = force(row, chi_of(row, rate), overlap, math.sqrt(overlap), rate)
                row[SEEN_OVERLAP], row[SEEN_RATE] = overlap, rate
            for k in range(many):
                w[k] -= row[LEVER + 2 * k + 1] * row[forces]
    fill_slopes_inside(state, many, small)
    for c in range(contacts.shape[0]):
        row = contacts[c]
        if row[STATUS] != CLOSED:
            row[forces + 1] = 0.0
        elif row[BY_QUARTIC] == 0.0:
            overlap, rate = row[SEEN_OVERLAP], row[SEEN_RATE]
            by_overlap, by_rate = slopes_of(row, chi_of(row, rate), overlap, math.sqrt(overlap), rate)
            climb = by_overlap * rate + by_rate * reach_sum(row, w)
            row[forces + 1] = climb if math.isfinite(climb) else 0.0


def fill_columns_inside(late: float, state: int, many: int, small: Vector) -> None:
    """Complete states of which q and q̇ stand in END_Q and behind it, as if no contact force acted."""
    at = column_at(END_Q, many)
    given, given_rate = small[at : at + many], small[at + many : at + 2 * many]
    at = column_at(CONSTANTS, many)
    square, twice, steady = (
        small[at : at + many],
        small[at + many : at + 2 * many],
        small[at + 2 * many : at + 3 * many],
    )
    load, slope = small[at + 3 * many : at + 4 * many], small[at + 4 * many : at + 5 * many]
    at = column_at(state, many)
    q, v, w = small[at : at + many], small[at + many : at + 2 * many], small[at + 2 * many : at + 3 * many]
    own = small[at + 3 * many : at + 4 * many]
    for k in range(many):
        q[k], v[k] = given[k], given_rate[k]
        part = -square[k] * given[k] - twice[k] * given_rate[k]
        w[k] = load[k] + slope[k] * late + part
        own[k] = steady[k] + part


def fill_slopes_inside(state: int, many: int, small: Vector) -> None:
    """Complete states by their last column, once accelerations are known."""
    at = column_at(CONSTANTS, many)
    square, twice = small[at : at + many], small[at + many : at + 2 * many]
    at = column_at(state, many)
    v, w, change = small[at + many : at + 2 * many], small[at + 2 * many : at + 3 * many], small[at + 4 * many :]
    for k in range(many):
        change[k] = -square[k] * v[k] - twice[k] * w[k]


def column_sum(floor: Vector, column: int, many: int, small: Vector) -> float:
    """Return Σ shape·x of a degree of freedom, where a column of `many` modes holds x."""
    first, last = int(floor[FIRST]), int(floor[LAST])
    at = column_at(column, many)
    return one_sum(floor[SHAPE + first : SHAPE + last], small[at + first : at + last])


def size_sum(floor: Vector, column: int, many: int, small: Vector) -> float:
    """Return Σ |shape|·x of a degree of freedom, where a column of `many` modes holds x."""
    first, last = int(floor[FIRST]), int(floor[LAST])
    at = column_at(column, many)
    return sum_of_sizes(floor[SHAPE + first : SHAPE + last], small[at + first : at + last])


@in_any_order
def sum_of_sizes(weights: Vector, values: Vector) -> float:
    """Return a sum of numbers weighted by sizes."""
    total = 0.0
    for k in range(weights.size):
        total += abs(weights[k]) * values[k]
    return total
