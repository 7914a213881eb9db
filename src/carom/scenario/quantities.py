"""Numbers with units as fields of a model: a number is taken in SI, text brings its own unit."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic_core import core_schema

from carom.errors import UnitWarning, refusal
from carom.motions.quantities import acceleration
from carom.units import ANY, NONNEGATIVE, POSITIVE, Range, number, remark_on_unit

__all__ = [
    "Acceleration", "Amount", "Gap", "Gaps", "Length", "Lengths", "Listed", "Loose", "Mass", "Masses", "Quantity",
    "Ratio", "Ratios", "Stiffness", "Stiffnesses", "Time",
]  # fmt: skip


SMALLEST, LARGEST = 1e-40, 1e40
"""Of all numbers of a file, in SI."""


@dataclass(frozen=True)
class Quantity:
    """What a number must be: its unit, its range, and whether a list of them may stand in its place."""

    unit: str
    within: Range = ANY
    several: bool = False
    """Whether one number may be a list of them."""
    listed: bool = False
    """Whether it must be a list."""

    def take(self, value: object) -> float:
        """Return the value in SI; refuse what is none, and what is beyond all physics: its powers would overflow."""
        found = self._read(value)
        if found and not SMALLEST <= abs(found) <= LARGEST:
            rule = f"must be of a size between {SMALLEST:g} and {LARGEST:g}, or 0"
            raise refusal("value", "field", rule, value)
        return found

    def _read(self, value: object) -> float:
        if isinstance(value, str) and remark_on_unit(value):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UnitWarning)  # the file's reader says it, and at which field
                return self._taken(value)
        return self._taken(value)

    def _taken(self, value: object) -> float:
        if self.unit == "m/s^2":
            return acceleration(value, name="value", owner="field", within=self.within)
        return number(value, self.unit, name="value", owner="field", within=self.within)

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> core_schema.CoreSchema:
        """Take one number, or each of a list, so that every bad one is found."""
        one = core_schema.no_info_plain_validator_function(self.take)
        row = core_schema.list_schema(one, min_length=1, strict=True)
        if self.listed:
            return row
        if not self.several:
            return one
        return core_schema.tagged_union_schema(
            {"one": one, "list": row}, lambda value: "list" if isinstance(value, list) else "one"
        )

    def __get_pydantic_json_schema__(self, schema: core_schema.CoreSchema, handler: Any) -> dict[str, Any]:
        """Say what an editor may accept."""
        words = f"in {self.unit}" if self.unit else "without unit"
        number_schema: dict[str, Any] = {"type": "number", "description": f"a number {words}"}
        if self.within.low == 0.0:
            number_schema["exclusiveMinimum" if self.within.low_open else "minimum"] = 0
        text = {"type": "string", "description": f'a number with a unit, such as "1 {self.unit or "%"}"'}
        row = {"type": "array", "items": {"anyOf": [number_schema, text]}, "minItems": 1}
        if self.listed:
            return row
        return {"anyOf": [number_schema, text, *([row] if self.several else [])]}


class Loose:
    """A number, or text with a unit, whose unit depends on what stands beside it: who makes the object judges it."""

    def take(self, value: object) -> object:
        """Return the value as it is; refuse what cannot be a number."""
        if isinstance(value, bool) or not isinstance(value, (int, float, str)):
            raise refusal("value", "field", "must be a number, or a number with a unit in quotes", value)
        if not isinstance(value, str) and value and not SMALLEST <= abs(value) <= LARGEST:
            raise refusal("value", "field", f"must be of a size between {SMALLEST:g} and {LARGEST:g}, or 0", value)
        return value

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> core_schema.CoreSchema:
        """Take a number or text."""
        return core_schema.no_info_plain_validator_function(self.take)

    def __get_pydantic_json_schema__(self, schema: core_schema.CoreSchema, handler: Any) -> dict[str, Any]:
        """Say what an editor may accept."""
        return {"anyOf": [{"type": "number"}, {"type": "string", "description": "a number with a unit"}]}


@dataclass(frozen=True)
class Listed:
    """Numbers in lists that stand in each other, at most so deep; units are judged as of `Loose`."""

    deepest: int

    def take(self, value: object) -> Any:
        """Return the lists as they are; refuse what is none, or holds what cannot be a number."""
        if not isinstance(value, list) or not value:
            raise refusal("value", "field", "must be a list in square brackets, not an empty one", value)
        return [self._member(one, self.deepest - 1) for one in value]

    def _member(self, value: object, deeper: int) -> Any:
        if isinstance(value, list) and deeper and value:
            return [self._member(one, deeper - 1) for one in value]
        return Loose().take(value)

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> core_schema.CoreSchema:
        """Take lists of numbers and texts."""
        return core_schema.no_info_plain_validator_function(self.take)

    def __get_pydantic_json_schema__(self, schema: core_schema.CoreSchema, handler: Any) -> dict[str, Any]:
        """Say what an editor may accept."""
        found: dict[str, Any] = {"anyOf": [{"type": "number"}, {"type": "string"}]}
        for _ in range(self.deepest):
            found = {
                "anyOf": [{"type": "number"}, {"type": "string"}, {"type": "array", "items": found, "minItems": 1}]
            }
        return {"type": "array", "items": found["anyOf"][-1]["items"], "minItems": 1}


Amount = Annotated[float, Quantity("")]
Mass = Annotated[float, Quantity("kg", POSITIVE)]
Masses = Annotated[float | list[float], Quantity("kg", POSITIVE, several=True)]
Stiffness = Annotated[float, Quantity("N/m", POSITIVE)]
Stiffnesses = Annotated[float | list[float], Quantity("N/m", POSITIVE, several=True)]
Length = Annotated[float, Quantity("m", POSITIVE)]
Lengths = Annotated[float | list[float], Quantity("m", POSITIVE, several=True)]
Gap = Annotated[float, Quantity("m")]
Gaps = Annotated[float | list[float], Quantity("m", several=True)]
Ratio = Annotated[float, Quantity("", NONNEGATIVE)]
Ratios = Annotated[float | list[float], Quantity("", NONNEGATIVE, several=True)]
Time = Annotated[float, Quantity("s", POSITIVE)]
Acceleration = Annotated[float, Quantity("m/s^2", POSITIVE)]
