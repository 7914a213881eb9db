"""Many runs of the engine, one after another, of which only the account is kept.

What runs share lies in stores: structures as they are assembled, coefficients of laws, gaps, ground motions, scales. A
run is a row of picks, whole numbers that say which of each; its tables are put together in scratch, so that a million
runs need little more memory than their results.
"""

import math
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from carom.kernels.endings import FINISHED, NOT_FINITE
from carom.kernels.event.engine import pound
from carom.kernels.laws.power_law import SIZE as LAW_SIZE
from carom.kernels.ledger import (
    REACHED,
    put_settings,
)
from carom.kernels.rows import EFFECTIVE_MASS, FIRST, GAP, LEVER, PEAKS, V
from carom.kernels.types import Codes, Matrix, Vector

Store: TypeAlias = npt.NDArray[np.float64]
"""Tables one behind the other (k, m, n), C order."""
Picks: TypeAlias = npt.NDArray[np.int64]
"""Rows of whole numbers (m, n), C order."""

# a row of picks
PLACE = 0  # the row of the results
STRUCTURE = 1
LAW = 2
GAPS = 3
MOTION = 4
FACTOR = 5
PICK_SIZE = 6

# a row of results: the run's account as in `ledger`, but when it ended and what was wrong, then three peaks for each
# degree of freedom
ACCOUNT_SIZE = REACHED

# what is given of a structure: these columns of a mode, and all from these on of a contact and of a degree of freedom
MODE_GIVEN = V + 1
CONTACT_GIVEN = LEVER
FLOOR_GIVEN = FIRST


def result_size(dofs: int) -> int:
    """Return the length of a row of results."""
    return ACCOUNT_SIZE + 3 * dofs


def clear(table: Matrix) -> None:
    """Set a table to zero."""
    for i in range(table.shape[0]):
        for j in range(table.shape[1]):
            table[i, j] = 0.0


def put(given: Matrix, first: int, table: Matrix) -> None:
    """Copy what is given into the rows of a table, from column `first` on."""
    for i in range(table.shape[0]):
        for j in range(given.shape[1]):
            table[i, first + j] = given[i, j]


def put_together(
    pick: Codes, given_modes: Store, levers: Store, given_floors: Store, masses: Matrix, laws: Store, gaps: Matrix,
    modes: Matrix, contacts: Matrix, pairs: Matrix, floors: Matrix, small: Vector,
) -> None:  # fmt: skip
    """Fill the scratch tables with what a run takes; a table of contacts without rows is left so."""
    clear(modes)
    clear(contacts)
    clear(pairs)
    clear(floors)
    for j in range(small.size):
        small[j] = 0.0
    structure, law = pick[STRUCTURE], pick[LAW]
    put(given_modes[structure], 0, modes)
    put(levers[structure], CONTACT_GIVEN, contacts)
    put(given_floors[structure], FLOOR_GIVEN, floors)
    for c in range(contacts.shape[0]):
        for j in range(LAW_SIZE):
            contacts[c, j] = laws[law, c, j]
        contacts[c, GAP] = gaps[pick[GAPS], c]
        contacts[c, EFFECTIVE_MASS] = masses[structure, c]


def keep(run: Vector, floors: Matrix, found: Vector) -> bool:
    """Write a row of results; return whether all of it is finite."""
    finite = True
    for i in range(ACCOUNT_SIZE):
        found[i] = run[i]
        finite = finite and math.isfinite(run[i])
    for d in range(floors.shape[0]):
        for j in range(3):
            found[ACCOUNT_SIZE + 3 * d + j] = floors[d, PEAKS + j]
            finite = finite and math.isfinite(floors[d, PEAKS + j])
    return finite


def pound_batch(
    picks: Picks, given_modes: Store, levers: Store, given_floors: Store, masses: Matrix, laws: Store, gaps: Matrix,
    factors: Vector, support: Codes, grounds: Store, dt: float, tolerance: float, limit: float,
    modes: Matrix, contacts: Matrix, pairs: Matrix, floors: Matrix, small: Vector, nothing: Matrix, run: Vector,
    found: Matrix, ended: Codes,
) -> None:  # fmt: skip
    """Run all rows of `picks`; each writes its results and how it ended where it says.

    `modes` to `small` and `run` are scratch; without rows for contacts the runs are twins that never pound. `nothing`
    has no rows.
    """
    for i in range(picks.shape[0]):
        pick = picks[i]
        put_together(
            pick, given_modes, levers, given_floors, masses, laws, gaps, modes, contacts, pairs, floors, small
        )  # fmt: skip
        put_settings(tolerance, limit, run)
        status = pound(
            modes, contacts, pairs, floors, small, support, grounds[pick[MOTION]], factors[pick[FACTOR]], dt,
            nothing, nothing, nothing, nothing, nothing, run,
        )  # fmt: skip
        finite = keep(run, floors, found[pick[PLACE]])
        ended[pick[PLACE]] = NOT_FINITE if status == FINISHED and not finite else status
