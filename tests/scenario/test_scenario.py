"""Scenario files: what they state, and what is said of those that cannot be run."""

from __future__ import annotations

import copy
import json
import math
import tomllib
from collections.abc import Iterator
from datetime import datetime
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import carom
from carom.scenario import ScenarioError, default_scenario, json_schema, read_scenario
from tests.scenario.malformed import MALFORMED, SOUND


def written(folder: Path, text: str) -> Path:
    path = folder / "neighbours.toml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("case", MALFORMED)
def test_malformed(case: str, tmp_path: Path) -> None:
    changes, expected = MALFORMED[case]
    text = SOUND
    for old, new in changes:
        assert text.count(old) >= 1, f"{old!r} is not in the sound scenario"
        text = text.replace(old, new, 1)
    with pytest.raises(ScenarioError) as caught:
        read_scenario(written(tmp_path, text))
    faults = {fault.field: fault.text for fault in caught.value.faults}
    for field, words in expected:
        assert field in faults, faults
        assert words in faults[field], faults[field]
    assert len(faults) == len(expected), faults
    assert all(line.startswith("neighbours.toml: `") and "\n" not in line for line in caught.value.lines)
    assert "pydantic" not in str(caught.value)


PARSED = tomllib.loads(SOUND)
JUNK = (
    -1, 0, 1, 3.7, 1e308, math.inf, math.nan, True, "", "x", "1 kg m", "5 parsec/fortnight", "nan", [], [[]],
    [1, "a"], {}, {"kind": 3}, {"structure": "tower"}, datetime(2020, 1, 1), "\x00", "ü" * 500, [1.0] * 50,
    "../..", 10**30,
)  # fmt: skip


def places(value: object, trail: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Every place of a nested value, tables and lists included."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield (*trail, key)
        yield from places(inner, (*trail, key))


@pytest.mark.parametrize("place", list(places(PARSED)), ids=str)
def test_whatever_stands_in_a_field_is_taken_or_refused(
    place: tuple[str | int, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No value, anywhere, brings a traceback; each refusal is a line."""
    path = written(tmp_path, SOUND)
    for junk in JUNK:
        raw = copy.deepcopy(PARSED)
        holder: Any = raw
        for step in place[:-1]:
            holder = holder[step]
        holder[place[-1]] = junk
        monkeypatch.setattr("carom.scenario.reading.tomllib.loads", lambda _, raw=raw: raw)
        faults = ()
        try:
            read_scenario(path)
        except ScenarioError as error:
            faults = error.faults
        assert all(len(fault.text) < 1500 and "\n" not in fault.text for fault in faults)


def test_a_sound_scenario_states_what_python_states(tmp_path: Path) -> None:
    scenario = read_scenario(written(tmp_path, SOUND))
    tower = carom.ShearBuilding(masses=[2e5] * 4, stiffnesses=[3e8] * 4, heights=3.0, damping_ratio=0.05, name="tower")
    annex = carom.ShearBuilding(masses=[1.5e5] * 2, stiffnesses=4e8, heights=3.0, damping_ratio=0.05, name="annex")
    pier = carom.Oscillator(mass=4600, period=0.4, damping_ratio=0.02, name="pier")
    assert scenario.problem.structures == (tower, annex, pier)
    law = carom.law("hertzdamp", stiffness=2e9, restitution=0.65)
    assert scenario.problem.contacts == (
        carom.facing("tower", "annex", gap=0.02, law=law),
        carom.Contact(("annex", 2), "pier", gap=0.03, law=law),
    )
    motion = carom.motions.get("default").trimmed(end=10.0).scaled(pga="0.4 g")
    assert scenario.motion == motion
    assert scenario.problem.initial_displacement == {"pier": (0.005,)}
    assert scenario.notes == ()


def test_finer_samples_are_the_same_motion(tmp_path: Path) -> None:
    scenario = read_scenario(written(tmp_path, SOUND))
    flat = scenario.problem.flat()
    assert flat.dt == pytest.approx(0.002)
    np.testing.assert_allclose(flat.ground[0, ::5], scenario.motion.acceleration, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(flat.ground[0, 2::5], scenario.motion.acceleration[:-1] * 0.6
                               + scenario.motion.acceleration[1:] * 0.4, rtol=1e-9, atol=1e-9)  # fmt: skip


def test_files_are_found_beside_the_scenario(tmp_path: Path) -> None:
    (tmp_path / "records").mkdir()
    carom.motions.get("default").write(tmp_path / "records" / "mine.csv")
    text = SOUND.replace('record = "default"', 'record = "records/mine.csv"')
    found = read_scenario(written(tmp_path, text)).motion
    np.testing.assert_allclose(found.pga, 0.4 * 9.80665)


def test_every_kind_of_structure_and_damping(tmp_path: Path) -> None:
    scenario = read_scenario(
        written(
            tmp_path,
            """
            title = "All kinds"
            [structures.frame]
            kind = "shear-building"
            masses = [1e5, 1e5, 1e5]
            stiffnesses = 2e8
            damping = {ratios = [0.03, 0.05], modes = [1, 3]}
            [structures.stack]
            kind = "shear-building"
            floors = 2
            masses = 1e5
            stiffnesses = 2e8
            damping = {alpha = 0.2, beta = "1 ms"}
            delay = "0.1 s"
            [structures.girder]
            kind = "body"
            mass = "20 t"
            stiffness = "1 MN/m"
            damping = "10 kN*s/m"
            [structures.abutment]
            kind = "ground"
            [structures.screen]
            kind = "wall"
            moving = false
            [[contacts]]
            left = "girder"
            right = "abutment"
            gap = 0.02
            law = {name = "kelvin-voigt", stiffness = "1 GN/m", restitution = 0.5, tension = false}
            [motion]
            record = "default"
            """,
        )
    )
    frame, stack, girder, _, screen = scenario.problem.structures
    ratios = frame.modes().sigma / frame.modes().omega
    assert ratios[[0, 2]] == pytest.approx([0.03, 0.05])
    omega = stack.modes().omega
    assert stack.modes().sigma == pytest.approx(0.5 * (0.2 + 1e-3 * omega**2))
    assert girder.damping == 1e4
    assert screen.moving is False
    assert scenario.problem.motion["stack"].delay == 0.1
    assert scenario.problem.pairs[0].law.tension is False


def test_the_default_pounds() -> None:
    scenario = default_scenario()
    assert scenario.command == "carom run"
    assert scenario.text.startswith("#:schema carom-scenario.schema.json\n")
    run = carom.simulate(scenario.problem)
    assert run.table["start"].size >= 5


def test_schema_is_published_as_it_is() -> None:
    published = json.loads((files("carom.scenario") / "carom-scenario.schema.json").read_text(encoding="utf-8"))
    assert published == json_schema(), "run: python -m carom.scenario.schema"
    assert published["properties"]["structures"]["description"]
    mass = published["$defs"]["OscillatorPart"]["properties"]["mass"]
    assert {"number", "string"} == {form["type"] for form in mass["anyOf"]}


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [("missing.toml", None, "`carom new` writes one"), ("latin.toml", b'title = "\xe9"', "UTF-8")],
)
def test_files_that_are_none(name: str, content: bytes | None, words: str, tmp_path: Path) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(carom.InputError, match=words):
        read_scenario(path)
    with pytest.raises(carom.InputError, match="is a folder"):
        read_scenario(tmp_path)
