"""Targets as words: ``ec8: ag = 0.25 g, ground = C``, ``asce7: sds = 1 g, sd1 = 0.6 g``, or a table in a file."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

from carom.errors import InputError, refusal
from carom.given_files import is_file, read_given
from carom.motions.quantities import unit_in
from carom.motions.readers._numbers import row
from carom.motions.targets.asce7 import asce7
from carom.motions.targets.base import Target, of_motion, table
from carom.motions.targets.ec8 import ec8

__all__ = ["target"]

CODES: dict[str, Callable[..., Target]] = {"ec8": ec8, "asce7": asce7}
LARGEST_TABLE = 1_000_000
"""Bytes of a file with a target."""
EXAMPLE = 'Write "ec8: ag = 0.25 g, ground = C", "asce7: sds = 1 g, sd1 = 0.6 g", or the path of a table.'


def target(stated: object, folder: Path | None = None) -> Target:
    """Return the target that words, a mapping, a file or a motion's name state.

    Words name a code and its parameters: ``"ec8: ag = 0.25 g, ground = C, type = 1, q = 3"``; a mapping has the same
    with the code under ``"code"``. A file is a table of periods [s] and pseudo-accelerations, in the unit of its
    header. Anything else is the name of a built-in motion or the path of a record, whose spectrum is the target.
    """
    owner = "target"
    if isinstance(stated, Target):
        return stated
    if isinstance(stated, dict):
        given = dict(stated)
        return _of_code(str(given.pop("code", "")), given)
    if not isinstance(stated, str) or not stated.strip():
        raise refusal("target", owner, "must be words, a mapping or a path", stated, EXAMPLE)
    code, _, rest = stated.partition(":")
    if code.strip().casefold().replace("-", "") in CODES:
        return _of_code(code, _parameters(rest))
    path = Path(stated) if folder is None else folder / stated
    if is_file(path):
        return _of_file(path)
    from carom.motions.builtin import get

    try:
        return of_motion(get(stated.strip()))
    except InputError:
        raise refusal(
            "target", owner, f"must be a code ({', '.join(CODES)}), a file or a motion", stated, EXAMPLE
        ) from None


def _parameters(text: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for part in filter(str.strip, text.split(",")):
        key, equals, value = part.partition("=")
        if not equals or not key.strip() or not value.strip():
            raise refusal("target", "target", "must have its parameters as name = value", part.strip(), EXAMPLE)
        found[key.strip().casefold()] = value.strip()
    return found


def _of_code(code: str, given: dict[str, Any]) -> Target:
    name = code.strip().casefold().replace("-", "")
    if name not in CODES:
        raise refusal("code", "target", f"must be one of {', '.join(CODES)}", code, EXAMPLE)
    make = CODES[name]
    known = inspect.signature(make).parameters
    for key in given:
        if key not in known:
            raise refusal(key, name, f"is not a parameter of it: {', '.join(known)}", given[key])
    values = {key: _value(key, value) for key, value in given.items()}
    if name == "ec8" and "ag" not in values:
        raise refusal("ag", "ec8", "must be given", None, EXAMPLE)
    return make(**values)


def _value(key: str, value: Any) -> Any:
    if key == "type" and isinstance(value, str) and value.strip() in ("1", "2"):
        return int(value)
    if key == "vertical" and isinstance(value, str):
        if value.casefold() not in ("true", "false", "yes", "no"):
            raise refusal("vertical", "ec8", "must be true or false", value)
        return value.casefold() in ("true", "yes")
    return value


def _of_file(path: Path) -> Target:
    """Return the target of a table of periods and accelerations; a record's spectrum where it is a record."""
    lines = read_given(path, most=40_000_000, what="record").decode("utf-8", errors="replace").splitlines()
    rows = [(place, values) for place, line in enumerate(lines[:100_000]) if line.strip() and (values := row(line))]
    is_table = rows and all(len(values) == 2 for _, values in rows) and len(rows) <= 10_000
    header = "\n".join(lines[: rows[0][0]]) if rows else ""
    unit = unit_in(header)
    if is_table and "period" in header.casefold():
        if unit is None:
            raise InputError(
                f"`unit` of {path.name} must stand above its numbers: period (s), Sa (g). Its first lines say none."
            )
        return table([v[0] for _, v in rows], [v[1] for _, v in rows], name=path.stem, unit=unit)
    from carom.motions.readers import read_motion

    return of_motion(read_motion(path))
