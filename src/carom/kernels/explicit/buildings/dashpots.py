"""Dashpots between modes in explicit steps of buildings: rows of the contacts' table that are TIED, behind contacts.

A dashpot takes of the modes a rate r = Σ reach·q̇ and loads them with −push·F, F = c r: one number in, one number out,
as a contact does, but it has no events, and no say in how long a step is. The quickest complex mode has
(`takes_on`, with what `damped` tells it).

Where a problem has none, `tied` is false whatever the row, and the compiler drops what is asked of dashpots.
"""

from carom.kernels.explicit.peaks import between
from carom.kernels.explicit.rows import (
    END_BEND,
    END_CLIMB,
    END_FORCE,
    END_JERK,
    END_PACE,
    JERK,
    STAGE_FORCE,
    STEP_WORK,
    THERE,
)
from carom.kernels.laws.power_law import DAMPING
from carom.kernels.rows import BEND, FORCE, PACE, STATUS, TIED
from carom.kernels.types import Vector


def tied(row: Vector) -> bool:  # noqa: ARG001 the signature is that of `really_tied`
    """Return whether a row of the contacts' table is a dashpot: none is, unless `really_tied` is put in here."""
    return False


def really_tied(row: Vector) -> bool:
    """Return whether a row of the contacts' table is a dashpot."""
    return bool(row[STATUS] == TIED)


def settle_hold(rate: float, row: Vector) -> None:
    """Write the present rate of a dashpot and its force."""
    row[PACE], row[FORCE] = rate, row[DAMPING] * rate


def begin_hold(share: float, row: Vector) -> None:
    """Enter what a dashpot does at the first stage of a step, whose weight is `share`."""
    row[STEP_WORK] = share * row[FORCE] * row[PACE]
    row[STAGE_FORCE] = 0.0


def hold(share: float, rate: float, row: Vector) -> None:
    """Write the force of a dashpot at a stage, by its rate; the last stage is the end of the step."""
    row[END_PACE] = rate
    row[STAGE_FORCE] = row[END_FORCE] = row[DAMPING] * rate
    row[STEP_WORK] += share * row[END_FORCE] * rate


def end_hold(h: float, bend: float, row: Vector) -> None:
    """Write how rate and force of a dashpot change at the end of a step of length `h`, and what it took meanwhile."""
    row[END_BEND], row[END_CLIMB] = bend, row[DAMPING] * bend
    row[STEP_WORK] *= h
    row[THERE] = 0.0


def force_in_hold(kind: int, h: float, s: float, row: Vector) -> float:
    """Return the force of a dashpot inside a step [N]."""
    start, end = row[PACE], row[END_PACE]
    return row[DAMPING] * between(kind, h, s, start, row[BEND], row[JERK], end, row[END_BEND], row[END_JERK])
