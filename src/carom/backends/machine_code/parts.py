"""How a kernel is put together: its functions are parts, left as they are until the kernel itself is optimised.

Numba optimises every function together with all that it calls, and turns it into machine code, before its caller is
looked at; a function ten calls deep is worked through ten times. A part is never called from Python, so that its
optimisation and its machine code are wasted: here it stays a text, and all is read and optimised once, as a whole.
Parts become the whole's own, so that LLVM may drop what they take and nobody reads, and inlines them where that is
worth it. That takes a third of the time, and what comes out is faster.
"""

from __future__ import annotations

from typing import Any

from numba.core import config as _config
from numba.core.bytecode import FunctionIdentity as _FunctionIdentity
from numba.core.codegen import JITCodeLibrary as _JITCodeLibrary
from numba.core.compiler import Compiler as _Compiler
from numba.core.compiler import Flags as _Flags

from carom.backends.collector_pause import without_collecting
from carom.backends.front_end.frontend import lean_pipeline
from carom.backends.front_end.typing_memory import remembering
from carom.backends.linker import KERNEL_ROOMS, REPLACED
from carom.backends.machine_code.part_libraries import PartLibrary, UnitLibrary, WholeLibrary
from carom.backends.machine_code.second_core import with_second_core
from carom.backends.relied_on import require

__all__ = ["PartCompiler", "UnitCompiler", "WholeCompiler"]

Compiler: Any = _Compiler
config: Any = _config

require({
    Compiler: ("compile_extra", "define_pipelines"),
    _Flags: ("nrt",),
    _FunctionIdentity: ("from_function",),
    _JITCodeLibrary: ("enable_object_caching",),
})  # fmt: skip

UNIT = "unit"
"""Stands for the number in the name of a unit that is kept: that is the same in every process."""


class _KernelCompiler(Compiler):  # type: ignore[misc]
    """Numba's compiler, its front end shortened for what is ours and counts no references; users get all of it."""

    def define_pipelines(self) -> list[Any]:
        if self.state.func_id.modname.startswith(KERNEL_ROOMS) and not self.state.flags.nrt:
            self.state.typingctx = remembering(self.state.typingctx)
            return [lean_pipeline(self.state)]
        return super().define_pipelines()  # type: ignore[no-any-return]


class PartCompiler(_KernelCompiler):
    """The compiler of parts."""

    def __init__(self, typingctx: Any, targetctx: Any, library: Any, *rest: Any) -> None:
        super().__init__(typingctx, targetctx, library or PartLibrary(targetctx.codegen(), "part"), *rest)


class UnitCompiler(_KernelCompiler):
    """The compiler of units."""

    def __init__(self, typingctx: Any, targetctx: Any, library: Any, *rest: Any) -> None:
        super().__init__(typingctx, targetctx, library or UnitLibrary(targetctx.codegen(), "unit"), *rest)

    def define_pipelines(self) -> list[Any]:
        """Name it after what it is, so that those who call it find it in whatever process it was compiled."""
        told = self.state.func_id
        if not told.func_qualname.endswith(REPLACED):
            told.unique_id, told.unique_name = UNIT, f"{told.func_qualname}${UNIT}"
        self.state.library.kinds = self.state.args
        return super().define_pipelines()


class WholeCompiler(_KernelCompiler):
    """The compiler of the outermost function."""

    def __init__(self, typingctx: Any, targetctx: Any, library: Any, *rest: Any) -> None:
        if library is None:
            library = WholeLibrary(targetctx.codegen(), "kernel")
            library.enable_object_caching()
        super().__init__(typingctx, targetctx, library, *rest)

    def compile_extra(self, func: Any) -> Any:
        """Compile without stopping to collect garbage."""
        with without_collecting(), with_second_core(self._settings()):
            return super().compile_extra(func)

    def _settings(self) -> dict[str, Any] | None:
        """Return what makes a target machine like that of this compiler; None where that is not all that it takes."""
        if config.USING_SVML:  # LLVM is told so for the whole process
            return None
        settings: dict[str, Any] = {"opt": int(config.OPT)}
        self.state.targetctx.codegen()._customize_tm_options(settings)
        return settings
