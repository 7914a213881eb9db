"""A user's own law, from outside the package."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pytest

import carom
from carom.citation import Source
from carom.laws import RateScaledDamping, laws
from carom.results import Outcome


@pytest.fixture
def _own_names():
    laws.names()  # which finds the members, lest they go with what a test adds
    before = dict(laws._members), dict(laws._aliases), dict(laws._lookup)
    yield
    laws._members, laws._aliases, laws._lookup = before


@pytest.mark.usefixtures("_own_names")
def test_a_function_of_overlap_and_rate() -> None:
    @carom.register_law("my-hertzdamp")
    def my_law(overlap: float, rate: float) -> float:
        return 1e9 * overlap * math.sqrt(overlap) * (1.0 + 0.3 * rate)

    ours = carom.impact(carom.law("my-hertzdamp"), mass=2.0, velocity=0.3)
    same = carom.impact(carom.law("hertzdamp", stiffness=1e9, damping=0.09), mass=2.0, velocity=0.3)
    for key in ("peak_force", "peak_overlap", "duration", "restitution", "approach_loss", "restitution_loss"):
        assert getattr(ours, key) == pytest.approx(getattr(same, key), rel=1e-8), key
    law = carom.law("my_hertzdamp")
    assert law.force(1e-4, 0.2) == pytest.approx(my_law(1e-4, 0.2))
    assert law.derivatives(1e-4, 0.2)[1] == pytest.approx(0.3 * 1e9 * 1e-6, rel=1e-7)
    assert law.force(-1.0, 0.0) == 0.0


@pytest.mark.usefixtures("_own_names")
def test_a_function_with_a_kink_and_gravity() -> None:
    @carom.register_law("bilinear")
    def bilinear(overlap: float, rate: float) -> float:
        return 1e6 * overlap if overlap < 1e-3 else 1e3 + 5e6 * (overlap - 1e-3)

    hit = carom.impact(carom.law("bilinear"), mass=10.0, velocity=1.0, gravity=9.81)
    # energy: ½mv² + mgδ = 0.5 + 1e3 x + 2.5e6 x² with δ = 1e-3 + x
    x = (-(1e3 - 98.1) + math.sqrt((1e3 - 98.1) ** 2 + 1e7 * (5.0 + 0.0981 - 0.5))) / 5e6
    assert hit.peak_overlap == pytest.approx(1e-3 + x, rel=1e-7)
    assert hit.restitution == pytest.approx(1.0, abs=1e-6)  # we do not know of the kink and step across it


@pytest.mark.usefixtures("_own_names")
def test_a_class_of_the_power_form() -> None:
    @carom.register_law
    @dataclass(frozen=True, kw_only=True)
    class Someone2030(RateScaledDamping):
        """F = K δ^{3/2} + χ δ^{3/2} δ̇ with χ = 2(1−e) K/v0."""

        name: ClassVar[str] = "someone-2030"
        title: ClassVar[str] = "Someone 2030"
        n: ClassVar[float] = 1.5
        m: ClassVar[float] = 1.5
        formula: ClassVar[str] = "F = K δ^{3/2} + χ δ^{3/2} δ̇"
        damping_formula: ClassVar[str] = "2(1−e) · K/v0"
        source: ClassVar[Source] = Source("Someone (2030)", "(1)", "unverified")

        def damping_from_restitution(self, e):
            return 2.0 * (1.0 - e)

    ours = carom.impact(carom.law("someone-2030", stiffness=1e9, restitution=0.8), mass=1.0, velocity=1.0)
    same = carom.impact(carom.law("flores-2011", stiffness=1e9, damping=0.4), mass=1.0, velocity=1.0)
    assert ours.restitution == pytest.approx(same.restitution, rel=1e-12)
    assert "someone-2030" in laws.names()


@pytest.mark.usefixtures("_own_names")
def test_refusals() -> None:
    with pytest.raises(carom.InputError, match="already"):
        carom.register_law("hertz")(lambda overlap, rate: overlap)
    with pytest.raises(carom.InputError, match="must be a law class or a name"):
        carom.register_law(3)

    @carom.register_law("soft")
    def soft(overlap: float, rate: float) -> float:
        return 1e-12

    with pytest.raises(carom.InputError, match="must rise with overlap"):
        carom.impact(carom.law("soft"), mass=1.0, velocity=1.0)

    @carom.register_law("uncompilable")
    def uncompilable(overlap: float, rate: float) -> float:
        return 1e9 * overlap + len(f"{rate:.3f}" * 0) + {"a": [overlap]}["a"][0] * 0.0

    with pytest.raises(carom.InputError, match="cannot be compiled"):
        carom.impact(carom.law("uncompilable"), mass=1.0, velocity=1.0)


@pytest.mark.usefixtures("_own_names")
def test_where_functions_are_refused_it_is_said_in_full() -> None:
    """Which call refuses, why, and what to use."""

    @carom.register_law("my-own")
    def my_own(overlap: float, rate: float) -> float:
        return 1e6 * overlap

    law: Any = carom.law("my-own")
    ball, other = carom.Body(mass=1.0, name="ball"), carom.Body(mass=1.0, name="other")
    hertz = carom.law("hertz", stiffness=1e8)
    contacts = [carom.Contact("ball", "other", gap=0.1, law=law)]
    problem = carom.Problem([ball, other], contacts, initial_velocity={"ball": 1.0})
    mixed = carom.Problem(
        [ball, other, carom.Wall(name="wall")], [*contacts, carom.Contact("other", "wall", gap=0.1, law=hertz)]
    )
    calls: dict[str, Callable[[], object]] = {
        "^impact takes arrays .*, a Python function. Call carom.impact once": lambda: carom.impact(
            law, mass=1.0, velocity=[1.0, 2.0]
        ),
        r"^ensemble does not take laws that are Python functions \(my-own\)\. carom\.simulate": lambda: carom.ensemble(
            problem, vary={"gap": [0.1]}, duration=1.0
        ),
        "^fit_stiffness solves .* a Python function.*carom laws": lambda: law.fit_stiffness(
            peak_force=1e3, mass=1.0, velocity=1.0
        ),
        "^calibrated solves .* a Python function.*carom laws": lambda: law.calibrated(mass=1.0, velocity=1.0),
        "^simulate takes one law .* mixes hertz, my-own.*Give them one law": lambda: carom.simulate(
            mixed, duration=1.0
        ),
    }
    for words, call in calls.items():
        with pytest.raises(carom.InputError, match=words):
            call()


@pytest.mark.usefixtures("_own_names")
def test_a_function_under_step_by_step_schemes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CAROM_BACKEND", "python")  # the same text, uncompiled: short runs are quicker so

    @carom.register_law("my-pad")
    def my_pad(overlap: float, rate: float) -> float:
        return 1e6 * overlap * math.sqrt(overlap) * (1.0 + 0.3 * rate)

    ball = carom.Body(mass=2.0, name="ball")

    def bounced(law: carom.CompliantLaw, scheme: str) -> carom.Simulation:
        contact = carom.Contact("ball", 1, gap=0.001, law=law)
        problem = carom.Problem([ball, carom.Wall()], [contact], initial_velocity={"ball": 0.5})
        return carom.simulate(problem, scheme=scheme, duration=0.05, sampling=1e-3, dt=1e-3)

    for scheme in ("newmark", "radau-iia-2"):
        ours = bounced(carom.law("my-pad"), scheme)
        same = bounced(carom.law("hertzdamp", stiffness=1e6, damping=0.15), scheme)  # d/v0 = 0.15/0.5
        assert ours.table["start"].size == 1
        np.testing.assert_allclose(ours.displacement, same.displacement, rtol=1e-6)
        assert ours.table["peak_force"][0] == pytest.approx(same.table["peak_force"][0], rel=1e-6)


@pytest.mark.usefixtures("_own_names")
def test_a_function_that_gives_way_has_no_solution_in_a_long_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """Average acceleration asks for F = law(δ), δ = δ_free − F h²/4m, a line that falls by 4m/h² = 4e4 N/m.

    Beyond 4 mm the law falls twice as steeply, and pulls: from δ_free > 5 mm they never meet.
    """
    monkeypatch.setenv("CAROM_BACKEND", "python")

    @carom.register_law("brittle")
    def brittle(overlap: float, rate: float) -> float:
        return 1e4 * overlap if overlap < 4e-3 else 40.0 - 8e4 * (overlap - 4e-3)

    problem = carom.Problem(
        [carom.Body(mass=1.0, name="ball"), carom.Wall()],
        [carom.Contact("ball", 1, gap=0.052, law=carom.law("brittle", tension=True))],
        initial_velocity={"ball": 1.0},
    )
    how = {"scheme": "newmark", "duration": 0.2, "sampling": 0.01}
    run = carom.simulate(problem, dt=0.01, fail="return", **how)
    assert run.outcome is Outcome.NO_SOLUTION
    assert run.evidence["reached"] == pytest.approx(0.05)
    known = run.time <= 0.05 + 1e-12
    np.testing.assert_allclose(run.displacement[known, 0], run.time[known], atol=1e-12)  # the flight is kept
    assert np.isnan(run.displacement[~known]).all()
    with pytest.raises(carom.RunError, match=r"no solution.*at t = 0\.05 s"):
        carom.simulate(problem, dt=0.01, **how)
    assert carom.simulate(problem, dt=0.001, **how).outcome is Outcome.FINISHED  # a shorter step helps, as it says
