"""Papi and Toopchi-Nezhad's Kelvin law with a tuned split of dissipation."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from carom.citation import Source
from carom.errors import refusal
from carom.laws.base import Number
from carom.laws.catalogue import register_law
from carom.laws.compliant.hunt_crossley_exact import exact_damping
from carom.laws.families import RateScaledDamping
from carom.units import NONNEGATIVE, RESTITUTION, Range, number

EXACT = "exact"


@register_law
@dataclass(frozen=True, kw_only=True)
class Papi2022(RateScaledDamping):
    """F = K δ + χ δ δ̇ with χ = 3(1−e²)/(2(α+e²)) · K/v0.

    K [N/m]. α is meant as dissipation in restitution over dissipation in approach: e + 0.1 for 0.1 ≤ e < 0.8
    and 1 for 0.8 ≤ e ≤ 1. It may be given, or be ``alpha="exact"``: the α* for which the achieved
    restitution is the one asked for, which is what the paper searches.
    """

    name: ClassVar[str] = "papi-2022"
    title: ClassVar[str] = "Papi & Toopchi-Nezhad 2022"
    aliases: ClassVar[tuple[str, ...]] = ("papi", "papi-toopchi-nezhad-2022", "new-kelvin-voigt")
    n: ClassVar[float] = 1.0
    m: ClassVar[float] = 1.0
    restitution_range: ClassVar[Range] = Range(0.1, 1.0, low_open=False, high_open=False)
    formula: ClassVar[str] = "F = K δ + χ δ δ̇"
    damping_formula: ClassVar[str] = "3(1−e²)/(2(α+e²)) · K/v0, α = e+0.1 (0.1 ≤ e < 0.8), α = 1 (0.8 ≤ e ≤ 1)"
    source: ClassVar[Source] = Source(
        reference="Papi M., Toopchi-Nezhad H. (2022). New Kelvin-Voigt model to simulate the collision of rigid "
        "bodies. Amirkabir J. Civil Eng. 54(9), 3497-3508.",
        equations="papi2022 (33)-(36)",
        verified="papi2022 Table 1; first integral of the Hunt-Crossley form with n = 1",
        notes=(
            "(32) and (36) read α = e+1 in the scan; Table 1 of the same paper shows α = e+0.1, followed here.",
            "(11) lacks the square on the approach velocity.",
        ),
    )

    alpha: float | str | None = field(
        default=None,
        metadata={
            "text": "α, dissipation in restitution over approach; none: as published",
            "range": "≥ 0 | 'exact'",
        },
    )

    def __post_init__(self) -> None:
        if self.alpha is not None and self.alpha != EXACT:
            given = self.alpha
            if isinstance(given, str):
                raise refusal("alpha", self.name, "must be a number ≥ 0, or 'exact'", given)
            checked = number(
                given, "", name="alpha", owner=self.name, within=NONNEGATIVE, way_out="Or use alpha='exact'."
            )
            object.__setattr__(self, "alpha", checked)
        super().__post_init__()

    def valid_restitution(self) -> Range:
        """Return [0.1, 1] as published; (0, 1] once α is given or exact."""
        return self.restitution_range if self.alpha is None else RESTITUTION

    def _outside_way_out(self) -> str:
        return "Below 0.1 the paper defines no α: give alpha, or use alpha='exact'."

    def damping_from_restitution(self, e: Number) -> Number:
        """Return d in χ = d·K/v0, papi2022 (35)."""
        if self.alpha == EXACT:
            return exact_damping(e)
        alpha = published_alpha(e) if self.alpha is None else float(self.alpha)
        return 1.5 * (1.0 - e**2) / (alpha + e**2)


def published_alpha(e: Number) -> Number:
    """Return α(e) as the paper's Table 1 uses it, (36)."""
    alpha = np.where(np.asarray(e) < 0.8, np.asarray(e) + 0.1, 1.0)
    return alpha if alpha.ndim else float(alpha)


def exact_alpha(e: Number) -> Number:
    """Return α*, for which χ of (35) is that of the exact Hunt-Crossley form: 3(1−e²)/(2d) − e²."""
    return 1.5 * (1.0 - e**2) / exact_damping(e) - e**2
