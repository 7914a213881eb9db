"""Run a published case and set its numbers beside the published ones."""

from __future__ import annotations

from carom.cases import cases
from carom.integrate.impact import impact
from carom.results import Comparison

__all__ = ["case_names", "reproduce"]


def case_names() -> list[str]:
    """Return the names of all published cases, sorted."""
    return cases.names()


def reproduce(name: str) -> Comparison:
    """Compute the published case of that name again.

    Returns
    -------
    Comparison
        Rows with published and computed number, deviation and verdict; figures as data, for
        `carom.plots.draw`; notes on what the paper leaves open.
    """
    case = cases.get(name)()
    return Comparison(
        case=case.name,
        title=case.title,
        source=case.source,
        rows=tuple(case.rows(impact)),
        figures=tuple(case.figures(impact)),
        notes=case.notes,
    )
