"""Run a published case and set its numbers beside the published ones."""

from __future__ import annotations

import warnings
from typing import Any

from carom.cases import Run, cases
from carom.errors import ValidityWarning
from carom.integrate.ensembles.ensemble import ensemble
from carom.integrate.impact import impact
from carom.integrate.nonsmooth.integration import irk
from carom.integrate.simulate import simulate
from carom.results import Comparison

__all__ = ["case_names", "reproduce"]

MEANS: dict[str, Run] = {"ensemble": ensemble, "impact": impact, "irk": irk, "simulate": simulate}


def case_names() -> list[str]:
    """Return the names of all published cases, sorted."""
    return cases.names()


def reproduce(name: str, **given: Any) -> Comparison:
    """Compute the published case of that name again.

    Parameters
    ----------
    name
        One of `case_names()`.
    given
        What a case takes besides; ``mahmoud2008-figs8to13``, ``langlade2021-table5`` and the two-storey frames of
        langlade2021 (``-table8``, ``-fig15``, ``-fig16``, ``-figa4``, ``-figa5``) take other ``motions`` than the
        built-in thirty.

    Returns
    -------
    Comparison
        Rows with published and computed number, deviation and verdict; figures as data, for
        `carom.plots.draw`; notes on what the paper leaves open.
    """
    case = cases.get(name)(**given)
    run = MEANS[case.means]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ValidityWarning)  # how far a paper took its laws is its own affair
        rows, figures = tuple(case.rows(run)), tuple(case.figures(run))
    return Comparison(
        case=case.name,
        title=case.title,
        source=case.source,
        rows=rows,
        figures=figures,
        notes=case.notes,
    )
