"""Storeys that are not linear, as tables of a scenario: one for each rule of `carom.joints` that a storey can have.

A spring's fields, units and ranges are read off its class, so that a new one is known here by itself.
"""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Discriminator, Field, Tag

from carom.joints import InternalSpring, joints
from carom.scenario.parts import Part
from carom.scenario.structures.joint_parts import joint_of, joint_parts

__all__ = ["KINDS", "ElasticStorey", "Storeys", "spring_of"]


class ElasticStorey(Part):
    """A storey that stays elastic, among others that do not."""

    kind: Literal["elastic"]


_SPRINGS: dict[str, type[InternalSpring]] = {kind.name: kind for kind in joints if issubclass(kind, InternalSpring)}
_PARTS = joint_parts(_SPRINGS.values(), "Storey", "what the storey does")
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
    found = joint_of(part, _SPRINGS[part.kind])
    assert isinstance(found, InternalSpring)  # chosen above
    return found
