"""`carom check`: is this scenario sound, and how is it understood?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from carom.cli.terminal.budget import Budget, allow

__all__ = ["check"]


def check(
    scenario: Annotated[Path, typer.Argument(metavar="SCENARIO", help="Scenario file (TOML).")],
    budget: Budget = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Check a scenario and say how it is understood.

    All that is wrong with it is said at once.
    """
    allow(budget)
    from carom.budget import allowed, in_bytes
    from carom.cli.terminal.console import print_json
    from carom.scenario import ScenarioError, read_scenario

    try:
        stated = read_scenario(scenario)
    except ScenarioError as error:
        if not json:
            raise
        print_json({"valid": False, "errors": [fault.as_dict() for fault in error.faults]})
        raise typer.Exit(2) from None
    from carom.reports.runs.inputs import inputs

    tables = inputs(stated)
    if json:
        shown = {table.title: table.records() for table in tables}
        needs = {"samples": round(stated.needs.samples), "memory": round(stated.needs.memory), "allowed": allowed()}
        print_json(
            {
                "valid": True, "errors": [], "title": stated.title, "inputs": shown, "warnings": stated.cautions,
                "needs": needs,
            }
        )  # fmt: skip
        return
    from carom.cli.terminal.console import print_table, terminal

    console = terminal()
    count = len(stated.cautions)
    verdict = f"can be run, with {count} caution{'s' if count > 1 else ''} below" if count else "is sound"
    console.print(f"{scenario} {verdict}: {stated.title}", style="bold", markup=False)
    for table in tables:
        print_table(console, table)
    console.print()
    console.print(f"A run takes about {in_bytes(stated.needs.memory)} of memory: {stated.needs.words}.", markup=False)
    for caution in stated.cautions:
        console.print(f"! {caution}", style="yellow", markup=False)
