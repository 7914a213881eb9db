"""What is needed of Numba beyond its documented interface, checked where it is named."""

from __future__ import annotations

from typing import Any

__all__ = ["require"]


def require(names: dict[Any, tuple[str, ...]]) -> None:
    """Raise AttributeError where one of Numba's classes or modules lacks a name that is needed."""
    for owner, needed in names.items():
        for name in needed:
            getattr(owner, name)
