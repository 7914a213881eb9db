"""The record of a scene in a netCDF-4 file: the group ``scene``, beside the others of a run."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from carom.results.space.scene_record import SceneRecord

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["SCENE", "put_record", "read_record"]

SCENE = "scene"
DIMENSIONS: Mapping[str, tuple[str, ...]] = {
    "friction": ("time", "touching", "tangent"),
    "slip": ("time", "touching", "tangent"),
    "state": ("time", "touching"),
    "place": ("time", "touching"),
    "joint_force": ("time", "joint_row"),
    "joint_deformation": ("time", "joint_row"),
    "joint_peaks": ("joint_row", "peak"),
    "gauge": ("time", "gauge_row"),
    "gauge_extremes": ("gauge_row", "extreme"),
    "gauge_left": ("gauge_row",),
}
IN_SPACE: Mapping[str, tuple[str, ...]] = {
    "foot": ("time", "touching", "axis"),
    "pushed": ("time", "touching", "axis"),
    "centre": ("time", "body", "axis"),
    "turned": ("time", "body", "quaternion"),
}
"""What records of runs in the plane do not have."""
UNITS = {
    "friction": "N", "slip": "m/s", "joint_force": "N", "joint_deformation": "m", "gauge": "m", "gauge_left": "s",
    "foot": "m", "pushed": "N", "centre": "m",
}  # fmt: skip


def put_record(record: SceneRecord, time: Any, group: Any, put: Callable[[Any, Any], None]) -> None:
    """Write a record into a group of its own; `put` writes variables into one."""
    group.attrs[SCENE] = json.dumps(_names(record), ensure_ascii=False)
    variables = {
        name: (dims, getattr(record, name), UNITS.get(name, "1"))
        for name, dims in DIMENSIONS.items()
        if getattr(record, name).size
    }
    for name, dims in IN_SPACE.items():
        if (found := getattr(record, name)) is not None and found.size:
            variables[name] = (dims, found, UNITS.get(name, "1"))
    put(group.create_group(SCENE), {"time": (("time",), time, "s"), **variables})


def _names(record: SceneRecord) -> dict[str, Any]:
    bodies = {"bodies": record.bodies} if record.bodies else {}
    return {"joints": record.joints, "gauges": record.gauges, **bodies}


def read_record(data: xr.Dataset, attributes: Mapping[str, Any]) -> SceneRecord:
    """Return the record that a group holds; what is not there has no entries."""
    import numpy as np

    labels = json.loads(attributes[SCENE])
    samples = data["time"].size
    counts = {"time": samples, "touching": 0, "tangent": 2, "peak": 2, "extreme": 2}
    counts |= {"joint_row": len(labels["joints"]), "gauge_row": len(labels["gauges"])}
    counts |= {str(name): size for name, size in data.sizes.items()}
    found: dict[str, Any] = {name: tuple(labels[name]) for name in ("joints", "gauges")}
    for name, dims in DIMENSIONS.items():
        kind = np.int64 if name == "state" else np.float64
        shape = tuple(counts[dim] for dim in dims)
        found[name] = data[name].values.astype(kind) if name in data else np.zeros(shape, dtype=kind)
    found["bodies"] = tuple(labels.get("bodies", ()))
    found |= {name: data[name].values for name in IN_SPACE if name in data}
    known = {entry.name for entry in fields(SceneRecord)}
    return SceneRecord(**{name: value for name, value in found.items() if name in known})
