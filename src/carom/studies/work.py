"""What is left to do, cut into tasks of a few seconds each."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from carom.studies.plan import Plan, Task

__all__ = ["Work"]

FIRST = 64
"""Runs of the first task: nothing is known yet of how long one takes."""
SECONDS = 2.0
"""What a task should take."""
MOST = 1 << 19
"""Largest number of runs of a task."""
REST = 1.25
"""Tasks longer than wanted by no more than this are not cut: a short one behind would take as long to begin."""


class Work:
    """The runs that are missing; how they are cut changes when they are stored, not what they are."""

    def __init__(self, plan: Plan, done: Sequence[tuple[int, int]], first: int | None = None) -> None:
        self._plan = plan
        self._left = deque(_missing(plan, done))
        self._runs = float(first or FIRST)

    def take(self) -> Task | None:
        """Return the next task; None where nothing is left."""
        if not self._left:
            return None
        task = self._left.popleft()
        samples = max(1, int(self._runs) // (len(task.motions) * self._plan.per_sample))
        if task.last - task.first > REST * samples:
            self._left.appendleft(task._replace(first=task.first + samples))
            task = task._replace(last=task.first + samples)
        return task

    def learn(self, runs: int, seconds: float) -> None:
        """Cut the next tasks by how long one took; the first may have waited for a compiler, so not at once."""
        wanted = SECONDS * runs / max(seconds, 1e-6)
        self._runs = min(max(wanted, 0.25 * self._runs), 8.0 * self._runs, float(MOST))


def _missing(plan: Plan, done: Sequence[tuple[int, int]]) -> list[Task]:
    """Return the samples of every group of motions that no part holds; parts hold samples by every factor."""
    found: list[Task] = []
    covered = [(first // plan.per_sample, last // plan.per_sample) for first, last in done]
    for group in plan.groups:
        gaps = [_gaps(covered, motion * plan.count, plan.count) for motion in group]
        if all(gap == gaps[0] for gap in gaps):
            found += [Task(group, first, last) for first, last in gaps[0]]
        else:
            found += [Task((motion,), *gap) for motion, some in zip(group, gaps, strict=True) for gap in some]
    return found


def _gaps(covered: Sequence[tuple[int, int]], start: int, count: int) -> list[tuple[int, int]]:
    """Return which of `count` places from `start` on are not covered, counted from there."""
    found, at, end = [], start, start + count
    for first, last in [*covered, (end, end)]:
        stop = min(first, end)
        if at < stop:
            found.append((at - start, stop - start))
        at = max(at, last)
    return found
