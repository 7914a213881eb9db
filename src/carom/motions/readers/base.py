"""What a reader of one file format must know; one file each, found by the registry.

To add a format, put one module into `networks`, or into `columns` for plain columns of numbers::

    @reader("smc", aliases=("usgs-smc",), about="USGS SMC, one component per file")
    class Smc(Reader):
        def recognises(self, document: Document) -> int: ...
        def read(self, document: Document, asked: Asked) -> Motion: ...

`recognises` answers from the content how sure the reader is, from 0 (not mine) to 100 (no doubt); it must
be cheap and must not raise. `read` returns a Motion or raises `InputError` naming the line, the rule and the
way out; `document` has helpers for numbers, units and time steps. Formats of strong-motion networks, with
labels, and often several components in a file, derive from `networks.channels.ChannelReader`. A file that is not
text has `document.content` and no lines.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TypeVar

from carom.motions.motion import Motion
from carom.motions.readers.document import Asked, Document
from carom.registry import Registry

__all__ = ["READERS", "Reader", "reader"]


class Reader(ABC):
    """One file format."""

    name: str = ""
    about: str = ""

    @abstractmethod
    def recognises(self, document: Document) -> int:
        """Return how sure this reader is that the document is its own, 0 to 100."""

    @abstractmethod
    def read(self, document: Document, asked: Asked) -> Motion:
        """Return the motion of the document."""

    def read_all(self, document: Document, asked: Asked) -> tuple[Motion, ...]:
        """Return all components of the document; a format that can hold several derives from `ChannelReader`."""
        return (self.read(document, asked),)


READERS: Registry[Reader] = Registry("motion format", "carom.motions.readers")

R = TypeVar("R", bound=type[Reader])


def reader(name: str, *, aliases: tuple[str, ...] = (), about: str = "") -> Callable[[R], R]:
    """Register a reader under its name and aliases."""

    def register(kind: R) -> R:
        kind.name, kind.about = name, about
        READERS.register(name, kind(), aliases)
        return kind

    return register
