"""Many runs of the explicit engine, or one with its histories: what `event.runs` does for the general engine."""

from carom.kernels.endings import FINISHED, UNUSUAL
from carom.kernels.event.batch import (
    FACTOR,
    GAPS,
    LAW,
    MODE_GIVEN,
    MOTION,
    PLACE,
    STRUCTURE,
    Picks,
    Results,
    Stores,
    keep,
)
from carom.kernels.event.runs import pound_runs
from carom.kernels.explicit.engine import pound
from carom.kernels.explicit.rows import FIRST_MODE, LAST_MODE, REACH, SHAPES
from carom.kernels.explicit.warp import meet, place, takes, turns
from carom.kernels.laws.power_law import SIZE as LAW_SIZE
from carom.kernels.ledger import put_settings
from carom.kernels.rows import EFFECTIVE_MASS, FIRST, GAP, LAST, SHAPE
from carom.kernels.tables import Histories, Shaking, Tables
from carom.kernels.types import Codes


def put_together(pick: Codes, stores: Stores, tables: Tables) -> None:
    """Fill the tables with what a run takes."""
    modes, contacts, floors = tables.modes, tables.contacts, tables.floors
    structure, law = pick[STRUCTURE], pick[LAW]
    count = contacts.shape[0]
    for turn in range(turns(modes.shape[0])):
        k = place(turn)
        if k < modes.shape[0]:
            row = modes[k]
            for j in range(row.size):
                row[j] = 0.0
            for j in range(MODE_GIVEN):
                row[j] = stores.modes[structure, k, j]
            for c in range(count):
                row[REACH + c] = stores.levers[structure, c, 2 * k]
    for turn in range(turns(count)):
        c = place(turn)
        if c < count:
            row = contacts[c]
            for j in range(row.size):
                row[j] = 0.0
            for j in range(LAW_SIZE):
                row[j] = stores.laws[law, c, j]
            row[GAP] = stores.gaps[pick[GAPS], c]
            row[EFFECTIVE_MASS] = stores.masses[structure, c]
    for turn in range(turns(floors.shape[0])):
        d = place(turn)
        if d < floors.shape[0]:
            row = floors[d]
            for j in range(row.size):
                row[j] = 0.0
            first, last = stores.floors[structure, d, 0], stores.floors[structure, d, LAST - FIRST]
            row[FIRST_MODE], row[LAST_MODE] = first, last
            for k in range(int(first), int(last)):
                row[SHAPES + k - int(first)] = stores.floors[structure, d, SHAPE - FIRST + k]
    meet()


def run_batch(
    picks: Picks, stores: Stores, tolerance: float, limit: float, tables: Tables, histories: Histories, results: Results
) -> int:
    """Run all rows of `picks` as `event.batch.pound_batch` does; runs that this engine cannot take end as UNUSUAL.

    Without any, run the tables as they are under the first ground motion, with histories; return how that ended.
    """
    count = picks.shape[0]
    for i in range(max(count, 1)):
        structure, motion, factor = 0, 0, 0
        if count > 0:
            put_together(picks[i], stores, tables)
            put_settings(tolerance, limit, tables.run)
            structure, motion, factor = picks[i, STRUCTURE], picks[i, MOTION], picks[i, FACTOR]
        shaking = Shaking(stores.support[structure], stores.grounds[motion], stores.factors[factor], stores.dt)
        status = pound(tables, shaking, histories)
        if count == 0:
            return status
        meet()
        if takes(0):
            row = picks[i, PLACE]
            finite = keep(tables.run, tables.floors, results.table[row])
            results.ended[row] = UNUSUAL if status == FINISHED and not finite else status
        meet()
    return FINISHED


def pair_batch(
    picks: Picks, stores: Stores, tolerance: float, limit: float, tables: Tables, histories: Histories, results: Results
) -> int:
    """Run pairs: `run_batch` with the functions of `pairs.parts` put in."""
    return run_batch(picks, stores, tolerance, limit, tables, histories, results)


def several_batch(
    picks: Picks, stores: Stores, tolerance: float, limit: float, tables: Tables, histories: Histories, results: Results
) -> int:
    """Run whatever has a contact: `run_batch` as it is."""
    return run_batch(picks, stores, tolerance, limit, tables, histories, results)


def building_batch(
    picks: Picks, stores: Stores, tolerance: float, limit: float, tables: Tables, histories: Histories, results: Results
) -> int:
    """Run buildings: `event.runs.pound_runs` with the functions of `buildings.parts` put in."""
    return pound_runs(picks, stores, tolerance, limit, tables, histories, results)
