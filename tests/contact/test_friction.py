"""What `carom.Friction` takes and refuses, and what contacts make of it."""

from __future__ import annotations

import math

import numpy as np
import pytest

import carom

LAW = carom.law("kelvin-voigt", stiffness=2e6, restitution=0.6)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"static": 0.2, "kinetic": 0.3}, "must not be above the static coefficient 0.2"),
        ({"static": -0.1}, "`static` of Friction must not be negative"),
        ({"static": 0.2, "stiffness": 1e6, "stiffness_ratio": 1.0}, "must be left out where `stiffness_ratio`"),
        ({"static": 0.2, "stiffness_ratio": 0.0}, "`stiffness_ratio` of Friction must"),
        ({"static": 0.2, "restitution": 1.0}, "`restitution` of Friction must"),
        ({"static": 0.2, "rule": "stribeck"}, "must be 'coulomb' or 'zhu2002'"),
        ({"static": 0.2, "rule": "zhu2002"}, "must be given for the rule of zhu2002"),
        ({"static": 0.2, "step": 1e-3}, "must be left out of Coulomb's rule"),
    ],
)
def test_what_cannot_be_is_refused_with_its_reason(given: dict[str, object], words: str) -> None:
    with pytest.raises(carom.InputError, match=words):
        carom.Friction(**given)


def test_spring_and_dashpot_along_the_contact() -> None:
    """zhu2002's own numbers: C_t = 26.3558 N·s/m from ξ = 0.0335, which e_t = 0.9 gives rounded."""
    row = carom.Friction(0.2, 0.15, restitution=0.9).packed(1.5474e5, 1.0)
    assert row[:3] == (0.2, 0.15, 1.5474e5)
    assert row[3] == pytest.approx(26.3703, abs=5e-5)
    assert 2.0 * 0.0335 * math.sqrt(1.5474e5) == pytest.approx(26.3558, abs=5e-5)
    assert carom.Friction(0.2, stiffness_ratio=0.5).packed(4.0, 2.0)[2:4] == pytest.approx((2.0, 4.0))


def test_contacts_need_a_tangent_and_laws_with_a_force() -> None:
    with pytest.raises(carom.InputError, match="must be left out for a contact without a tangent"):
        carom.Contact("a", "b", gap=0.0, law=LAW, friction=carom.Friction(0.3))
    with pytest.raises(carom.InputError, match="where no friction is given"):
        carom.Contact("a", "b", gap=0.0, law=LAW, tangent="y")
    newton = carom.law("newton", restitution=0.5)
    with pytest.raises(carom.InputError, match="must be left out for an impulsive law"):
        carom.Contact("a", "b", gap=0.0, law=newton, tangent="y", friction=carom.Friction(0.3))
    with pytest.raises(carom.InputError, match="where there is no first"):
        carom.Contact("a", "b", gap=0.0, law=LAW, second_tangent="z")


def test_flat_problem_tells_friction() -> None:
    block = carom.Structure([2.0, 2.0, 2.0], np.zeros((3, 3)), damping_ratio=0.0, dofs=["x", "y", "z"], name="block")
    contact = carom.Contact(
        ("block", "x"), "ground", gap=0.1, law=LAW, tangent="y", second_tangent="z",
        friction=carom.Friction(0.4, 0.3),
    )  # fmt: skip
    flat = carom.Problem([block, carom.Ground(name="ground")], [contact]).flat()
    assert flat.scene is not None
    assert flat.scene.friction[0].tolist() == pytest.approx([0.4, 0.3, 2e6, 2.0 * math.sqrt(2e6 * 2.0), 0.0, 0.0])
    slides = np.stack([flat.slide[0], flat.scene.second_slide[0]])
    np.testing.assert_allclose(slides @ slides.T, np.eye(2) / 2.0, atol=1e-15)
    np.testing.assert_allclose(slides @ flat.reach[0], 0.0, atol=1e-15)
