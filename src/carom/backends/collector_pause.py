"""Compiling without garbage collection: a compiler makes a million objects that stay, and every round visits them."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["without_collecting"]


@contextmanager
def without_collecting() -> Iterator[None]:
    """Pause Python's garbage collector, if it is on; what was made meanwhile counts as old, not as work left over."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        if gc.get_freeze_count() == 0:  # to and fro: all goes to the oldest generation
            gc.freeze()
            gc.unfreeze()
        gc.enable()
