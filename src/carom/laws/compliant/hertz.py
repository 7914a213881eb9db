"""Hertz's law: the elastic contact of curved bodies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from carom.citation import Source
from carom.laws.base import CompliantLaw
from carom.laws.catalogue import register_law


@register_law
@dataclass(frozen=True, kw_only=True)
class Hertz(CompliantLaw):
    """F = K δ^{3/2}.

    K [N/m^{3/2}] follows from radii and materials (`carom.stiffness.spheres`). Elastic: e = 1 always. Valid
    while the rate stays well below 1e-5 √(E/ρ) and the force below first yield (alves2015 section 4).
    """

    name: ClassVar[str] = "hertz"
    title: ClassVar[str] = "Hertz 1881"
    aliases: ClassVar[tuple[str, ...]] = ("hertz-1881",)
    n: ClassVar[float] = 1.5
    formula: ClassVar[str] = "F = K δ^{3/2}"
    source: ClassVar[Source] = Source(
        reference="Hertz H. (1881). Über die Berührung fester elastischer Körper. J. reine angew. Math. 92, 156-171.",
        equations="alves2015 (2); mahmoud2008 (1)",
        verified="closed form of peak force, peak overlap and duration; alves2015 Table 4",
        notes=("mahmoud2008 (1) prints δ³ in the scan; δ^{3/2} is meant.",),
    )
