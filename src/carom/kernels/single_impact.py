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
"""

import math

from carom.kernels import dormand_prince, power_law
from carom.kernels.power_law import (
    damping_force,
    elastic_force,
    force,
    force_slopes,
    grading,
    overlap_scale,
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

# the problem, as the functions below need it
INVERSE_MASS = 0  # [1/kg]; multiplying is quicker than dividing, and this is the inmost loop
GRAVITY = 1
PENDULUM = 2
SCALE = 3  # D [m]
GRADING = 4  # q [-]
TOUCH_RATE = 5  # v0 [m/s]
TOP_RATE = 6  # largest δ̇ since touch, up to the start of the step [m/s]
SETUP_SIZE = 7

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
ERROR = COMPONENTS + 1  # its error
SETUP_ROW = COMPONENTS + 2
STATE_ROW = COMPONENTS + 3
WORK_ROWS = COMPONENTS + 4
WORK_COLUMNS = COLUMNS

PUBLISHED_RATE = power_law.PUBLISHED_RATE
TENSION = power_law.TENSION

# functions whose change of sign must end a step
FORCE_SLOPE = 0  # dF/dt: a force extreme
FORCE = 1  # F: the end of a contact without tension
TWICE_TOUCH = 2  # δ̇ − 2 v0: where v* begins to follow the rate (touches without speed)
ACCELERATION = 3  # δ̈: where it ceases to

WIDEST_STEP = 0.5  # in y, roughly: keeps two force extremes out of one step
LONGEST_LANDING = 0.15  # in y: the error estimate is blind to the high power of y that remains there
NO_SPEED = 1e-10  # a rebound below this share of the typical speed is none


def current_reference(c: Vector, setup: Vector, rate: float) -> float:
    """Return v* at this moment; while the bodies still gain speed the largest rate is the present one."""
    if c[PUBLISHED_RATE] != 0.0:
        return setup[TOUCH_RATE]
    return max(setup[TOUCH_RATE], 0.5 * max(setup[TOP_RATE], rate))


def pull(setup: Vector, overlap: float) -> float:
    """Return the acceleration that is not the contact's: gravity, less the pendulum's restoring term [m/s²]."""
    return setup[GRAVITY] - setup[PENDULUM] * overlap


def acceleration(c: Vector, setup: Vector, overlap: float, rate: float, reference: float) -> float:
    """Return δ̈ [m/s²]."""
    return pull(setup, overlap) - force(c, overlap, rate, reference) * setup[INVERSE_MASS]


def graded(setup: Vector, y: float) -> tuple[float, float]:
    """Return δ = D y^q and dδ/dy."""
    q = setup[GRADING]
    if q == 1.0:
        return setup[SCALE] * y, setup[SCALE]
    if q == 2.0:
        return setup[SCALE] * y * y, 2.0 * setup[SCALE] * y
    cube = setup[SCALE] * y * y * y
    return cube * y, 4.0 * cube


def step(variable: int, c: Vector, setup: Vector, state: Vector, h: float, work: Matrix) -> bool:
    """Advance the state by `h` of the variable with Dormand-Prince 8(5,3); False where that cannot be.

    Each stage, once known, is added at once to all sums that need it (rows of `work`, one per component):
    those additions are independent of each other, so the processor does them side by side.
    """
    for component in range(COMPONENTS):
        for column in range(COLUMNS):
            work[component, column] = 0.0
    for i in range(STAGES):
        y = max(state[Y] + h * work[Y, i], 0.0)
        rate = state[RATE] + h * work[RATE, i]
        overlap, stretch = graded(setup, y)
        drag = damping_force(c, overlap, rate, current_reference(c, setup, rate))
        by_tau = (pull(setup, overlap) - (elastic_force(c, overlap) + drag) * setup[INVERSE_MASS]) * stretch
        scale = 1.0
        if variable != TAU:
            divisor = rate if variable == Y else by_tau
            if not divisor * h > 0.0:  # the variable would stand still or turn back
                return False
            scale = 1.0 / divisor
        rate_y = rate * scale
        rate_rate = by_tau * scale
        rate_time = stretch * scale
        rate_work = drag * rate * rate_time
        for column in range(i + 1, COLUMNS):
            work[Y, column] += TABLE[i, column] * rate_y
            work[RATE, column] += TABLE[i, column] * rate_rate
        for column in range(SOLUTION, COLUMNS):  # nothing depends on time and work: only their sums are needed
            work[TIME, column] += TABLE[i, column] * rate_time
            work[WORK, column] += TABLE[i, column] * rate_work
    for component in range(COMPONENTS):
        work[NEW, component] = state[component] + h * work[component, SOLUTION]
        e5 = work[component, ESTIMATE_5]
        e3 = work[component, ESTIMATE_3]
        size = e5 * e5 + 0.01 * e3 * e3
        work[ERROR, component] = abs(h) * e5 * e5 / math.sqrt(size) if size > 0.0 else 0.0
    if variable != TAU:
        work[NEW, variable] = state[variable] + h
    return True


def watched(which: int, c: Vector, setup: Vector, y: float, rate: float) -> float:
    """Return one of the functions whose change of sign must end a step."""
    if which == TWICE_TOUCH:
        return rate - 2.0 * setup[TOUCH_RATE]
    overlap, _ = graded(setup, y)
    reference = current_reference(c, setup, rate)
    if which == FORCE:
        return force(c, overlap, rate, reference)
    a = acceleration(c, setup, overlap, rate, reference)
    if which == ACCELERATION:
        return a
    by_overlap, by_rate = force_slopes(c, overlap, rate, reference)
    return by_overlap * rate + by_rate * a


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
        if not step(variable, c, setup, state, trial, work):
            break
        if which < 0:
            value = work[NEW, TIME] - target
        else:
            value = watched(which, c, setup, work[NEW, Y], work[NEW, RATE])
        if value == 0.0 or abs(high - low) <= tolerance * abs(h):
            break
        if (value > 0.0) == (f_low > 0.0):
            if abs(trial - low) <= tolerance * abs(h):
                break
            low = trial
            f_low = value
            if kept == 1:
                f_high *= 0.5
            kept = 1
        else:
            if abs(trial - high) <= tolerance * abs(h):
                break
            high = trial
            f_high = value
            if kept == -1:
                f_low *= 0.5
            kept = -1
    return trial


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
        overlap, _ = graded(setup, max(work[NEW, Y], 0.0))
        rate = work[NEW, RATE]
        samples[filled, 0] = overlap
        samples[filled, 1] = rate
        samples[filled, 2] = force(c, overlap, rate, current_reference(c, setup, rate))
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
    setup[INVERSE_MASS] = 1.0 / mass
    setup[GRAVITY] = gravity
    setup[PENDULUM] = pendulum
    setup[SCALE] = scale
    setup[GRADING] = grading(c)
    setup[TOUCH_RATE] = touch_rate
    setup[TOP_RATE] = touch_rate
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
    usable = speed > 0.0 and scale > 0.0 and math.isfinite(speed) and math.isfinite(scale)
    return speed if usable else math.nan


def scaled_error(setup: Vector, speed: float, work: Matrix) -> float:
    """Return the error of a step over the typical size of each component."""
    error = max(work[ERROR, Y], work[ERROR, RATE] / speed)
    error = max(error, work[ERROR, TIME] * speed / setup[SCALE])
    return max(error, work[ERROR, WORK] * setup[INVERSE_MASS] / (speed * speed))


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
    asked_tolerance = tolerance
    if touch_rate < speed:  # results are told relative to the speed at touch: keep them right where gravity rules
        tolerance = max(tolerance * (touch_rate / speed) ** 2, min(tolerance, 1e-12))
    out[PEAK_FORCE] = force(c, 0.0, touch_rate, current_reference(c, setup, touch_rate))
    filled = 0
    while filled < times.size and times[filled] <= 0.0:
        samples[filled, 0] = 0.0
        samples[filled, 1] = touch_rate
        samples[filled, 2] = out[PEAK_FORCE]
        filled += 1
    # v* follows the rate once δ̇ passes 2 v0 and until it stops growing: two kinks to land on, in this order
    kink = TWICE_TOUCH if state[RATE] < 2.0 * touch_rate else ACCELERATION
    if not gravity > 0.0 or c[PUBLISHED_RATE] != 0.0:
        kink = -1
    no_tension = c[TENSION] == 0.0
    turned = False
    mark = watched(FORCE_SLOPE, c, setup, state[Y], state[RATE])
    h = 0.1 / speed

    for _ in range(step_limit):
        # choose the step: in τ, or landing exactly on δ̇ = 0 or δ = 0 where it would pass them
        y = state[Y]
        rate = state[RATE]
        overlap, stretch = graded(setup, y)
        if abs(rate) * h > WIDEST_STEP:
            h = WIDEST_STEP / abs(rate)
        variable = TAU
        part = h
        if turned and y + 1.5 * h * rate <= 0.0:
            if y > LONGEST_LANDING:
                part = h = -0.5 * y / rate
            else:
                variable = Y
                part = -y
        elif not turned:
            brake = acceleration(c, setup, overlap, rate, current_reference(c, setup, rate)) * stretch
            if brake < 0.0 and rate + 1.5 * h * brake <= 0.0:
                variable = RATE
                part = -rate
        possible = step(variable, c, setup, state, part, work)
        error = scaled_error(setup, speed, work) / tolerance if possible else math.inf
        if variable != TAU:  # near the end of the other variable's range the estimate is too hopeful
            error *= 100.0
        passed = variable == TAU and (work[NEW, Y] <= 0.0 or (work[NEW, RATE] < 0.0 and not turned))
        if not error <= 1.0 or passed:
            out[REJECTED] += 1.0
            if variable == Y:
                h = min(h, 0.5 * y / -rate)
            elif variable == RATE:
                h = min(h, -0.5 * rate / brake)
            elif passed or not error < math.inf:
                h *= 0.25
            else:
                h *= max(0.1, 0.8 * error**-0.125)
            if not h * speed > 1e-13:
                return NOT_FINITE
            continue
        out[STEPS] += 1.0
        growth = 4.0 if error < 1e-5 else min(4.0, 0.8 * error**-0.125)

        # does a watched function change sign inside? then end the step there
        whole = part
        found = -1
        for which in range(4):
            if which == FORCE and (not no_tension or not turned):
                continue
            if which >= TWICE_TOUCH and (which != kink or turned):
                continue
            before = mark if which == FORCE_SLOPE else watched(which, c, setup, y, rate)
            after = watched(which, c, setup, work[NEW, Y], work[NEW, RATE])
            if before * after < 0.0 or (which == FORCE and after < 0.0):
                fine = 1e-5 if which == FORCE_SLOPE else 1e-13  # F is flat at its extreme
                part = locate(which, 0.0, variable, c, setup, state, part, work, before, after, fine)
                if which == FORCE_SLOPE and abs(whole - part) < 2.0 * fine * abs(whole):
                    part = whole  # the extreme is the landing point itself
                else:
                    found = which
                if which == FORCE_SLOPE:
                    mark = after
                elif which == kink:
                    kink = ACCELERATION if which == TWICE_TOUCH else -1
                step(variable, c, setup, state, part, work)
        if found >= 0:
            growth = 1.0
        y = work[NEW, Y]
        rate = work[NEW, RATE]
        t = work[NEW, TIME]
        loss = work[NEW, WORK]
        if filled < times.size:
            filled = record(times, samples, filled, variable, c, setup, state, part, t, work)
        landed_on_rate = variable == RATE and found < 0
        state[Y] = y
        state[RATE] = 0.0 if landed_on_rate else rate
        state[TIME] = t
        state[WORK] = loss
        if variable == TAU:
            h *= growth

        overlap, _ = graded(setup, y)
        setup[TOP_RATE] = max(setup[TOP_RATE], rate)
        f = force(c, overlap, rate, current_reference(c, setup, rate))
        if f > out[PEAK_FORCE]:
            out[PEAK_FORCE] = f
            out[PEAK_FORCE_TIME] = t
        if overlap > out[PEAK_OVERLAP]:
            out[PEAK_OVERLAP] = overlap
            out[PEAK_OVERLAP_TIME] = t
        out[DURATION] = t
        out[END_OVERLAP] = overlap
        out[REBOUND_RATE] = -rate
        if turned:
            out[RESTITUTION_LOSS] = loss - out[APPROACH_LOSS]
        else:
            out[APPROACH_LOSS] = loss
        if not math.isfinite(rate + y):
            return NOT_FINITE

        # is this the end?
        if found == FORCE or (variable == Y and found < 0):
            return SEPARATED if -rate > NO_SPEED * speed else PLASTIC
        trapped = gravity > 0.0 and loss > 0.5 * mass * touch_rate * touch_rate
        if turned and (rate >= 0.0 or trapped):
            return HELD
        if trapped:  # only the peaks are still to be found
            tolerance = asked_tolerance
            if abs(rate) < 1e-6 * speed:
                return HELD
        if turned and -rate < NO_SPEED * speed and overlap < out[PEAK_OVERLAP]:
            return PLASTIC
        if landed_on_rate:
            if trapped:
                return HELD
            turned = True
            mark = -1.0
        elif found != FORCE_SLOPE:
            mark = watched(FORCE_SLOPE, c, setup, y, rate)
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
