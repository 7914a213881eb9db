"""Kernels' arithmetic, elements and variables lowered to LLVM at once; whatever else is met goes Numba's own way.

Kernels are made of float64, int64 and C-ordered arrays of these: every ``row[Q]`` could be a slice, an array or a tuple
to Numba, and for kernels the answer is always the same. Variables that are set at one place are values of LLVM's, not
places on the stack that it has to see through afterwards.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import partial
from typing import Any

from numba import types as _types
from numba.core import errors as _errors
from numba.core import ir as _ir
from numba.core.analysis import compute_cfg_from_blocks as _flow
from numba.core.base import BaseContext as _TargetContext
from numba.core.callconv import NumpyErrorModel as _NumpyErrorModel
from numba.core.cgutils import alloca_once as _alloca_once
from numba.core.controlflow import CFGraph as _CFGraph
from numba.core.datamodel.models import StructModel as _StructModel
from numba.core.lowering import Lower as _Lower

from carom.backends.front_end.call_lowering import CallLower
from carom.backends.front_end.single_assignment import names_read
from carom.backends.front_end.typing_memory import PLAIN, is_whole
from carom.backends.relied_on import require

__all__ = ["KernelLower"]

types: Any = _types
alloca_once: Any = _alloca_once
errors: Any = _errors
flow: Any = _flow
ir: Any = _ir
Lower: Any = _Lower

require({
    Lower: (
        "_find_singly_assigned_variable", "alloca_lltype", "getvar", "loadvar", "lower_assign", "lower_binop",
        "lower_block", "lower_expr", "lower_getitem", "lower_inst", "lower_setitem", "storevar", "typeof",
    ),
    _CFGraph: ("dominators",),
    _TargetContext: (
        "cast", "enable_boundscheck", "enable_debuginfo", "enable_nrt", "get_constant_undef", "get_value_type",
    ),
    _NumpyErrorModel: ("raise_on_fp_zero_division",),
    _StructModel: ("get_field_position",),
    _errors: ("new_error_context",),
    _ir: ("Assign", "StaticSetItem", "Var"),
})  # fmt: skip

FLOAT_RESULTS = {operator.add: "fadd", operator.sub: "fsub", operator.mul: "fmul"}
LOOSE = ("reassoc", "nsz", "contract")
"""Flags of sums that may be added up in any order, products fused with them (`carom.kernels.types.in_any_order`)."""
WHOLE_RESULTS = {operator.add: "add", operator.sub: "sub", operator.mul: "mul"}
COMPARED = {operator.lt: "<", operator.le: "<=", operator.gt: ">", operator.ge: ">=", operator.eq: "=="}


class KernelLower(CallLower):
    """Numba's lowering, with short cuts for scalars and for elements and rows of C-ordered arrays."""

    def _find_singly_assigned_variable(self) -> None:
        """Find the variables that can be values: set at one place, which lies before all that reads them."""
        if self.context.enable_debuginfo:
            super()._find_singly_assigned_variable()
            return
        blocks = self.func_ir.blocks
        above = flow(blocks).dominators()
        home: dict[str, Any] = {}
        changing: set[str] = set()
        readers: dict[str, set[Any]] = {}
        for label in sorted(blocks):
            for statement in blocks[label].body:
                target = statement.target if isinstance(statement, ir.Assign) else None
                for name in names_read(statement):
                    if name not in home:
                        changing.add(name)
                    elif home[name] != label:
                        readers.setdefault(name, set()).add(label)
                if target is not None:
                    if target.name in home:
                        changing.add(target.name)
                    home[target.name] = label
        changing.update(name for name, seen in readers.items() if any(home[name] not in above[label] for label in seen))
        self._singly_assigned_vars = home.keys() - changing
        self._blk_local_varmap: dict[str, Any] = {}

    def loadvar(self, name: str) -> Any:
        """Return the value of a variable."""
        if name in self._blk_local_varmap:
            return self._blk_local_varmap[name]
        if self.context.enable_debuginfo:
            return super().loadvar(name)
        return self.builder.load(self.getvar(name))

    def lower_assign(self, ty: Any, inst: Any) -> Any:
        """Return the value that is assigned; a kernel is none, since its call names it."""
        if isinstance(ty, types.Dispatcher) and isinstance(inst.value, (ir.FreeVar, ir.Global)):
            return self.context.get_constant_undef(ty)
        return super().lower_assign(ty, inst)

    def storevar(self, value: Any, name: str, argidx: Any = None) -> None:
        """Keep the value of a variable."""
        if self.context.enable_debuginfo or self.context.enable_nrt:
            super().storevar(value, name, argidx)
        elif name in self._singly_assigned_vars:
            self._blk_local_varmap[name] = value
        else:
            self.builder.store(value, self.getvar(name))

    def alloca_lltype(self, name: str, lltype: Any, datamodel: Any = None) -> Any:
        """Make room for a variable."""
        if self.context.enable_debuginfo:
            return super().alloca_lltype(name, lltype, datamodel)
        return alloca_once(self.builder, lltype, name=name)

    def lower_binop(self, resty: Any, expr: Any, op: Any) -> Any:
        """Lower an operation on two values."""
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
                make: Callable[..., Any] = getattr(builder, FLOAT_RESULTS[op])
                return partial(make, flags=LOOSE) if "in_any_order" in vars(self.func_ir.func_id.func) else make
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
        """Lower an expression."""
        if expr.op == "static_getitem" and expr.index_var is not None:
            found = self._element(resty, expr.value, expr.index)
            if found is not None:
                return found
        if expr.op == "getattr" and expr.attr == "shape" and self._simple(self.typeof(expr.value.name)):
            return self._field(expr.value.name, "shape")
        return super().lower_expr(resty, expr)

    def lower_getitem(self, resty: Any, expr: Any, value: Any, index: Any, signature: Any) -> Any:
        """Lower the reading of an element or a row."""
        found = self._element(resty, value, index)
        if found is None:
            return super().lower_getitem(resty, expr, value, index, signature)
        return found

    def lower_block(self, block: Any) -> None:
        """Lower the statements of a block; an error names the block's first line and its own."""
        if self.context.enable_debuginfo:
            super().lower_block(block)
            return
        with errors.new_error_context("lowering a block of {name} at {loc}", name=self.fndesc.qualname, loc=block.loc):
            for statement in block.body:
                self.loc = statement.loc
                self.lower_inst(statement)

    def lower_inst(self, inst: Any) -> None:
        """Lower a statement."""
        if isinstance(inst, ir.Assign) and not self.context.enable_debuginfo:
            self.storevar(self.lower_assign(self.typeof(inst.target.name), inst), inst.target.name)
        elif not isinstance(inst, ir.StaticSetItem) or not self._put(inst.target, inst.index, inst.value):
            super().lower_inst(inst)

    def lower_setitem(self, target_var: Any, index_var: Any, value_var: Any, signature: Any) -> Any:
        """Lower the writing of an element."""
        if not self._put(target_var, index_var, value_var):
            return super().lower_setitem(target_var, index_var, value_var, signature)
        return None

    def _element(self, resty: Any, var: Any, index: Any) -> Any:
        """Return an element of an array, or a row of it; None where it is not as simple."""
        array = self.typeof(var.name)
        if not self._simple(array):
            return None
        table = self.loadvar(var.name)
        if isinstance(index, ir.Var) and self.typeof(index.name) == types.slice2_type:
            return self._part(array, table, self.loadvar(index.name)) if array == resty and array.ndim == 1 else None
        indices = self._indices(index)
        if indices is None or len(indices) > array.ndim:
            return None
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
            return [whole(each) for each in given] if is_whole(given) else None
        kind = self.typeof(index.name)
        several = isinstance(kind, types.BaseTuple)
        kinds = tuple(kind) if several else (kind,)
        if not all(each == types.int64 or isinstance(each, types.IntegerLiteral) for each in kinds):
            return None
        whole, held = self.context.get_value_type(types.int64), self.loadvar(index.name)
        return [
            whole(each.literal_value)
            if isinstance(each, types.IntegerLiteral)
            else self.builder.extract_value(held, k) if several else held
            for k, each in enumerate(kinds)
        ]  # fmt: skip

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

    def _part(self, array: Any, table: Any, limits: Any) -> Any:
        """Return the part of a row between two limits, the first not behind the second."""
        builder, models = self.builder, self.context.data_model_manager
        field, limit = models[array].get_field_position, models[types.slice2_type].get_field_position
        start, stop = (builder.extract_value(limits, limit(name)) for name in ("start", "stop"))
        length = builder.extract_value(table, (field("shape"), 0))
        stop = builder.select(builder.icmp_signed("<", stop, length), stop, length)  # it is endless where none is given
        count = builder.sub(stop, start, flags=["nsw"])
        data = builder.gep(builder.extract_value(table, field("data")), [start])
        part = builder.insert_value(table, data, field("data"))
        return builder.insert_value(builder.insert_value(part, count, (field("shape"), 0)), count, field("nitems"))

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
