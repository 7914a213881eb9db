"""Jankowski's nonlinear viscoelastic law of structural pounding: Hertz's spring, damped on approach."""

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
class Jankowski2005(MassScaledDamping):
    """F = K δ^{3/2} + c δ̇ while approaching, F = K δ^{3/2} while separating; c = 2ξ√(K√δ m_eff).

    K (the paper's β̄) [N/m^{3/2}], ξ = (9√5/2)(1−e²)/(e(e(9π−16)+16)) [-]. Never pulls; kink at δ̇ = 0, not
    Lipschitz at touch (δ^{1/4}). e = 0.6 asked gives 0.596.
    """

    name: ClassVar[str] = "jankowski-2005"
    title: ClassVar[str] = "Jankowski 2005 (nonlinear viscoelastic)"
    aliases: ClassVar[tuple[str, ...]] = (
        "jankowski",
        "jankowski-2006",
        "nonlinear-viscoelastic",
        "nlve",
    )
    n: ClassVar[float] = 1.5
    m: ClassVar[float] = 0.25
    restitution_share: ClassVar[float] = 0.0
    damping_symbol: ClassVar[str] = "ratio ξ in χ = 2ξ√(K·m_eff)"
    formula: ClassVar[str] = "F = K δ^{3/2} + χ δ^{1/4} δ̇ (δ̇ > 0),  F = K δ^{3/2} (δ̇ ≤ 0)"
    damping_formula: ClassVar[str] = "2ξ√(K·m_eff), ξ = (9√5/2)(1−e²)/(e(e(9π−16)+16)), approach only"
    source: ClassVar[Source] = Source(
        reference="Jankowski R. (2005). Non-linear viscoelastic modelling of earthquake-induced structural "
        "pounding. Earthquake Eng. Struct. Dyn. 34, 595-611; (2006) 35, 517-524.",
        equations="mahmoud2008 (8)-(10)",
        verified="ξ = 0.373 for e = 0.65 (langlade2021 Table 4); independent integration in the tests",
        notes=("alves2015 Table 1 prints m = 1; with c(t) of mahmoud2008 (9) the exponent is 1/4.",),
    )

    def damping_from_restitution(self, e: Number) -> Number:
        """Return ξ, mahmoud2008 (10)."""
        return 4.5 * np.sqrt(5.0) * (1.0 - e**2) / (e * (e * (9.0 * np.pi - 16.0) + 16.0))
