"""Law-to-law spread: how much of a study's variance is the choice of the contact law, a model uncertainty.

The same runs by several laws. With y(l, c) for law l in cell c (one set of all other inputs), the variance of y is
V = V_law + V_cell + V_both: of the laws' means, of the cells' means, and the rest, where laws differ from cell to cell.
The law's own share is V_law/V, its whole share (V_law + V_both)/V: what would vanish if the law were known. The laws
are those given, no sample of others; cells are resampled, all of one motion together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from carom.errors import InputError, refusal
from carom.registry import late
from carom.results import Table
from carom.studies.analyses.amplification import statistics
from carom.studies.analyses.asked import MOST_RESAMPLES, SHARE, Asked
from carom.studies.analyses.base import StudyTable, register_analysis
from carom.studies.analyses.columns import Array, finished, grouped, numbers_of, with_unit
from carom.studies.analyses.suite import TWIN
from carom.studies.section import Picture, Section

__all__ = ["LawSpread", "SpreadOf", "law_shares"]

OWNER = "law_shares"
LEAST = 3
"""Fewest cells."""


@dataclass(frozen=True, eq=False)
class SpreadOf:
    """One output: shares of its variance, with confidence intervals, and what each law gives."""

    output: str
    laws: tuple[str, ...]
    own: float
    """V_law/V, freed of what chance adds to it."""
    whole: float
    """(V_law + V_both)/V."""
    own_interval: tuple[float, float]
    whole_interval: tuple[float, float]
    confidence: float
    cells: int
    incomplete: int
    """Cells left out since a law is missing or its run failed."""
    mean: Array
    """Of each law."""
    low: Array
    median: Array
    high: Array
    """16th, 50th and 84th percentile of each law."""
    ratio: Array
    """Of each law: mean over the mean of all laws."""
    spread: float
    """Typical standard deviation from law to law in a cell, over the mean of all."""


def law_shares(
    values: npt.ArrayLike,
    *,
    laws: Sequence[str] | None = None,
    clusters: object = None,
    output: str = "y",
    resamples: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
) -> SpreadOf:
    """Return the shares of variance of values shaped (cells, laws); cells with a NaN are left out and counted."""
    y = np.asarray(values, dtype=np.float64)
    if y.ndim != 2 or y.shape[1] < 2:
        raise refusal("values", OWNER, "must be shaped (cells, laws), with two laws at least", y.shape)
    names = tuple(laws) if laws is not None else tuple(f"law {i + 1}" for i in range(y.shape[1]))
    own = np.arange(y.shape[0]) if clusters is None else np.asarray(clusters)
    if own.shape != y.shape[:1]:
        raise refusal("clusters", OWNER, f"must have {y.shape[0]} values, one for each cell", own.shape)
    there = np.isfinite(y).all(axis=1)
    kept, own = y[there], own[there]
    if kept.shape[0] < LEAST:
        raise InputError(
            f"{output}: only {kept.shape[0]} cells in which every law finished; at least {LEAST} are needed."
        )
    centre = float(kept.mean())
    sums = _sums(kept - centre, own)
    if np.ptp(kept) <= 1e-12 * float(np.abs(kept).max()):
        raise InputError(f"{output} is the same in all runs: there is no variance to share.")
    share = _shares(sums.sum(axis=0)[None])[0]
    generator = np.random.default_rng(seed)
    size = len(sums)
    weights = generator.multinomial(size, np.full(size, 1.0 / size), size=resamples).astype(np.float64)
    drawn = _shares(weights @ sums)
    tails = [0.5 * (1.0 - confidence), 0.5 * (1.0 + confidence)]
    low, high = np.nanquantile(drawn, tails, axis=0) if size > 1 else np.full((2, 2), np.nan)
    per_law = statistics(kept.T.ravel(), np.repeat(np.arange(kept.shape[1]), kept.shape[0]), kept.shape[1])
    mean = kept.mean()
    return SpreadOf(
        output=output, laws=names, own=float(share[0]), whole=float(share[1]),
        own_interval=(float(low[0]), float(high[0])), whole_interval=(float(low[1]), float(high[1])),
        confidence=confidence, cells=int(kept.shape[0]), incomplete=int((~there).sum()), mean=per_law.mean,
        low=per_law.low, median=per_law.median, high=per_law.high, ratio=per_law.mean / mean if mean else per_law.mean,
        spread=float(np.sqrt(kept.var(axis=1).mean()) / abs(mean)) if mean else float("nan"),
    )  # fmt: skip


def _sums(y: Array, clusters: npt.NDArray[Any]) -> Array:
    """Return for each cluster: number of cells, Σ y of each law, Σ (cell mean)², Σ y² over laws."""
    _, own = np.unique(clusters, return_inverse=True)
    columns = [np.ones(len(y)), *y.T, y.mean(axis=1) ** 2, (y**2).mean(axis=1)]
    return np.stack([np.bincount(own, column) for column in columns], axis=1)


def _shares(sums: Array) -> Array:
    """Return the law's own and whole share from sums over cells, shape (sets, 2)."""
    n = sums[:, 0]
    means = sums[:, 1:-2] / n[:, None]
    all_ = means.mean(axis=1)
    total = sums[:, -1] / n - all_**2
    law = means.var(axis=1)
    cell = sums[:, -2] / n - all_**2
    both = np.maximum(total - law - cell, 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        chance = both / (n - 1.0)  # what the laws' means owe to the cells that happened to be there
        found: Array = np.stack([np.maximum(law - chance, 0.0), law + both], axis=1) / total[:, None]
    return found


# of a study -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class LawSpread:
    """Law-to-law spread of a study's outputs."""

    outputs: tuple[SpreadOf, ...]
    labels: tuple[str, ...]
    """The outputs with their units."""

    def section(self) -> Section:
        """Return shares and what each law gives."""
        first = self.outputs[0]
        words = (
            f"The same {first.cells} cases by {len(first.laws)} laws. Own share: variance of the laws' means; whole "
            "share: all that would vanish if the law were known, interaction with the other inputs included. "
            f"Intervals: {100 * first.confidence:g} %, cases resampled.",
        )
        cautions = [
            f"{one.output}: {one.incomplete} cases are left out, since a law is missing there or its run failed."
            for one in self.outputs
            if one.incomplete
        ]
        picture = Picture(
            "law-spread", late("carom.plots.studies.law_spread:plot_law_spread"), self, "Law-to-law spread.", False
        )
        return Section("Law-to-law spread", words, (picture,), (self.shares(), self.laws()), tuple(cautions))

    def shares(self) -> Table:
        """Return a row for each output."""
        head = (
            "output", "own share", "low", "high", "whole share", "low", "high",
            "standard deviation in a case over mean", "cases", "left out",
        )  # fmt: skip
        rows = tuple(
            (o.output, o.own, *o.own_interval, o.whole, *o.whole_interval, o.spread, o.cells, o.incomplete)
            for o in self.outputs
        )
        return Table("law-spread-shares", "Share of variance that the choice of law explains", head, rows)

    def laws(self) -> Table:
        """Return a row for each output and law."""
        rows: list[tuple[str | float, ...]] = [
            (o.output, law, *(float(v[i]) for v in (o.mean, o.ratio, o.low, o.median, o.high)))
            for o in self.outputs
            for i, law in enumerate(o.laws)
        ]
        head = ("output", "law", "mean", "mean over mean of all laws", "p16", "median", "p84")
        return Table("law-spread-laws", "Law by law", head, tuple(rows))


class _Options(NamedTuple):
    law: str
    output: tuple[str, ...]
    resample: str | None
    resamples: int
    confidence: float
    seed: int

    @property
    def columns(self) -> tuple[str, ...]:
        """Which columns it reads."""
        return (self.law, *self.output, *filter(None, (self.resample,)))


def _asked(options: Mapping[str, Any]) -> _Options:
    asked = Asked("law-spread", options)
    found = _Options(
        asked.text("law", "law"), asked.texts("output", ()), asked.maybe("resample"),
        asked.whole("resamples", 1000, least=1, most=MOST_RESAMPLES),
        asked.number("confidence", 0.95, within=SHARE), asked.whole("seed", 0),
    )  # fmt: skip
    asked.done()
    return found


@register_analysis("law-spread", check=_asked)
def law_spread(table: StudyTable, options: Mapping[str, Any]) -> LawSpread:
    """Return the share of variance that the choice of law explains.

    The study must run every law with the same other inputs: a full grid over ``law``. Options: ``law`` (its column),
    ``output``, one or several (default: all), ``resample`` (default: motion), ``resamples``, ``confidence``, ``seed``.
    """
    asked = _asked(options)
    by_law = grouped(table, [asked.law])
    names = tuple(str(label[0]) for label in by_law.labels)
    if len(names) < 2:
        raise InputError(f"analysis law-spread needs a study over several laws; `{asked.law}` has one value.")
    inputs = ("motion", "scale", *table.parameters)
    others = [name for name in dict.fromkeys(inputs) if name in table.columns and name != asked.law]
    cells = grouped(table, others)
    place = cells.codes * len(names) + by_law.codes
    size = len(cells.labels) * len(names)
    if np.bincount(place, minlength=size).max() > 1:
        raise InputError(
            "analysis law-spread finds several runs with the same inputs and law. Say what varies in them."
        )
    if not (np.bincount(place, minlength=size).reshape(-1, len(names)).all(axis=1)).any():
        raise InputError(
            "analysis law-spread needs the same other inputs for every law. Sample the law in a full grid, crossed "
            "with the rest."
        )
    column = asked.resample or ("motion" if "motion" in table.columns else None)
    clusters = None
    if column is not None:
        position = ([*others, column]).index(column)
        if position == len(others):
            raise refusal("resample", "analysis law-spread", "must be an input of the study", column)
        labels = [label[position] for label in cells.labels]
        met: dict[Any, int] = {}
        clusters = np.array([met.setdefault(label, len(met)) for label in labels])
        clusters = clusters if len(met) > 1 else None
    ran = finished(table, "analysis law-spread")
    found, labels_ = [], []
    wanted = asked.output or tuple(name for name in table.outputs if not name.startswith(TWIN))
    for output in wanted:
        y = np.full(size, np.nan)
        y[place] = np.where(ran, numbers_of(table, output, "analysis law-spread"), np.nan)
        try:
            found.append(
                law_shares(
                    y.reshape(-1, len(names)), laws=names, clusters=clusters, output=output,
                    resamples=asked.resamples, confidence=asked.confidence, seed=asked.seed,
                )
            )  # fmt: skip
        except InputError:
            if asked.output or (output == wanted[-1] and not found):
                raise
            continue  # the same in all runs
        labels_.append(with_unit(table, output))
    return LawSpread(tuple(found), tuple(labels_))
