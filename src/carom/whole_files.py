"""Files appear whole or not at all: they are written beside their place, then renamed.

Whatever happens in between (an error, a full disk, an interruption), the place holds what it held before, and nothing
half-written is left. A process that is killed cannot tidy up: what it leaves has a name that `target_of` recognises.
The permissions of a new file are those of the umask, unless it is asked to be private.
"""

from __future__ import annotations

import errno
import os
import re
import secrets
import shutil
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from carom.errors import InputError

__all__ = ["forget", "reason_of", "target_of", "whole_file", "whole_files", "write_whole"]

UNFINISHED = ".unfinished"
"""How the names of files and folders end that are being written."""
_NAME = re.compile(r"\.(.+)\.[0-9a-f]{8}" + re.escape(UNFINISHED), re.DOTALL)
FILES = (".html", ".htm", ".nc", ".csv", ".json", ".toml", ".pdf", ".png")
"""Endings of files, not of the folders in which they are."""


@contextmanager
def whole_file(path: Path, *, replace: bool = True) -> Iterator[Path]:
    """Give a name to write a file under; when all went well it gets the name `path`, otherwise it vanishes.

    Parameters
    ----------
    path
        The file to write. Its folder exists. A link there is replaced, never followed.
    replace
        Whether a file that is there is replaced; otherwise FileExistsError, even if it came only just now.

    Raises
    ------
    OSError
        What the system refused; `reason_of` says it in one phrase.
    """
    draft = path.with_name(_draft_name(path.name))
    forget(draft)  # were a link waiting there, the writer would follow it
    try:
        yield draft
        if replace:
            draft.replace(path)
        else:
            _put_new(draft, path)
    finally:
        forget(draft)


def write_whole(
    path: Path,
    content: str | bytes | memoryview,
    *,
    durable: bool = False,
    private: bool = False,
    replace: bool = True,
) -> None:
    """Write a file as `whole_file` does; text in UTF-8.

    Parameters
    ----------
    path, replace
        As of `whole_file`.
    content
        All that the file holds.
    durable
        Whether it outlasts a loss of power once this has returned: the file is forced to the disk before it is
        renamed, its name afterwards.
    private
        Whether it is for this user alone, even where the umask lets others read.
    """
    data = content.encode("utf-8") if isinstance(content, str) else content
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    with (
        whole_file(path, replace=replace) as draft,
        os.fdopen(os.open(draft, flags, 0o600 if private else 0o666), "wb") as stream,
    ):
        stream.write(data)
        if durable:
            stream.flush()
            os.fsync(stream.fileno())
    if durable:
        _force_names_to_disk(path.parent)


@contextmanager
def whole_files(folder: Path) -> Iterator[Path]:
    """Give a folder to write in; when all went well its files move to `folder` together, otherwise they vanish.

    `folder` is made where it is not there, and removed again if nothing comes of it. What the system refuses is an
    InputError that names the folder.
    """
    there = folder.exists()
    if not there and folder.suffix.lower() in FILES:
        raise InputError(f"{folder} is the name of a file; several go into a folder. Name one, such as {folder.stem}.")
    drafts = folder / _draft_name("files")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        drafts.mkdir()
        yield drafts
        with _undisturbed():
            _move_all(drafts, folder)
            there = True
    except OSError as error:
        raise InputError(
            f"The files could not be written to {folder}: {reason_of(error)}. No half-written file was left there. "
            "Make room, or name another folder."
        ) from error
    finally:
        with _undisturbed():
            shutil.rmtree(drafts, ignore_errors=True)
            if not there:
                with suppress(OSError):
                    folder.rmdir()


def target_of(path: Path) -> str | None:
    """Return the name that an unfinished file was to get; None of any other file."""
    found = _NAME.fullmatch(path.name)
    return found[1] if found else None


def forget(path: Path) -> None:
    """Remove a file, where that is possible."""
    with suppress(OSError):
        path.unlink()


def reason_of(error: OSError) -> str:
    """Return why the system refused; libraries wrap its words in many of their own."""
    number = error.errno or int((re.search(r"errno = (\d+)", str(error)) or [0, 0])[1])
    return os.strerror(number) if number else str(error)


def _draft_name(name: str) -> str:
    """Return a name that nobody can foresee."""
    return f".{name}.{secrets.token_hex(4)}{UNFINISHED}"


def _put_new(draft: Path, path: Path) -> None:
    """Give a file its name unless there is one of this name."""
    try:
        path.hardlink_to(draft)
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        if os.path.lexists(path):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path)) from None
        draft.replace(path)


def _move_all(drafts: Path, folder: Path) -> None:
    """Move files to where they belong; what would stop that half-way is looked for before the first is moved."""
    moves = [(path, folder / path.relative_to(drafts)) for path in sorted(drafts.rglob("*"))]
    for path, target in moves:
        if path.is_dir() and target.is_symlink():  # as a folder from elsewhere may have: its files belong to others
            raise InputError(f"{target} is a link. Nothing is written through it. Remove it.")
        if target.exists() and path.is_dir() != target.is_dir():
            what, wanted = ("a folder", "a file") if target.is_dir() else ("a file", "a folder")
            raise InputError(f"{target} is {what}, and {wanted} of this name is to be written. Remove it.")
    for path, target in moves:
        if path.is_dir():
            target.mkdir(exist_ok=True)
        else:
            path.replace(target)


def _force_names_to_disk(folder: Path) -> None:
    """Force a folder's list of names to the disk, where the system opens folders."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Let an interruption wait for the end of a few short steps.

    Python hears interruptions in the main thread, whichever thread the system gave them to; to block them there would
    not hold those back that come by way of the threads of a library.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    ours = {number: handler for number, handler in before.items() if handler is not None}  # None: not one of Python's
    try:
        for number in ours:
            signal.signal(number, lambda number, _: came.append(number))
        yield
    finally:
        for number, handler in ours.items():
            signal.signal(number, handler)
        for late in dict.fromkeys(came):
            signal.raise_signal(late)
