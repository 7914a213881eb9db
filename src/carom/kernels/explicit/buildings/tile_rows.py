"""Where modes of buildings keep what in contact, eight side by side: the lines of a tile.

The tiles are those of `event.clear_flight`, one for one, and lie behind its reaches in the scratch. They hold what
explicit steps need of a mode, a line of eight numbers for each quantity. Places without a mode hold zeros.
"""

from carom.kernels.explicit.tableau import STAGES

LINE = 8  # numbers in a line

# worked out once
STIFF = 0 * LINE  # ω² [1/s²]
DAMPED = 1 * LINE  # 2σ [1/s]
MASS_OF = 2 * LINE  # 1, or 0 for a prescribed motion
STEADY_LOAD = 3 * LINE  # constant load [√kg·m/s²]
WIDELY = 4 * LINE  # the largest |reach| of any contact (`rows.WIDEST`)
# of the sample
SAMPLE_LOAD = 5 * LINE  # the load at its start
RAMP = 6 * LINE  # how fast it changes
# the present, and the step under way
PLACE = 7 * LINE  # q, q̇, and the slope of q̈ but for the load's
RATE = 8 * LINE
CHANGES = 9 * LINE
STAGE = 10 * LINE  # q̈ at the stages; the first one is the present, the last one the end
LAST_STAGE = STAGE + (STAGES - 1) * LINE
TRIED_PLACE = LAST_STAGE + LINE  # q and q̇ at the stage under way: after the last one, at the end
TRIED_RATE = TRIED_PLACE + LINE
AGAINST = TRIED_PLACE + 2 * LINE  # Σ reach·F, then q̈
GAINED = TRIED_PLACE + 3 * LINE  # in a step: work of the load, and what damping took
LOST = TRIED_PLACE + 4 * LINE
MISSED = TRIED_PLACE + 5 * LINE  # difference of both orders of the method in the velocity, and in the displacement
ASTRAY = TRIED_PLACE + 6 * LINE
WILDEST = TRIED_PLACE + 7 * LINE  # the largest |q̈| at the stages
PUSHED = MISSED  # of a step that is made good, which needs MISSED no more: 1 where a contact or dashpot pushes
END_OWN = TRIED_PLACE + 8 * LINE  # at the end: the mode's part of absolute accelerations, and its slope
END_CHANGES = TRIED_PLACE + 9 * LINE
STEP_TILE = TRIED_PLACE + 10 * LINE  # how long a tile is
