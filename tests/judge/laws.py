"""The contact laws written once more, from the papers: F = K δⁿ + χ δᵐ δ̇, and functions of overlap and rate."""

from __future__ import annotations

import math
from collections.abc import Callable

from scipy.optimize import brentq

from tests.judge.describe import Law

COLUMNS = 9
"""K, n, χ (or χ·v*), m, whether χ is over v*, approach only, tension, v* = v0, number of the function (0: none)."""


def exact_ratio(e: float) -> float:
    """d of the exact Hunt-Crossley form: d(1+e) = ln((1+d)/(1−e·d))."""
    if e == 1.0:
        return 0.0

    def residual(d: float) -> float:
        return d * (1.0 + e) - math.log1p(d) + math.log1p(-e * d)

    return float(brentq(residual, 0.5 * (1.0 - e), (1.0 - 1e-13) / e, xtol=1e-16, rtol=1e-15))


def kelvin_ratio(e: float) -> float:
    """ζ of Kelvin-Voigt."""
    return -math.log(e) / math.hypot(math.pi, math.log(e))


def khatami_ratio(e: float) -> float:
    """ξ of Khatami (2019)."""
    a = 1.05 * e**0.653
    return (1.0 - e) * e**0.204 / (e ** (a + 0.204) + 3.351 * e * math.pi)


OVER_SPEED: dict[str, tuple[float, Callable[[float], float]]] = {
    "ye-2009": (1.0, lambda e: 1.5 * (1.0 - e) / e),
    "papi-2022": (1.0, lambda e: 1.5 * (1.0 - e * e) / ((e + 0.1 if e < 0.8 else 1.0) + e * e)),
    "hunt-crossley-1975": (1.5, lambda e: 1.5 * (1.0 - e)),
    "herbert-mcwhannell-1977": (1.5, lambda e: 6.0 * (1.0 - e) / ((2.0 * e - 1.0) ** 2 + 3.0)),
    "lee-wang-1983": (1.5, lambda e: 0.75 * (1.0 - e)),
    "lankarani-nikravesh-1990": (1.5, lambda e: 0.75 * (1.0 - e * e)),
    "gonthier-2004": (1.5, lambda e: (1.0 - e * e) / e),
    "zhiying-qishao-2006": (1.5, lambda e: 0.75 * (1.0 - e * e) * math.exp(2.0 * (1.0 - e))),
    "flores-2011": (1.5, lambda e: 1.6 * (1.0 - e) / e),
    "gharib-hurmuzlu-2012": (1.5, lambda e: 1.0 / e),
    "hunt-crossley-exact": (1.5, exact_ratio),
}
"""Laws with χ = d·K/v* and m = n: the exponent, and d of e."""

OVER_MASS: dict[str, tuple[float, float, bool, Callable[[float], float]]] = {
    "kelvin-voigt": (1.0, 0.0, False, lambda e: 2.0 * kelvin_ratio(e)),
    "mahmoud-jankowski-2011": (1.0, 0.0, True, lambda e: 2.0 * (1 - e * e) / (e * (e * (math.pi - 2.0) + 2.0))),
    "jankowski-2005": (
        1.5, 0.25, True,
        lambda e: 9.0 * math.sqrt(5.0) * (1.0 - e * e) / (e * (e * (9.0 * math.pi - 16.0) + 16.0)),
    ),
    "khatami-2019": (1.5, 0.25, True, lambda e: 2.0 * khatami_ratio(e)),
    "tsuji-1992": (1.5, 0.25, False, lambda e: math.sqrt(5.0) * kelvin_ratio(e)),
}  # fmt: skip
"""Laws with χ = b·√(K m_eff): n, m, approach only, and b of e."""

GIVEN: dict[str, float] = {
    "ristow-1992": 1.0, "lee-herrmann-1993": 1.0, "kuwabara-kono-1987": 0.5, "bordbar-hyppanen-2007": 0.65,
}  # fmt: skip
"""Laws with n = 3/2 whose χ is given (Lee and Herrmann: per effective mass): the exponent m."""

SPRINGS = {"linear": 1.0, "hertz": 1.5}
"""Laws without damping: the exponent n."""


def pad(overlap: float, rate: float) -> float:
    """F = 6e8 δ^{3/2} + 8e7 δ δ̇: pulls a little before it parts."""
    return 6e8 * overlap * math.sqrt(overlap) + 8e7 * overlap * rate


FUNCTIONS: dict[str, tuple[int, Callable[[float, float], float]]] = {"judge-pad": (1, pad)}
"""Laws that are functions: the number by which the kernel knows its own text of them, and the text for others.

One only: carom compiles its engine anew for each.
"""

CATALOGUE = (*SPRINGS, *OVER_SPEED, *OVER_MASS, *GIVEN)
"""All 22 laws with a stiffness."""


def exponent_of(name: str) -> float:
    """n of a law in the catalogue."""
    if name in OVER_SPEED:
        return OVER_SPEED[name][0]
    if name in OVER_MASS:
        return OVER_MASS[name][0]
    return SPRINGS.get(name, 1.5)


def row_of(law: Law, mass: float) -> list[float]:
    """The numbers of a law for an effective mass [kg], in the order of COLUMNS."""
    last = [float(law.tension), float(law.published), 0.0]
    k, e = law.stiffness, law.restitution
    if law.function:
        number = FUNCTIONS[law.name][0]
        static = FUNCTIONS[law.name][1](1e-3, 0.0) / 1e-3**1.5  # only a scale, for first steps
        return [static, 1.5, 0.0, 1.0, 0.0, 0.0, last[0], 1.0, float(number)]
    if law.name in SPRINGS:
        return [k, SPRINGS[law.name], 0.0, 1.0, 0.0, 0.0, *last]
    if law.name in OVER_SPEED:
        n, ratio = OVER_SPEED[law.name]
        return [k, n, (ratio(e) if law.damping is None else law.damping) * k, n, 1.0, 0.0, *last]
    if law.name in OVER_MASS:
        n, m, approach, ratio = OVER_MASS[law.name]
        return [k, n, ratio(e) * math.sqrt(k * mass), m, 0.0, float(approach), *last]
    chi = law.damping * (mass if law.name == "lee-herrmann-1993" else 1.0)
    return [k, 1.5, chi, GIVEN[law.name], 0.0, 0.0, *last]
