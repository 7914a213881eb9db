"""Separation from a study that varied the gap: how often which gap was closed, and what the rules would have given."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import isotonic_regression

from carom.errors import InputError, refusal
from carom.registry import late
from carom.results import Table
from carom.studies.analyses.asked import MOST_RESAMPLES, SHARE, Asked
from carom.studies.analyses.base import StudyTable, register_analysis
from carom.studies.analyses.columns import Array, finished, grouped, numbers_of
from carom.studies.analyses.separation import correlation, rule_gaps
from carom.studies.analyses.suite import TWIN
from carom.studies.section import Picture, Section
from carom.units import NONNEGATIVE, POSITIVE, Range, si

__all__ = ["StudySeparation"]

OWNER = "analysis separation"
CORRELATIONS = Range(-1.0, 1.0, low_open=False, high_open=False)


@dataclass(frozen=True, eq=False)
class StudySeparation:
    """Contact against gap in a study."""

    levels: Array
    """Gaps of the study [m]."""
    touching: Array
    """Share of finished runs with contact at each."""
    smooth: Array
    """The same made to fall, as a share of contacts against gap must."""
    finished: Array
    failed: Array
    probabilities: tuple[float, ...]
    gaps: Array
    """Gap at each contact probability [m]; NaN where the study's gaps do not reach it."""
    intervals: Array
    """Their confidence intervals, shape (probabilities, 2)."""
    confidence: float
    rules: Mapping[str, tuple[float, float, float]]
    """Rule to its mean gap [m], the contact probability there, and the share of contacts where the gap was at least
    the rule's."""
    relative: bool = False
    """Whether gaps are factors on those of the scenario instead of metres."""

    @property
    def answer(self) -> str:
        """How often gaps are closed: at the gaps wanted, or at the smallest and the largest where none is reached."""
        reached = [(p, gap) for p, gap in zip(self.probabilities, self.gaps.tolist(), strict=True) if gap == gap]
        if reached:
            told = [f"in {100.0 * p:g} % of the runs at {self._told(gap)}" for p, gap in reversed(reached)]
            return f"Contact {', '.join(told)}."
        ends = [f"in {100.0 * self.smooth[i]:.3g} % of the runs at {self._told(self.levels[i])}" for i in (0, -1)]
        return f"Contact {ends[0]}, the least gap, and {ends[1]}, the largest."

    def _told(self, gap: float) -> str:
        return f"{gap:.3g} times the scenario's gap" if self.relative else f"a gap of {si(gap, 'm', 3)}"

    def section(self) -> Section:
        """Return the curve, the gaps wanted and the rules."""
        cautions = []
        if lost := int(self.failed.sum()):
            cautions.append(f"{lost} failed runs count neither as contact nor as none.")
        if np.isnan(self.gaps).any():
            cautions.append("Some contact probabilities lie outside what the study's gaps reach: widen their range.")
        gap, unit = ("factor on the gap", "") if self.relative else ("gap [m]", " [m]")
        head = (gap, "finished runs", "failed", "share with contact", "made to fall")
        columns = (self.levels, self.finished, self.failed, self.touching, self.smooth)
        curve = Table(
            "separation-contact", "Contact against gap", head,
            tuple(zip(*(column.tolist() for column in columns), strict=True)),
        )  # fmt: skip
        rows = zip(self.probabilities, self.gaps.tolist(), *self.intervals.T.tolist(), strict=True)
        wanted = Table(
            "separation-gaps", "Gap for a contact probability",
            ("contact probability", gap, f"low{unit}", f"high{unit}"),
            tuple(tuple(None if np.isnan(value) else value for value in row) for row in rows),
        )  # fmt: skip
        rules = Table(
            "separation-rules", "Rules",
            ("rule", "mean gap [m]", "contact probability there", "share of contacts at gaps not below the rule's"),
            tuple((rule, *(None if np.isnan(v) else v for v in values)) for rule, values in self.rules.items()),
        )  # fmt: skip
        picture = Picture(
            "separation",
            late("carom.plots.studies.separation:plot_study_separation"),
            self,
            "Contact against gap.",
            False,
        )
        return Section(
            "Separation",
            (self.answer, "Share of runs with contact at each gap; made to fall, as it must, it gives these gaps."),
            (picture,),
            (curve, wanted, *([rules] if self.rules else [])),
            tuple(cautions),
        )


class _Options(NamedTuple):
    gap: str
    sides: tuple[str, ...]
    rho: float
    probabilities: tuple[float, ...]
    resample: str | None
    resamples: int
    confidence: float
    seed: int

    @property
    def columns(self) -> tuple[str, ...]:
        """Which columns it reads."""
        without = (f"{TWIN}displacement.{side}" for side in self.sides)
        return (self.gap, "impacts", *without, *filter(None, (self.resample,)))


def _asked(options: Mapping[str, Any]) -> _Options:
    asked = Asked("separation", options)
    sides = asked.texts("between", ())
    if len(sides) not in (0, 2):
        raise refusal("between", asked.owner, "must name two structures", sides, 'Write between = ["left", "right"].')
    periods = asked.numbers("periods", (), unit="s", within=POSITIVE)
    damping = asked.numbers("damping", (), within=NONNEGATIVE)
    rho = asked.number("rho", 0.0, within=CORRELATIONS)
    if len(periods) == 2 and len(damping) in (1, 2):
        rho = correlation((periods[0], periods[1]), (damping[0], damping[-1]))
    elif periods or damping:
        raise refusal("periods", asked.owner, "must be two, with one or two damping ratios", periods)
    found = _Options(
        asked.text("gap", "gap"), sides, rho, asked.numbers("probabilities", (0.02, 0.05, 0.1, 0.5), within=SHARE),
        asked.maybe("resample"), asked.whole("resamples", 1000, least=1, most=MOST_RESAMPLES),
        asked.number("confidence", 0.95, within=SHARE), asked.whole("seed", 0),
    )  # fmt: skip
    asked.done()
    return found


@register_analysis("separation", check=_asked)
def separation_of_study(table: StudyTable, options: Mapping[str, Any]) -> StudySeparation:
    """Return the gap at which contact becomes as rare as wanted, beside what the rules would have given.

    Options: ``gap`` (its column), ``probabilities``, ``between`` (two structures whose displacements the study has
    without pounding; with ``periods`` and ``damping``, or ``rho``, for the double difference combination),
    ``resample`` (default: motion), ``resamples``, ``confidence``, ``seed``.
    """
    asked = _asked(options)
    gap, hits = numbers_of(table, asked.gap, OWNER), numbers_of(table, "impacts", OWNER)
    ran = finished(table, OWNER, hits)
    relative = bool(table.study.get("parameters", {}).get(asked.gap, {}).get("factor", False))
    if relative and asked.sides:
        rule = f"needs gaps in metres: `{asked.gap}` multiplies those of the scenario"
        raise refusal("between", OWNER, rule, asked.sides, f"Leave `factor` out under [parameters.{asked.gap}].")
    levels, at = np.unique(gap, return_inverse=True)
    if levels.size < 2:
        raise InputError(f"{OWNER} needs a study that varies the gap; `{asked.gap}` has one value.")
    column = asked.resample or ("motion" if "motion" in table.columns else None)
    clusters = np.arange(len(table)) if column is None else grouped(table, [column]).codes
    counts = _counts(at[ran], hits[ran] > 0.0, clusters[ran], levels.size)
    ended, touched = counts.sum(axis=0)
    smooth = _shares(touched, ended)
    gaps = np.array([_gap_at(levels, smooth, p) for p in asked.probabilities])
    drawn = _resampled(levels, counts, asked)
    with np.errstate(invalid="ignore", divide="ignore"):
        observed = touched / ended
    return StudySeparation(
        levels=levels, touching=observed, smooth=smooth, finished=ended,
        failed=np.bincount(at[~ran], minlength=levels.size).astype(np.float64), probabilities=asked.probabilities,
        gaps=gaps, intervals=drawn, confidence=asked.confidence,
        rules=_rules(table, asked, gap, hits > 0.0, levels, smooth) if asked.sides else {},
        relative=relative,
    )  # fmt: skip


def _counts(at: Any, yes: Any, clusters: Any, levels: int) -> Array:
    """Return runs and contacts of each cluster at each gap, shape (clusters, 2, levels)."""
    _, own = np.unique(clusters, return_inverse=True)
    size = int(own.max()) + 1
    place = own * levels + at
    found = [np.bincount(place, weights, size * levels) for weights in (None, yes.astype(np.float64))]
    return np.stack([each.reshape(size, levels) for each in found], axis=1).astype(np.float64)


def _shares(touched: Array, finished: Array) -> Array:
    with np.errstate(invalid="ignore", divide="ignore"):
        shares = np.where(finished > 0.0, touched / finished, 0.0)
    found: Array = isotonic_regression(shares, weights=np.maximum(finished, 1e-9), increasing=False).x
    return found


def _gap_at(levels: Array, smooth: Array, probability: float) -> float:
    """Return where the share falls to a probability, between levels in proportion."""
    if not smooth[-1] <= probability < smooth[0]:
        return float("nan")
    i = int(np.argmax(smooth <= probability))
    part = (smooth[i - 1] - probability) / (smooth[i - 1] - smooth[i])
    return float(levels[i - 1] + part * (levels[i] - levels[i - 1]))


def _resampled(levels: Array, counts: Array, asked: _Options) -> Array:
    """Return percentile intervals of the gaps; NaN where a resample does not reach the probability."""
    clusters = counts.shape[0]
    if clusters < 2:
        return np.full((len(asked.probabilities), 2), np.nan)
    generator = np.random.default_rng(asked.seed)
    found = np.empty((asked.resamples, len(asked.probabilities)))
    flat = counts.reshape(clusters, -1)
    for i in range(asked.resamples):
        if clusters > 4096:  # single runs: their counts are drawn at once, not run by run
            finished, touched = counts.sum(axis=0)
            share = np.divide(touched, finished, out=np.zeros(levels.size), where=finished > 0.0)
            touched = generator.binomial(finished.astype(np.int64), share).astype(np.float64)
        else:
            weights = np.bincount(generator.integers(0, clusters, clusters), minlength=clusters).astype(np.float64)
            finished, touched = (weights @ flat).reshape(2, -1)
        smooth = _shares(touched, finished)
        found[i] = [_gap_at(levels, smooth, p) for p in asked.probabilities]
    tails = [0.5 * (1.0 - asked.confidence), 0.5 * (1.0 + asked.confidence)]
    out = np.full((len(asked.probabilities), 2), np.nan)
    for j, column in enumerate(found.T):
        if np.isfinite(column).mean() > 0.975:
            out[j] = np.nanquantile(column, tails)
    return out


def _rules(
    table: StudyTable, asked: _Options, gap: Array, yes: Any, levels: Array, smooth: Array
) -> dict[str, tuple[float, float, float]]:
    names = [f"{TWIN}displacement.{side}" for side in asked.sides]
    for name in names:
        if name not in table.columns:
            raise refusal("between", OWNER, f"needs the column {name}", asked.sides, "Add no_pounding to the outputs.")
    peaks = [numbers_of(table, name, OWNER) for name in names]
    there = table.finished & np.isfinite(peaks[0]) & np.isfinite(peaks[1])
    found = {}
    for rule, gaps in rule_gaps(peaks[0][there], peaks[1][there], asked.rho).items():
        kept = gap[there] >= gaps
        share = float(yes[there][kept].mean()) if kept.any() else float("nan")
        mean = float(gaps.mean())
        chance = float(np.interp(mean, levels, smooth)) if levels[0] <= mean <= levels[-1] else float("nan")
        found[rule] = (mean, chance, share)
    return found
