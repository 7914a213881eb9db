"""Penalty laws against rigid contact: where they meet, and where they do not."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import carom
from carom.plots import plot_penalty

STIFF = (1e8, 1e10, 1e12)


def pull_back() -> carom.Problem:
    sides = [
        carom.Oscillator(mass=m, stiffness=k, damping_ratio=0.005, name=n)
        for m, k, n in ((4600.0, 2.11e6, "left"), (3500.0, 5.31e6, "right"))
    ]
    contact = carom.Contact("left", "right", gap=0.02, law=carom.law("newton", restitution=0.6))
    return carom.Problem(sides, [contact], initial_displacement={"left": -0.024})


def cradle(law, gap=0.0) -> carom.Problem:
    names = ("a", "b", "c")
    contacts = [carom.Contact(x, y, gap=gap, law=law) for x, y in pairwise(names)]
    return carom.Problem([carom.Body(mass=1.0, name=n) for n in names], contacts, initial_velocity={"a": 1.0})


def test_separate_impacts_converge_as_the_contact_stiffens():
    found = carom.compare(pull_back(), stiffnesses=STIFF, laws=["kelvin-voigt", "hunt-crossley-exact"], duration=1.0)
    errors = found.values["history"]
    assert np.all(errors[:, 1:] < 0.3 * errors[:, :-1])
    assert errors[0, -1] < 4e-3
    assert errors[1, -1] < 0.03
    assert not found.together
    assert found.agreement(0.01)["kelvin-voigt"] is not None
    assert "steps in contact" in found.words[0]
    assert found.to_xarray()["history"].dims == ("law", "stiffness")


def test_laws_of_different_exponents_have_equal_elastic_peaks():
    """The witness is a single impact of each law without damping, at the speed of the rigid run."""
    names = ["linear", "hertz"]
    found = carom.compare(pull_back(), stiffnesses=["1 kN/mm", 1e8], laws=names, restitution=1.0, duration=0.5)
    assert found.stiffnesses == pytest.approx([1e6, 1e8])
    assert found.own[0] == pytest.approx(found.stiffnesses)
    speed = float(np.median(found.rigid.table["approach_velocity"]))
    mass = 1.0 / (1.0 / 4600.0 + 1.0 / 3500.0)
    for j in range(2):
        peaks = [
            carom.impact(carom.law(name, stiffness=found.own[i, j]), mass=mass, velocity=speed).peak_force
            for i, name in enumerate(names)
        ]
        assert peaks[0] == pytest.approx(peaks[1], rel=1e-6)
    assert found.to_xarray()["own_stiffness"].dims == ("law", "stiffness")


def spring_chain() -> np.ndarray:
    """Velocities after: three unit masses, springs that only push between them, by SciPy."""

    def rates(t, y):
        forces = 1e6 * np.maximum(y[:2] - y[1:3], 0.0)
        return np.concatenate([y[3:], [-forces[0], forces[0] - forces[1], forces[1]]])

    return solve_ivp(rates, (0.0, 0.02), [0, 0, 0, 1.0, 0, 0], rtol=1e-11, atol=1e-14, max_step=1e-5).y[3:, -1]


def test_a_touching_chain_does_not():
    """Springs leave −0.13, 0.15, 0.98 whatever their stiffness, Newton's law −1/3, 2/3, 2/3."""
    expected = spring_chain()
    assert expected == pytest.approx([-0.13, 0.15, 0.98], abs=6e-3)
    for stiffness in (1e6, 1e10):
        soft = carom.simulate(cradle(carom.law("linear", stiffness=stiffness), 1e-12), duration=0.1, sampling=0.01)
        assert soft.velocity[-1] == pytest.approx(expected, abs=1e-5)
    rigid = cradle(carom.law("newton", restitution=1.0))
    found = carom.compare(rigid, stiffnesses=STIFF, laws=["linear"], restitution=1.0, duration=0.1, sampling=0.01)
    assert found.rigid.velocity[-1] == pytest.approx([-1 / 3, 2 / 3, 2 / 3], abs=1e-12)
    assert found.values["history"].min() > 0.2
    assert found.agreement()["linear"] is None
    assert found.together
    assert "wave" in found.words[-1]


def test_one_law_and_stiffnesses_in_any_order():
    one = carom.compare(pull_back(), stiffnesses="100 kN/mm", laws="kelvin-voigt", duration=0.5)
    assert (one.laws, one.stiffnesses.tolist()) == (("kelvin-voigt",), [1e8])
    told = f"nearest with 1e+08 N/m, {100.0 * one.values['history'][0, 0]:.2g} %"
    assert told in str(one)
    several = carom.compare(pull_back(), stiffnesses=[1e12, "100 kN/mm"], laws=["kelvin-voigt"], duration=0.5)
    assert several.stiffnesses.tolist() == [1e8, 1e12]
    assert several.agreement()["kelvin-voigt"] == 1e12
    with pytest.raises(carom.InputError, match=r'may mean "100\.5 kN/mm"'):
        carom.compare(pull_back(), stiffnesses="100,5 kN/mm", duration=0.1)


def test_a_law_without_a_run_says_so():
    found = carom.compare(pull_back(), stiffnesses=1e8, laws="kelvin-voigt", duration=0.2)
    none = replace(found, values={**found.values, "history": np.full((1, 1), np.nan)})
    assert "kelvin-voigt: no run finished, or the law cannot give e = 0.6." in str(none)
    assert "(1 impact)" in str(none)


def test_the_picture_has_a_curve_per_law():
    found = carom.compare(pull_back(), stiffnesses=STIFF[:2], laws=["kelvin-voigt"], duration=0.5)
    axes = plot_penalty(found)
    assert [line.get_label() for line in axes.lines] == ["kelvin-voigt", "1 %"]


def test_refusals():
    with pytest.raises(carom.InputError, match="contacts"):
        carom.compare(pull_back().replace(contacts=[]), stiffnesses=STIFF, duration=1.0)
    with pytest.raises(carom.InputError, match="needs `restitution`"):
        carom.compare(cradle(carom.law("hertz", stiffness=1e6)), stiffnesses=STIFF, duration=1.0)
    with pytest.raises(carom.InputError, match="with a stiffness"):
        carom.compare(pull_back(), stiffnesses=STIFF, laws=["newton"], duration=0.1)
    with pytest.raises(carom.InputError, match="Did you mean 'kelvin-voigt'"):
        carom.compare(pull_back(), stiffnesses=STIFF, laws=["kelvin-voight"], duration=0.1)
    with pytest.raises(carom.InputError, match="convertible to N/m"):
        carom.compare(pull_back(), stiffnesses=["2e9 N/m^1.5"], duration=0.1)
