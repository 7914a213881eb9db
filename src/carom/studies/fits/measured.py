"""What a test measured of a problem, and the value of a parameter that comes closest to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize_scalar

from carom.errors import CaromError, InputError, UnknownNameError, refusal
from carom.problem import Problem
from carom.results import Simulation
from carom.units import array, number

__all__ = ["Estimate", "Measured"]

Array = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Measured:
    """Displacements at times, times of impacts, or both."""

    displacements: Mapping[int, tuple[Array, Array]]
    """Degree of freedom to times [s] and values [m]."""
    hits: Array | None
    """Times of impacts [s], rising."""

    @classmethod
    def of(
        cls, problem: Problem, time: object, displacement: Mapping[str, object] | None, impacts: object, owner: str
    ) -> Measured:
        """Take what a user gives; `owner` asks for it."""
        if not isinstance(problem, Problem):
            raise refusal("problem", owner, "must be a carom.Problem", problem)
        found = _displacements(problem, time, displacement, owner)
        hits = None if impacts is None else np.sort(np.atleast_1d(array(impacts, "s", name="impacts", owner=owner)))
        if not found and hits is None:
            raise InputError(f"{owner} needs measured displacements with their times, or times of impacts.")
        return cls(found, hits)

    @property
    def until(self) -> float:
        """Time of the last measurement [s]."""
        last = [] if self.hits is None else [float(self.hits[-1])]
        return max([*(float(t[-1]) for t, _ in self.displacements.values()), *last])

    def duration(self, problem: Problem, options: dict[str, Any]) -> dict[str, Any]:
        """Return options of `carom.simulate` under which a run without a motion lasts as long as the measurement."""
        if problem.motion is not None:
            self._refuse_rest(problem, options.get("duration"))
            return options
        return {"duration": self.until * (1.0 + 1e-6) + 1e-6, "sampling": self.until / 4000.0, **options}

    def _refuse_rest(self, problem: Problem, duration: object) -> None:
        """Refuse a measurement that goes on after the run: there is nothing to hold against it."""
        motions = [motion for support in problem.supports for motion in support.motions]
        end = max(motion.start + motion.duration for motion in motions)
        if duration is not None:
            end = number(duration, "s", name="duration", owner="simulate")
        if self.until > end * (1.0 + 1e-6):
            raise InputError(
                f"What was measured lasts until {self.until:g} s, the run until {end:g} s. Leave out what comes later; "
                "times are in seconds, their decimals with a point."
            )

    def misfit(self, run: Simulation, *, both_ways: bool = False) -> float:
        """Return the relative misfit of displacements and, with the same weight, of impact times.

        Each measured impact is held against the nearest computed one, in units of the mean time between impacts. With
        `both_ways` each computed impact up to the last measured one is held against the nearest measured one too:
        impacts that were not measured then count as much as those that are missing.
        """
        parts = []
        for dof, (times, values) in self.displacements.items():
            off = np.interp(times, run.time, run.displacement[:, dof]) - values
            parts.append(float(np.sqrt(np.mean(off**2) / np.mean(values**2))))
        if self.hits is not None:
            parts.append(_apart(self.hits, run.table["start"], both_ways))
        return float(np.mean(parts))


@dataclass(frozen=True, eq=False)
class Estimate:
    """The value of one parameter with which a problem comes closest to what was measured, and how close others come."""

    value: float
    """The best, in SI."""
    misfit: float
    """Of the best: root mean square of the difference, relative to that of what was measured."""
    tried: Array
    """Values tried, shape (n,)."""
    misfits: Array
    """Their misfits, shape (n,)."""
    run: Simulation
    """The run with the best."""

    @classmethod
    def least(cls, run: Callable[[float], Simulation], misfit: Callable[[Simulation], float], tried: Array) -> Self:
        """Return the value, on the grid `tried` and then between its neighbours, whose run has the least misfit."""
        value, least, misfits = _search(lambda value: misfit(run(value)), tried)
        return cls(value, least, tried, misfits, run(value))

    @property
    def firm(self) -> tuple[float, float]:
        """The range of values that fit nearly as well: misfits within a tenth of the spread above the best."""
        near = self.tried[self.misfits <= self.misfit + 0.1 * (self.misfits.max() - self.misfit)]
        return float(near.min()), float(near.max())


def _search(misfit: Callable[[float], float], grid: Array) -> tuple[float, float, Array]:
    """Return where a misfit is least and how large it is there, and the misfits on the grid."""
    misfits = np.array([misfit(float(x)) for x in grid])
    best = int(misfits.argmin())
    around = grid[max(best - 1, 0)], grid[min(best + 1, grid.size - 1)]
    try:
        found = minimize_scalar(misfit, bounds=around, method="bounded", options={"xatol": 1e-6 * float(np.ptp(grid))})
    except CaromError:  # a value between two that run need not run
        return float(grid[best]), float(misfits[best]), misfits
    if found.fun < misfits[best]:
        return float(found.x), float(found.fun), misfits
    return float(grid[best]), float(misfits[best]), misfits


def _displacements(
    problem: Problem, time: object, displacement: Mapping[str, object] | None, owner: str
) -> dict[int, tuple[Array, Array]]:
    if displacement is None:
        return {}
    if not isinstance(displacement, Mapping):
        raise refusal("displacement", owner, "must map degrees of freedom to measured values", displacement)
    times = np.atleast_1d(array(time, "s", name="time", owner=owner))
    if times.ndim != 1 or times.size < 2 or np.any(np.diff(times) <= 0.0):
        raise refusal("time", owner, "must be a row of rising times, as many as displacements", time)
    labels = problem.flat().output_labels
    found = {}
    for name, values in displacement.items():
        if name not in labels:
            raise UnknownNameError("degree of freedom", name, labels)
        row = np.atleast_1d(array(values, "m", name=f"displacement of {name}", owner=owner))
        if row.shape != times.shape:
            raise refusal(f"displacement of {name}", owner, f"must have {times.size} values, one per time", row.shape)
        found[labels.index(name)] = (times, row)
    return found


def _apart(hits: Array, starts: Array, both_ways: bool) -> float:
    """Return how far computed impacts are from measured ones; one where there are none."""
    spacing = float(np.diff(hits).mean()) if hits.size > 1 else float(hits[0])
    if not starts.size:
        return 1.0
    off = [np.abs(hits[:, None] - starts[None, :]).min(axis=1) / spacing]
    seen = starts[starts <= hits[-1] + 0.5 * spacing]
    if both_ways and seen.size:
        off.append(np.abs(seen[:, None] - hits[None, :]).min(axis=1) / spacing)
    return float(np.sqrt(np.mean(np.concatenate(off) ** 2)))
