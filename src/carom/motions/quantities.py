"""Units of acceleration as they are written in records, and how headers name them."""

from __future__ import annotations

import re

from carom.errors import refusal
from carom.units import POSITIVE, Range, number, refuse_comma, refuse_long, standard_gravity

__all__ = ["acceleration", "acceleration_factor", "unit_in"]

_FACTORS = {
    "g": standard_gravity,
    "g's": standard_gravity,
    "gs": standard_gravity,
    "gravity": standard_gravity,
    "g/10": standard_gravity / 10.0,
    "mg": standard_gravity / 1000.0,
    "m/s2": 1.0,
    "cm/s2": 0.01,
    "gal": 0.01,
    "gals": 0.01,
    "mm/s2": 0.001,
    "in/s2": 0.0254,
    "ft/s2": 0.3048,
}

_SPELLING = (
    (re.compile(r"[\s·*.\[\](){}]"), ""),
    (re.compile(r"\^|\*\*"), ""),
    (re.compile(r"²"), "2"),
    (re.compile(r"seconds?|secs?"), "s"),
    (re.compile(r"(metres?|meters?)(?=/)"), "m"),
    (re.compile(r"inches|inch"), "in"),
    (re.compile(r"feet|foot"), "ft"),
    (re.compile(r"/s/s"), "/s2"),
    (re.compile(r"/\(?ss\)?$"), "/s2"),
    (re.compile(r"s-2$"), "/s2"),
)

_WITH_UNIT = re.compile(r"([+-]?[\d.]+(?:e[+-]?\d+)?)\s*([a-z'][^\s]*)", re.IGNORECASE)

_NAMED = r"(?:mm|cm|m|in|ft)\s*/\s*s(?:ec)?(?:\s*/\s*s(?:ec)?|\s*(?:\^|\*\*)?\s*(?:2|²))"
_UNIT = rf"(?:{_NAMED}|g/10|gals?\b|g's|g\b)"
_IN_HEADER = (
    re.compile(rf"\bunits?\b\s*(?:of|are|is|in|[:=])*\s*[(\[\"']?\s*({_UNIT})", re.IGNORECASE),
    re.compile(rf"\bacc\w*\W{{0,3}}[(\[]\s*({_UNIT})\s*[)\]]", re.IGNORECASE),
    re.compile(rf"\bacc\w*[.,]?\s+(?:in\s+)?({_UNIT})", re.IGNORECASE),
    re.compile(rf"[(\[]\s*({_UNIT})\s*[)\]]", re.IGNORECASE),
    re.compile(rf"(?<![\w/])({_NAMED})", re.IGNORECASE),
)


def acceleration_factor(unit: object, owner: str) -> float:
    """Return what one `unit` of acceleration is in m/s²."""
    text = str(unit).strip().lower()
    for pattern, spelling in _SPELLING:
        text = pattern.sub(spelling, text)
    if text not in _FACTORS:
        raise refusal(
            "unit", owner, "must be a unit of acceleration", unit,
            "Write one of g, m/s2, cm/s2, gal, mm/s2, in/s2, ft/s2.",
        )  # fmt: skip
    return _FACTORS[text]


def acceleration(value: object, *, name: str, owner: str, within: Range = POSITIVE) -> float:
    """Take one acceleration from a user: a float in m/s², or a string such as ``"0.3 g"``."""
    if isinstance(value, str):
        refuse_long(value, name, owner)
    if isinstance(value, str) and (parts := _WITH_UNIT.fullmatch(value.strip())):
        size = number(parts[1], "m/s²", name=name, owner=owner, within=within)
        return size * acceleration_factor(parts[2], owner)
    if isinstance(value, str):
        refuse_comma(value, name, owner)
        try:
            float(value)
        except ValueError:
            raise refusal(
                name, owner, "must be an acceleration", value, 'Write a number in m/s², or "0.3 g".'
            ) from None
    return number(value, "m/s²", name=name, owner=owner, within=within)


def unit_in(header: str) -> str | None:
    """Return the unit of acceleration that a header names, or nothing."""
    for pattern in _IN_HEADER:
        if found := pattern.search(header):
            return found.group(1).lower()
    return None
