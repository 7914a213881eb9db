"""Peaks over the height, with and without contact: displacement, drift, acceleration; and floor spectra."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, MaxNLocator

from carom.errors import InputError, UnknownNameError
from carom.plots.sheet import WITHOUT, brief, hit_floor, look_of, sheet, single
from carom.plots.style import SERIES, in_style
from carom.results import Pounding, Standing
from carom.units import standard_gravity

__all__ = ["period_axis", "plot_envelopes", "plot_floor_spectra"]


CROWD = 4
"""Structures that one panel of spectra can hold."""


@in_style
def plot_envelopes(result: Pounding, axes: Sequence[Axes] | None = None) -> Sequence[Axes]:
    """Draw the largest displacement, storey drift and acceleration of every floor; return the three axes.

    Solid and marked with contact, dashed without. Drifts are drawn at the floor above the storey.
    """
    axes = sheet(1, 3, height=52.0) if axes is None else axes
    measured = all(standing.measured for standing in result.scene.shaken)
    for standing in result.scene.shaken:
        levels = np.array(standing.levels if measured else range(1, len(standing.dofs) + 1), dtype=float)
        for here, (with_, without) in zip(axes, _peaks(result, standing), strict=True):
            _pair(here, result, standing, levels, with_, without)
    for here, label in zip(axes, ("Displacement [mm]", "Storey drift [mm]", "Acceleration [g]"), strict=True):
        here.set(xlabel=label)
        here.set_xlim(left=0.0)
        here.set_ylim(0.0, 1.06 * here.dataLim.y1)
        here.xaxis.set_major_locator(MaxNLocator(5))
        if not measured:
            here.yaxis.set_major_locator(MaxNLocator(6, integer=True))
    axes[0].set_ylabel("Height [m]" if measured else "Floor")
    _legend(axes[0], result)
    return axes


def _peaks(result: Pounding, standing: Standing) -> list[tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]]:
    dofs = list(standing.dofs)
    with_, without = result.run.extremes[dofs], result.twin.extremes[dofs]
    drifts = result.peak_drifts(standing), result.peak_drifts(standing, pounding=False)
    return [
        (1e3 * with_[:, 0], 1e3 * without[:, 0]),
        (1e3 * drifts[0], 1e3 * drifts[1]),
        (with_[:, 2] / standard_gravity, without[:, 2] / standard_gravity),
    ]


def _pair(
    axes: Axes,
    result: Pounding,
    standing: Standing,
    levels: npt.NDArray[np.float64],
    with_: npt.NDArray[np.float64],
    without: npt.NDArray[np.float64],
) -> None:
    look = SERIES[result.scene.standings.index(standing) % len(SERIES)]
    axes.plot(without, levels, look.marker, fillstyle="none", color=look.colour, linestyle=(0, (2.4, 1.4)),
              linewidth=0.7, markersize=2.8, markeredgewidth=0.5,
              label=f"{brief(standing.name)}, without contact")  # fmt: skip
    axes.plot(with_, levels, look.marker, color=look.colour, linestyle="-", markersize=3.2,
              label=f"{brief(standing.name)}, with contact")  # fmt: skip


def _legend(axes: Axes, result: Pounding) -> None:
    """Say who is who, once, above the panels."""
    handles = [
        Line2D([], [], color=(look := SERIES[result.scene.standings.index(one) % len(SERIES)]).colour,
               marker=look.marker, markersize=3.2, label=brief(one.name, max(60 // len(result.scene.shaken), 8)))
        for one in result.scene.shaken
    ]  # fmt: skip
    handles.append(Line2D([], [], color="black", label="with contact"))
    handles.append(Line2D([], [], color="black", linestyle=(0, (2.4, 1.4)), linewidth=0.7, label="without"))
    axes.legend(handles=handles, loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=len(handles), borderaxespad=0.2)


def _most_raised(result: Pounding) -> list[Standing]:
    """Return the structures whose floor spectra are drawn, left to right."""
    shown = result.scene.shaken

    def raised(standing: Standing) -> float:
        dof = standing.dofs[hit_floor(result, standing)]
        return float(result.run.extremes[dof, 2] / max(float(result.twin.extremes[dof, 2]), 1e-300))

    chosen = sorted(shown, key=raised, reverse=True)[:CROWD]
    return [standing for standing in shown if standing in chosen]


def period_axis(axes: Axes, periods: npt.NDArray[np.float64]) -> None:
    """Let the x axis be that of floor spectra: logarithmic, from the first period to the last."""
    axes.set_xscale("log")
    axes.set_xticks([0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 4.0])
    axes.set_xticks([], minor=True)
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.set_xlim(periods[0], periods[-1])


@in_style
def plot_floor_spectra(result: Pounding, quantity: str = "psa", axes: Axes | None = None) -> Axes:
    """Draw the floor spectra of each structure's most affected floor, with and without contact; return the axes.

    `quantity` is psa [g] or psv [m/s]. Of many structures those that contact raises most are shown.
    """
    if quantity not in ("psa", "psv"):
        raise UnknownNameError("floor spectrum", quantity, ("psa", "psv"))
    spectra = result.spectra
    if spectra is None:
        raise InputError("The result holds no floor spectra.")
    axes = single(axes)
    factor = 1.0 / standard_gravity if quantity == "psa" else 1.0
    for standing in _most_raised(result):
        floor = hit_floor(result, standing)
        dof = standing.dofs[floor]
        name = brief(standing.place(floor))
        look = look_of(result, standing)
        axes.plot(spectra.periods, factor * getattr(spectra, quantity)[dof], color=look["color"], label=name)
        axes.plot(
            spectra.periods, factor * getattr(spectra, f"{quantity}_without")[dof],
            **{**WITHOUT, "color": look["color"]}, label=f"{name}, without contact",
        )  # fmt: skip
    words = "Pseudo-acceleration [g]" if quantity == "psa" else "Pseudo-velocity [m/s]"
    period_axis(axes, spectra.periods)
    axes.set(xlabel="Period [s]", ylabel=f"{words}, {100 * spectra.damping:g} %")
    axes.set_ylim(0.0, 1.3 * axes.get_ylim()[1])
    axes.legend(loc="upper right", fontsize=6.0)
    return axes
