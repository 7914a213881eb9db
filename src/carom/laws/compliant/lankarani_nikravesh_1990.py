"""Lankarani and Nikravesh's law, known in pounding as Hertzdamp."""

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
class LankaraniNikravesh1990(RateScaledDamping):
    """F = K δ^{3/2} + χ δ^{3/2} δ̇ with χ = 3(1−e²)/4 · K/v0.

    K [N/m^{3/2}]. Starts and ends at zero force, never pulls. Derived for e near 1: e = 0.6 asked gives 0.756.
    Muthukumar and DesRoches (2006) brought it to structural pounding under the name Hertzdamp.
    """

    name: ClassVar[str] = "lankarani-nikravesh-1990"
    title: ClassVar[str] = "Lankarani & Nikravesh 1990 (Hertzdamp)"
    aliases: ClassVar[tuple[str, ...]] = (
        "lankarani-nikravesh",
        "hertzdamp",
        "hertz-damp",
        "muthukumar-desroches-2006",
        "muthukumar-desroches",
    )
    n: ClassVar[float] = 1.5
    m: ClassVar[float] = 1.5
    intended_restitution: ClassVar[Range] = Range(0.7, 1.0, low_open=False, high_open=False)
    formula: ClassVar[str] = "F = K δ^{3/2} + χ δ^{3/2} δ̇"
    damping_formula: ClassVar[str] = "3(1−e²)/4 · K/v0"
    source: ClassVar[Source] = Source(
        reference="Lankarani H.M., Nikravesh P.E. (1990). A contact force model with hysteresis damping for impact "
        "analysis of multibody systems. J. Mech. Des. 112, 369-376.",
        equations="alves2015 Table 1; mahmoud2008 (6)",
        verified="alves2015 Table 4; first integral of the Hunt-Crossley form",
        notes=("mahmoud2008 (6) prints δ³ in the scan; δ^{3/2} is meant.",),
    )

    def damping_from_restitution(self, e: Number) -> Number:
        """Return d in χ = d·K/v0, mahmoud2008 (6)."""
        return 0.75 * (1.0 - e**2)
