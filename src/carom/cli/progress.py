"""Long runs at a terminal: what is under way, since when, and Ctrl-C that is heard at once."""

from __future__ import annotations

import gc
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

__all__ = ["rare_collections", "watched"]

T = TypeVar("T")

PATIENCE = 1.0
"""Seconds before a stage is worth mentioning."""


@contextmanager
def rare_collections() -> Iterator[None]:
    """Let Python look for garbage less often: importing and drawing leave little, and the search costs a quarter."""
    before = gc.get_threshold()
    gc.set_threshold(200_000, 50, 50)
    try:
        yield
    finally:
        gc.set_threshold(*before)


def watched(work: Callable[[Callable[[str], None]], T]) -> T:
    """Do the work in a thread, so that an interruption does not wait for a compiled kernel; say on stderr how it goes.

    `work` is given a function to call with a few words before each stage.
    """
    stage = ["reading"]
    began = [time.monotonic()]
    answer: dict[str, Any] = {}

    def tell(words: str) -> None:
        stage[0], began[0] = words, time.monotonic()

    def carry_out() -> None:
        try:
            answer["result"] = work(tell)
        except BaseException as error:
            answer["error"] = error

    thread = threading.Thread(target=carry_out, daemon=True)
    thread.start()
    said = False
    while thread.is_alive():
        thread.join(0.1)
        seconds = time.monotonic() - began[0]
        if sys.stderr.isatty() and seconds > PATIENCE:
            print(f"\r\x1b[Kcarom: {stage[0]}, {seconds:.0f} s", end="", file=sys.stderr, flush=True)
            said = True
    if said:
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)
    if "error" in answer:
        raise answer["error"]
    result: T = answer["result"]
    return result
