"""Where the lane for teams keeps what: the rows of `rows`, with levers and shapes in the modes' rows.

What neighbouring threads read at the same time lies side by side: a contact's thread reads column REACH + c of one mode
after the other.
"""

from carom.kernels.collocation import TERMS
from carom.kernels.pair_step import FOLLOWING, STAGES
from carom.kernels.rows import CREST, MODE_SIZE, NOW, Q_END, SERIES, STATE, TAYLOR, TRIAL

# a mode: a state is q, q̇, q̈, its part of absolute accelerations and the slope of that
OWN_END = Q_END + 3
CHANGE_END = Q_END + 4
STAGE = TRIAL  # accelerations at the stages of a step
GAINED = TRIAL + STAGES  # in a step: work of the load, and what damping took
LOST = GAINED + 1
MISSED = GAINED + 2  # difference of both orders of the method in the velocity
END_LOAD = SERIES  # at the end of the sample
SHAKEN = SERIES + 1  # participation times the motion's scale
STAGE_Q = SERIES + 2  # at the stage under way
STAGE_V = SERIES + 3
ASTRAY = SERIES + 4  # the difference of both orders in the displacement
REACH = MODE_SIZE  # of every contact, then the pushes, then the shape at every degree of freedom

# a contact
HITS = CREST  # impacts so far, their impulses and largest force
SUM_OF_IMPULSES = CREST + 1
LARGEST = CREST + 2
HERE = FOLLOWING + 1  # overlap now, also while open [m]
THERE = HERE + 1  # and at the end of the sample
CROSSING = HERE + 2  # when in a stretch it closes or opens, −1: it does not
EVENT = HERE + 3  # what happens to it first in a step, and when
WHEN = HERE + 4
WANTED = HERE + 5  # the step it would like: length, kind, 1: to end at δ = 0
WANTED_KIND = HERE + 6
AIMED = HERE + 7
CHI = HERE + 8
STAGE_FORCE = HERE + 9
ERROR = HERE + 10
JERK = HERE + 11  # third derivative of the overlap at the start of a step, and at its end
END_JERK = HERE + 12
CONTACT_SIZE = TAYLOR + TERMS

# a degree of freedom: peaks, state at the start of a stretch, first and last mode
RAMP = NOW + STATE + 2  # slope of its load over the sample
FLOOR_SIZE = RAMP + 1


def odd(size: int) -> int:
    """Return the next odd number: rows of such a length begin in different banks of a GPU's memory."""
    return size | 1


def mode_size(contacts: int, dofs: int) -> int:
    """Return the length of a mode's row."""
    return odd(REACH + 2 * contacts + dofs)
