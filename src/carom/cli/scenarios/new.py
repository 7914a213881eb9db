"""`carom new`: a commented scenario from a few questions or flags."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from carom.errors import InputError, refusal

if TYPE_CHECKING:
    from carom.scenario.templates.imported import Imported
    from carom.scenario.templates.scenario import Answers

__all__ = ["new"]

QUESTIONS = {
    "title": "Title of the report",
    "floors": "Floors of the buildings, left to right",
    "gap": "Gap between neighbours",
    "law": "Contact law (`carom laws` lists them)",
    "stiffness": "Its stiffness",
    "motion": "Ground motion, a file or a built-in name",
    "pga": "Peak ground acceleration to scale it to",
}

DEFAULTS: dict[str, dict[str, Any]] = {
    "torsion": {"title": "Two neighbours that turn", "floors": (3, 2)},
    "frame": {"title": "Two frames side by side", "floors": (3, 2)},
    "bridge": {
        "title": "A skewed bridge of three spans", "floors": (1, 1, 1), "gap": "5 cm", "law": "hertzdamp",
        "stiffness": "2e9 N/m^1.5", "restitution": 0.8, "pga": "0.8 g",
    },
    "girders": {
        "title": "A skewed bridge of five spans in space", "floors": (1,) * 5, "gap": "5 cm", "law": "kelvin-voigt",
        "stiffness": "800 MN/m", "restitution": 0.6, "pga": "0.6 g",
    },
}  # fmt: skip
"""Answers of scenarios of their own kind; the spans of a bridge are its floors."""
UNITS = {"masses": "kg", "stiffnesses": "N/m", "heights": "m"}


def new(
    path: Annotated[Path, typer.Argument(metavar="FILE", help="Scenario to write.")] = Path("scenario.toml"),
    title: Annotated[str | None, typer.Option(help="Title of the report.")] = None,
    floors: Annotated[str | None, typer.Option(help='Floors of the buildings, left to right: "5,3".')] = None,
    masses: Annotated[
        str | None, typer.Option(help='Mass of a floor, one for all buildings or one for each: "200 t, 150 t".')
    ] = None,
    stiffnesses: Annotated[
        str | None, typer.Option(help='Stiffness of a storey, likewise: "300 kN/mm, 400 kN/mm".')
    ] = None,
    heights: Annotated[str | None, typer.Option(help='Height of a storey, likewise: "3 m, 3.5 m".')] = None,
    gap: Annotated[str | None, typer.Option(help='Gap between neighbours: "2 cm".')] = None,
    law: Annotated[str | None, typer.Option(help="Contact law; `carom laws` lists them.")] = None,
    stiffness: Annotated[str | None, typer.Option(help='Stiffness of the law: "5000 kN/mm", "2e9 N/m^1.5".')] = None,
    restitution: Annotated[str | None, typer.Option(help="Its restitution coefficient.")] = None,
    motion: Annotated[str | None, typer.Option(help="Ground motion: a file or a built-in name.")] = None,
    pga: Annotated[str | None, typer.Option(help='Peak ground acceleration to scale it to: "0.4 g".')] = None,
    scheme: Annotated[str | None, typer.Option(help="How time advances; `carom schemes` lists them.")] = None,
    torsion: Annotated[bool, typer.Option("--torsion", help="Buildings that turn, shaken along x and y.")] = False,
    bridge: Annotated[
        bool, typer.Option("--bridge", help="Three skewed spans on piers between abutments, shaken along x and y.")
    ] = False,
    girders: Annotated[
        bool, typer.Option("--girders", help="Five skewed girders in space that rest on seats, shaken upwards too.")
    ] = False,
    frame: Annotated[bool, typer.Option("--frame", help="Frames that meet at slab corners, shaken likewise.")] = False,
    given_from: Annotated[
        list[Path] | None,
        typer.Option(
            "--from",
            metavar="FILE",
            help="A building of yours: a table of storeys (.csv), matrices (.npz), or a Python script that builds an "
            "OpenSees or PyNite model (.py), which is run. Once for each building, left to right.",
        ),
    ] = None,
    units: Annotated[
        str | None,
        typer.Option(help='Units of such files: "mass=t, stiffness=kN/m, length=m"; of a script "force=kN, length=m".'),
    ] = None,
    direction: Annotated[
        str | None, typer.Option(help="Of tables of storeys: x or y, for a building that does not turn.")
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace a file that exists.")] = False,
    schema: Annotated[
        bool, typer.Option(help="Write the schema beside it, for editors that complete and check.")
    ] = True,
) -> None:
    """Write a commented scenario to start from.

    Without flags, at a terminal, asks a few questions.
    """
    from carom.scenario.templates.scenario import Answers
    from carom.units import number

    if path.exists() and not overwrite:
        raise InputError(f"{path} exists. Name another file, or pass --overwrite to replace it.")
    every = {"torsion": torsion, "frame": frame, "bridge": bridge, "girders": girders}
    kinds = [kind for kind, asked in every.items() if asked]
    if given_from and kinds:
        raise refusal("from", "new", f"must not stand beside --{kinds[0]}", [str(file) for file in given_from])
    if len(kinds) > 1:
        raise refusal(kinds[1], "new", f"must not stand beside --{kinds[0]}", True, "Choose one of them.")
    for name, said in (("masses", masses), ("stiffnesses", stiffnesses)):
        if (bridge or girders) and said is not None:
            raise refusal(name, "new", "is not for bridges: change it in the file", said)
        if frame and said is not None:
            raise refusal(name, "new", "is not for frames: it follows from sections and slabs", said)
    given: dict[str, Any] = {
        "title": title, "floors": floors, "gap": gap, "law": law, "stiffness": stiffness, "restitution": restitution,
        "motion": motion, "pga": pga, "scheme": scheme,
        "masses": masses, "stiffnesses": stiffnesses, "heights": heights,
    }  # fmt: skip
    values = {name: value for name, value in given.items() if value is not None}
    if not (values or kinds or given_from) and sys.stdin.isatty():
        values = _ask()
    if kinds:
        values = DEFAULTS[kinds[0]] | {"kind": kinds[0]} | values
    if restitution is not None:
        values["restitution"] = number(restitution, "", name="restitution", owner="new")
    if isinstance(values.get("floors"), str):
        values["floors"] = _numbers(values["floors"])
    buildings = len(values.get("floors", Answers.floors))
    for name, said in (("masses", masses), ("stiffnesses", stiffnesses), ("heights", heights)):
        if said is not None:
            values[name] = _each(said, name, buildings)
    from carom.cli.scenarios.imported import imported_from

    answers = Answers(**_fitting(values))
    if given_from is None and (units is not None or direction is not None):
        raise refusal("from", "new", "must name a file beside --units and --direction", None)
    _save(path, answers, schema, imported_from(given_from or [], path.parent, units, direction, overwrite))


def _ask() -> dict[str, Any]:
    from carom.scenario.templates.scenario import Answers

    usual: dict[str, Any] = {entry.name: entry.default for entry in fields(Answers)}
    usual["floors"] = ",".join(map(str, usual["floors"]))
    return {name: typer.prompt(question, default=usual[name]) for name, question in QUESTIONS.items()}


def _numbers(text: str) -> tuple[int, ...]:
    parts = text.replace(",", " ").split()
    if not parts or not all(part.isdigit() and 1 <= int(part) <= 200 for part in parts) or len(parts) > 26:
        raise refusal("floors", "new", "must be whole numbers from 1 to 200, one for each building", text, "Write 5,3.")
    return tuple(int(part) for part in parts)


def _each(text: str, name: str, buildings: int) -> tuple[str, ...]:
    """Return what is said of the buildings as they say it, once it has been found to be numbers of the right kind."""
    from carom.cli.terminal.quantities import numbers
    from carom.units import POSITIVE

    found = numbers(text, UNITS[name], name=name, owner="new", within=POSITIVE)
    if len(found) not in (1, buildings):
        rule = f"must be one for all, or one for each of {buildings} buildings"
        raise refusal(name, "new", rule, text, "A list for the floors of a building goes into the file.")
    return tuple(part.strip() for part in text.split(","))


def _fitting(values: dict[str, Any]) -> dict[str, Any]:
    """Return the answers with a stiffness and a restitution that suit the law, where none were given."""
    from carom.laws.base import DampedLaw
    from carom.laws.catalogue import checked_name, impulsive_laws, laws

    if "law" not in values:
        return values
    checked_name(values["law"])
    if values["law"] in impulsive_laws:
        fitting: dict[str, Any] = {"stiffness": None}
        if impulsive_laws.name_of(values["law"]) == "plastic":
            fitting["restitution"] = None
        return fitting | {key: value for key, value in values.items() if key != "stiffness" or _own(value)}
    kind = laws.get(values["law"])
    fitting = {"stiffness": "5000 kN/mm" if kind.n == 1.0 else f"5e10 N/m^{kind.n:g}"}
    if not issubclass(kind, DampedLaw):
        fitting["restitution"] = None
    return fitting | {key: value for key, value in values.items() if key != "stiffness" or _own(value)}


def _own(stiffness: str) -> bool:
    """Whether a stiffness was chosen, not merely the usual answer left standing beside another law."""
    from carom.scenario.templates.scenario import Answers

    return stiffness != Answers.stiffness


def _save(path: Path, answers: Answers, schema: bool, imported: Sequence[tuple[Imported, bytes | None]]) -> None:
    """Write the scenario and the files of its models, once it has been found sound."""
    from carom.scenario.model import SCHEMA_NAME
    from carom.scenario.reading import scenario_of
    from carom.scenario.schema import write_schema
    from carom.scenario.templates.scenario import scenario_text
    from carom.scenario.text import parsed
    from carom.whole_files import whole_files, write_whole

    text = scenario_text(answers, [one for one, _ in imported])
    made = [path.parent / one.file for one, content in imported if content is not None]
    try:
        for one, content in imported:
            if content is not None:
                write_whole(path.parent / one.file, content)
        cautions = scenario_of(parsed(path.name, text), path.name, path.parent).cautions
    except BaseException:
        for file in made:
            file.unlink(missing_ok=True)
        raise
    with whole_files(path.parent) as folder:
        (folder / path.name).write_text(text, encoding="utf-8")
        if schema:
            write_schema(folder / SCHEMA_NAME)
    from carom.cli.terminal.console import say

    say(f"{path} written{f', with {SCHEMA_NAME} for your editor' if schema else ''}. Next: carom run {path}")
    for caution in cautions:
        say(f"! {caution}")
