"""Gharib and Hurmuzlu's damping for nearly plastic impacts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from carom.citation import Source
from carom.laws.base import Number
from carom.laws.catalogue import register_law
from carom.laws.families import RateScaledDamping
from carom.units import Range


@register_law
@dataclass(frozen=True, kw_only=True)
class GharibHurmuzlu2012(RateScaledDamping):
    """F = K δ^{3/2} + χ δ^{3/2} δ̇ with χ = 1/e · K/v0.

    K [N/m^{3/2}]. Starts and ends at zero force, never pulls. The limit of the exact relation for e → 0; at
    e = 1 it still dissipates (0.59 achieved).
    """

    name: ClassVar[str] = "gharib-hurmuzlu-2012"
    title: ClassVar[str] = "Gharib & Hurmuzlu 2012"
    aliases: ClassVar[tuple[str, ...]] = ("gharib-hurmuzlu",)
    n: ClassVar[float] = 1.5
    m: ClassVar[float] = 1.5
    intended_restitution: ClassVar[Range] = Range(0.0, 0.5, high_open=False)
    formula: ClassVar[str] = "F = K δ^{3/2} + χ δ^{3/2} δ̇"
    damping_formula: ClassVar[str] = "1/e · K/v0"
    source: ClassVar[Source] = Source(
        reference="Gharib M., Hurmuzlu Y. (2012). A new contact force model for low coefficient of restitution impact. "
        "J. Appl. Mech. 79(6), 064506.",
        equations="alves2015 Table 1",
        verified="first integral of the Hunt-Crossley form",
        notes=("alves2015 leaves it out of Table 4, since it is meant for low e.",),
    )

    def damping_from_restitution(self, e: Number) -> Number:
        """Return d in χ = d·K/v0, alves2015 Table 1."""
        return 1.0 / e
