"""Runs of a suite of motions as the table that analyses read: for those who ask from Python, without a study file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from carom.errors import InputError, refusal
from carom.integrate.ensembles.ensemble import ensemble
from carom.motions.motion import Motion, MotionSet
from carom.problem import Problem, distinct_labels
from carom.results import Ensemble
from carom.results.ensemble import ACCOUNT, PEAKS
from carom.studies.analyses.base import Column, StudyTable

__all__ = ["TWIN", "checked_motions", "checked_sets", "suite_table"]

KEPT = ("impacts", "peak_force", "impulse", "guarded_impacts")
TWIN = "no_pounding."
"""Before the name of an output: the same without contact."""


def suite_table(
    problem: Problem,
    motions: Sequence[Motion | MotionSet],
    *,
    vary: Mapping[str, Any] | None = None,
    paired: Mapping[str, Any] | None = None,
    title: str = "",
    **options: Any,
) -> StudyTable:
    """Run a problem under every motion, with and without contact; return one row for each run.

    Every motion runs for its own length, whatever its time step; `vary`, `paired` (there: ``zip``) and the options are
    those of `carom.ensemble`. Columns: motion, scale, pga (of a set that of its largest component), what is varied,
    impacts, peak_force, impulse, guarded_impacts, and for every degree of freedom ``displacement.dof``,
    ``velocity.dof``, ``acceleration.dof``; the same without contact under ``no_pounding.`` ….
    """
    motions = checked_sets(motions, "suite_table")
    asked = dict(vary or {})
    if not asked and not paired:
        asked = {"scale": [1.0]}
    parts: list[dict[str, Column]] = []
    units: dict[str, str] = {"pga": "m/s²"}
    for name, motion in zip(distinct_labels(one.name for one in motions), motions, strict=True):
        run = ensemble(problem.replace(motion=motion), vary=asked, zip=paired, twin=True, **options)
        parts.append(_rows(run, name, motion, units))
    columns = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    varied = [name for name in columns if name in asked or name in (paired or {})]
    outputs = [name for name in columns if name in KEPT or name.removeprefix(TWIN).partition(".")[0] in PEAKS]
    columns = {"run": np.arange(len(columns["status"])), **columns}
    return StudyTable(columns, units, ("motion", *varied), tuple(outputs), title)


def checked_motions(motions: Sequence[Motion], owner: str) -> list[Motion]:
    """Return the motions as a list; nothing else, and not none."""
    found = _listed(motions, owner)
    for one in found:
        if not isinstance(one, Motion):
            raise refusal("motions", owner, "must be carom.Motion, every one", one)
    return found


def checked_sets(motions: Sequence[Motion | MotionSet], owner: str) -> list[Motion | MotionSet]:
    """Return motions along x and sets of components as a list; nothing else, and not none."""
    found = _listed(motions, owner)
    for one in found:
        if not isinstance(one, (Motion, MotionSet)):
            raise refusal("motions", owner, "must be carom.Motion or carom.MotionSet, every one", one)
    return found


def _listed(motions: Any, owner: str) -> list[Any]:
    if isinstance(motions, Motion):
        raise refusal("motions", owner, "must be a list of motions", motions, "Write [motion].")
    found = list(motions)
    if not found:
        raise InputError(f"{owner} needs motions: at least one.")
    return found


def _rows(run: Ensemble, called: str, motion: Motion | MotionSet, units: dict[str, str]) -> dict[str, Column]:
    dims = list(run.dims)
    shape = tuple(run.dims.values())
    found: dict[str, Column] = {"motion": np.full(run.size, called, dtype=object)}
    for label, coordinate in run.coordinates.items():
        along = [1] * len(dims)
        along[dims.index(coordinate.dim)] = -1
        values = np.asarray(coordinate.values)
        values = values.astype(object) if values.dtype.kind == "U" else values
        found[label] = np.broadcast_to(values.reshape(along), shape).ravel()
        if coordinate.unit:
            units[label] = coordinate.unit
    found.setdefault("scale", np.ones(run.size))
    found["pga"] = motion.pga * np.abs(found["scale"].astype(np.float64))
    for label in KEPT:
        found[label] = run.account[label].ravel()
        if ACCOUNT[label] != "1":
            units[label] = ACCOUNT[label]
    twins = np.broadcast_to(_spread(run), run.extremes.shape)
    for i, dof in enumerate(run.dofs):
        for j, (label, unit) in enumerate(PEAKS.items()):
            for name, values in ((f"{label}.{dof}", run.extremes), (f"{TWIN}{label}.{dof}", twins)):
                found[name] = values[..., i, j].ravel()
                units[name] = unit
    found["status"] = run.status.ravel().astype(object)
    return found


def _spread(run: Ensemble) -> npt.NDArray[np.float64]:
    """Return the peaks without contact with a dimension for each of the runs', of size one where they do not differ."""
    if run.twin is None:
        raise InputError("suite_table needs runs without contact.")
    shape = [size if name in run.twin_dims else 1 for name, size in run.dims.items()]
    return run.twin.reshape(*shape, *run.twin.shape[-2:])
