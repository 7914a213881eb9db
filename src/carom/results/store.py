"""A run as one netCDF-4 file: the history at the root, impacts, peaks and energy as groups, the rest as attributes.

Any netCDF reader opens it: ``xarray.open_dataset(path)``, with ``group="impacts"``, or ``xarray.open_datatree(path)``.
``response.nc`` of `carom run` is the same with the twin without contact in the group ``no_pounding``. Numbers come back
bit for bit. A file appears whole or not at all.
"""

from __future__ import annotations

import json
import os
import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Any

from carom.errors import InputError, refusal
from carom.results.frame import Frame
from carom.results.outcome import Outcome
from carom.results.simulation import IMPACT_FLAGS, IMPACT_UNITS, PEAKS, Simulation

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["FORMAT", "GROUPS", "SUFFIXES", "load", "save", "write_run"]

FORMAT = 1
"""Number of the layout; a file with a larger one was written by a newer carom."""
GROUPS = ("impacts", "peaks", "energy")
TWIN = "no_pounding"
"""Group of the same structures without contact, in what `carom run` writes."""
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
        write_run(beside, run)
        beside.replace(place)
    except OSError as error:
        why = (os.strerror(error.errno) if error.errno else str(error)).lower()
        way_out = "Choose a folder that can be written to."
        raise refusal("path", "save", f"cannot be written ({why})", str(path), way_out) from None
    finally:  # after an interruption too
        beside.unlink(missing_ok=True)
    return place


def load(path: str | os.PathLike[str], *, no_pounding: bool = False) -> Simulation:
    """Read a run that `Simulation.save` wrote, or ``response.nc`` of `carom run`.

    Parameters
    ----------
    path
        The file.
    no_pounding
        Whether to read the same structures without contact instead, which ``response.nc`` holds too.

    Examples
    --------
    >>> import carom
    >>> ball = carom.Oscillator(mass=1.0, period=1.0)
    >>> run = carom.simulate(carom.Problem([ball], initial_velocity={0: 1.0}), duration=1.0)
    >>> carom.load(run.save("run.nc")).outcome.word  # doctest: +SKIP
    'finished'
    """
    place = _path(path, "load")
    twin = _recognise(place)
    if no_pounding and not twin:
        raise _foreign(place, "holds no run without contact", "`carom run` writes response.nc with it.")
    try:
        return _read(place, f"{TWIN}/" if no_pounding else "")
    except FAULTS:
        raise _damaged(place) from None


def write_run(path: Path, run: Simulation, twin: Simulation | None = None) -> None:
    """Write a run, and its twin without contact under ``no_pounding``; groups align, so that a DataTree holds them."""
    import h5netcdf

    with h5netcdf.File(path, "w") as file:
        _put_run(run, file)
        if twin is not None:
            _put_run(twin, file.create_group(TWIN))


def _put_run(run: Simulation, group: Any) -> None:
    """Write one run; the content of `history`, `impacts`, `peaks` and `energy`, without loading xarray."""
    from carom import __version__

    group.attrs.update({
        "title": "carom simulation",
        "carom_format": FORMAT,
        "carom_version": __version__,
        "outcome": run.outcome.word,
        "outcome_text": run.outcome.text,
        "evidence": json.dumps(dict(run.evidence), default=_plain, ensure_ascii=False),
        "frames": json.dumps([vars(frame) for frame in run.frames], ensure_ascii=False),
    })  # fmt: skip
    over_dofs, over_contacts = ("time", "dof"), ("time", "contact")
    variables: Variables = {"time": (("time",), run.time, "s"), "dof": (("dof",), run.dofs, "")}
    variables |= {name: (over_dofs, getattr(run, name), unit) for name, unit in PEAKS.items()}
    if run.contacts:  # the twin has none: an empty dimension would contradict the one of its parent
        variables["contact"] = ("contact",), run.contacts, ""
        variables |= {"force": (over_contacts, run.force, "N"), "gap": (over_contacts, run.gap, "m")}
    _put(group, variables)
    labels = [run.contacts[c] for c in run.table["contact"].astype(int).tolist()]
    units = {**IMPACT_UNITS, **dict.fromkeys(IMPACT_FLAGS, "1"), "friction_impulse": "N s"}
    impacts: Variables = {"contact": (("impact",), labels, "")}
    impacts |= {name: (("impact",), run.table[name], unit) for name, unit in units.items() if name in run.table}
    _put(group.create_group("impacts"), impacts)
    peaks: Variables = {name: ((dim,), values, unit) for name, (dim, values, unit) in run.peak_values.items()}
    if run.frames:
        peaks["structure"] = ("structure",), [frame.name for frame in run.frames], ""
    _put(group.create_group("peaks"), {"dof": (("dof",), run.dofs, ""), **peaks})
    energy = {name: (("time",), values, "J") for name, values in run.ledger.items()}
    _put(group.create_group("energy"), {"time": (("time",), run.time, "s"), **energy})


Variables = dict[str, tuple[tuple[str, ...], Any, str]]
"""Name to dimensions, values and unit; words have no unit."""


def _put(group: Any, variables: Variables) -> None:
    """Write variables into a group; their dimensions are made there, where they are not there yet."""
    import h5py
    import numpy as np

    for name, (dims, values, unit) in variables.items():
        array = np.asarray(values) if unit else np.array(list(values), dtype=object)
        for dim, size in zip(dims, array.shape, strict=True):
            if dim not in group.dims:
                group.dimensions[dim] = size
        if name in IMPACT_FLAGS:
            flags = group.create_variable(name, dims, "i1", data=array.astype("i1"))
            flags.attrs.update({"dtype": "bool", "long_name": IMPACT_FLAGS[name]})  # as xarray writes and reads them
            continue
        kind = array.dtype if unit else h5py.string_dtype()
        checked = bool(unit) and array.size > 0  # a checksum: damage inside is seen on reading
        variable = group.create_variable(name, dims, kind, data=array, fletcher32=checked)
        if unit:
            variable.attrs["units"] = unit


def _read(path: Path, within: str) -> Simulation:
    import numpy as np

    history, impacts, peaks, energy = (_get(path, within + group) for group in ("", *GROUPS))
    dofs = tuple(str(name) for name in history["dof"].values)
    contacts = tuple(str(name) for name in history["contact"].values) if "contact" in history else ()
    touched = np.array([float(contacts.index(name)) for name in impacts["contact"].values])
    table = {str(name): impacts[name].values for name in impacts.data_vars if name != "contact"}
    table |= {name: table[name].astype(np.float64) for name in IMPACT_FLAGS if name in table}
    table.setdefault("ended", np.ones_like(touched))  # files of earlier versions hold impacts that ended, and no others
    words = {outcome.word: outcome for outcome in Outcome}
    apart = np.zeros((history["time"].size, 0))
    return Simulation(
        time=history["time"].values,
        displacement=history["displacement"].values,
        velocity=history["velocity"].values,
        acceleration=history["acceleration"].values,
        force=history["force"].values if contacts else apart,
        gap=history["gap"].values if contacts else apart,
        table={"contact": touched, **table},
        extremes=np.stack([peaks[name].values for name in PEAKS], axis=1),
        ledger={str(name): energy[name].values for name in energy.data_vars},
        dofs=dofs,
        contacts=contacts,
        # `carom run` of earlier versions wrote runs that had finished, without saying so
        outcome=words[history.attrs.get("outcome", Outcome.FINISHED.word)],
        evidence=json.loads(history.attrs.get("evidence", "{}")),
        frames=tuple(_frame(one) for one in json.loads(history.attrs.get("frames", "[]"))),
    )


def _frame(stated: dict[str, Any]) -> Frame:
    lists: dict[str, Any] = {name: tuple(value) for name, value in stated.items() if isinstance(value, list)}
    return Frame(**{**stated, **lists})


def _get(path: Path, group: str) -> xr.Dataset:
    import xarray as xr

    with xr.open_dataset(path, group=group or None, engine=ENGINE, decode_times=False) as data:
        return data.load()


def _recognise(path: Path) -> bool:
    """Refuse what is not one of our files, as far as its door tells; return whether it holds the twin too."""
    import h5py

    if not path.exists():
        raise refusal("path", "load", "must be a file that exists", str(path))
    if path.is_dir():
        raise refusal("path", "load", "must be a file, not a folder", str(path))
    if not path.is_file():
        raise refusal("path", "load", "must be an ordinary file", str(path))  # a pipe would be waited for
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
            twin = TWIN in file
            known = "carom_format" in file.attrs or twin  # earlier versions did not sign what `carom run` wrote
            layout = int(file.attrs["carom_format"].item()) if "carom_format" in file.attrs else 0
    except FAULTS:
        raise _damaged(path) from None
    if not known:
        raise _foreign(path, "is netCDF-4 or HDF5, but holds no run of carom")
    if layout > FORMAT:
        raise InputError(
            f"{path} was written by a newer carom (layout {layout}; this one reads up to {FORMAT}). Update carom."
        )
    return twin


def _path(given: Any, owner: str) -> Path:
    if not isinstance(given, str | os.PathLike):
        raise refusal("path", owner, "must be a path", given)
    return Path(given)


def _foreign(
    path: Path, what: str, way_out: str = "carom.load reads what res.save(path) or `carom run` wrote."
) -> InputError:
    return InputError(f"{path} {what}. {way_out}")


def _damaged(path: Path) -> InputError:
    return InputError(f"{path} is damaged or cut short. Copy it again, or run the problem again.")


def _plain(value: Any) -> Any:
    """Return NumPy's numbers and arrays as Python's."""
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"evidence cannot hold {value!r:.60}")
