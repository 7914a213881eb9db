"""One output of single runs, by the name of its column: for analyses that place their runs themselves."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from carom.errors import UnknownNameError
from carom.integrate.ensembles.ensemble import ensemble
from carom.integrate.simulate import simulate
from carom.motions.motion import Motion
from carom.problem import Problem
from carom.scenario.studies.model import OUTPUTS
from carom.studies.outputs import TWIN, UNSEATING, Outputs
from carom.studies.plan import SAMPLING, finer
from carom.studies.vectors import kernel_takes

__all__ = ["Demand"]


class Demand:
    """What is asked of every run of a problem: by the ensemble kernel where it can, by `carom.simulate` where not."""

    def __init__(self, problem: Problem, column: str, options: Mapping[str, Any]) -> None:
        left_out = {TWIN} if problem.seats else {TWIN, UNSEATING}
        kinds = {name: Outputs(problem, (name,)) for name in OUTPUTS if name not in left_out}
        kept = next((one for one in kinds.values() if column in one.units), None)
        if kept is None:
            known = dict.fromkeys(name for one in kinds.values() for name in one.units)
            raise UnknownNameError("demand", column, known)
        self.unit = kept.units[column]
        """Its unit; nothing for a number of things."""
        self._problem, self._column, self._kept = problem, column, kept
        self._options = dict(options)
        self._kernel = not kept.histories and kernel_takes(problem, self._options.get("scheme", "event"))
        if self._kernel:
            self._options.pop("scheme", None)

    def under(self, motion: Motion, factor: float) -> float:
        """Return it under a motion times a factor; NaN where the run failed."""
        if self._kernel:
            many = ensemble(self._problem.replace(motion=motion), vary={"scale": [factor]}, **self._options)
            return float(self._kept.of_ensemble(many)[0][self._column][0])
        ground = finer(motion, SAMPLING) if self._kept.histories else motion
        problem = self._problem.replace(motion=ground.scaled(factor=factor) if factor != 1.0 else ground)
        run = simulate(problem, fail="return", **self._options)
        values, _ = self._kept.of_run(run, problem.flat().gap, None)
        return math.nan if run.outcome.failed else values[self._column]
