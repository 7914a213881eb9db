"""Dask distributed: a scheduler somewhere, or a local cluster started for the user."""

from __future__ import annotations

import os
import pickle  # nosec B403: between this process and its workers
import time
from collections.abc import Generator
from contextlib import ExitStack
from tempfile import TemporaryDirectory
from typing import Any

from carom.backends import worker_count
from carom.errors import InputError, RunError
from carom.studies.author import Author, author_here, other_author, told
from carom.studies.engine import Rows, compute, nothing_of
from carom.studies.extra import needs
from carom.studies.plan import Plan, Task
from carom.studies.runners.base import Tell
from carom.studies.runners.suspects import Suspects
from carom.studies.runners.tls import NO_TLS, Tls, private_security, security_for
from carom.studies.statuses import LOST
from carom.studies.work import Work

__all__ = ["ClusterRunner"]

AHEAD = 3
"""Tasks for each thread of the cluster."""
HERE = "127.0.0.1"
"""Where a local cluster listens: nowhere else, on ports that are free."""
NO_PAGES: dict[str, list[str]] = {"distributed.scheduler.http.routes": [], "distributed.worker.http.routes": []}
"""Settings of Dask without which every scheduler and worker answers questions of browsers."""
PATIENCE = 20.0
"""Seconds to wait for a scheduler to answer."""


class ClusterRunner:
    """Tasks as Dask's; one whose worker dies is computed again by another."""

    def __init__(self, address: str, workers: int | None = None, tls: Tls = NO_TLS) -> None:
        distributed = needs("distributed")
        if address != "local" and "://" not in address:
            raise InputError(
                "--cluster must be the address of a Dask scheduler such as tls://host:8786 or tcp://host:8786, or "
                f"local. Got '{address}'."
            )
        self._address, self._workers = address, workers
        self._security = security_for(address, tls, distributed)

    @property
    def first(self) -> int | None:
        """How many runs its first task should have."""
        return None

    @property
    def words(self) -> str:
        """Where it computes."""
        return f"the cluster {self._address}" if self._address != "local" else "a local cluster"

    def rows(self, plan: Plan, work: Work, tell: Tell) -> Generator[tuple[Task, Rows], None, None]:
        """Yield tasks with their rows as they finish."""
        distributed = needs("distributed")
        with ExitStack() as stack:
            client = stack.enter_context(self._client(distributed, stack))
            # the plan as a task of its own: computed again where the worker that holds it dies
            shared = client.submit(pickle.loads, pickle.dumps(plan), pure=False)
            running: dict[Any, Task] = {}
            finished = distributed.as_completed()
            suspects = Suspects()

            def submit(task: Task) -> None:
                future = client.submit(_compute, shared, task, pure=False)
                running[future] = task
                finished.add(future)

            def fill() -> None:
                ahead = AHEAD * max(1, sum(client.nthreads().values()))
                while len(running) < ahead and (task := work.take()) is not None:
                    submit(task)

            fill()
            try:
                for future in finished:
                    task = running.pop(future)
                    count = plan.size_of(task)
                    if future.status == "finished":
                        rows, seconds, author = future.result()
                        self._same_code(author)
                        work.learn(count, seconds)
                        tell(count)
                        yield task, rows
                    elif isinstance(future.exception(), distributed.KilledWorker):
                        if suspects.accuse(task):
                            tell(count)
                            yield task, nothing_of(plan, task, LOST, "the workers that computed it died")
                    else:
                        raise RunError(f"{self.words} failed: {future.exception()}")
                    fill()
                    if not running and (again := suspects.take()) is not None:
                        submit(again)
            except (OSError, TimeoutError, distributed.CancelledError) as error:
                raise RunError(
                    f"The connection to {self.words} was lost ({type(error).__name__}). What is stored stays; "
                    "continue with --resume."
                ) from None

    def _same_code(self, author: Author) -> None:
        """Refuse rows of a worker that computes otherwise: one table is of one version."""
        if other_author(author, author_here()):
            raise RunError(
                f"A worker of {self.words} computes by {told(author)}; here is {told(author_here())}. Install the same "
                "on both, then continue with --resume."
            )

    def _client(self, distributed: Any, stack: ExitStack) -> Any:
        if self._address == "local":
            security = private_security(distributed)
            scratch = stack.enter_context(TemporaryDirectory(prefix="carom-", ignore_cleanup_errors=True))
            with needs("dask.config").set(NO_PAGES):
                local = distributed.LocalCluster(
                    n_workers=self._workers or worker_count(), threads_per_worker=1, host=HERE, scheduler_port=0,
                    protocol="tcp://" if security is None else "tls://", security=security, silence_logs=50,
                    dashboard_address=None, local_directory=scratch,
                    scheduler_kwargs={"dashboard": False, "dashboard_address": f"{HERE}:0"},  # else 8787, where free
                )  # fmt: skip
            cluster = stack.enter_context(local)
            return distributed.Client(cluster, security=security)
        try:
            return distributed.Client(self._address, timeout=PATIENCE, security=self._security)
        except (OSError, TimeoutError, ValueError) as error:
            secure = " that these certificates are meant for" if self._security is not None else ""
            raise InputError(
                f"No Dask scheduler{secure} answers at {self._address} ({type(error).__name__}). Start one by "
                "`dask scheduler`, or write --cluster local."
            ) from None


def _compute(plan: Plan, task: Task) -> tuple[Rows, float, Author]:
    os.environ["CAROM_THREADS"] = "1"  # the cluster's own threads are the measure
    began = time.perf_counter()
    return compute(plan, task), time.perf_counter() - began, author_here()
