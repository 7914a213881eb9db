"""Structures in free flight: exact from sample to sample, with every touch located.

Between impacts each mode is on its own under a load that is linear over a sample of the record. A stretch of
flight counts as free of touches only when a bound on the overlap proves it; otherwise it is halved, until the
first crossing lies in a stretch where the overlap is monotone and is found by Newton's method.
"""

from carom.kernels.extremes import bulge
from carom.kernels.propagator import advance
from carom.kernels.types import Matrix, Vector

NO_TOUCH = -1.0
DEPTH = 46  # halvings of a stretch: beyond it two times cannot be told apart


def overlap_of(reach: Matrix, gap: Vector, contact: int, q: Vector) -> float:
    """Return reach·q − gap of one contact [m]; negative while open."""
    total = -gap[contact]
    for k in range(q.size):
        total += reach[contact, k] * q[k]
    return total


def rate_of(reach: Matrix, contact: int, v: Vector) -> float:
    """Return the rate of the overlap [m/s]."""
    total = 0.0
    for k in range(v.size):
        total += reach[contact, k] * v[k]
    return total


def move(
    omega: Vector,
    sigma: Vector,
    load: Vector,
    slope: Vector,
    q: Vector,
    v: Vector,
    t: float,
    q_new: Vector,
    v_new: Vector,
) -> None:
    """Advance all modes by `t` under modal loads ``load + slope·t``."""
    for k in range(q.size):
        q_new[k], v_new[k] = advance(q[k], v[k], load[k], slope[k], omega[k], sigma[k], t)


def leeway(
    reach: Matrix,
    contact: int,
    omega: Vector,
    sigma: Vector,
    load: Vector,
    slope: Vector,
    q: Vector,
    v: Vector,
    after: float,
    h: float,
) -> tuple[float, float]:
    """Bound how far overlap and rate can leave their chords over a stretch of length `h`.

    `q` and `v` are the states at its start, `after` the time since the loads' own start.
    """
    rise = 0.0
    rush = 0.0
    for k in range(q.size):
        weight = abs(reach[contact, k])
        if weight > 0.0:
            w = load[k] + slope[k] * after - 2.0 * sigma[k] * v[k] - omega[k] * omega[k] * q[k]
            jerk = slope[k] - 2.0 * sigma[k] * w - omega[k] * omega[k] * v[k]
            up, fast = bulge(w, jerk, omega[k], sigma[k], h)
            rise += weight * up
            rush += weight * fast
    return rise, rush


def first_crossing(
    sign: float,
    reach: Matrix,
    gap: Vector,
    contact: int,
    omega: Vector,
    sigma: Vector,
    load: Vector,
    slope: Vector,
    q: Vector,
    v: Vector,
    length: float,
    scratch: Matrix,
) -> float:
    """Return the first time in (0, length] at which sign·overlap rises through zero; NO_TOUCH if it does not.

    `scratch` has at least 4 + 2 rows of the number of modes: the state at the left end, at the right end, and
    at a trial time. Stretches are taken from left to right; their right ends form a dyadic subdivision.
    """
    q_left, v_left = scratch[0], scratch[1]
    q_right, v_right = scratch[2], scratch[3]
    for k in range(q.size):
        q_left[k] = q[k]
        v_left[k] = v[k]
    left = 0.0
    width = length
    value = sign * overlap_of(reach, gap, contact, q_left)
    rate = sign * rate_of(reach, contact, v_left)
    if value >= 0.0:
        if rate > 0.0:
            return 0.0
        value = -0.0
    smallest = length * 2.0**-DEPTH
    while left < length:
        width = min(width, length - left)
        right = left + width
        move(omega, sigma, load, slope, q, v, right, q_right, v_right)
        value_right = sign * overlap_of(reach, gap, contact, q_right)
        rate_right = sign * rate_of(reach, contact, v_right)
        rise, rush = leeway(reach, contact, omega, sigma, load, slope, q_left, v_left, left, width)
        clear = max(value, value_right) + rise < 0.0
        if value == 0.0 and rate < 0.0 and value_right < 0.0:
            # leaving the other body: the chord starts at zero, so that the slope must speak
            clear = clear or max(rate, rate_right) + rush < 0.0
        if clear:
            left = right
            value = value_right
            rate = rate_right
            for k in range(q.size):
                q_left[k] = q_right[k]
                v_left[k] = v_right[k]
            width *= 2.0
            continue
        if value_right >= 0.0 and min(rate, rate_right) - rush > 0.0:
            return _root(sign, reach, gap, contact, omega, sigma, load, slope, q, v, left, right, scratch)
        if width > smallest:
            width *= 0.5
            continue
        if value_right >= 0.0 and rate_right > 0.0:
            return right
        left = right  # a graze below resolution: go on, and look less closely if it lasts
        smallest *= 2.0
        value = min(value_right, -0.0)
        rate = rate_right
        for k in range(q.size):
            q_left[k] = q_right[k]
            v_left[k] = v_right[k]
        width *= 2.0
    return NO_TOUCH


def _root(
    sign: float,
    reach: Matrix,
    gap: Vector,
    contact: int,
    omega: Vector,
    sigma: Vector,
    load: Vector,
    slope: Vector,
    q: Vector,
    v: Vector,
    left: float,
    right: float,
    scratch: Matrix,
) -> float:
    """Return the only zero of a rising overlap between `left` and `right`, by Newton within the bracket."""
    t = right
    for _ in range(100):
        move(omega, sigma, load, slope, q, v, t, scratch[2], scratch[3])
        value = sign * overlap_of(reach, gap, contact, scratch[2])
        rate = sign * rate_of(reach, contact, scratch[3])
        if value >= 0.0:
            right = t
        else:
            left = t
        step = -value / rate if rate > 0.0 else 0.0
        if abs(step) <= 4e-16 * right or right - left <= 4e-16 * right:
            break
        t = t + step if left < t + step < right else 0.5 * (left + right)
    return t
