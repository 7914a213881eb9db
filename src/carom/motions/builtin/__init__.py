"""Motions by name, no file needed: one module per source, found by the registry."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from carom.motions.builtin.base import MOTIONS, SUITES, built_in, built_in_suite
from carom.motions.motion import Motion

__all__ = ["MOTIONS", "SUITES", "built_in", "built_in_suite", "get", "names", "suite"]


def get(name: str, **options: Any) -> Motion:
    """Return the built-in motion of that name, such as ``"default"`` or ``"el-centro-1940"``."""
    make: Callable[..., Motion] = MOTIONS.get(name)
    return make(**options)


def names() -> list[str]:
    """Return the names of the built-in motions."""
    return MOTIONS.names()


def suite(name: str = "thirty") -> tuple[Motion, ...]:
    """Return the built-in suite of that name; ``"thirty"``: three motions at each PGA from 0.1 g to 1.0 g."""
    return SUITES.get(name)()
