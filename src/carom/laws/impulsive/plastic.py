"""The plastic impact: no rebound."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from carom.citation import Source
from carom.errors import refusal
from carom.kernels.rigid.impulses import impulses
from carom.laws.catalogue import register_impulsive_law
from carom.laws.impulse import ImpulsiveLaw, Restitution


@register_impulsive_law
@dataclass(frozen=True, kw_only=True)
class Plastic(ImpulsiveLaw):
    """ġ⁺ ≥ 0, p ≥ 0, one of them with equality: what meets stays together until it is pulled apart."""

    name: ClassVar[str] = "plastic"
    title: ClassVar[str] = "Plastic"
    formula: ClassVar[str] = "0 ≤ p ⊥ ġ⁺ ≥ 0"
    hypothesis: ClassVar[int] = impulses.NEWTON
    source: ClassVar[Source] = Source(
        reference="Newton's law with e = 0.",
        equations="langlade2021 (15)-(16)",
        verified="closed form of two bodies",
    )

    restitution: Restitution = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.restitution != 0.0:
            raise refusal("restitution", self.name, "must be 0", self.restitution, 'Write carom.law("newton", …).')
