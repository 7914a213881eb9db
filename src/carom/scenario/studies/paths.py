"""Places in a scenario by dotted path: ``structures.left.period``, ``contacts.0.gap``, ``laws.*.restitution``.

A contact goes by the number of its table, from 0, or by its label in results: ``contacts.roof.gap``. Facing floors
share a table: ``contacts.left | right.gap`` sets all their gaps, the label of one pair of floors that of the pair.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from fnmatch import fnmatchcase
from typing import Any

from pydantic import BaseModel, TypeAdapter, ValidationError

from carom.contact import Facing
from carom.errors import InputError, UnknownNameError, refusal
from carom.laws.base import stiffness_unit
from carom.laws.catalogue import impulsive_laws, parameters
from carom.laws.catalogue import laws as catalogue
from carom.problem import Problem
from carom.problem.labels import distinct_labels
from carom.scenario.model import (
    BearingPart,
    ContactPart,
    DamperPart,
    InitialPart,
    LawPart,
    SeatPart,
    StructurePart,
)
from carom.scenario.quantities import Quantity

__all__ = ["Place", "changed", "places_at", "places_by_label", "places_in"]

NUMBERS = ("restitution", "friction")
"""Of impulsive laws; neither has a unit."""
SINGULAR = {"structure": "structures", "contact": "contacts", "law": "laws"}
"""Spellings that are forgiven."""

INSTEAD = (
    {"stiffness", "period", "frequency"},
    {"damping_ratio", "damping"},
    {"restitution", "damping"},
    {"radii", "inertias"},
)
"""Fields of which one is given: setting one takes the others away."""


@dataclass(frozen=True)
class Place:
    """One field of a scenario."""

    steps: tuple[str | int, ...]
    unit: str | None = None
    """Unit of its numbers; None: no number."""
    part: tuple[int, int] | None = None
    """Which of how many values, where the field holds a list, or one value for all, and one of them is meant. A shorter
    list begins again at its end: gaps of two corners, on every floor."""

    @property
    def path(self) -> str:
        """The place as people write it."""
        return ".".join(map(str, self.steps if self.part is None else (*self.steps, self.part[0])))

    def within(self, field: Any) -> Any:
        """Return what is meant of what the field holds."""
        return field[self.part[0] % len(field)] if self.part is not None and isinstance(field, list) else field

    def put(self, field: Any, value: Any) -> Any:
        """Return what the field holds once the place has this value."""
        if self.part is None:
            return value
        at, count = self.part
        given = field if isinstance(field, list) else [field]
        found = [given[i % len(given)] for i in range(count)]
        found[at] = value
        return found

    def take(self, value: object) -> Any:
        """Return a value in SI; text that is no number stays text where the field holds none."""
        if self.unit is None:
            return value
        if isinstance(value, bool):
            raise refusal("value", self.path, "must be a number", value)
        quantity = Quantity(self.unit)  # its range is judged run by run: a distribution may reach beyond it
        return [quantity.take(one) for one in value] if isinstance(value, list) else quantity.take(value)


def places_in(tables: Mapping[str, Any]) -> dict[str, Place]:
    """Return every place of a scenario that a study may vary, by its path."""
    found: list[Place] = []
    for name, table in tables.get("structures", {}).items():
        part: Any = _part(StructurePart, table)
        found += _fields(("structures", name), type(part), leave=("kind", "motion"))
        found += _inner(("structures", name), part, ("beside", "backfill"))
    for name, table in tables.get("laws", {}).items():
        found += _law(("laws", name), table)
    for i, table in enumerate(tables.get("contacts", [])):
        found += _fields(("contacts", i), ContactPart, leave=())
        found += _inner(("contacts", i), _part(ContactPart, table), ("friction",))
        for law in ("law", "column_law"):
            if isinstance(table.get(law), dict):
                found += _law(("contacts", i, law), table[law])
    for i in range(len(tables.get("dampers", []))):
        found += _fields(("dampers", i), DamperPart, leave=())
    for i, table in enumerate(tables.get("bearings", [])):
        found += _fields(("bearings", i), BearingPart, leave=("rule",))
        found += _inner(("bearings", i), _part(BearingPart, table), ("rule",))
    for i in range(len(tables.get("seats", []))):
        found += _fields(("seats", i), SeatPart, leave=())
    for name in tables.get("structures", {}):
        found += _fields(("initial", name), InitialPart, leave=())
    return {place.path: place for place in found}


def places_by_label(known: Mapping[str, Place], problem: Problem) -> dict[str, Place]:
    """Return the places of contacts by their labels in results; facing floors go by both names, and each by its own."""
    labels = problem.flat().contact_labels
    sides = [f"{one.left} | {one.right}" if isinstance(one, Facing) else "" for one in problem.contacts]
    names = distinct_labels(sides)
    found: dict[str, Place] = {}
    for i, contact in enumerate(problem.contacts):
        start, pairs = f"contacts.{i}.", problem.pairs_of(i)
        name = names[i] if isinstance(contact, Facing) else labels[pairs.start]
        mine = {path.removeprefix(start): place for path, place in known.items() if path.startswith(start)}
        found |= {f"contacts.{name}.{field}": place for field, place in mine.items()}
        if isinstance(contact, Facing) and len(pairs) > 1:
            for k, pair in enumerate(pairs):
                one = replace(mine["gap"], part=(k, len(pairs)))
                found |= {f"contacts.{labels[pair]}.gap": one, one.path: one}
    return found


def places_at(known: Mapping[str, Place], path: str) -> list[Place]:
    """Return the places that a path names, several where it holds ``*``; refuse one that names none."""
    first, dot, rest = path.partition(".")
    path = SINGULAR.get(first, first) + dot + rest
    if path in known:
        return [known[path]]
    found = {place.path: place for name, place in known.items() if "*" in path and _matches(name, path)}
    whole = {place.steps for place in found.values() if place.part is None}  # with their parts, they would count twice
    if not found:
        raise UnknownNameError("path", path, known)
    return [place for place in found.values() if place.part is None or place.steps not in whole]


def changed(tables: Mapping[str, Any], changes: Iterable[tuple[Place, Any]]) -> dict[str, Any]:
    """Return a scenario's tables with some fields set; fields that say the same otherwise are taken away."""
    found = copy.deepcopy(dict(tables))
    for place, value in changes:
        *way, last = place.steps
        table: Any = found
        for step in way:
            table = table[step] if isinstance(step, int) else table.setdefault(step, {})
        for group in INSTEAD:
            if last in group:
                for other in group - {last}:
                    table.pop(other, None)
        table[last] = place.put(table.get(last), value)
    return found


def _matches(name: str, path: str) -> bool:
    steps, wanted = name.split("."), path.split(".")
    return len(steps) == len(wanted) and all(map(fnmatchcase, steps, wanted))


def _part(kind: Any, table: object) -> Any:
    try:
        return TypeAdapter(kind).validate_python(table)
    except ValidationError as error:
        raise InputError(str(error)) from None  # the scenario was read before: it does not come to this


def _fields(start: tuple[str | int, ...], model: type[BaseModel], leave: Iterable[str]) -> list[Place]:
    found = []
    for name, field in model.model_fields.items():
        if name not in leave:
            quantity = _quantity([*field.metadata, field.annotation])
            found.append(Place((*start, name), None if quantity is None else quantity.unit))
    return found


def _inner(start: tuple[str | int, ...], part: BaseModel, names: Iterable[str]) -> list[Place]:
    """Return the places in tables inside a table, and in lists of such: of a bearing's rules, of friction."""
    found = []
    for name in names:
        inside = getattr(part, name, None)
        if isinstance(inside, BaseModel):
            found += _fields((*start, name), type(inside), leave=("kind",))
        elif isinstance(inside, list):
            for i, one in enumerate(inside):
                found += _fields((*start, name, i), type(one), leave=("kind",))
    return found


def _quantity(annotations: Iterable[Any]) -> Quantity | None:
    for one in annotations:
        if isinstance(one, Quantity):
            return one
        inner = [*getattr(one, "__metadata__", ()), *getattr(one, "__args__", ())]
        if inner and (found := _quantity(inner)) is not None:
            return found
    return None


def _law(start: tuple[str | int, ...], table: Mapping[str, Any]) -> list[Place]:
    if table["name"] in impulsive_laws:
        known = (field.name for field in fields(impulsive_laws.get(table["name"])))
        return [Place((*start, name), "" if name in NUMBERS else None) for name in dict.fromkeys(["name", *known])]
    kind = catalogue.get(table["name"])
    units = {name: field.metadata.get("unit") for name, field in parameters(kind).items()}
    units = {name: stiffness_unit(kind.n) if unit == "stiffness" else unit for name, unit in units.items()}
    names = dict.fromkeys([*LawPart.model_fields, *units])
    return [Place((*start, name), units.get(name)) for name in names]
