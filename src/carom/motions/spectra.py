"""Response spectra, exact for the piecewise-linear record, true extremes between samples included."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from carom import units
from carom.backends import compiled, in_threads
from carom.errors import InputError, refusal
from carom.kernels.modal import spectrum as kernel
from carom.motions.motion import Array, Motion

if TYPE_CHECKING:
    import xarray

__all__ = ["Spectrum", "default_periods", "response_spectrum", "sa"]


@dataclass(frozen=True, eq=False)
class Spectrum:
    """Peak response of damped oscillators over period; arrays are shaped (motion, damping, period).

    Axes that were given as a single value (one motion, one damping, one period) are dropped.
    """

    periods: Array
    """Natural periods [s]; 0 stands for a rigid oscillator."""
    damping: Array
    """Damping ratios [–]."""
    sd: Array
    """Largest relative displacement [m]."""
    sv: Array
    """Largest relative velocity [m/s]."""
    sa: Array
    """Largest absolute acceleration [m/s²]."""
    psa: Array
    """Pseudo-acceleration ω²·SD [m/s²]; PGA at period 0."""
    names: tuple[str, ...] = ()
    """Names of the motions, in the order of the first axis."""

    @property
    def psv(self) -> Array:
        """Pseudo-velocity ω·SD [m/s]."""
        return self.psa * self.periods / (2.0 * math.pi)

    def to_xarray(self) -> xarray.Dataset:
        """Return SD, SV, SA, PSV and PSA as a labelled Dataset over motion, damping and period."""
        import xarray

        shape = (max(len(self.names), 1), self.damping.size, self.periods.size)
        dims = ("motion", "damping", "period")
        values = {"sd": "m", "sv": "m/s", "sa": "m/s²", "psv": "m/s", "psa": "m/s²"}
        return xarray.Dataset(
            {name: (dims, np.reshape(getattr(self, name), shape), {"units": unit}) for name, unit in values.items()},
            coords={
                "motion": list(self.names) or ["motion"],
                "damping": np.atleast_1d(self.damping),
                "period": ("period", np.atleast_1d(self.periods), {"units": "s"}),
            },
        )


def default_periods() -> Array:
    """Return 200 periods from 0.01 s to 10 s, evenly spaced in their logarithm."""
    return np.geomspace(0.01, 10.0, 200)


def response_spectrum(
    motion: Motion | Iterable[Motion],
    periods: object = None,
    damping: object = 0.05,
    *,
    free_vibration: bool = False,
) -> Spectrum:
    """Return the response spectrum of one motion or of many.

    The oscillators start at rest. The ground acceleration is taken as linear between samples, the response
    is propagated in closed form, and the extremes are the true ones, also between samples and also where
    the period is shorter than the time step.

    Parameters
    ----------
    motion
        One motion, or several (also a `MotionSet`); they may differ in length and time step.
    periods
        Natural periods [s], ≥ 0; by default `default_periods()`. At 0 the oscillator is rigid: SA is PGA.
    damping
        Damping ratios [–], ≥ 0, of any size: overdamped oscillators are propagated just as exactly.
    free_vibration
        Whether the vibration after the last sample counts. By default it does not, as is customary: the
        spectrum is that of the record as given. It matters only where a period is of the order of the
        record's length, or the record was cut.
    """
    owner = "response_spectrum"
    single = isinstance(motion, Motion)
    motions = [motion] if isinstance(motion, Motion) else list(motion)
    if not motions or not all(isinstance(one, Motion) for one in motions):
        raise InputError(f"{owner} needs a Motion, or several. Read a file with carom.read_motion.")
    given = default_periods() if periods is None else periods
    period = units.array(given, "s", name="periods", owner=owner, within=units.NONNEGATIVE)
    ratio = units.array(damping, "", name="damping", owner=owner, within=units.NONNEGATIVE)
    for name, values in (("periods", period), ("damping", ratio)):
        if values.ndim > 1:
            raise refusal(name, owner, "must be one number or a row of numbers", values.shape)
    peaks = _peaks(motions, period.ravel(), ratio.ravel(), free_vibration)
    shape = (() if single else (len(motions),)) + ratio.shape + period.shape
    sd, sv, sa, psa = (np.reshape(peaks[:, k], shape) for k in range(4))
    names = tuple(one.name for one in motions)
    return Spectrum(np.copy(period), np.copy(ratio), sd, sv, sa, psa, names)


def sa(motion: Motion, period: object, damping: object = 0.05) -> float:
    """Return the spectral (absolute) acceleration [m/s²] of one motion at one period [s]."""
    one = units.number(period, "s", name="period", owner="sa", within=units.NONNEGATIVE)
    ratio = units.number(damping, "", name="damping", owner="sa", within=units.NONNEGATIVE)
    return float(response_spectrum(motion, one, ratio).sa)


def _peaks(motions: list[Motion], periods: Array, damping: Array, free_vibration: bool) -> Array:
    """Return SD, SV, SA and PSA as an array (motions, 4, dampings × periods)."""
    period = np.tile(periods, damping.size)
    ratio = np.repeat(damping, periods.size)
    moving = period > 0.0
    result = np.zeros((len(motions), 4, period.size))
    for values, motion in zip(result, motions, strict=True):
        values[2:, ~moving] = motion.pga  # a rigid oscillator moves with the ground
    if moving.any():
        omega = 2.0 * math.pi / period[moving]
        result[:, :3, moving] = _mode_peaks(motions, omega, ratio[moving], free_vibration)
        result[:, 3, moving] = omega**2 * result[:, 0, moving]
    return result


def _mode_peaks(motions: list[Motion], omega: Array, ratio: Array, free_vibration: bool) -> Array:
    """Return the largest |u|, |u′| and |absolute acceleration| of all modes (motions, 3, modes).

    Modes go in blocks; blocks of all motions are shared among the cores where there are more than a few.
    """
    run: Any = compiled(kernel.block_peaks)
    lanes = kernel.LANES
    blocks = -(-omega.size // lanes)
    chunks = max(-(-(motion.npts - 1) // kernel.CHUNK) for motion in motions)
    order = np.resize(np.arange(omega.size), blocks * lanes)  # the last block is filled up by repetition
    frequency, decay = omega[order], (ratio * omega)[order]
    tail = 4.0 * (1.0 + float(ratio.max())) if free_vibration else 0.0
    peaks = np.empty((len(motions), blocks, 3, lanes))

    def work(first: int, stop: int) -> None:
        steps, states = np.empty((10, lanes)), np.empty((kernel.CHUNK + 1, 2, lanes))
        starts, tops, loads = (
            np.empty((chunks, 2, lanes)),
            np.empty((chunks, 5, lanes)),
            np.empty((chunks, 2)),
        )
        scratch = (steps, states, starts, tops, loads)
        for task in range(first, stop):
            which, block = divmod(task, blocks)
            load = -motions[which].acceleration
            here = slice(block * lanes, (block + 1) * lanes)
            out = peaks[which, block]
            run(load, motions[which].dt, frequency[here], decay[here], tail, *scratch, out)

    in_threads(work, len(motions) * blocks, chunk=8)
    return np.moveaxis(peaks, 1, 2).reshape(len(motions), 3, -1)[:, :, : omega.size]
