"""Kernels compiled by Numba for the CPU, kept on disk.

A kernel is stale when a function that it calls was changed, in whatever file. The folder in which they are kept is
therefore named after a hash of all kernel sources, and of the sources here, which say what is made of them: any edit
starts a fresh folder.
"""

from __future__ import annotations

import hashlib
import logging
import os
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cache, partial
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, cast

import llvmlite
import numba
from numba.core.compiler_lock import global_compiler_lock as _compiler_lock

from carom import private_folder
from carom.backends.background import apart
from carom.backends.kernel_files import CpuKernelFiles, CpuUnitFiles
from carom.backends.linker import REPLACED, copied, link, with_parts

__all__ = ["cache_folder", "compile_cached", "compile_fresh", "plainly"]

compiler_lock: Any = _compiler_lock

log = logging.getLogger("carom.compile")

Parts = frozenset[tuple[Callable[..., Any], Callable[..., Any]]]
"""Kernels that hold a place, and those that come there."""

_done: dict[Parts, dict[Callable[..., Any], Any]] = {}
"""Compiled kernels, by the parts that they were compiled with."""

NEWEST_TRIED = (0, 68)
"""The newest Numba whose inside is known to be as our compilers expect."""

SHORT = 300
"""Bytes of bytecode up to which functions are always made part of their callers; of longer ones LLVM decides."""
LONG_ONCE = 1300
"""Bytes up to which that is so for functions that are called at one place."""
LONG = 700
"""Bytes, with all that comes along, from which on that is not so for functions that are called at several places."""


def _jit(function: FunctionType, copied: Mapping[CodeType, bool], *, outermost: bool = False) -> Any:
    """Compile without reference counts, since kernels allocate nothing, and without doors to Python within."""
    options: dict[str, Any] = {
        "nogil": True,
        "error_model": "numpy",
        "forceinline": copied.get(function.__code__, len(function.__code__.co_code) < SHORT),
        "_nrt": False,
        "no_cpython_wrapper": not outermost,
        "no_cfunc_wrapper": True,
    }
    compilers = _compilers()
    is_unit = not outermost and compilers is not None and "unit" in vars(function)
    if is_unit:
        options["forceinline"] = False
    if compilers is not None:
        part, unit, whole = compilers
        options["pipeline_class"] = whole if outermost else unit if is_unit else part
    dispatcher = plainly(numba.njit(**options)(function))
    if is_unit and not function.__qualname__.endswith(REPLACED):
        dispatcher._cache = _files(CpuUnitFiles, dispatcher)
    return dispatcher


def _files(kind: type[CpuKernelFiles], dispatcher: Any) -> CpuKernelFiles:
    """Return where the compiled forms of a function are kept."""
    function = dispatcher.py_func
    return kind(
        cache_folder(), function.__name__, function.__module__, function.__qualname__,
        function.__code__.co_code.hex(), sys.implementation.cache_tag, llvmlite.__version__,
        dispatcher.targetctx.codegen().magic_tuple(),
    )  # fmt: skip


@cache
def _compilers() -> tuple[Any, Any, Any] | None:
    """Return our compilers of parts, of units and of the outermost function; None for a Numba they do not know.

    They build on what Numba does not promise, and a change in it could show as wrong numbers: newer ones than those
    tried count as different. ``CAROM_FRONT_END=stock`` asks for Numba as it comes, for judging ours.
    """
    if os.environ.get("CAROM_FRONT_END") == "stock":
        return None
    try:
        if tuple(int(part) for part in numba.__version__.split(".")[:2]) > NEWEST_TRIED:
            raise ImportError(f"the quick front end is not tried beyond Numba {'.'.join(map(str, NEWEST_TRIED))}")
        from carom.backends.machine_code.parts import PartCompiler, UnitCompiler, WholeCompiler
    except (ImportError, AttributeError) as error:
        log.warning("kernels compile more slowly with Numba %s: %s", numba.__version__, error)
        return None
    return PartCompiler, UnitCompiler, WholeCompiler


def plainly(dispatcher: Any) -> Any:
    """Make a constant argument a number like any other: one compilation serves all callers."""
    resolve = dispatcher.get_call_template
    plain: Any = numba.types.unliteral
    known: dict[tuple[Any, ...], Any] = {}

    def resolve_plainly(arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        plainer = tuple(plain(argument) for argument in arguments)
        if keywords:
            return resolve(plainer, keywords)
        if plainer not in known:
            known[plainer] = resolve(plainer, keywords)
        return known[plainer]

    dispatcher.get_call_template = resolve_plainly
    return dispatcher


def _jit_outermost(function: FunctionType, copied: Mapping[CodeType, bool]) -> Any:
    dispatcher = _jit(function, copied, outermost=True)
    dispatcher.compile = apart(dispatcher.compile, busy=compiler_lock.is_locked)
    return dispatcher


def _linked(
    kernel: Callable[..., Any], replacements: Mapping[Callable[..., Any], Callable[..., Any]], **how: Any
) -> Any:
    """Return `kernel` with all that it calls, to be compiled on its first call."""
    inside = copied(with_parts(kernel, replacements), short=SHORT, long_once=LONG_ONCE, long=LONG)
    return link(
        kernel, partial(_jit, copied=inside), replacements,
        outermost=partial(_jit_outermost, copied=inside), shared=_done.setdefault(frozenset(), {}), **how,
    )  # fmt: skip


def compile_cached(kernel: Callable[..., Any], parts: Parts = frozenset()) -> Callable[..., Any]:
    """Compile `kernel` with its parts on its first call, or load it from disk when it was compiled before."""
    # with its own parts a kernel has functions of its own under names that others have too
    suffix = f"_{kernel.__name__}" if parts else ""
    dispatcher = _linked(kernel, dict(parts), done=_done.setdefault(parts, {}), suffix=suffix)
    dispatcher._cache = _files(CpuKernelFiles, dispatcher)
    return cast(Callable[..., Any], dispatcher)


def compile_fresh(
    kernel: Callable[..., Any],
    replacements: Mapping[Callable[..., Any], Callable[..., Any]],
    modules: Collection[str] = (),
) -> Callable[..., Any]:
    """Compile `kernel` with other functions in place of some of its callees; never cached on disk."""
    log.info("compiling %s for this process", kernel.__name__.replace("_", " "))
    linked: Callable[..., Any] = _linked(kernel, replacements, modules=modules)
    return linked


def _sources(folder: Traversable, *names: str) -> Iterator[tuple[str, bytes]]:
    """Yield the Python files in these folders and all below, in order, by their paths from `folder` on."""
    for name in names:
        for entry in sorted((folder / name).iterdir(), key=lambda one: one.name):
            if entry.is_dir():
                yield from _sources(folder, f"{name}/{entry.name}")
            elif entry.name.endswith(".py"):
                yield f"{name}/{entry.name}", entry.read_bytes()


@cache
def cache_folder() -> Path | None:
    """Return the folder for compiled kernels, creating it; None, with one line, where nothing can be kept."""
    digest = hashlib.sha256(f"{numba.__version__} {_compilers() is None}".encode())
    for name, text in _sources(files("carom"), "kernels", "joints", "backends"):
        digest.update(name.encode() + text)
    try:
        return private_folder.cache_folder(f"kernels-{digest.hexdigest()[:16]}")
    except private_folder.UnusableFolderError as why:
        log.warning("compiled kernels are not kept: %s", why)
        return None
