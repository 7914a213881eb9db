"""Folders of studies, damaged: an answer or one clear line, no other number without a word, nothing outside touched."""

from __future__ import annotations

import atexit
import json
import random
import shutil
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from carom.errors import InputError
from carom.studies.drive import run_study, table_of
from carom.studies.files.manifest import manifest_text
from carom.studies.files.store import Store
from tests.mutations.trial import Said, Trial, bytes_damaged, in_time, run_command, snapshot
from tests.studies.example import changed, example

__all__ = ["mutate_manifest", "mutate_part"]

EARLIER = Path(__file__).parents[1] / "studies" / "stores" / "format-1"
UNCHECKED = "carries no checksums"
ODD: tuple[Any, ...] = (
    None, True, 0, -1, 1, 36, 10**15, 10**400, 0.5, -0.0, 1e308, "", "x", "../../victim.txt", "/etc/passwd",
    "part-000001.parquet", "part-000009.parquet", "\x00", "\x1b[31m", "é" * 50, "9" * 5000, [], {}, [[]], [1],
    [[0, 6]], {"a": 1},
)  # fmt: skip


@cache
def _base() -> tuple[Path, dict[str, np.ndarray]]:
    """Return a study in several parts, and its table."""
    folder = Path(tempfile.mkdtemp(prefix="carom-mutations-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("carom.studies.drive.INTERVAL", 0.0)
        patch.setattr("carom.studies.work.FIRST", 6)
        store = run_study(example(), folder / "out")
    table = table_of(store)
    return folder / "out", {name: table[name] for name in table.columns}


def mutate_manifest(seed: int) -> Trial:
    """Damage a manifest, as a disk does or as someone does who knows how it is sealed; look, export, resume."""
    return _tried(seed, _with_manifest)


def mutate_part(seed: int) -> Trial:
    """Damage a part or the samples, one in ten of a store without checksums; look, export, resume."""
    return _tried(seed, _with_part)


def _tried(seed: int, trial: Any) -> Trial:
    _base()
    with tempfile.TemporaryDirectory(prefix="carom-mutation-") as temporary:
        top = Path(temporary)
        folder = top / "mine" / "out"
        for place in (top, folder.parent):
            place.mkdir(exist_ok=True)
            (place / "victim.txt").write_text("precious")
        (top / "study.toml").write_text(changed(), encoding="utf-8")
        before = snapshot(top, folder)

        def act() -> Trial:
            found: Trial = trial(folder, random.Random(seed))
            touched = "" if snapshot(top, folder) == before else "something outside the folder was changed"
            return found if found.fault or not touched else Trial("fault", touched)

        return in_time(act)


def _with_manifest(folder: Path, chance: random.Random) -> Trial:
    shutil.copytree(_base()[0], folder)
    path = folder / "manifest.json"
    text, forged = path.read_bytes(), chance.random() < 0.5
    if forged:
        manifest = json.loads(text)
        for _ in range(chance.choice((1, 1, 2, 4))):
            _twist(manifest, chance)
        path.write_bytes(manifest_text(manifest))
    else:
        path.write_bytes(bytes_damaged(text, chance))
    parts = _parts(folder)
    status, export, resumed = _look(folder), _export(folder), None
    if not status.code and not forged:
        if path.read_bytes() == text or json.loads(path.read_bytes()) == json.loads(text):
            return _judged(folder, [status, export], "same")
        return Trial("fault", "a manifest that was changed was believed")
    if status.code and _parts(folder) != parts:
        return Trial("fault", "a part was lost with a damaged manifest")
    resumed = _resume(folder)
    if "manifest.json is damaged" in resumed.err and _parts(folder) != parts:
        return Trial("fault", "a part was lost with a damaged manifest")
    told = Trial("told" if status.code else "same")
    return next((Trial("fault", said.fault) for said in (status, export, resumed) if said.fault), told)


def _with_part(folder: Path, chance: random.Random) -> Trial:
    earlier = chance.random() < 0.1
    shutil.copytree(EARLIER if earlier else _base()[0], folder)
    path = chance.choice([*sorted((folder / "parts").iterdir()), folder / "samples.parquet"])
    content = path.read_bytes()
    path.write_bytes(bytes_damaged(content, chance))
    changed_now = path.read_bytes() != content
    status, export = _look(folder), _export(folder)
    if earlier:
        said = [status, export, _resume(folder, "--mix-versions")]
        fault = next((one.fault for one in said if one.fault), "")
        known = all(one.code or UNCHECKED in one.err for one in said[:2])
        return Trial("unchecked" if known else "fault", fault or ("" if known else "no word of missing checksums"))
    if not changed_now:
        return _judged(folder, [status, export], "same")
    harmless = path.name == "samples.parquet"  # to the table of the runs
    refused = status.code == export.code == 2 or harmless
    if not (refused and path.name in status.err and path.name in export.err):
        return Trial("fault", f"{path.name} was damaged, and nobody said so: {status.code}, {export.code}")
    resumed = _resume(folder)
    if resumed.code or path.name not in resumed.err:
        return Trial("fault", f"resuming did not mend {path.name}: {resumed.code}, {resumed.err[-200:]}")
    return _judged(folder, [status, export, resumed], "told")


def _judged(folder: Path, said: list[Said], word: str) -> Trial:
    """Return the trial of a store whose table must be what it was."""
    fault = next((one.fault for one in said if one.fault), "")
    try:
        table = table_of(Store.open(folder))
    except InputError as error:
        return Trial("fault", f"cannot be read any more: {error}")
    wrong = [name for name, column in _base()[1].items() if name != "version" and not _equal(table[name], column)]
    return Trial("fault" if fault or wrong else word, fault or (f"other numbers in {wrong}" if wrong else ""))


def _equal(one: np.ndarray, other: np.ndarray) -> bool:
    return bool(np.array_equal(one, other, equal_nan=one.dtype.kind == "f"))


def _look(folder: Path) -> Said:
    return run_command(["study", "status", str(folder), "--json"])


def _export(folder: Path) -> Said:
    return run_command(["study", "export", str(folder), "--to", "csv"])


def _resume(folder: Path, *more: str) -> Said:
    """Resume a study; its report, which takes longer than all else, is not made."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("carom.cli.study._report", lambda *_: None)
        return run_command(["study", str(folder.parents[1] / "study.toml"), "--out", str(folder), "--resume", *more])


def _parts(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (folder / "parts").iterdir()}


def _twist(value: Any, chance: random.Random) -> None:
    """Change something anywhere in plain data: another value, one less, one more, one twice."""
    here = value
    while True:
        keys = list(here) if isinstance(here, dict) else list(range(len(here)))
        if not keys:
            return
        key = chance.choice(keys)
        if isinstance(here[key], dict | list) and here[key] and chance.random() < 0.7:
            here = here[key]
            continue
        break
    kind = chance.randrange(5)
    if kind == 0:
        del here[key]
    elif kind == 1 and isinstance(here, list):
        here.append(here[key])
    elif kind == 1:
        here[chance.choice(("new", "a b", "../x", "sha256"))] = chance.choice(ODD)
    elif kind == 2 and isinstance(here[key], int | float):
        here[key] = here[key] * chance.choice((2, -1, 10**6, 0)) + chance.choice((0, 1))
    else:
        here[key] = chance.choice(ODD)
