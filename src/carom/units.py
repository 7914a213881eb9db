"""SI inside, conversion at the edges.

Wherever a number is taken from a user, a string with a unit such as ``"19.8 mm"`` is accepted too. Pint, which takes
a quarter of a second to load, is asked only where the unit is not one of the few that everybody writes.
"""

from __future__ import annotations

import math
import re
import warnings
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, SupportsFloat, TypeGuard

from carom.errors import InputError, UnitWarning, refusal
from carom.quantity_text import LONGEST, NUMBER, begins_with_number, is_quantity, leading_number

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = [
    "ANY",
    "NONNEGATIVE",
    "POSITIVE",
    "RESTITUTION",
    "Range",
    "array",
    "number",
    "refuse_comma",
    "refuse_long",
    "remark_on_unit",
    "require",
    "si",
    "standard_gravity",
]

standard_gravity = 9.80665
"""Standard acceleration of gravity [m/s²]."""


@dataclass(frozen=True)
class Range:
    """An interval of admissible values; prints as mathematicians write it, such as ``(0, 1]``."""

    low: float = -math.inf
    high: float = math.inf
    low_open: bool = True
    high_open: bool = True

    def __contains__(self, value: float) -> bool:
        above = value > self.low if self.low_open else value >= self.low
        below = value < self.high if self.high_open else value <= self.high
        return above and below

    def inside(self, values: npt.NDArray[np.float64]) -> npt.NDArray[np.bool_]:
        """Return which of many values lie in the range."""
        above = values > self.low if self.low_open else values >= self.low
        below = values < self.high if self.high_open else values <= self.high
        return above & below

    def outside(self, values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Return those of many values that do not lie in the range."""
        return values[~self.inside(values)]

    def __str__(self) -> str:
        left = "(" if self.low_open else "["
        right = ")" if self.high_open else "]"
        return f"{left}{_plain(self.low)}, {_plain(self.high)}{right}"

    @property
    def rule(self) -> str:
        """The range as the middle of a sentence: ``must be positive``, ``must lie in (0, 1]``."""
        if self == POSITIVE:
            return "must be positive"
        if self == NONNEGATIVE:
            return "must not be negative"
        return f"must lie in {self}"


USUAL = {
    "m": {"m": 1.0, "cm": 1e-2, "mm": 1e-3},
    "s": {"s": 1.0, "ms": 1e-3},
    "kg": {"kg": 1.0, "t": 1e3},
    "N/m": {"N/m": 1.0, "kN/m": 1e3, "MN/m": 1e6, "GN/m": 1e9, "N/mm": 1e3, "kN/mm": 1e6},
    "": {"%": 1e-2},
}
"""By the unit wanted: units that need no library, and what they are in it. Pint agrees on all of them."""

_UNITS = {**USUAL, "m/s^2": {"g": standard_gravity}}  # to Pint g is the gram; of an acceleration it is gravity

_CAPITALS = {
    word.lower(): word
    for word in ("m", "cm", "mm", "s", "ms", "kg", "t", "N", "kN", "MN", "GN", "Pa", "MPa", "GPa", "Hz", "J")
}
"""Units by their letters, as people mean them who do not mind capitals."""

_TON = re.compile(r"(?<![A-Za-z_])tons?(?![A-Za-z_])")
SHORT_TON = 907.18474
"""What Pint, and an American, takes a ton for [kg]."""

_USUAL_TEXT = re.compile(rf"\s*({NUMBER})\s*([A-Za-z%/]+)\s*")

ANY = Range()
POSITIVE = Range(low=0.0)
NONNEGATIVE = Range(low=0.0, low_open=False)
RESTITUTION = Range(low=0.0, high=1.0, high_open=False)


def number(value: object, unit: str, *, name: str, owner: str, within: Range = ANY, way_out: str = "") -> float:
    """Take one number from a user: a float in `unit` (SI), or a string with a unit of its own."""
    if type(value) is float:
        result = value
    elif isinstance(value, str):
        result = _from_text(value, unit, name, owner)
    elif _is_scalar(value):
        result = _as_float(value)
    else:
        raise refusal(name, owner, f"must be a number{_in_unit(unit)}", value, way_out)
    if not math.isfinite(result):
        raise refusal(name, owner, f"must be a finite number{_in_unit(unit)}", value, way_out)
    if result not in within:
        raise refusal(name, owner, within.rule, value, way_out)
    return result


def array(
    value: object, unit: str, *, name: str, owner: str, within: Range = ANY, way_out: str = ""
) -> npt.NDArray[np.float64]:
    """Take an array of numbers from a user, every element under the same rule as `number`."""
    import numpy as np

    if isinstance(value, str):
        return np.asarray(number(value, unit, name=name, owner=owner, within=within, way_out=way_out))
    items: Any = value
    try:
        complex_numbers = np.iscomplexobj(items)
    except ValueError:  # lists of several lengths, refused below
        complex_numbers = False
    if complex_numbers:
        raise refusal(name, owner, f"must be real numbers{_in_unit(unit)}", value, way_out)
    try:
        result = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        try:
            flat = [number(v, unit, name=name, owner=owner, within=within, way_out=way_out) for v in items]
        except TypeError:
            raise refusal(name, owner, f"must be numbers{_in_unit(unit)}", value, way_out) from None
        return np.asarray(flat, dtype=np.float64)
    if result.size == 0:
        raise refusal(name, owner, "must not be empty", value, way_out)
    bad = ~np.isfinite(result)
    if bad.any():
        raise refusal(name, owner, "must be finite everywhere", float(result[bad].flat[0]), way_out)
    outside = within.outside(result)
    if outside.size:
        raise refusal(name, owner, within.rule, float(outside[0]), way_out)
    return result


def refuse_comma(text: str, name: str, owner: str) -> None:
    """Refuse a comma inside a number: half the world writes decimals with it, the other half thousands."""
    if "," not in text:
        return
    refuse_long(text, name, owner)
    closed = re.sub(r"\s*,\s*", ",", text.strip())
    pieces = [piece.strip() for piece in closed.split(",")]
    if not re.search(r"\d,\d", closed) or sum("." in piece for piece in pieces) > 1:
        raise refusal(name, owner, "must be one number", text, 'Several stand in a list, such as ["1 m", "2 m"].')
    readings = [_tidy(closed.replace(",", ""))]
    point_after = closed.rfind(".") > closed.index(",")
    if closed.count(",") == 1 and not point_after:
        readings.insert(0, _tidy(closed.replace(".", "").replace(",", ".")))
    if len(set(readings)) == 1:
        raise refusal(name, owner, "must be written without a comma", text, f'Write "{readings[0]}".')
    rule = f'must be written without a comma, which may mean "{readings[0]}" or "{readings[1]}"'
    raise refusal(name, owner, rule, text, "Write the one that is meant.")


def refuse_long(text: str, name: str, owner: str) -> None:
    """Refuse a text that is too long to be a number with a unit, before anything looks through it."""
    if len(text) > LONGEST:
        raise refusal(name, owner, f"must be a number, or a number with a unit, in at most {LONGEST} characters", text)


def _tidy(text: str) -> str:
    """Return a number without needless zeros before it, and with the one that a point needs."""
    text = re.sub(r"^([+-]?)0+(?=\d)", r"\1", text)
    return re.sub(r"^([+-]?)\.(?=\d)", r"\g<1>0.", text).rstrip(".")


def remark_on_unit(text: str) -> str:
    """Return what a unit that has two meanings was taken for; nothing where the text has none."""
    if len(text) > LONGEST or _TON.search(text) is None:
        return ""
    metric = _TON.sub("t", text)
    return (
        f"{text!r} was taken in US short tons, {SHORT_TON:.2f} kg each. "
        f"Write {metric!r} for tonnes of 1000 kg, or 'short_ton' to say that short tons are meant."
    )


def _as_float(value: SupportsFloat) -> float:
    """Return a number as a float; a whole number beyond all floats is infinite."""
    try:
        return float(value)
    except OverflowError:
        return math.inf


def _is_scalar(value: object) -> TypeGuard[SupportsFloat]:
    """Python and NumPy numbers and 0-d arrays; neither booleans (a slip) nor arrays nor classes of numbers."""
    return (
        isinstance(value, SupportsFloat)
        and not isinstance(value, (bool, type))
        and getattr(value, "ndim", 0) == 0
        and getattr(getattr(value, "dtype", None), "kind", "f") in "fiu"
    )


@cache
def _registry() -> Any:
    from carom.unit_definitions import registry

    return registry()


def _from_text(text: str, unit: str, name: str, owner: str) -> float:
    refuse_long(text, name, owner)
    text = text.replace("−", "-")  # a minus sign, as typesetters have it
    if text.isascii():  # Python's float knows the digits of all alphabets
        try:
            return float(text)
        except ValueError:
            pass
    refuse_comma(text, name, owner)
    if not begins_with_number(text):
        raise refusal(name, owner, "must be a number, or a number with a unit", text, _example(unit))
    if not is_quantity(text):
        raise refusal(name, owner, "must be one number, with a unit or without", text, _example(unit))
    if not math.isfinite(leading_number(text)):
        raise refusal(name, owner, f"must be a finite number{_in_unit(unit)}", text)
    usual = _USUAL_TEXT.fullmatch(text)
    if usual is not None and (factor := _UNITS.get(unit, {}).get(usual[2])) is not None:
        value = float(usual[1])
        return value * factor if factor >= 1.0 else value / round(1.0 / factor)  # correctly rounded
    import pint

    try:
        value = _converted(text, unit)
    except pint.DimensionalityError:
        rule = f"must be convertible to {unit or 'a plain number'}{_meant(text, unit)}"
        raise refusal(name, owner, rule, text, _example(unit)) from None
    except Exception:  # pint raises many kinds on malformed text; each means the same to the user
        rule = f"must be a number, or a number with a unit{_meant(text, unit)}"
        raise refusal(name, owner, rule, text, _example(unit)) from None
    if remark := remark_on_unit(text):
        warnings.warn(f"`{name}` of {owner}: {remark}", UnitWarning, stacklevel=4)
    return value


def _converted(text: str, unit: str) -> float:
    """Return a text in `unit` by Pint, to which an angle is a plain number: 120 rpm are 2 Hz, and 5° no ratio."""
    import pint

    given = _registry().Quantity(text)
    value = float(given.to(unit or "dimensionless").magnitude)
    angle = "radian" in str(given.to_root_units().units)
    if angle and not unit:
        raise pint.DimensionalityError(given.units, "dimensionless")
    if unit == "Hz" and angle:
        return value / (2.0 * math.pi)
    return 2.0 * math.pi * value if unit == "rad/s" and "hertz" in str(given.units) else value


def _meant(text: str, unit: str) -> str:
    """Return, as the end of a rule, a text that differs in capitals and has the unit; nothing where there is none."""
    other = re.sub(r"[A-Za-z]+", lambda word: _CAPITALS.get(word[0].lower(), word[0]), text)
    try:
        _converted(other, unit)
    except Exception:  # as above
        return ""
    return f': capitals count, "{other}" may be meant'


def _example(unit: str) -> str:
    return f'Write a number, taken in {unit}, or "1.0 {unit}".' if unit else "Write a plain number."


def _in_unit(unit: str) -> str:
    return f" in {unit}" if unit else ""


def _plain(value: float) -> str:
    return f"{value:g}".replace("inf", "∞")


def require(value: object, what: str, owner: str, way_out: str) -> None:
    """Refuse a missing value by name."""
    if value is None:
        raise InputError(f"{owner} needs `{what}`. {way_out}")


def si(value: float, unit: str, digits: int = 5) -> str:
    """Return a value with its unit and the prefix an engineer would use: 4.8119 kN, 202.45 µs."""
    if not math.isfinite(value):
        return "never" if value > 0 and unit == "s" else str(value)
    if value == 0.0:
        return f"0 {unit}"
    power = min(max(3 * math.floor(math.log10(abs(value)) / 3), -12), 12)
    prefix = {-12: "p", -9: "n", -6: "µ", -3: "m", 0: "", 3: "k", 6: "M", 9: "G", 12: "T"}[power]
    return f"{value / 10.0**power:.{digits}g} {prefix}{unit}"
