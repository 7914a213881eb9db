"""How objects show themselves in a notebook: a line, a few facts, a small picture.

An object's `_repr_html_` is one of these functions. Where a picture cannot be drawn the facts stand alone: a notebook
that shows an object never fails for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from markupsafe import Markup, escape

from carom.registry import late
from carom.units import si, standard_gravity

if TYPE_CHECKING:
    from carom.laws import CompliantLaw
    from carom.motions import Motion
    from carom.problem import Problem
    from carom.results import Ensemble, Simulation
    from carom.structures.base import LinearStructure
    from carom.studies.files.store import Store

__all__ = ["ensemble", "law", "motion", "problem", "simulation", "study"]

MOST = 8
"""Lines of a list; of longer ones the rest is counted."""
WIDTHS = {False: "28em", True: "46em"}
"""Of pictures: one column wide, two columns wide."""


def problem(shown: Problem) -> str:
    """Return structures, contacts and motion of a problem, with a sketch."""
    structures = [_named(one) for one in shown.structures]
    contacts = [f"{pair.law.title}, gap {si(pair.gap, 'm', 4)}" for pair in shown.pairs]
    facts = [
        ("structures", _few(structures)),
        ("contacts", f"{len(contacts)}: {_few(dict.fromkeys(contacts))}" if contacts else "none"),
        ("motion", repr(shown.motion) if shown.motion is not None else "none"),
    ]
    return _card(repr(shown), facts, lambda: _sketch(shown))


def simulation(shown: Simulation) -> str:
    """Return what happened in a run, with the gap and the force of the contact that was hit hardest."""
    head, *rest = str(shown).splitlines()
    facts = [("", line.strip()) for line in rest[:MOST]]

    def drawn() -> Any:
        from carom.plots import plot_gap_and_force, plot_histories

        result = shown.assessed()
        return plot_gap_and_force(result) if shown.contacts else plot_histories(result)

    return _card(head, facts, drawn if "_stated" in vars(shown) else None)


def motion(shown: Motion) -> str:
    """Return what a record holds, with its acceleration over time."""
    facts = [
        ("peaks", f"{shown.pga / standard_gravity:.4g} g, {si(shown.pgv, 'm/s', 4)}, {si(shown.pgd, 'm', 4)}"),
        ("length", f"{si(shown.duration, 's', 4)}, {shown.npts} samples at {shown.dt:g} s"),
        *(("processing", step) for step in map(str, shown.processing[:MOST])),
    ]

    def drawn() -> Any:
        from carom.plots.sheet import single

        axes = single(None, height=28.0)
        axes.plot(shown.time, shown.acceleration / standard_gravity, linewidth=0.6)
        axes.set(xlabel="Time [s]", ylabel="Acceleration [g]")
        return axes

    return _card(repr(shown), facts, drawn)


def law(shown: CompliantLaw) -> str:
    """Return formula and numbers of a law, with the loop of one impact."""
    facts = [("force", shown.formula), ("damping χ", shown.damping_formula), ("source", str(shown.source))]

    def drawn() -> Any:
        from carom.plots.sheet import single

        hit = late("carom.integrate.impact:impact")(shown, mass=1.0, velocity=1.0)
        axes = single(None, height=40.0)
        axes.plot(1e3 * hit.history.overlap, 1e-3 * hit.history.force, linewidth=0.9)
        axes.set(xlabel="Overlap [mm], 1 kg at 1 m/s", ylabel="Force [kN]")
        return axes

    return _card(repr(shown), facts, None if shown.many else drawn)


def ensemble(shown: Ensemble) -> str:
    """Return the size of an ensemble and its labelled results."""
    return _card(repr(shown), [], None) + str(shown.dataset._repr_html_())


def study(shown: Store) -> str:
    """Return how far a study has come."""
    return _card(repr(shown), [], None)


def _sketch(shown: Problem) -> Any:
    """Draw a problem at rest: the scene of a run in which nothing has touched yet."""
    from carom.plots import plot_geometry

    if late("carom.studies.single.forms:in_space")(shown):
        return None
    scene = late("carom.studies.single.scene:scene_of")(shown)
    result: Any = SimpleNamespace(scene=scene, per_contact=dict.fromkeys((touch.label for touch in scene.touches), 0))
    return plot_geometry(result)


def _named(structure: LinearStructure) -> str:
    """Return the name of a structure with its longest period, where it has one."""
    frequencies = [float(one) for one in structure.frequencies if one > 0.0]
    return f"{structure.name} ({1.0 / min(frequencies):.3g} s)" if frequencies else structure.name


def _few(words: Iterable[str]) -> str:
    found = list(words)
    return "; ".join(found[:MOST]) + (f"; and {len(found) - MOST} more" if len(found) > MOST else "")


def _card(head: str, facts: Sequence[tuple[str, str]], draw: Callable[[], Any] | None) -> str:
    """Return a head, a table of facts and a picture as one piece of HTML; all text escaped."""
    rows = Markup("").join(
        Markup('<tr><td style="text-align:left">{}</td><td style="text-align:left">{}</td></tr>').format(name, text)
        for name, text in facts
    )
    picture = ""
    with suppress(Exception):  # a picture that cannot be drawn is left out
        axes = None if draw is None else draw()
        if axes is not None:
            from carom.reports.svg import graphic

            drawn = graphic(f"carom-{id(axes):x}", axes, head, readable=False)
            picture = Markup('<div style="max-width:{};background:white">{}</div>').format(
                WIDTHS[drawn.wide], drawn.svg
            )
    return str(Markup("<div><b>{}</b><table>{}</table>{}</div>").format(escape(head), rows, picture))
