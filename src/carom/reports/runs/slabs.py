"""What slabs did that move along x and y and turn: in words and as a table."""

from __future__ import annotations

from typing import NamedTuple

from carom.reports.changes import change
from carom.reports.page import number
from carom.results import Form, FormLevel, Pounding, Simulation, Standing, Table
from carom.units import si, standard_gravity

__all__ = ["shear_table", "slab_effect", "slab_table", "storey_table"]

STILL = 1e-9
"""A rotation times a structure's size that is so small, as a share of its displacement, is rounding of none."""


COLUMNS = (
    ("x [mm]", 1e3), ("y [mm]", 1e3), ("rotation [mrad]", 1e3), ("acceleration x [g]", 1.0 / standard_gravity),
    ("acceleration y [g]", 1.0 / standard_gravity), ("at a corner [g]", 1.0 / standard_gravity),
)  # fmt: skip
"""What the table shows of `Peaks`, and in which unit."""


class Peaks(NamedTuple):
    """Largest values of a slab."""

    along_x: float
    """Displacement of its centre along x [m]."""
    along_y: float
    turning: float
    """Rotation about the vertical axis [rad]."""
    acceleration_x: float
    """Of its centre, absolute [m/s²]."""
    acceleration_y: float
    corner: float
    """Largest absolute acceleration of a corner along x or y [m/s²]."""


def _peaks(form: Form, level: FormLevel, run: Simulation) -> Peaks:
    centre = form.rows[level.centre]
    corners = [form.peak(run, form.rows[point, axis], 2) for point in level.corners for axis in (0, 1)]
    return Peaks(
        form.peak(run, centre[0], 0), form.peak(run, centre[1], 0), form.peak(run, level.turning, 0),
        form.peak(run, centre[0], 2), form.peak(run, centre[1], 2), max(corners, default=0.0),
    )  # fmt: skip


def slab_effect(result: Pounding, standing: Standing) -> dict[str, str]:
    """Say what contact did to the slabs of a structure, against its twin that nothing touches."""
    form = standing.form
    if form is None or not form.levels or not form.outputs:
        return {}
    with_, without = ([_peaks(form, level, run) for level in form.levels] for run in (result.run, result.twin))
    found = {}
    moved, before = (max(max(one.along_x, one.along_y) for one in peaks) for peaks in (with_, without))
    found["largest displacement"] = f"{change(moved, before)} ({si(moved, 'm', 3)} instead of {si(before, 'm', 3)})"
    if form.to_scale:
        found |= _drift_effect(result, form)
    turned, unturned = (max(one.turning for one in peaks) for peaks in (with_, without))
    if turned * form.extent > STILL * moved:
        rounding = unturned * form.extent <= STILL * moved
        told = f"({1e3 * turned:.3g} mrad instead of {0.0 if rounding else 1e3 * unturned:.3g} mrad)"
        found["rotation"] = f"{'from nothing' if rounding else change(turned, unturned)} {told}"
    if not result.rigid:
        at, shaken, unshaken = _most_raised(with_, without)
        g = standard_gravity
        found["acceleration"] = (
            f"{change(shaken, unshaken)} at the corners of {form.levels[at].name} ({shaken / g:.2f} g instead of "
            f"{unshaken / g:.2f} g)"
        )
    return found


def _drift_effect(result: Pounding, form: Form) -> dict[str, str]:
    """Say what contact did to the storey whose drift it raised most."""
    drifts = [[_drifts(form, k, run).share for k in range(len(form.levels))] for run in (result.run, result.twin)]
    raised = {k: one / other for k, (one, other) in enumerate(zip(*drifts, strict=True)) if other > 0.0 and one == one}
    if not raised:
        return {}
    at = max(raised, key=raised.__getitem__)
    drift, before = drifts[0][at], drifts[1][at]
    told = f"({100.0 * drift:.2g} % of its height instead of {100.0 * before:.2g} %)"
    return {"storey drift": f"{change(drift, before)} below {form.levels[at].name} {told}"}


def _most_raised(with_: list[Peaks], without: list[Peaks]) -> tuple[int, float, float]:
    """Return the slab whose acceleration grew most, and its largest with and without contact."""
    pairs = [
        (max(a.corner, a.acceleration_x, a.acceleration_y), max(b.corner, b.acceleration_x, b.acceleration_y))
        for a, b in zip(with_, without, strict=True)
    ]
    at = max(range(len(pairs)), key=lambda k: pairs[k][0] / pairs[k][1] if pairs[k][1] > 0.0 else float("inf"))
    return at, *pairs[at]


def slab_table(result: Pounding) -> Table:
    """Return the peaks of every slab, with contact and without."""
    found = [
        (f"{standing.name}, {level.name}", [_peaks(form, level, run) for run in (result.run, result.twin)])
        for standing in result.scene.shaken
        if (form := standing.form) is not None and form.outputs
        for level in reversed(form.levels)
    ]
    none = [_none(k, found) for k in range(len(COLUMNS))]
    moving = [k for k, least in enumerate(none) if any(one[k] > least for _, both in found for one in both)]
    head = [cell for k in moving for cell in (COLUMNS[k][0], "without")]
    rows = [
        (name, *(number(COLUMNS[k][1] * (one[k] if one[k] > none[k] else 0.0), 3) for k in moving for one in both))
        for name, both in found
    ]
    return Table("floors", "Peaks of every slab, at its centre, with contact and without", ("slab", *head), tuple(rows))


class Drifts(NamedTuple):
    """Largest drifts of a storey."""

    along_x: float
    """Of the centre of the slab above it, against what is below [m]."""
    along_y: float
    corner: float
    """Of a corner of that slab, along x or y [m]."""
    share: float
    """The largest of them as a share of the storey's height; NaN where heights are not known."""


def _drifts(form: Form, k: int, run: Simulation) -> Drifts:
    centre, corners = (form.crest(run, rows) for rows in form.drift_rows(k))
    corner = float(corners.max(initial=0.0))
    height = (form.storey_height(k) if form.to_scale else 0.0) or float("nan")
    return Drifts(float(centre[0]), float(centre[1]), corner, max(float(centre.max()), corner) / height)


def _storeys(result: Pounding) -> list[tuple[Standing, Form, int]]:
    """Return the storeys of structures in space, from the top down: whose, and below which of its slabs."""
    return [
        (standing, form, k)
        for standing in result.scene.shaken
        if (form := standing.form) is not None and form.outputs
        for k in sorted(range(len(form.levels)), key=lambda k: -form.levels[k].height)
    ]


def storey_table(result: Pounding) -> Table:
    """Return drifts of storeys in space and shears at the base, with contact and without."""
    rows = []
    storeys = [
        (standing, form, k, [_drifts(form, k, run) for run in (result.run, result.twin)])
        for standing, form, k in _storeys(result)
    ]
    none = STILL * max((one.corner for *_, both in storeys for one in both), default=0.0)
    for standing, form, k, both in storeys:
        cells = [number(1e3 * (one[i] if one[i] > none else 0.0), 3) for i in range(3) for one in both]
        cells += ["–" if one.share != one.share else f"{100.0 * one.share:.2g} %" for one in both]
        rows.append((f"{standing.name}, below {form.levels[k].name}", *cells))
    names = ("drift x [mm]", "drift y [mm]", "at a corner [mm]", "of its height")
    head = [cell for name in names for cell in (name, "without")]
    return Table("storeys", "Storey drifts, with contact and without", ("storey", *head), tuple(rows))


def shear_table(result: Pounding) -> Table:
    """Return the largest elastic shears at the base of structures in space."""
    rows = []
    none = STILL * max((float(result.run.extremes[one.output, 0]) for one in result.base), default=0.0)
    for one in result.base:
        if result.run.extremes[one.output, 0] <= none:
            continue  # nothing shakes it so
        with_, without = (float(run.extremes[one.output, 0]) for run in (result.run, result.twin))
        told = "–" if without <= STILL * with_ else change(with_, without)
        rows.append((f"{one.structure}, along {one.axis}", si(with_, "N", 3), si(without, "N", 3), told))
    head = ("structure", "largest shear", "without contact", "change")
    return Table("shears", "Shear at the base: elastic forces of all storeys", head, tuple(rows))


def _none(column: int, found: list[tuple[str, list[Peaks]]]) -> float:
    """Return what is rounding of none in a column: a tiny share of the largest value of its kind."""
    kinds = (0, 1) if column < 3 else (3, 4, 5)
    return STILL * max((one[k] for _, both in found for one in both for k in kinds), default=0.0)
