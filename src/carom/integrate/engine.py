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
from carom.kernels.event.batch import PICK_SIZE, pound_batch
from carom.kernels.event.runs import pound_runs

__all__ = ["alone_by", "as_batch", "run_alone"]

Array = npt.NDArray[np.float64]

NO_PICKS = np.empty((0, PICK_SIZE), dtype=np.int64)
NO_CODES = np.empty(0, dtype=np.int64)
NO_ROW = np.empty(0)
NO_ROWS = np.empty((0, 1))
NO_TABLES = np.empty((0, 0, 1))
ONE = np.ones(1)


def run_alone(
    modes: Array, contacts: Array, pairs: Array, floors: Array, small: Array, support: npt.NDArray[np.int64],
    ground: Array, dt: float, histories: tuple[Array, Array, Array, Array, Array], run: Array,
) -> int:  # fmt: skip
    """Run one problem as `carom.kernels.event.engine.pound` does; return how it ended."""
    code: int = compiled(pound_runs)(
        NO_PICKS, NO_TABLES, NO_TABLES, NO_TABLES, NO_ROWS, NO_TABLES, NO_ROWS, ONE, support.copy(),
        ground[None].copy(), dt, 0.0, 0.0, modes, contacts, pairs, floors, small, NO_ROWS, run, NO_ROWS, NO_CODES,
        *histories,
    )  # fmt: skip
    return code


def alone_by(pound: Callable[..., int]) -> Callable[..., int]:
    """Return `run_alone` by another kernel in place of `carom.kernels.event.engine.pound`."""

    def run(*arguments: Any) -> int:
        *tables, support, ground, dt, histories, account = arguments
        return pound(*tables, support, ground, 1.0, dt, *histories, account)

    return run


def as_batch(kernel: Callable[..., None]) -> Callable[..., Any]:
    """Return a kernel for batches, compiled."""
    if kernel is not pound_batch:
        return compiled(kernel)
    runs = compiled(pound_runs)

    def run_batch(*arguments: Any) -> None:
        runs(*arguments, NO_ROWS, NO_ROWS, NO_ROWS, NO_ROWS, NO_ROWS)

    return run_batch
