"""A free mass: a ball, a girder on bearings."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from carom.structures.damping import Viscous
from carom.structures.matrices import Array, frozen
from carom.structures.one_mass import OneMass, stacked_masses, stacked_viscous
from carom.structures.stacked import StackedModes
from carom.units import ANY, NONNEGATIVE, POSITIVE, number

__all__ = ["Body"]

_FIELDS = {
    "mass": ("kg", POSITIVE),
    "stiffness": ("N/m", NONNEGATIVE),
    "damping": ("N*s/m", NONNEGATIVE),
    "gravity": ("m/s^2", ANY),
}
"""Numbers that a body has: unit and range."""


@dataclass(frozen=True, eq=False)
class Body(OneMass):
    """A rigid body with a bearing, or none: m ü + c u̇ + k u = −m a_g + m g.

    `gravity` is a constant acceleration of its own along +x. A ball that falls on the ground is a body on
    the left of it: ``Contact("ball", "ground", gap="1 m", …)`` with ``gravity=9.81``.
    """

    mass: float
    """m [kg], > 0."""
    stiffness: float = 0.0
    """k [N/m] of its bearing, ≥ 0."""
    damping: float = 0.0
    """c [N·s/m] of its bearing, ≥ 0."""
    gravity: float = 0.0
    """g [m/s²], along +x."""
    name: str = ""

    def __post_init__(self) -> None:
        self._take_name()
        for name, (unit, within) in _FIELDS.items():
            value = number(getattr(self, name), unit, name=name, owner=self.owner, within=within)
            object.__setattr__(self, name, value)

    @property
    def load(self) -> Array:
        """The weight m g [N], shape (1,)."""
        return frozen(np.array([self.mass * self.gravity]))

    def stacked(self, count: int, changes: Mapping[str, Sequence[Any]]) -> StackedModes | None:
        """Return the modes of many such bodies."""
        numbers = self._taken(changes, {name: within for name, (_, within) in _FIELDS.items()})
        if numbers is None or any(values.ndim > 1 for values in numbers.values()):
            return None
        mass, stiffness, damping, gravity = (
            numbers.get(name, np.full(count, getattr(self, name)))
            for name in ("mass", "stiffness", "damping", "gravity")
        )
        return stacked_masses(mass, np.sqrt(stiffness / mass), stacked_viscous(mass, damping), mass * gravity)

    def _damping(self) -> Viscous:
        return Viscous(np.array([[self.damping]]))

    def _eigen(self) -> tuple[Array, Array]:
        return np.array([math.sqrt(self.stiffness / self.mass)]), np.array([[1.0 / math.sqrt(self.mass)]])
