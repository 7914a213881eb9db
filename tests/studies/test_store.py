"""The store: whole or not there, one writer, nothing lost and nothing twice."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from carom.errors import DamageWarning, FailedRunsWarning, InputError, InputErrors
from carom.studies.differences import differences
from carom.studies.drive import run_study, table_of
from carom.studies.files.lock import locked
from carom.studies.files.store import Store, merged
from carom.whole_files import UNFINISHED
from tests.studies.example import changed, example


def assert_equal(a: Store, b: Store) -> None:
    one, other = table_of(a), table_of(b)
    assert list(one.columns) == list(other.columns)
    for name in one.columns:
        np.testing.assert_array_equal(one[name], other[name], err_msg=name)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Store:
    return run_study(example(), tmp_path_factory.mktemp("whole") / "s")


def test_one_row_for_each_run_with_all_it_takes(whole: Store) -> None:
    table = table_of(whole)
    assert table["run"].tolist() == list(range(36))
    assert table["motion"].tolist() == ["default"] * 18 + ["thirty-05a"] * 18
    assert set(table["status"]) == {"finished"}
    assert "numba" in table["version"][0]
    assert table.parameters == ("gap", "period")
    assert table.units["peak_force"] == "N"
    assert table.units["gap"] == "m"
    np.testing.assert_array_equal(table["gap"], np.tile(np.repeat(whole.samples()["gap"], 3), 2))
    assert json.loads((whole.folder / "manifest.json").read_text())["total"] == 36
    with pytest.raises(InputError, match="Unknown column 'gpa'"):
        table["gpa"]


def test_a_file_serves_as_a_study(whole: Store, tmp_path: Path) -> None:
    (tmp_path / "s.toml").write_text(changed(), encoding="utf-8")
    assert_equal(run_study(tmp_path / "s.toml", tmp_path / "s"), whole)


def test_a_study_without_a_finished_run_says_so(tmp_path: Path) -> None:
    hopeless = example(("[motions]", "[run]\nstep_limit = 1\n[motions]"), ('"2 cm"\ndisp', '"1 mm"\ndisp'))
    with pytest.warns(FailedRunsWarning, match="All 36 runs failed. Most say: "):
        store = run_study(hopeless, tmp_path / "s")
    assert "finished" not in table_of(store)["status"]


class Crash(BaseException):
    """A process that ends here, as far as files can tell."""


@pytest.mark.parametrize("moment", range(1, 12))
def test_crashed_at_every_step_of_writing(
    moment: int, whole: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = [moment]
    fsync = os.fsync

    def crash(handle: int) -> None:
        left[0] -= 1
        if left[0] == 0:
            raise Crash
        fsync(handle)

    monkeypatch.setattr("carom.studies.drive.INTERVAL", 0.0)
    monkeypatch.setattr("carom.studies.work.FIRST", 6)
    monkeypatch.setattr(os, "fsync", crash)
    monkeypatch.setattr(Path, "unlink", lambda *_, **__: None)  # a dead process tidies nothing up
    with pytest.raises(Crash):
        run_study(example(), tmp_path)
    monkeypatch.undo()
    found = run_study(example(), tmp_path, resume=Store.exists(tmp_path))
    assert_equal(found, whole)
    assert not list(tmp_path.rglob(f"*{UNFINISHED}"))
    assert sorted(path.name for path in (tmp_path / "parts").iterdir()) == sorted(path.name for path in found.paths)


@pytest.mark.parametrize("moment", range(3, 14))
def test_interrupted_at_every_step_of_writing(
    moment: int, whole: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Unlike a crash, an interruption tidies up: once it took a part along that the manifest named already."""
    left = [moment]
    fsync = os.fsync

    def interrupt(handle: int) -> None:
        left[0] -= 1
        fsync(handle)
        if left[0] == 0:
            raise Crash

    monkeypatch.setattr("carom.studies.drive.INTERVAL", 0.0)
    monkeypatch.setattr("carom.studies.work.FIRST", 6)
    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(Crash):
        run_study(example(), tmp_path)
    monkeypatch.undo()
    if Store.exists(tmp_path):
        there = Store.open(tmp_path)
        assert len(table_of(there)["run"]) == there.stored
    assert_equal(run_study(example(), tmp_path, resume=Store.exists(tmp_path)), whole)


def test_a_changed_study_is_refused_with_the_difference(whole: Store) -> None:
    study = example(
        ('"2 cm"\ndispersion', '"3 cm"\ndispersion'), ("2.0]", "2.5]"), ("restitution = 0.65", "restitution = 0.6")
    )
    with pytest.raises(InputErrors) as caught:
        run_study(study, whole.folder, resume=True)
    text = "\n".join(caught.value.lines)
    assert "`parameters.gap.numbers.median` was 0.02, is 0.03" in text
    assert "`motions.factors.0.2` was 2.0, is 2.5" in text
    assert "`scenario.laws.pad.restitution` was 0.65, is 0.6" in text
    assert Store.open(whole.folder).complete


def test_titles_may_change(tmp_path: Path) -> None:
    run_study(example(), tmp_path)
    store = run_study(example(("Two neighbours", "Two others")), tmp_path, resume=True)
    assert Store.open(tmp_path).manifest["title"] == "Two others"
    assert store.complete


def test_differences_of_plain_data() -> None:
    found = differences({"a": 1, "b": [1, 2], "c": {"d": 1}}, {"b": [1, 3], "c": {}, "e": 2})
    assert found == ["`a` was 1 and is gone", "`b.1` was 2, is 3", "`c.d` was 1 and is gone", "`e` is new: 2"]
    assert differences({"a": list(range(50))}, {"a": [-1] * 50})[-1] == "and 38 more"


def test_a_store_is_not_begun_twice_nor_resumed_from_nothing(whole: Store, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"holds a study already\. Continue it with --resume"):
        run_study(example(), whole.folder)
    with pytest.raises(InputError, match="holds no study to resume"):
        run_study(example(), tmp_path, resume=True)
    with pytest.raises(InputError, match="tcp://host:8786, or local"):
        run_study(example(), tmp_path / "nothing yet", cluster="somewhere")
    run_study(example(), tmp_path / "nothing yet")  # a study of which no run is there may be begun again
    (tmp_path / "file").write_text("mine")
    with pytest.raises(InputError, match="is a file"):
        run_study(example(), tmp_path / "file")


def test_two_writers(tmp_path: Path) -> None:
    with locked(tmp_path), pytest.raises(InputError, match=r"is being written by process \d+ on"):
        run_study(example(), tmp_path)
    run_study(example(), tmp_path)  # free again


def test_parts_that_are_damaged_are_computed_again(
    whole: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("carom.studies.drive.INTERVAL", 0.0)
    monkeypatch.setattr("carom.studies.work.FIRST", 6)
    store = run_study(example(), tmp_path)
    assert len(store.paths) >= 3
    store.paths[1].write_bytes(store.paths[1].read_bytes()[:100])
    store.paths[2].unlink()
    damage = r"part-000002\.parquet is cut short or grown; part-000003\.parquet is missing"
    with pytest.raises(InputError, match=damage):
        Store.open(tmp_path).columns()
    with pytest.warns(DamageWarning, match=f"{damage}. These runs are computed again."):
        found = run_study(example(), tmp_path, resume=True)
    assert_equal(found, whole)


def test_folders_that_hold_no_study(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no study"):
        Store.open(tmp_path)
    (tmp_path / "manifest.json").write_text("{")
    with pytest.raises(InputError, match="damaged"):
        Store.open(tmp_path)
    (tmp_path / "manifest.json").write_text('{"format": 99}')
    with pytest.raises(InputError, match="newer carom"):
        Store.open(tmp_path)


def test_a_folder_that_cannot_be_written() -> None:
    with pytest.raises(InputError, match="/proc/nowhere cannot be written"):
        run_study(example(), "/proc/nowhere")


def test_a_folder_that_may_only_be_read(whole: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("carom.studies.drive.write_whole", refuse)  # as chmod would, which root does not heed
    with pytest.raises(InputError, match="cannot be written \\(permission denied\\)"):
        run_study(example(), whole.folder, resume=True)
    assert len(table_of(Store.open(whole.folder))) == 36


FULL = """
import resource, sys, signal
from pathlib import Path
import carom.studies.drive as drive, carom.studies.work as work
from carom.cli import main
drive.INTERVAL, work.FIRST = 0.0, 60
write = drive.Store.write
def limited(self, *rows):
    if len(self.manifest["parts"]) == 2:  # from now on no file may grow beyond a kilobyte, as on a full disk
        resource.setrlimit(resource.RLIMIT_FSIZE, (1024, 1024))
    write(self, *rows)
drive.Store.write = limited
sys.exit(main(["study", sys.argv[1], "--out", sys.argv[2]]))
"""


def test_a_full_disk_says_so_and_what_is_there_stays(whole: Store, tmp_path: Path) -> None:
    path = tmp_path / "study.toml"
    path.write_text(changed(("samples = 6", "samples = 200")))
    run = subprocess.run(
        [sys.executable, "-c", FULL, str(path), str(tmp_path / "out")], capture_output=True, text=True, timeout=300
    )
    assert run.returncode == 1, run.stderr
    line = run.stderr.strip().splitlines()[-1]
    assert "cannot be written (file too large)" in line
    assert "of 1200 runs are stored and stay readable" in line
    assert "--resume" in line
    store = Store.open(tmp_path / "out")
    assert 0 < store.stored < store.total
    assert len(table_of(store)["peak_force"]) == store.stored
    assert not list((tmp_path / "out").rglob(f"*{UNFINISHED}"))
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] != 1024


def test_ranges() -> None:
    assert merged([(5, 9), (0, 2), (2, 4)]) == [(0, 4), (5, 9)]
    assert merged([]) == []
