"""Files that are whole or not there: written beside their place, forced to the disk, then renamed.

Folders of studies travel between people. A link in one may point anywhere: none is followed, to read or to write.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

__all__ = ["UNFINISHED", "NotPlainError", "is_unfinished", "open_plain", "whole", "write_whole"]

UNFINISHED = ".unfinished"
"""How the names of files end that are being written."""
_OURS = re.compile(
    r"\.(manifest\.json|samples\.parquet|part-\d+\.parquet|runs\.(csv|parquet|nc)|\.writable)\.\d+"
    + re.escape(UNFINISHED)
)
_PLAIN = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


class NotPlainError(OSError):
    """A link, a folder, a pipe or a device where a file should be."""


def open_plain(path: Path, flags: int = os.O_RDONLY) -> int:
    """Open a file that is one: no link is followed, no pipe waited for; return its handle."""
    try:
        handle = os.open(path, flags | _PLAIN, 0o666)
    except OSError:
        if path.is_symlink() or path.is_dir():
            raise NotPlainError(None, "is a link or a folder, not a file", str(path)) from None
        raise
    if not stat.S_ISREG(os.fstat(handle).st_mode) or (not hasattr(os, "O_NOFOLLOW") and path.is_symlink()):
        os.close(handle)
        raise NotPlainError(None, "is no plain file", str(path))
    return handle


@contextmanager
def whole(path: Path) -> Iterator[Path]:
    """Give a place to write a file at; when all went well it is moved to `path`, otherwise it vanishes."""
    beside = path.with_name(f".{path.name}.{os.getpid()}{UNFINISHED}")
    beside.unlink(missing_ok=True)  # what a dead process of the same number left, or a link that waits to be followed
    try:
        yield beside
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def write_whole(path: Path, content: bytes | memoryview) -> None:
    """Write a file so that a crash at any moment leaves the old one or the new one."""
    with whole(path) as beside:
        file: BinaryIO
        with beside.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
    _sync_folder(path.parent)


def is_unfinished(path: Path) -> bool:
    """Tell whether a file has the name of one that a study was writing when it was killed."""
    return _OURS.fullmatch(path.name) is not None


def _sync_folder(folder: Path) -> None:
    """Force the folder's list of names to the disk, where a folder can be opened."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
