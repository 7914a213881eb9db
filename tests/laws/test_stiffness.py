"""Contact stiffness: published values, limits, and the adviser."""

from __future__ import annotations

from typing import Any

import pytest

import carom
from carom import stiffness
from carom.errors import InputError


def test_alves_table_3() -> None:
    """Ball of 5.08 cm on the specimens of Table 2: 2.46e10 and 2.41e10 N/m^{3/2}."""
    ball = {"poisson": (0.30, 0.29), "radius": "2.54 cm"}
    assert stiffness.sphere_on_plane(young=("210 GPa", "213 GPa"), **ball) == pytest.approx(2.46e10, rel=2e-3)
    assert stiffness.sphere_on_plane(young=("210 GPa", "205 GPa"), **ball) == pytest.approx(2.41e10, rel=2e-3)


def test_a_plane_is_a_large_sphere() -> None:
    same = {"young": (3e10, 3e10), "poisson": (0.2, 0.2)}
    plane = stiffness.sphere_on_plane(**same, radius=0.5)
    assert stiffness.spheres(**same, radii=(0.5, 1e9)) == pytest.approx(plane, rel=1e-9)
    assert stiffness.spheres(**same, radii=(0.5, 0.5)) == pytest.approx(plane / 2**0.5)


def test_radius_and_slab() -> None:
    assert stiffness.sphere_radius(mass=2400 * 4 / 3 * 3.141592653589793, density=2400) == pytest.approx(1.0)
    assert stiffness.slab_end(young=3e10, area=2.0, length=10.0) == pytest.approx(6e9)


def test_elastic_peak_is_that_of_an_impact() -> None:
    for name, n in (("linear", 1.0), ("hertz", 1.5)):
        hit = carom.impact(carom.law(name, stiffness=3e8), mass=2.0, velocity=0.4)
        assert stiffness.elastic_peak_force(3e8, n, 2.0, 0.4) == pytest.approx(hit.peak_force, rel=1e-9)


def test_adviser_orders_its_bounds_and_tells_the_force() -> None:
    known = {
        "materials": ("concrete", "concrete"),
        "masses": (3e5, 2e5),
        "velocity": 0.4,
        "slab": {"area": "2 m^2", "length": 10},
        "structure_stiffness": [5e7, 3e7],
    }
    for exponent, name in ((1.0, "kelvin-voigt"), (1.5, "flores-2011")):
        advice = stiffness.advise(exponent=exponent, **known)
        values = [bound.stiffness for bound in advice.bounds]
        assert values == sorted(values)
        assert len(values) == 5
        assert all(bound.source for bound in advice.bounds)
        low, high = (
            carom.impact(carom.law(name, stiffness=k, restitution=0.6), masses=(3e5, 2e5), velocity=0.4).peak_force
            for k in (advice.low, advice.high)
        )
        assert high / low == pytest.approx(advice.peak_force_ratio, rel=1e-8)
        assert advice.peak_forces[1] / advice.peak_forces[0] == pytest.approx(advice.peak_force_ratio)
        assert "factor" in str(advice)
    alone = stiffness.advise(exponent=1.0, structure_stiffness="50 kN/mm")
    assert alone.low == alone.high == pytest.approx(5e8)
    assert "One estimate only" in str(alone)


def test_refusals() -> None:
    with pytest.raises(carom.InputError, match="knows too little"):
        stiffness.advise()
    with pytest.raises(carom.InputError, match=r"Unknown material 'concret'.*Did you mean 'concrete'"):
        stiffness.advise(materials=("concret", "steel"), masses=(1, 1))
    with pytest.raises(carom.InputError, match="Missing: length"):
        stiffness.advise(materials=("steel", "steel"), slab={"area": 1})
    with pytest.raises(carom.InputError, match=r"`radii` of stiffness\.spheres must be a pair"):
        stiffness.spheres(young=(1, 1), poisson=(0.2, 0.2), radii=(1, 2, 3))
    with pytest.raises(carom.InputError, match="`exponent`"):
        stiffness.advise(exponent=2.0, structure_stiffness=1.0)


@pytest.mark.parametrize(
    ("known", "message"),
    [
        ({"structure_stiffness": []}, "must not be empty"),
        ({"materials": ("steel", "steel"), "slab": 5}, "must be a dict"),
        ({"materials": ("cheese", "steel"), "masses": (1, 2)}, "Unknown material 'cheese'"),
    ],
)
def test_the_adviser_refuses(known: dict[str, object], message: str) -> None:
    with pytest.raises(carom.InputError, match=message):
        carom.stiffness.advise(exponent=1.0, **known)


def test_a_material_is_checked() -> None:
    with pytest.raises(carom.InputError, match="`young` of Material must be positive"):
        carom.stiffness.Material(-1.0, 0.3, 7850.0)


def test_concrete_by_its_class() -> None:
    """E_cm as EN 1992-1-1, Table 3.1 prints it [GPa], rounded to whole numbers there."""
    printed = {
        "C12/15": 27, "C16/20": 29, "C20/25": 30, "C25/30": 31, "C30/37": 33, "C35/45": 34, "C40/50": 35, "C45/55": 36,
        "C50/60": 37, "C55/67": 38, "C60/75": 39, "C70/85": 41, "C80/95": 42, "C90/105": 44,
    }  # fmt: skip
    for name, young in printed.items():
        assert round(stiffness.material(name).young / 1e9) == young, name
    assert stiffness.material("C 30/37") == stiffness.material("c30/37")
    with pytest.raises(InputError, match=r"Unknown material 'C31/37'. Did you mean 'c30/37'"):
        stiffness.material("C31/37")


def test_masonry_is_softer_than_concrete() -> None:
    known: dict[str, Any] = {"masses": ("200 t", "200 t")}
    soft, hard = (stiffness.advise(materials=(name, name), **known) for name in ("masonry", "C30/37"))
    # witness: K of two equal spheres goes with E·√R, R with (m/ρ)^(1/3)
    ratio = 5.0 / (22.0 * 3.8**0.3) * (2400.0 / 1800.0) ** (1.0 / 6.0)
    assert soft.low / hard.low == pytest.approx(ratio, rel=1e-12)
