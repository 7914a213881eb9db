"""``carom motion``: look at ground motions, their spectra and pictures, and convert them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from carom.cli.motions import shaping
from carom.cli.motions.motion_batch import PICTURES, Batch, Options, Places, picture_of
from carom.cli.motions.motion_tables import print_infos, print_spectrum, print_target
from carom.errors import InputError

if TYPE_CHECKING:
    from carom.motions import Motion

__all__ = ["app"]

app = typer.Typer(
    help="Ground motions: measures, spectra, pictures, formats.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

Files = Annotated[list[str], typer.Argument(metavar="FILE…", help="Files, folders, globs or built-in names.")]
Format = Annotated[str | None, typer.Option("--format", help="Force a format instead of recognising it.")]
Step = Annotated[str | None, typer.Option("--dt", help="Time step [s], where the file does not say it.")]
Unit = Annotated[str | None, typer.Option("--unit", help="Unit of acceleration: g, m/s2, cm/s2, gal, …")]
Column = Annotated[int | None, typer.Option("--column", help="Which column of a table, the first being 1.")]
Partial = Annotated[bool, typer.Option("--partial", help="Accept truncated and overlong records.")]
Component = Annotated[
    str | None, typer.Option("--component", help="Component: 090, UP, H1, H2, V, horizontal, vertical. [default: all]")
]
Scale = Annotated[str | None, typer.Option("--scale", help="What a count of the file is worth, in its unit.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
Damping = Annotated[
    list[str] | None, typer.Option("--damping", help='Damping ratio, 0.05 or "5 %"; may be repeated. [default: 0.05]')
]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace files that exist.")]


@app.command()
def info(
    files: Files,
    format: Format = None,
    dt: Step = None,
    unit: Unit = None,
    column: Column = None,
    partial: Partial = False,
    component: Component = None,
    scale: Scale = None,
    as_json: Json = False,
) -> None:
    """Tell length, peaks, intensities, durations and periods."""
    batch = Batch(files, Options(format, dt, unit, column, partial, component, scale))
    found = batch.each(_described)
    if as_json:
        batch.print_json({"motions": found})
    elif found:
        print_infos(found)
    batch.finish()


@app.command()
def spectrum(
    files: Annotated[
        list[str] | None, typer.Argument(metavar="[FILE…]", help="Files, folders, globs or built-in names.")
    ] = None,
    period: Annotated[
        list[str] | None,
        typer.Option("--period", help='Period [s], or such as "200 ms"; may be repeated. [default: 0.01 to 10]'),
    ] = None,
    damping: Damping = None,
    free_vibration: Annotated[
        bool, typer.Option("--free-vibration", help="Count the vibration after the record.")
    ] = False,
    target: Annotated[
        str | None, typer.Option("--target", help='Target beside them: "ec8: ag = 0.25 g, ground = C", a table, …')
    ] = None,
    picture: Annotated[
        Path | None, typer.Option("--plot", help="Picture of them on tripartite paper (.png, .pdf, .svg).")
    ] = None,
    overwrite: Overwrite = False,
    format: Format = None,
    dt: Step = None,
    unit: Unit = None,
    column: Column = None,
    partial: Partial = False,
    component: Component = None,
    scale: Scale = None,
    as_json: Json = False,
) -> None:
    """Compute response spectra SD, SV, SA, PSV and PSA.

    Closed-form response to the piecewise-linear record: true extremes between samples included.
    """
    import numpy as np

    from carom.motions import response_spectrum
    from carom.units import array

    ratios = _ratios(damping, "spectrum")
    asked = array(period, "s", name="period", owner="spectrum") if period else None
    periods = asked if asked is not None else np.geomspace(0.01, 10.0, 200 if as_json else 31)

    kept: list[Motion] = []

    def compute(motion: Motion) -> dict[str, Any]:
        kept.append(motion)
        result = response_spectrum(motion, periods, ratios, free_vibration=free_vibration)
        names = ("sd", "sv", "sa", "psv", "psa")
        return {"name": motion.name, **{name: getattr(result, name).tolist() for name in names}}

    aim = None if target is None else _target(target)
    if not files and aim is None:
        raise InputError("spectrum needs FILE or --target. Got neither.")
    batch = Batch(files or [], Options(format, dt, unit, column, partial, component, scale))
    found = batch.each(compute)
    if picture is not None and (kept or aim is not None):
        from carom.plots import style
        from carom.plots.response_spectra import plot_tripartite

        with style():
            picture_of(picture, plot_tripartite(kept, aim, damping=float(ratios[0])), overwrite)
    if aim is not None:
        held = periods[(periods >= aim.low) & (periods <= aim.high)]
        values = {"name": aim.name, "damping": aim.damping, "period": held.tolist(), "psa": aim.sa(held).tolist()}
    if as_json:
        axes = {"period": periods.tolist(), "damping": ratios.tolist()}
        units = {"period": "s", "sd": "m", "sv": "m/s", "sa": "m/s2", "psv": "m/s", "psa": "m/s2"}
        batch.print_json({**axes, "units": units, "spectra": found, **({} if aim is None else {"target": values})})
    else:
        for one in found:
            print_spectrum(one, periods.tolist(), ratios.tolist())
        if aim is not None:
            print_target(aim.name, aim.damping, values["period"], values["psa"])
    batch.finish()


@app.command()
def plot(
    files: Files,
    out: Annotated[
        Path, typer.Option("--out", "-o", help="Picture (.png, .pdf, .svg), or a folder for several.")
    ] = Path(),
    suffix: Annotated[str, typer.Option("--suffix", help="Kind of picture in a folder.")] = "png",
    damping: Damping = None,
    format: Format = None,
    dt: Step = None,
    unit: Unit = None,
    column: Column = None,
    partial: Partial = False,
    component: Component = None,
    scale: Scale = None,
    overwrite: Overwrite = False,
    as_json: Json = False,
) -> None:
    """Draw histories, spectra and Husid curve on one sheet.

    Acceleration, velocity and displacement with their peaks, SA and SD, build-up of the Arias intensity; one sheet per
    motion.
    """
    batch = Batch(files, Options(format, dt, unit, column, partial, component, scale))
    one_file = bool(out.suffix) and not out.is_dir()
    if one_file and out.suffix.lower() not in PICTURES:
        kinds = ", ".join(sorted(PICTURES))
        raise InputError(f"`--out` of plot must be a folder or end in {kinds}. Got {str(out)!r}.")
    place = Places(out, suffix, overwrite, one_file=one_file)
    if f".{suffix.lower().lstrip('.')}" not in PICTURES:
        raise InputError(f"`--suffix` of plot must be one of {', '.join(sorted(PICTURES))}. Got {suffix!r}.")

    ratios = _ratios(damping, "plot")

    def draw(motion: Motion) -> dict[str, str]:
        from carom.plots import style
        from carom.plots.motion import plot_motion

        target = place.of(motion)
        with style():
            plot_motion(motion, damping=ratios).savefig(target)
        return {"name": motion.name, "file": str(target)}

    _report(batch, batch.each(draw), "pictures", as_json)


@app.command()
def convert(
    files: Files,
    out: Annotated[Path, typer.Option("--out", "-o", help="File to write, or a folder for several.")],
    to: Annotated[
        str | None, typer.Option("--to", help="at2, csv or opensees; by the suffix of --out by default.")
    ] = None,
    to_unit: Annotated[str | None, typer.Option("--to-unit", help="Unit to write.")] = None,
    to_dt: Annotated[str | None, typer.Option("--to-dt", help="Time step [s] to resample to.")] = None,
    pga: Annotated[str | None, typer.Option("--pga", help='Scale to this PGA, such as "0.4 g".')] = None,
    format: Format = None,
    dt: Step = None,
    unit: Unit = None,
    column: Column = None,
    partial: Partial = False,
    component: Component = None,
    scale: Scale = None,
    overwrite: Overwrite = False,
    as_json: Json = False,
) -> None:
    """Write motions in another format: PEER AT2, CSV or OpenSees text."""
    from carom.motions.writers import WRITERS

    suffix = WRITERS.get(to).suffixes[0] if to is not None else "csv"
    batch = Batch(files, Options(format, dt, unit, column, partial, component, scale))
    place = Places(out, suffix, overwrite, one_file=bool(out.suffix) and not out.is_dir())

    def write(motion: Motion) -> dict[str, str]:
        motion = motion if to_dt is None else motion.resampled(to_dt)
        motion = motion if pga is None else motion.scaled(pga=pga)
        target = motion.write(place.of(motion), format=to, unit=to_unit, overwrite=overwrite)
        return {"name": motion.name, "file": str(target)}

    _report(batch, batch.each(write), "files", as_json)


app.command("match")(shaping.match)
app.command("select")(shaping.select)
app.command("rotate")(shaping.rotate)


def _target(text: str) -> Any:
    from carom.motions.targets import target

    return target(text)


def _ratios(damping: list[str] | None, owner: str) -> Any:
    import warnings

    from carom.errors import CaromWarning
    from carom.problem.plausibility import USUAL
    from carom.units import array

    ratios = array(damping or [0.05], "", name="damping", owner=owner)
    usual = USUAL["damping_ratio"]
    for ratio in ratios[ratios > usual.high].tolist():
        warnings.warn(usual.caution(owner, ratio), CaromWarning, stacklevel=2)
    return ratios


def _described(motion: Motion) -> dict[str, Any]:
    from carom.units import standard_gravity

    measures = motion.measures().as_dict()
    about = {
        "name": motion.name,
        "source": motion.source,
        "event": motion.event,
        "station": motion.station,
        "component": motion.component,
        "npts": motion.npts,
        "dt": motion.dt,
        "start": motion.start,
        "duration": motion.duration,
    }
    return {
        **about,
        "pga_g": motion.pga / standard_gravity,
        **measures,
        "processing": list(motion.processing),
    }


def _report(batch: Batch, made: list[dict[str, str]], what: str, as_json: bool) -> None:
    if as_json:
        batch.print_json({what: made})
    else:
        from carom.cli.terminal.console import say

        for one in made:
            say(one["file"])
    batch.finish()
