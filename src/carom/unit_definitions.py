"""Pint's registry of units, its parsed definitions kept between runs as carom keeps things.

Parsing them takes longer than all the rest of a short command. Pint's own cache unpickles what lies in its folder,
whoever wrote it and however it looks by now.
"""

from __future__ import annotations

import pickle  # nosec B403: of files that this user wrote, and that are whole
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import pint

from carom.kept_files import keep, read_kept
from carom.private_folder import UnusableFolderError, cache_folder
from carom.whole_files import forget

__all__ = ["registry"]

UNKEPT = (UnusableFolderError, OSError, ImportError, AttributeError)
"""No folder, or a Pint that is made otherwise: its definitions are parsed, which takes a tenth of a second."""


def registry() -> Any:
    """Return a registry of all units."""
    return _Registry()


class _Registry(pint.UnitRegistry):  # type: ignore[type-arg]
    def _after_init(self) -> None:
        with suppress(*UNKEPT):
            parser: Any = self._def_parser
            self._diskcache = parser._diskcache = _kept_definitions(cache_folder("units"))
        super()._after_init()


def _kept_definitions(folder: Path) -> Any:
    """Return Pint's cache for a folder, its files read and written by us."""
    its_cache: Any = import_module("pint.delegates.base_defparser").build_disk_cache_class(float)

    class KeptDefinitions(its_cache):  # type: ignore[misc]
        def rawload(self, header: Any, cache_path: Path | None = None) -> Any:
            path: Path = cache_path or self.cache_path_for(header)
            try:
                return pickle.loads(read_kept(path))  # nosec B301
            except FileNotFoundError:
                return None
            except Exception:  # damaged or of another make: parsing anew is always right
                forget(path)
                return None

        def rawsave(self, header: Any, converted_object: Any, cache_path: Path | None = None) -> Path:
            path: Path = cache_path or self.cache_path_for(header)
            with suppress(OSError):  # parsed again next time
                keep(path, pickle.dumps(converted_object))
            return path

    return KeptDefinitions(folder)
