"""One writer at a time: a lock that vanishes with its process, however that ends."""

from __future__ import annotations

import os
import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from carom.errors import InputError
from carom.studies.files.plain_files import NotPlainError, open_plain

__all__ = ["locked"]

NAME = ".lock"
LONGEST = 300
"""Characters of a lock that are looked at."""
_HOLDER = re.compile(r"process \d+ on [\w.-]+")


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the folder of a study; refuse where another process does."""
    with _opened(folder / NAME) as file:
        if not _take(file):
            holder = file.read(LONGEST).strip()
            holder = holder if _HOLDER.fullmatch(holder) else "another process"
            raise InputError(
                f"{folder} is being written by {holder}. Wait for it to end, or stop it and continue with --resume."
            )
        file.truncate(0)
        file.write(f"process {os.getpid()} on {socket.gethostname()}")
        file.flush()
        yield


def _opened(path: Path) -> IO[str]:
    """Open the file of the lock, made where it is not there; it is emptied, so it must be nobody else's file."""
    try:
        handle = open_plain(path, os.O_RDWR | os.O_CREAT)
    except NotPlainError:
        raise InputError(f"{path} is not the lock that carom writes, but a link or a folder. Remove it.") from None
    if os.fstat(handle).st_nlink > 1:
        os.close(handle)
        raise InputError(f"{path} is not the lock that carom writes: the file has other names too. Remove it.")
    return os.fdopen(handle, "r+", encoding="utf-8", errors="replace")


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
