"""Runners: the same table from every one of them, whoever dies on the way."""

from __future__ import annotations

import multiprocessing
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from carom.errors import InputError
from carom.studies.drive import run_study, table_of
from carom.studies.engine import compute, nothing_of
from carom.studies.plan import Task
from carom.studies.runners.suspects import Suspects
from carom.studies.store import Store
from carom.studies.work import Work
from tests.studies.example import changed, example
from tests.studies.test_engine import planned
from tests.studies.test_store import assert_equal

WORDS = (
    ('distribution = "uniform"\nlow = "0.5 s"\nhigh = "1 s"', "values = [true, false]"),
    ("structures.left.period", "laws.pad.tension"),
    ("samples = 6", "samples = 40"),
)
"""A study that the kernel does not take."""


class Killer:
    """Kills one process, once, when some runs are done."""

    def __init__(self, pids: Any) -> None:
        self.pids, self.killed = pids, 0

    def __call__(self, done: int, total: int, where: str) -> None:
        if not self.killed and 0 < done < total:
            pids = self.pids()
            if pids:
                self.killed = pids[0]
                os.kill(self.killed, signal.SIGKILL)


def test_a_process_killed_in_the_middle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("carom.studies.work.FIRST", 6)
    killer = Killer(lambda: [child.pid for child in multiprocessing.active_children()])
    found = run_study(example(*WORDS), tmp_path / "killed", workers=2, progress=killer)
    assert killer.killed
    plan, table = planned(*WORDS), table_of(found)
    assert table["run"].tolist() == list(range(plan.size))
    assert set(table["status"]) == {"finished"}
    here = [compute(plan, Task((motion,), 0, plan.count)) for motion in range(2)]
    for name in table.outputs:
        np.testing.assert_array_equal(table[name], np.concatenate([rows[name] for rows in here]), err_msg=name)


@pytest.fixture(scope="module")
def cluster():
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50
    ) as cluster:
        yield cluster


def test_a_dask_worker_killed_in_the_middle(cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("carom.studies.work.FIRST", 6)
    study = example(("samples = 6", "samples = 60"))
    killer = Killer(lambda: [worker.pid for worker in cluster.workers.values()])
    found = run_study(study, tmp_path / "killed", cluster=cluster.scheduler_address, progress=killer)
    assert killer.killed
    alone = run_study(study, tmp_path / "alone")
    assert_equal(found, alone)


def test_no_scheduler_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("carom.studies.runners.cluster.PATIENCE", 0.5)
    with pytest.raises(InputError, match=r"No Dask scheduler answers at tcp://127\.0\.0\.1:9"):
        run_study(example(), tmp_path, cluster="tcp://127.0.0.1:9")
    with pytest.raises(InputError, match="tcp://host:8786, or local"):
        run_study(example(), tmp_path / "b", cluster="somewhere")


def test_killed_at_random_moments_and_resumed(tmp_path: Path) -> None:
    """Asked to end, then killed; `python -m benchmarks studies` does it fifty times."""
    changes = (("samples = 6", "samples = 500"), ('"default", ', '"default", "thirty-03b", '))
    path, place = tmp_path / "study.toml", tmp_path / "killed"
    path.write_text(changed(*changes))
    moments, ways = random.Random(1), [signal.SIGKILL, signal.SIGTERM]
    slow = {**os.environ, "CAROM_STUDY_INTERVAL": "0.01", "CAROM_THREADS": "1"}
    while ways:
        resumed = Store.exists(place)
        before = Store.open(place).stored if resumed else 0
        command = [sys.executable, "-m", "carom.cli", "study", str(path), "--out", str(place)]
        process = subprocess.Popen([*command, *(["--resume"] if resumed else [])], env=slow, stdout=subprocess.DEVNULL)
        end = time.monotonic() + 120.0
        while process.poll() is None and time.monotonic() < end:
            time.sleep(0.02)
            if Store.exists(place) and Store.open(place).stored > before:
                time.sleep(moments.uniform(0.0, 0.1))
                break
        process.send_signal(ways[-1])
        if process.wait() == 0:  # it was quicker
            shutil.rmtree(place)
        else:
            assert process.returncode == {signal.SIGTERM: 143, signal.SIGKILL: -9}[ways.pop()]
    assert Store.open(place).stored > 0
    found = run_study(example(*changes), place, resume=True)
    assert_equal(found, run_study(example(*changes), tmp_path / "alone"))


def test_a_sample_that_kills_its_process_is_given_up_alone() -> None:
    suspects, bad, lost, fine = Suspects(), 5, [], []
    queue = [Task((0,), 0, 8)]
    while queue:
        task = queue.pop()
        if task.first <= bad < task.last:
            if suspects.accuse(task):
                lost.append(task)
        else:
            fine.append(task)
        if not queue and (again := suspects.take()) is not None:
            queue.append(again)
    assert lost == [Task((0,), 5, 6)]
    assert sorted(i for task in fine for i in range(task.first, task.last)) == [0, 1, 2, 3, 4, 6, 7]


def test_work_covers_what_is_missing_once() -> None:
    plan = planned()
    done = [(0, 6), (12, 21), (33, 36)]
    work = Work(plan, done)
    found = []
    while (task := work.take()) is not None:
        found += [run for first, last in plan.runs(task) for run in range(first, last)]
        work.learn(1, 1e-9)
    assert sorted(found) == sorted(set(range(plan.size)) - {run for a, b in done for run in range(a, b)})


def test_tasks_grow_to_a_few_seconds_and_shrink_again() -> None:
    plan = planned(("samples = 6", "samples = 100000"))
    work = Work(plan, [])
    sizes = []
    for seconds_per_run in [1e-4] * 6 + [0.1] * 6:
        task = work.take()
        assert task is not None
        count = plan.size_of(task)
        sizes.append(count)
        work.learn(count, count * seconds_per_run)
    assert sizes[0] <= 64
    assert sizes[5] == pytest.approx(20_000, rel=0.01)
    assert sizes[-1] == pytest.approx(20, abs=3)


def test_a_gpu_is_not_for_everything(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="--device cuda runs studies that the ensemble kernel takes"):
        run_study(example(*WORDS), tmp_path, device="cuda")


def test_threads_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    from carom.backends import worker_count

    monkeypatch.setenv("CAROM_THREADS", "3")
    assert worker_count() == 3
    monkeypatch.setenv("CAROM_THREADS", "0")
    assert worker_count() >= 1


def test_the_number_of_threads_is_given_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CAROM_THREADS", raising=False)
    seen = []
    store = run_study(example(), tmp_path, workers=1, progress=lambda *_: seen.append(os.environ.get("CAROM_THREADS")))
    assert store.complete
    assert "1" in seen
    assert "CAROM_THREADS" not in os.environ


def test_the_rows_of_lost_runs_have_no_numbers() -> None:
    rows = nothing_of(planned(), Task((0,), 1, 2), "lost", "why")
    assert np.isnan(rows["peak_force"]).all()
    assert rows["sample"].tolist() == [1, 1, 1]
