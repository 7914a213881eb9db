"""What happened over time: floors, gaps, forces, phase portraits."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes

from carom.errors import InputError, UnknownNameError
from carom.plots.sheet import WITHOUT, brief, hit_floor, hits_of, look_of, mark_hits, prefix, sheet
from carom.plots.style import GREY, INK, in_style
from carom.results import ContactName, Pounding, Width, contact_number
from carom.units import standard_gravity

__all__ = ["plot_gap_and_force", "plot_histories", "plot_phase"]

DENSE = 6000
"""Points of a phase portrait, more than print can show."""

QUANTITIES = {
    "displacement": ("Displacement", "mm", 1e3),
    "velocity": ("Velocity", "m/s", 1.0),
    "acceleration": ("Acceleration", "g", 1.0 / standard_gravity),
}


@in_style
def plot_histories(
    result: Pounding, quantity: str = "displacement", axes: Sequence[Axes] | None = None
) -> Sequence[Axes]:
    """Draw one floor of each structure over time, with and without contact, impacts marked; return the axes.

    Displacement and velocity are those of the top floor, acceleration that of the floor that contact raises most.
    """
    if quantity not in QUANTITIES:
        raise UnknownNameError("quantity", quantity, QUANTITIES)
    word, unit, factor = QUANTITIES[quantity]
    shown = result.scene.shaken
    axes = sheet(len(shown), height=30.0, shared=True) if axes is None else axes
    time = result.run.time
    for here, standing in zip(axes, shown, strict=True):
        floor = hit_floor(result, standing) if quantity == "acceleration" else len(standing.dofs) - 1
        dof = standing.dofs[floor]
        without, with_ = (getattr(s, quantity)[:, dof] * factor for s in (result.twin, result.run))
        here.plot(time, with_, color=look_of(result, standing)["color"], linewidth=0.8, label="with contact")
        here.plot(time, without, **{**WITHOUT, "linewidth": 0.7}, label="without contact", zorder=1.8)
        here.axhline(0.0, color=GREY, linewidth=0.3, zorder=1.0)
        limit = 1.25 * max(np.abs(with_).max(), np.abs(without).max(), 1e-30)
        here.set(ylabel=f"{word} [{unit}]", ylim=(-limit, limit), xlim=(time[0], time[-1]))
        mark_hits(here, hits_of(result, standing))
        _inside(here, brief(standing.place(floor), 80))
    axes[0].legend(loc="lower right", ncols=3, bbox_to_anchor=(1.0, 0.98), borderaxespad=0.0)
    axes[-1].set_xlabel("Time [s]")
    return axes


@in_style
def plot_gap_and_force(
    result: Pounding,
    contact: ContactName | None = None,
    window: tuple[float, float] | None = None,
    axes: Sequence[Axes] | None = None,
) -> Sequence[Axes]:
    """Draw the distance left and the force of one contact over time; return the two axes.

    `contact` is its label or its number from 0, by default the one hit hardest; `window` the times to show [s].
    """
    if not result.run.contacts:
        raise InputError("The result holds no contact.")
    axes = sheet(2, height=28.0, shared=True) if axes is None else axes
    run = result.run
    if contact is None:
        contact = 0 if result.hardest is None else int(run.table["contact"][result.hardest])
    contact = contact_number(run.contacts, contact, owner="plot_gap_and_force")
    start, end = window or (float(run.time[0]), float(run.time[-1]))
    inside = (run.time >= start) & (run.time <= end)
    time = run.time[inside]
    gap, force = 1e3 * run.gap[inside, contact], run.force[inside, contact]
    upper, lower = axes
    upper.plot(time, gap, color=INK, linewidth=0.8, label="distance left")
    upper.axhline(0.0, color="#D55E00", linewidth=0.6)
    upper.fill_between(time, gap, 0.0, where=gap < 0.0, color="#D55E00", linewidth=0.0, alpha=0.5)
    upper.set(ylabel="Distance left [mm]")
    peaks = run.force[:, contact] if result.rigid else run.table["peak_force"][run.table["contact"] == contact]
    factor, unit = prefix(float(peaks.max(initial=0.0)), "N")
    lower.plot(time, factor * force, color="#D55E00", linewidth=0.8, label="force")
    here = (run.table["contact"] == contact) & (run.table["start"] >= start) & (run.table["start"] <= end)
    if not result.rigid:  # whose forces are means over a sample
        lower.plot(
        [_peak_time(result, row) for row in np.flatnonzero(here).tolist()], factor * run.table["peak_force"][here], "o",
        color=INK, markersize=3.0, fillstyle="none", markeredgewidth=0.6, label="true peak",
        )  # fmt: skip
    lower.set(ylabel=f"Force [{unit}]", xlabel="Time [s]")
    if here.any() and not result.rigid:
        lower.legend(loc="upper right")
    for one in axes:
        one.set_xlim(start, end)
    upper.set_title(brief(run.contacts[contact], 110), loc="left")
    return axes


@in_style
def plot_phase(result: Pounding, axes: Sequence[Axes] | None = None) -> Sequence[Axes]:
    """Draw phase portraits, velocity over displacement, of each structure's most affected floor; return the axes."""
    shown = result.scene.shaken
    columns = min(len(shown), 3)
    rows = -(-len(shown) // columns)
    width = Width.DOUBLE if columns > 1 else Width.SINGLE
    axes = sheet(rows, columns, height=55.0, width=width) if axes is None else axes
    for here, standing in zip(axes, shown, strict=False):
        floor = hit_floor(result, standing)
        dof = standing.dofs[floor]
        for simulation, line, label in (
            (result.twin, {**WITHOUT, "linewidth": 0.5}, "without contact"),
            (result.run, {"color": look_of(result, standing)["color"], "linewidth": 0.6}, "with contact"),
        ):
            every = max(1, simulation.time.size // DENSE)
            u, v = simulation.displacement[::every, dof], simulation.velocity[::every, dof]
            here.plot(1e3 * u, v, label=label, **line)
        here.set(xlabel="Displacement [mm]", ylabel="Velocity [m/s]")
        here.set_title(brief(standing.place(floor), 46 // columns), loc="left")
    spare = axes[len(shown) :]
    for unused in spare:
        unused.axis("off")
    if spare:
        spare[0].legend(*axes[0].get_legend_handles_labels(), loc="upper left")
    elif columns < 3:
        axes[columns - 1].legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=2, borderaxespad=0.2)
    else:
        axes[0].legend(loc="upper right")
    return axes


def _peak_time(result: Pounding, row: int) -> float:
    """Return the time [s] of the sample with the largest force of an impact; its middle where no sample lies in it."""
    table, run = result.run.table, result.run
    start, end = table["start"][row], table["start"][row] + table["duration"][row]
    inside = np.flatnonzero((run.time >= start) & (run.time <= end))
    if not inside.size:
        return float(0.5 * (start + end))
    return float(run.time[inside[np.argmax(run.force[inside, int(table["contact"][row])])]])


def _inside(axes: Axes, text: str) -> None:
    axes.text(0.008, 0.05, text, transform=axes.transAxes, ha="left", va="bottom", fontsize=7.0,
              bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.8, "alpha": 0.8})  # fmt: skip
