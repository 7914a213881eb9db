from __future__ import annotations

import math
import pickle
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import carom
from carom.errors import InputError
from carom.motions import Motion, MotionSet
from carom.motions.quantities import acceleration, acceleration_factor, unit_in
from carom.units import standard_gravity


def motion(**changes: object) -> Motion:
    return Motion(**{"acceleration": [0.0, 1.0, -2.0, 0.5, 0.0], "dt": 0.1, **changes})


def test_samples_are_kept_apart_from_the_given_array() -> None:
    given = np.array([0.0, 1.0, 0.5])
    one = Motion(given, 0.1)
    given[1] = 9.0
    assert one.acceleration[1] == 1.0
    with pytest.raises(ValueError, match="read-only"):
        one.acceleration[0] = 1.0
    with pytest.raises(AttributeError):
        one.dt = 0.2


def test_units_at_the_edge() -> None:
    assert motion(unit="g").pga == pytest.approx(2.0 * standard_gravity, rel=1e-15)
    assert motion(unit="cm/s^2").pga == pytest.approx(0.02)
    assert motion(dt="5 ms").dt == 0.005
    with pytest.raises(InputError, match=r"`unit` of Motion must be a unit of acceleration. Got 'furlong'"):
        motion(unit="furlong")


@pytest.mark.parametrize(
    ("unit", "factor"),
    [
        ("g", standard_gravity), ("G", standard_gravity), ("(g)", standard_gravity), ("m/s/s", 1.0),
        ("M/SEC2", 1.0), ("m/s²", 1.0), ("m/s**2", 1.0), ("cm/sec/sec", 0.01), ("Gal", 0.01), ("gals", 0.01),
        ("mm/s2", 1e-3), ("in/sec^2", 0.0254), ("ft/s2", 0.3048), ("cm / s2", 0.01),
        ("mg", standard_gravity / 1e3),
    ],
)  # fmt: skip
def test_spellings_of_units(unit: str, factor: float) -> None:
    assert acceleration_factor(unit, "test") == pytest.approx(factor, rel=1e-15)


@pytest.mark.parametrize(
    ("header", "unit"),
    [
        ("ACCELERATION TIME SERIES IN UNITS OF G", "g"), ("The units are (g)", "g"),
        ("Time[s] Accel[g]", "g"),
        ("UNITS: cm/s^2", "cm/s^2"), ("time,acceleration (m/s2)", "m/s2"), ("acc m/s/s", "m/s/s"),
        ("t (s)\ta (cm/s2)", "cm/s2"), ("Accel. in gal", "gal"), ("time,acceleration", None),
        ("VELOCITY IN UNITS OF CM/S", None), ("Great Gorge station", None), ("processed in m/s", None),
    ],
)  # fmt: skip
def test_units_found_in_headers(header: str, unit: str | None) -> None:
    assert unit_in(header) == unit


def test_accelerations_from_users() -> None:
    assert acceleration("0.3 g", name="pga", owner="x") == pytest.approx(0.3 * standard_gravity)
    assert acceleration("30gal", name="pga", owner="x") == pytest.approx(0.3)
    assert acceleration("2.5", name="pga", owner="x") == 2.5
    for bad in ("strong", "0.3 kg", "-1 g", -1.0, "0 g"):
        with pytest.raises(InputError, match=r"of x must"):
            acceleration(bad, name="pga", owner="x")


@pytest.mark.parametrize(
    ("changes", "part"),
    [
        ({"acceleration": [1.0]}, "two samples"), ({"acceleration": [[1.0, 2.0]]}, "MotionSet"),
        ({"acceleration": [1.0, math.nan]}, "finite"), ({"acceleration": []}, "empty"),
        ({"dt": 0.0}, "`dt` of Motion must be positive"), ({"dt": -1}, "positive"),
        ({"start": math.inf}, "finite"),
        ({"acceleration": "abc"}, "number"), ({"dt": "1 kg"}, "convertible"),
    ],
)  # fmt: skip
def test_refusals(changes: dict[str, object], part: str) -> None:
    with pytest.raises(InputError, match=part):
        motion(**changes)


def test_velocity_and_displacement_are_exact_for_straight_lines() -> None:
    """a = t on [0, 1], then a = 2 − t: v = t²/2, d = t³/6; at 2 s v = 1 and d = 1."""
    one = Motion([0.0, 0.5, 1.0, 0.5, 0.0], 0.5)
    np.testing.assert_allclose(one.velocity, [0.0, 0.125, 0.5, 0.875, 1.0], rtol=1e-15)
    np.testing.assert_allclose(one.displacement, [0.0, 1 / 48, 1 / 6, 0.5208333333333334, 1.0], rtol=1e-14)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.floats(-5, 5), min_size=3, max_size=30))
def test_integrals_do_not_depend_on_the_sampling(values: list[float]) -> None:
    one = Motion(values, 0.2)
    fine = one.resampled(0.02)
    np.testing.assert_allclose(fine.velocity[::10], one.velocity, atol=1e-12)
    np.testing.assert_allclose(fine.displacement[::10], one.displacement, atol=1e-12)


def test_equality_and_hash() -> None:
    assert motion() == motion()
    assert hash(motion()) == hash(motion())
    assert motion() != motion(start=1.0)
    assert motion() != motion(acceleration=[0.0, 1.0, -2.0, 0.5, 1e-9])
    assert motion() != "motion"
    assert motion(acceleration=[0.0, -0.0, 1.0]) == motion(acceleration=[0.0, 0.0, 1.0])
    assert hash(motion(acceleration=[0.0, -0.0, 1.0])) == hash(motion(acceleration=[0.0, 0.0, 1.0]))
    assert len({motion(), motion(), motion(dt=0.2)}) == 2


def test_a_copy_through_pickle_is_as_immutable() -> None:
    one = motion(event="quake")
    assert one.velocity.size == 5
    back = pickle.loads(pickle.dumps(one))
    assert back == one
    assert not back.acceleration.flags.writeable
    np.testing.assert_array_equal(back.velocity, one.velocity)


def test_names_and_repr() -> None:
    assert motion(source="/tmp/RSN6.AT2").name == "RSN6"
    assert motion(station="Here", component="NS").name == "Here NS"
    assert repr(motion(source="a.txt")) == "<Motion 'a': 5 samples at 0.1 s, PGA 0.2039 g>"
    assert motion().replace(event="quake").event == "quake"
    with pytest.raises(InputError, match="`unit` of Motion is that of new samples"):
        motion().replace(unit="g")
    with pytest.raises(InputError, match="no field `evnt`"):
        motion().replace(evnt="quake")


def test_time_and_duration() -> None:
    one = motion(start=2.0)
    np.testing.assert_allclose(one.time, [2.0, 2.1, 2.2, 2.3, 2.4])
    assert one.duration == pytest.approx(0.4)
    assert one.npts == 5


def test_sets() -> None:
    east, north, up = (motion(component=name, station="S") for name in ("E", "N", "UP"))
    both = MotionSet((east, north, up))
    assert both["n"] is north
    assert both[2] is up
    assert both.dt == 0.1
    assert len(list(both)) == len(both) == 3
    assert both == MotionSet([east, north, up])
    with pytest.raises(InputError, match=r"no component 'Z'. It has 'E', 'N', 'UP'"):
        both["Z"]
    with pytest.raises(InputError, match="`dt` of MotionSet must be the same"):
        MotionSet((east, motion(dt=0.2)))
    with pytest.raises(InputError, match="`station` of MotionSet"):
        MotionSet((east, motion(station="T")))
    with pytest.raises(InputError, match="two or three"):
        MotionSet((east,))


def test_words_of_the_package() -> None:
    assert carom.Motion is Motion
    assert carom.motions.read_motion is carom.read_motion
    assert "el-centro-1940" in carom.motions.names()
    assert set(carom.motions.formats()) >= {"peer-at2", "one-column", "two-column", "opensees"}


def test_importing_stays_light() -> None:
    heavy = ["numpy", "numba", "scipy", "matplotlib", "xarray", "pint"]
    code = f"import sys, carom; print([m for m in {heavy} if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "[]"
    code = f"import sys, carom.motions; print([m for m in {heavy[1:]} if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "[]"


AXES = [
    (("x", "y", "z"), "xyz"), (("z", "x", "y"), "zxy"), (("Y", "X"), "yx"), (("N", "E", "UP"), "yxz"),
    (("EW", "N-S", "U-D"), "xyz"), (("090", "UP", "180"), "xzy"), (("", ""), "xy"), (("a", "b", "c"), "xyz"),
    (("360", "V"), "xz"),
]  # fmt: skip


@pytest.mark.parametrize(("names", "axes"), AXES, ids=str)
def test_components_go_along_axes_by_name_or_in_order(names: tuple[str, ...], axes: str) -> None:
    motions = [motion(component=name) for name in names]
    found = MotionSet(tuple(motions)).axes
    for axis, there in zip("xyz", found, strict=True):
        assert there is (motions[axes.index(axis)] if axis in axes else None)


@pytest.mark.parametrize(
    "names", [("x", "x"), ("x", "b"), ("UP", "Z"), ("UP", "V", "c"), ("E", "EW", "N"), ("Z", "N", "k")]
)
def test_names_that_leave_an_axis_open_are_refused(names: tuple[str, ...]) -> None:
    with pytest.raises(InputError, match="`component` of MotionSet must say of all components which axis"):
        _ = MotionSet(tuple(motion(component=name) for name in names)).axes


def test_a_component_that_points_the_other_way_is_refused() -> None:
    with pytest.raises(InputError, match=r"positive along: E, N, up\. Got 'Down'\."):
        _ = MotionSet((motion(component="090"), motion(component="Down"))).axes


def test_components_are_scaled_together() -> None:
    both = MotionSet((motion(component="x"), motion(component="y"))).scaled(factor=2.0)
    np.testing.assert_array_equal(both["y"].acceleration, 2.0 * motion().acceleration)
    assert both.name == "x + y"
