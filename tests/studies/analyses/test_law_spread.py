"""Law-to-law spread: shares of made-up data in closed form, a two-way table by hand."""

from __future__ import annotations

import numpy as np
import pytest

import carom
from carom.errors import InputError
from carom.studies.analyses import ANALYSES
from carom.studies.analyses.law_spread import law_shares
from carom.studies.analyses.suite import suite_table
from tests.studies.analyses.tables import table_of
from tests.studies.analyses.test_amplification import neighbours


def test_a_table_by_hand() -> None:
    """Cells 0, 2, 4 and laws +1, −1 without interaction: V_law = 1, V_cell = 8/3, nothing left."""
    y = np.array([[1.0, -1.0], [3.0, 1.0], [5.0, 3.0]])
    found = law_shares(y, resamples=50)
    assert found.own == pytest.approx(1.0 / (1.0 + 8.0 / 3.0), rel=1e-12)
    assert found.whole == pytest.approx(found.own, rel=1e-12)
    assert found.ratio.tolist() == pytest.approx([1.5, 0.5])
    assert found.spread == pytest.approx(1.0 / 2.0)


def test_against_loops() -> None:
    """The three parts of the variance, written as sums over a table with interaction."""
    rng = np.random.default_rng(1)
    y = rng.normal(size=(40, 3)) + np.array([0.0, 0.5, 1.0])
    found = law_shares(y, resamples=10)
    total = y.var()
    law = sum((y[:, j].mean() - y.mean()) ** 2 for j in range(3)) / 3.0
    cell = sum((y[i].mean() - y.mean()) ** 2 for i in range(40)) / 40.0
    both = sum(
        (y[i, j] - y[i].mean() - y[:, j].mean() + y.mean()) ** 2 for i in range(40) for j in range(3)
    ) / 120.0  # fmt: skip
    assert law + cell + both == pytest.approx(total)
    assert found.whole == pytest.approx((law + both) / total)
    assert found.own == pytest.approx((law - both / 39.0) / total)


def test_shares_and_coverage_of_made_up_data() -> None:
    """y = law + cell + noise with variances 2/3, 1 and 0.25, a third of which is the cells': shares 0.348 and 0.435."""
    laws = np.array([-1.0, 0.0, 1.0])
    total = 2.0 / 3.0 + 1.0 + 0.25
    own, whole, held = [], [], np.zeros(2)
    for seed in range(200):
        rng = np.random.default_rng(seed)
        y = laws + rng.normal(size=(150, 1)) + 0.5 * rng.normal(size=(150, 3))
        found = law_shares(y, resamples=300, seed=seed)
        own.append(found.own)
        whole.append(found.whole)
        held += [
            found.own_interval[0] <= 2.0 / 3.0 / total <= found.own_interval[1],
            found.whole_interval[0] <= (2.0 / 3.0 + 0.25 * 2.0 / 3.0) / total <= found.whole_interval[1],
        ]
    assert np.mean(own) == pytest.approx(2.0 / 3.0 / total, abs=0.01)
    assert np.mean(whole) == pytest.approx((2.0 / 3.0 + 0.25 * 2.0 / 3.0) / total, abs=0.01)
    assert np.all(held >= 176)  # stated 95 %


def test_laws_that_do_not_matter_have_no_share_of_their_own() -> None:
    rng = np.random.default_rng(3)
    shares = [law_shares(rng.normal(size=(30, 4)), resamples=10).own for _ in range(100)]
    assert np.mean(shares) < 0.02  # the plain ratio V_law/V would be 0.025 on average


def test_of_a_study() -> None:
    laws = [carom.law(name, stiffness=2e9, restitution=0.65) for name in ("jankowski-2005", "hertzdamp")]
    table = suite_table(neighbours(0.01), carom.motions.suite("thirty")[::3], vary={"gap": [0.01, 0.02], "law": laws})
    result = ANALYSES.get("law-spread").run(table, {"output": ["peak_force", "displacement.left"], "resamples": 100})
    force = result.outputs[0]
    assert force.cells == 20
    assert force.ratio[force.laws.index("lankarani-nikravesh-1990")] > 1.0
    rows = result.section().tables[0].rows
    assert rows[0][0] == "peak_force"
    everything = ANALYSES.get("law-spread").run(table, {"resamples": 20})
    assert not any(one.output.startswith("no_pounding") and one.whole > 1e-20 for one in everything.outputs)


def test_failed_runs_take_their_cell_along() -> None:
    table = table_of(
        None, ["finished"] * 9 + ["step-limit"],
        law=["a", "b"] * 5, gap=np.repeat(np.arange(5.0), 2), force=[1, 2, 2, 3, 4, 4, 5, 7, 8, np.nan],
    )  # fmt: skip
    table = type(table)(table.columns, {}, ("law", "gap"), ("force",))
    result = ANALYSES.get("law-spread").run(table, {"resamples": 10})
    assert (result.outputs[0].cells, result.outputs[0].incomplete) == (4, 1)
    assert any("1 cases are left out" in line for line in result.section().cautions)


def test_refusals() -> None:
    with pytest.raises(InputError, match="two laws"):
        law_shares(np.ones((5, 1)))
    with pytest.raises(InputError, match="only 2 cells"):
        law_shares([[1.0, 2.0], [2.0, 3.0], [np.nan, 1.0]])
    with pytest.raises(InputError, match="no variance"):
        law_shares(np.ones((5, 2)))
    table = table_of(law=["a", "b", "a", "b"], gap=[1.0, 2.0, 3.0, 4.0], force=[1.0, 2.0, 3.0, 4.0])
    table = type(table)(table.columns, {}, ("law", "gap"), ("force",))
    with pytest.raises(InputError, match="several laws"):
        ANALYSES.get("law-spread").run(table_of(law=["a"], gap=[1.0]), {})
    with pytest.raises(InputError, match="same other inputs"):
        ANALYSES.get("law-spread").run(table, {"output": "force"})
