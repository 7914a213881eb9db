"""Gonthier's and Zhang and Sharf's approximate damping for the Hunt-Crossley form."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from carom.citation import Source
from carom.laws.base import Number
from carom.laws.catalogue import register_law
from carom.laws.families import RateScaledDamping


@register_law
@dataclass(frozen=True, kw_only=True)
class Gonthier2004(RateScaledDamping):
    """F = K δ^{3/2} + χ δ^{3/2} δ̇ with χ = (1−e²)/e · K/v0.

    K [N/m^{3/2}]. Starts and ends at zero force, never pulls. Approximates the exact relation of
    `hunt-crossley-exact`, best for low e.
    """

    name: ClassVar[str] = "gonthier-2004"
    title: ClassVar[str] = "Gonthier et al. 2004, Zhang & Sharf 2004"
    aliases: ClassVar[tuple[str, ...]] = (
        "gonthier",
        "zhang-sharf-2004",
        "zhang-sharf",
    )
    n: ClassVar[float] = 1.5
    m: ClassVar[float] = 1.5
    formula: ClassVar[str] = "F = K δ^{3/2} + χ δ^{3/2} δ̇"
    damping_formula: ClassVar[str] = "(1−e²)/e · K/v0"
    source: ClassVar[Source] = Source(
        reference="Gonthier Y., McPhee J., Lange C., Piedbœuf J.-C. (2004). A regularized contact model with "
        "asymmetric damping and dwell-time dependent friction. Multibody Syst. Dyn. 11, 209-233.",
        equations="alves2015 Table 1",
        verified="alves2015 Table 4; first integral of the Hunt-Crossley form",
        notes=("alves2015 credits the exact solution to these authors and prints only this approximation.",),
    )

    def damping_from_restitution(self, e: Number) -> Number:
        """Return d in χ = d·K/v0, alves2015 Table 1."""
        return (1.0 - e**2) / e
