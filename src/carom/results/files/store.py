"""A run as one netCDF-4 file: the history at the root, impacts, peaks and energy as groups, the rest as attributes.

Any netCDF reader opens it: ``xarray.open_dataset(path)``, with ``group="impacts"``, or ``xarray.open_datatree(path)``.
``response.nc`` of `carom run` is the same with the twin without contact in the group ``no_pounding``. Numbers come back
bit for bit. A file appears whole or not at all, and carries a checksum (see `seal`) that is looked at before all else.
"""

from __future__ import annotations

import json
import os
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

from carom.errors import DamageWarning, InputError, refusal
from carom.results.files.scene_store import SCENE, put_record, read_record
from carom.results.files.seal import append_seal, can_be_read, fault_of, seal_matches
from carom.results.frame import Frame
from carom.results.outcome import Outcome
from carom.results.simulation import FRICTION_IMPULSES, IMPACT_FLAGS, IMPACT_UNITS, PEAKS, Simulation
from carom.results.space.body_forms import BodyForm
from carom.results.space.deck_plan import DeckPlan
from carom.whole_files import reason_of, whole_file

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["FORMAT", "GROUPS", "SUFFIXES", "load", "look", "save", "write_run"]

FORMAT = 1
"""Number of the layout; a file with a larger one was written by a newer carom."""
GROUPS = ("impacts", "peaks", "energy")
TWIN = "no_pounding"
"""Group of the same structures without contact, in what `carom run` writes."""
SUFFIXES = (".nc", ".nc4")
SEALED = "carom_checksum"
"""Attribute of files that have a checksum: one that has lost it was changed."""
DENSEST = 64
"""Bytes of content for each byte of a file: more than any run has."""
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
    try:
        with whole_file(place) as draft:
            write_run(draft, run)
    except OSError as error:
        rule, way_out = f"cannot be written ({reason_of(error).lower()})", "Choose a folder that can be written to."
        raise refusal("path", "save", rule, str(path), way_out) from None
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
    sealed = _unbroken(place)
    twin = _recognise(place, sealed=sealed)
    if no_pounding and not twin:
        raise _foreign(place, "holds no run without contact", "`carom run` writes response.nc with it.")
    try:
        run = _read(place, f"{TWIN}/" if no_pounding else "")
    except FAULTS:
        raise _damaged(place) from None
    if not sealed:
        warnings.warn(
            f"{place} was written by an earlier carom and carries no checksum: damage to it may go unseen. Save the "
            "run again to give it one.",
            DamageWarning,
            stacklevel=2,
        )
    return run


def look(path: str) -> None:
    """Read all that a file without a checksum holds, as a trial: whether that ends at all is not known before."""
    place = Path(path)
    try:
        twin = _recognise(place, sealed=False)
    except InputError:  # as it is told again where the file is wanted
        return
    for within in ("", f"{TWIN}/") if twin else ("",):
        _read(place, within)


def write_run(path: Path, run: Simulation, twin: Simulation | None = None) -> None:
    """Write a run, and its twin without contact under ``no_pounding``; groups align, so that a DataTree holds them."""
    import h5netcdf

    with h5netcdf.File(path, "w") as file:
        _put_run(run, file)
        if twin is not None:
            _put_run(twin, file.create_group(TWIN))
        file.attrs[SEALED] = "sha256, after the end of the file"
    append_seal(path)


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
    units = {**IMPACT_UNITS, **dict.fromkeys(IMPACT_FLAGS, "1"), **dict.fromkeys(FRICTION_IMPULSES, "N s")}
    impacts: Variables = {"contact": (("impact",), labels, "")}
    impacts |= {name: (("impact",), run.table[name], unit) for name, unit in units.items() if name in run.table}
    _put(group.create_group("impacts"), impacts)
    peaks: Variables = {name: ((dim,), values, unit) for name, (dim, values, unit) in run.peak_values.items()}
    if run.frames:
        peaks["structure"] = ("structure",), [frame.name for frame in run.frames], ""
    _put(group.create_group("peaks"), {"dof": (("dof",), run.dofs, ""), **peaks})
    if run.deck_plan is not None:
        group.attrs["deck_plan"] = json.dumps(run.deck_plan.as_dict(), ensure_ascii=False)
    if run.body_forms:
        group.attrs["body_forms"] = json.dumps([form.as_dict() for form in run.body_forms], ensure_ascii=False)
    if run.scene_record is not None:
        put_record(run.scene_record, run.time, group, _put)
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
    record = read_record(_get(path, within + SCENE), history.attrs) if "scene" in history.attrs else None
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
        scene_record=record,
        deck_plan=DeckPlan.of(json.loads(history.attrs["deck_plan"])) if "deck_plan" in history.attrs else None,
        body_forms=tuple(BodyForm.of(one) for one in json.loads(history.attrs.get("body_forms", "[]"))),
        frames=tuple(_frame(one) for one in json.loads(history.attrs.get("frames", "[]"))),
    )


def _frame(stated: dict[str, Any]) -> Frame:
    lists: dict[str, Any] = {name: tuple(value) for name, value in stated.items() if isinstance(value, list)}
    return Frame(**{**stated, **lists})


def _get(path: Path, group: str) -> xr.Dataset:
    import xarray as xr

    with xr.open_dataset(path, group=group or None, engine=ENGINE, decode_times=False) as data:
        return data.load()


def _unbroken(path: Path) -> bool:
    """Refuse what is no file of ours, as far as its bytes tell; return whether a checksum says that it is."""
    if not path.exists():
        raise refusal("path", "load", "must be a file that exists", str(path))
    if not path.is_file():
        what = "a folder" if path.is_dir() else "a pipe or a device"
        raise refusal("path", "load", f"must be a file, not {what}", str(path))
    try:
        fault, sealed = fault_of(path), seal_matches(path)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise refusal("path", "load", f"cannot be read ({reason})", str(path)) from None
    if fault == "not HDF5":
        raise _foreign(path, "is not a netCDF-4 file")
    if fault or sealed is False:
        raise _damaged(path, fault or "its checksum does not match")
    if sealed is None and not can_be_read(path, f"from {__name__} import look; look(sys.argv[1])"):
        raise _damaged(path)
    return bool(sealed)


def _recognise(path: Path, *, sealed: bool) -> bool:
    """Refuse what is not one of our files, as far as its door tells; return whether it holds the twin too."""
    import h5py

    try:
        with h5py.File(path) as file:
            twin = TWIN in file
            known = "carom_format" in file.attrs or twin  # earlier versions did not sign what `carom run` wrote
            layout = int(file.attrs["carom_format"].item()) if "carom_format" in file.attrs else 0
            lost = SEALED in file.attrs and not sealed
            bloated = _bloated(file, path.stat().st_size)
    except FAULTS:
        raise _damaged(path) from None
    if not known:
        raise _foreign(path, "is netCDF-4 or HDF5, but holds no run of carom")
    if layout > FORMAT:
        raise InputError(
            f"{path} was written by a newer carom (layout {layout}; this one reads up to {FORMAT}). Update carom."
        )
    if lost or bloated:
        raise _damaged(path, "its checksum is gone" if lost else "it claims to hold more than it does")
    return twin


def _bloated(file: Any, size: int) -> bool:
    """Tell whether a file claims more numbers than it can hold, for which there would be no memory."""
    import h5py

    found: list[int] = []
    file.visititems(lambda _, item: found.append(item.nbytes) if isinstance(item, h5py.Dataset) else None)
    return sum(found) > DENSEST * size


def _path(given: Any, owner: str) -> Path:
    if not isinstance(given, str | os.PathLike):
        raise refusal("path", owner, "must be a path", given)
    if "\0" in str(given):
        raise refusal("path", owner, "must be a path without NUL", given)
    return Path(given)


def _foreign(
    path: Path, what: str, way_out: str = "carom.load reads what res.save(path) or `carom run` wrote."
) -> InputError:
    return InputError(f"{path} {what}. {way_out}")


def _damaged(path: Path, why: str = "") -> InputError:
    told = f" ({why})" if why and why != "cut short" else ""
    return InputError(f"{path} is damaged or cut short{told}. Copy it again, or run the problem again.")


def _plain(value: Any) -> Any:
    """Return NumPy's numbers and arrays as Python's."""
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"evidence cannot hold {value!r:.60}")
