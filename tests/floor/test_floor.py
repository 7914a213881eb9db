"""The floor: errors, units, ranges, registries, and what importing the package loads."""

from __future__ import annotations

import re
import subprocess
import sys

import numpy as np
import pytest

import carom
from carom.errors import InputError, UnitWarning, UnknownNameError, refusal
from carom.registry import Registry, late
from carom.units import NONNEGATIVE, POSITIVE, RESTITUTION, USUAL, Range, array, number


def test_refusal_names_parameter_owner_rule_value_way_out() -> None:
    error = refusal("e", "jankowski-2005", "must lie in (0, 1]", 1.3, "For an elastic impact use e=1.")
    assert str(error) == "`e` of jankowski-2005 must lie in (0, 1]. Got 1.3. For an elastic impact use e=1."
    assert len(str(refusal("x", "y", "z", "a" * 500))) < 120


@pytest.mark.parametrize(
    ("value", "unit", "expected"),
    [
        ("19.8 mm", "m", 0.0198),
        ("2.46e10 N/m^1.5", "N/m^1.5", 2.46e10),
        ("25000 kip/in^1.5", "N/m^1.5", 25000 * 4448.2216152605 / 0.0254**1.5),
        ("7.8 kip*s^2/in", "kg", 7.8 * 4448.2216152605 / 0.0254),
        ("12", "m", 12.0),
        (3, "m", 3.0),
        (np.float32(0.5), "", 0.5),
        (np.array(2.0), "kg", 2.0),
        ("5 %", "", 0.05),
    ],
)
def test_numbers_with_units(value: object, unit: str, expected: float) -> None:
    assert number(value, unit, name="x", owner="test") == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        "abc",
        "m",
        "~2 m",
        "1 m/0 s",
        "3 kg",
        float("nan"),
        "inf",
        1j,
        [1.0],
        {},
        np.array([1.0]),
        "",
        "1e400",
    ],
)
def test_bad_numbers_are_refused(value: object) -> None:
    with pytest.raises(InputError, match="`x` of test"):
        number(value, "m", name="x", owner="test")


@pytest.mark.parametrize(
    ("text", "readings"),
    [
        ("3,5 cm", 'may mean "3.5 cm" or "35 cm"'),
        ("0,5 cm", 'may mean "0.5 cm" or "5 cm"'),
        ("1,5", 'may mean "1.5" or "15"'),
        ("1.234,5 mm", 'may mean "1234.5 mm" or "1.2345 mm"'),
        ("1,234.5 mm", 'Write "1234.5 mm".'),
        ("1,234,567 mm", 'Write "1234567 mm".'),
    ],
)
def test_a_comma_in_a_number_is_refused_with_its_readings(text: str, readings: str) -> None:
    with pytest.raises(InputError, match=re.escape(readings)):
        number(text, "m", name="gap", owner="contact")
    with pytest.raises(InputError, match="without a comma"):
        array([text, "1 m"], "m", name="gap", owner="contact")


@pytest.mark.parametrize(
    ("text", "unit", "value"),
    [
        ("−2 cm", "m", -0.02),  # a typesetter's minus
        ("120 rpm", "Hz", 2.0),  # turns are cycles, radians are not
        ("6.283185307179586 rad/s", "Hz", 1.0),
        ("2 Hz", "rad/s", 12.566370614359172),
        ("90 deg", "rad", 1.5707963267948966),
        ("2*10^3 kg", "kg", 2000.0),
        ("300 kN mm^-1", "N/m", 3e8),
    ],
)
def test_signs_and_angles_in_texts(text: str, unit: str, value: float) -> None:
    assert number(text, unit, name="x", owner="y") == pytest.approx(value, rel=1e-15)


@pytest.mark.parametrize(("text", "unit", "meant"), [("300 KN/mm", "N/m", "300 kN/mm"), ("2 hz", "Hz", "2 Hz")])
def test_capitals_of_units(text: str, unit: str, meant: str) -> None:
    with pytest.raises(InputError, match=f'capitals count, "{meant}" may be meant'):
        number(text, unit, name="x", owner="y")


def test_an_angle_is_no_ratio() -> None:
    with pytest.raises(InputError, match="must be convertible to a plain number"):
        number("5°", "", name="x", owner="y")


@pytest.mark.parametrize("text", ["3;5 m", "1 2 m", "1'500 m", "2–3 m", "2 ± 1 m", "2.5.1 m", "3 m 50"])
def test_two_numbers_are_not_multiplied(text: str) -> None:
    with pytest.raises(InputError, match="must be one number"):
        number(text, "m", name="gap", owner="contact")
    assert number("5 1/s", "1/s", name="rate", owner="test") == 5.0


def test_a_list_in_one_text_is_not_a_decimal_comma() -> None:
    with pytest.raises(InputError, match=r'must be one number. Got .* Several stand in a list, such as \["1 m"'):
        number("200 t, 150 t", "kg", name="masses", owner="building")


def test_tons_say_what_they_were_taken_for() -> None:
    with pytest.warns(UnitWarning, match=r"`mass` of left: '250 tons' was taken in US short tons, 907.18 kg each"):
        assert number("250 tons", "kg", name="mass", owner="left") == pytest.approx(226796.185)
    for said in ("250 t", "250 tonnes", "275.6 short_ton"):  # no warning, which would be an error here
        assert number(said, "kg", name="mass", owner="left") == pytest.approx(250e3, rel=1e-4)


def test_arrays() -> None:
    assert array(["1 mm", 2.0], "m", name="x", owner="t").tolist() == [0.001, 2.0]
    with pytest.raises(InputError, match="must be positive"):
        array([1.0, -1.0], "m", name="x", owner="t", within=POSITIVE)
    with pytest.raises(InputError, match="must be numbers"):
        array(object(), "m", name="x", owner="t")


def test_ranges_print_as_mathematicians_write_them() -> None:
    assert str(RESTITUTION) == "(0, 1]"
    assert str(Range(0.1, 1.0, low_open=False, high_open=False)) == "[0.1, 1]"
    assert str(POSITIVE) == "(0, ∞)"
    assert POSITIVE.rule == "must be positive"
    assert NONNEGATIVE.rule == "must not be negative"
    assert 0.0 not in RESTITUTION
    assert 1.0 in RESTITUTION


def test_registry_forgives_spelling_and_lists_names() -> None:
    registry: Registry[int] = Registry("thing")
    registry.register("flores-2011", 1, ("ye",))
    registry.register("hertz", 2)
    assert registry.get("Flores 2011") == registry.get("YE") == 1
    assert registry.names() == ["flores-2011", "hertz"]
    assert registry.aliases("ye") == ("ye",)
    with pytest.raises(UnknownNameError, match=r"'herz'\. Did you mean 'hertz'\? Known: flores-2011, hertz"):
        registry.get("herz")
    with pytest.raises(InputError, match="already taken by 'flores-2011'"):
        registry.register("ye", 3)


def test_late_binds_when_called() -> None:
    assert late("math:hypot")(3, 4) == 5


def test_import_is_light() -> None:
    """`import carom` and the command line's help load none of the heavy packages."""
    heavy = ("numpy", "scipy", "numba", "xarray", "matplotlib", "pint", "pydantic", "rich.table")
    program = (
        "import sys, carom, carom.cli.app\n"
        "from carom.cli.app import app\n"
        f"print([name for name in {heavy!r} if name in sys.modules])"
    )
    out = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"


def test_public_names_resolve() -> None:
    for name in carom.__all__:
        assert getattr(carom, name) is not None
    assert set(carom.__all__) <= set(dir(carom))
    with pytest.raises(AttributeError):
        _ = carom.nonsense


def test_refusals_stay_on_one_line() -> None:
    assert "\n" not in str(refusal("x", "owner", "must be small", np.ones((20, 20))))


def test_complex_numbers_are_refused() -> None:
    with pytest.raises(InputError, match="must be real numbers in kg"):
        array([1.0 + 1.0j], "kg", name="mass", owner="impact")


def test_accents_are_forgiven() -> None:
    assert carom.laws.laws.name_of("Schäfer 1996") == "ristow-1992"


def test_usual_units_are_those_of_pint() -> None:
    import pint

    registry = pint.UnitRegistry()
    for wanted, known in USUAL.items():
        for spelled in known:
            exact = registry.Quantity(f"19.8 {spelled}").to(wanted or "dimensionless").magnitude
            found = number(f"19.8 {spelled}", wanted, name="x", owner="y")
            assert found == pytest.approx(exact, rel=1e-15), spelled
    assert number("-30 mm", "m", name="x", owner="y") == -0.03
    assert number(".5m", "m", name="x", owner="y") == 0.5
