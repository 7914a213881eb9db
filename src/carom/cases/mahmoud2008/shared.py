"""What the cases of mahmoud2008 share: its two models, and the solution for what it leaves out."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import NamedTuple

from scipy.optimize import brentq

from carom.cases.base import NO_CURVE, stated
from carom.laws import CompliantLaw, law
from carom.results import Impact, Row

__all__ = ["MODELS", "RESTITUTION", "Model", "build", "rest_of", "solve"]

RESTITUTION = 0.6  # both experiments, both models


class Model(NamedTuple):
    """One of the two models compared."""

    law: str
    title: str
    symbol: str


MODELS = {
    "jankowski": Model("jankowski-2005", "Jankowski", "β"),
    "hertzdamp": Model("lankarani-nikravesh-1990", "Hertzdamp", "k_h"),
}


def build(key: str, stiffness: float) -> CompliantLaw:
    """Return one of the two models with that stiffness [N/m^1.5]."""
    return law(MODELS[key].law, stiffness=stiffness, restitution=RESTITUTION, v0="published")


def solve(quantity: Callable[[float], float], target: float, low: float, high: float) -> float:
    """Return the x between low and high at which a rising quantity meets its target."""
    return float(brentq(lambda x: math.log(quantity(x) / target), low, high, xtol=1e-12, rtol=1e-12))


def rest_of(hit: Callable[[str], Impact], errors: Mapping[str, float]) -> list[Row]:
    """Return what each model achieves of e, what the conclusions say of contact times, and the printed errors [%].

    That Hertzdamp's contact is the longer depends on the two stiffnesses alone: both durations go as (m²/(K²v))^{1/5}.
    """
    longer = hit("hertzdamp").duration > hit("jankowski").duration
    rows = [
        Row(
            quantity=f"{model.title}: achieved e ({RESTITUTION} asked)",
            published=None,
            computed=hit(key).restitution,
            reason="not in the paper",
        )
        for key, model in MODELS.items()
    ]
    rows.append(stated("Hertzdamp's contact lasts longer", float(longer)))
    for key, model in MODELS.items():
        rows.append(Row(quantity=f"{model.title}: NE", published=errors[key], computed=None, unit="%", reason=NO_CURVE))
    return rows
