"""Batches on a GPU: the kernels of `carom.kernels`, the very same functions, compiled by numba-cuda.

One thread takes one run, or the threads of a warp share one (`carom.kernels.team`). Scratch tables are arrays of the
thread or of the block, whose sizes must be known when the kernel is compiled.
Under Numba's simulator (``NUMBA_ENABLE_CUDASIM=1``) the kernels stay plain Python and the launch is simulated.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from importlib import metadata
from types import FunctionType
from typing import Any

import numba
from numba import config as _config
from numba import cuda as _cuda
from numba import float64

from carom.backends.garbage import without_collecting
from carom.backends.kernel_files import KernelFiles
from carom.backends.linker import link
from carom.backends.numba import cache_folder, plainly
from carom.errors import InputError

__all__ = ["free_memory", "launcher", "require"]

config: Any = _config
cuda: Any = _cuda  # by this name the simulator finds it in the kernel's scope

THREADS = 256
"""Threads of a block: many, since those of a block go through the same instructions at about the same time."""
FEW_THREADS = 32
"""Threads of a block where there are few runs: all processors should have some."""
MANY_RUNS = 50_000
LAUNCH = 500_000
"""Runs of one launch: what the next one takes is gathered while it computes."""
FAST_MEMORY = 48 << 10
"""Bytes that the teams of a block share: what every GPU grants without being asked."""
WARP = 32
ROOMS = 4096
"""Teams at once whose tables lie in the large memory."""
MOST_BLOCKS = 1 << 20
MOST_TEAMS = 4
"""Warps of a block: few, so that none waits long for the others' runs."""
Shape = tuple[int, ...]
Functions = tuple[Callable[..., Any], ...]
Launch = Callable[[Callable[[int, int], Any], tuple[Any, ...], Any, Any], None]


def require() -> None:
    """Refuse, in one line, what needs a GPU where there is none."""
    if not cuda.is_available():
        raise InputError(
            "`device` 'cuda' needs an NVIDIA GPU with its driver, and the extra carom[gpu-cu12] or carom[gpu-cu13]; "
            "none was found. Use device='cpu'."
        )


def free_memory() -> int:
    """Return the bytes free on the GPU; under the simulator, a gigabyte."""
    if config.ENABLE_CUDASIM:
        return 1 << 30
    free, _ = cuda.current_context().get_memory_info()
    return int(free)


def _versions() -> tuple[object, ...]:
    """Return what a compiled kernel depends on besides its text."""
    try:
        target = metadata.version("numba-cuda")
    except metadata.PackageNotFoundError:  # Numba's own target for GPUs
        target = ""
    return numba.__version__, target, cuda.get_current_device().compute_capability


def _as_it_is(function: FunctionType) -> FunctionType:
    return function


def _for_device(function: FunctionType) -> Any:
    return plainly(cuda.jit(device=True)(function))


def _lane() -> int:
    return int(cuda.laneid)


def _lanes() -> int:
    return WARP


def _meet() -> None:
    cuda.syncwarp()


def _anyone(flag: bool) -> bool:
    return bool(cuda.any_sync(0xFFFFFFFF, flag))


def _total(part: float) -> float:
    part += cuda.shfl_xor_sync(0xFFFFFFFF, part, 16)
    part += cuda.shfl_xor_sync(0xFFFFFFFF, part, 8)
    part += cuda.shfl_xor_sync(0xFFFFFFFF, part, 4)
    part += cuda.shfl_xor_sync(0xFFFFFFFF, part, 2)
    part += cuda.shfl_xor_sync(0xFFFFFFFF, part, 1)
    return part


TEAMWORK = (_lane, _lanes, _meet, _anyone, _total)
"""How the threads of a warp do what `carom.kernels.team` says, in the order of its own list."""


def _alone(kernel: FunctionType, shapes: tuple[Shape, ...], run_size: int) -> Any:
    """Return the GPU kernel in which a thread takes a run; its tables are its own."""
    device: Any = link(kernel, _as_it_is if config.ENABLE_CUDASIM else _for_device)
    modes_shape, contacts_shape, pairs_shape, floors_shape, small_shape = shapes

    @cuda.jit  # type: ignore[untyped-decorator]
    def run_one(
        picks: Any, given_modes: Any, levers: Any, given_floors: Any, masses: Any, laws: Any, gaps: Any, factors: Any,
        support: Any, grounds: Any, dt: float, tolerance: float, limit: float, found: Any, ended: Any,
    ) -> None:  # fmt: skip
        i = cuda.grid(1)
        if i < picks.shape[0]:
            modes = cuda.local.array(modes_shape, float64)
            contacts = cuda.local.array(contacts_shape, float64)
            pairs = cuda.local.array(pairs_shape, float64)
            floors = cuda.local.array(floors_shape, float64)
            small = cuda.local.array(small_shape, float64)
            run = cuda.local.array(run_size, float64)
            device(
                picks[i : i + 1], given_modes, levers, given_floors, masses, laws, gaps, factors, support, grounds, dt,
                tolerance, limit, modes, contacts, pairs, floors, small, floors[:0], run, found, ended,
            )  # fmt: skip

    return run_one


def _together(kernel: FunctionType, shapes: tuple[Shape, ...], run_size: int, teams: int, work: Functions) -> Any:
    """Return the GPU kernel in which a warp takes a run, and the next when it is done.

    Its tables lie in the fast memory of its block where they find room, else in the rooms that it is given.
    """
    simulated = bool(config.ENABLE_CUDASIM)  # there a team is one thread
    replaced: dict[Callable[..., Any], Callable[..., Any]] = {} if simulated else dict(zip(work, TEAMWORK, strict=True))
    device: Any = link(kernel, _as_it_is if simulated else _for_device, replaced)
    size = 1 if simulated else WARP
    fast = _is_fast(shapes)
    modes_shape, contacts_shape, _, floors_shape, _ = ((teams, *shape) if fast else (1, 1, 1) for shape in shapes)

    @cuda.jit  # type: ignore[untyped-decorator]
    def run_some(
        picks: Any, given_modes: Any, levers: Any, given_floors: Any, masses: Any, laws: Any, gaps: Any, factors: Any,
        support: Any, grounds: Any, dt: float, tolerance: float, limit: float, found: Any, ended: Any,
        modes_rooms: Any, contacts_rooms: Any, floors_rooms: Any,
    ) -> None:  # fmt: skip
        mine = cuda.threadIdx.x // size
        first = cuda.blockIdx.x * teams + mine
        run = cuda.local.array(run_size, float64)
        if fast:
            modes = cuda.shared.array(modes_shape, float64)[mine]
            contacts = cuda.shared.array(contacts_shape, float64)[mine]
            floors = cuda.shared.array(floors_shape, float64)[mine]
        else:
            modes = modes_rooms[first]
            contacts = contacts_rooms[first]
            floors = floors_rooms[first]
        for i in range(first, picks.shape[0], cuda.gridDim.x * teams):
            device(
                picks[i : i + 1], given_modes, levers, given_floors, masses, laws, gaps, factors, support, grounds, dt,
                tolerance, limit, modes, contacts, floors[:0], floors, run[:0], floors[:0], run, found, ended,
            )  # fmt: skip

    return run_some


def _rooms(shapes: tuple[Shape, ...], count: int) -> tuple[Any, Any, Any]:
    """Return tables for so many teams at once in the GPU's large memory."""
    modes, contacts, _, floors, _ = shapes
    return tuple(cuda.device_array((count, *shape)) for shape in (modes, contacts, floors))


def _is_fast(shapes: tuple[Shape, ...]) -> bool:
    """Return whether the tables of a run find room in the fast memory of a block."""
    return _bytes(shapes) <= FAST_MEMORY


def _bytes(shapes: tuple[Shape, ...]) -> int:
    return 8 * sum(math.prod(shape) for shape in shapes)


@cache
def launcher(kernel: FunctionType, shapes: tuple[Shape, ...], run_size: int, team: Functions = ()) -> Launch:
    """Return a function that runs `kernel` on the GPU, a thread for each run or, where there is a `team`, a warp.

    `kernel` takes picks, stores, scratch tables of these `shapes`, a table without rows, a row of `run_size` numbers,
    then where results go: see `carom.kernels.pounding_batch`. `team` are the functions by which its threads agree.
    """
    teams = max(1, min(MOST_TEAMS, FAST_MEMORY // _bytes(shapes))) if team else 0
    run_one = _together(kernel, shapes, run_size, teams, team) if team else _alone(kernel, shapes, run_size)
    if not config.ENABLE_CUDASIM:
        run_one._cache = KernelFiles(cache_folder(), kernel.__name__, shapes, run_size, teams, *_versions())

    def blocks(runs: int, many: bool) -> tuple[int, int]:
        """Return how many blocks of how many threads."""
        if team:
            most = MOST_BLOCKS if _is_fast(shapes) else ROOMS // teams
            return min(-(-runs // teams), most), teams * (1 if config.ENABLE_CUDASIM else WARP)
        threads = THREADS if many else FEW_THREADS
        return -(-runs // threads), threads

    def launch(picks_of: Callable[[int, int], Any], given: tuple[Any, ...], table: Any, ended: Any) -> None:
        """Run as many as `ended` has room for; `picks_of(start, stop)` gathers what some of them take.

        Launches wait for nothing: the host goes on gathering, and makes room for the results, while the GPU computes.
        """
        shared = [cuda.to_device(value) if hasattr(value, "shape") else value for value in given]
        results = [cuda.device_array(host.shape, host.dtype) for host in (table, ended)]
        size = ended.shape[0]
        fast = _is_fast(shapes)
        rooms = _rooms(shapes, 1 if fast else min(size, ROOMS)) if team else ()
        kept = []
        for start in range(0, size, LAUNCH):
            stream = 0 if rooms and not fast else cuda.stream()  # those that share rooms come one after the other
            picks = cuda.to_device(picks_of(start, min(start + LAUNCH, size)), stream=stream)
            kept.append(picks)
            with without_collecting():  # the first launch compiles
                run_one[(*blocks(picks.shape[0], size >= MANY_RUNS), stream)](picks, *shared, *results, *rooms)
        for host in (table, ended):
            host.fill(0)
        cuda.synchronize()
        for result, host in zip(results, (table, ended), strict=True):
            result.copy_to_host(host)

    return launch
