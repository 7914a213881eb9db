"""Stiffness and restitution of a law found together from a measured history of force.

Least squares over ln K, e and a small shift of the touch. Neighbouring residuals are not independent: the intervals
come from resampled blocks of them (Künsch 1989), carried to the parameters by the Jacobian of the fit.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import least_squares, minimize_scalar

from carom.errors import CaromError, RunError, ValidityWarning
from carom.integrate.calibration import fit_stiffness
from carom.integrate.impact import conditions_of, impact
from carom.laws.base import CompliantLaw, DampedLaw
from carom.studies.analyses.columns import Array
from carom.studies.analyses.statistics.resampling import Fitted, block_length, resampled_blocks, tails

__all__ = ["CurveFit", "best_shift", "fit_curve", "force_at", "restitution_of_impulse"]

LEAST_RESTITUTION = 0.02
"""The search for e ends here: below it laws hardly part."""
SHIFT = 0.1
"""The touch may be moved by this share of the contact's duration."""
UNSURE = 1e3
"""An interval whose ends are so far apart says nothing and is not told."""
STEP = 1e-3
"""Of the differences that make the Jacobian: longer than a sample, for laws whose force jumps at touch."""


@dataclass(frozen=True, eq=False)
class CurveFit:
    """A law fitted to a measured curve."""

    law: CompliantLaw
    """With the parameters found."""
    stiffness: Fitted
    restitution: Fitted | None
    """None for a law without damping."""
    achieved: float
    """Restitution that the law achieves under the conditions of the test."""
    peak_force: float
    """Of the law [N]."""
    shift: float
    """By how much later than stated the touch fits best [s]."""


def fit_curve(
    law: CompliantLaw, time: Array, force: Array, *, confidence: float, resamples: int, seed: int,
    **conditions: Any,
) -> CurveFit:  # fmt: skip
    """Return the law with the stiffness and restitution that come closest to a force measured at times since touch [s].

    The stiffness of `law` is where the search starts; its restitution is not used. The conditions are those of
    `carom.impact`: ``mass``, ``velocity`` …
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ValidityWarning)  # the search passes through what a law is not meant for
        return _fit(law, time, force, confidence, resamples, seed, conditions)


def _fit(
    law: CompliantLaw, time: Array, force: Array, confidence: float, resamples: int, seed: int,
    conditions: Mapping[str, Any],
) -> CurveFit:  # fmt: skip
    damped = isinstance(law, DampedLaw)
    lowest, highest = max(law.restitution_range.low, LEAST_RESTITUTION), law.restitution_range.high
    room = 0.05 * (highest - lowest)
    told = min(max(restitution_of_impulse(time, force, conditions), lowest + room), highest - room)
    start = fit_stiffness(law.replace(restitution=told, damping=None) if damped else law,
                          peak_force=float(force.max()), **conditions)  # fmt: skip
    peak, lasts = float(force.max()), float(impact(start, **conditions).duration)

    def stated(x: Array) -> CompliantLaw:
        changes = {"restitution": float(x[2])} if damped else {}
        return start.replace(stiffness=start.stiffness * math.exp(x[0] - 1.0), **changes)

    def residual(x: Array) -> Array:
        found: Array = (force_at(stated(x), time - (x[1] - 1.0) * lasts, conditions) - force) / peak
        return found

    # all near one, so that steps of the differences are alike: 1 + ln K/K0, 1 + shift/duration, e
    first = np.array([1.0, 1.0, *([told] if damped else [])])
    bounds = ([-20.0, 1.0 - SHIFT, *([lowest] if damped else [])], [20.0, 1.0 + SHIFT, *([highest] if damped else [])])
    try:
        best = least_squares(residual, first, "3-point", bounds, diff_step=STEP, xtol=1e-9, ftol=1e-11)
    except CaromError as error:
        raise RunError(f"{law.name} could not be fitted to the measured curve: {error}") from None
    moved = best.x + _scatter(best.jac, best.fun, resamples, seed)
    fitted = stated(best.x)
    stiffness = _fitted("stiffness", law.unit_of("stiffness"), fitted.stiffness,
                        start.stiffness * np.exp(moved[:, 0] - 1.0), confidence, time.size)  # fmt: skip
    restitution = None
    if damped:
        drawn = np.clip(moved[:, 2], 0.0, highest)
        restitution = _fitted("restitution", "", float(best.x[2]), drawn, confidence, time.size)
    hit = impact(fitted, **conditions)
    return CurveFit(
        fitted, stiffness, restitution, float(hit.restitution), float(hit.peak_force), float((best.x[1] - 1.0) * lasts)
    )


def force_at(law: CompliantLaw, times: Array, conditions: Mapping[str, Any]) -> Array:
    """Return the force of an impact at times since touch [N]; nought before touch and once contact has ended."""
    hit = impact(law, **conditions)
    inside = (times >= 0.0) & (times < hit.duration)
    found = np.zeros(times.size)
    if inside.any():
        found[inside] = hit.sample(times[inside])["force"].values
    return found


def best_shift(law: CompliantLaw, time: Array, force: Array, conditions: Mapping[str, Any]) -> float:
    """Return by how much later than stated the touch fits a law best [s], a tenth of its contact at most."""
    most = SHIFT * float(impact(law, **conditions).duration)
    off = minimize_scalar(
        lambda shift: float(np.sum((force_at(law, time - shift, conditions) - force) ** 2)), bounds=(-most, most),
        method="bounded", options={"xatol": 1e-3 * most},
    )  # fmt: skip
    return float(off.x)


def restitution_of_impulse(time: Array, force: Array, conditions: Mapping[str, Any]) -> float:
    """Return the restitution that a measured impulse tells without any law: ∫F dt = m v (1 + e)."""
    test = conditions_of(**conditions)
    return float(np.trapezoid(force, time) / (test.mass * test.velocity) - 1.0)


def _scatter(jacobian: Array, residual: Array, resamples: int, seed: int) -> Array:
    """Return by how much the parameters move under resampled residuals, shape (resamples, parameters)."""
    drawn = resampled_blocks(residual - residual.mean(), block_length(residual), resamples, seed)
    moved: Array = np.asarray(-np.linalg.lstsq(jacobian, drawn.T, rcond=None)[0].T, dtype=np.float64)
    return moved


def _fitted(name: str, unit: str, value: float, drawn: Array, confidence: float, measured: int) -> Fitted:
    low, high = np.quantile(drawn, tails(confidence))
    if low <= 0.0 or high > UNSURE * low:
        low = high = math.nan
    note = "Interval: resampled blocks of residuals, carried to the parameter by the fit's Jacobian."
    return Fitted(name, unit, float(value), (float(low), float(high)), confidence, drawn, measured, note)
