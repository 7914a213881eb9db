"""Storeys that are not linear, as tables of a scenario: one for each rule of `carom.joints` that a storey can have.

A spring's fields, units and ranges are read off its class, so that a new one is known here by itself.
"""

from __future__ import annotations

from dataclasses import MISSING, fields
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Discriminator, Field, Tag, create_model

from carom.joints import InternalSpring, joints
from carom.scenario.parts import Part
from carom.scenario.quantities import Quantity

__all__ = ["KINDS", "ElasticStorey", "Storeys", "spring_of"]

EXAMPLES = {"m": "2 cm", "N/m": "300 kN/mm", "N": "2 MN", "": 0.05}


class ElasticStorey(Part):
    """A storey that stays elastic, among others that do not."""

    kind: Literal["elastic"]


def _part(word: str, spring: type[InternalSpring]) -> type[Part]:
    entries: dict[str, Any] = {"kind": (Literal[word], Field(description="what the storey does"))}
    for entry in (entry for entry in fields(spring) if entry.init):
        unit, within = spring.units[entry.name]
        needed = entry.default is MISSING
        example = EXAMPLES.get(unit, f"1 {unit}") if needed else entry.default
        about = f"of {spring.__name__}" + (f" [{unit}]" if unit else "")
        entries[entry.name] = (
            Annotated[float, Quantity(unit, within)],
            Field(default=... if needed else entry.default, description=about, examples=[example]),
        )
    about = (spring.__doc__ or "").strip().splitlines()[0]
    return create_model(f"{spring.__name__}Storey", __base__=Part, __doc__=about, **entries)


_SPRINGS: dict[str, type[InternalSpring]] = {kind.name: kind for kind in joints if issubclass(kind, InternalSpring)}
_PARTS = {word: _part(word, spring) for word, spring in _SPRINGS.items()}
KINDS = (*_PARTS, "elastic")
"""The kinds of storeys that a file may state."""


def _form(value: Any) -> str:
    return "list" if isinstance(value, list) else "one"


if TYPE_CHECKING:
    Storeys = Part | list[Part]
else:
    _Storey = Annotated[reduce(or_, _PARTS.values(), ElasticStorey), Field(discriminator="kind")]
    Storeys = Annotated[
        Annotated[_Storey, Tag("one")] | Annotated[list[_Storey], Field(min_length=1), Tag("list")],
        Discriminator(_form),
    ]


def spring_of(part: Any) -> InternalSpring | None:
    """Return the spring that a table states; None for an elastic storey."""
    if part.kind == "elastic":
        return None
    return _SPRINGS[part.kind](**{name: value for name, value in part if name != "kind"})
