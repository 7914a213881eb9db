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
    shortest, spent, calls = float("inf"), 0.0, 0
    while calls < least or spent < seconds:
        begin = time.thread_time()
        work()
        took = time.thread_time() - begin
        shortest, spent, calls = min(shortest, took), spent + took, calls + 1
    return shortest


def best_kernel(work: Callable[[], object], **how: Any) -> float | None:
    """Return the shortest time [s] that one call spends in compiled kernels; None where they cannot be told apart."""
    taken: list[float] = []
    with _kernels_timed(taken):
        work()
        if not taken:
            return None
        shortest = float("inf")

        def watched() -> None:
            nonlocal shortest
            taken.clear()
            work()
            shortest = min(shortest, sum(taken))

        best(watched, **how)
    return shortest


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
