"""Mahmoud and Jankowski's linear law that damps the approach only."""

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
class MahmoudJankowski2011(MassScaledDamping):
    """F = K δ + c δ̇ while approaching, F = K δ while separating; c = 2ζ√(K m_eff).

    K [N/m], ζ = (1−e²)/(e(e(π−2)+2)) [-]. Never pulls; jumps at first touch and has a kink at δ̇ = 0.
    """

    name: ClassVar[str] = "mahmoud-jankowski-2011"
    title: ClassVar[str] = "Mahmoud & Jankowski 2011"
    aliases: ClassVar[tuple[str, ...]] = (
        "modified-kelvin-voigt",
        "modified-linear-viscoelastic",
        "mahmoud-jankowski",
        "mlve",
    )
    n: ClassVar[float] = 1.0
    m: ClassVar[float] = 0.0
    restitution_share: ClassVar[float] = 0.0
    formula: ClassVar[str] = "F = K δ + χ δ̇ (δ̇ > 0),  F = K δ (δ̇ ≤ 0)"
    damping_formula: ClassVar[str] = "2ζ√(K·m_eff), ζ = (1−e²)/(e(e(π−2)+2)), approach only"
    source: ClassVar[Source] = Source(
        reference="Mahmoud S., Jankowski R. (2011). Modified linear viscoelastic model of earthquake-induced "
        "structural pounding. Iranian J. Sci. Technol. 35(C1), 51-62.",
        equations="papi2022 (6)-(7); langlade2021 MLVE",
        verified="closed form of the damped and the free half oscillation",
    )

    def damping_from_restitution(self, e: Number) -> Number:
        """Return ζ, papi2022 (7)."""
        return (1.0 - e**2) / (e * (e * (np.pi - 2.0) + 2.0))
