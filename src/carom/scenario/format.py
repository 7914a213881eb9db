"""The number of a file's format: those of today keep being read, those of tomorrow say so."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from carom.errors import InputError

__all__ = ["FORMAT", "refuse_newer"]

FORMAT = 1
"""Of scenario and study files; one that says none is of this format."""


def refuse_newer(name: str, tables: Mapping[str, Any]) -> None:
    """Refuse a file of a format that is not known yet, before its fields are found unknown one by one."""
    stated = tables.get("format")
    if isinstance(stated, int) and stated > FORMAT:
        raise InputError(
            f"{name} was written for a newer carom (format {stated}; this one reads up to {FORMAT}). Update carom."
        )
