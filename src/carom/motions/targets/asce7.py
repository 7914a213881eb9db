"""ASCE/SEI 7-16 and 7-22, two-period design response spectrum, 11.4.6.

    S_a = S_DS·(0.4 + 0.6·T/T_0)   T < T_0         (11.4-5)
          S_DS                     to T_S
          S_D1/T                   to T_L          (11.4-6)
          S_D1·T_L/T²              beyond          (11.4-7)
    T_0 = 0.2·S_D1/S_DS, T_S = S_D1/S_DS

S_DS and S_D1 are given, or follow from S_S, S_1 and the site class by the coefficients F_a and F_v of ASCE/SEI 7-16,
tables 11.4-1 and 11.4-2 (two thirds of the maximum considered, 11.4.4 and 11.4.5), linear between columns.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np

from carom import units
from carom.errors import InputError, refusal
from carom.motions.motion import Array
from carom.motions.quantities import acceleration
from carom.motions.targets.base import Target

__all__ = ["asce7"]

FA: Mapping[str, tuple[float, ...]] = MappingProxyType({
    "A": (0.8,) * 6, "B": (0.9,) * 6, "C": (1.3, 1.3, 1.2, 1.2, 1.2, 1.2), "D": (1.6, 1.4, 1.2, 1.1, 1.0, 1.0),
    "E": (2.4, 1.7, 1.3),
})  # fmt: skip
SS = (0.25, 0.5, 0.75, 1.0, 1.25, 1.5)
"""Table 11.4-1: F_a by S_S [g]; class E beyond 0.75 g needs a study of the site, 11.4.8."""
FV: Mapping[str, tuple[float, ...]] = MappingProxyType({
    "A": (0.8,) * 6, "B": (0.8,) * 6, "C": (1.5, 1.5, 1.5, 1.5, 1.5, 1.4), "D": (2.4, 2.2, 2.0, 1.9, 1.8, 1.7),
    "E": (4.2,),
})  # fmt: skip
S1 = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6)
"""Table 11.4-2: F_v by S_1 [g]; class E beyond 0.1 g needs a study of the site."""


def asce7(
    *,
    sds: object = None,
    sd1: object = None,
    ss: object = None,
    s1: object = None,
    site: str | None = None,
    tl: object = 8.0,
) -> Target:
    """Return the design response spectrum of ASCE 7, at 5 % damping.

    Parameters
    ----------
    sds, sd1
        Design spectral accelerations at short periods and at 1 s [m/s², or "1.0 g"].
    ss, s1, site
        In their place the mapped ones of the maximum considered earthquake, and the site class A to E.
    tl
        T_L, where the long periods begin [s].
    """
    owner = "asce7"
    design = {"sds": sds, "sd1": sd1}
    mapped = {"ss": ss, "s1": s1, "site": site}
    given = [name for name, value in {**design, **mapped}.items() if value is not None]
    if given == ["sds", "sd1"]:
        short, long = (acceleration(value, name=name, owner=owner) for name, value in design.items())
    elif given == ["ss", "s1", "site"]:
        short, long = _design_values(ss, s1, str(site), owner)
    else:
        raise InputError(f"{owner} needs `sds` and `sd1`, or `ss`, `s1` and `site`. Got {', '.join(given) or 'none'}.")
    last = units.number(tl, "s", name="tl", owner=owner, within=units.POSITIVE)
    corner = long / short
    if last < corner:
        raise refusal("tl", owner, f"must not lie below T_S = S_D1/S_DS, {corner:g} s", tl)

    def curve(periods: Array) -> Array:
        at = np.maximum(periods, 1e-12)
        return np.select(
            [at < 0.2 * corner, at <= corner, at <= last],
            [short * (0.4 + 0.6 * at / (0.2 * corner)), np.full_like(at, short), long / at],
            long * last / at**2,
        )

    g = units.standard_gravity
    return Target(f"ASCE 7, S_DS {short / g:.3g} g, S_D1 {long / g:.3g} g, T_L {last:g} s", curve)


def _design_values(ss: object, s1: object, site: str, owner: str) -> tuple[float, float]:
    letter = site.strip().upper()
    if letter not in FA:
        raise refusal("site", owner, "must be A, B, C, D or E", site, "F needs a study of the site.")
    found = []
    for name, value, columns, table in (("ss", ss, SS, FA[letter]), ("s1", s1, S1, FV[letter])):
        size = acceleration(value, name=name, owner=owner)
        g = size / units.standard_gravity
        if g > columns[len(table) - 1] and len(table) < len(columns):
            raise refusal(
                name, owner, f"must not exceed {columns[len(table) - 1]:g} g on site class {letter}", value,
                "ASCE 7-16, 11.4.8, asks for a study of the site; give `sds` and `sd1` from it.",
            )  # fmt: skip
        found.append(2.0 / 3.0 * size * float(np.interp(g, columns[: len(table)], table)))
    return found[0], found[1]
