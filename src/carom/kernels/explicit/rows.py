"""Where the explicit engine keeps what: the rows of `kernels.rows`, with levers in the modes' rows.

What neighbouring threads of a GPU read at the same time lies side by side: a contact's thread reads column REACH + c of
one mode after the other. Rows are short, for as many warps as find room in a GPU's fast memory work at once: what is
not needed at the same time shares a column.
"""

from carom.kernels.contact.collocation import TERMS
from carom.kernels.explicit.tableau import STAGES
from carom.kernels.ledger import FREE_TERMS
from carom.kernels.rows import (
    CREST,
    EXPANSION,
    NOW,
    OVERLAP,
    PARTICIPATION,
    PROPAGATOR,
    Q_END,
    QUICK,
    QUICK_ANSWER,
    QUICK_RATE,
    RATTLE_FORCE,
    STATE,
    STORED_AT_START,
    TAYLOR,
    TRIED_IN_VAIN,
    V_END,
)

# a mode: a state is q, q̇, q̈, its part of absolute accelerations and the slope of that
OWN_END = Q_END + 3
CHANGE_END = Q_END + 4
SHAKEN = PARTICIPATION  # times the motion's scale
END_LOAD = QUICK  # at the end of the sample; no mode is quick here
# its answers over a whole sample (`modal.propagator`): to a unit velocity, impulse, step and ramp
SPEED_ANSWER = PROPAGATOR
IMPULSE_ANSWER = PROPAGATOR + 1
STEP_ANSWER = PROPAGATOR + 2
RAMP_ANSWER = PROPAGATOR + 3
MISSED = PROPAGATOR + 4  # difference of both orders of the method in the velocity
ASTRAY = PROPAGATOR + 5  # and in the displacement
WILDEST = PROPAGATOR + 6  # the largest |q̈| at the stages of a step
STAGE_Q = Q_END  # at the stage under way: the last one is the end
STAGE_V = V_END
# in contact there is no series
STAGE = EXPANSION  # accelerations at the stages of a step
GAINED = STAGE + STAGES  # in a step: work of the load, and what damping took
LOST = GAINED + 1
REACH = EXPANSION + TERMS  # of every contact
# in flight, when touches have been looked for: what a search for crests needs of a mode (`floors.write_terms`)
ONWARDS = MISSED  # terms four to seven of its power series from the start of a stretch on, then from its end back
BACKWARDS = ONWARDS + 4
SWAYS = ONWARDS + 8  # how far it and its first four derivatives leave their chords

# a contact
HITS = CREST  # impacts so far, their impulses and largest force
SUM_OF_IMPULSES = CREST + 1
LARGEST = CREST + 2
GUARDED_HITS = CREST + 3  # those whose damping the guard on v0 changed
LEAST = QUICK_ANSWER  # the smallest energy that one took [J], and the largest overlap in units of SCALE
DEEPEST_HIT = QUICK_RATE
PER_POWER = RATTLE_FORCE  # 1/(n + 1), worked out once
SURE_RATE = TAYLOR + TERMS  # rate of a touch [m/s] above which it has speed, unless bodies are pulled very hard
# at the end of the step under way, beside what `kernels.rows` has of its start
END_DEPTH = OVERLAP  # overlap [m], below zero where bodies are apart
END_PACE = OVERLAP + 1
END_BEND = OVERLAP + 2
END_FORCE = OVERLAP + 3
END_CLIMB = OVERLAP + 4
END_HELD = TRIED_IN_VAIN  # energy in the spring [J] and damping part of the force [N]
END_RESISTS = STORED_AT_START  # contacts closed at the start are not for this engine
# what the step adds up
STEP_IMPULSE = OVERLAP + 5
STEP_WORK = OVERLAP + 6
STEP_INPUT = OVERLAP + 7  # of a pair, whose modes have no such columns: work of the loads, and what damping took [J]
STEP_LOST = OVERLAP + 8
LOWEST = OVERLAP + 9  # the least force of a stage in restitution, and when
LOWEST_AT = OVERLAP + 10
FOLLOWING = OVERLAP + 11  # 1: χ follows the rate, a touch with little speed gathers some
CROSSING = END_DEPTH  # in flight, when in a stretch it closes or opens, −1: it does not
WANTED = LOWEST  # before a step is tried: the length it would like, 1: to end at δ = 0
AIMED = LOWEST_AT
# where it has no series: in contact, and while nobody is near
EVENT = TAYLOR  # what happens to it first in a step, and when
WHEN = TAYLOR + 1
HERE = TAYLOR + 2  # overlap now, also while open [m]
THERE = TAYLOR + 3  # and at the end of the sample or step
CHI = TAYLOR + 4
STAGE_FORCE = TAYLOR + 5
JERK = TAYLOR + 6  # third derivative of the overlap at the start of a step, and at its end
END_JERK = TAYLOR + 7
BOUND = TAYLOR + 8  # of |δ̈| in a step, while open [m/s²]

# a degree of freedom, behind its peaks and its state at the start of a stretch
LEEWAY = NOW + STATE  # how far its three quantities leave Hermite's curves in any flight so far, or more (`may_rise`)
FIRST_MODE = LEEWAY + 3  # the first mode that moves it, and the one after the last
LAST_MODE = FIRST_MODE + 1
SHAPES = FIRST_MODE + 2  # its shape in each of these

# the run's own row
EVEN_FREE = FREE_TERMS  # length of a plain step [s] up to which what it leaves out of a free vibration does not count

# scratch of a pair: accelerations at the stages of a step, of both modes and of the overlap between them
PAIR_STAGES = 3 * STAGES


def odd(size: int) -> int:
    """Return the next odd number: rows of such a length begin in different banks of a GPU's memory."""
    return size | 1


CONTACT_SIZE = odd(SURE_RATE + 1)


def mode_size(contacts: int) -> int:
    """Return the length of a mode's row."""
    return odd(REACH + contacts)


def floor_size(modes: int) -> int:
    """Return the length of a degree of freedom's row, where so many modes move one at most."""
    return odd(SHAPES + modes)
