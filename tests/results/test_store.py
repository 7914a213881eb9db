"""`res.save` and `carom.load`: bit for bit, whole or not at all, and one clear line for every file that is not ours."""

from __future__ import annotations

import json
import os
from dataclasses import fields, replace
from pathlib import Path

import h5netcdf
import h5py
import numpy as np
import pytest
import xarray as xr

import carom
from carom.errors import DamageWarning
from carom.results import Outcome, Simulation
from carom.results.files import seal, store

ARRAYS = ("time", "displacement", "velocity", "acceleration", "force", "gap", "extremes")
VIEWS = ("history", "impacts", "peaks", "energy")


def made_by_hand(impacts: int = 3, contacts: tuple[str, ...] = ("α | β", "β | wall"), samples: int = 5) -> Simulation:
    """A run that no integrator made, with numbers that a careless file would change."""
    random = np.random.default_rng(7)

    def odd(*shape: int) -> np.ndarray:
        values = random.standard_normal(shape) * 10.0 ** random.integers(-300, 300, shape)
        values.flat[: min(6, values.size)] = (np.nan, -0.0, np.inf, 5e-324, -np.inf, 0.1)[: min(6, values.size)]
        return values

    columns = (
        "start", "duration", "approach_velocity", "separation_velocity", "peak_force", "peak_overlap", "impulse",
        "energy_lost",
    )  # fmt: skip
    touched = random.integers(0, max(len(contacts), 1), impacts).astype(float)
    return Simulation(
        time=np.arange(samples) * 0.1,
        displacement=odd(samples, 2),
        velocity=odd(samples, 2),
        acceleration=odd(samples, 2),
        force=odd(samples, len(contacts)),
        gap=odd(samples, len(contacts)),
        table={
            "contact": touched, **{name: odd(impacts) for name in columns},
            "ended": np.array([1.0, 0.0, 1.0])[:impacts], "guarded": np.array([0.0, 0.0, 1.0])[:impacts],
        },
        extremes=odd(2, 3),
        ledger={
            name: odd(samples) for name in ("input", "kinetic", "strain", "damping", "contact", "residual")
        },
        dofs=("α", "β floor 1"),
        contacts=contacts,
        outcome=Outcome.STEP_LIMIT,
        evidence={"rtol": 1e-6 / 3.0, "steps": np.int64(12), "versions": {"numpy": "2"}, "notes": ["Schäfer", ""]},
    )  # fmt: skip


def same_bits(one: np.ndarray, other: np.ndarray) -> bool:
    return one.dtype == other.dtype and one.shape == other.shape and one.tobytes() == other.tobytes()


def assert_same(one: Simulation, other: Simulation) -> None:
    for name in ARRAYS:
        assert same_bits(getattr(one, name), getattr(other, name)), name
    for name in ("table", "ledger"):
        mine, theirs = getattr(one, name), getattr(other, name)
        assert list(mine) == list(theirs)
        assert all(same_bits(mine[key], theirs[key]) for key in mine), name
    assert (one.dofs, one.contacts, one.outcome) == (other.dofs, other.contacts, other.outcome)
    assert dict(one.evidence) == dict(other.evidence)
    for name in VIEWS:
        assert getattr(one, name).identical(getattr(other, name)), name


@pytest.fixture(scope="module")
def run() -> Simulation:
    """Two oscillators, released, that hit each other."""
    left = carom.Oscillator(mass=4600, stiffness=2.11e6, damping_ratio=0.005, name="left")
    right = carom.Oscillator(mass=3500, stiffness=5.31e6, damping_ratio=0.005, name="right")
    law = carom.law("kelvin-voigt", stiffness=5e8, restitution=0.65)
    contact = carom.Contact("left", "right", gap="20 mm", law=law)
    problem = carom.Problem([left, right], [contact], initial_displacement={"left": "-24 mm"})
    return carom.simulate(problem, duration=1.0, sampling=0.01)


@pytest.fixture
def saved(run: Simulation, tmp_path: Path) -> Path:
    return run.save(tmp_path / "run.nc")


def test_a_run_comes_back_exactly(run: Simulation, saved: Path) -> None:
    assert run.table["start"].size > 1
    assert_same(run, carom.load(saved))


@pytest.mark.parametrize(
    "made",
    [made_by_hand(), made_by_hand(impacts=0), made_by_hand(contacts=(), impacts=0), made_by_hand(samples=1)],
    ids=["odd numbers", "no impacts", "no contacts", "one sample"],
)
def test_whatever_it_holds(made: Simulation, tmp_path: Path) -> None:
    assert_same(made, carom.load(made.save(tmp_path / "run.nc")))


def leaning() -> Simulation:
    """A body that gravity presses against a wall: it is in contact when the run ends."""
    law = carom.law("hunt-crossley-1975", stiffness=1e9, restitution=0.8)
    body = carom.Body(mass=1e3, gravity=9.81, name="body")
    problem = carom.Problem([body, carom.Wall("wall")], [carom.Contact("body", "wall", gap=0.0, law=law)])
    return carom.simulate(problem, duration=0.5, sampling=0.01)


def test_impacts_that_have_not_ended_come_back_as_such(tmp_path: Path) -> None:
    made = leaning()
    found = carom.load(made.save(tmp_path / "run.nc"))
    assert_same(made, found)
    assert not found.impacts.ended.values[-1]
    assert found.impacts.guarded.values.any()
    assert found.in_contact.tolist() == [False] * (found.in_contact.size - 1) + [True]


def test_files_of_earlier_versions_load(run: Simulation, tmp_path: Path) -> None:
    """They hold impacts that ended, and do not say which the guard changed."""
    older = {name: values for name, values in run.table.items() if name not in ("ended", "guarded")}
    path = replace(Simulation(**vars_of(run)), table=older).save(tmp_path / "older.nc")
    found = carom.load(path)
    assert found.impacts.ended.values.all()
    assert "guarded" not in found.impacts
    assert found.impacts.drop_vars("ended").identical(run.impacts.drop_vars(["ended", "guarded"]))


def vars_of(run: Simulation) -> dict[str, object]:
    return {field.name: getattr(run, field.name) for field in fields(Simulation)}


def test_other_programs_read_it(run: Simulation, saved: Path) -> None:
    """Plain netCDF: named dimensions, units, versions; no word of ours is needed."""
    with xr.open_dataset(saved, engine="h5netcdf") as history:
        assert history["displacement"].dims == ("time", "dof")
        assert history["force"].attrs["units"] == "N"
        assert history["time"].attrs["units"] == "s"
        assert history.attrs["outcome"] == "finished"
        assert history.attrs["carom_version"] == carom.__version__
        assert json.loads(history.attrs["evidence"])["versions"] == run.evidence["versions"]
        np.testing.assert_array_equal(history["gap"], run.gap)
    with xr.open_dataset(saved, engine="h5netcdf", group="impacts") as impacts:
        assert set(impacts["contact"].values) == {"left | right"}
        assert impacts["impulse"].attrs["units"] == "N s"
        np.testing.assert_array_equal(impacts["peak_force"], run.table["peak_force"])


def test_it_replaces_what_was_there_and_leaves_nothing_beside(run: Simulation, tmp_path: Path) -> None:
    path = tmp_path / "run.nc"
    path.write_text("older")
    assert run.save(str(path)) == path
    assert run.save(path) == path
    assert carom.load(str(path)).outcome is Outcome.FINISHED
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("trouble", [KeyboardInterrupt, MemoryError, OSError("no space left on device")])
@pytest.mark.parametrize("at", [0, 1, 3])
def test_an_interruption_leaves_the_old_file_and_nothing_else(
    run: Simulation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, trouble: BaseException, at: int
) -> None:
    path = tmp_path / "run.nc"
    path.write_text("older")
    put, calls = store._put, []

    def interrupted(*args: object) -> None:
        calls.append(args)
        put(*args)
        if len(calls) > at:
            raise trouble

    monkeypatch.setattr(store, "_put", interrupted)
    expected = carom.InputError if isinstance(trouble, OSError) else trouble
    with pytest.raises(expected):
        run.save(path)
    assert path.read_text() == "older"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("name", ["run.csv", "run", "run.nc.txt", "run.h5"])
def test_wrong_suffix(run: Simulation, tmp_path: Path, name: str) -> None:
    with pytest.raises(carom.InputError, match=r"`path` of save must end in \.nc or \.nc4\. Got .*netCDF-4"):
        run.save(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_folders_that_cannot_be_written(run: Simulation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(carom.InputError, match=r"must lie in a folder that exists\. Got .* first\."):
        run.save(tmp_path / "missing" / "run.nc")
    (tmp_path / "folder.nc").mkdir()
    with pytest.raises(carom.InputError, match="must name a file, not a folder"):
        run.save(tmp_path / "folder.nc")

    def refused(*args: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(store, "_put", refused)
    with pytest.raises(carom.InputError, match=r"cannot be written \(permission denied\)\. Got .*Choose a folder"):
        run.save(tmp_path / "run.nc")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_without_permission(run: Simulation, tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(carom.InputError, match=r"cannot be written \(permission denied\)"):
            run.save(tmp_path / "run.nc")
    finally:
        tmp_path.chmod(0o700)


@pytest.mark.parametrize("path", [3, None, b"run.nc", object()])
def test_not_a_path(run: Simulation, path: object) -> None:
    for action in (run.save, carom.load):
        with pytest.raises(carom.InputError, match="must be a path"):
            action(path)


def test_missing_file_and_folder(tmp_path: Path) -> None:
    with pytest.raises(carom.InputError, match=r"`path` of load must be a file that exists\. Got .*run\.nc"):
        carom.load(tmp_path / "run.nc")
    with pytest.raises(carom.InputError, match="must be a file, not a folder"):
        carom.load(tmp_path)


def test_a_file_cut_short_anywhere(saved: Path, tmp_path: Path) -> None:
    whole = saved.read_bytes()
    cut = tmp_path / "cut.nc"
    for size in (*range(0, 100, 7), *np.linspace(100, len(whole) - 1, 40).astype(int)):
        cut.write_bytes(whole[:size])
        with pytest.raises(carom.InputError, match="is damaged or cut short"):
            carom.load(cut)


def test_a_file_damaged_inside(saved: Path, tmp_path: Path) -> None:
    """Numbers carry checksums: no flipped byte among them goes by unseen."""
    with h5py.File(saved) as file:
        chunk = file["velocity"].id.get_chunk_info(0)
    damaged = bytearray(saved.read_bytes())
    damaged[chunk.byte_offset + chunk.size // 2] ^= 0x10
    other = tmp_path / "damaged.nc"
    other.write_bytes(damaged)
    with pytest.raises(carom.InputError, match="is damaged or cut short"):
        carom.load(other)


@pytest.mark.parametrize("content", [b"time,displacement\n0,0\n", b"CDF\x01" + bytes(64), b"\x89PNG\r\n\x1a\n"])
def test_a_file_of_another_kind(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "run.nc"
    path.write_bytes(content)
    with pytest.raises(carom.InputError, match=r"is not a netCDF-4 file\. carom\.load reads what res\.save"):
        carom.load(path)


def test_a_netcdf_file_of_someone_else(tmp_path: Path) -> None:
    path = tmp_path / "weather.nc"
    xr.Dataset({"rain": ("time", [0.0, 1.0])}).to_netcdf(path, engine="h5netcdf")
    with pytest.raises(carom.InputError, match="holds no run of carom"):
        carom.load(path)
    with h5py.File(path, "w") as file:  # HDF5 without netCDF's dimensions
        file["rain"] = np.zeros(3)
    with pytest.raises(carom.InputError, match="holds no run of carom"):
        carom.load(path)


def test_a_file_of_a_newer_carom(saved: Path) -> None:
    with h5py.File(saved, "r+") as file:
        file.attrs["carom_format"] = np.array([99])
    with pytest.raises(carom.InputError, match=r"newer carom \(layout 99; this one reads up to 1\)\. Update carom"):
        carom.load(saved)


def test_a_file_with_a_part_missing(saved: Path) -> None:
    with h5py.File(saved, "r+") as file:
        del file["energy"]
    with pytest.raises(carom.InputError, match="is damaged or cut short"):
        carom.load(saved)


# checksums ---------------------------------------------------------------------------------------------

EARLIER = Path(__file__).parent / "saved" / "format-1.nc"
"""A run that carom 0.1.0 saved before runs had checksums."""


def test_no_byte_can_change_unseen(saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once attributes and text could, and some flips made HDF5 loop for ever: now it never sees the file."""
    whole, other = saved.read_bytes(), tmp_path / "other.nc"
    monkeypatch.setattr(store, "_recognise", lambda *_, **__: pytest.fail("HDF5 was asked"))
    for place in np.linspace(60, len(whole) - seal.LENGTH - 1, 200).astype(int):
        damaged = bytearray(whole)
        damaged[place] ^= 0x01
        other.write_bytes(damaged)
        with pytest.raises(carom.InputError, match=r"is damaged or cut short \(its checksum does not match\)"):
            carom.load(other)


def test_a_checksum_that_is_gone_or_changed_is_missed(saved: Path, tmp_path: Path) -> None:
    whole, other = saved.read_bytes(), tmp_path / "other.nc"
    other.write_bytes(whole[: -seal.LENGTH])
    with pytest.raises(carom.InputError, match=r"damaged or cut short \(its checksum is gone\)"):
        carom.load(other)
    other.write_bytes(whole[:-10] + b"0123456789")
    with pytest.raises(carom.InputError, match=r"its checksum does not match"):
        carom.load(other)


def test_other_readers_open_it_as_before(run: Simulation, saved: Path) -> None:
    with xr.open_dataset(saved) as data:
        np.testing.assert_array_equal(data["displacement"], run.displacement)
    with xr.open_datatree(saved) as tree:
        assert set(tree.groups) == {"/", "/impacts", "/peaks", "/energy"}
    with h5netcdf.File(saved) as file:
        assert file.attrs["carom_checksum"].startswith("sha256")


def test_a_run_of_an_earlier_version_is_read_and_said_to_have_no_checksum() -> None:
    with pytest.warns(DamageWarning, match="carries no checksum"):
        found = carom.load(EARLIER)
    assert found.outcome is Outcome.FINISHED
    assert found.time.size == 26


def test_a_file_without_a_checksum_on_which_hdf5_hangs_or_bloats(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "run.nc"
    path.write_bytes(EARLIER.read_bytes())
    endless = seal.can_be_read
    monkeypatch.setattr(seal, "PATIENCE", 2)
    monkeypatch.setattr(store, "can_be_read", lambda path, _: endless(path, "exec('while True: pass')"))
    with pytest.raises(carom.InputError, match="is damaged or cut short"):
        carom.load(path)
    monkeypatch.undo()
    with h5py.File(path, "r+") as file:
        file.create_dataset("huge", shape=(10**14,), dtype="f8", chunks=(1000,))
    with pytest.raises(carom.InputError, match="it claims to hold more than it does"):
        carom.load(path)


def test_a_pipe_or_a_path_with_nul(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.nc")
    with pytest.raises(carom.InputError, match="must be a file, not a pipe or a device"):
        carom.load(tmp_path / "pipe.nc")
    with pytest.raises(carom.InputError, match="must be a path without NUL"):
        carom.load("run\0.nc")
