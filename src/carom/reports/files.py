"""The files of a run: written beside their place first, put there only when all are whole."""

from __future__ import annotations

import csv
import json
import math
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from carom.results import Pounding, Simulation

__all__ = ["plain", "whole_files", "write_impacts", "write_json", "write_response"]


@contextmanager
def whole_files(folder: Path) -> Iterator[Path]:
    """Give a folder to write in; when all went well its files move to `folder`, otherwise they vanish.

    An interruption, at any moment, leaves `folder` as it was, or with the new files.
    """
    folder.mkdir(parents=True, exist_ok=True)
    unfinished = folder / f".unfinished-{os.getpid()}"
    unfinished.mkdir()
    try:
        yield unfinished
        for path in sorted(unfinished.rglob("*")):
            target = folder / path.relative_to(unfinished)
            if path.is_dir():
                target.mkdir(exist_ok=True)
            else:
                path.replace(target)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


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
    """Write the impacts as a table, in order of time, units in the head."""
    impacts = simulation.impacts
    head = [
        f"{name} [{values.attrs['units']}]" if "units" in values.attrs else name for name, values in impacts.items()
    ]
    columns = [values.values.tolist() for values in impacts.values()]
    rows = sorted(zip(*columns, strict=True), key=lambda row: row[1])
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(head)
        writer.writerows(rows)


def write_response(result: Pounding, path: Path) -> None:
    """Write run and twin as one netCDF file: the run in the root group and its own, the twin under ``no_pounding``."""
    for simulation, group in ((result.run, ""), (result.twin, "no_pounding/")):
        _write_simulation(simulation, path, group)


def _write_simulation(simulation: Simulation, path: Path, group: str) -> None:
    """Write one run: histories in `group`, impacts, peaks and energy in groups under it."""
    parts = {
        "": simulation.history,
        "impacts": simulation.impacts.assign(contact=simulation.impacts.contact.astype(str)),
        "peaks": simulation.peaks,
        "energy": simulation.energy,
    }
    for name, dataset in parts.items():
        mode: Any = "a" if path.exists() else "w"
        dataset.to_netcdf(path, mode=mode, engine="h5netcdf", group=f"{group}{name}" or None)
