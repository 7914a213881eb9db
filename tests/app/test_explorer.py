"""What the explorer offers to move, and what comes of it."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import carom
from carom.app.explored import SUITE
from carom.app.explorer import Explorer
from carom.app.questions import advice, laws_beside, study
from carom.app.wire import frame
from carom.scenario.reading import default_text, scenario_of


def read(message: bytes) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """A second reader of the wire, as connection.js is one."""
    length = int.from_bytes(message[:4], "little")
    said = json.loads(message[4 : 4 + length])
    numbers = np.frombuffer(message, "<f4", offset=4 + length)
    arrays = {}
    for name, place in said["arrays"].items():
        size = int(np.prod(place["shape"]))
        arrays[name] = numbers[place["at"] : place["at"] + size].reshape(place["shape"])
    return said, arrays


@pytest.fixture(scope="module")
def explorer() -> Explorer:
    return Explorer()


def test_a_frame_comes_back() -> None:
    said, arrays = read(frame({"kind": "é"}, {"a": [[1.0, 2.0], [3.0, 4.0]], "b": [], "c": 7.0}))
    assert said["kind"] == "é"
    assert arrays["a"].tolist() == [[1.0, 2.0], [3.0, 4.0]]
    assert arrays["b"].size == 0
    assert arrays["c"] == 7.0


def test_controls_are_those_of_the_file(explorer: Explorer) -> None:
    told = explorer.told()
    paths = {control["path"]: control for control in told["controls"]}
    assert {"contacts.0.gap", "laws.slabs.stiffness", "laws.slabs.restitution", "structures.tower.masses"} <= set(paths)
    assert all(control["low"] <= control["value"] <= control["high"] for control in told["controls"])
    assert paths["structures.tower.stiffnesses"]["listed"]
    assert told["laws"] == {"slabs": "kelvin-voigt"}
    assert len(told["motions"]) > 30


def test_an_answer_is_what_simulate_says(explorer: Explorer) -> None:
    said, arrays = read(
        explorer.answer({"number": 5, "moved": {"contacts.0.gap": 0.025, "structures.tower.stiffnesses": 1.1}})
    )
    tables = tomllib.loads(default_text())
    tables["contacts"][0]["gap"] = 0.025
    tables["structures"]["tower"]["stiffnesses"] = [
        1.1e6 * float(one.split()[0]) for one in tables["structures"]["tower"]["stiffnesses"]
    ]
    run = carom.simulate(scenario_of(tables, "same", Path()).problem, rtol=1e-5)
    assert said["kind"] == "answer"
    assert said["number"] == 5
    assert said["impacts"] == run.impact_count > 0
    np.testing.assert_allclose(said["force"], run.peak_force, rtol=1e-4)
    np.testing.assert_allclose(np.abs(arrays["tops"]).max(), np.abs(run.history.displacement[:, 5]).max(), rtol=2e-3)
    assert arrays["sway"].shape == (arrays["moments"].size, 9)
    assert len(said["contacts"]) == 3


def test_a_wider_gap_ends_contact(explorer: Explorer) -> None:
    said, arrays = read(explorer.answer({"moved": {"contacts.0.gap": 0.2}}))
    assert said["impacts"] == 0
    assert "loop" not in read(explorer.details({}))[1]
    np.testing.assert_array_equal(arrays["tops"], arrays["tops without"])


def test_another_law_has_equal_force_at_a_millimetre(explorer: Explorer) -> None:
    stated = explorer.stated({"laws": {"slabs": "hertz"}})["laws"]["slabs"]
    assert stated["name"] == "hertz"
    np.testing.assert_allclose(stated["stiffness"] * 1e-3**1.5, 5e9 * 1e-3)
    assert read(explorer.answer({"laws": {"slabs": "jankowski-2005"}}))[0]["impacts"] > 0


def test_motion_and_strength(explorer: Explorer) -> None:
    weak, strong = (
        read(explorer.answer({"motion": "thirty-03a", "pga": pga}))[1]["tops without"] for pga in (0.1, 0.2)
    )
    np.testing.assert_allclose(strong, 2.0 * weak, rtol=1e-4, atol=1e-7)


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        ({"moved": {"contacts.0.law": 3}}, "must name a control and a number"),
        ({"moved": {"contacts.0.gap": "wide"}}, "must name a control and a number"),
        ({"laws": {"slabs": "no-such-law"}}, "no-such-law"),
        ({"laws": {"walls": "hertz"}}, "must name a table under [laws]"),
        ({"pga": -1.0}, "must be a number from"),
        ({"motion": "no such motion"}, "no such motion"),
    ],
)
def test_what_makes_no_sense_is_refused(explorer: Explorer, wish: dict[str, Any], words: str) -> None:
    said, _ = read(explorer.answer(wish))
    assert said["kind"] == "refused"
    assert words in said["words"]


def test_sliders_stop_at_their_ends(explorer: Explorer) -> None:
    assert explorer.stated({"moved": {"laws.slabs.restitution": 55.0}})["laws"]["slabs"]["restitution"] == 1.0


def test_structures_in_space_are_told_to_be_turned() -> None:
    text = """
title = "Two that turn"
[structures.a]
kind = "torsional-building"
floors = 2
masses = "200 t"
stiffnesses_x = "300 kN/mm"
stiffnesses_y = "250 kN/mm"
torsional_stiffnesses = "20 GN*m"
width = "12 m"
depth = "18 m"
heights = "3 m"
damping_ratio = "5 %"
[structures.b]
kind = "torsional-building"
floors = 2
masses = "200 t"
stiffnesses_x = "500 kN/mm"
stiffnesses_y = "250 kN/mm"
torsional_stiffnesses = "20 GN*m"
width = "12 m"
depth = "18 m"
origin = ["12.02 m", "0 m"]
heights = "3 m"
damping_ratio = "5 %"
[laws.slabs]
name = "kelvin-voigt"
stiffness = "2 GN/m"
restitution = 0.6
[[contacts]]
left = "a"
right = "b"
gap = ["1 cm", "2 cm"]
law = "slabs"
[motion.x]
record = "default"
[motion.y]
record = "default"
pga = "0.2 g"
"""
    explorer = Explorer(tomllib.loads(text))
    said, arrays = read(explorer.answer({"pga": 0.3}))
    assert read(explorer.details({}))[0]["space"]["space"]
    assert said["impacts"] > 0
    assert np.abs(arrays["tops"]).max() > 1e-3  # metres, not angles


def test_laws_side_by_side() -> None:
    names = ["kelvin-voigt", "hertz", "ristow-1992"]
    said, arrays = read(
        laws_beside({"names": names, "mass": 1e5, "velocity": 0.3, "stiffness": 1e9, "restitution": 0.65})
    )
    np.testing.assert_allclose(said["laws"][0]["restitution"], 0.65, rtol=1e-9)
    assert "not published" in said["laws"][2]["words"]
    assert arrays["force 1"].max() > 0.0


def test_advice_and_a_study(explorer: Explorer) -> None:
    said, _ = read(advice({"materials": ["concrete", "concrete"], "mass": 2e5, "other_mass": 1e5, "velocity": 0.5}))
    assert "spheres" in said["words"]
    shares: list[float] = []
    said, arrays = read(study(lambda: explorer.problem({}), {"pga": 0.4}, shares.append))
    assert arrays["needed"].size == 30
    assert arrays["share"][-1] == 0.0
    assert shares == sorted(shares)
    assert len(shares) == 10
    # the fitted curve and the counts against runs one by one
    touching = [
        carom.simulate(explorer.problem({"motion": name, "pga": float(arrays["levels"][6])}), rtol=1e-5).impact_count
        > 0
        for name in SUITE
    ]
    assert arrays["observed"][6] == pytest.approx(np.mean(touching))
    assert np.interp(said["median"], arrays["pga"], arrays["curve"]) == pytest.approx(0.5, abs=0.01)
    assert said["interval"][0] < said["median"] < said["interval"][1]
    assert np.all(arrays["low"] <= arrays["curve"] + 1e-6)
    assert said["failed"] == 0
    none, arrays = read(
        study(lambda: explorer.problem({"moved": {"contacts.0.gap": 0.2}}), {"pga": 1e-3}, shares.append)
    )
    assert none["median"] is None
    assert none["words"]
    assert not arrays["observed"].any()
    with pytest.raises(carom.InputError, match="must be a number above zero"):
        advice({"materials": ["concrete", "concrete"], "mass": -1, "other_mass": 1e5, "velocity": 0.5})


def test_the_suite_goes_by_its_names() -> None:
    assert [one.name for one in carom.motions.suite("thirty")] == SUITE


def test_details_follow_an_answer() -> None:
    explorer = Explorer()
    assert read(explorer.details({}))[0]["kind"] == "refused"
    said, _ = read(explorer.answer({}))
    closer, arrays = read(explorer.details({"number": 3}))
    assert closer["number"] == 3
    assert closer["sentences"][0] == said["sentences"][0]
    assert arrays["loop"].max() > 0.0
    assert arrays["psa"].shape == (2, arrays["periods"].size)
    assert np.isfinite(arrays["psa"]).all()
