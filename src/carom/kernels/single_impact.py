"""One impact, from first touch to the end of contact, to tolerance and without a time step.

The relative motion of the two bodies obeys

    δ̈ = a(δ, δ̇) = g − w δ − F(δ, δ̇)/m,     δ(0) = 0,  δ̇(0) = v0

with m the effective mass, g the pull of gravity (papi2022 (31), mahmoud2008 (13)) and w = g/l the restoring
term of a pendulum (mahmoud2008 (14)). Forces with δ^{1/4} or δ^{3/2} are not smooth at touch and separation,
so we step neither in time nor in δ: with δ = D y^q and dt = (dδ/dy) dτ the system

    dy/dτ = δ̇,   dδ̇/dτ = a dδ/dy,   dt/dτ = dδ/dy,   dW/dτ = F_damping δ̇ dδ/dy

is smooth everywhere. A step that would pass the turning point or the end of contact is taken in δ̇ or in y
instead of τ (Hénon's trick), so that δ̇ = 0, where approach-only laws have their kink, and δ = 0 are hit
exactly. Force extremes and F = 0 are located by repeating the step that contains them.

One file, though long: the loop and the functions it calls share one row of state, and are of no use apart.
"""

import math

from carom.kernels import dormand_prince, power_law
from carom.kernels.power_law import (
    damping_factor,
    damping_force,
    elastic_force,
    force,
    force_slopes,
    grading,
    never_separates,
    overlap_scale,
    reference_rate,
    resting_overlap,
    speed_scale,
)
from carom.kernels.types import Codes, Matrix, Vector

# how a contact ends
SEPARATED = 0
HELD = 1  # gravity keeps the bodies together
PLASTIC = 2  # the rebound is slower than can be told from none
STEP_LIMIT = 3
NOT_FINITE = 4

# what `impact` writes
PEAK_FORCE = 0  # [N]
PEAK_OVERLAP = 1  # [m]
DURATION = 2  # [s]
REBOUND_RATE = 3  # −δ̇ at the end [m/s]
APPROACH_LOSS = 4  # work of the damping force while δ̇ > 0 [J]
RESTITUTION_LOSS = 5  # the same while δ̇ < 0 [J]
END_OVERLAP = 6  # δ left where contact ends at F = 0 [m]
PEAK_FORCE_TIME = 7  # [s]
PEAK_OVERLAP_TIME = 8  # [s]
STEPS = 9
REJECTED = 10
SIZE = 11

# the problem, as the functions below need it; the scales weigh the error of a step
INVERSE_MASS = 0  # [1/kg]; multiplying is quicker than dividing, and this is the inmost loop
GRAVITY = 1
PENDULUM = 2
SCALE = 3  # D [m]
GRADING = 4  # q [-]
TOUCH_RATE = 5  # v0 [m/s]
TOP_RATE = 6  # largest δ̇ since touch, up to the start of the step [m/s]
FOLLOWS_ABOVE = 7  # rate above which v* follows it [m/s]
CHI_APPROACH = 8  # χ up to that rate while δ̇ ≥ 0
CHI_RESTITUTION = 9  # and while δ̇ < 0
PER_SPEED = 10  # one over a typical speed [s/m]
PER_TIME = 11  # [1/s]
PER_ENERGY = 12  # [1/J]
ROOT_SCALE = 13  # √D

# the state, and by its components the variable a step is taken in
Y = 0
RATE = 1
TIME = 2
WORK = 3
COMPONENTS = 4
TAU = -1

# Dormand-Prince's tables under names of this module: a compiled kernel reads its globals as constants
STAGES = dormand_prince.STAGES
COLUMNS = dormand_prince.COLUMNS
SOLUTION = dormand_prince.SOLUTION
ESTIMATE_3 = dormand_prince.ESTIMATE_3
ESTIMATE_5 = dormand_prince.ESTIMATE_5
TABLE = dormand_prince.TABLE

# rows of the scratch `work`: first the sums of each component, then these
NEW = COMPONENTS  # the new state
SEEN = COMPONENTS + 1  # what `look` finds
SETUP_ROW = COMPONENTS + 2
STATE_ROW = COMPONENTS + 3
WORK_ROWS = COMPONENTS + 4
WORK_COLUMNS = COLUMNS

PUBLISHED_RATE = power_law.PUBLISHED_RATE
RATE_POWER = power_law.RATE_POWER
TENSION = power_law.TENSION

# what `look` finds; the first four are functions whose change of sign must end a step
FORCE_SLOPE = 0  # dF/dt: a force extreme
FORCE = 1  # F: the end of a contact without tension
TWICE_TOUCH = 2  # δ̇ − 2 v0: where v* begins to follow the rate (touches without speed)
ACCELERATION = 3  # δ̈: where it ceases to
OVERLAP = 4
STRETCH = 5  # dδ/dy
CREEP = 6  # (∂F/∂δ̇)²/m − CREEPING·|∂F/∂δ|: positive where the rate settles far faster than the overlap changes

WIDEST_STEP = 0.5  # in y, roughly: keeps two force extremes out of one step
LONGEST_LANDING = 0.15  # in y: the error estimate is blind to the high power of y that remains there
SHORT = 0.55  # a landing is tried when it is this much shorter than the step that would pass
NO_SPEED = 1e-10  # a rebound below this share of the typical speed is none
NO_SPEED_UNDER_GRAVITY = 1e-6  # there its energy is a small difference of large ones, known to 1e-13 of them
FIRST_STEP = 0.1  # in y
STRONG = 10.0  # damping force over elastic one, beyond which steps start shorter and grow slower
CREEPING = 1e3  # how far overdamped a body that gravity holds only sinks, ever slower, to its place of rest [-]


def current_chi(c: Vector, setup: Vector, rate: float) -> float:
    """Return χ at this moment, set for the step by `renew`; only v* that follows the rate needs it anew."""
    if rate > setup[FOLLOWS_ABOVE]:
        return damping_factor(c, rate, 0.5 * rate)
    return setup[CHI_APPROACH] if rate >= 0.0 else setup[CHI_RESTITUTION]


def renew(c: Vector, setup: Vector, rate: float) -> None:
    """Note the largest δ̇ so far and the damping that follows from it."""
    setup[TOP_RATE] = max(setup[TOP_RATE], rate)
    reference = reference_rate(c, setup[TOUCH_RATE], setup[TOP_RATE])
    setup[CHI_APPROACH] = damping_factor(c, 1.0, reference)
    setup[CHI_RESTITUTION] = damping_factor(c, -1.0, reference)
    follows = c[RATE_POWER] != 0.0 and c[PUBLISHED_RATE] == 0.0
    setup[FOLLOWS_ABOVE] = max(2.0 * setup[TOUCH_RATE], setup[TOP_RATE]) if follows else math.inf


def pull(setup: Vector, overlap: float) -> float:
    """Return the acceleration that is not the contact's: gravity, less the pendulum's restoring term [m/s²]."""
    return setup[GRAVITY] - setup[PENDULUM] * overlap


def graded(setup: Vector, y: float) -> tuple[float, float, float]:
    """Return δ = D y^q, its square root and dδ/dy."""
    q = setup[GRADING]
    if q == 2.0:
        return setup[SCALE] * y * y, setup[ROOT_SCALE] * y, 2.0 * setup[SCALE] * y
    if q == 4.0:
        square = y * y
        return setup[SCALE] * square * square, setup[ROOT_SCALE] * square, 4.0 * setup[SCALE] * square * y
    overlap = setup[SCALE] * y
    return overlap, math.sqrt(overlap), setup[SCALE]


def force_near(c: Vector, setup: Vector, y: float, rate: float) -> float:
    """Return the force at a state [N]."""
    overlap, root, _ = graded(setup, y)
    return force(c, current_chi(c, setup, rate), overlap, root, rate)


def step(variable: int, c: Vector, setup: Vector, state: Vector, h: float, work: Matrix) -> float:
    """Advance the state by `h` of the variable with Dormand-Prince 8(5,3); return the error over typical size.

    The new state goes to row NEW of `work`. Negative: the variable would stand still or turn back on the way.
    Each stage, once known, is added at once to all sums that need it, one row of `work` per component.
    """
    for component in range(COMPONENTS):
        for column in range(COLUMNS):
            work[component, column] = 0.0
    for i in range(STAGES):
        y = max(state[Y] + h * work[Y, i], 0.0)
        rate = state[RATE] + h * work[RATE, i]
        overlap, root, stretch = graded(setup, y)
        drag = damping_force(c, current_chi(c, setup, rate), overlap, root, rate)
        by_tau = (pull(setup, overlap) - (elastic_force(c, overlap, root) + drag) * setup[INVERSE_MASS]) * stretch
        scale = 1.0
        if variable != TAU:
            divisor = rate if variable == Y else by_tau
            if not divisor * h > 0.0:
                return -1.0
            scale = 1.0 / divisor
        slope_y = rate * scale
        slope_rate = by_tau * scale
        slope_time = stretch * scale
        slope_work = drag * rate * slope_time
        for column in range(i + 1, COLUMNS):
            work[Y, column] += TABLE[i, column] * slope_y
            work[RATE, column] += TABLE[i, column] * slope_rate
        for column in range(SOLUTION, COLUMNS):  # nothing depends on time and work: only their sums are needed
            work[TIME, column] += TABLE[i, column] * slope_time
            work[WORK, column] += TABLE[i, column] * slope_work
    for component in range(COMPONENTS):
        work[NEW, component] = state[component] + h * work[component, SOLUTION]
    if variable != TAU:
        work[NEW, variable] = state[variable] + h
    fifth = size_of(setup, work, ESTIMATE_5)
    third = size_of(setup, work, ESTIMATE_3)
    both = fifth + 0.01 * third
    return abs(h) * fifth / math.sqrt(both) if both > 0.0 else 0.0


def size_of(setup: Vector, work: Matrix, column: int) -> float:
    """Return the squared size of a column of sums, each component over its typical size."""
    y = work[Y, column]
    rate = work[RATE, column] * setup[PER_SPEED]
    time = work[TIME, column] * setup[PER_TIME]
    dissipated = work[WORK, column] * setup[PER_ENERGY]
    return y * y + rate * rate + time * time + dissipated * dissipated


def look(c: Vector, setup: Vector, y: float, rate: float, seen: Vector) -> None:
    """Write what can be said of a state to `seen`: the watched functions, overlap and stretch."""
    overlap, root, stretch = graded(setup, y)
    chi = current_chi(c, setup, rate)
    f = force(c, chi, overlap, root, rate)
    a = pull(setup, overlap) - f * setup[INVERSE_MASS]
    by_overlap, by_rate = force_slopes(c, chi, overlap, root, rate)
    seen[FORCE_SLOPE] = by_overlap * rate + by_rate * a
    seen[FORCE] = f
    seen[TWICE_TOUCH] = rate - 2.0 * setup[TOUCH_RATE]
    seen[ACCELERATION] = a
    seen[OVERLAP] = overlap
    seen[STRETCH] = stretch
    seen[CREEP] = by_rate * by_rate * setup[INVERSE_MASS] - CREEPING * abs(by_overlap)


def locate(
    which: int,
    target: float,
    variable: int,
    c: Vector,
    setup: Vector,
    state: Vector,
    h: float,
    work: Matrix,
    at_start: float,
    at_end: float,
    tolerance: float,
) -> float:
    """Return the part of the step `h` at whose end a watched function (−1: time less `target`) is zero."""
    low = 0.0
    high = h
    f_low = at_start
    f_high = at_end
    trial = h
    kept = 0  # the end that stood still last time; the Illinois rule halves its value
    for iteration in range(100):
        trial = 0.5 * (low + high)
        if iteration % 5 != 4 and math.isfinite(f_low) and math.isfinite(f_high) and f_low != f_high:
            secant = (low * f_high - high * f_low) / (f_high - f_low)
            if min(low, high) < secant < max(low, high):
                trial = secant
        if min(abs(trial - low), abs(high - trial)) <= tolerance * abs(h):
            break
        if step(variable, c, setup, state, trial, work) < 0.0:
            break
        if which < 0:
            value = work[NEW, TIME] - target
        else:
            look(c, setup, max(work[NEW, Y], 0.0), work[NEW, RATE], work[SEEN])
            value = work[SEEN, which]
        if value == 0.0:
            break
        if (value > 0.0) == (f_low > 0.0):
            low = trial
            f_low = value
            if kept == 1:
                f_high *= 0.5
            kept = 1
        else:
            high = trial
            f_high = value
            if kept == -1:
                f_low *= 0.5
            kept = -1
    return trial


def between(
    variable: int, state: Vector, new: Vector, h: float, bend: float, new_bend: float, part: float
) -> tuple[float, float]:
    """Return (y, δ̇) at a part of a finished step, by Hermite's interpolation; `bend` is dδ̇/dτ at its ends."""
    s = part
    y0, y1 = state[Y], new[Y]
    rate0, rate1 = state[RATE], new[RATE]
    if variable == TAU:  # y, δ̇ and dδ̇/dτ at both ends: a quintic for y, whose slope is δ̇
        d0, d1 = h * rate0, h * rate1
        b0, b1 = h * h * bend, h * h * new_bend
        rest = y1 - y0 - d0 - 0.5 * b0
        turn = d1 - d0 - b0
        twist = b1 - b0
        c3 = 10.0 * rest - 4.0 * turn + 0.5 * twist
        c4 = -15.0 * rest + 7.0 * turn - twist
        c5 = 6.0 * rest - 3.0 * turn + 0.5 * twist
        y = y0 + s * (d0 + s * (0.5 * b0 + s * (c3 + s * (c4 + s * c5))))
        rate = (d0 + s * (b0 + s * (3.0 * c3 + s * (4.0 * c4 + s * 5.0 * c5)))) / h
        return y, rate
    if variable == Y:
        return y0 + s * h, cubic(rate0, rate1, h * bend / rate0, h * new_bend / rate1, s)
    return cubic(y0, y1, h * rate0 / bend, h * rate1 / new_bend, s), rate0 + s * h


def cubic(f0: float, f1: float, d0: float, d1: float, s: float) -> float:
    """Return Hermite's cubic with these values and slopes at 0 and 1."""
    rise = f1 - f0
    return f0 + s * (d0 + s * (3.0 * rise - 2.0 * d0 - d1 + s * (d0 + d1 - 2.0 * rise)))


def extreme_part(
    variable: int,
    c: Vector,
    setup: Vector,
    state: Vector,
    h: float,
    work: Matrix,
    bend: float,
    before: float,
    after: float,
) -> float:
    """Return the part of a finished step at which the force is extreme, good to about a thousandth.

    The step itself is interpolated: the force is flat there, so that a step to this place gives its peak to
    many digits. `before` and `after` are dF/dt at the ends.
    """
    new_bend = work[SEEN, ACCELERATION] * work[SEEN, STRETCH]
    low, high = 0.0, 1.0
    f_low, f_high = before, after
    small = 1e-5 * abs(after)
    part = 0.5
    for iteration in range(30):
        part = 0.5 * (low + high)
        if iteration % 3 != 2 and math.isfinite(f_low):
            part = (low * f_high - high * f_low) / (f_high - f_low)
        if high - low < 1e-5 or not low < part < high:
            break
        y, rate = between(variable, state, work[NEW], h, bend, new_bend, part)
        look(c, setup, max(y, 0.0), rate, work[SEEN])
        value = work[SEEN, FORCE_SLOPE]
        if abs(value) < small:
            break
        if (value > 0.0) == (before > 0.0):
            low, f_low = part, value
        else:
            high, f_high = part, value
    return part


def record(
    times: Vector,
    samples: Matrix,
    filled: int,
    variable: int,
    c: Vector,
    setup: Vector,
    state: Vector,
    h: float,
    t_end: float,
    work: Matrix,
) -> int:
    """Fill overlap, rate and force at the asked times that lie inside the step; return how many are done."""
    while filled < times.size and times[filled] <= t_end:
        t = times[filled]
        part = h
        if t < t_end:
            part = locate(-1, t, variable, c, setup, state, h, work, state[TIME] - t, t_end - t, 1e-13)
        step(variable, c, setup, state, part, work)
        overlap, root, _ = graded(setup, max(work[NEW, Y], 0.0))
        rate = work[NEW, RATE]
        samples[filled, 0] = overlap
        samples[filled, 1] = rate
        samples[filled, 2] = force(c, current_chi(c, setup, rate), overlap, root, rate)
        filled += 1
    return filled


def prepare(
    c: Vector, mass: float, touch_rate: float, gravity: float, pendulum: float, scale: float, work: Matrix
) -> float:
    """Write the problem and the state at first touch into `work`; return a typical speed, NaN if none."""
    setup = work[SETUP_ROW]
    state = work[STATE_ROW]
    speed = speed_scale(c, mass, touch_rate, gravity)
    if scale <= 0.0:
        scale = overlap_scale(c, mass, speed)
    energy = mass * speed * speed
    if not (energy > 0.0 and scale > 0.0 and math.isfinite(energy) and math.isfinite(scale)):
        return math.nan
    setup[INVERSE_MASS] = 1.0 / mass
    setup[GRAVITY] = gravity
    setup[PENDULUM] = pendulum
    setup[SCALE] = scale
    setup[ROOT_SCALE] = math.sqrt(scale)
    setup[GRADING] = grading(c)
    setup[TOUCH_RATE] = touch_rate
    setup[TOP_RATE] = touch_rate
    setup[PER_SPEED] = 1.0 / speed
    setup[PER_TIME] = speed / scale
    setup[PER_ENERGY] = 1.0 / energy
    renew(c, setup, touch_rate)
    state[Y] = 0.0
    state[RATE] = touch_rate
    state[TIME] = 0.0
    state[WORK] = 0.0
    if touch_rate * touch_rate < 1e-10 * gravity * scale:
        # a touch without speed: y and δ̇ would both stand still at zero; fall freely for a moment first
        moment = 1e-5 * math.sqrt(scale / gravity)
        state[Y] = ((touch_rate + 0.5 * gravity * moment) * moment / scale) ** (1.0 / setup[GRADING])
        state[RATE] = touch_rate + gravity * moment
        state[TIME] = moment
    return speed


def impact(
    c: Vector,
    mass: float,
    touch_rate: float,
    gravity: float,
    pendulum: float,
    scale: float,
    tolerance: float,
    step_limit: int,
    times: Vector,
    samples: Matrix,
    work: Matrix,
    out: Vector,
) -> int:
    """Follow one contact to its end; return how it ended and write the results to `out`.

    `scale` is a typical overlap [m]; zero: take it from the power law. `work` is scratch of shape
    (WORK_ROWS, WORK_COLUMNS). Overlap, rate and force at the increasing `times` go to rows of `samples`.
    """
    setup = work[SETUP_ROW]
    state = work[STATE_ROW]
    for q in range(SIZE):
        out[q] = 0.0
    speed = prepare(c, mass, touch_rate, gravity, pendulum, scale, work)
    if not speed > 0.0:
        return NOT_FINITE
    # the estimate exceeds the true error of a step manifold; not where gravity bends the motion and y has high powers
    if gravity == 0.0:
        tolerance *= 2.0
    elif setup[GRADING] == 4.0:
        tolerance *= 0.15
    first = FIRST_STEP
    widest = 4.0  # growth of a step
    root = math.sqrt(setup[SCALE])
    drag = damping_force(c, setup[CHI_APPROACH], setup[SCALE], root, speed)
    spring = elastic_force(c, setup[SCALE], root)
    if drag > STRONG * spring:  # the estimate is blind to steps beyond stability at last, and …
        widest = 1.5
        if setup[GRADING] > 1.0:  # … to the work at first, which grows as y⁵
            first *= (STRONG * spring / drag) ** 0.2
    loose_tolerance = tolerance
    if touch_rate < speed:  # results are told relative to the speed at touch: keep them right where gravity rules
        tolerance = max(tolerance * (touch_rate / speed) ** 2, min(tolerance, 1e-12))

    seen = work[SEEN]
    y = state[Y]
    rate = state[RATE]
    look(c, setup, y, rate, seen)
    out[PEAK_FORCE] = force(c, current_chi(c, setup, touch_rate), 0.0, 0.0, touch_rate)
    filled = 0
    while filled < times.size and times[filled] <= 0.0:
        samples[filled, 0] = 0.0
        samples[filled, 1] = touch_rate
        samples[filled, 2] = out[PEAK_FORCE]
        filled += 1
    # v* follows the rate once δ̇ passes 2 v0 and until it stops growing: two kinks to land on, in this order
    kink = TWICE_TOUCH if rate < 2.0 * touch_rate else ACCELERATION
    if not gravity > 0.0 or c[PUBLISHED_RATE] != 0.0:
        kink = -1
    no_tension = c[TENSION] == 0.0
    turned = False
    climbing = seen[FORCE_SLOPE]  # its sign: is the force rising?
    h = first / speed
    least = speed * (NO_SPEED if gravity == 0.0 else NO_SPEED_UNDER_GRAVITY)

    for _ in range(step_limit):
        # choose the step: in τ, or landing exactly on δ̇ = 0 or δ = 0 where it would pass them
        if abs(rate) * h > WIDEST_STEP:
            h = WIDEST_STEP / abs(rate)
        variable = TAU
        part = h
        left = math.inf
        if turned:
            if rate < 0.0:
                left = -y / rate
            if left <= SHORT * h and y <= LONGEST_LANDING:
                variable = Y
                part = -y
        else:
            brake = seen[ACCELERATION] * seen[STRETCH]
            if brake < 0.0:
                left = -rate / brake
            if left <= SHORT * h:
                variable = RATE
                part = -rate
        if variable == TAU and left < 1.5 * h:
            part = h = 0.6 * left  # come nearer first, then land with a short step
        error = step(variable, c, setup, state, part, work) / tolerance
        if variable != TAU:  # near the end of the other variable's range the estimate is too hopeful
            error *= 100.0
        passed = variable == TAU and (work[NEW, Y] <= 0.0 or (work[NEW, RATE] < 0.0 and not turned))
        if not 0.0 <= error <= 1.0 or passed:
            out[REJECTED] += 1.0
            if variable != TAU:
                h = 0.5 * left
            elif passed or not 0.0 <= error < math.inf:
                h *= 0.25
            else:
                h *= max(0.1, 0.8 * error**-0.125)
            if not h * speed > 1e-13:
                return NOT_FINITE
            continue
        out[STEPS] += 1.0
        growth = widest if error < 1e-5 else min(widest, 0.8 * error**-0.125)

        # does a watched function change sign inside? then end the step there
        force_before = seen[FORCE]
        kink_before = seen[kink]
        bend = seen[ACCELERATION] * seen[STRETCH]
        look(c, setup, work[NEW, Y], work[NEW, RATE], seen)
        found = -1
        if climbing * seen[FORCE_SLOPE] < 0.0:
            before = climbing
            climbing = seen[FORCE_SLOPE]
            share = extreme_part(variable, c, setup, state, part, work, bend, before, climbing)
            if share < 1.0 - 1e-4:  # otherwise the landing point itself is the extreme
                part *= share
                found = FORCE_SLOPE
            step(variable, c, setup, state, part, work)
            look(c, setup, work[NEW, Y], work[NEW, RATE], seen)
        force_after = seen[FORCE]
        if no_tension and variable == Y and found < 0:  # F = 0 at δ = 0, whatever its sign was just before
            force_after = force_near(c, setup, 0.01 * state[Y], work[NEW, RATE])
        if no_tension and turned and force_after < 0.0:
            part = locate(FORCE, 0.0, variable, c, setup, state, part, work, force_before, force_after, 1e-13)
            found = FORCE
            step(variable, c, setup, state, part, work)
            look(c, setup, work[NEW, Y], work[NEW, RATE], seen)
        if kink >= 0 and not turned and kink_before * seen[kink] < 0.0:
            part = locate(kink, 0.0, variable, c, setup, state, part, work, kink_before, seen[kink], 1e-13)
            found = kink
            kink = ACCELERATION if kink == TWICE_TOUCH else -1
            step(variable, c, setup, state, part, work)
            look(c, setup, work[NEW, Y], work[NEW, RATE], seen)
        if found >= 0:
            growth = 1.0
        y = work[NEW, Y]
        rate = work[NEW, RATE]
        t = work[NEW, TIME]
        loss = work[NEW, WORK]
        if filled < times.size:
            filled = record(times, samples, filled, variable, c, setup, state, part, t, work)
        landed = variable != TAU and found < 0
        if landed and variable == RATE:
            rate = 0.0
        state[Y] = y
        state[RATE] = rate
        state[TIME] = t
        state[WORK] = loss
        if variable == TAU:
            h *= growth
        if rate > setup[TOP_RATE]:
            renew(c, setup, rate)
        if found != FORCE_SLOPE:
            climbing = seen[FORCE_SLOPE]
        if seen[FORCE] > out[PEAK_FORCE]:
            out[PEAK_FORCE] = seen[FORCE]
            out[PEAK_FORCE_TIME] = t
        if seen[OVERLAP] > out[PEAK_OVERLAP]:
            out[PEAK_OVERLAP] = seen[OVERLAP]
            out[PEAK_OVERLAP_TIME] = t
        out[DURATION] = t
        out[END_OVERLAP] = seen[OVERLAP]
        out[REBOUND_RATE] = -rate
        if turned:
            out[RESTITUTION_LOSS] = loss - out[APPROACH_LOSS]
        else:
            out[APPROACH_LOSS] = loss
        if not math.isfinite(rate + y):
            return NOT_FINITE

        # is this the end?
        if found == FORCE or (landed and variable == Y):
            if -rate > least:
                return SEPARATED
            return HELD if gravity > 0.0 else PLASTIC
        trapped = gravity > 0.0 and loss > 0.5 * mass * touch_rate * touch_rate
        if trapped:  # only the peaks are still to be found
            tolerance = loose_tolerance
            settled = seen[FORCE_SLOPE] <= 0.0 and abs(seen[ACCELERATION]) < 0.01 * gravity
            known = turned or abs(rate) < 1e-6 * speed or (settled and seen[CREEP] > 0.0)
            if known and filled == times.size:
                rest = resting_overlap(c, mass, gravity, pendulum)
                if not turned and rest > out[PEAK_OVERLAP]:  # what is left is to sink there, ever slower
                    out[PEAK_OVERLAP] = rest
                    out[PEAK_OVERLAP_TIME] = math.inf
                return HELD
        if turned and rate >= 0.0:
            return HELD if gravity > 0.0 else PLASTIC
        if turned and -rate < NO_SPEED * speed and seen[OVERLAP] < out[PEAK_OVERLAP]:
            return HELD if gravity > 0.0 else PLASTIC
        if landed and variable == RATE:
            if gravity == 0.0 and pendulum == 0.0 and filled == times.size and never_separates(c, mass):
                return PLASTIC
            turned = True
            climbing = -1.0
    return HELD if gravity > 0.0 and state[WORK] > 0.5 * mass * touch_rate * touch_rate else STEP_LIMIT


def impact_batch(
    c: Matrix,
    mass: Vector,
    touch_rate: Vector,
    gravity: Vector,
    pendulum: Vector,
    tolerance: float,
    step_limit: int,
    start: int,
    stop: int,
    work: Matrix,
    out: Matrix,
    ended: Codes,
) -> None:
    """Run the impacts `start` to `stop`, one row each."""
    times = work[:0, 0]
    samples = work[:0]
    for i in range(start, stop):
        ended[i] = impact(
            c[i],
            mass[i],
            touch_rate[i],
            gravity[i],
            pendulum[i],
            0.0,
            tolerance,
            step_limit,
            times,
            samples,
            work,
            out[i],
        )
