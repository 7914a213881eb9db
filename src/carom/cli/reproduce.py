"""`carom reproduce`: the papers' tables and figures, published beside computed."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from carom.errors import InputError

if TYPE_CHECKING:
    from carom.motions import Motion
    from carom.results import Comparison, Row

__all__ = ["reproduce"]

DEFAULT_FOLDER = Path("out")
PAGE = "reproduction.html"
COLOURS = {"reproduced": "green", "differs": "yellow", "not published": "bright_black", "not computable": "magenta"}


def reproduce(
    cases: Annotated[list[str] | None, typer.Argument(metavar="CASE", help="Cases; none: all of them.")] = None,
    every: Annotated[bool, typer.Option("--all", help="All cases, and one page of them: reproduction.html.")] = False,
    list_cases: Annotated[bool, typer.Option("--list", help="List the cases and leave.")] = False,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder for the figures [default: out; with --json: none].")
    ] = None,
    records: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Folder of records, for cases that take other motions than their own."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Compute published cases again: tables and figures.

    Tables go to the terminal, published beside computed; figures go to a folder. With --all one page holds everything.
    """
    from carom.cases import cases as known

    if list_cases:
        _list_cases(json)
        return
    if every and cases:
        raise InputError(f"--all computes every case. Leave out {', '.join(cases)}, or leave out --all.")
    names = [known.name_of(name) for name in cases] if cases else known.names()
    names = list(dict.fromkeys(names))
    taking = _taking_motions(names)
    if records is not None and cases and len(taking) < len(names):
        own = ", ".join(name for name in names if name not in taking)
        raise InputError(f"--records is for cases that take other motions; {own} has its own. Leave it out.")
    motions = [] if records is None else _motions(records)
    given = {name: {"motions": motions} for name in taking if motions}
    folder = out if out is not None or (json and not every) else DEFAULT_FOLDER
    found: list[Comparison] = []
    written: list[Path] = []
    for comparison, files in _with_progress(names, folder, given):
        if not json:
            _print_comparison(comparison, files)
        found.append(comparison)
        written += files
    if every and folder is not None:
        written.append(_write_page(found, folder))
    if json:
        from carom.cli.terminal.console import print_json

        bodies = [comparison.as_dict() for comparison in found]
        print_json(bodies[0] if len(bodies) == 1 else {"cases": bodies})
    else:
        _print_summary(found, written, folder)


def _list_cases(json: bool) -> None:
    from carom.cases import cases
    from carom.cli.terminal.console import print_json, terminal

    if json:
        print_json({"cases": cases.names()})
        return
    console = terminal()
    width = max(len(name) for name in cases.names())
    for case in cases:
        console.print(f"[bold]{case.name:<{width}}[/]  {_plain_text(case.title)}", soft_wrap=True)


def _with_progress(
    names: list[str], folder: Path | None, given: dict[str, dict[str, Any]]
) -> Iterator[tuple[Comparison, list[Path]]]:
    """Run and draw the cases one by one; at a terminal, say on stderr which one is under way."""
    from contextlib import nullcontext

    from rich.console import Console

    from carom.studies.reproduce import reproduce as run

    console = Console(file=sys.stderr)
    for i, name in enumerate(names, 1):
        with console.status(f"{name} ({i} of {len(names)})") if console.is_terminal else nullcontext():
            comparison = run(name, **given.get(name, {}))
            files = _draw(comparison, folder) if folder is not None else []
        yield comparison, files


def _taking_motions(names: list[str]) -> list[str]:
    """Return the cases that take other motions than their own."""
    import inspect

    from carom.cases import cases

    return [name for name in names if "motions" in inspect.signature(cases.get(name)).parameters]


def _motions(folder: Path) -> list[Motion]:
    """Return all records of a folder; files that are none are passed over, and counted."""
    from carom.motions import Motion, read_motion

    if not folder.is_dir():
        raise InputError(f"--records must be a folder. There is no folder {folder}.")
    found: list[Motion] = []
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    passed: list[str] = []
    for path in files:
        try:
            read = read_motion(path)
        except InputError as error:
            passed.append(str(error))
            continue
        found += [read] if isinstance(read, Motion) else list(read)
    if not found:
        raise InputError(
            f"--records must hold records that carom reads; none of {len(files)} files in {folder} is one."
        )
    if passed:
        told = f"{len(found)} records; {len(passed)} files of {folder} were not read"
        from carom.cli.terminal.console import say

        say(f"carom: {told}, the first because: {passed[0]}", to=sys.stderr)
    return found


def _draw(comparison: Comparison, folder: Path) -> list[Path]:
    from carom.plots import save

    return [path for figure in comparison.figures for path in save(figure, folder)]


def _write_page(found: list[Comparison], folder: Path) -> Path:
    from carom.reports.reproduction import reproduction_page
    from carom.whole_files import whole_files

    with whole_files(folder) as unfinished:
        (unfinished / PAGE).write_text(reproduction_page(found), encoding="utf-8")
    return folder / PAGE


def _print_comparison(comparison: Comparison, files: list[Path]) -> None:
    from carom.cli.terminal.console import terminal

    console = terminal()
    console.print()
    console.print(f"[bold]{comparison.case}[/]  {_plain_text(comparison.title)}", soft_wrap=True)
    console.print(_plain_text(comparison.source.equations), style="bright_black")
    if comparison.rows:
        table, reasons = _table(comparison.rows)
        console.print(table)
        for number, reason in enumerate(reasons, 1):
            console.print(f"({number}) {_plain_text(reason)}", style="bright_black")
    for note in comparison.notes:
        console.print(f"• {_plain_text(note)}")
    if files:
        console.print("→ " + ", ".join(str(path) for path in files), style="cyan", markup=False)


def _table(rows: tuple[Row, ...]) -> tuple[Any, list[str]]:
    """Return the table and, in the order of their numbers, the reasons it refers to."""
    from rich import box
    from rich.table import Table

    from carom.reports.reproduction import shown_deviation, shown_tolerance, shown_value

    compared = any(row.published is not None for row in rows)
    heads = ("published", "computed", "deviation", "within") if compared else ("computed",)
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    table.add_column("quantity")
    for head in heads:
        table.add_column(head, justify="right", no_wrap=True)
    table.add_column("verdict", no_wrap=True)
    reasons: list[str] = []
    for row in rows:
        verdict = row.verdict.value
        mark = ""
        if row.reason and verdict != "reproduced":
            if row.reason not in reasons:
                reasons.append(row.reason)
            mark = f" ({reasons.index(row.reason) + 1})"
        numbers = {
            "published": shown_value(row.published),
            "computed": shown_value(row.computed),
            "deviation": shown_deviation(row),
            "within": shown_tolerance(row),
        }
        verdict = f"[{COLOURS[verdict]}]{verdict}[/]{mark}"
        table.add_row(_plain_text(row.label), *(numbers[head] for head in heads), verdict)
    return table, reasons


def _print_summary(found: list[Comparison], written: list[Path], folder: Path | None) -> None:
    from carom.cli.terminal.console import terminal
    from carom.reports.reproduction import counted
    from carom.results import tally

    console = terminal()
    console.print()
    for reference in dict.fromkeys(comparison.source.reference for comparison in found):
        console.print(_plain_text(reference), style="bright_black")
    counts = ", ".join(counted(verdict, count) for verdict, count in tally(found).items())
    cases = f"{len(found)} case" + ("s" if len(found) != 1 else "")
    files = f"{len(written)} files written to {folder}." if written else "No figures to write."
    console.print(f"{cases}: {counts}. {files}", markup=False, style="bold")


def _plain_text(text: str) -> str:
    """Return text whose brackets Rich does not take for markup."""
    from rich.markup import escape

    return escape(text)
