"""Files of a run."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
import xarray as xr

import carom
from carom.errors import DamageWarning
from carom.reports import write_impacts, write_response
from carom.reports.runs.files import can_hold
from carom.reports.runs.words import sentences
from carom.results import Pounding
from carom.studies.single.assess import study_pounding


@pytest.fixture(scope="module")
def result() -> Pounding:
    left = carom.Oscillator(mass=4600, stiffness=2.11e6, damping_ratio=0.02, name="left")
    right = carom.Oscillator(mass=3500, stiffness=5.31e6, damping_ratio=0.02, name="right")
    law = carom.law("kelvin-voigt", stiffness=8e7, restitution=0.6)
    motion = carom.motions.get("default").trimmed(end=6.0)
    contact = carom.Contact("left", "right", gap=0.01, law=law)
    return study_pounding(carom.Problem([left, right], [contact], motion=motion), title="Pair")


def test_response_is_the_run_and_its_twin(result: Pounding, tmp_path: Path) -> None:
    path = tmp_path / "response.nc"
    write_response(result, path)
    with xr.open_dataset(path, engine="h5netcdf") as history:
        np.testing.assert_array_equal(history.displacement, result.run.displacement)
        assert list(history.dof.values) == ["left", "right"]
        assert history.acceleration.attrs["units"] == "m/s2"
    for group, dataset in (
        ("impacts", result.run.impacts),
        ("peaks", result.run.peaks),
        ("energy", result.run.energy),
        ("no_pounding", result.twin.history.drop_dims("contact")),
        ("no_pounding/peaks", result.twin.peaks),
    ):
        with xr.open_dataset(path, engine="h5netcdf", group=group) as found:
            assert set(found.variables) == set(dataset.variables)
            name = next(name for name, values in dataset.items() if values.dtype == float)
            np.testing.assert_array_equal(found[name], dataset[name])


def test_response_loads_as_a_run_with_its_twin(result: Pounding, tmp_path: Path) -> None:
    path = tmp_path / "response.nc"
    write_response(result, path)
    for found, made in ((carom.load(path), result.run), (carom.load(path, no_pounding=True), result.twin)):
        for name in ("history", "impacts", "peaks", "energy"):
            assert getattr(found, name).equals(getattr(made, name)), name
        assert found.outcome is made.outcome
        assert found.evidence["scheme"] == made.evidence["scheme"]
        assert (found.dofs, found.contacts) == (made.dofs, made.contacts)
    with pytest.raises(carom.InputError, match="holds no run without contact"):
        carom.load(result.run.save(tmp_path / "run.nc"), no_pounding=True)


def test_response_and_saved_runs_open_as_a_tree(result: Pounding, tmp_path: Path) -> None:
    """Dimensions of groups agree with those of their parents."""
    path = tmp_path / "response.nc"
    write_response(result, path)
    with xr.open_datatree(path, engine="h5netcdf") as tree:
        np.testing.assert_array_equal(tree["no_pounding/displacement"], result.twin.displacement)
        np.testing.assert_array_equal(tree["impacts/peak_force"], result.run.table["peak_force"])
    with xr.open_datatree(result.run.save(tmp_path / "run.nc"), engine="h5netcdf") as tree:
        np.testing.assert_array_equal(tree["energy/strain"], result.run.ledger["strain"])


def test_responses_of_earlier_versions_load(result: Pounding, tmp_path: Path) -> None:
    """They were not signed, and their twin had a dimension of no contacts; other trees cannot hold them."""
    path = tmp_path / "response.nc"
    result.run.history.to_netcdf(path, engine="h5netcdf")
    result.twin.history.to_netcdf(path, mode="a", group="no_pounding", engine="h5netcdf")
    for run, within in ((result.run, ""), (result.twin, "no_pounding/")):
        for name in ("impacts", "peaks", "energy"):
            getattr(run, name).to_netcdf(path, mode="a", group=within + name, engine="h5netcdf")
    with pytest.warns(DamageWarning, match="carries no checksum"):
        found = carom.load(path)
    assert found.history.equals(result.run.history)
    with pytest.warns(DamageWarning, match="carries no checksum"):
        without = carom.load(path, no_pounding=True).peaks
    assert without.equals(result.twin.peaks.drop_vars(["drift", "base_shear", "structure"]))


def test_impacts_as_a_table(result: Pounding, tmp_path: Path) -> None:
    path = tmp_path / "impacts.csv"
    write_impacts(result.run, path)
    with path.open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) == result.count
    starts = [float(row["start [s]"]) for row in rows]
    assert starts == sorted(result.run.table["start"].tolist())
    assert max(float(row["peak_force [N]"]) for row in rows) == result.max_force
    assert {row["contact"] for row in rows} == {"left | right"}


def test_words_say_who_when_and_how_hard(result: Pounding) -> None:
    said = sentences(result)
    table = result.run.table
    assert said[0].startswith(f"They touch {result.count} times, hardest at left | right with ")
    assert said[1].startswith(f"left and right touch {result.count} times, from {table['start'].min():.2f} s to ")
    hardest = int(np.argmax(table["peak_force"]))
    assert (
        f"comes at {table['start'][hardest]:.2f} s, left | right: {table['peak_force'][hardest] / 1e3:.3g} kN"
        in said[2]
    )
    ratio = result.run.extremes[0, 2] / result.twin.extremes[0, 2]
    assert f"{ratio:.1f} times as large" in said[3]
    assert said[3].startswith("left, against itself without contact")


def test_where_files_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert can_hold(tmp_path)
    assert can_hold(tmp_path / "not" / "yet")
    assert not can_hold(tmp_path / "file")
    assert not can_hold(tmp_path / "file" / "below")
