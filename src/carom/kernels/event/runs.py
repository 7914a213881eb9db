"""The engine as processors run it: a batch, or one run with its histories. One kernel, so that it compiles once."""

from carom.kernels.endings import FINISHED
from carom.kernels.event.batch import Picks, Store, pound_batch
from carom.kernels.event.engine import pound
from carom.kernels.types import Codes, Matrix, Vector


def pound_runs(
    picks: Picks, given_modes: Store, levers: Store, given_floors: Store, masses: Matrix, laws: Store, gaps: Matrix,
    factors: Vector, support: Codes, grounds: Store, dt: float, tolerance: float, limit: float,
    modes: Matrix, contacts: Matrix, pairs: Matrix, floors: Matrix, small: Vector, nothing: Matrix, run: Vector,
    found: Matrix, ended: Codes,
    history_q: Matrix, history_v: Matrix, history_force: Matrix, ledger: Matrix, impacts: Matrix,
) -> int:  # fmt: skip
    """Run all rows of `picks` as `pound_batch` does; without any, run the tables as they are, and return how it ended.

    Histories are those of the one run; a batch leaves them alone.
    """
    if picks.shape[0] > 0:
        pound_batch(
            picks, given_modes, levers, given_floors, masses, laws, gaps, factors, support, grounds, dt, tolerance,
            limit, modes, contacts, pairs, floors, small, nothing, run, found, ended,
        )  # fmt: skip
        return FINISHED
    return pound(
        modes, contacts, pairs, floors, small, support, grounds[0], factors[0], dt,
        history_q, history_v, history_force, ledger, impacts, run,
    )  # fmt: skip
