"""Which input matters: bars of indices, Morris' plane, and the tornado."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes

from carom.plots.sheet import legend_above, sheet, worded
from carom.plots.style import GREY, INK, SERIES, in_style

if TYPE_CHECKING:
    from carom.studies.analyses.sensitivity import Indices, MorrisEffects, Sensitivity, Tornado

__all__ = ["plot_effects", "plot_indices", "plot_sensitivity", "plot_tornado"]

SHOWN = 15
"""Inputs shown, the strongest; the table has all."""
LOW, HIGH = (SERIES[0], "input low", -0.16), (SERIES[1], "input high", 0.16)


@in_style
def plot_sensitivity(result: Sensitivity, axes: Sequence[Axes] | None = None) -> Sequence[Axes]:
    """Draw the tornado beside indices or effects, where there are any; return the axes."""
    several = result.indices is not None or result.effects is not None
    rows = min(len(result.swing.names), SHOWN)
    owned = axes is None
    axes = sheet(1, 2 if several else 1, height=max(18.0 + 5.0 * rows, 42.0)) if axes is None else axes
    plot_tornado(result.swing, result.output, axes[0])
    if result.indices is not None:
        plot_indices(result.indices, axes[1])
    elif result.effects is not None:
        plot_effects(result.effects, result.output, axes[1])
    for here in axes:
        _make_room(here)
    legend_above(axes[0], owned=owned)
    if several and axes[1].get_legend_handles_labels()[0]:
        legend_above(axes[1], owned=False)
    return axes


@in_style
def plot_tornado(swing: Tornado, output: str, axes: Axes) -> Axes:
    """Draw bars from the mean output with an input low to that with it high, largest on top; return the axes."""
    order = swing.order[:SHOWN]
    largest = float(np.abs([*swing.low, *swing.high]).max())
    factor, label = worded(output, largest)
    for row, i in enumerate(order):
        for value, look, word, up in ((swing.low[i], *LOW), (swing.high[i], *HIGH)):
            axes.barh(row + up, factor * (value - swing.mean), left=factor * swing.mean, height=0.3, color=look.colour,
                      alpha=0.85, linewidth=0.4, edgecolor=INK, hatch="" if up < 0.0 else "////",
                      label=None if row else word)  # fmt: skip
    axes.axvline(factor * swing.mean, color=INK, linewidth=0.7)
    axes.set_yticks(range(len(order)), [swing.names[i] for i in order])
    axes.set(xlabel=f"Mean of {label[:1].lower()}{label[1:]}", ylim=(len(order) - 0.4, -0.6))
    axes.tick_params(axis="y", length=0.0)
    if np.ptp([*swing.low, *swing.high, swing.mean]) == 0.0:  # bars without length: say why nothing is seen
        axes.set_xticks([factor * swing.mean])
        same = f"The same in every run: no input moves {_name(output)}."
        axes.text(0.5, 0.5, same if swing.mean else f"Nothing touches: {_name(output)} is 0 in every run.",
                  transform=axes.transAxes, ha="center", va="center", fontsize=7.0,
                  bbox={"facecolor": "white", "edgecolor": "none", "pad": 2.0})  # fmt: skip
    return axes


def _name(output: str) -> str:
    """Return an output in words, as in a sentence."""
    words = worded(output)[1].partition(" [")[0]
    return words if words[:3].isupper() else words[:1].lower() + words[1:]


@in_style
def plot_indices(indices: Indices, axes: Axes) -> Axes:
    """Draw first-order and total indices with their intervals; return the axes."""
    order = np.argsort(-(indices.first if indices.total is None else indices.total), kind="stable")[:SHOWN]
    rows = np.arange(order.size)
    pairs = [(indices.first, indices.first_error, SERIES[0], "first order", -0.17)]
    if indices.total is not None and indices.total_error is not None:
        pairs.append((indices.total, indices.total_error, SERIES[1], "total", 0.17))
    for values, errors, look, word, shift in pairs:
        at = rows + (shift if len(pairs) > 1 else 0.0)
        axes.barh(at, values[order], height=0.3, color=look.colour, alpha=0.85, linewidth=0.4, edgecolor=INK,
                  hatch="" if word == "first order" else "////", label=word)  # fmt: skip
        axes.hlines(at, (values - errors)[order], (values + errors)[order], color=INK, linewidth=0.8)
    axes.axvline(0.0, color=GREY, linewidth=0.5)
    axes.set_yticks(rows, [indices.names[i] for i in order])
    axes.set(xlabel="Share of variance", ylim=(order.size - 0.4, -0.6))
    axes.tick_params(axis="y", length=0.0)
    return axes


@in_style
def plot_effects(effects: MorrisEffects, output: str, axes: Axes) -> Axes:
    """Draw standard deviation over mean size of the elementary effects, each point named; return the axes."""
    largest = float(effects.size.max()) or 1.0
    factor, label = worded(output, largest)
    unit = label.partition(" [")[2]
    x, y = factor * effects.size, factor * effects.spread
    axes.errorbar(x, y, xerr=factor * effects.size_error, fmt="o", color=SERIES[0].colour, markersize=3.4,
                  elinewidth=0.6, capsize=1.5)  # fmt: skip
    for i in np.argsort(-effects.size)[:SHOWN]:
        axes.annotate(effects.names[i], (x[i], y[i]), xytext=(3, 3), textcoords="offset points", fontsize=6.0)
    axes.plot([0.0, 1.1 * x.max()], [0.0, 1.1 * x.max()], color=GREY, linewidth=0.5, zorder=1.0)
    end = f" [{unit}" if unit else ""
    axes.set(xlabel=f"Mean of |effect|{end}", ylabel=f"Standard deviation{end}")
    axes.set_xlim(0.0, 1.35 * float((x + factor * effects.size_error).max()))
    axes.set_ylim(bottom=0.0, top=max(1.15 * float(y.max()), 0.1 * float(x.max())))
    return axes


def _make_room(axes: Axes) -> None:
    """Move the left side in, so that the names of inputs have room."""
    longest = max((len(label.get_text()) for label in axes.get_yticklabels()), default=0)
    figure = axes.figure
    wanted = max(1.35 * longest - 9.0, 0.0) / 25.4 / figure.get_figwidth()  # type: ignore[union-attr]
    box = axes.get_position()
    if 0.0 < wanted < 0.8 * box.width:
        axes.set_position((box.x0 + wanted, box.y0, box.width - wanted, box.height))
