"""Folders for what carom keeps between runs: the user's own, or none.

Some of what is kept is unpickled or run as machine code, so whoever can write there can run programs as this user. A
folder is used only if this user owns it, nobody else can write to it, and nobody else can put another in its place;
and it is made so. Windows gives every user a profile that others cannot write to: ownership is not looked at there.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

__all__ = ["UnusableFolderError", "cache_folder", "is_ours"]

OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH
OWN = "Set CAROM_CACHE to the full path of a folder of your own."
MOST_LINKS = 40
"""Symbolic links on a way to a folder, beyond which they go round in circles."""


class UnusableFolderError(Exception):
    """Nothing can be kept; the message says where, why and what to do."""


def cache_folder(name: str) -> Path:
    """Return the folder of this name in carom's cache, made if need be; UnusableFolderError where it cannot be had."""
    folder = _cache_root() / name
    try:
        _make(folder)
        for place in (folder.parent, folder):
            _require_private(place)
    except (OSError, ValueError) as error:  # a NUL within a path is a ValueError
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise UnusableFolderError(f"{folder} cannot be used: {reason}. {OWN}") from error
    return folder


def is_ours(found: os.stat_result) -> bool:
    """Tell whether a file or folder belongs to this user, and nobody else can write to it."""
    return os.name == "nt" or (found.st_uid == os.geteuid() and not found.st_mode & OTHERS_WRITE)


def _cache_root() -> Path:
    """Return the folder of all that carom keeps, from ``CAROM_CACHE`` or as the system has it.

    Empty variables count as unset, and a relative path in those of the system is ignored, as the XDG specification
    says: the current folder may be anybody's. In our own it is refused, since someone meant something by it.
    """
    if given := os.environ.get("CAROM_CACHE", ""):
        root = _from_home(given)
        if not root.is_absolute():
            raise UnusableFolderError(f"`CAROM_CACHE` must be the full path of a folder. Got '{given}'.")
        return root
    variable, usual = ("LOCALAPPDATA", "~/AppData/Local") if os.name == "nt" else ("XDG_CACHE_HOME", "~/.cache")
    for base in (Path(os.environ.get(variable, "")), _from_home(usual)):
        if base.is_absolute():
            return base / "carom"
    raise UnusableFolderError(f"there is no home folder. {OWN}")


def _from_home(path: str) -> Path:
    """Return a path with a leading ``~`` expanded, where there is a home folder."""
    if os.environ.get("HOME") == "" and os.name != "nt":  # it would be taken for /
        return Path(path)
    try:
        return Path(path).expanduser()
    except RuntimeError:
        return Path(path)


def _make(folder: Path) -> None:
    """Make a folder and those above it that are missing, for this user alone whatever the umask."""
    missing = []
    for place in (folder, *folder.parents):
        if os.path.lexists(place):
            break
        missing.append(place)
    if missing:
        _require_safe_way(missing[-1].parent, folder)
    for place in reversed(missing):
        with suppress(FileExistsError):  # another process was quicker; it is looked at like any other
            place.mkdir(mode=0o700)
            place.chmod(0o700)


def _require_private(folder: Path) -> None:
    """Refuse a folder that is not this user's own, or that others can write to or replace."""
    found = folder.stat()
    if not stat.S_ISDIR(found.st_mode):
        raise NotADirectoryError(None, "it is not a folder")
    if not is_ours(found):
        whose = "it belongs to another user" if found.st_uid != os.geteuid() else "others can write to it"
        way_out = OWN if found.st_uid != os.geteuid() else f"Run `chmod 700 {folder}`."
        raise UnusableFolderError(f"{folder} is not used, since {whose}. {way_out}")
    _require_safe_way(folder, folder)


def _require_safe_way(place: Path, folder: Path) -> None:
    """Refuse a folder, at or below `place`, where someone else could put another thing on the way to it."""
    if os.name == "nt":
        return
    # in a container without a superuser of its own, the owner of / is who the superuser is there
    trusted = {0, os.geteuid(), Path(place.anchor).stat().st_uid}
    for step, found in _way(place):
        link, sticky = stat.S_ISLNK(found.st_mode), found.st_mode & stat.S_ISVTX
        foreign = found.st_uid not in trusted
        if foreign or (found.st_mode & OTHERS_WRITE and not (link or sticky)):
            whose = "belongs to another user" if foreign else "can be written to by others"
            raise UnusableFolderError(f"{folder} is not used, since others could replace it: {step} {whose}. {OWN}")


def _way(folder: Path) -> Iterator[tuple[Path, os.stat_result]]:
    """Yield every folder and every symbolic link that is gone through on the way to a folder, it included."""
    here, links = Path(folder.anchor), 0
    ahead = list(reversed(folder.parts[1:]))
    yield here, here.lstat()
    while ahead:
        name = ahead.pop()
        if name == "..":
            here = here.parent
            continue
        found = (here / name).lstat()
        yield here / name, found
        if not stat.S_ISLNK(found.st_mode):
            here /= name
            continue
        links += 1
        if links > MOST_LINKS:
            raise OSError(None, "its symbolic links lead in a circle")
        target = (here / name).readlink()
        here = Path(target.anchor) if target.is_absolute() else here
        ahead += reversed(target.parts[1:] if target.is_absolute() else target.parts)
