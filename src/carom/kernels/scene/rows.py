"""Where kernels of scenes keep what: columns of tables."""

from carom.kernels.rows import LEVER

# friction of a contact, as `carom.Friction.packed` gives it
STATIC = 0  # μ_s [-]
KINETIC = 1  # μ_k [-]
TANGENT_STIFFNESS = 2  # k_t [N/m]; 0: no friction
TANGENT_DAMPING = 3  # c_t [N·s/m]
PRINTED = 4  # 1: zhu2002's rule as printed
PRINTED_STEP = 5  # how often that looks at the state [s]
FRICTION_SIZE = 6

# what a contact is, as histories of scenes write it
OPEN_STATE = 0.0
STICKS = 1.0
SLIDES = 2.0
SMOOTH = 3.0  # closed, without friction
PAST_STATE = 4.0  # overlap without a force: the node came in past an end of the face, or the force has ended first

# status of a contact, beside those of `kernels.rows`
PAST = 3.0  # the node is behind the face, in past one of its ends: closes again only after δ ≤ 0

# modes, one row each of `Plan.modes`
SQUARE = 0  # ω² [1/s²]
TWICE = 1  # 2σ [1/s]
SHARE = 2  # load by negative ground acceleration [√kg]
STEADY = 3  # constant load [√kg·m/s²]
MASS = 4  # 1, or 0 of a prescribed motion
MODE_ROWS = 5

# offsets of rows over modes in `Plan.first`: contacts begin at 0, three rows each
ANCHOR_ROW = 0  # three rows each: x, y, rotation
DASHPOT_ROW = 1
LINK_ROW = 2
OUTPUT_ROW = 3
OFFSETS = 4
CONTACT_ROWS = 3  # overlap and both slips of a contact
PLANE_ROWS = 3  # x, y, rotation of an anchor

# a body: scale and pose, given
SCALES = 0  # of x, y and rotation by their modes
POSE = 3  # x [m], y [m], angle [rad] at q = 0
BODY_GIVEN = 6
# its motion
X = 0
Y = 1
ANGLE = 2
VX = 3
VY = 4
SPIN = 5
FX = 6
FY = 7
MOMENT = 8
COSINE = 9
SINE = 10
BODY_SIZE = 11
# an anchor: the same nine numbers, and where it is seen from the centre of its body
ARM_X = 9
ARM_Y = 10
ANCHOR_SIZE = 11

# an axis of a link: direction, share of rotation, what it reads at rest
TURN = 3
REST = 4
AXIS_SIZE = 5

# what a contact's row has beside the columns of `kernels.rows`
OVERLAP = LEVER  # [m]
CLOSING = LEVER + 1  # its rate [m/s]
SLIP = LEVER + 2  # rates of slip along both tangents [m/s]
SLIP_2 = LEVER + 3
ALONG = LEVER + 4  # where on the edge the node is, 0 at a to 1 at b
LENGTH = LEVER + 5  # of the edge [m]; 0: constant rows
DISTANCE = LEVER + 6  # of node and edge [m]
NORMAL_X = LEVER + 7
NORMAL_Y = LEVER + 8
FORCE = LEVER + 9  # normal force [N]
FRICTION = LEVER + 10  # friction along both tangents, against slip [N]
FRICTION_2 = LEVER + 11
TRIAL_FRICTION = LEVER + 12  # |k_t ξ + c_t w| [N]
GIVE = LEVER + 13  # dξ/dt along both tangents [m/s]
GIVE_2 = LEVER + 14
SLIDING = LEVER + 15  # STICKS, SLIDES or SMOOTH
AT_START = LEVER + 16  # overlap, closing, force at the start of the step, and ALONG
AT_END = LEVER + 20  # the same at its end, and the trial friction
END_TRIAL = LEVER + 24
FRICTION_WORK = LEVER + 25  # since touch [J]
FRICTION_IMPULSE = LEVER + 26  # since touch, along both tangents [N·s]
FRICTION_IMPULSE_2 = LEVER + 27
END_DISTANCE = LEVER + 28  # of node and edge at the end of the step [m]
NORMAL_WORK = LEVER + 29  # since touch [J]
CONTACT_SIZE = LEVER + 30

# powers and what they add up to: of the scene, then of each contact
INPUT = 0
DAMPING = 1
JOINTS = 2
SCENE_POWERS = 3
NORMAL_POWER = 0
FRICTION_POWER = 1
PUSH = 2  # the normal force
PULL = 3  # friction along both tangents
CONTACT_POWERS = 5

# an output: peaks of displacement, velocity, absolute acceleration; state now; what it rides on
PEAK = 0
NOW = 3  # u, u̇, ü
RIDDEN = 6  # row of the ground
RIDE = 7
OUTPUT_SIZE = 8

# a link: force and deformation peaks; of a gauge its extremes and when it first left its limits
LINK_FORCE = 0
LINK_DEFORMATION = 1
LOWEST = 2
HIGHEST = 3
LEFT_AT = 4  # [s]; NaN
LINK_D = 5  # at the start of the step
LINK_RATE = 6
LINK_SIZE = 7

# what `Motion.listed` counts
NEAR = 0
MOVED = 1

# lines of the ledger of a scene
L_INPUT = 0
L_KINETIC = 1
L_STRAIN = 2
L_DAMPING = 3
L_CONTACT = 4
L_FRICTION = 5
L_JOINTS = 6
LEDGER_SIZE = 7
