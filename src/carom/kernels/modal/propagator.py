"""Exact motion of one mode under a load that is linear in time.

    u″ + 2σ u′ + ω² u = p₀ + s·t,        u(0) = u₀,  u′(0) = v₀

ω [rad/s] is the undamped circular frequency and σ = ζω [1/s] the rate of decay; a rigid mode (ω = 0) may
still be damped (σ > 0), which is why σ is the parameter and not ζ. Both must be ≥ 0. For a structure on
moving ground p = −a_g, u and u′ are relative to the ground and u″ + a_g is the absolute acceleration.

All follows from four functions of one time t, the answers of the mode at rest to a unit impulse (`h` and
its rate `h′`), to a unit step (`H₁ = ∫h`) and to a unit ramp (`H₂ = ∫H₁`):

    u(t) = (h′ + 2σh) u₀ + h v₀ + H₁ p₀ + H₂ s
    v(t) =     −ω² h  u₀ + h′ v₀ + h  p₀ + H₁ s

`unit_responses` returns them to within a few units of rounding of the largest term for every ω, σ and t,
underdamped, critical, overdamped or rigid, however short or long the step.
"""

import math

import numpy as np

from carom.kernels.types import Vector

SERIES_BELOW = 1.0
"""Below this ωt and σt the power series is used; above it the closed forms lose no digits."""

DIVIDED_ABOVE = 1.0
"""Above this ωt answers to powers of time follow from those to lower powers without loss of many digits."""

INVERSE = np.array([0.0, *(1.0 / k for k in range(1, 44))])
"""1/k by k."""


def unit_responses(omega: float, decay: float, t: float) -> tuple[float, float, float, float]:
    """Return (h, h′, H₁, H₂) at time `t` [s]: answers to a unit impulse (two), step and ramp."""
    z = decay * t
    w = omega * t
    if z < SERIES_BELOW and w < SERIES_BELOW:
        return _by_series(w * w, z, t)
    if w * w >= 0.5 * z * z:
        return _by_rotation(w, z, t)
    return _by_roots(w * w, z, t)


def _by_series(w2: float, z: float, t: float) -> tuple[float, float, float, float]:
    """Sum h = Σ cₖ with (k+1)(k+2) cₖ₊₂ = −2z(k+1) cₖ₊₁ − w² cₖ, in time units of the step."""
    before, term = 0.0, 1.0
    h, rate, step, ramp = 1.0, 1.0, 0.5, 1.0 / 6.0
    for k in range(1, 40):
        before, term = term, -(2.0 * z * term + w2 * before * INVERSE[k]) * INVERSE[k + 1]
        part = term * INVERSE[k + 2]
        h += term
        rate += (k + 1.0) * term
        step += part
        ramp += part * INVERSE[k + 3]
        if (k + 1.0) * (abs(term) + abs(before)) < 1e-17:
            break
    return h * t, rate, step * t * t, ramp * t * t * t


def _by_rotation(w: float, z: float, t: float) -> tuple[float, float, float, float]:
    """Vibrating and nearly critical modes: sine and cosine of the damped angle, or their limits."""
    angle2 = (w - z) * (w + z)
    fade = math.exp(-z)
    if angle2 > 0.0:
        angle = math.sqrt(angle2)
        sine, cosine = math.sin(angle) / angle, math.cos(angle)
    elif angle2 < 0.0:
        angle = math.sqrt(-angle2)
        slow, fast = math.exp(angle - z), math.exp(-angle - z)
        fade, sine, cosine = 1.0, -0.5 * slow * math.expm1(-2.0 * angle) / angle, 0.5 * (slow + fast)
    else:
        sine, cosine = 1.0, 1.0
    h = fade * sine
    rate = fade * (cosine - z * sine)
    step = (1.0 - rate - 2.0 * z * h) / (w * w)
    ramp = (1.0 - h - 2.0 * z * step) / (w * w)
    return h * t, rate, step * t * t, ramp * t * t * t


def _by_roots(w2: float, z: float, t: float) -> tuple[float, float, float, float]:
    """Creeping modes, rigid ones among them: divided differences over the two real roots."""
    spread = math.sqrt(z * z - w2)
    fast = -(z + spread)
    slow = w2 / fast
    width = 2.0 * spread
    h = -math.exp(slow) * math.expm1(-width) / width
    rate = (slow * math.exp(slow) - fast * math.exp(fast)) / width
    step_fast, ramp_fast = _phi(fast)
    step_slow, ramp_slow = _phi(slow)
    return h * t, rate, (step_slow - step_fast) / width * t * t, (ramp_slow - ramp_fast) / width * t * t * t


def further_responses(omega: float, decay: float, t: float, step: float, ramp: float) -> tuple[float, float, float]:
    """Return (H₃, H₄, H₅), the answers to t²/2, t³/6 and t⁴/24, from those to a unit step and ramp.

    From Hₙ₋₂ + 2σHₙ₋₁ + ω²Hₙ = tⁿ⁻¹/(n−1)!, the equation of motion, where ω² is large enough to divide by.
    """
    z = decay * t
    w = omega * t
    creeps = z >= SERIES_BELOW and w * w < 0.5 * z * z
    if w > DIVIDED_ABOVE and not creeps:
        soft = 1.0 / (omega * omega)
        third = (0.5 * t * t - step - 2.0 * decay * ramp) * soft
        fourth = (t * t * t * INVERSE[6] - ramp - 2.0 * decay * third) * soft
        return third, fourth, (t * t * t * t * INVERSE[24] - third - 2.0 * decay * fourth) * soft
    third, fourth, fifth = _further_by_roots(w * w, z) if creeps else _further_by_series(w * w, z)
    power = t * t * t * t
    return third * power, fourth * power * t, fifth * power * t * t


def _further_by_series(w2: float, z: float) -> tuple[float, float, float]:
    """Sum H₃, H₄ and H₅ in time units of the step, as `_by_series` does h."""
    before, term = 0.0, 1.0
    third, fourth, fifth = INVERSE[24], INVERSE[24] * INVERSE[5], INVERSE[24] * INVERSE[30]
    for k in range(1, 36):
        before, term = term, -(2.0 * z * term + w2 * before * INVERSE[k]) * INVERSE[k + 1]
        part = term * INVERSE[k + 2] * INVERSE[k + 3] * INVERSE[k + 4]
        third += part
        part *= INVERSE[k + 5]
        fourth += part
        fifth += part * INVERSE[k + 6]
        if abs(term) + abs(before) < 1e-17:
            break
    return third, fourth, fifth


def _further_by_roots(w2: float, z: float) -> tuple[float, float, float]:
    """Return H₃, H₄ and H₅ of a mode that creeps, in time units of the step: divided differences over its roots."""
    spread = math.sqrt(z * z - w2)
    fast = -(z + spread)
    slow = w2 / fast
    width = 2.0 * spread
    third_slow, fourth_slow, fifth_slow = _further_phi(slow)
    third_fast, fourth_fast, fifth_fast = _further_phi(fast)
    return (third_slow - third_fast) / width, (fourth_slow - fourth_fast) / width, (fifth_slow - fifth_fast) / width


def _further_phi(x: float) -> tuple[float, float, float]:
    """Return φ₃, φ₄ and φ₅ with φₙ₊₁ = (φₙ − 1/n!)/x; `_phi` returns φ₁ and φ₂."""
    if abs(x) < 0.5:
        term = INVERSE[24] * INVERSE[5]
        fifth = term
        for k in range(6, 24):
            term *= x / k
            fifth += term
        fourth = INVERSE[24] + x * fifth
        return INVERSE[6] + x * fourth, fourth, fifth
    third = (_phi(x)[1] - 0.5) / x
    fourth = (third - INVERSE[6]) / x
    return third, fourth, (fourth - INVERSE[24]) / x


def _phi(x: float) -> tuple[float, float]:
    """Return (eˣ − 1)/x and (eˣ − 1 − x)/x², without loss of digits near zero."""
    if abs(x) < 0.5:
        term, second = 0.5, 0.5
        for k in range(3, 24):
            term *= x / k
            second += term
        return 1.0 + x * second, second
    first = math.expm1(x) / x
    return first, (first - 1.0) / x


def advance(u: float, v: float, load: float, slope: float, omega: float, decay: float, t: float) -> tuple[float, float]:
    """Return displacement and velocity after the time `t` under ``load + slope·t``."""
    h, rate, step, ramp = unit_responses(omega, decay, t)
    after = (rate + 2.0 * decay * h) * u + h * v + step * load + ramp * slope
    speed = rate * v - omega * omega * h * u + h * load + step * slope
    return after, speed


def fill_propagator(omega: float, decay: float, dt: float, row: Vector) -> None:
    """Write the eight coefficients of one step of length `dt` [s] into `row`.

    With the loads p₀ and p₁ at the ends of the step::

        u₁ = row[0] u₀ + row[1] v₀ + row[2] p₀ + row[3] p₁
        v₁ = row[4] u₀ + row[5] v₀ + row[6] p₀ + row[7] p₁
    """
    h, rate, step, ramp = unit_responses(omega, decay, dt)
    row[0] = rate + 2.0 * decay * h
    row[1] = h
    row[2] = step - ramp / dt
    row[3] = ramp / dt
    row[4] = -omega * omega * h
    row[5] = rate
    row[6] = h - step / dt
    row[7] = step / dt
