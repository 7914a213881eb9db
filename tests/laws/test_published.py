"""Numbers that papers and references print about single laws."""

from __future__ import annotations

import numpy as np
import pytest

import carom
from carom.laws.compliant.hunt_crossley_exact import exact_damping
from carom.laws.compliant.papi_2022 import exact_alpha, published_alpha
from carom.studies.single.achieved import achieved_restitution


def achieved(name: str, e: float, **options: object) -> float:
    return float(carom.impact(carom.law(name, stiffness=1e8, restitution=e, **options), mass=1, velocity=1).restitution)


def test_damping_ratios_of_langlade_table_4() -> None:
    assert carom.law("jankowski", stiffness=1, restitution=0.65).damping_value() == pytest.approx(0.373, abs=5e-4)
    assert carom.law("khatami", stiffness=1, restitution=0.65).damping_value() == pytest.approx(0.0428, abs=5e-5)


def test_achieved_restitution_of_the_references() -> None:
    assert achieved("hertzdamp", 0.6) == pytest.approx(0.756, abs=5e-4)
    assert achieved("jankowski-2005", 0.6) == pytest.approx(0.596, abs=5e-4)
    assert achieved("khatami-2019", 0.65) == pytest.approx(0.943, abs=5e-4)
    assert achieved("khatami-2019", 0.65, damp_restitution=True) == pytest.approx(0.887, abs=5e-4)


def test_exact_alpha_of_papi() -> None:
    np.testing.assert_allclose(
        exact_alpha(np.array([0.1, 0.2, 0.3, 0.4, 0.5])), [0.139, 0.253, 0.352, 0.445, 0.535], atol=5e-4
    )
    assert published_alpha(0.5) == 0.6
    assert published_alpha(0.8) == 1.0
    assert achieved("papi-2022", 0.05, alpha="exact") == pytest.approx(0.05, abs=1e-9)
    assert achieved("papi-2022", 0.5, alpha=0.6) == achieved("papi-2022", 0.5)


def test_exact_damping_limits() -> None:
    assert exact_damping(1.0) == 0.0
    assert exact_damping(0.01) == pytest.approx(100.0, rel=1e-12)
    e = 1 - 1e-7
    assert exact_damping(e) == pytest.approx(1.5 * (1 - e**2) / (1 + e**3), rel=1e-6)
    d = exact_damping(np.array([0.2, 0.6]))
    np.testing.assert_allclose(d * np.array([1.2, 1.6]), np.log((1 + d) / (1 - np.array([0.2, 0.6]) * d)), rtol=1e-13)


def test_kuwabara_kono_from_materials() -> None:
    """χ = (K/3)(3η₂−η₁)²/(3η₂+2η₁)·(1−ν²)(1−2ν)/(Eν²), by hand for round numbers."""
    kind = carom.laws.laws.get("brilliantov-1996")
    law = kind.from_materials(stiffness=3e9, young="1 GPa", poisson=0.25, shear_viscosity=10, bulk_viscosity=20)
    assert law.damping == pytest.approx(1e9 * 50**2 / 80 * (1 - 0.0625) * 0.5 / (1e9 * 0.0625))
    with pytest.raises(carom.InputError, match="`poisson`"):
        kind.from_materials(stiffness=1, young=1, poisson=0.7, shear_viscosity=1, bulk_viscosity=1)


def test_achieved_curve() -> None:
    curve = achieved_restitution("papi-2022", [0.05, 0.5, 1.0])
    assert np.isnan(curve[0])
    assert curve[2] == pytest.approx(1.0)
    assert achieved_restitution("ristow-1992", [0.5]) is None
    assert achieved_restitution("hertz", [0.5]) is None


REFUSED = [
    ("flores-2011", {"stiffness": -1.0, "restitution": 0.5}, "`stiffness` of flores-2011 must be positive. Got -1.0."),
    (
        "flores-2011",
        {"stiffness": 1e9, "restitution": 1.3},
        "`restitution` of flores-2011 must lie in (0, 1]. Got",
    ),
    ("flores-2011", {"stiffness": 1e9, "restitution": 0}, "must lie in (0, 1]"),
    ("flores-2011", {"stiffness": 1e9, "restitution": float("nan")}, "finite"),
    ("flores-2011", {"stiffness": "3 m", "restitution": 0.5}, "convertible to N/m^1.5"),
    ("flores-2011", {"stiffness": 1e9}, "needs `restitution`"),
    ("flores-2011", {"restitution": 0.5}, "needs `stiffness` [N/m^1.5]"),
    ("kelvin-voigt", {"restitution": 0.5}, "needs `stiffness` [N/m]"),
    ("flores-2011", {"stiffnes": 1e9}, "Did you mean 'stiffness'?"),
    (
        "flores-2011",
        {"stiffness": 1e9, "restitution": 0.5, "tension": "no"},
        "`tension` of flores-2011 must be",
    ),
    ("flores-2011", {"stiffness": 1e9, "restitution": 0.5, "v0": "none"}, "'guarded' or 'published'"),
    ("papi-2022", {"stiffness": 1e9, "restitution": 0.05}, "alpha='exact'"),
    ("papi-2022", {"stiffness": 1e9, "restitution": 0.5, "alpha": -1}, "`alpha` of papi-2022"),
    ("flores-2011", {"stiffness": 1e9, "damping": -0.1}, "`damping` of flores-2011 must not be negative"),
    ("flores", {"stiffness": 1e9, "restitution": [0.5, 1.5]}, "Got 1.5"),
    ("lankarani", {"stiffness": 1e9}, "Did you mean 'lankarani-nikravesh'"),
    (17, {}, "Unknown law 17"),
]


@pytest.mark.parametrize(("name", "values", "message"), REFUSED)
def test_refuses(name: str, values: dict[str, object], message: str) -> None:
    with pytest.raises(carom.InputError) as refused:
        carom.law(name, **values)
    assert message in str(refused.value)


def test_elastic_laws_warn_of_an_idle_restitution() -> None:
    with pytest.warns(carom.CaromWarning, match="hertz is elastic"):
        carom.law("hertz", stiffness=1e9, restitution=0.5)
    carom.law("hertz", stiffness=1e9, restitution=1.0)


def test_empirical_law_without_damping_says_what_to_do() -> None:
    law = carom.law("ristow-1992", stiffness=1e9, restitution=0.5)
    with pytest.raises(carom.InputError, match=r"calibrated"):
        law.force(1e-3, 1.0)
