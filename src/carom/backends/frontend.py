"""Numba's front end, shortened for kernels: passes left out, types remembered, plain arithmetic lowered at once.

Most of the time that Numba takes to compile a kernel goes to Python, not to LLVM: every ``a*b`` is matched against ten
templates, three times over; every ``row[Q]`` runs through indexing that could be a slice, an array or a tuple. Kernels
are made of float64, int64 and C-ordered arrays of these, and for them the answer is always the same. Here it is given
at once; whatever else is met goes Numba's own way. Nothing of Numba is changed: these are subclasses and a context with
a memory, used by our compilers only. `RELIED_ON` names what they need of Numba beyond its documented interface; where
something of it is missing, `carom.backends.numba` compiles the plain way.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import cache
from typing import Any

from numba import types as _types
from numba.core import ir as _ir
from numba.core.base import BaseContext as _TargetContext
from numba.core.callconv import NumpyErrorModel as _NumpyErrorModel
from numba.core.cgutils import alloca_once as _alloca_once
from numba.core.compiler import DefaultPassBuilder as _DefaultPassBuilder
from numba.core.compiler_machinery import PassManager as _PassManager
from numba.core.compiler_machinery import register_pass as _register_pass
from numba.core.datamodel.models import StructModel as _StructModel
from numba.core.lowering import Lower as _Lower
from numba.core.typed_passes import NativeLowering as _NativeLowering
from numba.core.typing.context import BaseContext as _BaseContext

__all__ = ["lean_pipeline", "remembering", "require"]

types: Any = _types
alloca_once: Any = _alloca_once
ir: Any = _ir
DefaultPassBuilder: Any = _DefaultPassBuilder
PassManager: Any = _PassManager
register_pass: Any = _register_pass
Lower: Any = _Lower
NativeLowering: Any = _NativeLowering

RELIED_ON: dict[Any, tuple[str, ...]] = {
    DefaultPassBuilder: ("define_nopython_pipeline",),
    PassManager: ("add_pass", "finalize"),
    NativeLowering: ("lowering_class", "name"),
    Lower: (
        "alloca_lltype", "delvar", "loadvar", "lower_binop", "lower_expr", "lower_getitem", "lower_inst",
        "lower_setitem", "notify_loc", "typeof",
    ),
    _BaseContext: (
        "resolve_function_type", "resolve_getattr", "resolve_setitem", "resolve_static_getitem",
        "resolve_static_setitem",
    ),
    _TargetContext: (
        "cast", "enable_boundscheck", "enable_debuginfo", "enable_nrt", "get_constant_undef", "get_value_type",
    ),
    _NumpyErrorModel: ("raise_on_fp_zero_division",),
    _StructModel: ("get_field_position",),
    _ir: ("StaticSetItem", "Var"),
}  # fmt: skip


def require(names: dict[Any, tuple[str, ...]]) -> None:
    """Raise AttributeError where one of Numba's classes has not what is needed of it."""
    for owner, needed in names.items():
        for name in needed:
            getattr(owner, name)


require(RELIED_ON)

UNNEEDED = frozenset({
    "with_lifting", "inline_closure_likes", "make_function_op_code_to_jit_function", "inline_inlinables",
    "find_literally", "literal_unroll", "inline_overloads", "nopython_rewrites", "dump_parfor_diagnostics",
    "Rewrite dynamic raises", "LiteralPropagation",
})  # fmt: skip
"""Passes for what kernels have not: contexts, closures, literal tricks, array expressions, parallel loops."""


def lean_pipeline(state: Any) -> Any:
    """Return Numba's pipeline without the passes that kernels do not need, and with the lowering below."""
    whole = DefaultPassBuilder.define_nopython_pipeline(state)
    lean = PassManager("kernel")
    for each, text in whole.passes:
        if each.name() in UNNEEDED:
            continue
        lean.add_pass(KernelLowering if each is NativeLowering else each, text)
    lean.finalize()
    return lean


# types --------------------------------------------------------------------------------------------------------------


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
        return self._remembered(ask, (func, tuple(args)), func, args, kws)

    def resolve_getattr(self, typ: Any, attr: str) -> Any:
        return self._remembered(self._context.resolve_getattr, ("getattr", typ, attr), typ, attr)

    def resolve_setitem(self, target: Any, index: Any, value: Any) -> Any:
        ask = self._context.resolve_setitem
        return self._remembered(ask, ("setitem", target, index, value), target, index, value)

    def resolve_static_getitem(self, value: Any, index: Any) -> Any:
        ask = self._context.resolve_static_getitem
        if not _whole(index):
            return ask(value, index)
        return self._remembered(ask, ("static", value, index), value, index)

    def resolve_static_setitem(self, target: Any, index: Any, value: Any) -> Any:
        ask = self._context.resolve_static_setitem
        if not _whole(index):
            return ask(target, index, value)
        return self._remembered(ask, ("static", target, index, value), target, index, value)


@cache
def remembering(context: Any) -> Any:
    """Return `context` with a memory; one for each context."""
    return _Remembering(context)


def _whole(index: Any) -> bool:
    return type(index) is int or (type(index) is tuple and all(type(each) is int for each in index))


# lowering -----------------------------------------------------------------------------------------------------------

FLOAT_RESULTS = {operator.add: "fadd", operator.sub: "fsub", operator.mul: "fmul"}
WHOLE_RESULTS = {operator.add: "add", operator.sub: "sub", operator.mul: "mul"}
COMPARED = {operator.lt: "<", operator.le: "<=", operator.gt: ">", operator.ge: ">=", operator.eq: "=="}
PLAIN = (types.float64, types.int64)
"""Types that lie in memory as they are computed with."""


class KernelLower(Lower):  # type: ignore[misc]
    """Numba's lowering, with short cuts for scalars and for elements and rows of C-ordered arrays."""

    def alloca_lltype(self, name: str, lltype: Any, datamodel: Any = None) -> Any:
        if self.context.enable_debuginfo:
            return super().alloca_lltype(name, lltype, datamodel)
        return alloca_once(self.builder, lltype, name=name)

    def delvar(self, name: str) -> None:
        if self.context.enable_nrt:  # else nothing is counted: a variable just ends
            super().delvar(name)

    def lower_binop(self, resty: Any, expr: Any, op: Any) -> Any:
        signature = self.fndesc.calltypes[expr]
        make = self._arithmetic(op, signature)
        if make is None:
            return super().lower_binop(resty, expr, op)
        cast, builder = self.context.cast, self.builder
        left = cast(builder, self.loadvar(expr.lhs.name), self.typeof(expr.lhs.name), signature.args[0])
        right = cast(builder, self.loadvar(expr.rhs.name), self.typeof(expr.rhs.name), signature.args[1])
        return cast(builder, make(left, right), signature.return_type, resty)

    def _arithmetic(self, op: Any, signature: Any) -> Callable[[Any, Any], Any] | None:
        """Return what builds the instruction, as Numba's own implementation of this signature would."""
        if len(signature.args) != 2 or signature.args[0] != signature.args[1]:
            return None
        kind, result, builder = signature.args[0], signature.return_type, self.builder
        if kind == types.float64:
            if op in FLOAT_RESULTS and result == kind:
                return getattr(builder, FLOAT_RESULTS[op])  # type: ignore[no-any-return]
            if op is operator.truediv and result == kind and not self.context.error_model.raise_on_fp_zero_division:
                return builder.fdiv  # type: ignore[no-any-return]
            if op in COMPARED:
                return lambda a, b: builder.fcmp_ordered(COMPARED[op], a, b)
            if op is operator.ne:
                return lambda a, b: builder.fcmp_unordered("!=", a, b)
        elif kind == types.int64:
            if op in WHOLE_RESULTS and result == kind:
                return lambda a, b: getattr(builder, WHOLE_RESULTS[op])(a, b, flags=["nsw"])
            if op in COMPARED or op is operator.ne:
                return lambda a, b: builder.icmp_signed(COMPARED.get(op, "!="), a, b)
        return None

    def lower_expr(self, resty: Any, expr: Any) -> Any:
        if expr.op == "static_getitem" and expr.index_var is not None:
            found = self._element(resty, expr.value, expr.index)
            if found is not None:
                return found
        return super().lower_expr(resty, expr)

    def lower_getitem(self, resty: Any, expr: Any, value: Any, index: Any, signature: Any) -> Any:
        found = self._element(resty, value, index)
        if found is None:
            return super().lower_getitem(resty, expr, value, index, signature)
        return found

    def lower_inst(self, inst: Any) -> None:
        if isinstance(inst, ir.StaticSetItem):
            self.notify_loc(self.loc)
            if self._put(inst.target, inst.index, inst.value):
                return
        super().lower_inst(inst)

    def lower_setitem(self, target_var: Any, index_var: Any, value_var: Any, signature: Any) -> Any:
        if not self._put(target_var, index_var, value_var):
            return super().lower_setitem(target_var, index_var, value_var, signature)
        return None

    def _element(self, resty: Any, var: Any, index: Any) -> Any:
        """Return an element of an array, or a row of it; None where it is not as simple."""
        array = self.typeof(var.name)
        if not self._simple(array):
            return None
        indices = self._indices(index)
        if indices is None or len(indices) > array.ndim:
            return None
        table = self.loadvar(var.name)
        if len(indices) == array.ndim:
            if resty != array.dtype:
                return None
            return self.builder.load(self._place(array, table, indices))
        if not isinstance(resty, types.Array) or (resty.ndim, resty.layout) != (array.ndim - len(indices), "C"):
            return None
        return self._view(array, table, indices, resty)

    def _put(self, target: Any, index: Any, value: Any) -> bool:
        """Store an element; return False where that is not as simple."""
        array = self.typeof(target.name)
        if not self._simple(array) or not array.mutable or self.typeof(value.name) not in (array.dtype, *PLAIN):
            return False
        indices = self._indices(index)
        if indices is None or len(indices) != array.ndim:
            return False
        number = self.context.cast(self.builder, self.loadvar(value.name), self.typeof(value.name), array.dtype)
        self.builder.store(number, self._place(array, self.loadvar(target.name), indices))
        return True

    def _simple(self, array: Any) -> bool:
        return (
            isinstance(array, types.Array)
            and array.layout == "C"
            and array.aligned
            and array.dtype in PLAIN
            and array.ndim > 0
            and not self.context.enable_boundscheck
        )

    def _indices(self, index: Any) -> list[Any] | None:
        """Return the indices as whole numbers of LLVM's: of constants, or of a variable that holds one or some."""
        if not isinstance(index, ir.Var):
            given = index if isinstance(index, tuple) else (index,)
            whole = self.context.get_value_type(types.int64)
            return [whole(each) for each in given] if _whole(given) else None
        kind = self.typeof(index.name)
        if isinstance(kind, types.BaseTuple):
            if any(each != types.int64 for each in kind):
                return None
            held = self.loadvar(index.name)
            return [self.builder.extract_value(held, k) for k in range(len(kind))]
        if isinstance(kind, types.IntegerLiteral):
            return [self.context.get_value_type(types.int64)(kind.literal_value)]
        return [self.loadvar(index.name)] if kind == types.int64 else None

    def _place(self, array: Any, table: Any, indices: list[Any]) -> Any:
        """Return the address of the element with these indices, zeros behind them; negative ones count from the end."""
        builder, field = self.builder, self.context.data_model_manager[array].get_field_position
        shape = field("shape")
        at = None
        for axis in range(array.ndim):
            if axis:
                at = builder.mul(at, builder.extract_value(table, (shape, axis)))
            if axis >= len(indices):
                continue
            index = indices[axis]
            constant = getattr(index, "constant", None)
            if constant is None or constant < 0:
                length = builder.extract_value(table, (shape, axis))
                below = builder.icmp_signed("<", index, index.type(0))
                index = builder.select(below, builder.add(index, length), index)
            at = index if at is None else builder.add(at, index)
        return builder.gep(builder.extract_value(table, field("data")), [at])

    def _view(self, array: Any, table: Any, indices: list[Any], resty: Any) -> Any:
        """Return the part of an array that the first indices leave."""
        builder, models, left = self.builder, self.context.data_model_manager, len(indices)
        of, to = models[array].get_field_position, models[resty].get_field_position
        view = self.context.get_constant_undef(resty)
        for name in ("meminfo", "parent", "itemsize"):
            view = builder.insert_value(view, builder.extract_value(table, of(name)), to(name))
        view = builder.insert_value(view, self._place(array, table, indices), to("data"))
        count = None
        for axis in range(resty.ndim):
            length = builder.extract_value(table, (of("shape"), left + axis))
            stride = builder.extract_value(table, (of("strides"), left + axis))
            view = builder.insert_value(view, length, (to("shape"), axis))
            view = builder.insert_value(view, stride, (to("strides"), axis))
            count = length if count is None else builder.mul(count, length)
        return builder.insert_value(view, count, to("nitems"))


@register_pass(mutates_CFG=True, analysis_only=False)
class KernelLowering(NativeLowering):  # type: ignore[misc]
    """The pass that lowers by `KernelLower`."""

    @property
    def lowering_class(self) -> Any:
        """Name that class."""
        return KernelLower
