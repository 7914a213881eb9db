"""Spectra of motions beside their target, and on tripartite paper."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import cycle
from typing import TYPE_CHECKING, Any

import numpy as np

from carom.motions.motion import Array, Motion
from carom.motions.spectra import default_periods, response_spectrum
from carom.plots.style import GREY, INK, MILLIMETRE, SERIES, WIDTHS, style
from carom.results import Width
from carom.units import standard_gravity

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from carom.motions.targets import Target

__all__ = ["plot_against_target", "plot_tripartite"]

MOST_NAMED = 6
"""Motions that have a line and a name each; more are drawn thin, with their mean."""
WIDTH = WIDTHS[Width.DOUBLE] * MILLIMETRE


def plot_against_target(
    motions: Sequence[Motion],
    target: Target,
    periods: tuple[float, float] | None = None,
    axes: Axes | None = None,
) -> Axes:
    """Draw pseudo-accelerations [g] of motions and their target over period, the range of the fit shaded."""
    axes = _new(WIDTH, 3.4) if axes is None else axes
    at = _periods_of(target)
    if motions:
        rows = np.atleast_2d(response_spectrum(list(motions), at, target.damping).psa) / standard_gravity
        _rows(axes, at, rows, [motion.name for motion in motions])
    axes.plot(at, target.sa(at) / standard_gravity, color=INK, linewidth=1.6, label=target.name)
    if periods is not None:
        axes.axvspan(*periods, color="#ececec", linewidth=0, zorder=0)
    _log_periods(axes, at)
    axes.set(ylabel=f"Pseudo-acceleration [g], {100.0 * target.damping:.3g} % damping", ylim=(0.0, None))
    axes.legend(loc="best")
    return axes


def plot_tripartite(
    motions: Sequence[Motion], target: Target | None = None, *, damping: float = 0.05, axes: Axes | None = None
) -> Axes:
    """Draw pseudo-velocities on tripartite paper: displacement and pseudo-acceleration are read on the diagonals."""
    axes = _new(0.8 * WIDTH, 0.75 * WIDTH) if axes is None else axes
    damping = damping if target is None else target.damping
    at = default_periods()[default_periods() >= 0.02]
    lines = []
    if motions:
        lines = list(np.atleast_2d(response_spectrum(list(motions), at, damping).psv))
        _rows(axes, at, np.array(lines), [motion.name for motion in motions])
    if target is not None:
        held = at[(at >= target.low) & (at <= target.high)]
        aim = target.sa(held) * held / (2.0 * math.pi)
        axes.plot(held, aim, color=INK, linewidth=1.6, label=target.name)
        lines.append(aim)
    top = max(float(np.max(line)) for line in lines)
    low = max(min(float(np.min(line)) for line in lines), 1e-3 * top)
    ends = (0.7 * low, 2.2 * top)
    axes.set(yscale="log", ylim=ends, ylabel=f"Pseudo-velocity [m/s], {100.0 * damping:.3g} % damping")
    _log_periods(axes, at)
    _diagonals(axes, (float(at[0]), float(at[-1])), ends)
    _plain_numbers(axes.yaxis)
    axes.legend(loc="lower center")
    return axes


def _rows(axes: Axes, at: Array, rows: Array, names: Sequence[str]) -> None:
    if len(rows) <= MOST_NAMED:
        for row, name, look in zip(rows, names, cycle(SERIES), strict=False):
            axes.plot(at, row, color=look.colour, linestyle=look.dashes, label=name)
        return
    axes.plot(at, rows.T, color=GREY, linewidth=0.4)
    axes.plot([], [], color=GREY, linewidth=0.4, label=f"{len(rows)} motions")
    axes.plot(at, rows.mean(axis=0), color=SERIES[0].colour, linewidth=1.4, label="mean")
    middle = np.exp(np.log(rows).mean(axis=0))
    axes.plot(at, middle, color=SERIES[1].colour, linestyle=SERIES[1].dashes, label="geometric mean")


def _diagonals(axes: Axes, x: tuple[float, float], y: tuple[float, float]) -> None:
    """Draw lines of equal displacement, which fall, and of equal pseudo-acceleration, which rise, with their values.

    Displacements stand at the right edge, accelerations at the left one.
    """
    turn = 2.0 * math.pi
    kinds = (("m", 1.0, -1.0, x[1] / 1.26), ("g", standard_gravity, 1.0, x[0] * 1.18))
    for unit, size, slope, place in kinds:
        ends = [height * (at / turn) ** -slope / size for at in x for height in y]
        for exponent in range(math.floor(math.log10(min(ends))), math.ceil(math.log10(max(ends))) + 1):
            for digit in (1.0, 2.0, 5.0):
                value = digit * 10.0**exponent
                heights = value * size * (np.array([*x, place]) / turn) ** slope
                width = 0.5 if digit == 1.0 else 0.25
                axes.plot(x, heights[:2], color=GREY, linewidth=width, zorder=0.5)
                if digit == 1.0 and 1.3 * y[0] < heights[2] < y[1] / 1.3:
                    axes.annotate(
                        f"{value:g} {unit}", (place, float(heights[2])), color=INK, fontsize=6.5, ha="center",
                        va="center", bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.6}, zorder=0.6,
                    )  # fmt: skip
    axes.set_xlim(*x)


def _periods_of(target: Target) -> Array:
    at = default_periods()
    return at[(at >= max(target.low, 0.02)) & (at <= min(target.high, 6.0))]


def _log_periods(axes: Axes, at: Array) -> None:
    axes.set(xscale="log", xlim=(float(at[0]), float(at[-1])), xlabel="Period [s]")
    _plain_numbers(axes.xaxis)


def _plain_numbers(axis: Any) -> None:
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axis.set_minor_formatter(NullFormatter())


def _new(width: float, height: float) -> Axes:
    from matplotlib.figure import Figure

    with style():
        figure = Figure(figsize=(width, height), layout="constrained")
        axes: Axes = figure.add_subplot()
        return axes
