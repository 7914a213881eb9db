"""The explicit engine on several modes and contacts against the general engine, which takes other steps.

`carom.ensemble` takes it wherever there are more than two modes; `carom.simulate` is asked for the general engine here.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import carom
from carom.integrate.ensembles import batches

DEFAULT = carom.motions.get("default")
NAMES = list(carom.laws.laws.names())
SHAKE = carom.Motion(DEFAULT.acceleration[100:900], dt=DEFAULT.dt, source="a quarter of the default")


def law_of(name: str, stiffness: float = 4e9, restitution: float = 0.6) -> Any:
    """A law by name; linear ones are softer, and those without a relation to restitution are calibrated."""
    kind = carom.laws.laws.get(name)
    scaled = 0.04 * stiffness if kind.n == 1.0 else stiffness
    law = kind(stiffness=scaled, **({} if kind.m is None else {"restitution": restitution}))
    return law.calibrated(mass=1e4, velocity=0.3) if getattr(law, "empirical", False) else law


def building(name: str, floors: int, stiffness: float, mass: float = 2e4) -> carom.ShearBuilding:
    return carom.ShearBuilding(
        masses=[mass] * floors, stiffnesses=[stiffness] * floors, damping_ratio=0.05, name=name
    )  # fmt: skip


def neighbours(law: Any, tall: int = 4, low: int = 3, **more: Any) -> carom.Problem:
    both = [building("left", tall, 2e7), building("right", low, 4e7)]
    return carom.Problem(both, [carom.facing("left", "right", gap=0.01, law=law)], **{"motion": SHAKE, **more})


@pytest.fixture
def taken(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The engines that ensembles took."""
    called: list[str] = []
    on_cpu = batches.on_cpu

    def noted(engine: Any, *rest: Any, **more: Any) -> None:
        called.append(engine.path)
        on_cpu(engine, *rest, **more)

    monkeypatch.setattr(batches, "on_cpu", noted)
    return called


def compare(problem: carom.Problem, gaps: list[float], rtol: float, peaks: float, force: float) -> None:
    """Compare runs at `rtol` with single ones at a tolerance a hundred times finer."""
    many = carom.ensemble(problem, vary={"gap": gaps}, rtol=rtol)
    assert many.failed == 0
    for i, gap in enumerate(gaps):
        one = carom.simulate(problem.replace(gap=gap), rtol=0.01 * rtol, path="general")
        np.testing.assert_allclose(many.extremes[i, :, :2], one.extremes[:, :2], rtol=peaks)
        np.testing.assert_allclose(many.extremes[i, :, 2], one.extremes[:, 2], rtol=10 * peaks)
        table = one.table
        assert many.account["impacts"][i] == len(table["peak_force"])
        np.testing.assert_allclose(many.account["peak_force"][i], table["peak_force"].max(initial=0.0), rtol=force)
        np.testing.assert_allclose(many.account["impulse"][i], table["impulse"].sum(), rtol=force)


@pytest.mark.parametrize("name", NAMES)
def test_every_law_as_the_general_engine_has_it(name: str, taken: list[str]) -> None:
    compare(neighbours(law_of(name)), [0.008, 0.5], 1e-7, peaks=2e-5, force=2e-4)
    assert taken[0] == "several modes"


def test_it_converges_and_keeps_account() -> None:
    problem = neighbours(law_of("hertzdamp"))
    fine = carom.ensemble(problem, vary={"gap": [0.006, 0.01]}, rtol=1e-9)
    apart = []
    for rtol in (1e-4, 1e-6, 1e-8):
        some = carom.ensemble(problem, vary={"gap": [0.006, 0.01]}, rtol=rtol)
        apart.append(np.abs(some.extremes[..., 0] / fine.extremes[..., 0] - 1.0).max())
        spent = sum(some.account[f"{name}_energy"] for name in ("kinetic", "strain", "damping", "contact"))
        np.testing.assert_allclose(spent, some.account["input_energy"], rtol=10 * rtol)
    assert apart[0] < 1e-4
    assert apart[1] < 1e-6
    assert apart[2] < 1e-8


def test_three_in_a_row_and_a_wall(taken: list[str]) -> None:
    row = [carom.Oscillator(mass=m, period=t, damping_ratio=0.05) for m, t in ((4600, 0.6), (3500, 0.3), (5200, 0.8))]
    law = law_of("jankowski-2005", 2e9)
    contacts = [carom.Contact(0, 1, gap=0.01, law=law), carom.Contact(1, 2, gap=0.01, law=law)]
    compare(carom.Problem(row, contacts, motion=SHAKE), [0.01, 0.014], 1e-7, peaks=2e-5, force=2e-4)
    wall = carom.Problem(
        [building("tower", 3, 2e7), carom.Wall(name="wall")],
        [carom.Contact(("tower", 3), "wall", gap=0.01, law=law_of("hertzdamp"))], motion=SHAKE,
    )  # fmt: skip
    compare(wall, [0.012], 1e-7, peaks=2e-5, force=2e-4)
    assert set(taken) == {"several modes"}


def test_a_prescribed_motion_brings_energy_in_through_contacts() -> None:
    """A wall fixed in space moves against the ground, and pushes: its work is input, as the general engine has it."""
    wall, left = carom.Wall(name="wall", moving=False), carom.Oscillator(mass=1500.0, period=0.5, damping_ratio=0.07)
    right = carom.Oscillator(mass=9000.0, period=0.9, damping_ratio=0.02)
    law = carom.law("hunt-crossley-1975", stiffness=2e9, restitution=0.8)
    contacts = [carom.Contact(0, 1, gap=0.001, law=law), carom.Contact(1, 2, gap=0.002, law=law)]
    problem = carom.Problem([wall, left, right], contacts, motion=SHAKE)
    quick, general = (carom.simulate(problem, rtol=1e-7, path=path) for path in ("quick", "general"))
    assert quick.evidence["path"] == "several modes"
    whole = general.ledger["input"].max()
    for name, values in general.ledger.items():
        np.testing.assert_allclose(quick.ledger[name], values, atol=1e-5 * whole)


def test_without_tension_contacts_end_at_no_force() -> None:
    law = law_of("kelvin-voigt").replace(tension=False)
    compare(neighbours(law), [0.008], 1e-7, peaks=2e-5, force=2e-4)


def test_twins_and_runs_that_never_meet_are_equal() -> None:
    many = carom.ensemble(neighbours(law_of("hertz")), vary={"gap": [0.01, 3.0]}, twin=True)
    ratios = many.dataset.displacement_ratio.sel(gap=3.0).values
    np.testing.assert_array_equal(ratios, 1.0)
    assert (many.dataset.displacement_ratio.sel(gap=0.01).values != 1.0).any()


def test_modes_that_are_quicker_than_contacts_are_left_to_the_general_engine(taken: list[str]) -> None:
    stiff = [building("left", 3, 2e7), building("right", 2, 4e12)]
    problem = carom.Problem(stiff, [carom.facing("left", "right", gap=0.01, law=law_of("hertzdamp"))], motion=SHAKE)
    many = carom.ensemble(problem, vary={"gap": [0.01]}, rtol=1e-6)
    assert taken == ["several modes", "general"]
    np.testing.assert_array_equal(many.extremes[0], carom.simulate(problem, rtol=1e-6, path="general").extremes)


@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    name=st.sampled_from(NAMES), tall=st.integers(2, 5), low=st.integers(1, 4), gap=st.floats(0.002, 0.03),
    scale=st.floats(0.3, 2.0), restitution=st.floats(0.3, 0.95),
)  # fmt: skip
def test_any_buildings_balance_their_energy_and_agree(
    name: str, tall: int, low: int, gap: float, scale: float, restitution: float
) -> None:
    problem = neighbours(law_of(name, restitution=restitution), tall, low, motion=SHAKE.scaled(factor=scale))
    many = carom.ensemble(problem, vary={"gap": [gap]}, rtol=1e-6)
    assert many.failed == 0
    spent = sum(many.account[f"{part}_energy"][0] for part in ("kinetic", "strain", "damping", "contact"))
    assert spent == pytest.approx(many.account["input_energy"][0], rel=1e-4)
    one = carom.simulate(problem.replace(gap=gap), rtol=1e-8, path="general")
    moved = carom.simulate(problem.replace(gap=gap * (1 + 1e-7)), rtol=1e-8, path="general")
    shaky = np.abs(moved.extremes[:, 0] / one.extremes[:, 0] - 1.0).max() / 1e-7
    rough = carom.simulate(
        problem.replace(gap=gap), rtol=1e-6, path="general"
    )  # a graze may be a touch at one tolerance alone
    grazed = 3.0 * np.abs(rough.extremes[:, 0] / one.extremes[:, 0] - 1.0).max()
    assert np.abs(many.extremes[0, :, 0] / one.extremes[:, 0] - 1.0).max() < 2e-6 * max(10.0, shaky) + grazed
