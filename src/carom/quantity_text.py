"""What a text must look like to be a quantity: one number, and behind it names of units with small powers.

    quantity   number [unit]                          2.5, -3e4 kN, 5 %, 2*10^3 kg
    unit       [1] [/] item { sign item }             kN/m^1.5, 1/s, N·s/m, kip*s^2/in
    item       name [power] | ( name { sign name } ) [power]
    sign       * / · ⋅ × or blanks
    power      ^ or ** and one digit with up to three decimals, or (3/2); ² ³ ⁻¹

A library of units evaluates what it is given like a formula: ``9**9**9`` would keep it busy for good. Hence it sees
nothing that has another form.
"""

from __future__ import annotations

import math
import re

__all__ = ["LONGEST", "NUMBER", "begins_with_number", "is_quantity", "leading_number"]

LONGEST = 100
"""Characters of a quantity: no number with a unit needs more."""

NUMBER = r"[+-]?(?:[0-9][0-9_]*\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?"

_NAME = r"(?:[%‰°]|[A-Za-zµμΩÅ°_][A-Za-z0-9µμΩÅ_]*)"
_DIGITS = r"[+-]?[0-9](?:\.[0-9]{1,3})?"
_POWER = rf"(?:\s*(?:\^|\*\*)\s*(?:{_DIGITS}(?![0-9.])|\(\s*{_DIGITS}(?:\s*/\s*[1-9])?\s*\))|[⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹])"
_SIGN = r"(?:\s*(?:\*(?!\*)|[/·⋅×])\s*|\s+)"
_POWERED = rf"{_NAME}{_POWER}?"
_ITEM = rf"(?:{_POWERED}|\(\s*{_POWERED}(?:{_SIGN}{_POWERED})*\s*\){_POWER}?)"
_UNIT = rf"\s*(?:[*·⋅×]\s*|(?:1\s*)?/\s*)?{_ITEM}(?:{_SIGN}{_ITEM})*"

_TENS = r"(?:\s*[*·⋅×]\s*10(?:\s*(?:\^|\*\*)\s*[+-]?[0-9]{1,2}(?![0-9.])|⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,2}))"

_BEGINS = re.compile(rf"\s*{NUMBER}")
_QUANTITY = re.compile(rf"\s*{NUMBER}(?![0-9.]|[eE][+-]?[0-9]){_TENS}?(?:{_UNIT})?\s*")


def leading_number(text: str) -> float:
    """Return the number that a quantity begins with; infinite where no float is so large."""
    found = _BEGINS.match(text)
    return float(found[0]) if found is not None else math.nan


def begins_with_number(text: str) -> bool:
    """Tell whether a text begins with a number."""
    return _BEGINS.match(text) is not None


def is_quantity(text: str) -> bool:
    """Tell whether a text has the form of a quantity."""
    return len(text) <= LONGEST and _QUANTITY.fullmatch(text) is not None
