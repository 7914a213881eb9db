"""A TOML file as text and as tables, with what to say where it is not one."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from carom.errors import InputError, Refusal
from carom.given_files import read_given
from carom.plain_text import has_controls, visible
from carom.scenario.faults import Fault, ScenarioError
from carom.units import refuse_comma

__all__ = ["parsed", "text_of"]

LARGEST = 1_000_000
"""Bytes of a file."""
DEEPEST = 20
"""Tables and lists in each other: the format has five."""
LARGEST_WHOLE = 1 << 1000
"""No whole number beyond is one to a computer's arithmetic."""
MOST_FAULTS = 20
WITHOUT = "Leave them out."

_WHERE = re.compile(r"at line (\d+)")
_LONG_KEY = re.compile(r"""(?<![\w"'.-])(?:[\w"'-]++[ \t]*+\.[ \t]*+){30}""")
"""The work of reading a dotted name grows with the square of its parts."""
_DECIMAL_COMMA = re.compile(r"\s*([\w.-]+)\s*=\s*([+-]?\d[\d.]*,\d[^\s#]*)")


def text_of(path: Path, *, what: str, missing: str, folder: str) -> str:
    """Return the text of a file; `what` it should be, and the ways out where it is `missing` or a `folder`."""
    try:
        text = read_given(path, most=LARGEST, what=what).decode("utf-8-sig")  # some editors begin with a mark
        return text.replace("\r\n", "\n").replace("\r", "\n")
    except (FileNotFoundError, NotADirectoryError):
        raise InputError(f"There is no {what} {path}. {missing}") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path} must be text in UTF-8 (byte {error.start} is not). Save it as such.") from None
    except IsADirectoryError:
        raise InputError(f"{path} is a folder. {folder}") from None


def parsed(name: str, text: str) -> dict[str, Any]:
    """Return the tables of a file."""
    if _LONG_KEY.search(text):
        raise ScenarioError(name, [_no_toml("a name has too many parts")])
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        if fault := _comma(text, str(error)):
            raise ScenarioError(name, [fault]) from None
        way_out = "Text stands in quotes, tables in [brackets], one field = value on each line."
        raise ScenarioError(name, [_no_toml(str(error), way_out)]) from None
    except RecursionError:
        raise ScenarioError(name, [_no_toml("its tables and lists stand too deep in each other")]) from None
    except ValueError as error:  # what Python cannot read itself, such as a number of thousands of digits
        raise ScenarioError(name, [_no_toml(str(error).partition(";")[0])]) from None
    if faults := list(_odd(tables)):
        raise ScenarioError(name, faults[:MOST_FAULTS])
    return tables


def _no_toml(why: str, way_out: str = "") -> Fault:
    return Fault("the file", f"must be TOML: {why.rstrip('.')}", way_out=way_out)


def _odd(value: Any, place: str = "", depth: int = 0) -> Iterator[Fault]:
    """Yield what no field can take, wherever it stands: texts that a terminal obeys, tables without end."""
    if depth > DEEPEST:
        yield Fault(place, f"must not stand deeper than in {DEEPEST} tables or lists")
    elif isinstance(value, dict):
        for key, item in value.items():
            if has_controls(key) or "\n" in key:
                field = visible(key).replace("\n", "\\n")
                yield Fault(f"{place}.{field}".lstrip("."), "must be named without control characters", way_out=WITHOUT)
            yield from _odd(item, f"{place}.{key}" if place else key, depth + 1)
    elif isinstance(value, list):
        for i, item in enumerate(value, 1):
            yield from _odd(item, f"{place}[{i}]", depth + 1)
    elif isinstance(value, str) and has_controls(value):
        yield Fault(place, "must be text without control characters", value, WITHOUT)
    elif isinstance(value, int) and abs(value) > LARGEST_WHOLE:
        yield Fault(place, "must be a number that a computer has", way_out="Write it as 1e30, for example.")


def _comma(text: str, complaint: str) -> Fault | None:
    """Return the fault of a line such as ``gap = 0,02``, where the complaint about a file is of such a line."""
    where = _WHERE.search(complaint)
    found = _DECIMAL_COMMA.match(text.split("\n")[int(where[1]) - 1]) if where is not None else None
    if where is None or found is None:
        return None
    try:
        refuse_comma(found[2], found[1], "the file")
    except Refusal as refused:
        return Fault(f"{found[1]} (line {where[1]})", refused.rule, way_out=f"Got {found[2]}. {refused.way_out}")
    return None
