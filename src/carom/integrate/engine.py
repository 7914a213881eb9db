"""The compiled engine: single runs and batches take one kernel of `carom.kernels.event.runs`, which compiles once.

Runs with many structures or contacts take another one, which is compiled when the first of them comes.

A kernel is compiled for the types of its arguments, and whether an array can be written to is part of its type: what is
passed here is always of one kind.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from carom.backends import compiled
from carom.integrate.apart import Apart
from carom.kernels.contact.near_contacts import LEAVING_OUT
from carom.kernels.event.batch import PICK_SIZE, Results, Stores, pound_batch
from carom.kernels.event.runs import pound_parts, pound_runs
from carom.kernels.tables import Histories, Shaking, Tables

__all__ = ["alone_by", "as_batch", "run_alone"]

Array = npt.NDArray[np.float64]

NO_PICKS = np.empty((0, PICK_SIZE), dtype=np.int64)
NO_ROWS = np.empty((0, 1))
NO_TABLES = np.empty((0, 0, 1))
NO_RESULTS = Results(NO_ROWS, np.empty(0, dtype=np.int64))
ONE = np.ones(1)


def run_alone(
    tables: Tables, support: npt.NDArray[np.int64], ground: Array, dt: float, histories: Histories,
    apart: Apart | None,
) -> int:  # fmt: skip
    """Run one problem as `carom.kernels.event.engine.pound` does, or part by part; return how it ended."""
    if apart is not None:
        shaking = Shaking(support.copy(), ground.copy(), 1.0, dt)
        ended: int = compiled(pound_parts, LEAVING_OUT)(tables, apart.islands, apart.near, shaking, histories)
        return ended
    stores = Stores(
        NO_TABLES, NO_TABLES, NO_TABLES, NO_ROWS, NO_TABLES, NO_ROWS, ONE, support.copy(), ground[None].copy(), dt
    )
    code: int = compiled(pound_runs)(NO_PICKS, stores, 0.0, 0.0, tables, histories, NO_RESULTS)
    return code


def alone_by(pound: Callable[..., int]) -> Callable[..., int]:
    """Return `run_alone` by another kernel in place of `carom.kernels.event.engine.pound`."""

    def run(
        tables: Tables, support: npt.NDArray[np.int64], ground: Array, dt: float, histories: Histories,
        _: Apart | None,
    ) -> int:  # fmt: skip
        return pound(tables, Shaking(support, ground, 1.0, dt), histories)

    return run


def as_batch(kernel: Callable[..., None]) -> Callable[..., Any]:
    """Return a kernel for batches, compiled."""
    return compiled(pound_runs if kernel is pound_batch else kernel)
