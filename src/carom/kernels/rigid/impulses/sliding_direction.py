"""In which directions a contact with two tangents can slide: the zeros of a trigonometric polynomial on the circle.

All questions about sliding directions s = (cos φ, sin φ) come to

    f(φ) = k0 + kc cos φ + ks sin φ + kc2 cos 2φ + ks2 sin 2φ = 0,

a quartic in tan(φ/2) with up to four zeros. They are isolated by bounds on the second derivative instead of by
formulas: double zeros and leading coefficients that vanish need no cases of their own.
"""

import math

CIRCLE = 2.0 * math.pi
FIRST_LOOK = CIRCLE / 16.0
CLOSEST_LOOK = 1e-9
"""Arcs [rad] below which a zero that does not change the sign counts as one, if f is rounding there."""
START = 0.7391
"""Where searches begin [rad]: zeros at multiples of a right angle are common, here they are not."""
END = START + CIRCLE + 3.0 * CLOSEST_LOOK
"""Where they end: once round, and so far beyond that a zero at START is met."""
ROUNDING = 1e-15


def wave(k0: float, kc: float, ks: float, kc2: float, ks2: float, at: float) -> tuple[float, float]:
    """Return f and its slope."""
    c, s = math.cos(at), math.sin(at)
    c2, s2 = c * c - s * s, 2.0 * c * s
    return k0 + kc * c + ks * s + kc2 * c2 + ks2 * s2, ks * c - kc * s + 2.0 * (ks2 * c2 - kc2 * s2)


def next_direction(k0: float, kc: float, ks: float, kc2: float, ks2: float, start: float, end: float) -> float:
    """Return the first zero in (start, end]; beyond `end` there is none. Where f is zero throughout, none is found.

    A zero at `start` itself is taken for the one that was found before.
    """
    first, second = math.hypot(kc, ks), math.hypot(kc2, ks2)
    bend, noise = first + 4.0 * second, ROUNDING * (abs(k0) + first + second)
    if first + second == 0.0:
        return math.inf
    left, width = start + CLOSEST_LOOK, FIRST_LOOK
    value, slope = wave(k0, kc, ks, kc2, ks2, left)
    while left < end:
        width = min(width, end - left)
        right = left + width
        value_right, slope_right = wave(k0, kc, ks, kc2, ks2, right)
        same = value * value_right > 0.0
        if same and min(abs(value), abs(value_right)) > 0.125 * bend * width * width:
            left, value, slope = right, value_right, slope_right
            width = min(2.0 * width, FIRST_LOOK)
            continue
        if min(abs(slope), abs(slope_right)) > 0.5 * bend * width and slope * slope_right > 0.0:  # monotone
            if same:
                left, value, slope = right, value_right, slope_right
                continue
            return zero_between(k0, kc, ks, kc2, ks2, left, right)
        if width > CLOSEST_LOOK:
            width *= 0.5
            continue
        if not same or abs(value) <= noise:
            return zero_between(k0, kc, ks, kc2, ks2, left, right)
        left, value, slope = right, value_right, slope_right
    return math.inf


def zero_between(k0: float, kc: float, ks: float, kc2: float, ks2: float, left: float, right: float) -> float:
    """Return the zero in a stretch where f changes its sign, by Newton's steps that stay inside; else an end of it."""
    value, _ = wave(k0, kc, ks, kc2, ks2, left)
    if value == 0.0:
        return left
    rising = value < 0.0
    at = 0.5 * (left + right)
    for _ in range(100):
        value, slope = wave(k0, kc, ks, kc2, ks2, at)
        if (value < 0.0) == rising:
            left = at
        else:
            right = at
        step = -value / slope if slope != 0.0 else math.inf
        if abs(step) <= 2e-16 * (1.0 + abs(at)) or right - left <= 2e-16 * (1.0 + abs(at)):
            break
        at = at + step if left < at + step < right else 0.5 * (left + right)
    return at
