"""Sensitivity: the Ishigami function in closed form, estimators written out, straight lines."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from carom.errors import InputError
from carom.studies.analyses import ANALYSES, StudyTable
from carom.studies.analyses.sensitivity import (
    Sensitivity,
    given_data_indices,
    morris_effects,
    sobol_indices,
    tornado,
)
from tests.studies.analyses.tables import found_by, table_of

NAMES = ("x1", "x2", "x3")
UNIT = {"num_vars": 3, "names": list(NAMES), "bounds": [[0.0, 1.0]] * 3}
A, B = 7.0, 0.1


def ishigami(u: np.ndarray) -> np.ndarray:
    """Ishigami and Homma (1990), on the unit cube."""
    x = math.pi * (2.0 * u - 1.0)
    return np.sin(x[:, 0]) + A * np.sin(x[:, 1]) ** 2 + B * x[:, 2] ** 4 * np.sin(x[:, 0])


def closed_form() -> tuple[np.ndarray, np.ndarray]:
    """Its variances by integration: V = A²/8 + Bπ⁴/5 + B²π⁸/18 + 1/2."""
    v1 = 0.5 * (1.0 + B * math.pi**4 / 5.0) ** 2
    v2, v13 = A**2 / 8.0, 8.0 * B**2 * math.pi**8 / 225.0
    v = v1 + v2 + v13
    return np.array([v1, v2, 0.0]) / v, np.array([v1 + v13, v2, v13]) / v


def saltelli(n: int, seed: int) -> np.ndarray:
    """Saltelli's design from SciPy's Sobol sequence: A, A with one column of B at a time, B."""
    from scipy.stats import qmc

    points = qmc.Sobol(6, rng=np.random.default_rng(seed)).random(n)
    a, b = points[:, :3], points[:, 3:]
    blocks = [a, *(np.where(np.arange(3) == i, b, a) for i in range(3)), b]
    return np.stack(blocks, axis=1).reshape(-1, 3)


@pytest.mark.parametrize("seed", [1, 2])
def test_ishigami_to_two_hundredths(seed: int) -> None:
    pytest.importorskip("SALib")
    found = sobol_indices(ishigami(saltelli(4096, seed)), NAMES)
    first, total = closed_form()
    np.testing.assert_allclose(found.first, first, atol=0.02)
    assert found.total is not None
    np.testing.assert_allclose(found.total, total, atol=0.02)


def test_estimators_written_out() -> None:
    """Saltelli (2010): S = mean(f_B (f_AB − f_A))/V, S_T = mean((f_A − f_AB)²)/(2V), with V over A and B."""
    pytest.importorskip("SALib")
    y = ishigami(saltelli(512, 4))
    found = sobol_indices(y, NAMES)
    y = ((y - y.mean()) / y.std()).reshape(-1, 5)
    variance = np.concatenate([y[:, 0], y[:, 4]]).var()
    first = [np.mean(y[:, 4] * (y[:, 1 + i] - y[:, 0])) / variance for i in range(3)]
    total = [0.5 * np.mean((y[:, 0] - y[:, 1 + i]) ** 2) / variance for i in range(3)]
    np.testing.assert_allclose(found.first, first, rtol=1e-10)
    assert found.total is not None
    np.testing.assert_allclose(found.total, total, rtol=1e-10)


def test_failed_samples_take_their_block_along() -> None:
    pytest.importorskip("SALib")
    points = saltelli(256, 5)
    y = ishigami(points)
    broken = y.copy()
    broken[[7, 8, 101]] = np.nan  # blocks 1 and 20
    found = sobol_indices(broken, NAMES)
    kept = np.delete(y.reshape(-1, 5), [1, 20], axis=0).ravel()
    np.testing.assert_allclose(found.first, sobol_indices(kept, NAMES).first)
    assert (found.lost, found.samples) == (2, kept.size)


def test_first_order_of_any_sample() -> None:
    pytest.importorskip("SALib")
    points = np.random.default_rng(0).random((8000, 3))
    found = given_data_indices(points, ishigami(points), NAMES)
    np.testing.assert_allclose(found.first, closed_form()[0], atol=0.03)
    assert found.total is None


def test_morris_of_a_plane() -> None:
    """y = 3 x1 − 2 x2: effects are the slopes, without any spread."""
    design = pytest.importorskip("SALib.sample.morris")
    points = design.sample(UNIT, 12, num_levels=4, seed=2)
    found = morris_effects(points, points @ np.array([3.0, -2.0, 0.0]), NAMES)
    np.testing.assert_allclose(found.mean, [3.0, -2.0, 0.0], atol=1e-12)
    np.testing.assert_allclose(found.size, [3.0, 2.0, 0.0], atol=1e-12)
    np.testing.assert_allclose(found.spread, 0.0, atol=1e-12)


def test_tornado_of_a_plane() -> None:
    """Means of the lowest and highest tenth of a uniform input: 0.05 and 0.95, times the slope."""
    points = np.random.default_rng(1).random((200_000, 3))
    found = tornado(points, points @ np.array([3.0, -5.0, 0.0]), NAMES)
    np.testing.assert_allclose(found.high - found.low, [2.7, -4.5, 0.0], atol=0.05)
    assert found.order.tolist() == [1, 0, 2]
    assert found.mean == pytest.approx(-1.0, abs=0.01)


def study(kind: str, points: np.ndarray) -> StudyTable:
    """Two motions for every sample, the second adding 10: means over motions must not see it."""
    count = len(points)
    table = table_of(
        {"force": "N"},
        sample=np.tile(np.arange(count), 2),
        motion=np.repeat(["a", "b"], count),
        force=np.concatenate([ishigami(points), ishigami(points) + 10.0]),
        **{name: np.tile(points[:, i], 2) for i, name in enumerate(NAMES)},
    )
    return replace(table, parameters=NAMES, outputs=("force",), study={"sampler": {"kind": kind}})


def test_of_a_study() -> None:
    pytest.importorskip("SALib")
    points = saltelli(2048, 6)
    found = found_by("sensitivity", Sensitivity, study("saltelli", points), {"output": "force"})
    assert found.indices is not None
    np.testing.assert_allclose(found.indices.first, closed_form()[0], atol=0.03)
    assert found.swing.mean == pytest.approx(3.5 + 5.0, abs=0.05)
    assert len(found.section().tables) == 2
    design = pytest.importorskip("SALib.sample.morris")
    grid = (3.0 * design.sample(UNIT, 20, num_levels=4, seed=2) + 0.5) / 4.0
    found = found_by("sensitivity", Sensitivity, study("morris", grid), {"output": "force"})
    assert found.effects is not None
    assert found.effects.trajectories == 20
    assert found.section().tables[0].name == "sensitivity-effects"
    spread = np.random.default_rng(3).random((300, 3))
    found = found_by("sensitivity", Sensitivity, study("latin-hypercube", spread), {"output": "force"})
    assert found.indices is not None
    assert found.indices.total is None
    assert any("saltelli" in line for line in found.section().cautions)


def test_refusals() -> None:
    with pytest.raises(InputError, match="blocks of 5"):
        sobol_indices(np.ones(7), NAMES)
    with pytest.raises(InputError, match="at least 8"):
        sobol_indices(np.full(50, np.nan), NAMES)
    with pytest.raises(InputError, match="same output"):
        sobol_indices(np.ones(50), NAMES)
    with pytest.raises(InputError, match="trajectories of 4"):
        morris_effects(np.ones((5, 3)), np.ones(5), NAMES)
    with pytest.raises(InputError, match="at least 65"):
        given_data_indices(np.ones((5, 3)), np.ones(5), NAMES)
    with pytest.raises(InputError, match="at least one"):
        tornado(np.ones((0, 3)), [], NAMES)
    with pytest.raises(InputError, match="parameters that vary"):
        ANALYSES.get("sensitivity").run(table_of(sample=[0], peak_force=[1.0]), {})
