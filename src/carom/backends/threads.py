"""Batches on all cores: a kernel that releases the interpreter's lock, one slice of the work per task."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable
from contextlib import suppress

from carom.backends.background import begun, wait_for

__all__ = ["in_threads", "worker_count"]


def worker_count() -> int:
    """Return the number of cores this process may use; ``CAROM_THREADS`` asks for fewer or more."""
    asked = os.environ.get("CAROM_THREADS", "")
    if asked.isdecimal() and int(asked) > 0:
        return int(asked)
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on macOS and Windows
        return os.cpu_count() or 1


def in_threads(run: Callable[[int, int], object], size: int, *, chunk: int = 4096) -> None:
    """Call ``run(start, stop)`` over ``range(size)`` in slices, on all cores; the first error is raised.

    An error, or an interruption of who waits here, stops what has not begun; what is under way, a compile perhaps, goes
    on in the background after an interruption.
    """
    starts = range(0, size, chunk)
    if len(starts) <= 1:
        run(0, size)
        return
    waiting, errors = deque(starts), dict[int, BaseException]()

    def work() -> None:
        with suppress(IndexError):  # nothing is left
            while True:
                start = waiting.popleft()
                try:
                    run(start, min(start + chunk, size))
                except BaseException as error:
                    errors[start] = error
                    waiting.clear()

    try:
        wait_for([begun(work) for _ in range(min(worker_count(), len(starts)))])
    finally:
        waiting.clear()
    if errors:
        raise errors[min(errors)]
