"""Many runs of the fast path for pairs: what `event.batch` does for the general engine."""

from carom.kernels.endings import FINISHED, UNUSUAL
from carom.kernels.event.batch import FACTOR, MOTION, PLACE, Picks, Results, Stores, keep, put_together
from carom.kernels.explicit.pair_run import pound_pair
from carom.kernels.ledger import put_settings
from carom.kernels.tables import Histories, Shaking, Tables


def pair_batch(
    picks: Picks, stores: Stores, tolerance: float, limit: float, tables: Tables, histories: Histories, results: Results
) -> None:
    """Run all rows of `picks` as `event.batch.pound_batch` does; runs that this path cannot take end as UNUSUAL."""
    for i in range(picks.shape[0]):
        pick = picks[i]
        put_together(pick, stores, tables)
        put_settings(tolerance, limit, tables.run)
        shaking = Shaking(stores.support, stores.grounds[pick[MOTION]], stores.factors[pick[FACTOR]], stores.dt)
        status = pound_pair(tables, shaking, histories.impacts)
        finite = keep(tables.run, tables.floors, results.table[pick[PLACE]])
        results.ended[pick[PLACE]] = UNUSUAL if status == FINISHED and not finite else status
