"""What a writer of one file format must know; one file each, found by the registry."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TypeVar

from carom.motions.motion import Motion
from carom.registry import Registry

__all__ = ["WRITERS", "Writer", "writer"]


class Writer(ABC):
    """One file format."""

    name: str = ""
    suffixes: tuple[str, ...] = ()
    """File name endings, lower case with their dot, that mean this format."""

    @abstractmethod
    def text(self, motion: Motion, unit: str | None) -> str:
        """Return the content of the file; `unit` overrides the format's own."""


WRITERS: Registry[Writer] = Registry("motion format to write", "carom.motions.writers")

W = TypeVar("W", bound=type[Writer])


def writer(name: str, *, aliases: tuple[str, ...] = (), suffixes: tuple[str, ...]) -> Callable[[W], W]:
    """Register a writer under its name and aliases."""

    def register(kind: W) -> W:
        kind.name, kind.suffixes = name, suffixes
        WRITERS.register(name, kind(), aliases)
        return kind

    return register
