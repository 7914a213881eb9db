"""What a runner is, and which one a study gets."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Protocol

from carom.backends import worker_count
from carom.errors import InputError, refusal
from carom.studies.engine import Rows
from carom.studies.plan import Plan, Task
from carom.studies.runners.tls import NO_TLS, Tls
from carom.studies.work import Work

__all__ = ["Runner", "Tell", "choose_runner"]

Tell = Callable[[int], object]
"""Called with numbers of runs as they finish."""


class Runner(Protocol):
    """Computes what is left to do."""

    @property
    def first(self) -> int | None:
        """How many runs its first task should have; None: a few."""

    @property
    def words(self) -> str:
        """Where it computes, in a few words."""

    def rows(self, plan: Plan, work: Work, tell: Tell) -> Generator[tuple[Task, Rows], None, None]:
        """Yield tasks with their rows as they finish, each once, in any order."""


def choose_runner(
    plan: Plan,
    *,
    workers: int | None = None,
    cluster: str | None = None,
    tls: Tls = NO_TLS,
    device: str | None = None,
) -> Runner:
    """Return the runner for a study.

    The kernel, with threads, where all runs can go through it; local processes where they cannot; Dask where a
    cluster is named. `device` asks for the kernel.
    """
    if workers is not None and workers < 1:
        raise refusal("workers", "a study", "must be at least 1", workers)
    if cluster is not None:
        from carom.studies.runners.cluster import ClusterRunner

        if device == "cuda":
            raise InputError(
                "A study runs on a cluster or on the GPU of this machine. Leave --cluster or --device out."
            )
        return ClusterRunner(cluster, workers, tls)
    if tls != NO_TLS:
        raise InputError("Certificates are for a cluster: name it with --cluster tls://host:8786, or leave them out.")
    if device == "cuda" and plan.engine != "kernel":
        raise InputError(
            "--device cuda runs studies that the ensemble kernel takes: linear structures, laws of the catalogue, "
            "parameters that are numbers, the scheme event, no storey outputs or openings. Leave --device out to "
            "compute this one in processes."
        )
    if plan.engine == "kernel":
        from carom.studies.runners.kernel import KernelRunner

        return KernelRunner(device or "cpu", workers)
    from carom.studies.runners.processes import ProcessRunner

    return ProcessRunner(workers or worker_count())
