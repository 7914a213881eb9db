"""A page for every law of the catalogue: formula, parameters, source, misprints, and its curves."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np

import carom
from carom.errors import CaromWarning
from carom.laws import impulsive_laws, laws
from carom.laws.catalogue import parameters
from carom.plots import draw
from carom.results import Curve, FigureData, Kind, Panel, Width
from carom.studies.single.achieved import achieved_restitution, example
from pages.markdown import code, contents, table

MASS, SPEED, DEPTH = 1.0, 0.5, 1e-3
"""Of the impacts drawn [kg, m/s, m]: the stiffness is one that stops a body within about this depth."""
ASKED = np.linspace(0.02, 1.0, 50)


def pages(place: Path) -> Iterator[tuple[str, str]]:
    """Return the pages of all laws, their pictures and the list of them."""
    kinds = sorted(laws, key=lambda kind: (kind.n, -1.0 if kind.m is None else kind.m, kind.name))
    for kind in kinds:
        picture = _picture(kind)
        yield f"{kind.name}.svg", picture
        yield f"{kind.name}.md", _law(kind)
    rigid = sorted(impulsive_laws, key=lambda kind: kind.name)
    for kind in rigid:
        yield f"{kind.name}.md", _rigid(kind)
    rows = [(f"[{kind.name}]({kind.name}.md)", f"{kind.n:g}", "" if kind.m is None else f"{kind.m:g}",
             kind.damping_formula, "yes" if example(kind).pulls else "") for kind in kinds]  # fmt: skip
    yield "index.md", "\n\n".join([
        "# Contact laws",
        "Almost every compliant law is F = K δⁿ + χ δᵐ δ̇ while in contact: a stiffness, two exponents, and where the damping χ comes from. "
        "e is the restitution asked for, v0 the rate at first touch; *pulls*: as published the force turns to tension before bodies part "
        "(`tension=False` prevents it). [Which law?](../../choosing/which-law.md) helps to choose.",
        table(("law", "n", "m", "χ", "pulls"), rows),
        "## Impulsive laws",
        "Without a stiffness: an impact takes no time, see [rigid contact](../../rigid-contact.md).",
        table(("law", "impulse p and gap rate ġ"), ((f"[{kind.name}]({kind.name}.md)", kind.formula) for kind in rigid)),
        contents([*(kind.name for kind in kinds), *(kind.name for kind in rigid)]),
    ])  # fmt: skip


def _law(kind: Any) -> str:
    sample, about = example(kind), kind.source
    rows = []
    for name, entry in parameters(kind).items():
        known = entry.metadata
        unit = sample.unit_of(name).replace("*", "·") if "unit" in known else ""
        allowed = known.get("within") or known.get("range") or ", ".join(map(repr, known["choices"]))
        rows.append((code(name), code(unit), allowed, known["text"]))
    parts = [
        f"# {kind.title}",
        f"`carom.law(\"{kind.name}\", stiffness=…)`" + (
            f" · also called {', '.join(map(code, kind.aliases))}" if kind.aliases else ""),
        f"**{_prose(kind.formula)}** with χ: {_prose(kind.damping_formula)}",
        _prose(kind.__doc__),
        table(("parameter", "unit", "range", "what it is"), rows),
        f"```{{image}} {kind.name}.svg\n:alt: force over overlap of one impact, and restitution achieved over the one asked for\n```",
        f"{_drawn(kind)}",
        "## Source",
        f"{about.reference} Equations: {about.equations}. Verified by: {about.verified}.",
        *(f"- {note}" for note in about.notes),
    ]  # fmt: skip
    return "\n\n".join(parts) + "\n"


def _rigid(kind: Any) -> str:
    rows = [(code(entry.name), _prose(entry.metadata.get("text", ""))) for entry in fields(kind) if entry.init]
    parts = [
        f"# {kind.name}",
        f"`carom.law(\"{kind.name}\", …)`",
        f"**{kind.formula}**",
        _prose(kind.__doc__),
        table(("parameter", "what it is"), rows),
        "Contacts struck together, friction and what is exact: [rigid contact](../../rigid-contact.md).",
        "## Source",
        f"{kind.source.reference} Equations: {kind.source.equations}. Verified by: {kind.source.verified}.",
        *(f"- {note}" for note in kind.source.notes),
    ]  # fmt: skip
    return "\n\n".join(parts) + "\n"


def _prose(text: str | None) -> str:
    """Return a docstring or a formula as running text, exponents raised."""
    return re.sub(r"\^\{([^}]*)\}", r"<sup>\1</sup>", " ".join((text or "").split()))


def _drawn(kind: Any) -> str:
    where = f"One impact of {MASS:g} kg at {SPEED:g} m/s, against a fixed body; e = 0.6 where the law takes one."
    if achieved_restitution(kind.name, [0.5]) is None:
        return where + " The law has no published relation between its damping and restitution."
    (got,) = achieved_restitution(kind.name, [0.6])
    return where if np.isnan(got) else f"{where} Asked for 0.6, the law achieves {got:.3f}."


def _picture(kind: Any) -> str:
    """Return the loop of one impact and, where there is one, the curve of achieved restitution, as SVG."""
    stiffness = MASS * SPEED**2 / DEPTH ** (kind.n + 1.0)
    damped = achieved_restitution(kind.name, [0.5]) is not None
    given = {"restitution": 0.6} if damped else {}
    if not damped and "damping" in parameters(kind):  # empirical: a quarter of what the spring does at that depth
        given = {"damping": 0.25 * stiffness * DEPTH ** (kind.n - kind.m) / SPEED}
    law = kind(stiffness=stiffness, **given)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CaromWarning)
        hit = carom.impact(law, mass=MASS, velocity=SPEED)
        spring = carom.law("hertz" if kind.n == 1.5 else "linear", stiffness=stiffness)
        elastic = carom.impact(spring, mass=MASS, velocity=SPEED)
    loop = [Curve(1e3 * hit.history.overlap, 1e-3 * hit.history.force, kind.title, Kind.LINE)]
    if kind.m is not None:
        loop.insert(0, Curve(1e3 * elastic.history.overlap, 1e-3 * elastic.history.force, "undamped", Kind.REFERENCE))
    panels = [Panel("Overlap $δ$ [mm]", "Force $F$ [kN]", tuple(loop), "one impact")]
    if damped:
        achieved = achieved_restitution(kind.name, ASKED)
        pair = (Curve([0, 1], [0, 1], "as asked", Kind.REFERENCE), Curve(ASKED, achieved, "achieved", Kind.LINE))
        panels.append(
            Panel(
                "Restitution asked for", "Restitution achieved", pair, "asked and achieved", xlim=(0, 1), ylim=(0, 1.02)
            )
        )
    width = Width.DOUBLE if len(panels) == 2 else Width.SINGLE
    figure, _ = draw(FigureData(name=kind.name, title=kind.title, source="", panels=tuple(panels), width=width))
    out = io.StringIO()
    with mpl.rc_context({"svg.hashsalt": kind.name}):  # the same picture, the same text
        figure.savefig(out, format="svg", metadata={"Date": None}, bbox_inches="tight")
    return out.getvalue()
