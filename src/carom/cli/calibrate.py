"""`carom calibrate`: parameters from measurements."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from carom.errors import InputError

__all__ = ["app"]

START = 1e9
"""Stiffness at which searches start."""

app = typer.Typer(help="Find parameters from measurements.", no_args_is_help=True, rich_markup_mode=None)


@app.callback()
def _root() -> None:
    """Find parameters from measurements."""


@app.command("restitution")
def restitution(
    scenario: Annotated[Path, typer.Argument(metavar="SCENARIO", help="Scenario file (TOML) of the test.")],
    measured: Annotated[
        Path | None,
        typer.Argument(
            metavar="MEASURED", help="CSV: a column 'time' [s], and displacements [m] by degree of freedom."
        ),
    ] = None,
    impacts: Annotated[str | None, typer.Option(help='Measured times of impacts [s]: "0.121,0.389".')] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Find the coefficient of restitution with which rigid contacts come closest to a measured history."""
    import carom
    from carom.cli.console import print_json, terminal
    from carom.scenario import read_scenario

    found = carom.estimate_restitution(read_scenario(scenario).problem, **_measured(measured, impacts))
    if json:
        print_json(
            {
                "restitution": found.restitution,
                "misfit": found.misfit,
                "firm": list(found.firm),
                "impacts": found.run.table["start"].tolist(),
            }
        )
        return
    console = terminal()
    low, high = found.firm
    console.print(f"restitution {found.restitution:.4f}   (nearly as good: {low:.2f} to {high:.2f})", style="bold")
    _print_fit(console, found.misfit, found.run.table["start"])


@app.command("gap")
def gap(
    scenario: Annotated[Path, typer.Argument(metavar="SCENARIO", help="Scenario file (TOML) of the test.")],
    between: Annotated[str, typer.Option(help='Smallest and largest gap to try: "40 mm,60 mm".')],
    measured: Annotated[
        Path | None,
        typer.Argument(
            metavar="MEASURED", help="CSV: a column 'time' [s], and displacements [m] by degree of freedom."
        ),
    ] = None,
    impacts: Annotated[str | None, typer.Option(help='Measured times of impacts [s]: "0.121,0.389".')] = None,
    contact: Annotated[int | None, typer.Option(help="Number of the contact, from 0; none: all gaps are one.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Find the gap with which a scenario comes closest to a measured history."""
    import carom
    from carom.cli.console import print_json, terminal
    from carom.scenario import read_scenario

    ends = between.split(",")
    if len(ends) != 2:
        raise InputError(f'--between must be two gaps with a comma between: "40 mm,60 mm". Got {between!r}.')
    found = carom.estimate_gap(
        read_scenario(scenario).problem, **_measured(measured, impacts), between=(ends[0], ends[1]), contact=contact
    )
    if json:
        starts = found.run.table["start"].tolist()
        print_json({"gap": found.gap, "misfit": found.misfit, "firm": list(found.firm), "impacts": starts})
        return
    console = terminal()
    low, high = (1e3 * value for value in found.firm)
    console.print(f"gap {1e3 * found.gap:.4g} mm   (nearly as good: {low:.4g} to {high:.4g} mm)", style="bold")
    _print_fit(console, found.misfit, found.run.table["start"])


@app.command("stiffness")
def stiffness(
    law: Annotated[str, typer.Option(help="Name of the law; `carom laws` lists them.")],
    peaks: Annotated[str, typer.Option(help='Measured peak forces [N] of the same impact: "4600,4710".')],
    mass: Annotated[str, typer.Option(help="Mass of a body that meets a fixed one [kg].")],
    velocity: Annotated[str, typer.Option(help="Velocity at first touch [m/s].")],
    restitution: Annotated[str | None, typer.Option(help="Restitution coefficient, 0 < e <= 1.")] = None,
    error: Annotated[str, typer.Option(help="Standard error of a single peak [N].")] = "0",
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Find the stiffness at which an impact peaks at the mean of measured peaks, with its interval."""
    import carom
    from carom.cli.console import print_json, terminal
    from carom.studies.analyses.calibration import calibrate_stiffness

    values = {} if restitution is None else {"restitution": restitution}
    chosen = carom.law(law, stiffness=START, **values)
    found = calibrate_stiffness(
        chosen, _numbers(peaks, "--peaks", "forces in newtons"), error=error, mass=mass, velocity=velocity
    )
    if json:
        print_json({"law": chosen.name, "stiffness": found.value, "unit": found.unit, "interval": found.interval})
        return
    low, high = found.interval
    told = f"{100 * found.confidence:g} %: {low:.5g} to {high:.5g}" if low == low else found.note
    terminal().print(f"stiffness {found.value:.6g} {found.unit}   ({told})", style="bold", markup=False)


@app.command("laws")
def laws(
    measured: Annotated[Path, typer.Argument(metavar="MEASURED", help="CSV: 'time' [s] since touch, 'force' [N].")],
    law: Annotated[list[str], typer.Option(help="Name of a law; repeat it for each.")],
    mass: Annotated[str, typer.Option(help="Mass of a body that meets a fixed one [kg].")],
    velocity: Annotated[str, typer.Option(help="Velocity at first touch [m/s].")],
    restitution: Annotated[str, typer.Option(help="Restitution coefficient of all, 0 < e <= 1.")],
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="Write table and figure there.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Compare laws with a measured history of force by the normalized error, each at the measured peak."""
    import carom
    from carom.cli.suite import show_section
    from carom.studies.analyses.calibration import compare_laws

    columns = _columns(measured)
    if "force" not in columns:
        raise InputError(f"{measured} must have a column 'force' [N] beside 'time' [s].")
    chosen = [carom.law(name, stiffness=START, restitution=restitution) for name in law]
    found = compare_laws(chosen, columns["time"], columns["force"], mass=mass, velocity=velocity)
    show_section(found.section(), out, json)


@app.command("decay")
def decay(
    measured: Annotated[Path, typer.Argument(metavar="MEASURED", help="CSV: 'time' [s], and displacements [m].")],
    column: Annotated[str, typer.Option(help="Name of the column that swings freely.")],
    mass: Annotated[str | None, typer.Option(help="Mass, for the stiffness [kg].")] = None,
    after: Annotated[str | None, typer.Option(help="Beginning of the free vibration [s].")] = None,
    before: Annotated[str | None, typer.Option(help="Its end [s].")] = None,
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="Write table and figure there.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Find frequency, damping and stiffness from free vibration."""
    from carom.cli.suite import show_section
    from carom.studies.analyses.decay import free_decay

    columns = _columns(measured)
    if column not in columns:
        raise InputError(f"{measured} has no column {column!r}. It has {', '.join(columns)}.")
    found = free_decay(columns["time"], columns[column], mass=mass, after=after, before=before)
    show_section(found.section(), out, json)


def _measured(measured: Path | None, impacts: str | None) -> dict[str, Any]:
    """Return what was measured as the estimates take it."""
    given: dict[str, Any] = {}
    if measured is not None:
        columns = _columns(measured)
        given = {"time": columns.pop("time"), "displacement": columns}
    if impacts is not None:
        given["impacts"] = _numbers(impacts, "--impacts", "times in seconds")
    return given


def _print_fit(console: Any, misfit: float, starts: Any) -> None:
    console.print(f"misfit {100 * misfit:.3g} % of what was measured")
    console.print("impacts at " + ", ".join(f"{t:.4f}" for t in starts[:20]) + " s")


def _numbers(text: str, option: str, what: str) -> list[float]:
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise InputError(f"{option} must be {what} with commas between. Got {text!r}.") from None


def _columns(path: Path) -> dict[str, list[float]]:
    import csv

    try:
        with path.open(newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.") from None
    if not rows or "time" not in rows[0]:
        raise InputError(f"{path} must have a header line with 'time' and names of degrees of freedom, then numbers.")
    try:
        return {name: [float(row[name]) for row in rows] for name in rows[0]}
    except (TypeError, ValueError) as error:
        raise InputError(f"{path} must hold numbers below its header line: {error}.") from None
