"""What contact makes of the response: peaks with pounding over peaks without, as mahmoud2008 Figures 8-13 show them.

Mean and spread of the ratios in groups of runs: a level of PGA, a period ratio, a law. A ratio above one is
amplification; without contact it is one, exactly.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from carom.errors import InputError, refusal
from carom.registry import late
from carom.results import Table
from carom.studies.analyses.asked import Asked
from carom.studies.analyses.base import StudyTable, register_analysis
from carom.studies.analyses.columns import Array, Groups, finished, grouped, in_g, numbers_of, with_unit
from carom.studies.analyses.suite import TWIN
from carom.studies.section import Picture, Section
from carom.units import standard_gravity

__all__ = ["Amplification", "Statistics", "amplification", "statistics"]

OWNER = "analysis amplification"
PERCENTILES = (16.0, 50.0, 84.0)


@dataclass(frozen=True, eq=False)
class Statistics:
    """What groups of numbers have in common; arrays over the groups, NaN for those without a number."""

    count: Array
    mean: Array
    spread: Array
    """Standard deviation, of at least two."""
    low: Array
    """16th percentile."""
    median: Array
    high: Array
    """84th percentile."""


def statistics(values: Array, codes: Sequence[int] | np.ndarray[Any, Any], groups: int) -> Statistics:
    """Return the statistics of groups; values that are not finite do not count."""
    own = np.asarray(codes)
    there = np.isfinite(values)
    values, own = values[there], own[there]
    order = np.lexsort((values, own))
    values, own = values[order], own[order]
    count = np.bincount(own, minlength=groups).astype(np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = np.bincount(own, values, groups) / count
        spread = np.sqrt(np.bincount(own, (values - mean[own]) ** 2, groups) / (count - 1.0))
    spread[count < 2.0] = np.nan
    first = np.cumsum(count) - count
    low, median, high = (_percentile(values, first, count, share) for share in PERCENTILES)
    return Statistics(count, mean, spread, low, median, high)


def _percentile(values: Array, first: Array, count: Array, share: float) -> Array:
    """Return a percentile of each group of sorted values, between neighbours in proportion (as NumPy's default)."""
    found = np.full(count.size, np.nan)
    some = count > 0
    at = (count[some] - 1.0) * share / 100.0
    below = np.floor(at).astype(np.int64)
    above = np.minimum(below + 1, count[some].astype(np.int64) - 1)
    start = first[some].astype(np.int64)
    found[some] = values[start + below] + (at - below) * (values[start + above] - values[start + below])
    return found


MOST = 4
"""Responses that are told in words."""


@dataclass(frozen=True, eq=False)
class Amplification:
    """Ratios of responses, with pounding over without, in groups of runs."""

    groups: Groups
    responses: tuple[str, ...]
    values: tuple[Statistics, ...]
    """For each response the statistics of its ratio over the groups."""
    failed: Array
    """Failed runs of each group: they have no ratio."""
    undefined: int
    """Finished runs whose response without pounding is nought."""
    over: str
    """The column along which figures draw; empty: none."""
    overlabel: str
    """The same with its unit."""
    level: float = 0.0
    """What PGA was rounded to whole multiples of [m/s²]; 0: it was not."""

    def section(self) -> Section:
        """Return figures and a table of all groups."""
        words = [
            self._answer(),
            "Peak response with pounding over peak response without, mean of the runs of each group; bars and shades "
            "show the 16th and 84th percentile.",
        ]
        if self.level:
            words.append(f"PGA counts in whole multiples of {self.level / standard_gravity:.3g} g.")
        cautions = []
        if lost := int(self.failed.sum()):
            cautions.append(f"{lost} failed runs have no ratio and are left out.")
        if self.undefined:
            cautions.append(f"{self.undefined} runs without any response without pounding are left out.")
        if np.nanmin([value.count.min() for value in self.values]) < 5:
            cautions.append("Some groups hold fewer than five runs: their spread says little.")
        picture = Picture(
            "amplification",
            late("carom.plots.studies.amplification:plot_amplification"),
            self,
            "Amplification by pounding.",
        )
        return Section("Amplification", tuple(words), (picture,), (self.table(),), tuple(cautions))

    def _answer(self) -> str:
        """Say by how much pounding raises or lowers what, over all groups."""
        told = []
        for name, value in zip(self.responses[:MOST], self.values, strict=False):
            runs = value.count > 0
            mean = float(np.average(value.mean[runs], weights=value.count[runs])) if runs.any() else np.nan
            told.append(f"{name} {mean:.3g} times (largest group {np.nanmax(value.mean):.3g} times)")
        return f"With pounding, in the mean of all runs: {', '.join(told)} what it is without."

    def table(self) -> Table:
        """Return a row for each group and response."""
        names = (self.overlabel if name == self.over else name for name in self.groups.names)
        head = (*names, "response", "runs", "failed", "mean", "standard deviation", "p16", "median", "p84")
        rows = []
        for g, label in enumerate(self.groups.labels):
            for name, value in zip(self.responses, self.values, strict=True):
                numbers = (value.mean, value.spread, value.low, value.median, value.high)
                said = [None if np.isnan(each[g]) else float(each[g]) for each in numbers]
                rows.append((*label, name, int(value.count[g]), int(self.failed[g]), *said))
        return Table("amplification", "Amplification by pounding", head, tuple(rows))


class _Options(NamedTuple):
    output: tuple[str, ...]
    over: str
    by: tuple[str, ...]
    step: float

    @property
    def columns(self) -> tuple[str, ...]:
        """Which columns it reads."""
        return (*(TWIN + name for name in self.output or ("",)), *self.output, *filter(None, (self.over,)), *self.by)


def _asked(options: Mapping[str, Any]) -> _Options:
    asked = Asked("amplification", options)
    found = _Options(
        asked.texts("output", ()),
        asked.text("over", "pga"),
        asked.texts("by", ()),
        asked.acceleration("level", 0.1 * standard_gravity),
    )
    asked.done()
    return found


@register_analysis("amplification", check=_asked)
def amplification(table: StudyTable, options: Mapping[str, Any]) -> Amplification:
    """Return mean and spread of responses with pounding over those without.

    Options: ``output``, one or several (default: all outputs that the study has without pounding too), ``over``, the
    column along which it is drawn (default: pga, rounded to whole multiples of ``level``, 0.1 g), ``by``, columns for
    each value of which there is a curve.
    """
    asked = _asked(options)
    table = in_g(table)
    names = asked.output or _twinned(table)
    if not names:
        raise InputError(
            f"{OWNER} finds no output with its twin without pounding. Add no_pounding to the study's outputs."
        )
    level = asked.step if asked.over == "pga" else 0.0
    table = _levelled(table, level) if level else table
    groups = grouped(table, (*asked.by, *([asked.over] if asked.over else [])))
    values, undefined = [], 0
    ran = finished(table, OWNER)
    for name in names:
        if TWIN + name not in table.columns:
            raise refusal(name, OWNER, f"must have a twin {TWIN}{name}", name, "Add no_pounding to the outputs.")
        with_, without = numbers_of(table, name, OWNER), numbers_of(table, TWIN + name, OWNER)
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = np.where(ran & (without > 0.0), with_ / without, np.nan)
        undefined += int(np.count_nonzero(ran & ~(without > 0.0)))
        values.append(statistics(ratio, groups.codes, len(groups.labels)))
    if not any(value.count.any() for value in values):
        raise InputError(f"{OWNER} finds no run with a response both with and without pounding.")
    failed = np.bincount(groups.codes[~ran], minlength=len(groups.labels)).astype(np.float64)
    label = with_unit(table, asked.over) if asked.over else ""
    return Amplification(groups, names, tuple(values), failed, undefined, asked.over, label, level)


def _twinned(table: StudyTable) -> tuple[str, ...]:
    """Return the outputs with a twin, but velocities: first all displacements, then all accelerations."""
    names = [name for name in table.outputs if TWIN + name in table.columns and not name.startswith("velocity")]
    kinds = list(dict.fromkeys(name.partition(".")[0] for name in names))
    return tuple(sorted(names, key=lambda name: kinds.index(name.partition(".")[0])))


def _levelled(table: StudyTable, level: float) -> StudyTable:
    """Return the table with PGA in whole multiples of a level, at least one: records never have just 0.3 g."""
    level = level / standard_gravity if table.units.get("pga") == "g" else level
    multiple = np.maximum(np.floor(numbers_of(table, "pga", OWNER) / level + 0.5), 1.0)
    columns = ChainMap({"pga": np.round(multiple * level, 6)}, table.columns)  # type: ignore[arg-type]  # others stay unread
    return replace(table, columns=columns)
