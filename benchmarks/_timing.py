"""How long one thread takes, on a machine that others may use: its processor time, the best of several."""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


def best(work: Callable[[], object], *, seconds: float = 0.5, least: int = 3) -> float:
    """Return the shortest processor time [s] of this thread in one call, over `seconds` or at least a few calls."""
    work()
    times: list[float] = []
    while len(times) < least or sum(times) < seconds:
        begin = time.thread_time()
        work()
        times.append(time.thread_time() - begin)
    return min(times)


def best_with_kernel(work: Callable[[], object], **how: Any) -> tuple[float, float | None]:
    """Return the shortest time [s] of a call, and the shortest that one spends in compiled kernels.

    The second is None where `carom.simulate` does not let its kernels be told apart.
    """
    inside: list[float] = []
    shares: list[float] = []

    def watched() -> None:
        inside.clear()
        work()
        shares.append(sum(inside))

    with _kernels_timed(inside):
        whole = best(watched, **how)
    return whole, min(shares) or None


@contextmanager
def _kernels_timed(taken: list[float]) -> Iterator[None]:
    """Let every kernel that `carom.simulate` calls add its time to a list."""
    engine = importlib.import_module("carom.integrate.simulate")
    original = getattr(engine, "compiled", None)
    if original is None:
        yield
        return

    def timed(kernel: Any) -> Callable[..., Any]:
        call = original(kernel)

        def run(*arguments: Any) -> Any:
            begin = time.thread_time()
            result = call(*arguments)
            taken.append(time.thread_time() - begin)
            return result

        return run

    engine.compiled = timed
    try:
        yield
    finally:
        engine.compiled = original
