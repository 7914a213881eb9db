"""Kelvin-Voigt: a spring and a dashpot side by side, as Anagnostopoulos brought them to pounding."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from carom.citation import Source
from carom.laws.base import Number
from carom.laws.catalogue import register_law
from carom.laws.families import MassScaledDamping


@register_law
@dataclass(frozen=True, kw_only=True)
class Anagnostopoulos1988(MassScaledDamping):
    """F = K δ + c δ̇ with c = 2ζ√(K m_eff) and ζ = −ln e/√(π² + ln² e).

    K [N/m], ζ [-]. The force jumps to c·v0 at first touch (largest there once ζ > ½) and pulls just before
    separation. Ended at δ = 0, as published, the achieved restitution is exactly e; ended at F = 0
    (``tension=False``) it keeps more energy. ζ ≥ 1 never separates. Not Lipschitz at touch.
    """

    name: ClassVar[str] = "kelvin-voigt"
    title: ClassVar[str] = "Kelvin-Voigt, Anagnostopoulos 1988"
    aliases: ClassVar[tuple[str, ...]] = (
        "anagnostopoulos-1988",
        "anagnostopoulos-2004",
        "anagnostopoulos",
        "kelvin",
        "kv",
        "linear-viscoelastic",
        "lve",
    )
    n: ClassVar[float] = 1.0
    m: ClassVar[float] = 0.0
    formula: ClassVar[str] = "F = K δ + χ δ̇"
    damping_formula: ClassVar[str] = "2ζ√(K·m_eff), ζ = −ln(e)/√(π²+ln²e)"
    source: ClassVar[Source] = Source(
        reference="Anagnostopoulos S.A. (1988). Pounding of buildings in series during earthquakes. Earthquake "
        "Eng. Struct. Dyn. 16, 443-456; (2004) 33, 897-902.",
        equations="papi2022 (2)-(4); langlade2021 Table 1 (LVE)",
        verified="closed form: achieved e = e to 1e-10 when contact ends at δ = 0",
        notes=(
            "alves2015 Table 1 prints m = 1 (χ δ δ̇): a misprint, the dashpot does not depend on δ.",
            "langlade2021 Table 1 lacks the minus before ln e.",
        ),
    )

    def damping_from_restitution(self, e: Number) -> Number:
        """Return ζ, papi2022 (4)."""
        return -np.log(e) / np.sqrt(np.pi**2 + np.log(e) ** 2)
