"""Single impacts against closed forms, limits and the refusals a user meets."""

from __future__ import annotations

import math

import numpy as np
import pytest
from tests.naive import LAWS, naive_impact

import carom

E = [0.01, 0.05, 0.1, 0.3, 0.5, 0.65, 0.8, 0.95, 0.99, 0.999]


def test_linear_spring_is_half_a_sine() -> None:
    k, m, v = 3.2e7, 1.7, 0.31
    hit = carom.impact(carom.law("linear", stiffness=k), mass=m, velocity=v)
    omega = math.sqrt(k / m)
    assert hit.duration == pytest.approx(math.pi / omega, rel=1e-9)
    assert hit.peak_overlap == pytest.approx(v / omega, rel=1e-9)
    assert hit.peak_force == pytest.approx(v * math.sqrt(k * m), rel=1e-9)
    assert hit.restitution == pytest.approx(1.0, abs=1e-9)
    history = hit.sample(np.linspace(0.0, hit.duration, 17))
    np.testing.assert_allclose(history.overlap, v / omega * np.sin(omega * history.time), atol=1e-9 * v / omega)


def test_hertz_closed_form() -> None:
    """Peak by energy; duration 2δ/v ∫dx/√(1−x^{5/2}) = 2.94327… δ/v."""
    k, m, v = 2.46e10, 0.54, 0.5
    hit = carom.impact(carom.law("hertz", stiffness=k), mass=m, velocity=v)
    overlap = (5 * m * v**2 / (4 * k)) ** 0.4
    ratio = 2 * math.sqrt(math.pi) * math.gamma(1.4) / math.gamma(0.9)
    assert hit.peak_overlap == pytest.approx(overlap, rel=1e-9)
    assert hit.peak_force == pytest.approx(k * overlap**1.5, rel=1e-9)
    assert hit.duration == pytest.approx(ratio * overlap / v, rel=1e-9)


@pytest.mark.parametrize("e", E)
@pytest.mark.parametrize("n", [1.0, 1.5, 2.0, 2.7])
def test_exact_hunt_crossley_returns_what_is_asked(n: float, e: float) -> None:
    law = carom.law("hunt-crossley-exact", stiffness=2e9, exponent=n, restitution=e)
    assert carom.impact(law, mass=3.0, velocity=0.2).restitution == pytest.approx(e, abs=1e-9)


@pytest.mark.parametrize("n", [1.0, 1.5, 2.0])
def test_nearly_plastic_impacts_are_exact_and_balanced(n: float) -> None:
    """The error estimate is blind to the ends of such an impact; a dense row of e leaves no gap to slip through."""
    e = np.geomspace(0.001, 0.1, 4000)
    law = carom.law("hunt-crossley-exact", stiffness=2e9, exponent=n, restitution=e)
    many = carom.impact(law, mass=3.0, velocity=0.2)
    np.testing.assert_allclose(many.restitution, e, rtol=0.0, atol=1e-9)
    np.testing.assert_allclose(many.approach_loss + many.restitution_loss, many.energy_lost, rtol=0.0, atol=6e-11)


def test_many_exponents_at_once() -> None:
    law = carom.law("hunt-crossley-exact", stiffness=2e9, exponent=[1.0, 1.5, 2.0], restitution=0.4)
    np.testing.assert_allclose(carom.impact(law, mass=3.0, velocity=0.2).restitution, 0.4, atol=1e-9)


@pytest.mark.parametrize("e", E)
@pytest.mark.parametrize("name", ["tsuji-1992", "kelvin-voigt"])
def test_exact_relations_return_what_is_asked(name: str, e: float) -> None:
    law = carom.law(name, stiffness=2e9, restitution=e)
    assert carom.impact(law, mass=3.0, velocity=0.2).restitution == pytest.approx(e, abs=1e-9)


@pytest.mark.parametrize("e", [0.05, 0.3, 0.65, 0.95])
def test_kelvin_voigt_closed_form(e: float) -> None:
    """Damped oscillation: duration π/ω_d, e of both endings, the energy kept when contact ends at F = 0."""
    k, m, v = 4.9e7, 1.8, 0.13
    zeta = -math.log(e) / math.hypot(math.pi, math.log(e))
    omega = math.sqrt(k / m)
    damped = omega * math.sqrt(1 - zeta**2)
    hit = carom.impact(carom.law("kelvin-voigt", stiffness=k, restitution=e), mass=m, velocity=v)
    assert hit.duration == pytest.approx(math.pi / damped, rel=1e-9)
    free = carom.impact(carom.law("kelvin-voigt", stiffness=k, restitution=e, tension=False), mass=m, velocity=v)
    # F = 0 ⇔ acceleration 0: t = (π − 2·arcsin ζ … ) from a(t) = 0 of the free damped oscillation
    t = math.atan2(2 * zeta * math.sqrt(1 - zeta**2), 2 * zeta**2 - 1) / damped
    rate = v * math.exp(-zeta * omega * t) * (math.cos(damped * t) - zeta * omega / damped * math.sin(damped * t))
    assert free.duration == pytest.approx(t, rel=1e-8)
    assert free.restitution == pytest.approx(-rate / v, abs=1e-9)
    assert free.restitution > e
    assert free.end_overlap > 0.0


def test_peak_of_kelvin_voigt_may_be_at_touch() -> None:
    law = carom.law("kelvin-voigt", stiffness=1e6, damping=0.8)
    hit = carom.impact(law, mass=1.0, velocity=1.0)
    assert hit.peak_force == pytest.approx(2 * 0.8 * 1e3, rel=1e-12)
    assert hit.peak_force_time == 0.0


def test_hunt_crossley_first_integral() -> None:
    """Largest overlap from u du/(1+du) = −K δⁿ dδ/(m v0²)."""
    k, m, v, d = 7e8, 2.0, 1.3, 2.5
    hit = carom.impact(carom.law("flores-2011", stiffness=k, damping=d), mass=m, velocity=v)
    overlap = (2.5 * m * v**2 / k * (1 / d - math.log(1 + d) / d**2)) ** 0.4
    assert hit.peak_overlap == pytest.approx(overlap, rel=1e-9)


@pytest.mark.parametrize("velocity", [1e-8, 1e-5, 1e-2, 10.0, 1e3])
def test_very_slow_and_very_fast(velocity: float) -> None:
    law = carom.law("tsuji-1992", stiffness=1e10, restitution=0.42)
    hit = carom.impact(law, mass=5.0, velocity=velocity)
    assert hit.restitution == pytest.approx(0.42, abs=1e-9)
    assert hit.peak_overlap == pytest.approx(0.0, abs=velocity)


def test_gravity_agrees_with_the_naive_implementation() -> None:
    """papi2022's ball, where gravity is felt: e = 0.5 asked gives 0.5082."""
    k, m, v = 4.91e7, 1.763, 0.13
    hit = carom.impact(carom.law("papi-2022", stiffness=k, restitution=0.5), mass=m, velocity=v, gravity=9.8)
    slow = naive_impact(LAWS["papi-2022"](k, 0.5, m, v), m, v, gravity=9.8, span=4e-3)
    for key, value in slow.items():
        assert getattr(hit, key) == pytest.approx(value, rel=1e-8), key
    assert hit.restitution == pytest.approx(0.5082, abs=1e-4)


def test_pendulum_adds_its_restoring_term() -> None:
    """A linear spring and a pendulum are one stiffer spring: ω² = k/m + g/l."""
    k, m, v, length = 40.0, 2.0, 0.5, 0.3
    hit = carom.impact(carom.law("linear", stiffness=k), mass=m, velocity=v, pendulum_length=length)
    assert hit.duration == pytest.approx(math.pi / math.sqrt(k / m + 9.80665 / length), rel=1e-9)


def test_gravity_holds_a_slow_body() -> None:
    law = carom.law("lankarani-nikravesh-1990", stiffness=1e6, restitution=0.3)
    hit = carom.impact(law, mass=50.0, velocity=0.01, gravity=9.81)
    assert hit.status == "held"
    assert hit.duration == math.inf
    assert hit.restitution == 0.0
    assert hit.peak_force > 50 * 9.81


def test_touch_without_speed() -> None:
    """A body set down gently: with v* = ½ max δ̇ the largest overlap lies between the static and the elastic one."""
    k, m, g = 1e8, 10.0, 9.81
    static = (m * g / k) ** (2 / 3)
    elastic = carom.impact(carom.law("hertz", stiffness=k), mass=m, velocity=0.0, gravity=g)
    assert elastic.peak_overlap == pytest.approx(2.5 ** (2 / 3) * static, rel=1e-8)
    damped = carom.impact(carom.law("hertzdamp", stiffness=k, restitution=0.5), mass=m, velocity=0.0, gravity=g)
    assert damped.status == "held"
    assert static < damped.peak_overlap < elastic.peak_overlap
    tiny = carom.impact(carom.law("hertzdamp", stiffness=k, restitution=0.5), mass=m, velocity=1e-12, gravity=g)
    assert tiny.peak_overlap == pytest.approx(damped.peak_overlap, rel=1e-6)
    glued = carom.law("hertzdamp", stiffness=k, restitution=0.5, v0="published")
    assert carom.impact(glued, mass=m, velocity=1e-6, gravity=g).peak_overlap < 0.9 * damped.peak_overlap


@pytest.mark.parametrize(("name", "damping"), [("kelvin-voigt", 1.0), ("kelvin-voigt", 5.0), ("tsuji-1992", 2.3)])
def test_overdamped_contact_is_plastic(name: str, damping: float) -> None:
    hit = carom.impact(carom.law(name, stiffness=1e8, damping=damping), mass=1.0, velocity=1.0)
    assert hit.status == "plastic"
    assert hit.restitution == 0.0
    assert hit.duration == math.inf
    assert hit.energy_lost == 0.5


@pytest.mark.parametrize(("name", "damping"), [("kelvin-voigt", 100.0), ("kelvin-voigt", 1e3), ("tsuji-1992", 100.0)])
def test_overdamped_contact_is_not_looped_on(name: str, damping: float) -> None:
    """Its way back takes for ever: known where it turns. The history goes on."""
    hit = carom.impact(carom.law(name, stiffness=1e8, damping=damping), mass=1.0, velocity=0.3)
    assert hit.status == "plastic"
    assert hit.steps < 100
    assert np.isfinite(hit.history.force).all()


@pytest.mark.parametrize("rtol", [1e-7, 1e-8, 1e-9, 1e-10])
@pytest.mark.parametrize("name", ["kuwabara-kono-1987", "tsuji-1992", "bordbar-hyppanen-2007", "ristow-1992"])
def test_the_end_without_tension_is_not_missed(name: str, rtol: float) -> None:
    """F = 0 lies just before δ = 0, where F = 0 again: a step that lands there must not pass over it."""
    law = carom.law(name, stiffness=2e9, restitution=0.99, tension=False).calibrated(mass=3.0, velocity=0.2)
    hit = carom.impact(law, mass=3.0, velocity=0.2, rtol=rtol)
    assert hit.end_overlap > 0.0
    assert hit.restitution == pytest.approx(0.99, abs=max(rtol, 1e-8))


def test_two_bodies_have_their_effective_mass() -> None:
    law = carom.law("flores-2011", stiffness=5.5e9, restitution=0.7)
    pair = carom.impact(law, masses=(0.092, 0.3), velocity=0.3)
    one = carom.impact(law, mass=0.092 * 0.3 / 0.392, velocity=0.3)
    assert pair.peak_force == one.peak_force


def test_drop_is_a_velocity_and_gravity() -> None:
    law = carom.law("hertz", stiffness=1e10)
    fall = carom.impact(law, mass="440 mg", drop="2 in")
    same = carom.impact(law, mass=4.4e-4, velocity=math.sqrt(2 * 9.80665 * 0.0508), gravity=9.80665)
    assert fall.peak_force == pytest.approx(same.peak_force, rel=1e-12)


def test_tolerance_converges() -> None:
    law = carom.law("jankowski-2005", stiffness=2.75e9, restitution=0.6)
    exact = carom.impact(law, mass=570.0, velocity=0.5, rtol=1e-13)
    errors = [
        abs(carom.impact(law, mass=570.0, velocity=0.5, rtol=rtol).restitution - exact.restitution)
        for rtol in (1e-4, 1e-6, 1e-8, 1e-10)
    ]
    assert errors[0] > errors[2]
    for rtol, error in zip((1e-4, 1e-6, 1e-8, 1e-10), errors, strict=True):
        assert error < 3 * rtol


def test_validity_is_watched() -> None:
    law = carom.law("flores-2011", stiffness=2.41e10, restitution=0.917)
    with pytest.warns(carom.CaromWarning, match="yield force 42 N"):
        hit = carom.impact(law, mass=0.54, velocity=0.094, yield_force=42)
    assert any("yield" in note for note in hit.notes)
    with pytest.warns(carom.CaromWarning, match="wave speed"):
        carom.impact(law, mass=0.54, velocity=0.5, wave_speed="5100 m/s")
    assert not carom.impact(law, mass=0.54, velocity=0.01, wave_speed=5100, yield_force=6674).notes


def test_restitution_a_law_is_not_meant_for_warns() -> None:
    """alves2015 section 3: Lankarani and Nikravesh's law is for nearly elastic impacts, e above 0.7."""
    law = carom.law("hertzdamp", stiffness=1e9, restitution=0.3)
    with pytest.warns(carom.CaromWarning, match=r"restitution 0.3 is outside \[0.7, 1\]"):
        hit = carom.impact(law, mass=1.0, velocity=0.5)
    assert "calibrated" in hit.notes[0]
    calibrated = law.calibrated(mass=1.0, velocity=0.5)
    assert not carom.impact(calibrated, mass=1.0, velocity=0.5).notes


def test_validity_of_many_impacts_is_watched() -> None:
    law = carom.law("flores-2011", stiffness=2.41e10, restitution=0.917)
    with pytest.warns(carom.CaromWarning) as said:
        carom.impact(law, mass=0.54, velocity=[0.001, 0.5], yield_force=42, wave_speed=5100)
    assert len(said) == 2


def test_empirical_law_is_calibrated_and_says_so() -> None:
    hit = carom.impact(carom.law("ristow-1992", stiffness=1e9, restitution=0.7), mass=1.0, velocity=0.5)
    assert hit.restitution == pytest.approx(0.7, abs=1e-8)
    assert "calibration" in hit.notes[0]


def test_ristow_depends_on_velocity() -> None:
    """references: one χ runs from 0.85 to 0.16 over 0.05-5 m/s."""
    law = carom.law("ristow-1992", stiffness=1e9, restitution=0.85).calibrated(mass=1.0, velocity=0.05)
    fast = carom.impact(law, mass=1.0, velocity=5.0)
    assert fast.restitution == pytest.approx(0.16, abs=0.005)


REFUSED = [
    ({"velocity": 1.0}, "needs `mass`"),
    ({"mass": 1.0}, "needs `velocity`"),
    ({"mass": 1.0, "masses": (1, 2), "velocity": 1.0}, "not both"),
    ({"mass": 1.0, "velocity": 1.0, "drop": 1.0}, "not both"),
    ({"mass": -1.0, "velocity": 1.0}, "`mass` of impact must be positive. Got -1.0."),
    ({"mass": 0, "velocity": 1.0}, "must be positive"),
    ({"mass": float("nan"), "velocity": 1.0}, "finite"),
    ({"mass": "1 m", "velocity": 1.0}, "convertible to kg"),
    ({"mass": True, "velocity": 1.0}, "must be a number"),
    ({"mass": "heavy", "velocity": 1.0}, "number with a unit"),
    ({"mass": [], "velocity": 1.0}, "must not be empty"),
    ({"mass": [1.0, float("inf")], "velocity": 1.0}, "finite everywhere"),
    ({"mass": 1.0, "velocity": -1.0}, "positive while the bodies approach"),
    ({"mass": 1.0, "velocity": 0.0}, "positive without gravity"),
    ({"masses": (1.0,), "velocity": 1.0}, "two masses"),
    ({"masses": (1.0, 2.0), "velocity": 1.0, "gravity": 9.81}, "Leave `gravity` out"),
    ({"mass": 1.0, "velocity": 1.0, "pendulum_length": 0}, "`pendulum_length`"),
    ({"mass": 1.0, "velocity": 1.0, "rtol": 1e-20}, "`rtol` of impact must lie in"),
    ({"mass": 1.0, "velocity": 1.0, "step_limit": 0}, "`step_limit`"),
    ({"mass": 1.0, "velocity": 1.0, "fail": "maybe"}, "`fail`"),
    ({"mass": 1.0, "velocity": 1.0, "gravity": -9.81}, "`gravity` of impact must not be negative"),
]


@pytest.mark.parametrize(("conditions", "message"), REFUSED)
def test_refuses(conditions: dict[str, object], message: str) -> None:
    with pytest.raises(carom.InputError) as refused:
        carom.impact(carom.law("hertz", stiffness=1e9), **conditions)
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


def test_arrays_that_do_not_fit_together_are_refused() -> None:
    with pytest.raises(carom.InputError, match=r"stiffness \(2,\), restitution \(3,\)"):
        carom.law("flores-2011", stiffness=[1e9, 2e9], restitution=[0.5, 0.6, 0.7])
    law = carom.law("flores-2011", stiffness=1e9, restitution=0.5)
    with pytest.raises(carom.InputError, match=r"mass \(2,\), velocity \(3,\)"):
        carom.impact(law, mass=[1.0, 2.0], velocity=[1.0, 2.0, 3.0])
    table = carom.law("flores-2011", stiffness=np.full((2, 1), 1e9), restitution=[0.5, 0.6, 0.7])
    assert carom.impact(table, mass=1.0, velocity=1.0).restitution.shape == (2, 3)


@pytest.mark.parametrize("times", ["soon", [float("nan")], 1e-5, [], [1.0, 0.0]])
def test_times_that_are_none_are_refused(times: object) -> None:
    hit = carom.impact(carom.law("hertz", stiffness=1e9), mass=1.0, velocity=1.0)
    with pytest.raises(carom.InputError, match="`times` of sample"):
        hit.sample(times)


def test_coefficients_need_a_mass_and_a_velocity() -> None:
    law = carom.law("flores-2011", stiffness=1e9, restitution=0.5)
    for mass, velocity in ((1.0, 0.0), (-1.0, 1.0), (1.0, float("nan"))):
        with pytest.raises(carom.InputError, match=r"of flores-2011\.coefficients"):
            law.coefficients(mass, velocity)


def test_refuses_a_name_instead_of_a_law() -> None:
    with pytest.raises(carom.InputError, match=r"carom\.law"):
        carom.impact("hertz", mass=1.0, velocity=1.0)


def test_failure_raises_or_returns() -> None:
    law = carom.law("flores-2011", stiffness=1e9, restitution=0.5)
    with pytest.raises(carom.RunError, match="step limit"):
        carom.impact(law, mass=1.0, velocity=1.0, step_limit=5)
    assert carom.impact(law, mass=1.0, velocity=1.0, step_limit=5, fail="return").outcome.failed


def test_samples_after_the_end_and_bad_times() -> None:
    hit = carom.impact(carom.law("flores-2011", stiffness=1e9, restitution=0.5), mass=1.0, velocity=1.0)
    after = hit.sample([0.0, 2 * hit.duration])
    assert after.force.values.tolist() == [0.0, 0.0]
    assert after.rate.values[1] == pytest.approx(-hit.restitution)
    with pytest.raises(carom.InputError, match="increasing"):
        hit.sample([1.0, 0.5])


def test_a_force_that_fades_does_not_end_an_impact_before_the_bodies_part() -> None:
    """Strong damping over v0 lets bodies part at v0·e and no faster: the force goes to zero and never pulls."""
    strong = carom.law("gharib-hurmuzlu-2012", stiffness=1e9, restitution=0.02)
    pulls, lets_go = (
        carom.impact(strong.replace(tension=tension), mass=1e4, velocity=0.4) for tension in (True, False)
    )
    assert lets_go.duration == pytest.approx(pulls.duration, rel=1e-9)
    assert lets_go.restitution == pytest.approx(0.02, rel=1e-9)
