"""Text from outside, on its way to a terminal, a log or a spreadsheet: nothing in it may be obeyed.

Control characters and escape sequences move cursors, set titles and clipboards; marks of direction let a line read
otherwise than it is; a cell that begins with ``=`` is a formula to a spreadsheet.
"""

from __future__ import annotations

import re

from carom.errors import refusal

__all__ = ["cell", "escaped", "has_controls", "refuse_controls", "visible"]

_DIRECTION = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_ENDS = "\u2028\u2029\ufeff"
_CONTROLS = re.compile(rf"[\x00-\x08\x0b-\x1f\x7f-\x9f{_DIRECTION}{_ENDS}\ud800-\udfff]")
"""All but tabs and ends of lines: C0, DEL, C1, marks of direction, other ends of lines, halves of characters."""

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
"""With what a formula begins (OWASP, CSV injection)."""


def has_controls(text: str) -> bool:
    """Tell whether a text holds characters that a terminal obeys instead of showing them."""
    return _CONTROLS.search(text) is not None


def refuse_controls(text: str, name: str, owner: str) -> None:
    """Refuse a name that holds such characters, or several lines."""
    if has_controls(text) or "\n" in text:
        rule = "must be one line without control characters"
        raise refusal(name, owner, rule, text, "Leave them out.")


def visible(text: str) -> str:
    r"""Return a text with such characters as they are written in a program: ``\x1b``, ``\u202e``."""
    return _CONTROLS.sub(lambda found: found[0].encode("unicode_escape").decode("ascii"), text)


def escaped(json: str) -> str:
    r"""Return a JSON text with such characters as JSON writes them; they stand in its strings alone."""
    return _CONTROLS.sub(lambda found: f"\\u{ord(found[0]):04x}", json)


def cell(value: object) -> object:
    """Return what a cell of a CSV file holds: text that would be a formula gets an apostrophe, numbers stay."""
    if not isinstance(value, str):
        return value
    text = visible(value)
    return f"'{text}" if text.startswith(_FORMULA) and not _is_number(text) else text


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
