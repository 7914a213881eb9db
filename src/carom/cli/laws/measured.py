"""Measured columns from a CSV file: names, units in brackets behind them, numbers below."""

from __future__ import annotations

import errno
import math
import os
import re
from pathlib import Path

from carom.errors import InputError
from carom.given_files import read_given
from carom.units import number

__all__ = ["measured_columns"]

NAMES = {"t": "time", "f": "force", "a": "acceleration", "acc": "acceleration", "accel": "acceleration"}
"""Short names of columns, and what they stand for."""
UNITS = {"time": "s", "force": "N", "acceleration": "m/s^2"}
"""SI units of the columns that every test has; all others are displacements [m]."""

LARGEST = 200_000_000
"""Bytes of a file."""

_HEAD = re.compile(r"\s*(?P<name>.*?)\s*(?:[\[(]\s*(?P<unit>[^\])]*?)\s*[\])])?\s*")


def measured_columns(path: Path) -> dict[str, list[float]]:
    """Return the columns of a file in SI by name: ``time [ms],force [kN]`` becomes ``time`` and ``force``.

    Semicolons, tabs or commas stand between columns; with the first two a decimal comma is taken as such where no point
    is used.
    """
    lines = _lines(path)
    first, header = lines[0]
    mark = next((one for one in ";\t" if one in header), ",")
    heads = [_HEAD.fullmatch(cell.strip('" ')) for cell in header.split(mark)]
    names = [_name(head["name"]) if head else "" for head in heads]
    if "time" not in names or len(names) < 2 or len(set(names)) < len(names):
        raise InputError(
            f"Line {first} of {path.name} must name its columns, each once and one of them 'time', with units in "
            f"brackets: time [s],force [N]. Got {header.strip()[:80]!r}."
        )
    factors = [_factor(path, name, head["unit"] if head else None) for name, head in zip(names, heads, strict=True)]
    rows = [_row(path, place, line, mark, len(names), _comma(mark, lines)) for place, line in lines[1:]]
    if not rows:
        raise InputError(f"{path.name} must hold numbers below its header line. It holds none.")
    return {
        name: [factor * cell for cell in column]
        for name, factor, column in zip(names, factors, zip(*rows, strict=True), strict=True)
    }


def _lines(path: Path) -> list[tuple[int, str]]:
    """Return the lines that are neither blank nor remarks, with their numbers."""
    try:
        content = read_given(path, most=LARGEST, what="table of measurements")
    except OSError as error:
        raise InputError(f"{path} cannot be read: {os.strerror(error.errno or errno.EISDIR)}.") from None
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("latin-1")
    found = [(place, line) for place, line in enumerate(text.splitlines(), 1) if line.strip(" ,;\t")]
    found = [(place, line) for place, line in found if not line.lstrip().startswith("#")]
    if not found:
        raise InputError(f"{path.name} is empty.")
    return found


def _name(given: str) -> str:
    """Return a column's name; those that every test has may be short or have capitals."""
    plain = given.strip().lower()
    plain = NAMES.get(plain, plain)
    return plain if plain in UNITS else given.strip()


def _factor(path: Path, name: str, unit: str | None) -> float:
    """Return what one of a column is in SI."""
    if not unit:
        return 1.0
    wanted = UNITS.get(name, "m")
    try:
        return number(f"1 {unit.replace('²', '^2')}", wanted, name=name, owner=path.name)
    except InputError:
        raise InputError(
            f"The unit of column '{name}' of {path.name} must be convertible to {wanted}. Got {unit!r}. "
            f"Write {name} [{wanted}], for example."
        ) from None


def _comma(mark: str, lines: list[tuple[int, str]]) -> bool:
    """Whether commas are decimal: nothing else can be meant between semicolons or tabs where there is no point."""
    return mark != "," and not any("." in line for _, line in lines[1:])


def _row(path: Path, place: int, line: str, mark: str, width: int, comma: bool) -> list[float]:
    cells = [cell.strip('" ') for cell in line.split(mark)]
    if len(cells) != width:
        way_out = (
            "Where commas are decimal, write points, or put semicolons between the columns." if mark == "," else ""
        )
        raise InputError(
            f"Line {place} of {path.name} must have {width} cells, as its header has. Got {len(cells)}: "
            f"{line.strip()[:60]!r}. {way_out}".rstrip()
        )
    owner = f"line {place} of {path.name}"
    return [_cell(cell.replace(",", ".") if comma else cell, column, owner) for column, cell in enumerate(cells, 1)]


def _cell(text: str, column: int, owner: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    return value if math.isfinite(value) else number(text, "", name=f"column {column}", owner=owner)  # which refuses it
