"""Lee and Herrmann's law from granular flow: damping per unit of mass."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from carom.citation import Source
from carom.laws.base import Coefficients, Number, parameter
from carom.laws.catalogue import register_law
from carom.laws.families import ConstantDamping
from carom.units import NONNEGATIVE


@register_law
@dataclass(frozen=True, kw_only=True)
class LeeHerrmann1993(ConstantDamping):
    """F = K δ^{3/2} + m_eff γ δ δ̇ with γ given.

    K [N/m^{3/2}], γ [1/(m·s)], empirical. The achieved restitution depends on the velocity: calibrate at the
    velocity of interest. Pulls just before separation.
    """

    name: ClassVar[str] = "lee-herrmann-1993"
    title: ClassVar[str] = "Lee & Herrmann 1993"
    aliases: ClassVar[tuple[str, ...]] = ("lee-herrmann",)
    n: ClassVar[float] = 1.5
    m: ClassVar[float] = 1.0
    damping_symbol: ClassVar[str] = "γ in χ = m_eff·γ"
    formula: ClassVar[str] = "F = K δ^{3/2} + m_eff γ δ δ̇"
    damping_formula: ClassVar[str] = "m_eff·γ, γ empirical, given"
    source: ClassVar[Source] = Source(
        reference="Lee J., Herrmann H.J. (1993). Angle of repose and angle of marginal stability: molecular "
        "dynamics of granular particles. J. Phys. A 26(2), 373-383.",
        equations="alves2015 Table 1",
        verified="independent integration in the tests",
        notes=("alves2015 prints pages 373-384.",),
    )

    damping: float | None = parameter("1/(m*s)", "damping per mass γ", within=NONNEGATIVE, default=None)

    def power_form(self, mass: Number) -> Coefficients:
        """Return the row of numbers that the kernels take, for an effective mass [kg]."""
        c = super().power_form(mass)
        return c._replace(damping=c.damping * mass)

    def unit_of(self, name: str) -> str:
        """Return the SI unit of a parameter; γ has 1/(m·s)."""
        return "1/(m*s)" if name == "damping" else super().unit_of(name)
