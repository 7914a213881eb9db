"""Where the runs of an ensemble are computed: on all cores, or on a GPU."""

from __future__ import annotations

import logging
import threading
import time as clock
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from carom.backends import in_threads, worker_count
from carom.errors import UnknownNameError
from carom.integrate.engine import BUILDINGS, GENERAL, Engine, as_batch
from carom.integrate.ensembles.assembly import Structures
from carom.integrate.ensembles.stores import Stores
from carom.integrate.tables.explicit import MOST_MODES, engine_for, room_for
from carom.integrate.tables.general import copy_of, no_histories
from carom.kernels import ledger, rows
from carom.kernels.endings import FINISHED, UNUSUAL
from carom.kernels.event import batch, floor_sums
from carom.kernels.explicit.histories import NO_HISTORIES
from carom.kernels.explicit.warp import WARP_FUNCTIONS
from carom.kernels.tables import Histories, Tables

__all__ = ["DEVICES", "Found", "Progress", "Watch", "checked_device", "on_device"]

Array = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

log = logging.getLogger("carom.ensemble")

DEVICES = ("cpu", "cuda")
LARGEST_SLICE = 64
"""Runs that a thread takes at once: a few milliseconds of work for two oscillators, so that cores finish together."""
SILENCE = 10.0
"""Seconds between two lines of a long run."""


class Found(NamedTuple):
    """What came out, a row for each run."""

    table: Array
    """As `carom.kernels.event.batch` writes it."""
    codes: Integers
    """How each run ended."""


class Progress:
    """Counts finished runs, tells who asked, and logs a line now and then."""

    def __init__(self, total: int, tell: Callable[[int, int], object] | None) -> None:
        self.total, self._tell, self._done = total, tell, 0
        self._lock = threading.Lock()
        self._said = clock.monotonic()

    def add(self, runs: int) -> None:
        """Count some more."""
        with self._lock:
            self._done += runs
            if self._tell is not None:
                self._tell(self._done, self.total)
            if clock.monotonic() - self._said > SILENCE:
                self._said = clock.monotonic()
                log.info("%d of %d runs", self._done, self.total)


def checked_device(device: object) -> str:
    """Return the name of a device that can be used."""
    if device not in DEVICES:
        raise UnknownNameError("device", device, DEVICES)
    if device == "cuda":
        from carom.backends.gpu import cuda  # late: asks for packages that most users have not

        cuda.require()
    return str(device)


class Watch:
    """Gathers what a user should know of all runs that finished."""

    def __init__(self) -> None:
        self._parts: list[tuple[int, int, int, float, float]] = []
        self.left_to_cores = 0
        """Runs that a GPU left, and that were computed on the processor's cores."""

    def look(self, rows: Array, codes: Integers) -> None:
        """Take notice of some runs: their rows of the table, and how they ended."""
        struck = (rows[:, ledger.IMPACTS] > 0.0) & (codes == FINISHED)
        some = rows if struck.all() else rows[struck]
        self._parts.append((
            int(some[:, ledger.GUARDED].sum()),
            int(np.count_nonzero(some[:, ledger.LASTING])),
            int(np.count_nonzero(some[:, ledger.UNHELD])),
            float(some[:, ledger.LEAST_LOST].min(initial=np.inf)),
            float(some[:, ledger.DEEPEST].max(initial=-np.inf)),
        ))  # fmt: skip

    def evidence(self) -> dict[str, Any]:
        """Return it by name; None where no run had an impact."""
        guarded, lasting, unheld, least, deepest = zip(*self._parts, strict=True)
        return {
            "guarded_impacts": sum(guarded),
            "closed_at_end": sum(lasting),
            "unheld_runs": sum(unheld),
            "smallest_energy_lost": min(least) if min(least) < np.inf else None,
            "deepest_overlap": max(deepest) if max(deepest) > -np.inf else None,
        }


def on_device(
    device: str, stores: Stores, runs: Integers, rtol: float, step_limit: int, progress: Progress, *,
    contacts: bool = True, paths: Counter[str] | None = None, watch: Watch | None = None,
    order: Integers | None = None,
) -> Found:  # fmt: skip
    """Run all of `runs` on a device; the results of each lie in the row where it stands among them.

    A GPU takes them in an `order` in which neighbours are alike, given as positions in `runs`.
    `paths` counts which way they were computed: as a ``pair``, by ``several modes`` or by the ``general`` engine.
    Without `contacts` they are the twins that never pound. Runs take a fast path where there is one; the few that turn
    out to need more than it has are finished by the general engine, on cores.
    """
    found: Found | None = None
    for part, at in stores.parts(runs):
        place = np.full(runs.size, -1)
        place[at] = np.arange(at.size)
        own = None if order is None else place[order]
        here = _in_part(
            device, part, runs[at], rtol, step_limit, progress, contacts, Counter[str]() if paths is None else paths,
            Watch() if watch is None else watch, None if own is None else own[own >= 0],
        )  # fmt: skip
        if at.size == runs.size:
            return here
        if found is None:
            found = Found(np.empty((runs.size, here.table.shape[1])), np.empty(runs.size, dtype=np.int64))
        found.table[at], found.codes[at] = here.table, here.codes
    assert found is not None  # an ensemble has at least one run
    return found


def _in_part(
    device: str, stores: Stores, runs: Integers, rtol: float, step_limit: int, progress: Progress, contacts: bool,
    taken: Counter[str], seen: Watch, order: Integers | None,
) -> Found:  # fmt: skip
    """Do what `on_device` does for runs whose ground motions are at hand."""
    every = stores.structures.scratch
    found = Found(np.empty((runs.size, batch.result_size(every.floors.shape[0]))), np.empty(runs.size, dtype=np.int64))
    where = partial(on_gpu, order=order) if device == "cuda" else on_cpu
    tables = every if contacts else _without_contacts(every)
    fast = fast_path_for(stores.structures, device)
    if fast is None:
        taken[GENERAL.path] += runs.size
        where(GENERAL, tables, stores, runs, rtol, step_limit, progress, seen, found)
        return found
    # twins take the same path, so that what never meets is equal to the last digit
    apart = stores if contacts else stores.far_apart()
    where(fast.engine, fast.scratch, apart, runs, rtol, step_limit, progress, seen, found)
    left = np.flatnonzero(found.codes == UNUSUAL)
    for path, count in ((fast.engine.path, runs.size - left.size), (GENERAL.path, left.size)):
        if count:
            taken[path] += count
    if left.size and device == "cuda":
        seen.left_to_cores += left.size
        log.warning(
            "%d of %d runs need the general engine: they are left by the GPU and computed on the processor's cores",
            left.size, runs.size,
        )  # fmt: skip
    if left.size:
        on_cpu(GENERAL, tables, stores, runs[left], rtol, step_limit, progress, seen, found, places=left)
    return found


def on_cpu(
    engine: Engine, tables: Tables, stores: Stores, runs: Integers, rtol: float, step_limit: int,
    progress: Progress, watch: Watch, found: Found, *, places: Integers | None = None,
) -> None:  # fmt: skip
    """Run a batch on all cores; the results of each run lie where it stands, or in the row that `places` says."""
    shared, results, histories = _shared(stores), batch.Results(found.table, found.codes), no_histories()
    rows_of = np.arange(runs.size) if places is None else places
    run_batch, picks = as_batch(engine), stores.picks(runs, rows_of)

    def run(start: int, stop: int) -> None:
        run_batch(picks[start:stop], shared, rtol, float(step_limit), copy_of(tables), histories, results)
        progress.add(int(np.count_nonzero(found.codes[rows_of[start:stop]] != UNUSUAL)))

    share = -(-runs.size // (8 * worker_count()))  # a few slices each even where there are few runs
    in_threads(run, runs.size, chunk=max(1, min(share, LARGEST_SLICE)))
    done = found if places is None else Found(found.table[places], found.codes[places])
    watch.look(done.table, done.codes)


def on_gpu(
    engine: Engine, tables: Tables, stores: Stores, runs: Integers, rtol: float, step_limit: int,
    progress: Progress, watch: Watch, found: Found, *, order: Integers | None = None,
) -> None:  # fmt: skip
    """Run a batch on a GPU in this order; the results of each run lie where it stands."""
    from carom.backends.gpu import cuda  # late: asks for packages that most users have not

    # a thread has nothing to gain from sums side by side, and little memory: the scratch ends where they would begin
    small = tables.small[: floor_sums.SUMS]
    shapes = tuple(one.shape for one in (tables.modes, tables.contacts, tables.pairs, tables.floors, small))
    records = cuda.Records(Tables, Histories, batch.Results)
    # a thread writes no histories, and the general engine for a batch knows of none
    kernel, parts = (batch.pound_batch, ()) if engine is GENERAL else (engine.kernel, (*engine.parts, *NO_HISTORIES))
    warp = WARP_FUNCTIONS if engine.shared_by_warp else ()
    launch = cuda.launcher(kernel, shapes, ledger.RUN_SIZE, records, parts, warp)
    taken = np.arange(runs.size) if order is None else order

    def picks_of(start: int, stop: int) -> Integers:
        return stores.picks(runs[taken[start:stop]], np.arange(stop - start))

    def keep(start: int, stop: int, table: Array, codes: Integers) -> None:
        here = taken[start:stop]
        found.table[here], found.codes[here] = table, codes
        watch.look(table, codes)
        progress.add(int(np.count_nonzero(codes != UNUSUAL)))

    launch(picks_of, (_shared(stores), rtol, float(step_limit)), runs.size, found.table.shape[1], keep)


def _shared(stores: Stores) -> batch.Stores:
    """Return the stores as kernels take them."""
    of = stores.structures
    return batch.Stores(
        of.modes, of.levers, of.floors, of.masses, stores.laws, stores.gaps, stores.factors, of.which,
        stores.grounds, stores.dt,
    )  # fmt: skip


class FastPath(NamedTuple):
    """An engine for what is run often, quicker than the general one, and its scratch tables."""

    engine: Engine
    scratch: Tables


def fast_path_for(structures: Structures, device: str) -> FastPath | None:
    """Return the fast path that runs of such structures take; without contacts it would save nothing."""
    tables = structures.scratch
    if device == "cpu" and len(tables.modes) > MOST_MODES:
        return FastPath(BUILDINGS, tables) if tables.side_by_side and len(tables.contacts) else None
    first, last = structures.floors[..., 0], structures.floors[..., rows.LAST - rows.FIRST]
    engine = engine_for(structures.modes[0, :, rows.MASS], len(tables.contacts), first[0], last[0])
    if engine is None:
        return None
    modes, contacts, floors = len(tables.modes), len(tables.contacts), len(tables.floors)
    return FastPath(engine, room_for(modes, contacts, floors, int((last - first).max(initial=0.0))))


def _without_contacts(tables: Tables) -> Tables:
    return tables._replace(contacts=tables.contacts[:0].copy(), pairs=tables.pairs[:0].copy())
