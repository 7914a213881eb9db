"""Structures put together from parts, against each combination worked out as a problem of its own."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import carom
from carom.integrate.simulate import ground_of
from carom.integrate.stores import Stores
from carom.integrate.tables import copy_of, tables_of
from carom.integrate.varied import names_in, take_axes
from carom.kernels.event import batch
from carom.problem import FlatProblem, Problem

LAW = carom.law("hertzdamp", stiffness=2e9, restitution=0.65)
TOWER = carom.ShearBuilding(masses=[2e4, 2e4, 1e4], stiffnesses=[3e7, 2e7, 1e7], damping_ratio=0.05, name="tower")
ANNEX = carom.ShearBuilding(masses=[3e4, 2e4], stiffnesses=[6e7, 5e7], damping_ratio=0.03, name="annex")
LEFT = carom.Oscillator(mass=4600, period=0.6, damping_ratio=0.05, name="left")
RIGHT = carom.Oscillator(mass=3500, period=0.01, damping_ratio=0.05, name="right")  # quicker than any that occurs
MOTION = carom.motions.get("default")

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


def structures(problem: Problem, vary: dict[str, Any], paired: dict[str, Any]) -> tuple[dict[str, Any], float]:
    """Return what every run takes, in order of the runs, and the time step."""
    names = names_in(problem, [*vary, *paired])
    axes = take_axes(problem, names, vary, paired)
    stores = Stores(problem, names, axes, 1.0, None)
    runs = np.arange(math.prod(axis.size for axis in axes))
    which = stores.picks(runs, runs)[:, batch.STRUCTURE]
    return {name: getattr(stores.structures, name)[which] for name in KEPT}, stores.dt


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
    found, dt = structures(problem, {}, each) if paired else structures(problem, grid, {})
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
