"""Files that a user names: read once they are found to be ordinary files, and never beyond a limit.

A named pipe waits for a writer, a device never ends, and the size that a file claims is not what is read from it.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path

from carom.errors import InputError
from carom.plain_text import visible

__all__ = ["is_file", "is_folder", "read_given"]


def read_given(path: Path, *, most: int, what: str) -> bytes:
    """Return the content of a file, `what` it should be; refuse one that is not ordinary or longer than `most` bytes.

    A file that is not there raises `FileNotFoundError`, a folder `IsADirectoryError`: who asked for it knows the
    way out.
    """
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except (FileNotFoundError, IsADirectoryError, NotADirectoryError):
        raise
    except ValueError:  # a NUL in it, or what the system's encoding does not have
        raise InputError(f"{_shown(path)} cannot be read: no file has such a name.") from None
    except OSError as error:
        raise InputError(f"{_shown(path)} cannot be read ({(error.strerror or str(error)).lower()}).") from None
    with os.fdopen(handle, "rb") as file:
        kind = os.fstat(handle).st_mode
        if stat.S_ISDIR(kind):
            raise IsADirectoryError(path)
        if not stat.S_ISREG(kind):
            raise InputError(f"{_shown(path)} is not an ordinary file but {_kind(kind)}; a {what} is read from a file.")
        try:
            content = file.read(most + 1)
        except OSError as error:
            raise InputError(f"{_shown(path)} cannot be read ({(error.strerror or str(error)).lower()}).") from None
    if len(content) > most:
        raise InputError(f"{_shown(path)} has more than {_size(most)}, the most that a {what} may have.")
    return content


def is_file(path: Path) -> bool:
    """Tell whether an ordinary file is there; names that no file can have are none."""
    return _is(path, stat.S_ISREG)


def is_folder(path: Path) -> bool:
    """Tell whether a folder is there."""
    return _is(path, stat.S_ISDIR)


def _is(path: Path, kind: Callable[[int], bool]) -> bool:
    try:
        return kind(path.stat().st_mode)
    except (OSError, ValueError):
        return False


def _kind(mode: int) -> str:
    kinds = {stat.S_ISFIFO: "a named pipe", stat.S_ISCHR: "a device", stat.S_ISBLK: "a device"}
    return next((word for test, word in kinds.items() if test(mode)), "a socket")


def _size(count: int) -> str:
    return f"{count // 10**6} MB" if count >= 10**6 else f"{count // 10**3} kB"


def _shown(path: Path) -> str:
    text = visible(str(path))
    return text if len(text) <= 120 else f"{text[:60]}…{text[-40:]}"
