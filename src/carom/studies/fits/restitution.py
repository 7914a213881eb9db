"""Which restitution fits a measured history: the question of langlade2021 section 4.2."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from carom.integrate.simulate import simulate
from carom.laws.catalogue import law
from carom.problem import Problem
from carom.results import Simulation
from carom.studies.fits.measured import Estimate, Measured

__all__ = ["RestitutionEstimate", "estimate_restitution"]

OWNER = "estimate_restitution"
GRID = np.linspace(0.0, 1.0, 51)


class RestitutionEstimate(Estimate):
    """The coefficient of restitution that fits best, and how well others would."""

    @property
    def restitution(self) -> float:
        """The best."""
        return self.value


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

    return RestitutionEstimate.least(run, measured.misfit, GRID.copy())
