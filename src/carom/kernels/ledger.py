"""Where a run writes what happened: columns of the impacts table, of the energy ledger and of the run's own row."""

from carom.kernels.rows import (
    IMPULSE,
    OPEN,
    PEAK_FORCE,
    PEAK_OVERLAP,
    RELEASED,
    START,
    STATUS,
    TOUCH_RATE,
    WORK,
)
from carom.kernels.types import Matrix, Vector

# how a run ended
FINISHED = 0
STEP_LIMIT = 3
NOT_FINITE = 4

# columns of the impacts table
CONTACT = 0
BEGAN = 1
DURATION = 2
APPROACH = 3
SEPARATION = 4
TABLE_PEAK_FORCE = 5
TABLE_PEAK_OVERLAP = 6
TABLE_IMPULSE = 7
ENERGY_LOST = 8
IMPACT_SIZE = 9

# the run's row: the energy ledger first
INPUT = 0
KINETIC = 1
STRAIN = 2
DAMPING = 3
CONTACT_WORK = 4
LEDGER_SIZE = 5
# counters and extremes
STEPS = 5
REJECTED = 6
IMPACTS = 7
LARGEST_FORCE = 8
TOTAL_IMPULSE = 9
# settings and what steps in contact share
TOLERANCE = 10
LIMIT = 11  # steps, tried ones and touches included
QUICKEST = 12  # frequency of the quickest of the other modes [rad/s]
QUICK_MODES = 13  # how many
STEP = 14  # the length of the next step in contact [s]
LONGEST = 15  # and the most it may be for power series to keep the tolerance
JUMPED = 16  # 1: forces may have jumped since peaks were last looked at
RUN_SIZE = 17


def end_contact(
    contact: int, released: bool, now: float, rate: float, row: Vector, impacts: Matrix, run: Vector
) -> None:
    """Close the book of an impact and enter its row in the impacts table, while there is room."""
    line = int(run[IMPACTS])
    run[IMPACTS] += 1.0
    run[TOTAL_IMPULSE] += row[IMPULSE]
    run[LARGEST_FORCE] = max(run[LARGEST_FORCE], row[PEAK_FORCE])
    if line < impacts.shape[0]:
        impacts[line, CONTACT] = contact
        impacts[line, BEGAN] = row[START]
        impacts[line, DURATION] = now - row[START]
        impacts[line, APPROACH] = row[TOUCH_RATE]
        impacts[line, SEPARATION] = -rate
        impacts[line, TABLE_PEAK_FORCE] = row[PEAK_FORCE]
        impacts[line, TABLE_PEAK_OVERLAP] = row[PEAK_OVERLAP]
        impacts[line, TABLE_IMPULSE] = row[IMPULSE]
        impacts[line, ENERGY_LOST] = row[WORK]
    row[STATUS] = RELEASED if released else OPEN


def write_balance(kinetic: float, strain: float, spent: float, run: Vector, line: Vector) -> None:
    """Enter where the energy is at a sample; `spent` is what damping has taken [J]."""
    line[INPUT], line[CONTACT_WORK] = run[INPUT], run[CONTACT_WORK]
    line[KINETIC], line[STRAIN], line[DAMPING] = kinetic, strain, spent
