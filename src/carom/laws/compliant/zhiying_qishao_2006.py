"""Zhiying and Qishao's damping for the Hunt-Crossley form."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from carom.citation import Source
from carom.laws.base import Number
from carom.laws.catalogue import register_law
from carom.laws.families import RateScaledDamping
from carom.units import Range


@register_law
@dataclass(frozen=True, kw_only=True)
class ZhiyingQishao2006(RateScaledDamping):
    """F = K δ^{3/2} + χ δ^{3/2} δ̇ with χ = 3(1−e²)exp(2(1−e))/4 · K/v0.

    K [N/m^{3/2}]. Starts and ends at zero force, never pulls. Close to the exact relation for e above 0.5.
    """

    name: ClassVar[str] = "zhiying-qishao-2006"
    title: ClassVar[str] = "Zhiying & Qishao 2006"
    aliases: ClassVar[tuple[str, ...]] = ("zhiying-qishao",)
    n: ClassVar[float] = 1.5
    m: ClassVar[float] = 1.5
    intended_restitution: ClassVar[Range] = Range(0.5, 1.0, low_open=False, high_open=False)
    formula: ClassVar[str] = "F = K δ^{3/2} + χ δ^{3/2} δ̇"
    damping_formula: ClassVar[str] = "3(1−e²)exp(2(1−e))/4 · K/v0"
    source: ClassVar[Source] = Source(
        reference="Zhiying Q., Qishao L. (2006). Analysis of impact process based on restitution coefficient. "
        "J. Dyn. Control 4, 294-298.",
        equations="alves2015 Table 1",
        verified="alves2015 Table 4; first integral of the Hunt-Crossley form",
    )

    def damping_from_restitution(self, e: Number) -> Number:
        """Return d in χ = d·K/v0, alves2015 Table 1."""
        return 0.75 * (1.0 - e**2) * np.exp(2.0 * (1.0 - e))
