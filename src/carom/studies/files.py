"""Files that are whole or not there: written beside their place, forced to the disk, then renamed."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["UNFINISHED", "write_whole"]

UNFINISHED = ".unfinished"
"""How the names of files end that are being written."""


def write_whole(path: Path, content: bytes | memoryview) -> None:
    """Write a file so that a crash at any moment leaves the old one or the new one."""
    beside = path.with_name(f".{path.name}.{os.getpid()}{UNFINISHED}")
    try:
        with beside.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)


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
