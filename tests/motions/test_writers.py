from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import carom
from carom.errors import InputError
from carom.motions import Motion, get, write_motion
from carom.motions.writers import WRITERS
from carom.units import standard_gravity

words = st.text(st.characters(categories=["L", "N"]), max_size=12)
motions = st.builds(
    Motion,
    st.lists(st.floats(-50, 50), min_size=3, max_size=40).filter(lambda v: max(map(abs, v)) > 1e-3),
    st.sampled_from([0.01, 0.005, 0.02, 1 / 3, 0.00244, 1 / 128]),
    start=st.sampled_from([0.0, -1.5, 2.0, 0.1]),
    component=words,
    event=words,
    station=words,
    source=words.map(lambda word: word + ".x"),
    processing=st.lists(words.map(lambda word: f"did {word}."), max_size=3).map(tuple),
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(motion=motions)
def test_csv_gives_the_same_motion_back(motion: Motion, tmp_path: Path) -> None:
    path = write_motion(motion, tmp_path / "m.csv", overwrite=True)
    assert carom.read_motion(path) == motion


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(motion=motions)
def test_opensees_text_gives_the_same_samples_back(motion: Motion, tmp_path: Path) -> None:
    path = write_motion(motion, tmp_path / "m.txt", overwrite=True)
    back = carom.read_motion(path, dt=motion.dt, unit="m/s2", format="one-column")
    np.testing.assert_array_equal(back.acceleration, motion.acceleration)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(motion=motions)
def test_at2_keeps_seven_digits_and_then_all(motion: Motion, tmp_path: Path) -> None:
    once = carom.read_motion(write_motion(motion, tmp_path / "m.AT2", overwrite=True))
    np.testing.assert_allclose(once.acceleration, motion.acceleration, rtol=6e-8, atol=1e-90)
    assert once.dt == motion.dt
    again = carom.read_motion(write_motion(once, tmp_path / "m.AT2", overwrite=True))
    assert again == once


def test_at2_keeps_its_words(tmp_path: Path) -> None:
    motion = get("default").replace(event="Big One, 1/1/2031", station="Main St, 5", component="090")
    back = carom.read_motion(motion.write(tmp_path / "x.at2"))
    assert (back.event, back.station, back.component) == ("Big One, 1/1/2031", "Main St 5", "090")


def test_units(tmp_path: Path) -> None:
    motion = get("default")
    text = motion.write(tmp_path / "a.txt", unit="g")
    values = np.loadtxt(text)
    np.testing.assert_allclose(values * standard_gravity, motion.acceleration, rtol=1e-15)
    table = motion.write(tmp_path / "a.csv", unit="cm/s2")
    assert "acceleration (cm/s2)" in table.read_text()
    np.testing.assert_allclose(carom.read_motion(table).acceleration, motion.acceleration, rtol=1e-14)
    with pytest.raises(InputError, match="`unit` of peer-at2 must be g"):
        motion.write(tmp_path / "a.at2", unit="m/s2")


def test_nothing_is_replaced_unasked_and_nothing_is_left_half(tmp_path: Path) -> None:
    motion = get("default")
    path = motion.write(tmp_path / "m.csv")
    before = path.read_bytes()
    with pytest.raises(InputError, match=r"m.csv exists. Pass overwrite=True"):
        motion.scaled(factor=2).write(path)
    assert path.read_bytes() == before
    motion.scaled(factor=2).write(path, overwrite=True)
    assert path.read_bytes() != before
    with pytest.raises(InputError, match="cannot be written"):
        motion.write(tmp_path / "no" / "such" / "folder.csv")
    assert [p.name for p in tmp_path.iterdir()] == ["m.csv"]


def test_a_failed_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = get("default").write(tmp_path / "m.csv")
    before = path.read_bytes()

    def full(self: Path, target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(InputError, match="No space left on device"):
        get("default").scaled(factor=2.0).write(path, overwrite=True)
    monkeypatch.undo()
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["m.csv"]


def test_formats_by_suffix_and_name(tmp_path: Path) -> None:
    motion = get("default")
    assert motion.write(tmp_path / "odd.name", format="AT2").read_text().startswith("STRONG MOTION")
    with pytest.raises(InputError, match=r"Use one of .acc, .at2, .csv, .dat, .th, .txt, or pass format="):
        motion.write(tmp_path / "odd.xyz")
    with pytest.raises(InputError, match="Unknown motion format to write"):
        motion.write(tmp_path / "odd", format="xls")
    with pytest.raises(InputError, match="written to a path"):
        motion.write(3)
    assert len(WRITERS) == 3
