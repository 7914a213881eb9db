"""Compiled kernels on disk: what was kept comes back; what is damaged, foreign or cannot be kept does no harm."""

from __future__ import annotations

import errno
import logging
import os
import pickle
import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.damage import Payload, damaged

from carom.backends import numba as backend
from carom.backends.kernel_files import GpuKernelFiles, _say_not_kept
from carom.kept_files import keep


def files_in(folder: Path | None, *words: object) -> GpuKernelFiles:
    return GpuKernelFiles(folder, "pair_batch", *words)


def test_what_was_kept_comes_back(tmp_path: Path) -> None:
    files_in(tmp_path, "9.0").save_overload(("f8",), {"code": b"machine"})
    assert files_in(tmp_path, "9.0").load_overload(("f8",), None) == {"code": b"machine"}


def test_another_signature_version_or_shape_is_another_kernel(tmp_path: Path) -> None:
    files_in(tmp_path, "9.0", (2, 58)).save_overload(("f8",), "kernel")
    assert files_in(tmp_path, "9.0", (2, 58)).load_overload(("f4",), None) is None
    assert files_in(tmp_path, "8.0", (2, 58)).load_overload(("f8",), None) is None
    assert files_in(tmp_path, "9.0", (3, 58)).load_overload(("f8",), None) is None


def test_a_damaged_file_is_removed_and_counts_as_none(tmp_path: Path) -> None:
    files, chance = files_in(tmp_path), random.Random(18)
    files.save_overload("s", "kernel" * 100)
    (kept,) = tmp_path.iterdir()
    whole = kept.read_bytes()
    for damage in (b"", b"not a pickle", b"\x80\x04\x95", *(damaged(whole, chance) for _ in range(1000))):
        kept.write_bytes(damage)
        found = files.load_overload("s", None)
        assert found is None or damage == whole
        assert kept.exists() == (damage == whole)
        files.save_overload("s", "kernel" * 100)
        assert files.load_overload("s", None) == "kernel" * 100


def test_a_sound_file_of_another_make_counts_as_none(tmp_path: Path) -> None:
    files = files_in(tmp_path)
    files.save_overload("s", "kernel")
    (kept,) = tmp_path.iterdir()
    keep(kept, b"not a pickle")
    assert files.load_overload("s", None) is None
    assert not kept.exists()


def test_what_cannot_be_kept_leaves_nothing_behind(tmp_path: Path) -> None:
    class Odd:
        def __reduce__(self) -> Any:
            raise TypeError("no")

    files_in(tmp_path).save_overload("s", Odd())
    files_in(tmp_path / "missing").save_overload("s", "kernel")
    assert list(tmp_path.iterdir()) == []


def test_without_a_folder_nothing_is_kept(caplog: pytest.LogCaptureFixture) -> None:
    files = files_in(None)
    with caplog.at_level(logging.INFO, "carom.compile"):
        files.save_overload("s", "kernel")
        assert files.load_overload("s", None) is None
        files.flush()
    assert caplog.messages == ["compiling pair batch for the GPU for this process"]


def test_flushing_forgets_this_kernel_only(tmp_path: Path) -> None:
    other = GpuKernelFiles(tmp_path, "pound_batch")
    other.save_overload("s", "other")
    files = files_in(tmp_path)
    files.save_overload("s", "kernel")
    files.flush()
    assert files.load_overload("s", None) is None
    assert other.load_overload("s", None) == "other"


@pytest.mark.skipif(sys.platform == "win32", reason="owners and modes are those of POSIX systems")
def test_a_file_put_there_by_others_is_not_unpickled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, mark = tmp_path / "folder", tmp_path / "ran"
    folder.mkdir()
    files = files_in(folder)
    files.save_overload("s", "kernel")
    (kept,) = folder.iterdir()

    def plant() -> None:
        keep(kept, pickle.dumps(Payload(mark)))

    plant()
    kept.write_bytes(pickle.dumps(Payload(mark)))  # no checksum
    assert files.load_overload("s", None) is None
    plant()
    kept.chmod(0o666)
    assert files.load_overload("s", None) is None
    plant()
    kept.rename(folder / "aside")
    kept.symlink_to(folder / "aside")
    assert files.load_overload("s", None) is None
    plant()
    with monkeypatch.context() as patch:
        patch.setattr(os, "geteuid", lambda: 12345)
        assert files.load_overload("s", None) is None
    assert not mark.exists()
    plant()
    files.load_overload("s", None)
    assert mark.exists()  # the trap would have worked


def tiny(a: float, b: float) -> float:
    return 3.0 * a + b


@pytest.fixture
def fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], Callable[..., Any]]:
    """Return what compiles `tiny` as a new process would, its folder that of this test."""
    folder = tmp_path / "kernels"
    folder.mkdir(mode=0o700)
    monkeypatch.setattr(backend, "cache_folder", lambda: folder)
    _say_not_kept.cache_clear()
    return lambda: backend.compile_cached(tiny)


def loaded(kernel: Any) -> bool:
    """Tell whether a kernel came from disk when it was called first."""
    kept = kernel._cache.load_overload
    seen = []
    kernel._cache.load_overload = lambda *given: seen.append(kept(*given)) or seen[-1]
    assert kernel(2.0, 1.0) == 7.0
    return seen[0] is not None


def test_a_kernel_of_the_cpu_is_kept(fresh: Callable[[], Any], tmp_path: Path) -> None:
    assert not loaded(fresh())
    (kept,) = (tmp_path / "kernels").iterdir()
    assert (kept.name.split("-")[0], kept.suffix) == ("tiny", ".cpu")
    assert loaded(fresh())


def test_damage_to_a_kernel_of_the_cpu_is_found_removed_and_compiled_anew(
    fresh: Callable[[], Any], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """300 times, each answered with the right number and a whole file."""
    loaded(fresh())
    (kept,) = (tmp_path / "kernels").iterdir()
    whole, chance = kept.read_bytes(), random.Random(18)
    for _ in range(300):
        damage = damaged(whole, chance)
        kept.write_bytes(damage)
        caplog.clear()
        with caplog.at_level(logging.INFO, "carom.compile"):
            assert loaded(fresh()) == (damage == whole)
        assert len(caplog.messages) == (damage != whole)
        assert all("compiling tiny anew" in message for message in caplog.messages)
        assert loaded(fresh())


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EACCES, errno.EDQUOT])
@pytest.mark.parametrize("at", ["write_whole", "replace"])
def test_a_kernel_that_cannot_be_written_runs_all_the_same(
    at: str, number: int, fresh: Callable[[], Any], tmp_path: Path, caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    def fail(*_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("carom.kept_files.write_whole" if at == "write_whole" else "pathlib.Path.replace", fail)
    assert not loaded(fresh())
    assert not loaded(fresh())
    told = [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]
    folder = tmp_path / "kernels"
    assert told == [f"compiled kernels are not kept: {folder} cannot be written: {os.strerror(number)}"]
    assert list(folder.iterdir()) == []


def test_a_folder_in_the_place_of_a_kernel(fresh: Callable[[], Any], tmp_path: Path) -> None:
    loaded(fresh())
    (kept,) = (tmp_path / "kernels").iterdir()
    kept.unlink()
    kept.mkdir()
    assert not loaded(fresh())
