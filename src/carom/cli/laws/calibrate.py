"""`carom calibrate`: parameters from measurements."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from carom.errors import InputError

__all__ = ["app"]

START = 1e9
"""Stiffness at which searches start."""
START_RESTITUTION = "0.5"
"""A law must have one; a fit finds its own."""

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
            metavar="MEASURED",
            help="CSV: 'time', and displacements by degree of freedom; SI, or units as in 'left [mm]'.",
        ),
    ] = None,
    impacts: Annotated[
        str | None, typer.Option(help='Measured times of impacts [s]: "0.121,0.389" or "121 ms, 389 ms".')
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Find the coefficient of restitution with which rigid contacts come closest to a measured history."""
    import carom
    from carom.cli.terminal.console import print_json, terminal
    from carom.scenario import read_scenario

    found = carom.estimate_restitution(
        read_scenario(scenario).problem, **_measured(measured, impacts, "calibrate restitution")
    )
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
    contact: Annotated[
        str | None, typer.Option(help="Label of the contact, or its number from 0; none: all gaps are one.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Find the gap with which a scenario comes closest to a measured history."""
    import carom
    from carom.cli.terminal.console import print_json, terminal
    from carom.scenario import read_scenario

    ends = between.split(",")
    if len(ends) != 2:
        raise InputError(f'--between must be two gaps with a comma between: "40 mm,60 mm". Got {between!r}.')
    given = _measured(measured, impacts, "calibrate gap")
    found = carom.estimate_gap(
        read_scenario(scenario).problem,
        **given,
        between=(ends[0], ends[1]),
        contact=contact,
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
    peaks: Annotated[
        str, typer.Option(help='Measured peak forces [N] of the same impact: "4600,4710" or "4.6 kN, 4.71 kN".')
    ],
    mass: Annotated[str, typer.Option(help="Mass of a body that meets a fixed one [kg].")],
    velocity: Annotated[str, typer.Option(help="Velocity at first touch [m/s].")],
    restitution: Annotated[str | None, typer.Option(help="Restitution coefficient, 0 < e <= 1.")] = None,
    error: Annotated[str, typer.Option(help="Standard error of a single peak [N].")] = "0",
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Find the stiffness at which an impact peaks at the mean of measured peaks, with its interval."""
    import carom
    from carom.cli.terminal.console import print_json, terminal
    from carom.cli.terminal.quantities import numbers
    from carom.studies.analyses.calibration import calibrate_stiffness

    values = {} if restitution is None else {"restitution": restitution}
    chosen = carom.law(law, stiffness=START, **values)
    forces = numbers(peaks, "N", name="peaks", owner="calibrate stiffness")
    found = calibrate_stiffness(chosen, forces, error=error, mass=mass, velocity=velocity)
    if json:
        print_json({"law": chosen.name, "stiffness": found.value, "unit": found.unit, "interval": found.interval})
        return
    low, high = found.interval
    told = f"{100 * found.confidence:g} %: {low:.5g} to {high:.5g}" if low == low else found.note
    terminal().print(f"stiffness {found.value:.6g} {found.unit}   ({told})", style="bold", markup=False)


@app.command("laws")
def laws(
    measured: Annotated[
        Path,
        typer.Argument(
            metavar="MEASURED", help="CSV: 'time' and 'force' or 'acceleration', such as time [ms],force [kN]."
        ),
    ],
    law: Annotated[list[str], typer.Option(help="Name of a law; repeat it for each.")],
    mass: Annotated[str, typer.Option(help="Mass of a body that meets a fixed one [kg].")],
    velocity: Annotated[str, typer.Option(help="Velocity at first touch [m/s].")],
    restitution: Annotated[
        str | None,
        typer.Option(help="Restitution coefficient of all, 0 < e <= 1; without it e is fitted, with the stiffness."),
    ] = None,
    cfc: Annotated[
        int | None, typer.Option(help="Filter first by a channel class of SAE J211: 60, 180, 600 or 1000.")
    ] = None,
    touch: Annotated[
        str | None, typer.Option(help="When the bodies touch, in the file's time [s]; otherwise it is found.")
    ] = None,
    reverse: Annotated[bool, typer.Option("--reverse", help="The sensor counts pressure as negative.")] = False,
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="Write table and figure there.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Compare laws with a measured history by the normalized error.

    An acceleration is multiplied by the mass. With --restitution each law has the stiffness of the measured peak;
    without it stiffness and restitution are fitted to the whole curve, with intervals.
    """
    import carom
    from carom.cli.laws.measured import measured_columns
    from carom.cli.suite import show_section
    from carom.laws.base import DampedLaw
    from carom.studies.analyses.calibration import compare_laws
    from carom.studies.analyses.measured import measured_impact

    columns = measured_columns(measured)
    if ("force" in columns) == ("acceleration" in columns):
        raise InputError(
            f"{measured.name} must have a column 'force' or 'acceleration' beside 'time', one of them. "
            f"Its columns: {', '.join(columns)}."
        )
    quantity = "force" if "force" in columns else "acceleration"
    values = [-value for value in columns[quantity]] if reverse else columns[quantity]
    test = measured_impact(columns["time"], **{quantity: values}, mass=mass, cfc=cfc, touch=touch)
    chosen = []
    for name in law:
        kind = carom.laws.laws.get(name)
        asked = {"restitution": restitution or START_RESTITUTION} if issubclass(kind, DampedLaw) else {}
        chosen.append(carom.law(name, stiffness=START, **asked))
    found = compare_laws(
        chosen, test.time, test.force, fit="curve" if restitution is None else True, align=test.found,
        cautions=test.cautions, mass=mass, velocity=velocity,
    )  # fmt: skip
    show_section(found.section(test.words), out, json)


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
    from carom.cli.laws.measured import measured_columns
    from carom.cli.suite import show_section
    from carom.studies.analyses.decay import free_decay

    columns = measured_columns(measured)
    if column not in columns:
        raise InputError(f"{measured} has no column {column!r}. It has {', '.join(columns)}.")
    found = free_decay(columns["time"], columns[column], mass=mass, after=after, before=before)
    show_section(found.section(), out, json)


def _measured(measured: Path | None, impacts: str | None, owner: str) -> dict[str, Any]:
    """Return what was measured as the estimates take it."""
    from carom.cli.laws.measured import measured_columns
    from carom.cli.terminal.quantities import numbers

    given: dict[str, Any] = {}
    if measured is not None:
        columns = measured_columns(measured)
        given = {"time": columns.pop("time"), "displacement": columns}
    if impacts is not None:
        given["impacts"] = numbers(impacts, "s", name="impacts", owner=owner)
    return given


def _print_fit(console: Any, misfit: float, starts: Any) -> None:
    console.print(f"misfit {100 * misfit:.3g} % of what was measured")
    console.print("impacts at " + ", ".join(f"{t:.4f}" for t in starts[:20]) + " s")
