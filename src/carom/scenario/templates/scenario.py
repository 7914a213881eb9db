"""A scenario to start from: commented, sound, and made of a few answers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from carom.scenario.format import FORMAT
from carom.scenario.model import SCHEMA_NAME
from carom.scenario.templates.bridge import bridge_text
from carom.scenario.templates.girders import girders_text
from carom.scenario.templates.imported import Imported, contact_between, neighbour
from carom.scenario.templates.space import (
    frame_text,
    frames_contacts,
    space_motion,
    torsional_contact,
    torsional_text,
)

__all__ = ["Answers", "scenario_text"]

NAMES = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
BRIDGES = ("bridge", "girders")
"""Kinds whose laws are those of ends of decks."""
PADS = """[laws.pads]  # of what girders lie on: springs that do not pull, so that they may lift off
name = "kelvin-voigt"
stiffness = "1000 MN/m"
restitution = 0.1
tension = false
"""
UPWARDS = """
[motion.z]  # upwards
record = {record}
factor = 0.4
"""


@dataclass(frozen=True)
class Answers:
    """What a new scenario is asked for; every value as the file will write it."""

    title: str = "Two neighbours"
    floors: Sequence[int] = (5, 3)
    """Number of floors of each building, left to right."""
    masses: Sequence[str] = ("200 t",)
    """Of each floor: one for all buildings, or one for each."""
    stiffnesses: Sequence[str] = ("300 kN/mm",)
    """Of each storey, likewise."""
    heights: Sequence[str] = ("3 m",)
    """Of each storey, likewise."""
    gap: str = "2 cm"
    law: str = "kelvin-voigt"
    stiffness: str | None = "5000 kN/mm"
    """None for an impulsive law, whose bodies are rigid."""
    restitution: float | None = 0.65
    motion: str = "default"
    pga: str | None = "0.4 g"
    scheme: str | None = None
    """None: event-driven."""
    kind: str = "line"
    """``"line"``: shear buildings along x; ``"torsion"``: buildings that turn; ``"frame"``: frames in space;
    ``"bridge"``: skewed spans, as many as `floors` has entries; ``"girders"``: the same in space."""


def scenario_text(answers: Answers, imported: Sequence[Imported] = ()) -> str:
    """Return the scenario as text; with imported structures in place of those that answers state."""
    if imported:
        return _with_imported(answers, imported)
    if answers.kind == "bridge":
        bridge = bridge_text(len(answers.floors), answers.gap, "30 deg", _law(answers))
        return "\n".join([_head(answers), bridge, _motion(answers), _rest(answers, '"span 1"')])
    if answers.kind == "girders":
        girders = girders_text(len(answers.floors), answers.gap, "25 deg", f"{_law(answers)}\n{PADS}")
        return "\n".join([_head(answers), girders, _motion(answers), _rest(answers, '"span 1"')])
    names = [f"building-{NAMES[i]}" for i in range(len(answers.floors))]
    parts = [_head(answers)]
    parts += [_building(names[i], answers, i) for i in range(len(names))]
    parts.append(_law(answers))
    for i, (left, right) in enumerate(pairwise(names)):
        parts += _contacts(left, right, min(answers.floors[i : i + 2]), answers)
    parts += [_motion(answers), _rest(answers, names[0])]
    return "\n".join(parts)


def _with_imported(answers: Answers, imported: Sequence[Imported]) -> str:
    """Return a scenario of imported structures, one behind the other; a single one has a plain neighbour."""
    given = list(imported)
    if len(given) == 1:
        plain = replace(answers, kind="line", floors=(answers.floors[-1],))
        given.append(neighbour(_building("neighbour", plain, 0), answers.floors[-1], answers.heights[-1]))
    parts = [_head(answers), *(one.text for one in given), _law(answers)]
    parts += [contact_between(left, right, _quoted(answers.gap)) for left, right in pairwise(given)]
    return "\n".join([*parts, _motion(answers), _rest(answers, given[0].name)])


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _head(answers: Answers) -> str:
    return f"""#:schema {SCHEMA_NAME}
# A scenario of carom. Check it with `carom check`, run it with `carom run`.
# Numbers without a unit are SI; "3 cm", "200 t", "300 kN/mm", "0.4 g", "5 %" work everywhere.

format = {FORMAT}
title = {_quoted(answers.title)}
"""


def _building(name: str, answers: Answers, number: int) -> str:
    plain = [
        values[number] if len(values) > 1 else values[0]
        for values in (answers.masses, answers.stiffnesses, answers.heights)
    ]
    floors, first = answers.floors[number], number == 0
    if answers.kind == "torsion":
        return torsional_text(name, number, floors, plain, answers.gap, commented=first)
    if answers.kind == "frame":
        return frame_text(name, number, floors, plain[2], answers.gap, commented=first)
    mass, stiffness, height = map(_quoted, plain)
    text = f"""[structures.{name}]  # structures stand left to right
kind = "shear-building"  # or oscillator, body, wall, ground
floors = {answers.floors[number]}
masses = {mass}  # one value for all floors, or a list from bottom to top
stiffnesses = {stiffness}  # of the storeys
heights = {height}  # of every storey; or a list of heights above ground
damping_ratio = "5 %"  # of critical, in every mode
"""
    if number > 0:
        return "".join(f"{line.partition('  #')[0]}\n" for line in text.splitlines())
    return (
        text + '# storeys = {kind = "bilinear", yield_drift = "2 cm", hardening = 0.05}  # or a list, bottom to top; '
        'needs scheme = "newmark"\n'
    )


def _law(answers: Answers) -> str:
    e = "" if answers.restitution is None else f"\nrestitution = {answers.restitution:g}"
    k = "  # an impulse, no force: the slabs are rigid"
    if answers.stiffness is not None:
        about = "at least ten times the stiffer storey; EA/L of a slab is a guide"
        k = f"\nstiffness = {_quoted(answers.stiffness)}  # {about}"
    called = "ends" if answers.kind in BRIDGES else "slabs"
    return f"""[laws.{called}]  # a name of your own; `carom laws` lists the catalogue
name = {_quoted(answers.law)}{k}{e}
"""


def _contacts(left: str, right: str, floors: int, answers: Answers) -> Iterable[str]:
    if answers.kind == "torsion":
        return [torsional_contact(left, right, answers.gap)]
    if answers.kind == "frame":
        return frames_contacts(left, right, floors, answers.gap)
    return [_contact(left, right, answers)]


def _contact(left: str, right: str, answers: Answers) -> str:
    columns = ""
    if len(set(answers.heights)) > 1:
        columns = "columns = true  # slabs at different heights: they meet the neighbour's columns\n"
    return f"""[[contacts]]  # two names: all facing floors. One place: left = {{structure = "{left}", floor = 3}}
left = "{left}"
right = "{right}"
gap = {_quoted(answers.gap)}
law = "slabs"
{columns}"""


def _motion(answers: Answers) -> str:
    scaled = f"pga = {_quoted(answers.pga)}" if answers.pga else '# pga = "0.4 g"'
    if answers.kind != "line":
        upwards = UPWARDS.format(record=_quoted(answers.motion)) if answers.kind == "girders" else ""
        return space_motion(_quoted(answers.motion), scaled) + upwards
    return f"""[motion]
record = {_quoted(answers.motion)}  # a file, relative to this one, or a built-in name
{scaled}  # scaled to; or factor = 1.5, or sa = "0.8 g" with period = "0.6 s"
# start = "2 s"  # cut
# end = "20 s"
# instead of a record: harmonic = {{frequency = "2 Hz", amplitude = "0.3 g", duration = "20 s"}}
"""


def _rest(answers: Answers, name: str) -> str:
    scheme = answers.scheme or "event"
    step = 'dt = "1 ms"' if scheme != "event" else '# dt = "1 ms"  '
    start = '# displacement = ["1 mm", "2 mm", "3 mm", "4 mm", "5 mm"]'
    if answers.kind in BRIDGES:
        start = '# displacement = {ux = "1 mm"}  # of its centre of mass; the others start from zero'
    elif answers.kind != "line":
        start = (
            '# displacement = {"floor 1 ux" = "1 mm"}  # the others start from zero; or "rest", under constant loads'
        )
    each = ", one value for each floor" if answers.kind == "line" else ""
    return f"""# [initial.{name}]  # where a structure starts{each}
{start}

[analysis]
scheme = {_quoted(scheme)}  # or, with step dt: moreau-jean for rigid contact, newmark, …; `carom schemes` lists them
{step}           # longest step of other schemes than event
# rtol = 1e-6              # tolerance of a step in contact
# duration = "30 s"        # the record's, where not said
# sampling = "1 ms"        # largest time between samples of histories
# spectrum_damping = "5 %" # of floor spectra
# checks = false           # skip the runs that tell how firm the numbers are
"""
