"""`carom.reproduce`: one word, one comparison."""

from __future__ import annotations

import carom
from carom.results import Comparison
from carom.studies.reproduce import case_names


def test_reproduce_is_a_public_word() -> None:
    comparison = carom.reproduce("papi2022-table1")
    assert isinstance(comparison, Comparison)
    assert comparison.as_dict()["case"] == "papi2022-table1"


def test_a_run_is_deterministic() -> None:
    assert carom.reproduce("alves2015-table4").rows == carom.reproduce("alves2015-table4").rows


def test_names_are_sorted() -> None:
    assert case_names() == sorted(case_names())
