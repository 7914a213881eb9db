"""Where a run of a scene stands: the places of `Motion.clock`."""

SAMPLE = 0  # start of the sample [s]
PAST = 1  # time since then [s]
STEP = 2  # the length of the next step [s]
KIND = 3  # how its time runs (`contact.collocation`)
TRAVEL = 4  # how far two points of the scene may have moved to each other so far, at most [m]
CHECK = 5  # when the printed rule of friction looks next [s]
CHECK_STEP = 6  # how often it does [s]; 0: no contact follows it
LENGTH = 7  # of the step that `Motion` holds [s]
ALL_STEPS = 8  # in contact or not
EVENTS = 9
IDLE = 10  # events without a step between them
AHEAD = 11  # TRAVEL at the end of the step, at most [m]
CLOCK_SIZE = 12
