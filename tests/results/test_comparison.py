"""When a number counts as reproduced."""

from __future__ import annotations

import pytest

from carom.citation import Source
from carom.results import Comparison, Row, Verdict, tally


def row(published: float | None, computed: float | None, tolerance: float = 0.0, absolute: bool = False) -> Row:
    return Row(quantity="x", published=published, computed=computed, tolerance=tolerance, absolute=absolute, unit="N")


@pytest.mark.parametrize(
    ("this", "deviation", "verdict"),
    [
        (row(100.0, 100.2, 0.0025), 0.002, Verdict.REPRODUCED),
        (row(100.0, 99.8, 0.0025), -0.002, Verdict.REPRODUCED),
        (row(100.0, 100.3, 0.0025), 0.003, Verdict.DIFFERS),
        (row(-0.2, -0.21, 0.1), 0.05, Verdict.REPRODUCED),
        (row(0.1, 0.114, 0.015, absolute=True), 0.14, Verdict.REPRODUCED),
        (row(0.1, 0.116, 0.015, absolute=True), 0.16, Verdict.DIFFERS),
        (row(0.0, 0.1, 0.2, absolute=True), None, Verdict.REPRODUCED),
        (row(None, 1.0), None, Verdict.NOT_PUBLISHED),
        (row(21.45, None), None, Verdict.NOT_COMPUTABLE),
        (row(None, None), None, Verdict.NOT_PUBLISHED),
    ],
)
def test_verdict(this: Row, deviation: float | None, verdict: Verdict) -> None:
    assert this.verdict is verdict
    assert this.deviation == (None if deviation is None else pytest.approx(deviation))


def test_what_a_row_looks_like_in_a_file() -> None:
    assert row(100.0, 101.0, 0.02).as_dict() == {
        "quantity": "x [N]",
        "published": 100.0,
        "computed": 101.0,
        "deviation": pytest.approx(0.01),
        "verdict": "reproduced",
        "difference": pytest.approx(1.0),
        "tolerance": 0.02,
        "tolerance_kind": "relative",
        "reason": "",
    }


def test_a_row_without_a_comparison_has_no_tolerance_but_a_reason() -> None:
    found = Row(quantity="x", published=21.45, computed=None, unit="%", reason="measured curve not published").as_dict()
    assert found["difference"] is found["tolerance"] is found["tolerance_kind"] is None
    assert found["reason"] == "measured curve not published"


def test_what_a_comparison_looks_like_in_a_file() -> None:
    some = Comparison(case="c", title="t", source=Source("paper", "Table 1", "c"), rows=(row(1.0, 1.0),), notes=("n",))
    body = some.as_dict()
    assert list(body)[:2] == ["case", "rows"]
    assert (body["title"], body["place"], body["reference"], body["notes"]) == ("t", "Table 1", "paper", ["n"])


def test_tally_counts_every_verdict() -> None:
    some = Comparison(case="c", title="t", source=Source("a", "b", "c"), rows=(row(1.0, 1.0), row(None, 1.0)))
    assert tally([some, some]) == {
        Verdict.REPRODUCED: 2, Verdict.DIFFERS: 0, Verdict.NOT_PUBLISHED: 2, Verdict.NOT_COMPUTABLE: 0
    }  # fmt: skip
