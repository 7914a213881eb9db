"""One template system for all pages: run, reproduction, and what comes later."""

from __future__ import annotations

import json
import platform
import re
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

import carom
from carom.reports.runs.files import plain
from carom.results import Cell
from carom.web import bundle, style

__all__ = ["page", "versions"]

UNIT = re.compile(r"(?<=\d) (?=(?:%|[nµmkMG]?(?:N|J|s|m|g|t|Hz)\b))")
LIBRARIES = ("numpy", "scipy", "numba", "xarray", "matplotlib")


def page(template: str, **content: Any) -> str:
    """Return a page that needs nothing but itself: styles, scripts, figures and data inside."""
    made = datetime.now(UTC).strftime("%d %B %Y, %H:%M UTC").lstrip("0")
    return _environment().get_template(template).render(**content, made=made, versions=versions())


def versions() -> dict[str, str]:
    """Return what computed and drew this: carom, Python, and the libraries below."""
    return {
        "carom": carom.__version__,
        "python": platform.python_version(),
        **{name: version(name) for name in LIBRARIES},
    }


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("carom.reports"), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
        lstrip_blocks=True,
    )  # fmt: skip
    environment.filters["cell"] = cell
    environment.filters["json"] = _json
    environment.filters["number"] = number
    environment.filters["tied"] = tied
    environment.globals["resource"] = _resource
    environment.globals["component"] = lambda name: Markup(bundle(name))  # nosec B704: files of the package
    environment.globals["component_style"] = lambda name: Markup(style(name))  # nosec B704: likewise
    return environment


def _resource(name: str) -> Markup:
    """Return a file of the templates as it is: styles and scripts."""
    text = (files("carom.reports") / "templates" / name).read_text(encoding="utf-8")
    return Markup(text)  # nosec B704: a file of the package


def _json(value: Any) -> Markup:
    """Return data for a script element; nothing in it can end the element."""
    text = json.dumps(plain(value), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return Markup(text.replace("<", "\\u003c").replace("&", "\\u0026"))  # nosec B704: no markup is left in it


def tied(text: str) -> str:
    """Return a sentence in which numbers do not part from their units at the end of a line."""
    return UNIT.sub("\u00a0", text)


def cell(value: Cell) -> str:
    """Return what a cell of a table holds as a page shows it."""
    if value is None or value != value:
        return "–"
    return number(value) if isinstance(value, float) else str(value)


def number(value: float | None, digits: int = 4) -> str:
    """Return a number as a table shows it."""
    if value is None:
        return "–"
    text = f"{value:.{digits}g}"
    if "e" in text:
        mantissa, _, power = text.partition("e")
        return f"{mantissa}·10{str(int(power)).translate(str.maketrans('-0123456789', '⁻⁰¹²³⁴⁵⁶⁷⁸⁹'))}"
    return text.replace("-", "−")
