"""`carom cite`: the sources of everything a scenario uses."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

__all__ = ["cite"]


def cite(
    scenario: Annotated[
        Path | None, typer.Argument(metavar="SCENARIO", help="Scenario file (TOML); none: the built-in default.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """List the references of what a scenario uses."""
    from carom.cli.terminal.console import print_json, terminal
    from carom.reports.references import references
    from carom.scenario import default_scenario, read_scenario

    stated = default_scenario() if scenario is None else read_scenario(scenario)
    found = references(stated.problem, stated.ground.values(), stated.analysis.scheme)
    if json:
        print_json({"references": [one.as_dict() for one in found]})
        return
    console = terminal()
    for one in found:
        console.print(f"{one.used_for}", style="bold", markup=False)
        console.print(f"  {one.text}{f' [{one.place}]' if one.place else ''}", markup=False)
