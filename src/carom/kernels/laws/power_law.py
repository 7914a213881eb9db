"""The contact force, written once for every law of the power form.

    F = K δⁿ + χ δᵐ δ̇        in contact                                    alves2015 (1)

A law is a row of eight numbers. χ is constant, or a number over the reference rate v* of the impact; in
restitution (δ̇ < 0) a share of the damping is kept: all of it, none, or between. `root` is √δ, passed along
because taking it is the dearest part of a force. The caller switches the force by the state of contact, not by
the sign of δ, so that a law with m = 0 keeps its jump at first touch.
"""

import math

from carom.kernels.types import Vector

STIFFNESS = 0  # K [N/m^n]
EXPONENT = 1  # n [-]
DAMPING = 2  # χ, or χ·v* where RATE_POWER is 1
DAMPING_EXPONENT = 3  # m [-]
RATE_POWER = 4  # 0: χ is constant; 1: χ = DAMPING / v*
RESTITUTION_SHARE = 5  # share of the damping kept while δ̇ < 0 [-]
TENSION = 6  # 1: contact ends at δ = 0, pulling if the law pulls; 0: it ends where F = 0
PUBLISHED_RATE = 7  # 1: v* = v0 as published; 0: v* = max(v0, ½ max δ̇ since touch)
SIZE = 8


def power(x: float, root: float, p: float) -> float:
    """Return x^p for x ≥ 0 and its square root, which callers often have for nothing."""
    if p == 1.0:
        return x
    if p == 1.5:
        return x * root
    if p == 0.0:
        return 1.0
    if p == 0.25:
        return math.sqrt(root)
    if p == 0.5:
        return root
    if x == 0.0 and p < 0.0:
        return math.inf
    return x**p


def reference_rate(c: Vector, touch_rate: float, top_rate: float) -> float:
    """Return v*, the rate that scales the damping of laws with χ/v0.

    As published v* = v0, the rate at first touch. A touch without speed would then make χ unbounded and
    glue the bodies together; v* = max(v0, ½ max δ̇) leaves ordinary impacts as they are.
    """
    if c[PUBLISHED_RATE] != 0.0:
        return touch_rate
    return max(touch_rate, 0.5 * top_rate)


def damping_factor(c: Vector, rate: float, reference: float) -> float:
    """Return χ for this direction of motion [N·s/m^(m+1)]."""
    chi = c[DAMPING]
    if c[RATE_POWER] != 0.0:
        chi = chi / reference if reference > 0.0 else 0.0
    if rate < 0.0:
        chi *= c[RESTITUTION_SHARE]
    return chi


def elastic_force(c: Vector, overlap: float, root: float) -> float:
    """Return K δⁿ [N], the part of the force that stores energy."""
    return c[STIFFNESS] * power(overlap, root, c[EXPONENT])


def stored_energy(c: Vector, overlap: float, root: float) -> float:
    """Return what the spring holds [J]."""
    return elastic_force(c, overlap, root) * overlap / (c[EXPONENT] + 1.0)


def damping_force(c: Vector, chi: float, overlap: float, root: float, rate: float) -> float:
    """Return χ δᵐ δ̇ [N], the part of the force that dissipates."""
    if chi == 0.0:
        return 0.0
    return chi * power(overlap, root, c[DAMPING_EXPONENT]) * rate


def both_parts(c: Vector, chi: float, overlap: float, root: float, rate: float) -> tuple[float, float]:
    """Return the part of the force that stores energy and the part that dissipates [N]."""
    return elastic_force(c, overlap, root), damping_force(c, chi, overlap, root, rate)


def force(c: Vector, chi: float, overlap: float, root: float, rate: float) -> float:
    """Return the force in contact [N], positive in compression."""
    spring, resists = both_parts(c, chi, overlap, root, rate)
    return spring + resists


def force_slopes(c: Vector, chi: float, overlap: float, root: float, rate: float) -> tuple[float, float]:
    """Return ∂F/∂δ [N/m] and ∂F/∂δ̇ [N·s/m] at constant χ."""
    n = c[EXPONENT]
    by_overlap = c[STIFFNESS] * n * power(overlap, root, n - 1.0)
    if chi == 0.0:
        return by_overlap, 0.0
    m = c[DAMPING_EXPONENT]
    if m != 0.0:
        by_overlap += chi * m * power(overlap, root, m - 1.0) * rate
    return by_overlap, chi * power(overlap, root, m)


def grading(c: Vector) -> float:
    """Return the smallest q of 1, 2, 4 for which δ = y^q turns both powers of the law into whole ones."""
    for q in (1.0, 2.0):
        n = q * c[EXPONENT]
        m = q * c[DAMPING_EXPONENT]
        if n == math.floor(n) and (m == math.floor(m) or c[DAMPING] == 0.0):
            return q
    return 4.0


def overlap_scale(c: Vector, mass: float, speed: float) -> float:
    """Return the overlap at which the spring alone would stop `mass` from `speed` [m]."""
    n = c[EXPONENT]
    return (0.5 * (n + 1.0) * mass * speed * speed / c[STIFFNESS]) ** (1.0 / (n + 1.0))


def speed_scale(c: Vector, mass: float, touch_rate: float, gravity: float) -> float:
    """Return a speed typical of the impact: that at touch, or what gravity gives where it is slower [m/s]."""
    if gravity <= 0.0:
        return touch_rate
    sag = (mass * gravity / c[STIFFNESS]) ** (1.0 / c[EXPONENT])
    return max(touch_rate, math.sqrt(gravity * sag))


def never_separates(c: Vector, mass: float) -> bool:
    """Return whether the spring creeps back and never reaches δ = 0, as an overdamped oscillator does.

    With m = (n−1)/2 the motion is that of a linear oscillator in δ^{(n+1)/2}, whose damping ratio is
    χ/√(2(n+1) K m_eff): ζ of Kelvin-Voigt, α/√5 of Tsuji (Antypov and Elliott 2011). Elsewhere damping fades as δ → 0.
    """
    n = c[EXPONENT]
    if c[TENSION] == 0.0 or c[RATE_POWER] != 0.0 or 2.0 * c[DAMPING_EXPONENT] != n - 1.0:
        return False
    chi = c[DAMPING] * c[RESTITUTION_SHARE]
    return chi * chi >= 2.0 * (n + 1.0) * c[STIFFNESS] * mass


def resting_overlap(c: Vector, mass: float, gravity: float, pendulum: float) -> float:
    """Return the overlap at which the spring and a pendulum's restoring term carry the weight [m]."""
    high = (mass * gravity / c[STIFFNESS]) ** (1.0 / c[EXPONENT])
    if pendulum == 0.0:
        return high
    low = 0.0
    for _ in range(60):
        middle = 0.5 * (low + high)
        if elastic_force(c, middle, math.sqrt(middle)) + mass * pendulum * middle < mass * gravity:
            low = middle
        else:
            high = middle
    return high
