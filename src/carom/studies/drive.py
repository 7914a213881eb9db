"""Carry out a study: samples, plan, runner, store; begun, killed, continued, finished."""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Callable, Mapping
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from carom.errors import FailedRunsWarning, InputError, InputErrors
from carom.scenario.studies.reading import Study, read_study
from carom.studies.analyses import StudyTable, check_analyses
from carom.studies.author import author_here, other_author, told
from carom.studies.differences import differences
from carom.studies.distributions import sampled
from carom.studies.engine import Rows
from carom.studies.extra import needs
from carom.studies.files.lock import locked
from carom.studies.files.store import Store
from carom.studies.overview import all_failed
from carom.studies.plan import Plan, plan_of
from carom.studies.runners import NO_TLS, Runner, Tls, choose_runner
from carom.studies.work import Work
from carom.whole_files import reason_of, write_whole

__all__ = ["run_study", "table_of"]

INTERVAL = float(os.environ.get("CAROM_STUDY_INTERVAL", "5"))
"""Seconds between two parts of a young study."""
SHARE = 0.01
"""Of an old one: this share of its age, so that the parts of a long study are not too many."""
MOST_ROWS = 1 << 18
"""Rows that are kept in memory."""

Progress = Callable[[int, int, str], object]
"""Called with runs finished, runs of the study, and where they are computed."""


def run_study(
    study: Study | str | Path,
    folder: str | Path,
    *,
    resume: bool = False,
    mix_versions: bool = False,
    workers: int | None = None,
    cluster: str | None = None,
    tls: Tls = NO_TLS,
    device: str | None = None,
    progress: Progress = lambda *_: None,
) -> Store:
    """Carry out a study, or that of a file, in a folder, or what is left of it; return its store, all runs in it.

    Runs that fail are rows like others, with a `status` and a `message`; where not one finishes, a
    `FailedRunsWarning` says so. Parts that are damaged are computed again, which a `DamageWarning` tells.

    Parameters
    ----------
    study, folder
        What to carry out, and where its runs are kept.
    resume
        Continue what the folder holds.
    mix_versions
        Continue even what another version of carom, NumPy, Numba or SciPy has begun; the report then says so.
    workers
        Threads or processes; all cores where not said.
    cluster, tls
        Address of a Dask scheduler, or ``"local"``; certificates for ``tls://`` addresses.
    device
        ``"cpu"`` or ``"cuda"``.
    progress
        Called with runs finished, runs of the study, and where they are computed.
    """
    needs("pyarrow")
    study = read_study(study) if isinstance(study, str | Path) else study
    folder = Path(folder)
    if Store.orphaned(folder):
        raise InputError(
            f"{folder} holds runs of a study, but its manifest.json is lost. Restore it from a copy, or name another "
            "folder with --out."
        )
    if resume and not Store.exists(folder):
        raise InputError(f"{folder} holds no study to resume. Leave --resume out to begin one.")
    check_analyses(study.analyses)
    begun = None if resume else _checked(study, _planned(study))  # refused before a folder is made
    with locked(_made(folder)):
        if Store.exists(folder) and not resume and Store.open(folder).stored:
            raise InputError(
                f"{folder} holds a study already. Continue it with --resume, or name another folder with --out."
            )
        store = _opened(study, folder, mix_versions) if resume else None
        if store is not None:
            begun = _checked(study, plan_of(study, store.samples(), int(store.manifest["samples"])))
        assert begun is not None  # a study is begun or resumed
        plan, columns = begun
        runner = choose_runner(plan, workers=workers, cluster=cluster, tls=tls, device=device)
        store = _begun(study, plan, columns, folder) if store is None else _continued(study, plan, columns, store)
        if not store.complete:
            _carry_out(plan, store, runner, progress)
    if why := all_failed(store):
        warnings.warn(why, FailedRunsWarning, stacklevel=2)
    return store


def table_of(store: Store) -> StudyTable:
    """Return the runs of a store as an analysis takes them."""
    manifest = store.manifest
    return StudyTable(
        columns=store.columns(),
        units={name: unit for name, unit in manifest["columns"].items() if unit},
        parameters=tuple(manifest["parameters"]),
        outputs=tuple(manifest["outputs"]),
        title=manifest["title"],
        study=manifest["study"],
    )


def _made(folder: Path) -> Path:
    """Return the folder, made where it is not there; refuse one that cannot be written."""
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder} is a file; a study needs a folder. Name another with --out.")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(folder / ".writable", b"", durable=True)
        (folder / ".writable").unlink()
    except OSError as error:
        why = reason_of(error).lower()
        raise InputError(f"{folder} cannot be written ({why}). Choose another folder with --out.") from None
    return folder


def _planned(study: Study) -> Plan:
    return plan_of(study, *_drawn(study))


def _drawn(study: Study) -> tuple[dict[str, npt.NDArray[Any]], int]:
    """Return the samples of a study, and how many there are."""
    samples = sampled(study)
    return samples, len(next(iter(samples.values()))) if samples else study.sampler.samples or 1


def _checked(study: Study, plan: Plan) -> tuple[Plan, dict[str, str]]:
    """Return a plan and the columns of its runs with their units; refuse analyses that read others."""
    columns: dict[str, str] = dict.fromkeys(("run", "sample"), "")
    if plan.motion_names:
        columns |= {"motion": "", "scale": "", **dict.fromkeys(plan.measures, "m/s2")}
    taken = sorted((columns.keys() | plan.kept.units.keys()) & plan.samples.keys())
    if taken:
        raise InputError(f"The parameter '{taken[0]}' has the name of a column of its own. Choose another name.")
    columns |= {one.name: one.unit for one in study.parameters} | plan.kept.units
    columns |= dict.fromkeys(("status", "message", "version"), "")
    check_analyses(study.analyses, columns)
    return plan, columns


def _begun(study: Study, plan: Plan, columns: Mapping[str, str], folder: Path) -> Store:
    manifest = {
        **_words(study), "study": study.as_dict(), "total": plan.size, "samples": plan.count,
        "motions": list(plan.motion_names), "parameters": [one.name for one in study.parameters],
        "outputs": list(plan.kept.units), "columns": dict(columns),
        "started": datetime.now(UTC).isoformat(timespec="seconds"), "engine": plan.engine,
    }  # fmt: skip
    store = Store.create(folder, manifest, plan.samples, author_here())
    store.sweep()
    return store


def _opened(study: Study, folder: Path, mix_versions: bool) -> Store:
    store = Store.open(folder)
    changes = differences(store.manifest["study"], study.as_dict())
    if changes:
        raise InputErrors(
            [
                f"{study.name} is not the study that {folder} was begun with. Undo the changes, or begin another with "
                "--out. Title, description and analyses may change.",
                *changes,
            ]
        )
    _refuse_mixture(store, mix_versions)
    if why := store.samples_fault():
        store.restore_samples(_drawn(study)[0], why)
    return store


def _continued(study: Study, plan: Plan, columns: Mapping[str, str], store: Store) -> Store:
    """Return a store made ready for the runs that are missing; nothing is removed before all is known to fit."""
    intact, manifest = store.without(store.damaged()), store.manifest
    strange = [name for name, unit in manifest["columns"].items() if columns.get(name) != unit]
    fitting = manifest["motions"] == list(plan.motion_names) and store.total == plan.size
    if not intact.complete and (strange or not fitting):
        what = f"a column `{strange[0]}`" if strange else "other motions or samples"
        raise InputError(
            f"{store.folder} cannot be continued: its manifest speaks of {what} that {study.name} does not have. "
            "Nothing was touched. Restore manifest.json from a copy, or begin again with another --out."
        )
    complete = store.complete
    store.sweep()
    store.describe(**_words(study))
    if not (complete and store.complete):
        store.continued_by(author_here())
    return store


def _refuse_mixture(store: Store, mix_versions: bool) -> None:
    """Refuse to put rows of two versions into one table without being asked to."""
    intact = store.without(store.damaged())
    here = author_here()
    others = [one for one in store.manifest["computed_by"] if other_author(one, here)]
    if others and intact.stored and not intact.complete and not mix_versions:
        raise InputError(
            f"{store.folder} was computed by {told(others[-1])}; this is {told(here)}: numbers may differ. Continue "
            "with that version, begin again with another --out, or pass --mix-versions to have runs of both in one "
            "table."
        )


def _words(study: Study) -> dict[str, Any]:
    """Return what may change while a study goes on."""
    analyses = {name: dict(options) for name, options in study.analyses.items()}
    return {
        "title": study.title, "description": study.description, "analyses": analyses, "file": study.name,
        "text": study.text, "cautions": list(study.cautions),
    }  # fmt: skip


def _carry_out(plan: Plan, store: Store, runner: Runner, progress: Progress) -> None:
    """Store rows as they come; on the way out, whatever the reason, store those that are finished."""
    finished = [store.stored]

    def tell(runs: int) -> None:
        finished[0] += runs
        progress(finished[0], plan.size, runner.words)

    tell(0)
    waiting = _Waiting(plan, store)
    rows = runner.rows(plan, Work(plan, store.done, runner.first), tell)
    try:
        with closing(rows):
            for task, found in rows:
                waiting.add(plan.runs(task), found)
    finally:
        waiting.store()


class _Waiting:
    """Rows that are not stored yet."""

    def __init__(self, plan: Plan, store: Store) -> None:
        self._plan, self._store = plan, store
        self._rows: list[Rows] = []
        self._runs: list[tuple[int, int]] = []
        self._began = self._stored = time.monotonic()

    def add(self, runs: list[tuple[int, int]], rows: Rows) -> None:
        self._rows.append(rows)
        self._runs += runs
        now = time.monotonic()
        age = now - self._began + float(self._store.manifest["seconds"])
        waited = now - self._stored
        if waited > max(INTERVAL, SHARE * age) or sum(b - a for a, b in self._runs) >= MOST_ROWS:
            self.store()

    def store(self) -> None:
        if not self._rows:
            return
        joined = {name: np.concatenate([rows[name] for rows in self._rows]) for name in self._rows[0]}
        runs, now = self._runs, time.monotonic()
        self._rows, self._runs = [], []  # first: what cannot be stored is not tried again on the way out
        self._store.write(joined, runs, now - self._stored)
        self._stored = now
