"""True extremes of one mode inside a step, where the load is linear in time.

Three quantities are followed: 0 the displacement u, 1 the velocity u′, 2 the part y = −ω²u − 2σu′ of the
acceleration that the mode's own spring and dashpot cause (on moving ground: the absolute acceleration).

Inside a step the second derivative w = u″ obeys the free equation w″ + 2σw′ + ω²w = 0. Two things follow.
Its size is bounded by its value and rate at the start, which bounds how far u can rise above its samples
(`bulge`, `may_exceed`): most steps are proved harmless by a few multiplications. And the curvature of each
quantity is a damped sinusoid whose zeros are known in closed form; between them the slope is monotone, so
that every extremum is bracketed and found by Newton's method (`peak_inside`).
"""

import math

from carom.kernels.modal.propagator import advance

ENDS = 4
"""How many stretches between zeros of the curvature are searched at each end of a step. The crests of a
decaying sinusoid on a straight line are convex in their number: the highest is the first or the last."""

NEVER = 1e300
"""A time that does not come; finite, so that a multiple of it is a number."""


def bulge(w: float, jerk: float, omega: float, decay: float, h: float) -> tuple[float, float]:
    """Bound how far u and u′ can leave the chord over a step, from (bounds of) u″ and u‴ at its start."""
    swing = math.sqrt(jerk * jerk + omega * omega * w * w)  # bounds |u‴|: w′² + ω²w² cannot grow
    bend = abs(w) + h * swing
    if omega * bend > swing:
        bend = swing / omega  # ω|u″| ≤ swing as well
    rise = 0.125 * h * h * bend
    rush = 0.125 * h * h * swing
    if omega * h > 1.0:  # over a radian a step: twice the amplitude of the free part is the better bound
        o2 = omega * omega
        rate = (abs(jerk) + 2.0 * decay * abs(w)) / o2
        place = (abs(w) + 2.0 * decay * rate) / o2
        amplitude = 2.0 * math.sqrt(place * place + rate * rate / o2)
        rise = min(rise, amplitude)
        rush = min(rush, omega * amplitude)
    return rise, rush


def leaves_chord(kind: int, omega: float, decay: float, h: float) -> tuple[float, float]:
    """Return how far a quantity can leave the chord over a step, for each of |u″| and |u‴| at its start.

    Wider than what `bulge` finds, but known before the state is. Quantities 3 and 4 are the first two derivatives of y.
    """
    second = 0.125 * h * h
    if kind == 0:
        by_bend, by_jerk = second * (1.0 + omega * h), second * h
        # twice the amplitude, in 1/ω² and 1/ω³: of the free part |u| ≤ 5|u″| + 2|u‴|/ω and |u′|/ω ≤ 2|u″| + |u‴|/ω,
        # both over ω², where σ ≤ ω
        swift_bend, swift_jerk = 14.0, 6.0
    elif kind == 1:
        by_bend, by_jerk = second * omega, second
        swift_bend, swift_jerk = 14.0 * omega, 6.0 * omega
    else:  # y and w differ by the load, which is straight
        twice, square = 2.0 * decay, omega * omega
        before, size = 1.0, omega + twice  # of u‴ and u⁗, each for |u‴| + ω|u″|
        below = 1.0 / omega if omega > 0.0 else 0.0  # of what leaves the chord
        for _ in range(kind - 2):
            below, before, size = before, size, twice * size + square * before
        by_jerk = second * size
        by_bend = by_jerk * omega
        swift_jerk = 2.0 * below * square * omega
        swift_bend = swift_jerk
    if decay <= omega and swift_bend < by_bend * omega * omega:
        return swift_bend / (omega * omega), swift_jerk / (omega * omega * omega)
    return by_bend, by_jerk


def leaves_curve(kind: int, omega: float, decay: float, h: float) -> tuple[float, float]:
    """Return how far a quantity can leave Hermite's curve over a step, for each of |u″| and |u‴| at its start.

    The curve is the quintic with values and two derivatives of both ends, for y the cubic with values and slopes. It
    misses h⁶/46080 of the sixth derivative and h⁴/384 of the fourth; a mode that turns often in the step misses no more
    than its amplitude and its own share of the curve.
    """
    twice, square = 2.0 * decay, omega * omega
    fourth = twice + omega  # derivatives of u, each for |u‴| + ω|u″|
    fifth = twice * fourth + square
    sixth = twice * fifth + square * fourth
    turn = (omega + twice) * h
    if kind == 0:
        missed = h**6 / 46080.0 * sixth
        amplitudes, power = 1.0 + 0.2 * turn + 0.025 * turn * turn, 0
    elif kind == 1:
        missed = h**6 / 46080.0 * (twice * sixth + square * fifth)
        amplitudes, power = 1.0 + 0.2 * turn + 0.025 * turn * turn, 1
    else:
        missed = h**4 / 384.0 * (square * fourth + twice * fifth)
        amplitudes, power = 3.0 * (1.0 + turn / 6.0), 2
    by_bend, by_jerk = missed * omega, missed
    if omega > 0.0 and decay <= omega:
        amplitudes *= omega ** (power - 2)
        if 14.0 * amplitudes < by_bend:
            return 14.0 * amplitudes, 6.0 * amplitudes / omega
    return by_bend, by_jerk


def may_exceed(
    u: float,
    v: float,
    load: float,
    slope: float,
    omega: float,
    decay: float,
    soft: float,
    h: float,
    best_u: float,
    best_v: float,
    best_y: float,
) -> tuple[bool, bool, bool]:
    """Tell for |u|, |u′| and |y| whether the static part plus the amplitude of the free part passes a best.

    The better bound where a step spans a radian or more; `soft` = 1/ω². The static part of y is −load.
    """
    stiff, damp = omega * omega, 2.0 * decay
    drift = slope * soft
    place = (load - damp * drift) * soft
    free, rate = u - place, v - drift
    w = -damp * rate - stiff * free
    jerk = -damp * w - stiff * rate
    spare_u = best_u - max(abs(place), abs(place + h * drift))
    spare_v = best_v - abs(drift)
    spare_y = best_y - max(abs(load), abs(load + h * slope))
    return (
        spare_u < 0.0 or free * free + rate * rate * soft > spare_u * spare_u,
        spare_v < 0.0 or rate * rate + w * w * soft > spare_v * spare_v,
        spare_y < 0.0 or w * w + jerk * jerk * soft > spare_y * spare_y,
    )


def peak_inside(
    kind: int,
    u: float,
    v: float,
    u_end: float,
    v_end: float,
    load: float,
    slope: float,
    omega: float,
    decay: float,
    h: float,
    best: float,
) -> float:
    """Return the larger of `best` and the largest |quantity| at an extremum inside a step of length `h`.

    `u`, `v` and `u_end`, `v_end` are the states at its ends, `load` + `slope`·t the load in between.
    """
    _, left_slope, curvature, change = _derivatives(kind, u, v, load, slope, omega, decay)
    _, end_slope, _, _ = _derivatives(kind, u_end, v_end, load + slope * h, slope, omega, decay)
    first, spacing = _zeros(curvature, change, omega, decay)
    stretches = 1.0 if first >= h else 2.0 + math.floor((h - first) / spacing)
    left = 0.0
    k = 0.0
    while k < stretches:
        if k == ENDS and stretches > 2 * ENDS:
            k = stretches - ENDS
            left = first + (k - 1.0) * spacing
            left_slope = _slope_at(kind, u, v, load, slope, omega, decay, left)
        right, right_slope = h, end_slope
        if k < stretches - 1.0:
            right = min(first + k * spacing, h)
            right_slope = _slope_at(kind, u, v, load, slope, omega, decay, right)
        if left_slope < 0.0 < right_slope or right_slope < 0.0 < left_slope:
            found = _stationary(kind, u, v, load, slope, omega, decay, left, right, left_slope, right_slope)
            best = max(best, abs(found))
        left, left_slope = right, right_slope
        k += 1.0
    return best


def _derivatives(
    kind: int, u: float, v: float, load: float, slope: float, omega: float, decay: float
) -> tuple[float, float, float, float]:
    """Return the quantity `kind` and its first three derivatives at a state under `load`."""
    o2, c = omega * omega, 2.0 * decay
    w = load - c * v - o2 * u
    jerk = slope - c * w - o2 * v
    snap = -c * jerk - o2 * w
    if kind == 0:
        return u, v, w, jerk
    if kind == 1:
        return v, w, jerk, snap
    return -o2 * u - c * v, -o2 * v - c * w, -o2 * w - c * jerk, -o2 * jerk - c * snap


def _slope_at(kind: int, u: float, v: float, load: float, slope: float, omega: float, decay: float, t: float) -> float:
    """Return the first derivative of the quantity at time `t` of the step."""
    ut, vt = advance(u, v, load, slope, omega, decay, t)
    return _derivatives(kind, ut, vt, load + slope * t, slope, omega, decay)[1]


def _zeros(value: float, change: float, omega: float, decay: float) -> tuple[float, float]:
    """Return the first positive zero of a free vibration from its start values, and the zeros' spacing."""
    lean = change + decay * value
    square = (omega - decay) * (omega + decay)
    if square > 0.0:
        damped = math.sqrt(square)
        angle = math.atan2(-value * damped, lean)
        if angle <= 0.0:
            angle += math.pi
        return angle / damped, math.pi / damped
    ratio = -value / lean if lean != 0.0 else -1.0
    if square < 0.0:
        spread = math.sqrt(-square)
        ratio *= spread
        if 0.0 < ratio < 1.0:
            return math.atanh(ratio) / spread, NEVER
        return NEVER, NEVER
    return (ratio if ratio > 0.0 else NEVER), NEVER


def _stationary(
    kind: int,
    u: float,
    v: float,
    load: float,
    slope: float,
    omega: float,
    decay: float,
    left: float,
    right: float,
    left_slope: float,
    right_slope: float,
) -> float:
    """Return the quantity where its slope, monotone between `left` and `right`, changes sign."""
    rate = max(omega + decay, 1.0 / (right - left))
    t = left + (right - left) * (left_slope / (left_slope - right_slope))
    value = 0.0
    for _ in range(60):
        ut, vt = advance(u, v, load, slope, omega, decay, t)
        value, tilt, bend, _ = _derivatives(kind, ut, vt, load + slope * t, slope, omega, decay)
        if tilt == 0.0:
            break
        if (tilt < 0.0) == (left_slope < 0.0):
            left = t
        else:
            right = t
        step = -tilt / bend if bend != 0.0 else NEVER
        if abs(step) * rate < 2e-6:  # the parabola through this point leaves an error of its cube
            return value + 0.5 * tilt * step
        if left < t + step < right:
            t += step
        else:
            t = 0.5 * (left + right)
    return value
