"""How a unit is called: with what its arguments cannot be told without.

Numba hands an array over in nine words, of which three say all: where it lies and how many rows and columns it has.
Inside a kernel LLVM drops the others; across the border of a unit it cannot, and a kernel of nine tables hands over
eighty. A unit therefore has a door: a function that takes the three, works out the others and calls what is within.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from llvmlite import ir as _ir
from numba import types as _types
from numba.core.base import BaseContext as _TargetContext
from numba.core.datamodel.models import StructModel as _StructModel

from carom.backends.relied_on import require

__all__ = ["add_door", "door_of", "handed_over"]

ir: Any = _ir
types: Any = _types

require({
    _TargetContext: ("get_arg_packer",), _StructModel: ("as_argument",),
    types: ("Array", "BaseTuple", "boolean", "float64", "int64"),
})  # fmt: skip

DATA = 4
"""Words of an array before the one that says where it lies: two for counted references, two that follow from others."""
ONE_WORD = (types.float64, types.int64, types.boolean)


def door_of(name: str) -> str:
    """Return the name of the door of a unit, from that of the function within."""
    return f"{name}.door"


def _arrays(kinds: tuple[Any, ...]) -> Iterator[tuple[int, Any]]:
    """Yield how many words each argument takes, and the C-ordered array that it is, if so; ValueError for odd kinds."""
    for kind in kinds:
        if isinstance(kind, types.BaseTuple):
            yield from _arrays(tuple(kind))
        elif isinstance(kind, types.Array):
            yield DATA + 1 + 2 * kind.ndim, kind if kind.layout == "C" else None
        elif kind in ONE_WORD:
            yield 1, None
        else:
            raise ValueError(f"{kind} is nothing that units take")


def handed_over(kinds: tuple[Any, ...], words: list[Any]) -> list[Any]:
    """Return the words that the door takes, of all words of arguments of these kinds."""
    chosen: list[Any] = []
    at = 0
    for many, array in _arrays(kinds):
        chosen += words[at : at + many] if array is None else words[at + DATA : at + DATA + 1 + array.ndim]
        at += many
    if at != len(words):
        raise ValueError(f"{len(words)} words are handed over in other ways than these {at}")
    return chosen


def add_door(module: Any, function: Any, kinds: tuple[Any, ...]) -> str:
    """Add a door to a function with arguments of these kinds; return the door's name."""
    result, raised, *words = function.args
    entry = ir.FunctionType(
        function.function_type.return_type,
        [result.type, raised.type, *(each.type for each in handed_over(kinds, words))],
    )
    door = ir.Function(module, entry, door_of(function.name))
    builder = ir.IRBuilder(door.append_basic_block())
    given = iter(door.args[2:])
    told: list[Any] = []
    for many, array in _arrays(kinds):
        if array is None:
            told += [next(given) for _ in range(many)]
        else:
            told += _array_of(builder, array, words[len(told) :], given)
    builder.ret(builder.call(function, [*door.args[:2], *told]))
    function.linkage = "internal"
    return str(door.name)


def _array_of(builder: Any, array: Any, words: list[Any], given: Iterator[Any]) -> list[Any]:
    """Return all words of a C-ordered array, of those that say all."""
    data, *shape = (next(given) for _ in range(1 + array.ndim))
    itemsize = words[DATA - 1].type(array.dtype.bitwidth // 8)
    size, strides = itemsize.type(1), list[Any]()
    for length in reversed(shape):
        strides.insert(0, builder.mul(size, itemsize))
        size = builder.mul(size, length)
    nobody = [each.type(None) for each in words[: DATA - 2]]
    return [*nobody, size, itemsize, data, *shape, *strides]
