"""Rules of `carom.joints` as tables of a scenario: fields, units and ranges are read off their classes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import MISSING, fields
from typing import Annotated, Any, Literal

from pydantic import Field, create_model

from carom.joints import InternalSpring, Joint, joints
from carom.scenario.parts import Part
from carom.scenario.quantities import Quantity

__all__ = ["BEARING_RULES", "joint_of", "joint_parts"]

BEARING_RULES: dict[str, type[Joint]] = {
    kind.name: kind for kind in joints if not issubclass(kind, InternalSpring) and kind.__module__.startswith("carom.")
}
"""The rules that a bearing may have, by their names: ours, that are not for storeys."""

EXAMPLES = {"m": "2 cm", "N/m": "300 kN/mm", "N": "2 MN", "": 0.05}


def joint_parts(kinds: Iterable[type[Joint]], called: str, about: str) -> dict[str, type[Part]]:
    """Return a table for each rule, by its name; they are called after class and `called`, `about` is their kind."""
    return {kind.name: _part(kind, called, about) for kind in kinds}


def joint_of(part: Any, kind: type[Joint]) -> Joint:
    """Return the rule that a table states."""
    return kind(**{name: value for name, value in part if name != "kind"})


def _part(kind: type[Joint], called: str, about: str) -> type[Part]:
    entries: dict[str, Any] = {"kind": (Literal[kind.name], Field(description=about))}
    for entry in (entry for entry in fields(kind) if entry.init):
        unit, within = kind.units[entry.name]
        needed = entry.default is MISSING
        left_out = entry.default is None
        example = EXAMPLES.get(unit, f"1 {unit}") if needed or left_out else entry.default
        told = f"of {kind.__name__}" + (f" [{unit}]" if unit else "")
        quantity: Any = Annotated[float, Quantity(unit, within)]
        entries[entry.name] = (
            quantity | None if left_out else quantity,
            Field(default=... if needed else entry.default, description=told, examples=[example]),
        )
    told = (kind.__doc__ or "").strip().splitlines()[0]
    return create_model(f"{kind.__name__}{called}", __base__=Part, __doc__=told, **entries)
