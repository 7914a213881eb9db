"""The engine as processors run it: a batch, or one run with its histories. One kernel, so that it compiles once."""

from carom.kernels.endings import FINISHED
from carom.kernels.event.batch import Picks, Results, Stores, pound_batch
from carom.kernels.event.engine import pound_near
from carom.kernels.event.islands import pound_apart
from carom.kernels.tables import Histories, Islands, Near, Shaking, Tables


def pound_runs(
    picks: Picks, stores: Stores, tolerance: float, limit: float, tables: Tables, histories: Histories,
    results: Results, islands: Islands, near: Near,
) -> int:  # fmt: skip
    """Run all rows of `picks` as `pound_batch` does; without any, run the tables as they are, and return how it ended.

    The one run takes the first ground motion and the first factor of the stores, and its settings from the tables;
    histories are its own. A batch leaves them alone. Where there are structures in `islands` the one run works on them
    apart from each other, and where there are contacts in `near` steps in contact look at few of many.
    """
    if picks.shape[0] > 0:
        pound_batch(picks, stores, tolerance, limit, tables, histories, results)
        return FINISHED
    shaking = Shaking(stores.support, stores.grounds[0], stores.factors[0], stores.dt)
    if islands.root.size > 0:
        return pound_apart(tables, islands, shaking, histories)
    return pound_near(tables, near, shaking, histories)
