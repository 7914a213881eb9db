"""The files of a run: written beside their place first, put there only when all are whole."""

from __future__ import annotations

import csv
import json
import math
import os
import re
import shutil
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from carom.errors import InputError
from carom.results import Pounding, Simulation
from carom.results.simulation import IMPACT_FLAGS, IMPACT_UNITS

__all__ = ["can_hold", "plain", "whole_files", "write_impacts", "write_json", "write_response"]

WORDS = {"ended": ("in contact", "parted"), "guarded": ("no", "yes")}
"""What the flags of an impact read in a table: 0 and 1."""


@contextmanager
def whole_files(folder: Path) -> Iterator[Path]:
    """Give a folder to write in; when all went well its files move to `folder`, otherwise they vanish.

    An interruption, at any moment, leaves `folder` as it was, or with the new files.
    """
    there = folder.exists()
    unfinished = folder / f".unfinished-{os.getpid()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        unfinished.mkdir()
        yield unfinished
        with _undisturbed():
            for path in sorted(unfinished.rglob("*")):
                target = folder / path.relative_to(unfinished)
                if path.is_dir():
                    target.mkdir(exist_ok=True)
                else:
                    path.replace(target)
            there = True
    except OSError as error:
        raise InputError(
            f"The files could not be written to {folder}: {_reason(error)}. No half-written file was left there. "
            "Make room, or name another folder."
        ) from error
    finally:
        with _undisturbed():
            shutil.rmtree(unfinished, ignore_errors=True)
            if not there:
                with suppress(OSError):
                    folder.rmdir()


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Let an interruption wait for the end of a few short steps, where the system can."""
    mask = getattr(signal, "pthread_sigmask", None)
    if mask is None:
        yield
        return
    before = mask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        yield
    finally:
        mask(signal.SIG_SETMASK, before)


def _reason(error: OSError) -> str:
    """Return why the system refused; libraries below wrap its words in many of their own."""
    number = error.errno or int((re.search(r"errno = (\d+)", str(error)) or [0, 0])[1])
    return os.strerror(number) if number else str(error)


def can_hold(folder: Path) -> bool:
    """Tell whether files can be written to a folder, or to one made in its place."""
    for place in (folder, *folder.absolute().parents):
        if place.exists():
            return place.is_dir() and os.access(place, os.W_OK | os.X_OK)
    return False


def write_json(data: dict[str, Any], path: Path) -> None:
    """Write one JSON object."""
    text = json.dumps(plain(data), ensure_ascii=False, allow_nan=False, indent=2)
    path.write_text(text + "\n", encoding="utf-8")


def plain(value: Any) -> Any:
    """Return a value made of what JSON has: NumPy's numbers as Python's, infinities and NaN as None."""
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if hasattr(value, "tolist"):
        return plain(value.tolist())
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def write_impacts(simulation: Simulation, path: Path) -> None:
    """Write the impacts as a table, in order of time, units in the head.

    A value that there is not, the separation velocity of bodies in contact at the end, is an empty cell.
    """
    table = simulation.table
    labels = [simulation.contacts[c] for c in table["contact"].astype(int).tolist()]
    columns = [["" if math.isnan(value) else value for value in table[name].tolist()] for name in IMPACT_UNITS]
    columns += [[WORDS[name][int(value)] for value in table[name].tolist()] for name in WORDS if name in table]
    rows = sorted(zip(labels, *columns, strict=True), key=lambda row: row[1])
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        units = (f"{name} [{unit}]" for name, unit in IMPACT_UNITS.items())
        writer.writerow(["contact", *units, *(name for name in WORDS if name in table)])
        writer.writerows(rows)


def write_response(result: Pounding, path: Path) -> None:
    """Write run and twin as one netCDF file, for `xarray.open_dataset(path, group=…)` and the like.

    Histories are in the root group, impacts, peaks and energy in groups of these names; the twin has all of it again
    under ``no_pounding``.
    """
    import h5netcdf

    with h5netcdf.File(path, "w") as file:
        _write_simulation(result.run, file)
        _write_simulation(result.twin, file.create_group("no_pounding"))


def _write_simulation(simulation: Simulation, group: Any) -> None:
    """Write one run; the same content as its `history`, `impacts`, `peaks` and `energy`, without loading xarray."""
    over_dofs, over_contacts = ("time", "dof"), ("time", "contact")
    _write(group, "time", ("time",), simulation.time, "s")
    _write(group, "dof", ("dof",), simulation.dofs)
    _write(group, "contact", ("contact",), simulation.contacts)
    for name, unit in zip(("displacement", "velocity", "acceleration"), ("m", "m/s", "m/s2"), strict=True):
        _write(group, name, over_dofs, getattr(simulation, name), unit)
    _write(group, "force", over_contacts, simulation.force, "N")
    _write(group, "gap", over_contacts, simulation.gap, "m")
    impacts, peaks, energy = (group.create_group(name) for name in ("impacts", "peaks", "energy"))
    labels = [simulation.contacts[c] for c in simulation.table["contact"].astype(int).tolist()]
    _write(impacts, "contact", ("impact",), labels)
    for name, unit in IMPACT_UNITS.items():
        _write(impacts, name, ("impact",), simulation.table[name], unit)
    for name in IMPACT_FLAGS:
        if name in simulation.table:
            flags = impacts.create_variable(name, ("impact",), "i1", data=simulation.table[name].astype("i1"))
            flags.attrs["dtype"] = "bool"  # as xarray writes and reads them
    _write(peaks, "dof", ("dof",), simulation.dofs)
    for i, (name, unit) in enumerate((("displacement", "m"), ("velocity", "m/s"), ("acceleration", "m/s2"))):
        _write(peaks, name, ("dof",), simulation.extremes[:, i], unit)
    _write(energy, "time", ("time",), simulation.time, "s")
    for name, values in simulation.ledger.items():
        _write(energy, name, ("time",), values, "J")


def _write(group: Any, name: str, dims: tuple[str, ...], values: Any, unit: str = "") -> None:
    """Write one variable; its dimensions are made in its own group, where they are not there yet."""
    import h5py
    import numpy as np

    array = np.asarray(values) if unit else np.array(list(values), dtype=object)
    for dim, size in zip(dims, array.shape, strict=True):
        if dim not in group.dims:
            group.dimensions[dim] = size
    kind = array.dtype if unit else h5py.string_dtype()
    variable = group.create_variable(name, dims, kind, data=array)
    if unit:
        variable.attrs["units"] = unit
