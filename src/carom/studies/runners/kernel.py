"""The ensemble kernel in this process, with as many threads as there are cores, or on its GPU."""

from __future__ import annotations

import os
import time
from collections.abc import Generator

from carom.backends import worker_count
from carom.studies.engine import Rows, compute
from carom.studies.plan import Plan, Task
from carom.studies.runners.base import Tell
from carom.studies.work import Work

__all__ = ["KernelRunner"]


class KernelRunner:
    """One task after the other; the threads are inside."""

    def __init__(self, device: str = "cpu", workers: int | None = None) -> None:
        self._device = device
        if workers is not None:
            os.environ["CAROM_THREADS"] = str(workers)

    @property
    def words(self) -> str:
        """Where it computes."""
        count = worker_count()
        return "the GPU" if self._device == "cuda" else f"{count} thread{'s' if count > 1 else ''}"

    def rows(self, plan: Plan, work: Work, tell: Tell) -> Generator[tuple[Task, Rows], None, None]:
        """Yield tasks with their rows as they finish."""
        while (task := work.take()) is not None:
            began = time.perf_counter()
            rows = compute(plan, task, device=self._device, tell=tell)
            work.learn(plan.size_of(task), time.perf_counter() - began)
            yield task, rows
