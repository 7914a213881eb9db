"""`carom new` at a terminal: it asks only where nothing says what is wanted."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
import typer

from carom.cli import main


class Terminal:
    """Standard input of a person."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("flags", [["--torsion"], ["--frame"], ["--bridge"], ["--title", "Two"]])
def test_flags_ask_nothing(flags: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def asked(*words: object, **more: object) -> object:
        raise AssertionError(f"asked: {words}")

    monkeypatch.setattr(sys, "stdin", Terminal())
    monkeypatch.setattr(typer, "prompt", asked)
    assert main(["new", str(tmp_path / "mine.toml"), *flags]) == 0


def test_without_flags_a_person_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    questions = []

    def asked(question: str, default: object) -> object:
        questions.append(question)
        return default

    monkeypatch.setattr(sys, "stdin", Terminal())
    monkeypatch.setattr(typer, "prompt", asked)
    assert main(["new", str(tmp_path / "mine.toml")]) == 0
    assert len(questions) > 3
