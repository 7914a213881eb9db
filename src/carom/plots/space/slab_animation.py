"""Structures in space that sway, turn and touch: seen from above and from the side."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from matplotlib.animation import FuncAnimation
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from carom.plots.sheet import look_of, sheet
from carom.plots.space.layout import Layout
from carom.plots.style import GREY, INK
from carom.results import Pounding

__all__ = ["animation_in_space"]

Array = npt.NDArray[np.float64]

AFTERGLOW = 0.12
"""Seconds for which an impact is seen."""


def animation_in_space(result: Pounding, frames: list[int], rate: float) -> FuncAnimation:
    """Return an animation of plan and elevation, through samples of the result."""
    axes = sheet(1, 2, height=62.0)
    picture = _Picture(result, axes)
    figure = axes[0].figure
    assert isinstance(figure, Figure)
    return FuncAnimation(figure, picture.show, frames=frames, interval=1e3 / rate, blit=False)


class _Picture:
    """The moving parts of both views."""

    def __init__(self, result: Pounding, axes: list[Axes]) -> None:
        self.result, self.layout = result, Layout(result, swaying=True)
        self.views = [(axes[0], (0, 1)), (axes[1], (result.scene.axis, 2))]
        self.lines = [[self._structure(view, i) for i in range(len(self.layout.forms))] for view, _ in self.views]
        self.flashes = [
            view.scatter([], [], s=[], color="#E69F00", edgecolors=INK, zorder=5, linewidths=0.6)
            for view, _ in self.views
        ]
        for view, (across, up) in self.views:
            low, high = self.layout.box[:, [across, up]]
            margin = 0.15 * self.layout.size
            view.set(xlim=(low[0] - margin, high[0] + margin), ylim=(low[1] - margin, high[1] + margin), aspect="equal")
            view.axis("off")
            view.set_anchor("S")
        axes[1].axhline(0.0, color=INK, linewidth=0.8)
        self.clock = axes[0].text(0.02, 1.02, "", transform=axes[0].transAxes, ha="left", fontsize=7.0)
        scale = f"displacements and gaps × {self.layout.amplification:.0f}"
        axes[1].text(0.98, 1.02, scale, transform=axes[1].transAxes, ha="right", fontsize=6.0, color=GREY)

    def _structure(self, view: Axes, i: int) -> tuple[Line2D, Line2D]:
        standing = self.result.scene.standings[i]
        colour = look_of(self.result, standing)["color"] if standing.moving else GREY
        return (
            view.plot([], [], color=INK, linewidth=0.7, zorder=2)[0],
            view.plot([], [], color=colour, linewidth=1.4, zorder=3)[0],
        )

    def show(self, frame: int) -> None:
        """Move everything to where it is at a sample."""
        run, layout = self.result.run, self.layout
        now = [
            at + layout.amplification * (form.rows @ run.displacement[frame, list(form.outputs)])
            for at, form in zip(layout.positions, layout.forms, strict=True)
        ]
        for (_, (across, up)), lines, flashes in zip(self.views, self.lines, self.flashes, strict=True):
            for (members, slabs), form, points in zip(lines, layout.forms, now, strict=True):
                seen = points[:, [across, up]]
                from_above = up == 1 and any(len(level.corners) > 2 for level in form.levels)
                members.set_data(*_joined(seen, [] if from_above else [list(edge) for edge in form.edges]).T)
                slabs.set_data(*_joined(seen, [[*level.corners, level.corners[0]] for level in form.levels]).T)
            places, sizes = self._flashes(frame, now, [across, up])
            flashes.set_offsets(places)
            flashes.set_sizes(sizes)
        self.clock.set_text(f"{run.time[frame]:.2f} s")

    def _flashes(self, frame: int, now: list[Array], view: list[int]) -> tuple[Array, Array]:
        """Return where impacts of this moment or just past are seen, and how large."""
        run = self.result.run
        since = run.time[frame] - run.table["start"]
        fresh = np.flatnonzero((since >= 0.0) & (since <= run.table["duration"] + AFTERGLOW))
        touches = [self.result.scene.touches[int(run.table["contact"][row])] for row in fresh]
        places = [now[touch.left][touch.points[0]][view] for touch in touches]
        sizes = 20.0 + 160.0 * self.result.blows[fresh] / self.result.blows.max(initial=1e-300)
        return np.array(places).reshape(-1, 2), sizes


def _joined(points: Array, strokes: list[list[int]]) -> Array:
    """Return strokes through points as one line with gaps."""
    gap = np.full((1, 2), np.nan)
    return np.vstack([gap, *(part for stroke in strokes for part in (points[stroke], gap))])
