"""Fourier amplitudes of a motion, as they are or smoothed after Konno and Ohmachi."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from carom import units
from carom.errors import refusal
from carom.motions.motion import Array, Motion

__all__ = ["FourierSpectrum", "fourier_amplitude"]


@dataclass(frozen=True, eq=False)
class FourierSpectrum:
    """Fourier amplitudes of the acceleration over frequency."""

    frequency: Array
    """[Hz]"""
    amplitude: Array
    """|∫a·exp(−2πift) dt| [m/s]."""
    name: str = ""


def fourier_amplitude(motion: Motion, frequencies: object = None, *, smoothing: object = None) -> FourierSpectrum:
    """Return the Fourier amplitudes of the acceleration, dt·|DFT| [m/s].

    Parameters
    ----------
    motion
        The motion; its samples are taken as they are.
    frequencies
        Where the amplitudes are wanted [Hz], up to the Nyquist frequency; by default at k/(npts·dt). Between
        those they are exact: the sum is evaluated there.
    smoothing
        Bandwidth b of the window of Konno and Ohmachi (1998), Bulletin of the Seismological Society of America 88(1),
        228-241: [sin(b·lg(f/f_c))/(b·lg(f/f_c))]⁴; 20 to 40 is usual. Without it nothing is smoothed.
    """
    owner = "fourier_amplitude"
    nyquist = 0.5 / motion.dt
    own: Array = np.fft.rfftfreq(motion.npts, motion.dt).astype(np.float64)
    if frequencies is None:
        wanted = own
    else:
        within = units.Range(0.0, nyquist, low_open=False, high_open=False)
        wanted = np.atleast_1d(units.array(frequencies, "Hz", name="frequencies", owner=owner, within=within))
        if wanted.ndim != 1:
            raise refusal("frequencies", owner, "must be a row", wanted.shape)
    if smoothing is not None:
        band = units.number(smoothing, "", name="smoothing", owner=owner, within=units.Range(1.0, 1000.0))
        raw = _amplitudes(motion)
        return FourierSpectrum(wanted, _smoothed(own, raw, wanted, band), motion.name)
    if frequencies is None:
        return FourierSpectrum(own, _amplitudes(motion), motion.name)
    at = motion.dt * np.arange(motion.npts)
    sums = [np.exp(-2j * math.pi * f * at) @ motion.acceleration for f in wanted]
    return FourierSpectrum(wanted, motion.dt * np.abs(np.array(sums)).astype(np.float64), motion.name)


def _amplitudes(motion: Motion) -> Array:
    return np.asarray(motion.dt * np.abs(np.fft.rfft(motion.acceleration)), dtype=np.float64)


def _smoothed(own: Array, raw: Array, wanted: Array, band: float) -> Array:
    positive = own > 0.0
    place, values = np.log10(own[positive]), raw[positive]
    found = np.empty(wanted.size)
    for k, f in enumerate(wanted):
        if f <= 0.0:
            found[k] = raw[0]
            continue
        window = np.sinc(band * (place - math.log10(f)) / math.pi) ** 4
        found[k] = (window * values).sum() / window.sum()
    return found
