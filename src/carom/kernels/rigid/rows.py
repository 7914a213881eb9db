"""Columns of the tables that both schemes for rigid contacts share: a mode, a contact, the run's own row."""

from carom.kernels.ledger import LEDGER_SIZE

# a mode: given
SQUARE = 0  # ω²
TWICE = 1  # 2σ
STEADY = 2  # constant load
PARTICIPATION = 3
MASS = 4  # 1, or 0 for a prescribed motion
Q = 5
V = 6
# worked out
LOAD = 7  # stepping: the impulse of the loads over the step; event by event: the load at the start of the sample
FORCE = 8  # stepping: the residual R; event by event, as SLOPE: the load's rate
SLOPE = 8
V_NEW = 9  # after the step
LAST = 10  # the iterate before
MODE_SIZE = 11

# a contact: given
GAP = 0
ROUGH = 1  # coefficient of friction μ
# worked out; of columns for tangents the second one is for the second tangent
OVERLAP = 2
RATE = 3  # of the overlap: positive while closing
SLIP = 4  # rates along the tangents
PUSH = 6  # impulse of the step
DRAG = 7  # its friction
SUM = 9  # impulse since the last sample
IMPACT_OPEN = 10
IMPACT_START = 11
IMPACT_APPROACH = 12
IMPACT_IMPULSE = 13
IMPACT_FRICTION = 14
IMPACT_PEAK = 16
IMPACT_OVERLAP = 17
IMPACT_ENERGY = 18
WALL = 19  # rate that prescribed motions give the overlap
WALL_SLIP = 20  # and the slips
# event by event
STATUS = 22
STATED = 23  # overlap with which the problem begins, until the contact parts [m]
LENGTH = 24  # the largest |gap| + Σ|reach·q| so far [m]
LEADER = 25  # the first contact among those that hang together, through structures between them; it keeps for all
SPEED = 26  # the largest Σ|reach·v| so far [m/s],
PULL = 27  # the largest Σ|reach·(load + spring)| so far [m/s²],
HITS = 28  # and twice the impacts of this sample
# stepping
LISTED = 23  # 1: predicted to close in the step before
CONTACT_SIZE = 29

APART = 0.0
RESTING = 1.0  # touching without speed: held while it presses
LEAVING = 2.0  # let go at this moment

# the energies: the ledger's, then
HYSTERETIC = LEDGER_SIZE  # work of springs beyond k·d
CREATED = LEDGER_SIZE + 1  # by impacts that gave more than they took
ENERGY_SIZE = LEDGER_SIZE + 2

# the run: settings
THETA = 0
GAMMA = 1
HYPOTHESIS = 2
METHOD = 3
PROJECTION = 4
# the account
IMPACTS = 5
CONTACT_STEPS = 6
LARGEST_RESIDUAL = 7  # of R_c [N·s]
LARGEST_SHARE = 8  # and relative to the largest impulse of its step
LARGEST_OVERLAP = 9
LARGEST_GAIN = 10  # energy that the impulses of one step or impact created [J]
LARGEST_IMPULSE = 11
TOGETHER = 12  # most contacts solved at once
PASSES = 13  # of Newton's iteration, all steps together; in scenes event by event, steps
QUICKEST = 14  # the largest modal velocity so far
# event by event
EVENTS = 15
LIMIT = 16
RESTS = 17  # contacts that came to rest
STALLED = 18  # flights of no length in a row
# the engine watches itself
MAY_CREATE = 19  # 1: the hypothesis chosen can create energy
LEAST_LOST = 20  # the least energy that the contacts of one impact or step took together [J]
LARGEST_ENERGY = 21  # kinetic and strain energy, and what came in, so far [J]
REACHED = 22  # the time to which the run came [s]
FAULT = 23
FAULT_CONTACT = 24
FAULT_VALUE = 25
RUN_SIZE = 26
