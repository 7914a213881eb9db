"""What a visitor may move: one control for each quantity of a scenario, with the range in which it is worth moving."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from carom.scenario.studies.paths import Place, places_in

__all__ = ["TITLES", "Control", "control", "controls_of"]

TITLES = {
    "gap": "gap", "restitution": "restitution e", "stiffness": "stiffness", "damping_ratio": "damping", "mass": "mass",
    "masses": "masses", "stiffnesses": "storey stiffnesses", "period": "period", "frequency": "frequency",
    "stiffnesses_x": "stiffnesses along x", "stiffnesses_y": "stiffnesses along y",
    "torsional_stiffnesses": "torsional stiffnesses", "friction": "friction μ", "skew": "skew", "delay": "delay",
    "accidental_x": "mass shifted along x", "accidental_y": "mass shifted along y", "angle": "angle",
}  # fmt: skip
"""Fields that have a control, and what it is called; others are left as the file says."""
SHOWN = {
    "m": ("mm", 1e3),
    "N/m": ("kN/mm", 1e-6),
    "kg": ("t", 1e-3),
    "s": ("s", 1.0),
    "Hz": ("Hz", 1.0),
    "rad": ("°", math.degrees(1.0)),
    "N*m": ("GN·m", 1e-9),
    "": ("", 1.0),
}
"""SI unit to the one that is shown, and by which factor."""
RANGES = {
    "restitution": (0.05, 1.0),
    "damping_ratio": (0.0, 0.3),
    "friction": (0.0, 1.0),
    "gap": (0.0, 0.2),
    "accidental_x": (-0.1, 0.1),
    "accidental_y": (-0.1, 0.1),
    "delay": (0.0, 1.0),
    "skew": (0.0, 1.0),
}
"""From where to where, for quantities whose range is their own [SI]; others move about what the file says."""
ABOUT = 8.0
"""By what factor other quantities may be made smaller and larger."""
CONTACT_ABOUT = 100.0
"""The same of a contact's stiffness, which nobody knows well."""


class Control(NamedTuple):
    """One slider."""

    path: str
    """Where the scenario holds it."""
    group: str
    title: str
    unit: str
    """As shown."""
    factor: float
    """What is shown over SI."""
    value: float
    """Where it stands, in SI; of a list a factor on all of it, 1."""
    low: float
    high: float
    equal_ratios: bool
    """Whether equal movements are equal ratios."""
    listed: bool
    """Whether it multiplies a list."""


def controls_of(tables: Mapping[str, Any]) -> list[Control]:
    """Return the controls of a scenario, in the order of its file."""
    return [control for place in places_in(tables).values() for control in _control(tables, place)]


def _control(tables: Mapping[str, Any], place: Place) -> Iterator[Control]:
    field = str(place.steps[-1])
    given = _stated(tables, place)
    if field not in TITLES or place.unit is None or given is None or place.steps[0] == "initial":
        return
    group = str(place.steps[1]) if place.steps[0] != "contacts" else _between(tables["contacts"][place.steps[1]])
    value = None if isinstance(given, list) else float(place.take(given))
    found = control(place.path, group, field, place.unit, value, of_law=place.steps[0] == "laws")
    if found is not None:
        yield found


def control(
    path: str, group: str, field: str, unit: str, value: float | None, *, of_law: bool = False
) -> Control | None:
    """Return the control of a field that stands at a value [SI]; without one, of a list, which it multiplies."""
    shown, factor = SHOWN.get(unit, (unit.replace("*", "·"), 1.0))
    if value is None:
        return Control(path, group, TITLES[field], "×", 1.0, 1.0, 1.0 / ABOUT, ABOUT, True, True)
    if field in RANGES:
        low, high = RANGES[field]
        high = max(high, 2.0 * value) if field == "gap" else high
        ends = min(low, value), max(high, value)
        return Control(path, group, TITLES[field], shown, factor, value, *ends, False, False)
    if value <= 0.0:
        return None
    about = CONTACT_ABOUT if of_law else ABOUT
    return Control(path, group, TITLES[field], shown, factor, value, value / about, value * about, True, False)


def _stated(tables: Mapping[str, Any], place: Place) -> Any:
    """Return what the file says at a place; None where it says nothing."""
    found: Any = tables
    for step in place.steps:
        if isinstance(found, Mapping):
            found = found.get(str(step))
        elif isinstance(found, list) and isinstance(step, int) and step < len(found):
            found = found[step]
        else:
            return None
    return found


def _between(contact: Mapping[str, Any]) -> str:
    """Return what a contact is called: its two sides."""
    sides = (contact.get(side) for side in ("left", "right"))
    return " | ".join(str(side.get("structure", "")) if isinstance(side, Mapping) else str(side) for side in sides)
