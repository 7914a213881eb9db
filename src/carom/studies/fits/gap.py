"""Which gap fits a measured history: langlade2021 section 4.4 chose those of its Table 8 so."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from carom.errors import refusal
from carom.integrate.simulate import simulate
from carom.problem import Problem
from carom.results import ContactName, Simulation, contact_number
from carom.studies.fits.measured import Estimate, Measured
from carom.units import NONNEGATIVE, array

__all__ = ["GapEstimate", "estimate_gap"]

OWNER = "estimate_gap"
TRIED = 51


class GapEstimate(Estimate):
    """The gap that fits best [m], and how well others would."""

    @property
    def gap(self) -> float:
        """The best [m]."""
        return self.value


def estimate_gap(
    problem: Problem,
    time: object = None,
    displacement: Mapping[str, object] | None = None,
    *,
    impacts: object = None,
    between: tuple[object, object],
    contact: ContactName | None = None,
    **options: Any,
) -> GapEstimate:
    """Return the gap with which a problem comes closest to what was measured.

    Parameters
    ----------
    problem
        Structures, laws, start and motion of the test.
    time
        Times of the measured displacements [s].
    displacement
        Degree of freedom (as in results) to measured displacements [m] at these times.
    impacts
        Measured times of impacts [s], instead of displacements or besides. Computed impacts that were not measured
        count as misfits too: a smaller gap always has an impact near a measured one.
    between
        The smallest and the largest gap to try [m].
    contact
        Label of the contact whose gap is sought, or its number from 0; by default the gaps of all contacts are one.
    options
        As for `carom.simulate`.
    """
    measured = Measured.of(problem, time, displacement, impacts, OWNER)
    low, high = array(list(between), "m", name="between", owner=OWNER, within=NONNEGATIVE)
    if not low < high:
        raise refusal("between", OWNER, "must be two gaps, the second larger", between)
    options = measured.duration(problem, options)
    at = None if contact is None else contact_number(problem.flat().contact_labels, contact, owner=OWNER)

    def run(gap: float) -> Simulation:
        return simulate(_with_gap(problem, gap, at), **options)

    return GapEstimate.least(run, partial(measured.misfit, both_ways=True), np.linspace(low, high, TRIED))


def _with_gap(problem: Problem, gap: float, contact: int | None) -> Problem:
    if contact is None:
        return problem.replace(gap=gap)
    contacts = list(problem.pairs)
    contacts[contact] = contacts[contact].replace(gap=gap)
    return problem.replace(contacts=contacts)
