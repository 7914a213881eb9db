"""Near-fault velocity pulses: whether a record has one, and what is left without it.

Baker (2007), Quantitative classification of near-fault ground motions using wavelet analysis, Bulletin of the
Seismological Society of America 97(5), 1486-1501. The velocity is transformed with Daubechies' wavelet of fourth order;
the wavelet of the largest coefficient is taken away, and nine more at the same scale and around it. Of what is left

    indicator = 1/(1 + exp(−23.3 + 14.6·PGV ratio + 20.5·energy ratio))                        (2)

with the ratios of the residual to the record. A record is pulse-like where the indicator exceeds 0.85, the pulse comes
early (its energy reaches 10 % before that of the record 20 %) and the PGV is at least 30 cm/s. The period of the pulse
is that of the largest Fourier amplitude of the wavelet.

No second print of the three coefficients was at hand. What stands for them: the periods of five records in the paper's
table, and FEMA P-695's set of records with pulses, which was sorted by this indicator (tests/motions/test_suites.py).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

import numpy as np

from carom.motions.motion import Array, Motion

__all__ = ["Pulse", "pulse_indicator"]

WAVELETS = 10
"""Wavelets that make up the pulse."""
PULSE_LIKE = 0.85
LEAST_PGV = 0.30
"""[m/s]"""
EARLY = (0.10, 0.20)
"""Shares of the energy that the pulse and the record have reached where the pulse comes early."""
SHORTEST, LONGEST = 0.25, 15.0
"""Periods of pulses that are looked for [s]."""
PERIODS = 80
SUPPORT = 7.0
"""Units on which the wavelet is not zero."""
LEVELS = 10
"""Steps of the cascade from which it is made: 2^10 points on a unit."""
FILTER = (
    0.23037781330885523, 0.7148465705525415, 0.6308807679295904, -0.02798376941698385,
    -0.18703481171888114, 0.030841381835986965, 0.032883011666982945, -0.010597401784997278,
)  # fmt: skip
"""Daubechies' low-pass filter of fourth order (eight taps): Daubechies (1988), table 1."""


@dataclass(frozen=True)
class Pulse:
    """What was found of a velocity pulse."""

    indicator: float
    """Baker's (2), 0 to 1 [–]."""
    period: float
    """[s]"""
    early: bool
    pgv: float
    """Of the record [m/s]."""
    velocity: Array
    """The pulse extracted [m/s], at the samples of the record."""

    @property
    def pulse_like(self) -> bool:
        """Whether the record counts as pulse-like by all three criteria."""
        return self.indicator > PULSE_LIKE and self.early and self.pgv >= LEAST_PGV


def pulse_indicator(motion: Motion) -> Pulse:
    """Return Baker's pulse indicator of a motion; turn two components fault-normal first where the fault is known."""
    velocity, dt = np.asarray(motion.velocity), motion.dt
    peak = float(np.abs(velocity).max())
    if peak == 0.0:
        return Pulse(0.0, math.nan, False, 0.0, np.zeros_like(velocity))
    scale = _best_scale(velocity, dt)
    wavelet = _sampled(scale, dt)
    left = velocity.copy()
    first, end = 0, velocity.size + wavelet.size - 1
    for count in range(WAVELETS):
        coefficients = _correlate(left, wavelet)[first:end]
        place = first + int(np.argmax(np.abs(coefficients)))
        _subtract(left, coefficients[place - first] * wavelet, place)
        if count == 0:  # the others lie around the first
            first, end = max(place - wavelet.size // 2, 0), place + wavelet.size // 2 + 1
    pulse = velocity - left
    ratio = float(np.abs(left).max()) / peak
    energy = float((left**2).sum() / (velocity**2).sum())
    indicator = 1.0 / (1.0 + math.exp(min(-23.3 + 14.6 * ratio + 20.5 * energy, 700.0)))
    early = bool(_reached(pulse, EARLY[0]) < _reached(velocity, EARLY[1]))
    return Pulse(indicator, _period_of(scale), early, peak, pulse)


def _best_scale(velocity: Array, dt: float) -> float:
    """Return the length of a unit of the wavelet [s] at the largest coefficient over scale and time."""
    unit = _period_of(1.0)
    shortest = max(SHORTEST, 8.0 * dt)
    longest = max(min(LONGEST, 2.0 * unit * velocity.size * dt / SUPPORT), 2.0 * shortest)
    scales = np.geomspace(shortest, longest, PERIODS) / unit
    best = [float(np.abs(_correlate(velocity, _sampled(scale, dt))).max()) for scale in scales]
    return float(scales[int(np.argmax(best))])


def _correlate(signal: Array, wavelet: Array) -> Array:
    """Return the coefficients of a wavelet that begins at each of the samples −size+1 … n−1; its energy is one."""
    from scipy.signal import fftconvolve

    return np.asarray(fftconvolve(signal, wavelet[::-1]))


def _subtract(signal: Array, shape: Array, place: int) -> None:
    """Take a shape away that lies as its coefficient `place` says."""
    first = place - shape.size + 1
    low, high = max(first, 0), min(first + shape.size, signal.size)
    signal[low:high] -= shape[low - first : high - first]


def _sampled(scale: float, dt: float) -> Array:
    """Return the wavelet with a unit of `scale` [s] at samples, of unit energy in their sum."""
    support, shape = _wavelet()
    at = np.arange(0.0, SUPPORT * scale, dt) / scale
    values = np.interp(at, support, shape)
    return np.asarray(values / math.sqrt(float((values**2).sum())))


def _reached(signal: Array, share: float) -> int:
    """Return the sample at which a share of the energy is reached."""
    energy = np.cumsum(signal**2)
    return int(np.searchsorted(energy, share * energy[-1]))


@cache
def _wavelet() -> tuple[Array, Array]:
    """Return the wavelet on its support from 0 to 7, by the cascade of its filter."""
    low = math.sqrt(2.0) * np.array(FILTER)
    high = low[::-1] * np.array([(-1.0) ** k for k in range(low.size)])
    shape = high
    for _ in range(1, LEVELS):
        between = np.zeros(2 * shape.size - 1)
        between[::2] = shape
        shape = np.convolve(between, low)
    return np.linspace(0.0, SUPPORT, shape.size), shape


@cache
def _unit_period() -> float:
    support, shape = _wavelet()
    step = float(support[1] - support[0])
    size = 16 * shape.size
    amplitude = np.abs(np.fft.rfft(shape, size))
    return 1.0 / float(np.fft.rfftfreq(size, step)[int(np.argmax(amplitude))])


def _period_of(scale: float) -> float:
    return scale * _unit_period()
