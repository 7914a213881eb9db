"""One writer at a time: a lock that vanishes with its process, however that ends."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from carom.errors import InputError

__all__ = ["locked"]

NAME = ".lock"


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the folder of a study; refuse where another process does."""
    path = folder / NAME
    with path.open("a+", encoding="utf-8") as file:
        if not _take(file):
            file.seek(0)
            holder = file.read().strip() or "another process"
            raise InputError(
                f"{folder} is being written by {holder}. Wait for it to end, or stop it and continue with --resume."
            )
        file.truncate(0)
        file.write(f"process {os.getpid()} on {socket.gethostname()}")
        file.flush()
        yield


def _take(file: IO[str]) -> bool:
    try:
        import fcntl
    except ImportError:  # Windows
        import msvcrt  # type: ignore[unused-ignore]

        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined, unused-ignore]
        except OSError:
            return False
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
