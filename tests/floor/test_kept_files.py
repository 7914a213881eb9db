"""Kept files: what was written comes back, what was changed since then, by whomever, does not."""

from __future__ import annotations

import errno
import os
import random
import sys
import threading
from pathlib import Path

import pytest
from tests.damage import damaged

from carom.kept_files import DamagedFileError, keep, read_kept


def test_what_was_kept_comes_back_and_is_private(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        keep(tmp_path / "one", b"content")
    finally:
        os.umask(before)
    assert read_kept(tmp_path / "one") == b"content"
    if sys.platform != "win32":
        assert (tmp_path / "one").stat().st_mode & 0o777 == 0o600


def test_any_change_is_found(tmp_path: Path) -> None:
    """Bits flipped, ends cut off or added, pieces moved, emptied, filled with zeros: 2,000 times."""
    path, chance = tmp_path / "one", random.Random(18)
    keep(path, chance.randbytes(3000))
    whole = path.read_bytes()
    for _ in range(2000):
        changed = damaged(whole, chance)
        if changed == whole:
            continue
        path.write_bytes(changed)
        with pytest.raises(DamagedFileError, match="is damaged"):
            read_kept(path)
    path.write_bytes(whole)
    assert len(read_kept(path)) == 3000


def test_a_file_under_another_name_is_another_file(tmp_path: Path) -> None:
    keep(tmp_path / "one", b"content")
    (tmp_path / "one").rename(tmp_path / "two")
    with pytest.raises(DamagedFileError):
        read_kept(tmp_path / "two")


@pytest.mark.skipif(sys.platform == "win32", reason="owners and modes are those of POSIX systems")
def test_what_is_not_ones_own_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep(tmp_path / "one", b"content")
    for mode in (0o666, 0o620, 0o602):
        (tmp_path / "one").chmod(mode)
        with pytest.raises(DamagedFileError, match="not a file of this user's own"):
            read_kept(tmp_path / "one")
    (tmp_path / "one").chmod(0o600)
    (tmp_path / "link").symlink_to(tmp_path / "one")
    with pytest.raises(OSError, match="symbolic links"):
        read_kept(tmp_path / "link")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(DamagedFileError):
        read_kept(tmp_path / "pipe")
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    with pytest.raises(DamagedFileError, match="not a file of this user's own"):
        read_kept(tmp_path / "one")


def test_a_full_disk_leaves_the_file_before_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep(tmp_path / "one", b"content")

    def fail(self: Path, target: Path) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(OSError, match="No space"):
        keep(tmp_path / "one", b"other")
    assert [path.name for path in tmp_path.iterdir()] == ["one"]
    assert read_kept(tmp_path / "one") == b"content"


def test_writers_at_once_do_not_damage_each_other(tmp_path: Path) -> None:
    contents = [bytes([number]) * 200_000 for number in range(4)]
    writers = [threading.Thread(target=lambda c=c: [keep(tmp_path / "one", c) for _ in range(25)]) for c in contents]
    keep(tmp_path / "one", contents[0])
    for writer in writers:
        writer.start()
    while any(writer.is_alive() for writer in writers):
        assert read_kept(tmp_path / "one") in contents
    assert [path.name for path in tmp_path.iterdir()] == ["one"]
