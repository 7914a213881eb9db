"""What differs between two studies, field by field."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from carom.errors import shown

__all__ = ["differences"]

MOST = 12
"""Lines that a person reads."""


def differences(before: Any, now: Any) -> list[str]:
    """Return one line for each field that differs between two pieces of plain data: what it was, what it is."""
    found = list(_changes("", before, now))
    more = [f"and {len(found) - MOST} more"] if len(found) > MOST else []
    return found[:MOST] + more


def _changes(place: str, before: Any, now: Any) -> Iterator[str]:
    if isinstance(before, dict) and isinstance(now, dict):
        for key in dict.fromkeys([*before, *now]):
            inside = f"{place}.{key}" if place else str(key)
            if key not in now:
                yield f"`{inside}` was {shown(before[key])} and is gone"
            elif key not in before:
                yield f"`{inside}` is new: {shown(now[key])}"
            else:
                yield from _changes(inside, before[key], now[key])
    elif isinstance(before, list) and isinstance(now, list) and len(before) == len(now):
        for i, (old, new) in enumerate(zip(before, now, strict=True)):
            yield from _changes(f"{place}.{i}", old, new)
    elif before != now:
        yield f"`{place}` was {shown(before)}, is {shown(now)}"
