"""The files of a run, written as a whole: by `carom run`, and by `run.report` from Python."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from carom.problem import Problem
from carom.reports.figure_process import FigureProcess
from carom.reports.runs.files import plain, write_impacts, write_json, write_response
from carom.reports.runs.page import pounding_page
from carom.results import Pounding
from carom.scenario import Scenario
from carom.scenario.analysis import Analysis
from carom.scenario.method import named
from carom.whole_files import whole_files

__all__ = ["write_report", "write_stated"]


def write_report(
    scenario: Scenario, result: Pounding, out: Path, figure_process: FigureProcess, *, figures: bool = False
) -> list[str]:
    """Write all files or none; return their names."""
    with whole_files(out) as folder:
        figure_process.begin(result)
        write_response(result, folder / "response.nc")
        write_impacts(result.run, folder / "impacts.csv")
        write_json(result.as_dict(), folder / "summary.json")
        page = pounding_page(scenario, result, figure_process.pictures())
        (folder / "report.html").write_text(page, encoding="utf-8")
        if figures:
            from carom.reports.runs.figures import write_figures

            write_figures(result, folder / "figures")
        return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def write_stated(problem: Problem, options: Mapping[str, Any], result: Pounding, out: Path) -> None:
    """Write the files of a problem that was stated in Python and run by `carom.simulate` with these options."""
    analysis = named(Analysis.model_validate(plain(dict(options))))
    grounds = set(problem.supports)  # several have no one table
    ground = dict(zip("xyz", grounds.pop().along, strict=True)) if len(grounds) == 1 else {}
    shaken = {axis: motion for axis, motion in ground.items() if motion is not None}
    scenario = Scenario(result.title, "", problem, analysis, shaken, name="", text="")
    with FigureProcess() as figure_process:
        write_report(scenario, result, out, figure_process)
