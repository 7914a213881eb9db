"""Laws that differ in numbers alone, taken together: one law whose parameters are arrays."""

from __future__ import annotations

import dataclasses
from collections.abc import Hashable, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from carom.laws.base import CompliantLaw

__all__ = ["LawGroup", "grouped"]

Integers = npt.NDArray[np.int64]


class LawGroup(NamedTuple):
    """Laws of one class and with the same options, of which the same numbers are given."""

    members: list[int]
    """Which they are of the laws that were grouped."""
    first: CompliantLaw
    numbers: dict[str, npt.NDArray[np.float64]]
    """By parameter: the values of all members."""

    def taken(self, which: Integers) -> CompliantLaw:
        """Return the members numbered `which`, in this order and as often, as one law with arrays."""
        if len(self.members) == 1:
            return self.first
        return self.first.replace(**{name: values[which] for name, values in self.numbers.items()})


def grouped(laws: Sequence[CompliantLaw]) -> list[LawGroup]:
    """Return the groups of many laws, as they come."""
    found: dict[Hashable, list[int]] = {}
    for i, law in enumerate(laws):
        found.setdefault(_kind(law), []).append(i)
    return [_group(laws, members) for members in found.values()]


def _group(laws: Sequence[CompliantLaw], members: list[int]) -> LawGroup:
    first = laws[members[0]]
    kind: Any = type(first)
    given = [name for name in _fields(kind)[0] if getattr(first, name) is not None]
    numbers = {name: np.array([getattr(laws[i], name) for i in members], dtype=np.float64) for name in given}
    return LawGroup(members, first, numbers)


def _kind(law: CompliantLaw) -> Hashable:
    """Return what the laws of a group share."""
    kind: Any = type(law)
    numbers, options = _fields(kind)
    values = law.__dict__
    found = (kind, *(values[name] is None for name in numbers), *(values[name] for name in options))
    try:
        hash(found)
    except TypeError:  # an option of someone's own that cannot be compared: a group of its own
        return id(law)
    return found


@cache
def _fields(kind: Any) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names of a law's numbers, and of what else is said of it."""
    entries = [entry for entry in dataclasses.fields(kind) if entry.init]
    numbers = tuple(entry.name for entry in entries if "unit" in entry.metadata)
    return numbers, tuple(entry.name for entry in entries if entry.name not in numbers)
