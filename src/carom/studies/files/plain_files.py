"""Files in the folder of a study, opened only if they are plain files.

Folders of studies travel between people. A link in one may point anywhere: none is followed, to read or to write.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

__all__ = ["NotPlainError", "open_plain"]

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
