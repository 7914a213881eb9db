"""The Hunt-Crossley form with the damping that returns exactly the restitution asked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from carom.citation import Source
from carom.laws.base import Coefficients, Number, parameter, stiffness_unit
from carom.laws.catalogue import register_law
from carom.laws.families import RateScaledDamping
from carom.units import POSITIVE


@register_law
@dataclass(frozen=True, kw_only=True)
class HuntCrossleyExact(RateScaledDamping):
    """F = K δⁿ + χ δⁿ δ̇ with χ = d·K/v0 and d(1+e) = ln((1+d)/(1−e·d)).

    K [N/mⁿ], any exponent n > 0 (default 3/2). With m = n the equation of motion separates, u du/(1+d·u) =
    −K/(m v0²) δⁿ dδ for u = δ̇/v0; equal work in and out gives the relation between d and e, free of mass,
    speed and stiffness. Starts and ends at zero force, never pulls. As e → 0, d → 1/e.
    """

    name: ClassVar[str] = "hunt-crossley-exact"
    title: ClassVar[str] = "Hunt-Crossley form, exact"
    aliases: ClassVar[tuple[str, ...]] = ("exact-hunt-crossley", "hunt-crossley-exact-form")
    n: ClassVar[float] = 1.5
    m: ClassVar[float] = 1.5
    formula: ClassVar[str] = "F = K δⁿ + χ δⁿ δ̇"
    damping_formula: ClassVar[str] = "d · K/v0, d(1+e) = ln((1+d)/(1−e·d))"
    source: ClassVar[Source] = Source(
        reference="Zhang Y., Sharf I. (2004). Compliant force modeling for impact analysis. ASME DETC2004-57220; "
        "Gonthier Y. et al. (2004). Multibody Syst. Dyn. 11, 209-233.",
        equations="derived from alves2015 (5)-(6) with m = n",
        verified="closed form: achieved e = e to 1e-10 for n = 1, 3/2, 2",
        notes=("alves2015 credits the exact solution to these authors but prints only their approximation.",),
    )

    exponent: float = parameter("", "exponent n of the overlap", within=POSITIVE, default=1.5)

    def damping_from_restitution(self, e: Number) -> Number:
        """Return d in χ = d·K/v0, the root of d(1+e) = ln((1+d)/(1−e·d))."""
        return exact_damping(e)

    def power_form(self, mass: Number) -> Coefficients:
        """Return the row of numbers that the kernels take, with the exponent given."""
        c = super().power_form(mass)
        return c._replace(exponent=self.exponent, damping_exponent=self.exponent)

    def unit_of(self, name: str) -> str:
        """Return the SI unit of a parameter; that of K depends on the exponent."""
        return stiffness_unit(float(self.exponent)) if name == "stiffness" else super().unit_of(name)


def exact_damping(e: Number) -> Number:
    """Return the positive root d of d(1+e) = ln((1+d)/(1−e·d)), elementwise.

    With t = e·d in [0, 1) the residual over d² falls from (1−e²)/2 to −∞: bisection on t, to the last bit.
    """
    asked = np.atleast_1d(np.asarray(e, dtype=np.float64))
    low = np.zeros_like(asked)
    high = np.ones_like(asked)
    for _ in range(60):
        t = 0.5 * (low + high)
        below = _residual(t, asked) > 0.0
        low = np.where(below, t, low)
        high = np.where(below, high, t)
    d = np.where(asked == 1.0, 0.0, 0.5 * (low + high) / asked)
    return d.reshape(np.shape(e)) if np.ndim(e) else float(d[0])


def _residual(t: npt.NDArray[np.float64], e: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return (d(1+e) − ln(1+d) + ln(1−e·d))/d² for d = t/e, by its series where that would cancel."""
    d = t / e
    small = np.minimum(d, 0.05)
    series = sum(((-1.0) ** k - e**k) * small ** (k - 2) / k for k in range(2, 16))
    large = np.maximum(d, 0.05)
    with np.errstate(divide="ignore"):
        closed = (large * (1.0 + e) - np.log1p(large) + np.log1p(-np.minimum(t, 1.0))) / large**2
    return np.where(d < 0.05, series, closed)
