"""Where an internal spring keeps what: the rule's numbers first, then the memory of its path."""

KIND = 0
STIFFNESS = 1  # k of the elastic spring, or of the stop [N/m]
LIMIT = 2  # d_y, or the gap g [m]
SHARE = 3  # α
BETA = 4  # β of Bouc-Wen, η of Ramberg-Osgood
GAMMA = 5
POWER = 6  # n of Bouc-Wen, exponent of Ramberg-Osgood, that of the unloading stiffness of Takeda
GIVEN = 7  # how many a structure states
# where the last step ended
AT = 7  # the drift [m]
HELD = 8  # z − d [m] of bilinear, z [m] of Bouc-Wen, f [N] of Ramberg-Osgood and Takeda, r [N] of a stop
DIRECTION = 9  # of the last movement: 1, −1, or 0 before any
# Takeda
PEAK_UP = 10  # farthest drifts either way [m]
PEAK_DOWN = 11
TURN = 12  # where the last unloading began: drift and force
TURN_FORCE = 13
# Ramberg-Osgood
COUNT = 14  # reversals whose loops are still open, then drift and force of each
POINTS = 15
MOST_POINTS = 12
SPRING_SIZE = POINTS + 2 * MOST_POINTS

BILINEAR = 1.0
BOUC_WEN = 2.0
GAP_STOP = 3.0
HOOK_STOP = 4.0
RAMBERG_OSGOOD = 5.0
TAKEDA = 6.0
