"""Calibration from a study: at which value of a parameter the runs give what was measured."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from carom.errors import InputError
from carom.registry import late
from carom.results import Table
from carom.studies.analyses.asked import MOST_RESAMPLES, SHARE, Asked
from carom.studies.analyses.base import StudyTable, register_analysis
from carom.studies.analyses.columns import Array, finished, grouped, numbers_of, with_unit
from carom.studies.section import Picture, Section
from carom.units import NONNEGATIVE

__all__ = ["StudyCalibration", "crossings"]

OWNER = "analysis calibration"


def crossings(x: Array, y: Array, level: float) -> Array:
    """Return where straight lines through (x, y) meet a level, rising; x must rise."""
    above = y >= level
    i = np.flatnonzero(above[1:] != above[:-1])
    found: Array = x[i] + (level - y[i]) / (y[i + 1] - y[i]) * (x[i + 1] - x[i])
    return found


@dataclass(frozen=True, eq=False)
class StudyCalibration:
    """Mean output over a parameter, and where it meets the measurement."""

    parameter: str
    output: str
    values: Array
    """Values of the parameter."""
    mean: Array
    """Mean output at each."""
    measured: float
    found: Array
    """Values at which the mean output equals the measurement: none, one or several."""
    interval: tuple[float, float]
    """Of a single one, from resampled runs and the measurement's error; NaN where some resamples have none."""
    confidence: float
    failed: int

    def section(self) -> Section:
        """Return curve, crossing and table."""
        cautions = [f"{self.failed} failed runs are left out."] if self.failed else []
        if not self.found.size:
            cautions.append("The measured value is not reached anywhere in the study's range. Widen it.")
        if self.found.size > 1:
            cautions.append("The measured value is reached more than once: the measurement does not tell which.")
        said = ", ".join(f"{value:.4g}" for value in self.found)
        where = f"at {self.parameter} = {said}" if said else f"at no {self.parameter} of the study"
        words = (f"{self.output} is {self.measured:.4g}, as measured, {where}.",)
        picture = Picture(
            "calibration-study", late("carom.plots.studies.calibration:plot_study_calibration"), self, "Calibration."
        )  # fmt: skip
        rows = tuple((float(x), float(y)) for x, y in zip(self.values, self.mean, strict=True))
        low, high = (None if np.isnan(v) else v for v in self.interval)
        tables = (
            Table("calibration", "Parameter found", (self.parameter, "low", "high", "confidence"),
                  tuple((float(v), low, high, self.confidence) for v in self.found)),
            Table("calibration-curve", "Mean output", (self.parameter, self.output), rows),
        )  # fmt: skip
        return Section("Calibration", words, (picture,), tables, tuple(cautions))


class _Options(NamedTuple):
    parameter: str
    output: str
    measured: float
    error: float
    resample: str | None
    resamples: int
    confidence: float
    seed: int

    @property
    def columns(self) -> tuple[str, ...]:
        """Which columns it reads."""
        return (self.parameter, self.output, *filter(None, (self.resample,)))


def _asked(options: Mapping[str, Any]) -> _Options:
    asked = Asked("calibration", options)
    output = asked.text("output", "peak_force")
    found = _Options(
        asked.text("parameter"), output, asked.limit("measured", output),
        asked.limit("error", output, 0.0, within=NONNEGATIVE), asked.maybe("resample"),
        asked.whole("resamples", 1000, least=1, most=MOST_RESAMPLES),
        asked.number("confidence", 0.95, within=SHARE), asked.whole("seed", 0),
    )  # fmt: skip
    asked.done()
    return found


@register_analysis("calibration", check=_asked)
def calibration(table: StudyTable, options: Mapping[str, Any]) -> StudyCalibration:
    """Return the value of a parameter at which the mean output equals a measured one.

    Options: ``parameter``, ``measured`` (SI, or with a unit: ``"400 kN"``), ``error`` (its standard error), ``output``
    (default: peak_force), ``resample`` (default: motion), ``resamples``, ``confidence``, ``seed``.
    """
    asked = _asked(options)
    x, y = numbers_of(table, asked.parameter, OWNER), numbers_of(table, asked.output, OWNER)
    ran = finished(table, OWNER, y)
    values, at = np.unique(x[ran], return_inverse=True)
    if values.size < 2:
        raise InputError(f"{OWNER} needs finished runs at several values of {asked.parameter}; found {values.size}.")
    if 2 * values.size > ran.sum() and values.size > 200:
        raise InputError(f"{OWNER} needs a parameter on a grid: {asked.parameter} has {values.size} different values.")
    column = asked.resample or ("motion" if "motion" in table.columns else None)
    own = grouped(table, [column]).codes[ran] if column is not None else np.arange(int(ran.sum()))
    _, own = np.unique(own, return_inverse=True)
    size = int(own.max()) + 1
    if size > 4096:  # single runs: gather them, a few hundred groups say the same
        own, size = own % 512, 512
    place = own * values.size + at
    parts = [np.bincount(place, w, size * values.size).reshape(size, -1) for w in (np.ones(place.size), y[ran])]
    sums = np.stack(parts).astype(np.float64)
    mean = sums[1].sum(axis=0) / sums[0].sum(axis=0)
    found = crossings(values, mean, asked.measured)
    return StudyCalibration(
        parameter=with_unit(table, asked.parameter), output=with_unit(table, asked.output), values=values, mean=mean,
        measured=asked.measured, found=found, interval=_interval(values, sums, asked) if found.size == 1 else NONE,
        confidence=asked.confidence, failed=int((~table.finished).sum()),
    )  # fmt: skip


NONE = (float("nan"), float("nan"))


def _interval(values: Array, sums: Array, asked: _Options) -> tuple[float, float]:
    generator = np.random.default_rng(asked.seed)
    size = sums.shape[1]
    found = []
    for _ in range(asked.resamples):
        weights = np.bincount(generator.integers(0, size, size), minlength=size).astype(np.float64)
        n, total = weights @ sums[0], weights @ sums[1]
        if np.all(n > 0.0):
            met = crossings(values, total / n, generator.normal(asked.measured, asked.error))
            found += met[:1].tolist()
    if len(found) < 0.99 * asked.resamples or (size < 2 and not asked.error):
        return NONE
    low, high = np.quantile(found, [0.5 * (1.0 - asked.confidence), 0.5 * (1.0 + asked.confidence)])
    return float(low), float(high)
