"""Every field of scenario and study files, read off the classes that are the format."""

from __future__ import annotations

import json
import typing
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

from pydantic_core import PydanticUndefined

from carom.scenario.model import ScenarioFile
from carom.scenario.parts import Part
from carom.scenario.quantities import Loose, Quantity
from carom.scenario.studies.model import StudyFile
from pages.markdown import cell, code, contents, table

TITLES = {"scenario": ScenarioFile, "study": StudyFile}


def pages(place: Path) -> Iterator[tuple[str, str]]:
    """Return a page for each of the two files, and the list of them."""
    for name, whole in TITLES.items():
        yield f"{name}.md", _page(name, whole)
    yield "index.md", "\n\n".join([
        "# Fields of files",
        "A [scenario](scenario.md) is one problem, a [study](study.md) the same question many times. Both are TOML; a JSON Schema "
        "of each comes with the package and lets editors complete and check every field. Unknown fields are refused, with the "
        "nearest one that is known.",
        contents(TITLES),
    ])  # fmt: skip


def _page(name: str, whole: type[Part]) -> str:
    found = _parts(whole)
    parts = [f"# Every field of a {name}", _prose(whole), _table(whole, found)]
    for part in found[1:]:
        heading = _title(part)
        parts += [f"## {heading}", _prose(part), _table(part, found)]
    return "\n\n".join(entry for entry in parts if entry) + "\n"


def _parts(whole: type[Part]) -> list[type[Part]]:
    """Return a table of the file and all tables that may stand in it, in the order in which a reader meets them."""
    found, waiting = [], [whole]
    while waiting:
        part = waiting.pop(0)
        if part in found:
            continue
        found.append(part)
        for field in part.model_fields.values():
            waiting.extend(_named(field.annotation))
    return found


def _named(annotation: Any) -> list[type[Part]]:
    """Return the tables that an annotation names, at whatever depth."""
    if isinstance(annotation, type) and issubclass(annotation, Part):
        return [annotation]
    return [part for inner in typing.get_args(annotation) for part in _named(inner)]


def _title(part: type[Part]) -> str:
    """Return how a table is called: by its kind where it has one, else by its class."""
    kind = part.model_fields.get("kind")
    if kind is not None and typing.get_origin(kind.annotation) is Literal:
        return f"{_plain(part)}: kind = " + " or ".join(f'"{one}"' for one in typing.get_args(kind.annotation))
    return _plain(part)


def _plain(part: type[Part]) -> str:
    name = part.__name__.removesuffix("Part").removesuffix("Fields")
    return "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in name).strip().capitalize()


def _anchor(title: str) -> str:
    kept = "".join(letter for letter in title.lower() if letter.isalnum() or letter in " -_")
    return kept.replace(" ", "-")


def _prose(part: type[Part]) -> str:
    return " ".join((part.__doc__ or "").split())


def _table(part: type[Part], found: list[type[Part]]) -> str:
    rows = []
    for name, field in part.model_fields.items():
        default = field.default
        needed = default is PydanticUndefined and field.default_factory is None
        usual = (
            "**needed**"
            if needed
            else ""
            if default is PydanticUndefined or default in (None, ())
            else code(_toml(default))
        )
        example = code(_toml(field.examples[0])) if field.examples else ""
        rows.append((code(name), _takes(field, found), usual, field.description or "", example))
    return table(("field", "takes", "if left out", "what it is", "example"), rows)


def _takes(field: Any, found: list[type[Part]]) -> str:
    """Return what a field takes: a unit and a range, choices, or other tables."""
    words: list[str] = []
    for one in _leaves(field.annotation, field.metadata):
        if one and one not in words:
            words.append(one)
    return " or ".join(words)


def _leaves(annotation: Any, metadata: Any = ()) -> Iterator[str]:
    for about in metadata:
        if isinstance(about, Quantity):
            unit = f" [{about.unit}]" if about.unit else ""
            within = str(about.within)
            many = "numbers" if about.listed else "number or list" if about.several else "number"
            yield f"{many}{unit}" + (f", {within}" if within and within != "any number" else "")
            return
        if isinstance(about, Loose):
            yield "number with a unit"
            return
    if annotation is type(None):
        return
    if isinstance(annotation, type) and issubclass(annotation, Part):
        title = _title(annotation)
        yield f"[{_plain(annotation).lower()}](#{_anchor(title)})"
        return
    origin = typing.get_origin(annotation)
    if origin is Literal:
        yield from (code(_toml(choice)) for choice in typing.get_args(annotation))
    elif origin is typing.Annotated:
        inner, *about = typing.get_args(annotation)
        yield from _leaves(inner, about)
    elif origin is dict:
        yield "a table by name: each " + (" or ".join(_leaves(typing.get_args(annotation)[1])) or "a value")
    elif origin in (list, tuple):
        inner = [one for part in typing.get_args(annotation) if part is not ... for one in _leaves(part)]
        yield "a list: each " + (" or ".join(dict.fromkeys(inner)) or "a value")
    elif typing.get_args(annotation):
        for inner in typing.get_args(annotation):
            yield from _leaves(inner)
    elif isinstance(annotation, type):
        yield {"str": "text", "int": "whole number", "float": "number", "bool": "true or false"}.get(
            annotation.__name__, ""
        )


def _toml(value: Any) -> str:
    """Return a value as a file would say it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Part):
        return cell(value.model_dump_json(exclude_none=True))
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {_toml(one)}" for key, one in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return json.dumps(value, ensure_ascii=False) if isinstance(value, (str, int, float)) else str(value)
