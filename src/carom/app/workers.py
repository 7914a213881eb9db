"""The processes that compute for visitors, seen from the one that browsers talk to.

A process does one job at a time, for those who wait in the order in which they came. What it is to do is settled only
when its turn has come, so that of wishes that replace each other the latest is computed. What takes too long is ended
with the process; the next job begins another one, which is told anew what visitors brought.
"""

from __future__ import annotations

import asyncio
import os
import subprocess  # nosec B404: one program, this very Python
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, NamedTuple, Protocol

from carom.app import worker
from carom.app.worker import HEAD, REFUSED, SHARE, dump, load

__all__ = ["Answer", "Job", "Process"]

ONE_THREAD = dict.fromkeys(
    ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS", "NUMBA_NUM_THREADS"), "1"
)
"""Matrices here are small: several threads for one of them wait for each other longer than they compute."""
FIRST = 300.0
"""Seconds that a first job may take, for it may compile."""
ENDED = "What computed this ended before it had an answer. Try again."


class Job(NamedTuple):
    """What a process is to do."""

    name: str
    given: tuple[Any, ...] = ()


class Answer(NamedTuple):
    """What came of a job."""

    value: Any
    refused: str = ""
    """Why nothing did."""


class Guest(Protocol):
    """Whose scenario a process holds."""

    token: str
    motions: dict[str, Any]


class Process:
    """One process, begun by the first job."""

    def __init__(
        self,
        start: Callable[[], Any] | None,
        *,
        patience: float,
        first: float = FIRST,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self.start = start
        """What makes the scenario that each visitor begins with."""
        self.patience = patience
        """Seconds that a job may take."""
        self.first = first
        """Seconds that a first job may take."""
        self.environment = environment or {}
        self.guests: set[str] = set()
        """Tokens of those whose scenarios it holds."""
        self.gone: set[str] = set()
        """Tokens of those who left since the last job."""
        self.waiting = 0
        """How many jobs are under way or wait for their turn."""
        self.closed = False
        """Whether it is over: who still waits hears so, and no process is begun for them."""
        self._turn = asyncio.Lock()
        self._running: asyncio.subprocess.Process | None = None
        self._warm = False

    async def ask(
        self, guest: Guest | None, choose: Callable[[], Job | None], tell: Callable[[float], None] | None = None
    ) -> Answer | None:
        """Do what `choose` says when the turn has come; None where it says nothing any more.

        Who asks may leave meanwhile; the job is then done for nobody.
        """
        return await asyncio.shield(asyncio.ensure_future(self._in_turn(guest, choose, tell)))

    async def end(self) -> None:
        """End the process."""
        running, self._running = self._running, None
        self.guests.clear()
        if running is not None:
            with suppress(ProcessLookupError):
                running.kill()
            await running.wait()

    async def _in_turn(
        self, guest: Guest | None, choose: Callable[[], Job | None], tell: Callable[[float], None] | None
    ) -> Answer | None:
        self.waiting += 1
        try:
            async with self._turn:
                job = choose()
                if job is None:
                    return None
                if self.closed:
                    return Answer(None, ENDED)
                if self._running is None:
                    await self._begin()
                while self.gone:
                    await self._done(Job("leave", (self.gone.pop(),)), None)
                if guest is not None and guest.token not in self.guests:
                    entered = await self._done(Job("enter", (guest.token, dict(guest.motions))), None)
                    if entered.refused:
                        return entered
                    self.guests.add(guest.token)
                return await self._done(job, tell)
        finally:
            self.waiting -= 1

    async def _begin(self) -> None:
        self._running = await asyncio.create_subprocess_exec(
            sys.executable, "-P", "-m", worker.__name__, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            env={**os.environ, **ONE_THREAD, **self.environment, "PYTHONPATH": os.pathsep.join(sys.path)},
            start_new_session=True, creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )  # fmt: skip
        self._warm = False
        assert self._running.stdin is not None
        self._running.stdin.write(dump(self.start))

    async def _done(self, job: Job, tell: Callable[[float], None] | None) -> Answer:
        patience = self.patience if self._warm else self.first
        try:
            async with asyncio.timeout(patience):
                kind, value = await self._exchanged(job, tell)
        except TimeoutError:
            await self.end()
            return Answer(None, f"This took longer than {patience:g} s. Ask for less.")
        except (OSError, asyncio.IncompleteReadError):
            await self.end()
            return Answer(None, ENDED)
        self._warm = self._warm or job.name not in ("enter", "leave", "told")
        return Answer(None, value) if kind == REFUSED else Answer(value)

    async def _exchanged(self, job: Job, tell: Callable[[float], None] | None) -> tuple[str, Any]:
        if self._running is None:  # ended by the job before
            raise BrokenPipeError
        assert self._running.stdin is not None
        assert self._running.stdout is not None
        self._running.stdin.write(dump(tuple(job)))
        await self._running.stdin.drain()
        while True:
            head = await self._running.stdout.readexactly(HEAD)
            kind, value = load(await self._running.stdout.readexactly(int.from_bytes(head, "little")))
            if kind != SHARE:
                return kind, value
            if tell is not None:
                tell(value)
