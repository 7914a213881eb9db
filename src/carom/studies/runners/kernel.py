"""The ensemble kernel in this process, with as many threads as there are cores, or on its GPU."""

from __future__ import annotations

import os
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager

from carom.backends import worker_count
from carom.studies.engine import Rows, compute
from carom.studies.plan import Plan, Task
from carom.studies.runners.base import Tell
from carom.studies.work import Work

__all__ = ["KernelRunner"]

FIRST_ON_GPU = 1 << 16
THREADS = "CAROM_THREADS"
"""The variable that says how many threads kernels may use."""


class KernelRunner:
    """One task after the other; the threads are inside."""

    def __init__(self, device: str = "cpu", workers: int | None = None) -> None:
        self._device, self._workers = device, workers

    @property
    def first(self) -> int | None:
        """How many runs its first task should have: a GPU takes about as long for a few as for very many."""
        return FIRST_ON_GPU if self._device == "cuda" else None

    @property
    def words(self) -> str:
        """Where it computes."""
        count = self._workers or worker_count()
        return "the GPU" if self._device == "cuda" else f"{count} thread{'s' if count > 1 else ''}"

    def rows(self, plan: Plan, work: Work, tell: Tell) -> Generator[tuple[Task, Rows], None, None]:
        """Yield tasks with their rows as they finish."""
        with threads(self._workers):
            while (task := work.take()) is not None:
                began = time.perf_counter()
                rows = compute(plan, task, device=self._device, tell=tell)
                work.learn(plan.size_of(task), time.perf_counter() - began)
                yield task, rows


@contextmanager
def threads(count: int | None) -> Iterator[None]:
    """Let kernels use so many threads; None: as many as they like."""
    before = os.environ.get(THREADS)
    if count is not None:
        os.environ[THREADS] = str(count)
    try:
        yield
    finally:
        if count is not None:
            del os.environ[THREADS]
            os.environ.update({} if before is None else {THREADS: before})
