"""Khatami's damping ratio for Jankowski's form."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from carom.citation import Source
from carom.laws.base import Coefficients, Number, option
from carom.laws.catalogue import register_law
from carom.laws.families import MassScaledDamping


@register_law
@dataclass(frozen=True, kw_only=True)
class Khatami2019(MassScaledDamping):
    """F = K δ^{3/2} + c δ̇ with c = 2ξ√(K√δ m_eff) and Khatami's ξ(e).

    K [N/m^{3/2}], ξ = (1−e) e^0.204/(e^(a+0.204) + 3.351 e π), a = 1.05 e^0.653 [-]. The papers do not say
    whether restitution is damped too. The default follows Jankowski's form, approach only (e = 0.65 asked gives
    0.943); ``damp_restitution=True`` damps both (0.887), and then pulls just before separation.
    """

    name: ClassVar[str] = "khatami-2019"
    title: ClassVar[str] = "Khatami et al. 2019"
    aliases: ClassVar[tuple[str, ...]] = ("khatami",)
    n: ClassVar[float] = 1.5
    m: ClassVar[float] = 0.25
    restitution_share: ClassVar[float] = 0.0
    damping_symbol: ClassVar[str] = "ratio ξ in χ = 2ξ√(K·m_eff)"
    formula: ClassVar[str] = "F = K δ^{3/2} + χ δ^{1/4} δ̇ (δ̇ > 0; on request always),  F = K δ^{3/2} (δ̇ ≤ 0)"
    damping_formula: ClassVar[str] = "2ξ√(K·m_eff), ξ = (1−e)e^0.204 / (e^(a+0.204) + 3.351·e·π), a = 1.05·e^0.653"
    source: ClassVar[Source] = Source(
        reference="Khatami S.M., Naderpour H., Barros R.C., Jakubczyk-Gałczyńska A., Jankowski R. (2019). Effective "
        "formula for impact damping ratio for simulation of earthquake-induced structural pounding. Geosciences 9(8), "
        "347; as given in langlade2021.",
        equations="langlade2021 Tables 1 and 4",
        verified="ξ = 0.0428 for e = 0.65 (langlade2021 Table 4); independent integration in the tests",
        notes=("The papers do not say whether restitution is damped: both readings are offered.",),
    )

    damp_restitution: bool = option("damp restitution as well as approach", (False, True), default=False)

    def damping_from_restitution(self, e: Number) -> Number:
        """Return ξ, langlade2021 Table 1."""
        a = 1.05 * e**0.653
        return (1.0 - e) * e**0.204 / (e ** (a + 0.204) + 3.351 * e * np.pi)

    def power_form(self, mass: Number) -> Coefficients:
        """Return the row of numbers that the kernels take, for an effective mass [kg]."""
        return super().power_form(mass)._replace(restitution_share=float(self.damp_restitution))

    @property
    def pulls(self) -> bool:
        """Whether the force turns to tension just before separation: only when restitution is damped."""
        return self.damp_restitution
