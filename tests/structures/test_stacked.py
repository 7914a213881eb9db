"""Many structures worked out as arrays, against each made by `replace`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import carom
from carom.errors import InputError
from carom.structures.base import LinearStructure

LEFT = carom.Oscillator(mass=4600, period=0.6, damping_ratio=0.05, name="left")
TOWER = carom.ShearBuilding(masses=[2e4, 2e4, 1e4], stiffnesses=[3e7, 2e7, 1e7], damping_ratio=0.05, name="tower")
BALL = carom.Body(mass=5.0, stiffness=2e3, damping=3.0, gravity=9.81, name="ball")
MANY = 40

STATED: dict[str, LinearStructure] = {
    "by its period": LEFT,
    "by its frequency": carom.Oscillator(mass=4600, frequency=2.0, name="left"),
    "by its stiffness": carom.Oscillator(mass=4600, stiffness=2e6, damping_ratio=0.3, name="left"),
    "with a dashpot": carom.Oscillator(mass=4600, stiffness=2e6, damping=2e4, name="left"),
    "with Rayleigh damping": carom.Oscillator(mass=4600, period=0.6, damping=carom.Rayleigh(0.2, 1e-3), name="left"),
    "body": BALL,
    "tower": TOWER,
    "tower, ratios": TOWER.replace(damping_ratio=[0.01, 0.02, 0.07]),
    "tower, Rayleigh": TOWER.replace(damping_ratio=None, damping=carom.Rayleigh(0.2, 1e-3)),
    "tower, Caughey": TOWER.replace(damping_ratio=None, damping=carom.Caughey([0.02, 0.03, 0.05], modes=[1, 2, 3])),
    "one storey": carom.ShearBuilding(masses=2e4, stiffnesses=3e7, damping_ratio=0.02, name="tower"),
    "thirty storeys": carom.ShearBuilding(masses=[2e4] * 30, stiffnesses=3e7, damping_ratio=0.02, name="tower"),
}
ONE_MASS = {"mass": (1e-2, 1e7), "stiffness": (1e3, 1e9), "damping": (0.0, 1e5)}
FIELDS: dict[type, dict[str, tuple[float, float]]] = {
    carom.Oscillator: {**ONE_MASS, "period": (0.01, 5.0), "frequency": (0.1, 50.0), "damping_ratio": (0.0, 2.0)},
    carom.Body: {**ONE_MASS, "gravity": (-10.0, 10.0)},
    carom.ShearBuilding: {"masses": (1e3, 1e6), "stiffnesses": (1e5, 1e10), "damping_ratio": (0.0, 1.0)},
}
TOGETHER_NEVER = ({"stiffness", "period"}, {"stiffness", "frequency"}, {"period", "frequency"},
                  {"damping_ratio", "damping"})  # fmt: skip


def drawn(stated: LinearStructure, rng: np.random.Generator) -> dict[str, Any]:
    """Return random values of random fields; of a building numbers for all storeys, or rows of them."""
    known = FIELDS[type(stated)]
    chosen = set(rng.choice(sorted(known), int(rng.integers(1, len(known) + 1)), replace=False).tolist())
    for pair in TOGETHER_NEVER:
        if pair <= chosen:
            chosen.discard(max(pair))
    if isinstance(stated, carom.ShearBuilding) and stated.damping is not None:
        chosen.discard("damping_ratio")
    wide = isinstance(stated, carom.ShearBuilding) and rng.random() < 0.7
    shape = (MANY, stated.floors) if wide else (MANY,)
    found = {name: rng.uniform(*known[name], shape) for name in sorted(chosen)}
    if not wide and {"masses", "stiffnesses"} <= chosen and stated.floors > 1:
        found["masses"] = rng.uniform(*known["masses"], (MANY, stated.floors))
    return found


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("case", STATED)
def test_each_is_the_one_made_alone(case: str, seed: int) -> None:
    stated, rng = STATED[case], np.random.default_rng(seed)
    changes = drawn(stated, rng)
    stacked = stated.stacked(MANY, changes)
    assert stacked is not None
    for i in range(MANY):
        alone = stated.replace(**{name: values[i].tolist() for name, values in changes.items()})
        modes = alone.modes()
        np.testing.assert_allclose(stacked.omega[i], modes.omega, rtol=1e-14)
        np.testing.assert_allclose(stacked.sigma[i], modes.sigma, rtol=1e-14)
        np.testing.assert_allclose(stacked.shapes[i], modes.shapes, rtol=1e-12, atol=1e-14 * modes.shapes.max())
        np.testing.assert_array_equal(np.diag(stacked.masses[i]), alone.mass_matrix)
        np.testing.assert_allclose(stacked.load[i], alone.load, rtol=1e-14)


def test_modes_of_buildings_are_orthogonal_and_solve_their_equations() -> None:
    rng = np.random.default_rng(3)
    changes = {"masses": rng.uniform(1e3, 1e6, (MANY, 3)), "stiffnesses": rng.uniform(1e5, 1e10, (MANY, 3))}
    stacked = TOWER.stacked(MANY, changes)
    assert stacked is not None
    for masses, k, omega, shapes in zip(*changes.values(), stacked.omega, stacked.shapes, strict=True):
        stiffness = np.array([[k[0] + k[1], -k[1], 0.0], [-k[1], k[1] + k[2], -k[2]], [0.0, -k[2], k[2]]])
        np.testing.assert_allclose(shapes.T @ np.diag(masses) @ shapes, np.eye(3), atol=1e-13)
        np.testing.assert_allclose(shapes.T @ stiffness @ shapes, np.diag(omega**2), atol=1e-13 * omega[-1] ** 2)


@pytest.mark.parametrize(
    ("stated", "changes"),
    [
        (LEFT, {"mass": ["4.6 t"] * MANY}),
        (LEFT, {"mass": [True] * MANY}),
        (LEFT, {"mass": [None] * MANY}),
        (LEFT, {"mass": np.ones((MANY, 2))}),
        (LEFT, {"mass": [10**400] * MANY}),
        (LEFT, {"spring": [None] * MANY}),
        (LEFT, {"damping": [carom.Rayleigh(0.1, 0.0)] * MANY}),
        (LEFT, {"period": [1.0] * MANY, "stiffness": [1e6] * MANY}),
        (LEFT, {"damping": [1.0] * MANY, "damping_ratio": [0.1] * MANY}),
        (TOWER, {"heights": [3.0] * MANY}),
        (TOWER, {"masses": [(1e4, 1e4)] * MANY}),
        (TOWER, {"masses": [(1e4, 1e4, 1e4)] * (MANY - 1) + [(1e4,)]}),
        (TOWER, {"masses": [1e4] * MANY, "stiffnesses": [1e7] * MANY}),
        (TOWER, {"damping_ratio": [(0.1, 0.2)] * MANY}),
        (STATED["tower, Rayleigh"], {"damping_ratio": [0.1] * MANY}),
        (TOWER.replace(damping_ratio=None, damping=np.eye(3)), {"masses": [1e4] * MANY}),
        (carom.Structure([1.0], [[1.0]], name="general"), {"damping_ratio": [0.1] * MANY}),
        (carom.Wall(), {"moving": [True] * MANY}),
    ],
)
def test_what_arrays_do_not_hold_is_made_one_by_one(stated: LinearStructure, changes: dict[str, Any]) -> None:
    assert stated.stacked(MANY, changes) is None


BAD = [-1.0, 0.0, float("nan"), float("inf"), -float("inf")]


@pytest.mark.parametrize("value", BAD)
@pytest.mark.parametrize(
    ("stated", "field"),
    [
        (stated, field)
        for stated in (LEFT, BALL, TOWER)
        for field in FIELDS[type(stated)]
        if field != "frequency"
    ],
)  # fmt: skip
def test_a_bad_entry_is_refused_as_it_is_alone(stated: LinearStructure, field: str, value: float) -> None:
    good = {"masses": (1e4, 2e4, 3e4), "stiffnesses": (1e7, 2e7, 3e7)}.get(field, 0.5)
    bad = value if isinstance(good, float) else (good[0], value, good[2])
    worse = [-7.0 if bad == value else good]
    alone = refused(lambda: stated.replace(**{field: bad}))
    together = refused(lambda: stated.stacked(MANY, {field: [good] * 20 + [bad] + [good] * 19}))
    assert together == alone
    if alone:  # of several the first
        assert refused(lambda: stated.stacked(MANY, {field: [good] * 20 + [bad] + [good] * 18 + worse})) == alone


def refused(make: Callable[[], object]) -> str:
    """Return what a refusal says; nothing where there is none."""
    try:
        make()
    except InputError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("changes", [{"period": 1e-170}, {"stiffness": 5e-324, "mass": 1e300}])
def test_what_no_number_holds_is_refused_as_it_is_alone(changes: dict[str, float]) -> None:
    with pytest.raises(ArithmeticError) as alone:
        LEFT.replace(**changes)
    with pytest.raises(type(alone.value)):
        LEFT.stacked(3, {name: [1.0, value, 1.0] for name, value in changes.items()})
