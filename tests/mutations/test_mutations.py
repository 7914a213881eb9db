"""A few changed files of every kind, and all that ever went wrong: `python -m tests.mutations` runs thousands."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.mutations import scenarios, studies
from tests.mutations.records import answer_record, mutate_record
from tests.mutations.scenarios import answer_scenario, mutate_scenario
from tests.mutations.studies import answer_study, mutate_study
from tests.mutations.words import Depth

CORPUS = Path(__file__).parent / "corpus"
"""Files that carom once did not answer; the name says the kind, and what they have."""
ANSWERS = {"scenario": answer_scenario, "study": answer_study, "record": answer_record}
FEW = 150


def test_changed_scenarios_are_answered(tmp_path: Path) -> None:
    words = {answer_scenario(mutate_scenario(seed), tmp_path, Depth(seed % 40 == 0)) for seed in range(FEW)}
    assert words == {"sound", "refused"}


def test_changed_studies_are_answered(tmp_path: Path) -> None:
    words = {answer_study(mutate_study(seed), tmp_path) for seed in range(FEW)}
    assert words == {"sound", "refused"}


def test_changed_records_are_answered(tmp_path: Path) -> None:
    words = {answer_record(mutate_record(seed), tmp_path, Depth(seed % 40 == 0)) for seed in range(FEW)}
    assert words == {"sound", "refused"}


@pytest.mark.parametrize("name", sorted(path.name for path in CORPUS.iterdir()))
def test_what_once_went_wrong_is_answered(name: str, tmp_path: Path) -> None:
    content = (CORPUS / name).read_bytes()
    kind = name.partition("-")[0]
    for depth in (Depth.READ, Depth.TOLD):
        assert ANSWERS[kind](content, tmp_path, depth) in ("sound", "refused")


def test_what_is_changed_was_sound(tmp_path: Path) -> None:
    for text in scenarios.sources():
        assert answer_scenario(text.encode(), tmp_path) == "sound", text
    for text in studies.sources():
        assert answer_study(text.encode(), tmp_path) == "sound", text
