"""EN 1998-1:2004, 3.2.2: elastic and design spectra, types 1 and 2, ground A to E.

    S_e(T) = a_g·S·[1 + T/T_B·(2.5·η − 1)]        T ≤ T_B        (3.2)
             a_g·S·2.5·η                          to T_C         (3.3)
             a_g·S·2.5·η·T_C/T                    to T_D         (3.4)
             a_g·S·2.5·η·T_C·T_D/T²               to 4 s         (3.5)
    η = √(10/(5 + ξ)) ≥ 0.55, ξ in per cent                      (3.6)

The vertical spectrum has 3.0 for 2.5 and no S, (3.8) to (3.11); the design spectrum is (3.13) to (3.16) with β = 0.2.
Beyond T_E annex A gives displacements for type 1, S_e = S_De·(2π/T)², (A.2) and (A.3); it rounds 1/(2π)² = 0.02533 to
0.025, which would make the spectrum step by 1.3 % at T_E: the unrounded number is taken. Type 2 ends at 4 s. Values of
S and the corner periods are the recommended ones of tables 3.2, 3.3, 3.4 and A.1; a national annex may have others.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType

import numpy as np

from carom import units
from carom.errors import refusal
from carom.motions.motion import Array
from carom.motions.quantities import acceleration
from carom.motions.targets.base import Target

__all__ = ["GROUND", "ec8"]

GROUND: Mapping[int, Mapping[str, tuple[float, float, float, float]]] = MappingProxyType({
    1: {
        "A": (1.0, 0.15, 0.4, 2.0), "B": (1.2, 0.15, 0.5, 2.0), "C": (1.15, 0.20, 0.6, 2.0),
        "D": (1.35, 0.20, 0.8, 2.0), "E": (1.4, 0.15, 0.5, 2.0),
    },
    2: {
        "A": (1.0, 0.05, 0.25, 1.2), "B": (1.35, 0.05, 0.25, 1.2), "C": (1.5, 0.10, 0.25, 1.2),
        "D": (1.8, 0.10, 0.30, 1.2), "E": (1.6, 0.05, 0.25, 1.2),
    },
})  # fmt: skip
"""S [–], T_B, T_C, T_D [s] by type and ground: tables 3.2 and 3.3."""
VERTICAL = MappingProxyType({1: 0.9, 2: 0.45})
"""a_vg/a_g by type: table 3.4, with T_B 0.05, T_C 0.15 and T_D 1.0 s."""
LONG = MappingProxyType({"A": 4.5, "B": 5.0, "C": 6.0, "D": 6.0, "E": 6.0})
"""T_E [s] by ground: table A.1; T_F is 10 s."""
T_F = 10.0
LAST = 4.0
"""Where the spectra of 3.2.2 end [s]."""
LEAST = 0.2
"""β, the least design acceleration over a_g: the recommended value."""


def ec8(
    *,
    ag: object,
    ground: str = "A",
    type: int = 1,
    damping: object = 0.05,
    q: object = None,
    vertical: bool = False,
    importance: object = 1.0,
) -> Target:
    """Return the spectrum of EN 1998-1.

    Parameters
    ----------
    ag
        a_gR, the reference peak acceleration on ground A [m/s², or "0.25 g"].
    ground
        A to E.
    type
        1, or 2 where the earthquakes that matter have magnitudes of at most 5.5.
    damping
        ξ as a ratio [–], for the elastic spectrum; the design spectrum has that of 5 %.
    q
        Behaviour factor: the design spectrum. Without it the elastic one.
    vertical
        Whether it is the vertical spectrum.
    importance
        γ_I; a_g is γ_I·a_gR.
    """
    owner = "ec8"
    size = acceleration(ag, name="ag", owner=owner)
    size *= units.number(importance, "", name="importance", owner=owner, within=units.POSITIVE)
    ratio = units.number(damping, "", name="damping", owner=owner, within=units.Range(0.0, 0.3, low_open=False))
    if not isinstance(type, int) or isinstance(type, bool) or type not in GROUND:
        raise refusal("type", owner, "must be 1 or 2", type)
    letter = str(ground).strip().upper()
    if letter not in GROUND[type]:
        raise refusal("ground", owner, "must be A, B, C, D or E", ground, "S1 and S2 need studies of the site.")
    soil, tb, tc, td = GROUND[type][letter]
    base, plateau = size * soil, 2.5
    if vertical:
        base, plateau, tb, tc, td = size * VERTICAL[type], 3.0, 0.05, 0.15, 1.0
    eta = max(math.sqrt(10.0 / (5.0 + 100.0 * ratio)), 0.55)
    kind = f"EN 1998-1 {'vertical, ' if vertical else ''}type {type}, ground {letter}"
    if q is None:
        long = not vertical and type == 1
        ends = (LONG[letter], base * tc * td) if long else None

        def elastic(periods: Array) -> Array:
            return _elastic(periods, base, plateau * eta, (tb, tc, td), ends)

        high = math.inf if long else LAST
        return Target(f"{kind}, elastic, a_g {size / units.standard_gravity:.3g} g", elastic, ratio, 0.0, high)
    factor = units.number(q, "", name="q", owner=owner, within=units.Range(1.0, 10.0, low_open=False))
    if ratio != 0.05:
        raise refusal("damping", owner, "must be 5 % where `q` is given, which accounts for it", damping)
    least = LEAST * (base if vertical else size)

    def design(periods: Array) -> Array:
        return _design(periods, base, 2.5 / factor, (tb, tc, td), least)

    return Target(f"{kind}, design, q {factor:g}, a_g {size / units.standard_gravity:.3g} g", design, ratio, 0.0, LAST)


def _elastic(
    periods: Array, base: float, top: float, corners: tuple[float, float, float], long: tuple[float, float] | None
) -> Array:
    tb, tc, td = corners
    at = np.maximum(periods, 1e-12)
    found = base * np.select(
        [at <= tb, at <= tc, at <= td], [1.0 + at / tb * (top - 1.0), np.full_like(at, top), top * tc / at],
        top * tc * td / at**2,
    )  # fmt: skip
    if long is None:
        return np.asarray(found)
    te, reach = long
    share = np.clip((at - te) / (T_F - te), 0.0, 1.0)
    return np.where(at > te, reach * (top + share * (1.0 - top)) / at**2, found)


def _design(periods: Array, base: float, top: float, corners: tuple[float, float, float], least: float) -> Array:
    tb, tc, td = corners
    at = np.maximum(periods, 1e-12)
    return np.select(
        [at <= tb, at <= tc, at <= td],
        [
            base * (2.0 / 3.0 + at / tb * (top - 2.0 / 3.0)), np.full_like(at, base * top),
            np.maximum(base * top * tc / at, least),
        ],
        np.maximum(base * top * tc * td / at**2, least),
    )  # fmt: skip
