"""The files of a run."""

from __future__ import annotations

import csv
import json
import math
import os
from pathlib import Path
from typing import Any

from carom.plain_text import cell
from carom.results import Pounding, Simulation, Table
from carom.results.files.store import write_run
from carom.results.simulation import IMPACT_UNITS

__all__ = ["can_hold", "plain", "write_impacts", "write_json", "write_response", "write_table"]

WORDS = {"ended": ("in contact", "parted"), "guarded": ("no", "yes")}
"""What the flags of an impact read in a table: 0 and 1."""


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
    columns = [[None if math.isnan(value) else value for value in table[name].tolist()] for name in IMPACT_UNITS]
    columns += [[WORDS[name][int(value)] for value in table[name].tolist()] for name in WORDS if name in table]
    rows = sorted(zip(labels, *columns, strict=True), key=lambda row: row[1])
    units = (f"{name} [{unit}]" for name, unit in IMPACT_UNITS.items())
    head = ("contact", *units, *(name for name in WORDS if name in table))
    write_table(Table("impacts", "Impacts", head, tuple(rows)), path)


def write_table(table: Table, path: Path) -> None:
    """Write a table as CSV, with all digits; where there is nothing, the cell is empty."""
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerows([cell(value) for value in row] for row in (table.head, *table.rows))


def write_response(result: Pounding, path: Path) -> None:
    """Write run and twin as one netCDF file, for `carom.load` and `xarray.open_datatree`."""
    write_run(path, result.run, result.twin)
