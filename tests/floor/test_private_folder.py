"""Where things are kept: in the user's own folder or nowhere, whatever the environment says."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

import pytest

from carom.private_folder import UnusableFolderError, cache_folder

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="owners and modes are those of POSIX systems")


@pytest.fixture(autouse=True)
def _bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("CAROM_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "home").mkdir(mode=0o755)
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")


@pytest.mark.parametrize("given", [None, "", "cache", "./cache", "."])
def test_what_the_specification_says_of_empty_and_relative(
    given: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if given is not None:
        monkeypatch.setenv("XDG_CACHE_HOME", given)
    monkeypatch.setenv("CAROM_CACHE", "")
    assert cache_folder("kernels-1") == tmp_path / "home/.cache/carom/kernels-1"
    assert list((tmp_path / "here").iterdir()) == []


def test_a_folder_of_ones_own_and_the_home_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache_folder("k") == tmp_path / "xdg/carom/k"
    monkeypatch.setenv("CAROM_CACHE", "~/mine")
    assert cache_folder("k") == tmp_path / "home/mine/k"


@pytest.mark.parametrize("given", ["cache", "./cache", "."])
def test_a_relative_folder_of_ones_own_is_refused(given: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CAROM_CACHE", given)
    with pytest.raises(UnusableFolderError, match=f"`CAROM_CACHE` must be the full path of a folder. Got '{given}'"):
        cache_folder("k")


@pytest.mark.parametrize("home", ["", "home"])
def test_no_home(home: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", home)
    with pytest.raises(UnusableFolderError, match="no home folder"):
        cache_folder("k")


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o277])
def test_what_is_made_is_for_the_user_alone(umask: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CAROM_CACHE", str(tmp_path / "a/b"))
    before = os.umask(umask)
    try:
        folder = cache_folder("k")
    finally:
        os.umask(before)
    assert [mode_of(place) for place in (folder, *folder.parents[:2])] == [0o700, 0o700, 0o700]


@pytest.mark.parametrize("mode", [0o777, 0o770, 0o702, 0o1777])
@pytest.mark.parametrize("which", ["root", "folder"])
def test_what_others_can_write_to_is_not_used(
    which: str, mode: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CAROM_CACHE", str(tmp_path / "root"))
    folder = cache_folder("k")
    open_one = folder if which == "folder" else folder.parent
    open_one.chmod(mode)
    with pytest.raises(UnusableFolderError, match=f"{open_one} is not used.*others can write.*chmod 700 {open_one}"):
        cache_folder("k")
    open_one.chmod(0o700)
    assert cache_folder("k") == folder


def test_what_is_below_a_folder_that_others_can_write_to_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They could put another in its place. Where the sticky bit is set, as in /tmp, they could not."""
    monkeypatch.setenv("CAROM_CACHE", str(tmp_path / "shared/root"))
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared").chmod(0o777)
    with pytest.raises(UnusableFolderError, match="shared can be written to by others"):
        cache_folder("k")
    assert list((tmp_path / "shared").iterdir()) == []
    (tmp_path / "shared").chmod(0o1777)
    cache_folder("k")
    (tmp_path / "shared").chmod(0o777)
    with pytest.raises(UnusableFolderError, match="shared can be written to by others"):
        cache_folder("k")


def test_what_belongs_to_another_user_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CAROM_CACHE", str(tmp_path / "root"))
    cache_folder("k")
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    with pytest.raises(UnusableFolderError, match="root is not used, since it belongs to another user"):
        cache_folder("k")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root gives folders away")
def test_what_is_below_a_folder_of_another_user_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "theirs").mkdir()
    monkeypatch.setenv("CAROM_CACHE", str(tmp_path / "theirs/root"))
    cache_folder("k")
    os.chown(tmp_path / "theirs", 12345, 12345)
    with pytest.raises(UnusableFolderError, match="theirs belongs to another user"):
        cache_folder("k")


def test_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One to a folder of one's own will do; none through a folder where others could turn it."""
    (tmp_path / "elsewhere").mkdir(mode=0o700)
    (tmp_path / "root").symlink_to("elsewhere")
    monkeypatch.setenv("CAROM_CACHE", str(tmp_path / "root"))
    cache_folder("k")
    assert (tmp_path / "elsewhere/k").is_dir()
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o777)
    (tmp_path / "open/turn").symlink_to("../elsewhere")
    (tmp_path / "root").unlink()
    (tmp_path / "root").symlink_to(tmp_path / "open/turn")
    with pytest.raises(UnusableFolderError, match="open can be written to by others"):
        cache_folder("k")
    (tmp_path / "root").unlink()
    (tmp_path / "root").symlink_to(tmp_path / "root")
    with pytest.raises(UnusableFolderError):
        cache_folder("k")


def test_a_file_in_its_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CAROM_CACHE", str(tmp_path / "root"))
    (tmp_path / "root").touch()
    with pytest.raises(UnusableFolderError, match="root/k cannot be used: Not a directory"):
        cache_folder("k")
    (tmp_path / "root").unlink()
    cache_folder("k").rmdir()
    (tmp_path / "root/k").touch()
    with pytest.raises(UnusableFolderError, match="root/k cannot be used: it is not a folder"):
        cache_folder("k")


@pytest.mark.parametrize("number", ["ENOSPC", "EROFS", "EACCES"])
def test_a_disk_on_which_nothing_can_be_made(number: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import errno

    def fail(self: Path, *_: object, **__: object) -> None:
        raise OSError(getattr(errno, number), os.strerror(getattr(errno, number)), str(self))

    monkeypatch.setenv("CAROM_CACHE", str(tmp_path / "root"))
    monkeypatch.setattr(Path, "mkdir", fail)
    with pytest.raises(UnusableFolderError, match=f"cannot be used: {os.strerror(getattr(errno, number))}. Set CAROM"):
        cache_folder("k")


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)
