"""Bordbar and Hyppänen's law for spheres of several sizes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from carom.citation import Source
from carom.laws.catalogue import register_law
from carom.laws.families import ConstantDamping


@register_law
@dataclass(frozen=True, kw_only=True)
class BordbarHyppanen2007(ConstantDamping):
    """F = K δ^{3/2} + χ δ^{0.65} δ̇ with χ given.

    K [N/m^{3/2}], χ [N·s/m^{1.65}], empirical. The achieved restitution depends on the velocity: calibrate at
    the velocity of interest. Pulls just before separation.
    """

    name: ClassVar[str] = "bordbar-hyppanen-2007"
    title: ClassVar[str] = "Bordbar & Hyppänen 2007, Schwager & Pöschel 1998"
    aliases: ClassVar[tuple[str, ...]] = (
        "bordbar-hyppanen",
        "schwager-poschel-1998",
        "schwager-poeschel-1998",
        "schwager-poschel",
    )
    n: ClassVar[float] = 1.5
    m: ClassVar[float] = 0.65
    formula: ClassVar[str] = "F = K δ^{3/2} + χ δ^{0.65} δ̇"
    damping_formula: ClassVar[str] = "empirical, given"
    source: ClassVar[Source] = Source(
        reference="Bordbar M.H., Hyppänen T. (2007). Modeling of binary collision between multisize viscoelastic "
        "spheres. J. Numer. Anal. Ind. Appl. Math. 2, 115-128; Schwager T., Pöschel T. (1998). Phys. Rev. E 57, "
        "650-654.",
        equations="alves2015 Table 1",
        verified="independent integration in the tests",
    )
