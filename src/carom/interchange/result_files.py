"""Results as files of other programs: MAT for MATLAB and Octave, CSV, VTKHDF for ParaView."""

from __future__ import annotations

import csv
import io
import re
from typing import Any

import numpy as np

from carom.interchange.space import SpaceHistory
from carom.problem import Problem
from carom.results import Simulation

__all__ = ["csv_file", "mat_file", "vtkhdf_file"]

VTK_LINE, VTK_VERTEX = 3, 1
"""Cells of VTK."""


def mat_file(problem: Problem, run: Simulation) -> bytes:
    """Return a MAT-file (version 5): matrices of each structure, histories, impacts, peaks."""
    from scipy.io import savemat

    structures: dict[str, Any] = {}
    for structure in problem.structures:
        if structure.dof_names:
            structures[_identifier(structure.name, structures)] = {
                "name": structure.name, "dofs": _cells(structure.dof_names), "M": structure.mass_matrix,
                "C": structure.damping_matrix, "K": structure.stiffness_matrix, "influence": structure.influence,
            }  # fmt: skip
    content: dict[str, Any] = {
        "time": run.time, "displacement": run.displacement, "velocity": run.velocity, "acceleration": run.acceleration,
        "force": run.force, "gap": run.gap, "dofs": _cells(run.dofs), "contacts": _cells(run.contacts),
        "peaks": run.extremes, "impacts": {name: np.asarray(values, float) for name, values in run.table.items()},
        "energy": {name: np.asarray(values, float) for name, values in run.ledger.items()},
        "structures": structures, "outcome": str(run.outcome.value if hasattr(run.outcome, "value") else run.outcome),
    }  # fmt: skip
    content["impacts"]["contact"] = content["impacts"]["contact"] + 1.0  # MATLAB counts from 1
    stream = io.BytesIO()
    savemat(stream, content, oned_as="column", long_field_names=True)
    return stream.getvalue()


def csv_file(run: Simulation) -> bytes:
    """Return histories as CSV: time, then displacement, velocity and acceleration of each output, force and gap."""
    head, columns = ["time [s]"], [run.time]
    for values, what, unit, names in (
        (run.displacement, "displacement", "m", run.dofs),
        (run.velocity, "velocity", "m/s", run.dofs),
        (run.acceleration, "acceleration", "m/s2", run.dofs),
        (run.force, "force", "N", run.contacts),
        (run.gap, "gap", "m", run.contacts),
    ):
        head += [f"{what} {name} [{unit}]" for name in names]
        columns += list(values.T)
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(head)
    writer.writerows([repr(float(x)) for x in row] for row in np.column_stack(columns))
    return stream.getvalue().encode()


def vtkhdf_file(run: Simulation, space: SpaceHistory) -> bytes:
    """Return points and lines with displacements over time as VTKHDF 2.0, which ParaView opens and warps by vector."""
    import h5py

    points, edges, steps = len(space.names), len(space.edges), run.time.size
    cells = edges or points
    connectivity = space.edges.ravel() if edges else np.arange(points)
    offsets = np.arange(cells + 1) * (2 if edges else 1)
    stream = io.BytesIO()
    with h5py.File(stream, "w") as file:
        root = file.create_group("VTKHDF")
        root.attrs["Version"] = np.array([2, 0], dtype=np.int64)
        root.attrs.create("Type", b"UnstructuredGrid", dtype=h5py.string_dtype("ascii", len("UnstructuredGrid")))
        for name, size in (
            ("NumberOfPoints", points), ("NumberOfCells", cells), ("NumberOfConnectivityIds", connectivity.size),
        ):  # fmt: skip
            root[name] = np.array([size], dtype=np.int64)
        root["Points"] = space.positions
        root["Connectivity"] = connectivity.astype(np.int64)
        root["Offsets"] = offsets.astype(np.int64)
        root["Types"] = np.full(cells, VTK_LINE if edges else VTK_VERTEX, dtype=np.uint8)
        root["PointData/displacement"] = space.displacement.reshape(-1, 3)
        root["PointData/structure"] = space.structure
        times = root.create_group("Steps")
        times.attrs["NSteps"] = np.int64(steps)
        times["Values"] = run.time
        none = np.zeros(steps, dtype=np.int64)  # the form is the same at all times, and stored once
        for name in ("PartOffsets", "PointOffsets"):
            times[name] = none
        for name in ("CellOffsets", "ConnectivityIdOffsets"):
            times[name] = none[:, None]
        times["NumberOfParts"] = none + 1
        times["PointDataOffsets/displacement"] = np.arange(steps, dtype=np.int64) * points
        times["PointDataOffsets/structure"] = none
    return stream.getvalue()


def _cells(names: Any) -> Any:
    """Return texts as MATLAB's cell array."""
    found = np.empty(len(names), dtype=object)
    found[:] = list(names)
    return found


def _identifier(name: str, taken: Any) -> str:
    """Return a name that MATLAB takes for a field."""
    plain = re.sub(r"[^A-Za-z0-9_]", "_", name)[:50]
    plain = plain if plain[:1].isalpha() else f"structure_{plain}"
    found, count = plain, 1
    while found in taken:
        count += 1
        found = f"{plain}_{count}"
    return found
