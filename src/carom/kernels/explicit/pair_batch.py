"""Many runs of the fast path for pairs: what `event.batch` does for the general engine."""

from carom.kernels.endings import FINISHED, UNUSUAL
from carom.kernels.event.batch import FACTOR, MOTION, PLACE, Picks, Store, keep, put_together
from carom.kernels.explicit.pair_run import pound_pair
from carom.kernels.ledger import (
    put_settings,
)
from carom.kernels.types import Codes, Matrix, Vector


def pair_batch(
    picks: Picks, given_modes: Store, levers: Store, given_floors: Store, masses: Matrix, laws: Store, gaps: Matrix,
    factors: Vector, support: Codes, grounds: Store, dt: float, tolerance: float, limit: float,
    modes: Matrix, contacts: Matrix, pairs: Matrix, floors: Matrix, small: Vector, nothing: Matrix, run: Vector,
    found: Matrix, ended: Codes,
) -> None:  # fmt: skip
    """Run all rows of `picks`; each writes its results and how it ended where it says, UNUSUAL for those left over."""
    for i in range(picks.shape[0]):
        pick = picks[i]
        put_together(
            pick, given_modes, levers, given_floors, masses, laws, gaps, modes, contacts, pairs, floors, small
        )  # fmt: skip
        put_settings(tolerance, limit, run)
        status = pound_pair(
            modes, contacts, floors, small, support, grounds[pick[MOTION]], factors[pick[FACTOR]], dt, nothing, run
        )  # fmt: skip
        finite = keep(run, floors, found[pick[PLACE]])
        ended[pick[PLACE]] = UNUSUAL if status == FINISHED and not finite else status
