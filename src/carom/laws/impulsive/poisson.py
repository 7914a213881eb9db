"""Poisson's law of impact: restitution of impulses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from carom.citation import Source
from carom.kernels.rigid.impulses import impulses
from carom.laws.catalogue import register_impulsive_law
from carom.laws.impulse import ImpulsiveLaw


@register_impulsive_law
@dataclass(frozen=True, kw_only=True)
class Poisson(ImpulsiveLaw):
    """Compression ends with p_c, restitution returns e·p_c at each contact, and more where bodies would interpenetrate.

    For a single contact the same as Newton's law. In a touching row the impulse of compression is shared first: three
    equal elastic masses leave with −1/3, 2/3, 2/3 as well, an inelastic row differs from Newton's. With friction each
    of the two phases has Coulomb's cone, at its end.
    """

    name: ClassVar[str] = "poisson"
    title: ClassVar[str] = "Poisson"
    aliases: ClassVar[tuple[str, ...]] = ("poisson-restitution",)
    formula: ClassVar[str] = "p = (1 + e) p_c + Λ,  0 ≤ Λ ⊥ ġ⁺ ≥ 0"
    hypothesis: ClassVar[int] = impulses.POISSON
    source: ClassVar[Source] = Source(
        reference="Glocker C., Pfeiffer F. (1995). Multiple impacts with friction in rigid multibody systems. "
        "Nonlinear Dynamics 7, 471-497.",
        equations="compression and expansion, no restitution along the tangent",
        verified="closed forms of two bodies, of a touching row and of an oblique impact",
    )
