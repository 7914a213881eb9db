"""The engines, compiled: the general one, and the explicit one for pairs and for several modes.

Single runs and batches of an engine take one kernel, which compiles once. Runs with many structures or contacts take
another one, which is compiled when the first of them comes.

A kernel is compiled for the types of its arguments, and whether an array can be written to is part of its type: what is
passed here is always of one kind.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from carom.backends import compiled
from carom.integrate.tables.apart import Apart
from carom.kernels.contact.near_contacts import LEAVING_OUT
from carom.kernels.event.batch import PICK_SIZE, Results, Stores
from carom.kernels.event.runs import pound_parts, pound_runs
from carom.kernels.explicit.batch import building_batch, pair_batch, several_batch
from carom.kernels.explicit.buildings.parts import BUILDING_PARTS
from carom.kernels.explicit.pairs.parts import PAIR_PARTS
from carom.kernels.tables import Histories, Shaking, Tables

__all__ = ["BUILDINGS", "GENERAL", "PAIR", "SEVERAL", "Engine", "alone_by", "as_batch", "run_alone", "run_apart"]

Array = npt.NDArray[np.float64]

NO_PICKS = np.empty((0, PICK_SIZE), dtype=np.int64)
NO_ROWS = np.empty((0, 1))
NO_TABLES = np.empty((0, 0, 1))
NO_RESULTS = Results(NO_ROWS, np.empty(0, dtype=np.int64))
ONE = np.ones(1)


def run_alone(
    engine: Engine, tables: Tables, support: npt.NDArray[np.int64], ground: Array, dt: float, histories: Histories
) -> int:
    """Run one problem as `carom.kernels.event.engine.pound` does; return how it ended."""
    stores = Stores(
        NO_TABLES, NO_TABLES, NO_TABLES, NO_ROWS, NO_TABLES, NO_ROWS, ONE, support[None].copy(), ground[None].copy(), dt
    )
    code: int = as_batch(engine)(NO_PICKS, stores, 0.0, 0.0, tables, histories, NO_RESULTS)
    return code


def run_apart(
    apart: Apart, tables: Tables, support: npt.NDArray[np.int64], ground: Array, dt: float, histories: Histories
) -> int:
    """Run one problem with many structures or contacts part by part; return how it ended."""
    shaking = Shaking(support.copy(), ground.copy(), 1.0, dt)
    code: int = compiled(pound_parts, LEAVING_OUT)(tables, apart.islands, apart.near, shaking, histories)
    return code


def alone_by(pound: Callable[..., int]) -> Callable[..., int]:
    """Return `run_alone` by another kernel in place of `carom.kernels.event.engine.pound`."""

    def run(tables: Tables, support: npt.NDArray[np.int64], ground: Array, dt: float, histories: Histories) -> int:
        return pound(tables, Shaking(support, ground, 1.0, dt), histories)

    return run


class Engine(NamedTuple):
    """A kernel that runs batches, or one problem with its histories, and what users call the way it goes."""

    path: str
    """As evidence names it."""
    kernel: Callable[..., Any]
    """It takes what `carom.kernels.event.runs.pound_runs` does."""
    parts: tuple[tuple[Callable[..., Any], Callable[..., Any]], ...] = ()
    """Functions below the kernel, each with the one that the compiler puts in its place."""
    shared_by_warp: bool = False
    """Whether the threads of a GPU's warp share a run."""


GENERAL = Engine("general", pound_runs)
PAIR = Engine("pair", pair_batch, PAIR_PARTS)
SEVERAL = Engine("several modes", several_batch, shared_by_warp=True)
BUILDINGS = Engine("several modes", building_batch, BUILDING_PARTS)
"""Many modes of a structure on a processor's core, which works on them side by side."""


def as_batch(engine: Engine) -> Callable[..., Any]:
    """Return the kernel of an engine, compiled."""
    return compiled(engine.kernel, dict(engine.parts))
