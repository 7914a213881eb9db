"""The runs of a study, against `carom.simulate` and against each other."""

from __future__ import annotations

import numpy as np
import pytest

import carom
from carom.studies.distributions import sampled
from carom.studies.engine import compute
from carom.studies.plan import Plan, Task, plan_of
from carom.studies.statuses import STATUSES
from tests.studies.example import example

TOWER = """
[scenario.structures.left]
kind = "shear-building"
floors = 3
masses = "20 t"
stiffnesses = ["30 kN/mm", "30 kN/mm", "20 kN/mm"]
damping_ratio = "5 %"
"""
LEFT = '[scenario.structures.left]\nkind = "oscillator"\nmass = "4600 kg"\nperiod = "0.6 s"\ndamping_ratio = "5 %"\n'
RIGHT = LEFT.replace("left", "right").replace("4600", "3500").replace("0.6", "0.3")


def planned(*changes: tuple[str, str]) -> Plan:
    study = example(*changes)
    samples = sampled(study)
    return plan_of(study, samples, len(next(iter(samples.values()))) if samples else 1)


def one_by_one(plan: Plan, task: Task) -> dict[str, np.ndarray]:
    object.__setattr__(plan, "columns", None)  # as if the kernel did not take it
    assert plan.engine == "single"
    return compute(plan, task)


def assert_same(a: dict[str, np.ndarray], b: dict[str, np.ndarray], rtol: float = 1e-12) -> None:
    assert a.keys() == b.keys()
    for name in a:
        if a[name].dtype.kind == "f":
            np.testing.assert_allclose(a[name], b[name], rtol=rtol, err_msg=name)
        else:
            np.testing.assert_array_equal(a[name], b[name], err_msg=name)


def test_a_run_is_what_simulate_gives() -> None:
    plan = planned()
    rows = compute(plan, Task((1,), 2, 4))
    assert rows["run"].tolist() == list(range((1 * 6 + 2) * 3, (1 * 6 + 4) * 3))
    i = 4  # second sample of the task, second factor
    assert (rows["sample"][i], rows["scale"][i]) == (3, 1.0)
    left = carom.Oscillator(mass=4600, period=rows["period"][i], damping_ratio=0.05, name="left")
    right = carom.Oscillator(mass=3500, period=0.3, damping_ratio=0.05, name="right")
    law = carom.law("hertzdamp", stiffness=2e9, restitution=0.65)
    contact = carom.Contact("left", "right", gap=rows["gap"][i], law=law)
    motion = next(m for m in carom.motions.suite() if m.name == "thirty-05a")
    run = carom.simulate(carom.Problem([left, right], [contact], motion=motion), rtol=1e-4)
    assert rows["displacement.left"][i] == pytest.approx(run.extremes[0, 0], rel=1e-12)
    assert rows["acceleration.right"][i] == pytest.approx(run.extremes[1, 2], rel=1e-12)
    assert rows["impacts"][i] == run.table["start"].size > 0
    assert rows["peak_force"][i] == pytest.approx(run.table["peak_force"].max(), rel=1e-12)
    assert rows["pga"][i] == motion.pga
    assert rows["sa"][i] == motion.sa(0.5, 0.05)


VARIED = {
    "gap and period": (),
    "every output": (
        ('"peak_force"]', '"peak_force", "impulse", "energies", "no_pounding", "steps", "floors", "drift"]'),
    ),
    "law's number": (("structures.left.period", "laws.pad.restitution"), ('"0.5 s"', "0.5"), ('"1 s"', "0.9")),
    "law": (
        ('distribution = "uniform"\nlow = "0.5 s"\nhigh = "1 s"', 'values = ["pad", "block"]'),
        ("structures.left.period", "contacts.0.law"),
    ),
    "factor": (('low = "0.5 s"\nhigh = "1 s"', "low = 0.8\nhigh = 1.2\nfactor = true"),),
    "tower": (
        (LEFT, TOWER), ("structures.left.period", "structures.left.masses"), ('"0.5 s"', '"10 t"'), ('"1 s"', '"20 t"'),
    ),
    "tower's factor": (
        (LEFT, TOWER), ("structures.left.period", "structures.left.stiffnesses"),
        ('low = "0.5 s"\nhigh = "1 s"', "low = 0.8\nhigh = 1.2\nfactor = true"),
    ),
    "one floor's gap": (
        (LEFT, TOWER), (RIGHT, TOWER.replace("left", "right").replace("30 kN/mm", "90 kN/mm")),
        ("contacts.0.gap", "contacts.left floor 2 | right floor 2.gap"),
        ("structures.left.period", "structures.left.masses"), ('"0.5 s"', '"10 t"'), ('"1 s"', '"20 t"'),
    ),
    "start": (("structures.left.period", "initial.left.displacement"), ('"0.5 s"', '"-5 mm"'), ('"1 s"', '"-1 mm"')),
    "delays": (('mass = "3500 kg"', 'mass = "3500 kg"\ndelay = "20 ms"'),),
}  # fmt: skip
# a building of three floors meets the oscillator with its second one
PLACE = ('[[scenario.contacts]]\nleft = "left"', '[[scenario.contacts]]\nleft = {structure = "left", floor = 2}')


@pytest.mark.parametrize("case", VARIED)
def test_kernel_and_single_runs_agree(case: str) -> None:
    changes = (*VARIED[case], PLACE) if "tower" in case else VARIED[case]
    plan = planned(*changes)
    assert plan.engine == "kernel"
    task = Task((0,), 0, 3)
    many = compute(plan, task)
    assert (many["impacts"] > 0).any()
    assert_same(many, one_by_one(plan, task), rtol=1e-9)


@pytest.mark.parametrize("case", ["pair", "tower", "one by one"])
def test_structures_too_far_apart_to_touch_move_as_if_alone(case: str) -> None:
    """To the last digit, so that amplifications are exactly one: in the lane of pairs, in the other, in single runs."""
    kept = '"peak_force", "velocity", "no_pounding"' + (', "opening"]' if case == "one by one" else "]")
    far = (('median = "2 cm"', 'median = "2 m"'), ('"peak_force"]', kept))
    plan = planned(*far, *((*VARIED["tower"], PLACE) if case == "tower" else ()))
    assert plan.engine == ("single" if case == "one by one" else "kernel")
    rows = compute(plan, Task((0,), 0, 4))
    assert not rows["impacts"].any()
    for name in ("displacement", "velocity", "acceleration"):
        for side in ("left", "right"):
            np.testing.assert_array_equal(rows[f"{name}.{side}"], rows[f"no_pounding.{name}.{side}"])


UNIFORM = 'distribution = "uniform"\nlow = "0.5 s"\nhigh = "1 s"'
SINGLE = {
    "drift of a building": (
        (LEFT, TOWER), PLACE, ("structures.left.period", "structures.left.damping_ratio"),
        (UNIFORM, "values = [0.02, 0.05]"), ('"impacts"', '"drift", "impacts"'),
    ),
    "words": ((UNIFORM, "values = [true, false]"), ("structures.left.period", "laws.pad.tension")),
    "delay": ((UNIFORM, 'values = ["10 ms", "20 ms"]'), ("structures.left.period", "structures.left.delay")),
}  # fmt: skip


@pytest.mark.parametrize("case", SINGLE)
def test_what_the_kernel_does_not_know_is_run_one_by_one(case: str) -> None:
    plan = planned(*SINGLE[case])
    assert plan.engine == "single"
    rows = compute(plan, Task((0,), 0, 2))
    assert [STATUSES[code] for code in rows["status"]] == ["finished"] * 6
    if case == "drift of a building":  # no larger than the sum of two floors' displacements, no smaller than a third
        assert (rows["drift.left"] < 2.0 * rows["displacement.left"]).all()
        assert (rows["drift.left"] > rows["displacement.left"] / 3.0 - 1e-12).all()


TOGETHER = (('"default", "thirty-05a"', '"thirty-05a", "default", "thirty-03a"'),)
"""Two of three motions are equally long."""


@pytest.mark.parametrize("bad", [False, True])
def test_motions_that_are_computed_together_are_as_they_are_alone(bad: bool) -> None:
    changes = (
        ((UNIFORM, "values = [0.5, -1.0, 0.7, 0.6]"),) if bad else (('"peak_force"]', '"peak_force", "no_pounding"]'),)
    )
    plan = planned(*TOGETHER, *changes)
    assert plan.groups == ((0, 2), (1,))
    both = compute(plan, Task((0, 2), 1, 5))
    alone = [compute(plan, Task((motion,), 1, 5)) for motion in (0, 2)]
    for name in both:
        np.testing.assert_array_equal(both[name], np.concatenate([one[name] for one in alone]), err_msg=name)
    assert len(set(both["status"])) == 1 + bad


def test_how_runs_are_cut_changes_nothing() -> None:
    plan = planned()
    whole = compute(plan, Task((0,), 0, 6))
    parts = [compute(plan, Task((0,), first, last)) for first, last in ((0, 1), (1, 4), (4, 6))]
    for name in whole:
        np.testing.assert_array_equal(whole[name], np.concatenate([part[name] for part in parts]), err_msg=name)


def test_values_that_state_no_problem_are_refused_run_by_run() -> None:
    lognormal = 'distribution = "lognormal"\nmedian = "2 cm"\ndispersion = 0.4'
    plan = planned(
        ("samples = 6\n", ""), ('"latin-hypercube"', '"paired"'), (UNIFORM, "values = [0.5, -1.0, 0.7]"),
        (lognormal, "values = [0.02, 0.02, 0.01]"),
    )  # fmt: skip
    assert plan.engine == "kernel"
    many = compute(plan, Task((0,), 0, 3))
    words = [STATUSES[code] for code in many["status"]]
    assert words == ["finished"] * 3 + ["refused"] * 3 + ["finished"] * 3
    assert np.isnan(many["peak_force"][3:6]).all()
    assert "must be positive" in many["message"][3]
    single = one_by_one(plan, Task((0,), 0, 3))
    np.testing.assert_array_equal(many["status"], single["status"])


def test_runs_that_reach_the_step_limit_have_no_numbers() -> None:
    plan = planned(("[motions]", "[run]\nstep_limit = 3\n[motions]"))
    for rows in (compute(plan, Task((0,), 0, 3)), one_by_one(plan, Task((0,), 0, 3))):
        failed = np.array([STATUSES[code] for code in rows["status"]]) == "step-limit"
        assert failed.any()
        assert np.isnan(rows["peak_force"][failed]).all()
        assert np.isfinite(rows["peak_force"][~failed]).all()


def test_without_motion() -> None:
    start = '[scenario.initial.left]\nvelocity = "1 m/s"\n[scenario.analysis]\nduration = "2 s"\n[scenario.laws.pad]'
    motions = '[motions]\nrecords = ["default", "thirty-05a"]\nscales = [0.5, 1.0, 2.0]\nperiod = "0.5 s"\n'
    plan = planned(("[scenario.laws.pad]", start), (motions, ""))
    assert plan.size == 6
    rows = compute(plan, Task((0,), 0, 6))
    assert "scale" not in rows
    assert (rows["impacts"] > 0).any()
    assert_same(rows, one_by_one(plan, Task((0,), 0, 6)))


def test_nothing_varies_but_the_motion() -> None:
    plan = planned((('[parameters.gap]\npath = "contacts.0.gap"\ndistribution = "lognormal"\nmedian = "2 cm"\n'
                     'dispersion = 0.4\n\n[parameters.period]\npath = "structures.left.period"\n'
                     'distribution = "uniform"\nlow = "0.5 s"\nhigh = "1 s"\n'), ""))  # fmt: skip
    rows = compute(plan, Task((0,), 0, 1))
    assert rows["scale"].tolist() == [0.5, 1.0, 2.0]
    assert_same(rows, one_by_one(plan, Task((0,), 0, 1)))


def test_far_apart_pounding_changes_nothing() -> None:
    plan = planned(('"2 cm"\ndispersion', '"5 m"\ndispersion'), ('"peak_force"]', '"peak_force", "no_pounding"]'))
    rows = compute(plan, Task((0,), 0, 6))
    assert (rows["impacts"] == 0).all()
    np.testing.assert_array_equal(rows["displacement.left"], rows["no_pounding.displacement.left"])


def test_the_law_of_columns_may_vary_alone() -> None:
    """Contacts of one table then have two laws, which the kernel would vary alike: runs are made one by one."""
    columns = TOWER + 'heights = ["3 m", "6 m", "9 m"]\n'
    right = (
        '[scenario.structures.right]\nkind = "oscillator"\nmass = "3500 kg"\nperiod = "0.3 s"\ndamping_ratio = "5 %"\n'
    )
    beside = (
        '[scenario.structures.right]\nkind = "shear-building"\nmasses = ["20 t", "20 t"]\nstiffnesses = "60 kN/mm"\n'
        'heights = ["3 m", "4 m"]\ndamping_ratio = "5 %"\n'
    )
    plan = planned(
        (LEFT, columns), (right, beside), ('law = "pad"\n', 'law = "pad"\ncolumns = true\ncolumn_law = "block"\n'),
        ('path = "structures.left.period"', 'path = "laws.block.stiffness"'),
        ('low = "0.5 s"\nhigh = "1 s"', 'low = "5 kN/mm"\nhigh = "500 kN/mm"'),
        ('path = "contacts.0.gap"\ndistribution = "lognormal"\nmedian = "2 cm"\ndispersion = 0.4',
         'path = "laws.pad.restitution"\ndistribution = "uniform"\nlow = 0.64\nhigh = 0.65'),
    )  # fmt: skip
    assert plan.engine == "single"
    for sample in (0, 1):
        laws = [pair.law for pair in plan.problem(plan.tables_of(sample), None).pairs]
        assert laws[0].stiffness == 2e9
        assert laws[1].stiffness == pytest.approx(plan.samples["period"][sample])
