"""Rebuild a plain kernel so that every kernel it calls is the compiled (or replaced) one.

Kernels call each other by global name. A compiler needs those names bound to its own objects; the linker
clones each function with such a scope, innermost first, and leaves the kernel modules untouched.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from dis import EXTENDED_ARG, opmap
from types import CodeType, FunctionType
from typing import Any, TypeGuard, cast

__all__ = ["KERNEL_ROOMS", "REPLACED", "copied", "copied_often", "link", "marked", "with_parts"]

KERNEL_ROOMS = ("carom.kernels", "carom.joints")
"""Rooms whose functions call each other as kernels do."""
LOAD_GLOBAL = opmap["LOAD_GLOBAL"]
REPLACED = "_replaced"
"""Added to names where something was replaced. The compiler tells functions apart by name and a number counted anew in
every process: without it a function loaded from disk could stand in for another of the same name compiled now."""


def link(
    kernel: Callable[..., Any],
    compiler: Callable[[FunctionType], Any],
    replacements: Mapping[Callable[..., Any], Callable[..., Any]] | None = None,
    done: dict[Callable[..., Any], Any] | None = None,
    outermost: Callable[[FunctionType], Any] | None = None,
    modules: Collection[str] = (),
    suffix: str | None = None,
    shared: dict[Callable[..., Any], Any] | None = None,
) -> Callable[..., Any]:
    """Compile all kernels below `kernel` and then itself, by `outermost` where given.

    `done` carries the inner ones that are compiled already. Functions of `modules` are kernels too. `suffix` is added
    to names, `REPLACED` unless told otherwise where there are replacements. Where `shared` is given, it carries those
    with nothing replaced in them, under their own names.
    """
    replaced = replacements or {}
    suffix = (REPLACED if replaced else "") if suffix is None else suffix
    done = {} if done is None else done

    touched: dict[Callable[..., Any], bool] = {}

    def called(function: FunctionType) -> Iterator[tuple[str, FunctionType]]:
        for name in _names(function.__code__):
            callee = function.__globals__.get(name)
            if _is_kernel(callee) or (isinstance(callee, FunctionType) and callee.__module__ in modules):
                yield name, callee

    def is_touched(function: FunctionType) -> bool:
        if function not in touched:
            touched[function] = function in replaced or not _is_kernel(function)
            touched[function] = touched[function] or any(is_touched(callee) for _, callee in called(function))
        return touched[function]

    def scoped(function: Callable[..., Any], suffix: str) -> FunctionType:
        plain = cast(FunctionType, function)
        scope = {**plain.__globals__, **{name: build(callee) for name, callee in called(plain)}}
        return _clone(plain, scope, suffix)

    def build(function: Callable[..., Any]) -> Any:
        function = replaced.get(function, function)
        known, added = done, suffix
        if shared is not None and not is_touched(cast(FunctionType, function)):
            known, added = shared, ""
        if function not in known:
            known[function] = compiler(scoped(function, added))
        return known[function]

    linked: Callable[..., Any] = (outermost or compiler)(scoped(replaced.get(kernel, kernel), suffix))
    return linked


def with_parts(
    kernel: Callable[..., Any], parts: Mapping[Callable[..., Any], Callable[..., Any]]
) -> Callable[..., Any]:
    """Return `kernel` as plain Python with its parts put in; without any, the very same."""
    return link(kernel, lambda function: function, parts, suffix="") if parts else kernel


def copied(kernel: Callable[..., Any], *, short: int, long_once: int, long: int) -> dict[CodeType, bool]:
    """Return for the kernels below `kernel`, by their code, whether they are made part of their callers.

    So are those that are marked for it, and those shorter than `short`, in bytes of bytecode, unless they would bring
    in `long` bytes or more at each of several places; for those that are called at one place, `long_once` is short.
    """
    callees, order, sites = _below(kernel)
    found: dict[CodeType, bool] = {}
    brought: dict[FunctionType, int] = {}
    for function in order:
        size = len(function.__code__.co_code)
        whole = size + sum(brought[callee] for callee in callees[function])
        inside = size < long_once if sites.get(function, 0) == 1 else size < short and whole < long
        inside = (inside or "side_by_side" in vars(function)) and "unit" not in vars(function)
        found[function.__code__] = inside
        brought[function] = whole if inside else 0
    return found


def copied_often(kernel: Callable[..., Any], long: int) -> set[FunctionType]:
    """Return the kernels below `kernel` that are called at several places and bring in `long` bytes or more.

    Counted are the bytes of bytecode of a function and of all it calls, less those that are such functions themselves.
    """
    callees, order, sites = _below(kernel)
    brought: dict[FunctionType, int] = {}
    found = set()
    for function in order:
        size = len(function.__code__.co_code) + sum(brought[callee] for callee in callees[function])
        apart = size >= long and sites.get(function, 0) > 1
        brought[function] = 0 if apart else size
        if apart:
            found.add(function)
    return found


Calls = dict[FunctionType, list[FunctionType]]
"""Whom a kernel calls, once for each place."""


def _below(kernel: Callable[..., Any]) -> tuple[Calls, list[FunctionType], dict[FunctionType, int]]:
    """Return who calls whom below `kernel`, every function behind all that it calls, and at how many places it is."""
    callees: Calls = {}
    order: list[FunctionType] = []

    def visit(function: FunctionType) -> None:
        callees[function] = list(_calls(function))
        for callee in callees[function]:
            if callee not in callees:
                visit(callee)
        order.append(function)

    visit(cast(FunctionType, kernel))
    return callees, order, Counter(callee for called in callees.values() for callee in called)


def marked(kernel: Callable[..., Any], mark: str) -> set[FunctionType]:
    """Return the kernels below `kernel` that carry a mark of `carom.kernels.types`."""
    waiting, met = [cast(FunctionType, kernel)], {cast(FunctionType, kernel)}
    while waiting:
        for callee in _calls(waiting.pop()):
            if callee not in met:
                met.add(callee)
                waiting.append(callee)
    return {function for function in met if mark in vars(function)}


def _calls(function: FunctionType) -> Iterator[FunctionType]:
    """Yield the kernels that a function names, once for each place.

    Read off the bytecode itself: `dis.get_instructions` takes twenty times as long, whenever a kernel is loaded.
    """
    code, more = function.__code__, 0
    for operation, argument in zip(code.co_code[::2], code.co_code[1::2], strict=True):
        argument |= more
        more = argument << 8 if operation == EXTENDED_ARG else 0
        if operation == LOAD_GLOBAL:
            callee = function.__globals__.get(code.co_names[argument >> 1])  # the lowest bit: whether it is called next
            if _is_kernel(callee):
                yield callee


def _is_kernel(value: object) -> TypeGuard[FunctionType]:
    return isinstance(value, FunctionType) and (value.__module__ or "").startswith(KERNEL_ROOMS)


def _names(code: CodeType) -> set[str]:
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            names |= _names(constant)
    return names


def _clone(function: FunctionType, scope: dict[str, Any], suffix: str) -> FunctionType:
    clone = FunctionType(function.__code__, scope, function.__name__, function.__defaults__, function.__closure__)
    clone.__module__ = function.__module__
    clone.__qualname__ = function.__qualname__ + suffix
    clone.__kwdefaults__ = function.__kwdefaults__
    clone.__doc__ = function.__doc__
    clone.__dict__.update(function.__dict__)
    return clone
