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

from carom.kernels.contact.impact_record import ROUNDING
from carom.kernels.endings import HELD_TOGETHER, NOT_FINITE, PLASTIC, SEPARATED, STEP_LIMIT
from carom.kernels.explicit.single_impacts.step import (
    ACCELERATION,
    CHI_APPROACH,
    CREEP,
    FORCE,
    FORCE_SLOPE,
    GRADING,
    GRAVITY,
    INVERSE_MASS,
    NEW,
    OVERLAP,
    PENDULUM,
    PER_ENERGY,
    PER_SPEED,
    PER_TIME,
    PUBLISHED_RATE,
    RATE,
    ROOT_SCALE,
    SCALE,
    SEEN,
    SETUP_ROW,
    STATE_ROW,
    STRETCH,
    TAU,
    TENSION,
    TIME,
    TOP_RATE,
    TOUCH_RATE,
    TWICE_TOUCH,
    WORK,
    Y,
    current_chi,
    extreme_part,
    force_near,
    locate,
    look,
    record,
    renew,
    step,
)
from carom.kernels.laws.power_law import (
    damping_force,
    elastic_force,
    force,
    grading,
    never_separates,
    overlap_scale,
    resting_overlap,
    speed_scale,
)
from carom.kernels.types import Codes, Matrix, Vector

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

WIDEST_STEP = 0.5  # in y, roughly: keeps two force extremes out of one step
LONGEST_LANDING = 0.15  # in y: the error estimate is blind to the high power of y that remains there
SHORT = 0.55  # a landing is tried when it is this much shorter than the step that would pass
NO_SPEED = 1e-10  # a rebound below this share of the typical speed is none
NO_SPEED_UNDER_GRAVITY = 1e-6  # there its energy is a small difference of large ones, known to 1e-13 of them
FIRST_STEP = 0.1  # in y
STRONG = 10.0  # damping force over elastic one, beyond which steps start shorter and grow slower


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
        faded = max(loose_tolerance, ROUNDING) * out[PEAK_FORCE]  # bodies that part at the rate of the damping: F → 0
        if no_tension and turned and force_after < -faded:
            before, after = force_before + faded, force_after + faded
            part = locate(FORCE, -faded, variable, c, setup, state, part, work, before, after, 1e-13)
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
            return HELD_TOGETHER if gravity > 0.0 else PLASTIC
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
                return HELD_TOGETHER
        if turned and rate >= 0.0:
            return HELD_TOGETHER if gravity > 0.0 else PLASTIC
        if turned and -rate < NO_SPEED * speed and seen[OVERLAP] < out[PEAK_OVERLAP]:
            return HELD_TOGETHER if gravity > 0.0 else PLASTIC
        if landed and variable == RATE:
            if gravity == 0.0 and pendulum == 0.0 and filled == times.size and never_separates(c, mass):
                return PLASTIC
            turned = True
            climbing = -1.0
    return HELD_TOGETHER if gravity > 0.0 and state[WORK] > 0.5 * mass * touch_rate * touch_rate else STEP_LIMIT


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
    times = work[0, :0]
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
