"""`carom export` and `carom compare-opensees`: to other programs, and beside one."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from carom.errors import InputError, refusal
from carom.plain_text import cell

if TYPE_CHECKING:
    from carom.scenario import Scenario

__all__ = ["compare_opensees", "export"]

ENDINGS = {"opensees": ".py", "mat": ".mat", "csv": ".csv", "vtkhdf": ".vtkhdf"}


def export(
    scenario: Annotated[Path, typer.Argument(metavar="SCENARIO", help="Scenario file (TOML).")],
    to: Annotated[str, typer.Option(metavar="FORMAT", help="opensees, mat, csv or vtkhdf.")],
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="File to write; by default that of the scenario, beside it.")
    ] = None,
    dt: Annotated[str | None, typer.Option(help='Step of OpenSees: "0.1 ms".')] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace a file that exists.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Write a scenario or its results for another program.

    opensees: a script for OpenSeesPy. mat: matrices, histories and impacts for MATLAB. csv: histories. vtkhdf:
    displacements in space over time, for ParaView.
    """
    from carom.cli.terminal.console import print_json, say
    from carom.scenario import read_scenario
    from carom.whole_files import write_whole

    if to not in ENDINGS:
        raise refusal("to", "export", f"must be one of {', '.join(ENDINGS)}", to)
    if dt is not None and to != "opensees":
        raise InputError("`dt` of export is the step of OpenSees: leave it out for other formats.")
    path = scenario.with_suffix(ENDINGS[to]) if out is None else out
    if path.exists() and not overwrite:
        raise InputError(f"{path} exists. Name another file with --out, or pass --overwrite to replace it.")
    stated = read_scenario(scenario)
    remarks: tuple[str, ...] = ()
    if to == "opensees":
        from carom.interchange.opensees_script import opensees_script

        script = opensees_script(stated.problem, dt=dt, duration=stated.analysis.duration, title=stated.title)
        content, remarks = script.text.encode(), script.remarks
    else:
        content = _results(stated, to)
    write_whole(path, content)
    if json:
        print_json({"file": str(path), "format": to, "bytes": len(content), "remarks": list(remarks)})
        return
    say(f"{path} written ({len(content) / 1e3:.0f} kB).")
    for remark in remarks:
        say(f"! {remark}")


def _results(stated: Scenario, to: str) -> bytes:
    """Run the scenario, and return its results as a file of that format."""
    from carom.integrate.simulate import simulate
    from carom.interchange.result_files import csv_file, mat_file, vtkhdf_file
    from carom.interchange.space import everything_kept, space_history

    problem = everything_kept(stated.problem) if to == "vtkhdf" else stated.problem
    run = simulate(problem, **_options(stated))
    if to == "csv":
        return csv_file(run)
    return mat_file(problem, run) if to == "mat" else vtkhdf_file(run, space_history(problem, run))


def _options(stated: Scenario) -> dict[str, Any]:
    """Return what `carom run` passes on of a scenario's analysis."""
    analysis = stated.analysis
    sampling = None if stated.ground else analysis.sampling  # a record was refined already
    return {"duration": analysis.duration, "sampling": sampling, **analysis.simulation}


def compare_opensees(
    scenario: Annotated[Path, typer.Argument(metavar="SCENARIO", help="Scenario file (TOML).")],
    dt: Annotated[str | None, typer.Option(help='Longer of the two steps of OpenSees: "0.1 ms".')] = None,
    out: Annotated[Path, typer.Option(metavar="DIR", help="Folder for the files.")] = Path("opensees"),
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Run a scenario in carom and in OpenSees, and draw the difference.

    OpenSees runs at a step and at half of it, so that its own error is seen. Writes comparison.png, comparison.pdf,
    comparison.csv and the script.
    """
    from carom.cli.terminal.console import print_json, print_table, terminal
    from carom.interchange.opensees_comparison import compare_opensees as compare
    from carom.interchange.opensees_script import opensees_script
    from carom.scenario import read_scenario
    from carom.whole_files import whole_files

    stated = read_scenario(scenario)
    options = _options(stated)
    duration = options.pop("duration")
    sampling = options.pop("sampling")
    if sampling is not None:
        options["sampling"] = sampling
    result = compare(stated.problem, step=dt, duration=duration, title=stated.title, **options)
    from carom.plots.runs.opensees import plot_opensees

    figure: Any = plot_opensees(result)[0].figure
    out.mkdir(parents=True, exist_ok=True)
    with whole_files(out) as folder:
        for ending in ("png", "pdf"):
            figure.savefig(folder / f"comparison.{ending}", dpi=200)
        table = result.table()
        with (folder / "comparison.csv").open("w", encoding="utf-8", newline="") as stream:
            csv.writer(stream, lineterminator="\n").writerows([*map(cell, row)] for row in (table.head, *table.rows))
        text = opensees_script(stated.problem, dt=dt, duration=duration, title=stated.title).text
        (folder / "opensees.py").write_text(text, encoding="utf-8")
    if json:
        print_json(result.as_dict())
        return
    console = terminal()
    console.print(stated.title, style="bold", markup=False)
    console.print(result.verdict, markup=False)
    print_table(console, result.table())
    for remark in result.remarks:
        console.print(f"! {remark}", style="yellow", markup=False)
    console.print(f"→ {out}: comparison.png, comparison.pdf, comparison.csv, opensees.py", style="cyan", markup=False)
