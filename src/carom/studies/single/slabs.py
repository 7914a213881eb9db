"""Floor spectra in space: of the centre and the corners of the slab that contact shakes most."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from carom.motions import Motion, response_spectrum
from carom.results import FloorSpectra, Form, FormLevel, Scene, Simulation, SlabSpectra

__all__ = ["slab_spectra"]

Array = npt.NDArray[np.float64]

MOST = 4
"""Corners of a slab that are looked at."""
ALIKE = 1e-9
"""Rows that differ by less read the same."""


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
        points = _unlike(form, slab, axis)
        motions = [
            Motion(form.history(one, form.rows[point, axis], "acceleration"), dt=dt)
            for one in (run, twin)
            for point, _ in points
        ]
        found = response_spectrum(motions, periods, damping)
        psa, psa_without = np.split(found.psa, 2)
        psv, psv_without = np.split(found.psv, 2)
        spectra = FloorSpectra(periods, damping, psa, psv, psa_without, psv_without)
        yield SlabSpectra(i, level, axis, tuple(name for _, name in points), spectra)


def _unlike(form: Form, slab: FormLevel, axis: int) -> list[tuple[int, str]]:
    """Return the centre and corners of a slab that move differently along a direction, with their names.

    Corners that move alike, as two on one edge of a rigid slab do, are one; of many those farthest out are kept.
    """
    found: list[tuple[int, list[str]]] = [(slab.centre, ["centre"])]
    for point in slab.corners:
        row = form.rows[point, axis]
        alike = next((names for other, names in found if np.allclose(row, form.rows[other, axis], atol=ALIKE)), None)
        name = _short(form.names[point], slab.name)
        if alike is None:
            found.append((point, [name]))
        elif alike != ["centre"]:
            alike.append(name)
    middle = form.rows[slab.centre, axis]
    outer = sorted(found[1:], key=lambda one: -float(np.abs(form.rows[one[0], axis] - middle).sum()))[:MOST]
    return [(point, " and ".join(names)) for point, names in found if names == ["centre"] or (point, names) in outer]


def _most_raised(form: Form, run: Simulation, twin: Simulation, axis: int) -> int:
    """Return the level that contact shakes most, against itself without; the topmost where nothing touched."""
    if not run.table["start"].size:
        return len(form.levels) - 1
    ratios = []
    for level in form.levels:
        rows = [form.rows[point, axis] for point in (level.centre, *level.corners)]
        without = max(form.peak(twin, row, 2) for row in rows)
        ratios.append(max(form.peak(run, row, 2) for row in rows) / without if without > 0.0 else 0.0)
    return int(np.argmax(ratios))


def _short(point: str, slab: str) -> str:
    return point.removeprefix(slab).strip() or point
