"""Figures inside a page: vector graphics that stand alone, with what is needed to read values off them."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import matplotlib as mpl
import numpy as np
import numpy.typing as npt
from markupsafe import Markup
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from carom.plots.style import style
from carom.reports.pictures import Graphic

__all__ = ["graphic"]

POINTS = 500
"""Values kept of a curve, for reading off."""


FEW = 30
"""A curve with fewer points is read at its points, wherever they lie."""

PATH = re.compile(r'\bd="[^"]*"')
BEYOND = re.compile(r"(?<=\.\d\d)\d+")
"""Digits beyond a hundredth."""


def graphic(key: str, axes: Axes | Sequence[Axes], alt: str, *, readable: bool = True) -> Graphic:
    """Return the figure of these axes as inline SVG; `readable`: with its curves' values beside it.

    Every name inside carries the figure's own key, so that many figures can stand in one page.
    """
    panels = [axes] if isinstance(axes, Axes) else list(axes)
    figure: Any = panels[0].figure
    data = [_panel(i, one, figure) for i, one in enumerate(panels)] if readable else []
    stream = io.StringIO()
    with style(), mpl.rc_context({"svg.hashsalt": key, "svg.fonttype": "path"}):
        figure.savefig(stream, format="svg", metadata={"Date": None, "Creator": None})
    text = stream.getvalue()
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.S)
    text = re.sub(r'(\bid="|xlink:href="#|url\(#)', rf"\g<1>{key}-", text)
    head, _, body = text.partition(">")
    box = re.search(r'viewBox="[^"]*"', head)
    assert box is not None  # every SVG of Matplotlib has one
    head = f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" {box[0]} role="img"'
    drawing = Markup(_shorter(body))  # nosec B704: Matplotlib writes names as outlines and escapes what it quotes
    svg = Markup(head) + Markup(' aria-label="{}">').format(alt) + drawing  # nosec B704: our own words and numbers
    width, height = figure.get_size_inches() * 72.0
    return Graphic(key, svg, data, (float(width), float(height)))


def _shorter(text: str) -> str:
    """Drop digits of paths beyond a hundredth of a point, and blanks that mean nothing."""
    text = PATH.sub(lambda path: BEYOND.sub("", path[0]).replace("\n", " "), text)
    return re.sub(r"\n\s*", "\n", text)


def _panel(number: int, axes: Axes, figure: Any) -> dict[str, Any]:
    """Return where a panel lies [pt], its limits and its labelled curves, which get a name to be found by."""
    width, height = figure.get_size_inches() * 72.0
    place = axes.get_position()
    box = place.x0 * width, (1.0 - place.y1) * height, place.width * width, place.height * height
    curves = []
    for k, line in enumerate(axes.get_lines()):
        label = str(line.get_label())
        drawn_in_values = line.get_transform().contains_branch(axes.transData)  # marks along an edge are not
        if label.startswith("_") or not drawn_in_values or len(np.atleast_1d(line.get_xdata())) < 2:
            continue
        name = f"c{number}-{k}"
        line.set_gid(name)
        look = {"colour": mpl.colors.to_hex(line.get_color()), "dashed": line.is_dashed()}
        curves.append({"id": name, "label": label, **look, **_values(line)})
    return {
        "box": [round(float(v), 2) for v in box],
        "x": [float(v) for v in axes.get_xlim()],
        "y": [float(v) for v in axes.get_ylim()],
        "log": axes.get_xscale() == "log",
        "xlabel": _words(axes.get_xlabel()),
        "ylabel": _words(axes.get_ylabel()),
        "curves": curves,
    }  # fmt: skip


def _words(label: str) -> str:
    """Return a label without its mathematics, which a page's script cannot set."""
    return re.sub(r"\s*\$[^$]*\$", "", label)


def _values(line: Line2D) -> dict[str, Any]:
    x, y = (np.asarray(values, dtype=np.float64) for values in line.get_data())
    along = x.size > FEW and bool(np.all(np.diff(x) >= 0.0))
    keep = _kept(y) if along else np.unique(np.linspace(0, x.size - 1, POINTS).astype(int))
    return {"along": along, "x": _rounded(x[keep]), "y": _rounded(y[keep])}


def _kept(y: npt.NDArray[np.float64]) -> npt.NDArray[np.intp]:
    """Return which samples to keep: the lowest and the highest of each stretch, so that no peak is lost."""
    if y.size <= POINTS:
        return np.arange(y.size)
    edges = np.linspace(0, y.size, POINTS // 2 + 1).astype(int)
    found = [
        first + int(pick(y[first:last])) for first, last in pairwise(edges.tolist()) for pick in (np.argmin, np.argmax)
    ]
    return np.unique(np.array([0, *found, y.size - 1], dtype=np.intp))


def _rounded(values: npt.NDArray[np.float64]) -> list[float]:
    return [float(f"{v:.5g}") for v in values.tolist()]
