"""Few modes for a problem: as many as the forces of its contacts need."""

from __future__ import annotations

from functools import cached_property

import numpy as np
import numpy.typing as npt

from carom.errors import InputError, refusal
from carom.integrate.modes.reduction_trial import Trial
from carom.problem import Problem, Reduction, forced_places, stood_for
from carom.structures.base import LinearStructure
from carom.structures.reduced import ALL_UP_TO
from carom.units import POSITIVE, Range, number

__all__ = ["Bases", "reduced"]

OWNER = "Problem.reduced"
Array = npt.NDArray[np.float64]

ERRORS = Range(1e-8, 0.1, low_open=False, high_open=False)
"""Errors of forces that may be asked for."""


def reduced(problem: Problem, *, rtol: float, peaks: float | None, cutoff: float | str | None, impacts: int) -> Problem:
    """Return a problem with few modes; `Problem.reduced` explains it."""
    asked = number(rtol, "", name="rtol", owner=OWNER, within=ERRORS)
    quieter = None if peaks is None else number(peaks, "", name="peaks", owner=OWNER, within=ERRORS)
    given = None if cutoff is None else number(cutoff, "Hz", name="cutoff", owner=OWNER, within=POSITIVE)
    if isinstance(impacts, bool) or not isinstance(impacts, (int, np.integer)) or impacts < 0:
        raise refusal("impacts", OWNER, "must be a whole number of at least 1, or 0 beside a `cutoff`", impacts)
    if impacts == 0 and given is None:
        raise refusal("impacts", OWNER, "must be at least 1 where a trial is to find the cut-off", impacts)
    bases = Bases(problem)
    if not bases.few:
        return bases.whole
    if impacts == 0 and given is not None:
        return bases.at(given).replace(reduction=Reduction(given, None, None, 0, "", None))
    if not problem.triable:
        if given is None:
            why = "joints inside structures, whose runs it does not try" if problem.pairs else "no contact"
            raise InputError(f"{OWNER} finds {why}: nothing tells a cut-off. Give one: `cutoff` [Hz].")
        return bases.at(given).replace(reduction=Reduction(given, None, None, 0, "", None))
    trial = Trial(bases, asked, quieter, int(impacts))
    best = trial.judged(given) if given is not None else trial.search()
    return bases.at(best.cutoff).replace(reduction=best._replace(rtol=None if given is not None else asked))


class Bases:
    """A problem with all modes, and with those up to any cut-off."""

    def __init__(self, problem: Problem) -> None:
        structures = [stood_for(one) for one in problem.structures]
        self.whole = problem
        if any(a is not b for a, b in zip(structures, problem.structures, strict=True)) or problem.reduction:
            self.whole = problem.replace(structures=structures, reduction=None)
        self.few = [i for i, one in enumerate(structures) if one.massive and len(one.dof_names) > ALL_UP_TO]
        """Structures that are to have few modes."""
        self._places = {i: forced_places(self.whole, i) for i in self.few}
        self._made: dict[float, Problem] = {}

    @cached_property
    def frequencies(self) -> Array:
        """Frequencies at which modes may be cut off [Hz], lowest first; no structure is left without one."""
        own = [self.whole.structures[i].frequencies for i in self.few]
        found = np.sort(np.concatenate(own))
        kept: Array = found[found >= max(one[0] for one in own)]
        return kept

    def at(self, cutoff: float) -> Problem:
        """Return the problem with modes up to a cut-off [Hz]."""
        if cutoff not in self._made:
            structures: list[LinearStructure] = list(self.whole.structures)
            for i in self.few:
                structures[i] = structures[i].reduced(self._places[i], cutoff, shapes=self._start_of(structures[i]))
            self._made[cutoff] = self.whole.replace(structures=structures)
        return self._made[cutoff]

    def _start_of(self, structure: LinearStructure) -> Array | None:
        """Return what a structure starts from."""
        start = (self.whole.initial_displacement, self.whole.initial_velocity)
        found = [np.array(one[structure.name]) for one in start if structure.name in one]
        return np.array(found) if found else None
