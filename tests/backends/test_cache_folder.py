"""The folder of compiled kernels, from outside: nobody else's program runs, and no run depends on it."""

from __future__ import annotations

import os
import pickle
import random
import shutil
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.damage import Payload, damaged

from carom.kept_files import keep

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="owners and modes are those of POSIX systems")

PROGRAM = "from carom.backends import compiled; from carom.kernels.laws import power_law\n" + (
    "print(compiled(power_law.power)(4.0, 2.0, 0.5))"
)
ANOTHER_USER = "import os; os.geteuid = lambda: 12345\n" + PROGRAM
"""The program as if run by another user than the owner of the files."""


def run(program: str, folder: Path, **variables: str | None) -> subprocess.CompletedProcess[str]:
    """Run a program in a folder, with these variables of the environment, None for none."""
    stated = {**os.environ, "CAROM_CACHE": None, "XDG_CACHE_HOME": None, **variables}
    environment = {name: value for name, value in stated.items() if value is not None}
    return subprocess.run(
        [sys.executable, "-c", program], env=environment, cwd=folder, capture_output=True, text=True, check=False
    )


def ran_well(done: subprocess.CompletedProcess[str]) -> bool:
    return done.returncode == 0 and done.stdout == "2.0\n"


@pytest.fixture(scope="module")
def kernels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a cache folder with the kernel in it."""
    root = tmp_path_factory.mktemp("cache") / "carom"
    assert ran_well(run(PROGRAM, root.parent, CAROM_CACHE=str(root)))
    return root


@pytest.fixture
def trap(kernels: Path, tmp_path: Path) -> tuple[Path, Path]:
    """Return a cache folder whose kernel is somebody else's program, and what that program makes."""
    mark, root = tmp_path / "ran", tmp_path / "here/carom"
    shutil.copytree(kernels, root)
    for path in (path for path in root.rglob("*") if path.is_file()):
        keep(path, pickle.dumps(Payload(mark)))
    return root, mark


def test_the_trap_works(trap: tuple[Path, Path]) -> None:
    root, mark = trap
    run(PROGRAM, root.parent, CAROM_CACHE=str(root))
    assert mark.exists()


@pytest.mark.parametrize("given", ["", ".", "./"])
def test_a_cache_in_the_current_folder_is_not_read(given: str, trap: tuple[Path, Path], tmp_path: Path) -> None:
    root, mark = trap
    home = tmp_path / "home"
    home.mkdir()
    done = run(PROGRAM, root.parent, XDG_CACHE_HOME=given, HOME=str(home))
    assert ran_well(done)
    assert not mark.exists()
    assert any((home / ".cache/carom").rglob("power-*.cpu"))


@pytest.mark.parametrize("given", ["carom", "./carom"])
def test_a_relative_cache_is_not_read(given: str, trap: tuple[Path, Path]) -> None:
    root, mark = trap
    done = run(PROGRAM, root.parent, CAROM_CACHE=given)
    assert ran_well(done)
    assert not mark.exists()
    assert "`CAROM_CACHE` must be the full path of a folder" in done.stderr


def test_a_cache_that_all_can_write_to_is_not_read(trap: tuple[Path, Path]) -> None:
    root, mark = trap
    root.chmod(0o777)
    done = run(PROGRAM, root.parent, CAROM_CACHE=str(root))
    assert ran_well(done)
    assert not mark.exists()
    unused, compiling = done.stderr.splitlines()
    assert f"{root} is not used, since others can write to it. Run `chmod 700 {root}`." in unused
    assert compiling == "carom: compiling power for this process"


def test_a_cache_of_another_user_is_not_read(trap: tuple[Path, Path]) -> None:
    root, mark = trap
    done = run(ANOTHER_USER, root.parent, CAROM_CACHE=str(root))
    assert ran_well(done)
    assert not mark.exists()
    assert f"{root} is not used, since it belongs to another user." in done.stderr


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root gives files away")
def test_files_of_another_user_in_ones_own_cache_are_not_read(trap: tuple[Path, Path]) -> None:
    root, mark = trap
    (kept,) = root.rglob("*.cpu")
    os.chown(kept, 12345, 12345)
    assert ran_well(run(PROGRAM, root.parent, CAROM_CACHE=str(root)))
    assert not mark.exists()
    assert kept.stat().st_uid == os.geteuid()  # compiled anew


def no_home(path: Path) -> dict[str, str | None]:
    return {"HOME": ""}


def a_file(path: Path) -> dict[str, str | None]:
    (path / "root").touch()
    return {"CAROM_CACHE": str(path / "root")}


def no_folder(path: Path) -> dict[str, str | None]:
    return {"CAROM_CACHE": "/proc/carom"}


@pytest.mark.parametrize("hindrance", [no_home, a_file, no_folder])
def test_a_run_needs_no_cache(hindrance: Any, tmp_path: Path) -> None:
    done = run(PROGRAM, tmp_path, TMPDIR=str(tmp_path / "none"), **hindrance(tmp_path))
    assert ran_well(done)
    assert len(done.stderr.splitlines()) == 2
    assert "compiled kernels are not kept" in done.stderr.splitlines()[0]


def test_nothing_is_left_in_temporary_folders(tmp_path: Path) -> None:
    assert ran_well(run(PROGRAM, tmp_path, HOME="", TMPDIR=str(tmp_path)))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("seed", range(6))
def test_a_damaged_cache_is_mended(seed: int, kernels: Path, tmp_path: Path) -> None:
    root, chance = tmp_path / "carom", random.Random(seed)
    shutil.copytree(kernels, root)
    (kept,) = root.rglob("*.cpu")
    kept.write_bytes(b"" if seed == 0 else damaged(kept.read_bytes(), chance))
    first, second = (run(PROGRAM, tmp_path, CAROM_CACHE=str(root)) for _ in range(2))
    assert ran_well(first)
    assert ran_well(second)
    assert first.stderr == f"carom: compiling power anew: {kept} is damaged\n"
    assert second.stderr == ""
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600


def test_the_command_mends_a_damaged_cache(tmp_path: Path) -> None:
    words = ["impact", "--law", "hertz", "--stiffness", "1e9", "--mass", "2", "--velocity", "0.3", "--json"]
    command = f"import sys; from carom.cli import main; sys.exit(main({words!r}))"
    first = run(command, tmp_path, CAROM_CACHE=str(tmp_path / "carom"))
    (kept,) = (tmp_path / "carom").rglob("impact-*.cpu")
    whole = bytearray(kept.read_bytes())
    whole[len(whole) // 2] ^= 4
    kept.write_bytes(whole)
    second = run(command, tmp_path, CAROM_CACHE=str(tmp_path / "carom"))
    assert second.stdout == first.stdout != ""
    assert "compiling impact anew" in second.stderr
    assert first.returncode == second.returncode == 0
