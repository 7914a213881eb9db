"""Gaps that open, against closed forms and finer histories; and the probability that a seat is lost."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import carom
from carom.errors import InputError
from carom.scenario.studies.reading import study_of
from carom.studies.analyses import check_analyses
from carom.studies.analyses.fragility_study import fragility
from carom.studies.distributions import sampled
from carom.studies.drive import run_study, table_of
from carom.studies.engine import Rows, compute
from carom.studies.plan import Plan, Task, plan_of
from tests.studies.example import changed

RELEASED = """
title = "Released"
outputs = ["opening", "no_pounding"]
[parameters.gap]
path = "contacts.0.gap"
values = ["1 m", "2 m"]
[scenario.analysis]
duration = "0.9 s"
[scenario.structures.left]
kind = "oscillator"
mass = "1 t"
period = "0.8 s"
[scenario.structures.right]
kind = "oscillator"
mass = "2 t"
period = "0.4 s"
[scenario.initial]
left = {displacement = "5 cm"}
right = {displacement = "-4 cm"}
[scenario.laws.pad]
name = "hertz"
stiffness = "2e9 N/m^1.5"
[[scenario.contacts]]
left = "left"
right = "right"
gap = "1 m"
law = "pad"
"""
OPENING = ('"peak_force"]', '"peak_force", "opening", "no_pounding"]')


def planned(text: str) -> Plan:
    study = study_of(text, "study.toml", Path())
    samples = sampled(study)
    return plan_of(study, samples, len(samples["gap"]))


def rows_of(text: str, count: int) -> Rows:
    plan = planned(text)
    assert plan.engine == "single"  # the ensemble kernel keeps no gaps
    return compute(plan, Task((0,), 0, count))


def test_free_vibration_in_closed_form() -> None:
    """Undamped, released at A and −B with frequencies ω and 2ω: the gap opens by −A c + B (1 − 2c²), c = cos ωt.

    That is largest at c = −A/(4B), which is between samples: A²/(8B) + B.
    """
    rows = rows_of(RELEASED, 2)
    np.testing.assert_allclose(rows["opening"], 0.05**2 / (8.0 * 0.04) + 0.04, rtol=1e-8)
    np.testing.assert_allclose(rows["no_pounding.opening"], rows["opening"], rtol=1e-12)


def test_a_gap_that_only_closes_opens_by_nought() -> None:
    text = RELEASED.replace('"-4 cm"', '"0 cm"').replace('"0.9 s"', '"0.19 s"')  # left comes back from 5 cm within T/4
    assert (rows_of(text, 1)["opening"] < 1e-12).all()


def test_between_samples_of_a_record_with_impacts() -> None:
    """Beside the largest sample of a history that is finer; steps end at other samples there, to tolerance the same."""
    text = changed(OPENING)
    plan, rows = planned(text), rows_of(text, 2)
    for i in range(rows["run"].size):
        motion = plan.motions[0].scaled(factor=float(rows["scale"][i]))
        tables = plan.tables_of(int(rows["sample"][i]))
        run = carom.simulate(plan.problem(tables, motion), rtol=1e-4, sampling=motion.dt / 100)
        assert rows["opening"][i] == pytest.approx(run.gap.max() - rows["gap"][i], rel=5e-5)
    hit = rows["impacts"] > 0
    assert hit.any()
    assert (rows["opening"][hit] != rows["no_pounding.opening"][hit]).all()


def test_several_contacts_each_and_the_widest() -> None:
    """A girder between two walls moves in both directions: what the one gap opens, it takes from the other."""
    girder = """
[[scenario.contacts]]
left = {structure = "right", floor = 1}
right = "wall"
label = "far joint"
gap = "1 m"
law = "pad"
[scenario.structures.wall]
kind = "wall"
"""
    rows = rows_of(RELEASED + girder, 1)
    one, other = rows["opening.left | right"][0], rows["opening.far joint"][0]
    assert other == pytest.approx(0.04, rel=1e-8)  # right swings to −4 cm, away from the wall
    assert rows["opening"][0] == max(one, other) == one


def test_the_probability_of_unseating(tmp_path: Path) -> None:
    text = changed(OPENING, ("[0.5, 1.0, 2.0]", "[0.4, 0.8, 1.2, 1.6, 2.0]"))
    text += '[analyses.fragility]\noutput = "opening"\nlimit = "6 cm"\n'
    study = study_of(text, "study.toml", tmp_path)
    table = table_of(run_study(study, tmp_path / "seats", workers=1))
    found = fragility(table, study.analyses["fragility"]).curves[0]
    assert found.title == "opening > 0.06 m"
    assert found.exceeding.sum() == np.count_nonzero(np.asarray(table["opening"]) > 0.06) > 0
    assert (np.diff(found.probability(found.levels)) > 0.0).all()


@pytest.mark.parametrize(("output", "limit"), [("opening", "10 kg"), ("impacts", "3 cm"), ("acceleration.left", "2 m")])
def test_limits_in_other_units_are_refused_before_anything_runs(output: str, limit: str) -> None:
    asked = f'[analyses.fragility]\noutput = "{output}"\nlimit = "{limit}"\n'
    study = study_of(changed(OPENING) + asked, "study.toml", Path())
    with pytest.raises(InputError, match=r"limit|unit"):
        check_analyses(study.analyses)
