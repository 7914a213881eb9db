"""What is possible but unlikely in a problem: a damping ratio of 5, a gap of 30 m, floors of 250 kg.

A number far outside what structures usually have was most often written in another unit. Nothing is refused here: each
finding is a sentence that says what the number was taken for, what is usual and what may have been meant. `USUAL` is
all there is to know; the rest reads it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from carom.laws.base import FunctionLaw
from carom.structures import ShearBuilding, TorsionalBuilding
from carom.units import standard_gravity

if TYPE_CHECKING:
    from carom.motions.motion import Motion
    from carom.problem.problem import Problem

__all__ = ["USUAL", "Unit", "Usual", "unlikely", "unlikely_intensity", "unlikely_step"]


@dataclass(frozen=True)
class Unit:
    """A unit and what one of it is in SI."""

    name: str
    factor: float

    def told(self, value: float) -> str:
        """Return a value in SI in this unit."""
        return f"{_plain(value / self.factor)} {self.name}".rstrip()


@dataclass(frozen=True)
class Usual:
    """Between which values a quantity usually lies."""

    quantity: str
    low: float
    """[SI]."""
    high: float
    """[SI]."""
    unit: str
    """SI unit in which a plain number is taken."""
    told_in: Unit
    """Unit in which engineers speak of it."""
    slips: tuple[Unit, ...] = ()
    """Units that may have been meant by a plain number, likeliest first."""
    hint: str = ""
    """What to look at where none of them makes the number usual."""

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high

    def distance(self, value: float) -> float:
        """Return how far outside a value lies, as a ratio to the nearer end; 1 inside."""
        if value > self.high:
            return value / self.high
        return self.low / value if 0.0 < value < self.low else 1.0

    def caution(self, where: str, value: float) -> str:
        """Return the sentence about a value outside."""
        taken = Unit(self.unit, 1.0).told(value)
        also = "" if self.told_in.factor == 1.0 else f" ({self.told_in.told(value)})"
        low, high = _plain(self.low / self.told_in.factor), self.told_in.told(self.high)
        meant = next((unit for unit in self.slips if value * unit.factor in self), None)
        question = self.hint if meant is None else f"Did you mean {Unit(meant.name, 1.0).told(value)}?"
        return f"Unlikely: {self.quantity} of {where} is {taken}{also}; usual are {low} to {high}. {question}".rstrip()


USUAL: Mapping[str, Usual] = {
    "damping_ratio": Usual(
        "damping ratio", 0.0, 0.3, "", Unit("%", 0.01), (Unit("%", 0.01),),
        "Dampers and isolators reach such values, buildings do not.",
    ),
    "floor_mass": Usual(
        "floor mass", 5e3, 1e7, "kg", Unit("t", 1e3), (Unit("t", 1e3),),
        "A plain number is taken in kg.",
    ),
    "period": Usual(
        "fundamental period", 0.03, 10.0, "s", Unit("s", 1.0), (),
        "Are masses and stiffnesses in the units that were meant?",
    ),
    "storey_height": Usual(
        "storey height", 1.5, 15.0, "m", Unit("m", 1.0), (Unit("mm", 1e-3), Unit("cm", 1e-2)),
        "A plain number is taken in m.",
    ),
    "yield_drift": Usual(
        "yield drift", 5e-4, 0.5, "m", Unit("mm", 1e-3), (Unit("mm", 1e-3), Unit("cm", 1e-2)),
        "A plain number is taken in m.",
    ),
    "gap": Usual(
        "gap", 0.0, 1.0, "m", Unit("m", 1.0), (Unit("mm", 1e-3), Unit("cm", 1e-2)),
        "A plain number is taken in m.",
    ),
    "stiffness": Usual(
        "contact stiffness", 1e6, 1e11, "N/m", Unit("N/m", 1.0), (Unit("kN/mm", 1e6), Unit("kN/m", 1e3)),
        "`carom advise` estimates one.",
    ),
    "curved_stiffness": Usual(
        "contact stiffness", 1e7, 1e12, "N/m^1.5", Unit("N/m^1.5", 1.0), (Unit("kN/m^1.5", 1e3),),
        "`carom advise` estimates one.",
    ),
    "pga": Usual(
        "peak ground acceleration", 0.05 * standard_gravity, 2.0 * standard_gravity, "m/s²",
        Unit("g", standard_gravity), (Unit("g", standard_gravity), Unit("cm/s²", 1e-2)),
        "A plain number is taken in m/s².",
    ),
    "time_step": Usual(
        "time step", 1e-5, 0.1, "s", Unit("s", 1.0), (Unit("ms", 1e-3),), "A plain number is taken in s."
    ),
}  # fmt: skip
"""By quantity: what is usual for buildings and bridges at full scale; models in a laboratory may lie outside."""


BUILDINGS = (ShearBuilding, TorsionalBuilding)
"""What has floor masses and heights, and is expected to be damped."""


def unlikely(problem: Problem) -> Iterator[str]:
    """Yield a sentence for each quantity of a problem that is possible but unlikely; of several values the worst."""
    found: dict[str, list[tuple[str, float]]] = {name: [] for name in USUAL}
    for name, where, value in (*_of_structures(problem), *_of_contacts(problem), *_of_motions(problem)):
        if math.isfinite(value) and value not in USUAL[name]:
            found[name].append((where, value))
    for name, outside in found.items():
        if outside:
            where, value = max(outside, key=lambda one: USUAL[name].distance(one[1]))
            yield USUAL[name].caution(where + _more(outside), value)
    undamped = [f"'{one.name}'" for one in problem.structures if isinstance(one, BUILDINGS) and _undamped(one)]
    if undamped:
        yield f"Unlikely: {', '.join(undamped)} without damping; buildings have some 2 to 5 %. Give `damping_ratio`."


def _undamped(building: ShearBuilding | TorsionalBuilding) -> bool:
    """Whether nothing is said of a building's damping; a ratio of 0 was asked for."""
    return building.damping_ratio is None and building.damping is None


def unlikely_intensity(pga: float) -> tuple[str, ...]:
    """Return a sentence about the peak acceleration [m/s²] of the strongest of many motions, where it is unlikely."""
    return () if pga in USUAL["pga"] else (USUAL["pga"].caution("the strongest motion", pga),)


def unlikely_step(motions: Iterable[Motion]) -> tuple[str, ...]:
    """Return a sentence about time steps that are unlikely, of motions as they were read; of several the worst."""
    usual = USUAL["time_step"]
    outside = [(f"'{motion.name}'", motion.dt) for motion in motions if motion.dt not in usual]
    if not outside:
        return ()
    where, step = max(outside, key=lambda one: usual.distance(one[1]))
    return (usual.caution(where + _more(outside), step),)


def _plain(value: float) -> str:
    """Return a number as engineers write it: 10000, 0.041, 5e15."""
    digits = 2 if 0.0 < abs(value) < 0.1 else 6
    return f"{value:.{digits}g}".replace("e+0", "e").replace("e+", "e")


def _more(outside: list[tuple[str, float]]) -> str:
    return f" (and {len(outside) - 1} more)" if len(outside) > 1 else ""


Found = Iterator[tuple[str, str, float]]
"""A quantity of `USUAL`, where it is, and its value [SI]."""


def _of_structures(problem: Problem) -> Found:
    for structure in problem.structures:
        modes = structure.modes() if structure.massive else None
        if modes is None or not modes.omega.size or modes.omega[0] <= 0.0:
            continue  # a body, a wall: nothing of it is usual
        where = f"'{structure.name}'"
        for ratio in _numbers(getattr(structure, "damping_ratio", None), modes.sigma[0] / modes.omega[0]):
            yield "damping_ratio", where, ratio
        yield "period", where, 2.0 * math.pi / float(modes.omega[0])
        springs = getattr(structure, "storeys", None) or (getattr(structure, "spring", None),)
        for storey, spring in enumerate(springs, 1):
            for drift in _numbers(getattr(spring, "yield_drift", None)):
                yield "yield_drift", f"{where}, storey {storey}", drift
        if isinstance(structure, BUILDINGS):
            for floor, mass in enumerate(structure.masses, 1):
                yield "floor_mass", f"{where}, floor {floor}", mass
            for storey, height in enumerate(_rises(structure.heights or ()), 1):
                yield "storey_height", f"{where}, storey {storey}", height


def _of_contacts(problem: Problem) -> Found:
    for label, contact in zip(problem.flat().contact_labels, problem.pairs, strict=True):
        yield "gap", f"'{label}'", max(contact.gap, 0.0)  # a negative one was asked for by name
        written_out = isinstance(contact.law, FunctionLaw)  # whose stiffness is a factor, 1 unless it is given
        exponent = None if written_out else getattr(contact.law, "n", None)
        name = {1.0: "stiffness", 1.5: "curved_stiffness"}.get(exponent or 0.0)
        if name is not None:
            for stiffness in _numbers(getattr(contact.law, "stiffness", None)):
                yield name, f"'{label}'", stiffness


def _of_motions(problem: Problem) -> Found:
    for motion in dict.fromkeys(motion for support in problem.supports for motion in support.motions):
        if motion.pga > 0.0:
            where = f"'{motion.name}'" if motion.name else "the motion"
            yield "pga", where, motion.pga
            yield "time_step", where, motion.dt


def _numbers(given: Any, instead: float | None = None) -> tuple[float, ...]:
    """Return one number or several as floats; where none is given, another that says the same."""
    if given is None:
        return () if instead is None else (float(instead),)
    return tuple(float(one) for one in given) if hasattr(given, "__len__") else (float(given),)


def _rises(heights: Iterable[float]) -> Iterator[float]:
    below = 0.0
    for height in heights:
        yield height - below
        below = height
