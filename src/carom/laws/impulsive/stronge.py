"""Stronge's law of impact: restitution of energy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from carom.citation import Source
from carom.kernels.rigid.impulses import impulses
from carom.laws.catalogue import register_impulsive_law
from carom.laws.impulse import ImpulsiveLaw


@register_impulsive_law
@dataclass(frozen=True, kw_only=True)
class Stronge(ImpulsiveLaw):
    """Restitution gives back e² of the work that compression took; energy is never created.

    For a single contact the same as Newton's law. Where contacts with different e are struck at once, the work of
    compression w_α = −½ p_α ġ⁻_α is taken contact by contact; restitution acts along e_α·p_α, scaled so that it returns
    Σ e_α² w_α. That reading of "simultaneous" is ours: Stronge's own is for one contact. With friction a single impact
    follows Routh's course, sliding, sticking and turning, until restitution has returned e² of the normal work.
    """

    name: ClassVar[str] = "stronge"
    title: ClassVar[str] = "Stronge 1990"
    aliases: ClassVar[tuple[str, ...]] = ("energetic", "stronge-1990")
    formula: ClassVar[str] = "T⁺ − T_c = Σ e_α² w_α"
    hypothesis: ClassVar[int] = impulses.ENERGETIC
    source: ClassVar[Source] = Source(
        reference="Stronge W.J. (1990). Rigid body collisions with friction. Proc. R. Soc. Lond. A 431, 169-181.",
        equations="definition of the energetic coefficient",
        verified="closed form of two bodies; energy of random impacts; the course of impact in small steps",
    )
