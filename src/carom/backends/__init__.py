"""How kernels are compiled and run; no physics here.

`compiled(kernel)` returns the kernel for the backend in use: ``numba`` (default) or ``python``, the plain
functions themselves, chosen by the environment variable ``CAROM_BACKEND`` and meant for coverage,
debugging and for judging the compiled ones.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping
from functools import cache
from typing import Any, TypeAlias

from carom.backends.linker import link
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


def compiled(kernel: Kernel, parts: Mapping[Kernel, Kernel] | None = None) -> Kernel:
    """Return `kernel`, a plain function of `carom.kernels`, as the backend runs it.

    `parts` are kernels to put where others only hold their place; a kernel always gets the same ones, all of them from
    the package, for it is kept on disk.
    """
    return _compiled(kernel, backend_name(), frozenset((parts or {}).items()))


@cache
def _compiled(kernel: Kernel, backend: str, parts: frozenset[tuple[Kernel, Kernel]]) -> Kernel:
    if backend == "python":
        return link(kernel, _as_it_is, dict(parts)) if parts else kernel
    from carom.backends import numba

    return numba.compile_cached(kernel, parts)


def compiled_with(kernel: Kernel, replacements: Mapping[Kernel, Kernel], modules: Collection[str] = ()) -> Kernel:
    """Return `kernel` with some of the kernels it calls replaced, compiled for this process only.

    Functions of `modules` that the replacements call are compiled as well.
    """
    if backend_name() == "python":
        return link(kernel, _as_it_is, replacements, modules=modules)
    from carom.backends import numba

    return numba.compile_fresh(kernel, replacements, modules)


def _as_it_is(function: Kernel) -> Kernel:
    return function
