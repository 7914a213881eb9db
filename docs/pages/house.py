"""The house's own papers, from the root of the project: their links lead to pages here."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAPERS = {"contributing": "CONTRIBUTING.md", "security": "SECURITY.md", "changes": "CHANGELOG.md"}


def pages(place: Path) -> Iterator[tuple[str, str]]:
    """Return each paper as a page."""
    for name, paper in PAPERS.items():
        text = (ROOT / paper).read_text(encoding="utf-8")
        text = re.sub(r"\]\(docs/", "](../../", text)
        for other, file in PAPERS.items():
            text = text.replace(f"]({file}", f"]({other}.md")
        yield f"{name}.md", text.replace("](README.md)", "](../../index.md)")
