"""Published beside computed: every case, run when the pages are made, kept as long as the package stays as it is."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import carom
from pages.markdown import contents, table

KEPT = Path(__file__).parents[1] / "_build" / "reproduced.json"
WORDS = {
    "reproduced": "reproduced",
    "differs": "differs",
    "not-computable": "not computable",
    "not-published": "not published",
}


def pages(place: Path) -> Iterator[tuple[str, str]]:
    """Return a page for each case and the list of them."""
    cases = _reproduced()
    rows = []
    for case in cases:
        name = case["case"]
        counts = {word: sum(row["verdict"] == word for row in case["rows"]) for word in WORDS}
        rows.append((f"[{name}]({name}.md)", case.get("title", ""), *(counts[word] or "" for word in WORDS)))
        yield f"{name}.md", _page(case)
    yield "index.md", "\n\n".join([
        "# Published beside computed",
        "Every table and figure that carom reproduces, computed anew with these pages (`carom reproduce --all`). *Reproduced* is within "
        "a tolerance that comes from printed digits or from what the paper claims, never from our result; *differs* has its reason "
        "where we know it; *not computable* is a printed number for which the paper leaves out an input; *not published* is a number "
        "of ours that the paper only draws.",
        table(("case", "what it is", *WORDS.values()), rows),
        contents(case["case"] for case in cases),
    ])  # fmt: skip


def _page(case: dict[str, Any]) -> str:
    rows = [
        (row["quantity"], _number(row["published"]), _number(row["computed"]), _share(row.get("deviation")), WORDS.get(row["verdict"], row["verdict"]), row["reason"])
        for row in case["rows"]
    ]  # fmt: skip
    notes = "\n".join(f"- {note}" for note in case.get("notes", ()))
    return "\n\n".join([
        f"# {case['case']}",
        case.get("title", ""),
        str(case.get("source", "")) if isinstance(case.get("source"), str) else "",
        table(("quantity", "published", "computed", "deviation", "verdict", "reason"), rows),
        f"## Readings and misprints\n\n{notes}" if notes else "",
    ]) + "\n"  # fmt: skip


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.5g}"


def _share(value: float | None) -> str:
    return "" if value is None else f"{100 * value:+.2g} %"


def _reproduced() -> list[dict[str, Any]]:
    """Return all cases, from the file of the last build where nothing in the package has changed since."""
    digest = hashlib.sha256()
    for source in sorted(Path(carom.__file__).parent.rglob("*.py")):
        digest.update(source.read_bytes())
    if KEPT.is_file():
        kept = json.loads(KEPT.read_text(encoding="utf-8"))
        if kept["package"] == digest.hexdigest():
            found: list[dict[str, Any]] = kept["cases"]
            return found
    command = [sys.executable, "-W", "ignore", "-m", "carom.cli", "reproduce", "--all", "--json"]
    said = subprocess.run(command, capture_output=True, text=True, check=False)
    cases: list[dict[str, Any]] = json.loads(said.stdout)["cases"]
    KEPT.parent.mkdir(parents=True, exist_ok=True)
    KEPT.write_text(json.dumps({"package": digest.hexdigest(), "cases": cases}), encoding="utf-8")
    return cases
