"""Hunt and Crossley's law: damping weighted by the elastic force."""

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
class HuntCrossley1975(RateScaledDamping):
    """F = K δ^{3/2} + χ δ^{3/2} δ̇ with χ = 3(1−e)/2 · K/v0.

    K [N/m^{3/2}]. Starts and ends at zero force, never pulls. Derived for e near 1: below 0.7 it returns
    more than asked. Marhefka and Orin (1999) use the same law.
    """

    name: ClassVar[str] = "hunt-crossley-1975"
    title: ClassVar[str] = "Hunt & Crossley 1975"
    aliases: ClassVar[tuple[str, ...]] = (
        "hunt-crossley",
        "marhefka-orin-1999",
        "marhefka-orin",
    )
    n: ClassVar[float] = 1.5
    m: ClassVar[float] = 1.5
    intended_restitution: ClassVar[Range] = Range(0.7, 1.0, low_open=False, high_open=False)
    formula: ClassVar[str] = "F = K δ^{3/2} + χ δ^{3/2} δ̇"
    damping_formula: ClassVar[str] = "3(1−e)/2 · K/v0"
    source: ClassVar[Source] = Source(
        reference="Hunt K.H., Crossley F.R.E. (1975). Coefficient of restitution interpreted as damping in "
        "vibroimpact. J. Appl. Mech. 42, 440-445.",
        equations="alves2015 (5)-(6), Table 1",
        verified="alves2015 Table 4; first integral of the Hunt-Crossley form",
        notes=("alves2015 prints volume 7 for the journal; it is 42 (Series E).",),
    )

    def damping_from_restitution(self, e: Number) -> Number:
        """Return d in χ = d·K/v0, alves2015 Table 1."""
        return 1.5 * (1.0 - e)
