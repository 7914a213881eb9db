"""Newton's law of impact: restitution of velocities."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from carom.citation import Source
from carom.kernels.rigid.impulses import impulses
from carom.laws.catalogue import register_impulsive_law
from carom.laws.impulse import ImpulsiveLaw


@register_impulsive_law
@dataclass(frozen=True, kw_only=True)
class Newton(ImpulsiveLaw):
    """ġ⁺ ≥ −e ġ⁻, p ≥ 0, one of them with equality; ġ is the rate of the gap.

    Simultaneous contacts are solved together: three equal elastic masses, one striking two that touch, leave with
    −1/3, 2/3, 2/3 of its velocity. One e for all contacts never creates energy; different ones in one impact can, and
    so can friction (in about two of a hundred random planar impacts). Friction is Coulomb's, at the end of the impact.
    """

    name: ClassVar[str] = "newton"
    title: ClassVar[str] = "Newton"
    aliases: ClassVar[tuple[str, ...]] = ("newton-restitution", "moreau")
    formula: ClassVar[str] = "0 ≤ p ⊥ ġ⁺ + e ġ⁻ ≥ 0"
    hypothesis: ClassVar[int] = impulses.NEWTON
    source: ClassVar[Source] = Source(
        reference="Moreau J.J. (1988). Unilateral contact and dry friction in finite freedom dynamics. In: "
        "Nonsmooth Mechanics and Applications, CISM 302, 1-82. Springer.",
        equations="langlade2021 (15)-(16)",
        verified="closed forms of two bodies, of a bouncing ball and of a touching row",
        notes=("langlade2021 (15) prints ≤; ġ⁺ ≥ −e ġ⁻ is meant.",),
    )
