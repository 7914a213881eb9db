"""GPU kernels on disk: what was kept comes back, what is damaged or cannot be kept does no harm."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from carom.backends.kernel_files import KernelFiles


def files_in(folder: Path, *words: object) -> KernelFiles:
    return KernelFiles(folder, "pair_batch", *words)


def test_what_was_kept_comes_back(tmp_path: Path) -> None:
    files_in(tmp_path, "9.0").save_overload(("f8",), {"code": b"machine"})
    assert files_in(tmp_path, "9.0").load_overload(("f8",), None) == {"code": b"machine"}


def test_another_signature_version_or_shape_is_another_kernel(tmp_path: Path) -> None:
    files_in(tmp_path, "9.0", (2, 58)).save_overload(("f8",), "kernel")
    assert files_in(tmp_path, "9.0", (2, 58)).load_overload(("f4",), None) is None
    assert files_in(tmp_path, "8.0", (2, 58)).load_overload(("f8",), None) is None
    assert files_in(tmp_path, "9.0", (3, 58)).load_overload(("f8",), None) is None


@pytest.mark.parametrize("damage", [b"", b"not a pickle", b"\x80\x04\x95"])
def test_a_damaged_file_counts_as_none(tmp_path: Path, damage: bytes) -> None:
    files = files_in(tmp_path)
    files.save_overload("s", "kernel")
    (kept,) = tmp_path.iterdir()
    kept.write_bytes(damage)
    assert files.load_overload("s", None) is None
    files.save_overload("s", "kernel")
    assert files.load_overload("s", None) == "kernel"


def test_what_cannot_be_kept_leaves_nothing_behind(tmp_path: Path) -> None:
    class Odd:
        def __reduce__(self) -> Any:
            raise TypeError("no")

    files_in(tmp_path).save_overload("s", Odd())
    files_in(tmp_path / "missing").save_overload("s", "kernel")
    assert list(tmp_path.iterdir()) == []


def test_flushing_forgets_this_kernel_only(tmp_path: Path) -> None:
    other = KernelFiles(tmp_path, "pound_batch")
    other.save_overload("s", "other")
    files = files_in(tmp_path)
    files.save_overload("s", "kernel")
    files.flush()
    assert files.load_overload("s", None) is None
    assert other.load_overload("s", None) == "other"
