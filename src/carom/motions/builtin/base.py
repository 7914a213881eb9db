"""The registries of built-in motions and suites."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from carom.motions.motion import Motion
from carom.registry import Registry

__all__ = ["MOTIONS", "SUITES", "built_in", "built_in_suite"]

MOTIONS: Registry[Callable[..., Motion]] = Registry("built-in motion", "carom.motions.builtin")
SUITES: Registry[Callable[[], tuple[Motion, ...]]] = Registry("suite of motions", "carom.motions.builtin")

M = TypeVar("M", bound=Callable[..., Motion])
S = TypeVar("S", bound=Callable[[], tuple[Motion, ...]])


def built_in(name: str, *, aliases: tuple[str, ...] = ()) -> Callable[[M], M]:
    """Register a function that makes a motion."""

    def register(make: M) -> M:
        MOTIONS.register(name, make, aliases)
        return make

    return register


def built_in_suite(name: str, *, aliases: tuple[str, ...] = ()) -> Callable[[S], S]:
    """Register a function that makes a suite."""

    def register(make: S) -> S:
        SUITES.register(name, make, aliases)
        return make

    return register
