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
from carom.motions.synthetic import harmonic, sweep
from carom.scenario import ScenarioError, default_scenario, json_schema, read_scenario
from carom.scenario.faults import in_toml
from carom.scenario.studies.quick import problem_of
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


def test_a_scheme_may_do_what_it_says_it_can(tmp_path: Path) -> None:
    """Storeys that yield beside impulsive laws are for moreau-jean, which says so."""
    text = SOUND.replace("floors = 4", 'floors = 4\nstoreys = {kind = "bilinear", yield_drift = "1 cm"}')
    text = text.replace('name = "hertzdamp"\nstiffness = "2e9 N/m^1.5"', 'name = "newton"')
    with pytest.raises(ScenarioError, match=r'cannot be followed by the scheme event\. Write scheme = "moreau-jean"'):
        read_scenario(written(tmp_path, text))
    scenario = read_scenario(written(tmp_path, text.replace("rtol = 1e-6", 'scheme = "moreau-jean"\ndt = "1 ms"')))
    assert not carom.simulate(scenario.problem, scheme="moreau-jean", dt=1e-3, duration=2.0).outcome.failed


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
        monkeypatch.setattr("carom.scenario.text.tomllib.loads", lambda _, raw=raw: raw)
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
    np.testing.assert_allclose(flat.driven[0, ::5], scenario.motion.acceleration, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(flat.driven[0, 2::5], scenario.motion.acceleration[:-1] * 0.6
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


RIGID = SOUND.replace('name = "hertzdamp"\nstiffness = "2e9 N/m^1.5"\nrestitution = 0.65',
                      'name = "newton"\nrestitution = [["0 m/s", 0.8], ["0.5 m/s", 0.6]]')  # fmt: skip


def test_impulsive_laws_and_schemes_by_name(tmp_path: Path) -> None:
    text = RIGID.replace("rtol = 1e-6", 'scheme = "nscd"\ndt = "1 ms"\ntheta = 0.6\nprojection = true')
    scenario = read_scenario(written(tmp_path, text))
    law = carom.law("newton", restitution=[(0.0, 0.8), (0.5, 0.6)])
    assert {contact.law for contact in scenario.problem.pairs} == {law}
    assert scenario.analysis.scheme == "moreau-jean"
    assert scenario.analysis.options == {"dt": 0.001, "theta": 0.6, "projection": True}
    text = RIGID.replace('[["0 m/s", 0.8], ["0.5 m/s", 0.6]]', "0").replace('"newton"', '"plastic"')
    assert read_scenario(written(tmp_path, text)).problem.pairs[0].law == carom.law("plastic")


def test_moreau_jean_may_step_longer_than_usual_samples(tmp_path: Path) -> None:
    text = RIGID.replace("rtol = 1e-6", 'scheme = "moreau-jean"\ndt = "5 ms"')
    assert read_scenario(written(tmp_path, text)).problem.flat().dt == pytest.approx(0.005)


def test_storeys_that_yield(tmp_path: Path) -> None:
    storeys = """storeys = [{kind = "elastic"}, {kind = "bilinear", yield_drift = "1 cm", hardening = "5 %"},
      {kind = "bouc-wen", yield_drift = 0.02, exponent = 2}, {kind = "gap-stop", gap = "1 cm", stiffness = "1 GN/m"}]"""
    text = SOUND.replace("floors = 4", f"floors = 4\n{storeys}").replace("rtol = 1e-6", 'scheme = "newmark"')
    tower = read_scenario(written(tmp_path, text)).problem.structures[0]
    assert tower.storeys == (
        None,
        carom.Bilinear(yield_drift=0.01, hardening=0.05),
        carom.BoucWen(yield_drift=0.02, exponent=2.0),
        carom.GapStop(gap=0.01, stiffness=1e9),
    )
    everywhere = SOUND.replace("floors = 4", 'floors = 4\nstoreys = {kind = "bilinear", yield_drift = "1 cm"}')
    text = everywhere.replace("rtol = 1e-6", 'scheme = "rk4"\ndt = "1 ms"')
    tower = read_scenario(written(tmp_path, text)).problem.structures[0]
    assert tower.storeys == (carom.Bilinear(yield_drift=0.01),) * 4


def test_the_format_knows_every_option_of_every_scheme() -> None:
    from carom.integrate.schemes import schemes
    from carom.integrate.schemes.base import options_of
    from carom.scenario.analysis import SCHEME_OPTIONS

    assert {option for scheme in schemes for option in options_of(scheme)} == set(SCHEME_OPTIONS)


def test_the_format_knows_every_storey() -> None:
    from carom.joints import InternalSpring
    from carom.scenario.structures.storeys import KINDS

    def below(kind: type) -> int:
        return sum(1 + below(child) for child in kind.__subclasses__() if child.__module__.startswith("carom."))

    assert len(KINDS) == below(InternalSpring) + 1  # and elastic


def test_columns_take_a_law_of_their_own(tmp_path: Path) -> None:
    text = """
title = "Columns"
[structures.tower]
kind = "shear-building"
floors = 2
masses = "200 t"
stiffnesses = "200 kN/mm"
heights = "3 m"
[structures.annex]
kind = "shear-building"
masses = ["200 t", "200 t"]
stiffnesses = "400 kN/mm"
heights = ["3 m", "4 m"]
[laws.slabs]
name = "kelvin-voigt"
stiffness = "5e9 N/m"
restitution = 0.65
[laws.columns]
name = "kelvin-voigt"
stiffness = "5e8 N/m"
restitution = 0.5
[[contacts]]
left = "tower"
right = "annex"
gap = "5 mm"
law = "slabs"
columns = true
column_law = "columns"
[motion]
record = "default"
"""
    file = tmp_path / "columns.toml"
    file.write_text(text, encoding="utf-8")
    stated = read_scenario(file).problem
    assert [pair.law.stiffness for pair in stated.pairs] == [5e9, 5e8]
    again = problem_of({name: table for name, table in tomllib.loads(text).items() if name != "motion"})
    assert [pair.law for pair in again.pairs] == [pair.law for pair in stated.pairs]
    for old, new, told in (
        (
            'column_law = "columns"',
            'column_law = "colums"',
            "`contacts[1].column_law` must be the name of a table under",
        ),
        ("columns = true\n", "", "column_law"),
        ('left = "tower"', 'left = {structure = "tower", floor = 1}', "is for facing floors"),
    ):
        file.write_text(text.replace(old, new), encoding="utf-8")
        with pytest.raises(ScenarioError) as caught:
            read_scenario(file)
        assert told in str(caught.value)


RECORD = 'record = "default"\npga = "0.4 g"\nend = "10 s"\n'


@pytest.mark.parametrize(
    ("text", "made"),
    [
        (
            'harmonic = {frequency = "4 Hz", amplitude = "0.3 g", duration = "5 s", phase = "90 deg"}\n',
            harmonic(4.0, "0.3 g", duration=5.0, dt=0.0025, phase=math.pi / 2),
        ),
        (
            'sweep = {first = "0.2 Hz", last = "0.8 Hz", amplitude = 2.0, spacing = "linear"}\npga = "0.1 g"\n',
            sweep(0.2, 0.8, 2.0, kind="linear").scaled(pga="0.1 g"),
        ),
        (
            'dt = "4 ms"\nend = "2 s"\nsweep = {first = 1, last = 5, amplitude = "0.3 g", duration = "6 s"}\n',
            sweep(1.0, 5.0, "0.3 g", duration=6.0, dt=0.004).trimmed(end=2.0),
        ),
    ],
)
def test_sines_and_sweeps(text: str, made: carom.Motion, tmp_path: Path) -> None:
    found = read_scenario(written(tmp_path, SOUND.replace(RECORD, text))).motion
    assert found is not None
    assert found.dt == pytest.approx(made.dt)
    np.testing.assert_allclose(found.acceleration, made.acceleration, rtol=0.0, atol=1e-12)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            'pga = "0.4 g"\n',
            "`motion.record` must be given, or `harmonic`, `sweep`, `generated` or `pulse` in its place. Write",
        ),
        (
            'record = "default"\nharmonic = {frequency = 2, amplitude = 1}\n',
            "`motion` takes one of `record`, `harmonic`, `sweep`, `generated` and `pulse`, not record and harmonic.",
        ),
        ("harmonic = {amplitude = 1}\n", '`motion.harmonic.frequency` must be given. Write frequency = "2 Hz"'),
        (
            'unit = "g"\nharmonic = {frequency = 2, amplitude = 1}\n',
            '`motion.unit` is for files. Got "g". What is made',
        ),
        ('record = "default"\npartial = true\n', "`motion.partial` is for files. Got true."),
        (
            'dt = "0.3 s"\nharmonic = {frequency = 2, amplitude = 1}\n',
            "At dt = 0.3 s frequencies up to 1.66667 Hz can be sampled.",
        ),
    ],
)
def test_motions_that_contradict(text: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(ScenarioError) as refused:
        read_scenario(written(tmp_path, SOUND.replace(RECORD, text)))
    assert words in str(refused.value)


def test_partial_takes_what_a_truncated_record_holds(tmp_path: Path) -> None:
    file = tmp_path / "short.AT2"
    carom.motions.get("default").write(file)
    lines = file.read_text().splitlines()
    file.write_text("\n".join(lines[:200]) + "\n")
    text = SOUND.replace(RECORD, 'record = "short.AT2"\n')
    with pytest.raises(ScenarioError, match="or write partial = true to use what is there") as refused:
        read_scenario(written(tmp_path, text))
    assert "--partial" not in str(refused.value)
    found = read_scenario(written(tmp_path, text.replace('short.AT2"\n', 'short.AT2"\npartial = true\n'))).motion
    assert found is not None
    assert found == carom.read_motion(file, partial=True)


@pytest.mark.parametrize(
    ("python", "file"),
    [
        ("Slabs meet columns with columns=True.", "Slabs meet columns with columns = true."),
        ("Widen it, or pass allow_overlap=True.", "Widen it, or write allow_overlap = true under [analysis]."),
        ("Pass the time step in seconds: dt=0.01 (on the command line: --dt 0.01).", "Write the time step in seconds: "
         "dt = 0.01."),
        ('Pass the unit: unit="g" or unit="m/s2" (--unit g).', 'Write the unit: unit = "g" or unit = "m/s2".'),
        ("Or use alpha='exact'.", 'Or use alpha = "exact".'),
        ("Give `damping` (c), or calibrate first: law.calibrated(mass=…, velocity=…).", "Give `damping` (c)."),
        ('Write carom.law("newton", …).', 'Write name = "newton".'),
        ('Say where it slides: Contact(…, tangent="y").', 'Say where it slides: tangent = "y", for example.'),
    ],
)  # fmt: skip
def test_hints_speak_toml(python: str, file: str) -> None:
    assert in_toml(python) == file


def test_a_file_reads_no_python(tmp_path: Path) -> None:
    text = SOUND.replace(RECORD, 'record = "plain.txt"\n')
    (tmp_path / "plain.txt").write_text("0.1\n0.2\n0.1\n")
    with pytest.raises(ScenarioError) as refused:
        read_scenario(written(tmp_path, text))
    told = str(refused.value)
    assert "dt = 0.01" in told
    assert "dt=" not in told
    assert "--dt" not in told
