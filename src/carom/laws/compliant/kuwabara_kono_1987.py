"""Kuwabara and Kono's viscoelastic spheres: damping from bulk viscosities."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Self

from carom.citation import Source
from carom.laws.catalogue import register_law
from carom.laws.families import ConstantDamping
from carom.units import NONNEGATIVE, POSITIVE, Range, number


@register_law
@dataclass(frozen=True, kw_only=True)
class KuwabaraKono1987(ConstantDamping):
    """F = K δ^{3/2} + χ δ^{1/2} δ̇ with χ given, or from the bulk viscosities of the material.

    K [N/m^{3/2}], χ [N·s/m^{3/2}]. The achieved restitution falls with the velocity, as in experiments:
    calibrate at the velocity of interest. Pulls just before separation. Two conventions exist for the material
    constant A: χ = K·A (alves2015, followed by `from_materials`) and χ = (3/2)·K·A (Brilliantov 1996); here χ is the
    whole factor of δ^{1/2} δ̇.
    """

    name: ClassVar[str] = "kuwabara-kono-1987"
    title: ClassVar[str] = "Kuwabara & Kono 1987, Brilliantov et al. 1996"
    aliases: ClassVar[tuple[str, ...]] = ("kuwabara-kono", "brilliantov-1996", "brilliantov")
    n: ClassVar[float] = 1.5
    m: ClassVar[float] = 0.5
    formula: ClassVar[str] = "F = K δ^{3/2} + χ δ^{1/2} δ̇"
    damping_formula: ClassVar[str] = "given, or (K/3)(3η₂−η₁)²/(3η₂+2η₁) · (1−ν²)(1−2ν)/(Eν²)"
    source: ClassVar[Source] = Source(
        reference="Kuwabara G., Kono K. (1987). Restitution coefficient in a collision between two spheres. Jpn. J. "
        "Appl. Phys. 26, 1230-1233; Brilliantov N.V. et al. (1996). Phys. Rev. E 53, 5382-5392.",
        equations="alves2015 Table 1",
        verified="independent integration in the tests",
        notes=("alves2015 Table 1 prints (1−ν)(1−2ν)/(Eν²); the original has (1−ν²)(1−2ν)/(Eν²), followed here.",),
    )

    @classmethod
    def from_materials(
        cls,
        *,
        stiffness: float | str,
        young: float | str,
        poisson: float,
        shear_viscosity: float | str,
        bulk_viscosity: float | str,
        **options: Any,
    ) -> Self:
        """Build the law from Young's modulus [Pa], Poisson's ratio and the viscosities η₁, η₂ [Pa·s].

        χ = (K/3) (3η₂−η₁)²/(3η₂+2η₁) · (1−ν²)(1−2ν)/(Eν²).
        """
        k = number(stiffness, "N/m^1.5", name="stiffness", owner=cls.name, within=POSITIVE)
        e = number(young, "Pa", name="young", owner=cls.name, within=POSITIVE)
        nu = number(poisson, "", name="poisson", owner=cls.name, within=Range(0.0, 0.5, high_open=False))
        eta1 = number(shear_viscosity, "Pa*s", name="shear_viscosity", owner=cls.name, within=NONNEGATIVE)
        eta2 = number(bulk_viscosity, "Pa*s", name="bulk_viscosity", owner=cls.name, within=POSITIVE)
        viscous = (3.0 * eta2 - eta1) ** 2 / (3.0 * eta2 + 2.0 * eta1)
        chi = k / 3.0 * viscous * (1.0 - nu**2) * (1.0 - 2.0 * nu) / (e * nu**2)
        return cls(stiffness=k, damping=chi, **options)
