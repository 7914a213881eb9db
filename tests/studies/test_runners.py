"""Runners: the same table from every one of them, whoever dies on the way."""

from __future__ import annotations

import importlib.util
import multiprocessing
import os
import random
import shutil
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from carom.errors import CaromWarning, InputError, RunError
from carom.studies.author import author_here
from carom.studies.drive import run_study, table_of
from carom.studies.engine import compute, nothing_of
from carom.studies.files.store import Store
from carom.studies.plan import Task
from carom.studies.runners import Tls
from carom.studies.runners.suspects import Suspects
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

OPEN_CLUSTER = pytest.mark.filterwarnings("ignore:tcp.* is open:carom.errors.CaromWarning")
"""Clusters of tests are tcp://."""


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


@OPEN_CLUSTER
def test_a_dask_worker_killed_in_the_middle(cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("carom.studies.work.FIRST", 6)
    study = example(("samples = 6", "samples = 60"))
    killer = Killer(lambda: [worker.pid for worker in cluster.workers.values()])
    found = run_study(study, tmp_path / "killed", cluster=cluster.scheduler_address, progress=killer)
    assert killer.killed
    alone = run_study(study, tmp_path / "alone")
    assert_equal(found, alone)


@OPEN_CLUSTER
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


# who may talk to a cluster -----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A certificate that vouches for itself, and another that nobody knows; as `openssl` makes them."""
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not there to make certificates")
    folder = tmp_path_factory.mktemp("tls")
    for name in ("ours", "theirs"):
        command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={name}"]
        files = ["-keyout", str(folder / f"{name}.key"), "-out", str(folder / f"{name}.pem")]
        subprocess.run([*command, *files], check=True, capture_output=True)
    return {path.name: path for path in folder.iterdir()}


def security_of(certificates: dict[str, Path]) -> Any:
    ca, key = str(certificates["ours.pem"]), str(certificates["ours.key"])
    roles = {f"tls_{role}_{kind}": path for role in ("scheduler", "worker", "client") for kind, path in
             (("cert", ca), ("key", key))}  # fmt: skip
    return pytest.importorskip("distributed").Security(require_encryption=True, tls_ca_file=ca, **roles)


@pytest.fixture(scope="module")
def closed_cluster(certificates: dict[str, Path]):
    """A cluster that lets in who has our certificate."""
    distributed = pytest.importorskip("distributed")
    security = security_of(certificates)
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, dashboard_address=None, silence_logs=50, security=security, protocol="tls://"
    ) as cluster:
        yield cluster


def test_a_cluster_by_tls(closed_cluster: Any, certificates: dict[str, Path], tmp_path: Path) -> None:
    ours = Tls(certificates["ours.pem"], certificates["ours.pem"], certificates["ours.key"])
    address = closed_cluster.scheduler_address
    assert address.startswith("tls://")
    found = run_study(example(), tmp_path / "far", cluster=address, tls=ours)
    assert_equal(found, run_study(example(), tmp_path / "near"))


def test_who_has_no_certificate_of_the_cluster_is_not_let_in(
    closed_cluster: Any, certificates: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("carom.studies.runners.cluster.PATIENCE", 2.0)
    theirs = Tls(certificates["ours.pem"], certificates["theirs.pem"], certificates["theirs.key"])
    address = closed_cluster.scheduler_address
    with pytest.raises(InputError, match="No Dask scheduler that these certificates are meant for answers at tls://"):
        run_study(example(), tmp_path / "a", cluster=address, tls=theirs)
    with (
        pytest.warns(CaromWarning, match="tcp://.* is open: whoever reaches that scheduler can run code"),
        pytest.raises(InputError, match="No Dask scheduler answers at tcp://"),
    ):
        run_study(example(), tmp_path / "b", cluster=address.replace("tls", "tcp"))


def test_certificates_are_all_there_or_missed_by_name(certificates: dict[str, Path], tmp_path: Path) -> None:
    pem = certificates["ours.pem"]
    with pytest.raises(InputError, match=r"tls://host:1 needs certificates\. Missing: --tls-ca, --tls-cert, --tls-key"):
        run_study(example(), tmp_path, cluster="tls://host:1")
    with pytest.raises(InputError, match="Missing: --tls-key"):
        run_study(example(), tmp_path, cluster="tls://host:1", tls=Tls(pem, pem))
    with pytest.raises(InputError, match=r"`--tls-key` of a study must be a file that exists\. Got '"):
        run_study(example(), tmp_path, cluster="tls://host:1", tls=Tls(pem, pem, tmp_path / "nowhere"))
    with pytest.raises(InputError, match="must be certificates and keys in PEM form"):
        run_study(example(), tmp_path, cluster="tls://host:1", tls=Tls(pem, pem, pem))
    with pytest.raises(InputError, match="Certificates need an address such as tls://"):
        run_study(example(), tmp_path, cluster="tcp://host:1", tls=Tls(pem, pem, pem))
    with pytest.raises(InputError, match="Certificates are for a cluster"):
        run_study(example(), tmp_path, tls=Tls(pem, pem, pem))


@pytest.mark.parametrize("able", ["by its own", "by given ones", ""])
def test_a_local_cluster_listens_to_this_machine_alone(
    able: str, certificates: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    distributed = pytest.importorskip("distributed")
    made: list[Any] = []
    ports: list[tuple[str, int]] = []
    pages: list[int] = []
    local = distributed.LocalCluster

    def noted(**options: Any) -> Any:
        made.append(local(**options))
        server = made[-1].scheduler.http_server
        ports.append((server.address, server.port))
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(f"http://127.0.0.1:{server.port}/info/main/workers.html", timeout=10)
        pages.append(refused.value.code)
        return made[-1]

    monkeypatch.setattr(distributed, "LocalCluster", noted)
    if able == "by its own":
        pytest.importorskip("cryptography")
        found = run_study(example(), tmp_path / "local", cluster="local", workers=1)
    elif able:
        monkeypatch.setattr(importlib.util, "find_spec", lambda name: name)
        monkeypatch.setattr(distributed.Security, "temporary", lambda: security_of(certificates))  # of the same form
        found = run_study(example(), tmp_path / "local", cluster="local", workers=1)
    else:
        monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
        with pytest.warns(CaromWarning, match="cryptography is not installed"):
            found = run_study(example(), tmp_path / "local", cluster="local", workers=1)
    assert made[0].scheduler_address.startswith("tls://" if able else "tcp://")
    assert_equal(found, run_study(example(), tmp_path / "near"))
    assert "127.0.0.1" in made[0].scheduler_address
    (port,) = ports
    assert port[0] == "127.0.0.1"
    assert port[1] != 8787
    assert pages == [404]


@OPEN_CLUSTER
def test_a_worker_of_another_version_is_refused(cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = {**author_here(), "code": "0123456789ab"}
    monkeypatch.setattr("carom.studies.runners.cluster.author_here", lambda: other)
    with pytest.raises(RunError, match=r"A worker of the cluster tcp://.* computes by .* Install the same on both"):
        run_study(example(), tmp_path, cluster=cluster.scheduler_address)
    assert Store.open(tmp_path).stored == 0
