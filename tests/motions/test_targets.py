# ruff: noqa: E501 (tables)
"""Spectra of codes against values worked out by hand, from the printed formulas and tables."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from carom.errors import InputError
from carom.motions import get
from carom.motions.targets import asce7, conditional_mean, correlation, ec8, of_motion, table, target
from carom.units import standard_gravity as G

EC8_1C = {
    0.0: 0.2875, 0.1: 0.503125, 0.2: 0.71875, 0.3: 0.71875, 0.6: 0.71875, 0.75: 0.575, 1.0: 0.43125, 1.2: 0.359375,
    1.5: 0.2875, 2.0: 0.215625, 2.5: 0.138, 3.0: 0.095833333, 4.0: 0.05390625,
}  # fmt: skip
"""Type 1, ground C, a_g 0.25 g, 5 %: 0.25·1.15 = 0.2875; plateau 2.5·0.2875; 0.71875·0.6/T; 0.71875·0.6·2/T² [g]."""
EC8_2D_10 = {
    0.0: 0.18, 0.05: 0.2737117, 0.1: 0.3674235, 0.2: 0.3674235, 0.3: 0.3674235, 0.4: 0.2755676, 0.5: 0.2204541,
    0.75: 0.1469694, 1.0: 0.1102270, 1.2: 0.0918559, 2.0: 0.0330681, 4.0: 0.0082670,
}  # fmt: skip
"""Type 2, ground D, a_g 0.1 g, 10 %: η = √(10/15) = 0.8164966; 0.18·2.5·η = 0.3674235; …·0.3/T; …·0.3·1.2/T² [g]."""
EC8_1B_Q3 = {
    0.0: 0.24, 0.075: 0.27, 0.15: 0.30, 0.3: 0.30, 0.5: 0.30, 0.6: 0.25, 0.75: 0.2, 1.0: 0.15, 1.5: 0.1, 2.0: 0.075,
    2.5: 0.06, 4.0: 0.06,
}  # fmt: skip
"""Design, type 1, ground B, a_g 0.3 g, q 3: 0.36·2/3 = 0.24; 0.36·2.5/3 = 0.30; 0.30·0.5/T; least 0.2·0.3 = 0.06 [g]."""
EC8_VERTICAL = {0.0: 0.225, 0.05: 0.675, 0.1: 0.675, 0.15: 0.675, 0.3: 0.3375, 1.0: 0.10125, 2.0: 0.0253125}
"""Type 1, a_g 0.25 g: a_vg = 0.9·0.25 = 0.225; 3·0.225; 0.675·0.15/T; 0.675·0.15·1/T² [g]."""
ASCE = {
    0.0: 0.4, 0.06: 0.7, 0.12: 1.0, 0.3: 1.0, 0.6: 1.0, 0.75: 0.8, 1.0: 0.6, 1.5: 0.4, 2.0: 0.3, 4.0: 0.15, 8.0: 0.075,
    10.0: 0.048,
}  # fmt: skip
"""S_DS 1 g, S_D1 0.6 g, T_L 8 s: T_0 = 0.12, T_S = 0.6; 0.4 + 0.6·T/0.12; 0.6/T; 0.6·8/T² [g]."""


@pytest.mark.parametrize(
    ("found", "by_hand"),
    [
        (ec8(ag="0.25 g", ground="C"), EC8_1C),
        (ec8(ag="0.1 g", ground="d", type=2, damping="10 %"), EC8_2D_10),
        (ec8(ag="0.2 g", importance=1.5, ground="B", q=3), EC8_1B_Q3),
        (ec8(ag="0.25 g", ground="E", vertical=True), EC8_VERTICAL),
        (asce7(sds="1 g", sd1="0.6 g"), ASCE),
        (target("ec8: ag = 0.25 g, ground = C, type = 1"), EC8_1C),
        (target({"code": "asce7", "sds": "1 g", "sd1": "0.6 g", "tl": "8 s"}), ASCE),
    ],
)
def test_codes_equal_values_by_hand(found: object, by_hand: dict[float, float]) -> None:
    np.testing.assert_allclose(found.sa(list(by_hand)) / G, list(by_hand.values()), rtol=5e-6)


@pytest.mark.parametrize("ground", "ABCDE")
@pytest.mark.parametrize("kind", [1, 2])
def test_tables_of_ec8(ground: str, kind: int) -> None:
    """Tables 3.2 and 3.3 as printed: at 0 s it is S, at T_B to T_C 2.5·S, and continuous everywhere."""
    printed = {
        1: {"A": (1.0, 0.15, 0.4, 2.0), "B": (1.2, 0.15, 0.5, 2.0), "C": (1.15, 0.2, 0.6, 2.0), "D": (1.35, 0.2, 0.8, 2.0), "E": (1.4, 0.15, 0.5, 2.0)},
        2: {"A": (1.0, 0.05, 0.25, 1.2), "B": (1.35, 0.05, 0.25, 1.2), "C": (1.5, 0.1, 0.25, 1.2), "D": (1.8, 0.1, 0.3, 1.2), "E": (1.6, 0.05, 0.25, 1.2)},
    }  # fmt: skip
    soil, tb, tc, td = printed[kind][ground]
    spectrum = ec8(ag=1.0, ground=ground, type=kind)
    np.testing.assert_allclose(
        spectrum.sa([0.0, tb, tc, td]), [soil, 2.5 * soil, 2.5 * soil, 2.5 * soil * tc / td], rtol=1e-9
    )
    axis = np.linspace(0.01, min(spectrum.high, 12.0), 20_000)
    assert np.abs(np.diff(np.log(spectrum.sa(axis)))).max() < 0.06


def test_long_periods_of_ec8() -> None:
    """Annex A at T_F = 10 s: the displacement is that of the ground, 0.025·a_g·S·T_C·T_D with 1/(2π)² for 0.025."""
    spectrum = ec8(ag=2.5, ground="B")
    displacement = spectrum.sa([10.0, 15.0]) * (np.array([10.0, 15.0]) / (2.0 * np.pi)) ** 2
    np.testing.assert_allclose(displacement, 2.5 * 1.2 * 0.5 * 2.0 / (2.0 * np.pi) ** 2, rtol=1e-12)
    with pytest.raises(InputError, match=r"must lie in \[0, 4\] s, where it is defined"):
        ec8(ag=1.0, type=2).sa([0.1, 5.0])


def test_site_coefficients_of_asce7() -> None:
    """S_S 0.6 g on class D: F_a = 1.4 − 0.1/0.25·0.2 = 1.32; S_1 0.25 g: F_v = 2.1."""
    found = asce7(ss="0.6 g", s1="0.25 g", site="D")
    np.testing.assert_allclose(found.sa([0.5, 1.0]) / G, [2 / 3 * 0.6 * 1.32, 2 / 3 * 0.25 * 2.1])
    np.testing.assert_allclose(asce7(ss="2 g", s1="0.8 g", site="C").sa(0.3) / G, 2 / 3 * 2.0 * 1.2)
    with pytest.raises(InputError, match=r"`s1` of asce7 must not exceed 0\.1 g on site class E"):
        asce7(ss="0.5 g", s1="0.3 g", site="E")


@pytest.mark.parametrize(
    ("words", "part"),
    [
        ("ec9: ag = 1 g", "must be a code"), ("ec8: ground = C", "`ag` of ec8 must be given"), ("ec8: ag", "name = value"),
        ("ec8: ag = 0.2 g, soil = C", "is not a parameter"), ("ec8: ag = 0.2 g, ground = S1", "must be A, B, C, D or E"),
        ("ec8: ag = 0.2 g, type = 3", "must be 1 or 2"), ("ec8: ag = 0.2 g, q = 3, damping = 0.1", "5 %"), ("asce7: sds = 1 g", "needs `sds` and `sd1`"),
        ("ec8: ag = -1 g", "must be positive"), ("", "must be words"), ("asce7: sds = 1 g, sd1 = 0.6 g, tl = 0.1", "T_S"),
    ],
)  # fmt: skip
def test_words_that_are_no_target(words: str, part: str) -> None:
    with pytest.raises(InputError, match=part):
        target(words)


def test_tables_and_motions_as_targets(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text("period (s),Sa (g)\n0,0.4\n0.1,1.0\n0.5,1.0\n2.0,0.25\n")
    found = target(str(path))
    np.testing.assert_allclose(found.sa([0.0, 0.05, 0.3, 1.0]) / G, [0.4, 0.7, 1.0, 0.5])  # straight, then log-log
    with pytest.raises(InputError, match=r"must lie in \[0, 2\] s"):
        found.sa(3.0)
    path.write_text("period,Sa\n0.1,1.0\n0.5,1.0\n")
    with pytest.raises(InputError, match=r"`unit` of mine\.csv must stand above"):
        target(str(path))
    motion = get("default")
    np.testing.assert_array_equal(target("default").sa([0.5]), motion.spectrum([0.5]).psa)
    assert of_motion(motion).sa([0.0])[0] == motion.pga
    with pytest.raises(InputError, match="must grow"):
        table([0.1, 0.1], [1.0, 1.0])


def test_conditional_mean_passes_through_what_is_given() -> None:
    periods = np.geomspace(0.05, 5.0, 20)
    median, sigma = 3.0 / (1.0 + periods), np.full(20, 0.6)
    at = float(periods[10])
    found = conditional_mean(periods, median, sigma, at=at, epsilon=1.5)
    assert found.sa(at)[()] == pytest.approx(median[10] * np.exp(1.5 * 0.6))
    assert conditional_mean(periods, median, sigma, at=at, sa=float(found.sa(at))).sa(0.1) == pytest.approx(
        found.sa(0.1)
    )
    far = found.sa(periods) / median
    assert far[0] < far[5] < far[10] > far[15] > far[19]


def test_correlation_of_baker_and_jayaram() -> None:
    """By hand: 0.2 to 1 s, C1 = 1 − cos(π/2 − 0.366·ln 5) = 0.4444; equal periods 1; 0.05 to 0.1 s by C2."""
    assert correlation(0.2, 1.0) == pytest.approx(1.0 - np.cos(np.pi / 2 - 0.366 * np.log(5.0)))
    assert correlation(1.0, 0.2) == correlation(0.2, 1.0)
    assert correlation(1.0, 1.0) == pytest.approx(1.0)
    c2 = 1 - 0.105 * (1 - 1 / (1 + np.exp(5.0))) * 0.05 / (0.1 - 0.0099)
    assert correlation(0.05, 0.1) == pytest.approx(c2)
    grid = np.geomspace(0.01, 10.0, 25)
    assert all(0.0 < correlation(a, b) <= 1.0 for a in grid for b in grid)
