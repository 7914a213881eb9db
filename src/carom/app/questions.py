"""What else a visitor may ask: laws side by side, which stiffness, and a small study."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

import carom
from carom.app.wire import frame
from carom.errors import refusal
from carom.laws.catalogue import laws
from carom.studies.single.achieved import achieved_restitution

__all__ = ["advice", "gaps", "laws_beside"]

ASKED = np.linspace(0.05, 1.0, 39)
"""Restitutions at which achieved ones are drawn."""
SHOWN = 6
"""Laws beside each other, at most."""
SUITE = 30
"""Motions of the built-in suite."""
GAPS = 25
"""Gaps at which a study counts contacts."""


def laws_beside(wish: Mapping[str, Any]) -> bytes:
    """Return one impact by several laws of equal stiffness at a millimetre, and what each achieves of e."""
    names = [str(name) for name in list(wish.get("names", []))[:SHOWN]]
    mass, velocity = _positive(wish, "mass"), _positive(wish, "velocity")
    stiffness, e = _positive(wish, "stiffness"), _positive(wish, "restitution")
    said: list[dict[str, Any]] = []
    arrays: dict[str, Any] = {"asked": ASKED}
    for i, name in enumerate(names):
        kind = laws.get(name)
        curve = achieved_restitution(name, ASKED)
        given: dict[str, Any] = {"restitution": min(e, 1.0)} if curve is not None else {}
        if curve is None and "damping" in kind.__dataclass_fields__:
            said.append({"name": name, "words": "its damping is not published as a function of e"})
            continue
        hit: Any = carom.impact(
            kind(stiffness=stiffness * 1e-3 ** (1.0 - kind.n), **given), mass=mass, velocity=velocity
        )
        arrays |= {f"overlap {i}": hit.history.overlap, f"force {i}": hit.history.force, f"time {i}": hit.history.time}
        if curve is not None:
            arrays[f"achieved {i}"] = np.nan_to_num(curve, nan=-1.0)
        said.append(
            {"name": name, "restitution": hit.restitution, "peak_force": hit.peak_force, "duration": hit.duration}
        )
    return frame({"kind": "laws", "number": wish.get("number", 0), "laws": said}, arrays)


def advice(wish: Mapping[str, Any]) -> bytes:
    """Return what the adviser says of a contact's stiffness."""
    found = carom.stiffness.advise(
        materials=tuple(str(one) for one in list(wish.get("materials", ["concrete", "concrete"]))[:2]),
        masses=tuple(_positive(wish, name) for name in ("mass", "other_mass")), velocity=_positive(wish, "velocity"),
    )  # fmt: skip
    return frame({"kind": "advice", "number": wish.get("number", 0), "words": str(found)}, {})


def gaps(problem: Any, wish: Mapping[str, Any], tell: Callable[[float], None]) -> bytes:
    """Return how many motions of a suite close a gap, over the gap, and what the rules of codes ask for."""
    from carom.studies.analyses.separation import separation
    from carom.units import standard_gravity

    pga = _positive(wish, "pga") * standard_gravity
    motions = [one.scaled(pga=pga) for one in carom.motions.suite("thirty")[:SUITE]]
    tell(0.1)
    found = separation(problem, motions)
    needed = np.sort(np.asarray(found.needed))
    widths = np.linspace(0.0, 1.2 * float(needed[-1]), GAPS)
    share = [(needed > width).mean() for width in widths]
    said = {
        "kind": "gaps", "number": wish.get("number", 0), "contact": found.contact, "gap": found.gap, "pga": pga,
        "largest": float(needed[-1]), "median": float(np.median(needed)),
        "rules": {name: float(np.mean(values)) for name, values in found.rules.items()},
    }  # fmt: skip
    return frame(said, {"gaps": widths, "share": share, "needed": needed})


def _positive(wish: Mapping[str, Any], name: str) -> float:
    value = wish.get(name)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0.0 < value < 1e15:
        raise refusal(name, "the page", "must be a number above zero", value)
    return float(value)
