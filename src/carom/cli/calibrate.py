"""`carom calibrate`: parameters from measurements."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from carom.errors import InputError

__all__ = ["app"]

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

    stated = read_scenario(scenario)
    given: dict[str, Any] = {}
    if measured is not None:
        columns = _columns(measured)
        given = {"time": columns.pop("time"), "displacement": columns}
    if impacts is not None:
        try:
            given["impacts"] = [float(part) for part in impacts.split(",")]
        except ValueError:
            raise InputError(f"--impacts must be times in seconds with commas between. Got {impacts!r}.") from None
    found = carom.estimate_restitution(stated.problem, **given)
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
    console.print(f"misfit {100 * found.misfit:.3g} % of what was measured")
    console.print("impacts at " + ", ".join(f"{t:.4f}" for t in found.run.table["start"][:20]) + " s")


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
