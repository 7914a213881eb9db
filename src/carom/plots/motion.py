"""Pictures of ground motions: histories, spectra, Husid curve, and all of them on one sheet."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle
from typing import TYPE_CHECKING, Any

import numpy as np

from carom.errors import UnknownNameError
from carom.motions.measures import husid, measure
from carom.motions.motion import Array, Motion
from carom.motions.spectra import Spectrum, default_periods, response_spectrum
from carom.plots.style import GREY, INK, MILLIMETRE, SERIES, WIDTHS, Look, style
from carom.results import Width
from carom.units import standard_gravity

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["plot_histories", "plot_husid", "plot_motion", "plot_spectra", "plot_spectrum"]

WIDTH = WIDTHS[Width.DOUBLE] * MILLIMETRE  # of a sheet [in]

_QUANTITIES = {
    "sa": ("spectral acceleration", "g", standard_gravity),
    "psa": ("pseudo-acceleration", "g", standard_gravity),
    "sv": ("spectral velocity", "m/s", 1.0),
    "psv": ("pseudo-velocity", "m/s", 1.0),
    "sd": ("spectral displacement", "m", 1.0),
}


def plot_motion(motion: Motion, *, damping: object = 0.05, periods: object = None) -> Figure:
    """Draw one motion on a sheet: three histories, spectra SA and SD, Husid curve; for a report.

    The peaks are marked where they are. Save the figure with ``figure.savefig("motion.pdf")``.
    """
    from matplotlib.figure import Figure

    with style():
        figure = Figure(figsize=(WIDTH, 7.4), layout="constrained")
        layout: Any = figure.get_layout_engine()
        layout.set(h_pad=0.06, w_pad=0.05, hspace=0.02)
        rows = figure.add_gridspec(5, 3, height_ratios=(1, 1, 1, 0.04, 1.7))
        histories = [figure.add_subplot(rows[k, :]) for k in range(3)]
        for axes in histories[:2]:
            axes.sharex(histories[2])
        plot_histories(motion, histories)
        spectrum = response_spectrum(motion, periods, damping)
        plot_spectrum(spectrum, figure.add_subplot(rows[4, 0]))
        displacement = plot_spectrum(spectrum, figure.add_subplot(rows[4, 1]), "sd")
        displacement.get_legend().remove()  # type: ignore[union-attr]
        plot_husid(motion, figure.add_subplot(rows[4, 2]))
        figure.suptitle(_title(motion), x=0.01, ha="left", fontsize=9.0)
    return figure


def plot_histories(motion: Motion, axes: Sequence[Axes] | None = None) -> Sequence[Axes]:
    """Draw acceleration [g], velocity [m/s] and displacement [m] over time, peaks marked; return the axes."""
    axes = _new(3) if axes is None else axes
    rows: tuple[tuple[str, str, Array, float], ...] = (
        ("acceleration", "g", motion.acceleration / standard_gravity, motion.pga / standard_gravity),
        ("velocity", "m/s", motion.velocity, motion.pgv),
        ("displacement", "m", motion.displacement, motion.pgd),
    )
    for here, (name, unit, values, peak), look in zip(axes, rows, SERIES, strict=False):
        here.plot(motion.time, values, color=look.colour, linewidth=0.7)
        here.axhline(0.0, color=GREY, linewidth=0.4, zorder=1.5)
        at = int(np.argmax(np.abs(values)))
        here.plot(motion.time[at], values[at], "o", color=INK, markersize=3.2, fillstyle="none")
        up = values[at] >= 0.0
        here.annotate(
            f"{'' if up else '−'}{peak:.3g} {unit}",
            (motion.time[at], values[at]),
            xytext=(0, 4 if up else -4),
            textcoords="offset points",
            ha=_side(at, len(values)),
            va="bottom" if up else "top",
            fontsize=7.0,
        )
        limit = 1.5 * float(np.abs(values).max()) or 1.0
        here.set(ylabel=f"{name.capitalize()} [{unit}]", ylim=(-limit, limit), xlim=(motion.time[0], motion.time[-1]))
        here.tick_params(labelbottom=here is axes[-1])
    axes[-1].set_xlabel("Time [s]")
    if len(axes) > 1 and axes[0].figure is not None:
        axes[0].figure.align_ylabels(list(axes))
    return axes


def plot_spectrum(spectrum: Spectrum, axes: Axes | None = None, quantity: str = "sa") -> Axes:
    """Draw a spectrum over period, one line per damping (and motion); return the axes.

    `quantity` is sa or psa [g], sv or psv [m/s], or sd [m].
    """
    if quantity not in _QUANTITIES:
        raise UnknownNameError("spectrum", quantity, _QUANTITIES)
    axes = _new(1)[0] if axes is None else axes
    label, unit, factor = _QUANTITIES[quantity]
    rows = np.reshape(getattr(spectrum, quantity) / factor, (-1, spectrum.periods.size))
    ratios = np.resize(spectrum.damping, len(rows))
    for row, ratio, look in zip(rows, ratios, cycle(SERIES), strict=False):
        axes.plot(spectrum.periods, row, **_line(look), label=f"{100.0 * ratio:.3g} %")
    _period_axis(axes, spectrum.periods)
    axes.set(ylabel=f"{label.capitalize()} [{unit}]", ylim=(0.0, None))
    axes.legend(loc="best", title="damping", alignment="left", title_fontsize=7.0)
    return axes


def plot_spectra(motions: Sequence[Motion], damping: float = 0.05, axes: Axes | None = None) -> Axes:
    """Draw the spectral accelerations [g] of several motions; up to eight by name, more with their median."""
    axes = _new(1)[0] if axes is None else axes
    spectrum = response_spectrum(list(motions), default_periods(), damping)
    values = spectrum.sa / standard_gravity
    if len(motions) <= len(SERIES):
        for row, name, look in zip(values, spectrum.names, SERIES, strict=False):
            axes.plot(spectrum.periods, row, **_line(look), label=name)
    else:
        axes.plot(spectrum.periods, values.T, color=GREY, linewidth=0.4)
        low, middle, high = np.percentile(values, (16.0, 50.0, 84.0), axis=0)
        axes.plot([], [], color=GREY, linewidth=0.4, label=f"{len(motions)} motions")
        axes.plot(spectrum.periods, middle, color=SERIES[0].colour, linewidth=1.6, label="median")
        axes.plot(spectrum.periods, low, **_line(SERIES[1]), label="16th and 84th percentile")
        axes.plot(spectrum.periods, high, **_line(SERIES[1]))
    _period_axis(axes, spectrum.periods)
    axes.set(ylabel=f"Spectral acceleration [g], {100.0 * damping:.3g} % damping", ylim=(0.0, None))
    axes.legend(loc="best")
    return axes


def plot_husid(motion: Motion, axes: Axes | None = None) -> Axes:
    """Draw the build-up of the Arias intensity, its 5, 75 and 95 % marked; return the axes."""
    axes = _new(1)[0] if axes is None else axes
    curve = husid(motion)
    total = float(curve[-1])
    percent = 100.0 * curve / total if total > 0.0 else curve
    axes.plot(motion.time, percent, color=SERIES[0].colour)
    ends = np.interp((5.0, 75.0, 95.0), percent, motion.time)
    if total > 0.0:
        measures = measure(motion)
        axes.axvspan(ends[0], ends[2], color="#ececec", linewidth=0, zorder=0)
        axes.plot(ends, (5.0, 75.0, 95.0), "o", color=INK, markersize=3.2, fillstyle="none")
        for at, value in zip(ends, (5, 75, 95), strict=True):
            side: dict[str, Any] = {"xytext": (-5, 1), "ha": "right", "va": "bottom"}
            if value == 5:
                side = {"xytext": (6, -1), "ha": "left", "va": "center"}
            axes.annotate(f"{value} %", (at, value), textcoords="offset points", fontsize=7.0, **side)
        text = (
            f"$I_A$ = {total:.3g} m/s\n$D_{{5–75}}$ = {measures.d5_75:.3g} s\n"
            f"$D_{{5–95}}$ = {measures.d5_95:.3g} s\nCAV = {measures.cav:.3g} m/s"
        )
        axes.text(
            0.97, 0.06, text, transform=axes.transAxes, ha="right", va="bottom", linespacing=1.45, fontsize=7.0,
            parse_math=True,
        )  # fmt: skip
    axes.set(
        xlabel="Time [s]", ylabel="Arias intensity [% of total]",
        ylim=(0.0, 103.0), xlim=(motion.time[0], motion.time[-1]),
    )  # fmt: skip
    return axes


def _period_axis(axes: Axes, periods: Array) -> None:
    from matplotlib.ticker import FuncFormatter

    shown = periods[periods > 0.0]
    if shown.size > 1 and shown[-1] > 20.0 * shown[0]:
        axes.set_xscale("log")
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    if shown.size > 1:
        axes.set_xlim(shown[0], shown[-1])
    axes.set_xlabel("Period [s]")


def _title(motion: Motion) -> str:
    parts = [motion.event, motion.station, motion.component and f"component {motion.component}"]
    told = ", ".join(part for part in parts if part)
    return f"{motion.name}: {told}" if told else motion.name


def _side(at: int, count: int) -> str:
    """Return which side of a peak's label stands at the peak, so that it stays inside the frame."""
    if at < 0.05 * count:
        return "left"
    return "right" if at > 0.95 * (count - 1) else "center"


def _line(look: Look) -> dict[str, Any]:
    return {"color": look.colour, "linestyle": look.dashes}


def _new(rows: int) -> list[Axes]:
    from matplotlib.figure import Figure

    with style():
        figure = Figure(figsize=(WIDTH, 1.6 * rows if rows > 1 else 3.4), layout="constrained")
        return list(np.ravel(figure.subplots(rows, 1, sharex=rows > 1)))
