"""What every case promises, whichever it is."""

from __future__ import annotations

import math

import numpy as np
import pytest
from tests.reproduced import reproduce

from carom.cases import Case, cases
from carom.citation import PAPERS
from carom.errors import InputError
from carom.results import Kind, Verdict
from carom.studies.reproduce import case_names

EXPECTED = {
    "alves2015-table3",
    "alves2015-table4",
    *(f"alves2015-fig{n}" for n in (2, 3, 4, 6, 7, 8, 9)),
    *(f"papi2022-{what}" for what in ("table1", "table2", "table3", "alpha", "fig2", "fig3", "fig6")),
    "mahmoud2008-steel",
    "mahmoud2008-concrete",
    "mahmoud2008-fig6",
    "mahmoud2008-fig7",
    "mahmoud2008-figs8to13",
    "langlade2021-ball",
    "mahmoud2008-fig14",
    "mahmoud2008-burrage",
    "langlade2021-fig8",
    "langlade2021-fig9",
    "langlade2021-fig10",
    "langlade2021-table5",
    *(f"langlade2021-{what}" for what in ("table7", "table8", "fig15", "fig16", "figa4", "figa5")),
    "langlade2021-fig11",
    "zhu2002-fig7",
    "langlade2021-table7-frame",
    *(f"frame-{what}" for what in ("nafems-fv2", "nafems-fv4", "bathe-wilson", "seven-storeys", "dg25")),
    "zhu2002-fig8",
    "zhu2002-dashpots",
}


def test_names_that_must_not_change() -> None:
    assert set(case_names()) >= EXPECTED


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_every_case(name: str) -> None:
    comparison = reproduce(name)
    assert comparison.case == name
    assert comparison.title
    assert comparison.source.reference in PAPERS.values()
    assert comparison.source.equations.startswith(name.split("-")[0])
    assert comparison.rows
    labels = [row.label for row in comparison.rows]
    assert len(set(labels)) == len(labels)
    for row in comparison.rows:
        assert row.computed is None or math.isfinite(row.computed)
        if row.verdict is not Verdict.REPRODUCED:
            assert row.reason, row.label
        if row.difference is not None:
            assert row.tolerance > 0.0


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_figures_are_finite_data(name: str) -> None:
    comparison = reproduce(name)
    for figure in comparison.figures:
        assert figure.source.startswith(f"after {name.split('-')[0]}")
        for panel in figure.panels:
            assert panel.xlabel
            assert panel.ylabel
            for curve in panel.curves:
                assert np.all(np.isfinite(curve.y))
                assert curve.kind is Kind.LEVEL or np.shape(curve.x) == np.shape(curve.y)


@pytest.mark.parametrize(
    ("name", "panels"),
    [
        ("alves2015-fig2", 1),
        ("alves2015-fig3", 8),
        ("alves2015-fig4", 8),
        ("alves2015-fig6", 8),
        ("alves2015-fig9", 8),
        ("papi2022-alpha", 2),
        ("papi2022-fig6", 1),
        ("mahmoud2008-steel", 1),
        ("mahmoud2008-concrete", 1),
        ("mahmoud2008-fig6", 4),
        ("mahmoud2008-fig7", 4),
        ("mahmoud2008-figs8to13", 12),
        ("mahmoud2008-burrage", 4),
        ("langlade2021-ball", 6),
        ("langlade2021-fig8", 2),
        ("langlade2021-fig9", 4),
        ("langlade2021-fig10", 6),
        ("zhu2002-fig7", 1),
        ("zhu2002-fig8", 2),
    ],
)
def test_panels_as_the_paper_has_them(name: str, panels: int) -> None:
    (figure,) = reproduce(name).figures
    assert len(figure.panels) == panels


def test_unknown_case_is_answered_with_the_known_ones() -> None:
    with pytest.raises(InputError, match="Did you mean 'alves2015-table4'"):
        reproduce("alves2015-tabel4")


def test_a_case_is_found_by_any_spelling() -> None:
    assert reproduce("Alves2015 Table3").case == "alves2015-table3"


def test_a_case_runs_with_whatever_it_is_given() -> None:
    """A case states; the means to run are injected."""
    asked = []

    def run(law: object, **conditions: object) -> object:
        from carom.integrate.impact import impact

        asked.append((law, conditions))
        return impact(law, **conditions)

    case: Case = cases.get("alves2015-table4")()
    assert len(case.rows(run)) == len(asked) == 64
