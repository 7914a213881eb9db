"""Machine code made on a second core, while the front end goes on with what comes next.

Python's part of a compile is as long as LLVM's, and neither can be shared between threads: LLVM's part is given to a
process of its own, unit by unit. Nothing depends on it: where no process can be started, where it fails, or where there
is one core only, all is done here.
"""

from __future__ import annotations

import json
import os
import subprocess  # nosec B404: it runs this package's own file
import sys
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from carom.backends.machine_code import unit_worker
from carom.backends.machine_code.unit_worker import READY, Job, machine_code, read_parts, write_parts
from carom.backends.threads import worker_count

__all__ = ["Order", "help_out", "order", "with_second_core"]

START = "import sys, runpy; sys.path[:] = sys.argv[3:]; runpy.run_path(sys.argv.pop(1), run_name='__main__')"
"""What the process runs: one file, with the modules that are found here."""


class Order:
    """Machine code that is asked for."""

    def __init__(self, job: Job, machine: Any) -> None:
        self._job, self._machine = job, machine
        self._code: bytes | None = None
        self._given, self._over = threading.Lock(), threading.Event()

    def take(self) -> bool:
        """Return whether nobody is on it yet: who is told so does it."""
        return self._given.acquire(blocking=False)

    def message(self) -> list[bytes]:
        """Return the job as a worker reads it."""
        job = self._job
        return [job.text.encode(), job.symbol.encode(), str(job.level).encode(), *job.beside]

    def settle(self, code: bytes | None) -> None:
        """Hand in what became of it: nothing, where the worker failed."""
        self._code = code
        self._over.set()

    def make(self) -> None:
        """Make it here, unless somebody else is on it."""
        if self.take():
            self.settle(machine_code(self._job, self._machine))

    def code(self) -> bytes:
        """Return the machine code, once it is there."""
        self.make()
        self._over.wait()
        if self._code is None:
            self._code = machine_code(self._job, self._machine)
        return self._code


class _SecondCore:
    """A process that makes machine code, and the thread that tells it what to make."""

    def __init__(self, settings: dict[str, Any]) -> None:
        self._waiting: deque[Order] = deque()
        self._news = threading.Condition()
        self._closed = False
        flags = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
        self._process = subprocess.Popen(  # nosec B603: this interpreter, this package's file
            [sys.executable, "-I", "-S", "-c", START, unit_worker.__file__, json.dumps(settings), *map(str, sys.path)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            start_new_session=True, creationflags=flags,  # Ctrl-C is not for it
        )  # fmt: skip
        self._thread = threading.Thread(target=self._pass_on, name="carom second core", daemon=True)
        self._thread.start()

    def add(self, order: Order) -> None:
        with self._news:
            self._waiting.append(order)
            self._news.notify()

    def help(self) -> None:
        """Make here what the process has not begun, the last first."""
        while True:
            try:
                order = self._waiting.pop()
            except IndexError:
                return
            order.make()

    def close(self) -> None:
        """End the process."""
        with self._news:
            self._closed = True
            self._news.notify()
        self._process.kill()
        self._thread.join()
        self._process.wait()

    def _pass_on(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with suppress(OSError, EOFError), self._process.stdin as sink, self._process.stdout as source:
            if read_parts(source) != [READY]:
                return
            while (order := self._next()) is not None:
                code = None
                try:
                    write_parts(sink, order.message())
                    (code,) = read_parts(source)
                finally:
                    order.settle(code)

    def _next(self) -> Order | None:
        with self._news:
            while not self._closed:
                with suppress(IndexError):
                    order = self._waiting.popleft()
                    if order.take():
                        return order
                    continue
                self._news.wait()
        return None


class _Compile:
    """A compile under way: it has a second core from its first order on, where there is one."""

    def __init__(self, settings: dict[str, Any] | None) -> None:
        self._settings = settings
        self._second: _SecondCore | None = None

    def order(self, order: Order) -> None:
        if self._settings is not None and self._second is None:
            settings, self._settings = self._settings, None
            with suppress(OSError):
                self._second = _SecondCore(settings)
        if self._second is not None:
            self._second.add(order)

    def help(self) -> None:
        if self._second is not None:
            self._second.help()

    def close(self) -> None:
        if self._second is not None:
            self._second.close()


_under_way: list[_Compile] = []
"""The compiles under way, the innermost last."""


@contextmanager
def with_second_core(settings: dict[str, Any] | None) -> Iterator[None]:
    """Have a second core make machine code for a target machine with these settings, if there is one.

    The kernels of a process compile one at a time.
    """
    alone = min(worker_count(), os.cpu_count() or 1) < 2 or not sys.executable or getattr(sys, "frozen", False)
    here = _Compile(None if alone else settings)
    _under_way.append(here)
    try:
        yield
    finally:
        _under_way.remove(here)
        here.close()


def order(job: Job, machine: Any) -> Order:
    """Order machine code for a target machine: from the second core, or made here when it is asked for."""
    made = Order(job, machine)
    if _under_way:
        _under_way[-1].order(made)
    return made


def help_out() -> None:
    """Make here what the second core has not begun."""
    if _under_way:
        _under_way[-1].help()
