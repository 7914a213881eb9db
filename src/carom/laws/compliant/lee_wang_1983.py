"""Lee and Wang's damping for the Hunt-Crossley form: the least dissipative of them."""

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
class LeeWang1983(RateScaledDamping):
    """F = K δ^{3/2} + χ δ^{3/2} δ̇ with χ = 3(1−e)/4 · K/v0.

    K [N/m^{3/2}]. Starts and ends at zero force, never pulls. Half of Hunt and Crossley's χ: returns far more
    than asked for (e = 0.7 asked, 0.87 achieved).
    """

    name: ClassVar[str] = "lee-wang-1983"
    title: ClassVar[str] = "Lee & Wang 1983"
    aliases: ClassVar[tuple[str, ...]] = ("lee-wang",)
    n: ClassVar[float] = 1.5
    m: ClassVar[float] = 1.5
    intended_restitution: ClassVar[Range] = Range(0.7, 1.0, low_open=False, high_open=False)
    formula: ClassVar[str] = "F = K δ^{3/2} + χ δ^{3/2} δ̇"
    damping_formula: ClassVar[str] = "3(1−e)/4 · K/v0"
    source: ClassVar[Source] = Source(
        reference="Lee T.W., Wang A.C. (1983). On the dynamics of intermittent-motion mechanisms, part 1: "
        "dynamic model and response. J. Mech. Transm. Autom. Des. 105, 534-540.",
        equations="alves2015 Table 1",
        verified="alves2015 Table 4; first integral of the Hunt-Crossley form",
    )

    def damping_from_restitution(self, e: Number) -> Number:
        """Return d in χ = d·K/v0, alves2015 Table 1."""
        return 0.75 * (1.0 - e)
