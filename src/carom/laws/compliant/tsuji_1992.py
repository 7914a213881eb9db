"""Tsuji's law from pneumatic conveying: Hertz's spring with a damping that keeps e constant."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from carom.citation import Source
from carom.laws.base import Number
from carom.laws.catalogue import register_law
from carom.laws.families import MassScaledDamping


@register_law
@dataclass(frozen=True, kw_only=True)
class Tsuji1992(MassScaledDamping):
    """F = K δ^{3/2} + α√(K m_eff) δ^{1/4} δ̇ with α = −√5 ln e/√(π² + ln² e).

    K [N/m^{3/2}], α [-]. m = (n−1)/2 makes e independent of the velocity; the relation of Antypov and Elliott
    (2011) is exact: achieved e = e. Pulls just before separation; not Lipschitz at touch (δ^{1/4}). α ≥ √5
    never separates.
    """

    name: ClassVar[str] = "tsuji-1992"
    title: ClassVar[str] = "Tsuji et al. 1992"
    aliases: ClassVar[tuple[str, ...]] = ("tsuji", "antypov-elliott-2011")
    n: ClassVar[float] = 1.5
    m: ClassVar[float] = 0.25
    factor: ClassVar[float] = 1.0
    damping_symbol: ClassVar[str] = "α in χ = α√(K·m_eff)"
    formula: ClassVar[str] = "F = K δ^{3/2} + χ δ^{1/4} δ̇"
    damping_formula: ClassVar[str] = "α√(K·m_eff), α = −√5·ln(e)/√(π²+ln²e)"
    source: ClassVar[Source] = Source(
        reference="Tsuji Y., Tanaka T., Ishida T. (1992). Lagrangian numerical simulation of plug flow of "
        "cohesionless particles in a horizontal pipe. Powder Technol. 71, 239-250; Antypov D., Elliott J.A. (2011). "
        "On an analytical solution for the damped Hertzian spring. EPL 94, 50004.",
        equations="alves2015 Table 1",
        verified="closed form of Antypov and Elliott: achieved e = e to 2e-10",
        notes=("alves2015 Table 1 prints δ^{1/2} in the force though its own column says m = 1/4.",),
    )

    def damping_from_restitution(self, e: Number) -> Number:
        """Return α, Antypov and Elliott (2011)."""
        return -np.sqrt(5.0) * np.log(e) / np.sqrt(np.pi**2 + np.log(e) ** 2)
