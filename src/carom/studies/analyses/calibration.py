"""What a test says about a contact: stiffness from peaks, restitution from times of impacts, laws by their error.

The normalized error is mahmoud2008 (11)-(12), NE = ‖F − F̄‖/‖F‖ · 100 %, F measured and F̄ computed at the same times.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from carom.errors import CaromError, InputError, refusal
from carom.integrate.calibration import fit_stiffness
from carom.integrate.impact import conditions_of
from carom.integrate.simulate import simulate
from carom.laws.base import CompliantLaw
from carom.laws.catalogue import law as build
from carom.problem import Problem
from carom.registry import late
from carom.results import Table
from carom.studies.analyses.asked import MOST_RESAMPLES, SHARE
from carom.studies.analyses.columns import Array, checked_pair
from carom.studies.analyses.statistics.curve_fit import (
    CurveFit,
    best_shift,
    fit_curve,
    force_at,
    restitution_of_impulse,
)
from carom.studies.analyses.statistics.resampling import Fitted, block_length, block_starts, tails
from carom.studies.fits.restitution import GRID, estimate_restitution
from carom.studies.section import Picture, Section
from carom.units import NONNEGATIVE, POSITIVE, array, number

__all__ = [
    "Fitted", "LawComparison", "calibrate_restitution", "calibrate_stiffness", "compare_laws", "normalized_error",
    "resampled_errors",
]  # fmt: skip

RESAMPLES = 1000
POOR = 30.0
"""A law that is off by more than this [%] does not follow the curve; the better one of mahmoud2008 is off by 21 to 25 %
in its two single impacts."""
JUMP = 0.05
"""A force that is more than this share of its peak at touch jumps there."""
IMPULSE = 0.05
"""The restitution that the measured impulse tells may lie outside 0 to 1 by so much."""


def calibrate_stiffness(
    law: CompliantLaw, peaks: object, *, error: float | str = 0.0, confidence: float = 0.95, seed: int = 0,
    resamples: int = RESAMPLES, **conditions: Any,
) -> Fitted:  # fmt: skip
    """Return the stiffness at which an impact peaks at the mean of the measured peaks.

    Parameters
    ----------
    law
        Its stiffness is where the search starts.
    peaks
        Measured peak forces [N] of the same impact, one or several.
    error
        Standard error of a single measurement [N], for the interval; with several peaks their own scatter counts too.
    confidence, seed, resamples
        Of the interval.
    conditions
        Of the impact, as for `carom.impact`: ``mass``, ``velocity`` …
    """
    owner = "calibrate_stiffness"
    measured = np.atleast_1d(array(peaks, "N", name="peaks", owner=owner, within=POSITIVE))
    noise = number(error, "N", name="error", owner=owner, within=NONNEGATIVE)
    _checked(confidence, resamples, owner)
    value = float(fit_stiffness(law, peak_force=float(measured.mean()), **conditions).stiffness)
    generator = np.random.default_rng(seed)
    drawn = measured[generator.integers(0, measured.size, (resamples, measured.size))]
    drawn = drawn + generator.normal(0.0, noise, drawn.shape) if noise else drawn
    means = drawn.mean(axis=1)
    if measured.size == 1 and not noise:
        return Fitted("stiffness", _unit(law), value, (math.nan, math.nan), confidence, np.full(1, value), 1,
                      "One peak without its error: no interval.")  # fmt: skip
    means = np.maximum(means, 1e-3 * float(measured.mean()))
    # ln K against ln(peak) is nearly straight (F ∝ K^{1/(n+1)} where damping scales): a few solutions tell it
    ends = np.linspace(math.log(float(means.min())), math.log(float(means.max())), 5)
    if np.ptp(ends) == 0.0:
        stiff = np.full(resamples, value)
    else:
        known = [math.log(fit_stiffness(law, peak_force=math.exp(x), **conditions).stiffness) for x in ends]
        stiff = np.exp(np.polyval(np.polyfit(ends, known, 4), np.log(means)))
    low, high = np.quantile(stiff, tails(confidence))
    return Fitted("stiffness", _unit(law), value, (float(low), float(high)), confidence, stiff, int(measured.size))


def calibrate_restitution(
    problem: Problem, impacts: object, *, confidence: float = 0.95, seed: int = 0, resamples: int = RESAMPLES,
    **options: Any,
) -> Fitted:  # fmt: skip
    """Return the restitution with which rigid contacts come closest to measured times of impacts [s].

    The estimate is that of `carom.estimate_restitution`; its interval comes from resampled impacts. The options are
    those of `carom.simulate`.
    """
    owner = "calibrate_restitution"
    hits = np.sort(np.atleast_1d(array(impacts, "s", name="impacts", owner=owner)))
    if hits.size < 2:
        raise refusal("impacts", owner, "must be at least two times", hits.size)
    _checked(confidence, resamples, owner)
    best = estimate_restitution(problem, impacts=hits, **options)
    if problem.motion is None:
        options.setdefault("duration", float(hits[-1]) * (1.0 + 1e-6) + 1e-6)
        options.setdefault("sampling", float(hits[-1]) / 4000.0)
    off = np.full((GRID.size, hits.size), np.nan)
    for i, e in enumerate(GRID):
        try:
            starts = simulate(problem.replace(law=build("newton", restitution=float(e))), **options).table["start"]
        except CaromError:  # a coefficient that cannot be run fits nothing
            continue
        if starts.size:
            off[i] = np.abs(hits[:, None] - starts[None, :]).min(axis=1) ** 2
    there = np.isfinite(off).all(axis=1)
    weights = np.random.default_rng(seed).multinomial(hits.size, np.full(hits.size, 1.0 / hits.size), size=resamples)
    drawn = _lowest(GRID[there], weights.astype(np.float64) @ off[there].T)
    low, high = np.quantile(drawn, tails(confidence))
    return Fitted("restitution", "", best.restitution, (float(low), float(high)), confidence, drawn, int(hits.size))


def _lowest(x: Array, misfits: Array) -> Array:
    """Return where each row of misfits is least, by the parabola through the least and its neighbours."""
    i = np.clip(misfits.argmin(axis=1), 1, x.size - 2)
    rows = np.arange(len(misfits))
    before, here, after = misfits[rows, i - 1], misfits[rows, i], misfits[rows, i + 1]
    curved = before - 2.0 * here + after
    with np.errstate(divide="ignore", invalid="ignore"):
        shift = np.where(curved > 0.0, 0.5 * (before - after) / curved, 0.0)
    found: Array = x[i] + np.clip(shift, -1.0, 1.0) * (x[1] - x[0])
    return found


# laws against a measured history --------------------------------------------------------------------------


def normalized_error(measured: npt.ArrayLike, computed: npt.ArrayLike) -> float:
    """Return ‖F − F̄‖/‖F‖ · 100 [%], mahmoud2008 (11)-(12)."""
    f, g = checked_pair(measured, computed, "normalized_error", ("measured", "computed"))
    size = float(np.linalg.norm(f))
    if size == 0.0:
        raise InputError("normalized_error needs a measurement that is not nought throughout.")
    return 100.0 * float(np.linalg.norm(f - g)) / size


def resampled_errors(
    measured: npt.ArrayLike,
    computed: npt.ArrayLike,
    *,
    block: int | None = None,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Array:
    """Return NE [%] of every law in resamples of blocks of samples, shape (resamples, laws); computed (laws, samples).

    The same blocks for all laws: they are compared on the same data. Default length: the cube root of the number of
    samples, at least the time after which the residuals of the first law are no longer correlated.
    """
    f = np.asarray(measured, dtype=np.float64)
    g = np.atleast_2d(np.asarray(computed, dtype=np.float64))
    if g.shape[1:] != f.shape or f.ndim != 1:
        raise refusal("computed", "resampled_errors", f"must be shaped (laws, {f.size})", g.shape)
    length = block or block_length(f - g[0])
    if not 1 <= length <= f.size:
        raise refusal("block", "resampled_errors", f"must lie between 1 and {f.size}", block)
    above = np.concatenate([np.zeros((len(g), 1)), np.cumsum((f - g) ** 2, axis=1)], axis=1)
    below = np.concatenate([[0.0], np.cumsum(f**2)])
    starts = block_starts(f.size, length, resamples, seed)
    off = (above[:, starts + length] - above[:, starts]).sum(axis=2)
    size = (below[starts + length] - below[starts]).sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        found: Array = (100.0 * np.sqrt(off / size)).T
    return found


@dataclass(frozen=True, eq=False)
class LawComparison:
    """Laws against one measured history of force."""

    laws: tuple[str, ...]
    stiffness: Array
    """As used: fitted to the measured peak, or as given [N/mⁿ]."""
    error: Array
    """NE of each law [%]."""
    interval: Array
    """Its confidence interval, shape (laws, 2)."""
    best: Array
    """Share of the resamples in which each law has the least error."""
    confidence: float
    time: Array
    """[s] since touch."""
    measured: Array
    """[N]."""
    computed: Array
    """[N], shape (laws, samples)."""
    fitted: bool
    """Whether the stiffness of every law is that of the measured peak."""
    fits: tuple[CurveFit, ...] = ()
    """Stiffness and restitution of every law with their intervals, where they were fitted to the whole curve."""
    cautions: tuple[str, ...] = ()

    def section(self, *words: str) -> Section:
        """Return the histories and the errors; `words` about the measurement stand first."""
        i = int(self.error.argmin())
        if self.fits:
            how = (
                "Stiffness and restitution of every law fitted together to the whole curve, the touch moved a little; "
                f"intervals of {100 * self.confidence:g} % from resampled blocks of residuals, carried by the Jacobian."
            )
        else:
            how = "Stiffness of every law fitted to the measured peak." if self.fitted else "Stiffness as given."
        said = (
            f"Least normalized error: {self.laws[i]}, {self.error[i]:.3g} %; it is the best in "
            f"{100 * self.best[i]:.3g} % of the resamples. {how}"
        )
        picture = Picture(
            "calibration", late("carom.plots.studies.calibration:plot_laws_against_test"), self, "Laws and test."
        )
        tables = (self.table(), *([self.fit_table()] if self.fits else []))
        return Section("Laws against a test", (*words, said), (picture,), tables, self.cautions)

    def table(self) -> Table:
        """Return a row for each law, least error first."""
        columns = (self.stiffness, self.error, *self.interval.T, self.best)
        order = np.argsort(self.error, kind="stable")
        rows: list[tuple[str | float, ...]] = [(self.laws[i], *(float(c[i]) for c in columns)) for i in order]
        head = ("law", "stiffness [N/m^n]", "NE [%]", "low [%]", "high [%]", "share of resamples it is the best in")
        return Table("calibration-laws", "Laws by normalized error", head, tuple(rows))

    def fit_table(self) -> Table:
        """Return what was fitted of each law, in the order of `table`."""
        rows = []
        for i in np.argsort(self.error, kind="stable"):
            fit = self.fits[i]
            e = fit.restitution
            shown = (None, None, None) if e is None else (e.value, *e.interval)
            rows.append((self.laws[i], fit.stiffness.value, *fit.stiffness.interval, *shown, fit.achieved, fit.shift))
        head = (
            "law",
            "stiffness [N/m^n]",
            "low",
            "high",
            "restitution",
            "low",
            "high",
            "achieved",
            "touch later by [s]",
        )
        return Table("calibration-fits", "Stiffness and restitution from the curve", head, tuple(rows))


def compare_laws(
    laws: Sequence[CompliantLaw], time: object, force: object, *, fit: bool | str = True, align: bool = False,
    block: int | None = None, confidence: float = 0.95, resamples: int = RESAMPLES, seed: int = 0,
    cautions: Sequence[str] = (), **conditions: Any,
) -> LawComparison:  # fmt: skip
    """Compare laws with a measured history of the contact force.

    Parameters
    ----------
    laws
        Laws with stiffness and restitution.
    time
        Times since touch [s], rising; before it no law has a force. `measured_impact` finds the touch in a record.
    force
        Measured force [N] at these times.
    fit
        Whether each law's stiffness is first fitted to the measured peak, as mahmoud2008 does; ``"curve"``: stiffness
        and restitution together to the whole curve, the touch moved a little.
    align
        Whether the touch is moved a little for each law, where it was found in the record and not measured.
    block
        Samples in a block of the resampling; by default as long as residuals are correlated.
    confidence, resamples, seed
        Of the intervals.
    cautions
        What is known of the measurement already; the first of the result's.
    conditions
        Of the impact, as for `carom.impact`: ``mass``, ``velocity`` …
    """
    owner = "compare_laws"
    times, f = checked_pair(time, force, owner, ("time", "force"))
    if times.size < 8 or np.any(np.diff(times) <= 0.0):
        raise refusal("time", owner, "must be at least eight rising times", times.size)
    if not f.max() > 0.0:
        raise refusal("force", owner, "must press somewhere", float(f.max()), "Pressure is positive.")
    if not laws:
        raise InputError(f"{owner} needs laws: at least one.")
    _checked(confidence, resamples, owner)
    if fit not in (True, False, "curve"):
        raise refusal("fit", owner, "must be True, False or 'curve'", fit)
    fits: list[CurveFit] = []
    shifts = [0.0] * len(laws)
    if fit == "curve":
        how: dict[str, Any] = {"confidence": confidence, "resamples": resamples, "seed": seed}
        fits = [fit_curve(law, times, f, **how, **conditions) for law in laws]
        used, shifts = [found.law for found in fits], [found.shift for found in fits]
    else:
        used = [fit_stiffness(law, peak_force=float(f.max()), **conditions) if fit else law for law in laws]
        shifts = [best_shift(law, times, f, conditions) for law in used] if align else shifts
    pairs = zip(used, shifts, strict=True)
    computed = np.array([force_at(law, times - shift, conditions) for law, shift in pairs])
    errors = np.array([normalized_error(f, row) for row in computed])
    drawn = resampled_errors(f, computed, block=block, resamples=resamples, seed=seed)
    drawn = drawn[np.isfinite(drawn).all(axis=1)]
    least = np.bincount(drawn.argmin(axis=1), minlength=len(used)) / len(drawn)
    return LawComparison(
        laws=tuple(law.name for law in used), stiffness=np.array([float(law.stiffness) for law in used]),
        error=errors, interval=np.quantile(drawn, tails(confidence), axis=0).T, best=least, confidence=confidence,
        time=times, measured=f, computed=computed, fitted=fit is True, fits=tuple(fits),
        cautions=(*cautions, *_cautions(times, f, errors, conditions), *_jumping(fits, conditions)),
    )  # fmt: skip


def _cautions(times: Array, force: Array, errors: Array, conditions: dict[str, Any]) -> Iterator[str]:
    """Yield what is doubtful: an impulse that the test cannot have, a curve that no law follows."""
    told = restitution_of_impulse(times, force, conditions)
    if not conditions.get("gravity") and not -IMPULSE <= told <= 1.0 + IMPULSE:
        yield (
            f"Impulse: the measured force carries {1.0 + told:.2f} times m·v, where 1 to 2 times is possible "
            "(∫F dt = m v (1 + e)). Mass, velocity and unit of the force do not fit together, or the curve holds more "
            "than one impact."
        )
    if float(errors.min()) > POOR:
        yield (
            f"Error: the best law is off by {float(errors.min()):.3g} %, more than {POOR:g} %: none of them follows "
            "this curve, and their ranking means little. Look at the figure (--out DIR), the time of touch, mass, "
            "velocity and units."
        )


def _jumping(fits: Sequence[CurveFit], conditions: dict[str, Any]) -> Iterator[str]:
    """Yield, in one sentence, the fitted laws whose intervals are too narrow since their force jumps at touch."""
    test = conditions_of(**conditions)
    jumps = [float(fit.law.force(1e-12, test.velocity, mass=test.mass)) for fit in fits]
    names = [fit.law.name for fit, jump in zip(fits, jumps, strict=True) if jump > JUMP * fit.peak_force]
    if names:
        yield (
            f"Interval: the force of {', '.join(names)} jumps at touch, and samples do not tell when exactly. "
            "Intervals of its stiffness and restitution are too narrow: in trials those of 95 % held in 72 to 82 %."
        )


def _checked(confidence: float, resamples: int, owner: str) -> None:
    if confidence not in SHARE:
        raise refusal("confidence", owner, SHARE.rule, confidence)
    if not 1 <= resamples <= MOST_RESAMPLES:
        raise refusal("resamples", owner, f"must be at least 1 and at most {MOST_RESAMPLES:,}", resamples)


def _unit(law: CompliantLaw) -> str:
    return law.unit_of("stiffness")
