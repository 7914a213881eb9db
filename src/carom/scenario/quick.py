"""A problem from tables that were found sound before, a few fields changed: quick, one fault at a time."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from pydantic import TypeAdapter, ValidationError

from carom.errors import InputError
from carom.problem import Problem
from carom.scenario.building import contact_of, law_of, structure_of
from carom.scenario.model import ContactPart, InitialPart, LawPart, StructurePart

__all__ = ["delays_of", "problem_of"]


def problem_of(tables: Mapping[str, Any], *, allow_overlap: bool = False) -> Problem:
    """Return the problem that the tables state, without its motion."""
    structures = [structure_of(name, _part(StructurePart, table)) for name, table in tables["structures"].items()]
    laws = {name: law_of(_part(LawPart, table)) for name, table in tables.get("laws", {}).items()}
    contacts = []
    for table in tables.get("contacts", []):
        part: ContactPart = _part(ContactPart, table)
        if isinstance(part.law, str) and part.law not in laws:
            raise InputError(f"A contact's law must be the name of a table under [laws]. Got '{part.law}'.")
        contacts.append(contact_of(part, laws[part.law] if isinstance(part.law, str) else law_of(part.law)))
    initial: dict[str, Any] = {"initial_displacement": {}, "initial_velocity": {}}
    for name, table in tables.get("initial", {}).items():
        start: InitialPart = _part(InitialPart, table)
        for quantity in ("displacement", "velocity"):
            if getattr(start, quantity) is not None:
                initial[f"initial_{quantity}"][name] = getattr(start, quantity)
    return Problem(tuple(structures), tuple(contacts), allow_overlap=allow_overlap, **initial)


def delays_of(tables: Mapping[str, Any]) -> dict[str, float]:
    """Return by how much later the motion arrives at each structure [s]; nothing where it arrives at all at once."""
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
