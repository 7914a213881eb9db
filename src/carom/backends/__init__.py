"""How kernels are compiled and run; no physics here.

`compiled(kernel)` returns the kernel for the backend in use: ``numba`` (default) or ``python``, the plain
functions themselves, chosen by the environment variable ``CAROM_BACKEND`` and meant for coverage,
debugging and for judging the compiled ones.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, TypeAlias

from carom.backends.notices import say_compiles
from carom.backends.threads import in_threads, worker_count
from carom.errors import UnknownNameError

__all__ = ["backend_name", "compiled", "compiled_with", "in_threads", "worker_count"]

Kernel: TypeAlias = Callable[..., Any]

BACKENDS = ("numba", "python")

say_compiles()


def backend_name() -> str:
    """Name the backend in use."""
    name = os.environ.get("CAROM_BACKEND", "numba")
    if name not in BACKENDS:
        raise UnknownNameError("backend (CAROM_BACKEND)", name, BACKENDS)
    return name


def compiled(kernel: Kernel) -> Kernel:
    """Return `kernel`, a plain function of `carom.kernels`, as the backend runs it."""
    return _compiled(kernel, backend_name())


@cache
def _compiled(kernel: Kernel, backend: str) -> Kernel:
    if backend == "python":
        return kernel
    from carom.backends import numba

    return numba.compile_cached(kernel)


def compiled_with(kernel: Kernel, replacements: Mapping[Kernel, Kernel]) -> Kernel:
    """Return `kernel` with some of the kernels it calls replaced, compiled for this process only."""
    if backend_name() == "python":
        from carom.backends.linker import link

        return link(kernel, lambda function: function, replacements)
    from carom.backends import numba

    return numba.compile_fresh(kernel, replacements)
