"""What studies need beyond the core: one clear line where it is not installed."""

from __future__ import annotations

import importlib
from types import ModuleType

from carom.errors import InputError

__all__ = ["needs"]


def needs(module: str) -> ModuleType:
    """Return a module of the extra ``study``, imported when first asked for."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        missing = (error.name or module).partition(".")[0]
        if missing == "carom":
            raise
        raise InputError(f"Studies need {missing}, which is not installed. Run: pip install 'carom[study]'") from None
