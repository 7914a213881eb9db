"""A run as one netCDF-4 file: the history at the root, impacts, peaks and energy as groups, the rest as attributes.

Any netCDF reader opens it: ``xarray.open_dataset(path)``, or with ``group="impacts"``. Numbers come back bit for bit.
A file appears whole or not at all.
"""

from __future__ import annotations

import json
import os
import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Any

from carom.errors import InputError, refusal
from carom.results.outcome import Outcome
from carom.results.simulation import IMPACT_FLAGS, Simulation

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["FORMAT", "GROUPS", "SUFFIXES", "load", "save"]

FORMAT = 1
"""Number of the layout; a file with a larger one was written by a newer carom."""
GROUPS = ("impacts", "peaks", "energy")
SUFFIXES = (".nc", ".nc4")
SIGNATURE = b"\x89HDF\r\n\x1a\n"
ENGINE: Any = "h5netcdf"
FAULTS = (ArithmeticError, AttributeError, LookupError, MemoryError, OSError, RuntimeError, TypeError, ValueError)
"""Whatever HDF5 and its readers raise on a damaged file."""


def save(run: Simulation, path: str | os.PathLike[str]) -> Path:
    """Write a run to ``path`` (.nc), replacing what stands there, and return the path."""
    place = _path(path, "save")
    if place.suffix.lower() not in SUFFIXES:
        raise refusal("path", "save", f"must end in {' or '.join(SUFFIXES)}", str(path), "A run is a netCDF-4 file.")
    if place.is_dir():
        raise refusal("path", "save", "must name a file, not a folder", str(path))
    if not place.parent.is_dir():
        raise refusal("path", "save", "must lie in a folder that exists", str(path), f"Make {place.parent} first.")
    beside = place.with_name(f".{place.name}.{os.getpid()}-{secrets.token_hex(4)}.part")
    try:
        _write(run, beside)
        beside.replace(place)
    except OSError as error:
        why = (os.strerror(error.errno) if error.errno else str(error)).lower()
        way_out = "Choose a folder that can be written to."
        raise refusal("path", "save", f"cannot be written ({why})", str(path), way_out) from None
    finally:  # after an interruption too
        beside.unlink(missing_ok=True)
    return place


def load(path: str | os.PathLike[str]) -> Simulation:
    """Read a run that `Simulation.save` wrote.

    Examples
    --------
    >>> import carom
    >>> ball = carom.Oscillator(mass=1.0, period=1.0)
    >>> run = carom.simulate(carom.Problem([ball], initial_velocity={0: 1.0}), duration=1.0)
    >>> carom.load(run.save("run.nc")).outcome.word  # doctest: +SKIP
    'finished'
    """
    place = _path(path, "load")
    _recognise(place)
    try:
        return _read(place)
    except FAULTS:
        raise _damaged(place) from None


def _write(run: Simulation, path: Path) -> None:
    from carom import __version__

    attributes = {
        "title": "carom simulation",
        "carom_format": FORMAT,
        "carom_version": __version__,
        "outcome": run.outcome.word,
        "outcome_text": run.outcome.text,
        "evidence": json.dumps(dict(run.evidence), default=_plain, ensure_ascii=False),
    }
    _put(run.history.assign_attrs(attributes), path, "w", None)
    for group in GROUPS:
        _put(getattr(run, group), path, "a", group)


def _put(data: xr.Dataset, path: Path, mode: Any, group: str | None) -> None:
    encoding = {
        name: {"_FillValue": None, "fletcher32": values.size > 0}  # a checksum: damage inside is seen on reading
        for name, values in data.variables.items()
        if values.dtype.kind == "f"
    }
    data.to_netcdf(path, mode=mode, group=group, engine=ENGINE, encoding=encoding)


def _read(path: Path) -> Simulation:
    import numpy as np

    history, impacts, peaks, energy = (_get(path, group) for group in (None, *GROUPS))
    dofs, contacts = (tuple(str(name) for name in history[over].values) for over in ("dof", "contact"))
    touched = np.array([float(contacts.index(name)) for name in impacts["contact"].values])
    table = {str(name): impacts[name].values for name in impacts.data_vars if name != "contact"}
    table |= {name: table[name].astype(np.float64) for name in IMPACT_FLAGS if name in table}
    table.setdefault("ended", np.ones_like(touched))  # files of earlier versions hold impacts that ended, and no others
    words = {outcome.word: outcome for outcome in Outcome}
    return Simulation(
        time=history["time"].values,
        displacement=history["displacement"].values,
        velocity=history["velocity"].values,
        acceleration=history["acceleration"].values,
        force=history["force"].values,
        gap=history["gap"].values,
        table={"contact": touched, **table},
        extremes=np.stack([peaks[name].values for name in ("displacement", "velocity", "acceleration")], axis=1),
        ledger={str(name): energy[name].values for name in energy.data_vars},
        dofs=dofs,
        contacts=contacts,
        outcome=words[history.attrs["outcome"]],
        evidence=json.loads(history.attrs["evidence"]),
    )


def _get(path: Path, group: str | None) -> xr.Dataset:
    import xarray as xr

    with xr.open_dataset(path, group=group, engine=ENGINE, decode_times=False) as data:
        return data.load()


def _recognise(path: Path) -> None:
    """Refuse what is not one of our files, as far as its door tells."""
    import h5py

    if not path.exists():
        raise refusal("path", "load", "must be a file that exists", str(path))
    if path.is_dir():
        raise refusal("path", "load", "must be a file, not a folder", str(path))
    try:
        with path.open("rb") as file:
            start = file.read(len(SIGNATURE))
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise refusal("path", "load", f"cannot be read ({reason})", str(path)) from None
    if start != SIGNATURE:
        cut = SIGNATURE.startswith(start)
        raise _damaged(path) if cut else _foreign(path, "is not a netCDF-4 file")
    try:
        with h5py.File(path) as file:
            known = "carom_format" in file.attrs
            layout = int(file.attrs["carom_format"].item()) if known else 0
    except FAULTS:
        raise _damaged(path) from None
    if not known:
        raise _foreign(path, "is netCDF-4 or HDF5, but holds no run of carom")
    if layout > FORMAT:
        raise InputError(
            f"{path} was written by a newer carom (layout {layout}; this one reads up to {FORMAT}). Update carom."
        )


def _path(given: Any, owner: str) -> Path:
    if not isinstance(given, str | os.PathLike):
        raise refusal("path", owner, "must be a path", given)
    return Path(given)


def _foreign(path: Path, what: str) -> InputError:
    return InputError(f"{path} {what}. carom.load reads what res.save(path) wrote.")


def _damaged(path: Path) -> InputError:
    return InputError(f"{path} is damaged or cut short. Copy it again, or run the problem again.")


def _plain(value: Any) -> Any:
    """Return NumPy's numbers and arrays as Python's."""
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"evidence cannot hold {value!r:.60}")
