"""Lognormal curves through yes-and-no data, by maximum likelihood: one set or a thousand at once.

P(x) = Φ(ln(x/θ)/β), that is Φ(a + b ln x) with b = 1/β and ln θ = −a/b: a probit regression on ln x, whose likelihood
is concave. Newton's method on all sets together; the ratios φ/Φ come from erfcx and stay exact far in the tails.

Baker J.W. (2015). Efficient analytical fragility function fitting using dynamic structural analysis. Earthquake Spectra
31(1), 579-599: the likelihood (his (8)), here for counts per level and hence for single runs too.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import erfcx

__all__ = ["Fits", "fit_counts", "overlapping"]

Array = npt.NDArray[np.float64]

STEPS = 60
CONVERGED = 1e-9
"""Largest last step, in standard deviations of ln x."""
LONGEST = 2.0
"""Longest step: from far off Newton's would overshoot."""
AT_ONCE = 1 << 20
"""Numbers of one block of sets: keeps what is in work below some ten megabytes."""


class Fits(NamedTuple):
    """Fitted curves; all arrays over the sets."""

    intercept: Array
    slope: Array
    """P = Φ(intercept + slope·ln x)."""
    error_log_median: Array
    """Standard error of ln θ, from the observed information."""
    error_log_beta: Array
    """Standard error of ln β."""
    found: npt.NDArray[np.bool_]
    """Whether there is a maximum: data that a step tells apart have none."""

    @property
    def log_median(self) -> Array:
        """Return ln θ."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return -self.intercept / self.slope

    @property
    def beta(self) -> Array:
        """Return β; negative where the probability falls."""
        with np.errstate(divide="ignore"):
            return 1.0 / self.slope


def overlapping(log_x: Array, exceed: Array, total: Array) -> npt.NDArray[np.bool_]:
    """Return for each set whether exceedances and their absences overlap, without which no maximum exists.

    Silvapulle M.J. (1981). On the existence of maximum likelihood estimators for the binomial response models. J. R.
    Stat. Soc. B 43(3), 310-313.
    """
    yes, no = exceed > 0, total - exceed > 0
    low_yes, high_yes = _ends(log_x, yes)
    low_no, high_no = _ends(log_x, no)
    found: npt.NDArray[np.bool_] = (high_no > low_yes) & (high_yes > low_no)
    return found


def _ends(log_x: Array, there: npt.NDArray[np.bool_]) -> tuple[Array, Array]:
    return np.where(there, log_x, np.inf).min(axis=-1), np.where(there, log_x, -np.inf).max(axis=-1)


def fit_counts(log_x: Array, exceed: Array, total: Array, near: tuple[float, float] = (0.0, 0.0)) -> Fits:
    """Fit curves to counts per level: log_x (levels,), exceed and total (sets, levels), weights allowed.

    `near` is the intercept and slope at which the search starts; it does not change where it ends.
    """
    exceed, total = np.atleast_2d(exceed).astype(np.float64), np.atleast_2d(total).astype(np.float64)
    sets = exceed.shape[0]
    block = max(AT_ONCE // log_x.size, 1)
    parts = [_fit(log_x, exceed[i : i + block], total[i : i + block], near) for i in range(0, sets, block)]
    return Fits(*(np.concatenate([part[k] for part in parts]) for k in range(5)))


def _fit(log_x: Array, exceed: Array, total: Array, near: tuple[float, float]) -> Fits:
    centre, width = float(log_x.mean()), float(log_x.std()) or 1.0
    z = (log_x - centre) / width
    found = overlapping(log_x, exceed, total)
    a, b = np.full(found.size, near[0] + near[1] * centre), np.full(found.size, near[1] * width)
    information = np.full((found.size, 3), np.nan)
    active = np.flatnonzero(found)
    for _ in range(STEPS):
        if not active.size:
            break
        step, matrix = _newton(z, exceed[active], total[active], a[active], b[active])
        length = np.abs(step).max(axis=1)
        step *= np.minimum(1.0, LONGEST / np.maximum(length, 1e-300))[:, None]
        a[active] += step[:, 0]
        b[active] += step[:, 1]
        information[active] = matrix
        active = active[length > CONVERGED]
    found[active] = False  # still on its way: the data all but separate
    slope = b / width
    intercept = a - b * centre / width
    errors = _errors(a, b, information)
    nothing = ~found
    for values in (intercept, slope, *errors):
        values[nothing] = np.nan
    return Fits(intercept, slope, errors[0] * width, errors[1], found)


def _newton(z: Array, exceed: Array, total: Array, a: Array, b: Array) -> tuple[Array, Array]:
    """Return Newton's step and the observed information (aa, ab, bb) of the log-likelihood."""
    eta = a[:, None] + b[:, None] * z
    with np.errstate(over="ignore"):  # erfcx grows without bound where the ratio is nought
        up = math.sqrt(2.0 / math.pi) / erfcx(-eta / math.sqrt(2.0))  # φ/Φ(η)
        down = math.sqrt(2.0 / math.pi) / erfcx(eta / math.sqrt(2.0))  # φ/Φ(−η)
    rest = total - exceed
    score = exceed * up - rest * down
    weight = exceed * up * (up + eta) + rest * down * (down - eta)
    g = np.stack([score.sum(axis=1), score @ z], axis=1)
    aa, ab, bb = weight.sum(axis=1), weight @ z, weight @ (z * z)
    determinant = aa * bb - ab * ab
    step = np.stack([bb * g[:, 0] - ab * g[:, 1], aa * g[:, 1] - ab * g[:, 0]], axis=1) / determinant[:, None]
    return step, np.stack([aa, ab, bb], axis=1)


def _errors(a: Array, b: Array, information: Array) -> tuple[Array, Array]:
    """Return standard errors of −a/b (in standardised ln x) and of ln b, by the delta method."""
    aa, ab, bb = information.T
    with np.errstate(divide="ignore", invalid="ignore"):
        determinant = aa * bb - ab * ab
        vaa, vab, vbb = bb / determinant, -ab / determinant, aa / determinant
        median = np.sqrt((vaa - 2.0 * vab * a / b + vbb * (a / b) ** 2) / b**2)
        return median, np.sqrt(vbb) / np.abs(b)
