"""What a file says with a unit that has two meanings, named by its field."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from carom.errors import CaromWarning
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


def notes_of(tables: Any, caught: Iterable[warnings.WarningMessage]) -> tuple[str, ...]:
    """Return what is to be said of a file that was read, each thing once: its units, and what its readers warned of."""
    warned = [str(warning.message) for warning in caught if issubclass(warning.category, CaromWarning)]
    return tuple(dict.fromkeys([*unit_remarks(tables), *warned]))
