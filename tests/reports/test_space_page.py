"""Reports of structures in space: whole in themselves, slabs and corners named, rotations shown; in a browser too."""

from __future__ import annotations

import base64
import json
import re
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from carom.reports.runs.animation import sway
from carom.reports.runs.page import pounding_page
from carom.reports.runs.slabs import slab_effect, storey_table
from carom.results import Pounding
from carom.scenario import Scenario, read_scenario
from carom.scenario.templates.scenario import Answers, scenario_text
from carom.studies.single.assess import study_pounding
from tests.reports.pages import read
from tests.reports.test_browser import BROWSER
from tests.scenario.spatial import SOUND

NEW = {kind: scenario_text(Answers(floors=(3, 2), kind=kind, gap="1 cm")) for kind in ("torsion", "frame")}

NEW["frame"] += """
[[outputs]]
structure = "building-A"
drift = 3
direction = "x"
[[outputs]]
structure = "building-A"
drift = 2
at = ["6 m", "5 m"]
direction = "y"
[[outputs]]
structure = "building-B"
shear = 1
direction = "x"
[[outputs]]
structure = "building-B"
member = "column 0-0-1"
force = "my"
"""


@cache
def pounded(kind: str, folder: Path) -> tuple[Scenario, Pounding]:
    path = folder / f"{kind}.toml"
    text = NEW.get(kind) or SOUND[kind][0]
    path.write_text(text.replace('pga = "0.4 g"', 'pga = "0.4 g"\nend = "8 s"'), encoding="utf-8")
    scenario = read_scenario(path)
    analysis = scenario.analysis
    result = study_pounding(
        scenario.problem, title=scenario.title, checks=False, duration=analysis.duration, scheme=analysis.scheme,
        **analysis.options,
    )  # fmt: skip
    return scenario, result


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("scenarios")


def data(text: str, name: str) -> Any:
    found = re.search(rf'<script type="application/json" id="{name}">(.*?)</script>', text, flags=re.S)
    assert found is not None
    return json.loads(found[1])


@pytest.mark.parametrize("kind", ["torsion", "frame", "matrices", "moment frames", "sliding"])
def test_a_report_is_whole_in_itself(kind: str, folder: Path) -> None:
    scenario, result = pounded(kind, folder)
    text = pounding_page(scenario, result)
    page = read(text)
    assert len(text.encode()) < 5_000_000
    assert {"summary", "inputs", "response", "impacts", "sway"} <= set(page.names)
    assert "figure-geometry" in page.names
    assert "http" not in re.sub(r'xmlns(:\w+)?="[^"]*"', "", text).replace("http://www.w3.org/2000/svg", "")
    assert data(text, "scene")["space"]
    assert "nan" not in re.sub(r"<[^>]*>", " ", text).split()


def test_rotation_and_corners_are_named(folder: Path) -> None:
    scenario, result = pounded("torsion", folder)
    text = pounding_page(scenario, result).replace("\u00a0", " ")
    assert result.pounds
    for words in ("rotation [mrad]", "at a corner [g]", "building-A, floor 2", "building-A floor 2 ne | building-B"):
        assert words in text
    panels = data(text, "panels")
    assert {"displacement", "across", "rotation", "acceleration", "envelopes", "psa", "psv"} <= set(panels)
    labels = [curve["label"] for curve in panels["psa"][0]["curves"]]
    assert labels[:2] == ["centre", "without contact"]
    assert any("ne" in label for label in labels)
    rotation = panels["rotation"][0]["curves"][0]["y"]
    turned = float(result.run.peaks["displacement"].sel(dof="building-A floor 3 rz"))
    assert max(map(abs, rotation)) == pytest.approx(1e3 * turned, rel=1e-3)  # the largest sample, in mrad
    assert f"{1e3 * turned:.3g} mrad" in slab_effect(result, result.scene.standings[0])["rotation"]


def unpacked(table: dict[str, Any]) -> np.ndarray:
    """Read what `packed` wrote, as packing.js does."""
    kinds = {"f4": "<f4", "i2": "<i2", "i1": "i1", "u2": "<u2", "u1": "u1"}
    values = np.frombuffer(base64.b64decode(table["data"]), kinds[table["kind"]]).astype(float)
    scales = unpacked(table["scales"]) if "scales" in table else np.ones(1)
    return values * np.resize(scales, values.size)


def drawn(one: dict[str, Any], magnified: float, frame: int | None) -> np.ndarray:
    """Return where the script draws the points of a structure at a frame, or at rest."""
    n = one["results"]
    at = unpacked(one["points"]) + (magnified - 1.0) * unpacked(one["spread"])
    if frame is not None:
        y = unpacked(one["motion"]).reshape(-1, n)[frame]
        at = at + magnified * unpacked(one["rows"]).reshape(-1, n) @ y
    return at.reshape(-1, 3)


def test_points_of_the_animation_are_where_the_results_say(folder: Path) -> None:
    """The script adds up what is packed: so do we, against the corner's displacement by hand."""
    _, result = pounded("torsion", folder)
    scene = sway(result)
    assert scene is not None
    one, form = scene["structures"][0], result.scene.standings[0].form
    assert form is not None
    corner = form.names.index("floor 2 ne")
    frame = scene["samples"] // 2
    moved = drawn(one, 1.0, frame)[corner] - drawn(one, 1.0, None)[corner]
    at = np.searchsorted(result.run.time, scene["begin"] + frame / scene["rate"])
    u = result.run.displacement[at]
    x, y, turn = (u[list(result.run.dofs).index(f"building-A floor 2 {way}")] for way in ("ux", "uy", "rz"))
    expected = (x - turn * (18.0 - 10.0), y + turn * (12.0 - 6.0), 0.0)  # centre of mass at (6, 10), corner at (12, 18)
    np.testing.assert_allclose(moved, expected, atol=2e-5)
    assert drawn(one, 1.0, None)[corner] == pytest.approx([12.0, 18.0, 6.0], abs=0.02)


@pytest.mark.parametrize("magnified", [1.0, None])
def test_contacts_light_up_where_they_close(magnified: float | None, folder: Path) -> None:
    """At the middle of an impact the drawn sides of its contact overlap by little beside their gap at rest."""
    _, result = pounded("torsion", folder)
    scene = sway(result)
    assert scene is not None
    magnified = magnified or scene["magnified"]
    row = int(np.argmax(result.run.table["peak_force"]))
    contact = int(result.run.table["contact"][row])
    touch = result.scene.touches[contact]
    middle = result.run.table["start"][row] + 0.5 * result.run.table["duration"][row]
    frame = round((float(middle) - scene["begin"]) * scene["rate"])
    apart = []
    for at in (None, frame):
        sides = [
            drawn(scene["structures"][i], magnified, at)[point]
            for i, point in (scene["contacts"][contact][side] for side in ("left", "right"))
        ]
        apart.append((sides[1] - sides[0]) @ touch.normal)
    assert apart[0] == pytest.approx(magnified * touch.gap, rel=0.02, abs=2e-3)
    assert abs(apart[1]) < 0.4 * apart[0]  # the frame is up to a sixtieth of a second off


def test_modes_forces_and_bent_members_are_told(folder: Path) -> None:
    """Modes swing as the structure's do; the axial force of a column is that of the frame's own row."""
    scenario, result = pounded("frame", folder)
    scene = sway(result)
    assert scene is not None
    frame, one = scenario.problem.structures[0], scene["structures"][0]
    form = result.scene.standings[0].form
    assert form is not None
    assert [mode["frequency"] for mode in one["modes"]] == pytest.approx(frame.frequencies[:12].tolist())
    corner, n = form.names.index("1-1-3"), one["results"]
    moved = unpacked(one["rows"]).reshape(-1, n)[3 * corner : 3 * corner + 3] @ unpacked(one["modes"][1]["shape"])
    shape = frame.mode_displacements(2)["1-1-3"][:3]
    assert moved / np.linalg.norm(moved) == pytest.approx(
        shape / np.linalg.norm(shape) * np.sign(shape @ moved), abs=1e-3
    )
    assert unpacked(one["lengths"]).max() == 5  # ends and three points between
    axial = one["forces"]["kinds"][0]
    values = unpacked(axial["values"]).reshape(-1, one["members"]) * axial["largest"] / 127.0
    at = np.searchsorted(result.run.time, scene["begin"] + one["forces"]["every"] * 40 / scene["rate"])
    column = form.forces.names.index(frame.members[0].name)
    row = -frame.member_force(frame.members[0].name, "n", "start")
    u = np.array(
        [result.run.displacement[at, list(result.run.dofs).index(f"building-A {name}")] for name in frame.dof_names]
    )
    assert values[40, column] == pytest.approx(row @ u, abs=axial["largest"] / 127.0)


def test_problems_along_a_line_have_what_they_had() -> None:
    from carom.scenario import default_scenario

    scenario = default_scenario()
    result = study_pounding(scenario.problem, title=scenario.title, checks=False)
    text = pounding_page(scenario, result)
    assert not data(text, "scene")["space"]
    assert set(data(text, "panels")) >= {"displacement", "acceleration", "envelopes", "psa", "psv", "phase"}
    assert result.slab_spectra == ()


@pytest.mark.skipif(BROWSER is None, reason="no Chromium here; the page's structure is tested above")
@pytest.mark.parametrize("kind", ["torsion", "frame"])
def test_the_script_runs_without_a_word_on_the_console(kind: str, folder: Path, tmp_path: Path) -> None:
    scenario, result = pounded(kind, folder)
    path = tmp_path / "report.html"
    path.write_text(pounding_page(scenario, result), encoding="utf-8")
    run = subprocess.run(
        [str(BROWSER), "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--dump-dom",
         f"--user-data-dir={tmp_path / 'profile'}", path.as_uri()],
        capture_output=True, text=True, check=True, timeout=120,
    )  # fmt: skip
    assert "CONSOLE" not in run.stderr
    first = float(result.run.table["start"].min())
    assert f'<output class="clock">{first:.2f} s</output>' in run.stdout


def test_drifts_shears_and_what_was_asked_for(folder: Path) -> None:
    """Each drift read off two floors, base shears once in a table of their own, once as it was asked for."""
    _, result = pounded("frame", folder)
    run = result.run
    labels = [one.label for one in result.asked]
    assert labels == [
        "building-A drift 3 along x", "building-A drift 2 at (6.0, 5.0) along y", "building-B shear 1 along x",
        "building-B column 0-0-1 my at the start",
    ]  # fmt: skip
    assert [one.unit for one in result.asked] == ["m", "m", "N", "N m"]
    at = {label: run.dofs.index(label) for label in run.dofs}
    top, below = (run.displacement[:, at[f"building-A floor {k} ux"]] for k in (3, 2))
    drift = result.asked[0].output
    np.testing.assert_allclose(run.displacement[:, drift], top - below, atol=1e-12)
    rows = {row[0]: row[1:] for row in storey_table(result).rows}
    peak = run.extremes[drift, 0]
    assert float(rows["building-A, below floor 3"][0]) == pytest.approx(1e3 * peak, rel=5e-3)
    assert rows["building-A, below floor 3"][6] == f"{100 * peak / 3.0:.2g} %"
    shear = result.asked[2].output
    assert [one.output for one in result.base if (one.structure, one.axis) == ("building-B", "x")] == [shear]
    told = result.as_dict()
    both = {"pounding": run.extremes[shear, 0], "no_pounding": result.twin.extremes[shear, 0]}
    assert told["base_shear"]["building-B along x"] == both
    assert told["outputs"]["building-B shear 1 along x"] == both | {"unit": "N"}
    text = pounding_page(*pounded("frame", folder))
    assert "What was asked for" in text
    assert "Shear at the base" in text
    assert "below floor 3" in slab_effect(result, result.scene.standings[0])["storey drift"]
