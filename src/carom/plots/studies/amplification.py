"""Amplification by pounding over the level of shaking, a panel for each response."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes

from carom.plots.sheet import legend_above, sheet, worded
from carom.plots.style import GREY, SERIES, in_style
from carom.results import Width

if TYPE_CHECKING:
    from carom.studies.analyses.amplification import Amplification

__all__ = ["plot_amplification"]


@in_style
def plot_amplification(result: Amplification, axes: Sequence[Axes] | None = None) -> Sequence[Axes]:
    """Draw mean ratios with the range from the 16th to the 84th percentile; return the axes, one for each response."""
    count = len(result.responses)
    curves = _curves(result)
    wordy = any(x.dtype.kind != "f" for _, _, x in curves)
    columns = 1 if count == 1 or wordy else 2
    owned = axes is None
    if axes is None:
        width = Width.SINGLE if count == 1 and not wordy else Width.DOUBLE
        axes = sheet(-(-count // columns), columns, height=48.0, width=width)
        for spare in axes[count:]:
            spare.remove()
        axes = axes[:count]
    for here, response, values in zip(axes, result.responses, result.values, strict=True):
        here.axhline(1.0, color=GREY, linewidth=0.5, zorder=1.0)
        for i, (title, groups, x) in enumerate(curves):
            look = SERIES[i % len(SERIES)]
            numeric = x.dtype.kind == "f"
            at = (x if numeric else np.arange(x.size)) + 0.0
            mean, low, high = values.mean[groups], values.low[groups], values.high[groups]
            if numeric and x.size > 1 and len(curves) <= 3:
                here.fill_between(at, low, high, color=look.colour, alpha=0.15, linewidth=0.0)
            elif len(curves) <= 3:
                here.vlines(at, low, high, color=look.colour, linewidth=0.6)
            style: Any = look.dashes if numeric else "none"
            here.plot(at, mean, look.marker, linestyle=style, color=look.colour, label=title or None, markersize=3.0)
            if not numeric:
                here.set_xticks(at, [_broken(str(value)) for value in x], fontsize=6.0)
        here.set(xlabel="" if wordy else worded(result.overlabel)[1], ylabel=_said(response))
        here.margins(x=0.03)
    if any(title for title, _, _ in curves):
        legend_above(axes[0], owned=owned)
    return axes


def _curves(result: Amplification) -> list[tuple[str, np.ndarray[Any, Any], np.ndarray[Any, Any]]]:
    """Return title, groups and x of every curve: the groups that differ in what is drawn along only."""
    names = result.groups.names
    along = names.index(result.over) if result.over else len(names)
    found: dict[tuple[Any, ...], list[int]] = {}
    for g, label in enumerate(result.groups.labels):
        found.setdefault(label[:along] + label[along + 1 :], []).append(g)
    others = names[:along] + names[along + 1 :]
    curves = []
    for label, groups in found.items():
        title = ", ".join(
            f"{name} = {value:g}" if isinstance(value, float) else str(value)
            for name, value in zip(others, label, strict=True)
        )
        x = [result.groups.labels[g][along] if result.over else "all" for g in groups]
        numeric = all(isinstance(value, int | float) for value in x)
        curves.append((title, np.array(groups), np.array(x, dtype=float if numeric else object)))
    return curves


def _broken(word: str) -> str:
    """Return a long word on two lines."""
    return word if len(word) <= 12 else word.replace("-", "-\n", 1)


def _said(response: str) -> str:
    what, _, where = response.partition(".")
    return f"{what.replace('_', ' ').capitalize()} ratio{', ' + where if where else ''}"
