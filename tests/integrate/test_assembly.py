"""Structures put together from parts, against each combination worked out as a problem of its own."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import carom
from carom.integrate.ensembles.stores import Stores
from carom.integrate.ensembles.variation import axis_of
from carom.integrate.ensembles.varied import names_in, take_axes
from carom.integrate.simulate import ground_of
from carom.integrate.tables.general import copy_of, tables_of
from carom.kernels import rows
from carom.kernels.event import batch
from carom.problem import FlatProblem, Problem

LAW = carom.law("hertzdamp", stiffness=2e9, restitution=0.65)
TOWER = carom.ShearBuilding(masses=[2e4, 2e4, 1e4], stiffnesses=[3e7, 2e7, 1e7], damping_ratio=0.05, name="tower")
ANNEX = carom.ShearBuilding(masses=[3e4, 2e4], stiffnesses=[6e7, 5e7], heights=3.0, damping_ratio=0.03, name="annex")
LEFT = carom.Oscillator(mass=4600, period=0.6, damping_ratio=0.05, name="left")
RIGHT = carom.Oscillator(mass=3500, period=0.01, damping_ratio=0.05, name="right")  # quicker than any that occurs
BALL = carom.Body(mass=500.0, stiffness=2e5, damping=3.0, gravity=9.81, name="ball")
MOTION = carom.motions.get("default")
SHORT = carom.Motion(MOTION.acceleration[150:200], dt=MOTION.dt, source="short")

FIELDS: dict[type, list[tuple[str, float, float]]] = {
    carom.Oscillator: [
        ("mass", 1e3, 1e6), ("period", 0.1, 3.0), ("damping_ratio", 0.0, 0.2), ("initial_displacement", -0.01, 0.01),
    ],
    carom.Body: [("mass", 1e2, 1e3), ("stiffness", 0.0, 1e6), ("gravity", -1.0, 1.0), ("initial_velocity", -1.0, 1.0)],
    carom.ShearBuilding: [
        ("masses", 1e4, 1e6), ("stiffnesses", 1e6, 1e9), ("damping_ratio", 0.0, 0.2), ("initial_velocity", -0.1, 0.1),
    ],
}  # fmt: skip

GRIDS: dict[str, tuple[list[Any], list[Any], dict[str, Any]]] = {
    "pair": (
        [LEFT, RIGHT], [carom.Contact("left", "right", gap=0.02, law=LAW)],
        {"left.period": [0.5, 0.6, 0.7], "right.period": [0.2, 0.3, 0.4, 0.5]},
    ),
    "pair from rest and not": (
        [LEFT, RIGHT], [carom.Contact("left", "right", gap=0.02, law=LAW)],
        {"left.initial_displacement": [-0.01, 0.0, 0.01], "right.mass": [3e3, 4e3, 5e3]},
    ),
    "facing floors": (
        [TOWER, ANNEX], [carom.facing("tower", "annex", gap=0.02, law=LAW)],
        {"tower.damping_ratio": [0.02, 0.05], "annex.stiffnesses": [(6e7, 5e7), (7e7, 5e7), (8e7, 6e7)],
         "annex.damping_ratio": [0.01, 0.02, 0.05]},
    ),
    "one of three stays as it is": (
        [TOWER, LEFT, ANNEX],
        [
            carom.Contact(("tower", 1), "left", gap=0.02, law=LAW),
            carom.Contact("left", ("annex", 1), gap=0.03, law=LAW),
        ],
        {"tower.damping_ratio": [0.02, 0.05, 0.07], "annex.damping_ratio": [0.01, 0.02, 0.05]},
    ),
}  # fmt: skip


KEPT = ("modes", "levers", "floors", "mobility", "masses", "closing")


def structures(
    problem: Problem, vary: dict[str, Any], paired: dict[str, Any], duration: float | None = 1.0
) -> tuple[dict[str, Any], float, Any]:
    """Return what every run takes, in order of the runs, the time step, and the laws of the runs."""
    names = names_in(problem, [*vary, *paired])
    axes = take_axes(problem, names, vary, paired)
    stores = Stores(problem, names, axes, duration, None)
    runs = np.arange(math.prod(axis.size for axis in axes))
    picks = stores.picks(runs, runs)
    which = picks[:, batch.STRUCTURE]
    taken = {name: getattr(stores.structures, name)[which] for name in KEPT}
    return taken, stores.dt, stores.laws[picks[:, batch.LAW]]


def flattened(grid: dict[str, Any]) -> dict[str, Any]:
    """Return the same combinations one by one, the last name quickest."""
    places = np.indices([len(values) for values in grid.values()]).reshape(len(grid), -1)
    return {name: [values[i] for i in at] for (name, values), at in zip(grid.items(), places, strict=True)}


def with_values(problem: Problem, values: dict[str, Any]) -> FlatProblem:
    """Return the problem with one value of each name."""
    given = {tuple(name.split(".")): value for name, value in values.items()}
    start = {who: value for (who, what), value in given.items() if what == "initial_displacement"}
    fields = {key: value for key, value in given.items() if key[1] != "initial_displacement"}
    made = [
        one.replace(**{what: value for (who, what), value in fields.items() if who == one.name})
        for one in problem.structures
    ]
    return problem.replace(structures=tuple(made), initial_displacement=start).flat()


@pytest.mark.parametrize("paired", [False, True])
@pytest.mark.parametrize("case", GRIDS)
def test_equal_to_the_last_digit(case: str, paired: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    who, contacts, grid = GRIDS[case]
    problem = carom.Problem(who, contacts)
    each = flattened(grid)
    flats = [with_values(problem, dict(zip(each, values, strict=True))) for values in zip(*each.values(), strict=True)]
    made: list[int] = []
    replace = Problem.replace
    monkeypatch.setattr(Problem, "replace", lambda self, **changes: made.append(1) or replace(self, **changes))
    found, dt, _ = structures(problem, {}, each) if paired else structures(problem, grid, {})
    assert len(made) - 1 < len(flats)  # one of them takes the motion out
    for i, flat in enumerate(flats):
        tables = tables_of(flat)
        wanted = {
            "modes": tables.modes[:, : batch.MODE_GIVEN], "levers": tables.contacts[:, batch.CONTACT_GIVEN :],
            "floors": tables.floors[:, batch.FLOOR_GIVEN :], "mobility": flat.mobility, "masses": flat.effective_mass,
        }  # fmt: skip
        for name, values in wanted.items():
            np.testing.assert_array_equal(found[name][i], values, err_msg=name)
        np.testing.assert_allclose(found["closing"][i], flat.reach @ flat.q0, rtol=1e-14, atol=0.0)
    assert dt == min(ground_of(flat, 1.0, None)[1] for flat in flats)  # by the shortest period that occurs


def drawn(rng: np.random.Generator) -> tuple[Problem, dict[str, Any], dict[str, Any]]:
    """Return a random problem, and values of some of its structures' fields: on a grid and in pairs."""
    building = rng.random() < 0.5
    who = (TOWER, ANNEX, LEFT) if building else (LEFT, RIGHT, BALL)
    a, b, c = (one.name for one in who)
    sides = [carom.facing(a, b, gap=0.02, law=LAW) if building else carom.Contact(a, b, gap=0.02, law=LAW)]
    sides.append(carom.Contact((b, "4 m"), c, gap=0.3, law=LAW) if building else carom.Contact(b, c, gap=0.3, law=LAW))
    problem = carom.Problem(who, sides, initial_velocity={c: 0.1})
    grids: dict[str, Any] = {}
    pairs: dict[str, Any] = {}
    for one in who:
        for field, low, high in FIELDS[type(one)]:
            if rng.random() < 0.6:
                into, count = (grids, 3) if rng.random() < 0.3 and len(grids) < 2 else (pairs, 15)
                rows = isinstance(one, carom.ShearBuilding) and field != "damping_ratio"
                values = rng.uniform(low, high, (count, one.floors) if rows else count)
                values[1] = values[0]  # some are alike
                into[f"{one.name}.{field}"] = values if rng.random() < 0.5 else values.tolist()
    return problem, grids, pairs


@pytest.mark.parametrize("seed", range(25))
def test_as_arrays_as_one_by_one(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    problem, grid, paired = drawn(np.random.default_rng(seed))
    paired["restitution"] = np.linspace(0.2, 0.9, 15)
    made: list[int] = []
    flatten = Problem.flat
    monkeypatch.setattr(Problem, "flat", lambda self: made.append(id(self)) or flatten(self))
    found, dt, laws = structures(problem, grid, paired)
    assert len(set(made)) <= 6  # the problem, the bare one, the first and the quickest of each structure
    for kind in FIELDS:
        monkeypatch.setattr(kind, "stacked", lambda self, count, changes: None)
    wanted, dt_wanted, laws_wanted = structures(problem, grid, paired)
    for name, values in wanted.items():
        scale = np.abs(values).max(axis=(0, *range(2, values.ndim)), keepdims=True)
        np.testing.assert_allclose(found[name], values, rtol=1e-13, atol=1e-15 * scale.max(), err_msg=name)
    np.testing.assert_allclose(laws, laws_wanted, rtol=1e-13)
    assert dt == dt_wanted


def test_laws_that_all_differ_are_those_of_single_problems() -> None:
    rng = np.random.default_rng(5)
    kinds = [("hertzdamp", 1e9), ("kelvin-voigt", 1e7), ("hertz", 1e9), ("jankowski-2005", 1e9)]
    laws = [
        carom.law(name, stiffness=k * rng.uniform(1.0, 2.0), **({} if name == "hertz" else {"restitution": e}))
        for (name, k), e in zip(kinds * 10, rng.uniform(0.3, 0.9, 40), strict=True)
    ]
    laws[7] = laws[3]
    masses = rng.uniform(1e3, 1e4, 40)
    problem = carom.Problem([LEFT, RIGHT], [carom.Contact("left", "right", gap=0.02, law=LAW)])
    _, _, found = structures(problem, {}, {"law": laws, "left.mass": masses})
    _, _, stiffer = structures(problem, {}, {"law": laws, "left.mass": masses, "stiffness": 1e3 * masses})
    for i, law in enumerate(laws):
        one = problem.replace(law=law, structures=(LEFT.replace(mass=masses[i]), RIGHT))
        np.testing.assert_allclose(found[i], one.flat().laws, rtol=1e-13)
        one = one.replace(law=law.replace(stiffness=1e3 * masses[i]))
        np.testing.assert_allclose(stiffer[i], one.flat().laws, rtol=1e-13)


def test_things_are_numbered_as_they_come_and_compared_once() -> None:
    asked: list[str] = []

    class Thing(str):
        def __hash__(self) -> int:
            asked.append(self)
            return super().__hash__()

    a, b, twin = Thing("a"), Thing("b"), Thing("a")
    values = {"law": [b, a, b, twin] * 500, "x": np.array([3.0, 1.0, 3.0, 1.0] * 500)}
    values["rows"] = np.array([[1.0, 2.0], [1.0, 1.0], [1.0, 2.0], [2.0, 1.0]] * 500)
    axis = axis_of("run", values)
    for names, codes, firsts in (
        (["law"], [0, 1, 0, 1], [0, 1]),
        (["x"], [0, 1, 0, 1], [0, 1]),
        (["rows"], [0, 1, 0, 2], [0, 1, 3]),
        (["rows", "law"], [0, 1, 0, 2], [0, 1, 3]),
    ):
        found, where = axis.combined(names)
        np.testing.assert_array_equal(found, codes * 500)
        np.testing.assert_array_equal(where, firsts)
    assert len(asked) == 3


def test_initial_values_of_all_floors_as_arrays() -> None:
    problem = carom.Problem([TOWER, LEFT], [carom.Contact(("tower", 1), "left", gap=0.5, law=LAW)])
    start = np.random.default_rng(1).uniform(-0.1, 0.1, (5, 3))
    found, _, _ = structures(problem, {}, {"tower.initial_displacement": start, "left.mass": np.linspace(1e3, 2e3, 5)})
    for i, floors in enumerate(start):
        flat = problem.replace(initial_displacement={"tower": floors}).flat()
        np.testing.assert_allclose(found["modes"][i, :3, rows.Q], flat.q0[:3], rtol=1e-14)
        np.testing.assert_allclose(found["closing"][i], floors[0], rtol=1e-13)


def test_structures_on_grounds_of_their_own_as_arrays(monkeypatch: pytest.MonkeyPatch) -> None:
    motions = {"left": MOTION, "right": (MOTION, 0.05)}
    problem = carom.Problem([LEFT, RIGHT], [carom.Contact("left", "right", gap=0.02, law=LAW)], motion=motions)
    masses = np.linspace(1e3, 2e3, 6)
    found, _, _ = structures(problem, {}, {"left.mass": masses, "right.period": np.linspace(0.2, 0.3, 6)}, None)
    monkeypatch.setattr(carom.Oscillator, "stacked", lambda self, count, changes: None)
    wanted, _, _ = structures(problem, {}, {"left.mass": masses, "right.period": np.linspace(0.2, 0.3, 6)}, None)
    assert found["modes"].shape[1] == 4  # two of them displacements of the grounds
    for name, values in wanted.items():
        np.testing.assert_allclose(found[name], values, rtol=1e-13, err_msg=name)


def test_some_as_arrays_beside_some_made_one_by_one() -> None:
    """Springs as text are for an oscillator to read; its neighbour's are numbers."""
    problem = carom.Problem([LEFT, RIGHT], [carom.Contact("left", "right", gap=0.02, law=LAW)])
    texts, masses = [f"{k} MN/m" for k in range(1, 6)], np.linspace(1e3, 2e3, 5)
    found, _, _ = structures(problem, {}, {"left.stiffness": texts, "right.mass": masses})
    for i in range(5):
        flat = with_values(problem, {"left.stiffness": texts[i], "right.mass": masses[i]})
        np.testing.assert_array_equal(found["modes"][i, :, rows.OMEGA], flat.omega)
        np.testing.assert_array_equal(found["mobility"][i], flat.mobility)


@pytest.mark.parametrize("mass", [1e4, "10 t"])
def test_other_floors_in_all_runs_are_refused(mass: Any) -> None:
    """There would be other contacts of facing floors and other results than the problem has."""
    problem = carom.Problem(
        [TOWER, ANNEX.replace(heights=None)], [carom.facing("tower", "annex", gap=0.02, law=LAW)], motion=SHORT
    )
    rows_of_three = {"annex.masses": [(mass, 1e4, 1e4)] * 2, "annex.stiffnesses": [(6e7, 5e7, 4e7), (5e7, 5e7, 4e7)]}
    with pytest.raises(carom.errors.InputError, match="equally many degrees of freedom in all runs, as in its"):
        carom.ensemble(problem, zip=rows_of_three)


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        ("left.mass", 1e3, -1.0),
        ("left.mass", 1e3, math.nan),
        ("left.mass", 1e3, "heavy"),
        ("left.mass", 1e3, True),
        ("left.mass", 1e3, [1e3, 2e3]),
        ("left.damping_ratio", 0.1, -0.1),
        ("tower.masses", [1e3, 1e3, 1e3], [1e3, 0.0, 1e3]),
        ("tower.masses", [1e3, 1e3, 1e3], [1e3, 1e3]),
        ("tower.damping_ratio", 0.1, [0.1, 0.2]),
        ("left.initial_displacement", 0.0, math.inf),
        ("left.initial_velocity", 0.0, [0.0, 1.0]),
        ("tower.initial_velocity", [0.0, 0.0, 0.0], [0.0, math.nan, 0.0]),
        ("tower.initial_velocity", [0.0, 0.0, 0.0], 1.0),
    ],
)
def test_a_bad_entry_is_refused_as_alone(name: str, good: Any, bad: Any) -> None:
    problem = carom.Problem([TOWER, LEFT], [carom.Contact(("tower", 1), "left", gap=0.5, law=LAW)], motion=MOTION)
    who, _, field = name.partition(".")
    initial = field.startswith("initial")
    owner, change = (problem, {field: {who: bad}}) if initial else (problem.structure(who), {field: bad})
    with pytest.raises(carom.errors.InputError) as alone:
        owner.replace(**change)
    with pytest.raises(carom.errors.InputError) as among:
        carom.ensemble(problem, zip={name: [good] * 7 + [bad] + [good] * 4})
    assert str(among.value) == str(alone.value)


def test_rows_as_an_array_are_labelled_by_their_positions() -> None:
    problem = carom.Problem([ANNEX, LEFT], [carom.Contact(("annex", 1), "left", gap=0.5, law=LAW)], motion=SHORT)
    masses = np.array([[3e4, 2e4], [2e4, 1e4], [3e4, 2e4]])
    many = carom.ensemble(problem, vary={"annex.masses": masses}, rtol=1e-4)
    assert many.evidence["structures"] == 2
    np.testing.assert_array_equal(many.dataset["annex.masses"], [0, 1, 2])
    np.testing.assert_array_equal(many.extremes[0], many.extremes[2])


def test_runs_on_a_grid_are_those_of_single_problems() -> None:
    who, contacts, grid = GRIDS["pair"]
    problem = carom.Problem(who, contacts, motion=MOTION)
    many = carom.ensemble(problem, vary=grid, rtol=1e-6)
    for i, j in ((0, 3), (2, 1)):
        left, right = LEFT.replace(period=grid["left.period"][i]), RIGHT.replace(period=grid["right.period"][j])
        run = carom.simulate(problem.replace(structures=(left, right)), rtol=1e-6)
        np.testing.assert_allclose(many.extremes[i, j], run.extremes, rtol=1e-5)


def test_a_part_with_other_floors_is_refused() -> None:
    problem = carom.Problem([TOWER, ANNEX], [carom.facing("tower", "annex", gap=0.02, law=LAW)], motion=MOTION)
    floors = [(3e4, 2e4), (3e4, 2e4, 1e4), (2e4, 2e4)]
    with pytest.raises(carom.errors.InputError):
        carom.ensemble(problem, vary={"annex.masses": floors, "tower.damping_ratio": [0.01, 0.02, 0.03]})


def test_every_run_has_tables_of_its_own() -> None:
    """What a problem gives is laid out once; a run that writes to its tables leaves the next one's alone."""
    flat = carom.Problem([LEFT, RIGHT], [carom.Contact("left", "right", gap=0.02, law=LAW)]).flat()
    first = tables_of(flat)
    given = copy_of(first)
    for table in first[:-1]:
        table[:] = np.nan
    for table, wanted in zip(tables_of(flat), given, strict=True):
        np.testing.assert_array_equal(table, wanted)


def test_a_field_that_moves_contacts_moves_both_sides() -> None:
    """A slab at another height strikes the neighbour's columns at another height, too."""
    one = carom.ShearBuilding(masses=[2e4] * 2, stiffnesses=3e7, heights=[2.0, 4.0], damping_ratio=0.05, name="one")
    other = carom.ShearBuilding(masses=[3e4] * 3, stiffnesses=6e7, heights=3.0, damping_ratio=0.05, name="o")
    contacts = [carom.facing("one", "o", gap=0.005, law=LAW, columns=True)]
    problem = Problem([one, other], contacts, motion=MOTION.scaled(pga=5.0))
    heights = [(2.0, 4.0), (1.0, 5.0), (2.5, 4.5)]
    many = carom.ensemble(problem, vary={"one.heights": heights, "o.masses": [3e4, 5e4]}, rtol=1e-8).dataset
    for i, given in enumerate(heights):
        for j, mass in enumerate((3e4, 5e4)):
            changed = [one.replace(heights=given), other.replace(masses=mass)]
            alone = carom.simulate(problem.replace(structures=changed), rtol=1e-8)
            assert alone.impact_count == many.impacts.values[i, j] > 0
            assert many.peak_force.values[i, j] == pytest.approx(alone.table["peak_force"].max(), rel=1e-5)
    slabs = [carom.facing("one", "o", gap=0.005, law=LAW)]
    level = problem.replace(structures=[one.replace(heights=3.0), other], contacts=slabs)
    with pytest.raises(carom.InputError, match="equally many contacts in all runs"):
        carom.ensemble(level, vary={"one.heights": [(3.0, 6.0), (3.0, 6.5)]})
