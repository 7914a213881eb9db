"""Ye, Li and Zhu's modified Kelvin law: the dashpot grows with the overlap."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from carom.citation import Source
from carom.laws.base import Number
from carom.laws.catalogue import register_law
from carom.laws.families import RateScaledDamping


@register_law
@dataclass(frozen=True, kw_only=True)
class Ye2009(RateScaledDamping):
    """F = K δ + χ δ δ̇ with χ = 3(1−e)/(2e) · K/v0.

    K [N/m]. Starts and ends at zero force, never pulls. Asked and achieved e agree near 1 only. Not to be
    confused with the Hertzian law of the same authors and year, which is `flores-2011` here.
    """

    name: ClassVar[str] = "ye-2009"
    title: ClassVar[str] = "Ye, Li & Zhu 2009 (modified Kelvin)"
    aliases: ClassVar[tuple[str, ...]] = ("ye-li-2009", "modified-kelvin", "ye-kelvin-2009")
    n: ClassVar[float] = 1.0
    m: ClassVar[float] = 1.0
    formula: ClassVar[str] = "F = K δ + χ δ δ̇"
    damping_formula: ClassVar[str] = "3(1−e)/(2e) · K/v0"
    source: ClassVar[Source] = Source(
        reference="Ye K., Li L. (2009). Impact analytical models for earthquake-induced pounding simulation. "
        "Frontiers Archit. Civ. Eng. China 3(2), 142-147; Ye K., Li L., Zhu H. (2009). A modified Kelvin impact model "
        "for pounding simulation of base-isolated building with adjacent structures. Earthq. Eng. Eng. Vib. 8(3), "
        "433-446.",
        equations="papi2022 (8)-(10)",
        verified="first integral of the Hunt-Crossley form with n = 1; papi2022 Table 2",
    )

    def damping_from_restitution(self, e: Number) -> Number:
        """Return d in χ = d·K/v0, papi2022 (10)."""
        return 1.5 * (1.0 - e) / e
