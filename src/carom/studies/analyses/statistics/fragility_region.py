"""How sure a lognormal curve is: the curves that its data do not contradict.

Curves Φ(a + b ln x) whose likelihood is not too far below the largest form a convex region of the plane (a, b). Every
interval is read off its outline: the range of b, of a + b ln x at an x, and of the median, where a + b ln x = 0. These
are profile likelihood intervals. The bound is t² with n − 2 degrees of freedom, n runs, instead of χ²: in small samples
χ² is a little too narrow.

Runs of one motion are not independent. The region is then stretched about the estimate until its curvature there is
that of the variance between motions (the sandwich), t has as many degrees of freedom as there are motions less two, and
a factor G/(G − 1) stands for the G motions' own mean.

Chandler R.E., Bate S. (2007). Inference for clustered data using the independence loglikelihood. Biometrika 94(1),
167-183: the stretched likelihood. Venzon D.J., Moolgavkar S.H. (1988). A method for computing profile-likelihood-based
confidence intervals. Applied Statistics 37(1), 87-94.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from scipy.special import erfcx, log_ndtr
from scipy.stats import t as student

__all__ = ["outline", "stretched"]

Array = npt.NDArray[np.float64]

ANGLES = 240
"""Points of an outline: intervals are read off to 1e-4 of their width."""
STEPS = 50
"""Newton's steps along each ray at most; the likelihood falls ever faster, and a few are enough."""
CLOSE = 1e-9
"""Relative change at which the search ends."""
LEAST_SHARE = 1e-2
"""The variance between clusters is at least this part of that of independent runs: a few may agree by chance."""
FARTHEST = 1e3
"""Where the outline is not found within this many standard errors, it ends there: the data hardly bound the curve."""


def outline(
    log_x: Array, exceed: Array, total: Array, estimate: tuple[float, float], confidence: float, freedom: float
) -> Array:
    """Return intercept and slope along the outline of the curves that the data do not contradict, shape (n, 2).

    `estimate` is the intercept and slope of the largest likelihood, `freedom` the degrees of freedom of t.
    """
    centre = np.array(estimate)
    factor = np.linalg.cholesky(_covariance(log_x, exceed, total, centre))
    angle = 2.0 * np.pi * np.arange(ANGLES) / ANGLES
    rays = np.stack([np.cos(angle), np.sin(angle)], axis=1) @ factor.T
    bound = float(student.ppf(0.5 * (1.0 + confidence), max(freedom, 1.0))) ** 2
    stay = total - exceed
    best = float(_log_likelihood(log_x, exceed, stay, centre[None])[0])
    reach = np.full(ANGLES, math.sqrt(bound))
    for _ in range(STEPS):
        curves = centre + reach[:, None] * rays
        up, down = _ratios(curves[:, :1] + curves[:, 1:] * log_x)
        score = exceed * up - stay * down
        pace = -2.0 * (score.sum(axis=1) * rays[:, 0] + (score @ log_x) * rays[:, 1])
        excess = 2.0 * (best - _log_likelihood(log_x, exceed, stay, curves)) - bound
        step = np.clip(-excess / np.maximum(pace, 1e-300), -0.5 * reach, reach)
        reach = np.minimum(reach + step, FARTHEST)
        if np.all(np.abs(step) <= CLOSE * reach) or np.all(reach == FARTHEST):
            break
    found: Array = centre + reach[:, None] * rays
    return found


def stretched(points: Array, log_x: Array, exceed: Array, stay: Array, estimate: tuple[float, float]) -> Array:
    """Return an outline stretched to the variance between clusters; `exceed` and `stay` are (clusters, levels)."""
    centre = np.array(estimate)
    plain = _covariance(log_x, exceed.sum(axis=0), (exceed + stay).sum(axis=0), centre)
    up, down = _ratios(centre[0] + centre[1] * log_x)
    score = exceed * up - stay * down
    own = np.stack([score.sum(axis=1), score @ log_x], axis=1)
    groups = len(own)
    factor = np.linalg.cholesky(plain)
    share, axes = np.linalg.eigh(factor.T @ (own.T @ own) @ factor * groups / (groups - 1.0))
    wider = (axes * np.sqrt(np.maximum(share, LEAST_SHARE))) @ axes.T  # 1 where clusters are independent runs
    change = factor @ wider @ np.linalg.inv(factor)
    found: Array = centre + (points - centre) @ change.T
    return found


def _log_likelihood(log_x: Array, exceed: Array, stay: Array, curves: Array) -> Array:
    eta = curves[:, :1] + curves[:, 1:] * log_x
    found: Array = log_ndtr(eta) @ exceed + log_ndtr(-eta) @ stay
    return found


def _ratios(eta: Array) -> tuple[Array, Array]:
    """Return φ/Φ(η) and φ/Φ(−η)."""
    root = math.sqrt(2.0 / math.pi)
    with np.errstate(over="ignore"):
        return root / erfcx(-eta / math.sqrt(2.0)), root / erfcx(eta / math.sqrt(2.0))


def _covariance(log_x: Array, exceed: Array, total: Array, curve: Array) -> Array:
    """Return the inverse of the observed information of intercept and slope."""
    eta = curve[0] + curve[1] * log_x
    up, down = _ratios(eta)
    weight = exceed * up * (up + eta) + (total - exceed) * down * (down - eta)
    ab = weight @ log_x
    found: Array = np.linalg.inv(np.array([[weight.sum(), ab], [ab, weight @ log_x**2]]))
    return found
