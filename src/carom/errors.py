"""What a user reads when something is wrong, and how it is phrased.

Bad input raises `InputError` before anything is computed; a computation that cannot meet its promise
raises `RunError`. Every refusal names the parameter, its owner, the rule, the value received and the
way out, in that order.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable

__all__ = [
    "CaromError",
    "CaromWarning",
    "DamageWarning",
    "FailedRunsWarning",
    "InputError",
    "InputErrors",
    "Refusal",
    "RunError",
    "UnitWarning",
    "UnknownNameError",
    "ValidityWarning",
    "refusal",
    "shown",
]


MOST_LISTED = 60
"""Known names that a message lists."""


class CaromError(Exception):
    """Base of every error that carom raises on purpose."""


class InputError(CaromError, ValueError):
    """The input cannot be right; nothing was computed."""


class InputErrors(InputError):
    """Several things that cannot be right, found at once; `lines` has one message for each."""

    def __init__(self, lines: Iterable[str]) -> None:
        self.lines = tuple(lines)
        super().__init__("\n".join(self.lines))


class Refusal(InputError):
    """A refusal in its parts, for those who say it in other words: a file's reader knows the field by another name."""

    def __init__(self, parameter: str, owner: str, rule: str, value: object, way_out: str = "") -> None:
        self.parameter, self.owner, self.rule, self.value, self.way_out = parameter, owner, rule, value, way_out
        super().__init__(f"`{parameter}` of {owner} {rule}. Got {shown(value)}. {way_out}".rstrip())

    def __reduce__(self) -> tuple[type[Refusal], tuple[str, str, str, object, str]]:
        return type(self), (self.parameter, self.owner, self.rule, self.value, self.way_out)


class UnknownNameError(InputError):
    """A name that no registry holds; lists the known ones and suggests the nearest, among aliases (`also`) too."""

    def __init__(self, kind: str, name: object, known: Iterable[str], also: Iterable[str] = ()) -> None:
        known = sorted(set(known))
        plain = {one.lower(): one for one in [*also, *known]}
        near = [plain[one] for one in difflib.get_close_matches(str(name).lower(), plain, n=3, cutoff=0.6)]
        hint = f" Did you mean {_either(near)}?" if near else ""
        rest = f", … ({len(known)} in all)" if len(known) > MOST_LISTED else ""
        listed = f"Known: {', '.join(known[:MOST_LISTED])}{rest}." if known else "There are none."
        super().__init__(f"Unknown {kind} {name!r}.{hint} {listed}")


class RunError(CaromError):
    """The input was fine, but the computation could not keep its tolerance."""


class CaromWarning(UserWarning):
    """The result stands, but the user should know something about it."""


class ValidityWarning(CaromWarning):
    """The model was used outside what it is stated for."""


class FailedRunsWarning(CaromWarning):
    """Not one of many runs has finished."""


class DamageWarning(CaromWarning):
    """Something stored is damaged and was made again, or cannot be checked."""


class UnitWarning(CaromWarning):
    """A unit with two meanings was taken for one of them."""


def refusal(parameter: str, owner: str, rule: str, value: object, way_out: str = "") -> Refusal:
    """Build the house's one form of refusal: parameter, owner, rule, value received, way out."""
    return Refusal(parameter, owner, rule, value, way_out)


def shown(value: object) -> str:
    """Return a value as a message shows it: on one line, and not a long one."""
    try:
        text = " ".join(repr(value).split())  # arrays print over several lines
    except (ValueError, RecursionError):  # Python does not print whole numbers of thousands of digits
        text = f"a {type(value).__name__} too long to be shown"
    return text if len(text) <= 80 else text[:77] + "..."


def _either(names: list[str]) -> str:
    quoted = [f"'{name}'" for name in names]
    return quoted[0] if len(quoted) == 1 else ", ".join(quoted[:-1]) + " or " + quoted[-1]
