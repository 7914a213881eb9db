"""How time advances: single impacts, pounding, a user's own nonsmooth systems, and calibration by repeating them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from carom.integrate.nonsmooth.integration import irk

__all__ = ["irk"]


def __getattr__(name: str) -> Any:
    if name != "irk":
        raise AttributeError(f"module 'carom.integrate' has no attribute {name!r}")
    from importlib import import_module

    value = import_module("carom.integrate.nonsmooth.integration").irk
    globals()[name] = value
    return value
