"""The schemes: what each is, what it takes, and what a Runge-Kutta method is worth by its coefficients."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from pages.markdown import code, table


def pages(place: Path) -> Iterator[tuple[str, str]]:
    """Return the page of all schemes, from what `carom schemes --json` says."""
    said = subprocess.run(
        [sys.executable, "-m", "carom.cli", "schemes", "--json"], capture_output=True, text=True, check=True
    )
    schemes = json.loads(said.stdout)["schemes"]
    about = [
        (code(one["name"]), one["about"], one["order"] or "", ", ".join(map(code, one["options"]))) for one in schemes
    ]
    asked = list(schemes[0]["can"])
    can = [
        (
            code(one["name"]),
            *(("yes" if held is True else "" if held is False else held) for held in one["can"].values()),
        )
        for one in schemes
    ]
    yield "index.md", "\n\n".join([
        "# Schemes",
        "`carom.simulate(problem, scheme=…)`. Without the word it is `event`: exact between impacts, no step to choose. "
        "[Which scheme?](../../choosing/which-scheme.md) helps to choose.",
        table(("scheme", "what it is", "order", "options"), about),
        "## What they take",
        "A problem that asks for more is refused before it begins, with the schemes that can.",
        table(("scheme", *(name.replace("_", " ") for name in asked)), can),
    ])  # fmt: skip
