"""Structures are values: equal where their fields are equal, and pickled by them."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

__all__ = ["ByFields"]


class ByFields:
    """What a frozen dataclass whose fields hold arrays and mappings needs to be compared, hashed and pickled."""

    def _key(self) -> tuple[object, ...]:
        entries = dataclasses.fields(self)  # type: ignore[arg-type]
        return tuple(_comparable(getattr(self, entry.name)) for entry in entries if entry.compare)

    def __getstate__(self) -> dict[str, Any]:
        entries = {entry.name: getattr(self, entry.name) for entry in dataclasses.fields(self)}  # type: ignore[arg-type]
        return {name: dict(value) if isinstance(value, Mapping) else value for name, value in entries.items()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update({name: _locked(value) for name, value in state.items()})

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash((type(self).__name__, self._key()))


def _comparable(value: object) -> object:
    if isinstance(value, np.ndarray):
        return value.shape, value.tobytes()
    if isinstance(value, Mapping):
        return tuple((name, _comparable(member)) for name, member in value.items())
    return tuple(_comparable(member) for member in value) if isinstance(value, tuple) else value


def _locked(value: Any) -> Any:
    """Return what was pickled as it was: arrays and mappings read-only, which pickling forgets."""
    if isinstance(value, np.ndarray):
        value.flags.writeable = False
    elif isinstance(value, tuple):
        for member in value:
            _locked(member)
    elif isinstance(value, dict):
        for member in value.values():
            _locked(member)
        return MappingProxyType(value)
    return value
