"""The compiled engine: single runs and batches take one kernel, `carom.kernels.event.runs`, which compiles once.

A kernel is compiled for the types of its arguments, and whether an array can be written to is part of its type: what is
passed here is always of one kind.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from carom.backends import compiled
from carom.integrate.apart import Apart, all_together
from carom.kernels.event.batch import PICK_SIZE, Results, Stores, pound_batch
from carom.kernels.event.runs import pound_runs
from carom.kernels.tables import Histories, Shaking, Tables

__all__ = ["alone_by", "as_batch", "run_alone"]

Array = npt.NDArray[np.float64]

NO_PICKS = np.empty((0, PICK_SIZE), dtype=np.int64)
NO_ROWS = np.empty((0, 1))
NO_TABLES = np.empty((0, 0, 1))
NO_RESULTS = Results(NO_ROWS, np.empty(0, dtype=np.int64))
ONE = np.ones(1)


def run_alone(
    tables: Tables, support: npt.NDArray[np.int64], ground: Array, dt: float, histories: Histories, apart: Apart
) -> int:
    """Run one problem as `carom.kernels.event.engine.pound` does, or part by part; return how it ended."""
    stores = Stores(
        NO_TABLES, NO_TABLES, NO_TABLES, NO_ROWS, NO_TABLES, NO_ROWS, ONE, support.copy(), ground[None].copy(), dt
    )
    code: int = compiled(pound_runs)(NO_PICKS, stores, 0.0, 0.0, tables, histories, NO_RESULTS, *apart)
    return code


def alone_by(pound: Callable[..., int]) -> Callable[..., int]:
    """Return `run_alone` by another kernel in place of `carom.kernels.event.engine.pound`."""

    def run(
        tables: Tables, support: npt.NDArray[np.int64], ground: Array, dt: float, histories: Histories, _: Apart
    ) -> int:
        return pound(tables, Shaking(support, ground, 1.0, dt), histories)

    return run


def as_batch(kernel: Callable[..., None]) -> Callable[..., Any]:
    """Return a kernel for batches, compiled."""
    if kernel is not pound_batch:
        return compiled(kernel)
    run, together = compiled(pound_runs), all_together()
    return lambda *arguments: run(*arguments, *together)
