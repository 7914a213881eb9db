"""Batches on all cores: a kernel that releases the interpreter's lock, one slice of the work per task."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

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
    """Call ``run(start, stop)`` over ``range(size)`` in slices, on all cores; the first error is raised."""
    starts = range(0, size, chunk)
    if len(starts) <= 1:
        run(0, size)
        return
    with ThreadPoolExecutor(worker_count()) as pool:
        futures = [pool.submit(run, start, min(start + chunk, size)) for start in starts]
        try:
            for future in futures:
                future.result()
        except BaseException:  # an interrupt too: what has not begun is not begun any more
            pool.shutdown(wait=False, cancel_futures=True)
            raise
