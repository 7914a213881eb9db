"""Which restitution fits a measured history: the question of langlade2021 section 4.2."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from carom.integrate.simulate import simulate
from carom.laws.catalogue import law
from carom.problem import Problem
from carom.results import Simulation
from carom.studies.measured import Measured, nearly_as_good, search

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
        return nearly_as_good(self.tried, self.misfits, self.misfit)


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
    measured = Measured.of(problem, time, displacement, impacts, OWNER)
    options = measured.duration(problem, options)

    def run(e: float) -> Simulation:
        return simulate(problem.replace(law=law("newton", restitution=float(e))), **options)

    e, misfit, misfits = search(lambda e: measured.misfit(run(e)), GRID)
    return RestitutionEstimate(e, misfit, GRID.copy(), misfits, run(e))
