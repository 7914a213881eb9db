"""Pint's definitions as they are kept: parsed anew where they are damaged, never run where they are somebody else's."""

from __future__ import annotations

import errno
import os
import pickle
import random
import sys
from pathlib import Path

import pytest
from tests.damage import Payload, damaged

from carom import unit_definitions
from carom.kept_files import keep
from carom.unit_definitions import registry


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder with the definitions in it."""
    monkeypatch.setenv("CAROM_CACHE", str(tmp_path / "carom"))
    assert newtons_of_a_kip() == pytest.approx(4448.2216152605)
    assert len(list((tmp_path / "carom/units").iterdir())) == 3
    return tmp_path / "carom/units"


def newtons_of_a_kip() -> float:
    return float(registry()("1 kip").to("N").magnitude)


def test_damage_is_found_and_mended(folder: Path) -> None:
    chance, expected = random.Random(18), newtons_of_a_kip()
    for _ in range(30):
        path = chance.choice(list(folder.iterdir()))
        whole = path.read_bytes()
        path.write_bytes(damaged(whole, chance))
        assert newtons_of_a_kip() == expected
        assert path.exists()


@pytest.mark.skipif(sys.platform == "win32", reason="owners and modes are those of POSIX systems")
def test_definitions_of_others_are_not_unpickled(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected, mark = newtons_of_a_kip(), tmp_path / "ran"

    def plant(mode: int) -> None:
        for path in folder.iterdir():
            keep(path, pickle.dumps(Payload(mark)))
            path.chmod(mode)

    plant(0o666)
    assert newtons_of_a_kip() == expected
    plant(0o600)
    folder.chmod(0o777)
    assert newtons_of_a_kip() == expected
    folder.chmod(0o700)
    with monkeypatch.context() as patch:
        patch.setattr(os, "geteuid", lambda: 12345)
        assert newtons_of_a_kip() == expected
    assert not mark.exists()


def test_pints_own_folder_is_not_read(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mark = tmp_path / "ran"
    monkeypatch.chdir(tmp_path)
    for place in (tmp_path / "cache/pint", tmp_path / "pint"):
        place.mkdir(parents=True)
        for path in folder.iterdir():
            (place / path.name).write_bytes(pickle.dumps(Payload(mark)))
    for given in ("cache", ".", "", str(tmp_path / "cache")):
        monkeypatch.setenv("XDG_CACHE_HOME", given)
        newtons_of_a_kip()
    assert not mark.exists()


def test_nothing_need_be_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    expected = newtons_of_a_kip()
    monkeypatch.setenv("CAROM_CACHE", str(tmp_path / "another"))
    monkeypatch.setattr(unit_definitions, "keep", fail)
    assert newtons_of_a_kip() == expected
    monkeypatch.setenv("CAROM_CACHE", "relative")
    assert newtons_of_a_kip() == expected
