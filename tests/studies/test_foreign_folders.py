"""A folder of a study that someone else made, or that a disk has damaged: nothing outside is touched, nothing lost."""

from __future__ import annotations

import json
import os
import shutil
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from carom.cli import main
from carom.errors import DamageWarning, InputError
from carom.studies import author
from carom.studies.drive import run_study, table_of
from carom.studies.files.manifest import FORMAT, manifest_text
from carom.studies.files.store import Store
from tests.studies.example import changed, example
from tests.studies.test_store import assert_equal

EARLIER = Path(__file__).parent / "stores" / "format-1"
"""A store of carom 0.1.0 as it was before checksums."""


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """A study in several parts."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("carom.studies.drive.INTERVAL", 0.0)
        patch.setattr("carom.studies.work.FIRST", 6)
        store = run_study(example(), tmp_path_factory.mktemp("whole") / "s")
    assert len(store.paths) >= 2
    return store


@pytest.fixture
def folder(whole: Store, tmp_path: Path) -> Path:
    """The folder of a study inside that of its owner, with its file beside it."""
    (tmp_path / "study.toml").write_text(changed(), encoding="utf-8")
    return Path(shutil.copytree(whole.folder, tmp_path / "mine" / "out"))


def resume(folder: Path) -> int:
    return main(["study", str(folder.parents[1] / "study.toml"), "--out", str(folder), "--resume"])


def rewritten(folder: Path, change: Callable[[dict[str, Any]], None], *, sealed: bool = True) -> None:
    """Change a manifest as someone would who knows how it is sealed, or as a disk would."""
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    change(manifest)
    path.write_bytes(manifest_text(manifest) if sealed else json.dumps(manifest).encode())


def one_line(capsys: pytest.CaptureFixture[str], *words: str) -> None:
    said = capsys.readouterr().err
    assert said.count("\n") == 1, said
    assert all(word in said for word in words), said


@pytest.mark.parametrize("name", ["../../victim.txt", "/victim.txt", "part-000001.parquet/../../../victim.txt"])
def test_a_part_that_is_somebody_elses_file_is_not_deleted(
    name: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    victim = folder / "parts" / name if not name.startswith("/") else folder.parents[1] / "victim.txt"
    victim = Path(os.path.normpath(victim))
    victim.write_text("precious")
    given = name if not name.startswith("/") else str(victim)
    rewritten(folder, lambda manifest: manifest["parts"][0].update(file=given, bytes=1))
    for arguments in (["study", "status", str(folder)], ["study", "export", str(folder), "--to", "csv"]):
        assert main(arguments) == 2
        one_line(capsys, "manifest.json is damaged", "`parts[1].file` must be named as carom names parts", "a copy")
    assert resume(folder) == 2
    one_line(capsys, "manifest.json is damaged")
    assert victim.read_text() == "precious"
    assert len(list((folder / "parts").iterdir())) >= 2


def test_links_are_not_followed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    outside = folder.parents[1] / "elsewhere"
    shutil.move(folder / "parts", outside)
    (outside / "part-000099.parquet").write_text("precious")
    (folder / "parts").symlink_to(outside)
    for act in (lambda: main(["study", "status", str(folder)]), lambda: resume(folder)):
        assert act() == 2
        one_line(capsys, "parts is a link or a file, not the folder that carom made")
    assert (outside / "part-000099.parquet").read_text() == "precious"


def test_a_part_that_is_a_link_is_not_read_and_what_it_points_to_stays(
    folder: Path, whole: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    outside = folder.parents[1] / "elsewhere.parquet"
    shutil.move(folder / "parts" / "part-000001.parquet", outside)
    (folder / "parts" / "part-000001.parquet").symlink_to(outside)
    content = outside.read_bytes()
    assert main(["study", "export", str(folder), "--to", "csv"]) == 2
    one_line(capsys, "part-000001.parquet is a link or a folder")
    assert resume(folder) == 0
    assert outside.read_bytes() == content
    assert_equal(Store.open(folder), whole)


@pytest.mark.parametrize("kind", ["symlink_to", "hardlink_to"])
def test_a_lock_that_is_another_file_is_not_emptied(
    kind: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    victim = folder.parents[1] / "victim.txt"
    victim.write_text("precious")
    (folder / ".lock").unlink(missing_ok=True)
    getattr(folder / ".lock", kind)(victim)
    assert resume(folder) == 2
    one_line(capsys, ".lock is not the lock that carom writes")
    assert victim.read_text() == "precious"


def test_files_of_others_in_the_folder_stay(folder: Path) -> None:
    mine = [
        folder / "parts" / "notes.txt",
        folder / ".mine.unfinished",
        folder / ".mine.0a1b2c3d.unfinished",
        folder / "parts" / "part-1.parquet",
    ]
    ours = [folder / "parts" / "part-000099.parquet", folder / "parts" / ".part-000007.parquet.0a1b2c3d.unfinished"]
    for path in (*mine, *ours):
        path.write_text("text")
    assert resume(folder) == 0
    assert [path.exists() for path in (*mine, *ours)] == [True, True, True, True, False, False]


def test_a_waiting_link_is_not_written_through(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("secrets.token_hex", lambda _: "0a1b2c3d")  # as if a name could be foreseen
    victim = folder.parents[1] / "victim.txt"
    victim.write_text("precious")
    for name in ("manifest.json", "runs.csv"):
        (folder / f".{name}.0a1b2c3d.unfinished").symlink_to(victim)
    assert main(["study", "export", str(folder), "--to", "csv"]) == 0
    assert resume(folder) == 0
    assert victim.read_text() == "precious"


def test_a_report_does_not_write_through_a_link(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    outside = folder.parents[1] / "elsewhere"
    outside.mkdir()
    (folder / "tables").symlink_to(outside)
    assert main(["study", "report", str(folder)]) == 2
    one_line(capsys, "tables is a link")
    assert list(outside.iterdir()) == []


def _set(*path: str | int, to: Any) -> Callable[[dict[str, Any]], None]:
    def change(manifest: dict[str, Any]) -> None:
        here: Any = manifest
        for step in path[:-1]:
            here = here[step]
        here[path[-1]] = to

    return change


FORGED = {
    "no total": (lambda manifest: manifest.pop("total"), "`total` must be given"),
    "words unknown": (_set("secret", to=1), "`secret` is not known here"),
    "total": (_set("total", to=35), "`total` must be motions × samples × factors. Got 35"),
    "very many runs": (_set("total", to=10**15), "`total`"),
    "many samples": (_set("samples", to=10**9), "`total` must be motions"),
    "text for a number": (_set("seconds", to="1"), "`seconds`"),
    "negative": (_set("seconds", to=-1.0), "`seconds`"),
    "rows": (_set("parts", 0, "rows", to=7), "`parts[1].rows` must be the number of its runs. Got 7"),
    "runs beyond": (_set("parts", 0, "runs", to=[[40, 46]]), "`parts[1].runs` must be ranges of runs from 0 to 36"),
    "runs twice": (lambda manifest: manifest["parts"][1].update(rows=6, runs=[[0, 6]]), "hold a run twice"),
    "the same part twice": (_set("parts", 1, "file", to="part-000001.parquet"), "names of their own"),
    "dense": (_set("parts", 0, "bytes", to=0), "`parts[1].bytes`"),
    "author": (_set("parts", 0, "by", to=3), "`parts[1].by`"),
    "checksum": (_set("parts", 0, "sha256", to="x"), "`parts[1].sha256`"),
    "columns": (_set("columns", to={}), "`columns` must have all that runs have"),
    "parameters": (_set("parameters", to=["gap"]), "`parameters` must be those of `study`"),
    "structures": (_set("study", "scenario", "structures", to=[]), "`study.scenario.structures`"),
    "engine": (_set("engine", to="abacus"), "`engine`"),
    "motions": (_set("motions", to=[]), "`study.motions.factors`"),
    "not an object": (_set("study", to=[]), "`study`"),
}


@pytest.mark.parametrize("case", FORGED)
def test_a_forged_manifest_is_one_line(case: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change, words = FORGED[case]
    rewritten(folder, change)
    before = sorted((path, path.stat().st_mtime_ns) for path in (folder / "parts").iterdir())
    assert main(["study", "status", str(folder)]) == 2
    one_line(capsys, "manifest.json is damaged: ", words, "Nothing was touched")
    assert resume(folder) == 2
    one_line(capsys, words)
    assert sorted((path, path.stat().st_mtime_ns) for path in (folder / "parts").iterdir()) == before


def test_columns_that_the_study_does_not_have_cost_no_part(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Once the parts were removed, since they had no such column, and their runs could not be stored again."""
    rewritten(folder, _set("columns", "weather", to="m"))
    there = sorted((folder / "parts").iterdir())
    assert resume(folder) == 2
    one_line(capsys, "its manifest speaks of a column `weather`", "Nothing was touched")
    assert sorted((folder / "parts").iterdir()) == there


def test_a_number_that_a_disk_has_changed_is_seen(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rewritten(folder, _set("columns", "gap", to="mm"), sealed=False)
    assert main(["study", "export", str(folder), "--to", "csv"]) == 2
    one_line(capsys, "its checksum does not match")
    assert not (folder / "runs.csv").exists()


NO_MANIFEST = (
    "", "[]", "nonsense", "[" * 100_000, '{"a": NaN}', '{"a": 1' + "0" * 5000 + "}", '{"a": "\\ud800"}', "\xff",
)  # fmt: skip


@pytest.mark.parametrize("text", NO_MANIFEST)
def test_what_is_no_manifest_at_all(text: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "manifest.json").write_bytes(text.encode("latin-1"))
    assert main(["study", "status", str(folder)]) == 2
    one_line(capsys, "manifest.json is damaged: ")


def test_a_pipe_or_a_very_long_file_as_manifest(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = folder / "manifest.json"
    path.unlink()
    os.mkfifo(path)
    assert main(["study", "status", str(folder)]) == 2
    one_line(capsys, "is no plain file")
    path.unlink()
    path.symlink_to("/dev/zero")
    assert main(["study", "status", str(folder)]) == 2
    one_line(capsys, "is a link")
    path.unlink()
    with path.open("wb") as file:
        file.truncate(1 << 32)
    assert main(["study", "status", str(folder)]) == 2
    one_line(capsys, "it is larger than 64 MB")


def test_parts_without_a_manifest_are_not_swept_away(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "manifest.json").unlink()
    there = sorted((folder / "parts").iterdir())
    for begun in (main(["study", str(folder.parents[1] / "study.toml"), "--out", str(folder)]), resume(folder)):
        assert begun == 2
    assert capsys.readouterr().err.count("its manifest.json is lost") == 2
    assert sorted((folder / "parts").iterdir()) == there


def flipped(path: Path, where: float = 0.5) -> None:
    content = bytearray(path.read_bytes())
    content[int(where * len(content))] ^= 0x10
    path.write_bytes(content)


def test_a_flipped_bit_is_named_and_computed_again(
    folder: Path, whole: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    flipped(folder / "parts" / "part-000002.parquet")
    told = "part-000002.parquet does not match its checksum"
    for words in (["export", str(folder), "--to", "csv"], ["report", str(folder)]):
        assert main(["study", *words]) == 2
        one_line(capsys, told, "--resume")
    assert main(["study", "status", str(folder), "--json"]) == 2
    said = capsys.readouterr()
    assert json.loads(said.out)["stored"] == 36 - whole.manifest["parts"][1]["rows"]
    assert told in said.err
    with pytest.raises(InputError, match=told):
        table_of(Store.open(folder))
    assert resume(folder) == 0
    one_line(capsys, told, "These runs are computed again.")
    assert_equal(Store.open(folder), whole)


def test_samples_that_are_damaged_are_drawn_again(
    folder: Path, whole: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    flipped(folder / "samples.parquet")
    for words in (["status", str(folder)], ["export", str(folder), "--to", "csv"]):  # runs hold their parameters
        assert main(["study", *words]) == 0
        assert "samples.parquet does not match its checksum" in capsys.readouterr().err
    assert main(["study", "report", str(folder)]) == 2
    one_line(capsys, "samples.parquet does not match its checksum", "--resume")
    assert resume(folder) == 0
    one_line(capsys, "samples.parquet does not match its checksum. The same samples were drawn again.")
    np.testing.assert_array_equal(Store.open(folder).samples()["gap"], whole.samples()["gap"])


# stores of earlier versions ----------------------------------------------------------------------------


@pytest.fixture
def earlier(tmp_path: Path) -> Path:
    (tmp_path / "study.toml").write_text(changed(), encoding="utf-8")
    return Path(shutil.copytree(EARLIER, tmp_path / "mine" / "out"))


def test_a_store_of_an_earlier_version_is_read_and_said_to_have_no_checksums(
    earlier: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["study", "status", str(earlier)]) == 0
    said = capsys.readouterr()
    assert "All 36 runs are there." in said.out
    assert said.err.count("carries no checksums") == 1
    with pytest.warns(DamageWarning, match="carries no checksums"):
        assert table_of(Store.open(earlier))["peak_force"].shape == (36,)
    assert resume(earlier) == 0
    manifest = json.loads((earlier / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["format"] == FORMAT
    assert all(part["sha256"] for part in manifest["parts"])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert Store.open(earlier).columns()["run"].tolist() == list(range(36))


def test_a_part_of_an_earlier_version_that_cannot_be_read_is_computed_again(
    earlier: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = earlier / "parts" / "part-000001.parquet"
    path.write_bytes(path.read_bytes()[:4] + bytes(3000) + path.read_bytes()[3004:])
    assert main(["study", "export", str(earlier), "--to", "csv"]) == 2
    assert "part-000001.parquet cannot be read" in capsys.readouterr().err
    assert resume(earlier) == 2  # under another version
    assert "--mix-versions" in capsys.readouterr().err
    assert path.exists()


# other versions ----------------------------------------------------------------------------------------


@pytest.fixture
def unfinished(folder: Path) -> Path:
    """A study of which a part is missing."""
    (folder / "parts" / "part-000002.parquet").unlink()
    return folder


def another(monkeypatch: pytest.MonkeyPatch) -> None:
    here = author.author_here()
    other = {"version": here["version"].replace("carom 0.1.0", "carom 0.2.0"), "code": "0123456789ab"}
    monkeypatch.setattr("carom.studies.drive.author_here", lambda: other)


def test_another_version_is_refused_with_both_named(
    unfinished: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before = (unfinished / "manifest.json").read_bytes()
    another(monkeypatch)
    assert resume(unfinished) == 2
    one_line(capsys, "was computed by carom 0.1.0", "this is carom 0.2.0", "--mix-versions")
    assert (unfinished / "manifest.json").read_bytes() == before


def test_versions_that_are_mixed_on_purpose_are_told(
    unfinished: Path, whole: Store, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    another(monkeypatch)
    study = str(unfinished.parents[1] / "study.toml")
    assert main(["study", study, "--out", str(unfinished), "--resume", "--mix-versions"]) == 0
    capsys.readouterr()
    assert main(["study", "status", str(unfinished)]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "Runs of several versions stand side by side" in said
    missing = whole.manifest["parts"][1]["rows"]
    assert f"{36 - missing} by carom 0.1.0" in said
    assert f"{missing} by carom 0.2.0" in said
    page = " ".join((unfinished / "report.html").read_text(encoding="utf-8").replace("\u00a0", " ").split())
    assert "Runs of several versions stand side by side" in page
    assert resume(unfinished) == 0  # complete: nothing is computed, nothing is asked


def test_a_study_that_is_complete_may_be_reported_by_another_version(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    another(monkeypatch)
    assert resume(folder) == 0
    assert len(Store.open(folder).authors) == 1


def test_the_code_is_part_of_the_version() -> None:
    here = author.author_here()
    assert not author.other_author(here, {**here, "version": here["version"].replace("python 3", "python 4")})
    assert author.other_author(here, {**here, "code": "0"})
    assert author.other_author(here, {**here, "code": None})
    assert author.other_author(here, {**here, "version": here["version"].replace("numba ", "numba 9")})
    assert len(here["code"] or "") == 12
