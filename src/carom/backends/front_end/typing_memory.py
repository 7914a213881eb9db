"""A typing context that remembers: every ``a*b`` is matched against ten templates once, not three times each time."""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import cache
from typing import Any

from numba import types as _types
from numba.core.typing.context import BaseContext as _BaseContext
from numba.core.typing.templates import signature as _signature

from carom.backends.relied_on import require

__all__ = ["PLAIN", "at_once", "is_whole", "remembering"]

signature: Any = _signature
types: Any = _types

PLAIN = (types.float64, types.int64)
"""Types of most of a kernel's numbers; they lie in memory as they are computed with."""

require({
    _BaseContext: (
        "resolve_function_type", "resolve_getattr", "resolve_setitem", "resolve_static_getitem",
        "resolve_static_setitem", "resolve_value_type",
    ),
})  # fmt: skip


class _Remembering:
    """A typing context that remembers what it resolved; all else is the context's own."""

    def __init__(self, context: Any) -> None:
        self._context = context
        self._memory: dict[Any, Any] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._context, name)

    def _remembered(self, ask: Callable[..., Any], key: tuple[Any, ...], *arguments: Any) -> Any:
        try:
            return self._memory[key]
        except KeyError:
            found = self._memory[key] = ask(*arguments)
            return found

    def resolve_function_type(self, func: Any, args: Any, kws: Any) -> Any:
        ask = self._context.resolve_function_type
        known = isinstance(func, types.Function) or getattr(func, "__module__", "") == "_operator"
        if kws or not known:
            return ask(func, args, kws)
        kinds = tuple(types.unliteral(each) for each in args)
        result = at_once(getattr(func, "typing_key", None), kinds)
        if result is not None:
            return signature(result, *kinds)
        if func is operator.getitem and isinstance(args[0], types.Array):
            args = args[0], types.unliteral(args[1])  # an array has one type of elements
        return self._remembered(ask, (func, tuple(args)), func, args, kws)

    def resolve_value_type(self, val: Any) -> Any:
        ask = self._context.resolve_value_type
        if type(val) not in (int, float):
            return ask(val)
        return self._remembered(ask, ("value", type(val), val), val)

    def resolve_getattr(self, typ: Any, attr: str) -> Any:
        return self._remembered(self._context.resolve_getattr, ("getattr", typ, attr), typ, attr)

    def resolve_setitem(self, target: Any, index: Any, value: Any) -> Any:
        ask = self._context.resolve_setitem
        if isinstance(target, types.Array):
            index, value = types.unliteral(index), types.unliteral(value)
        return self._remembered(ask, ("setitem", target, index, value), target, index, value)

    def resolve_static_getitem(self, value: Any, index: Any) -> Any:
        ask = self._context.resolve_static_getitem
        if not is_whole(index):
            return ask(value, index)
        return self._remembered(ask, ("static", value, index), value, index)

    def resolve_static_setitem(self, target: Any, index: Any, value: Any) -> Any:
        ask = self._context.resolve_static_setitem
        if not is_whole(index):
            return ask(target, index, value)
        return self._remembered(ask, ("static", target, index, value), target, index, value)


@cache
def remembering(context: Any) -> Any:
    """Return `context` with a memory; one for each context."""
    return _Remembering(context)


def at_once(function: Any, kinds: tuple[Any, ...]) -> Any:
    """Return the type of what `min`, `max` and `int` give of numbers, which is an instruction or two; None otherwise.

    To Numba they are functions in Python, compiled for every number of arguments.
    """
    if function in (min, max) and len(kinds) > 1 and kinds[0] in PLAIN and all(kind == kinds[0] for kind in kinds):
        return kinds[0]
    if function is int and len(kinds) == 1 and kinds[0] in (*PLAIN, types.boolean):
        return types.int64
    return None


def is_whole(index: Any) -> bool:
    """Tell whether a constant index is a whole number or several."""
    return type(index) is int or (type(index) is tuple and all(type(each) is int for each in index))
