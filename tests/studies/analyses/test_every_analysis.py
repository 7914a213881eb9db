"""What every registered analysis promises: a section of a table, or one clear error; never anything else."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from carom.errors import InputError
from carom.studies.analyses import ANALYSES, StudyTable, check_analyses
from carom.studies.section import Picture
from tests.studies.analyses.tables import table_of

OPTIONS = {
    "calibration": {"parameter": "gap", "measured": 5e6},
    "force-spectra": {"left": "gap", "right": "period"},
    "sensitivity": {"share": 0.2},
}
NAMES = [
    "amplification", "calibration", "force-spectra", "fragility", "ida", "law-spread", "sensitivity", "separation"
]  # fmt: skip


def study(runs: int, *, status: str = "finished", force: float | None = None) -> StudyTable:
    """A full grid of motions, laws, gaps and periods, cut after some runs."""
    rng = np.random.default_rng(0)
    motion, scale, law, gap, period = (
        x.ravel()[:runs] for x in np.meshgrid(*(np.arange(1, n + 1) for n in (6, 2, 2, 5, 3)), indexing="ij")
    )
    pga = 1.0 * motion * scale
    values = 1e6 * pga * (1.0 + 0.2 * law) * rng.lognormal(0.0, 0.5, motion.size)
    values = values if force is None else np.full(motion.size, force)
    values = values if status == "finished" else np.full(motion.size, np.nan)
    table = table_of(
        {"pga": "m/s2", "peak_force": "N"}, [status] * motion.size,
        run=np.arange(motion.size), sample=np.arange(motion.size), pga=pga, scale=1.0 * scale,
        motion=np.array([f"m{i}" for i in motion], dtype=object), law=np.array(["a", "b"], dtype=object)[law - 1],
        gap=0.01 * gap, period=0.1 * period, peak_force=values,
        impacts=np.where(np.isfinite(values), (values > 1.5e8 * 0.01 * gap) * 1.0, np.nan),
        **{"displacement.left": 1e-8 * values, "no_pounding.displacement.left": 0.01 * pga},
    )  # fmt: skip
    outputs = ("peak_force", "impacts", "displacement.left")
    return replace(table, parameters=("law", "gap", "period"), outputs=outputs, study={"sampler": {"kind": "grid"}})


def test_all_are_registered() -> None:
    assert ANALYSES.names() == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_section_with_a_figure_and_tables(name: str) -> None:
    options = {**OPTIONS.get(name, {})}
    section = ANALYSES.get(name).run(study(360), options).section()
    assert section.title
    assert section.tables
    files = [table.name for table in section.tables]
    assert len(set(files)) == len(files)
    for table in section.tables:
        assert table.title
        for row in table.rows:
            assert len(row) == len(table.head)
            for cell in row:
                assert cell is None or type(cell) in (str, int, float)
    for figure in section.figures:
        assert isinstance(figure, Picture)
        assert figure.draw(figure.of) is not None


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "table",
    [study(0), study(1), study(120, status="step-limit"), study(120, force=np.nan), study(120, force=np.inf)],
    ids=["empty", "one run", "all failed", "not a number", "infinite"],
)
def test_nothing_to_look_at_is_said_in_one_line(name: str, table: StudyTable) -> None:
    if name == "amplification" and len(table) == 1:
        pytest.skip("a single run has a ratio")
    with pytest.raises(InputError) as caught:
        ANALYSES.get(name).run(table, OPTIONS.get(name, {})).section()
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", NAMES)
def test_few_or_dull_runs_never_break_it(name: str) -> None:
    for table in (study(2), study(7), study(120, force=0.0), study(120, force=5.0)):
        try:
            section = ANALYSES.get(name).run(table, OPTIONS.get(name, {})).section()
        except InputError:
            continue
        for figure in section.figures:
            assert isinstance(figure, Picture)
            figure.draw(figure.of)


@pytest.mark.parametrize("name", NAMES)
def test_misspelt_options_are_refused_before_anything_is_run(name: str) -> None:
    with pytest.raises(InputError, match="Unknown option"):
        check_analyses({name: {**OPTIONS.get(name, {}), "outptu": "peak_force"}})


def test_no_analysis_knows_drawing() -> None:
    """The import contract holds this too; figures are named, and drawn by whoever wants them."""
    room = Path(__file__).parents[3] / "src" / "carom" / "studies" / "analyses"
    assert all("matplotlib" not in file.read_text(encoding="utf-8") for file in room.glob("*.py"))
