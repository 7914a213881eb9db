"""Bodies that pass through each other after their contact's force has ended: a study says in how many runs, how far."""

from __future__ import annotations

from pathlib import Path

import pytest

from carom.reports.study import write_study_report
from carom.scenario.studies.reading import study_of
from carom.studies.drive import run_study, table_of

PAIR = """
title = "Two neighbours"
outputs = ["displacement", "impacts"]

[scenario.structures.a]
kind = "oscillator"
mass = "1.2 t"
period = "0.22 s"
damping_ratio = "5 %"
[scenario.structures.b]
kind = "oscillator"
mass = "10 t"
period = "0.425 s"
damping_ratio = "5 %"
[scenario.laws.pad]
name = "kelvin-voigt"
stiffness = 3.9e7
restitution = 0.2
tension = {tension}
[[scenario.contacts]]
left = "a"
right = "b"
gap = "1 mm"
law = "pad"

[sampler]
kind = "grid"
[parameters.gap]
path = "contacts.0.gap"
values = ["1 mm", "50 cm"]
[motions]
records = ["default"]
"""


@pytest.mark.parametrize("tension", ["true", "false"])
def test_a_study_says_so(tension: str, tmp_path: Path) -> None:
    text = PAIR.format(tension=tension)
    store = run_study(study_of(text, name="pair.toml", folder=tmp_path), tmp_path / "runs")
    table = table_of(store)
    write_study_report(store)
    page = (store.folder / "report.html").read_text(encoding="utf-8")
    through = table["unheld_overlap"] > 0.0
    assert through.any() == (tension == "false")
    assert not through[table["gap"] > 0.1].any()
    assert ("pressed together again" in page) == (tension == "false")
    if tension == "false":
        assert f"In {100.0 * through.mean():.3g} % of the runs" in page
