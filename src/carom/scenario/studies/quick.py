"""A problem from tables that were found sound before, a few fields changed: quick, one fault at a time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from carom.contact import Contact, Facing
from carom.errors import InputError
from carom.problem import Problem
from carom.scenario.building import contacts_of, damper_of, law_of, start_of, structure_of
from carom.scenario.few_modes import ReducedPart, reduced_by
from carom.scenario.model import (
    AbutmentPart,
    BearingPart,
    ContactPart,
    DamperPart,
    InitialPart,
    KeptPart,
    LawPart,
    SeatPart,
    StructurePart,
)
from carom.scenario.places import place_of
from carom.scenario.structures.decks import bearings_of, seat_of

__all__ = ["Known", "delays_of", "problem_of"]

T = TypeVar("T")


class Known(dict[tuple[str, str], tuple[Any, Any]]):
    """Structures and laws that were made before, with their tables: those that do not change are made once."""

    def made(self, kind: str, name: str, table: Any, make: Callable[[], T]) -> T:
        """Return what was made of an equal table, or make it."""
        before = self.get((kind, name))
        if before is None or before[0] != table:
            before = self[kind, name] = table, make()
        found: T = before[1]
        return found


def problem_of(
    tables: Mapping[str, Any], *, allow_overlap: bool = False, motion: Any = None, known: Known | None = None
) -> Problem:
    """Return the problem that the tables state, under a motion that is given."""
    made = (Known() if known is None else known).made
    structures = _structures(tables["structures"], made)
    laws = {
        name: made("law", name, table, lambda table=table: law_of(_part(LawPart, table)))  # type: ignore[misc]
        for name, table in tables.get("laws", {}).items()
    }
    contacts: list[Contact | Facing] = []
    for table in tables.get("contacts", []):
        part: ContactPart = _part(ContactPart, table)
        law, column_law = (None if one is None else _law(one, laws) for one in (part.law, part.column_law))
        contacts += contacts_of(part, law, column_law)
    initial: dict[str, Any] = {"initial_displacement": {}, "initial_velocity": {}}
    for name, table in tables.get("initial", {}).items():
        start: InitialPart = _part(InitialPart, table)
        for quantity in ("displacement", "velocity"):
            if (value := getattr(start, quantity)) is not None:
                at = next(structure for structure in structures if structure.name == name)
                initial[f"initial_{quantity}"][name] = start_of(at, value)
    outputs = [place_of(_part(KeptPart, table)) for table in tables.get("outputs", [])]
    problem = Problem(
        tuple(structures),
        tuple(contacts),
        motion=motion,
        allow_overlap=allow_overlap,
        outputs=tuple(outputs),
        dampers=tuple(damper_of(_part(DamperPart, table)) for table in tables.get("dampers", [])),
        bearings=tuple(one for table in tables.get("bearings", []) for one in bearings_of(_part(BearingPart, table))),
        seats=tuple(seat_of(_part(SeatPart, table)) for table in tables.get("seats", [])),
        **initial,
    )
    return reduced_by(_part(ReducedPart, tables["reduced"]), problem) if "reduced" in tables else problem


def _structures(tables: Mapping[str, Any], made: Callable[..., Any]) -> list[Any]:
    """Return the structures in the order of their tables; what stands beside a deck is made anew where that changes."""
    parts = {name: _part(StructurePart, table) for name, table in tables.items()}
    found: dict[str, Any] = {}
    for name, part in sorted(parts.items(), key=lambda one: isinstance(one[1], AbutmentPart)):
        beside = getattr(getattr(part, "beside", None), "deck", None)
        stated = tables[name] if beside is None else (tables[name], tables.get(beside))
        make = partial(structure_of, name, part, others=found)
        found[name] = made("structure", name, stated, make)
    return [found[name] for name in tables]


def _law(given: Any, laws: Mapping[str, Any]) -> Any:
    if not isinstance(given, str):
        return law_of(given)
    if given not in laws:
        raise InputError(f"A contact's law must be the name of a table under [laws]. Got '{given}'.")
    return laws[given]


def delays_of(tables: Mapping[str, Any]) -> dict[str, float]:
    """Return by how much later the motion arrives at each structure [s]; nothing where it arrives at all at once."""
    if not any("delay" in table for table in tables["structures"].values()):
        return {}
    found = {name: _part(StructurePart, table).delay for name, table in tables["structures"].items()}
    return {name: delay or 0.0 for name, delay in found.items()} if any(found.values()) else {}


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def _part(kind: Any, table: object) -> Any:
    try:
        return _adapter(kind).validate_python(table)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(step) for step in first["loc"])
        raise InputError(f"`{place}`: {first['msg']}") from None
