"""A slow and obvious second implementation of one impact: SciPy's solve_ivp in time, written from the formulas.

It shares no code with the package: forces are spelled out law by law from alves2015 Table 1, papi2022 and
mahmoud2008, the motion is stepped in time with tight tolerances, the end of contact is an event.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from math import exp, log, pi, sqrt
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import brentq, minimize_scalar

Force = Callable[[float, float], float]  # of overlap (taken as ≥ 0) and rate, in contact


def exact_d(e: float) -> float:
    if e == 1.0:
        return 0.0

    def residual(d: float) -> float:
        return d * (1 + e) - log((1 + d) / (1 - e * d))

    return float(brentq(residual, 0.5 * (1 - e), (1 - 1e-12) / e, xtol=1e-15))


def papi_alpha(e: float) -> float:
    return e + 0.1 if e < 0.8 else 1.0


def over_v0(power: float, d: Callable[[float], float]) -> Callable[..., Force]:
    def build(k: float, e: float, m: float, v: float) -> Force:
        return lambda x, u: k * x**power * (1.0 + d(e) * u / v)

    return build


def approach_only(force_up: Force, force_down: Force) -> Force:
    return lambda x, u: force_up(x, u) if u > 0 else force_down(x, u)


def kelvin_voigt(k: float, e: float, m: float, v: float) -> Force:
    zeta = -log(e) / sqrt(pi**2 + log(e) ** 2)
    return lambda x, u: k * x + 2 * zeta * sqrt(k * m) * u


def mahmoud_jankowski(k: float, e: float, m: float, v: float) -> Force:
    zeta = (1 - e**2) / (e * (e * (pi - 2) + 2))
    return approach_only(lambda x, u: k * x + 2 * zeta * sqrt(k * m) * u, lambda x, u: k * x)


def jankowski(k: float, e: float, m: float, v: float) -> Force:
    xi = 9 * sqrt(5) / 2 * (1 - e**2) / (e * (e * (9 * pi - 16) + 16))
    return approach_only(lambda x, u: k * x**1.5 + 2 * xi * sqrt(k * sqrt(x) * m) * u, lambda x, u: k * x**1.5)


def khatami(k: float, e: float, m: float, v: float) -> Force:
    a = 1.05 * e**0.653
    xi = (1 - e) * e**0.204 / (e ** (a + 0.204) + 3.351 * e * pi)
    return approach_only(lambda x, u: k * x**1.5 + 2 * xi * sqrt(k * sqrt(x) * m) * u, lambda x, u: k * x**1.5)


def tsuji(k: float, e: float, m: float, v: float) -> Force:
    alpha = -sqrt(5) * log(e) / sqrt(pi**2 + log(e) ** 2)
    return lambda x, u: k * x**1.5 + alpha * sqrt(m * k) * x**0.25 * u


def given(power: float) -> Callable[..., Force]:
    def build(k: float, chi: float, m: float, v: float) -> Force:
        return lambda x, u: k * x**1.5 + chi * x**power * u

    return build


LAWS: dict[str, Callable[..., Force]] = {
    "linear": lambda k, e, m, v: lambda x, u: k * x,
    "hertz": lambda k, e, m, v: lambda x, u: k * x**1.5,
    "kelvin-voigt": kelvin_voigt,
    "mahmoud-jankowski-2011": mahmoud_jankowski,
    "ye-2009": over_v0(1.0, lambda e: 1.5 * (1 - e) / e),
    "papi-2022": over_v0(1.0, lambda e: 1.5 * (1 - e**2) / (papi_alpha(e) + e**2)),
    "hunt-crossley-1975": over_v0(1.5, lambda e: 1.5 * (1 - e)),
    "herbert-mcwhannell-1977": over_v0(1.5, lambda e: 6 * (1 - e) / ((2 * e - 1) ** 2 + 3)),
    "lee-wang-1983": over_v0(1.5, lambda e: 0.75 * (1 - e)),
    "lankarani-nikravesh-1990": over_v0(1.5, lambda e: 0.75 * (1 - e**2)),
    "gonthier-2004": over_v0(1.5, lambda e: (1 - e**2) / e),
    "zhiying-qishao-2006": over_v0(1.5, lambda e: 0.75 * (1 - e**2) * exp(2 * (1 - e))),
    "flores-2011": over_v0(1.5, lambda e: 8 * (1 - e) / (5 * e)),
    "gharib-hurmuzlu-2012": over_v0(1.5, lambda e: 1 / e),
    "hunt-crossley-exact": over_v0(1.5, exact_d),
    "jankowski-2005": jankowski,
    "khatami-2019": khatami,
    "tsuji-1992": tsuji,
    "ristow-1992": given(1.0),
    "lee-herrmann-1993": lambda k, gamma, m, v: lambda x, u: k * x**1.5 + m * gamma * x * u,
    "kuwabara-kono-1987": given(0.5),
    "bordbar-hyppanen-2007": given(0.65),
}
"""Force of each law from (stiffness, restitution or the law's damping parameter, effective mass, v0)."""


def naive_impact(
    force: Force, mass: float, velocity: float, *, gravity: float = 0.0, span: float = 1.0, rtol: float = 1e-12
) -> dict[str, float]:
    """Follow one contact in time until δ = 0; return peaks, duration and restitution."""

    def motion(_t: float, s: list[float]) -> list[float]:
        return [s[1], gravity - force(max(s[0], 0.0), s[1]) / mass]

    def turning(_t: float, s: list[float]) -> float:
        return s[1]

    def apart(_t: float, s: list[float]) -> float:
        return s[0]

    for event in (turning, apart):
        event.terminal, event.direction = True, -1
    size = velocity * span
    options = {"method": "DOP853", "rtol": rtol, "atol": [1e-15 * size, 1e-15 * velocity], "dense_output": True}
    first = solve_ivp(motion, (0.0, span), [0.0, velocity], events=turning, first_step=1e-9 * span, **options)
    t1, (x1, _) = float(first.t_events[0][0]), first.y_events[0][0]
    second = solve_ivp(motion, (t1, t1 + 50 * span), [x1, 0.0], events=apart, **options)
    t2, (_, u2) = float(second.t_events[0][0]), second.y_events[0][0]
    return {
        "peak_force": max(_peak(first, force), _peak(second, force)),
        "peak_overlap": float(x1),
        "duration": t2,
        "restitution": float(-u2 / velocity),
    }


def _peak(run: Any, force: Force) -> float:
    """Largest force along a dense solution: sampled finely, then refined by golden section."""
    t = np.concatenate([np.linspace(a, b, 20, endpoint=False) for a, b in pairwise(run.t)])
    t = np.append(t, run.t[-1])

    def value(time: float) -> float:
        x, u = run.sol(time)
        return force(max(x, 0.0), u)

    forces = [value(x) for x in t]
    k = int(np.argmax(forces))
    if k in (0, len(t) - 1):
        return float(forces[k])
    best = minimize_scalar(lambda x: -value(x), bounds=(t[k - 1], t[k + 1]), method="bounded", options={"xatol": 1e-12})
    return float(max(-best.fun, forces[k]))
