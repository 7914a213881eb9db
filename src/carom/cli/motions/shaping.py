"""``carom motion match``, ``select`` and ``rotate``: motions made for a target spectrum, or turned."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from carom.cli.motions.motion_batch import Batch, Options, Places
from carom.errors import InputError, refusal

if TYPE_CHECKING:
    from carom.motions import Motion

__all__ = ["match", "rotate", "select"]

TargetOption = Annotated[
    str, typer.Option("--target", help='"ec8: ag = 0.25 g, ground = C", "asce7: sds = 1 g, sd1 = 0.6 g", a table, …')
]  # fmt: skip
Periods = Annotated[str, typer.Option("--periods", help='Range of periods [s]: "0.2:2".')]
Files = Annotated[list[str], typer.Argument(metavar="FILE…", help="Files, folders, globs or built-in names.")]
Format = Annotated[str | None, typer.Option("--format", help="Force a format instead of recognising it.")]
Step = Annotated[str | None, typer.Option("--dt", help="Time step [s], where the file does not say it.")]
Unit = Annotated[str | None, typer.Option("--unit", help="Unit of acceleration: g, m/s2, cm/s2, gal, …")]
Component = Annotated[str | None, typer.Option("--component", help="090, H1, H2, V, all … [default: horizontal ones]")]
Plot = Annotated[Path | None, typer.Option("--plot", help="Picture of the spectra (.png, .pdf, .svg).")]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace files that exist.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]


def match(
    files: Files,
    target: TargetOption,
    periods: Periods,
    out: Annotated[Path, typer.Option("--out", "-o", help="File to write, or a folder for several.")],
    mean: Annotated[str, typer.Option(help="Error to reach on average.")] = "0.05",
    worst: Annotated[str, typer.Option(help="Error to reach at worst.")] = "0.15",
    format: Format = None,
    dt: Step = None,
    unit: Unit = None,
    component: Component = None,
    plot: Plot = None,
    overwrite: Overwrite = False,
    as_json: Json = False,
) -> None:
    """Change motions so that their spectrum is a target's.

    Wavelets are added in the time domain; the ground ends at rest.
    """
    from carom.cli.terminal.console import say
    from carom.motions import match as matched
    from carom.motions.targets import target as stated

    aim, ends = stated(target), between(periods, "match")
    batch = Batch(files, Options(format, dt, unit, component=component or "horizontal"))
    place = Places(out, "csv", overwrite, one_file=bool(out.suffix) and not out.is_dir())
    kept: list[Motion] = []

    def make(motion: Motion) -> dict[str, Any]:
        found = matched(motion, aim, ends, mean=mean, worst=worst)
        kept.append(found.motion)
        file = found.motion.write(place.of(motion), overwrite=overwrite)
        errors = {"mean_error": found.mean_error, "worst_error": found.worst_error, "rounds": found.rounds}
        return {"name": motion.name, "file": str(file), **errors}

    made = batch.each(make)
    _draw(plot, kept, aim, ends, overwrite)
    if as_json:
        batch.print_json({"target": aim.name, "motions": made})
    else:
        for one in made:
            say(f"{one['file']}: {one['mean_error']:.1%} off on average, {one['worst_error']:.1%} at worst")
    batch.finish()


def select(
    files: Files,
    target: TargetOption,
    periods: Periods,
    count: Annotated[int, typer.Option("--count", "-n", help="How many motions.")],
    limits: Annotated[str, typer.Option(help='Least and largest factor: "0.25:4".')] = "0.25:4",
    one_per_event: Annotated[bool, typer.Option("--one-per-event", help="No two motions of one event.")] = False,
    formats: Annotated[
        list[str] | None, typer.Option("--formats", help="Only files of this format; may be repeated.")
    ] = None,
    pga: Annotated[str | None, typer.Option(help='Only motions with a PGA between: "0.1 g:1 g".')] = None,
    duration: Annotated[str | None, typer.Option(help='Only motions with a length between: "10:60".')] = None,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Folder for the scaled motions.")] = None,
    dt: Step = None,
    unit: Unit = None,
    component: Component = None,
    plot: Plot = None,
    overwrite: Overwrite = False,
    as_json: Json = False,
) -> None:
    """Select motions whose mean spectrum is nearest to a target.

    Says how near it comes, and below what no selection of that size can come.
    """
    from carom.cli.terminal.console import terminal
    from carom.motions import select as selected
    from carom.motions.folders import MotionFilter
    from carom.motions.targets import target as stated

    aim, ends = stated(target), between(periods, "select")
    taken = MotionFilter.of(
        formats=tuple(formats or ()), component=component, pga=_pair(pga, "pga"), duration=_pair(duration, "duration")
    )
    batch = Batch(files, Options(None, dt, unit), taken)
    pool = batch.motions()
    if not pool:
        raise InputError("select needs motions to select from. None was found that can be read and is asked for.")
    factors = between(limits, "select", "limits", "")
    found = selected(pool, aim, ends, count, limits=factors, one_per_event=one_per_event)
    files_out = []
    if out is not None:
        place = Places(out, "csv", overwrite, one_file=False)
        files_out = [str(motion.write(place.of(motion), overwrite=overwrite)) for motion in found.motions]
    _draw(plot, list(found.motions), aim, ends, overwrite)
    rows = [
        {"name": motion.name, "factor": float(factor), "event": motion.event, "pga": motion.pga}
        for motion, factor in zip(found.motions, found.factors, strict=True)
    ]
    if as_json:
        batch.print_json({
            "target": aim.name, "pool": len(pool), "motions": rows, "error": found.error, "bound": found.bound,
            "lowest": found.lowest, "files": files_out,
        })  # fmt: skip
    else:
        from rich.table import Table

        console, table = terminal(), Table("motion", "factor", "event", box=None)
        for row in rows:
            table.add_row(str(row["name"]), f"{row['factor']:.3f}", str(row["event"]))
        console.print(table, markup=False)
        console.print(
            f"{count} of {len(pool)} motions: the geometric mean is {found.error:.1%} off the target (root mean "
            f"square); no {count} of them come below {found.bound:.1%}. The mean is nowhere below "
            f"{found.lowest:.0%} of it.",
            markup=False,
        )
    batch.finish()


def rotate(
    files: Annotated[
        list[str], typer.Argument(metavar="FILE…", help="One file with both components, or one for each.")
    ],
    angle: Annotated[str, typer.Option("--angle", help="From the first component to the second [degree].")],
    out: Annotated[Path, typer.Option("--out", "-o", help="File to write.")],
    format: Format = None,
    dt: Step = None,
    unit: Unit = None,
    overwrite: Overwrite = False,
    as_json: Json = False,
) -> None:
    """Turn two horizontal components: write the motion along an angle."""
    from carom.cli.terminal.console import say
    from carom.motions import rotate as turned
    from carom.motions.readers import cut_alike
    from carom.units import number

    batch = Batch(files, Options(format, dt, unit, component="horizontal"))
    pair = batch.motions()
    if len(pair) != 2:
        if batch.failures:
            batch.finish()
        raise refusal("FILE", "rotate", "must hold two horizontal components", [motion.name for motion in pair])
    found = turned(cut_alike(pair), number(angle, "", name="angle", owner="rotate"))
    file = found.write(out, overwrite=overwrite)
    if as_json:
        batch.print_json({"file": str(file), "pga": found.pga})
    else:
        say(str(file))
    batch.finish()


def between(text: str, owner: str, name: str = "periods", unit: str = "s") -> tuple[float, float]:
    """Take two numbers with a colon between."""
    from carom.units import POSITIVE, number

    ends = text.split(":")
    if len(ends) != 2:
        raise refusal(name, owner, "must be two values with a colon between", text, 'Write "0.2:2", for example.')
    low, high = (number(end.strip(), unit, name=name, owner=owner, within=POSITIVE) for end in ends)
    return low, high


def _pair(text: str | None, name: str) -> tuple[str, ...] | None:
    if text is None:
        return None
    ends = tuple(end.strip() for end in text.split(":"))
    if len(ends) != 2:
        rule = "must be two values with a colon between"
        raise refusal(name, "select", rule, text, 'Write "0.1 g:1 g", for example.')
    return ends


def _draw(plot: Path | None, motions: list[Motion], aim: Any, ends: tuple[float, float], overwrite: bool) -> None:
    if plot is None or not motions:
        return
    from carom.cli.motions.motion_batch import picture_of
    from carom.plots import style
    from carom.plots.response_spectra import plot_against_target

    with style():
        picture_of(plot, plot_against_target(motions, aim, ends), overwrite)
