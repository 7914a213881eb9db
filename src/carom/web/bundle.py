"""Several ES modules as the text of one."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

__all__ = ["bundle", "names_of", "style"]

IMPORT = re.compile(r'^import \{ ([\w, ]+) \} from "\./([\w.]+)";\n', re.M)
EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const|let)\b)", re.M)
NAME = re.compile(r"^(?:export )?(?:async )?(?:function|class|const|let) (\w+)", re.M)


@cache
def bundle(module: str) -> str:
    """Return a module and all that it imports as one, with the names that it exports at hand in it."""
    order: list[str] = []
    _add(module, order, ())
    texts = [EXPORT.sub("", IMPORT.sub("", _text(name))) for name in order]
    return "\n".join(texts)


def style(name: str) -> str:
    """Return a style sheet."""
    return _text(name)


def names_of(module: str) -> list[str]:
    """Return the names that stand at the top of a module: bundled, all share one room."""
    return NAME.findall(_text(module))


def _add(module: str, order: list[str], asking: tuple[str, ...]) -> None:
    assert module not in asking, f"{module} imports itself by way of {asking}"
    if module in order:
        return
    for _, needed in IMPORT.findall(_text(module)):
        _add(needed, order, (*asking, module))
    order.append(module)


def _text(name: str) -> str:
    return (files("carom.web") / name).read_text(encoding="utf-8")
