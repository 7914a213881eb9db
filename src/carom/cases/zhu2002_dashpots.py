"""zhu2002 test 2: the dashpots C and C_t of the model girder, from its coefficients of restitution."""

from __future__ import annotations

import math
from typing import ClassVar

from carom.cases.base import Case, Run, register_case
from carom.laws import law
from carom.results import Row

# section "test 2"
MASSES = (2.0, 2.0)  # kg
EFFECTIVE_MASS = MASSES[0] * MASSES[1] / sum(MASSES)
STIFFNESS = 1.5474e5  # N/m, K_cnt
DASHPOTS = {"C": (0.4, 220.287, 5e-4), "C_t": (0.9, 26.3558, 5e-5)}
"""Restitution, dashpot as printed [N s/m], half its last digit."""

DIGITS = 4  # ours: decimals of ξ at which both printed dashpots come out
EXACT = "not in the paper, which seems to round ξ to four decimals before (16)"


def ratio(restitution: float) -> float:
    """Return ξ of (17), which is Kelvin-Voigt's."""
    damping = law("kelvin-voigt", stiffness=STIFFNESS, restitution=restitution).power_form(EFFECTIVE_MASS).damping
    return float(damping) / dashpot(1.0)


def dashpot(xi: float) -> float:
    """Return C of (16) [N s/m]."""
    return 2.0 * xi * math.sqrt(STIFFNESS * EFFECTIVE_MASS)


@register_case
class Dashpots(Case):
    """C and C_t as printed, from a rounded ξ, and unrounded."""

    name: ClassVar[str] = "zhu2002-dashpots"
    title: ClassVar[str] = "Model girder: normal and tangential dashpots from restitution"
    paper: ClassVar[str] = "zhu2002"
    place: ClassVar[str] = "test 2, (16), (17)"
    notes: ClassVar[tuple[str, ...]] = (
        "With two girders of 2 kg the effective mass is 1 kg. Both printed values come out when ξ is rounded to four "
        "decimals first (0.2800 and 0.0335); unrounded C_t is 26.3703.",
    )

    def rows(self, run: Run) -> list[Row]:
        """Return both dashpots, from ξ rounded and unrounded."""
        rounded = [
            Row(
                quantity=f"{name}, e = {e}, ξ rounded to {round(ratio(e), DIGITS):.4f}",
                published=printed,
                computed=dashpot(round(ratio(e), DIGITS)),
                tolerance=digit,
                absolute=True,
                unit="N s/m",
            )
            for name, (e, printed, digit) in DASHPOTS.items()
        ]
        exact = [
            Row(
                quantity=f"{name}, e = {e}, ξ unrounded",
                published=None,
                computed=dashpot(ratio(e)),
                unit="N s/m",
                reason=EXACT,
            )
            for name, (e, _, _) in DASHPOTS.items()
        ]
        return [*rounded, *exact]
