"""Many runs of the engine, one after another, of which only the account is kept.

What runs share lies in stores: structures as they are assembled, coefficients of laws, gaps, ground motions, scales. A
run is a row of picks, whole numbers that say which of each; its tables are put together in scratch, so that a million
runs need little more memory than their results.
"""

import math
from typing import NamedTuple, TypeAlias

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
from carom.kernels.tables import Histories, Shaking, Tables
from carom.kernels.types import Codes, Matrix, Vector

Store: TypeAlias = npt.NDArray[np.float64]
"""Tables one behind the other (k, m, n), C order."""
Picks: TypeAlias = npt.NDArray[np.int64]
"""Rows of whole numbers (m, n), C order."""


class Stores(NamedTuple):
    """What runs share, and pick from."""

    modes: Store
    """Of each structure: the first MODE_GIVEN columns of its modes (`rows`)."""
    levers: Store
    """Of each structure: columns from LEVER on of its contacts."""
    floors: Store
    """Of each structure: columns from FIRST on of its degrees of freedom."""
    masses: Matrix
    """Of each structure: the effective mass of each contact [kg]."""
    laws: Store
    """Sets of laws: a row of coefficients for each contact (`power_law`)."""
    gaps: Matrix
    """Sets of gaps: one for each contact [m]."""
    factors: Vector
    """Factors by which ground motions are multiplied."""
    support: Picks
    """Of each structure: for each mode, the row of a ground motion that drives it."""
    grounds: Store
    """Ground motions: their rows of acceleration, along whichever directions modes are driven [m/s²]."""
    dt: float
    """The time between two samples [s]."""


class Results(NamedTuple):
    """What comes out of a batch, a row for each run."""

    table: Matrix
    """Account and peaks of each run (`result_size`)."""
    ended: Codes
    """How each run ended (`endings`)."""


# a row of picks
PLACE = 0  # the row of the results
STRUCTURE = 1
LAW = 2
GAPS = 3
MOTION = 4
FACTOR = 5
PICK_SIZE = 6

# a row of results: the first columns of the run's account (`ledger`), without when it ended and what was wrong; then
# three peaks for each degree of freedom
ACCOUNT_KEPT = REACHED  # number of columns kept of the account

# what is given of a structure: these columns of a mode, and all from these on of a contact and of a degree of freedom
MODE_GIVEN = V + 1
CONTACT_GIVEN = LEVER
FLOOR_GIVEN = FIRST


def result_size(dofs: int) -> int:
    """Return the length of a row of results."""
    return ACCOUNT_KEPT + 3 * dofs


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


def put_together(pick: Codes, stores: Stores, tables: Tables) -> None:
    """Fill the tables with what a run takes; a table of contacts without rows is left so."""
    contacts = tables.contacts
    clear(tables.modes)
    clear(contacts)
    clear(tables.pairs)
    clear(tables.floors)
    for j in range(tables.small.size):
        tables.small[j] = 0.0
    structure, law = pick[STRUCTURE], pick[LAW]
    put(stores.modes[structure], 0, tables.modes)
    put(stores.levers[structure], CONTACT_GIVEN, contacts)
    put(stores.floors[structure], FLOOR_GIVEN, tables.floors)
    for c in range(contacts.shape[0]):
        for j in range(LAW_SIZE):
            contacts[c, j] = stores.laws[law, c, j]
        contacts[c, GAP] = stores.gaps[pick[GAPS], c]
        contacts[c, EFFECTIVE_MASS] = stores.masses[structure, c]


def keep(run: Vector, floors: Matrix, found: Vector) -> bool:
    """Write a row of results; return whether all of it is finite."""
    finite = True
    for i in range(ACCOUNT_KEPT):
        found[i] = run[i]
        finite = finite and math.isfinite(run[i])
    for d in range(floors.shape[0]):
        for j in range(3):
            found[ACCOUNT_KEPT + 3 * d + j] = floors[d, PEAKS + j]
            finite = finite and math.isfinite(floors[d, PEAKS + j])
    return finite


def pound_batch(
    picks: Picks, stores: Stores, tolerance: float, limit: float, tables: Tables, histories: Histories, results: Results
) -> None:
    """Run all rows of `picks`, with this tolerance and limit of steps; each writes its results where it says.

    `tables` are scratch; without rows for contacts the runs are twins of those that pound: the same structures, far
    enough apart never to meet. Histories have no rows.
    """
    for i in range(picks.shape[0]):
        pick = picks[i]
        put_together(pick, stores, tables)
        put_settings(tolerance, limit, tables.run)
        support = stores.support[pick[STRUCTURE]]
        shaking = Shaking(support, stores.grounds[pick[MOTION]], stores.factors[pick[FACTOR]], stores.dt)
        status = pound(tables, shaking, histories)
        finite = keep(tables.run, tables.floors, results.table[pick[PLACE]])
        results.ended[pick[PLACE]] = NOT_FINITE if status == FINISHED and not finite else status
