"""Numbers as Fortran, spreadsheets and people write them."""

from __future__ import annotations

import re

import numpy as np

from carom.errors import InputError
from carom.motions.motion import Array

__all__ = ["NUMBER", "is_numeric", "numbers_in", "row", "value_of"]

_EXPONENT = r"(?:[EeDdQq][+-]?(?:\d{1,3}(?![\d.])|\d{2}(?=\d\.))|[+-]\d{3}(?![\d.]))"
NUMBER = rf"[+-]?(?:\d+\.?\d*|\.\d+){_EXPONENT}?"
"""One number: ``-.1234E-02``, ``1.5D+00``, ``0.12-103`` (Fortran drops the E before three digits)."""

_NUMBER = re.compile(NUMBER)
_BETWEEN = re.compile(r"[\s,;]*")
_NOT_FINITE = re.compile(r"(?<![A-Za-z])[+-]?(?:nan|inf(?:inity)?)(?![A-Za-z])|\*{3,}", re.IGNORECASE)
_LONE_SIGN = re.compile(r"[+-](\d{3})$")


def row(line: str) -> list[float] | None:
    """Return the numbers of a line, or nothing where it holds anything else.

    Numbers may stand together without a blank where a sign or an exponent tells them apart.
    """
    if "_" in line:
        return None  # Python would read 1_000 as a number
    try:
        return [float(word) for word in line.replace(",", " ").replace(";", " ").split()]
    except ValueError:
        return _careful(line)


def _careful(line: str) -> list[float] | None:
    values = []
    place, end = _skip(line, 0), len(line)
    while place < end:
        found = _NUMBER.match(line, place)
        if found is None:
            return None
        text = found.group()
        after = _skip(line, found.end())
        touching = after == found.end() and after < end
        if touching and line[after] not in "+-" and "e" not in text.lower() and "d" not in text.lower():
            return None  # 0.1230.456: no telling where one ends
        values.append(value_of(text))
        place = after
    return values


def _skip(line: str, place: int) -> int:
    found = _BETWEEN.match(line, place)
    return found.end() if found else place


def value_of(text: str) -> float:
    """Return the value of a text that matches `NUMBER`."""
    try:
        return float(text)
    except ValueError:
        text = re.sub("[DdQq]", "E", text)
        return float(text if "E" in text.upper() else _LONE_SIGN.sub(lambda m: "E" + m.group(), text))


def is_numeric(line: str) -> bool:
    """Tell whether a line holds numbers and nothing else."""
    values = row(line)
    return bool(values)


def numbers_in(lines: list[str], first: int, owner: str) -> tuple[list[list[float]], int]:
    """Return the rows of numbers from line `first` on, and the line where they end.

    Blank lines are passed over. Text after the last number is left to the caller; text between numbers, and
    values that are not finite, are refused with the number of the line.
    """
    rows: list[list[float]] = []
    stop = first
    for place in range(first, len(lines)):
        line = lines[place]
        if not line.strip():
            continue
        values = row(line)
        if values is None:
            break
        rows.append(values)
        stop = place + 1
    _refuse_not_finite(rows, lines, first, stop, owner)
    for place in range(stop, len(lines)):
        if lines[place].strip() and is_numeric(lines[place]):
            junk = next(at for at in range(stop, place) if lines[at].strip())
            raise InputError(
                f"Line {junk + 1} of {owner} must hold numbers. Got {lines[junk].strip()[:60]!r}. "
                "Mend or remove that line; numbers go on after it."
            )
    return rows, stop


def _refuse_not_finite(rows: list[list[float]], lines: list[str], first: int, stop: int, owner: str) -> None:
    flat: Array = np.array([value for values in rows for value in values])
    if not np.isfinite(flat).all():
        for place in range(first, stop):
            if not np.isfinite(row(lines[place]) or 0.0).all():
                break
        raise _not_finite(owner, place, lines[place])
    if stop < len(lines):
        for place in range(stop, min(stop + 2, len(lines))):
            if found := _NOT_FINITE.search(lines[place]):
                rest = _NOT_FINITE.sub(" 0 ", lines[place])
                if found and is_numeric(rest):
                    raise _not_finite(owner, place, lines[place])


def _not_finite(owner: str, place: int, line: str) -> InputError:
    return InputError(
        f"Line {place + 1} of {owner} must hold finite numbers. Got {line.strip()[:60]!r}. "
        "The record is damaged there; take it from its source again."
    )
