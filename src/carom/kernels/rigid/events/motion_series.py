"""Motion as a power series over a short stretch of time, with some contacts held closed.

    q̈ = load + slope·t − C q̇ − Ω² q − pushᵀ λ,        reach·q̈ = 0 for the contacts held

Both are linear: the coefficients of q and of the reactions λ follow one after the other, whether modes are coupled by
damping, by contacts held or not at all. A stretch is at most one over the quickest rate long, where the first term left
out is 1/22! = 1e-21 of the motion: exact to rounding.
"""

from carom.kernels.rigid.impulses.complementarity import factored, solved
from carom.kernels.rigid.rows import LOAD, SLOPE, SQUARE, TWICE, Q, V
from carom.kernels.rigid.tables import Flight, System
from carom.kernels.types import Codes, Matrix, Vector

TERMS = 22
NEVER = -1.0
DEPTH = 50  # halvings of a stretch
PATIENCE = 400
"""Looks after which a search takes the next four hundredth of the stretch as one: bodies that move alike at no distance
never prove apart, and their overlap is noise."""


def hold(held: int, whom: Codes, still: Matrix, work: Matrix) -> bool:
    """Factor reach·pushᵀ over the contacts held; False where one depends on the others."""
    done = True
    for k in range(held):
        done = done and factored(k, still, work, whom)
    return done


def expand(begun: float, held: int, whom: Codes, system: System, flight: Flight, work: Matrix) -> None:
    """Write the series of all modes from time `begun` of the sample, and of the reactions of the contacts held."""
    damping, reach, push, modes = system.damping, system.reach, system.push, system.modes
    series, reaction, pulls = flight.series, flight.reaction, flight.pulls
    count = modes.shape[0]
    into = work.shape[1] - 2
    for k in range(count):
        series[k, 0] = modes[k, Q]
        series[k, 1] = modes[k, V]
    for p in range(TERMS - 2):
        for k in range(count):
            drag = modes[k, TWICE] * series[k, p + 1]
            if damping.shape[0] > 0:
                drag = 0.0
                for j in range(count):
                    drag += damping[k, j] * series[j, p + 1]
            found = -(p + 1.0) * drag - modes[k, SQUARE] * series[k, p]
            if p == 0:
                found += modes[k, LOAD] + modes[k, SLOPE] * begun
            elif p == 1:
                found += modes[k, SLOPE]
            series[k, p + 2] = found
        if held > 0:
            for i in range(held):
                c = whom[i]
                pulls[c] = 0.0
                for k in range(count):
                    pulls[c] -= reach[c, k] * series[k, p + 2]
            solved(held, pulls, work, whom, into)
            for i in range(held):
                c = whom[i]
                reaction[c, p] = work[i, into]
                for k in range(count):
                    series[k, p + 2] -= push[c, k] * work[i, into]
        for k in range(count):
            series[k, p + 2] /= (p + 1.0) * (p + 2.0)


def at(row: Vector, t: float) -> float:
    """Return a series at `t`."""
    value = row[TERMS - 1]
    for p in range(TERMS - 2, -1, -1):
        value = value * t + row[p]
    return value


def slope_at(row: Vector, t: float) -> float:
    """Return the derivative of a series at `t`."""
    value = (TERMS - 1.0) * row[TERMS - 1]
    for p in range(TERMS - 2, 0, -1):
        value = value * t + p * row[p]
    return value


def first_rise(sign: float, row: Vector, length: float) -> float:
    """Return the first time in [0, length] at which sign·series rises through zero; NEVER if it does not.

    A stretch is clear when a bound on the second derivative proves it, else it is halved.
    """
    bend = 0.0
    for p in range(TERMS - 1, 1, -1):
        bend = bend * length + p * (p - 1.0) * abs(row[p])
    value = sign * row[0]
    rate = sign * row[1]
    if value >= 0.0:
        if rate > 0.0:
            return 0.0
        value = -0.0
    left = 0.0
    width = length
    smallest = length * 2.0**-DEPTH
    looks = 0
    while left < length:
        looks += 1
        if looks > PATIENCE:
            smallest = max(smallest, length / PATIENCE)
        width = min(width, length - left)
        right = left + width
        value_right, rate_right = sign * at(row, right), sign * slope_at(row, right)
        clear = max(value, value_right) + 0.125 * bend * width * width < 0.0
        if value == 0.0 and rate < 0.0 and value_right < 0.0:
            clear = clear or max(rate, rate_right) + 0.5 * bend * width < 0.0
        if clear:
            left, value, rate = right, value_right, rate_right
            width *= 2.0
        elif value_right >= 0.0 and min(rate, rate_right) - 0.5 * bend * width > 0.0:
            return _zero_between(sign, row, left, right)
        elif width > smallest:
            width *= 0.5
        elif value_right >= 0.0 and rate_right > 0.0:
            return right
        else:  # a graze below resolution: go on, and look less closely if it lasts
            left, value, rate = right, min(value_right, -0.0), rate_right
            smallest *= 2.0
            width *= 2.0
    return NEVER


def _zero_between(sign: float, row: Vector, left: float, right: float) -> float:
    t = right
    for _ in range(80):
        value, rate = sign * at(row, t), sign * slope_at(row, t)
        if value >= 0.0:
            right = t
        else:
            left = t
        step = -value / rate if rate > 0.0 else 0.0
        if abs(step) <= 4e-16 * right or right - left <= 4e-16 * right:
            break
        t = t + step if left < t + step < right else 0.5 * (left + right)
    return t


def largest(row: Vector, derivative: bool, length: float) -> float:
    """Return the largest size of a series over a stretch, or of its derivative, an extremum inside included."""
    best = 0.0
    for end in (0.0, length):
        best = max(best, abs(slope_at(row, end) if derivative else at(row, end)))
    low, high = 0.0, length
    before = _turn(row, derivative, low)
    if before * _turn(row, derivative, high) < 0.0:
        for _ in range(60):
            middle = 0.5 * (low + high)
            if (_turn(row, derivative, middle) > 0.0) == (before > 0.0):
                low = middle
            else:
                high = middle
            if high - low < 1e-8 * length:
                break
        best = max(best, abs(slope_at(row, low) if derivative else at(row, low)))
    return best


def _turn(row: Vector, derivative: bool, t: float) -> float:
    if not derivative:
        return slope_at(row, t)
    value = (TERMS - 1.0) * (TERMS - 2.0) * row[TERMS - 1]
    for p in range(TERMS - 2, 1, -1):
        value = value * t + p * (p - 1.0) * row[p]
    return value
