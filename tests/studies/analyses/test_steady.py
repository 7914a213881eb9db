"""Steady impacts: the closed form of mahmoud2008's towers, which tests.cases hold against the equations of motion."""

from __future__ import annotations

import numpy as np
import pytest

import carom
from carom.cases.mahmoud2008 import towers
from carom.results import Kind
from carom.studies.analyses.steady import steady_impacts


def pair(gap: float = towers.GAP) -> carom.Problem:
    """The two towers, with impacts that take no time."""
    sides = [
        carom.Oscillator(mass=m, frequency=f, damping_ratio=ratio, name=name)
        for m, f, ratio, name in zip(towers.MASS, towers.FREQUENCY, towers.DAMPING, ("left", "right"), strict=True)
    ]
    return carom.Problem(
        sides, [carom.Contact("left", "right", gap=gap, law=carom.law("newton", restitution=0.6))]
    )  # fmt: skip


@pytest.fixture(scope="module")
def found():
    return steady_impacts(pair(), [1.5, 2.25, 3.0, 3.5], 2.6)


def test_velocities_are_those_of_the_closed_form(found) -> None:
    assert found.pattern.tolist() == [0, 2, 1, 1]
    for f, v, n in zip(found.frequency[1:], found.velocity[1:], (2, 1, 1), strict=True):
        assert v == pytest.approx(towers.orbits(float(f), n, 0.6, 2.6)[0].velocity, rel=3e-3)
    assert found.velocity[0] == 0.0


def test_its_section(found) -> None:
    section = found.section()
    (figure,) = section.figures
    assert [curve.label for curve in figure.panels[0].curves] == ["1 impact in 1 cycle", "1 impact in 2 cycles"]
    assert all(curve.kind is Kind.POINTS for curve in figure.panels[0].curves)
    assert len(section.tables[0].rows) == 4
    assert section.paragraphs[0].startswith(found.contact)
    assert "at 3 Hz" in section.paragraphs[1] or "at 3.5 Hz" in section.paragraphs[1]
    apart = steady_impacts(pair(gap=1.0), [3.0], "0.1 g", settling=1.0).section()
    assert apart.paragraphs[1] == "Nothing touches in the steady state."
    assert apart.figures == ()


def test_the_contact_that_is_hit_fastest_answers() -> None:
    """The lowest floors of two buildings stay apart while the highest meet."""
    sides = [
        carom.ShearBuilding(masses=[2e5] * 2, stiffnesses=[k] * 2, damping_ratio=0.1, name=name)
        for k, name in ((5e7, "left"), (2e8, "right"))
    ]
    both = carom.facing("left", "right", gap=0.03, law=carom.law("newton", restitution=0.6))
    problem = carom.Problem(sides, [both])
    found = steady_impacts(problem, [1.5], "0.1 g", settling=3.0)
    low, high = (steady_impacts(problem, [1.5], "0.1 g", settling=3.0, contact=c) for c in (0, 1))
    assert high.velocity[0] > low.velocity[0] == 0.0
    assert found.contact == high.contact == "left floor 2 | right floor 2"
    assert found.velocity.tolist() == high.velocity.tolist()
    assert [label for label, _, _ in found.fastest] == [high.contact, low.contact]
    section = found.section()
    assert "under a sine of 0.1 g" in section.paragraphs[0]
    assert "The other contact is not hit faster." in section.paragraphs[1]
    assert section.tables[0].rows[1] == ("left floor 1 | right floor 1", 0.0, None)


def test_a_run_that_fails_is_counted_and_no_point(monkeypatch: pytest.MonkeyPatch) -> None:
    import dataclasses

    from carom.studies.analyses import steady

    real = steady.simulate

    def failing(problem: carom.Problem, **options: object) -> object:
        return dataclasses.replace(real(problem, **options), outcome=carom.Outcome.NOT_FINITE)

    monkeypatch.setattr(steady, "simulate", failing)
    found = steady_impacts(pair(), [3.0], 2.6, settling=1.0)
    assert np.isnan(found.velocity[0])
    assert found.section().cautions == ("1 of 1 runs failed: no point stands for them.",)


def test_refusals() -> None:
    with pytest.raises(carom.InputError, match="must be a label, or a number from 0 to 0"):
        steady_impacts(pair(), [3.0], 2.6, contact=1)
    with pytest.raises(carom.InputError, match="at least 1"):
        steady_impacts(pair(), [3.0], 2.6, cycles=0)
    loose = carom.Problem(
        [carom.Oscillator(mass=1.0, frequency=1.0, name="a"), carom.Oscillator(mass=1.0, frequency=2.0, name="b")],
        [carom.Contact("a", "b", gap=0.1, law=carom.law("newton", restitution=0.6))],
    )
    with pytest.raises(carom.InputError, match="needs structures with damping"):
        steady_impacts(loose, [3.0], 2.6)
