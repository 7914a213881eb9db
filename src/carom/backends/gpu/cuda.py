"""Batches on a GPU: the kernels of `carom.kernels`, the very same functions, compiled by numba-cuda.

One thread takes one run, or the threads of a warp share one (`warps`). Scratch tables are arrays of the thread or
of the block, whose sizes must be known when the kernel is compiled.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from types import FunctionType
from typing import Any

import numpy as np

from carom.backends.collector_pause import without_collecting
from carom.backends.gpu.numba_cuda import SIMULATED, compiling, cuda, float64, for_device, versions
from carom.backends.gpu.warps import ALONE, Functions, Parts, Records, Shape, Warps
from carom.backends.kernel_files import GpuKernelFiles
from carom.backends.linker import with_parts
from carom.backends.numba import cache_folder
from carom.errors import InputError

__all__ = ["Records", "launcher", "require"]

log = logging.getLogger("carom.ensemble")

THREADS = 256
"""Threads of a block: many, since those of a block go through the same instructions at about the same time."""
FEW_THREADS = 32
"""Threads of a block where there are few runs: all processors should have some."""
MANY_RUNS = 50_000
LAUNCH = 250_000
"""Runs of one launch: what the next one takes is gathered while it computes."""
AHEAD = 4
"""Launches that are under way at a time: the GPU has work while the host takes results away."""
FIRST_LAUNCH = LAUNCH // 2
"""Those of the first, while nothing computes yet."""
PINNED = 1 << 24
"""Bytes from which on results are worth the pinning of the memory in which they come, several times as fast."""
Keep = Callable[[int, int, Any, Any], None]
Launch = Callable[[Callable[[int, int], Any], tuple[Any, ...], int, int, Keep], None]


def require() -> None:
    """Refuse, in one line, what needs a GPU where there is none."""
    if not cuda.is_available():
        raise InputError(
            "`device` 'cuda' needs an NVIDIA GPU with its driver, and the extra carom[gpu-cu12] or carom[gpu-cu13]; "
            "none was found. Use device='cpu'."
        )


class Alone:
    """A kernel of which a thread takes a run, compiled for tables of given shapes, and how it is launched."""

    words = ()
    """What the compiled kernel depends on besides its shapes."""

    def __init__(
        self, kernel: FunctionType, shapes: tuple[Shape, ...], run_size: int, records: Records, parts: Parts
    ) -> None:
        self.kernel = _alone(for_device(kernel, dict(parts)), shapes, run_size, records)
        self._plain = with_parts(kernel, dict(parts))

    def run(self, size: int, stream: Any, picks: Any, *arguments: Any) -> None:
        """Launch for the runs of `picks`, some of `size` in all."""
        threads = THREADS if size >= MANY_RUNS else FEW_THREADS
        with compiling(self.kernel, self._plain, short=False):
            self.kernel[-(-picks.shape[0] // threads), threads, stream](picks, *arguments)


def _alone(device: Any, shapes: tuple[Shape, ...], run_size: int, records: Records) -> Any:
    """Return the GPU kernel in which a thread takes a run; its tables are its own."""
    tables_of, histories_of = records.tables, records.histories
    modes_shape, contacts_shape, pairs_shape, floors_shape, small_shape = shapes
    meets = contacts_shape[0] > 0
    one_row, one_pair = (1, contacts_shape[1]), (1, pairs_shape[1])  # a GPU has no arrays of no length

    @cuda.jit  # type: ignore[untyped-decorator]
    def run_one(picks: Any, stores: Any, tolerance: float, limit: float, results: Any) -> None:
        i = cuda.grid(1)
        if i < picks.shape[0]:
            modes = cuda.local.array(modes_shape, float64)
            if meets:
                contacts = cuda.local.array(contacts_shape, float64)
                pairs = cuda.local.array(pairs_shape, float64)
            else:
                contacts = cuda.local.array(one_row, float64)[:0]
                pairs = cuda.local.array(one_pair, float64)[:0]
            floors = cuda.local.array(floors_shape, float64)
            small = cuda.local.array(small_shape, float64)
            run = cuda.local.array(run_size, float64)
            nothing = floors[:0]
            tables = tables_of(modes, contacts, pairs, floors, small, run, ALONE)
            histories = histories_of(nothing, nothing, nothing, nothing, nothing)
            device(picks[i : i + 1], stores, tolerance, limit, tables, histories, results)

    return run_one


@contextmanager
def _held(table: Any) -> Iterator[None]:
    """Pin the memory of a large table while results come into it, where the driver has room for that."""
    with ExitStack() as stack:
        if table.nbytes >= PINNED:
            try:
                stack.enter_context(cuda.pinned(table))
            except Exception as error:  # of the driver or of what wraps it: the copy is slower, and as right
                log.info("results come from the GPU into memory that is not pinned: %s", error)
        yield


def _on_device(given: Any) -> Any:
    """Return what is given with its arrays on the GPU; a record stays one."""
    if hasattr(given, "shape"):
        return cuda.to_device(given)
    if isinstance(given, tuple):
        moved = [_on_device(one) for one in given]
        return type(given)(*moved) if hasattr(given, "_fields") else tuple(moved)
    return given


@cache
def launcher(
    kernel: FunctionType, shapes: tuple[Shape, ...], run_size: int, records: Records, parts: Parts = (),
    warp: Functions = (),
) -> Launch:  # fmt: skip
    """Return a function that runs `kernel` on the GPU, a thread for each run or, where there is a `warp`, a warp.

    `kernel` takes what `carom.kernels.event.batch.pound_batch` does, in these `records`. The `shapes` are those of
    modes, contacts, pairs, floors and scratch, `run_size` is the length of a run's row. `parts` are
    kernels and what is put in their places, `warp` the functions by which the threads of a warp agree.
    """
    way = (
        Warps(kernel, shapes, run_size, records, parts, warp)
        if warp
        else Alone(kernel, shapes, run_size, records, parts)
    )
    if not SIMULATED:
        words = (kernel.__name__, shapes, run_size, *way.words, *versions())
        way.kernel._cache = GpuKernelFiles(cache_folder(), *words)

    def launch(
        picks_of: Callable[[int, int], Any], given: tuple[Any, ...], size: int, columns: int, keep: Keep
    ) -> None:  # fmt: skip
        """Run so many; `picks_of(start, stop)` gathers what some of them take, results in rows from zero on.

        Launches wait for nothing: while the GPU computes some, the host gathers what the next ones take, and
        ``keep(start, stop, table, codes)`` takes the results of those before, which it may not hold on to.
        """
        shared = _on_device(given)
        starts = [0, *range(FIRST_LAUNCH, size, LAUNCH)]
        slices = list(zip(starts, [*starts[1:], size], strict=True))
        most = max(stop - start for start, stop in slices)
        free = deque(
            records.results(cuda.device_array((most, columns), float), cuda.device_array(most, int))
            for _ in slices[:AHEAD]
        )
        under_way: deque[tuple[int, int, Any, Any]] = deque()
        kept = []  # the driver waits for the GPU before it frees memory

        def begin(start: int, stop: int) -> None:
            stream, room = cuda.stream(), free.popleft()
            kept.append(cuda.to_device(picks_of(start, stop), stream=stream))
            with without_collecting():  # the first launch compiles
                way.run(size, stream, kept[-1], *shared, room)
            under_way.append((start, stop, stream, room))

        def finish(table: Any, codes: Any) -> None:
            start, stop, stream, room = under_way.popleft()
            some = [host[: stop - start] for host in (table, codes)]
            for result, host in zip(room, some, strict=True):
                result[: stop - start].copy_to_host(host, stream=stream)
            stream.synchronize()
            free.append(room)
            keep(start, stop, *some)

        for some in slices[:AHEAD]:
            begin(*some)
        table, codes = np.empty((most, columns)), np.empty(most, dtype=np.int64)
        table.fill(0.0)  # memory is there once it is written to
        with _held(table):
            for some in slices[AHEAD:]:
                finish(table, codes)
                begin(*some)
            while under_way:
                finish(table, codes)

    return launch
