"""What kernels say of their work, as numbers: how a run or an impact ended, whether equations were solved, what was
found wrong. Each number has one meaning, whatever the scheme.
"""

# how a run ended
FINISHED = 0
STEP_LIMIT = 3
NOT_FINITE = 4
UNTRUSTED = 5  # it contradicts itself
NO_SOLUTION = 6  # Newton's method does not find the forces of a step
SINGULAR = 7  # the equations of a step are singular
UNDERFLOW = 8  # the step became too short
NOT_COMPLEMENTARY = 9  # the impulses of contacts struck together were not found
UNUSUAL = 10  # a fast path leaves the run to the general engine

# how a single impact ended; or at STEP_LIMIT, or NOT_FINITE
HELD_TOGETHER = 1  # by gravity
PLASTIC = 2  # the rebound is slower than can be told from none
SEPARATED = 11

# whether equations within a step were solved; if not: NO_SOLUTION, SINGULAR or NOT_COMPLEMENTARY
SOLVED = -1  # below all others: the largest of several tells whether one was not

# why steps in contact wait: contacts that were left out have to be looked at (`contact.near_contacts`)
COMES_NEAR = 12

# why a run stops so that it may begin again: more contacts may close at once than a table of their pairs has rows for
NEEDS_ROOM = 13

# what a run that watches itself may find wrong, with the unit of the size that goes with it
NO_FAULT = 0.0
BEGAN_INSIDE = 1.0  # a contact began with an overlap that no touch explains [m]
ENERGY_CREATED = 2.0  # an impact gave more energy than it took [J]
MOMENTUM_LOST = 3.0  # the velocities of the modes do not show the impulses of the contacts [m/s]
TOO_DEEP = 4.0  # an overlap that takes more energy than there was [m]
LEDGER_OPEN = 5.0  # the energy ledger does not close [J]
BEGAN_APART = 6.0  # a contact began while its bodies were apart [m]
NOT_SEEN_TO_CLOSE = 7.0  # a rigid contact overlaps that was not seen to close [m]
WRONG_RATES = 8.0  # rates after a rigid impact are not those that its impulses give [m/s]
