"""One step of a single impact: the smooth variables, the step itself, and what can be said of a state.

The equations and the reasons stand in `run`, which strings the steps together.
"""

import math

from carom.kernels.explicit.single_impacts import dormand_prince
from carom.kernels.laws import power_law
from carom.kernels.laws.power_law import (
    damping_factor,
    damping_force,
    elastic_force,
    force,
    force_slopes,
    reference_rate,
)
from carom.kernels.types import Matrix, Vector

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
    """Return the part of the step `h` at whose end a watched function (−1: time) has a value, `target`.

    Given are its values less that at the start of the step and at its end.
    """
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
            value = work[SEEN, which] - target
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
