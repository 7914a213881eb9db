"""The linear spring, the oldest contact element: no damping, every impact returns e = 1."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from carom.citation import Source
from carom.laws.base import CompliantLaw
from carom.laws.catalogue import register_law


@register_law
@dataclass(frozen=True, kw_only=True)
class LinearElastic(CompliantLaw):
    """F = K δ.

    K [N/m]: for slabs and girder ends EA/L; as a rule of thumb at least ten times the stiffness of the stiffer
    structure. Without gravity a contact lasts π√(m_eff/K) and peaks at v0√(K m_eff).
    """

    name: ClassVar[str] = "linear"
    title: ClassVar[str] = "Linear spring"
    aliases: ClassVar[tuple[str, ...]] = ("linear-spring", "linear-elastic", "spring")
    n: ClassVar[float] = 1.0
    formula: ClassVar[str] = "F = K δ"
    source: ClassVar[Source] = Source(
        reference="Classical; see Goldsmith W. (1960). Impact. Edward Arnold, London.",
        equations="papi2022 (1) with n = 1",
        verified="closed form: half a sine",
    )
