"""Tasks that were under way when a process died: which of them is to blame?"""

from __future__ import annotations

from collections import Counter, deque

from carom.studies.plan import Task

__all__ = ["Suspects"]

CHANCES = 3
"""How many processes one sample may take along before it is given up."""


class Suspects:
    """Halves what was under way until a sample that kills its process is alone; the others go on."""

    def __init__(self) -> None:
        self._waiting: deque[Task] = deque()
        self._deaths: Counter[Task] = Counter()

    def accuse(self, task: Task) -> bool:
        """Note that a process died with this task; return whether it is to be given up."""
        if task.last - task.first > 1:
            middle = (task.first + task.last) // 2
            self._waiting += (task._replace(last=middle), task._replace(first=middle))
            return False
        self._deaths[task] += 1
        if self._deaths[task] >= CHANCES:
            return True
        self._waiting.append(task)
        return False

    def take(self) -> Task | None:
        """Return the next task to try again, alone."""
        return self._waiting.popleft() if self._waiting else None
