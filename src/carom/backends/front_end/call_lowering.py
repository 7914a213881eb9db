"""Calls lowered to LLVM in a third of Numba's instructions: of one kernel by another, of `min`, `max` and `int`.

Numba asks after every call in seven ways how it ended, and hands on what was raised. A kernel that raises nothing is
known as such before its callers are lowered: nobody asks. What does raise writes where its outermost caller looks.
"""

from __future__ import annotations

from typing import Any

from llvmlite.ir import Function as _Function
from llvmlite.ir import FunctionType as _FunctionType
from numba import types as _types
from numba.core.base import BaseContext as _TargetContext
from numba.core.callconv import CPUCallConv as _CallConv
from numba.core.cgutils import alloca_once as _alloca_once
from numba.core.lowering import Lower as _Lower

from carom.backends.front_end.range_lowering import RangeLower
from carom.backends.front_end.typing_memory import at_once
from carom.backends.front_end.unit_entry import handed_over
from carom.backends.relied_on import require

__all__ = ["CallLower", "raising"]

Function: Any = _Function
FunctionType: Any = _FunctionType
types: Any = _types
alloca_once: Any = _alloca_once
Lower: Any = _Lower

require({
    Lower: ("_lower_call_normal", "fold_call_args"),
    _TargetContext: ("add_linking_libs", "declare_function", "get_arg_packer", "get_returned_value"),
    _CallConv: ("_get_excinfo_argument", "get_function_type"),
    _types: ("Dispatcher", "Function", "Optional", "slice2_type"),
})  # fmt: skip

ENDLESS = (1 << 63) - 1
"""Where a part of a row ends that has no end given."""
SMALLEST, LARGEST = "<", ">"


def raising(module: Any) -> set[str]:
    """Return the names of the functions of a module of LLVM's that may end otherwise than well."""
    return {
        function.name
        for function in module.functions
        for block in function.blocks
        if block.terminator.opname == "ret" and getattr(block.terminator.operands[0], "constant", None) != 0
    }


class CallLower(RangeLower):
    """Numba's lowering, with short cuts for calls."""

    def _lower_call_normal(self, fnty: Any, expr: Any, signature: Any) -> Any:
        """Lower a call of a part, or of what is one instruction; leave all others to Numba."""
        if isinstance(fnty, types.Dispatcher):
            part = fnty.dispatcher.overloads.get(tuple(signature.args))
            plain = part is not None and not isinstance(part.fndesc.restype, types.Optional)
            if plain and hasattr(part.library, "raising"):
                return self._call(part, self.fold_call_args(fnty, signature, expr.args, expr.vararg, expr.kws))
        elif isinstance(fnty, types.Function) and not expr.kws and expr.vararg is None:
            found = self._at_once(fnty.typing_key, [each.name for each in expr.args], signature)
            if found is not None:
                return found
        return super()._lower_call_normal(fnty, expr, signature)

    def _call(self, part: Any, values: list[Any]) -> Any:
        """Call a part; where it raises, this function ends as it did."""
        builder, context, told = self.builder, self.context, part.fndesc
        arguments = context.get_arg_packer(told.argtypes).as_arguments(builder, values)
        if door := getattr(part.library, "symbol", None):
            arguments = handed_over(told.argtypes, arguments)
        function = self.module.globals.get(door or told.mangled_name)
        if function is None and door is None:
            function = context.declare_function(self.module, told)
        elif function is None:
            whole = context.call_conv.get_function_type(told.restype, told.argtypes)
            kinds = [*whole.args[:2], *(each.type for each in arguments)]
            function = Function(self.module, FunctionType(whole.return_type, kinds), door)
        result = alloca_once(builder, function.args[0].type.pointee)
        raised = context.call_conv._get_excinfo_argument(builder.function)
        code = builder.call(function, [result, raised, *arguments])
        if told.mangled_name in part.library.raising:
            with builder.if_then(builder.icmp_signed("!=", code, code.type(0)), likely=False):
                builder.ret(code)
        context.add_linking_libs([part.library])
        return context.get_returned_value(builder, told.restype, builder.load(result))

    def _at_once(self, function: Any, names: list[str], signature: Any) -> Any:
        """Return what a function of Python's own gives, where that is an instruction or two; None where it is not."""
        if function is slice and signature.return_type == types.slice2_type:
            return self._limits(names, signature.args, signature.return_type)
        if at_once(function, signature.args) is None:
            return None
        if function is int:
            return self._converted(names[0], types.int64)
        return self._choice(SMALLEST if function is min else LARGEST, names, signature.return_type)

    def _converted(self, name: str, kind: Any) -> Any:
        return self.context.cast(self.builder, self.loadvar(name), self.typeof(name), kind)

    def _choice(self, sign: str, names: list[str], kind: Any) -> Any:
        """Return the smallest or largest value, the first of equal ones, as Python does; NaN is neither."""
        compare = self.builder.fcmp_ordered if kind == types.float64 else self.builder.icmp_signed
        chosen, *others = (self._converted(each, kind) for each in names)
        for other in others:
            chosen = self.builder.select(compare(sign, other, chosen), other, chosen)
        return chosen

    def _limits(self, names: list[str], kinds: tuple[Any, ...], result: Any) -> Any:
        """Return the limits of a part of a row, of which one or both may be left out."""
        whole = self.context.get_value_type(types.int64)
        kinds = tuple(types.unliteral(kind) for kind in kinds)
        if len(names) != 2 or not all(kind in (types.int64, types.none) for kind in kinds):
            return None
        start, stop = (
            whole(left_out) if kind == types.none else self._converted(name, types.int64)
            for name, kind, left_out in zip(names, kinds, (0, ENDLESS), strict=True)
        )
        return self._structure(result, start=start, stop=stop, step=whole(1))
