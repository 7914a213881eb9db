"""Where the runs of an ensemble are computed: on all cores, or on a GPU."""

from __future__ import annotations

import logging
import threading
import time as clock
from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from carom.backends import in_threads, worker_count
from carom.errors import UnknownNameError
from carom.integrate.assembly import Structures
from carom.integrate.engine import as_batch
from carom.integrate.stores import Stores
from carom.integrate.tables import Tables
from carom.kernels import floor_sums, ledger, rows, team_rows
from carom.kernels import pounding_batch as batch
from carom.kernels.endings import UNUSUAL
from carom.kernels.pair_batch import pair_batch
from carom.kernels.team import TEAMWORK
from carom.kernels.team_batch import team_batch

__all__ = ["DEVICES", "Found", "Progress", "checked_device", "on_device"]

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
    """As `carom.kernels.pounding_batch` writes it."""
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
        from carom.backends import cuda  # late: asks for packages that most users have not

        cuda.require()
    return str(device)


def on_device(
    device: str, stores: Stores, runs: Integers, places: Integers, rtol: float, step_limit: int, progress: Progress, *,
    contacts: bool = True, paths: Counter[str] | None = None,
) -> Found:  # fmt: skip
    """Run all of `runs` on a device, handed out in this order; the results of each lie in the row `places` says.

    `paths` counts which way they were computed: as a ``pair``, by ``several modes`` or by the ``general`` engine.
    Without `contacts` they are the twins that never pound. Runs take a quick lane where there is one; the few that turn
    out to need more than it has are finished by the general engine, on cores.
    """
    every = stores.structures.scratch
    found = Found(np.empty((runs.size, batch.result_size(every.floors.shape[0]))), np.empty(runs.size, dtype=np.int64))
    where = on_gpu if device == "cuda" else on_cpu
    tables = every if contacts else _without_contacts(every)
    lane = lane_for(stores.structures)
    taken = Counter[str]() if paths is None else paths
    if lane is None:
        taken["general"] += runs.size
        where(batch.pound_batch, tables, stores, runs, places, rtol, step_limit, progress, found)
        return found
    # twins take the same lane, so that what never meets is equal to the last digit
    apart = stores if contacts else stores.far_apart()
    where(lane.kernel, lane.scratch, apart, runs, places, rtol, step_limit, progress, found)
    left = np.flatnonzero((found.codes == UNUSUAL)[places])  # flags are gathered sooner than numbers
    for path, count in ((lane.path, runs.size - left.size), ("general", left.size)):
        if count:
            taken[path] += count
    if left.size:
        on_cpu(batch.pound_batch, tables, stores, runs[left], places[left], rtol, step_limit, progress, found)
    return found


def on_cpu(
    kernel: Callable[..., None], tables: Tables, stores: Stores, runs: Integers, places: Integers, rtol: float,
    step_limit: int, progress: Progress, found: Found,
) -> None:  # fmt: skip
    """Run a batch on all cores."""
    shared = stores.structures
    run_batch = as_batch(kernel)

    def run(start: int, stop: int) -> None:
        here = places[start:stop]
        run_batch(
            stores.picks(runs[start:stop], here), shared.modes, shared.levers, shared.floors, shared.masses,
            stores.laws, stores.gaps, stores.factors, shared.support, stores.grounds, stores.dt, rtol,
            float(step_limit), *tables.copy(), np.empty((0, 1)), np.empty(ledger.RUN_SIZE), found.table, found.codes,
        )  # fmt: skip
        progress.add(int(np.count_nonzero(found.codes[here] != UNUSUAL)))

    share = -(-runs.size // (8 * worker_count()))  # a few slices each even where there are few runs
    in_threads(run, runs.size, chunk=max(1, min(share, LARGEST_SLICE)))


def on_gpu(
    kernel: Callable[..., None], tables: Tables, stores: Stores, runs: Integers, places: Integers, rtol: float,
    step_limit: int, progress: Progress, found: Found,
) -> None:  # fmt: skip
    """Run a batch on a GPU, in chunks that its memory holds; neighbours in `runs` should be alike."""
    from carom.backends import cuda  # late: asks for packages that most users have not

    shared = stores.structures
    if kernel is batch.pound_batch:  # a thread has nothing to gain from sums side by side, and little memory
        tables = tables._replace(small=tables.small[: floor_sums.SUMS])
    shapes = tuple(one.shape for one in tables)
    launch = cuda.launcher(kernel, shapes, ledger.RUN_SIZE, TEAMWORK if kernel is team_batch else ())
    given = (
        shared.modes, shared.levers, shared.floors, shared.masses, stores.laws, stores.gaps, stores.factors,
        shared.support, stores.grounds, stores.dt, rtol, float(step_limit),
    )  # fmt: skip
    chunk = max(1, cuda.free_memory() // (2 * 8 * (found.table.shape[1] + 1 + batch.PICK_SIZE)))
    if runs.size <= chunk:  # results go straight where they belong
        launch(lambda start, stop: stores.picks(runs[start:stop], places[start:stop]), given, *found)
        progress.add(int(np.count_nonzero(found.codes != UNUSUAL)))
        return
    for first in range(0, runs.size, chunk):
        part, here = runs[first : first + chunk], places[first : first + chunk]
        some = Found(np.empty((part.size, found.table.shape[1])), np.empty(part.size, dtype=np.int64))
        launch(_picks_of(stores, part), given, *some)
        found.table[here], found.codes[here] = some
        progress.add(int(np.count_nonzero(some.codes != UNUSUAL)))


def _picks_of(stores: Stores, runs: Integers) -> Callable[[int, int], Integers]:
    """Return what gathers the picks of some of these runs, whose results lie in their own order."""
    order = np.arange(runs.size)
    return lambda start, stop: stores.picks(runs[start:stop], order[start:stop])


class Lane(NamedTuple):
    """A kernel for what is run often, quicker than the general engine, and its scratch tables."""

    kernel: Callable[..., None]
    scratch: Tables
    path: str
    """What users call it."""


def lane_for(structures: Structures) -> Lane | None:
    """Return the lane that runs of such structures take; without contacts the general engine has nothing to save."""
    tables = structures.scratch
    if not len(tables.contacts):
        return None
    if is_pair(tables):
        return Lane(pair_batch, tables, "pair")
    return Lane(team_batch, _for_teams(structures), "several modes")


def is_pair(tables: Tables) -> bool:
    """Return whether there are two modes, a contact between them, and a degree of freedom for each."""
    return (len(tables.modes), len(tables.contacts), len(tables.floors)) == (2, 1, 2)


def _for_teams(structures: Structures) -> Tables:
    """Return tables of the sizes that the lane for teams takes."""
    tables = structures.scratch
    modes, contacts, floors = len(tables.modes), len(tables.contacts), len(tables.floors)
    first, last = structures.floors[..., 0], structures.floors[..., rows.LAST - rows.FIRST]
    return Tables(
        modes=np.zeros((modes, team_rows.mode_size(contacts))),
        contacts=np.zeros((contacts, team_rows.CONTACT_SIZE)),
        pairs=np.zeros((0, 1)),
        floors=np.zeros((floors, team_rows.floor_size(int((last - first).max(initial=0.0))))),
        small=np.zeros(0),
    )


def _without_contacts(tables: Tables) -> Tables:
    return tables._replace(contacts=tables.contacts[:0].copy(), pairs=tables.pairs[:0].copy())
