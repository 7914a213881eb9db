"""A TOML file as text and as tables, with what to say where it is not one."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

from carom.errors import InputError, Refusal
from carom.scenario.faults import Fault, ScenarioError
from carom.units import refuse_comma

__all__ = ["parsed", "text_of"]

_WHERE = re.compile(r"at line (\d+)")
_DECIMAL_COMMA = re.compile(r"\s*([\w.-]+)\s*=\s*([+-]?\d[\d.]*,\d[^\s#]*)")


def text_of(path: Path, *, what: str, missing: str, folder: str) -> str:
    """Return the text of a file; `what` it should be, and the ways out where it is `missing` or a `folder`."""
    try:
        return path.read_text(encoding="utf-8-sig")  # some editors begin a file with a mark that it is UTF-8
    except FileNotFoundError:
        raise InputError(f"There is no {what} {path}. {missing}") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path} must be text in UTF-8 (byte {error.start} is not). Save it as such.") from None
    except IsADirectoryError:
        raise InputError(f"{path} is a folder. {folder}") from None


def parsed(name: str, text: str) -> dict[str, Any]:
    """Return the tables of a file."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        if fault := _comma(text, str(error)):
            raise ScenarioError(name, [fault]) from None
        way_out = "Text stands in quotes, tables in [brackets], one field = value on each line."
        fault = Fault("the file", f"must be TOML: {str(error).rstrip('.')}", way_out=way_out)
        raise ScenarioError(name, [fault]) from None


def _comma(text: str, complaint: str) -> Fault | None:
    """Return the fault of a line such as ``gap = 0,02``, where the complaint about a file is of such a line."""
    where = _WHERE.search(complaint)
    found = _DECIMAL_COMMA.match(text.splitlines()[int(where[1]) - 1]) if where is not None else None
    if where is None or found is None:
        return None
    try:
        refuse_comma(found[2], found[1], "the file")
    except Refusal as refused:
        return Fault(f"{found[1]} (line {where[1]})", refused.rule, way_out=f"Got {found[2]}. {refused.way_out}")
    return None
