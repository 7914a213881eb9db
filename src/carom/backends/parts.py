"""How a kernel is put together: its functions are parts, left as they are until the kernel itself is optimised.

Numba optimises every function together with all that it calls, and turns it into machine code, before its caller is
looked at; a function ten calls deep is worked through ten times. A part is never called from Python, so that its
optimisation and its machine code are wasted: here it stays a text, and all is read and optimised once, as a whole.
Parts become the whole's own, so that LLVM may drop what they take and nobody reads, and inlines them where that is
worth it. That takes a third of the time, and what comes out is faster.
"""

from __future__ import annotations

from typing import Any

from llvmlite.binding import Linkage as _Linkage
from llvmlite.binding import create_pass_builder as _create_pass_builder
from llvmlite.binding import create_pipeline_tuning_options as _create_pipeline_tuning_options
from llvmlite.binding import parse_assembly as _parse_assembly
from numba.core.cgutils import normalize_ir_text as _normalize_ir_text
from numba.core.codegen import CodeLibrary as _CodeLibrary
from numba.core.codegen import CPUCodegen as _CPUCodegen
from numba.core.codegen import JITCodeLibrary as _JITCodeLibrary
from numba.core.compiler import Compiler as _Compiler
from numba.core.compiler import Flags as _Flags

from carom.backends.call_lowering import raising
from carom.backends.collector_pause import without_collecting
from carom.backends.frontend import lean_pipeline
from carom.backends.joined_text import ModuleText, joined, text_of
from carom.backends.linker import KERNEL_ROOMS
from carom.backends.relied_on import require
from carom.backends.typing_memory import remembering

__all__ = ["PartCompiler", "WholeCompiler"]

CodeLibrary: Any = _CodeLibrary
JITCodeLibrary: Any = _JITCodeLibrary
parse_assembly: Any = _parse_assembly
normalize_ir_text: Any = _normalize_ir_text
Compiler: Any = _Compiler
Linkage: Any = _Linkage
create_pass_builder: Any = _create_pass_builder
create_pipeline_tuning_options: Any = _create_pipeline_tuning_options

require({
    _CPUCodegen: ("_create_empty_module", "_pass_builder"),
    Compiler: ("compile_extra", "define_pipelines"),
    _Flags: ("nrt",),
    JITCodeLibrary: (
        "_ensure_finalized", "_optimize_final_module", "_raise_if_finalized", "add_ir_module", "enable_object_caching",
        "finalize", "get_pointer_to_function",
    ),
    Linkage: ("external", "internal", "linkonce_odr"),
})  # fmt: skip

MANY = 150
"""Parts of which the longest kernels have more."""


class _Silent:
    """A code generator that sets no environment: that of a part has no address of its own."""

    def __init__(self, codegen: Any) -> None:
        self._codegen = codegen

    def __getattr__(self, name: str) -> Any:
        return getattr(self._codegen, name)

    def set_env(self, env_name: str, env: object) -> None:
        """Do nothing."""


class _KernelLibrary(JITCodeLibrary):  # type: ignore[misc]
    """Code that is read, linked and optimised once all of it is together."""

    inside: bool
    """Whether nothing but the whole calls what is in it."""

    def __init__(self, codegen: Any, name: str) -> None:
        CodeLibrary.__init__(self, codegen, name)
        self._linking_libraries: list[Any] = []
        self._shared_module = None
        self.texts: list[ModuleText] = []

    def add_ir_module(self, ir_module: Any) -> None:
        self._raise_if_finalized()
        self.texts.append(text_of(ir_module, inside=self.inside))


class _PartLibrary(_KernelLibrary):
    """The code of a part alone: the whole has what it calls."""

    inside = True

    def __init__(self, codegen: Any, name: str) -> None:
        super().__init__(codegen, name)
        self.raising: set[str] = set()
        """The functions in it that may raise."""

    @property
    def codegen(self) -> Any:
        return _Silent(self._codegen)

    def add_ir_module(self, ir_module: Any) -> None:
        self.raising |= raising(ir_module)
        super().add_ir_module(ir_module)

    def finalize(self) -> None:
        self._raise_if_finalized()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        self._ensure_finalized()
        return 0  # nothing in it can be called from outside


class _WholeLibrary(_KernelLibrary):
    """The code of a kernel and of all its parts, each there once."""

    inside = False

    def finalize(self) -> None:
        below: dict[Any, None] = {}
        waiting = list(self._linking_libraries)
        while waiting:
            library = waiting.pop()
            if library not in below:
                below[library] = None
                if isinstance(library, _PartLibrary):
                    waiting.extend(library._linking_libraries)
        parts = [each for each in below if isinstance(each, _PartLibrary)]
        self._linking_libraries = [each for each in below if not isinstance(each, _PartLibrary)]
        self._parts = len(parts)
        self._final_module = self._read([*self.texts, *(text for part in parts for text in part.texts)])
        super().finalize()

    def _read(self, texts: list[ModuleText]) -> Any:
        """Return the module of LLVM's that these texts make together."""
        empty = str(self._codegen._create_empty_module(self.name))
        module = parse_assembly(normalize_ir_text(f"{empty}\n{joined(texts)}"))
        module.name = normalize_ir_text(self.name)
        module.data_layout = self._codegen._data_layout
        return module

    def _optimize_final_module(self) -> None:
        for function in self._final_module.functions:
            if function.linkage == Linkage.linkonce_odr and not function.is_declaration:
                function.linkage = Linkage.internal
        builder = create_pass_builder(self._codegen._tm, _tuning(self._parts))
        builder.getModulePassManager().run(self._final_module, builder)


def _tuning(parts: int) -> Any:
    """Return what LLVM is to do with a kernel of so many parts.

    All it can, but repeat no loop's body, which compiles longer and runs no faster; so do the longest kernels with all
    that it can.
    """
    options = create_pipeline_tuning_options(speed_level=3 if parts < MANY else 2)
    options.slp_vectorization = False
    options.loop_unrolling = options.loop_interleaving = False
    return options


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
        super().__init__(typingctx, targetctx, library or _PartLibrary(targetctx.codegen(), "part"), *rest)


class WholeCompiler(_KernelCompiler):
    """The compiler of the outermost function."""

    def __init__(self, typingctx: Any, targetctx: Any, library: Any, *rest: Any) -> None:
        if library is None:
            library = _WholeLibrary(targetctx.codegen(), "kernel")
            library.enable_object_caching()
        super().__init__(typingctx, targetctx, library, *rest)

    def compile_extra(self, func: Any) -> Any:
        """Compile without stopping to collect garbage."""
        with without_collecting():
            return super().compile_extra(func)
