"""Local processes, one run after the other in each; one that dies is replaced, its tasks are tried again."""

from __future__ import annotations

import multiprocessing
import os
import threading
import time
from collections.abc import Generator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool

from carom.studies.engine import Rows, compute, nothing_of
from carom.studies.plan import Plan, Task
from carom.studies.runners.base import Tell
from carom.studies.runners.suspects import Suspects
from carom.studies.statuses import LOST
from carom.studies.work import Work

__all__ = ["ProcessRunner"]

AHEAD = 2
"""Tasks for each process: one under way, one waiting."""

Answer = tuple[Rows, float]


class ProcessRunner:
    """A pool of processes."""

    def __init__(self, workers: int) -> None:
        self._workers = workers

    @property
    def first(self) -> int | None:
        """How many runs its first task should have."""
        return None

    @property
    def words(self) -> str:
        """Where it computes."""
        return f"{self._workers} process{'es' if self._workers > 1 else ''}"

    def rows(self, plan: Plan, work: Work, tell: Tell) -> Generator[tuple[Task, Rows], None, None]:
        """Yield tasks with their rows as they finish."""
        suspects = Suspects()
        pools = [self._pool(plan)]
        running: dict[Future[Answer], Task] = {}
        try:
            while True:
                while len(running) < AHEAD * self._workers and (task := work.take()) is not None:
                    running[self._submitted(pools, plan, task)] = task
                if not running and (again := suspects.take()) is not None:
                    running[self._submitted(pools, plan, again)] = again
                if not running:
                    return
                finished, _ = wait(running, return_when=FIRST_COMPLETED)
                for future in finished:
                    task = running.pop(future)
                    count = plan.size_of(task)
                    try:
                        rows, seconds = future.result()
                    except BrokenProcessPool:  # as all tasks that were under way say now
                        if suspects.accuse(task):
                            tell(count)
                            yield task, nothing_of(plan, task, LOST, "the process that computed it died, three times")
                        continue
                    work.learn(count, seconds)
                    tell(count)
                    yield task, rows
        finally:
            for pool in pools:
                processes = list((pool._processes or {}).values())
                pool.shutdown(wait=False, cancel_futures=True)
                for process in processes:
                    process.terminate()

    def _submitted(self, pools: list[ProcessPoolExecutor], plan: Plan, task: Task) -> Future[Answer]:
        """Hand a task to the pool; one that is broken is replaced."""
        try:
            return pools[-1].submit(_compute, task)
        except BrokenProcessPool:
            pools[:] = [self._pool(plan)]
            return pools[-1].submit(_compute, task)

    def _pool(self, plan: Plan) -> ProcessPoolExecutor:
        context = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(self._workers, mp_context=context, initializer=_begin, initargs=(plan,))


_PLAN: list[Plan] = []


def _begin(plan: Plan) -> None:
    """Prepare a process: it keeps the plan, works with one thread, and ends with its parent however that ends."""
    _PLAN[:] = [plan]
    os.environ["CAROM_THREADS"] = "1"
    parent = multiprocessing.parent_process()
    if parent is not None:

        def follow() -> None:
            parent.join()
            os._exit(1)

        threading.Thread(target=follow, daemon=True).start()


def _compute(task: Task) -> Answer:
    began = time.perf_counter()
    rows = compute(_PLAN[0], task)
    return rows, time.perf_counter() - began
