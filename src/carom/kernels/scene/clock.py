"""Where a run of a scene stands: the places of `Motion.clock`."""

SAMPLE = 0  # start of the sample [s]
PAST = 1  # time since then [s]
STEP = 2  # the length of the next step [s]
KIND = 3  # how its time runs (`contact.collocation`)
TRAVEL = 4  # how far any point of the scene may have moved so far, at most [m]
NEXT = 5  # the TRAVEL at which the next contact that sleeps is to be looked at [m]
CHECK = 6  # when the printed rule of friction looks next [s]
CHECK_STEP = 7  # how often it does [s]; 0: no contact follows it
LENGTH = 8  # of the step that `Motion` holds [s]
ALL_STEPS = 9  # in contact or not
EVENTS = 10
IDLE = 11  # events without a step between them
AHEAD = 12  # TRAVEL at the end of the step, at most [m]
BEND = 13  # what `nearness.bend_of_step` gives of the step at hand [m]; below 0: not asked yet
CLOCK_SIZE = 14
