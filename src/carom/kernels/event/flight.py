"""Structures in free flight: exact from sample to sample, with every touch located.

Between impacts each mode is on its own under a load that is linear over a sample of the record, p = load + slope·t.
With the answers of a mode to a unit impulse h, step H₁ and ramp H₂ (`modal.propagator`) its motion is

    q(t) = (h′ + 2σh) q₀ + h q̇₀ + H₁ load + H₂ slope.

To find the first touch in a stretch of flight, parts of it are taken from left to right. A part has no touch where

    max(δ at its ends) + rise < 0   or   max(δ̇ at its ends) + rush < 0,

in which `rise` and `rush` bound how far overlap and rate leave their chords (`leeway`). Where the rate is surely
positive and the overlap is not below zero at the right end, the overlap crosses zero once, and Newton's method finds
the moment. Any other part is halved. Over a stretch that is short for every mode the overlap is a power series
(`series_crossing`); else the modes are moved in closed form (`first_crossing`).

Times are counted in two ways: `begun` and `now` from the start of the sample, all others from the start of the stretch.
"""

import math

from carom.kernels.contact.collocation import TERMS
from carom.kernels.modal.extremes import bulge
from carom.kernels.modal.propagator import unit_responses
from carom.kernels.rows import (
    GAP,
    LEVER,
    LOAD,
    NOISE,
    OMEGA,
    Q_END,
    SIGMA,
    SLOPE,
    SQUARE,
    STATE,
    TAYLOR,
    TRIAL,
    TWICE,
    V_END,
    W_END,
    Q,
    V,
    W,
)
from carom.kernels.types import Matrix, Vector

SECOND = TRIAL + STATE  # columns of the second state at a trial time
NO_TOUCH = -1.0  # stands for the time of a touch that does not come
FINEST = 2.0**-46  # smallest part that is looked at, as share of the stretch: two times that close cannot be told apart
LAST_NEWTON_STEP = 1e-8
"""Step of Newton's method, as share of its bracket, after which it ends: each step is about the square of the one
before, and the next would be lost in rounding."""
ROUNDED = 4e-15  # rounding in an overlap, as share of the displacements that make it
LEAST_NOISE = 1e-15  # rounding in the overlap of bodies that start from rest [m]
COARSEST = 1.0 / 400.0
"""Largest of the smallest parts, as share of the stretch, while overlaps are only rounding. Bodies that move alike at
no distance can never be proved apart, and halving down to FINEST all along the stretch would take for ever."""


def overlap_of(row: Vector, modes: Matrix, q: int) -> float:
    """Return reach·q − gap of a contact [m], negative while open; column `q` holds the displacements."""
    total = -row[GAP]
    for k in range(modes.shape[0]):
        total += row[LEVER + 2 * k] * modes[k, q]
    return total


def magnitude_of(row: Vector, modes: Matrix) -> float:
    """Return |gap| + Σ |reach·q|, the size of the displacements that make an overlap [m]."""
    total = abs(row[GAP])
    for k in range(modes.shape[0]):
        total += abs(row[LEVER + 2 * k] * modes[k, Q])
    return total


def noise_of(row: Vector, modes: Matrix) -> float:
    """Return an overlap that rounding may make [m]."""
    return ROUNDED * magnitude_of(row, modes) + LEAST_NOISE


def rate_of(row: Vector, modes: Matrix, v: int) -> float:
    """Return the rate of the overlap [m/s], or what else of the modes column `v` holds."""
    total = 0.0
    for k in range(modes.shape[0]):
        total += row[LEVER + 2 * k] * modes[k, v]
    return total


def mode_after(row: Vector, q: float, v: float, load: float, slope: float, t: float) -> tuple[float, float]:
    """Return displacement and velocity of a mode after the time `t` under ``load + slope·t``."""
    h, rate, step, ramp = unit_responses(row[OMEGA], row[SIGMA], t)
    after = (rate + row[TWICE] * h) * q + h * v + step * load + ramp * slope
    return after, rate * v - row[SQUARE] * h * q + h * load + step * slope


def move(modes: Matrix, begun: float, t: float, into: int) -> None:
    """Advance all modes by `t` from time `begun` of the sample; columns `into` and `into + 1` take the new state."""
    for k in range(modes.shape[0]):
        row = modes[k]
        load = row[LOAD] + row[SLOPE] * begun
        row[into], row[into + 1] = mode_after(row, row[Q], row[V], load, row[SLOPE], t)


def leeway(contact: Vector, modes: Matrix, state: int, now: float, h: float) -> tuple[float, float]:
    """Bound how far overlap [m] and rate [m/s] can leave their chords over a stretch of length `h`.

    Columns `state` and `state + 1` hold displacements and velocities at its start, time `now` of the sample.
    """
    rise = 0.0
    rush = 0.0
    for k in range(modes.shape[0]):
        weight = abs(contact[LEVER + 2 * k])
        if weight > 0.0:
            row = modes[k]
            v = row[state + 1]
            slope = row[SLOPE]
            w = row[LOAD] + slope * now - row[TWICE] * v - row[SQUARE] * row[state]
            jerk = slope - row[TWICE] * w - row[SQUARE] * v
            up, fast = bulge(w, jerk, row[OMEGA], row[SIGMA], h)
            rise += weight * up
            rush += weight * fast
    return rise, rush


def series_at(contact: Vector, t: float) -> tuple[float, float]:
    """Return overlap and rate by the contact's power series, a time `t` after its start."""
    value = contact[TAYLOR + TERMS - 1]
    slope = 0.0
    for p in range(TERMS - 2, -1, -1):
        slope = slope * t + value
        value = value * t + contact[TAYLOR + p]
    return value, slope


def series_crossing(sign: float, contact: Vector, length: float) -> float:
    """Return the first time in [0, length] at which sign·overlap rises through zero; NO_TOUCH if it does not.

    The sign is 1 to find a touch, and −1 to find where a released contact opens. Column TAYLOR holds the overlap as a
    power series; NOISE is the overlap that rounding may make.
    """
    bend = 0.0  # bounds |δ̈| in the whole stretch: the series of δ̈ with all coefficients positive
    for p in range(TERMS - 1, 1, -1):
        bend = bend * length + p * (p - 1.0) * abs(contact[TAYLOR + p])
    if not math.isfinite(bend):
        return NO_TOUCH  # not finite: flight goes on with it, and who keeps the results ends the run as not finite
    left = 0.0
    width = length
    value = sign * contact[TAYLOR]
    rate = sign * contact[TAYLOR + 1]
    if value >= 0.0:
        if rate > 0.0:
            return 0.0
        value = -0.0  # it is beyond zero and falls: taken as zero, since only a rise through zero is sought
    finest, coarsest = length * FINEST, length * COARSEST
    smallest = finest
    while left < length:
        width = min(width, length - left)
        right = left + width
        value_right, rate_right = series_at(contact, right)
        value_right *= sign
        rate_right *= sign
        noisy = max(abs(value), abs(value_right)) <= contact[NOISE]
        clear = max(value, value_right) + 0.125 * bend * width * width < 0.0
        clear = clear or max(rate, rate_right) + 0.5 * bend * width < 0.0  # it moves away
        if clear:
            if noisy and length * max(abs(rate), abs(rate_right)) <= contact[NOISE]:  # by rates that are rounding too
                smallest = min(2.0 * smallest, coarsest)
            left = right
            value = value_right
            rate = rate_right
            width *= 2.0
        elif value_right >= 0.0 and min(rate, rate_right) - 0.5 * bend * width > 0.0:  # it rises through zero once
            t = left + width * value / (value - value_right)
            for _ in range(60):
                place, speed = series_at(contact, t)
                if sign * place >= 0.0:
                    right = t
                else:
                    left = t
                step = -place / speed
                if abs(step) <= LAST_NEWTON_STEP * width or right - left <= 4e-16 * length:
                    return min(max(t + step, left), right)
                t = t + step if left < t + step < right else 0.5 * (left + right)
            return t
        elif width > (smallest if noisy else finest):
            width *= 0.5
        elif value_right >= 0.0 and rate_right > 0.0:
            return right
        else:  # a graze below resolution: go on, and look less closely while there is but noise
            left = right
            smallest = min(2.0 * smallest, coarsest)
            value = min(value_right, -0.0)
            rate = rate_right
            width *= 2.0
    return NO_TOUCH


def first_crossing(sign: float, contact: Vector, modes: Matrix, begun: float, length: float) -> float:
    """Return what `series_crossing` does, from time `begun` of the sample on, whatever the frequencies.

    Parts are taken from left to right, halved where nothing can be told of them and doubled after each that is done.
    Columns Q_END and V_END hold the state at `length`; columns TRIAL take that at the left end of a part, and SECOND
    that at its right end.
    """
    noise = noise_of(contact, modes)
    for k in range(modes.shape[0]):
        modes[k, TRIAL] = modes[k, Q]
        modes[k, TRIAL + 1] = modes[k, V]
    left = 0.0
    width = length
    value = sign * overlap_of(contact, modes, Q)
    rate = sign * rate_of(contact, modes, V)
    if value >= 0.0:
        if rate > 0.0:
            return 0.0
        value = -0.0  # it is beyond zero and falls: taken as zero, since only a rise through zero is sought
    finest, coarsest = length * FINEST, length * COARSEST
    smallest = finest
    while left < length:
        width = min(width, length - left)
        right = left + width
        ends = SECOND
        if right < length:
            move(modes, begun, right, SECOND)
        else:
            ends = Q_END
        value_right = sign * overlap_of(contact, modes, ends)
        rate_right = sign * rate_of(contact, modes, ends + 1)
        noisy = max(abs(value), abs(value_right)) <= noise
        rise, rush = leeway(contact, modes, TRIAL, begun + left, width)
        if not math.isfinite(rise + value_right):
            return NO_TOUCH  # not finite, as in `series_crossing`
        clear = max(value, value_right) + rise < 0.0 or max(rate, rate_right) + rush < 0.0  # or it moves away
        if not clear:
            if value_right >= 0.0 and min(rate, rate_right) - rush > 0.0:
                return crossing_between(sign, contact, modes, begun, left, right, value_right, rate_right)
            if width > (smallest if noisy else finest):
                width *= 0.5
                continue
            if value_right >= 0.0 and rate_right > 0.0:
                return right
            # a graze below resolution: go on, and look less closely while there is but noise
        still = noisy and length * max(abs(rate), abs(rate_right)) <= noise  # clear by rates that are rounding too
        if still or not clear:
            smallest = min(2.0 * smallest, coarsest)
        left = right
        value = value_right if clear else min(value_right, -0.0)
        rate = rate_right
        for k in range(modes.shape[0]):
            modes[k, TRIAL] = modes[k, ends]
            modes[k, TRIAL + 1] = modes[k, ends + 1]
        width *= 2.0
    return NO_TOUCH


def crossing_between(
    sign: float, contact: Vector, modes: Matrix, begun: float, left: float, right: float, value: float, rate: float
) -> float:
    """Return the only zero of a rising overlap between `left` and `right`, by Newton within the bracket.

    At `right`, where it begins, `value` and `rate` are those of the overlap with its sign.
    """
    t, width = right, right - left
    for _ in range(100):
        if value >= 0.0:
            right = t
        else:
            left = t
        step = -value / rate if rate > 0.0 else 0.0
        if abs(step) <= LAST_NEWTON_STEP * width or right - left <= 4e-16 * right:
            return min(max(t + step, left), right)
        t = t + step if left < t + step < right else 0.5 * (left + right)
        move(modes, begun, t, SECOND)
        value = sign * overlap_of(contact, modes, SECOND)
        rate = sign * rate_of(contact, modes, SECOND + 1)
    return t


def arrive(modes: Matrix) -> None:
    """Make the state at the end of a stretch the present one: q, q̇ and q̈; what follows from them is left behind."""
    for k in range(modes.shape[0]):
        arrive_mode(modes[k])


def arrive_mode(row: Vector) -> None:
    """Do what `arrive` does for one mode."""
    row[Q] = row[Q_END]
    row[V] = row[V_END]
    row[W] = row[W_END]
