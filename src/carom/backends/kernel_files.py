"""GPU kernels kept on disk, so that the next process need not compile them.

Numba asks a kernel's cache before it compiles, and hands it what it compiled; its own cannot name a kernel that is
built inside a function, as ours are, for tables of given shapes. This one is told the name.
"""

from __future__ import annotations

import hashlib
import logging
import os
import pickle
from pathlib import Path
from typing import Any

__all__ = ["KernelFiles"]

log = logging.getLogger("carom.compile")


class KernelFiles:
    """Where the compiled forms of one kernel lie: a file for each signature, named after it and all of `words`."""

    def __init__(self, folder: Path, name: str, *words: object) -> None:
        self._folder, self._name, self._words = folder, name, words
        self.cache_path = str(folder)

    def load_overload(self, signature: object, target: object) -> Any:
        """Return the kernel as it was compiled before, or None; what cannot be read counts as not there."""
        try:
            return pickle.loads(self._path(signature).read_bytes())
        except Exception as trouble:  # a damaged file may raise anything: compiling anew is always right
            if not isinstance(trouble, FileNotFoundError):
                log.info("the compiled %s cannot be read (%s)", self._name, trouble)
            log.info("compiling %s for the GPU (once; kept in %s)", self._name.replace("_", " "), self._folder)
            return None

    def save_overload(self, signature: object, kernel: object) -> None:
        """Keep a kernel, all of it or nothing; where that fails it is compiled again next time."""
        path = self._path(signature)
        draft = path.with_suffix(f".{os.getpid()}")
        try:
            draft.write_bytes(_pickled(kernel))
            draft.replace(path)
        except Exception as trouble:  # pickling is Numba's affair: no reason to lose a run that has its kernel
            log.info("the compiled %s is not kept: %s", self._name, trouble)
            draft.unlink(missing_ok=True)

    def flush(self) -> None:
        """Forget every compiled form of this kernel."""
        for path in self._folder.glob(f"{self._name}-*.gpu"):
            path.unlink(missing_ok=True)

    def _path(self, signature: object) -> Path:
        told = "\n".join(str(word) for word in (*self._words, signature))
        return self._folder / f"{self._name}-{hashlib.sha256(told.encode()).hexdigest()[:16]}.gpu"


def _pickled(kernel: object) -> bytes:
    """Pickle by Numba's own rules."""
    try:
        from numba.cuda.serialize import dumps  # with numba-cuda
    except ImportError:
        from numba.core.serialize import dumps
    return bytes(dumps(kernel))
