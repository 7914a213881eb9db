"""The report of a run: whole in itself, valid, and true to the result."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from carom.reports.pounding import pounding_page
from carom.scenario import Scenario, default_scenario, read_scenario
from carom.studies.pounding import study_pounding
from tests.reports.pages import Page, read


def made(scenario: Scenario) -> tuple[str, Page]:
    result = study_pounding(scenario.problem, title=scenario.title, duration=scenario.analysis.duration)
    text = pounding_page(scenario, result)
    return text, read(text)


def test_default_report_is_whole_in_itself() -> None:
    text, page = made(default_scenario())
    assert len(text.encode()) < 5_000_000
    assert {"summary", "inputs", "response", "impacts", "firmness", "sources", "repeat", "sway"} <= set(page.names)
    for word in ("Summary", "Inputs as understood", "carom run", "Anagnostopoulos", "How firm", "tower floor 3"):
        assert word in text
    assert "http" not in re.sub(r'xmlns(:\w+)?="[^"]*"', "", text).replace("http://www.w3.org/2000/svg", "")


def test_values_to_read_off_are_those_of_the_run() -> None:
    scenario = default_scenario()
    result = study_pounding(scenario.problem, title=scenario.title, checks=False)
    text = pounding_page(scenario, result)
    found = re.search(r'<script type="application/json" id="panels">(.*?)</script>', text, flags=re.S)
    assert found is not None
    panels = json.loads(found[1])
    upper = panels["acceleration"][0]
    curve = next(curve for curve in upper["curves"] if curve["label"] == "with contact")
    largest = abs(result.run.acceleration[:, 2]).max() / 9.80665
    assert max(abs(v) for v in curve["y"]) == pytest.approx(largest, rel=1e-4)  # no peak is lost
    assert all(panels[key][0]["box"][2] > 0 for key in panels)


PLAIN = """
title = "A <ball> & a wall"
[structures.ball]
kind = "body"
mass = 2
[structures.wall]
kind = "wall"
[[contacts]]
left = "ball"
right = "wall"
gap = {gap}
law = {{name = "hertz", stiffness = 1e8}}
[initial.ball]
velocity = 1.0
[analysis]
duration = 0.5
"""


@pytest.mark.parametrize("gap", [0.1, 10.0])
def test_without_motion_with_and_without_a_touch(gap: float, tmp_path: Path) -> None:
    path = tmp_path / "ball.toml"
    path.write_text(PLAIN.format(gap=gap), encoding="utf-8")
    text, _ = made(read_scenario(path))
    assert "A &lt;ball&gt; &amp; a wall" in text
    assert ("Nothing touches" in text) == (gap > 1.0)
    assert "carom run ball.toml" in text
