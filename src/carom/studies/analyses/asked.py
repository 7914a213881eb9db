"""The options that a study file gives an analysis: taken one by one, what is left over is refused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from carom.errors import UnknownNameError, refusal
from carom.motions.quantities import acceleration
from carom.studies.outputs import in_unit_of
from carom.units import ANY, Range, number

__all__ = ["MOST_RESAMPLES", "SHARE", "Asked"]

SHARE = Range(0.0, 1.0)
"""Confidences and probabilities: inside (0, 1)."""

MOST_RESAMPLES = 100_000
"""Beyond, the resamples themselves tell nothing more."""
LARGEST_SEED = 2**32 - 1
"""What all generators of random numbers take."""

_MISSING: Any = object()


class Asked:
    """Options of one analysis; every method takes one of them, `done` refuses those that nobody took."""

    def __init__(self, analysis: str, options: Mapping[str, Any]) -> None:
        self.owner = f"analysis {analysis}"
        self._left = dict(options)
        self._known: list[str] = []

    def _take(self, name: str, default: Any) -> Any:
        self._known.append(name)
        value = self._left.pop(name, default)
        if value is _MISSING:
            raise refusal(name, self.owner, "must be given", None, f"Write {name} = … in the study file.")
        return value

    def text(self, name: str, default: Any = _MISSING) -> str:
        """Take a word, such as the name of a column."""
        value = self._take(name, default)
        if not isinstance(value, str):
            raise refusal(name, self.owner, "must be a text", value)
        return value

    def maybe(self, name: str) -> str | None:
        """Take a word that may be missing."""
        value = self._take(name, None)
        if value is not None and not isinstance(value, str):
            raise refusal(name, self.owner, "must be a text", value)
        return value

    def texts(self, name: str, default: Any = _MISSING) -> tuple[str, ...]:
        """Take a word or a list of them."""
        value = self._take(name, default)
        found = (value,) if isinstance(value, str) else value
        if not isinstance(found, Sequence) or not all(isinstance(one, str) for one in found):
            raise refusal(name, self.owner, "must be a text or a list of texts", value)
        return tuple(found)

    def number(self, name: str, default: Any = _MISSING, *, unit: str = "", within: Range = ANY) -> float:
        """Take a number, or a text with a unit."""
        return number(self._take(name, default), unit, name=name, owner=self.owner, within=within)

    def acceleration(self, name: str, default: Any = _MISSING) -> float:
        """Take an acceleration [m/s²], or a text such as ``"0.1 g"``."""
        return acceleration(self._take(name, default), name=name, owner=self.owner)

    def numbers(self, name: str, default: Any = _MISSING, *, unit: str = "", within: Range = ANY) -> tuple[float, ...]:
        """Take a number or a list of them."""
        value = self._take(name, default)
        found = value if isinstance(value, Sequence) and not isinstance(value, str) else (value,)
        return tuple(number(one, unit, name=name, owner=self.owner, within=within) for one in found)

    def limits(self, name: str, outputs: tuple[str, ...], default: Any = _MISSING) -> tuple[float, ...]:
        """Take a number or a list of them, in the units of outputs: one for each, or several for a single one."""
        value = self._take(name, default)
        found = value if isinstance(value, Sequence) and not isinstance(value, str) else (value,)
        each = outputs * len(found) if len(outputs) == 1 else outputs
        if len(each) != len(found):
            raise refusal(name, self.owner, f"must be {len(outputs)} numbers, one for each output", value)
        return tuple(in_unit_of(*pair, name=name, owner=self.owner) for pair in zip(each, found, strict=True))

    def limit(self, name: str, output: str, default: Any = _MISSING, *, within: Range = ANY) -> float:
        """Take a number in the unit of an output."""
        return in_unit_of(output, self._take(name, default), name=name, owner=self.owner, within=within)

    def whole(self, name: str, default: Any = _MISSING, *, least: int = 0, most: int = LARGEST_SEED) -> int:
        """Take a whole number from `least` to `most`."""
        value = self._take(name, default)
        if isinstance(value, bool) or not isinstance(value, int) or value < least:
            raise refusal(name, self.owner, f"must be a whole number of at least {least}", value)
        if value > most:
            raise refusal(name, self.owner, f"must be at most {most:,}", value)
        return value

    def flag(self, name: str, default: Any = _MISSING) -> bool:
        """Take true or false."""
        value = self._take(name, default)
        if not isinstance(value, bool):
            raise refusal(name, self.owner, "must be true or false", value)
        return value

    def one_of(self, name: str, choices: Sequence[str], default: Any = _MISSING) -> str:
        """Take one of a few words."""
        value = self._take(name, default)
        if value not in choices:
            raise UnknownNameError(f"{name} of {self.owner}", value, choices)
        return str(value)

    def done(self) -> None:
        """Refuse what was not taken: a misspelt option must not be passed over."""
        for name in self._left:
            raise UnknownNameError(f"option of {self.owner}", name, self._known)
