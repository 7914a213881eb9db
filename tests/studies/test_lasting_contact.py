"""A building that leans on a wall to the end of a run is in contact: in studies, fragility and their reports."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from carom.reports.study import write_study_report
from carom.results import Outcome
from carom.scenario.studies.reading import Study, study_of
from carom.studies.analyses import findings
from carom.studies.drive import run_study, table_of
from carom.studies.files.store import Store
from carom.studies.overview import counts_of, status_words
from carom.studies.statuses import FAILED

LEANING = """
title = "A building beside a wall"
outputs = ["displacement", "impacts", "closed_at_end", "peak_force"]

[scenario.structures.building]
kind = "oscillator"
mass = "100 t"
period = "2 s"
damping_ratio = "5 %"
[scenario.structures.wall]
kind = "wall"
[scenario.laws.pad]
name = "hunt-crossley-1975"
stiffness = 1e9
restitution = 0.8
[[scenario.contacts]]
left = "building"
right = "wall"
gap = "0 mm"
law = "pad"

[sampler]
kind = "grid"
[parameters.gap]
path = "contacts.0.gap"
values = ["0.01 mm", "1 mm", "5 cm", "10 cm", "20 cm", "30 cm", "40 cm", "60 cm"]
[parameters.period]
path = "structures.building.period"
values = ["1.2 s", "2 s", "3 s"]

[motions]
records = ["push.csv"]

[run]
rtol = 1e-5
{more}
[analyses.fragility]
against = "gap"
falling = true
"""


@pytest.fixture
def study(tmp_path: Path):
    push = np.concatenate([np.linspace(0.0, -1.16, 40), np.full(160, -1.16)])
    lines = ["time [s],acceleration [m/s2]"]
    lines += [f"{0.01 * i:.2f},{a:.6f}" for i, a in enumerate(push)]
    (tmp_path / "push.csv").write_text("\n".join(lines), encoding="utf-8")

    def made(more: str = "") -> Study:
        path = tmp_path / "leaning.toml"
        path.write_text(LEANING.format(more=more), encoding="utf-8")
        return study_of(path.read_text(encoding="utf-8"), name=path.name, folder=tmp_path)

    return made


def test_contact_that_lasts_counts(study, tmp_path: Path) -> None:
    store: Store = run_study(study(), tmp_path / "runs")
    table = table_of(store)
    reach = 2.0 * 1.16 * (table["period"] / (2.0 * np.pi)) ** 2  # of a load that comes at once; this one comes slower
    near, far = table["gap"] < 2e-3, table["gap"] > reach
    assert (table["impacts"][near] > 0).all()
    assert (table["closed_at_end"][near] == 1.0).all()
    assert (table["peak_force"][near] > 5e4).all()
    assert (table["impacts"][far] == 0).all()
    write_study_report(store)
    page = (store.folder / "report.html").read_text(encoding="utf-8")
    assert f"The structures touch in {100.0 * (table['impacts'] > 0).mean():.3g} % of the runs" in page
    (finding,) = findings(table, store.manifest["analyses"])
    (curve,) = finding.result.curves
    assert curve.exceeding[0] == curve.finished[0] == 3  # at the smallest gap all lean to the end
    guarded = int(table["guarded_impacts"].sum())
    assert guarded > 0
    assert f"changed the damping of {guarded} impacts" in page


def test_failed_runs_say_why(study, tmp_path: Path) -> None:
    store = run_study(study("step_limit = 3"), tmp_path / "runs")
    table = table_of(store)
    failed = table["status"] == "step-limit"
    assert failed.any()
    assert (table["message"][failed] == Outcome.STEP_LIMIT.text).all()
    assert (table["message"][~failed] == "").all()
    assert np.isnan(table["guarded_impacts"][failed].astype(float)).all()
    assert f"{failed.sum()} step-limit" in " ".join(status_words(store, counts_of(store)))


def test_runs_that_contradict_themselves_are_failed_runs() -> None:
    assert Outcome.UNTRUSTED.word in FAILED
