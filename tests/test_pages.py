"""Pages of the documentation: their Python runs, and every command and option that they write exists."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import typer

from carom.cli.app import app

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
ALONE = {"analyses", "frames", "ground", "models", "places", "rigid-contact", "space", "studies", "torsion"}
"""Pages that have tests of their own in `test_documents`."""
FOLDERS = (".", "choosing", "coming-from", "theory", "tutorials")
PAGES = sorted(page.relative_to(ROOT).as_posix() for folder in FOLDERS for page in (DOCS / folder).glob("*.md"))


def blocks(page: str, *kinds: str) -> list[str]:
    text = (ROOT / page).read_text(encoding="utf-8")
    return re.findall(rf"^```(?:{'|'.join(kinds)})\n(.*?)^```", text, flags=re.M | re.S)


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "python") and Path(page).stem not in ALONE])
def test_blocks_run(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    scope: dict[str, object] = {"__name__": "a_page"}
    for block in blocks(page, "python"):
        exec(compile(block, page, "exec", dont_inherit=True), scope)


def commands(page: str) -> list[list[str]]:
    """Return the words of every carom command of a page: in blocks of code, in cells of tutorials, in running text."""
    text = (ROOT / page).read_text(encoding="utf-8")
    lines = [line for block in blocks(page, "sh", "bash") for line in block.splitlines()]
    lines += re.findall(r"^!(carom .*)$", text, re.M) + re.findall(r"`(carom [a-z][^`]*)`", text)
    parts = [part.strip() for line in lines for part in re.split("&&|;", line.split(" # ")[0])]
    return [part.replace("|", " ").split() for part in parts if part.startswith("carom ")]


def meant(words: list[str]) -> tuple[Any, list[str]]:
    """Return the command that these words call, and what they say to it."""
    command: Any = typer.main.get_command(app)
    rest = words[1:]
    while rest and rest[0] in getattr(command, "commands", {}):
        command = command.commands[rest.pop(0)]
    if rest and "run" in getattr(command, "commands", {}) and words[1] == "study":  # carom study F.toml
        command = command.commands["run"]
    return command, rest


@pytest.mark.parametrize("page", [page for page in ["README.md", "CONTRIBUTING.md", *PAGES] if commands(page)])
def test_commands_exist(page: str) -> None:
    for words in commands(page):
        command, rest = meant(words)
        known = {"--help", "-h", "--version"} | {
            name for one in command.params for name in one.opts + one.secondary_opts
        }
        said = " ".join(words)
        assert [word for word in rest if re.fullmatch(r"--[a-z][a-z-]*", word) and word not in known] == [], said
        assert not (rest and hasattr(command, "commands")), f"{said}: no such command"
