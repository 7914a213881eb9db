"""The checksum of a saved run: of its very bytes, after the end of what HDF5 reads, so that it is checked before.

    … the netCDF-4 file … carom-sha256:0123…cdef⏎

HDF5 knows its own end and ignores what follows; every netCDF reader opens the file as before. A damaged file may make
HDF5 loop for ever, or hand out other numbers: one whose checksum does not match is never handed to it.
"""

from __future__ import annotations

import hashlib
import os
import struct
import subprocess  # nosec B404: one program, this very Python
import sys
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

__all__ = ["SIGNATURE", "append_seal", "can_be_read", "fault_of", "seal_matches"]

SIGNATURE = b"\x89HDF\r\n\x1a\n"
MARK = b"carom-sha256:"
LENGTH = len(MARK) + 64 + 1
BLOCK = 1 << 20
PATIENCE = 6
"""Seconds of computing to begin with that another process has for a file without a checksum; one is enough."""
PACE = 50e6
"""Bytes for which it has a second more."""
BUSY = 10
"""How many times as long it may take by the clock: on a busy machine, or where computing cannot be limited."""
ROOM = 1 << 30
"""Bytes of memory that it may take beside a few times the file."""


def append_seal(path: Path) -> None:
    """Append the checksum of all that a file holds."""
    with path.open("r+b") as file:
        digest = _digest(file, os.fstat(file.fileno()).st_size)
        file.seek(0, os.SEEK_END)
        file.write(MARK + digest + b"\n")


def seal_matches(path: Path) -> bool | None:
    """Return whether the bytes of a file are those of its checksum; None where it has none."""
    with path.open("rb") as file:
        size = os.fstat(file.fileno()).st_size - LENGTH
        if size < 0:
            return None
        file.seek(size)
        seal = file.read(LENGTH)
        if not seal.startswith(MARK):
            return None
        file.seek(0)
        return seal == MARK + _digest(file, size) + b"\n"


def fault_of(path: Path) -> str:
    """Return what the first bytes of a file tell against it; nothing where it is HDF5 and as long as it says."""
    with path.open("rb") as file:
        start = file.read(52)
        size = os.fstat(file.fileno()).st_size
    if not start.startswith(SIGNATURE):
        return "cut short" if SIGNATURE.startswith(start) else "not HDF5"
    # end of the file as its superblock states it: version 0 and 1 (what h5netcdf writes) or 2 and 3, eight bytes each
    if len(start) < 52:
        return "cut short"
    where = {0: 40, 1: 44, 2: 28, 3: 28}.get(start[8])
    if where is None:
        return "not of a version of HDF5 that is known"
    (end,) = struct.unpack("<Q", start[where : where + 8])
    return "cut short" if end > size else ""


def can_be_read(path: Path, command: str) -> bool:
    """Return whether another process could do `command` with a file, in time and in little memory.

    Files of earlier versions have no checksum. HDF5 may never return from a damaged one, and no thread can be stopped
    inside of it; a process can.
    """
    size = path.stat().st_size
    seconds = PATIENCE + int(size / PACE)
    code = f"import sys; from {__name__} import limited; limited({ROOM + 8 * size}, {seconds}); {command}"
    try:
        tried = subprocess.run(  # nosec B603: no shell; the path is an argument, not code
            [sys.executable, "-P", "-c", code, str(path)], stdin=subprocess.DEVNULL, capture_output=True,
            timeout=BUSY * seconds, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return False
    except OSError:  # no other process can be had: as in earlier versions
        return True
    return tried.returncode == 0


def limited(room: int, seconds: int) -> None:
    """Take no more memory and compute no longer than this, where the system can see to it."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (room, room))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))


def _digest(file: BinaryIO, size: int) -> bytes:
    """Return the checksum of the next `size` bytes."""
    digest = hashlib.sha256()
    while size > 0 and (block := file.read(min(BLOCK, size))):
        digest.update(block)
        size -= len(block)
    return digest.hexdigest().encode()
