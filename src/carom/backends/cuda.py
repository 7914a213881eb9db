"""Batches on a GPU: the place where they will be compiled and launched. There is no such backend yet."""

from __future__ import annotations

from typing import NoReturn

from carom.errors import InputError

__all__ = ["require"]


def require() -> NoReturn:
    """Refuse, in one line, what needs a GPU."""
    raise InputError("`device` 'cuda' is not available: carom has no GPU backend yet. Use device='cpu'.")
