"""What else a visitor may ask: laws side by side, which stiffness, and a small study."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

import carom
from carom.app.wire import frame
from carom.errors import CaromError, refusal
from carom.laws.catalogue import laws
from carom.studies.single.achieved import achieved_restitution

__all__ = ["advice", "laws_beside", "study"]

ASKED = np.linspace(0.05, 1.0, 39)
"""Restitutions at which achieved ones are drawn."""
SHOWN = 6
"""Laws beside each other, at most."""
SUITE = 30
"""Motions of the built-in suite."""
OF_ONE = 3
"""Motions of one event in it."""
GAPS = 25
"""Gaps at which a study counts contacts."""
LEVELS, CURVE = 12, 60
"""Strengths at which it runs every motion, and points of the curve through them."""


def laws_beside(wish: Mapping[str, Any]) -> bytes:
    """Return one impact by several laws of equal stiffness at a millimetre, and what each achieves of e."""
    names = _words(wish, "names")[:SHOWN]
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
        materials=tuple(_words(wish, "materials")[:2]),
        masses=tuple(_positive(wish, name) for name in ("mass", "other_mass")), velocity=_positive(wish, "velocity"),
    )  # fmt: skip
    return frame({"kind": "advice", "number": wish.get("number", 0), "words": str(found)}, {})


def study(
    problem: Callable[[], Any], wish: Mapping[str, Any], tell: Callable[[float], None], rtol: float = 1e-5
) -> bytes:
    """Return a small study: the fragility of touching over PGA, the gap that each motion needs, and rules."""
    from carom.studies.analyses.separation import separation
    from carom.units import standard_gravity

    pga = _positive(wish, "pga")
    asked, motions = problem(), carom.motions.suite("thirty")[:SUITE]
    levels = np.geomspace(0.1, 2.5, LEVELS) * pga
    units = [one.scaled(pga=standard_gravity) for one in motions]
    touched, failed = [], []
    for k in range(0, SUITE, OF_ONE):
        many = carom.ensemble(asked, vary={"motion": units[k : k + OF_ONE], "scale": levels}, rtol=rtol).dataset
        touched.append(np.asarray(many["impacts"]) > 0)
        failed.append(np.asarray(many["status"]) != "finished")
        tell((k + OF_ONE) / SUITE * 0.9)
    said, arrays = _fragility(levels, np.concatenate(touched), np.concatenate(failed))
    found = separation(asked, [one.scaled(pga=pga * standard_gravity) for one in motions])
    needed = np.sort(np.asarray(found.needed))
    widths = np.linspace(0.0, 1.2 * float(needed[-1]), GAPS)
    said |= {
        "kind": "study", "number": wish.get("number", 0), "contact": found.contact, "gap": found.gap, "pga": pga,
        "largest": float(needed[-1]), "middle": float(np.median(needed)),
        "rules": {name: float(np.mean(values)) for name, values in found.rules.items()},
    }  # fmt: skip
    arrays |= {"gaps": widths, "share": [(needed > width).mean() for width in widths], "needed": needed}
    return frame(said, arrays)


def _fragility(
    levels: npt.NDArray[np.float64], touched: npt.NDArray[np.bool_], failed: npt.NDArray[np.bool_]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the curve fitted to runs of motions (rows) at levels of PGA [g]; the words of why where there is none."""
    from carom.studies.analyses.fragility import fragility_curve

    finished = np.maximum((~failed).sum(axis=0), 1)
    arrays: dict[str, Any] = {"levels": levels, "observed": (touched & ~failed).sum(axis=0) / finished}
    said: dict[str, Any] = {"failed": int(failed.sum()), "runs": int(failed.size), "median": None}
    event = np.repeat(np.arange(len(touched)) // OF_ONE, levels.size)
    try:
        curve = fragility_curve(
            np.tile(levels, len(touched)), touched.ravel(), failed=failed.ravel(), clusters=event, independent="event"
        )
    except CaromError as error:
        return {**said, "words": str(error)}, arrays
    x = np.geomspace(levels[0], levels[-1], CURVE)
    low, high = curve.band(x)
    said |= {"median": curve.median, "beta": curve.beta, "interval": [float(one) for one in curve.median_interval]}
    said["interval"] = [one if np.isfinite(one) else None for one in said["interval"]]
    return said, {**arrays, "pga": x, "curve": curve.probability(x), "low": low, "high": high}


def _words(wish: Mapping[str, Any], name: str) -> list[str]:
    found = wish.get(name)
    if not isinstance(found, list) or not all(isinstance(one, str) for one in found):
        raise refusal(name, "the page", "must be a list of words", found)
    return found


def _positive(wish: Mapping[str, Any], name: str) -> float:
    value = wish.get(name)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0.0 < value < 1e15:
        raise refusal(name, "the page", "must be a number above zero", value)
    return float(value)
