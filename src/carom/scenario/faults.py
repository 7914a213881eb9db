"""What is wrong with a scenario file: field, rule, value and way out, in one line each."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from numpy.linalg import LinAlgError
from pydantic import BaseModel

from carom.errors import InputError, InputErrors, Refusal, shown
from carom.plain_text import visible
from carom.scenario.structures.joint_parts import BEARING_RULES
from carom.scenario.structures.storeys import KINDS as STOREYS

__all__ = ["BEYOND", "Fault", "FieldError", "ScenarioError", "beyond", "fault_of", "from_pydantic", "in_toml"]

MISSING = object()
BEYOND = (ArithmeticError, LinAlgError)
"""What arithmetic raises where numbers leave its range."""
MOST_LINES = 50
"""Faults that are said one by one: nobody mends more at once."""

RULES = {
    "string_type": "must be text in quotes",
    "bool_type": "must be true or false, without quotes",
    "int_type": "must be a whole number, without quotes",
    "int_from_float": "must be a whole number",
    "float_type": "must be a number",
    "list_type": "must be a list in square brackets",
    "dict_type": "must be a table",
    "model_type": "must be a table",
    "model_attributes_type": "must be a table",
    "missing": "must be given",
    "extra_forbidden": "is not known here",
    "union_tag_not_found": "must say its `kind`",
    "too_short": "must not be empty",
}

WAYS = {
    "Widen it, or pass allow_overlap=True.": "Widen it, or write allow_overlap = true under [analysis].",
    "Storey heights become so by numpy.cumsum.": 'Add up storey heights, or write one for all: heights = "3 m".',
    "Use Caughey for more.": "",
    'Say where it slides: Contact(…, tangent="y").': 'Say where it slides: tangent = "y", for example.',
    "Write a Contact with a `tangent` for each place that can slide.": "Write a table [[contacts]] with a `tangent` "
    "for each place that can slide.",
    'Write "x", "-y" or (0.8, 0.6, 0).': 'Write "x", "-y" or [0.8, 0.6, 0].',
    "Write a Contact for each place that can meet.": "Write a table [[contacts]] for each place that can meet.",
}
"""Ways out that Python's users read, in the words of the file."""

_PYTHON = (
    (re.compile(r"\s*\((?:on the command line: )?--[^)]*\)"), ""),
    (re.compile(r",? or (?:call|calibrate first:) \S*\.calibrated\([^)]*\)(?: on the law)?"), ""),
    (re.compile(r'carom\.law\("([^"]+)"[^)]*\)'), r'name = "\1"'),
    (re.compile(r"\b([a-z_0-9]+)=True\b"), r"\1 = true"),
    (re.compile(r"\b([a-z_0-9]+)=False\b"), r"\1 = false"),
    (re.compile(r"\b([a-z_0-9]+)='([^']*)'"), r'\1 = "\2"'),
    (re.compile(r"\b([a-z_0-9]+)=(?=[\"\d.…-])"), r"\1 = "),
    (re.compile(r": give one beside its name"), '. Write {structure = "…", floor = 1}, for example'),
    (re.compile(r"\bPass\b"), "Write"),
    (re.compile(r"\bpass\b"), "write"),
)
"""What Python and the command line spell otherwise than TOML."""

KINDS = (
    "shear-building", "oscillator", "body", "wall", "ground", "torsional-building", "matrices", "moment-frame", "frame",
    "deck", "abutment", "pier", "girder", "rigid-body", "fixed-body",
)  # fmt: skip
"""Of structures."""
TAGS = {"one", "list", "name", "number", "table", "weights", *KINDS, *STOREYS, *BEARING_RULES}
"""Words that the validator puts into a place to say which form of a field it tried."""


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong."""

    field: str
    """The field as the file spells it: ``structures.tower.masses``, ``contacts[1].gap``."""
    rule: str
    value: object = MISSING
    way_out: str = ""

    @property
    def text(self) -> str:
        """The fault as one line."""
        got = "" if self.value is MISSING else f" Got {toml(self.value)}."
        return f"`{self.field}` {self.rule}.{got} {self.way_out}".rstrip()

    def as_dict(self) -> dict[str, Any]:
        """Return the fault as programs see it."""
        value = None if self.value is MISSING else toml(self.value)
        return {"field": self.field, "rule": self.rule, "value": value, "way_out": self.way_out, "message": self.text}


class ScenarioError(InputErrors):
    """A scenario file that cannot be run; `faults` has all that is wrong with it."""

    def __init__(self, name: str, faults: Sequence[Fault]) -> None:
        self.name, self.faults = name, tuple(faults)
        lines = [f"{name}: {fault.text}" for fault in faults[:MOST_LINES]]
        more = len(faults) - len(lines)
        super().__init__([*lines, f"{name}: {more} more faults are like these."] if more > 0 else lines)


class FieldError(InputError):
    """A refusal that belongs to a field below the one that is being read: ``members[2].section``."""

    def __init__(self, field: str, error: InputError, known: Iterable[str] = ()) -> None:
        self.field, self.error, self.known = field, error, tuple(known)
        super().__init__(f"`{field}`: {error}")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.field, self.error, self.known)


def in_toml(text: str) -> str:
    """Return a hint of the library as whoever writes a file needs it."""
    for said, meant in WAYS.items():
        text = text.replace(said, meant)
    for pattern, spelling in _PYTHON:
        text = pattern.sub(spelling, text)
    return text.strip()


def fault_of(error: InputError, field: str, known: Iterable[str] = ()) -> Fault:
    """Return a refusal of the library as a fault of `field`, or of the field under it that is meant."""
    if isinstance(error, FieldError):
        return fault_of(error.error, f"{field}.{error.field}", error.known)
    if isinstance(error, Refusal):
        way_out = in_toml(error.way_out)
        value = MISSING if error.value is None else error.value  # a file has no word for nothing
        if error.parameter in known:
            return Fault(f"{field}.{error.parameter}", error.rule, value, way_out)
        itself = (error.parameter, error.owner) == ("value", "field")  # as `Quantity` refuses, who knows no name
        if itself or error.parameter.removeprefix("initial_") == field.rpartition(".")[2]:
            return Fault(field, error.rule, value, way_out)
    return Fault(field, f"cannot be used: {in_toml(str(error)).rstrip('.')}")


def beyond(field: str) -> Fault:
    """Return the fault of numbers that overflow where something is made of them."""
    return Fault(field, "holds numbers too large or too small to be computed with", way_out="Are their units right?")


def from_pydantic(errors: Iterable[Mapping[str, Any]], model: type[BaseModel]) -> list[Fault]:
    """Return what the validator found, in our words."""
    return [_fault(error, model) for error in errors]


def _fault(error: Mapping[str, Any], model: type[BaseModel]) -> Fault:
    kind, place, value = error["type"], error["loc"], error["input"]
    trail, parts = _walk(model, place)
    path, name = _path(trail), next((step for step in reversed(trail) if isinstance(step, str)), "")
    example = _example(parts, name)
    if kind == "value_error":
        cause = error["ctx"]["error"]
        if isinstance(cause, Refusal):
            return Fault(path, cause.rule, cause.value, example or cause.way_out)
        return Fault(path, f"cannot be used: {cause}", value, example)
    if kind == "missing":
        return Fault(path, RULES[kind], way_out=example)
    if kind == "extra_forbidden":
        known = [field for part in parts for field in part.model_fields]
        return Fault(path, RULES[kind], value, _among(name, known))
    if kind in ("union_tag_not_found", "union_tag_invalid"):
        storey = "storeys" in trail[2:]
        usual: tuple[str, ...] = ("bilinear", *STOREYS) if storey else KINDS
        usual = ("elastomeric", *BEARING_RULES) if "rule" in trail[2:] else usual
        usual = ("backfill",) if "backfill" in trail[2:] else usual
        kinds = error["ctx"].get("expected_tags") or ", ".join(f"'{one}'" for one in dict.fromkeys(usual))
        given = value.get("kind", MISSING) if isinstance(value, dict) else MISSING
        return Fault(f"{path}.kind", f"must be one of {kinds}", given, f'Write kind = "{usual[0]}", for example.')
    if kind == "literal_error":
        return Fault(path, f"must be {error['ctx']['expected']}", value, example)
    if kind in ("greater_than_equal", "less_than_equal"):
        limit = error["ctx"]["ge" if kind.startswith("greater") else "le"]
        words = "at least" if kind.startswith("greater") else "at most"
        return Fault(path, f"must be {words} {limit}", value, example)
    return Fault(path, RULES.get(kind, error["msg"][:1].lower() + error["msg"][1:]), value, example)


def _walk(model: type[BaseModel], place: Sequence[str | int]) -> tuple[list[str | int], list[type[BaseModel]]]:
    """Return the place without the validator's own words, and the models that hold its last field."""
    trail: list[str | int] = []
    here: list[type[BaseModel]] = [model]
    holders = here
    names = False  # whether the next word is a name that the user chose, in a mapping
    for step in place:
        fields = [part.model_fields[str(step)] for part in here if str(step) in part.model_fields]
        if isinstance(step, int) or names:
            trail.append(step)
            names = False
        elif fields:
            trail.append(step)
            holders = here
            here = [part for field in fields for part in _models(field.annotation)]
            names = any("dict" in str(field.annotation).partition("[")[0] for field in fields)
        elif step in TAGS:
            here = [part for part in here if _kind(part) in (None, step)] or here
        else:  # unknown here
            trail.append(step)
            holders = here
    return trail, holders


def _models(annotation: Any) -> list[type[BaseModel]]:
    """Return the models that an annotation speaks of."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [part for argument in getattr(annotation, "__args__", ()) for part in _models(argument)]


def _kind(part: type[BaseModel]) -> str | None:
    field = part.model_fields.get("kind")
    words = getattr(None if field is None else field.annotation, "__args__", ())  # a kind may be any text
    return str(words[0]) if words else None


def _path(trail: Sequence[str | int]) -> str:
    """Spell a place as the file does; lists are counted from 1, as people count."""
    text = ""
    for step in trail:
        text += f"[{step + 1}]" if isinstance(step, int) else f".{step}" if text else str(step)
    return text or "the file"


def _example(parts: Sequence[type[BaseModel]], name: str) -> str:
    if name == "structures":
        return 'Write a table [structures.tower] with kind = "shear-building", masses and stiffnesses, for example.'
    if name == "contacts":
        return "Write [[contacts]], in two pairs of brackets, above the fields of each contact."
    for part in parts:
        field = part.model_fields.get(name)
        if field is not None and field.examples:
            return f"Write {name} = {toml(field.examples[0])}, for example."
    return ""


def _among(name: str, known: Sequence[str]) -> str:
    near = difflib.get_close_matches(name, known, n=1, cutoff=0.6)
    hint = f"Did you mean `{near[0]}`? " if near else ""
    return f"{hint}Known: {', '.join(dict.fromkeys(known))}."


def toml(value: object) -> str:
    """Return a value as the file writes it, on one line and not a long one."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        text = visible('"' + value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"')
    elif isinstance(value, dict):
        text = "{" + ", ".join(f"{key} = {toml(item)}" for key, item in value.items()) + "}"
    elif isinstance(value, (list, tuple)):
        text = "[" + ", ".join(toml(item) for item in value) + "]"
    else:
        return shown(value)
    return text if len(text) <= 80 else text[:77] + "..."
