"""The report in a browser, where there is one: scripts run, and the console stays silent."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from carom.reports.runs.page import pounding_page
from carom.scenario import default_scenario
from carom.studies.single.assess import study_pounding

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


@pytest.mark.skipif(BROWSER is None, reason="no Chromium here; the page's structure is tested elsewhere")
def test_scripts_run_without_a_word_on_the_console(tmp_path: Path) -> None:
    scenario = default_scenario()
    path = tmp_path / "report.html"
    result = study_pounding(scenario.problem, title=scenario.title, checks=False)
    path.write_text(pounding_page(scenario, result), encoding="utf-8")
    run = subprocess.run(
        [str(BROWSER), "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--dump-dom",
         f"--user-data-dir={tmp_path / 'profile'}", path.as_uri()],
        capture_output=True, text=True, check=True, timeout=120,
    )  # fmt: skip
    assert "CONSOLE" not in run.stderr
    assert '<div class="legend"><button type="button" aria-pressed="true">' in run.stdout  # figures.js ran
    assert '<output class="clock">1.45 s</output>' in run.stdout  # sway.js ran, up to the first impact
