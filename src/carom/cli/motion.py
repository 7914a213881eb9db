"""``carom motion``: look at ground motions, their spectra and pictures, and convert them."""

from __future__ import annotations

import glob
import json
import math
import sys
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from carom.errors import CaromError, CaromWarning, InputError

if TYPE_CHECKING:
    from carom.motions import Motion

__all__ = ["app"]

app = typer.Typer(
    help="Ground motions: what they are, their spectra and pictures, other formats.",
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
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
Damping = Annotated[
    list[float] | None, typer.Option("--damping", help="Damping ratio; may be repeated. 0.05.")
]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace files that exist.")]

FOLDER_SUFFIXES = {".at2", ".vt2", ".dt2", ".txt", ".csv", ".dat", ".acc", ".th"}


@dataclass(frozen=True)
class Options:
    """How files are to be read."""

    format: str | None = None
    dt: str | None = None
    unit: str | None = None
    column: int | None = None
    partial: bool = False


@app.command()
def info(
    files: Files,
    format: Format = None,
    dt: Step = None,
    unit: Unit = None,
    column: Column = None,
    partial: Partial = False,
    as_json: Json = False,
) -> None:
    """Tell what motions are: length, peaks, Arias, CAV, durations, Housner, periods."""
    batch = Batch(files, Options(format, dt, unit, column, partial))
    found = batch.each(_described)
    if as_json:
        batch.print_json({"motions": found})
    elif found:
        _print_infos(found)
    batch.finish()


@app.command()
def spectrum(
    files: Files,
    period: Annotated[
        list[float] | None,
        typer.Option("--period", help="Period [s]; may be repeated. 0.01 to 10 by default."),
    ] = None,
    damping: Damping = None,
    free_vibration: Annotated[
        bool, typer.Option("--free-vibration", help="Count the vibration after the record.")
    ] = False,
    format: Format = None,
    dt: Step = None,
    unit: Unit = None,
    column: Column = None,
    partial: Partial = False,
    as_json: Json = False,
) -> None:
    """Compute response spectra SD, SV, SA, PSV and PSA, true extremes between samples included."""
    import numpy as np

    from carom.motions import response_spectrum

    ratios = np.array(damping or [0.05])
    periods = np.array(period) if period else np.geomspace(0.01, 10.0, 200 if as_json else 31)

    def compute(motion: Motion) -> dict[str, Any]:
        result = response_spectrum(motion, periods, ratios, free_vibration=free_vibration)
        names = ("sd", "sv", "sa", "psv", "psa")
        return {"name": motion.name, **{name: getattr(result, name).tolist() for name in names}}

    batch = Batch(files, Options(format, dt, unit, column, partial))
    found = batch.each(compute)
    if as_json:
        axes = {"period": periods.tolist(), "damping": ratios.tolist()}
        units = {"period": "s", "sd": "m", "sv": "m/s", "sa": "m/s2", "psv": "m/s", "psa": "m/s2"}
        batch.print_json({**axes, "units": units, "spectra": found})
    else:
        for one in found:
            _print_spectrum(one, periods.tolist(), ratios.tolist())
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
    overwrite: Overwrite = False,
    as_json: Json = False,
) -> None:
    """Draw acceleration, velocity, displacement, spectra and Husid curve, one sheet per motion."""
    batch = Batch(files, Options(format, dt, unit, column, partial))
    place = Places(out, suffix, overwrite, one_file=out.suffix.lower() in PICTURES)
    if f".{suffix.lower().lstrip('.')}" not in PICTURES:
        raise InputError(f"`--suffix` of plot must be one of {', '.join(sorted(PICTURES))}. Got {suffix!r}.")

    def draw(motion: Motion) -> dict[str, str]:
        from carom.plots.motion import plot_motion, print_style

        target = place.of(motion)
        with print_style():
            plot_motion(motion, damping=damping or [0.05]).savefig(target)
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
    overwrite: Overwrite = False,
    as_json: Json = False,
) -> None:
    """Write motions in another format: PEER AT2, CSV or OpenSees text."""
    from carom.motions.writers import WRITERS

    suffix = WRITERS.get(to).suffixes[0] if to is not None else "csv"
    batch = Batch(files, Options(format, dt, unit, column, partial))
    place = Places(out, suffix, overwrite, one_file=bool(out.suffix) and not out.is_dir())

    def write(motion: Motion) -> dict[str, str]:
        motion = motion if to_dt is None else motion.resampled(to_dt)
        motion = motion if pga is None else motion.scaled(pga=pga)
        target = motion.write(place.of(motion), format=to, unit=to_unit, overwrite=overwrite)
        return {"name": motion.name, "file": str(target)}

    _report(batch, batch.each(write), "files", as_json)


PICTURES = {".png", ".pdf", ".svg"}


class Places:
    """Where the results of a batch go: one file for one motion, or a folder."""

    def __init__(self, out: Path, suffix: str, overwrite: bool, *, one_file: bool) -> None:
        self.out, self.overwrite, self.one_file = out, overwrite, one_file
        self.suffix = "." + suffix.lower().lstrip(".")
        self.taken: set[Path] = set()

    def of(self, motion: Motion) -> Path:
        """Return the file for a motion; two motions never share one."""
        target = self.out if self.one_file else self.out / (_file_name(motion.name) + self.suffix)
        if target in self.taken:
            way_out = "Name a folder with --out." if self.one_file else "Convert them in two runs."
            raise InputError(f"{target} is written already by another motion of this run. {way_out}")
        if target.exists() and not self.overwrite:
            raise InputError(f"{target} exists. Pass --overwrite to replace it.")
        target.parent.mkdir(parents=True, exist_ok=True)
        self.taken.add(target)
        return target


class Batch:
    """Many files; a bad one costs one line on stderr, the others go on."""

    def __init__(self, files: list[str], options: Options) -> None:
        self.files, self.options = files, options
        self.failures: list[dict[str, str]] = []

    def each(self, work: Callable[[Motion], Any]) -> list[Any]:
        """Return the results of all motions that could be read and worked on."""
        results = []
        for name in self.files:
            for source in self._expand(name):
                with warnings.catch_warnings(record=True) as caught:
                    warnings.simplefilter("always", CaromWarning)
                    try:
                        results.append(work(self._read(source)))
                    except (CaromError, OSError) as error:
                        self._fail(source, str(error))
                for warning in caught:
                    print(f"warning: {warning.message}", file=sys.stderr)
        return results

    def print_json(self, content: dict[str, Any]) -> None:
        """Print one JSON object, failures included."""
        print(json.dumps({**_finite(content), "failures": self.failures}, ensure_ascii=False))

    def finish(self) -> None:
        """Leave with exit code 2 where anything failed."""
        if self.failures:
            raise typer.Exit(2)

    def _expand(self, name: str) -> Iterator[str | Path]:
        path = Path(name)
        if path.is_dir():
            found = sorted(file for file in path.rglob("*") if file.suffix.lower() in FOLDER_SUFFIXES)
            if not found:
                self._fail(name, f"There is no motion in the folder {name}.")
            yield from found
        elif not path.exists() and any(sign in name for sign in "*?["):
            matches = sorted(glob.glob(name, recursive=True))  # noqa: PTH207 (the pattern may be absolute)
            if not matches:
                self._fail(name, f"No file matches {name}.")
            yield from (Path(match) for match in matches if not Path(match).is_dir())
        else:
            yield name

    def _read(self, source: str | Path) -> Motion:
        from carom.motions import get, names, read_motion

        if isinstance(source, str) and not Path(source).exists() and not Path(source).suffix:
            try:
                return get(source)
            except InputError as error:
                if "Unknown" not in str(error):
                    raise
                raise InputError(
                    f"There is no file {source}, nor a built-in motion of that name ({', '.join(names())})."
                ) from None
        options = self.options
        return read_motion(
            source, format=options.format, dt=options.dt, unit=options.unit, column=options.column,
            partial=options.partial,
        )  # fmt: skip

    def _fail(self, source: object, message: str) -> None:
        line = " ".join(message.split())
        self.failures.append({"file": str(source), "error": line})
        print(f"{source}: {line}", file=sys.stderr)


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


_ROWS = (
    ("event", "event", ""), ("station", "station", ""), ("component", "component", ""),
    ("samples", "npts", ""), ("time step", "dt", "s"), ("duration", "duration", "s"),
    ("PGA", "pga", "m/s²"), ("PGA", "pga_g", "g"), ("PGV", "pgv", "m/s"), ("PGD", "pgd", "m"),
    ("Arias intensity", "arias", "m/s"), ("CAV", "cav", "m/s"),
    ("D5–75", "d5_75", "s"), ("D5–95", "d5_95", "s"), ("bracketed, 0.05 g", "bracketed", "s"),
    ("Housner intensity", "housner", "m"),
    ("predominant period", "predominant_period", "s"), ("mean period", "mean_period", "s"),
)  # fmt: skip


def _print_infos(found: list[dict[str, Any]]) -> None:
    console = _console()
    if len(found) <= 3:
        console.print(_by_row(found))
        for one in found:
            for step in one["processing"]:
                console.print(f"  {one['name']}: {step}", style="dim", markup=False, soft_wrap=True)
    else:
        console.print(_by_line(found))


def _by_row(found: list[dict[str, Any]]) -> Any:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    table.add_column("")
    table.add_column("")
    for one in found:
        table.add_column(one["name"], justify="right" if len(found) > 1 else "left", overflow="fold")
    for label, key, unit in _ROWS:
        values = [_shown(one[key]) for one in found]
        if any(values):
            table.add_row(label, unit, *values)
    return table


def _by_line(found: list[dict[str, Any]]) -> Any:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    table.add_column("motion", overflow="fold")
    keys = (
        ("npts", "samples"), ("dt", "dt\n(s)"), ("pga_g", "PGA\n(g)"), ("pgv", "PGV\n(m/s)"),
        ("pgd", "PGD\n(m)"), ("arias", "Arias\n(m/s)"), ("d5_95", "D5–95\n(s)"),
        ("mean_period", "T mean\n(s)"),
    )  # fmt: skip
    for _, title in keys:
        table.add_column(title, justify="right")
    for one in found:
        table.add_row(one["name"], *(_shown(one[key], 4 if key == "pga_g" else 3) for key, _ in keys))
    return table


def _print_spectrum(one: dict[str, Any], periods: list[float], ratios: list[float]) -> None:
    from rich import box
    from rich.table import Table

    console = _console()
    for k, ratio in enumerate(ratios):
        title = f"{one['name']}, {100.0 * ratio:g} % damping"
        table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, title=title, title_justify="left")
        for heading in ("T (s)", "SD (m)", "SV (m/s)", "SA (m/s²)", "PSV (m/s)", "PSA (m/s²)"):
            table.add_column(heading, justify="right")
        for j, period in enumerate(periods):
            cells = (one[name][k][j] for name in ("sd", "sv", "sa", "psv", "psa"))
            table.add_row(f"{period:.4g}", *(f"{cell:.4g}" for cell in cells))
        console.print(table)


def _console() -> Any:
    """Return the console for tables: as wide as the terminal, wide in a pipe."""
    from rich.console import Console

    return Console(highlight=False, width=None if sys.stdout.isatty() else 140)


def _report(batch: Batch, made: list[dict[str, str]], what: str, as_json: bool) -> None:
    if as_json:
        batch.print_json({what: made})
    else:
        for one in made:
            print(one["file"])
    batch.finish()


def _shown(value: object, digits: int = 4) -> str:
    if isinstance(value, float):
        return "–" if math.isnan(value) else f"{value:.{digits}g}"
    return str(value)


def _finite(value: Any) -> Any:
    """JSON has no NaN: what is undefined becomes null."""
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _file_name(name: str) -> str:
    return "".join(letter if letter.isalnum() or letter in "._-+()" else "_" for letter in name)
