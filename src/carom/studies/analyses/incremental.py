"""Incremental dynamic analysis: every motion scaled up step by step, the demand it makes at each step.

Runs are placed as Vamvatsikos and Cornell (2002), Earthquake Eng. Struct. Dyn. 31(3), 491-514, propose: hunt upwards by
growing steps until the demand passes its limit, close in on where it does, then fill the widest gaps. A failed run is
no demand: it is kept apart, and what lies beyond it is not known.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from carom.errors import InputError, RunError, UnknownNameError, refusal
from carom.motions.motion import Motion
from carom.motions.quantities import acceleration
from carom.problem import Problem, distinct_labels
from carom.registry import late
from carom.results import Table
from carom.studies.analyses.asked import Asked
from carom.studies.analyses.base import StudyTable, register_analysis
from carom.studies.analyses.columns import Array, finished, grouped, in_g, numbers_of, with_unit
from carom.studies.analyses.suite import checked_motions
from carom.studies.demand import Demand
from carom.studies.outputs import in_unit_of
from carom.studies.section import Picture, Section
from carom.units import POSITIVE, number, si, standard_gravity

__all__ = ["Incremental", "ScaledCurve", "hunt_and_fill", "incremental"]

OWNER = "incremental"
PERCENTILES = (16.0, 50.0, 84.0)
GRID = 60
"""Points of the percentile curves."""
MOST = 3
"""Failed runs in a row after which a motion is left."""
SCALED = ("m", "N", "N s", "J")
"""Units that read well with a prefix."""
LISTED = 600
"""Runs that a report lists; a study of more has them in its own table."""


@dataclass(frozen=True, eq=False)
class ScaledCurve:
    """One motion, scaled: demands over intensity, failed runs apart."""

    name: str
    intensity: Array
    """Rising, of finished runs."""
    demand: Array
    failed: Array
    """Intensities at which the run failed."""

    def at(self, intensity: Array, limit: float = math.inf) -> Array:
        """Return demands between runs in proportion; inf beyond a run above the limit, NaN beyond what was run."""
        if not self.intensity.size:
            return np.full(intensity.shape, np.nan)
        x, y = np.concatenate([[0.0], self.intensity]), np.concatenate([[0.0], self.demand])
        found: Array = np.interp(intensity, x, y)
        found[intensity > x[-1] * (1.0 + 1e-12)] = np.inf if y[-1] > limit else np.nan
        return found

    def capacity(self, demand: float) -> float:
        """Return the least intensity at which the curve reaches a demand; inf where no run does."""
        above = np.flatnonzero(self.demand >= demand)
        if not above.size:
            return math.inf
        i = int(above[0])
        x0, y0 = (0.0, 0.0) if i == 0 else (float(self.intensity[i - 1]), float(self.demand[i - 1]))
        x1, y1 = float(self.intensity[i]), float(self.demand[i])
        return x1 if y1 == y0 else x0 + (demand - y0) / (y1 - y0) * (x1 - x0)


@dataclass(frozen=True, eq=False)
class Incremental:
    """Curves of all motions and their percentiles."""

    curves: tuple[ScaledCurve, ...]
    limit: float
    """Demand that ends a curve; inf: none."""
    intensity: Array
    """Intensities of the percentile curves."""
    percentiles: Array
    """16th, 50th and 84th percentile of the demand at each, shape (3, n); NaN where a curve that is needed ends."""
    capacity: Array
    """Intensity at which each curve reaches the limit; inf where no run does."""
    xlabel: str
    """The demand."""
    ylabel: str
    """The intensity."""
    runs: int = 0

    @property
    def failed(self) -> int:
        """Number of failed runs."""
        return sum(curve.failed.size for curve in self.curves)

    def capacities(self) -> Array:
        """Return the 16th, 50th and 84th percentile of the intensity that reaches the limit; inf where too few do."""
        return percentiles_of(self.capacity[:, None])[:, 0]

    def section(self) -> Section:
        """Return curves and percentiles."""
        many = "curve" if len(self.curves) == 1 else "curves"
        words = [f"{len(self.curves)} {many} from {self.runs} runs; percentiles of the demand at given intensity."]
        if not math.isfinite(self.limit) and (reached := self._largest()):
            words.insert(0, reached)
        if math.isfinite(self.limit):
            low, median, high = self.capacities()
            what, end = self.xlabel.partition(" [")[0], self._demand(self.limit)
            at = f"at {self._intensity(median)}" if math.isfinite(median) else "beyond what was run"
            ends = " to ".join(f"{one:.3g}" if math.isfinite(one) else "beyond" for one in (low, high))
            words.insert(
                0,
                f"{what} reaches {end} {at} in the median curve (16th to 84th percentile: {ends}); "
                f"{int(np.isinf(self.capacity).sum())} of {len(self.curves)} curves do not reach it.",
            )
        cautions = [f"{self.failed} failed runs are shown apart and make no demand."] if self.failed else []
        top = max(float(curve.intensity[-1]) for curve in self.curves if curve.intensity.size)
        if self.intensity[-1] < 0.7 * top:
            cautions.append(
                f"Percentiles end at {self.intensity[-1]:.4g}, where the first curve does: scale all motions to the "
                "same intensities to see more."
            )
        picture = Picture(
            "ida", late("carom.plots.studies.incremental:plot_incremental"), self, "Incremental dynamic analysis."
        )
        tables = [self.percentile_table(), *([self.run_table()] if self.runs <= LISTED else [])]
        return Section("Incremental dynamic analysis", tuple(words), (picture,), tuple(tables), tuple(cautions))

    def _largest(self) -> str:
        """Return the demand at the highest intensity that all curves reach, in a sentence; nothing without one."""
        known = np.flatnonzero(np.isfinite(self.percentiles).all(axis=0))
        if not known.size:
            return ""
        low, median, high = (self._demand(value) for value in self.percentiles[:, known[-1]].tolist())
        what = self.xlabel.partition(" [")[0]
        several = f" in the median, {low} to {high} at the 16th to 84th percentile" if len(self.curves) > 1 else ""
        return f"At {self._intensity(self.intensity[known[-1]])}: {what} {median}{several}."

    def _demand(self, value: float) -> str:
        unit = self.xlabel.rstrip("]").partition(" [")[2]
        return si(value, unit, 4) if unit in SCALED else f"{value:.4g} {unit}".rstrip()

    def _intensity(self, value: float) -> str:
        name, _, unit = self.ylabel.rstrip("]").partition(" [")
        return f"{name} {value:.3g} {unit}".rstrip()

    def percentile_table(self) -> Table:
        """Return the percentile curves."""
        rows = [
            (float(x), *(float(v) if math.isfinite(v) else None for v in column))
            for x, column in zip(self.intensity, self.percentiles.T, strict=True)
        ]
        return Table(
            "ida-percentiles", f"Percentiles of {self.xlabel}", (self.ylabel, "p16", "p50", "p84"), tuple(rows)
        )

    def run_table(self) -> Table:
        """Return every run, the failed ones without a demand."""
        rows: list[tuple[str | float | None, ...]] = []
        for curve in self.curves:
            rows += [(curve.name, float(x), float(y)) for x, y in zip(curve.intensity, curve.demand, strict=True)]
            rows += [(curve.name, float(x), None) for x in curve.failed]
        return Table("ida-runs", "All runs", ("motion", self.ylabel, self.xlabel), tuple(rows))


def percentiles_of(values: Array) -> Array:
    """Return 16th, 50th and 84th percentile over the first axis; inf is larger than all, a NaN makes all unknown.

    Between two neighbours in proportion, and inf as soon as one of them is.
    """
    order = np.sort(values, axis=0)
    found = np.empty((3, *values.shape[1:]))
    for k, share in enumerate(PERCENTILES):
        at = (values.shape[0] - 1) * share / 100.0
        i, part = int(at), at - int(at)
        low, high = order[i], order[min(i + 1, values.shape[0] - 1)]
        with np.errstate(invalid="ignore"):
            found[k] = low if part == 0.0 else np.where(np.isinf(high), np.inf, low + part * (high - low))
    found[:, np.isnan(values).any(axis=0)] = np.nan
    return found


def gathered(
    curves: Sequence[ScaledCurve], limit: float, xlabel: str, ylabel: str, levels: Array | None = None
) -> Incremental:
    """Return curves with their percentiles."""
    if not any(curve.intensity.size for curve in curves):
        raise RunError("Incremental dynamic analysis finds no finished run.")
    top = max(float(curve.intensity[-1]) for curve in curves if curve.intensity.size)
    grid = np.linspace(top / GRID, top, GRID) if levels is None else levels
    demands = np.array([curve.at(grid, limit) for curve in curves])
    reached = np.array([curve.capacity(limit) if math.isfinite(limit) else math.inf for curve in curves])
    runs = sum(curve.intensity.size + curve.failed.size for curve in curves)
    return Incremental(
        tuple(curves), limit, grid, percentiles_of(demands), reached, xlabel, ylabel, runs
    )  # fmt: skip


# placing the runs -----------------------------------------------------------------------------------------


@dataclass
class _Hunt:
    """Where one motion has been run."""

    x: list[float] = field(default_factory=list)
    y: list[float] = field(default_factory=list)
    failed: list[float] = field(default_factory=list)
    step: float = 0.0
    last: float = 0.0
    """Last intensity tried while hunting."""
    missed: int = 0
    """Failed runs in a row."""
    hunting: bool = True

    def bracket(self, limit: float) -> tuple[float, float] | None:
        """Return the highest intensity below the first demand above the limit, and that one's."""
        pairs = sorted(zip(self.x, self.y, strict=True))
        for i, (x, y) in enumerate(pairs):
            if y > limit:
                return (pairs[i - 1][0] if i else 0.0), x
        return None

    def widest(self, end: float) -> float:
        """Return the middle of the widest gap between runs up to an intensity."""
        at = np.array(sorted({0.0, *(x for x in [*self.x, *self.failed] if x <= end), end}))
        i = int(np.argmax(np.diff(at)))
        return float(0.5 * (at[i] + at[i + 1]))


Evaluate = Callable[[list[tuple[int, float]]], Sequence[float]]
"""From (number of the motion, intensity) of several runs to their demands; NaN for one that failed."""


def hunt_and_fill(
    evaluate: Evaluate,
    motions: Sequence[str],
    *,
    limit: float,
    first: float,
    step: float,
    growth: float,
    ceiling: float,
    runs: int,
    resolution: float,
) -> list[ScaledCurve]:
    """Place runs on every motion's curve; one run of each motion goes to `evaluate` at a time.

    Parameters
    ----------
    evaluate
        What makes the runs.
    motions
        Names of the motions.
    limit
        Demand at which the hunt ends; inf: at the ceiling only.
    first
        First intensity.
    step
        First step of the hunt.
    growth
        By how much each step of the hunt is longer than the last.
    ceiling
        Highest intensity.
    runs
        Runs of each motion.
    resolution
        How closely the intensity that reaches the limit is enclosed, as a share of it.
    """
    hunts = [_Hunt(step=step) for _ in motions]
    for _ in range(runs):
        asked = [
            (i, x) for i, hunt in enumerate(hunts) if (x := _next(hunt, limit, first, growth, ceiling, resolution))
        ]
        if not asked:
            break
        for (i, x), demand in zip(asked, evaluate(asked), strict=True):
            hunt = hunts[i]
            if math.isfinite(demand):
                hunt.x.append(x)
                hunt.y.append(demand)
                hunt.missed = 0
                hunt.hunting = hunt.hunting and demand <= limit
            else:
                hunt.failed.append(x)
                hunt.missed += 1
                hunt.hunting = hunt.hunting and hunt.missed < MOST
    found = []
    for name, hunt in zip(motions, hunts, strict=True):
        order = np.argsort(hunt.x)
        found.append(
            ScaledCurve(name, np.array(hunt.x)[order], np.array(hunt.y)[order], np.array(sorted(hunt.failed)))
        )  # fmt: skip
    return found


def _next(hunt: _Hunt, limit: float, first: float, growth: float, ceiling: float, resolution: float) -> float:
    """Return where a motion is run next; 0: nowhere."""
    if hunt.hunting:
        if hunt.last == 0.0:
            hunt.last = min(first, ceiling)
            return hunt.last
        if hunt.last < ceiling:
            hunt.last = min(hunt.last + hunt.step, ceiling)
            hunt.step += growth
            return hunt.last
        hunt.hunting = False
    between = hunt.bracket(limit)
    if between is not None:
        low, high = between
        if high - low > resolution * high and not any(low < x < high for x in hunt.failed):
            return low + (high - low) / 3.0  # nearer to the run below: above the limit nobody looks
        return hunt.widest(low)
    return hunt.widest(max(hunt.x)) if hunt.x else 0.0


def incremental(
    problem: Problem,
    motions: Sequence[Motion],
    *,
    demand: str = "peak_force",
    limit: float | str | None = None,
    intensity: str = "pga",
    period: float | str | None = None,
    damping: float = 0.05,
    first: float | str | None = None,
    step: float | str | None = None,
    growth: float | str | None = None,
    ceiling: float | str = "2 g",
    runs: int = 14,
    resolution: float = 0.05,
    **options: Any,
) -> Incremental:
    """Run an incremental dynamic analysis of a problem.

    Parameters
    ----------
    problem
        Who stands beside whom.
    motions
        Each is scaled; none needs the same time step as another.
    demand
        An output of a study by the name of its column: ``peak_force``, ``impacts``, ``drift.left``,
        ``acceleration.right``, of a floor ``displacement.left floor 3``.
    limit
        Demand at which the hunt ends: a number in SI units, or text such as ``"500 kN"``; by default
        at the ceiling only.
    intensity
        ``pga``, or ``sa`` at `period` [s] and `damping`; the result has it in g.
    first, step, growth
        First intensity, first step of the hunt, and by how much steps grow [m/s²]; by default a twentieth, a tenth and
        a fortieth of the ceiling.
    ceiling
        Highest intensity [m/s²].
    runs
        Runs of each motion.
    resolution
        How closely the intensity that reaches the limit is enclosed, as a share of it.
    options
        As for `carom.simulate`: ``scheme`` and its own options, which yielding storeys need, ``rtol``.
    """
    if not isinstance(problem, Problem):
        raise refusal("problem", OWNER, "must be a carom.Problem", problem)
    motions = checked_motions(motions, OWNER)
    if intensity not in ("pga", "sa"):
        raise UnknownNameError("intensity", intensity, ("pga", "sa"))
    if intensity == "sa" and period is None:
        raise InputError('incremental needs `period` beside intensity="sa".')
    if isinstance(runs, bool) or not isinstance(runs, int) or runs < 4:
        raise refusal("runs", OWNER, "must be a whole number of at least 4", runs)
    top = acceleration(ceiling, name="ceiling", owner=OWNER) / standard_gravity
    begin, pace, growing = (
        part * top if given is None else acceleration(given, name=name, owner=OWNER) / standard_gravity
        for name, given, part in (("first", first, 0.05), ("step", step, 0.1), ("growth", growth, 0.025))
    )
    unit = np.array([motion.pga if intensity == "pga" else motion.sa(period, damping) for motion in motions])
    unit = unit / standard_gravity
    if not np.all(unit > 0.0):
        raise InputError("incremental cannot scale a motion that is silent. Leave it out.")
    output = Demand(problem, demand, options)
    end = math.inf if limit is None else in_unit_of(demand, limit, name="limit", owner=OWNER, within=POSITIVE)

    def evaluate(asked: list[tuple[int, float]]) -> list[float]:
        return [output.under(motions[i], x / float(unit[i])) for i, x in asked]

    names = distinct_labels(motion.name for motion in motions)
    curves = hunt_and_fill(
        evaluate, names, limit=end, first=begin, step=pace, growth=growing, ceiling=top, runs=runs,
        resolution=resolution,
    )  # fmt: skip
    label = "PGA [g]" if intensity == "pga" else f"Sa({number(period, 's', name='period', owner=OWNER):g} s) [g]"
    return gathered(curves, end, f"{demand} [{output.unit}]" if output.unit else demand, label)


# of a study -----------------------------------------------------------------------------------------------


class _Options(NamedTuple):
    demand: str
    against: str
    limit: float

    @property
    def columns(self) -> tuple[str, ...]:
        """Which columns it reads."""
        return self.demand, self.against


def _asked(options: Mapping[str, Any]) -> _Options:
    asked = Asked("ida", options)
    limit = options.get("limit")
    found = _Options(
        demand := asked.text("output", "peak_force"),
        asked.text("against", "pga"),
        asked.limit("limit", demand, 1.0) if limit is not None else math.inf,
    )
    asked.done()
    return found


@register_analysis("ida", check=_asked)
def ida(table: StudyTable, options: Mapping[str, Any]) -> Incremental:
    """Return the curves of a study that scaled its motions, one for each motion and sample.

    Options: ``output`` (the demand, default: peak_force), ``against`` (default: pga), ``limit``.
    """
    asked = _asked(options)
    table = in_g(table)
    x = numbers_of(table, asked.against, "analysis ida")
    y = numbers_of(table, asked.demand, "analysis ida")
    ran = finished(table, "analysis ida", y)
    others = [n for n in dict.fromkeys(("motion", *table.parameters)) if n in table.columns]
    own = [n for n in others if n not in (asked.against, "scale")]
    groups = grouped(table, own)
    curves = []
    for label, rows in zip(groups.labels, groups.rows(), strict=True):
        rows = rows[np.argsort(x[rows], kind="stable")]
        fine = rows[ran[rows]]
        curves.append(ScaledCurve(", ".join(map(_said, label)), x[fine], y[fine], x[rows[~ran[rows]]]))
    if all(curve.intensity.size + curve.failed.size < 2 for curve in curves):
        raise InputError(
            f"analysis ida needs several values of {asked.against} for each motion. Give the motions scales."
        )
    common = min((float(c.intensity[-1]) for c in curves if c.intensity.size), default=0.0)
    levels = np.linspace(common / GRID, common, GRID) if common > 0.0 else None
    return gathered(curves, asked.limit, with_unit(table, asked.demand), with_unit(table, asked.against), levels)


def _said(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
