"""Scenario files of girders in space: what they come to, what a newcomer gets wrong, the one `carom new` writes."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import carom
from carom.scenario.faults import ScenarioError
from carom.scenario.reading import scenario_of
from carom.scenario.studies.paths import changed, places_at, places_in
from carom.scenario.studies.quick import problem_of
from carom.scenario.templates.scenario import Answers, scenario_text

BRIDGE = """
format = 1
title = "A girder and a stone"
[structures.span]
kind = "girder"
length = "30 m"
width = "10 m"
depth = "2 m"
skew = "20 deg"
mass = "400 t"
position = ["15 m", 0, "8 m"]
points = {pad = ["-14 m", 0, "-1 m"]}
spin = [0, 0, "0.01 rad/s"]
gravity = 0
[structures.stone]
kind = "rigid-body"
mass = "2 t"
inertia = ["1 t*m^2", "1 t*m^2", "1.5 t*m^2"]
points = {a = [-1, -1, -1], b = [1, -1, -1], c = [1, 1, -1], d = [-1, 1, -1], tip = [0, 0, "1 m"]}
faces = {bottom = ["d", "c", "b", "a"]}
radii = {tip = "10 cm"}
position = [0, 0, 20]
orientation = [0, 0, "30 deg"]
velocity = ["1 m/s", 0, 0]
[structures.floor]
kind = "fixed-body"
plate = {centre = [0, 0, "2 m"], normal = "z", size = "100 m"}
[structures.wall]
kind = "fixed-body"
points = {a = [0, -6, 0], b = [0, 6, 0], c = [0, 6, 4], d = [0, -6, 4], back = [-1, 0, 0]}
faces = {front = ["a", "b", "c", "d"]}
position = ["-3 m", 0, "6 m"]
[laws.ends]
name = "kelvin-voigt"
stiffness = "1 GN/m"
restitution = 0.6
[[contacts]]
left = "span"
nodes = ["sw bottom", "nw top"]
right = "wall"
face = "front"
law = "ends"
friction = 0.4
overhang = "5 cm"
[[contacts]]
left = {structure = "stone", point = "a"}
right = "floor"
face = "face"
law = "ends"
label = "stone on the floor"
[[bearings]]
deck = "span"
at = ["pad", [14, 0, -1]]
on = "ground"
rule = {kind = "elastomeric", stiffness = "3 MN/m"}
along = "z"
[motion]
record = "default"
"""


def read(text: str) -> carom.scenario.stated.Scenario:
    return scenario_of(tomllib.loads(text), "girders.toml", Path())


def test_girders_are_what_python_says() -> None:
    problem = read(BRIDGE).problem
    span = problem.structure("span")
    assert (span.length, span.mass, span.gravity, span.spin) == (30.0, 4e5, (0.0, 0.0, 0.0), (0.0, 0.0, 0.01))
    assert span.skew == pytest.approx(np.radians(20.0))
    assert span.world("pad").tolist() == [1.0, 0.0, 7.0]
    stone = problem.structure("stone")
    assert isinstance(stone, carom.RigidBody)
    assert np.diag(stone.tensor).tolist() == [1e3, 1e3, 1.5e3]
    assert dict(stone.sphere_radius) == {"tip": 0.1}
    np.testing.assert_allclose(stone.axes[:2, 0], [np.cos(np.pi / 6), 0.5])
    assert problem.structure("floor").corners("face")[:, 2].tolist() == [2.0] * 4
    first, second, stony = problem.pairs
    assert (first.a.at, second.a.at, first.face, first.overhang) == ("sw bottom", "nw top", "front", 0.05)
    assert first.friction == second.friction == carom.Friction(0.4)
    assert (stony.name, stony.friction) == ("stone on the floor", None)
    np.testing.assert_allclose(problem.flat().gap, [3 - 5 * np.tan(np.radians(20)), 3 + 5 * np.tan(np.radians(20)), 17])
    assert [bearing.along for bearing in problem.bearings] == ["z", "z"]


@pytest.mark.parametrize(
    ("path", "value", "seen"),
    [
        ("structures.span.skew", "10 deg", lambda p: p.structure("span").skew == pytest.approx(np.radians(10.0))),
        ("contacts.0.friction", 0.5, lambda p: p.pairs[1].friction.static == 0.5),
        ("bearings.0.rule.stiffness", "5 MN/m", lambda p: p.bearings[1].rules[0].stiffness == 5e6),
    ],
)
def test_studies_vary_it(path: str, value: Any, seen: Any) -> None:
    tables = tomllib.loads(BRIDGE)
    (place,) = places_at(places_in(tables), path)
    assert not seen(problem_of(tables))
    assert seen(problem_of(changed(tables, [(place, place.take(value))])))


@pytest.mark.parametrize(
    ("old", "new", "field", "words"),
    [
        ('depth = "2 m"', 'depth = "-2 m"', "structures.span.depth", "must be positive"),
        ('depth = "2 m"\n', "", "structures.span.depth", "must be given"),
        ('kind = "girder"', 'kind = "girders"', "structures.span.kind", "'girder'"),
        ('"1.5 t*m^2"]', '"9 t*m^2"]', "structures.stone", "above the other two together"),
        ('["d", "c", "b", "a"]', '["a", "b", "c", "d"]', "structures.stone", "write them in the other order"),
        ('["d", "c", "b", "a"]', '["d", "c", "b", "z"]', "structures.stone", "Known: a, b, c, d, tip"),
        ("plate = {", "faces = {}\nplate = {", "structures.floor", "must be left out where `plate` is given"),
        ('plate = {centre = [0, 0, "2 m"], normal = "z", size = "100 m"}', "", "structures.floor", "normal = "),
        ('nodes = ["sw bottom", "nw top"]\n', "", "contacts[1].nodes", "must be given"),
        ('"sw bottom", "nw top"', '"sw", "nw top"', "contacts[1]", "sw bottom"),
        ('face = "front"', 'face = "back"', "contacts[1]", "front"),
        ('face = "front"\n', "", "contacts[1].nodes", "no face is struck"),
        ('position = [0, 0, 20]', 'position = [0, 0, 2.5]', "contacts[2]", "inside the body"),
        ('friction = 0.4', 'friction = -0.4', "contacts[1].friction", "must not be negative"),
        ('at = ["pad", [14, 0, -1]]', 'at = ["pat"]', "bearings[1]", "pad"),
    ],
)  # fmt: skip
def test_malformed(old: str, new: str, field: str, words: str) -> None:
    assert old in BRIDGE
    with pytest.raises(ScenarioError) as caught:
        read(BRIDGE.replace(old, new, 1))
    faults = {fault.field: fault.text for fault in caught.value.faults}
    found = {name: text for name, text in faults.items() if name.startswith(field)}
    assert any(words in text for text in found.values()), faults


def test_the_new_bridge_runs() -> None:
    answers = Answers(
        floors=(1,) * 3, gap="5 cm", law="kelvin-voigt", stiffness="800 MN/m", restitution=0.6, pga="0.8 g",
        kind="girders",
    )  # fmt: skip
    problem = read(scenario_text(answers)).problem
    assert len(problem.pairs) == 12 + 4 * 6
    problem.flat()
