"""The Hunt-Crossley form with the damping that returns exactly the restitution asked for."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, TypeAlias

import numpy as np
import numpy.typing as npt

from carom.citation import Source
from carom.laws.base import Coefficients, Number, parameter, stiffness_unit
from carom.laws.catalogue import register_law
from carom.laws.families import RateScaledDamping
from carom.units import POSITIVE

Array: TypeAlias = npt.NDArray[np.float64]


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
        verified="closed form: achieved e = e to 2e-10 for n = 1, 3/2, 2",
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
        if name != "stiffness":
            return super().unit_of(name)
        exponents = np.unique(self.exponent)
        return stiffness_unit(float(exponents[0])) if exponents.size == 1 else "N/m^n"


def exact_damping(e: Number) -> Number:
    """Return the positive root d of d(1+e) = ln((1+d)/(1−e·d)), elementwise."""
    if isinstance(e, np.ndarray):
        return np.where(e < 0.3, _root_for_low(np.minimum(e, 0.3)), _root_for_high(np.maximum(e, 0.3)))
    return _exact_damping_of_one(float(e))


@lru_cache(maxsize=1024)
def _exact_damping_of_one(e: float) -> float:
    root = _root_for_low if e < 0.3 else _root_for_high
    return float(root(np.array([e]))[0])


def _root_for_low(e: Array) -> Array:
    """Solve for L = ln(1−e·d), which d → 1/e leaves well behaved: L = ln(1+d) − d(1+e)."""
    log_rest = np.log1p(1.0 / e) - (1.0 + e) / e
    for _ in range(6):
        rest = np.exp(log_rest)
        d = (1.0 - rest) / e
        residual = log_rest - np.log1p(d) + d * (1.0 + e)
        slope = 1.0 - rest * ((1.0 + e) - 1.0 / (1.0 + d)) / e
        log_rest = log_rest - residual / slope
    return (1.0 - np.exp(log_rest)) / e


def _root_for_high(e: Array) -> Array:
    """Solve the residual over d², free of its double root at d = 0, by Newton from Gonthier's approximation."""
    d = (1.0 - e**2) / e
    for _ in range(8):
        value, slope = _residual(d, e)
        d = np.maximum(d - value / slope, 0.0)
    return d


def _residual(d: Array, e: Array) -> tuple[Array, Array]:
    """Return g = (d(1+e) − ln(1+d) + ln(1−e·d))/d² and dg/dd, by series where the closed form would cancel."""
    value = np.zeros_like(d)
    slope = np.zeros_like(d)
    for k in range(17, 1, -1):  # Horner's rule on g = Σ ((−1)^k − e^k) d^(k−2)/k
        slope = slope * d + value
        value = value * d + ((-1.0) ** k - e**k) / k
    large = np.maximum(d, 0.08)
    closed = (large * (1.0 + e) - np.log1p(large) + np.log1p(-e * large)) / large**2
    closed_slope = ((1.0 + e) - 1.0 / (1.0 + large) - e / (1.0 - e * large)) / large**2 - 2.0 * closed / large
    series = d < 0.08
    return np.where(series, value, closed), np.where(series, slope, closed_slope)
