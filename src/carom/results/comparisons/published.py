"""Published beside computed: what became of a paper's numbers when they were computed again."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from carom.citation import Source
from carom.results.figure import FigureData

__all__ = ["Comparison", "Row", "Verdict", "tally"]


class Verdict(StrEnum):
    """What a comparison came to; the value is the word in tables and files."""

    REPRODUCED = "reproduced"
    """Within the stated tolerance of the published number."""
    DIFFERS = "differs"
    """Outside it; the row gives the reason where it is known."""
    NOT_PUBLISHED = "not published"
    """The paper prints no such number: ours stands alone."""
    NOT_COMPUTABLE = "not computable"
    """The paper prints the number, but leaves out what it would take to compute it."""


@dataclass(frozen=True, kw_only=True)
class Row:
    """One quantity, as published and as computed."""

    quantity: str
    """What it is, without its unit."""
    published: float | None
    """The paper's number; None where it prints none."""
    computed: float | None
    """Ours; None where the paper leaves out what it would take."""
    tolerance: float = 0.0
    """Largest difference that still counts as reproduced: relative, or in `unit` if `absolute`."""
    absolute: bool = False
    unit: str = ""
    reason: str = ""
    """Why the two differ, or what is missing."""

    @property
    def label(self) -> str:
        """The quantity with its unit in brackets."""
        return f"{self.quantity} [{self.unit}]" if self.unit else self.quantity

    @property
    def difference(self) -> float | None:
        """Computed less published, in `unit`; None where one of them is missing."""
        if self.published is None or self.computed is None:
            return None
        return self.computed - self.published

    @property
    def deviation(self) -> float | None:
        """(computed − published)/published; None where that cannot be said."""
        if self.difference is None or not self.published:
            return None
        return self.difference / self.published

    @property
    def verdict(self) -> Verdict:
        """Whether the published number came out."""
        if self.published is None:
            return Verdict.NOT_PUBLISHED
        off = self.difference if self.absolute else self.deviation
        if off is None:
            return Verdict.NOT_COMPUTABLE
        return Verdict.REPRODUCED if abs(off) <= self.tolerance else Verdict.DIFFERS

    def as_dict(self) -> dict[str, Any]:
        """Return the row as files and programs see it; keys may be added, none goes."""
        compared = self.difference is not None
        return {
            "quantity": self.label,
            "published": self.published,
            "computed": self.computed,
            "deviation": self.deviation,
            "verdict": self.verdict.value,
            "difference": self.difference,
            "tolerance": self.tolerance if compared else None,
            "tolerance_kind": ("absolute" if self.absolute else "relative") if compared else None,
            "reason": self.reason,
        }


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """A published case, computed again."""

    case: str
    title: str
    source: Source
    rows: tuple[Row, ...] = ()
    figures: tuple[FigureData, ...] = ()
    notes: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """Return the comparison as files and programs see it; keys may be added, none goes."""
        return {
            "case": self.case,
            "rows": [row.as_dict() for row in self.rows],
            "title": self.title,
            "place": self.source.equations,
            "reference": self.source.reference,
            "notes": list(self.notes),
        }


def tally(comparisons: Iterable[Comparison]) -> dict[Verdict, int]:
    """Count the rows by verdict."""
    counts = dict.fromkeys(Verdict, 0)
    for comparison in comparisons:
        for row in comparison.rows:
            counts[row.verdict] += 1
    return counts
