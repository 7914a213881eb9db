"""Suites of motions for a target spectrum: scaled to it over a range of periods, and selected from many."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from carom import units
from carom.errors import InputError, refusal
from carom.motions.motion import Array, Motion
from carom.motions.spectra import response_spectrum
from carom.motions.targets.base import Target, period_range, periods_between

__all__ = ["Selection", "SuiteFit", "scale_to_target", "select"]

FACTORS = (0.25, 4.0)
"""Usual limits on the factors of a suite."""
STARTS = 60
"""First motions from which suites are grown."""
BOUND_STEPS = 3000
"""Steps of the search for the bound."""


@dataclass(frozen=True, eq=False)
class SuiteFit:
    """A suite scaled to a target."""

    motions: tuple[Motion, ...]
    """Scaled."""
    factors: Array
    target: Target
    periods: Array = field(repr=False)
    spectra: Array = field(repr=False)
    """Pseudo-acceleration of the scaled motions [m/s²], shape (motion, period)."""

    @property
    def median(self) -> Array:
        """Geometric mean of the spectra [m/s²]."""
        return np.asarray(np.exp(np.log(self.spectra).mean(axis=0)))

    @property
    def mean(self) -> Array:
        """Arithmetic mean of the spectra [m/s²], which codes compare."""
        return np.asarray(self.spectra.mean(axis=0))

    @property
    def error(self) -> float:
        """Root mean square over the periods of the logarithm of the geometric mean over the target [–]."""
        return float(np.sqrt((np.log(self.median / self.target.sa(self.periods)) ** 2).mean()))

    @property
    def lowest(self) -> float:
        """Least ratio of the arithmetic mean to the target over the range [–]; EN 1998-1, 3.2.3.1.2, asks for 0.9."""
        return float((self.mean / self.target.sa(self.periods)).min())


@dataclass(frozen=True, eq=False)
class Selection(SuiteFit):
    """A suite selected from a pool."""

    places: tuple[int, ...] = ()
    """Which of the pool, from 0."""
    bound: float = 0.0
    """No suite of this size from the pool, scaled likewise, has an error below this [–]."""


def scale_to_target(
    motions: Motion | Iterable[Motion],
    target: Target,
    periods: object,
    *,
    limits: object = FACTORS,
    common: bool = False,
    floor: object = None,
) -> SuiteFit:
    """Scale motions to a target spectrum over a range of periods.

    Parameters
    ----------
    motions
        One motion or several.
    target
        See `carom.motions.targets`; its damping is that of the spectra.
    periods
        Range of periods [s], such as (0.2, 2.0); the mean logarithm of spectrum over target vanishes over it.
    limits
        Least and largest factor [–].
    common
        Whether all motions have one factor: then that of the geometric mean.
    floor
        Raise all by one more factor, where needed, so that the arithmetic mean nowhere in the range falls below this
        share of the target: 0.9 by EN 1998-1. Factors beyond the limits are then refused.
    """
    owner = "scale_to_target"
    found = [motions] if isinstance(motions, Motion) else list(motions)
    axis, spectra, wanted = _spectra(found, target, periods, owner)
    low, high = _limits(limits, owner)
    misfit = np.log(wanted / spectra).mean(axis=1)
    factors = np.exp(np.full(len(found), misfit.mean()) if common else misfit)
    factors = np.clip(factors, low, high)
    if floor is not None:
        least = units.number(floor, "", name="floor", owner=owner, within=units.POSITIVE)
        mean = (factors[:, None] * spectra).mean(axis=0)
        factors = factors * max(1.0, float((least * wanted / mean).max()))
        if factors.max() > high:
            raise refusal(
                "floor", owner, f"must be reached with factors up to {high:g}", floor,
                f"It takes {factors.max():.3g}. Widen the limits, or take other motions.",
            )  # fmt: skip
    scaled = tuple(motion.scaled(factor=float(by)) for motion, by in zip(found, factors, strict=True))
    return SuiteFit(scaled, factors, target, axis, factors[:, None] * spectra)


def select(
    pool: Iterable[Motion],
    target: Target,
    periods: object,
    count: int,
    *,
    limits: object = FACTORS,
    one_per_event: bool = False,
) -> Selection:
    """Select motions whose geometric mean is nearest to a target, each scaled to it.

    Each motion is scaled by `scale_to_target`; motions whose factor would leave the limits do not take part. To a first
    motion one after the other is added, always that which brings the mean nearest; then members are exchanged for
    others as long as this helps; the best of the suites from several first ones is taken. The `bound` of the result is
    proved: it is the least error that shares of motions, in place of whole ones, could reach (a convex problem; the
    bound is its dual's, by Frank and Wolfe's gap), so that no suite of that many is nearer.

    Parameters
    ----------
    pool, target, periods, limits
        As for `scale_to_target`.
    count
        How many motions.
    one_per_event
        Whether no two may come from one event, where their headers name it.
    """
    owner = "select"
    found = list(pool)
    axis, spectra, wanted = _spectra(found, target, periods, owner)
    low, high = _limits(limits, owner)
    logs = np.log(spectra / wanted)
    factors = np.exp(-logs.mean(axis=1))
    may = np.flatnonzero((factors >= low) & (factors <= high))
    if not isinstance(count, int) or isinstance(count, bool) or not 1 <= count <= may.size:
        raise refusal(
            "count", owner, f"must be a whole number from 1 to {may.size}, the motions whose factors lie within "
            f"[{low:g}, {high:g}]", count,
        )  # fmt: skip
    shapes = (logs - logs.mean(axis=1, keepdims=True))[may]
    events = [found[place].event if one_per_event else "" for place in may]
    chosen = _nearest(shapes, count, events)
    places = tuple(int(may[place]) for place in sorted(chosen))
    scaled = tuple(found[place].scaled(factor=float(factors[place])) for place in places)
    by = factors[list(places)]
    return Selection(
        scaled, by, target, axis, by[:, None] * spectra[list(places)], places, _bound(shapes, count)
    )  # fmt: skip


def _spectra(motions: Sequence[Motion], target: Target, periods: object, owner: str) -> tuple[Array, Array, Array]:
    """Return periods, spectra (motion, period) and the target at them [m/s²]."""
    if not motions:
        raise InputError(f"{owner} needs motions. Got none.")
    axis = periods_between(*period_range(periods, owner))
    levels = [_level(motion) for motion in motions]
    each = np.asarray(response_spectrum([one for level in levels for one in level], axis, target.damping).psa)
    with np.errstate(divide="ignore"):  # a silent one is refused below
        logs = np.log(each)
    ends = np.cumsum([len(level) for level in levels])
    spectra = np.exp([part.mean(axis=0) for part in np.split(logs, ends[:-1])])
    if not (spectra > 0.0).all():
        silent = motions[int(np.argmin(spectra.min(axis=1)))].name
        raise InputError(f"{owner} cannot scale {silent}: its spectrum is zero in the range.")
    return axis, spectra, target.sa(axis)


def _level(motion: Any) -> tuple[Motion, ...]:
    """Return the motions of which the geometric mean of the spectra counts: of components that shake together those
    along the ground (`level`)."""
    return (motion,) if isinstance(motion, Motion) else tuple(motion.level)


def _limits(limits: object, owner: str) -> tuple[float, float]:
    ends = units.array(limits, "", name="limits", owner=owner, within=units.POSITIVE)
    if ends.shape != (2,) or not ends[0] <= ends[1]:
        raise refusal("limits", owner, "must be the least and the largest factor", limits, "Write (0.25, 4).")
    return float(ends[0]), float(ends[1])


def _nearest(shapes: Array, count: int, events: Sequence[str]) -> list[int]:
    """Return the best of the suites that grow from each of the nearest motions."""
    order = np.argsort((shapes**2).mean(axis=1))[:STARTS]
    found = []
    for start in order if count > 1 else order[:1]:
        suite = _exchanged(shapes, _greedy(shapes, count, events, int(start)), events)
        found.append((float((shapes[suite].mean(axis=0) ** 2).mean()), suite))
    return min(found)[1]


def _greedy(shapes: Array, count: int, events: Sequence[str], start: int) -> list[int]:
    """Return places added to a first one after the other, always that which leaves the least misfit of the mean."""
    chosen = [start]
    total = shapes[start].copy()
    for size in range(2, count + 1):
        misfit = (((total + shapes) / size) ** 2).mean(axis=1)
        misfit[[place for place in range(len(shapes)) if _taken(place, chosen, events)]] = math.inf
        best = int(np.argmin(misfit))
        if misfit[best] == math.inf:
            raise InputError(f"`count` of select must leave motions of other events: only {size - 1} can be found.")
        chosen.append(best)
        total = total + shapes[best]
    return chosen


def _exchanged(shapes: Array, chosen: list[int], events: Sequence[str]) -> list[int]:
    """Exchange one member at a time for the best other, as long as the misfit shrinks."""
    chosen = list(chosen)
    total, size = shapes[chosen].sum(axis=0), len(chosen)
    least = float(((total / size) ** 2).mean())
    improved = True
    while improved:
        improved = False
        for member in range(size):
            others = chosen[:member] + chosen[member + 1 :]
            rest = total - shapes[chosen[member]]
            misfit = (((rest + shapes) / size) ** 2).mean(axis=1)
            misfit[[place for place in range(len(shapes)) if _taken(place, others, events)]] = math.inf
            best = int(np.argmin(misfit))
            if misfit[best] < least * (1.0 - 1e-12):
                chosen[member], total, least, improved = best, rest + shapes[best], float(misfit[best]), True
    return chosen


def _taken(place: int, chosen: Sequence[int], events: Sequence[str]) -> bool:
    return place in chosen or (events[place] != "" and any(events[place] == events[one] for one in chosen))


def _bound(shapes: Array, count: int) -> float:
    """Return the least error that shares w of the motions can have, 0 ≤ w ≤ 1/count, Σw = 1; from below.

    f(w) = |wᵀ·shapes|² is convex: for the best w*, f(w*) ≥ f(w) + ∇f(w)·(s − w) at the s that is least in ∇f(w)·s,
    which is the `count` smallest entries of the gradient. Every suite of `count` motions is such a w.
    """
    share = np.full(len(shapes), 1.0 / len(shapes))
    best = 0.0
    for _ in range(BOUND_STEPS):
        mean = share @ shapes
        value = float((mean**2).mean())
        slope = 2.0 * (shapes @ mean) / shapes.shape[1]
        corner = np.zeros(len(shapes))
        corner[np.argpartition(slope, count - 1)[:count]] = 1.0 / count
        gap = float(slope @ (share - corner))
        best = max(best, value - gap)
        step = (corner - share) @ shapes
        size = float((step**2).mean())
        if gap <= 1e-12 * max(value, 1e-300) or size == 0.0:
            break
        share = share + min(1.0, -float((mean * step).mean()) / size) * (corner - share)
    return math.sqrt(best)
