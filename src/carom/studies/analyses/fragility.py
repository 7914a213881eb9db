"""Fragility: how likely a limit is passed, against the strength of shaking or the gap.

A lognormal curve by maximum likelihood through single runs, its uncertainty by profile likelihood (`fragility_region`).
Runs of one motion are not independent: the scatter between motions counts, where the study has any. Failed runs are
neither exceedances nor their absence; they are counted, and the medians are given that would follow if all of them were
the one or the other.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr

from carom.errors import InputError, refusal
from carom.studies.analyses.asked import SHARE
from carom.studies.analyses.columns import Array, checked_pair
from carom.studies.analyses.statistics.fragility_region import outline, stretched
from carom.studies.analyses.statistics.lognormal import Fits, fit_counts

__all__ = ["FragilityCurve", "Interval", "fragility_curve", "fragility_of_counts"]

OWNER = "fragility_curve"
LEVELS = 256
"""Levels to which many different intensities are gathered for intervals; the fit itself takes every one as it is."""
LEAST = 8
"""Fewest runs."""
SHOWN = 30
"""Groups of levels shown as observed fractions where there are more."""


class Interval(NamedTuple):
    """From where to where."""

    low: float
    high: float


@dataclass(frozen=True, eq=False)
class FragilityCurve:
    """P(limit passed | x) = Φ(±ln(x/median)/beta), and how sure it is."""

    median: float
    """x at which one run in two passes the limit, in the unit of x."""
    beta: float
    """Standard deviation of ln x: how gradual the rise is."""
    falling: bool
    """Whether the probability falls with x, as it does with the gap."""
    median_interval: Interval
    beta_interval: Interval
    confidence: float
    levels: Array
    """Values of x with runs, shape (n,)."""
    exceeding: Array
    """Runs that passed the limit at each."""
    finished: Array
    """Runs that reached their end at each."""
    failed: Array
    """Runs that failed at each: in neither of the two."""
    region: Array
    """Intercept and slope of Φ(intercept + slope·ln x) along the outline of the curves that the data do not contradict
    at this confidence, one curve at a time, shape (n, 2)."""
    independent: str
    """What counts as independent: ``runs``, or the column whose values do."""
    if_failed: Interval
    """Medians if all failed runs had stayed below the limit and had passed it (NaN where there is no such curve)."""
    title: str = ""
    xlabel: str = "x"

    def probability(self, x: npt.ArrayLike) -> Array:
        """Return P(limit passed) at x."""
        eta = np.log(np.asarray(x, dtype=np.float64) / self.median) / self.beta
        found: Array = ndtr(-eta if self.falling else eta)
        return found

    def band(self, x: npt.ArrayLike) -> tuple[Array, Array]:
        """Return the pointwise confidence band at x: what the curves of the region say there."""
        at = np.log(np.asarray(x, dtype=np.float64))
        eta = self.region[:, :1] + self.region[:, 1:] * at.ravel()
        return ndtr(eta.min(axis=0).reshape(at.shape)), ndtr(eta.max(axis=0).reshape(at.shape))

    def observed(self) -> tuple[Array, Array, Array]:
        """Return x, observed fraction and number of finished runs, neighbouring levels joined where there are many."""
        there = self.finished > 0
        x, yes, n = self.levels[there], self.exceeding[there], self.finished[there]
        if x.size <= SHOWN:
            return x, yes / n, n
        group = np.minimum((np.cumsum(n) - 0.5 * n) * SHOWN / n.sum(), SHOWN - 1).astype(np.int64)
        count = np.bincount(group, n)
        kept = count > 0
        joined = np.exp(np.bincount(group, n * np.log(x))[kept] / count[kept])
        share = np.bincount(group, yes)[kept] / count[kept]
        return joined, share, count[kept].astype(np.float64)


def fragility_curve(
    intensity: object,
    exceeds: object,
    *,
    failed: object = None,
    clusters: object = None,
    falling: bool = False,
    confidence: float = 0.95,
    title: str = "",
    xlabel: str = "x",
    independent: str = "",
) -> FragilityCurve:
    """Fit a lognormal curve to runs that did or did not pass a limit.

    Parameters
    ----------
    intensity
        PGA, spectral acceleration, gap …, positive, one value for each run.
    exceeds
        Whether each run passed the limit.
    failed
        Which runs failed; whatever `exceeds` says of them does not count.
    clusters
        Whole numbers: runs of equal number are not independent (those of one motion) and count as one observation.
    falling
        Whether the probability falls with x: contact against gap.
    confidence
        Of intervals and bands.
    title
        What is passed, in words.
    xlabel
        Name of x with its unit in brackets.
    independent
        Name of what `clusters` tells apart.

    Raises
    ------
    InputError
        Where no curve exists: too few runs, all or none passing, or a step between those that do and do not.
    """
    x, passed = checked_pair(intensity, exceeds, OWNER, ("intensity", "exceeds"))
    lost = np.zeros(x.size, dtype=bool) if failed is None else np.asarray(failed, dtype=bool)
    if lost.shape != x.shape:
        raise refusal("failed", OWNER, f"must have {x.size} values, one for each run", lost.shape)
    if x.min() <= 0.0:
        raise refusal("intensity", OWNER, "must be positive", float(x.min()), "A lognormal curve starts at nought.")
    if confidence not in SHARE:
        raise refusal("confidence", OWNER, SHARE.rule, confidence)
    yes = passed > 0.0
    levels, at = np.unique(x, return_inverse=True)
    ran = ~lost
    finished = np.bincount(at[ran], minlength=levels.size).astype(np.float64)
    exceeding = np.bincount(at[ran & yes], minlength=levels.size).astype(np.float64)
    failures = np.bincount(at[lost], minlength=levels.size).astype(np.float64)
    what = title or "the limit"
    fit = _one(levels, exceeding, finished, falling, what, xlabel)
    near = float(fit.intercept[0]), float(fit.slope[0])
    region = _region(np.log(levels), at, yes, ran, clusters, confidence, near)
    median, beta = math.exp(float(fit.log_median[0])), abs(float(fit.beta[0]))
    return FragilityCurve(
        median=median,
        beta=beta,
        falling=falling,
        median_interval=_median_interval(region),
        beta_interval=_beta_interval(region),
        confidence=confidence,
        levels=levels,
        exceeding=exceeding,
        finished=finished,
        failed=failures,
        region=region,
        independent=(independent or "clusters") if clusters is not None else "runs",
        if_failed=_if_failed(levels, exceeding, finished, failures, median),
        title=title,
        xlabel=xlabel,
    )


def fragility_of_counts(
    levels: object, exceeding: object, finished: object, *, failed: object = None, **options: Any
) -> FragilityCurve:
    """Fit a curve to counts: at each level how many runs passed the limit, finished and failed; options as above."""
    owner = "fragility_of_counts"
    x, passed = checked_pair(levels, exceeding, owner, ("levels", "exceeding"))
    _, ended = checked_pair(levels, finished, owner, ("levels", "finished"))
    lost = np.zeros(x.size) if failed is None else checked_pair(levels, failed, owner, ("levels", "failed"))[1]
    for name, values in (("exceeding", passed), ("finished", ended), ("failed", lost)):
        if np.any(values < 0.0) or np.any(values != np.floor(values)):
            raise refusal(name, owner, "must be whole numbers, none negative", values)
    if np.any(passed > ended):
        raise refusal("exceeding", owner, "must not be more than finished", passed)
    counts = np.stack([ended - passed, passed, lost]).astype(np.int64)
    each = np.concatenate([np.repeat(x, row) for row in counts])
    kinds = np.repeat(np.arange(3), counts.sum(axis=1))
    return fragility_curve(each, kinds == 1, failed=kinds == 2, **options)


def _one(levels: Array, yes: Array, n: Array, falling: bool, what: str, xlabel: str) -> Fits:
    """Fit the data themselves, or say why that cannot be done."""
    runs, passing = int(n.sum()), int(yes.sum())
    head = f"{what} against {xlabel}: no lognormal curve"
    if runs < LEAST:
        raise InputError(f"{head}, only {runs} finished runs. At least {LEAST} are needed.")
    if passing in (0, runs):
        which = "none" if passing == 0 else "all"
        end = levels[n > 0]
        raise InputError(
            f"{head}, {which} of {runs} finished runs passed (x from {end[0]:.4g} to {end[-1]:.4g}). "
            "Widen the range of x or change the limit."
        )
    if np.count_nonzero(n) < 2:
        raise InputError(f"{head}, all runs are at x = {float(levels[n > 0][0]):.4g}. Vary x.")
    fit = fit_counts(np.log(levels), yes, n)
    if not fit.found[0]:
        passed, stayed = levels[yes > 0], levels[n > yes]
        upper, lower = (stayed, passed) if falling else (passed, stayed)
        low, high = sorted((float(lower[-1]), float(upper[0])))
        where = f"lies between {low:.6g} and {high:.6g}" if low < high else f"is near {low:.6g}, the only x with both"
        raise InputError(
            f"{head}, a step tells apart runs that passed and those that did not: the median {where}, beta cannot be "
            "told. Add levels or runs in between."
        )
    if (fit.slope[0] < 0.0) != falling:
        way = "rise" if not falling else "fall"
        raise InputError(f"{head}, the probability does not {way} with x. Set falling = {str(not falling).lower()}?")
    return fit


def _region(
    log_x: Array, at: npt.NDArray[np.int64], yes: npt.NDArray[np.bool_], ran: npt.NDArray[np.bool_],
    clusters: object, confidence: float, near: tuple[float, float],
) -> Array:  # fmt: skip
    """Return the outline of the curves that the data do not contradict, runs of a cluster being one observation."""
    log_x, at = _gathered(log_x, at[ran])
    yes = yes[ran]
    passed = np.bincount(at[yes], minlength=log_x.size).astype(np.float64)
    total = np.bincount(at, minlength=log_x.size).astype(np.float64)
    near = next(zip(*fit_counts(log_x, passed, total, near)[:2], strict=True))  # of the levels as joined
    if clusters is None:
        return outline(log_x, passed, total, near, confidence, at.size - 2.0)
    own = np.asarray(clusters)
    if own.shape != ran.shape:
        raise refusal("clusters", OWNER, f"must have {ran.size} values, one for each run", own.shape)
    _, which = np.unique(own[ran], return_inverse=True)
    size = int(which.max()) + 1
    if size < 2:
        raise InputError(f"{OWNER} cannot tell the scatter of a single cluster. Leave `clusters` out, or add motions.")
    cell = which * log_x.size + at
    table = [np.bincount(cell[kind], minlength=size * log_x.size).reshape(size, -1) for kind in (yes, ~yes)]
    points = outline(log_x, passed, total, near, confidence, size - 2.0)
    return stretched(points, log_x, table[0].astype(np.float64), table[1].astype(np.float64), near)


def _gathered(log_x: Array, at: npt.NDArray[np.int64]) -> tuple[Array, npt.NDArray[np.int64]]:
    """Join neighbouring levels to at most `LEVELS`, each at the mean of its runs' ln x."""
    if log_x.size <= LEVELS:
        return log_x, at
    n = np.bincount(at, minlength=log_x.size).astype(np.float64)
    group = np.minimum((np.cumsum(n) - 0.5 * n) * LEVELS / n.sum(), LEVELS - 1).astype(np.int64)
    _, group = np.unique(group, return_inverse=True)
    count = np.bincount(group, n)
    mean = np.bincount(group, n * log_x) / np.maximum(count, 1.0)
    return mean, group[at]


def _beta_interval(points: Array) -> Interval:
    """Return the range of 1/|b|; without end where curves that do not rise or fall at all are among them."""
    slope = points[:, 1] * (1.0 if points[:, 1].mean() > 0.0 else -1.0)
    return Interval(1.0 / float(slope.max()), 1.0 / float(slope.min()) if slope.min() > 0.0 else math.inf)


def _median_interval(points: Array) -> Interval:
    """Return the range of the x at which a curve of the region is one half, a + b ln x = 0."""
    slope = points[:, 1] * (1.0 if points[:, 1].mean() > 0.0 else -1.0)
    if slope.min() <= 0.0:
        return Interval(0.0, math.inf)
    middle = -points[:, 0] / points[:, 1]
    return Interval(math.exp(float(middle.min())), math.exp(float(middle.max())))


def _if_failed(levels: Array, yes: Array, n: Array, failed: Array, median: float) -> Interval:
    if not failed.any():
        return Interval(median, median)
    both = fit_counts(np.log(levels), np.stack([yes, yes + failed]), np.stack([n + failed, n + failed]))
    stayed, passed = np.exp(both.log_median).tolist()
    return Interval(stayed, passed)
