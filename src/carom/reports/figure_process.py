"""Figures drawn by a second process, which loads the drawing library while this one computes.

Loading it and drawing take as long as all the rest of a short run, and Python does one thing at a time. Both sides of
the talk are here: a run goes to the other process's stdin, pictures come back from its stdout, both pickled. Where no
second process can be had, or where it fails, the figures are drawn in this one.
"""

from __future__ import annotations

import gc
import logging
import os
import pickle  # nosec B403: between two processes of our own
import subprocess  # nosec B404: one program, this very Python
import sys
import warnings
from contextlib import suppress
from types import TracebackType
from typing import Any, BinaryIO

from carom.reports.pictures import Pictures
from carom.results import Pounding

__all__ = ["FigureProcess"]

FAULTS = (OSError, EOFError, pickle.UnpicklingError)
"""What is seen here when the other process ended too early."""


class FigureProcess:
    """Draws a run: `with FigureProcess() as one: …; one.begin(result); …; one.pictures()`.

    The process ends with the block, however that is left; and by itself when this one is killed, since its stdin ends
    then. It has a session (on Windows a group) of its own, hence Ctrl-C at a terminal is heard here alone.
    """

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._result: Pounding | None = None

    def __enter__(self) -> FigureProcess:
        if _cores() > 1 and sys.executable and not getattr(sys, "frozen", False):
            with suppress(OSError):
                self._process = subprocess.Popen(  # nosec B603: no shell, no word of a user among its arguments
                    [sys.executable, "-P", "-m", __name__], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                    env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},  # the very packages that run here
                    start_new_session=True, creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
                )  # fmt: skip
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process is not None:
            self._process.kill()
            for stream in (self._process.stdin, self._process.stdout):
                with suppress(OSError):  # what is left to be written finds no reader
                    _open(stream).close()
            self._process.wait()

    def begin(self, result: Pounding) -> None:
        """Hand a run over; the other process draws it while this one goes on."""
        self._result = result
        if self._process is not None:
            with suppress(*FAULTS), _open(self._process.stdin) as stream:
                pickle.dump(result, stream, pickle.HIGHEST_PROTOCOL)

    def pictures(self) -> Pictures:
        """Wait for the pictures of the run that was handed over."""
        assert self._result is not None  # begin comes first
        if self._process is not None:
            with suppress(*FAULTS):
                drawn: Pictures = pickle.load(_open(self._process.stdout))  # nosec B301: from our own process
                return drawn
        from carom.reports.runs.figures import pictures

        return pictures(self._result)


def _cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _open(stream: Any) -> BinaryIO:
    """Return a stream of a process that was started with it."""
    found: BinaryIO = stream
    return found


def _draw() -> None:
    """Be the other process: load the library, wait for a run, draw it, leave."""
    gc.disable()  # what is left over goes with the process, soon
    warnings.simplefilter("ignore")  # that a font lacks a letter, and more that a user can do nothing about
    logging.disable()
    answer, sys.stdout = sys.stdout.buffer, sys.stderr  # nothing that is printed may come between
    from carom.reports.runs.figures import pictures

    with suppress(*FAULTS):  # nobody is there to ask, or to answer, any more
        result = pickle.load(sys.stdin.buffer)  # nosec B301: from the process that started this one
        pickle.dump(pictures(result), answer, pickle.HIGHEST_PROTOCOL)
        answer.flush()


if __name__ == "__main__":
    _draw()
