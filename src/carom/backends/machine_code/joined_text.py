"""One text for LLVM of the many modules in which Numba writes a kernel: read once, and nothing left to link.

Numba has LLVM read every function by itself, link it into a module of its own, copy that and link the copy into those
that call it: a function goes four times from hand to hand before it is worked on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, NamedTuple

from llvmlite.ir import Function as _Function
from llvmlite.ir import Module as _Module

from carom.backends.relied_on import require

__all__ = ["ModuleText", "joined", "text_of"]

Function: Any = _Function

require({_Module: ("_get_metadata_lines", "get_identified_types")})

NOTE = re.compile(r"!(\d+)")
"""A note (metadata) as a function names it, by its number in the module."""


class ModuleText(NamedTuple):
    """What a module says, in LLVM's words."""

    kinds: tuple[str, ...]
    """Types that have names."""
    declared: dict[str, str]
    """Functions and variables that are elsewhere, by their names."""
    variables: dict[str, str]
    """Variables, by their names."""
    functions: dict[str, str]
    """Functions, by their names."""
    notes: tuple[str, ...]


def text_of(module: Any, *, inside: bool) -> ModuleText:
    """Return what a module says; where all of it is `inside` a whole, only that calls its functions."""
    declared, variables, functions = dict[str, str](), dict[str, str](), dict[str, str]()
    for name, value in module.globals.items():
        if isinstance(value, Function):
            if value.blocks and inside and not value.linkage:
                value.linkage = "internal"
            (functions if value.blocks else declared)[name] = str(value)
        else:
            external = value.initializer is None and value.linkage in ("", "external", "extern_weak")
            (declared if external else variables)[name] = str(value)
    kinds = tuple(kind.get_declaration() for kind in module.get_identified_types().values())
    return ModuleText(kinds, declared, variables, functions, tuple(module._get_metadata_lines()))


def joined(texts: Iterable[ModuleText]) -> str:
    """Return the body of one module that says all that these say."""
    kinds, declared, variables, functions = (dict[str, str]() for _ in range(4))
    notes: list[str] = []
    for text in texts:
        kinds.update(dict.fromkeys(text.kinds, ""))
        declared.update(text.declared)
        own = _told_apart(text, variables)
        variables.update({own.get(name, name): _renamed(each, own) for name, each in text.variables.items()})
        for name, function in text.functions.items():
            functions.setdefault(name, _renumbered(_renamed(function, own), len(notes)))
        notes += [_renumbered(note, len(notes)) for note in text.notes]
    defined = functions.keys() | variables.keys()
    outside = [text for name, text in declared.items() if name not in defined]
    return "\n".join([*kinds, *outside, *variables.values(), *functions.values(), *notes])


def _told_apart(text: ModuleText, taken: dict[str, str]) -> dict[str, str]:
    """Return new names for the variables whose names others have for something else."""
    other = (name for name, variable in text.variables.items() if taken.get(name, variable) != variable)
    return {name: f"{name}.{len(taken)}" for name in other}


def _renamed(told: str, names: dict[str, str]) -> str:
    for old, new in names.items():
        told = told.replace(f'@"{old}"', f'@"{new}"')
    return told


def _renumbered(told: str, before: int) -> str:
    """Return a text with its notes counted on from those before."""
    return NOTE.sub(lambda found: f"!{int(found[1]) + before}", told) if before else told
