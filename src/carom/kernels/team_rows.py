"""Where the lane for teams keeps what: the rows of `rows`, with levers and shapes in the modes' rows.

What neighbouring threads read at the same time lies side by side: a contact's thread reads column REACH + c of one mode
after the other.
"""

from carom.kernels.collocation import TERMS
from carom.kernels.pair_step import STAGES
from carom.kernels.rows import (
    CREST,
    EXPANSION,
    PARTICIPATION,
    PROPAGATOR,
    Q_END,
    QUICK,
    QUICK_ANSWER,
    QUICK_RATE,
    SHAPE,
    SOUGHT,
    STORED_AT_START,
    TAYLOR,
    TRIED_IN_VAIN,
)

# a mode: a state is q, q̇, q̈, its part of absolute accelerations and the slope of that
OWN_END = Q_END + 3
CHANGE_END = Q_END + 4
SHAKEN = PARTICIPATION  # times the motion's scale
END_LOAD = QUICK  # at the end of the sample; no mode of this lane is quick
MISSED = PROPAGATOR + 4  # difference of both orders of the method in the velocity, behind what `pair` has there
ASTRAY = PROPAGATOR + 5  # and in the displacement
STAGE_Q = PROPAGATOR + 6  # at the stage under way
STAGE_V = PROPAGATOR + 7
# in contact there is no series
STAGE = EXPANSION  # accelerations at the stages of a step
GAINED = STAGE + STAGES  # in a step: work of the load, and what damping took
LOST = GAINED + 1
WILDEST = EXPANSION + TERMS  # the largest |q̈| at the stages of a step
REACH = WILDEST + 1  # of every contact, then the shape at every degree of freedom

# a contact
HITS = CREST  # impacts so far, their impulses and largest force
SUM_OF_IMPULSES = CREST + 1
LARGEST = CREST + 2
GUARDED_HITS = CREST + 3  # those whose damping the guard on v0 changed
LEAST = QUICK_ANSWER  # the smallest energy that one took [J], and the largest overlap in units of SCALE
DEEPEST_HIT = QUICK_RATE
END_HELD = TRIED_IN_VAIN  # at the end of a step: energy in the spring [J] and damping part of the force [N]
END_RESISTS = STORED_AT_START  # contacts closed at the start are not for this lane
HERE = TAYLOR + TERMS  # overlap now, also while open [m]
THERE = HERE + 1  # and at the end of the sample
CROSSING = HERE + 2  # when in a stretch it closes or opens, −1: it does not
# in contact there is no series
EVENT = TAYLOR  # what happens to it first in a step, and when
WHEN = TAYLOR + 1
WANTED = TAYLOR + 2  # the step it would like: length, 1: to end at δ = 0
AIMED = TAYLOR + 3
CHI = TAYLOR + 4
STAGE_FORCE = TAYLOR + 5
JERK = TAYLOR + 6  # third derivative of the overlap at the start of a step, and at its end
END_JERK = TAYLOR + 7
BOUND = TAYLOR + 8  # of |δ̈| in a step, while open [m/s²]


def odd(size: int) -> int:
    """Return the next odd number: rows of such a length begin in different banks of a GPU's memory."""
    return size | 1


CONTACT_SIZE = odd(CROSSING + 1)

# a degree of freedom: peaks, state at the start of a stretch, first and last mode
RAMP = SOUGHT  # slope of its load over the sample
FLOOR_SIZE = SHAPE


def mode_size(contacts: int, dofs: int) -> int:
    """Return the length of a mode's row."""
    return odd(REACH + contacts + dofs)
