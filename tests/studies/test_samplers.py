"""Samplers: what every one of them promises, and what each does."""

from __future__ import annotations

import numpy as np
import pytest

from carom.errors import InputError
from carom.studies.samplers import SAMPLERS, Axis

AXES = (Axis("a", 4), Axis("b", 4), Axis("c", 4))
COUNTED = {"grid": 64, "paired": 4}
RANDOM = [name for name in SAMPLERS.names() if name not in COUNTED]


def drawn(name: str, samples: int = 16, seed: int = 1, axes: tuple[Axis, ...] = AXES) -> np.ndarray:
    return SAMPLERS.get(name)(axes, None if name in COUNTED else samples, seed)


@pytest.mark.parametrize("name", SAMPLERS.names())
class TestContract:
    """What every registered sampler promises."""

    def test_one_column_for_each_axis_inside_the_cube(self, name: str) -> None:
        points = drawn(name)
        assert points.ndim == 2
        assert points.shape[1] == len(AXES)
        assert points.dtype == np.float64
        assert ((points > 0.0) & (points < 1.0)).all()

    def test_the_same_arguments_give_the_same_points(self, name: str) -> None:
        np.testing.assert_array_equal(drawn(name), drawn(name))

    def test_a_single_axis(self, name: str) -> None:
        assert drawn(name, axes=AXES[:1]).shape[1] == 1

    def test_all_axes_are_covered(self, name: str) -> None:
        points = drawn(name, samples=64)
        assert (np.ptp(points, axis=0) > 0.7).all()  # from the first to the last quarter


@pytest.mark.parametrize("name", RANDOM)
def test_seeds_matter_and_counts_are_needed(name: str) -> None:
    assert not np.array_equal(drawn(name, seed=1), drawn(name, seed=2))
    with pytest.raises(InputError, match="needs `samples`"):
        SAMPLERS.get(name)(AXES, None, 1)


def test_grid_has_every_value_with_every_other() -> None:
    points = SAMPLERS.get("grid")((Axis("a", 2), Axis("b", 3)), None, 0)
    levels = (points * [2, 3]).astype(int).tolist()
    assert levels == [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2]]
    with pytest.raises(InputError, match="needs `levels`"):
        SAMPLERS.get("grid")((Axis("a"),), None, 0)
    with pytest.raises(InputError, match="follows from the values: 6"):
        SAMPLERS.get("grid")((Axis("a", 2), Axis("b", 3)), 7, 0)


def test_paired_goes_row_by_row() -> None:
    points = SAMPLERS.get("list")((Axis("a", 3), Axis("b", 3)), None, 0)
    assert (points * 3).astype(int).tolist() == [[0, 0], [1, 1], [2, 2]]
    with pytest.raises(InputError, match="one length"):
        SAMPLERS.get("paired")((Axis("a", 2), Axis("b", 3)), None, 0)
    with pytest.raises(InputError, match="a distribution"):
        SAMPLERS.get("paired")((Axis("a", 2), Axis("b")), None, 0)


def test_a_latin_hypercube_has_one_point_in_every_part() -> None:
    points = drawn("lhs", samples=50)
    for column in points.T:
        assert sorted((column * 50).astype(int)) == list(range(50))


def test_sobol_is_balanced() -> None:
    points = drawn("sobol", samples=64)  # a (t, m, s) net: each half of every axis holds half of the points
    assert ((points < 0.5).sum(axis=0) == 32).all()
    np.testing.assert_array_equal(points[:40], drawn("sobol", samples=40))


def test_saltelli_and_morris_have_the_rows_that_their_indices_need() -> None:
    assert drawn("saltelli", samples=8).shape == (8 * (3 + 2), 3)
    points = drawn("morris", samples=5)
    assert points.shape == (5 * (3 + 1), 3)
    steps = np.diff(points.reshape(5, 4, 3), axis=1)
    assert (np.count_nonzero(steps, axis=2) == 1).all()  # one thing at a time
