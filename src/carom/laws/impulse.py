"""The contract of an impulsive law: bodies that are rigid where they meet, and what restitution they have.

An impact takes no time. The impulse p ≥ 0 follows from the velocities before it and from a hypothesis on how they are
restored; a law says which hypothesis, and its coefficient e: a number, a table over the approach velocity, or a
function of it. The arithmetic lives in `carom.kernels.rigid.impulses.impulses`.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Self, TypeAlias

import numpy as np
import numpy.typing as npt

from carom.citation import Source
from carom.errors import refusal
from carom.kernels.rigid.impulses import impulses
from carom.units import NONNEGATIVE, Range, array, number

__all__ = ["ImpulsiveLaw", "Restitution"]

Restitution: TypeAlias = float | str | Callable[[float], float] | tuple[tuple[float, float], ...]
"""e, or how it depends on the approach velocity [m/s]: pairs (velocity, e), or a function."""

ADMISSIBLE = Range(0.0, 1.0, low_open=False, high_open=False)
SPEEDS = np.concatenate([[0.0], np.geomspace(1e-6, 1e2, 4000)])
"""Velocities [m/s] at which a function is tabulated; between them e is a straight line, beyond them constant."""


@dataclass(frozen=True, kw_only=True)
class ImpulsiveLaw:
    """An impulse that depends on the velocities before it."""

    name: ClassVar[str]
    title: ClassVar[str]
    aliases: ClassVar[tuple[str, ...]] = ()
    formula: ClassVar[str]
    source: ClassVar[Source]
    hypothesis: ClassVar[int]
    """Which of `carom.kernels.rigid.impulses.impulses` it is."""
    many: ClassVar[bool] = False

    restitution: Restitution
    """Coefficient of restitution e, 0 ≤ e ≤ 1."""
    friction: float = 0.0
    """Coulomb's coefficient of friction μ [–], ≥ 0; needs a contact with a `tangent`."""

    def __post_init__(self) -> None:
        mu = number(self.friction, "", name="friction", owner=self.name, within=NONNEGATIVE)
        object.__setattr__(self, "friction", mu)
        given: Any = self.restitution
        if callable(given):
            values = np.array([self._checked(given(float(speed))) for speed in SPEEDS])
            table = np.stack([SPEEDS, values], axis=1)
        elif isinstance(given, (list, tuple, np.ndarray)):
            table = self._table(given)
            object.__setattr__(self, "restitution", tuple((float(v), float(e)) for v, e in table))
        else:
            object.__setattr__(self, "restitution", self._checked(given))
            table = np.array([[0.0, self.restitution]])
        object.__setattr__(self, "_row", np.concatenate(([float(len(table))], table.ravel())))

    def at(self, velocity: float) -> float:
        """Return e at an approach velocity [m/s]."""
        return float(impulses.restitution_at(self._row, float(velocity)))  # type: ignore[attr-defined]

    def packed(self) -> npt.NDArray[np.float64]:
        """Return e as kernels take it: how many pairs, then velocity and e of each."""
        row: npt.NDArray[np.float64] = self._row  # type: ignore[attr-defined]
        return row

    def replace(self, **changes: Any) -> Self:
        """Return a copy with some parameters changed."""
        return dataclasses.replace(self, **changes)

    def _checked(self, value: object) -> float:
        way_out = "Use 1 for a perfectly elastic impact, 0 for a plastic one."
        return number(value, "", name="restitution", owner=self.name, within=ADMISSIBLE, way_out=way_out)

    def _table(self, given: Any) -> npt.NDArray[np.float64]:
        table = array(given, "", name="restitution", owner=self.name)
        if table.ndim != 2 or table.shape[1] != 2 or not len(table):
            raise refusal(
                "restitution", self.name,
                "must be a number, a function of the approach velocity or pairs (velocity, e)", given,
                "Write [(0.0, 0.8), (0.5, 0.6)], in m/s.",
            )  # fmt: skip
        for speed, e in table:
            number(float(speed), "m/s", name="velocity", owner=self.name, within=NONNEGATIVE)
            self._checked(float(e))
        if np.any(np.diff(table[:, 0]) <= 0.0) or not math.isfinite(float(table.sum())):
            raise refusal("restitution", self.name, "must be given at rising velocities", given)
        return table
