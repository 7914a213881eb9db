"""Herbert and McWhannell's damping for the Hunt-Crossley form."""

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
class HerbertMcWhannell1977(RateScaledDamping):
    """F = K δ^{3/2} + χ δ^{3/2} δ̇ with χ = 6(1−e)/((2e−1)²+3) · K/v0.

    K [N/m^{3/2}]. Starts and ends at zero force, never pulls. χ stays bounded as e → 0, so that plastic
    impacts cannot be asked for.
    """

    name: ClassVar[str] = "herbert-mcwhannell-1977"
    title: ClassVar[str] = "Herbert & McWhannell 1977"
    aliases: ClassVar[tuple[str, ...]] = ("herbert-mcwhannell",)
    n: ClassVar[float] = 1.5
    m: ClassVar[float] = 1.5
    intended_restitution: ClassVar[Range] = Range(0.7, 1.0, low_open=False, high_open=False)
    formula: ClassVar[str] = "F = K δ^{3/2} + χ δ^{3/2} δ̇"
    damping_formula: ClassVar[str] = "6(1−e)/((2e−1)²+3) · K/v0"
    source: ClassVar[Source] = Source(
        reference="Herbert R.G., McWhannell D.C. (1977). Shape and frequency composition of pulses from an impact "
        "pair. J. Eng. Ind. 99, 513-518.",
        equations="alves2015 Table 1",
        verified="alves2015 Table 4; first integral of the Hunt-Crossley form",
    )

    def damping_from_restitution(self, e: Number) -> Number:
        """Return d in χ = d·K/v0, alves2015 Table 1."""
        return 6.0 * (1.0 - e) / ((2.0 * e - 1.0) ** 2 + 3.0)
