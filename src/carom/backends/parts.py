"""Functions that are only parts of a kernel: left as they are until the kernel itself is optimised.

Numba optimises every function together with all that it calls, and turns it into machine code, before its caller is
looked at; a function ten calls deep is worked through ten times. A part is never called from Python, so that its
optimisation and its machine code are wasted: here it is only linked, and all is optimised once, as a whole. That halves
the time to compile the engine, and what comes out is a little faster.
"""

from __future__ import annotations

from typing import Any

from numba.core.codegen import JITCodeLibrary as _JITCodeLibrary
from numba.core.compiler import Compiler as _Compiler

__all__ = ["PartCompiler"]

JITCodeLibrary: Any = _JITCodeLibrary
Compiler: Any = _Compiler


class _Silent:
    """A code generator that sets no environment: that of a part has no address of its own."""

    def __init__(self, codegen: Any) -> None:
        self._codegen = codegen

    def __getattr__(self, name: str) -> Any:
        return getattr(self._codegen, name)

    def set_env(self, env_name: str, env: object) -> None:
        """Do nothing."""


class _PartLibrary(JITCodeLibrary):  # type: ignore[misc]
    """The code of a part and of all it calls, linked and no more."""

    @property
    def codegen(self) -> Any:
        return _Silent(self._codegen)

    def finalize(self) -> None:
        self._raise_if_finalized()
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._final_module.verify()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        self._ensure_finalized()
        return 0  # nothing in it can be called from outside


class PartCompiler(Compiler):  # type: ignore[misc]
    """Numba's compiler with such a library."""

    def __init__(self, typingctx: Any, targetctx: Any, library: Any, *rest: Any) -> None:
        super().__init__(typingctx, targetctx, library or _PartLibrary(targetctx.codegen(), "part"), *rest)
