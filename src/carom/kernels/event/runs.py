"""The engine as it is compiled: one kernel for ordinary problems, another for many structures or contacts."""

from carom.kernels.endings import FINISHED
from carom.kernels.event.batch import Picks, Results, Stores, pound_batch
from carom.kernels.event.engine import pound, pound_near
from carom.kernels.event.islands import pound_apart
from carom.kernels.tables import Histories, Islands, Near, Shaking, Tables


def pound_runs(
    picks: Picks, stores: Stores, tolerance: float, limit: float, tables: Tables, histories: Histories, results: Results
) -> int:
    """Run all rows of `picks` as `pound_batch` does; without any, run the tables as they are, and return how it ended.

    The one run takes the first ground motion and the first factor of the stores, and its settings from the tables;
    histories are its own. A batch leaves them alone.
    """
    if picks.shape[0] > 0:
        pound_batch(picks, stores, tolerance, limit, tables, histories, results)
        return FINISHED
    return pound(tables, Shaking(stores.support[0], stores.grounds[0], stores.factors[0], stores.dt), histories)


def pound_parts(tables: Tables, islands: Islands, near: Near, shaking: Shaking, histories: Histories) -> int:
    """Run one problem with many structures or many contacts; return how it ended.

    Where there are structures in `islands` they are worked on apart from each other; else steps in contact look at
    those contacts of `near` that may close.
    """
    if islands.root.size > 0:
        return pound_apart(tables, islands, shaking, histories)
    return pound_near(tables, near, shaking, histories)
