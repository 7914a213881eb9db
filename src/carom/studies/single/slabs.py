"""Floor spectra in space: of the centre and the corners of the slab that contact shakes most."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from carom.motions import Motion, response_spectrum
from carom.results import FloorSpectra, Form, Scene, Simulation, SlabSpectra

__all__ = ["slab_spectra"]

Array = npt.NDArray[np.float64]

MOST = 4
"""Corners of a slab that are looked at: those that are shaken most."""


def slab_spectra(
    scene: Scene, run: Simulation, twin: Simulation, periods: Array, damping: float
) -> Iterator[SlabSpectra]:
    """Yield the spectra of each structure in space that moves."""
    axis = scene.axis
    dt = float(run.time[1] - run.time[0])
    for i, standing in enumerate(scene.standings):
        form = standing.form
        if form is None or not form.outputs or not form.levels or not standing.moving:
            continue
        level = _most_raised(form, run, twin, axis)
        slab = form.levels[level]
        corners = sorted(slab.corners, key=lambda point: -form.peak(run, form.rows[point, axis], 2))[:MOST]
        points = [slab.centre, *(point for point in slab.corners if point in corners)]
        motions = [
            Motion(form.history(one, form.rows[point, axis], "acceleration"), dt=dt)
            for one in (run, twin)
            for point in points
        ]
        found = response_spectrum(motions, periods, damping)
        psa, psa_without = np.split(found.psa, 2)
        psv, psv_without = np.split(found.psv, 2)
        names = ("centre", *(_short(form.names[point], slab.name) for point in points[1:]))
        yield SlabSpectra(
            i, level, axis, names, FloorSpectra(periods, damping, psa, psv, psa_without, psv_without)
        )


def _most_raised(form: Form, run: Simulation, twin: Simulation, axis: int) -> int:
    """Return the level whose centre contact shakes most, against itself without; the topmost where nothing touched."""
    if not run.table["start"].size:
        return len(form.levels) - 1
    ratios = []
    for level in form.levels:
        row = form.rows[level.centre, axis]
        without = form.peak(twin, row, 2)
        ratios.append(form.peak(run, row, 2) / without if without > 0.0 else 0.0)
    return int(np.argmax(ratios))


def _short(point: str, slab: str) -> str:
    return point.removeprefix(slab).strip() or point
