"""Where the step-by-step kernel keeps what: one column per mode, per joint and per degree of freedom.

Rows lie along the modes (or joints, or floors), so that a product with a matrix runs along them. Joints are the
contacts and, behind them, the rows of the joints inside structures, of which one may have several. All that a step
changes lies in one buffer, of which these tables are parts: a step is undone by one copy.
"""

from carom.kernels import ledger, rows

# a mode, given
SQUARE = 0  # ω²
TWICE = 1  # 2σ
PARTICIPATION = 2
STEADY = 3  # constant load
MASS = 4  # 1, or 0 for a prescribed motion, which carries no energy
GIVEN = 5
# a mode, changing
LOAD = 0  # at the start of the sample
SLOPE = 1
HELD = 2  # what the springs push, taken as held through the step
Q = 3  # the state now: q, q̇, q̈
V = 4
W = 5
OWN = 6  # the acceleration that the scheme itself carries
Q_END = 7  # the end of the step under way; behind it, its start
V_END = 8
W_END = 9
PUSHED = 10  # scratch: what forces push
SPARE = 11  # scratch: a stage, or an absolute acceleration
BROUGHT = 12  # by the loads so far, and taken by damping over 2σ; to be weighted by its mass
DAMPED = 13
MODE_ROWS = 14

# a joint: overlap (or drift), its rate and its force when the last step ended
OVERLAP = 0
RATE = 1
FORCE = 2
TANGENT = 3  # ∂f/∂d of a spring there, by each of its rows
OVERLAP_END = 6  # overlap and rate at the end of the step under way
RATE_END = 7
GAP = 8  # given
JOINT_ROWS = 9

CONTACT_SIZE = rows.OVERLAP
"""A contact's own row is that of `rows` as far as its book."""

# a degree of freedom
PEAKS = 0
U_NOW = 3
V_NOW = 4
W_NOW = 5  # relative to the ground
U_BEFORE = 6
V_BEFORE = 7
PULL_BEFORE = 8
INFLUENCE = 9  # given: how much it takes along of a row of the ground's acceleration, and of which row
SUPPORT = 10
RIDE = 11  # that acceleration at the start of the sample, and its slope
RIDE_SLOPE = 12
APART = 13  # scratch: how far two trial states lie apart
FLOOR_ROWS = 15

# the run's row goes on behind that of `ledger`
SPRING_WORK = ledger.RUN_SIZE  # done by joints inside structures [J]
MISSED = SPRING_WORK + 1  # speed that forces may have given unseen, where a contact opened or closed in a step [m/s]
ITERATIONS = SPRING_WORK + 2
CLOCK = SPRING_WORK + 3  # time reached [s]
SHORTEST = SPRING_WORK + 4  # level of the shortest step
STRONGEST = SPRING_WORK + 5  # force of a spring when the last step ended, its magnitude [N]
# what a run is told
ORDER = SPRING_WORK + 6  # of the scheme
SPAN = SPRING_WORK + 7  # the farthest node, in steps
OWN_ACCELERATION = SPRING_WORK + 8  # 1: the scheme carries an acceleration of its own, its last stage is the end
KNOWN_START = SPRING_WORK + 9  # 1: the first stage is the start of the step
TYPICAL_DISPLACEMENT = SPRING_WORK + 10  # of this problem [m]: errors are relative to it, or to the largest so far
TYPICAL_VELOCITY = SPRING_WORK + 11
ASKS_RATES = SPRING_WORK + 12  # 1: the force of a spring depends on the rate
RUN_SIZE = SPRING_WORK + 13

HYSTERETIC = ledger.LEDGER_SIZE
"""Column of the ledger that holds what springs took, behind those of `ledger`."""
LEDGER_SIZE = HYSTERETIC + 1
