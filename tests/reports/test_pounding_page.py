"""The report of a run: whole in itself, valid, and true to the result."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from carom.reports.page import tied
from carom.reports.runs.page import pounding_page
from carom.reports.runs.words import enough
from carom.scenario import Scenario, default_scenario, read_scenario
from carom.studies.single.assess import study_pounding
from tests.reports.pages import Page, read


def made(scenario: Scenario) -> tuple[str, Page]:
    analysis = scenario.analysis
    result = study_pounding(
        scenario.problem, title=scenario.title, duration=analysis.duration, scheme=analysis.scheme, **analysis.options
    )
    text = pounding_page(scenario, result)
    return text.replace("\u00a0", " "), read(text)


def test_default_report_is_whole_in_itself() -> None:
    text, page = made(default_scenario())
    assert len(text.encode()) < 5_000_000
    assert {"summary", "inputs", "response", "impacts", "firmness", "sources", "repeat", "sway"} <= set(page.names)
    for word in ("Summary", "Inputs as understood", "carom run", "Anagnostopoulos", "How firm", "tower floor 3"):
        assert word in text
    assert "http" not in re.sub(r'xmlns(:\w+)?="[^"]*"', "", text).replace("http://www.w3.org/2000/svg", "")


def test_the_first_line_is_the_answer() -> None:
    """Right under the title: touches or not, where, how hard, and the gap that would have been enough."""
    text, _ = made(default_scenario())
    under = text.split("</h1>")[1].lstrip()
    found = re.match(r'<p class="answer">(.*?)</p>', under)
    assert found is not None
    assert found[1] == (
        "They touch 10 times, hardest at tower floor 3 | annex floor 3 with 11.1 MN. A gap of 56.4 mm instead of 30 mm "
        "would have been enough for this motion."
    )
    assert "gap that is enough" in text  # for each contact, in the table
    assert "Each structure, against itself without contact</caption>" in text


def test_curves_with_and_without_contact_look_different() -> None:
    text, _ = made(default_scenario())
    found = re.search(r'<script type="application/json" id="panels">(.*?)</script>', text, flags=re.S)
    assert found is not None
    for key in ("displacement", "acceleration", "envelopes", "psa", "psv", "phase"):
        curves = [curve for panel in json.loads(found[1])[key] for curve in panel["curves"]]
        assert curves
        assert all(curve["dashed"] == ("without" in curve["label"]) for curve in curves), key


@pytest.mark.parametrize(("gap", "said"), [(0.0, "0 m"), (0.0123401, "12.4 mm"), (0.02, "20 mm"), (1.0, "1 m")])
def test_a_gap_that_is_enough_is_rounded_up(gap: float, said: str) -> None:
    assert enough(gap) == said


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


RIGID = """
title = "Rigid"
[structures.tower]
kind = "shear-building"
masses = [2e5, 2e5]
stiffnesses = 2e8
damping_ratio = 0.05
[structures.annex]
kind = "oscillator"
mass = 1e5
period = 0.3
damping_ratio = 0.05
[[contacts]]
left = {structure = "tower", floor = 1}
right = "annex"
gap = "5 mm"
law = {name = "newton", restitution = 0.5}
[motion]
record = "default"
end = "5 s"
[analysis]
"""


@pytest.mark.parametrize("scheme", ["event", "moreau-jean"])
def test_rigid_contact(scheme: str, tmp_path: Path) -> None:
    path = tmp_path / "rigid.toml"
    path.write_text(f'{RIGID}scheme = "{scheme}"\n', encoding="utf-8")
    text, page = made(read_scenario(path))
    assert "largest impulse" in text
    assert ">largest force<" not in text
    assert "and depend on it" in text
    assert "nan" not in text.replace("nance", "").lower().split("<script")[0]
    assert ("The non-smooth contact dynamics method" in text) == (scheme == "moreau-jean")
    assert "sway" in page.names


def test_storeys_that_yield(tmp_path: Path) -> None:
    path = tmp_path / "yielding.toml"
    storeys = 'stiffnesses = 2e8\nstoreys = {kind = "bouc-wen", yield_drift = "3 mm"}'
    law = '{name = "kelvin-voigt", stiffness = 2e9, restitution = 0.5}'
    text = RIGID.replace("stiffnesses = 2e8", storeys).replace('{name = "newton", restitution = 0.5}', law)
    path.write_text(f'{text}scheme = "newmark"\ndt = "2 ms"\n', encoding="utf-8")
    text, _ = made(read_scenario(path))
    for words in (
        "lost to yielding",
        "times its yield drift",
        "Wen Y.K. (1976)",
        "Newmark N.M. (1959)",
        "Bouc-Wen (yield drift 3 mm",
    ):
        assert words in text


@pytest.mark.parametrize("text", ["1000 t", "14.7 MN", "2 Hz", "5 %", "0.3 g", "300 kN/mm"])
def test_numbers_do_not_part_from_their_units(text: str) -> None:
    assert tied(text) == text.replace(" ", "\u00a0")
    assert tied("5 times, 3 floors") == "5 times, 3 floors"
