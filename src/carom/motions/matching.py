"""A motion whose spectrum is that of a target: wavelets added in the time domain.

After Lilhanand and Tseng (1988), Abrahamson (1992) and Al Atik and Abrahamson (2010), An improved method for
nonstationary spectral matching, Earthquake Spectra 26(3), 601-617: at each period the response peaks at some time; a
wavelet of that period, placed so that its own response peaks then, raises or lowers it. Their sizes b follow from

    Σ_j b_j·r_ij = target_i − peak_i,       r_ij: response of oscillator i at its time t_i to wavelet j

solved for all periods together and repeated, since peaks move. Peaks nearly as large at other times are watched too,
lest they grow in its place. The wavelets are cosines that a bell fades,
cos(2πt/T)·exp(−(t/γ)²), γ = 1.178·T^0.93 s. Zeros make room for them before and after the record, and each is corrected
to leave the ground at rest at the end, so that the matched motion drifts as little as the one it was made from, which
is corrected to rest first.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from carom import units
from carom.errors import RunError, refusal
from carom.kernels.modal.propagator import fill_propagator
from carom.motions.motion import Array, Motion
from carom.motions.spectra import response_spectrum
from carom.motions.suites import scale_to_target
from carom.motions.targets.base import Target, period_range

__all__ = ["Matched", "match"]

PER_DECADE = 30
"""Periods at which is matched."""
FINER = 10
"""The errors are taken at so many times as many periods."""
ENOUGH = 0.85
"""Share of the allowed errors at which rounds end."""
RELAXED = 0.7
"""Share of a correction that is taken at first."""
LEAST = 0.1
"""Share below which a manner is given up for the next."""
PATIENCE = 3
"""Rounds without a gain after which less of a correction is taken."""
BELL = 2.5
"""Half a wavelet, in γ: what lies beyond is less than 0.2 %."""
SAMPLES = 6
"""Fewest samples in the shortest period."""


@dataclass(frozen=True)
class Manner:
    """How a round corrects."""

    worst: int
    """Of the periods between those that are matched, so many that are worst off take part."""
    rival: float
    """Peaks of an oscillator above this share of its largest are watched too."""
    rivals: int
    """At most so many of them."""
    stiffness: float
    """Share of the mean diagonal that is added to the equations: keeps wavelets small where others do the work."""
    emphasis: float
    """Power of its error by which an oscillator counts for more: 0, all alike."""


MANNERS = (
    Manner(worst=24, rival=0.7, rivals=4, stiffness=0.01, emphasis=0.5),
    Manner(worst=40, rival=0.6, rivals=6, stiffness=0.01, emphasis=1.0),
)
"""Tried in this order: where one comes no further, the next goes on from the best."""


@dataclass(frozen=True, eq=False)
class Matched:
    """A motion matched to a target."""

    motion: Motion
    target: Target
    periods: Array = field(repr=False)
    """[s], those at which the errors were taken."""
    ratio: Array = field(repr=False)
    """Spectrum over target [–]."""
    rounds: int

    @property
    def mean_error(self) -> float:
        """Mean of |spectrum/target − 1| over the range [–]."""
        return float(np.abs(self.ratio - 1.0).mean())

    @property
    def worst_error(self) -> float:
        """Largest |spectrum/target − 1| [–]."""
        return float(np.abs(self.ratio - 1.0).max())


def match(
    motion: Motion,
    target: Target,
    periods: object,
    *,
    mean: object = 0.05,
    worst: object = 0.15,
    rounds: int = 60,
) -> Matched:
    """Return the motion changed so that its spectrum is the target's over a range of periods.

    Parameters
    ----------
    motion
        What to begin with: its phases and its duration stay about what they are. It is scaled to the target, and
        corrected to end at rest.
    target
        See `carom.motions.targets`; its damping is that of the spectrum.
    periods
        Range of periods [s], such as (0.1, 3.0).
    mean, worst
        Errors |spectrum/target − 1| to reach, on average and at worst [–]. `RunError` says what was reached where they
        were not.
    rounds
        Most rounds.
    """
    owner = "match"
    low, high = period_range(periods, owner)
    wanted = [
        units.number(value, "", name=name, owner=owner, within=units.POSITIVE)
        for name, value in (("mean", mean), ("worst", worst))
    ]
    if not isinstance(rounds, int) or rounds < 1:
        raise refusal("rounds", owner, "must be a whole number from 1", rounds)
    if high > motion.duration:
        raise refusal("periods", owner, f"must not exceed the record, {motion.duration:g} s", periods)
    if low < 2.0 * motion.dt:
        raise refusal(
            "periods", owner, f"must not begin below two time steps of the record, {2.0 * motion.dt:g} s", periods
        )
    start = motion if motion.dt <= low / SAMPLES else motion.resampled(low / SAMPLES)
    start = _with_room(start.baseline_corrected(), high)
    start = scale_to_target(start, target, (low, high), limits=(1e-9, 1e9)).motions[0]
    axis = np.geomspace(low, high, FINER * math.ceil(PER_DECADE * math.log10(high / low)) + 1)
    goal = target.sa(axis)
    work = _Work(start, target, axis)
    values, best, count = np.array(start.acceleration), (math.inf, np.array(start.acceleration), goal), 0
    for manner in MANNERS:
        taken, since = RELAXED, 0
        while count < rounds and taken >= LEAST and best[0] > ENOUGH:
            count += 1
            spectrum = work.psa(values)
            ratio = spectrum / goal
            error = max(float(np.abs(ratio - 1.0).mean()) / wanted[0], float(np.abs(ratio - 1.0).max()) / wanted[1])
            if error < best[0]:
                best, since = (error, values, ratio), 0
            else:
                since += 1
            if since >= PATIENCE:
                values, taken, since = best[1], 0.6 * taken, 0
                spectrum = best[2] * goal
            values = values + taken * work.correction(values, spectrum, manner)
        if best[0] <= 1.0:
            break
        values = best[1]
    error, values, ratio = best
    note = f"matched to {target.name} from {low:g} to {high:g} s by wavelets in {count} rounds"
    found = Matched(start.after(note, values), target, axis, ratio, count)
    if error > 1.0:
        raise RunError(
            f"match came to {found.mean_error:.1%} on average and {found.worst_error:.1%} at worst, not to "
            f"{wanted[0]:.1%} and {wanted[1]:.1%}, for {motion.name}. Begin with a motion whose spectrum is nearer "
            "to the target, narrow the range of periods, or allow larger errors."
        )
    return found


def _with_room(motion: Motion, high: float) -> Motion:
    """Return the motion with zeros before and after, so that wavelets of the longest period fit where it shakes."""
    from carom.motions.measures import husid

    curve = husid(motion)
    first, last = (motion.dt * int(np.searchsorted(curve, share * curve[-1])) for share in (0.05, 0.95))
    room = BELL * float(_width(np.array(high)))
    before, after = max(0.0, room - first), max(0.0, room - (motion.duration - last))
    return motion.padded(before, after) if before or after else motion


class _Work:
    """What does not change from round to round: oscillators, wavelets, the target."""

    def __init__(self, start: Motion, target: Target, periods: Array) -> None:
        self.dt, self.damping, self.periods = start.dt, target.damping, periods
        self.goal = target.sa(periods)
        self.time = self.dt * np.arange(start.npts)
        filters = [_oscillator(period, target.damping, self.dt) for period in periods]
        self.filters = filters
        self.impulse = np.zeros(start.npts)
        self.impulse[0] = 1.0
        self.known: dict[int, tuple[Array, float]] = {}
        self.rest = _RestCorrection(start.npts)

    def psa(self, values: Array) -> Array:
        """Return the exact spectrum of values."""
        return np.asarray(response_spectrum(Motion(values, self.dt), self.periods, self.damping).psa)

    def correction(self, values: Array, peaks: Array, manner: Manner) -> Array:
        """Return the wavelets that bring every largest peak to its goal, and no other above it, if none moved."""
        which, when, sides, wanted = self._peaks(values, peaks, manner)
        lags = np.array([self._oscillator(k)[1] for k in which.tolist()])
        wavelets = self.rest.of(self._wavelets(self.periods[which], self.time[when] - lags))
        rows = np.zeros((which.size, values.size))
        for row, k, last in zip(rows, which.tolist(), when.tolist(), strict=True):
            row[: last + 1] = self._oscillator(k)[0][last::-1]
        answers = (sides / self.goal[which])[:, None] * (rows @ wavelets.T)
        off = np.abs(peaks[which] / self.goal[which] - 1.0)
        weights = (off / off.mean() + 0.05) ** manner.emphasis
        answers, wanted = weights[:, None] * answers, weights * wanted
        square = answers @ answers.T
        square[np.diag_indices_from(square)] += manner.stiffness * np.trace(square) / len(square)
        return np.asarray((answers.T @ np.linalg.solve(square, wanted)) @ wavelets)

    def _oscillator(self, k: int) -> tuple[Array, float]:
        """Return how one of them rings after an impulse, and how long after a wavelet's centre it peaks [s]."""
        if k not in self.known:
            self.known[k] = _run(self.filters[k], self.impulse), self._lag(float(self.periods[k]), self.filters[k])
        return self.known[k]

    def _oscillators(self, largest: Array, manner: Manner) -> list[int]:
        """Return the oscillators that are brought to their goals: every few, and those between that are worst off."""
        from scipy.signal import find_peaks

        off = np.abs(largest / self.goal - 1.0)
        between, _ = find_peaks(off)
        worst = sorted(between.tolist(), key=lambda at: -off[at])[: manner.worst]
        return sorted({*range(0, off.size, FINER), *worst})

    def _peaks(self, values: Array, largest: Array, manner: Manner) -> tuple[Array, Array, Array, Array]:
        """Return oscillator, sample and side of the peaks that count, and by how much of its goal each is to grow."""
        from scipy.signal import find_peaks

        found = []
        for k in self._oscillators(largest, manner):
            response = _run(self.filters[k], values)
            size = np.abs(response)
            top = int(np.argmax(size))
            apart = max(1, round(self.periods[k] / 3.0 / self.dt))
            others, _ = find_peaks(size, height=manner.rival * size[top], distance=apart)
            others = sorted((int(at) for at in others if abs(at - top) >= apart), key=lambda at: -size[at])[
                : manner.rivals
            ]
            exact = largest[k] / max(size[top], 1e-300)  # between samples it is a little larger
            for at in (top, *others[: manner.rivals]):
                missing = (self.goal[k] - exact * size[at]) / self.goal[k]
                found.append((k, at, math.copysign(1.0, response[at]), missing if at == top else min(missing, 0.0)))
        which, when, sides, wanted = zip(*found, strict=True)
        return np.array(which), np.array(when), np.array(sides), np.array(wanted)

    def _wavelets(self, periods: Array, centres: Array) -> Array:
        away = self.time[None, :] - centres[:, None]
        width = _width(periods)[:, None]
        return np.asarray(np.cos(2.0 * math.pi * away / periods[:, None]) * np.exp(-((away / width) ** 2)))

    def _lag(self, period: float, oscillator: tuple[Array, Array]) -> float:
        """Return how long after its centre the response to a wavelet peaks [s]."""
        half = 4.0 * float(_width(np.array(period)))
        at = self.dt * np.arange(-math.ceil(half / self.dt), math.ceil(half / self.dt) + 1)
        shape = np.cos(2.0 * math.pi * at / period) * np.exp(-((at / _width(np.array(period))) ** 2))
        return float(at[int(np.argmax(np.abs(_run(oscillator, shape))))])


class _RestCorrection:
    """Takes from a row of samples what would leave the ground moving or displaced at its end."""

    def __init__(self, count: int) -> None:
        position = np.arange(count) / (count - 1)
        bump = position * (1.0 - position)
        self.shapes = np.array([bump, bump * position])
        whole = np.full(count, 1.0)
        whole[0] = whole[-1] = 0.5
        left = (count - 1.0) - np.arange(
            count
        )  # the exact integrals of straight lines between samples, times dt and dt²
        left[0], left[-1] = (3.0 * (count - 1.0) - 1.0) / 6.0, 1.0 / 6.0
        self.ends = np.array([whole, left])
        self.inverse = np.linalg.inv(self.ends @ self.shapes.T)

    def of(self, rows: Array) -> Array:
        """Return rows that end at rest."""
        return np.asarray(rows - (rows @ self.ends.T) @ self.inverse.T @ self.shapes)


def _width(period: Array) -> Array:
    """Return γ [s]: Al Atik and Abrahamson (2010), γ = 1.178·f^(−0.93)."""
    return np.asarray(1.178 * period**0.93)


def _oscillator(period: float, damping: float, dt: float) -> tuple[Array, Array]:
    """Return the recursion of ω²u over a ground acceleration in straight lines, as numerator and denominator."""
    omega = 2.0 * math.pi / period
    row = np.empty(8)
    fill_propagator(omega, damping * omega, dt, row)
    a11, a12, b11, b12, a21, a22, b21, b22 = (float(number) for number in row)
    above = np.array([b12, b11 + a12 * b22 - a22 * b12, a12 * b21 - a22 * b11])
    return -(omega**2) * above, np.array([1.0, -(a11 + a22), a11 * a22 - a12 * a21])


def _run(oscillator: tuple[Array, Array], values: Array) -> Array:
    from scipy.signal import lfilter

    return np.asarray(lfilter(*oscillator, values), dtype=np.float64)
