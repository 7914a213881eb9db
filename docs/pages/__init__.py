"""Pages that are made of the package itself, so that they cannot say what it does not do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pages import api, fields, house, laws, schemes, validation

HERE = Path(__file__).parents[1]
MAKERS = {
    "reference/laws": laws.pages,
    "reference/fields": fields.pages,
    "reference/schemes": schemes.pages,
    "reference/api": api.pages,
    "reference/house": house.pages,
    "reference/cases": validation.pages,
}
"""Folder to the function that makes its pages: name to text, as Markdown or, drawn, as SVG."""


def write(app: Any = None) -> None:
    """Write all pages anew; one whose text is the same keeps its time, so that Sphinx does not read it again."""
    for folder, make in MAKERS.items():
        place = HERE / folder
        place.mkdir(parents=True, exist_ok=True)
        made = dict(make(place))
        for old in place.iterdir():
            if old.name not in made and old.suffix in {".md", ".svg"}:
                old.unlink()
        for name, text in made.items():
            path = place / name
            if not path.is_file() or path.read_text(encoding="utf-8") != text:
                path.write_text(text, encoding="utf-8")


AS_WRITTEN: dict[str, list[str]] = {}
"""Docstrings of attributes before napoleon sees them, which takes what stands before a colon for a type."""


def keep(app: Any, what: str, name: str, thing: Any, options: Any, lines: list[str]) -> None:
    """Remember the docstring of an attribute."""
    if what == "attribute":
        AS_WRITTEN[name] = list(lines)


def restore(app: Any, what: str, name: str, thing: Any, options: Any, lines: list[str]) -> None:
    """Bring it back, and keep |x| an absolute value: to reStructuredText it would be a substitution."""
    lines[:] = [line.replace("|", "\\|") for line in AS_WRITTEN.pop(name, lines)]


def setup(app: Any) -> dict[str, bool]:
    """Have Sphinx make the pages before it looks for them."""
    app.connect("config-inited", lambda app, config: write(app))
    app.connect("autodoc-process-docstring", keep, priority=100)
    app.connect("autodoc-process-docstring", restore, priority=900)
    return {"parallel_read_safe": True}
