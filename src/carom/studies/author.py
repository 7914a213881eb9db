"""Who computed the runs of a study: versions, and a hash of the code itself, which changes more often than versions."""

from __future__ import annotations

import hashlib
import platform
from functools import cache
from pathlib import Path
from typing import TypedDict

__all__ = ["Author", "author_here", "other_author", "told"]

SILENT = ("cli", "plots", "reports", "app")
"""Rooms that no number depends on."""
COMPUTES = ("carom", "numpy", "numba", "scipy")
"""Packages that numbers depend on; Python itself does not change them."""


class Author(TypedDict):
    """What computed some runs."""

    version: str
    """``carom 0.1.0, python 3.12.1, numpy 2.0.0, …``"""
    code: str | None
    """A hash of the sources; None: an earlier carom did not note it."""


@cache
def author_here() -> Author:
    """Return what computes in this process."""
    import numba
    import numpy as np
    import scipy

    from carom import __version__

    found = {
        "carom": __version__, "python": platform.python_version(), "numpy": np.__version__, "numba": numba.__version__,
        "scipy": scipy.__version__,
    }  # fmt: skip
    return {"version": ", ".join(f"{name} {number}" for name, number in found.items()), "code": _code()}


def other_author(one: Author, another: Author) -> bool:
    """Tell whether numbers of the two may differ."""
    return one["code"] != another["code"] or _computing(one) != _computing(another)


def told(author: Author) -> str:
    """Return an author in words."""
    packages = ", ".join(f"{name} {number}" for name, number in _computing(author).items()) or author["version"]
    return f"{packages}, code {author['code'] or 'not noted'}"


def _computing(author: Author) -> dict[str, str]:
    words = dict(one.split(" ", 1) for one in author["version"].split(", ") if " " in one)
    return {name: words[name] for name in COMPUTES if name in words}


def _code() -> str:
    """Return a hash of all sources that numbers depend on."""
    root = Path(__file__).parents[1]
    digest = hashlib.sha256()
    for path in sorted(root.rglob("*.py")):
        name = path.relative_to(root)
        if name.parts[0] not in SILENT:
            digest.update(f"{name.as_posix()}\0".encode() + path.read_bytes() + b"\0")
    return digest.hexdigest()[:12]
