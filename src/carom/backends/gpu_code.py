"""Short programs for GPUs: beyond the size of their instruction caches, threads wait for instructions.

What numba-cuda would copy in at every call can be called instead, where it is seldom needed, or long, called from
several places and not needed often; and an index never counts from the end, which saves looking at its sign. Both are
asked of numba-cuda in ways that it does not promise: where it is made otherwise, kernels are as right, and longer.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from types import FunctionType
from typing import Any

from numba import config as _config
from numba import cuda as _cuda

from carom.backends.linker import REPLACED, copied_often, link, marked
from carom.backends.numba import plainly

__all__ = ["compiling", "for_device"]

log = logging.getLogger("carom.compile")
config: Any = _config
cuda: Any = _cuda

LONG = 700
"""Bytes of bytecode, of all that a call would bring in."""


def for_device(
    kernel: FunctionType, replaced: Mapping[Callable[..., Any], Callable[..., Any]] | None = None
) -> Callable[..., Any]:
    """Return `kernel` as a GPU's own kernels call it; under Numba's simulator, as it is."""
    return link(kernel, _as_it_is if config.ENABLE_CUDASIM else _compiled, replaced)


def _as_it_is(function: FunctionType) -> FunctionType:
    return function


def _compiled(function: FunctionType) -> Any:
    return plainly(cuda.jit(device=True)(function))


def compiling(kernel: Any, plain: Callable[..., Any], *, short: bool) -> AbstractContextManager[None]:
    """Return the care that a GPU kernel's first launch needs: later ones, and simulated ones, compile nothing.

    What is seldom needed below `plain` will be there once, and called; to be `short`, so will what is long, unless it
    is needed often.
    """
    if config.ENABLE_CUDASIM or kernel.overloads:
        return nullcontext()
    called = marked(plain, "seldom")
    return _short_code((called | copied_often(plain, LONG)) - marked(plain, "often") if short else called)


@contextmanager
def _short_code(called: set[FunctionType]) -> Iterator[None]:
    """Let what is compiled meanwhile be short: these functions are called, not copied."""
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
