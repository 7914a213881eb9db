"""Structures whose damping is chosen by a ratio, a rule or a matrix."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from carom.structures.base import LinearStructure
from carom.structures.damping import Damping, Ratios, Viscous, damping_from
from carom.structures.matrices import Array, frozen

__all__ = ["Damped"]


class Damped(LinearStructure):
    """A structure whose damping is chosen: by `damping_ratio`, or by `damping`."""

    damping_ratio: Any
    damping: Any

    def _take_damping(self, dofs: int) -> None:
        """Check the choice and keep it in plain form: a matrix read-only, ratios as numbers."""
        resolved = self.__dict__["_resolved"] = damping_from(self.damping_ratio, self.damping, dofs, self.owner)
        if isinstance(resolved, Viscous):
            object.__setattr__(self, "damping", frozen(resolved.matrix))
        elif isinstance(resolved, Ratios) and self.damping_ratio is not None:
            values = resolved.values
            object.__setattr__(self, "damping_ratio", values[0] if len(values) == 1 else values)

    @cached_property
    def _resolved(self) -> Damping | Viscous:
        """The choice as it was understood; a copy that came from elsewhere finds out again."""
        return damping_from(self.damping_ratio, self.damping, len(self.dof_names), self.owner)

    def _damping(self) -> Damping | Viscous:
        return self._resolved

    def _stacked_rates(self, omega: Array, ratios: Array | None) -> Array | None:
        """Return σ [1/s] of many such structures, shape (S, modes), some with ratios; None where C is a matrix."""
        if ratios is not None:
            found: Array = ratios.reshape(len(omega), -1) * omega
            return found
        return None if isinstance(self._resolved, Viscous) else self._resolved.stacked_rates(omega, self.owner)
