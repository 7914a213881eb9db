"""Where the engine keeps what: one row of numbers per mode, per contact and per degree of freedom.

A constant is the number of a column. Each table begins with what the caller fills in and goes on with what the kernels
work out. A contact's row begins with the eight coefficients of its law (`power_law`), so that it can stand for them.
Some columns serve two ends, one in flight and one in contact: their second names say so.
"""

from carom.kernels.contact.collocation import LONG, TERMS
from carom.kernels.laws import power_law

# a mode, given
OMEGA = 0  # ω [rad/s]
SIGMA = 1  # σ = ζω [1/s]
PARTICIPATION = 2  # load per negative ground acceleration [√kg]
STEADY = 3  # constant load [√kg·m/s²]
MASS = 4  # 1, or 0 for a prescribed motion, which carries no energy
# the state now: five numbers
Q = 5  # q [m·√kg]
V = 6  # q̇
W = 7  # q̈, contact forces included
OWN = 8  # −ω²q − 2σq̇ + constant load: the share of the mode in absolute accelerations
CHANGE = 9  # −ω²q̇ − 2σq̈, the slope of that; in flight q⃛ is this and the slope of the load
STATE = 5  # how many numbers make a state
# the same five at the end of a stretch of flight
Q_END = Q + STATE
V_END = V + STATE
W_END = W + STATE
OWN_END = OWN + STATE
CHANGE_END = CHANGE + STATE
# worked out once
SQUARE = Q_END + STATE  # ω²
TWICE = SQUARE + 1  # 2σ
QUICK = SQUARE + 2  # 1: much quicker than the contacts, and treated on its own; 0: not
WIDEST = SQUARE + 3  # the largest |reach| of any contact [1/√kg]
SOFT = SQUARE + 4  # 1/ω² [s²], or 0 where ω·dt is so small that dividing by ω² would lose digits
# worked out as time goes on
LOAD = SQUARE + 5  # at the start of the sample [√kg·m/s²]; beside what else every sample needs
SLOPE = LOAD + 1  # how fast the load changes in the sample [√kg·m/s³]
MOST_BEND = LOAD + 2  # no less than |q̈| at the start of any stretch of flight so far: what margins of floors hold for
MOST_JERK = LOAD + 3  # the same of |q⃛|
PROPAGATOR = LOAD + 4  # eight numbers that carry the mode over a sample, worked out once (`fill_propagator`)
EXPANSION = PROPAGATOR + 8  # the free motion from the start of a step
# of the general engine alone
SERIES = EXPANSION + TERMS  # the answer to a unit impulse, h(τ) = Σ aₚ τᵖ
TRIAL = SERIES + TERMS  # displacement and velocity at a trial time; two such states, each with room for a whole one
TRIED = TRIAL + 2  # of a quick mode: length of the last plain step tried [s], then free motion and answers there
TRIED_Q = TRIAL + 3
TRIED_V = TRIAL + 4
TRIED_STEP = TRIAL + STATE + 2
TRIED_RAMP = TRIAL + STATE + 3
TRIED_BOW = TRIAL + STATE + 4
LEFT = TRIAL + 2 * STATE  # the state at the left end of a part of a flight, and behind it the second derivative of q̈
RIGHT = LEFT + STATE + 1  # the same at its right end
LINES = RIGHT + STATE + 1  # for each of three quantities: both ends of a line beside it, and how far it leaves that
SWAYS = LINES + 9  # how far q, q̇, q̈ and two more derivatives leave their chords in between, at most
MODE_SIZE = SWAYS + 5

# a contact, given, behind its law
GAP = power_law.SIZE  # [m]
EFFECTIVE_MASS = GAP + 1  # [kg]
# the record of the contact
STATUS = GAP + 2
OPEN = 0.0
CLOSED = 1.0
RELEASED = 2.0  # ended at F = 0 with δ > 0: touches again only after δ ≤ 0
TIED = 3.0  # a dashpot between modes in explicit steps: it always acts, and no event is sought of it
DIRECTION = STATUS + 1  # 1 approach, −1 restitution; kept, since the sign of a rate near zero is noise
TOUCH_RATE = STATUS + 2  # rate at touch [m/s]
TOP_RATE = STATUS + 3  # the largest rate since touch [m/s]
START = STATUS + 4  # time of the touch [s]
SCALE = STATUS + 5  # the overlap at which the spring alone would stop the impact [m]
SPEED = STATUS + 6  # a speed typical of the impact [m/s]
FOLLOWS_ABOVE = STATUS + 7  # the rate above which χ follows the rate itself [m/s]
CHI_APPROACH = STATUS + 8  # χ while bodies come nearer [N·s/m^(m+1)]
CHI_RESTITUTION = STATUS + 9  # χ while they part
PEAK_FORCE = STATUS + 10  # the largest since touch [N]
PEAK_OVERLAP = STATUS + 11  # the largest since touch [m]; 0 until the first step of an impact is done
WORK = STATUS + 12  # done by the force since touch [J]
IMPULSE = STATUS + 13  # since touch [N·s]
TOUCH_KIND = STATUS + 14  # kinds of the steps that begin and end the contact
PARTING_KIND = STATUS + 15
STRIDE = STATUS + 16  # first step of an impact, in units of SCALE/SPEED; learnt from impact to impact
LAST_STRIDE = STATUS + 26  # the same of the step that ends it
# at the start of the step under way
DEPTH = STATUS + 17  # overlap [m], not below zero
PACE = STATUS + 18  # its rate [m/s]
BEND = STATUS + 19  # and second derivative [m/s²]
FORCE = STATUS + 20  # [N]
CLIMB = STATUS + 21  # dF/dt [N/s]
CREST = STATUS + 22  # where in the step the force is largest, −1: at an end
CREST_FORCE = STATUS + 23
BOTTOM = STATUS + 24  # the same of the overlap
BOTTOM_OVERLAP = STATUS + 25
QUICK_ANSWER = STATUS + 27  # Σ reach·push/ω of modes quicker than it: the rate that a force of a moment leaves in them
QUICK_RATE = STATUS + 28  # the slowest of these [rad/s]
NOISE = STATUS + 29  # an overlap that rounding makes [m]
TRIED_IN_VAIN = STATUS + 30  # events that the step under way was to end at and that did not come, one bit each
STORED_AT_START = STATUS + 31  # energy in a contact that the problem states as closed at the start [J]
HELD = STATUS + 32  # energy in its spring at the start of the step [J]
RESISTS = STATUS + 33  # in explicit steps: the damping part of the force at its start [N]
RECENT_SPEED = STATUS + 34  # in which errors are counted [m/s]: that of the impact fades in a long contact
TOUCHES = STATUS + 35  # how often it has closed so far
ERROR_WEIGHT = STATUS + 36  # times an error of this impact counts: what many impacts leave adds up
RATTLE_FORCE = STATUS + 37  # that a motion at RECENT_SPEED makes [N], where it stands still or is about to part
REACHABLE_SPEED = STATUS + 38  # that an impact may have [m/s]: SPEED, or less where stiff modes soon turn back
TOTAL_PUSH = STATUS + 39  # ∫ |F| dt since this was last set to zero, about [N·s]
# at the three nodes and the end of the step
OVERLAP = STATUS + 40  # in flight: at the start of the sample, and behind it at its end [m]
RATE = OVERLAP + 4
AT_NODES = RATE + 4  # the forces
AT_END = AT_NODES + 3
TAYLOR = AT_END + 1  # the free overlap as a power series
SAVED = TAYLOR + LONG  # a copy of the twelve numbers from OVERLAP on
RESISTANCE = SAVED  # in a step made good: the damping part of the force at its start, at the nodes and at its end [N]
FREE_OVERLAP = SAVED + 12  # what overlap and rate would be without forces
FREE_RATE = FREE_OVERLAP + 4
CROSSING = FREE_OVERLAP  # in flight: when in a stretch it closes or opens, −1: it does not
QUICK_CUBE = FREE_RATE + 4  # Σ reach·push·ω³ of modes quicker than it (QUICK_ANSWER)
OWN_ANSWER = QUICK_CUBE + 1  # what a miss of the force does to a stiff structure, in units of its own speed [1/N]
OWN_RATE = QUICK_CUBE + 2  # the slowest quick mode there [rad/s]
BY_QUARTIC = QUICK_CUBE + 3  # 1: inside the step a quartic tells its force, 0: the law does (`extremes.inner_forces`)
COURSE = QUICK_CUBE + 4  # the force in a solved step as powers of s, five; behind them as a parabola in time, three [N]
MOMENT = COURSE + 8  # of the force, ∫ (t − s)ᵖ F(s) ds from the start of the step to each of four points: LONG each
LEVER = MOMENT + 4 * LONG  # given: for each mode reach and push; overlap = reach·q − gap, a force loads with −push·F

# a pair of contacts c ≥ d, row c·C + d of C contacts: how overlap and rate of the one answer forces of the other, which
# is the same either way
OVERLAPS = 0  # overlap at point i by a unit force at node j of the step, at 3i + j [m/N]
RATES = 12  # the same of the rate [m/s/N]
ANSWER = 24  # the overlap after a unit impulse, as a power series
PAIR_SIZE = ANSWER + LONG

# a degree of freedom; its three quantities are displacement [m], velocity [m/s] and absolute acceleration [m/s²]
PEAKS = 0  # the largest size of each so far
NOW = 3  # state at the start of a stretch: displacement, velocity, relative and absolute acceleration, slope of that
MARGIN = NOW + STATE  # no less than its quantities leave their chords in any flight so far: five (`leaves_chord`)
SPAN = MARGIN + 5  # the length of flights for which MARGIN holds [s]
SOUGHT = MARGIN + 6  # which quantities may have a new peak inside a flight: 1, 2 and 4 added up
CURVE_MARGIN = MARGIN + 7  # the same as MARGIN for Hermite's curves in place of chords: three (`leaves_curve`)
FIRST = MARGIN + 10  # given: the first mode that moves it, and the one after the last
LAST = FIRST + 1
SHAPE = FIRST + 2  # given: one column per mode; behind them, what a force at each contact does to its acceleration


def contact_size(modes: int) -> int:
    """Return the length of a contact's row."""
    return LEVER + 2 * modes


def floor_size(modes: int, contacts: int) -> int:
    """Return the length of a degree of freedom's row."""
    return SHAPE + modes + contacts
