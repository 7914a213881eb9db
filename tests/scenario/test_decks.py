"""Scenario files of bridges: what they come to, what a newcomer gets wrong, the one `carom new --bridge` writes."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import carom
from carom.joints import Backfill, BearingStops, Elastomeric, SlidingBearing
from carom.scenario.faults import ScenarioError
from carom.scenario.reading import scenario_of
from carom.scenario.studies.paths import changed, places_at, places_in
from carom.scenario.studies.quick import problem_of
from carom.scenario.templates.scenario import Answers, scenario_text

BRIDGE = """
format = 1
title = "Two spans"
[structures.west]
kind = "abutment"
beside = {deck = "one", edge = "w", gap = "5 cm"}
[structures.one]
kind = "deck"
length = "30 m"
width = "10 m"
skew = "20 deg"
mass = "400 t"
points = {middle = ["-12 m", 0]}
[structures.pier]
kind = "pier"
mass = "150 t"
stiffness = "60 MN/m"
damping_ratio = "5 %"
at = ["15 m", 0]
[structures.two]
kind = "deck"
plan = [[-15, -5], [15, -5], [15, 5], [-15, 5]]
mass = "400 t"
at = ["30.2 m", 0]
[structures.east]
kind = "abutment"
at = ["45.25 m", 0]
angle = "180 deg"
backfill = {kind = "backfill", stiffness = "200 MN/m", capacity = "4 MN"}
[laws.ends]
name = "hertzdamp"
stiffness = "2e9 N/m^1.5"
restitution = 0.8
[[contacts]]
left = "west"
right = "one"
law = "ends"
friction = 0.3
[[contacts]]
left = {structure = "one", edge = "e"}
right = "two"
gap = ["3 cm", "4 cm"]
law = "ends"
friction = {static = 0.4, kinetic = 0.3}
[[contacts]]
left = "two"
right = "east"
[[bearings]]
deck = "one"
at = ["sw", "middle"]
on = "west"
rule = {kind = "elastomeric", stiffness = "3 MN/m", damping = "20 kN*s/m"}
[[bearings]]
deck = "two"
at = [["-14 m", 0], "corner 2", "corner 3"]
on = "pier"
rule = [{kind = "sliding", friction = 0.1, stiffness = "50 MN/m", normal = "1 MN"},
        {kind = "stops", gap = "10 cm", stiffness = "200 MN/m"}]
along = "y"
[[seats]]
deck = "one"
end = "e"
on = "pier"
length = "40 cm"
across = "50 cm"
label = "short"
[motion]
record = "default"
"""


def read(text: str) -> carom.scenario.stated.Scenario:
    return scenario_of(tomllib.loads(text), "bridge.toml", Path())


def test_a_bridge_is_what_python_says() -> None:
    problem = read(BRIDGE).problem
    one = carom.Deck(length=30, width=10, skew="20 deg", mass="400 t", points={"middle": (-12, 0)}, name="one")
    assert problem.structure("one") == one
    assert problem.structure("west") == carom.Abutment.beside(one, "w", gap=0.05, name="west")
    assert problem.structure("two").corners.tolist() == [[-15, -5], [15, -5], [15, 5], [-15, 5]]
    assert problem.structure("pier") == carom.Pier(
        mass=150e3, stiffness=60e6, damping_ratio=0.05, at=(15, 0), name="pier"
    )
    pads, slides = problem.bearings[:2], problem.bearings[2:]
    assert [one.a.at for one in problem.bearings] == ["sw", "middle", ("-14 m", 0), "corner 2", "corner 3"]
    assert all(one.rules == (Elastomeric(3e6, 2e4),) for one in pads)
    assert all(one.rules == (SlidingBearing(0.1, 50e6, 1e6), BearingStops(0.1, 200e6)) for one in slides)
    assert [one.friction for one in problem.contacts] == [carom.Friction(0.3), carom.Friction(0.4, 0.3), None]
    assert problem.contacts[1].edges == ("e", None)
    np.testing.assert_allclose(problem.flat().gap[2:], [0.03, 0.03, 0.04, 0.04])
    soil = problem.ties[-1].rules[0]
    assert isinstance(soil, Backfill)
    assert (soil.stiffness, soil.gap) == (100e6, pytest.approx(0.05))
    seat = problem.seats[0]
    assert (seat.length, seat.across, seat.name, seat.end.at) == (0.4, 0.5, "short", "e")


@pytest.mark.parametrize(
    ("path", "value", "seen"),
    [
        ("structures.one.skew", "35 deg", lambda p: p.structure("one").skew == pytest.approx(np.radians(35.0))),
        ("structures.west.beside.gap", "8 cm", lambda p: p.pairs[0].gap == pytest.approx(0.08)),
        ("structures.east.backfill.capacity", "1 MN", lambda p: p.ties[-1].rules[0].capacity == 0.5e6),
        ("contacts.0.friction", 0.5, lambda p: p.contacts[0].friction.static == 0.5),
        ("contacts.1.friction.static", 0.6, lambda p: p.contacts[1].friction.static == 0.6),
        ("bearings.0.rule.stiffness", "5 MN/m", lambda p: p.bearings[0].rules[0].stiffness == 5e6),
        ("bearings.1.rule.0.friction", 0.2, lambda p: p.bearings[3].rules[0].friction == 0.2),
        ("seats.0.length", "70 cm", lambda p: p.seats[0].length == 0.7),
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
        ('deck = "one", edge', 'deck = "on", edge', "structures.west", "Known: one, two"),
        ('edge = "w", gap', 'edge = "west", gap', "structures.west", "Known: e, n, s, w"),
        ('skew = "20 deg"', 'skew = "100 deg"', "structures.one.skew", "must lie in"),
        ('kind = "elastomeric"', 'kind = "rubber"', "bearings[1].rule.kind", "'elastomeric'"),
        ('stiffness = "3 MN/m", ', "", "bearings[1].rule.stiffness", "must be given"),
        ('at = ["sw", "middle"]', 'at = ["sw", "center"]', "bearings[1]", "middle"),
        ('on = "west"', 'on = "wast"', "bearings[1].on", "must be the name of a structure"),
        ("static = 0.4, kinetic = 0.3", "static = 0.2, kinetic = 0.3", "contacts[2]", "must not be above the static"),
        ('gap = ["3 cm", "4 cm"]', 'gap = "-3 cm"', "contacts[2].gap", "the corner lies inside the body"),
        ('end = "e"', 'end = "east"', "seats[1]", "Known: e, n, s, w"),
        (
            'deck = "two"\nat = [["-14 m", 0], "corner 2", "corner 3"]',
            'deck = "one"\nat = ["ne"]',
            "the file",
            "no support",
        ),
        ('left = "two"\nright = "east"', 'left = "two"\nright = "east"\nlaw = "ends"', "contacts[3]", "backfill"),
    ],
)
def test_malformed(old: str, new: str, field: str, words: str) -> None:
    assert old in BRIDGE
    with pytest.raises(ScenarioError) as caught:
        read(BRIDGE.replace(old, new, 1))
    faults = {fault.field: fault.text for fault in caught.value.faults}
    found = {name: text for name, text in faults.items() if name.startswith(field)}
    assert any(words in text for text in found.values()), faults


def test_the_new_bridge_turns_and_unseats() -> None:
    """A short seat is lost; each deck turns, and the contacts between them both ways are hit."""
    answers = Answers(
        floors=(1, 1, 1), gap="5 cm", law="hertzdamp", stiffness="2e9 N/m^1.5", restitution=0.8, pga="0.8 g",
        kind="bridge",
    )  # fmt: skip
    problem = read(scenario_text(answers)).problem
    assert len(problem.pairs) == 12
    run = carom.simulate(problem, rtol=1e-5)
    assert bool(run.unseating.unseated.any())
    assert float(run.unseating.rotation.min()) > 1e-3
    assert run.impact_count > 10
