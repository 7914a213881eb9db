"""Numba's front end, shortened for kernels: passes left out, others without what only counted references need.

Most of the time that Numba takes to compile a kernel goes to Python, not to LLVM. Five of its passes end by finding out
where every variable lives and dies; kernels allocate nothing, and nobody asks. Of this room, `typing_memory` remembers
what was resolved, `lowering` lowers plain arithmetic at once, `call_lowering` calls. Nothing of Numba is changed: these
are subclasses, used by our compilers only. All name what they need of Numba beyond its documented interface; where
some of it is missing, `carom.backends.numba` compiles the plain way.
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Any

from numba.core.compiler import DefaultPassBuilder as _DefaultPassBuilder
from numba.core.compiler_machinery import FunctionPass as _FunctionPass
from numba.core.compiler_machinery import PassManager as _PassManager
from numba.core.compiler_machinery import register_pass as _register_pass
from numba.core.interpreter import Interpreter as _Interpreter
from numba.core.ir_utils import build_definitions as _build_definitions
from numba.core.rewrites.registry import rewrite_registry as _rewrite_registry
from numba.core.transforms import canonicalize_cfg as _canonicalize_cfg
from numba.core.typed_passes import NativeLowering as _NativeLowering
from numba.core.typed_passes import NopythonTypeInference as _NopythonTypeInference
from numba.core.typed_passes import PreLowerStripPhis as _PreLowerStripPhis
from numba.core.typeinfer import TypeInferer as _TypeInferer
from numba.core.untyped_passes import GenericRewrites as _GenericRewrites
from numba.core.untyped_passes import IRProcessing as _IRProcessing
from numba.core.untyped_passes import ReconstructSSA as _ReconstructSSA
from numba.core.untyped_passes import TranslateByteCode as _TranslateByteCode

from carom.backends.front_end.lowering import KernelLower
from carom.backends.front_end.single_assignment import single_assignment
from carom.backends.relied_on import require

__all__ = ["lean_pipeline"]

DefaultPassBuilder: Any = _DefaultPassBuilder
FunctionPass: Any = _FunctionPass
Interpreter: Any = _Interpreter
PassManager: Any = _PassManager
register_pass: Any = _register_pass
build_definitions: Any = _build_definitions
rewrite_registry: Any = _rewrite_registry
canonicalize_cfg: Any = _canonicalize_cfg
NativeLowering: Any = _NativeLowering
PreLowerStripPhis: Any = _PreLowerStripPhis
TypeInferer: Any = _TypeInferer

require({
    DefaultPassBuilder: ("define_nopython_pipeline",),
    PassManager: ("_runPass", "add_pass", "finalize"),
    Interpreter: ("interpret", "post_process"),
    NativeLowering: ("lowering_class", "name"),
    PreLowerStripPhis: ("_strip_phi_nodes",),
    TypeInferer: ("build_constraint", "propagate", "seed_argument", "seed_return", "unify"),
    rewrite_registry: ("rewrites",),
})  # fmt: skip

UNNEEDED = frozenset({
    "with_lifting", "inline_closure_likes", "make_function_op_code_to_jit_function", "inline_inlinables",
    "find_literally", "literal_unroll", "inline_overloads", "nopython_rewrites", "dump_parfor_diagnostics",
    "Rewrite dynamic raises", "LiteralPropagation", "ir_legalization", "annotate_types", "dead_branch_prune",
    "rewrite_semantic_constants", "nopython_supported_feature_validation",
})  # fmt: skip
"""Passes for what kernels have not: contexts, closures, literal tricks, array expressions, parallel loops, references
to count, readers of annotations, arguments that may be None, what Numba refuses."""

UNNEEDED_AFTERWARDS = frozenset({"peep_hole_delete_with_exit", "peep_hole_fuse_dict_add_updates"})
"""What tidies up after bytecode that kernels have not: contexts and dictionaries."""


class KernelPasses(PassManager):  # type: ignore[misc]
    """Numba's list of passes, run without what only its debuggers and timers look at.

    For them it describes every argument in words before each pass, which takes as long as the shorter passes.
    """

    def _runPass(self, _index: int, pss: Any, internal_state: Any) -> None:
        pss.analysis = self._analysis
        pss.run_initialization(internal_state)
        pss.run_pass(internal_state)
        pss.run_finalizer(internal_state)


def lean_pipeline(state: Any) -> Any:
    """Return Numba's pipeline without the passes that kernels do not need, and with the passes below for others."""
    whole = DefaultPassBuilder.define_nopython_pipeline(state)
    lean = KernelPasses("kernel")
    for each, text in whole.passes:
        if each.name() not in UNNEEDED:
            lean.add_pass(OURS.get(each, each), text)
    lean.finalize()
    return lean


def _in_order(function: Any) -> None:
    """Merge blocks that follow one another, and drop those that nothing leads to."""
    function.blocks = canonicalize_cfg(function.blocks)
    function.generator_info = None


class _KernelPass(FunctionPass):  # type: ignore[misc]
    def __init__(self) -> None:
        FunctionPass.__init__(self)


class KernelInterpreter(Interpreter):  # type: ignore[misc]
    """Numba's reading of bytecode."""

    def post_process(self, peepholes: list[Any], func_ir: Any) -> Any:
        """Tidy up, where there may be something to."""
        needed = [each for each in peepholes if each.__name__ not in UNNEEDED_AFTERWARDS]
        return super().post_process(needed, func_ir)


@register_pass(mutates_CFG=True, analysis_only=False)
class KernelTranslation(_KernelPass):
    """Read the bytecode."""

    _name = "kernel_translation"

    def run_pass(self, state: Any) -> bool:
        """Interpret the bytecode of the function."""
        state.func_ir = KernelInterpreter(state.func_id).interpret(state.bc)
        return True


@register_pass(mutates_CFG=True, analysis_only=False)
class KernelOrder(_KernelPass):
    """Put the blocks in order."""

    _name = "kernel_order"

    def run_pass(self, state: Any) -> bool:
        """Put its blocks in order."""
        _in_order(state.func_ir)
        return True


@register_pass(mutates_CFG=True, analysis_only=False)
class KernelRewrites(_KernelPass):
    """Rewrite what has constants in it, as Numba does before it infers types."""

    _name = "kernel_rewrites"

    def run_pass(self, state: Any) -> bool:
        """Apply every rewrite to every block until none matches."""
        blocks = state.func_ir.blocks
        for kind in rewrite_registry.rewrites["before-inference"]:
            rewrite = kind(state)
            for key in list(blocks):
                while rewrite.match(state.func_ir, blocks[key], state.typemap, state.calltypes):
                    blocks[key] = rewrite.apply()
        _in_order(state.func_ir)
        return True


@register_pass(mutates_CFG=False, analysis_only=False)
class KernelSSA(_KernelPass):
    """Give every assignment a variable of its own."""

    _name = "kernel_ssa"

    def run_pass(self, state: Any) -> bool:
        """Rewrite its blocks, and note where variables are defined."""
        state.func_ir.blocks = single_assignment(state.func_ir.blocks)
        state.func_ir._definitions = build_definitions(state.func_ir.blocks)
        return True


class _NobodyWarns:
    """In place of what Numba sets up around the typing of every statement, to hold back and sort its warnings."""

    def catch_warnings(self, filename: str, lineno: int) -> AbstractContextManager[None]:
        """Let warnings through."""
        return NOTHING


NOTHING = nullcontext()


@register_pass(mutates_CFG=True, analysis_only=False)
class KernelTypes(_KernelPass):
    """Find the types of all variables."""

    _name = "kernel_types"

    def run_pass(self, state: Any) -> bool:
        """Infer them from those of the arguments."""
        infer = TypeInferer(state.typingctx, state.func_ir, _NobodyWarns())
        with state.typingctx.callstack.register(state.targetctx.target, infer, state.func_id, state.args):
            for index, (name, kind) in enumerate(zip(state.func_ir.arg_names, state.args, strict=True)):
                infer.seed_argument(name, index, kind)
            if state.return_type is not None:
                infer.seed_return(state.return_type)
            infer.build_constraint()
            state.typing_errors = infer.propagate()
            state.typemap, state.return_type, state.calltypes = infer.unify()
        return True


@register_pass(mutates_CFG=True, analysis_only=False)
class KernelStripPhis(PreLowerStripPhis):  # type: ignore[misc]
    """Replace variables that come from several blocks by assignments at the end of these."""

    _name = "kernel_strip_phis"

    def run_pass(self, state: Any) -> bool:
        """Rewrite its blocks, and note where variables are defined now."""
        state.func_ir = self._strip_phi_nodes(state.func_ir)
        state.func_ir._definitions = build_definitions(state.func_ir.blocks)
        _in_order(state.func_ir)
        return True


@register_pass(mutates_CFG=True, analysis_only=False)
class KernelLowering(NativeLowering):  # type: ignore[misc]
    """The pass that lowers by `KernelLower`."""

    @property
    def lowering_class(self) -> Any:
        """Name that class."""
        return KernelLower


OURS: dict[Any, Any] = {
    _TranslateByteCode: KernelTranslation,
    _GenericRewrites: KernelRewrites,
    _IRProcessing: KernelOrder,
    _ReconstructSSA: KernelSSA,
    _NopythonTypeInference: KernelTypes,
    PreLowerStripPhis: KernelStripPhis,
    NativeLowering: KernelLowering,
}
"""Our passes, by those of Numba in whose place they come."""
