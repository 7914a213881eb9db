"""Fully nonstationary filtered white noise with six parameters that an engineer can name.

Rezaeian and Der Kiureghian (2010), Simulation of synthetic ground motions for specified earthquake and site
characteristics, Earthquake Engineering and Structural Dynamics 39(10), 1155-1180:

    x(t) = q(t)·[1/σ_h(t)·∫ h(t−τ, ω(τ), ζ)·w(τ) dτ]                                       (1)
    h(t) = ω/√(1−ζ²)·exp(−ζωt)·sin(ω√(1−ζ²)·t),  ω(τ) = ω_mid + ω'·(τ − t_mid)            (2), (5)
    q(t) = α₁·t^(α₂−1)·exp(−α₃t)                                                           (4)

q² is a gamma density: its shape and scale follow from the duration D5-95 and from t_mid, when 45 % of the Arias
intensity is reached, and its area from the Arias intensity. A critically damped oscillator of low frequency takes the
longest periods out, (6), so that velocity and displacement end near zero; what is left is corrected to rest. What it
takes from a low and broad band would be missed: the intensity is raised and the filter's frequency lowered, so that
intensity and zero up-crossings after it are those asked for. The filter has at least 0.3 Hz before that.
`rezaeian_2010_parameters` has the parameters of an earthquake and a site.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from carom import units
from carom.budget import afford_samples
from carom.errors import refusal
from carom.motions.adjustments import correct_baseline
from carom.motions.motion import Array, Motion
from carom.motions.synthetic.filtered_noise import rest_on_grid, white_noise

__all__ = ["rezaeian_2010"]

LEAST_FREQUENCY = 2.0 * math.pi * 0.3
"""The filter's frequency does not fall below [rad/s]."""
FORGOTTEN = 16.0
"""ζωt at which an impulse response is cut: e⁻¹⁶."""
LOW, HIGH, POINTS = 1e-3, 1e3, 4000
"""Of the filter's frequency: from where to where, and at how many frequencies, spectra are integrated."""
CORNERS = 60
"""Ratios of the oscillator's frequency to the filter's at which that is done."""
BLOCK = 0.05
"""Time in which the filter's frequency is taken as constant [s]."""
SHAPES = (0.2, 2000.0)
"""Shapes of the gamma density that are looked for."""


def rezaeian_2010(
    seed: int,
    *,
    arias: object,
    d5_95: object,
    t_mid: object,
    frequency: object,
    slope: object = 0.0,
    damping: object = 0.3,
    corner: object = 0.1,
    duration: object = None,
    dt: object = 0.005,
    **labels: Any,
) -> Motion:
    """Return one realisation.

    Parameters
    ----------
    seed
        Which: a whole number.
    arias
        Arias intensity [m/s] on average; that of one realisation scatters.
    d5_95
        Time in which it grows from 5 % to 95 % [s].
    t_mid
        When 45 % of it is reached [s].
    frequency, slope
        Rate of zero up-crossings at t_mid [Hz], and its change in time [Hz/s].
    damping
        Damping ratio of the filter [–]: how broad the band is.
    corner
        Frequency of the oscillator that takes long periods out [Hz].
    duration, dt
        Length, by default until nothing is left, and time step [s].
    labels
        Event, station, component, source.
    """
    owner = "rezaeian_2010"
    if not isinstance(seed, int) or isinstance(seed, bool) or seed < 0:
        raise refusal("seed", owner, "must be a whole number, not negative", seed)
    step = units.number(dt, "s", name="dt", owner=owner, within=units.POSITIVE)
    intensity = units.number(arias, "m/s", name="arias", owner=owner, within=units.POSITIVE)
    lasting = units.number(d5_95, "s", name="d5_95", owner=owner, within=units.POSITIVE)
    middle = units.number(t_mid, "s", name="t_mid", owner=owner, within=units.POSITIVE)
    nyquist = units.Range(0.0, 0.25 / step)
    hertz = units.number(frequency, "Hz", name="frequency", owner=owner, within=nyquist)
    change = units.number(slope, "Hz/s", name="slope", owner=owner)
    ratio = units.number(damping, "", name="damping", owner=owner, within=units.Range(0.0, 1.0))
    high_pass = units.number(corner, "Hz", name="corner", owner=owner, within=units.Range(0.0, hertz))
    shape, scale = _gamma(lasting, middle, owner)
    from scipy.stats import gamma

    end = float(gamma.ppf(0.9999, shape, scale=scale)) + 2.0 / high_pass
    length = (
        end if duration is None else units.number(duration, "s", name="duration", owner=owner, within=units.POSITIVE)
    )
    afford_samples(length / step, way_out="Shorten its duration, or lengthen its time step.")
    count = max(round(length / step), 30) + 1
    time = step * np.arange(count)
    omega = np.clip(
        2.0 * math.pi * (hertz + change * (time - middle)), LEAST_FREQUENCY, 2.0 * math.pi * 0.25 / step
    )  # fmt: skip
    omega, share = _before_corner(omega, ratio, 2.0 * math.pi * high_pass)
    noise = _filtered(white_noise(seed, count), omega, ratio, step) / np.sqrt(share)
    power = 2.0 * units.standard_gravity / math.pi * intensity * gamma.pdf(time, shape, scale=scale)
    power[0] = power[0] if math.isfinite(float(power[0])) else power[1]
    moved = _without_long_periods(np.sqrt(power) * noise, 2.0 * math.pi * high_pass, step)
    moved[0] = moved[-1] = 0.0
    values = rest_on_grid(correct_baseline(Motion(moved, step)).acceleration)
    note = (
        f"filtered noise of Rezaeian and Der Kiureghian (2010) from seed {seed}: Arias {intensity:g} m/s, D5-95 "
        f"{lasting:g} s, t_mid {middle:g} s, {hertz:g} Hz {change:+g} Hz/s, damping {ratio:g}"
    )
    return Motion(values, step, processing=(note,), **{"source": f"rezaeian 2010 {seed}", **labels})


def _gamma(lasting: float, middle: float, owner: str) -> tuple[float, float]:
    """Return shape and scale of the density whose 5 to 95 % take `lasting` and whose 45 % is at `middle`."""
    from scipy.optimize import brentq
    from scipy.special import gammaincinv

    def spread(log_shape: float) -> float:
        low, mid, high = gammaincinv(math.exp(log_shape), [0.05, 0.45, 0.95])
        return float((high - low) / mid) - lasting / middle

    ends = [math.log(shape) for shape in SHAPES]
    if not spread(ends[1]) < 0.0 < spread(ends[0]):
        raise refusal(
            "d5_95", owner, f"must stand to `t_mid` as {spread(ends[1]) + lasting / middle:.2g} to "
            f"{spread(ends[0]) + lasting / middle:.2g} to 1", lasting,
        )  # fmt: skip
    shape = math.exp(float(brentq(spread, *ends, xtol=1e-12)))
    return shape, middle / float(gammaincinv(shape, 0.45))


def _before_corner(wanted: Array, ratio: float, corner: float) -> tuple[Array, Array]:
    """Return the filter's frequencies [rad/s] by which up-crossings after the oscillator are those wanted.

    Beside them the shares of the variance that the oscillator leaves. Without it up-crossings are the filter's
    frequency: its output has the spectrum 1/((1 − x²)² + 4ζ²x²) over x = Ω/ω, and ∫x² of it is ∫ of it.
    """
    x = np.geomspace(LOW, HIGH, POINTS)
    spectrum = 1.0 / ((1.0 - x * x) ** 2 + (2.0 * ratio * x) ** 2)
    filters = np.geomspace(0.1 * float(wanted.min()), float(wanted.max()), CORNERS)
    left = spectrum * (x * x / (x * x + ((corner / filters) ** 2)[:, None])) ** 2
    variance, whole = np.trapezoid(left, x, axis=1), float(np.trapezoid(spectrum, x))
    rates = filters * np.sqrt(
        np.trapezoid(x * x * left, x, axis=1) / variance * whole / np.trapezoid(x * x * spectrum, x)
    )
    found = np.interp(wanted, np.maximum.accumulate(rates), filters)
    return found, np.interp(found, filters, variance / whole)


def _filtered(noise: Array, omega: Array, ratio: float, step: float) -> Array:
    """Return the filtered noise of unit variance: impulses ring with the frequency of their time."""
    count = noise.size
    found, variance = np.zeros(count), np.zeros(count)
    damped = math.sqrt(1.0 - ratio * ratio)
    block = max(1, round(BLOCK / step))
    for first in range(0, count, block):
        part = noise[first : first + block]
        w = float(omega[first : first + block].mean())
        at = step * np.arange(min(math.ceil(FORGOTTEN / (ratio * w * step)) + 1, count))
        ring = np.exp(-ratio * w * at) * np.sin(damped * w * at) * (w / damped)
        end = min(count, first + part.size + at.size - 1)
        found[first:end] += np.convolve(part, ring)[: end - first]
        variance[first:end] += np.convolve(np.ones(part.size), ring * ring)[: end - first]
    variance[0] = 1.0  # the first impulse has not begun to ring
    return found / np.sqrt(variance)


def _without_long_periods(values: Array, corner: float, step: float) -> Array:
    """Return the acceleration of a critically damped oscillator under these values."""
    from scipy import signal

    above, below = signal.bilinear([1.0, 0.0, 0.0], [1.0, 2.0 * corner, corner * corner], 1.0 / step)
    return np.asarray(signal.lfilter(above, below, values), dtype=np.float64)
