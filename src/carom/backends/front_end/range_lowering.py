"""Loops over ranges lowered to LLVM in a third of Numba's instructions, to the same machine code.

Numba packs what a loop needs into structures on the stack, copies them at every use, and has LLVM take them apart
again. Here the structures are values. What LLVM makes of a loop depends on when it sees through to the counters: that
they are behind pointers within the structure, and the value of a turn on the stack, is as Numba has it.
"""

from __future__ import annotations

from typing import Any

from numba import types as _types
from numba.core.base import BaseContext as _TargetContext
from numba.core.callconv import CPUCallConv as _CallConv
from numba.core.cgutils import alloca_once as _alloca_once
from numba.core.datamodel.models import StructModel as _StructModel
from numba.core.lowering import Lower as _Lower

from carom.backends.relied_on import require

__all__ = ["RangeLower"]

types: Any = _types
alloca_once: Any = _alloca_once
Lower: Any = _Lower

require({
    Lower: ("loadvar", "lower_expr", "typeof"),
    _TargetContext: ("cast", "get_constant_undef"),
    _CallConv: ("return_user_exc",),
    _StructModel: ("get_field_position",),
    _types: ("Pair", "int64", "range_iter64_type", "range_state64_type"),
})  # fmt: skip


class RangeLower(Lower):  # type: ignore[misc]
    """Numba's lowering, with a short cut for loops over ranges."""

    def lower_expr(self, resty: Any, expr: Any) -> Any:
        """Lower what a loop over a range is made of; leave all else to Numba."""
        if expr.op == "call" and resty == types.range_state64_type and not expr.kws and expr.vararg is None:
            return self._range(resty, [each.name for each in expr.args])
        if expr.op == "getiter" and resty == types.range_iter64_type:
            return self._begin(resty, expr.value.name)
        if expr.op == "iternext" and self.typeof(expr.value.name) == types.range_iter64_type:
            return self._turn(resty, expr.value.name)
        if expr.op in ("pair_first", "pair_second") and isinstance(self.typeof(expr.value.name), types.Pair):
            return self._field(expr.value.name, expr.op.removeprefix("pair_"))
        return super().lower_expr(resty, expr)

    def _field(self, name: str, field: str) -> Any:
        position = self.context.data_model_manager[self.typeof(name)].get_field_position(field)
        return self.builder.extract_value(self.loadvar(name), position)

    def _structure(self, kind: Any, **fields: Any) -> Any:
        position = self.context.data_model_manager[kind].get_field_position
        made = self.context.get_constant_undef(kind)
        for name, value in fields.items():
            made = self.builder.insert_value(made, value, position(name))
        return made

    def _range(self, resty: Any, names: list[str]) -> Any:
        whole = self.context.get_value_type(types.int64)
        given = [self.context.cast(self.builder, self.loadvar(each), self.typeof(each), types.int64) for each in names]
        start, stop, step = {1: [whole(0), *given, whole(1)], 2: [*given, whole(1)], 3: given}[len(given)]
        return self._structure(resty, start=start, stop=stop, step=step)

    def _begin(self, resty: Any, name: str) -> Any:
        builder = self.builder
        start, stop, step = (self._field(name, each) for each in ("start", "stop", "step"))
        following, left = alloca_once(builder, start.type), alloca_once(builder, start.type)
        builder.store(start, following)
        zero, one, length = start.type(0), start.type(1), builder.sub(stop, start)
        forward = builder.icmp_signed(">", length, zero)
        away = builder.xor(forward, builder.icmp_signed(">", step, zero))
        if not self._by_ones(name):
            with builder.if_then(builder.icmp_unsigned("==", step, zero), likely=False):
                self.call_conv.return_user_exc(builder, ValueError, ("range() arg 3 must not be zero",))
        with builder.if_else(away) as (never, turns):
            with never:
                builder.store(zero, left)
            with turns:
                rest = builder.srem(length, step)
                rest = builder.select(forward, rest, builder.neg(rest))
                more = builder.select(builder.icmp_signed(">", rest, zero), one, zero)
                builder.store(builder.add(builder.sdiv(length, step), more), left)
        return self._structure(resty, iter=following, stop=stop, step=step, count=left)

    def _by_ones(self, name: str) -> bool:
        """Tell whether a range is known to be made without a step."""
        made = self.func_ir._definitions.get(name, ())
        return len(made) == 1 and getattr(made[0], "op", "") == "call" and len(made[0].args) < 3

    def _turn(self, resty: Any, name: str) -> Any:
        builder = self.builder
        following, step, count = (self._field(name, each) for each in ("iter", "step", "count"))
        value = alloca_once(builder, following.type.pointee)
        left = builder.load(count)
        valid = builder.icmp_signed(">", left, left.type(0))
        with builder.if_then(valid):
            now = builder.load(following)
            builder.store(now, value)
            builder.store(builder.sub(left, left.type(1), flags=["nsw"]), count)
            builder.store(builder.add(now, step), following)
        return self._structure(resty, first=builder.load(value), second=valid)
