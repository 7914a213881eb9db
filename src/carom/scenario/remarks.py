"""What a file says that may be meant otherwise, named by its field: units with two meanings, sides that change."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from carom.errors import CaromWarning
from carom.scenario.faults import in_toml
from carom.units import remark_on_unit

__all__ = ["notes_of", "unit_remarks"]

WORDS = ("title", "description", "name", "label", "record", "records")
"""Fields that hold words, whatever number they begin with."""

_QUANTITY = re.compile(r"\s*[+-]?\.?\d")


def unit_remarks(tables: Any, place: str = "") -> Iterator[str]:
    """Yield what a unit was taken for, for each field where it may be meant otherwise."""
    if isinstance(tables, Mapping):
        for name, value in tables.items():
            if name not in WORDS:
                yield from unit_remarks(value, f"{place}.{name}" if place else str(name))
    elif isinstance(tables, list):
        for count, value in enumerate(tables, 1):
            yield from unit_remarks(value, f"{place}[{count}]")
    elif isinstance(tables, str) and _QUANTITY.match(tables) and (remark := remark_on_unit(tables)):
        yield f"Unit: `{place}`: {remark}"


def turned_contacts(tables: Mapping[str, Any]) -> Iterator[str]:
    """Yield a sentence for each contact whose left side stands right of its right one, as structures are listed."""
    order = list(tables.get("structures", {}))
    for count, contact in enumerate(tables.get("contacts", []), 1):
        left, right = (_structure_of(contact.get(side)) for side in ("left", "right"))
        if contact.get("face") is None and left in order and right in order and order.index(left) > order.index(right):
            yield (
                f"Sides: `contacts[{count}]` has {left!r} on the left of {right!r}, but structures stand left to right "
                f"as they are listed, and {right!r} comes first. If they stand so, exchange left and right: the "
                "contact closes when they move apart now."
            )


def _structure_of(place: object) -> object:
    return place.get("structure") if isinstance(place, Mapping) else place


def notes_of(tables: Mapping[str, Any], caught: Iterable[warnings.WarningMessage]) -> tuple[str, ...]:
    """Return what is to be said of a file that was read, each thing once, what its readers warned of included."""
    warned = [in_toml(str(warning.message)) for warning in caught if issubclass(warning.category, CaromWarning)]
    return tuple(dict.fromkeys([*unit_remarks(tables), *turned_contacts(tables), *warned]))
