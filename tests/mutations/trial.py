"""What a trial with a damaged file may come to, and how files are damaged."""

from __future__ import annotations

import contextlib
import io
import os
import random
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

__all__ = ["MOST_MEMORY", "SECONDS", "Said", "Trial", "bytes_damaged", "in_time", "run_command", "snapshot"]

SECONDS = 10.0
MOST_MEMORY = 1 << 30


class Trial(NamedTuple):
    """How a trial ended."""

    word: str
    """``same``: nothing differs; ``told``: refused, or mended with a word; ``unchecked``: said to have no checksum."""
    fault: str = ""
    """What must not be; nothing where all held."""


class Said(NamedTuple):
    """What a command came to."""

    code: int
    out: str
    err: str

    @property
    def fault(self) -> str:
        """What a command must not do, whatever it is given."""
        lines = self.err.splitlines()
        if self.code not in (0, 1, 2):
            return f"exit code {self.code}: {self.err[-300:]}"
        if any(not line.startswith("carom: ") for line in lines):
            return f"a line that is not ours, such as of a traceback: {self.err[-300:]}"
        return "no word of why it failed" if self.code and not lines else ""


OWN_PROCESS = "CAROM_TRIALS_BY_COMMAND"
"""Set, commands of trials run in processes of their own."""


def run_command(arguments: list[str]) -> Said:
    """Run the command line, in this process unless it is to have one of its own."""
    from carom.cli import main

    if os.environ.get(OWN_PROCESS):
        words = [sys.executable, "-m", "carom.cli", *arguments]
        done = subprocess.run(words, capture_output=True, text=True, timeout=SECONDS)
        return Said(done.returncode, done.stdout, done.stderr)
    out, err = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        patch.setattr("carom.cli.app.app", _command())
        code = main(arguments)
    return Said(code, out.getvalue(), err.getvalue())


@cache
def _command() -> Any:
    """Return the command line as Typer makes it, anew in every process: that takes longer than most trials."""
    import typer.main

    from carom.cli.app import app

    return typer.main.get_command(app)


def _longest() -> float:
    """Return the seconds that a trial may take: several commands, each with a process of its own, or not."""
    return 6.0 * SECONDS if os.environ.get(OWN_PROCESS) else SECONDS


class TooLongError(BaseException):
    """A trial that does not end."""


@contextlib.contextmanager
def _alarm() -> Iterator[None]:
    def ring(*_: object) -> None:
        raise TooLongError

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, _longest())
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)


def _most_memory() -> int:
    """Return the most memory that this process has had so far [bytes]."""
    return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def in_time(act: Callable[[], Trial]) -> Trial:
    """Make a trial; one that raises, takes too long or too much memory is at fault."""
    began, before = time.monotonic(), _most_memory()
    try:
        with _alarm():
            found = act()
    except TooLongError:
        return Trial("fault", f"no answer within {_longest():g} s")
    except Exception as error:
        return Trial("fault", f"{type(error).__name__}: {error}"[:400])
    memory = _most_memory()
    if memory > max(MOST_MEMORY, before):  # and not by what this process had done before
        return Trial("fault", f"{memory >> 20} MB of memory")
    if time.monotonic() - began > _longest():
        return Trial("fault", f"{time.monotonic() - began:.1f} s")
    return found


def snapshot(folder: Path, without: Path) -> dict[str, tuple[int, bytes]]:
    """Return what lies in a folder, except in another one: whatever a trial must not touch."""
    found = {}
    for path in sorted(folder.rglob("*")):
        if path != without and without not in path.parents and not path.is_dir():
            found[str(path)] = path.stat().st_mtime_ns, path.read_bytes()
    return found


def bytes_damaged(content: bytes, chance: random.Random) -> bytes:
    """Return bytes as disks, networks and people damage them."""
    changed = bytearray(content)
    size = max(1, len(changed))
    for _ in range(chance.choice((1, 1, 1, 2, 5, 40))):
        kind, where = chance.randrange(8), chance.randrange(size)
        length = min(chance.choice((1, 4, 16, 256, 4096)), size - where)
        if kind <= 2 and where < len(changed):
            changed[where] ^= 1 << chance.randrange(8)
        elif kind == 3 and where < len(changed):
            changed[where] = chance.randrange(256)
        elif kind == 4:
            changed[where : where + length] = bytes(length)
        elif kind == 5:
            del changed[where : where + length]
        elif kind == 6:
            changed[where:where] = (
                chance.randbytes(length) if chance.random() < 0.5 else changed[where : where + length]
            )
        else:
            changed[where : where + length] = chance.randbytes(length)
    return bytes(changed[: chance.randrange(size)] if chance.random() < 0.08 else changed)
