"""Flores's damping for the Hunt-Crossley form; Ye, Li and Zhu's Hertzian law of 2009."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from carom.citation import Source
from carom.laws.base import Number
from carom.laws.catalogue import register_law
from carom.laws.families import RateScaledDamping


@register_law
@dataclass(frozen=True, kw_only=True)
class Flores2011(RateScaledDamping):
    """F = K δ^{3/2} + χ δ^{3/2} δ̇ with χ = 8(1−e)/(5e) · K/v0.

    K [N/m^{3/2}]. Starts and ends at zero force, never pulls. Within 0.05 of e over the whole range. Ye, Li and Zhu
    (2009, Earthquake Eng. Struct. Dyn. 38, 1135-1142) published the same relation for pounding.
    """

    name: ClassVar[str] = "flores-2011"
    title: ClassVar[str] = "Flores et al. 2011"
    aliases: ClassVar[tuple[str, ...]] = (
        "flores",
        "ye-hertz-2009",
        "ye-hertzdamp-2009",
        "modified-hertzdamp",
        "hdnl",
    )
    n: ClassVar[float] = 1.5
    m: ClassVar[float] = 1.5
    formula: ClassVar[str] = "F = K δ^{3/2} + χ δ^{3/2} δ̇"
    damping_formula: ClassVar[str] = "8(1−e)/(5e) · K/v0"
    source: ClassVar[Source] = Source(
        reference="Flores P., Machado M., Silva M.T., Martins J.M. (2011). On the continuous contact force models for "
        "soft materials in multibody dynamics. Multibody Syst. Dyn. 25, 357-375.",
        equations="alves2015 Table 1; langlade2021 Table 1 (HDNL)",
        verified="alves2015 Table 4; first integral of the Hunt-Crossley form",
        notes=("langlade2021 Table 1 lacks δ^{3/2} in the damping term of HDNL.",),
    )

    def damping_from_restitution(self, e: Number) -> Number:
        """Return d in χ = d·K/v0, alves2015 Table 1."""
        return 1.6 * (1.0 - e) / e
