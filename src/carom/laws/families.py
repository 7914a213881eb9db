"""Where the damping of a law comes from: three families, which a published law joins by inheriting."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from carom.laws.base import PUBLISHED, Coefficients, DampedLaw, Number, parameter
from carom.units import NONNEGATIVE

__all__ = ["ConstantDamping", "MassScaledDamping", "RateScaledDamping"]


@dataclass(frozen=True, kw_only=True)
class RateScaledDamping(DampedLaw):
    """χ = d · K/v0: a number over the rate at first touch, so that e is the same at every speed (m = n)."""

    damping_symbol: ClassVar[str] = "d in χ = d·K/v0"

    damping: float | None = parameter("", "damping number d in χ = d·K/v0", within=NONNEGATIVE, default=None)

    def power_form(self, mass: Number) -> Coefficients:
        """Return the row of numbers that the kernels take; the mass does not enter."""
        return Coefficients(
            self.stiffness,
            self.n,
            self.damping_value() * self.stiffness,
            self.m,
            1.0,
            self.restitution_share,
            float(self.tension),
            float(self.v0 == PUBLISHED),
        )


@dataclass(frozen=True, kw_only=True)
class MassScaledDamping(DampedLaw):
    """χ = factor · ζ √(K m_eff): a damping ratio, as of an oscillator with the effective mass."""

    damping_symbol: ClassVar[str] = "ratio ζ in χ = 2ζ√(K·m_eff)"
    factor: ClassVar[float] = 2.0

    damping: float | None = parameter("", "damping ratio", within=NONNEGATIVE, default=None)

    def power_form(self, mass: Number) -> Coefficients:
        """Return the row of numbers that the kernels take, for an effective mass [kg]."""
        chi = self.factor * self.damping_value() * _root(self.stiffness * mass)
        return Coefficients(self.stiffness, self.n, chi, self.m, 0.0, self.restitution_share, float(self.tension), 0.0)


@dataclass(frozen=True, kw_only=True)
class ConstantDamping(DampedLaw):
    """χ given: a constant of the pair. Unless m = (n−1)/2 the achieved e then depends on the velocity."""

    damping_symbol: ClassVar[str] = "χ"

    damping: float | None = parameter("damping", "damping constant χ", within=NONNEGATIVE, default=None)

    def power_form(self, mass: Number) -> Coefficients:
        """Return the row of numbers that the kernels take; the mass does not enter."""
        chi = self.damping_value()
        return Coefficients(self.stiffness, self.n, chi, self.m, 0.0, self.restitution_share, float(self.tension), 0.0)

    def unit_of(self, name: str) -> str:
        """Return the SI unit of a parameter; χ has N·s/m^(m+1)."""
        return f"N*s/m^{self.m + 1:g}" if name == "damping" else super().unit_of(name)


def _root(x: Number) -> Number:
    return math.sqrt(x) if isinstance(x, float) else np.sqrt(x)
