"""The protocol of analyses: what they are given, and how what they return reaches the report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from carom.errors import InputError, UnknownNameError
from carom.reports.study import study_sections, write_study_report
from carom.results import Curve, FigureData, Panel, Table
from carom.studies.analyses import ANALYSES, StudyTable, check_analyses, findings, register_analysis
from carom.studies.drive import run_study
from carom.studies.section import Picture, Section
from tests.studies.example import example


class Share:
    def __init__(self, value: float) -> None:
        self.value = value

    def section(self) -> Section:
        def draw(share: Share) -> Any:
            from carom.plots.sheet import single

            axes = single(None)
            axes.plot([0, 1], [share.value] * 2, label="share")
            return axes

        figure = FigureData("share-lines", "Lines", "a test", (Panel("x", "y", (Curve([0, 1], [0, 1], "line"),)),))
        table = Table("share", "Share", ("what", "share"), (("touching", self.value), ("none", None)))
        return Section(
            "Share of contact", (f"{self.value:.3f}",), (Picture("share", draw, self, "Drawn."), figure), (table,)
        )


@pytest.fixture
def _registered() -> Iterator[None]:
    ANALYSES.names()
    before = dict(ANALYSES._members), dict(ANALYSES._aliases), dict(ANALYSES._lookup)

    def check(options: Mapping[str, Any]) -> None:
        if options.keys() - {"above"}:
            raise InputError("share takes `above`.")

    @register_analysis("share", check=check)
    def share(table: StudyTable, options: Mapping[str, Any]) -> Share:
        return Share(float(np.mean(table["impacts"][table.finished] > options.get("above", 0))))

    @register_analysis("hopeless")
    def hopeless(table: StudyTable, options: Mapping[str, Any]) -> Share:
        raise InputError("There is no hope.")

    yield
    ANALYSES._members, ANALYSES._aliases, ANALYSES._lookup = before


@pytest.mark.usefixtures("_registered")
def test_analyses_become_sections_figures_and_tables(tmp_path: Path) -> None:
    study = example(("[motions]", "[analyses.share]\nabove = 2\n[analyses.hopeless]\n[motions]"))
    store = run_study(study, tmp_path / "s")
    sections, not_made = study_sections(store)
    titles = [section.title for section in sections]
    assert not_made == {"hopeless": "There is no hope."}
    assert titles == ["The sample", "Outputs", "Share of contact", "Hopeless"]
    written = write_study_report(store).files
    assert "tables/share.csv" in written
    expected = float(np.mean(store.columns()["impacts"] > 2))
    assert (store.folder / "tables" / "share.csv").read_text() == f"what,share\ntouching,{expected}\nnone,\n"
    page = (store.folder / "report.html").read_text()
    assert 'id="figure-share"' in page
    assert 'id="figure-share-lines"' in page
    assert "This analysis could not be made: There is no hope." in page


@pytest.mark.usefixtures("_registered")
def test_options_are_judged_before_anything_is_run(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="share takes `above`"):
        run_study(example(("[motions]", "[analyses.share]\nbelow = 2\n[motions]")), tmp_path / "s")
    assert not (tmp_path / "s").exists()
    with pytest.raises(UnknownNameError, match="Unknown analysis"):
        check_analyses({"no such thing": {}})


@pytest.mark.usefixtures("_registered")
def test_failed_runs_are_told_apart() -> None:
    status = np.array(["finished", "step-limit", "finished", "refused"], dtype=object)
    table = StudyTable({"status": status, "impacts": np.array([3.0, np.nan, 0.0, np.nan])})
    assert table.finished.tolist() == [True, False, True, False]
    (found,) = findings(table, {"share": {}})
    assert isinstance(found.result, Share)
    assert found.result.value == 0.5


def test_a_report_counts_failed_runs_apart(tmp_path: Path) -> None:
    study = example(("[motions]", "[run]\nstep_limit = 200\n[motions]"))
    store = run_study(study, tmp_path / "s")
    write_study_report(store)
    page = (store.folder / "report.html").read_text()
    failed = int(np.sum(store.columns()["status"] == "step-limit"))
    assert 0 < failed < 36
    assert f"{failed} of them failed ({failed} step-limit); they are in no distribution below." in page
    assert f"Over the {36 - failed} runs that finished." in page
