"""`carom run`: from a scenario to numbers, words and files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from carom.cli.terminal.budget import Budget, allow
from carom.errors import refusal

if TYPE_CHECKING:
    from carom.results import Pounding
    from carom.scenario import Scenario

__all__ = ["run"]


def run(
    scenario: Annotated[
        Path | None, typer.Argument(metavar="SCENARIO", help="Scenario file (TOML); none: the built-in default.")
    ] = None,
    out: Annotated[Path, typer.Option(metavar="DIR", help="Folder for the files.")] = Path("out"),
    figures: Annotated[
        bool,
        typer.Option("--figures", help="Write every figure as PNG and PDF too, and the animation as GIF and HTML."),
    ] = False,
    budget: Budget = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Run a scenario, with pounding and without.

    Prints a summary and writes report.html, response.nc, impacts.csv and summary.json.
    """
    allow(budget)
    from carom.cli.terminal.console import print_json
    from carom.cli.terminal.progress import rare_collections, watched
    from carom.reports.figure_process import FigureProcess
    from carom.reports.runs.files import can_hold

    if not can_hold(out):
        rule = "must be a folder that can be written" if out.is_dir() or not out.exists() else "must be a folder"
        raise refusal("out", "run", rule, str(out), "Name another with --out.")
    with rare_collections(), FigureProcess() as figure_process:
        from carom.scenario import default_scenario, read_scenario

        stated = default_scenario() if scenario is None else read_scenario(scenario)
        result = watched(lambda tell: _study(stated, tell))
        from carom.reports.runs.run import write_report

        written = write_report(stated, result, out, figure_process, figures=figures)
    if json:
        print_json(result.as_dict())
    else:
        _print_summary(result, written, out)


def _study(stated: Scenario, tell: Any) -> Pounding:
    from carom.studies.single.assess import study_pounding

    analysis = stated.analysis
    sampling = None if stated.ground else analysis.sampling  # a record was refined already
    return study_pounding(
        stated.problem, title=stated.title, remarks=stated.notes, tell=tell, checks=analysis.checks,
        spectrum_damping=analysis.spectrum_damping, duration=analysis.duration, sampling=sampling,
        **analysis.simulation,
    )  # fmt: skip


def _print_summary(result: Pounding, written: list[str], out: Path) -> None:
    from carom.cli.terminal.console import terminal
    from carom.reports.runs.words import sentences

    console = terminal()
    console.print(result.title, style="bold", markup=False)
    for sentence in sentences(result):
        console.print(sentence, markup=False)
    for caution in result.cautions:
        console.print(f"! {caution}", style="yellow", markup=False)
    told = [name for name in written if not name.startswith("figures")]
    told += ["figures/"] if len(told) < len(written) else []
    console.print(f"→ {out}: {', '.join(told)}", style="cyan", markup=False, soft_wrap=True)
