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
    def words(self) -> str:
        """Where it computes."""
        return f"{self._workers} process{'es' if self._workers > 1 else ''}"

    def rows(self, plan: Plan, work: Work, tell: Tell) -> Generator[tuple[Task, Rows], None, None]:
        """Yield tasks with their rows as they finish."""
        suspects = Suspects()
        pool = self._pool(plan)
        running: dict[Future[Answer], Task] = {}
        try:
            while True:
                alone = suspects.take() if not running else None
                if alone is not None:
                    running[pool.submit(_compute, alone)] = alone
                while alone is None and len(running) < AHEAD * self._workers and (task := work.take()) is not None:
                    running[pool.submit(_compute, task)] = task
                if not running:
                    return
                finished, _ = wait(running, return_when=FIRST_COMPLETED)
                broken = []
                for future in finished:
                    task = running.pop(future)
                    try:
                        rows, seconds = future.result()
                    except BrokenProcessPool:
                        broken.append(task)
                        continue
                    work.learn(len(plan.runs(task)), seconds)
                    tell(len(plan.runs(task)))
                    yield task, rows
                if broken:
                    pool.shutdown(wait=False, cancel_futures=True)
                    pool = self._pool(plan)
                    broken += running.values()
                    running.clear()
                for task in broken:
                    if suspects.accuse(task):
                        tell(len(plan.runs(task)))
                        yield task, nothing_of(plan, task, LOST, "the process that computed it died, three times")
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
            for process in list((pool._processes or {}).values()):
                process.terminate()

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
