"""Files that carom keeps for itself between runs: read only if they are this user's own, and as they were written.

A flipped bit in machine code raises nothing: it crashes, or gives other numbers. Every file therefore begins with a
checksum of its name and content, looked at before anything is made of them.
"""

from __future__ import annotations

import hashlib
import os
import stat
from pathlib import Path

from carom.private_folder import is_ours
from carom.whole_files import write_whole

__all__ = ["DamagedFileError", "keep", "read_kept"]

MARK = b"carom keeps 1\n"
SIZE = len(MARK) + hashlib.sha256().digest_size


class DamagedFileError(Exception):
    """A file that is not as it was written, or not written by this user."""


def keep(path: Path, content: bytes) -> None:
    """Write a file, for this user alone, all of it or nothing; OSError where it cannot be written."""
    write_whole(path, b"".join((MARK, _checksum(path, content), content)), private=True)


def read_kept(path: Path) -> memoryview:
    """Return what was kept in a file; FileNotFoundError where there is none, DamagedFileError where it is not sound."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    with os.fdopen(os.open(path, flags), "rb") as stream:
        found = os.fstat(stream.fileno())
        if not (stat.S_ISREG(found.st_mode) and is_ours(found)):
            raise DamagedFileError("is not a file of this user's own")
        data = memoryview(stream.read())
    content = data[SIZE:]
    if data[: len(MARK)] != MARK or data[len(MARK) : SIZE] != _checksum(path, content):
        raise DamagedFileError("is damaged")
    return content


def _checksum(path: Path, content: bytes | memoryview) -> bytes:
    digest = hashlib.sha256(path.name.encode() + b"\n")
    digest.update(content)
    return digest.digest()
