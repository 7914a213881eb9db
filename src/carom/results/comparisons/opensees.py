"""One problem in carom and in OpenSees, side by side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from carom.results.table import Table

__all__ = ["OpenSeesComparison", "OpenSeesRun"]

Array = npt.NDArray[np.float64]

BY_CHANCE = 3.0
"""Where in a step a touch falls is chance: differences up to so many step errors agree with carom."""
ROUNDING = 1e-6
"""Relative difference that agrees whatever the step error: the tolerance of carom's own run."""
UNSETTLED = 0.5
"""Relative change under half the step from which a run of OpenSees says nothing."""
STILL = 1e-8
"""A displacement smaller than this share of the largest is rounding of none, as the rotation of a symmetric floor."""


@dataclass(frozen=True, eq=False)
class OpenSeesRun:
    """What OpenSees gave at one step."""

    step: float
    """[s]."""
    displacement: Array
    """[m], shape (T, D)."""
    force: Array
    """Contact forces [N], shape (T, C)."""
    steps: int
    failures: int
    """Steps that did not converge; each was taken with its last iterate."""
    seconds: float


@dataclass(frozen=True, eq=False)
class OpenSeesComparison:
    """A run of carom, and OpenSees at two steps, the second half of the first, at the samples of histories."""

    title: str
    time: Array
    """[s], shape (T,)."""
    names: tuple[str, ...]
    """Of the D displacements."""
    contacts: tuple[str, ...]
    displacement: Array
    """Of carom [m], shape (T, D)."""
    force: Array
    """Of carom [N], shape (T, C)."""
    coarse: OpenSeesRun
    fine: OpenSeesRun
    exact: bool
    """Whether OpenSees has the law of every contact; otherwise its nearest material stands in."""
    remarks: tuple[str, ...]
    """What OpenSees does otherwise."""
    seconds: float
    """Of carom."""
    finer: Array | None = None
    """Of carom with half its step or a tighter tolerance, where its scheme takes steps [m], shape (T, D)."""

    def difference(self, run: OpenSeesRun) -> Array:
        """Return the largest difference of each displacement over its largest value in carom, shape (D,)."""
        return _relative(run.displacement - self.displacement, self.displacement)

    @property
    def step_error(self) -> Array:
        """By how much OpenSees itself changes when its step is halved, of each displacement, shape (D,)."""
        return _relative(self.fine.displacement - self.coarse.displacement, self.displacement)

    @property
    def own_error(self) -> Array:
        """By how much carom changes when its step is halved, of each displacement, shape (D,); 0 event by event."""
        finer = self.displacement if self.finer is None else self.finer
        return _relative(finer - self.displacement, self.displacement)

    @property
    def settled(self) -> bool:
        """Whether OpenSees gives nearly the same at both steps, so that there is something to compare with."""
        return bool(np.all(self.step_error < UNSETTLED))

    @property
    def agrees(self) -> bool:
        """Whether all displacements agree within what OpenSees' step leaves open, and carom's where it has one."""
        bound = np.maximum(BY_CHANCE * (self.step_error + self.own_error), ROUNDING)
        return self.settled and bool(np.all(self.difference(self.fine) <= bound))

    @property
    def verdict(self) -> str:
        """What came of it, a sentence."""
        failures = self.coarse.failures + self.fine.failures
        steps = self.coarse.steps + self.fine.steps
        failed = f" {failures} of {steps} steps of OpenSees did not converge." if failures else ""
        worst = float(self.difference(self.fine).max(initial=0.0))
        if not self.settled:
            return (
                "OpenSees gives nothing to compare with: its displacements change by "
                f"{float(np.nan_to_num(self.step_error, nan=np.inf).max()):.1e} of their size when its step is halved. "
                f"Take a shorter one.{failed}"
            )
        if not self.exact:
            return f"OpenSees has no such law: its nearest material differs by up to {worst:.1%}.{failed}"
        within = "within" if self.agrees else "by more than"
        own = float(self.step_error.max(initial=0.0))
        both = float(self.own_error.max(initial=0.0))
        also = f", carom's own by {both:.1e} under half its step" if self.finer is not None else ""
        return (
            f"Displacements {'agree' if self.agrees else 'differ'} {within} OpenSees' own error of step"
            f"{' and that of carom' if also else ''}: they differ by {worst:.1e} at most, and by {own:.1e} between "
            f"steps of {self.coarse.step:g} and {self.fine.step:g} s{also}.{failed}"
        )

    def table(self) -> Table:
        """Return peaks and differences, a row for each displacement and contact."""
        rows: list[Any] = []
        for i, name in enumerate(self.names):
            ours, theirs = (1e3 * np.abs(run[:, i]).max() for run in (self.displacement, self.fine.displacement))
            rows.append([name, "mm", ours, theirs, self.difference(self.fine)[i], self.step_error[i]])
        for i, name in enumerate(self.contacts):
            ours, theirs = (1e-3 * np.abs(run[:, i]).max() for run in (self.force, self.fine.force))
            scale = max(float(np.abs(self.force[:, i]).max()), np.finfo(float).tiny)
            changes = (np.abs(a - b)[:, i].max() / scale for a, b in (
                (self.fine.force, self.force), (self.fine.force, self.coarse.force)))  # fmt: skip
            rows.append([name, "kN", ours, theirs, *changes])
        return Table(
            "opensees-comparison", "Peaks at samples, and largest relative differences of histories",
            ("place", "unit", "carom", "OpenSees", "difference", "step error"), tuple(tuple(row) for row in rows),
        )  # fmt: skip

    def as_dict(self) -> dict[str, Any]:
        """Return what is printed as JSON."""
        return {
            "title": self.title, "verdict": self.verdict, "agrees": self.agrees, "exact_law": self.exact,
            "remarks": list(self.remarks), "steps": [self.coarse.step, self.fine.step],
            "not_converged": [self.coarse.failures, self.fine.failures],
            "seconds": {"carom": self.seconds, "opensees": [self.coarse.seconds, self.fine.seconds]},
            "rows": self.table().records(),
        }  # fmt: skip


def _relative(change: Array, of: Array) -> Array:
    own = np.abs(of).max(axis=0, initial=0.0)
    scale = np.maximum(own, max(STILL * own.max(initial=0.0), float(np.finfo(float).tiny)))
    found: Array = np.abs(change).max(axis=0, initial=0.0) / scale
    return found
