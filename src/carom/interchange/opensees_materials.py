"""The material of OpenSees that is nearest to a contact law, or to a storey's rule, and what it cannot do.

================= =====================================================  ==================================
material          force while strain < gap < 0 (compression negative)    laws of carom
================= =====================================================  ==================================
Hertzdamp         (K + d K/v0 δ̇) δⁿ, any n; v0: rate at the end of the   n = m, damping d K/v0; linear and
                  first step in contact                                  Hertz with d = 0
JankowskiImpact   K δⁿ + 2ξ √(K δⁿ⁻¹ m) δ̇, approach only, any n          jankowski-2005, mahmoud-jankowski
ViscoelasticGap   K δ + C δ̇                                              kelvin-voigt
================= =====================================================  ==================================

In OpenSees' source Hertzdamp and JankowskiImpact return their tangent with the wrong sign (force and strain are both
negative in compression, so it must be positive), and no tangent knows the damping. Gaps of Hertzdamp and
JankowskiImpact must be negative, else the process exits. `ImpactMaterial` is a bilinear spring with hysteresis fitted
to the loss of Hertzdamp and none of our laws.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from carom.contact import Contact
from carom.errors import InputError
from carom.joints import Bilinear, BoucWen, InternalSpring
from carom.laws.base import CompliantLaw, FunctionLaw

__all__ = ["ContactMaterial", "contact_material", "storey_material"]

TOUCHING = 1e-12
"""Gap [m] that stands for none: OpenSees ends the process where it is not negative."""
TRIED_AT = 0.5
"""Approach velocity [m/s] at which the restitution of a law is found that OpenSees does not have."""
LATE_RATE = (
    "takes the rate that scales its damping at the end of the first step in contact: its force is late by up to a step"
)


class ContactMaterial(NamedTuple):
    """A material of OpenSees for a contact."""

    words: tuple[Any, ...]
    """What `uniaxialMaterial` takes."""
    exact: bool
    """Whether its force is that of the law, but for the step."""
    cannot: tuple[str, ...]
    """What it cannot do, in words that follow its name."""


def contact_material(contact: Contact, tag: int, mass: float) -> ContactMaterial:
    """Return the nearest material; refuse laws that have none."""
    law = contact.law
    if not isinstance(law, CompliantLaw) or isinstance(law, FunctionLaw):
        what = "a function of its own" if isinstance(law, FunctionLaw) else "an impulse: rigid contact"
        raise InputError(
            f"OpenSees has no material for {getattr(law, 'name', 'this law')}, {what}. Take a law of the catalogue "
            "with a stiffness, such as kelvin-voigt or hertzdamp."
        )
    if contact.gap < 0.0:
        raise InputError("OpenSees' contact materials take no contact that is closed at the start.")
    gap = -max(contact.gap, TOUCHING)
    k, n, chi, m, rate_power, share, tension, _ = (float(number) for number in law.power_form(mass))
    late: tuple[str, ...] = (LATE_RATE,) if chi else ()
    if chi == 0.0 or (rate_power == 1.0 and m == n and share == 1.0):
        return ContactMaterial(("Hertzdamp", tag, k, chi / k, gap, n), True, late + (_v0(law) if chi else ()))
    if rate_power == 0.0 and m == (n - 1.0) / 2.0 and share == 0.0:
        words = ("JankowskiImpact", tag, k, chi / (2.0 * np.sqrt(k * mass)), mass, gap, n)
        return ContactMaterial(words, True, ())
    if rate_power == 0.0 and n == 1.0 and m == 0.0:
        cannot = () if tension else ("pulls before the bodies part, where this law lets go",)
        return ContactMaterial(("ViscoelasticGap", tag, k, chi, gap), not cannot, cannot)
    return _of_equal_restitution(law, tag, mass, gap, k, n)


def _v0(law: CompliantLaw) -> tuple[str, ...]:
    if getattr(law, "v0", "published") == "guarded":
        return ("knows no guard against slow touches, which it damps more than this law",)
    return ()


def _of_equal_restitution(law: CompliantLaw, tag: int, mass: float, gap: float, k: float, n: float) -> ContactMaterial:
    """Return Hertzdamp of the same stiffness, damped to the restitution that the law achieves."""
    from carom.integrate.impact import impact
    from carom.laws.catalogue import law as make

    e = float(impact(law, mass=mass, velocity=TRIED_AT).restitution)
    exact = make("hunt-crossley-exact", stiffness=k, exponent=n, restitution=min(max(e, 1e-3), 1.0), v0="published")
    chi = float(exact.power_form(mass).damping)  # d·K, whatever n is: restitution depends on d alone
    cannot = (
        f"has no damping like that of {law.name}: it is given the restitution that the law achieves at {TRIED_AT:g} "
        f"m/s (e = {e:.3g}), and its forces differ from the law's",
        LATE_RATE,
    )
    return ContactMaterial(("Hertzdamp", tag, k, chi / k, gap, n), False, cannot)


def storey_material(storey: InternalSpring | None, tag: int, stiffness: float) -> tuple[Any, ...]:
    """Return the words of the material of a storey."""
    if storey is None:
        return ("Elastic", tag, stiffness)
    if isinstance(storey, Bilinear):
        return ("Steel01", tag, stiffness * storey.yield_drift, stiffness, storey.hardening)
    if isinstance(storey, BoucWen):
        n, scale = storey.exponent, storey.yield_drift**storey.exponent
        gamma, beta = (1.0 - storey.beta) / scale, storey.beta / scale
        return ("BoucWen", tag, storey.hardening, stiffness, n, gamma, beta, 1.0, 0.0, 0.0, 0.0)
    raise InputError(f"OpenSees has no material here for a storey with {type(storey).__name__}.")
