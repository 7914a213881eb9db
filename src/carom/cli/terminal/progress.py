"""Long runs at a terminal: what is under way, since when, and Ctrl-C that is heard at once."""

from __future__ import annotations

import gc
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

__all__ = ["Counted", "duration", "rare_collections", "watched"]

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

    thread = threading.Thread(target=carry_out, name="carom works", daemon=True)
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


class Counted:
    """Runs as they finish: how many, how fast, how long still. At a terminal a line that changes, else one a minute."""

    def __init__(self) -> None:
        self._seen: deque[tuple[float, int]] = deque(maxlen=200)
        self._said = time.monotonic()
        self._live = sys.stderr.isatty()
        self._shown = False

    def __call__(self, done: int, total: int, where: str) -> None:
        """Take note of how many of how many are done; say it now and then."""
        now = time.monotonic()
        if self._seen and now - self._seen[-1][0] < 0.1 and done < total:
            return
        self._seen.append((now, done))
        if now - self._said < (0.2 if self._live else 60.0):
            return
        self._said = now
        (begin, first), (end, last) = self._seen[0], self._seen[-1]
        rate = (last - first) / (end - begin) if end > begin else 0.0
        left = f", {duration((total - done) / rate)} left" if rate > 0.0 else ""
        words = f"carom: {done} of {total} runs, {100.0 * done / total:.0f} %, {rate:.3g} runs/s on {where}{left}"
        if self._live:
            print(f"\r\x1b[K{words}", end="", file=sys.stderr, flush=True)
            self._shown = True
        else:
            print(words, file=sys.stderr, flush=True)

    def close(self) -> None:
        """Take the line away."""
        if self._shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
            self._shown = False


def duration(seconds: float) -> str:
    """Return a time as people say it: 48 s, 12 min, 3.5 h, 2 days."""
    for size, unit in ((86400.0, "days"), (3600.0, "h"), (60.0, "min")):
        if seconds >= 2.0 * size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds:.0f} s" if seconds >= 10.0 else f"{seconds:.2g} s"
