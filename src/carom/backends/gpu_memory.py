"""All of the fast memory that the threads of a block share; numba-cuda by itself grants 48 KB in tables of fixed shape.

More must be asked for with every launch, and has no shape. `fast_table` is a table of a fixed shape at a place in it,
for use in a kernel; `grant` asks.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from llvmlite import ir

from carom.backends.relied_on import require

__all__ = ["fast_table", "grant", "most"]

cuda: Any = import_module("numba.cuda")
cgutils: Any = import_module("numba.cuda.cgutils")
types: Any = import_module("numba.cuda.types")
driver: Any = import_module("numba.cuda.cudadrv.driver")
nvvm: Any = import_module("numba.cuda.cudadrv.nvvm")
intrinsic: Any = import_module("numba.cuda.extending").intrinsic
require({driver.CudaPythonFunction: ("set_shared_memory_carveout",)})  # it sets attributes of kernels as `grant` does

NAME = "carom_fast_memory"


def most() -> int:
    """Return the bytes that a block may have."""
    return int(cuda.get_current_device().MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)


def grant(kernel: Any, size: int) -> None:
    """Allow launches of a compiled kernel to ask for `size` bytes."""
    function = kernel._codelibrary.get_cufunc()
    wanted = driver.binding.CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
    driver.driver.cuKernelSetAttribute(wanted, size, function.handle, function.device.id)


@intrinsic  # type: ignore[untyped-decorator]
def fast_table(_typing: Any, start: Any, rows: Any, columns: Any) -> Any:  # noqa: ARG001 their types are known
    """Return the table of so many rows and columns of numbers that begins at number `start` of the fast memory."""
    table = types.Array(types.float64, 2, "C")

    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        begin, *shape = arguments
        number = context.get_data_type(types.float64)
        memory = builder.module.globals.get(NAME)
        if memory is None:
            memory = cgutils.add_global_variable(builder.module, ir.ArrayType(number, 0), NAME, nvvm.ADDRSPACE_SHARED)
            memory.align = 8
            memory.linkage = "external"
        data = builder.addrspacecast(memory, ir.PointerType(ir.IntType(8)), "generic")
        made = context.make_array(table)(context, builder)
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

    return table(types.intp, types.intp, types.intp), generate
