"""Files are whole or not there, whatever happens while they are written."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

import carom
from carom.whole_files import UNFINISHED, reason_of, target_of, whole_file, whole_files, write_whole

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="as on POSIX systems")
FULL = OSError(errno.ENOSPC, "No space left on device")
WRAPPED = OSError("Unable to write (file write failed: errno = 28, error message = 'No space left on device')")


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def raising(trouble: BaseException) -> Callable[..., None]:
    def fail(*_: object, **__: object) -> None:
        raise trouble

    return fail


def fill(path: Path, trouble: BaseException) -> None:
    with whole_file(path) as draft:
        draft.write_text("new, but half")
        raise trouble


def fill_folder(folder: Path, trouble: BaseException) -> None:
    with whole_files(folder) as drafts:
        (drafts / "a.txt").write_text("new, but half")
        raise trouble


# one file ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("durable", [False, True])
@pytest.mark.parametrize("content", ["Ω = 3\n", b"\x00\xff", memoryview(b"seen")])
def test_what_is_written_is_there(content: str | bytes | memoryview, durable: bool, tmp_path: Path) -> None:
    write_whole(tmp_path / "one", "older")
    write_whole(tmp_path / "one", content, durable=durable)
    assert (tmp_path / "one").read_bytes() == (content.encode() if isinstance(content, str) else content)
    assert names(tmp_path) == ["one"]


@pytest.mark.parametrize("trouble", [KeyboardInterrupt(), SystemExit(143), MemoryError(), FULL, WRAPPED])
def test_trouble_leaves_the_file_before_and_nothing_else(trouble: BaseException, tmp_path: Path) -> None:
    (tmp_path / "one").write_text("old")
    for name in ("one", "two"):
        with pytest.raises(type(trouble)):
            fill(tmp_path / name, trouble)
    assert names(tmp_path) == ["one"]
    assert (tmp_path / "one").read_text() == "old"


@pytest.mark.parametrize("trouble", [KeyboardInterrupt(), FULL])
@pytest.mark.parametrize("step", ["open", "fdopen", "fsync", "replace"])
def test_trouble_at_every_step(
    step: str, trouble: BaseException, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "one").write_text("old")
    monkeypatch.setattr(Path if step == "replace" else os, step, raising(trouble))
    with pytest.raises(type(trouble)):
        write_whole(tmp_path / "one", "new", durable=True)
    monkeypatch.undo()
    assert names(tmp_path) == ["one"]
    assert (tmp_path / "one").read_text() == "old"


@POSIX
def test_a_disk_that_fills_up_half_way(tmp_path: Path) -> None:
    """No file may grow beyond 4 kB: the system itself stops the writing in the middle."""
    import resource

    (tmp_path / "one").write_text("old")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, before[1]))
    try:
        with pytest.raises(OSError, match="large") as caught:
            write_whole(tmp_path / "one", bytes(1_000_000))
        with pytest.raises(carom.InputError, match="File too large"), whole_files(tmp_path / "out") as drafts:
            (drafts / "a.bin").write_bytes(bytes(1_000_000))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert reason_of(caught.value) == "File too large"
    assert names(tmp_path) == ["one"]
    assert (tmp_path / "one").read_text() == "old"


@POSIX
@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077, 0o277])
def test_permissions_are_those_of_the_umask_unless_private(umask: int, tmp_path: Path) -> None:
    before = os.umask(umask)
    try:
        write_whole(tmp_path / "open", "text")
        write_whole(tmp_path / "own", "text", private=True)
        with whole_file(tmp_path / "filled") as draft:
            draft.write_text("text")
        with whole_files(tmp_path) as drafts:
            drafts.chmod(0o700)  # a folder that its owner may not write to holds nothing
            (drafts / "one of several").write_text("text")
    finally:
        os.umask(before)
    modes = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()}
    usual = 0o666 & ~umask
    assert modes == {"open": usual, "own": 0o600 & ~umask, "filled": usual, "one of several": usual}


def test_nothing_is_replaced_unasked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor is a file that another process wrote in the meantime; on file systems without links neither."""
    write_whole(tmp_path / "one", "first", replace=False)
    for links in (True, False):
        if not links:
            monkeypatch.setattr(Path, "hardlink_to", raising(PermissionError(errno.EPERM, "no links here")))
        with pytest.raises(FileExistsError):
            write_whole(tmp_path / "one", "second", replace=False)
        write_whole(tmp_path / f"new {links}", "second", replace=False)
    assert (tmp_path / "one").read_text() == "first"
    assert names(tmp_path) == ["new False", "new True", "one"]


@POSIX
def test_a_link_is_replaced_and_not_written_through(tmp_path: Path) -> None:
    (tmp_path / "victim").write_text("precious")
    (tmp_path / "one").symlink_to(tmp_path / "victim")
    write_whole(tmp_path / "one", "new")
    assert not (tmp_path / "one").is_symlink()
    assert (tmp_path / "victim").read_text() == "precious"


def test_writers_at_once_do_not_damage_each_other(tmp_path: Path) -> None:
    contents = [bytes([number]) * 200_000 for number in range(4)]
    writers = [
        threading.Thread(target=lambda c=c: [write_whole(tmp_path / "one", c) for _ in range(25)]) for c in contents
    ]
    write_whole(tmp_path / "one", contents[0])
    for writer in writers:
        writer.start()
    while any(writer.is_alive() for writer in writers):
        assert (tmp_path / "one").read_bytes() in contents
    assert names(tmp_path) == ["one"]


@POSIX
def test_what_a_killed_process_leaves_is_recognised(tmp_path: Path) -> None:
    killed = (
        "import os, sys, pathlib; from carom.whole_files import whole_file\n"
        "with whole_file(pathlib.Path(sys.argv[1])) as draft:\n"
        "    draft.write_text('half'); os.kill(os.getpid(), 9)\n"
    )
    run = subprocess.run([sys.executable, "-c", killed, str(tmp_path / "part-1.parquet")], timeout=120)
    assert run.returncode == -signal.SIGKILL
    (left,) = tmp_path.iterdir()
    assert target_of(left) == "part-1.parquet"
    others = ("part-1.parquet", f".mine{UNFINISHED}", f".{UNFINISHED}", f"a.0a1b2c3d{UNFINISHED}", ".a.0a1b2c3d.part")
    assert [target_of(Path(name)) for name in others] == [None] * len(others)


# several files -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("trouble", [KeyboardInterrupt(), SystemExit(143), FULL, WRAPPED])
def test_several_files_are_all_there_or_none(trouble: BaseException, tmp_path: Path) -> None:
    """ENOSPC, from the system or wrapped by a library, is one sentence; the folder is as before."""
    out = tmp_path / "out"
    with whole_files(out) as drafts:
        (drafts / "a.txt").write_text("old")
        (drafts / "below").mkdir()
        (drafts / "below" / "b.txt").write_text("old")
    said = r"No space left on device\. No half-written file" if isinstance(trouble, OSError) else None
    expected = carom.InputError if said else type(trouble)
    with pytest.raises(expected, match=said):
        fill_folder(out, trouble)
    assert names(out) == ["a.txt", "below"]
    assert (out / "a.txt").read_text() == "old"
    with pytest.raises(expected):
        fill_folder(tmp_path / "other", trouble)
    assert names(tmp_path) == ["out"]  # a folder that was made for nothing is gone


@POSIX
def test_an_interruption_waits_while_files_move(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It comes after the first of three is in place, by way of another thread; all are there when it is heard."""
    replace, done = Path.replace, threading.Event()
    library = threading.Thread(target=done.wait)
    library.start()

    def interrupted(self: Path, target: Path) -> None:
        replace(self, target)
        os.kill(os.getpid(), signal.SIGINT)

    def write() -> None:
        with whole_files(tmp_path / "out") as drafts:
            for name in "abc":
                (drafts / name).write_text("new")

    monkeypatch.setattr(Path, "replace", interrupted)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # what runs in the background may not hear it
    try:
        with pytest.raises(KeyboardInterrupt):
            write()
    finally:
        signal.signal(signal.SIGINT, before)
        done.set()
        library.join()
    assert names(tmp_path / "out") == ["a", "b", "c"]


def test_what_stands_in_the_way_is_found_before_anything_moves(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("old")
    (tmp_path / "b.txt").mkdir()

    def write() -> None:
        with whole_files(tmp_path) as drafts:
            (drafts / "a.txt").write_text("new")
            (drafts / "b.txt").write_text("new")

    with pytest.raises(carom.InputError, match=r"b\.txt is a folder, and a file of this name"):
        write()
    assert (tmp_path / "a.txt").read_text() == "old"
    assert names(tmp_path) == ["a.txt", "b.txt"]


def test_the_name_of_a_file_is_no_folder(tmp_path: Path) -> None:
    with (
        pytest.raises(carom.InputError, match="is the name of a file; several go into a folder"),
        whole_files(tmp_path / "report.html"),
    ):
        pass
    assert names(tmp_path) == []
