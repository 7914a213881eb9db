"""Separation: the gap needed against runs that touch and do not, the rules against their closed forms."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.linalg import solve_continuous_lyapunov

import carom
from carom.errors import InputError
from carom.plots.studies.separation import plot_study_separation
from carom.studies.analyses import ANALYSES
from carom.studies.analyses.separation import correlation, gap_for, rule_gaps, separation
from carom.studies.analyses.separation_study import StudySeparation
from carom.studies.analyses.suite import suite_table
from tests.studies.analyses.tables import found_by, table_of
from tests.studies.analyses.test_amplification import neighbours

MOTIONS = carom.motions.suite("thirty")[::4]


def test_just_below_the_gap_needed_they_touch_and_just_above_they_do_not() -> None:
    """The witness is the engine's own search for touches, which shares nothing with that for the largest closing."""
    found = separation(neighbours(0.05), MOTIONS, scale=0.8)
    gaps = np.concatenate([found.needed * (1.0 - 1e-5), found.needed * (1.0 + 1e-5)])
    many = carom.ensemble(
        neighbours(0.05), zip={"gap": gaps, "motion": list(MOTIONS) * 2, "scale": [0.8] * gaps.size},
    )  # fmt: skip
    impacts = many.account["impacts"].reshape(2, -1)
    assert np.all(impacts[0] > 0.0)
    assert np.all(impacts[1] == 0.0)
    peaks = [carom.response_spectrum(m, [0.3, 0.7], 0.05).sd for m in MOTIONS]
    np.testing.assert_allclose(found.peaks, 0.8 * np.array(peaks), rtol=1e-6)


def test_floors_and_walls() -> None:
    tall = carom.ShearBuilding(masses=[1e5] * 3, stiffnesses=[2e8] * 3, damping_ratio=0.05, name="tall")
    law = carom.law("hertz", stiffness=1e9)
    contact = carom.Contact("wall", ("tall", 2), gap=0.05, law=law)
    problem = carom.Problem([carom.Wall(name="wall"), tall], [contact], motion=MOTIONS[0])
    found = separation(problem, MOTIONS[:3], refine=2)
    assert found.rho == 0.0
    for i, motion in enumerate(MOTIONS[:3]):
        for factor, hits in ((1.0 - 1e-5, True), (1.0 + 1e-5, False)):
            run = carom.simulate(problem.replace(motion=motion, gap=float(found.needed[i]) * factor))
            assert (run.table["start"].size > 0) is hits


def test_every_contact_is_answered_for_and_the_largest_need_comes_first() -> None:
    """The witness of each contact is the same question put to it alone."""
    tall = carom.ShearBuilding(masses=[1e5] * 3, stiffnesses=[2e8] * 3, damping_ratio=0.05, name="tall")
    low = carom.ShearBuilding(masses=[1e5] * 2, stiffnesses=[4e8] * 2, damping_ratio=0.05, name="low")
    law = carom.law("hertz", stiffness=1e9)
    sign = carom.Structure([1e3], [[1e6]], influence=[0.0], damping_ratio=0.05, name="sign")
    across = carom.Contact(("low", 2), "sign", gap=9.0, law=law, name="across")
    floors = carom.facing("tall", "low", gap=(0.05, 0.01), law=law)
    problem = carom.Problem([tall, low, sign], [floors, across], motion=MOTIONS[0])
    found = separation(problem, MOTIONS[:3])
    assert [one.contact for one in found.contacts] == ["tall floor 2 | low floor 2", "tall floor 1 | low floor 1"]
    assert [one.gap for one in found.contacts] == [0.01, 0.05]
    assert found.needed.max() > found.others[0].needed.max()
    for number, one in zip((1, 0), found.contacts, strict=True):
        alone = separation(problem, MOTIONS[:3], contact=number)
        np.testing.assert_array_equal(alone.needed, one.needed)
        np.testing.assert_array_equal(alone.peaks, one.peaks)
        assert alone.others == ()
    assert (
        separation(problem, MOTIONS[:3], contact="tall floor 1 | low floor 1").contact == "tall floor 1 | low floor 1"
    )
    (told,) = found.section().cautions
    assert "across are not shaken alike" in told
    with pytest.raises(InputError, match="same ground"):
        separation(problem, MOTIONS[:3], contact=2)


@pytest.mark.parametrize(("periods", "damping"), [((0.3, 0.7), (0.05, 0.05)), ((1.0, 0.9), (0.02, 0.1))])
def test_correlation_is_that_under_white_noise(periods: tuple[float, float], damping: tuple[float, float]) -> None:
    """Covariance of both oscillators from Lyapunov's equation."""
    a = np.zeros((4, 4))
    for i, (period, zeta) in enumerate(zip(periods, damping, strict=True)):
        w = 2.0 * math.pi / period
        a[2 * i, 2 * i + 1], a[2 * i + 1, 2 * i], a[2 * i + 1, 2 * i + 1] = 1.0, -w * w, -2.0 * zeta * w
    b = np.array([0.0, 1.0, 0.0, 1.0])
    s = solve_continuous_lyapunov(a, -np.outer(b, b))
    assert correlation(periods, damping) == pytest.approx(s[0, 2] / math.sqrt(s[0, 0] * s[2, 2]), rel=1e-10)


def test_rules_by_hand() -> None:
    found = rule_gaps(3.0, 4.0, 0.5)
    assert found == {"absolute sum": 7.0, "SRSS": 5.0, "0.7 SRSS": 3.5, "DDC": pytest.approx(math.sqrt(13.0))}
    assert rule_gaps(3.0, 3.0, 1.0)["DDC"] == 0.0  # twins move together


def test_equal_structures_need_no_gap() -> None:
    problem = neighbours(0.05)
    twin = problem.structure("left").replace(name="right")
    problem = problem.replace(structures=(problem.structure("left"), twin))
    found = separation(problem, MOTIONS[:2])
    assert found.rho == 1.0
    assert np.all(found.needed < 1e-15)
    assert found.section().tables


def test_gap_for_a_probability_by_counting() -> None:
    needed = [0.1, 0.4, 0.2, 0.3, 0.5]
    for p in (0.0, 0.1, 0.2, 0.39, 0.4, 0.9):
        gap = gap_for(needed, p)
        assert sum(g > gap for g in needed) <= p * 5 + 1e-9
        assert sum(g > gap * (1.0 - 1e-12) for g in needed) > p * 5


def test_of_a_study() -> None:
    gaps = np.linspace(0.02, 0.5, 13)
    table = suite_table(neighbours(0.05), MOTIONS, vary={"gap": gaps})
    needed = separation(neighbours(0.05), MOTIONS)
    result = found_by(
        "separation", StudySeparation, table,
        {"between": ["left", "right"], "periods": [0.3, 0.7], "damping": 0.05, "resamples": 100},
    )  # fmt: skip
    np.testing.assert_allclose(result.touching, [needed.touching(gap) for gap in gaps])
    assert abs(result.gaps[-1] - needed.gaps[-1]) < gaps[1] - gaps[0] + 0.02
    assert result.rules["SRSS"][0] == pytest.approx(float(needed.rules["SRSS"].mean()), rel=1e-6)
    assert result.rules["absolute sum"][2] == 0.0  # never too small
    section = result.section()
    assert section.paragraphs[0] == result.answer
    assert f"in 50 % of the runs at a gap of {1e3 * result.gaps[-1]:.3g} mm" in result.answer
    # the same gaps as factors on the scenario's are no metres
    scaled = replace(table, study={"parameters": {"gap": {"factor": True}}})
    result = found_by("separation", StudySeparation, scaled, {"resamples": 100})
    assert f"in 50 % of the runs at {result.gaps[-1]:.3g} times the scenario's gap" in result.answer
    assert result.section().tables[0].head[0] == "factor on the gap"
    assert plot_study_separation(result).get_xlabel() == "Factor on the gap [–]"
    with pytest.raises(InputError, match="needs gaps in metres"):
        ANALYSES.get("separation").run(scaled, {"between": ["left", "right"]})


def test_of_a_study_whose_gaps_are_all_closed() -> None:
    result = found_by("separation", StudySeparation, table_of(gap=[0.1, 0.2], impacts=[1, 2]), {"resamples": 10})
    assert result.answer == (
        "Contact in 100 % of the runs at a gap of 100 mm, the least gap, and in 100 % of the runs at a gap of 200 mm, "
        "the largest."
    )


def test_refusals() -> None:
    problem = neighbours(0.05)
    with pytest.raises(InputError, match="needs a problem with contacts"):
        separation(problem.replace(contacts=()), MOTIONS)
    with pytest.raises(InputError, match="from 0 to 0"):
        separation(problem, MOTIONS, contact=3)
    with pytest.raises(InputError, match="at least one"):
        separation(problem, [])
    with pytest.raises(InputError, match="must be positive"):
        correlation((0.0, 1.0), (0.05, 0.05))
    with pytest.raises(InputError, match="has one value"):
        ANALYSES.get("separation").run(table_of(gap=[0.1, 0.1], impacts=[1, 0]), {})
    with pytest.raises(InputError, match="two structures"):
        ANALYSES.get("separation").run(table_of(gap=[0.1, 0.2], impacts=[1, 0]), {"between": "left"})


def test_the_gap_needed_under_three_components() -> None:
    """Floors that turn, touching at a corner: just below the gap needed they touch, just above they do not."""
    t = 0.01 * np.arange(400)
    fade = np.minimum(t, 1.0) * np.exp(-np.maximum(t - 2.5, 0.0))
    shakes = [carom.Motion(a * np.sin(w * t) * fade, 0.01) for a, w in ((1.0, 15.0), (9.0, 17.0), (1.0, 22.0))]

    def floor(name: str, arm: float, stiffness: float) -> carom.Structure:
        return carom.Structure(
            [2e4, 2e4, 9e4], [[stiffness, 0, -1e6], [0, 6e6, 2e6], [-1e6, 2e6, 4e7]], damping_ratio=0.03, name=name,
            dofs=["ux", "uy", "rz"], influence=[[1, 0, 0], [0, 1, 0], [0, 0, 0]],
            points={"corner": carom.Point((arm, 2, 4), x={"ux": 1, "rz": -2}, y={"uy": 1, "rz": arm})},
        )  # fmt: skip

    law = carom.law("kelvin-voigt", stiffness=5e8, restitution=0.6)
    corner = carom.Contact(("left", "corner", "x"), ("right", "corner"), gap=1.0, law=law)
    problem = carom.Problem([floor("left", 3, 8e6), floor("right", -3, 1.4e7)], [corner])
    both = carom.MotionSet(tuple(shakes))
    found = separation(problem, [shakes[0], both, both.scaled(factor=2.0)])
    assert found.needed[2] == pytest.approx(2.0 * found.needed[1], rel=1e-6)
    assert abs(found.needed[1] / found.needed[0] - 1.0) > 0.05
    for motion, needed in zip([shakes[0], both], found.needed, strict=False):
        for share, touches in ((1.0 - 1e-4, True), (1.0 + 1e-4, False)):
            run = carom.simulate(problem.replace(gap=float(share * needed), motion=motion))
            assert (run.table["start"].size > 0) == touches
