"""The code of a kernel's functions on its way to LLVM: parts, units and the whole.

A part stays a text. A unit is what a marked part and those below it make together: machine code of its own, which all
kernels that call it share. The whole has all parts that belong to no unit, and calls the units by their symbols.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite.binding import parse_assembly as _parse_assembly
from numba.core.cgutils import normalize_ir_text as _normalize_ir_text
from numba.core.codegen import CodeLibrary as _CodeLibrary
from numba.core.codegen import CPUCodegen as _CPUCodegen
from numba.core.codegen import JITCodeLibrary as _JITCodeLibrary
from numba.core.compiler import compile_result as _compile_result
from numba.core.environment import Environment as _Environment

from carom.backends.front_end.call_lowering import raising
from carom.backends.front_end.unit_entry import add_door
from carom.backends.machine_code.joined_text import ModuleText, joined, text_of
from carom.backends.machine_code.second_core import help_out, order
from carom.backends.machine_code.unit_worker import Job, optimise
from carom.backends.relied_on import require

__all__ = ["PartLibrary", "UnitLibrary", "WholeLibrary", "known_unit"]

CodeLibrary: Any = _CodeLibrary
JITCodeLibrary: Any = _JITCodeLibrary
Environment: Any = _Environment
compile_result: Any = _compile_result
parse_assembly: Any = _parse_assembly
normalize_ir_text: Any = _normalize_ir_text

require({
    _CPUCodegen: ("_create_empty_module",),
    JITCodeLibrary: (
        "_ensure_finalized", "_finalize_final_module", "_get_module_for_linking", "_optimize_final_module",
        "_raise_if_finalized", "_unserialize", "add_ir_module", "finalize", "get_pointer_to_function",
    ),
    Environment: ("from_fndesc",),
})  # fmt: skip

MANY = 150
"""Parts of which the longest kernels have more."""
DYNAMIC = "numba.dynamic.globals"
"""How variables are called that hold addresses of this process."""


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

    def _gather(self) -> tuple[list[PartLibrary], list[UnitLibrary], list[Any]]:
        """Return the parts that belong to this, the units that these call, and the libraries of Numba's own."""
        below: dict[Any, None] = {}
        waiting = list(self._linking_libraries)
        while waiting:
            library = waiting.pop()
            if library not in below:
                below[library] = None
                if isinstance(library, PartLibrary):
                    waiting.extend(library._linking_libraries)
        parts = [each for each in below if isinstance(each, PartLibrary)]
        units = [each for each in below if isinstance(each, UnitLibrary)]
        return parts, units, [each for each in below if not isinstance(each, (PartLibrary, UnitLibrary))]

    def _text(self, parts: list[PartLibrary]) -> str:
        """Return what this and its parts say together."""
        empty = str(self._codegen._create_empty_module(self.name))
        told = joined([*self.texts, *(text for part in parts for text in part.texts)])
        return normalize_ir_text(f"{empty}\n{told}")  # type: ignore[no-any-return]


class _InnerLibrary(_KernelLibrary):
    """Code that nobody calls from Python."""

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

    def get_pointer_to_function(self, name: str) -> int:
        self._ensure_finalized()
        return 0  # nothing in it can be called from outside


class PartLibrary(_InnerLibrary):
    """The code of a part alone: the whole, or a unit, has what it calls."""

    inside = True

    def finalize(self) -> None:
        """Take nothing more."""
        self._raise_if_finalized()
        self._finalized = True


class UnitLibrary(_InnerLibrary):
    """The code of a unit: it is ordered as soon as it is all there, and loaded before what calls it."""

    inside = False
    symbol: str
    """What its callers call."""
    kinds: tuple[Any, ...]
    """What its arguments are."""
    file = ""
    """The name of the file in which it is kept; none for what is never kept."""
    keep: Callable[[], None] | None = None
    """What is still to be done to keep it."""

    def __init__(self, codegen: Any, name: str) -> None:
        super().__init__(codegen, name)
        self.units: list[UnitLibrary] = []
        self._code: Callable[[], bytes] | None = None

    @classmethod
    def of_code(cls, codegen: Any, symbol: str, code: bytes) -> UnitLibrary:
        """Return a unit whose machine code is known."""
        unit = cls(codegen, symbol)
        unit.symbol, unit._code, unit._finalized = symbol, lambda: code, True
        return unit

    def add_ir_module(self, ir_module: Any) -> None:
        """Take the function that is marked, and give it a door."""
        (within,) = (each for each in ir_module.functions if each.blocks and not each.linkage)
        self.symbol = add_door(ir_module, within, self.kinds)
        super().add_ir_module(ir_module)

    def finalize(self) -> None:
        """Order its machine code."""
        self._raise_if_finalized()
        parts, self.units, others = self._gather()
        texts = (text for each in (self, *parts) for text in each.texts)
        self._dynamic_globals = [name for text in texts for name in text.variables if name.startswith(DYNAMIC)]
        beside = tuple(each._get_module_for_linking().as_bitcode() for each in others)
        for each in others:
            self._reload_init.update(each._reload_init)
        self._code = order(Job(self._text(parts), beside, self.symbol, _level(len(parts))), self._codegen._tm).code
        self._finalized = True

    def code(self) -> bytes:
        """Return its machine code, waiting for it."""
        self._ensure_finalized()
        assert self._code is not None
        return self._code()

    def load(self) -> None:
        """Make it ready to be called, with the units that it calls; keep what is to be kept."""
        for each in self.units:
            each.load()
        if self.symbol not in _loaded:
            nothing = parse_assembly(str(self._codegen._create_empty_module(self.symbol)))
            state = (self.symbol, "object", (self.code(), nothing.as_bitcode()))
            _loaded[self.symbol] = JITCodeLibrary._unserialize(self._codegen, state)
        if self.keep is not None:
            self.keep()
            self.keep = None


_loaded: dict[str, Any] = {}
"""What holds the machine code of units, by their symbols: equal ones, of whatever process, name the same."""


class WholeLibrary(_KernelLibrary):
    """The code of a kernel and of all its parts, each there once, without that of its units."""

    inside = False

    def finalize(self) -> None:
        """Put it together, optimise it and make it ready to be called."""
        parts, self.units, self._linking_libraries = self._gather()
        self._parts = len(parts)
        self._final_module = parse_assembly(self._text(parts))
        self._final_module.name = normalize_ir_text(self.name)
        self._final_module.data_layout = self._codegen._data_layout
        super().finalize()

    def _optimize_final_module(self) -> None:
        outside = {each for text in self.texts for each in (*text.functions, *text.variables)}
        optimise(self._final_module, self._codegen._tm, _level(self._parts), outside)

    def _finalize_final_module(self) -> None:
        help_out()
        for each in self.units:
            each.load()
        super()._finalize_final_module()

    @property
    def unit_files(self) -> list[str]:
        """The names of the files in which its units are kept."""
        return [each.file for each in self.units]


def _level(parts: int) -> int:
    """Return how much LLVM does for the speed of a kernel of so many parts: nothing makes the longest ones faster."""
    return 3 if parts < MANY else 2


def known_unit(symbol: str, code: bytes, below: list[UnitLibrary], known: tuple[Any, ...], target: Any) -> Any:
    """Return a unit that was compiled before as its callers find one compiled now."""
    told, signature, raises, reload_init = known
    library = UnitLibrary.of_code(target.codegen(), symbol, code)
    library.units, library.raising = below, raises
    for each in reload_init:
        each()
    library._reload_init.update(reload_init)
    environment = Environment.from_fndesc(told)
    entry_point = target.get_executable(library, told, environment)
    return compile_result(
        typing_context=target.typing_context, target_context=target, entry_point=entry_point, typing_error=None,
  type_annotation="", signature=signature, objectmode=False, lifted=(), fndesc=told,
        library=library, call_helper=None, environment=environment, metadata=None, reload_init=reload_init,
        referenced_envs=(),
    )  # fmt: skip
