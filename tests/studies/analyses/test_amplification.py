"""Amplification: one without contact, and statistics against NumPy group by group."""

from __future__ import annotations

import numpy as np
import pytest

import carom
from carom.errors import InputError
from carom.studies.analyses import ANALYSES
from carom.studies.analyses.amplification import amplification, statistics
from carom.studies.analyses.suite import suite_table
from tests.studies.analyses.tables import table_of


def neighbours(gap: float) -> carom.Problem:
    left = carom.Oscillator(mass=1e5, period=0.3, damping_ratio=0.05, name="left")
    right = carom.Oscillator(mass=2e5, period=0.7, damping_ratio=0.05, name="right")
    law = carom.law("hertzdamp", stiffness=2e9, restitution=0.65)
    return carom.Problem(
        [left, right], [carom.Contact("left", "right", gap=gap, law=law)], motion=carom.motions.get("default")
    )


def test_without_contact_it_is_exactly_one() -> None:
    table = suite_table(neighbours(10.0), carom.motions.suite("thirty")[::6], vary={"scale": [0.5, 1.0, 2.0]})
    found = amplification(table, {})
    assert found.responses == ("displacement.left", "displacement.right", "acceleration.left", "acceleration.right")
    for value in found.values:
        assert np.all(value.mean == 1.0)
        assert np.all(value.spread[value.count > 1] == 0.0)


def test_a_suite_runs_as_single_problems_do() -> None:
    motions = carom.motions.suite("thirty")[10:12]
    table = suite_table(neighbours(0.01), motions, vary={"gap": [0.01, 0.03]})
    for row in range(4):
        problem = neighbours(float(table["gap"][row])).replace(motion=motions[row // 2])
        run = carom.simulate(problem)
        assert table["motion"][row] == motions[row // 2].name
        assert table["impacts"][row] == run.table["start"].size
        assert table["displacement.right"][row] == pytest.approx(run.extremes[1, 0], rel=1e-4)
        alone = carom.response_spectrum(motions[row // 2], 0.7, 0.05)
        assert table["no_pounding.displacement.right"][row] == pytest.approx(float(alone.sd), rel=1e-9)


def test_statistics_group_by_group() -> None:
    rng = np.random.default_rng(2)
    values, codes = rng.lognormal(size=500), rng.integers(0, 6, 500)
    codes[codes == 4] = 5  # an empty group
    values[::50] = np.nan
    found = statistics(values, codes, 6)
    for g in range(6):
        own = values[(codes == g) & np.isfinite(values)]
        assert found.count[g] == own.size
        if not own.size:
            assert np.isnan(found.mean[g])
            continue
        assert found.mean[g] == pytest.approx(own.mean())
        assert found.spread[g] == pytest.approx(own.std(ddof=1))
        assert [found.low[g], found.median[g], found.high[g]] == pytest.approx(np.percentile(own, [16, 50, 84]))


def test_of_a_study_failed_runs_have_no_ratio() -> None:
    table = table_of(
        {"pga": "m/s²"}, ["finished", "finished", "step-limit", "finished"],
        **{"pga": [0.99, 0.95, 0.98, 3.0], "peak": [2.0, 4.0, np.nan, 1.0], "no_pounding.peak": [1.0, 1.0, 1.0, 0.0]},
    )  # fmt: skip
    found = ANALYSES.get("amplification").run(table, {"output": "peak"})
    section = found.section()
    assert section.tables[0].head[0] == "PGA [g]"  # as in every other analysis
    assert section.paragraphs[-1] == "PGA counts in whole multiples of 0.1 g."
    assert section.tables[0].rows[0][:6] == (0.1, "peak", 2, 1, 3.0, pytest.approx(np.sqrt(2.0)))
    assert section.tables[0].rows[1] == (0.3, "peak", 0, 0, None, None, None, None, None)
    assert any("1 failed" in line for line in section.cautions)
    assert any("without any response" in line for line in section.cautions)


def test_refusals() -> None:
    table = table_of(pga=[1.0], peak=[2.0])
    with pytest.raises(InputError, match="no_pounding"):
        amplification(table, {"output": "peak"})
    with pytest.raises(InputError, match="finds no output"):
        amplification(table, {})
    with pytest.raises(InputError, match="at least one"):
        suite_table(neighbours(0.01), [])
