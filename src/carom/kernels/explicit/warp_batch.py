"""Many runs of the fast path for warps: what `event.batch` does for the general engine."""

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
    Store,
    keep,
)
from carom.kernels.explicit.warp import meet, place, takes, turns
from carom.kernels.explicit.warp_rows import FIRST_MODE, LAST_MODE, REACH, SHAPES
from carom.kernels.explicit.warp_run import pound_warp
from carom.kernels.laws.power_law import SIZE as LAW_SIZE
from carom.kernels.ledger import (
    put_settings,
)
from carom.kernels.rows import EFFECTIVE_MASS, FIRST, GAP, LAST, SHAPE
from carom.kernels.types import Codes, Matrix, Vector


def put_together(
    pick: Codes, given_modes: Store, levers: Store, given_floors: Store, masses: Matrix, laws: Store, gaps: Matrix,
    modes: Matrix, contacts: Matrix, floors: Matrix,
) -> None:  # fmt: skip
    """Fill the tables with what a run takes."""
    structure, law = pick[STRUCTURE], pick[LAW]
    count = contacts.shape[0]
    for turn in range(turns(modes.shape[0])):
        k = place(turn)
        if k < modes.shape[0]:
            row = modes[k]
            for j in range(row.size):
                row[j] = 0.0
            for j in range(MODE_GIVEN):
                row[j] = given_modes[structure, k, j]
            for c in range(count):
                row[REACH + c] = levers[structure, c, 2 * k]
    for turn in range(turns(count)):
        c = place(turn)
        if c < count:
            row = contacts[c]
            for j in range(row.size):
                row[j] = 0.0
            for j in range(LAW_SIZE):
                row[j] = laws[law, c, j]
            row[GAP] = gaps[pick[GAPS], c]
            row[EFFECTIVE_MASS] = masses[structure, c]
    for turn in range(turns(floors.shape[0])):
        d = place(turn)
        if d < floors.shape[0]:
            row = floors[d]
            for j in range(row.size):
                row[j] = 0.0
            first, last = given_floors[structure, d, 0], given_floors[structure, d, LAST - FIRST]
            row[FIRST_MODE], row[LAST_MODE] = first, last
            for k in range(int(first), int(last)):
                row[SHAPES + k - int(first)] = given_floors[structure, d, SHAPE - FIRST + k]
    meet()


def warp_batch(
    picks: Picks, given_modes: Store, levers: Store, given_floors: Store, masses: Matrix, laws: Store, gaps: Matrix,
    factors: Vector, support: Codes, grounds: Store, dt: float, tolerance: float, limit: float,
    modes: Matrix, contacts: Matrix, pairs: Matrix, floors: Matrix, small: Vector, nothing: Matrix, run: Vector,
    found: Matrix, ended: Codes,
) -> None:  # fmt: skip
    """Run all rows of `picks`; each writes its results and how it ended where it says, UNUSUAL for those left over."""
    for i in range(picks.shape[0]):
        pick = picks[i]
        put_together(pick, given_modes, levers, given_floors, masses, laws, gaps, modes, contacts, floors)
        put_settings(tolerance, limit, run)
        status = pound_warp(modes, contacts, floors, support, grounds[pick[MOTION]], factors[pick[FACTOR]], dt, run)
        meet()
        if takes(0):
            finite = keep(run, floors, found[pick[PLACE]])
            ended[pick[PLACE]] = UNUSUAL if status == FINISHED and not finite else status
        meet()
