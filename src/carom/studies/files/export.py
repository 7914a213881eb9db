"""All runs of a study as one file, for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from carom.errors import RunError, UnknownNameError
from carom.plain_text import cell
from carom.studies.extra import needs
from carom.studies.files.store import Store
from carom.whole_files import reason_of, whole_file

__all__ = ["FORMATS", "export_runs"]


def export_runs(store: Store, to: str, out: str | Path | None = None) -> Path:
    """Write the runs of a store in order as CSV, Parquet or netCDF; return the path. The file is whole or not there."""
    if to not in FORMATS:
        raise UnknownNameError("format", to, FORMATS)
    path = store.folder / f"runs.{to}" if out is None else Path(out)
    store.tell_of_samples()
    try:
        with whole_file(path) as draft:
            FORMATS[to](store, draft)
    except OSError as error:
        raise RunError(f"{path} cannot be written ({reason_of(error).lower()}).") from None
    return path


def _arrow(store: Store) -> Any:
    pa = needs("pyarrow")
    columns, units = store.columns(), store.manifest["columns"]
    arrays = [pa.array(column.tolist() if column.dtype == object else column) for column in columns.values()]
    fields = [
        pa.field(name, array.type, metadata={"unit": units[name]} if units[name] else None)
        for name, array in zip(columns, arrays, strict=True)
    ]
    return pa.table(arrays, schema=pa.schema(fields))


def _csv(store: Store, path: Path) -> None:
    """Write CSV, units in the head."""
    pa, table = needs("pyarrow"), _arrow(store)
    units = store.manifest["columns"]
    heads = [str(cell(f"{name} [{units[name]}]" if units[name] else name)) for name in table.column_names]
    columns = [pa.array(map(cell, one.to_pylist())) if _is_text(one) else one for one in table.columns]
    needs("pyarrow.csv").write_csv(pa.table(columns, names=heads), path)


def _is_text(column: Any) -> bool:
    return str(column.type) in ("string", "large_string")


def _parquet(store: Store, path: Path) -> None:
    needs("pyarrow.parquet").write_table(_arrow(store), path, compression="zstd")


def _netcdf(store: Store, path: Path) -> None:
    import xarray as xr

    units = store.manifest["columns"]
    variables = {
        name: ("run", np.asarray(column, dtype=str) if column.dtype == object else column, {"units": units[name]})
        for name, column in store.columns().items()
    }
    data = xr.Dataset(variables, attrs={"title": store.manifest["title"], "study": store.manifest["text"]})
    data.set_coords("run").to_netcdf(path, engine="h5netcdf")


FORMATS = {"csv": _csv, "parquet": _parquet, "nc": _netcdf}
