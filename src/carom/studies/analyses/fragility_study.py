"""Fragility of a study: its options, its curves by group, and what the report says of them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from carom.errors import InputError
from carom.registry import late
from carom.results import Table
from carom.studies.analyses.asked import SHARE, Asked
from carom.studies.analyses.base import StudyTable, register_analysis
from carom.studies.analyses.columns import finished, grouped, in_g, numbers_of, with_unit
from carom.studies.analyses.fragility import FragilityCurve, fragility_curve
from carom.studies.section import Picture, Section

__all__ = ["Fragility", "fragility"]


MOST = 4
"""Curves that are told in words."""


@dataclass(frozen=True, eq=False)
class Fragility:
    """The fragility curves of a study."""

    curves: tuple[FragilityCurve, ...]
    refused: tuple[str, ...]
    """Why curves that were asked for do not exist."""
    xlabel: str
    ylabel: str

    def section(self) -> Section:
        """Return curves, parameters and observed fractions."""
        first = self.curves[0] if self.curves else None
        words = [" ".join(_answer(curve, self.xlabel) for curve in self.curves[:MOST])] if self.curves else []
        if len(self.curves) > MOST:
            words.append(f"{len(self.curves) - MOST} curves more are in the table.")
        if first:
            words.append(
                f"Lognormal curves by maximum likelihood; {100 * first.confidence:g} % bands by profile likelihood, "
                f"{first.independent} being independent."
            )
        cautions = list(self.refused)
        for curve in self.curves:
            named = f"{curve.title}: " if curve.title else ""
            if lost := int(curve.failed.sum()):
                cautions.append(
                    f"{named}{lost} failed runs are left out. Were they all below the limit, the median would be "
                    f"{curve.if_failed.low:.4g}; all above, {curve.if_failed.high:.4g}."
                )
            if not math.isfinite(curve.beta_interval.high):
                cautions.append(
                    f"{named}at this confidence the runs do not tell that the probability depends on {self.xlabel} at "
                    "all; the intervals have no end. Add runs at levels where the limit is passed sometimes."
                )
        picture = Picture("fragility", late("carom.plots.studies.fragility:plot_fragility"), self, "Fragility curves.")
        return Section(
            title="Fragility",
            paragraphs=tuple(words),
            figures=(picture,) if self.curves else (),
            tables=(self.parameters(), self.fractions()) if self.curves else (),
            cautions=tuple(cautions),
        )

    def parameters(self) -> Table:
        """Return medians and betas with their intervals, a row for each curve."""
        head = (
            "curve", f"median of {self.xlabel}", "median low", "median high", "beta", "beta low", "beta high",
            "confidence", "finished", "exceeding", "failed", "median if failed below", "median if failed above",
        )  # fmt: skip
        rows = tuple(
            (
                c.title, c.median, *c.median_interval, c.beta, *c.beta_interval, c.confidence,
                int(c.finished.sum()), int(c.exceeding.sum()), int(c.failed.sum()), *c.if_failed,
            )
            for c in self.curves
        )  # fmt: skip
        return Table("fragility-parameters", "Parameters", head, rows)

    def fractions(self) -> Table:
        """Return observed fractions beside the curves."""
        rows: list[tuple[str | float, ...]] = []
        for curve in self.curves:
            x, share, n = curve.observed()
            low, high = curve.band(x)
            p = curve.probability(x)
            rows += zip([curve.title] * x.size, *(v.tolist() for v in (x, n, share, p, low, high)), strict=True)
        head = ("curve", self.xlabel, "finished runs", "observed fraction", "probability", "low", "high")
        return Table("fragility-fractions", "Observed fractions beside the curves", head, tuple(rows))


class _Options(NamedTuple):
    limits: tuple[tuple[str, float], ...]
    against: str
    by: tuple[str, ...]
    falling: bool
    clusters: str | None
    confidence: float

    @property
    def columns(self) -> tuple[str, ...]:
        """Which columns it reads."""
        return (*(output for output, _ in self.limits), self.against, *self.by, *filter(None, (self.clusters,)))


def _asked(options: Mapping[str, Any]) -> _Options:
    asked = Asked("fragility", options)
    output = asked.texts("output", "impacts")
    limit = asked.limits("limit", output, 0.0)
    if len(output) == 1:
        output = output * len(limit)
    against = asked.text("against", "pga")
    found = _Options(
        limits=tuple(zip(output, limit, strict=True)),
        against=against,
        by=asked.texts("by", ()),
        falling=asked.flag("falling", against.partition(":")[0] == "gap"),
        clusters=asked.maybe("clusters"),
        confidence=asked.number("confidence", 0.95, within=SHARE),
    )
    asked.done()
    return found


@register_analysis("fragility", check=_asked)
def fragility(table: StudyTable, options: Mapping[str, Any]) -> Fragility:
    """Return the probability that outputs pass limits, against PGA, spectral acceleration, gap or any parameter.

    Options: ``output`` and ``limit``, one or several (default: impacts above 0, which is contact; ``opening`` above
    the length of a seat is unseating), ``against`` (default: pga), ``by`` (a curve for each value of these columns),
    ``falling`` (default: against a gap), ``clusters`` (column whose runs of equal value are not independent; default:
    motion), ``confidence``.
    """
    asked = _asked(options)
    table = in_g(table)
    x = numbers_of(table, asked.against, "analysis fragility")
    groups = grouped(table, asked.by)
    column = asked.clusters or ("motion" if "motion" in table.columns else None)
    clusters = None
    if column is not None:
        clustered = grouped(table, [column])
        clusters = clustered.codes if len(clustered.labels) > 1 else None
    curves, refused = [], []
    for output, limit in asked.limits:
        values = numbers_of(table, output, "analysis fragility")
        ran, passed = finished(table, "analysis fragility", values), values > limit
        for group, rows in enumerate(groups.rows()):
            title = ", ".join(filter(None, (_in_words(table, output, limit), groups.title(group))))
            try:
                curves.append(
                    fragility_curve(
                        x[rows], passed[rows], failed=~ran[rows], falling=asked.falling, title=title,
                        clusters=None if clusters is None else clusters[rows], independent=column or "",
                        confidence=asked.confidence,
                        xlabel=with_unit(table, asked.against),
                    )
                )  # fmt: skip
            except InputError as error:
                refused.append(str(error))
    if not curves:
        raise InputError(" ".join(refused))
    words = {_in_words(table, output, limit) for output, limit in asked.limits}
    ylabel = f"Probability of {words.pop()}" if len(words) == 1 else "Probability of exceedance"
    return Fragility(tuple(curves), tuple(refused), with_unit(table, asked.against), ylabel)


def _answer(curve: FragilityCurve, xlabel: str) -> str:
    """Say a curve as engineers do: contact in half of the runs at PGA 0.12 g, β 0.44."""
    name, _, unit = xlabel.rstrip("]").partition(" [")
    low, high = curve.median_interval
    sure = f" ({100 * curve.confidence:g} %: {low:.3g} to {high:.3g})" if math.isfinite(high) else ""
    return (
        f"{_capital(curve.title or 'the limit is passed')} in half of the runs at {name} "
        f"{f'{curve.median:.3g} {unit}'.rstrip()}{sure}, β {curve.beta:.2g}."
    )


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _in_words(table: StudyTable, output: str, limit: float) -> str:
    if output == "impacts" and limit == 0.0:
        return "contact"
    return f"{output} > {limit:g} {table.units.get(output, '')}".rstrip()
