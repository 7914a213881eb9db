"""What one mass on one spring shares, whatever its parameters are called."""

from __future__ import annotations

import numpy as np

from carom.structures.base import LinearStructure
from carom.structures.matrices import Array, frozen

__all__ = ["OneMass"]


class OneMass(LinearStructure):
    """A structure with one displacement, x."""

    mass: float
    stiffness: float

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
