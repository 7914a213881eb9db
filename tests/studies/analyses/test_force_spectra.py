"""Force spectra: single runs, equal neighbours, and a stiff spring's impact by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

import carom
from carom.errors import InputError
from carom.studies.analyses import ANALYSES
from carom.studies.analyses.force_spectra import force_spectra
from carom.studies.analyses.suite import suite_table
from tests.studies.analyses.tables import table_of
from tests.studies.analyses.test_amplification import neighbours

MOTIONS = carom.motions.suite("thirty")[12:14]


def test_each_pair_is_the_mean_of_single_runs() -> None:
    left, right = [0.2, 0.5], [0.3, 0.5, 1.0]
    found = force_spectra(neighbours(0.02), MOTIONS, left, right)
    problem = neighbours(0.02)
    a, b = (problem.structure(name) for name in ("left", "right"))
    for i, j in ((0, 0), (1, 2)):
        pair = problem.replace(structures=(a.replace(period=left[i]), b.replace(period=right[j])))
        peaks = [carom.simulate(pair.replace(motion=m)).table["peak_force"].max(initial=0.0) for m in MOTIONS]
        assert found.force[i, j] == pytest.approx(np.mean(peaks), rel=1e-4)
    assert found.force[1, 1] == 0.0  # equal periods and damping: they move together
    assert found.touching[1, 1] == 0.0
    assert found.amplification["displacement.left"][1, 1] == 1.0


def test_the_peak_of_a_stiff_spring_by_hand() -> None:
    """F = v √(K m_eff): the structures' own forces are small beside a contact this stiff."""
    problem = neighbours(0.02).replace(law=carom.law("linear-elastic", stiffness=1e12))
    found = force_spectra(problem, MOTIONS[:1], [0.3, 0.4], [0.7, 0.9])
    run = carom.simulate(problem.replace(motion=MOTIONS[0]))
    v = run.table["approach_velocity"].max()
    assert found.force[0, 0] == pytest.approx(v * math.sqrt(1e12 * 1e5 * 2e5 / 3e5), rel=0.01)


def test_of_a_study() -> None:
    table = suite_table(neighbours(0.02), MOTIONS, vary={"left.period": [0.2, 0.4], "right.period": [0.3, 0.6]})
    table.columns["status"][0] = "step-limit"
    found = ANALYSES.get("force-spectra").run(table, {"left": "left.period", "right": "right.period"})
    assert found.failed.tolist() == [[1.0, 0.0], [0.0, 0.0]]
    assert found.runs[0, 0] == 1.0
    assert found.force[0, 0] == table["peak_force"][4]
    assert len(found.section().tables[0].rows) == 4


def test_refusals() -> None:
    with pytest.raises(InputError, match="must rise"):
        force_spectra(neighbours(0.02), MOTIONS, [0.5, 0.2], [0.3, 0.4])
    table = table_of(a=[1.0, 1.0], b=[1.0, 2.0], peak_force=[0.0, 1.0])
    with pytest.raises(InputError, match="several values"):
        ANALYSES.get("force-spectra").run(table, {"left": "a", "right": "b"})
    with pytest.raises(InputError, match="`left` of analysis force-spectra must be given"):
        ANALYSES.get("force-spectra").run(table_of(a=[1.0]), {})
