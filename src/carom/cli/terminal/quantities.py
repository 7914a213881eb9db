"""Lists and spreads of numbers as options take them, with units."""

from __future__ import annotations

import re
from typing import Any

from carom.errors import refusal
from carom.units import ANY, POSITIVE, Range, number

__all__ = ["numbers", "spread"]


MOST = 100_000
"""Values of a spread."""


def numbers(text: str, unit: str, *, name: str, owner: str, within: Range = ANY) -> list[float]:
    """Take numbers with commas between, all with a unit or none: ``"4600,4710"``, ``"4.6 kN, 4.71 kN"``."""
    parts = [part.strip() for part in text.split(",")]
    plain = [_is_plain(part) for part in parts]
    if any(plain) and not all(plain):  # "4,6 kN" is no list of 4 and 6 kN
        rule = "must be numbers with commas between, each with its unit or none with one"
        way_out = "Decimals are written with a point."
        raise refusal(name, owner, rule, text, way_out)
    return [number(part, unit, name=name, owner=owner, within=within) for part in parts]


def spread(text: str, unit: str, *, name: str, owner: str) -> Any:
    """Take evenly spread numbers, from:to:count, such as ``"0.1:2:20"`` or ``"100 ms:2 s:20"``."""
    import numpy as np

    way_out = 'Write from:to:count, such as "0.1:2:20".'
    parts = text.split(":")
    if len(parts) != 3 or re.fullmatch(r"\s*[0-9]{1,9}\s*", parts[2]) is None:
        raise refusal(name, owner, "must be from:to:count", text, way_out)
    low, high = (number(part, unit, name=name, owner=owner, within=POSITIVE, way_out=way_out) for part in parts[:2])
    count = int(parts[2])
    if not low < high or not 2 <= count <= MOST:
        raise refusal(name, owner, f"must rise from above 0, two values at least and {MOST:,} at most", text, way_out)
    return np.linspace(low, high, count)


def _is_plain(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
