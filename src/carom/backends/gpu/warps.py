"""Kernels of which a warp takes a run, and the next when it is done: see `carom.kernels.explicit.warp`.

The tables of a run lie in the fast memory that the warps of a block share where they find room, else in rooms of the
GPU's large memory. Warps of a block go in step, sample by sample: at the same place in the program they share what is
fetched of it, and without that they mostly wait for instructions. For that, neighbours must be alike.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from types import FunctionType
from typing import Any, NamedTuple

from carom.backends.gpu.numba_cuda import SIMULATED, compiling, cuda, fast_memory, float64, for_device
from carom.backends.linker import with_parts

__all__ = ["ALONE", "Functions", "Parts", "Records", "Shape", "Warps"]

Shape = tuple[int, ...]
Functions = tuple[Callable[..., Any], ...]
Parts = tuple[tuple[Callable[..., Any], Callable[..., Any]], ...]
"""Kernels, each with the one that is put in its place."""

WARP = 32
LAST_LANE = WARP - 1
EVERYONE = 0xFFFFFFFF
ROOMS = 4096
"""Warps at once whose tables lie in the large memory."""
MOST_BLOCKS = 1 << 20
MOST_WARPS = 16
"""Warps of a block: no more find registers enough on a processor."""
ALONE = False
"""On a GPU modes are never worked on side by side: a thread adds one number at a time. The last field of tables."""
PARTS = 4
"""Of a processor: each has a quarter of its registers and of its warps."""
MOST_REGISTERS = 255
FEW_ROWS = 8
"""So many are gone through sooner than some of them: their number is known to the compiler, and all that is needed of
them is asked for at once; in a loop of a length that nobody knows, each turn waits for its own."""


class Records(NamedTuple):
    """The classes of named tuples in which a kernel takes what it needs: they belong to the kernels."""

    tables: Callable[..., Any]
    """Modes, contacts, pairs, floors, scratch, the run's row, and whether modes are worked on side by side."""
    histories: Callable[..., Any]
    """Five tables, here without rows."""
    results: Callable[..., Any]
    """The table of results, and how runs ended."""


def _turns(count: int) -> int:
    return (count + LAST_LANE) // WARP


def _place(turn: int) -> int:
    return turn * WARP + (int(cuda.laneid) & LAST_LANE)  # the compiler sees from this that it is not negative


def _takes(row: int) -> bool:
    return bool((row & LAST_LANE) == int(cuda.laneid))


def _meet() -> None:
    cuda.syncwarp()


def _in_step() -> None:
    cuda.syncthreads()


def _anyone(flag: bool) -> bool:
    return bool(cuda.any_sync(EVERYONE, flag))


def _smallest(part: float) -> float:
    part = min(part, cuda.shfl_xor_sync(EVERYONE, part, 16))
    part = min(part, cuda.shfl_xor_sync(EVERYONE, part, 8))
    part = min(part, cuda.shfl_xor_sync(EVERYONE, part, 4))
    part = min(part, cuda.shfl_xor_sync(EVERYONE, part, 2))
    return float(min(part, cuda.shfl_xor_sync(EVERYONE, part, 1)))


def _agreed(row: int) -> int:
    finders = cuda.ballot_sync(EVERYONE, row >= 0)
    return int(cuda.shfl_sync(EVERYONE, row, cuda.ffs(finders) - 1)) if finders != 0 else -1


def _among(first: int, after: int, count: int) -> tuple[int, int]:
    return (0, count) if count <= FEW_ROWS else (first, after)


def _total(part: float) -> float:
    part += cuda.shfl_xor_sync(EVERYONE, part, 16)
    part += cuda.shfl_xor_sync(EVERYONE, part, 8)
    part += cuda.shfl_xor_sync(EVERYONE, part, 4)
    part += cuda.shfl_xor_sync(EVERYONE, part, 2)
    part += cuda.shfl_xor_sync(EVERYONE, part, 1)
    return part


WARP_FUNCTIONS = (_turns, _place, _takes, _meet, _in_step, _anyone, _smallest, _agreed, _among, _total)
"""How the threads of a warp do what `carom.kernels.explicit.warp` says, in the order of its own list."""


class Warps:
    """A kernel for warps, compiled for tables of given shapes, and how it is launched."""

    def __init__(
        self, kernel: FunctionType, shapes: tuple[Shape, ...], run_size: int, records: Records, parts: Parts,
        warp: Functions,
    ) -> None:  # fmt: skip
        self._shapes, self._plain = (shapes[0], shapes[1], shapes[3]), with_parts(kernel, dict(parts))
        self._bytes = 8 * sum(math.prod(shape) for shape in self._shapes)
        self._warps, registers = (0, 0) if SIMULATED else _block_for(self._bytes)
        agree: dict[Any, Any] = {} if SIMULATED else dict(zip(warp, WARP_FUNCTIONS, strict=True))
        device = for_device(kernel, {**dict(parts), **agree})
        if self._warps:
            self.kernel = _in_fast_memory(device, run_size, records, self._shapes, registers)
        else:
            self.kernel = _in_rooms(device, run_size, records)
        self.words = (self._warps, registers)
        """What the compiled kernel depends on."""

    def run(self, _size: int, stream: Any, picks: Any, *arguments: Any) -> None:
        """Launch for the runs of `picks`."""
        runs = picks.shape[0]
        with compiling(self.kernel, self._plain, short=True):
            if not self._warps:
                rooms = [cuda.device_array((min(runs, ROOMS), *shape)) for shape in self._shapes]
                threads = 1 if SIMULATED else WARP  # there a warp is one thread
                self.kernel[min(runs, ROOMS), threads, stream](picks, *arguments, *rooms)
                return
            memory = fast_memory()
            assert memory is not None
            arguments = (picks, *arguments)
            memory.grant(
                self.kernel.compile(tuple(map(self.kernel.typeof_pyval, arguments))), self._warps * self._bytes
            )
            blocks = min(-(-runs // self._warps), MOST_BLOCKS)
            self.kernel[blocks, self._warps * WARP, stream, self._warps * self._bytes](*arguments)


def _block_for(size: int) -> tuple[int, int]:
    """Return how many warps make a block, each with `size` bytes of fast memory, and the registers of a thread.

    As many as find room: all warps on a processor of the GPU are one block, and go in step. 0: not one finds room.
    """
    memory = fast_memory()
    if memory is None:
        return 0, MOST_REGISTERS
    in_block = min(MOST_WARPS, memory.most // size)
    registers = int(cuda.get_current_device().MAX_REGISTERS_PER_MULTIPROCESSOR) // PARTS
    in_part = max(1, -(-in_block // PARTS))
    return in_block, min(registers // (in_part * WARP) // 8 * 8, MOST_REGISTERS)


def _in_rooms(device: Any, run_size: int, records: Records) -> Any:
    """Return the kernel with tables in the large memory; a block is a warp."""
    tables_of, histories_of = records.tables, records.histories

    @cuda.jit  # type: ignore[untyped-decorator]
    def run_some(
        picks: Any, stores: Any, tolerance: float, limit: float, results: Any, modes_rooms: Any, contacts_rooms: Any,
        floors_rooms: Any,
    ) -> None:  # fmt: skip
        run = cuda.local.array(run_size, float64)
        first = cuda.blockIdx.x
        modes, contacts, floors = modes_rooms[first], contacts_rooms[first], floors_rooms[first]
        nothing = floors[:0]
        tables = tables_of(modes, contacts, nothing, floors, run[:0], run, ALONE)
        histories = histories_of(nothing, nothing, nothing, nothing, nothing)
        for i in range(first, picks.shape[0], cuda.gridDim.x):
            device(picks[i : i + 1], stores, tolerance, limit, tables, histories, results)

    return run_some


def _in_fast_memory(device: Any, run_size: int, records: Records, shapes: tuple[Shape, ...], registers: int) -> Any:
    """Return the kernel with tables in the fast memory of a block, warp after warp."""
    memory = fast_memory()
    assert memory is not None
    fast_table = memory.table
    tables_of, histories_of = records.tables, records.histories
    (modes_rows, modes_size), (contacts_rows, contacts_size), (floors_rows, floors_size) = shapes
    contacts_at = modes_rows * modes_size
    floors_at = contacts_at + contacts_rows * contacts_size
    size = floors_at + floors_rows * floors_size

    @cuda.jit(max_registers=registers)  # type: ignore[untyped-decorator]
    def run_some(picks: Any, stores: Any, tolerance: float, limit: float, results: Any) -> None:
        run = cuda.local.array(run_size, float64)
        mine, warps = cuda.threadIdx.x // WARP, cuda.blockDim.x // WARP
        modes = fast_table(mine * size, modes_rows, modes_size)
        contacts = fast_table(mine * size + contacts_at, contacts_rows, contacts_size)
        floors = fast_table(mine * size + floors_at, floors_rows, floors_size)
        nothing = floors[:0]
        tables = tables_of(modes, contacts, nothing, floors, run[:0], run, ALONE)
        histories = histories_of(nothing, nothing, nothing, nothing, nothing)
        for i in range(cuda.blockIdx.x * warps + mine, picks.shape[0], cuda.gridDim.x * warps):
            device(picks[i : i + 1], stores, tolerance, limit, tables, histories, results)

    return run_some
