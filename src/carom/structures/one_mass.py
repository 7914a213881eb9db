"""What one mass on one spring shares, whatever its parameters are called."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from carom.structures.base import LinearStructure
from carom.structures.matrices import Array, frozen
from carom.structures.points import Location, location_along_x
from carom.structures.stacked import StackedModes

__all__ = ["OneMass", "stacked_masses", "stacked_viscous"]


class OneMass(LinearStructure):
    """A structure with one displacement, x."""

    mass: float
    stiffness: float
    line: ClassVar[bool] = True

    @property
    def dof_names(self) -> tuple[str, ...]:
        """The one displacement, x."""
        return ("x",)

    @property
    def floors(self) -> int:
        """One, for pairing by `carom.facing`."""
        return 1

    @property
    def mass_matrix(self) -> Array:
        """M [kg], shape (1, 1)."""
        return frozen(np.array([[self.mass]]))

    @property
    def stiffness_matrix(self) -> Array:
        """K [N/m], shape (1, 1)."""
        return frozen(np.array([[self.stiffness]]))

    def mobility(self, row: Array) -> float:
        """Return r²/m [1/kg]."""
        return float(row[0]) ** 2 / self.mass

    def location(self, place: object = None) -> Location | None:
        """Return the mass, whether it is named (floor 1, or x) or not; weights are no point."""
        return None if isinstance(place, Mapping) else location_along_x(self.row(place))


def stacked_masses(mass: Array, omega: Array, sigma: Array, load: Array | None = None) -> StackedModes:
    """Return the modes of many structures of one mass each; all arguments of shape (S,)."""
    shapes = (1.0 / np.sqrt(mass))[:, None, None]
    forces = np.zeros_like(mass) if load is None else load
    return StackedModes(omega[:, None], shapes, sigma[:, None], mass[:, None], forces[:, None])


def stacked_viscous(mass: Array, damping: Array) -> Array:
    """Return σ = c/2m [1/s] of many dashpots c [N·s/m] beside masses [kg], shape (S,)."""
    shape = 1.0 / np.sqrt(mass)
    found: Array = 0.5 * (shape * damping * shape)
    return found
