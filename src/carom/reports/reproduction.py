"""The page of all published cases: every table and figure, published beside computed, with verdict and reason."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from carom.plots import draw
from carom.reports.page import number, page
from carom.reports.svg import graphic
from carom.results import Comparison, FigureData, Row, Verdict, tally

__all__ = ["counted", "reproduction_page", "shown_deviation", "shown_tolerance", "shown_value"]


def reproduction_page(comparisons: Sequence[Comparison], command: str = "carom reproduce --all") -> str:
    """Return one page of these comparisons, grouped by paper."""
    drawings = {
        figure.name: graphic(_key(figure.name), draw(figure)[1], figure.title)
        for comparison in comparisons
        for figure in comparison.figures
    }
    return page(
        "reproduction.html.j2",
        title="Published beside computed",
        command=command,
        papers=[_paper(reference, list(group)) for reference, group in groupby(comparisons, key=_reference)],
        counts=_counts(comparisons),
        cases=len(comparisons),
        drawings=drawings,
        panels={drawing.key: drawing.panels for drawing in drawings.values()},
    )


def counted(verdict: Verdict, count: int) -> str:
    """Return so many rows of a verdict in words: "7 differ"."""
    return f"{count} {'differ' if verdict is Verdict.DIFFERS and count != 1 else verdict.value}"


def _counts(comparisons: Sequence[Comparison]) -> list[tuple[str, str]]:
    """Return the verdicts that occur: the name of each in the style sheet, and how many there are."""
    return [
        (_key(verdict.value), counted(verdict, count)) for verdict, count in tally(comparisons).items() if count
    ]  # fmt: skip


def _reference(comparison: Comparison) -> str:
    return comparison.source.reference


def _key(name: str) -> str:
    """Return a name that an element may have."""
    return "".join(letter if letter.isalnum() else "-" for letter in name)


def _paper(reference: str, comparisons: list[Comparison]) -> dict[str, Any]:
    return {
        "reference": reference,
        "counts": _counts(comparisons),
        "cases": [_case(comparison) for comparison in comparisons],
    }


def _case(comparison: Comparison) -> dict[str, Any]:
    figures: tuple[FigureData, ...] = comparison.figures
    return {
        "name": comparison.case,
        "title": comparison.title,
        "place": comparison.source.equations,
        "notes": comparison.notes,
        "counts": _counts([comparison]),
        "rows": [_row(row) for row in comparison.rows],
        "figures": [(figure.name, f"{figure.title}, {figure.source}.") for figure in figures],
    }


def _row(row: Row) -> dict[str, str]:
    return {
        "label": row.label,
        "published": number(row.published, 5),
        "computed": number(row.computed, 5),
        "deviation": shown_deviation(row),
        "tolerance": shown_tolerance(row),
        "verdict": row.verdict.value,
        "kind": _key(row.verdict.value),
        "reason": row.reason if row.verdict is not Verdict.REPRODUCED else "",
    }


def shown_value(value: float | None) -> str:
    """Return a number as a terminal's table shows it: five digits, no more."""
    if value is None:
        return "–"
    return f"{value:.4e}".replace("e+", "e") if abs(value) >= 1e6 else f"{value:.5g}"


def shown_deviation(row: Row) -> str:
    """Return computed less published, in its share or, where the tolerance is absolute, as it is."""
    if row.absolute and row.difference is not None:
        return f"{round(row.difference, 4) + 0.0:+.4f}"
    return "–" if row.deviation is None else f"{100.0 * row.deviation:+.2f} %"


def shown_tolerance(row: Row) -> str:
    """Return the largest difference that counts as reproduced; nothing where there is no comparison."""
    if row.difference is None:
        return ""
    if row.absolute:
        return f"±{row.tolerance:.2g}"
    return f"±{100.0 * row.tolerance:.2g} %"
