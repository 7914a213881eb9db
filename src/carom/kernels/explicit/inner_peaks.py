"""The true extremes of sums of modes inside a stretch of flight, by polynomials.

Over a stretch of length t a quantity is taken for the polynomial of degree eleven that has its value and its first five
derivatives at both ends. It leaves that by no more than (ωt)¹²/(2¹² 12!) of each mode's amplitude, 7e-11 at ωt = 1.5.
Displacement, velocity and absolute acceleration have one set of derivatives: those of the displacement.
"""

from typing import NamedTuple

from carom.kernels.event.peak_search import (
    CLOSE,
    FINE,
    FINEST,
    ONE_CREST,
    PATIENCE,
    SIXTH,
    THIRD,
    UNKNOWN,
    cubic_crest,
    nearer,
    summit,
    verdict,
)
from carom.kernels.types import seldom

SEVENTH = 1.0 / 7.0


def four_more(twice: float, square: float, c2: float, c3: float) -> tuple[float, float, float, float]:
    """Return the terms four to seven of a mode's power series from the two before; `twice` is 2σt, `square` (ωt)²."""
    c4 = -0.25 * (twice * c3 + THIRD * square * c2)
    c5 = -0.2 * (twice * c4 + 0.25 * square * c3)
    c6 = -SIXTH * (twice * c5 + 0.2 * square * c4)
    return c4, c5, c6, -SEVENTH * (twice * c6 + SIXTH * square * c5)


class Terms(NamedTuple):
    """The first eight terms of a power series, from the constant on."""

    c0: float
    c1: float
    c2: float
    c3: float
    c4: float
    c5: float
    c6: float
    c7: float


class Quintic(NamedTuple):
    """The six coefficients of a polynomial of degree five, from the constant on."""

    c0: float
    c1: float
    c2: float
    c3: float
    c4: float
    c5: float


class Leaves(NamedTuple):
    """How far a displacement and its first four derivatives in time can leave their chords in a stretch."""

    s0: float
    s1: float
    s2: float
    s3: float
    s4: float


class Accelerations(NamedTuple):
    """An absolute acceleration at both ends of a stretch [m/s²], with its slopes [m/s³]."""

    start: float
    start_slope: float
    end: float
    end_slope: float


@seldom
def true_peak(
    kind: int, peak: float, t: float, onwards: Terms, backwards: Terms, leaves: Leaves, absolute: Accelerations
) -> float:
    """Return the peak of a quantity, raised by its extremes inside a stretch of flight of length `t`.

    `kind` is 0 for displacement, 1 for velocity, 2 for absolute acceleration. `onwards` is the power series of the
    displacement in s = τ/t from the start on, `backwards` that in 1 − s from the end back.
    """
    x0, x1, x2, x3, x4, x5, x6, x7 = onwards
    z0, z1, z2, z3, z4, z5, z6, z7 = backwards
    s0, s1, s2, s3, s4 = leaves
    rate = 1.0 / t
    for _ in range(kind):
        x0, x1, x2, x3 = rate * x1, 2.0 * rate * x2, 3.0 * rate * x3, 4.0 * rate * x4
        x4, x5, x6 = 5.0 * rate * x5, 6.0 * rate * x6, 7.0 * rate * x7
        z0, z1, z2, z3 = -rate * z1, -2.0 * rate * z2, -3.0 * rate * z3, -4.0 * rate * z4
        z4, z5, z6 = -5.0 * rate * z5, -6.0 * rate * z6, -7.0 * rate * z7
        s0, s1, s2, s3 = s1, s2, s3, s4
    if kind == 2:  # without the load
        x0, x1 = absolute.start, t * absolute.start_slope
        z0, z1 = absolute.end, -t * absolute.end_slope
    x, z = Quintic(x0, x1, x2, x3, x4, x5), Quintic(z0, z1, z2, z3, z4, z5)
    return inner_peak(x, z, s0, t * s1, t * t * s2, peak)


def inner_peak(x: Quintic, z: Quintic, leaves: float, slope_leaves: float, bend_leaves: float, peak: float) -> float:
    """Return the peak of a quantity, raised by extremes inside a stretch of flight, which here has the length one.

    Given are the terms of its series at both ends, `x` onwards and `z` backwards, and how far it, its slope and its
    second derivative leave their chords. The method is that of `flight_search.search_parts`; samples are short here,
    and bounds hold for all of a stretch.
    """
    a, b = towards(x), towards(z)
    value, slope, bend = x.c0, x.c1, 2.0 * x.c2
    left, width, looks = 0.0, 1.0, 0
    while left < 1.0:
        looks += 1
        right = left + width
        end_value, end_slope, end_bend = z.c0, -z.c1, 2.0 * z.c2
        if right < 1.0:
            end_value, end_slope, end_bend = between(right, a, b)
        else:
            right, width = 1.0, 1.0 - left
        peak = max(peak, abs(end_value))
        part = width * width
        found = verdict(
            width, value, slope, bend, end_value, end_slope, end_bend, part * leaves, part * slope_leaves,
            part * bend_leaves, peak,
        )  # fmt: skip
        if found == UNKNOWN and looks < PATIENCE and width > FINEST:
            width *= 0.5
            continue
        if found == ONE_CREST:
            low, high, rising = left, right, slope > 0.0
            at = left + width * cubic_crest(end_value - value, width * slope, width * end_slope)
            for iteration in range(60):
                if iteration % 8 == 7 or not low < at < high:
                    at = 0.5 * (low + high)
                there, tilt, bow = between(at, a, b)
                peak = max(peak, abs(there))
                if abs(tilt) <= CLOSE * width * abs(bow) or high - low <= FINE * width:
                    peak = max(peak, summit(there, tilt, bow, high - low))
                    break
                at, low, high = nearer(at, low, high, (tilt > 0.0) == rising, tilt, bow)
        left, value, slope, bend = right, end_value, end_slope, end_bend
        width *= 2.0
    return peak


def towards(x: Quintic) -> Quintic:
    """Return the first terms in s of a series over (1 − s)⁶."""
    x0, x1, x2, x3, x4, x5 = x
    return Quintic(
        x0,
        x1 + 6.0 * x0,
        x2 + 6.0 * x1 + 21.0 * x0,
        x3 + 6.0 * x2 + 21.0 * x1 + 56.0 * x0,
        x4 + 6.0 * x3 + 21.0 * x2 + 56.0 * x1 + 126.0 * x0,
        x5 + 6.0 * x4 + 21.0 * x3 + 56.0 * x2 + 126.0 * x1 + 252.0 * x0,
    )


def between(s: float, onwards: Quintic, backwards: Quintic) -> tuple[float, float, float]:
    """Return (1 − s)⁶ Σ a sᵖ + s⁶ Σ b (1 − s)ᵖ and its first two derivatives, a being `onwards` and b `backwards`."""
    r = 1.0 - s
    a, slope_a, bend_a = quintic(s, onwards)
    b, slope_b, bend_b = quintic(r, backwards)
    r4, s4 = r * r * r * r, s * s * s * s
    return (
        r4 * r * r * a + s4 * s * s * b,
        r4 * r * (r * slope_a - 6.0 * a) - s4 * s * (s * slope_b - 6.0 * b),
        r4 * (r * (r * bend_a - 12.0 * slope_a) + 30.0 * a) + s4 * (s * (s * bend_b - 12.0 * slope_b) + 30.0 * b),
    )


def quintic(s: float, a: Quintic) -> tuple[float, float, float]:
    """Return a polynomial of degree five and its first two derivatives."""
    a0, a1, a2, a3, a4, a5 = a
    value = a0 + s * (a1 + s * (a2 + s * (a3 + s * (a4 + s * a5))))
    slope = a1 + s * (2.0 * a2 + s * (3.0 * a3 + s * (4.0 * a4 + s * 5.0 * a5)))
    bend = 2.0 * a2 + s * (6.0 * a3 + s * (12.0 * a4 + s * 20.0 * a5))
    return value, slope, bend
