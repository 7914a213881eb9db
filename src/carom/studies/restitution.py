"""Which restitution fits a measured history: the question of langlade2021 section 4.2."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize_scalar

from carom.errors import CaromError, InputError, UnknownNameError, refusal
from carom.integrate.simulate import simulate
from carom.laws.catalogue import law
from carom.problem import Problem
from carom.results import Simulation
from carom.units import array

__all__ = ["RestitutionEstimate", "estimate_restitution"]

Array = npt.NDArray[np.float64]

OWNER = "estimate_restitution"
GRID = np.linspace(0.0, 1.0, 51)


@dataclass(frozen=True, eq=False)
class RestitutionEstimate:
    """The coefficient of restitution that fits best, and how well others would."""

    restitution: float
    misfit: float
    """Of the best: root mean square of the difference, relative to that of what was measured."""
    tried: Array
    """Coefficients tried, shape (n,)."""
    misfits: Array
    """Their misfits, shape (n,)."""
    run: Simulation
    """The run with the best."""

    @property
    def firm(self) -> tuple[float, float]:
        """Coefficients that fit nearly as well: misfits within a tenth of the spread above the best."""
        near = self.tried[self.misfits <= self.misfit + 0.1 * (self.misfits.max() - self.misfit)]
        return float(near.min()), float(near.max())


def estimate_restitution(
    problem: Problem,
    time: object = None,
    displacement: Mapping[str, object] | None = None,
    *,
    impacts: object = None,
    **options: Any,
) -> RestitutionEstimate:
    """Return the restitution with which rigid contacts come closest to what was measured.

    Parameters
    ----------
    problem
        Structures, gaps, start and motion of the test; its laws are replaced by Newton's.
    time
        Times of the measured displacements [s].
    displacement
        Degree of freedom (as in results) to measured displacements [m] at these times.
    impacts
        Measured times of impacts [s], instead of displacements or besides.
    options
        As for `carom.simulate`.
    """
    if not isinstance(problem, Problem):
        raise refusal("problem", OWNER, "must be a carom.Problem", problem)
    measured = _measured(problem, time, displacement)
    hits = None if impacts is None else np.sort(np.atleast_1d(array(impacts, "s", name="impacts", owner=OWNER)))
    if not measured and hits is None:
        raise InputError(f"{OWNER} needs measured displacements with their times, or times of impacts.")
    until = max([*(float(t[-1]) for t, _ in measured.values()), *([] if hits is None else [float(hits[-1])])])
    if problem.motion is None:
        options.setdefault("duration", until * (1.0 + 1e-6) + 1e-6)
        options.setdefault("sampling", until / 4000.0)

    def run(e: float) -> Simulation:
        return simulate(problem.replace(law=law("newton", restitution=float(e))), **options)

    def misfit(e: float) -> float:
        return _misfit(run(e), measured, hits)

    misfits = np.array([misfit(float(e)) for e in GRID])
    best = int(misfits.argmin())
    around = GRID[max(best - 1, 0)], GRID[min(best + 1, GRID.size - 1)]
    try:
        found = minimize_scalar(misfit, bounds=around, method="bounded", options={"xatol": 1e-6})
        e, value = (float(found.x), float(found.fun)) if found.fun < misfits[best] else (GRID[best], misfits[best])
    except CaromError:  # a coefficient between two that run need not run
        e, value = GRID[best], misfits[best]
    return RestitutionEstimate(float(e), float(value), GRID.copy(), misfits, run(float(e)))


def _measured(
    problem: Problem, time: object, displacement: Mapping[str, object] | None
) -> dict[int, tuple[Array, Array]]:
    if displacement is None:
        return {}
    if not isinstance(displacement, Mapping):
        raise refusal("displacement", OWNER, "must map degrees of freedom to measured values", displacement)
    times = np.atleast_1d(array(time, "s", name="time", owner=OWNER))
    if times.ndim != 1 or times.size < 2 or np.any(np.diff(times) <= 0.0):
        raise refusal("time", OWNER, "must be a row of rising times, as many as displacements", time)
    labels = problem.flat().dof_labels
    found = {}
    for name, values in displacement.items():
        if name not in labels:
            raise UnknownNameError("degree of freedom", name, labels)
        row = np.atleast_1d(array(values, "m", name=f"displacement of {name}", owner=OWNER))
        if row.shape != times.shape:
            raise refusal(f"displacement of {name}", OWNER, f"must have {times.size} values, one per time", row.shape)
        found[labels.index(name)] = (times, row)
    return found


def _misfit(run: Simulation, measured: dict[int, tuple[Array, Array]], hits: Array | None) -> float:
    """Return the relative misfit of displacements and, with the same weight, of impact times.

    Each measured impact is held against the nearest computed one, in units of the mean time between impacts.
    """
    parts = []
    for dof, (times, values) in measured.items():
        off = np.interp(times, run.time, run.displacement[:, dof]) - values
        parts.append(float(np.sqrt(np.mean(off**2) / np.mean(values**2))))
    if hits is not None:
        starts = run.table["start"]
        spacing = float(np.diff(hits).mean()) if hits.size > 1 else float(hits[0])
        if not starts.size:
            parts.append(1.0)
        else:
            off = np.abs(hits[:, None] - starts[None, :]).min(axis=1) / spacing
            parts.append(float(np.sqrt(np.mean(off**2))))
    return float(np.mean(parts))
