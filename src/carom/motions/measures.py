"""Intensity measures of a motion, exact for the piecewise-linear acceleration where a closed form exists."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass

import numpy as np

from carom import units
from carom.motions.motion import Array, Motion
from carom.motions.quantities import acceleration
from carom.motions.spectra import response_spectrum

__all__ = [
    "Measures",
    "arias",
    "bracketed_duration",
    "cav",
    "housner",
    "husid",
    "mean_period",
    "measure",
    "pga",
    "pgd",
    "pgv",
    "predominant_period",
    "sa_avg",
    "significant_duration",
]


@dataclass(frozen=True)
class Measures:
    """The intensity measures of one motion, SI."""

    pga: float
    """Peak ground acceleration [m/s²]."""
    pgv: float
    """Peak ground velocity [m/s]."""
    pgd: float
    """Peak ground displacement [m]."""
    arias: float
    """Arias intensity [m/s]."""
    cav: float
    """Cumulative absolute velocity [m/s]."""
    d5_75: float
    """Significant duration, 5 to 75 % of Arias [s]."""
    d5_95: float
    """Significant duration, 5 to 95 % of Arias [s]."""
    bracketed: float
    """Bracketed duration, first to last crossing of 0.05 g [s]."""
    housner: float
    """Housner intensity, ∫PSV dT from 0.1 to 2.5 s at 5 % damping [m]."""
    predominant_period: float
    """Period of the largest spectral acceleration at 5 % damping [s]."""
    mean_period: float
    """Mean period of the Fourier amplitudes between 0.25 and 20 Hz [s]."""

    def as_dict(self) -> dict[str, float]:
        """Return the measures by name."""
        return asdict(self)


def measure(motion: Motion) -> Measures:
    """Return all measures of a motion."""
    return Measures(
        pga=pga(motion),
        pgv=pgv(motion),
        pgd=pgd(motion),
        arias=arias(motion),
        cav=cav(motion),
        d5_75=significant_duration(motion, 0.05, 0.75),
        d5_95=significant_duration(motion, 0.05, 0.95),
        bracketed=bracketed_duration(motion),
        housner=housner(motion),
        predominant_period=predominant_period(motion),
        mean_period=mean_period(motion),
    )


def pga(motion: Motion) -> float:
    """Return the peak ground acceleration [m/s²]."""
    return motion.pga


def pgv(motion: Motion) -> float:
    """Return the peak ground velocity [m/s]; between samples it peaks where the acceleration vanishes."""
    a, v, dt = motion.acceleration, motion.velocity, motion.dt
    turns = np.flatnonzero(a[:-1] * a[1:] < 0.0)
    a0, a1 = a[turns], a[turns + 1]
    crests = v[turns] + 0.5 * dt * a0 * a0 / (a0 - a1)
    return float(max(np.abs(v).max(), np.abs(crests).max(initial=0.0)))


def pgd(motion: Motion) -> float:
    """Return the peak ground displacement [m]; between samples it peaks where the velocity vanishes."""
    a, v, d, dt = motion.acceleration, motion.velocity, motion.displacement, motion.dt
    slope = np.diff(a) / dt
    best = float(np.abs(d).max())
    may_turn = (v[:-1] * v[1:] <= 0.0) | ((a[:-1] * a[1:] < 0.0) & (v[:-1] * a[:-1] <= 0.0))
    for i in np.flatnonzero(may_turn):
        for t in _quadratic_roots(0.5 * slope[i], a[i], v[i]):
            if 0.0 < t < dt:
                best = max(best, abs(d[i] + t * (v[i] + t * (0.5 * a[i] + t * slope[i] / 6.0))))
    return float(best)


def arias(motion: Motion) -> float:
    """Return the Arias intensity π/(2g)·∫a² dt [m/s]."""
    return float(husid(motion)[-1])


def husid(motion: Motion) -> Array:
    """Return the build-up of the Arias intensity [m/s] at the samples: the Husid curve."""
    a0, a1 = motion.acceleration[:-1], motion.acceleration[1:]
    parts = motion.dt / 3.0 * (a0 * a0 + a0 * a1 + a1 * a1)
    return math.pi / (2.0 * units.standard_gravity) * np.concatenate(([0.0], np.cumsum(parts)))


def cav(motion: Motion) -> float:
    """Return the cumulative absolute velocity ∫|a| dt [m/s], zero crossings between samples resolved."""
    a0, a1 = motion.acceleration[:-1], motion.acceleration[1:]
    size = np.abs(a0) + np.abs(a1)
    crossing = a0 * a1 < 0.0
    parts = 0.5 * size
    parts[crossing] = 0.5 * (a0[crossing] ** 2 + a1[crossing] ** 2) / size[crossing]
    return float(motion.dt * parts.sum())


def significant_duration(motion: Motion, low: float = 0.05, high: float = 0.95) -> float:
    """Return the time [s] in which the Arias intensity grows from one fraction of its total to another."""
    owner = "significant_duration"
    fraction = units.Range(0.0, 1.0, low_open=False, high_open=False)
    low = units.number(low, "", name="low", owner=owner, within=fraction)
    high = units.number(high, "", name="high", owner=owner, within=units.Range(low, 1.0, high_open=False))
    curve = husid(motion)
    if curve[-1] == 0.0:
        return 0.0
    return _time_of(motion, curve, high) - _time_of(motion, curve, low)


def bracketed_duration(motion: Motion, threshold: object = 0.05 * units.standard_gravity) -> float:
    """Return the time [s] from the first to the last crossing of a threshold [m/s²]; 0.05 g by default."""
    level = acceleration(threshold, name="threshold", owner="bracketed_duration")
    size = np.abs(motion.acceleration)
    above = np.flatnonzero(size >= level)
    if above.size == 0:
        return 0.0
    first, last = int(above[0]), int(above[-1])
    begin, end = float(first), float(last)
    if first > 0:  # |a| is linear here: the sample before is smaller, perhaps of the other sign
        begin -= (size[first] - level) / abs(motion.acceleration[first] - motion.acceleration[first - 1])
    if last < motion.npts - 1:
        end += (size[last] - level) / abs(motion.acceleration[last] - motion.acceleration[last + 1])
    return float((end - begin) * motion.dt)


def housner(motion: Motion, damping: object = 0.05) -> float:
    """Return the Housner intensity ∫PSV dT from 0.1 to 2.5 s [m], by Simpson's rule on 481 periods."""
    periods = np.linspace(0.1, 2.5, 481)
    psv = response_spectrum(motion, periods, damping).psv
    weights = np.ones(481)
    weights[1:-1:2], weights[2:-1:2] = 4.0, 2.0
    return float((weights * psv).sum() * (periods[1] - periods[0]) / 3.0)


def predominant_period(motion: Motion, damping: object = 0.05) -> float:
    """Return the period [s] of the largest spectral acceleration among 200 from 0.01 to 10 s."""
    spectrum = response_spectrum(motion, None, damping)
    return float(spectrum.periods[int(np.argmax(spectrum.sa))])


def sa_avg(motion: Motion, periods: object, damping: object = 0.05) -> float:
    """Return the average spectral acceleration [m/s²]: the geometric mean over periods [s].

    Usual are ten or more periods from 0.2·T₁ to 2 or 3·T₁, evenly spaced: Eads, Miranda and Lignos (2015),
    Earthquake Engineering and Structural Dynamics 44(12), 2057-2073.
    """
    at = np.atleast_1d(units.array(periods, "s", name="periods", owner="sa_avg", within=units.POSITIVE))
    values = response_spectrum(motion, at, units.number(damping, "", name="damping", owner="sa_avg")).sa
    return float(np.exp(np.log(values).mean())) if (values > 0.0).all() else 0.0


def mean_period(motion: Motion) -> float:
    """Return the mean period Σ(C²/f)/ΣC² over the Fourier amplitudes C from 0.25 to 20 Hz [s].

    Rathje, Abrahamson and Bray (1998), J. Geotech. Geoenviron. Eng. 124(2), 150-159. Zeros are appended
    to reach a frequency step of 0.05 Hz or finer. NaN where the record is silent in that band.
    """
    size = max(motion.npts, math.ceil(20.0 / motion.dt))
    power = np.abs(np.fft.rfft(motion.acceleration, size)) ** 2
    frequency = np.fft.rfftfreq(size, motion.dt)
    band = (frequency >= 0.25) & (frequency <= 20.0)
    total = power[band].sum()
    return float((power[band] / frequency[band]).sum() / total) if total > 0.0 else math.nan


def _time_of(motion: Motion, curve: Array, fraction: float) -> float:
    """Return when the Husid curve reaches a fraction of its end: a cubic, solved inside the sample."""
    target = fraction * float(curve[-1])
    i = int(np.clip(np.searchsorted(curve, target) - 1, 0, motion.npts - 2))
    wanted = (target - float(curve[i])) * 2.0 * units.standard_gravity / math.pi / motion.dt
    a0 = float(motion.acceleration[i])
    rise = float(motion.acceleration[i + 1]) - a0
    low, high = 0.0, 1.0
    for _ in range(60):  # ∫(a₀ + rise·x)² dx grows from 0: bisect to the last digit
        x = 0.5 * (low + high)
        if x * (a0 * a0 + x * (a0 * rise + x * rise * rise / 3.0)) < wanted:
            low = x
        else:
            high = x
    return motion.start + (i + 0.5 * (low + high)) * motion.dt


def _quadratic_roots(a: float, b: float, c: float) -> tuple[float, ...]:
    """Return the real roots of a·t² + b·t + c, without loss of digits."""
    square = b * b - 4.0 * a * c
    if square < 0.0:
        return ()
    q = -0.5 * (b + math.copysign(math.sqrt(square), b))
    roots = [] if a == 0.0 else [q / a]
    return tuple(roots if q == 0.0 else [*roots, c / q])
