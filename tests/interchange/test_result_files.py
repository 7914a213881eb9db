"""Results for MATLAB, spreadsheets and ParaView, read again by other readers than ours."""

from __future__ import annotations

import csv
import io

import h5py
import numpy as np
import pytest
from scipy.io import loadmat

import carom
from carom.interchange.result_files import csv_file, mat_file, vtkhdf_file
from carom.interchange.space import everything_kept, space_history

LAW = carom.law("kelvin-voigt", stiffness="50 MN/m", restitution=0.65)


@pytest.fixture(scope="module")
def pounding():
    tower = carom.ShearBuilding(masses=[2e5] * 3, stiffnesses=3e8, heights="3 m", damping_ratio=0.05, name="tall tower")
    annex = carom.Frame.moment_frame(
        storeys=["3 m"], bays=["4 m"], rows=["5 m"], columns=carom.Section.steel("HEB 140"),
        beams=carom.Section.steel("IPE 330"), material=carom.Material.steel(), slab="900 kg/m^2", origin=(20, 0, 0),
        damping_ratio=0.02, outputs=["floor 1 ux"], name="annex",
    )  # fmt: skip
    contact = carom.Contact(("tall tower", 1), ("annex", "0-0-1", "x"), gap="5 mm", law=LAW)
    motion = carom.motions.get("default").trimmed(1.0, 4.0)
    problem = everything_kept(carom.Problem([tower, annex], [contact], motion=motion))
    return problem, carom.simulate(problem, sampling=0.01)


def test_mat(pounding):
    problem, run = pounding
    found = loadmat(io.BytesIO(mat_file(problem, run)), simplify_cells=True)
    assert np.array_equal(found["displacement"], run.displacement)
    assert np.array_equal(np.atleast_2d(found["force"].T).T, run.force)
    assert list(found["dofs"]) == list(run.dofs)
    assert found["impacts"]["start"].size == run.table["start"].size > 0
    assert np.min(found["impacts"]["contact"]) == 1.0
    tower = found["structures"]["tall_tower"]
    assert tower["name"] == "tall tower"
    for what, letter in (("mass", "M"), ("damping", "C"), ("stiffness", "K")):
        assert np.array_equal(tower[letter], getattr(problem.structures[0], f"{what}_matrix"))
    assert set(found["energy"]) == set(run.ledger)


def test_csv(pounding):
    _, run = pounding
    head, *rows = csv.reader(io.StringIO(csv_file(run).decode()))
    values = np.array(rows, dtype=float)
    assert len(set(head)) == len(head)
    assert np.array_equal(values[:, head.index("displacement tall tower floor 3 [m]")], run.displacement[:, 2])
    assert np.array_equal(values[:, head.index(f"force {run.contacts[0]} [N]")], run.force[:, 0])
    assert np.array_equal(values[:, 0], run.time)


def test_vtkhdf(pounding):
    """The layout of VTKHDF 2.0 for an unstructured grid in time, as its documentation has it."""
    problem, run = pounding
    space = space_history(problem, run)
    with h5py.File(io.BytesIO(vtkhdf_file(run, space))) as file:
        root = file["VTKHDF"]
        assert list(root.attrs["Version"]) == [2, 0]
        assert root.attrs["Type"] == b"UnstructuredGrid"
        points, cells = int(root["NumberOfPoints"][0]), int(root["NumberOfCells"][0])
        assert root["Points"].shape == (points, 3)
        assert root["Offsets"].shape == (cells + 1,)
        assert root["Offsets"][-1] == root["NumberOfConnectivityIds"][0] == root["Connectivity"].size
        assert np.all(root["Types"][:] == 3)
        steps = root["Steps"]
        assert steps.attrs["NSteps"] == run.time.size
        assert np.array_equal(steps["Values"][:], run.time)
        moved = root["PointData/displacement"]
        assert moved.shape == (run.time.size * points, 3)
        at, step = space.names.index("tall tower floor 2"), 123
        begin = int(steps["PointDataOffsets/displacement"][step])
        assert moved[begin + at, 0] == run.displacement[step, 1]
        assert moved[begin + at, 1:].tolist() == [0.0, 0.0]
        node = space.names.index("annex 1-1-1")
        rows = problem.structures[1].location("1-1-1").rows
        dofs = run.displacement[step, 3 : 3 + rows.shape[1]]
        assert moved[begin + node] == pytest.approx(rows @ dofs, abs=1e-15)
        assert root["Points"][node].tolist() == [24.0, 5.0, 3.0]


def test_vtk_reads_it(pounding, tmp_path):
    vtk = pytest.importorskip("vtkmodules.vtkIOHDF", reason="vtk is not installed")
    from vtkmodules.util.numpy_support import vtk_to_numpy

    problem, run = pounding
    space = space_history(problem, run)
    path = tmp_path / "run.vtkhdf"
    path.write_bytes(vtkhdf_file(run, space))
    reader = vtk.vtkHDFReader()
    reader.SetFileName(str(path))
    for step in (0, 50, run.time.size - 1):
        reader.SetStep(step)
        reader.Update()
        grid = reader.GetOutput()
        found = vtk_to_numpy(grid.GetPointData().GetArray("displacement"))
        assert found == pytest.approx(space.displacement[step])
        assert grid.GetNumberOfCells() == len(space.edges)
