"""Shaping a motion: each function returns a new Motion with the step on its record."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from carom import units
from carom.budget import afford_samples
from carom.errors import InputError, refusal
from carom.motions.motion import Array, Motion
from carom.motions.quantities import acceleration
from carom.motions.spectra import sa as spectral_acceleration

__all__ = ["band_pass", "correct_baseline", "pad", "resample", "scale", "taper", "trim"]


def scale(
    motion: Motion,
    *,
    factor: object = None,
    pga: object = None,
    pgv: object = None,
    sa: object = None,
    sa_avg: object = None,
    period: object = None,
    periods: object = None,
    damping: object = 0.05,
) -> Motion:
    """Multiply the motion by ``factor``, or so that it reaches an intensity.

    Give exactly one of `factor` [–], `pga`, `sa`, `sa_avg` [m/s², or a string such as "0.3 g"] and `pgv` [m/s]. `sa`
    needs `period` [s], `sa_avg` needs `periods` [s], the geometric mean over which it is; both take `damping` [–].
    """
    owner = "scale"
    given = {"factor": factor, "pga": pga, "pgv": pgv, "sa": sa, "sa_avg": sa_avg}
    asked = [name for name, value in given.items() if value is not None]
    if len(asked) != 1:
        names = ", ".join(f"`{name}`" for name in given)
        raise InputError(f"{owner} needs exactly one of {names}. Got {asked or 'none'}.")
    if (sa is None) != (period is None):
        raise InputError(f'{owner} needs `sa` and `period` together, such as sa="0.5 g", period=1.0.')
    if (sa_avg is None) != (periods is None):
        raise InputError(
            f'{owner} needs `sa_avg` and `periods` together, such as sa_avg="0.5 g", periods=[0.2, 0.5, 1].'
        )
    if factor is not None:
        by = units.number(factor, "", name="factor", owner=owner)
        return motion.after(f"scaled by {by:.7g}", motion.acceleration * by)
    wanted, has, told = _intensity(motion, asked[0], given[asked[0]], period, periods, damping)
    if has == 0.0:
        raise InputError(f"{owner} cannot scale a motion that is zero everywhere to {told}.")
    by = wanted / has
    return motion.after(f"scaled by {by:.7g} to {told}", motion.acceleration * by)


def _intensity(
    motion: Motion, name: str, value: object, period: object, periods: object, damping: object
) -> tuple[float, float, str]:
    """Return the intensity wanted, that of the motion, and words for it."""
    from carom.motions.measures import sa_avg

    owner = "scale"
    if name == "pgv":
        wanted = units.number(value, "m/s", name=name, owner=owner, within=units.POSITIVE)
        return wanted, motion.pgv, f"a PGV of {wanted:.4g} m/s"
    wanted = acceleration(value, name=name, owner=owner)
    told = f"of {wanted / units.standard_gravity:.4g} g"
    if name == "pga":
        return wanted, motion.pga, f"a PGA {told}"
    if name == "sa_avg":
        return wanted, sa_avg(motion, periods, damping), f"an Sa_avg {told}"
    at = f"{units.number(period, 's', name='period', owner=owner):g}"
    return wanted, spectral_acceleration(motion, period, damping), f"an Sa({at} s) {told}"


def trim(motion: Motion, start: object = None, end: object = None) -> Motion:
    """Keep the samples with ``start`` ≤ time ≤ ``end`` [s]; the times of the samples kept do not change."""
    owner = "trim"
    low = motion.start if start is None else units.number(start, "s", name="start", owner=owner)
    last = motion.start + motion.duration
    high = last if end is None else units.number(end, "s", name="end", owner=owner)
    slack = 1e-6  # of a sample: a time meant to be that of a sample counts as such
    begin, until = (min(max(at, motion.start - motion.dt), last + motion.dt) for at in (low, high))
    first = max(0, math.ceil((begin - motion.start) / motion.dt - slack))
    stop = min(motion.npts, math.floor((until - motion.start) / motion.dt + slack) + 1)
    if stop - first < 2:
        raise refusal(
            "start, end", owner, f"must enclose at least two samples of [{motion.start:g}, {last:g}] s",
            (low, high),
        )  # fmt: skip
    begin = motion.start + first * motion.dt
    return motion.after(f"trimmed to [{low:g}, {high:g}] s", motion.acceleration[first:stop], start=begin)


def taper(motion: Motion, *, fraction: object = 0.05, start: bool = True, end: bool = True) -> Motion:
    """Fade in and out by half a cosine over a fraction of the record at each end, by default 5 %."""
    share = units.number(fraction, "", name="fraction", owner="taper", within=units.Range(0.0, 0.5, high_open=False))
    position = np.arange(motion.npts) / (motion.npts - 1)
    window = np.ones(motion.npts)
    if start:
        window *= 0.5 - 0.5 * np.cos(math.pi * np.minimum(position / share, 1.0))
    if end:
        window *= 0.5 - 0.5 * np.cos(math.pi * np.minimum((1.0 - position) / share, 1.0))
    ends = "both ends" if start and end else "the start" if start else "the end"
    return motion.after(f"cosine taper of {share:g} at {ends}", motion.acceleration * window)


def pad(motion: Motion, before: object = 0.0, after: object = 0.0) -> Motion:
    """Put zeros before and after the record [s], rounded up to whole samples."""
    owner = "pad"
    times = [
        units.number(v, "s", name=n, owner=owner, within=units.NONNEGATIVE)
        for n, v in (("before", before), ("after", after))
    ]
    afford_samples(motion.npts + sum(times) / motion.dt, way_out="Pad it by less.")
    lead, tail = (math.ceil(time / motion.dt - 1e-6) for time in times)
    padded = np.concatenate((np.zeros(lead), motion.acceleration, np.zeros(tail)))
    step = f"padded by {lead * motion.dt:g} s before and {tail * motion.dt:g} s after"
    return motion.after(step, padded, start=motion.start - lead * motion.dt)


def resample(motion: Motion, dt: object) -> Motion:
    """Resample to the time step ``dt`` [s].

    To a finer step the straight lines between samples are followed, so that the motion stays what it is. To
    a coarser step everything above the new Nyquist frequency is taken out first (a zero-phase Kaiser FIR
    filter, 80 dB down at Nyquist, flat to 80 % of it), so that nothing is folded back. The ratio of the
    steps must be a fraction of whole numbers up to 1000.
    """
    owner = "resample"
    step = units.number(dt, "s", name="dt", owner=owner, within=units.POSITIVE)
    if step == motion.dt:
        return motion
    afford_samples(motion.duration / step, way_out="Lengthen the time step.")
    if step > motion.duration:
        raise refusal("dt", owner, f"must be shorter than the record, {motion.duration:g} s", dt)
    note = f"resampled from {motion.dt:g} s to {step:g} s"
    if step < motion.dt:
        count = math.floor(motion.duration / step + 1e-9) + 1
        where = np.arange(count) * (step / motion.dt)
        finer = np.interp(where, np.arange(motion.npts), motion.acceleration)
        return motion.after(f"{note} along its straight lines", finer, dt=step)
    from scipy import signal

    ratio = Fraction(motion.dt / step).limit_denominator(1000)
    if ratio == 0 or abs(float(ratio) * step / motion.dt - 1.0) > 1e-9:
        raise refusal(
            "dt", owner, f"must stand to {motion.dt:g} s as whole numbers up to 1000", dt,
            "Choose a rounder time step, or resample to a finer one first.",
        )  # fmt: skip
    up, down = ratio.numerator, ratio.denominator
    taps, beta = signal.kaiserord(80.0, 0.2 / down)
    window = signal.firwin(taps | 1, 0.9 / down, window=("kaiser", beta))
    coarser = signal.resample_poly(motion.acceleration, up, down, window=window)
    count = math.floor(motion.duration / step + 1e-9) + 1
    return motion.after(f"{note}, low-passed at {0.45 / step:.4g} Hz", coarser[:count], dt=step)


def correct_baseline(motion: Motion, *, method: str = "rest", order: int = 1) -> Motion:
    """Remove a drift of the baseline.

    Parameters
    ----------
    method
        ``"rest"`` (default): the ground ends at rest where it began. The smallest smooth correction of the
        form τ(1−τ)(c₀ + c₁τ), τ from 0 to 1 over the record, that makes the final velocity and displacement
        zero; the first and the last sample stay. ``"polynomial"``: a least-squares polynomial of the
        acceleration is taken off. ``"velocity"``: a least-squares polynomial of the velocity, zero at the
        start, is found and its derivative taken off the acceleration.
    order
        Degree of the polynomial, 0 to 6; not used by ``"rest"``.
    """
    owner = "correct_baseline"
    if method not in ("rest", "polynomial", "velocity"):
        raise refusal("method", owner, "must be 'rest', 'polynomial' or 'velocity'", method)
    if not isinstance(order, int) or not 0 <= order <= 6:
        raise refusal("order", owner, "must be a whole number from 0 to 6", order)
    position = np.arange(motion.npts) / (motion.npts - 1)
    if method == "rest":
        if motion.npts < 4:
            raise refusal("motion", owner, "must have at least four samples", motion.npts)
        drift = _drift_to_rest(motion, position)
        return motion.after("baseline corrected to end at rest", motion.acceleration - drift)
    if order >= motion.npts:
        raise refusal("order", owner, f"must be below the number of samples, {motion.npts}", order)
    if method == "polynomial":
        fit = np.polynomial.Polynomial.fit(position, motion.acceleration, order, domain=[0.0, 1.0])
        drift = fit(position)
    else:
        powers = position[:, None] ** np.arange(1, order + 2)
        weights = np.linalg.lstsq(powers, motion.velocity, rcond=None)[0]
        slopes = np.arange(1, order + 2) * position[:, None] ** np.arange(order + 1)
        drift = slopes @ weights / motion.duration
    return motion.after(f"baseline corrected, {method} of order {order}", motion.acceleration - drift)


def _drift_to_rest(motion: Motion, position: Array) -> Array:
    """Return the correction whose velocity and displacement end where those of the motion do."""
    bump = position * (1.0 - position)
    shapes = [bump, bump * position]
    ends = [motion.replace(acceleration=shape) for shape in shapes]
    system = [[end.velocity[-1] for end in ends], [end.displacement[-1] for end in ends]]
    weights = np.linalg.solve(system, [motion.velocity[-1], motion.displacement[-1]])
    return np.asarray(weights[0] * shapes[0] + weights[1] * shapes[1])


def band_pass(motion: Motion, low: object = None, high: object = None, *, order: int = 4) -> Motion:
    """Filter by a Butterworth band-pass run forwards and backwards, so that no phase is shifted.

    ``low`` and ``high`` are the corner frequencies [Hz]; one of them may be left out for a high-pass or a
    low-pass. Run twice, the filter of order n falls off as one of order 2n and is 6 dB down at its corners.
    Zeros of 1.5·n/low on both sides (Converse and Brady 1992) keep the ends from wrapping; they are taken
    off again.
    """
    from scipy import signal

    owner = "band_pass"
    nyquist = 0.5 / motion.dt
    inside = units.Range(0.0, nyquist)
    if low is None and high is None:
        raise InputError(f"{owner} needs a corner frequency in Hz: `low`, `high` or both.")
    if not isinstance(order, int) or not 1 <= order <= 10:
        raise refusal("order", owner, "must be a whole number from 1 to 10", order)
    way_out = f"The Nyquist frequency of this record is {nyquist:g} Hz."
    given = [(n, v) for n, v in (("low", low), ("high", high)) if v is not None]
    corners = [units.number(v, "Hz", name=n, owner=owner, within=inside, way_out=way_out) for n, v in given]
    if len(corners) == 2 and corners[0] >= corners[1]:
        raise refusal("low", owner, f"must be below `high`, {corners[1]:g} Hz", low)
    kind = "bandpass" if len(corners) == 2 else "highpass" if low is not None else "lowpass"
    pad_time = 1.5 * order / corners[0]
    zeros = min(math.ceil(pad_time / motion.dt), 10_000_000)
    edges = corners if len(corners) == 2 else corners[0]
    sections = signal.butter(order, edges, kind, fs=1.0 / motion.dt, output="sos")
    padded = np.pad(motion.acceleration, zeros)
    filtered = signal.sosfiltfilt(sections, padded, padtype=None)[zeros : zeros + motion.npts]
    band = " to ".join(f"{corner:g}" for corner in corners)
    return motion.after(f"Butterworth {kind} {band} Hz, order {order}, acausal", filtered)
