"""One motion under several supports: it arrives later at those farther away, and is no longer quite the same.

The coherency γ(f, d) between two supports is the share of a frequency that both have in common. Support k moves by

    U_k(f) = L_k0·U_0(f) + Σ_m L_km·√2·N_m(f),    L·Lᵀ = [γ(f, d_jk)]

in short windows that overlap, so that what is not shared shakes when, as long and as strongly as the given motion U_0:
the N_m are its amplitudes with random phases. The given motion is that of the first support. Waves that pass with an
apparent velocity delay each support by its distance over that velocity.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from carom import units
from carom.errors import refusal
from carom.motions.motion import Array, Motion
from carom.motions.synthetic.filtered_noise import white_noise

__all__ = ["COHERENCIES", "SupportMotions", "harichandran_vanmarcke_1986", "luco_wong_1986", "support_motions"]

WINDOW = 4.0
"""Length of a window [s]; windows overlap by half."""
STEADY = 1e-10
"""Added to the diagonal of a coherency matrix of supports at one place."""


def luco_wong_1986(frequency: Array, distance: float, alpha: float = 2.5e-4) -> Array:
    """Return exp[−(α·2πf·d)²]; α [s/m] is 2 to 3·10⁻⁴.

    Luco and Wong (1986), Earthquake Engineering and Structural Dynamics 14(6), 891-908.
    """
    return np.asarray(np.exp(-((alpha * 2.0 * math.pi * frequency * distance) ** 2)))


def harichandran_vanmarcke_1986(frequency: Array, distance: float) -> Array:
    """Return A·exp[−2d(1−A+aA)/(aθ)] + (1−A)·exp[−2d(1−A+aA)/θ], θ = k/√(1 + (f/f₀)ᵇ).

    Harichandran and Vanmarcke (1986), Journal of Engineering Mechanics 112(2), 154-174, fitted to event 20 of SMART-1:
    A = 0.736, a = 0.147, k = 5210 m, f₀ = 1.09 Hz, b = 2.78.
    """
    share, a, k, f0, b = 0.736, 0.147, 5210.0, 1.09, 2.78
    theta = k / np.sqrt(1.0 + (frequency / f0) ** b)
    decay = 2.0 * distance * (1.0 - share + a * share) / theta
    return np.asarray(share * np.exp(-decay / a) + (1.0 - share) * np.exp(-decay))


COHERENCIES: Mapping[str, Callable[[Array, float], Array]] = MappingProxyType({
    "luco-wong-1986": luco_wong_1986,
    "harichandran-vanmarcke-1986": harichandran_vanmarcke_1986,
})  # fmt: skip
"""Coherency over frequency [Hz] and distance [m], by name."""


@dataclass(frozen=True)
class SupportMotions:
    """The motions of supports, in their order, and how much later each begins."""

    motions: tuple[Motion, ...]
    delays: tuple[float, ...]
    """[s]"""

    @property
    def pairs(self) -> tuple[tuple[Motion, float], ...]:
        """Motion and delay of each, as `carom.Problem` takes them for its structures."""
        return tuple(zip(self.motions, self.delays, strict=True))


def support_motions(
    motion: Motion,
    places: object,
    *,
    velocity: object = None,
    coherency: str | Callable[[Array, float], Array] | None = "luco-wong-1986",
    seed: int = 0,
) -> SupportMotions:
    """Return the motions of several supports.

    Parameters
    ----------
    motion
        That of the first support.
    places
        Where the supports are [m]: along the way of the waves, or (x, y) with the waves going along x.
    velocity
        Apparent velocity of the waves [m/s], infinite without one: all supports at once.
    coherency
        ``"luco-wong-1986"``, ``"harichandran-vanmarcke-1986"``, a function of frequencies [Hz] and distance [m], or
        None: the same motion everywhere.
    seed
        Of the phases that are not shared.
    """
    owner = "support_motions"
    given = units.array(places, "m", name="places", owner=owner)
    at = np.column_stack((given, np.zeros(given.size))) if given.ndim == 1 else given
    if at.ndim != 2 or at.shape[1] != 2 or not 1 <= len(at) <= 200:
        raise refusal("places", owner, "must be up to 200 places, numbers or pairs (x, y)", given.shape)
    if not isinstance(seed, int) or isinstance(seed, bool) or seed < 0:
        raise refusal("seed", owner, "must be a whole number, not negative", seed)
    along = at[:, 0] - at[:, 0].min()
    delays = np.zeros(len(at))
    if velocity is not None:
        delays = along / units.number(velocity, "m/s", name="velocity", owner=owner, within=units.POSITIVE)
    if coherency is None:
        moved = [motion] * len(at)
    else:
        if isinstance(coherency, str) and coherency not in COHERENCIES:
            raise refusal("coherency", owner, f"must be one of {', '.join(COHERENCIES)}, or a function", coherency)
        shared = COHERENCIES[coherency] if isinstance(coherency, str) else coherency
        rows = _spread(motion, at, shared, seed)
        told = coherency if isinstance(coherency, str) else "given"
        moved = [motion]
        for row, place in zip(rows[1:], at[1:], strict=True):
            distance = math.dist(place, at[0])
            moved.append(
                motion.after(
                    f"under a support {distance:g} m away, coherency {told}, seed {seed}", row
                ).baseline_corrected()
                if distance > 0.0
                else motion
            )
    return SupportMotions(tuple(moved), tuple(float(delay) for delay in delays))


def _spread(motion: Motion, at: Array, shared: Callable[[Array, float], Array], seed: int) -> Array:
    """Return the accelerations of all supports, shape (support, sample)."""
    half = max(round(0.5 * WINDOW / motion.dt), 2)
    size, lead = 2 * half, half
    count = -(-(motion.npts + lead) // half) + 1
    padded = np.zeros((count + 1) * half)
    padded[lead : lead + motion.npts] = motion.acceleration
    bell = np.sqrt(0.5 - 0.5 * np.cos(2.0 * math.pi * np.arange(size) / size))
    factors = _factors(np.asarray(np.fft.rfftfreq(size, motion.dt), dtype=np.float64), at, shared)
    phases = 2.0 * math.pi * _uniform(seed, (count, len(at), half + 1))
    found = np.zeros((len(at), padded.size))
    for k in range(count):
        part = slice(k * half, k * half + size)
        own = np.fft.rfft(bell * padded[part])
        sources = math.sqrt(2.0) * np.abs(own) * np.exp(1j * phases[k])
        sources[0] = own
        moved = np.einsum("fkm,mf->kf", factors, sources)
        found[:, part] += bell * np.fft.irfft(moved, size, axis=1)
    return found[:, lead : lead + motion.npts]


def _factors(frequency: Array, at: Array, shared: Callable[[Array, float], Array]) -> Array:
    """Return the lower triangle L of the coherency matrix at each frequency, shape (frequency, support, source)."""
    apart = np.linalg.norm(at[:, None, :] - at[None, :, :], axis=2)
    matrix = np.empty((frequency.size, len(at), len(at)))
    for j in range(len(at)):
        for k in range(j + 1):
            row = np.ones_like(frequency) if j == k else _coherency(shared, frequency, float(apart[j, k]))
            matrix[:, j, k] = matrix[:, k, j] = row
    values, vectors = np.linalg.eigh(matrix)  # several supports at one place, or a model that is not quite one
    sound = np.einsum("fij,fj,fkj->fik", vectors, np.maximum(values, 0.0), vectors)
    sound += STEADY * np.eye(len(at))
    return np.asarray(np.linalg.cholesky(sound))


def _coherency(shared: Callable[[Array, float], Array], frequency: Array, distance: float) -> Array:
    """Return a coherency, and refuse a function that gives something else."""
    row = np.asarray(shared(frequency, distance), dtype=np.float64)
    if row.shape != frequency.shape or not ((row >= 0.0) & (row <= 1.0 + 1e-12)).all():
        rule = "must give a number from 0 to 1 for each frequency"
        raise refusal("coherency", "support_motions", rule, row)
    return row


def _uniform(seed: int, shape: tuple[int, ...]) -> Array:
    """Return numbers evenly spread from 0 to 1, the same on every machine."""
    from scipy.special import ndtr

    return np.asarray(ndtr(white_noise(seed, math.prod(shape)))).reshape(shape)
