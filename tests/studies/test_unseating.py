"""Unseating as an output of studies and ensembles: as single runs say, with the seat of each run, as fragility."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import carom
from carom.studies.statuses import FINISHED

STUDY = """
title = "Seats"
outputs = ["unseating"]
[scenario]
title = "One span"
[scenario.structures.span]
kind = "deck"
length = "20 m"
width = "8 m"
skew = "20 deg"
mass = "200 t"
[scenario.structures.west]
kind = "abutment"
beside = {deck = "span", edge = "w", gap = "4 cm"}
[scenario.laws.end]
name = "hertzdamp"
stiffness = "5e9 N/m^1.5"
restitution = 0.8
[[scenario.contacts]]
left = "west"
right = "span"
law = "end"
friction = 0.2
[[scenario.bearings]]
deck = "span"
at = ["sw", "se", "ne", "nw"]
on = "ground"
rule = {kind = "elastomeric", stiffness = "1 MN/m", damping = "20 kN*s/m"}
[[scenario.seats]]
deck = "span"
end = "e"
on = "ground"
length = "20 cm"
[scenario.analysis]
duration = "6 s"
[motions]
records = ["default"]
scales = [0.6, 1.0, 1.4]
[parameters.skew]
path = "structures.span.skew"
values = ["0 deg", "30 deg"]
[parameters.seat]
path = "seats.0.length"
values = ["2 cm", "30 cm"]
[sampler]
kind = "grid"
[analyses.fragility]
output = "unseated"
limit = 0.5
by = ["skew"]
"""


def test_columns_are_those_of_single_runs(tmp_path: Path) -> None:
    path = tmp_path / "study.toml"
    path.write_text(STUDY, encoding="utf-8")
    study = carom.read_study(path)
    found = carom.run_study(study, tmp_path / "out").columns()
    assert set(found) >= {
        "off_seat.span e",
        "along_end.span e",
        "seat_rotation.span e",
        "seat_used",
        "unseated",
    }
    assert (found["status"] == FINISHED).all()
    np.testing.assert_allclose(found["seat_used"], found["off_seat.span e"] / found["seat"], rtol=1e-12)
    np.testing.assert_array_equal(found["unseated"], found["seat_used"] > 1.0)
    assert 0 < found["unseated"].sum() < 12
    turned = np.where(found["skew"] > 0.0, found["seat_rotation.span e"], np.nan)
    assert np.nanmin(turned) > 1e-4


def test_ensembles_keep_what_gauges_read() -> None:
    deck = carom.Deck(length=20, width=8, skew="20 deg", mass="200 t", name="span")
    pad = carom.joints.Elastomeric("1 MN/m", "20 kN*s/m")
    problem = carom.Problem(
        [deck], bearings=[carom.Bearing(("span", one), "ground", rule=pad) for one in deck.corner_names],
        seats=[carom.Seat(("span", "e"), "ground", length=0.1)], motion=carom.motions.get("default").trimmed(end=6.0),
    )  # fmt: skip
    scales = [0.5, 1.5]
    many = carom.ensemble(problem, vary={"scale": scales})
    for i, scale in enumerate(scales):
        one = carom.simulate(problem.replace(motion=problem.motion.scaled(factor=scale))).unseating
        largest = many.dataset["gauge_largest"].values[i].reshape(-1, 5)
        assert max(largest[0, :2]) == pytest.approx(float(one.along[0]), rel=1e-3)
        assert np.isfinite(many.dataset["gauge_left"].values[i][:2]).any() == bool(one.unseated[0])
