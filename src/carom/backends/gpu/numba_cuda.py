"""All that carom needs of numba-cuda, and the only module that knows it: CONTRIBUTING says what another compiler takes.

Kernels of batches are written in `carom.backends.gpu.cuda` and `.warps` with the `cuda` of this module, which is the
documented interface: threads, warps, tables of a thread, launches, streams, memory. The rest is asked for in ways
that numba-cuda does not promise: programs that are short, for beyond the size of their instruction caches
threads wait for instructions; and all of the fast memory that the threads of a block share, of which numba-cuda by
itself grants 48 KB in tables of fixed shape. Where it is made otherwise, kernels are as right, and longer or slower.
Under Numba's simulator (``NUMBA_ENABLE_CUDASIM=1``) kernels stay plain Python and launches are simulated.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import cache
from importlib import import_module, metadata
from types import FunctionType
from typing import Any, NamedTuple

import numba
from numba import config as _config
from numba import cuda as _cuda
from numba import float64 as _float64

from carom.backends.linker import REPLACED, copied_often, link, marked
from carom.backends.numba import plainly
from carom.backends.relied_on import require

__all__ = [
    "SIMULATED",
    "FastMemory",
    "compiling",
    "cuda",
    "fast_memory",
    "float64",
    "for_device",
    "pickled",
    "versions",
]

log = logging.getLogger("carom.compile")

cuda: Any = _cuda
"""Under this name the simulator looks for it in a kernel's scope."""
float64: Any = _float64
SIMULATED = bool(getattr(_config, "ENABLE_CUDASIM", False))

LONG = 700
"""Bytes of bytecode, of all that a call would bring in."""
FAST_MEMORY = "carom_fast_memory"
"""Name of the fast memory in a kernel."""


def versions() -> tuple[object, ...]:
    """Return what a compiled kernel depends on besides its text."""
    try:
        target = metadata.version("numba-cuda")
    except metadata.PackageNotFoundError:  # Numba's own target for GPUs
        target = ""
    return numba.__version__, target, cuda.get_current_device().compute_capability


def pickled(kernel: Any) -> bytes:
    """Return a compiled kernel as bytes, which `pickle.loads` takes."""
    try:
        serialize = import_module("numba.cuda.serialize")
    except ImportError:  # Numba's own target for GPUs, or the simulator
        serialize = import_module("numba.core.serialize")
    return bytes(serialize.dumps(kernel))


def for_device(
    kernel: FunctionType, replaced: Mapping[Callable[..., Any], Callable[..., Any]] | None = None
) -> Callable[..., Any]:
    """Return `kernel` as a GPU's own kernels call it; under Numba's simulator, as it is."""
    return link(kernel, _as_it_is if SIMULATED else _compiled, replaced)


def _as_it_is(function: FunctionType) -> FunctionType:
    return function


def _compiled(function: FunctionType) -> Any:
    return plainly(cuda.jit(device=True)(function))


def compiling(kernel: Any, plain: Callable[..., Any], *, short: bool) -> AbstractContextManager[None]:
    """Return the care that a GPU kernel's first launch needs: later ones, and simulated ones, compile nothing.

    What is seldom needed below `plain` will be there once, and called; to be `short`, so will what is long, unless it
    is needed often.
    """
    if SIMULATED or kernel.overloads:
        return nullcontext()
    called = marked(plain, "seldom")
    return _short_code((called | copied_often(plain, LONG)) - marked(plain, "often") if short else called)


@contextmanager
def _short_code(called: set[FunctionType]) -> Iterator[None]:
    """Let what is compiled meanwhile be short: these functions are called, not copied.

    Nor does an index count from the end, which saves looking at the sign of each.
    """
    try:
        from numba.cuda.core.compiler_lock import global_compiler_lock
        from numba.cuda.core.funcdesc import FunctionDescriptor
        from numba.cuda.np import arrayobj

        declare, fix = FunctionDescriptor.declare_function, arrayobj.fix_integer_index
    except (ImportError, AttributeError) as error:
        log.info("kernels for the GPU are longer than need be with this numba-cuda: %s", error)
        yield
        return
    apart = {(function.__module__, function.__qualname__) for function in called}

    def declare_apart(self: Any, module: Any) -> Any:
        """Declare a function, for calling if it is one of those."""
        function = declare(self, module)
        if (self.modname, self.qualname.removesuffix(REPLACED)) in apart:
            function.attributes.add("noinline")
        return function

    def from_the_front(context: Any, builder: Any, kind: Any, index: Any, _size: Any) -> Any:
        """Return an index as it is."""
        return context.cast(builder, index, kind, arrayobj.types.intp)

    with global_compiler_lock:
        FunctionDescriptor.declare_function, arrayobj.fix_integer_index = declare_apart, from_the_front
        try:
            yield
        finally:
            FunctionDescriptor.declare_function, arrayobj.fix_integer_index = declare, fix


class FastMemory(NamedTuple):
    """All of the fast memory that the threads of a block share."""

    most: int
    """Bytes that a block may have."""
    grant: Callable[[Any, int], None]
    """``grant(kernel, size)`` allows launches of a compiled kernel to ask for `size` bytes."""
    table: Any
    """``table(start, rows, columns)``, in a kernel, is the table that begins at number `start` of the fast memory."""


@cache
def fast_memory() -> FastMemory | None:
    """Return how to have the fast memory, more of it than numba-cuda itself gives; None where that cannot be had."""
    try:
        driver = import_module("numba.cuda.cudadrv.driver")
        require({driver.CudaPythonFunction: ("set_shared_memory_carveout",)})  # it sets attributes as `grant` does
        table = _fast_table()
    except (ImportError, AttributeError) as error:
        log.info("warps on the GPU are without its fast memory with this numba-cuda: %s", error)
        return None
    wanted = driver.binding.CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES

    def grant(kernel: Any, size: int) -> None:
        function = kernel._codelibrary.get_cufunc()
        driver.driver.cuKernelSetAttribute(wanted, size, function.handle, function.device.id)

    return FastMemory(int(cuda.get_current_device().MAX_SHARED_MEMORY_PER_BLOCK_OPTIN), grant, table)


def _fast_table() -> Any:
    """Return the function for kernels that makes a table of the fast memory: it has no shape of its own."""
    from llvmlite import ir

    cgutils, types = import_module("numba.cuda.cgutils"), import_module("numba.cuda.types")
    nvvm, extending = import_module("numba.cuda.cudadrv.nvvm"), import_module("numba.cuda.extending")
    made_of = types.Array(types.float64, 2, "C")

    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        begin, *shape = arguments
        number = context.get_data_type(types.float64)
        memory = builder.module.globals.get(FAST_MEMORY)
        if memory is None:
            whole = ir.ArrayType(number, 0)
            memory = cgutils.add_global_variable(builder.module, whole, FAST_MEMORY, nvvm.ADDRSPACE_SHARED)
            memory.align = 8
            memory.linkage = "external"
        data = builder.addrspacecast(memory, ir.PointerType(ir.IntType(8)), "generic")
        made = context.make_array(made_of)(context, builder)
        size = context.get_constant(types.intp, 8)
        context.populate_array(
            made,
            data=builder.gep(builder.bitcast(data, made.data.type), [begin]),
            shape=shape,
            strides=[builder.mul(shape[1], size), size],
            itemsize=size,
            meminfo=None,
        )
        return made._getvalue()

    def fast_table(_typing: Any, start: Any, rows: Any, columns: Any) -> Any:  # noqa: ARG001 their types are known
        return made_of(types.intp, types.intp, types.intp), generate

    return extending.intrinsic(fast_table)
