"""Compiled kernels kept on disk, so that the next process need not compile them.

Numba asks a kernel's cache before it compiles, and hands it what it compiled. Its own cache reads whatever lies in its
folder, and fails on what is damaged; nor can it name a GPU kernel that is built inside a function, as ours are, for
tables of given shapes. These are told the name, read only what this user wrote, and look at its checksum first.
No run depends on them: what cannot be read is compiled, what cannot be written is compiled again next time.
"""

from __future__ import annotations

import hashlib
import logging
import pickle  # nosec B403: of files that this user wrote, and that are whole
from functools import cache, partial
from pathlib import Path
from typing import Any

from carom.kept_files import DamagedFileError, keep, read_kept
from carom.whole_files import forget

__all__ = ["CpuKernelFiles", "CpuUnitFiles", "GpuKernelFiles"]

log = logging.getLogger("carom.compile")


class _KernelFiles:
    """Where the compiled forms of one kernel lie: a file for each signature, named after it and all of `words`.

    Without a `folder` nothing is kept.
    """

    ending: str
    device = ""
    loudness = logging.INFO
    """How loud a line says that something is compiled for the first time."""

    def __init__(self, folder: Path | None, name: str, *words: object) -> None:
        self._folder, self._name, self._words = folder, name, words
        self.cache_path = None if folder is None else str(folder)

    def load_overload(self, signature: object, target: Any) -> Any:
        """Return the kernel as it was compiled before, or None; what cannot be read is removed and counts as none."""
        what = self._name.replace("_", " ") + self.device
        if self._folder is None:
            log.log(self.loudness, "compiling %s for this process", what)
            return None
        path = self._path(self._folder, signature)
        try:
            return self._unpacked(read_kept(path), target)
        except FileNotFoundError:
            log.log(self.loudness, "compiling %s (once; kept in %s)", what, self._folder)
        except Exception as trouble:  # a sound file of another make may raise anything: compiling anew is always right
            forget(path)
            reason = trouble if isinstance(trouble, DamagedFileError) else "cannot be read"
            log.info("compiling %s anew: %s %s", what, path, reason)
        return None

    def save_overload(self, signature: object, kernel: Any) -> None:
        """Keep a kernel, all of it or nothing; where that fails it is compiled again next time."""
        if self._folder is None:
            return
        try:
            if (content := self._packed(kernel)) is not None:
                keep(self._path(self._folder, signature), content)
        except OSError as trouble:
            _say_not_kept(self._folder, trouble.strerror or str(trouble))
        except Exception as trouble:  # pickling is Numba's affair: no reason to lose a run that has its kernel
            log.info("the compiled %s is not kept: %s", self._name, trouble)

    def flush(self) -> None:
        """Forget every compiled form of this kernel."""
        if self._folder is not None:
            for path in self._folder.glob(f"{self._name}-*.{self.ending}"):
                forget(path)

    def _path(self, folder: Path, signature: object) -> Path:
        told = "\n".join(str(word) for word in (*self._words, signature))
        return folder / f"{self._name}-{hashlib.sha256(told.encode()).hexdigest()[:16]}.{self.ending}"

    def _packed(self, kernel: Any) -> bytes | None:
        """Return a kernel as bytes; None for one that cannot be kept."""
        raise NotImplementedError

    def _unpacked(self, content: memoryview, target: Any) -> Any:
        """Return the kernel from its bytes, for a compiler's target."""
        raise NotImplementedError


@cache
def _say_not_kept(folder: Path, reason: str) -> None:
    """Tell once, not for every kernel."""
    log.warning("compiled kernels are not kept: %s cannot be written: %s", folder, reason)


class CpuKernelFiles(_KernelFiles):
    """Kernels compiled by Numba for a CPU."""

    ending = "cpu"

    def _packed(self, kernel: Any) -> bytes | None:
        units = getattr(kernel.library, "unit_files", [])
        here_only = kernel.library.has_dynamic_globals or kernel.lifted  # addresses of this process are within
        if here_only or not all(units):
            return None
        from numba.core.serialize import dumps as _dumps

        dumps: Any = _dumps
        return bytes(dumps((units, kernel._reduce())))

    def _unpacked(self, content: memoryview, target: Any) -> Any:
        from numba.core.compiler import CompileResult

        target.refresh()  # it must know what kernels call before they are linked
        rebuild: Any = CompileResult._rebuild
        units, kernel = pickle.loads(content)  # nosec B301: read by `read_kept`
        for unit in self._units(units, target, {}):
            unit.load()
        return rebuild(target, *kernel)

    def _units(self, names: list[str], target: Any, known: dict[str, Any]) -> list[Any]:
        """Return the units that these files hold, with all that they call; those `known` are read already."""
        if not names or self._folder is None:
            return []
        from carom.backends.machine_code.part_libraries import UnitLibrary

        for name in names:
            if name not in known:
                symbol, code, below, _ = pickle.loads(read_kept(self._folder / name))  # nosec B301: read by `read_kept`
                known[name] = unit = UnitLibrary.of_code(target.codegen(), symbol, code)
                unit.file, unit.units = name, self._units(below, target, known)
        return [known[name] for name in names]


class CpuUnitFiles(CpuKernelFiles):
    """Units of kernels compiled for a CPU: their machine code, and what their callers have to know of them.

    A unit is kept as soon as its machine code is there, which is later than those who call it are compiled.
    """

    ending = "unit"
    loudness = logging.DEBUG

    def load_overload(self, signature: object, target: Any) -> Any:
        """Return the unit as it was compiled before, or None."""
        found = super().load_overload(signature, target)
        if found is not None:
            found.library.file = self._file(signature)
        return found

    def save_overload(self, signature: object, kernel: Any) -> None:
        """Have a unit kept once it is loaded."""
        kernel.library.file = self._file(signature)
        kernel.library.keep = partial(super().save_overload, signature, kernel)

    def _file(self, signature: object) -> str:
        return "" if self._folder is None else self._path(self._folder, signature).name

    def _packed(self, kernel: Any) -> bytes | None:
        from numba.core.serialize import dumps as _dumps

        dumps: Any = _dumps
        unit, told = kernel.library, kernel.fndesc
        below = [each.file for each in unit.units]
        if unit.has_dynamic_globals or not all(below):
            return None
        told.typemap = told.calltypes = None
        known = dumps((told, kernel.signature, unit.raising, kernel.reload_init))
        return bytes(dumps((unit.symbol, unit.code(), below, known)))

    def _unpacked(self, content: memoryview, target: Any) -> Any:
        from carom.backends.machine_code.part_libraries import known_unit

        symbol, code, below, known = pickle.loads(content)  # nosec B301: read by `read_kept`
        target.refresh()
        return known_unit(symbol, code, self._units(below, target, {}), pickle.loads(known), target)  # nosec B301: the same


class GpuKernelFiles(_KernelFiles):
    """Kernels compiled for a GPU."""

    ending = "gpu"
    device = " for the GPU"

    def _packed(self, kernel: Any) -> bytes | None:
        from carom.backends.gpu.numba_cuda import pickled

        return pickled(kernel)

    def _unpacked(self, content: memoryview, target: Any) -> Any:  # a GPU kernel knows its target
        return pickle.loads(content)  # nosec B301: read by `read_kept`
