"""Ristow's law from granular flow: a dashpot proportional to the overlap."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from carom.citation import Source
from carom.laws.catalogue import register_law
from carom.laws.families import ConstantDamping


@register_law
@dataclass(frozen=True, kw_only=True)
class Ristow1992(ConstantDamping):
    """F = K δ^{3/2} + χ δ δ̇ with χ given.

    K [N/m^{3/2}], χ [N·s/m²], empirical. The achieved restitution depends on the velocity (for one χ it runs
    from 0.85 to 0.16 over 0.05-5 m/s): calibrate at the velocity of interest. Pulls just before separation.
    """

    name: ClassVar[str] = "ristow-1992"
    title: ClassVar[str] = "Ristow 1992, Schäfer et al. 1996"
    aliases: ClassVar[tuple[str, ...]] = ("ristow", "schafer-1996", "schaefer-1996", "shafer-1996")
    n: ClassVar[float] = 1.5
    m: ClassVar[float] = 1.0
    formula: ClassVar[str] = "F = K δ^{3/2} + χ δ δ̇"
    damping_formula: ClassVar[str] = "empirical, given"
    source: ClassVar[Source] = Source(
        reference="Ristow G.H. (1992). Simulating granular flow with molecular dynamics. J. Phys. I France 2, "
        "649-662; Schäfer J., Dippel S., Wolf D.E. (1996) 6, 5-20.",
        equations="alves2015 Table 1",
        verified="independent integration in the tests",
    )
