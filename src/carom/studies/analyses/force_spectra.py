"""Pounding force response spectra: the peak contact force over the periods of two neighbours.

Jankowski R. (2006). Pounding force response spectrum under earthquake excitation. Engineering Structures 28(8),
1149-1161: peak pounding force against the natural periods of both structures, for given masses, damping, gap, motion.
Beside it what contact makes of the displacements.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from carom.errors import InputError, refusal
from carom.motions.motion import Motion
from carom.problem import Problem
from carom.registry import late
from carom.results import Table
from carom.structures import Oscillator
from carom.studies.analyses.amplification import statistics
from carom.studies.analyses.asked import Asked
from carom.studies.analyses.base import StudyTable, register_analysis
from carom.studies.analyses.columns import Array, finished, numbers_of, with_unit
from carom.studies.analyses.suite import TWIN, suite_table
from carom.studies.section import Picture, Section
from carom.units import POSITIVE, array

__all__ = ["ForceSpectra", "force_spectra"]

OWNER = "force_spectra"
MOST = 200
"""Most values of a period: more is a sample, not a grid."""


@dataclass(frozen=True, eq=False)
class ForceSpectra:
    """Means over the runs at each pair of periods; arrays over (left, right), NaN where nothing finished."""

    left: Array
    """Periods of the one structure [s]."""
    right: Array
    """Periods of the other [s]."""
    force: Array
    """Mean peak force [N]; runs without contact count as 0."""
    force_high: Array
    """84th percentile of the peak force [N]."""
    touching: Array
    """Share of runs with contact."""
    amplification: Mapping[str, Array]
    """For each response the mean of its ratio, with pounding over without; empty where the study has no twins."""
    runs: Array
    failed: Array
    labels: tuple[str, str]
    """What the two periods are, with units."""

    def section(self) -> Section:
        """Return the spectrum, amplifications and a table."""
        top = np.unravel_index(int(np.nanargmax(self.force)), self.force.shape)
        words = (
            f"Mean peak force over pairs of periods; largest {1e-3 * self.force[top]:.4g} kN at "
            f"{self.left[top[0]]:.4g} s and {self.right[top[1]]:.4g} s.",
        )
        cautions = (f"{int(self.failed.sum())} failed runs are left out.",) if self.failed.any() else ()
        draw = late("carom.plots.studies.force_spectra:plot_force_spectra")
        picture = Picture("force-spectra", draw, self, "Pounding force response spectrum.", False)
        return Section("Force spectra", words, (picture,), (self.table(),), cautions)

    def table(self) -> Table:
        """Return a row for each pair of periods."""
        head = (
            *self.labels, "mean peak force [N]", "p84 of peak force [N]", "share with contact",
            *(f"ratio of {name}" for name in self.amplification), "finished runs", "failed",
        )  # fmt: skip
        columns = [self.force, self.force_high, self.touching, *self.amplification.values(), self.runs, self.failed]
        rows = []
        for i, a in enumerate(self.left):
            for j, b in enumerate(self.right):
                said = [None if np.isnan(column[i, j]) else float(column[i, j]) for column in columns]
                rows.append((float(a), float(b), *said))
        return Table("force-spectra", "Peak force over periods", head, tuple(rows))


def force_spectra(
    problem: Problem,
    motions: Sequence[Motion],
    left: object,
    right: object,
    *,
    structures: tuple[str, str] | None = None,
    **options: Any,
) -> ForceSpectra:
    """Run a problem of two oscillators over pairs of periods [s] and motions.

    Parameters
    ----------
    problem
        Two oscillators and their contact; masses, damping ratios, gap and law are kept.
    motions
        The suite; means are over it.
    left, right
        Periods [s].
    structures
        Names of the two; by default the first two of the problem.
    options
        As for `carom.ensemble`: ``rtol``, ``device``.
    """
    if not isinstance(problem, Problem):
        raise refusal("problem", OWNER, "must be a carom.Problem", problem)
    if not problem.pairs:
        raise InputError("force_spectra needs a problem with a contact.")
    names = structures or problem.names[:2]
    if len(names) != 2:
        raise refusal("structures", OWNER, "must be the names of two structures", names)
    vary = {}
    for name, given in zip(names, (left, right), strict=True):
        if not isinstance(problem.structure(name), Oscillator):
            kind = type(problem.structure(name)).__name__
            raise refusal(
                "structures", OWNER, "must be two oscillators, whose periods are varied", f"{name}: {kind}",
                "Take an oscillator with the mass and period of the first mode, or a study that varies stiffnesses.",
            )  # fmt: skip
        periods = np.atleast_1d(array(given, "s", name=f"periods of {name}", owner=OWNER, within=POSITIVE))
        if periods.ndim != 1 or np.any(np.diff(periods) <= 0.0):
            raise refusal(f"periods of {name}", OWNER, "must rise", given)
        vary[f"{name}.period"] = periods
    table = suite_table(problem, motions, vary=vary, **options)
    return _gathered(table, f"{names[0]}.period", f"{names[1]}.period", "peak_force")


def _gathered(table: StudyTable, left: str, right: str, output: str) -> ForceSpectra:
    owner = "analysis force-spectra"
    a, at_a = np.unique(numbers_of(table, left, owner), return_inverse=True)
    b, at_b = np.unique(numbers_of(table, right, owner), return_inverse=True)
    if a.size < 2 or b.size < 2:
        raise InputError(f"{owner} needs several values of both {left} and {right}; they have {a.size} and {b.size}.")
    if a.size * b.size > 4 * len(table) or max(a.size, b.size) > MOST:
        raise InputError(
            f"{owner} needs {left} and {right} in a full grid of at most {MOST} values each, not drawn at random; they "
            f"have {a.size} and {b.size} values."
        )
    code = at_a * b.size + at_b
    size = a.size * b.size
    force = numbers_of(table, output, owner)
    ran = finished(table, owner, force)
    force = np.where(ran, force, np.nan)
    found = statistics(force, code, size)
    touched = statistics(np.where(np.isnan(force), np.nan, (force > 0.0).astype(np.float64)), code, size)
    ratios = {}
    for name in table.outputs:
        if name.startswith("displacement.") and TWIN + name in table.columns:
            without = numbers_of(table, TWIN + name, owner)
            with np.errstate(divide="ignore", invalid="ignore"):
                ratio = np.where(ran & (without > 0.0), numbers_of(table, name, owner) / without, np.nan)
            ratios[name] = statistics(ratio, code, size).mean.reshape(a.size, b.size)
    shape = (a.size, b.size)
    return ForceSpectra(
        left=a, right=b, force=found.mean.reshape(shape), force_high=found.high.reshape(shape),
        touching=touched.mean.reshape(shape), amplification=ratios, runs=found.count.reshape(shape),
        failed=np.bincount(code[~ran], minlength=size).astype(np.float64).reshape(shape),
        labels=(_period(table, left), _period(table, right)),
    )  # fmt: skip


def _period(table: StudyTable, name: str) -> str:
    return with_unit(table, name) if table.units.get(name) else f"{name} [s]"


class _Options(NamedTuple):
    left: str
    right: str
    output: str

    @property
    def columns(self) -> tuple[str, ...]:
        """Which columns it reads."""
        return self.left, self.right, self.output


def _asked(options: Mapping[str, Any]) -> _Options:
    asked = Asked("force-spectra", options)
    found = _Options(asked.text("left"), asked.text("right"), asked.text("output", "peak_force"))
    asked.done()
    return found


@register_analysis("force-spectra", check=_asked)
def force_spectra_of_study(table: StudyTable, options: Mapping[str, Any]) -> ForceSpectra:
    """Return the peak force over two parameters that are periods, means over everything else.

    Options: ``left`` and ``right``, the columns of the periods, ``output`` (default: peak_force).
    """
    return _gathered(table, *_asked(options))
