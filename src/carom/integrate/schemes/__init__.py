"""How time advances: one scheme per module, found by its name."""

from __future__ import annotations

from carom.integrate.schemes.base import Task, register_scheme, schemes

__all__ = ["Task", "register_scheme", "schemes"]
